// SPDX-License-Identifier: Apache-2.0
// Whether concrete types of arguments make a program static: each dim that its runs reach is computed from dims of arguments,
// and so is what operations read as dims, paddings or limits. Runs begin at the entry and at functions that nothing calls and
// that are not private. Calls of a function may differ in dims, as each gets a copy of its own.
#include <assert.h>

#include "solver/ops/dynamic.h"
#include "solver/ops/registry.h"
#include "solver/ops/traits.h"
#include "solver/report/work.h"

// Whether an operation gives its results the ranks and dims that its operands' types say: it has a rule, and no operand
// says dims as data.
static bool follows_types(const shape_report *r, op_id op) {
  const shape_graph *g = r->graph;
  bool plain = !op_has(g, op, TRAIT_READS_SIZES) && !op_has(g, op, TRAIT_CUSTOM_CALL);
  return graph_is_text(g) && plain &&
         registry_find(graph_op_name(g, op), intern_length(&g->names, g->ops[op].name), 0);
}

// Where a rank is unknown only because arguments are unranked, concrete types of them say it.
static bool ranks_follow_arguments(const shape_report *r) {
  const shape_graph *g = r->graph;
  for (value_id v = 0; v < g->value_count; v++) {
    uint32_t shape = r->value_shapes[v];
    if (g->values[v].is_argument || shape == ID_NONE || r->shapes[shape].ranked) continue;
    if (!r->shapes[shape].determined && !follows_types(r, g->values[v].def)) return false;
  }
  return true;
}

bool refinable_by_rank(const shape_report *r, uint32_t symbol) {
  const shape_graph *g = r->graph;
  if (!r->work->shape.ranks_follow || symbol >= r->infer->origin_count) return false;
  op_id op = r->infer->origins[symbol].op;
  if (op == ID_NONE || !follows_types(r, op)) return false;
  for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
    value_id v = graph_operand(g, op, i);
    uint32_t shape = v == VALUE_NONE ? ID_NONE : r->value_shapes[v];
    if (shape != ID_NONE && !r->shapes[shape].ranked && !r->shapes[shape].determined) return true;
  }
  return false;
}

// Frames of runs that count, by frame.
static const bool *find_counted(const shape_report *r) {
  const infer_result *infer = r->infer;
  bool *counted = arena_zalloc(r->work->arena, (size_t)infer->frame_count + 1);
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    const infer_frame *f = &infer->frames[i];
    assert(f->parent == ID_NONE || f->parent < i);
    counted[i] = f->parent != ID_NONE
                     ? counted[f->parent]
                     : f->func == infer->entry || !r->graph->funcs[f->func].is_private;
  }
  return counted;
}

// Elements that were read and are refinable: values share them.
typedef struct kept_read {
  const term_id *elements;
  uint32_t count;
} kept_read;
enum { READS_KEPT = 16 };

typedef struct judge {
  shape_report *r;
  const bool *counted;
  bool shapes_are;   // the shape of each value is refinable
  const bool *open;  // by argument of the entry: not all that it holds is given; NULL: nothing is
  uint8_t *dynamic;  // by name of an operation: its op_dynamic_kind and 1; 0: not asked
  report_shape misfit;  // why a value is not refinable
  kept_read reads[READS_KEPT];
} judge;

static const value_info *info_in(const judge *j, uint32_t frame, value_id value) {
  const infer_frame *f = &j->r->infer->frames[frame];
  if (!f->values || value < f->value_base || value >= f->value_end) return NULL;
  const value_info *info = &f->values[value - f->value_base];
  return info->visited ? info : NULL;
}

static const term_id *answers(const judge *j, const term_id *terms, uint32_t count) {
  term_id *out = arena_alloc(j->r->work->arena, ((size_t)count + 1) * sizeof *out);
  for (uint32_t i = 0; i < count; i++) out[i] = answer_term(j->r, terms[i]);
  return out;
}

static bool are_refinable(judge *j, const term_id *terms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!names_refinable(j->r, terms[i])) return false;
  }
  return true;
}

static bool is_shape_refinable(judge *j, const report_shape *s) {
  return s->ranked ? are_refinable(j, s->dims, s->rank)
                   : s->determined || j->r->work->shape.ranks_follow;
}

// In one call, where calls differ.
static bool is_refinable_in(judge *j, uint32_t frame, value_id value, const report_shape *shape) {
  const value_info *info = info_in(j, frame, value);
  report_shape own = {.type = shape->type, .determined = shape->determined};
  if (info && info->ranked) {
    own.ranked = true;
    own.rank = info->rank;
    own.dims = answers(j, info->dims, info->rank);
  }
  bool good = is_shape_refinable(j, &own);
  if (!good) j->misfit = own;
  return good;
}

static bool is_value_refinable(judge *j, func_id func, value_id value) {
  const report_work *w = j->r->work;
  const report_shape *shape = &j->r->shapes[j->r->value_shapes[value]];
  bool several = w->frame_first[func] != ID_NONE && w->frame_next[w->frame_first[func]] != ID_NONE;
  if (shape->refinable) return true;
  j->misfit = *shape;
  if (!several) return false;
  for (uint32_t f = w->frame_first[func]; f != ID_NONE; f = w->frame_next[f]) {
    if (j->counted[f] && !is_refinable_in(j, f, value, shape)) return false;
  }
  return true;
}

typedef struct value_search {
  const judge *j;
  bool found;
} value_search;

// The argument that a symbol is an element of, where it is one of the entry; NULL: it is none.
static const infer_origin *entry_value(const infer_result *infer, uint32_t symbol) {
  const infer_origin *o = symbol < infer->origin_count ? &infer->origins[symbol] : NULL;
  bool is = o && o->kind == ORIGIN_ARGUMENT_VALUE && infer->frames[o->frame].func == infer->entry;
  return is ? o : NULL;
}

// Only an argument of which each element is given becomes a constant (emit/refined.c).
static const bool *find_open(const shape_report *r) {
  const infer_result *infer = r->infer;
  const shape_graph *g = r->graph;
  bool *given = NULL;
  for (fact_id i = 0; i < store_fact_count(infer->store); i++) {
    const fact *f = store_fact(infer->store, i);
    const term_node *node = term_get(infer->terms, f->p.left);
    if (f->why.kind != REASON_BINDING || f->p.rel != REL_EQ || node->kind != TERM_SYMBOL ||
        !entry_value(infer, node->as.symbol))
      continue;
    if (!given) given = arena_zalloc(r->work->arena, infer->origin_count);
    given[node->as.symbol] = true;
  }
  if (!given) return NULL;
  const graph_region *body = &g->regions[g->funcs[infer->entry].body];
  bool *open = arena_zalloc(r->work->arena, g->blocks[body->first_block].argument_count);
  for (uint32_t i = 0; i < infer->origin_count; i++) {
    const infer_origin *o = given[i] ? NULL : entry_value(infer, i);
    if (o) open[o->argument] = true;
  }
  return open;
}

static void find_value(void *data, term_id atom) {
  value_search *s = data;
  const infer_result *infer = s->j->r->infer;
  const term_node *node = term_get(infer->terms, atom);
  if (node->kind != TERM_SYMBOL || node->as.symbol >= infer->origin_count ||
      infer->origins[node->as.symbol].kind != ORIGIN_ARGUMENT_VALUE)
    return;
  const infer_origin *o = entry_value(infer, node->as.symbol);
  s->found |= !o || !s->j->open || s->j->open[o->argument];
}

// What arguments hold is no dim because the operation that reads it requires that: only numbers that are given replace it.
static bool read_is_data(const judge *j, term_id raw) {
  value_search s = {j, false};
  if (raw == TERM_NONE) return true;
  term_visit_atoms(j->r->infer->terms, raw, find_value, &s);
  return s.found;
}

// As rules gave them: that a scope knows more of an element may come from what is required in it.
static bool are_reads_refinable(judge *j, const value_info *info) {
  const term_id *stated = value_stated(info);
  bool are = true;
  for (uint32_t i = 0; i < info->element_count; i++) {
    const term_id item = answer_term(j->r, info->elements[i]);
    are = are && names_refinable(j->r, item) && !read_is_data(j, stated[i]);
  }
  return are;
}

// Where it is kept that the elements of a value are refinable; NULL: it is not.
static inline kept_read *kept_of(judge *j, const value_info *info) {
  uint32_t count = info->element_count;
  if (!count || info->keeps_stated) return NULL;
  return &j->reads[(count + info->elements[0] + 3 * info->elements[count - 1]) % READS_KEPT];
}

// What an operation reads as dims is known once dims are.
static bool is_read_refinable(judge *j, func_id func, value_id value) {
  const report_work *w = j->r->work;
  const graph_type *type = value == VALUE_NONE ? NULL : graph_value_type(j->r->graph, value);
  bool plain = type && (type->kind == TYPE_TENSOR || type->kind == TYPE_SCALAR);
  if (!plain || type->dtype >= DTYPE_QUANTIZED || !dtype_is_integer((shape_dtype)type->dtype))
    return true;
  for (uint32_t f = w->frame_first[func]; f != ID_NONE; f = w->frame_next[f]) {
    if (!j->counted[f]) continue;
    const value_info *info = info_in(j, f, value);
    if (!info) continue;  // nothing runs it
    uint32_t count = info->element_count;
    kept_read *kept = kept_of(j, info);
    if (kept && kept->elements == info->elements && kept->count == count) continue;
    const bool held = info->elements != NULL;
    if (held && are_reads_refinable(j, info)) {
      if (kept) *kept = (kept_read){info->elements, count};
      continue;
    }
    j->misfit = (report_shape){.ranked = held, .dims = info->elements, .rank = held ? count : 0};
    return false;
  }
  return true;
}

typedef void misfit_taker(judge *j, op_id op, const char *what, uint32_t number);

static bool is_counted(const judge *j, func_id func) {
  const report_work *w = j->r->work;
  for (uint32_t f = w->frame_first[func]; f != ID_NONE; f = w->frame_next[f]) {
    if (j->counted[f]) return true;
  }
  return false;
}

// op_is_dynamic, which compares names once for each name.
static bool is_dynamic(judge *j, op_id op, uint32_t *first) {
  const shape_graph *g = j->r->graph;
  uint8_t *known = &j->dynamic[g->ops[op].name];
  if (!*known) *known = (uint8_t)(op_dynamic_kind(g, op) + 1);
  uint32_t kind = *known - 1u;
  if (kind == DYNAMIC_BY_CALL) return op_is_dynamic_call(g, op, first);
  *first = kind - (uint32_t)DYNAMIC_FROM;
  return kind >= DYNAMIC_FROM;
}

static bool judge_op(judge *j, func_id func, op_id op, misfit_taker *take) {
  const shape_graph *g = j->r->graph;
  bool good = true;
  uint32_t first;
  for (uint32_t i = 0; i < g->ops[op].result_count && !j->shapes_are; i++) {
    if (is_value_refinable(j, func, g->ops[op].results + i)) continue;
    good = false;
    if (take) take(j, op, "the dims of result", i);
  }
  if (!good || !is_dynamic(j, op, &first)) return good;
  for (uint32_t i = first; i < g->ops[op].operand_count; i++) {
    if (is_read_refinable(j, func, graph_operand(g, op, i))) continue;
    good = false;
    if (take) take(j, op, "operand", i);
  }
  return good;
}

static bool judge_all(judge *j, misfit_taker *take) {
  const shape_report *r = j->r;
  bool good = true;
  for (uint32_t i = 0; i < r->function_count; i++) {
    const report_function *f = &r->functions[i];
    if (!is_counted(j, f->id)) continue;
    for (uint32_t k = 0; k < f->argument_count; k++)
      good = is_value_refinable(j, f->id, f->arguments + k) && good;
    const graph_op *ops = r->graph->ops;
    const uint8_t *dynamic = j->dynamic;
    bool shapes_are = j->shapes_are;
    for (op_id op = f->first_op; op < f->end_op && (good || take); op++) {
      if (shapes_are && dynamic[ops[op].name] == DYNAMIC_NEVER + 1) continue;
      good = judge_op(j, f->id, op, take) && good;
    }
  }
  return good;
}

static judge begin_judge(shape_report *r) {
  uint8_t *dynamic = arena_zalloc(r->work->arena, (size_t)r->graph->names.count + 1);
  return (judge){.r = r, .counted = find_counted(r), .open = find_open(r), .dynamic = dynamic};
}

static bool are_ranked(const shape_report *r) {
  for (uint32_t i = 0; i < r->shape_count; i++) {
    if (!r->shapes[i].ranked) return false;
  }
  return true;
}

void refinable_judge(shape_report *r) {
  bool ranked = are_ranked(r);
  r->work->shape.ranks_follow = ranked || ranks_follow_arguments(r);
  if (r->work->shape.ranks_follow && !ranked)
    r->work->settled = (work_settled){0};  // names are judged again
  judge j = begin_judge(r);
  j.shapes_are = true;
  for (uint32_t i = 0; i < r->shape_count; i++) {
    if (!ranked) r->shapes[i].refinable = is_shape_refinable(&j, &r->shapes[i]);
    j.shapes_are = j.shapes_are && r->shapes[i].refinable;
  }
  r->refinable = r->ok && judge_all(&j, NULL);
}

static void put_misfit(judge *j, op_id op, const char *what, uint32_t number) {
  shape_graph *g = j->r->graph;
  shape_strbuf why;
  strbuf_init(&why, g->arena);
  report_dynamic_reason(j->r, &j->misfit, &why);
  diag_add(&g->diags, DIAG_ERROR, "not-refinable", g->ops[op].name_span,
           "the types of the arguments do not determine %s %u of %s: %s", what, number,
           graph_op_name(g, op), strbuf_text(&why));
}

void report_require_refinable(shape_report *r) {
  if (r->refinable || !r->infer) return;
  judge j = begin_judge(r);
  judge_all(&j, put_misfit);
  r->ok = r->graph->diags.errors == 0;
  report_sort_diags(r);
}
