// SPDX-License-Identifier: Apache-2.0
#include "solver/cost/work.h"

#include <assert.h>

static const work_row ROWS[] = {
#define X(name, kind, count) {name, WORK_##kind, count},
#include "solver/cost/work.def"
#undef X
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS, DEPTH_OF_BODIES = 16 };

static const work_row *find_row(const char *name) {
  uint32_t low = 0, high = ROW_COUNT;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    assert(middle < ROW_COUNT && (!middle || strcmp(ROWS[middle - 1].name, ROWS[middle].name) < 0));
    int order = strcmp(ROWS[middle].name, name);
    if (order == 0) return &ROWS[middle];
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return NULL;
}

static const work_row *find_joined(const char *prefix, const char *name) {
  char text[64];
  size_t a = strlen(prefix), b = strlen(name);
  if (a + b >= sizeof text) return NULL;
  memcpy(text, prefix, a);
  memcpy(text + a, name, b + 1);
  return find_row(text);
}

const work_row *work_row_of(const shape_graph *g, op_id op) {
  static const char mhlo[] = "mhlo.";
  const char *name = graph_op_name(g, op);
  const work_row *row = find_row(name);
  if (!row && strncmp(name, mhlo, sizeof mhlo - 1) == 0)
    row = find_joined("stablehlo.", name + sizeof mhlo - 1);
  const char *target = row ? NULL : graph_attr_text(g, graph_attr_named(g, op, "call_target_name"));
  return target ? find_joined("@", target) : row;
}

// --- sums

op_work work_add(term_table *t, op_work a, op_work b) {
  return (op_work){sizes_add(t, a.flops, b.flops),
                   sizes_add(t, a.transcendentals, b.transcendentals),
                   sizes_add(t, a.int_ops, b.int_ops), sizes_add(t, a.moved, b.moved)};
}

void work_sum_add(term_table *t, work_sum *sum, op_work part) {
  size_sum_add(t, &sum->flops, part.flops);
  size_sum_add(t, &sum->transcendentals, part.transcendentals);
  size_sum_add(t, &sum->int_ops, part.int_ops);
  size_sum_add(t, &sum->moved, part.moved);
}

op_work work_sum_total(term_table *t, const work_sum *sum) {
  return (op_work){size_sum_total(t, &sum->flops), size_sum_total(t, &sum->transcendentals),
                   size_sum_total(t, &sum->int_ops), size_sum_total(t, &sum->moved)};
}

op_work work_max(shape_report *r, op_work a, op_work b) {
  return (op_work){sizes_max(r, a.flops, b.flops),
                   sizes_max(r, a.transcendentals, b.transcendentals),
                   sizes_max(r, a.int_ops, b.int_ops), sizes_max(r, a.moved, b.moved)};
}

// --- what an operation reads

typedef struct counted {
  frame_sizes *f;
  const shape_graph *g;
  term_table *t;
  op_id op;
  int count;  // of the row
} counted;

static value_id operand(const counted *c, uint32_t i) { return graph_operand(c->g, c->op, i); }

static value_id result(const counted *c) {
  return c->g->ops[c->op].result_count ? c->g->ops[c->op].results : VALUE_NONE;
}

static term_id elements(const counted *c, value_id v) { return sizes_elements(c->f, v); }

static term_id dim_of(const counted *c, value_id v, int64_t axis) {
  uint32_t rank;
  const term_id *dims = sizes_dims(c->f, v, &rank);
  if (dims && axis < 0) axis += rank;
  return dims && axis >= 0 && axis < rank ? dims[axis] : TERM_NONE;
}

static term_id times(const counted *c, int64_t k, term_id a) {
  return a == TERM_NONE ? a : term_scale(c->t, a, NUM(k));
}

static term_id product(const counted *c, term_id a, term_id b) { return sizes_mul(c->t, a, b); }

// Elements of a value but for one axis.
static term_id without_axis(const counted *c, value_id v, int64_t axis) {
  uint32_t rank;
  const term_id *dims = sizes_dims(c->f, v, &rank);
  if (!dims || axis < 0 || axis >= rank) return TERM_NONE;
  term_id all = TERM_ONE;
  for (uint32_t i = 0; i < rank; i++) {
    if (i != axis) all = product(c, all, dims[i]);
  }
  return all;
}

static int64_t int_attr(const counted *c, attr_id dict, const char *name, int64_t otherwise) {
  int64_t value;
  assert(c->op < c->g->op_count);
  attr_id id =
      dict == ATTR_NONE ? graph_attr_named(c->g, c->op, name) : graph_attr_entry(c->g, dict, name);
  return graph_attr_int(c->g, id, &value) ? value : otherwise;
}

// Product of a list of an attribute; TERM_NONE where there is none.
static term_id window_of(const counted *c, const char *name) {
  const int64_t *values;
  uint32_t count;
  term_id all = TERM_ONE;
  if (!graph_attr_ints(c->g, graph_attr_named(c->g, c->op, name), &values, &count))
    return TERM_NONE;
  for (uint32_t i = 0; i < count; i++) all = product(c, all, term_int(c->t, values[i]));
  return all;
}

// --- the counts

static term_id contracted(const counted *c) {
  const int64_t *axes;
  uint32_t count;
  term_id all = TERM_ONE;
  attr_id dict = graph_attr_named(c->g, c->op, "dot_dimension_numbers");
  if (dict == ATTR_NONE) return TERM_NONE;
  attr_id list = graph_attr_entry(c->g, dict, "lhs_contracting_dimensions");
  if (list == ATTR_NONE || !graph_attr_ints(c->g, list, &axes, &count)) return all;
  for (uint32_t i = 0; i < count; i++) all = product(c, all, dim_of(c, operand(c, 0), axes[i]));
  return all;
}

static term_id count_product(const counted *c, term_id shared) {
  return times(c, 2, product(c, elements(c, result(c)), shared));
}

static term_id with_bias(const counted *c, term_id work) {
  if (operand(c, 2) == VALUE_NONE) return work;
  return sizes_add(c->t, work, elements(c, result(c)));
}

static term_id count_gemm(const counted *c) {
  int64_t transposed = int_attr(c, ATTR_NONE, "transA", 0);
  return with_bias(c, count_product(c, dim_of(c, operand(c, 0), transposed ? 0 : 1)));
}

static term_id count_convolution(const counted *c) {
  attr_id dict = graph_attr_named(c->g, c->op, "dimension_numbers");
  if (dict == ATTR_NONE) return TERM_NONE;
  int64_t axis = int_attr(c, dict, "kernel_output_feature_dimension", 0);
  return count_product(c, without_axis(c, operand(c, 1), axis));
}

static op_work body_of(frame_sizes *f, op_id op, uint32_t depth);

static op_work scaled(const counted *c, term_id k) {
  op_work body = body_of(c->f, c->op, 0);
  return (op_work){product(c, k, body.flops), product(c, k, body.transcendentals),
                   product(c, k, body.int_ops), TERM_ZERO};
}

// Those whose body says what is counted; `moved` is not set.
static bool count_applied(const counted *c, work_kind kind, op_work *out) {
  const graph_op *o = &c->g->ops[c->op];
  switch (kind) {
  case WORK_REDUCE: *out = scaled(c, elements(c, operand(c, 0))); return true;
  case WORK_REDUCE_WINDOW:
    *out = scaled(c, product(c, elements(c, result(c)), window_of(c, "window_dimensions")));
    return true;
  // Inputs, indices, updates: as many inputs as updates.
  case WORK_SCATTER:
    *out = scaled(c, elements(c, operand(c, o->operand_count / 2 + 1)));
    return true;
  case WORK_MAP: *out = scaled(c, elements(c, result(c))); return true;
  default: return false;
  }
}

// In the one of flops and int_ops that the types say.
static term_id count_plain(const counted *c, work_kind kind) {
  term_id out = elements(c, result(c)), in = elements(c, operand(c, 0));
  switch (kind) {
  case WORK_ELEMENT: return times(c, c->count, out);
  case WORK_VARIADIC: return times(c, (int64_t)c->g->ops[c->op].operand_count + c->count, out);
  case WORK_PER_ELEMENT:
  case WORK_SOFTMAX: return times(c, c->count, in);
  case WORK_DOT:
  case WORK_MATMUL: return count_product(c, dim_of(c, operand(c, 0), -1));
  case WORK_DOT_GENERAL: return count_product(c, contracted(c));
  case WORK_GEMM: return count_gemm(c);
  case WORK_CONVOLUTION: return count_convolution(c);
  case WORK_CONV: return with_bias(c, count_product(c, without_axis(c, operand(c, 1), 0)));
  case WORK_CONV_TRANSPOSE: return times(c, 2, product(c, in, without_axis(c, operand(c, 1), 0)));
  case WORK_REDUCE_NODE: return sizes_add(c->t, in, times(c, c->count, out));
  case WORK_POOL: return product(c, out, window_of(c, "kernel_shape"));
  default: return TERM_ZERO;
  }
}

static bool is_float(const counted *c) {
  const graph_op *o = &c->g->ops[c->op];
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id v = operand(c, i);
    if (v != VALUE_NONE && sizes_is_float(c->g, c->g->values[v].type)) return true;
  }
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (sizes_is_float(c->g, c->g->values[o->results + i].type)) return true;
  }
  return false;
}

static op_work count_op(const counted *c, const work_row *row) {
  op_work w = work_none();
  if (count_applied(c, row->kind, &w)) return w;
  if (row->kind == WORK_TRANSCENDENTAL) {
    w.transcendentals = times(c, row->count, elements(c, result(c)));
    return w;
  }
  if (row->kind == WORK_SOFTMAX) w.transcendentals = elements(c, operand(c, 0));
  term_id n = count_plain(c, row->kind);
  *(is_float(c) ? &w.flops : &w.int_ops) = n;
  return w;
}

// What is applied to scalars: counted once, and nothing is moved.
static op_work body_of(frame_sizes *f, op_id op, uint32_t depth) {
  const shape_graph *g = f->all->report->graph;
  term_table *t = f->all->terms;
  op_work sum = work_none();
  const graph_op *o = &g->ops[op];
  for (uint32_t i = 0; depth < DEPTH_OF_BODIES && i < o->region_count; i++) {
    const graph_region *region = &g->regions[o->regions + i];
    for (uint32_t b = 0; b < region->block_count; b++) {
      op_id inner = g->blocks[region->first_block + b].first;
      for (; inner != ID_NONE; inner = g->ops[inner].next) {
        const work_row *row = work_row_of(g, inner);
        const counted c = {f, g, t, inner, row ? row->count : 0};
        budget_take(t->budget, 1);
        if (row) sum = work_add(t, sum, count_op(&c, row));
        if (!row) sum = work_add(t, sum, body_of(f, inner, depth + 1));
      }
    }
  }
  return sum;
}

// --- bytes

static term_id moved_by(const counted *c, work_kind kind) {
  const graph_op *o = &c->g->ops[c->op];
  term_id results = TERM_ZERO, sum;
  if (kind == WORK_NOTHING || kind == WORK_CONSTANT) return TERM_ZERO;
  for (uint32_t i = 0; i < o->result_count; i++)
    results = sizes_add(c->t, results, sizes_bytes(c->f, o->results + i));
  sum = results;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    bool as_written = kind == WORK_SLICE && i == 0;
    sum = sizes_add(c->t, sum, as_written ? results : sizes_bytes(c->f, operand(c, i)));
  }
  return sum;
}

op_work work_of_op(frame_sizes *f, op_id op, const work_row *row) {
  const shape_graph *g = f->all->report->graph;
  const counted c = {f, g, f->all->terms, op, row ? row->count : 0};
  assert(op < g->op_count);
  budget_take(c.t->budget, 1);
  op_work w = row ? count_op(&c, row) : work_none();
  w.moved = moved_by(&c, row ? row->kind : WORK_MOVE);
  return w;
}
