// SPDX-License-Identifier: Apache-2.0
// Higher-order operators whose graphs are submodules of the text: cond, whose graphs are the regions of a prim.If,
// while_loop and scan, whose graphs are regions too, map, which sees its tensors without their first axis, and what runs
// its graph once. A graph is read where it is called, with the operands as its parameters.
#include <assert.h>
#include <string.h>

#include "solver/formats/fx/fx.h"

typedef struct value_list {
  const fx_value *items;
  uint32_t count;
  bool alone;  // no list, one value
} value_list;

// The items of a list or tuple, or the value alone. False: they are not known.
static bool items_of(const fx_value *v, value_list *out) {
  *out = (value_list){v, 1, true};
  if (v->kind == FX_LIST) *out = (value_list){v->items, v->count, false};
  for (uint32_t i = 0; i < out->count; i++) {
    fx_kind kind = (fx_kind)out->items[i].kind;
    if (kind == FX_LIST || kind == FX_SEQUENCE || kind == FX_SIZES || kind == FX_MODULE)
      return false;
  }
  return true;
}

static bool is_graph(fx_reader *r, const fx_call *c, uint32_t at) {
  return at < c->count && c->args[at].value.kind == FX_MODULE &&
         fx_is_module(r, &c->args[at].value);
}

static bool list_at(const fx_call *c, uint32_t at, value_list *out) {
  *out = (value_list){.count = 0};
  return at >= c->count || (c->args[at].value.kind == FX_LIST && items_of(&c->args[at].value, out));
}

static bool is_value(const fx_value *v) {
  return v->kind == FX_TENSOR || v->kind == FX_INT || v->kind == FX_NUMBER || v->kind == FX_UNKNOWN;
}

static fx_value result_of(fx_reader *r, value_id value, const fx_value *like) {
  fx_kind kind = like->kind == FX_TENSOR || like->kind == FX_INT ? (fx_kind)like->kind : FX_UNKNOWN;
  fx_value out = fx_of(r, kind, value, (shape_dtype)like->dtype);
  out.truth = like->truth && kind == FX_INT;
  r->build.g->values[value].at = UINT32_MAX;
  return out;
}

// A tuple of the results of an operation, that are of the kinds of these.
static fx_value results_of(fx_reader *r, op_id op, value_list like) {
  fx_value *items = fx_copy(r, NULL, 0, like.count);
  value_id first = like.count ? graph_add_results(r->build.g, op, like.count) : VALUE_NONE;
  for (uint32_t i = 0; i < like.count; i++) items[i] = result_of(r, first + i, &like.items[i]);
  fx_value out = fx_list(items, like.count);
  out.tuple = true;
  return out;
}

// Reads a graph with these parameters. What it changes in place is its own.
static bool read_graph(fx_reader *r, const fx_value *graph, value_list own, value_list others,
                       fx_value *out) {
  fx_argument *args =
      arena_alloc(r->build.g->arena, ((size_t)own.count + others.count + 1) * sizeof *args);
  struct fx_hop outer = r->hop;
  uint32_t count = 0;
  r->hop = (struct fx_hop){r->scope, r->build.g->value_count, outer.in_loop};
  for (uint32_t i = 0; i < own.count; i++) args[count++] = (fx_argument){.value = own.items[i]};
  for (uint32_t i = 0; i < others.count; i++) {
    fx_value v = others.items[i];
    if (v.kind == FX_TENSOR) {
      value_id operand = fx_operand(r, &v);
      v = fx_of(r, FX_TENSOR, build_op(&r->build, "torch.derefine", &operand, 1, NULL, 1),
                (shape_dtype)v.dtype);
    }
    args[count++] = (fx_argument){.value = v};
  }
  bool ok = fx_module(r, graph, args, count, out);
  r->hop = outer;
  return ok;
}

// A region that is the graph: its block takes values like these, if any. What it returns is in `results`.
static bool read_region(fx_reader *r, region_id region, const fx_call *c, uint32_t graph,
                        value_list taken, value_list others, const char *end, value_list *results) {
  shape_graph *g = r->build.g;
  block_id outer = r->build.block;
  bool in_loop = r->hop.in_loop;
  fx_value *own = fx_copy(r, NULL, 0, taken.count), returned;
  r->build.block = graph_add_block(g, region);
  value_id first = graph_add_block_arguments(g, r->build.block, taken.count);
  for (uint32_t i = 0; i < taken.count; i++) own[i] = result_of(r, first + i, &taken.items[i]);
  r->hop.in_loop |= taken.count != 0;
  bool ok = read_graph(r, &c->args[graph].value, (value_list){.items = own, .count = taken.count},
                       others, &returned);
  if (!ok) fx_fail(r, r->at, "a graph of a higher-order operator has no forward");
  r->hop.in_loop = in_loop;
  if (ok) {
    fx_value *kept = fx_copy(r, &returned, 1, 0);
    if (!items_of(kept, results))
      ok = fx_fail(r, r->at,
                   "a graph of a higher-order operator returns no list of tensors and integers");
  }
  if (ok) {
    value_id *values = arena_alloc(g->arena, ((size_t)results->count + 1) * sizeof *values);
    for (uint32_t i = 0; i < results->count; i++) values[i] = fx_operand(r, &results->items[i]);
    build_op(&r->build, end, values, results->count, NULL, 0);
  }
  r->build.block = outer;
  return ok;
}

static bool count_differs(fx_reader *r, const char *what, uint32_t found, uint32_t needed) {
  return fx_fail(r, r->at, "a graph of %s returns %u values, %u are needed", what, found, needed);
}

// Of two branches.
static fx_value common(const fx_value *a, const fx_value *b) {
  fx_value out = fx_make(a->kind == b->kind ? (fx_kind)a->kind : FX_UNKNOWN);
  out.dtype = a->dtype == b->dtype ? a->dtype : (uint8_t)DTYPE_NONE;
  out.truth = a->truth && b->truth;
  return out;
}

// cond(predicate, true graph, false graph, operands)
static bool read_cond(fx_reader *r, const fx_call *c, fx_value *out) {
  shape_graph *g = r->build.g;
  value_list args, results[2];
  if (c->count < 3 || !is_value(&c->args[0].value) || !is_graph(r, c, 1) || !is_graph(r, c, 2) ||
      !list_at(c, 3, &args))
    return false;
  value_id condition = fx_operand(r, &c->args[0].value);
  if (c->args[0].value.kind == FX_TENSOR)
    condition = build_op(&r->build, "torch.aten.Bool.Tensor", &condition, 1, NULL, 1);
  op_id op = g->op_count;
  build_op(&r->build, "torch.prim.If", &condition, 1, NULL, 0);
  region_id regions = graph_add_regions(g, op, r->func, 2);
  for (uint32_t i = 0; i < 2; i++) {
    if (!read_region(r, regions + i, c, i + 1, (value_list){.count = 0}, args,
                     "torch.prim.If.yield", &results[i]))
      return true;
  }
  if (results[0].count != results[1].count) {
    count_differs(r, "cond", results[1].count, results[0].count);
    return true;
  }
  fx_value *kinds = fx_copy(r, NULL, 0, results[0].count);
  for (uint32_t i = 0; i < results[0].count; i++)
    kinds[i] = common(&results[0].items[i], &results[1].items[i]);
  *out = results_of(r, op, (value_list){.items = kinds, .count = results[0].count});
  if (results[0].alone && results[1].alone) {
    fx_value one = out->items[0];
    *out = one;
  }
  return true;
}

static op_id add_loop(fx_reader *r, const char *name, value_list operands, const attr_entry *attr) {
  value_id *values = arena_alloc(r->build.g->arena, ((size_t)operands.count + 1) * sizeof *values);
  for (uint32_t i = 0; i < operands.count; i++) values[i] = fx_operand(r, &operands.items[i]);
  op_id op = r->build.g->op_count;
  build_op(&r->build, name, values, operands.count, attr, 0);
  return op;
}

// while_loop(condition graph, body graph, carried, others)
static bool read_while(fx_reader *r, const fx_call *c, fx_value *out) {
  value_list carried, others, results;
  if (!is_graph(r, c, 0) || !is_graph(r, c, 1) || !list_at(c, 2, &carried) || !carried.count ||
      !list_at(c, 3, &others))
    return false;
  op_id op = add_loop(r, "torch.higher_order.while_loop", carried, NULL);
  region_id regions = graph_add_regions(r->build.g, op, r->func, 2);
  for (uint32_t i = 0; i < 2; i++) {
    if (!read_region(r, regions + i, c, i, carried, others, "torch.operator_terminator", &results))
      return true;
    if (results.count != (i ? carried.count : 1)) {
      count_differs(r, "while_loop", results.count, i ? carried.count : 1);
      return true;
    }
  }
  *out = results_of(r, op, carried);
  return true;
}

// scan(graph, init, xs, others): what is carried starts as init; each trip takes a slice of each of xs.
static bool read_scan(fx_reader *r, const fx_call *c, fx_value *out) {
  shape_graph *g = r->build.g;
  value_list init, xs, others, results;
  if (!is_graph(r, c, 0) || c->count < 3 || !list_at(c, 1, &init) || !list_at(c, 2, &xs) ||
      !xs.count || !list_at(c, 3, &others))
    return false;
  fx_value *all = fx_copy(r, init.items, init.count, xs.count);
  memcpy(all + init.count, xs.items, xs.count * sizeof *all);
  attr_entry entry = build_scanned(g, xs.count);
  const value_list operands = {.items = all, .count = init.count + xs.count};
  op_id op = add_loop(r, "torch.higher_order.scan", operands, &entry);
  region_id region = graph_add_regions(g, op, r->func, 1);
  if (!read_region(r, region, c, 0, operands, others, "torch.operator_terminator", &results))
    return true;
  if (results.count < init.count) {
    count_differs(r, "scan", results.count, init.count);
    return true;
  }
  *out = results_of(r, op, results);
  return true;
}

// map(f, xs, others): f sees a slice of each of xs, and its results are stacked.
static bool read_map(fx_reader *r, const fx_call *c, fx_value *out) {
  value_list xs, others, results;
  if (!is_graph(r, c, 0) || c->count < 2 || !list_at(c, 1, &xs) || !xs.count ||
      !list_at(c, 2, &others))
    return false;
  torch_builder *b = &r->build;
  value_id zero = build_int(b, 0), length = VALUE_NONE;
  fx_value *own = fx_copy(r, NULL, 0, xs.count), returned;
  for (uint32_t i = 0; i < xs.count; i++) {
    value_id x = fx_operand(r, &xs.items[i]);
    value_id of = build_op(b, "torch.aten.size.int", (value_id[]){x, zero}, 2, NULL, 1);
    if (length == VALUE_NONE) length = of;
    value_id same = build_op(b, "torch.operator.eq", (value_id[]){of, length}, 2, NULL, 1);
    build_op(b, "torch.check", &same, 1, NULL, 0);
    value_id row = build_op(b, "torch.aten.select.int", (value_id[]){x, zero, zero}, 3, NULL, 1);
    own[i] = result_of(r, row, &xs.items[i]);
  }
  if (!read_graph(r, &c->args[0].value, (value_list){.items = own, .count = xs.count}, others,
                  &returned))
    return true;
  if (!items_of(&returned, &results)) return false;
  fx_value *made = fx_copy(r, NULL, 0, results.count);
  for (uint32_t i = 0; i < results.count; i++) {
    value_id operands[3] = {fx_operand(r, &results.items[i]), length, zero};
    operands[0] = build_op(b, "torch.aten.unsqueeze", (value_id[]){operands[0], zero}, 2, NULL, 1);
    value_id all = build_op(b, "torch.aten.repeat_interleave.self_int", operands, 3, NULL, 1);
    made[i] = result_of(r, all, &results.items[i]);
  }
  *out = fx_list(made, results.count);
  out->tuple = true;
  return true;
}

// What runs its graph once and as it is: operands come after the graph.
static bool read_once(fx_reader *r, const fx_call *c, uint32_t graph, fx_value *out) {
  if (!is_graph(r, c, graph)) return false;
  // Of invoke_subgraph: what the graph is called.
  uint32_t from = graph + 1 + (c->count > graph + 1 && c->args[graph + 1].value.kind == FX_TEXT);
  fx_value *args = fx_copy(r, NULL, 0, c->count);
  uint32_t count = 0;
  for (uint32_t i = from; i < c->count; i++) {
    if (!c->args[i].name) args[count++] = c->args[i].value;
  }
  value_list list = {.items = args, .count = count};
  if (count == 1 && args[0].kind == FX_LIST)
    list = (value_list){.items = args[0].items, .count = args[0].count};
  fx_argument *given = arena_alloc(r->build.g->arena, ((size_t)list.count + 1) * sizeof *given);
  for (uint32_t i = 0; i < list.count; i++) given[i] = (fx_argument){.value = list.items[i]};
  return fx_module(r, &c->args[graph].value, given, list.count, out) || r->failed;
}

bool fx_higher_order(fx_reader *r, const fx_call *c, fx_value *out) {
  static const struct {
    const char *name;
    bool (*read)(fx_reader *r, const fx_call *c, fx_value *out);  // NULL: once
    uint32_t graph;
  } ROWS[] = {{"cond", read_cond, 0},
              {"while_loop", read_while, 0},
              {"scan", read_scan, 0},
              {"map", read_map, 0},
              {"map_impl", read_map, 0},
              {"wrap_with_set_grad_enabled", NULL, 1},
              {"wrap_with_autocast", NULL, 4},
              {"wrap", NULL, 0},
              {"invoke_subgraph", NULL, 0},
              {"strict_mode", NULL, 0},
              {"tag_activation_checkpoint", NULL, 0}};
  static const char HEAD[] = "torch.ops.higher_order.";
  if (!fx_begins(c->path, c->length, HEAD)) return false;
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (!fx_is(c->path + sizeof HEAD - 1, c->length - (uint32_t)(sizeof HEAD - 1), ROWS[i].name))
      continue;
    *out = fx_make(FX_UNKNOWN);
    return ROWS[i].read ? ROWS[i].read(r, c, out) : read_once(r, c, ROWS[i].graph, out);
  }
  return false;
}
