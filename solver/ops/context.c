// SPDX-License-Identifier: Apache-2.0
// What rules use: operands, results merged with their declared types, fresh symbols, attributes.
#include <assert.h>
#include <string.h>

#include "solver/ops/op.h"

const graph_type *rule_operand_type(const rule_context *c, uint32_t i) {
  value_id v = graph_operand(c->graph, c->op, i);
  return v == VALUE_NONE ? NULL : graph_value_type(c->graph, v);
}

const graph_type *rule_result_type(const rule_context *c, uint32_t i) {
  if (i >= rule_result_count(c)) return NULL;
  return graph_value_type(c->graph, graph_result(c->graph, c->op, i));
}

static shape_dtype dtype_of(const graph_type *t) {
  if (!t || (t->kind != TYPE_SCALAR && t->kind != TYPE_TENSOR && t->kind != TYPE_UNRANKED)) {
    return t && t->kind == TYPE_SIZE ? DTYPE_INDEX : DTYPE_OTHER;
  }
  return (shape_dtype)t->dtype;
}

shape_dtype rule_operand_dtype(const rule_context *c, uint32_t i) {
  return dtype_of(rule_operand_type(c, i));
}

shape_dtype rule_result_dtype(const rule_context *c, uint32_t i) {
  return dtype_of(rule_result_type(c, i));
}

static value_info *value_at(rule_context *c, value_id v) {
  assert(v >= c->value_base && v < c->graph->value_count);
  return &c->values[v - c->value_base];
}

static value_info *result_at(rule_context *c, uint32_t i) {
  return value_at(c, graph_result(c->graph, c->op, i));
}

bool rule_assume_rank(rule_context *c, uint32_t operand, uint32_t rank) {
  value_id id = graph_operand(c->graph, c->op, operand);
  if (id == VALUE_NONE) return true;
  value_info *v = value_at(c, id);
  if (v->ranked) return v->rank == rank;
  if (rank > VALUE_MAX_RANK) return false;
  if (c->conditional) {  // a rank that is assumed where an operation may not run ends with its region
    rule_log *log = c->log;
    log->assumed = arena_grow(c->arena, log->assumed, log->assumed_count, log->assumed_count + 1,
                              &log->assumed_capacity, sizeof(*log->assumed));
    assert(log->assumed_count < log->assumed_capacity);
    log->assumed[log->assumed_count++] = v;
  }
  term_id *dims = arena_alloc(c->arena, (rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < rank; i++) dims[i] = rule_fresh_size(c);
  v->dims = dims;
  v->rank = rank;
  value_set_rank_from(c->arena, v, c->op + 1);
  v->ranked = true;
  return true;
}

// --- results

// Dims and elements are built from those of operands, so that texts could double with each operation: large ones get a
// name.
static inline term_id bounded(rule_context *c, term_id t) {
  if (t == TERM_NONE || term_kind_of(c->terms, t) == TERM_SYMBOL) return t;
  if (!term_outweighs(c->terms, t, VALUE_MAX_WEIGHT)) return t;
  return store_name(c->store, t);
}

term_id rule_bounded(rule_context *c, term_id t) { return bounded(c, t); }

term_id rule_declared_size(const rule_context *c, int64_t dim) {
  if (dim_is_static(dim)) return term_int(c->terms, dim);
  if (dim_is_symbol(dim) && c->symbols && dim_symbol(dim) < c->graph->declared.symbol_count)
    return c->symbols[dim_symbol(dim)];
  return TERM_NONE;
}

// Runtimes of ONNX warn where a declared type is not what the nodes give, and go on with that.
static bool is_lenient(const rule_context *c) {
  return c->graph->format == GRAPH_ONNX && !c->log->strict;
}

// A conflict with the declared type names both types, as a verifier does.
static void report_declared(rule_context *c, uint32_t result, const term_id *dims, uint32_t rank) {
  assert(result < rule_result_count(c));
  value_info inferred = {.dims = dims, .rank = rank, .ranked = true};
  shape_strbuf declared;
  strbuf_init(&declared, c->arena);
  type_print(&c->graph->types, &declared,
             c->graph->values[graph_result(c->graph, c->op, result)].type);
  if (is_lenient(c)) {
    rule_warning(c, "declared-type", "result #%u has the shape [%s], its declared type is %s",
                 result, rule_print_dims(c, &inferred), strbuf_text(&declared));
    return;
  }
  rule_blame(c, DIAG_ERROR, "declared-type", 0, "declared-type",
             "result #%u has the shape [%s], its declared type is %s", result,
             rule_print_dims(c, &inferred), strbuf_text(&declared));
}

// One size of a result and what its type declares: the term to keep. *conflict is set where the two cannot be equal.
static term_id merge_declared(rule_context *c, uint32_t result, term_id dim, int64_t declared,
                              bool *conflict) {
  assert(result < rule_result_count(c));
  if (declared == DIM_DYNAMIC) return dim;
  term_id given = rule_declared_size(c, declared);
  if (given == TERM_NONE || given == dim) return dim;
  num value;
  if (dim_is_static(declared) && term_const_value(c->terms, dim, &value)) {
    *conflict = true;
    return is_lenient(c) ? dim : given;
  }
  reason why = {.kind = REASON_OP,
                .required = 1,
                .subject = c->op,
                .frame = c->frame,
                .rule = c->row ? c->row->rule_name : NULL,
                .what = "the result has its declared type"};
  bool fits = store_add_eq(c->store, dim, given, why) != ADD_CONFLICT;
  if (!fits && is_lenient(c)) {
    *conflict = true;
    return dim;
  }
  if (!fits) {
    result_at(c, result)->in_conflict = true;
    rule_report_conflict(c, predicate_make(REL_EQ, dim, given), "the result has its declared type");
  }
  return term_const_value(c->terms, dim, &value) ? dim : given;
}

static bool merge_bounds(rule_context *c, const graph_type *t, const term_id *dims) {
  assert(t->has_bounds && t->bounds);
  bool fine = true;
  for (uint32_t i = 0; i < t->rank; i++) {
    if (t->bounds[i] < 0) continue;
    term_id bound = term_int(c->terms, t->bounds[i]);
    fine = rule_require(c, predicate_make(REL_LE, dims[i], bound),
                        "the dim is within its declared bound") &&
           fine;
  }
  return fine;
}

// Whether the result's dims already fit the declared type, so that nothing needs to be stated or copied.
static bool fits_declared(const rule_context *c, const graph_type *t, const term_id *dims) {
  if (t->has_bounds) return false;
  for (uint32_t i = 0; i < t->rank; i++) {
    if (t->dims[i] == DIM_DYNAMIC) continue;
    if (!dim_is_static(t->dims[i])) {
      if (rule_declared_size(c, t->dims[i]) != dims[i]) return false;
      continue;
    }
    const term_node *dim = term_get(c->terms, dims[i]);
    if (dim->kind != TERM_CONST || !num_is(dim->as.value, t->dims[i])) return false;
  }
  return true;
}

// An earlier visit's dims are facts too: what was made fresh then is now known by the new expression.
static void merge_visited(rule_context *c, const value_info *old, const term_id *dims,
                          uint32_t rank) {
  if (!old->visited || !old->ranked || old->rank != rank || old->dims == dims) return;
  for (uint32_t i = 0; i < rank; i++) {
    if (old->dims[i] != dims[i])
      rule_fact(c, predicate_make(REL_EQ, old->dims[i], dims[i]),
                c->buffers ? "the buffer has the dims of the result" : "the result's dim");
  }
}

// A number below 0 contradicts what the operation requires. Nothing that reads dims expects one, so the dim is not known.
static term_id dim_of_result(rule_context *c, const value_info *old, uint32_t rank, uint32_t axis,
                             term_id t) {
  const term_node *node = t == TERM_NONE ? NULL : term_get(c->terms, t);
  if (!node || node->kind != TERM_CONST) return bounded(c, t);
  if (num_sign(node->as.value) >= 0) return node->as.value.big ? bounded(c, t) : t;
  bool again = old->visited && old->ranked && old->rank == rank;
  return again ? old->dims[axis] : rule_fresh_size(c);
}

// The same array where nothing is too large, or below 0.
static const term_id *bounded_dims(rule_context *c, const value_info *old, const term_id *dims,
                                   uint32_t rank) {
  term_id *copy = NULL;
  for (uint32_t i = 0; i < rank; i++) {
    term_id t = dim_of_result(c, old, rank, i, dims[i]);
    if (t == dims[i]) continue;
    if (!copy) {
      copy = arena_alloc(c->arena, rank * sizeof(term_id));
      memcpy(copy, dims, rank * sizeof(term_id));
    }
    copy[i] = t;
  }
  return copy ? copy : dims;
}

enum { DIMS_ROOM = 64 };  // terms of which arrays are taken one after the other

static const term_id *keep_dims(rule_context *c, const term_id *dims, uint32_t rank) {
  rule_log *log = c->log;
  term_id *copy;
  if (rank > DIMS_ROOM / 4) {
    copy = arena_alloc(c->arena, rank * sizeof *copy);
  } else {
    if (rank > log->dims_left) {
      log->dims_room = arena_alloc(c->arena, DIMS_ROOM * sizeof *copy);
      log->dims_left = DIMS_ROOM;
    }
    copy = log->dims_room;
    log->dims_room += rank;
    log->dims_left -= rank;
  }
  for (uint32_t i = 0; i < rank; i++) copy[i] = dims[i];
  return copy;
}

// torch-mlir's importer of ONNX writes rank 0 where the model says nothing of a shape: no error, and the text's rank stays.
static bool is_unsaid(const rule_context *c, const graph_type *t, uint32_t rank) {
  return t->torch && c->row && c->row->since && (t->rank == 0 || rank == 0);
}

static void set_dims(rule_context *c, uint32_t result, const term_id *dims, uint32_t rank,
                     bool share) {
  assert(!rank || dims);
  if (result >= rule_result_count(c)) return;
  value_info *v = result_at(c, result);
  const graph_type *t = rule_result_type(c, result);
  if (t && t->kind != TYPE_TENSOR) t = NULL;
  if (!share) dims = bounded_dims(c, v, dims, rank);
  merge_visited(c, v, dims, rank);
  if (value_rank_from(v) && v->rank != rank)
    rule_error(c, "rank", "result #%u has rank %u, an operation that uses it needs rank %u", result,
               rank, v->rank);
  value_set_rank_from(c->arena, v, 0);
  if (t && t->rank != rank) {
    bool unsaid = is_unsaid(c, t, rank);
    if (unsaid) {
      rule_warning(c, "declared-type",
                   "result #%u is declared with rank %u, the operator gives rank %u", result,
                   t->rank, rank);
    } else {
      report_declared(c, result, dims, rank);
    }
    if (unsaid || !is_lenient(c)) {
      rule_set_unknown(c, result);
      return;
    }
    t = NULL;
  }
  if (!t || fits_declared(c, t, dims)) {
    if (!share && rank) dims = keep_dims(c, dims, rank);
    v->dims = rank ? dims : NULL;
  } else {
    term_id few[RULE_FEW], *merged = rule_room(c, few, rank);
    bool conflict = false;
    for (uint32_t i = 0; i < rank; i++)
      merged[i] = merge_declared(c, result, dims[i], t->dims[i], &conflict);
    if (conflict) report_declared(c, result, dims, rank);
    v->in_conflict = v->in_conflict || (conflict && !is_lenient(c));
    v->dims = keep_dims(c, merged, rank);
    if (t->has_bounds) merge_bounds(c, t, v->dims);
  }
  v->rank = rank;
  v->ranked = true;
  v->visited = true;
}

void rule_set_dims(rule_context *c, uint32_t result, const term_id *dims, uint32_t rank) {
  set_dims(c, result, dims, rank, false);
}

void rule_set_dims_like(rule_context *c, uint32_t result, const value_info *like) {
  if (!like->ranked) {
    rule_set_unknown(c, result);
    return;
  }
  set_dims(c, result, like->dims, like->rank, true);
}

// Elements are known only where their number is: as many as the dims say.
static void keep_elements(rule_context *c, value_info *v, const term_id *elements, uint32_t count) {
  assert(!v->ranked || !v->rank || v->dims);
  uint64_t product = 1;
  bool numbers = v->ranked;
  for (uint32_t i = 0; i < v->rank && numbers && product <= VALUE_MAX_ELEMENTS; i++) {
    int64_t size;
    numbers = (term_int_value(c->terms, v->dims[i], &size) ||
               term_int_value(c->terms, store_canon(c->store, v->dims[i]), &size)) &&
              size >= 0 && size < UINT32_MAX;
    product *= numbers ? (uint64_t)size : 1;
  }
  bool fits = !v->in_conflict && numbers && product == count;
  value_set_elements(v, fits ? elements : NULL, fits ? count : 0);
}

enum { KEPT_BITS = 7, KEPT_LONGEST = 64 };

// The last array of each hash.
struct kept_terms {
  const term_id *terms[1 << KEPT_BITS];
  uint32_t counts[1 << KEPT_BITS];
};

// A copy that stays. Shapes and constants are written again and again: equal ones share it. Not so dims, of which it is
// seen by their array whether one was made of the other.
static const term_id *keep_terms(rule_context *c, const term_id *terms, uint32_t count) {
  struct kept_terms **kept = &c->log->kept;
  const size_t bytes = count * sizeof *terms;
  uint32_t hash = count;
  for (uint32_t i = 0; i < count && i < KEPT_LONGEST; i++) hash = (hash ^ terms[i]) * 0x9e3779b1u;
  hash >>= 32 - KEPT_BITS;
  if (!*kept) *kept = arena_zalloc(c->arena, sizeof **kept);
  const term_id *last = (*kept)->terms[hash];
  if (last && (*kept)->counts[hash] == count && memcmp(last, terms, bytes) == 0) return last;
  term_id *copy = arena_alloc(c->arena, bytes ? bytes : sizeof *copy);  // of none as well
  if (bytes) memcpy(copy, terms, bytes);
  if (count <= KEPT_LONGEST) {
    (*kept)->terms[hash] = copy;
    (*kept)->counts[hash] = count;
  }
  return copy;
}

void rule_set_elements(rule_context *c, uint32_t result, const term_id *elements, uint32_t count) {
  if (result >= rule_result_count(c) || count > VALUE_MAX_ELEMENTS ||
      count > c->budget->max_elements || !type_holds_values(rule_result_type(c, result)))
    return;
  term_id few[RULE_FEW], *copy = rule_room(c, few, count);
  for (uint32_t i = 0; i < count; i++) copy[i] = rule_bounded(c, elements[i]);
  keep_elements(c, result_at(c, result), keep_terms(c, copy, count), count);
}

void rule_share_elements(rule_context *c, uint32_t result, const value_info *like) {
  if (result >= rule_result_count(c) || !like->elements) return;
  if (!type_holds_values(rule_result_type(c, result))) return;
  keep_elements(c, result_at(c, result), like->elements, like->element_count);
}

void rule_set_value(rule_context *c, uint32_t result, const value_info *like) {
  if (result >= rule_result_count(c)) return;
  if (value_parts(like) || (like->visited && !like->ranked && !like->dims)) {
    value_info *v = result_at(c, result);
    const graph_type *t = rule_result_type(c, result);
    if (value_parts(like) || !t || t->kind != TYPE_TENSOR) {
      *v = *like;
      v->visited = true;
      return;
    }
  }
  rule_set_dims_like(c, result, like);
  if (type_holds_values(rule_result_type(c, result)))
    keep_elements(c, result_at(c, result), like->elements, like->element_count);
}

void rule_set_length(rule_context *c, uint32_t result, term_id length) {
  if (result >= rule_result_count(c) || length == TERM_NONE) return;
  value_set_length(c->arena, result_at(c, result), length);
}

static void value_from_type(rule_context *c, const graph_type *t, value_info *v);

static void tuple_from_type(rule_context *c, const graph_type *t, value_info *v) {
  assert(t->kind == TYPE_TUPLE);
  value_info *parts = arena_zalloc(c->arena, (t->param_count + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < t->param_count; i++) {
    if (t->params[i] != TYPE_NONE)
      value_from_type(c, type_get(&c->graph->types, t->params[i]), &parts[i]);
  }
  value_set_parts(c->arena, v, parts, t->param_count);
}

static void tensor_from_type(rule_context *c, const graph_type *t, value_info *v) {
  assert(t->kind == TYPE_TENSOR && (t->dims || !t->rank));
  term_id *dims = arena_alloc(c->arena, (t->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = rule_declared_size(c, t->dims[i]);
    if (dims[i] != TERM_NONE) continue;
    interval range = interval_at_least(NUM(0));
    if (t->has_bounds && t->bounds[i] >= 0) range = interval_of(0, t->bounds[i]);
    symbol_info info = {.range = range, .multiple_of = NUM(1), .rank = SYMBOL_OPAQUE};
    c->log->fresh++;
    dims[i] = store_symbol(c->store, info);
  }
  v->dims = t->rank ? dims : NULL;
  v->rank = t->rank;
  v->ranked = true;
}

static void value_from_type(rule_context *c, const graph_type *t, value_info *v) {
  v->visited = true;
  if (!t) return;
  switch (t->kind) {
  case TYPE_TENSOR: tensor_from_type(c, t, v); break;
  case TYPE_SCALAR:
  case TYPE_SIZE:
    v->ranked = true;
    v->rank = 0;
    break;
  case TYPE_TUPLE: tuple_from_type(c, t, v); break;
  default: break;
  }
}

void rule_set_unknown(rule_context *c, uint32_t result) {
  if (result >= rule_result_count(c)) return;
  value_info *v = result_at(c, result);
  if (v->visited) return;
  value_from_type(c, rule_result_type(c, result), v);
  rule_track_result(c, result);
}

static void track(rule_context *c, value_info *v, shape_dtype dtype) {
  if (v->elements || !v->ranked || v->rank > 1 || !dtype_is_integer(dtype)) return;
  int64_t count = 1;
  if (v->rank &&
      (!term_int_value(c->terms, v->dims[0], &count) || count < 0 || count > VALUE_FRESH_ELEMENTS))
    return;
  term_id *elements = arena_alloc(c->arena, ((size_t)count + 1) * sizeof(term_id));
  for (int64_t i = 0; i < count; i++) elements[i] = rule_fresh_element(c, dtype);
  value_set_elements(v, elements, (uint32_t)count);
}

void rule_track_result(rule_context *c, uint32_t result) {
  if (type_holds_values(rule_result_type(c, result)))
    track(c, result_at(c, result), rule_result_dtype(c, result));
}

term_id rule_fresh_size(rule_context *c) {
  symbol_info info = {
      .range = interval_at_least(NUM(0)), .multiple_of = NUM(1), .rank = SYMBOL_FRESH};
  c->log->fresh++;
  return store_symbol(c->store, info);
}

term_id rule_unknown_size(rule_context *c, uint32_t result, uint32_t rank, uint32_t axis) {
  assert(result < rule_result_count(c) && axis < rank);
  const value_info *old = result_at(c, result);
  if (old->visited && old->ranked && old->rank == rank) return old->dims[axis];
  const graph_type *t = rule_result_type(c, result);
  term_id declared = TERM_NONE;
  if (t && t->kind == TYPE_TENSOR && t->rank == rank)
    declared = rule_declared_size(c, t->dims[axis]);
  return declared == TERM_NONE ? rule_fresh_size(c) : declared;
}

// The range of an integer type; everything for what has no fixed width.
static interval dtype_interval(rule_context *c, shape_dtype dtype) {
  uint32_t bits = dtype_bits(dtype);
  if (bits == 1) return interval_of(0, 1);
  if (!dtype_is_integer(dtype) || !bits) return interval_all();
  interval range = {.has_lo = true, .has_hi = true};
  if (dtype_is_signed(dtype)) {
    range.hi = NUM(bits >= 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1);
    range.lo = NUM(bits >= 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1)));
  } else {
    range.lo = NUM(0);
    range.hi = num_from_uint(c->budget, bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
  }
  return range;
}

term_id rule_fresh_element(rule_context *c, shape_dtype dtype) {
  symbol_info info = {
      .range = dtype_interval(c, dtype), .multiple_of = NUM(1), .rank = SYMBOL_OPAQUE};
  c->log->fresh++;
  return store_symbol(c->store, info);
}

// --- attributes

bool rule_ints(rule_context *c, const char *name, const int64_t **values, uint32_t *count) {
  attr_id id = rule_attr(c, name);
  if (id == ATTR_NONE) return false;
  if (graph_attr_ints(c->graph, id, values, count)) return true;
  rule_error(c, "attribute", "attribute %s is no list of integers", name);
  return false;
}

bool rule_int(rule_context *c, const char *name, int64_t *value) {
  attr_id id = rule_attr(c, name);
  if (id == ATTR_NONE) return false;
  if (graph_attr_int(c->graph, id, value)) return true;
  rule_error(c, "attribute", "attribute %s is no integer", name);
  return false;
}

const char *rule_text(rule_context *c, const char *name) {
  attr_id id = rule_attr(c, name);
  return id == ATTR_NONE ? NULL : graph_attr_text(c->graph, id);
}

const term_id *rule_elements(const rule_context *c, uint32_t operand, uint32_t *count) {
  const value_info *v = rule_operand(c, operand);
  *count = v->element_count;
  return v->elements;
}

// An element that is not known gets a symbol, so that two operations that use it agree on it.
static void know_all_elements(rule_context *c, value_info *v, shape_dtype dtype) {
  term_id *copy = NULL;
  for (uint32_t i = 0; i < v->element_count; i++) {
    if (v->elements[i] != TERM_NONE) continue;
    if (!copy) {
      copy = arena_alloc(c->arena, v->element_count * sizeof(term_id));
      memcpy(copy, v->elements, v->element_count * sizeof(term_id));
    }
    copy[i] = rule_fresh_element(c, dtype);
  }
  if (!copy) return;
  value_set_elements(v, copy, v->element_count);
}

const term_id *rule_size_elements(rule_context *c, uint32_t operand, uint32_t *count) {
  value_id id = graph_operand(c->graph, c->op, operand);
  *count = 0;
  if (id == VALUE_NONE) return NULL;
  value_info *v = value_at(c, id);
  int64_t size = 1;
  if (v->elements) {
    know_all_elements(c, v, rule_operand_dtype(c, operand));
    *count = v->element_count;
    return v->elements;
  }
  if (!v->ranked || v->rank > 1 || !dtype_is_integer(rule_operand_dtype(c, operand))) return NULL;
  if (!type_holds_values(rule_operand_type(c, operand))) return NULL;
  if (v->rank &&
      (!term_int_value(c->terms, v->dims[0], &size) || size < 0 || size > VALUE_MAX_RANK)) {
    if (c->row && !c->row->since)  // ONNX operators say more of what they need
      rule_unchecked(c, "an operand has the entries that the operation needs",
                     "its length is not known");
    return NULL;
  }
  term_id *elements = arena_alloc(c->arena, ((size_t)size + 1) * sizeof(term_id));
  for (int64_t i = 0; i < size; i++)
    elements[i] = rule_fresh_element(c, rule_operand_dtype(c, operand));
  value_set_elements(v, elements, (uint32_t)size);
  *count = (uint32_t)size;
  return elements;
}
