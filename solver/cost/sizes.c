// SPDX-License-Identifier: Apache-2.0
#include "solver/cost/sizes.h"

#include <assert.h>

#include "solver/decide/store_query.h"
#include "solver/ops/rules/verify/verify.h"

#define SIZE_NOT_ASKED (TERM_NONE - 1)

enum { BITS_OF_A_BOOLEAN = 8 };

void sizes_init(cost_sizes *s, shape_report *report) {
  assert(report->infer);
  *s = (cost_sizes){.report = report, .terms = report->infer->terms};
}

void sizes_of_frame(cost_sizes *s, uint32_t frame, frame_sizes *out) {
  assert(frame < s->report->infer->frame_count);
  const infer_frame *f = &s->report->infer->frames[frame];
  shape_arena *arena = s->report->graph->arena;
  uint32_t count = f->value_end - f->value_base;
  *out = (frame_sizes){s, frame, f->value_base, f->value_end, NULL, NULL};
  out->elements = arena_alloc(arena, (count + 1) * sizeof *out->elements);
  out->bytes = arena_alloc(arena, (count + 1) * sizeof *out->bytes);
  for (uint32_t i = 0; i < count; i++) out->elements[i] = out->bytes[i] = SIZE_NOT_ASKED;
}

// --- arithmetic

term_id sizes_add(term_table *t, term_id a, term_id b) {
  return a == TERM_NONE || b == TERM_NONE ? TERM_NONE : term_add(t, a, b);
}

void size_sum_add(term_table *t, size_sum *sum, term_id part) {
  uint32_t power = 0;
  assert(sum->count != UINT32_MAX);
  for (; sum->count >> power & 1; power++) part = sizes_add(t, sum->of_power[power], part);
  sum->of_power[power] = part;
  sum->count++;
}

term_id size_sum_total(term_table *t, const size_sum *sum) {
  term_id total = TERM_ZERO;
  for (uint32_t power = 0; power < 32; power++) {
    if (sum->count >> power & 1) total = sizes_add(t, sum->of_power[power], total);
  }
  return total;
}

term_id sizes_mul(term_table *t, term_id a, term_id b) {
  // None of nothing is nothing, whatever the other one is.
  if (a == TERM_ZERO || b == TERM_ZERO) return TERM_ZERO;
  return a == TERM_NONE || b == TERM_NONE ? TERM_NONE : term_mul(t, a, b);
}

static bool at_least_zero(shape_store *store, term_id t) {
  assert(t != TERM_NONE);
  interval range = store_range(store, t);
  return range.has_lo && num_sign(range.lo) >= 0;
}

bool sizes_at_most(shape_report *r, term_id a, term_id b, bool ask) {
  assert(a != TERM_NONE && b != TERM_NONE);
  term_table *t = r->infer->terms;
  shape_store *store = r->infer->store;
  if (a == b) return true;
  term_id rest = term_sub(t, b, a), factor, left;
  budget_take(t->budget, 1);
  if (at_least_zero(store, rest)) return true;
  // The factors of S0*S1 - S0 say more than its range.
  factor = term_common_factor(t, rest);
  if (factor != TERM_ONE && term_divide_exact(t, rest, factor, &left) &&
      at_least_zero(store, factor) && at_least_zero(store, left))
    return true;
  return ask && store_ask(store, predicate_make(REL_LE, a, b)).answer == SHAPE_YES;
}

term_id sizes_max(shape_report *r, term_id a, term_id b) {
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  if (sizes_at_most(r, a, b, true)) return b;
  if (sizes_at_most(r, b, a, true)) return a;
  return term_max(r->infer->terms, a, b);
}

// --- dims

// What an argument holds is no dim of it.
static bool is_hidden(void *data, term_id atom) {
  const cost_sizes *s = data;
  if (term_kind_of(s->terms, atom) != TERM_SYMBOL) return false;
  const report_symbol *symbol = report_symbol_of(s->report, atom);
  return !symbol || symbol->origin == FROM_ARGUMENT_VALUE || symbol->origin == FROM_OPAQUE;
}

// Whether dims of the entry's arguments determine it.
static bool is_shown(cost_sizes *s, term_id dim) {
  bool fresh;
  if (term_kind_of(s->terms, dim) == TERM_CONST) return true;
  uint32_t known;
  if (imap_get(&s->shown, dim, &known)) return known;
  bool shown = report_determined(s->report, dim) && !term_any_atom(s->terms, dim, is_hidden, s);
  *imap_slot(&s->shown, s->report->graph->arena, dim, &fresh) = shown;
  return shown;
}

static term_id answer_of(cost_sizes *s, term_id dim) {
  dim = report_answer(s->report, dim);
  return dim != TERM_NONE && is_shown(s, dim) ? dim : TERM_NONE;
}

static const value_info *info_of(const frame_sizes *f, value_id value) {
  const infer_result *infer = f->all->report->infer;
  const infer_frame *frame = &infer->frames[f->frame];
  const value_info *whole = infer_whole_value(infer, f->frame, value);
  if (whole && whole->visited) return whole;
  if (!frame->values || value < f->base || value >= f->end) return NULL;
  const value_info *info = &frame->values[value - f->base];
  return info->visited ? info : NULL;
}

static const graph_type *type_of(const cost_sizes *s, type_id type) {
  return type == TYPE_NONE ? NULL : type_get(&s->report->graph->types, type);
}

static const term_id *declared_dims(cost_sizes *s, type_id id, uint32_t *rank) {
  const graph_type *type = type_of(s, id);
  static const term_id none[1];
  if (!type) return NULL;
  *rank = 0;
  if (type->kind == TYPE_SCALAR || type->kind == TYPE_SIZE) return none;
  if (type->kind != TYPE_TENSOR) return NULL;
  term_id *dims = arena_alloc(s->report->graph->arena, (type->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < type->rank; i++)
    dims[i] = type->dims[i] >= 0 ? term_int(s->terms, type->dims[i]) : TERM_NONE;
  *rank = type->rank;
  return dims;
}

static const term_id *dims_of(cost_sizes *s, const value_info *info, type_id type, uint32_t *rank) {
  if (!info || !info->ranked) return declared_dims(s, type, rank);
  *rank = info->rank;
  term_id *dims = arena_alloc(s->report->graph->arena, (info->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < info->rank; i++) dims[i] = answer_of(s, info->dims[i]);
  return dims;
}

const term_id *sizes_dims(frame_sizes *f, value_id value, uint32_t *rank) {
  *rank = 0;
  if (value == VALUE_NONE) return NULL;
  type_id type = f->all->report->graph->values[value].type;
  return dims_of(f->all, info_of(f, value), type, rank);
}

static term_id product(cost_sizes *s, const term_id *dims, uint32_t rank) {
  term_id result = TERM_ONE;
  for (uint32_t i = 0; dims && i < rank; i++) result = sizes_mul(s->terms, result, dims[i]);
  return dims ? result : TERM_NONE;
}

term_id sizes_elements(frame_sizes *f, value_id value) {
  assert(f->base <= f->end);
  if (value == VALUE_NONE) return TERM_ZERO;
  if (value < f->base || value >= f->end) return TERM_NONE;
  term_id *kept = &f->elements[value - f->base];
  if (*kept == SIZE_NOT_ASKED) {
    uint32_t rank;
    const term_id *dims = sizes_dims(f, value, &rank);
    *kept = product(f->all, dims, rank);
  }
  return *kept;
}

// --- bytes

// Of one element; 0: no fixed width.
static uint32_t bits_of(const shape_graph *g, type_id id) {
  const graph_type *type = type_get(&g->types, id);
  if (type->kind == TYPE_SIZE) return dtype_bits(DTYPE_INDEX);
  if (type->kind != TYPE_SCALAR && type->kind != TYPE_TENSOR && type->kind != TYPE_UNRANKED)
    return 0;
  if (type->sparse) return 0;
  if (type->dtype == DTYPE_I1) return BITS_OF_A_BOOLEAN;
  if (type->dtype != DTYPE_QUANTIZED) return dtype_bits((shape_dtype)type->dtype);
  const rule_context c = {.graph = (shape_graph *)g};
  quant_type quant;
  shape_dtype storage;
  bool read = verify_read_quant(&c, id, &quant) && verify_storage_dtype(&quant, &storage);
  return read ? dtype_bits(storage) : 0;
}

static bool is_token(const graph_type *type) {
  return type->kind == TYPE_SCALAR && (type->dtype == DTYPE_TOKEN || type->dtype == DTYPE_NONE);
}

// 0 of tokens, TERM_NONE where the width is not known.
static term_id sizes_bytes_of(cost_sizes *s, type_id type, term_id elements) {
  const graph_type *t = type_of(s, type);
  if (t && is_token(t)) return TERM_ZERO;
  uint32_t bits = t && elements != TERM_NONE ? bits_of(s->report->graph, type) : 0;
  if (!bits) return TERM_NONE;
  if (bits % 8 == 0) return term_scale(s->terms, elements, NUM(bits / 8));
  term_id byte = term_int(s->terms, 8);
  return term_ceildiv(s->terms, term_scale(s->terms, elements, NUM(bits)), byte);
}

// info: NULL: only what the type says is known.
static term_id bytes_of(cost_sizes *s, const value_info *info, type_id type) {
  const graph_type *t = type_of(s, type);
  uint32_t rank;
  if (!t || t->kind != TYPE_TUPLE) {
    const term_id *dims = dims_of(s, info, type, &rank);
    return sizes_bytes_of(s, type, product(s, dims, rank));
  }
  term_id sum = TERM_ZERO;
  const value_info *parts = info ? value_parts(info) : NULL;
  if (parts && value_part_count(info) != t->param_count) parts = NULL;
  for (uint32_t i = 0; i < t->param_count; i++)
    sum = sizes_add(s->terms, sum, bytes_of(s, parts ? &parts[i] : NULL, t->params[i]));
  return sum;
}

term_id sizes_bytes(frame_sizes *f, value_id value) {
  if (value == VALUE_NONE) return TERM_ZERO;
  if (value < f->base || value >= f->end) return TERM_NONE;
  term_id *kept = &f->bytes[value - f->base];
  if (*kept == SIZE_NOT_ASKED) {
    type_id type = f->all->report->graph->values[value].type;
    const graph_type *t = type_of(f->all, type);
    *kept = t && t->kind == TYPE_TUPLE ? bytes_of(f->all, info_of(f, value), type)
                                       : sizes_bytes_of(f->all, type, sizes_elements(f, value));
  }
  return *kept;
}

bool sizes_is_float(const shape_graph *g, type_id id) {
  if (id == TYPE_NONE) return false;
  const graph_type *type = type_get(&g->types, id);
  if (type->kind == TYPE_TUPLE) {
    for (uint32_t i = 0; i < type->param_count; i++) {
      if (sizes_is_float(g, type->params[i])) return true;
    }
    return false;
  }
  if (type->kind != TYPE_SCALAR && type->kind != TYPE_TENSOR && type->kind != TYPE_UNRANKED)
    return false;
  return dtype_is_float((shape_dtype)type->dtype) || dtype_is_complex((shape_dtype)type->dtype);
}
