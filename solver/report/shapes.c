// SPDX-License-Identifier: Apache-2.0
// Refined types and dims of values. Most values of a program share their dims with many others, so what is said of
// them is kept once for each (declared type, dims).
#include <assert.h>

#include "solver/report/work.h"

// What is spent on simpler dims, in steps; the dims of which that is asked. Further ones stay as the rules made them.
enum {
  SIMPLE_STEPS = 20000,
  SIMPLE_DIMS = 32,
  SIMPLE_WEIGHT = 24,
  CONDITION_WEIGHT = 100,
  CONDITIONS_DEEP = 3
};

typedef struct shape_key {
  type_id declared;
  uint32_t rank;
  const term_id *raw;  // as infer has them, or joined
  bool ranked, joined;
} shape_key;

// Dims and rank of a value in one frame; ranked is false where they are not known.
static inline const value_info *info_in(const shape_report *r, uint32_t frame, value_id value) {
  assert(frame < r->infer->frame_count);
  const infer_frame *f = &r->infer->frames[frame];
  if (!f->values || value < f->value_base || value >= f->value_end) return NULL;
  const value_info *info = &f->values[value - f->value_base];
  return info->visited ? info : NULL;
}

static bool has_extremum(const term_table *t, term_id id) {
  return term_kinds(t, id) & (KIND_BIT(TERM_MIN) | KIND_BIT(TERM_BCAST));
}

// The largest number of an integer type is no bound that anybody meant.
static bool is_bound(interval range) {
  int64_t hi;
  return range.has_hi && num_to_int(range.hi, &hi) && hi >= 0 && hi < INT32_MAX;
}

// What is known of a dim; of a clamp, whose ends are in several terms, by a query.
static interval dim_range(shape_report *r, term_id dim) {
  work_shapes *w = &r->work->shape;
  term_table *t = r->infer->terms;
  interval range = store_range(r->infer->store, dim);
  term_id canon = store_canon(r->infer->store, dim);
  if (is_bound(range) || !r->ok || !has_extremum(t, canon)) return range;
  if (w->simple_steps >= SIMPLE_STEPS || term_outweighs(t, canon, SIMPLE_WEIGHT)) return range;
  uint64_t before = r->work->budget->steps_used;
  interval exact;
  if (store_bounds(r->infer->store, canon, &exact)) range = exact;
  w->simple_steps += r->work->budget->steps_used - before;
  return range;
}

// Bounds as the type had them, and where the program uses bounds, those that were found.
static const int64_t *refined_bounds(shape_report *r, const graph_type *declared,
                                     const term_id *dims, const int64_t *sizes, uint32_t rank) {
  bool keep = declared->has_bounds && declared->rank == rank;
  if (!keep && !r->infer->uses_bounds) return NULL;
  int64_t *bounds = arena_alloc(r->work->arena, (rank + 1) * sizeof *bounds);
  bool any = false;
  for (uint32_t i = 0; i < rank; i++) {
    bounds[i] = DIM_DYNAMIC;
    if (sizes[i] >= 0) continue;
    if (keep) bounds[i] = declared->bounds[i];
    int64_t hi;
    interval range;
    if (r->infer->uses_bounds && dims[i] != TERM_NONE) {
      range = dim_range(r, dims[i]);
      if (is_bound(range) && num_to_int(range.hi, &hi) &&
          (bounds[i] == DIM_DYNAMIC || hi < bounds[i])) {
        bounds[i] = hi;
      }
    }
    any |= bounds[i] != DIM_DYNAMIC;
  }
  return any ? bounds : NULL;
}

// A size that is known; DIM_DYNAMIC: it is not.
static inline int64_t size_of_dim(const shape_report *r, term_id dim) {
  const term_node *node = dim == TERM_NONE ? NULL : term_get(r->infer->terms, dim);
  int64_t size;
  bool known = node && node->kind == TERM_CONST && num_to_int(node->as.value, &size) && size >= 0;
  return known ? size : DIM_DYNAMIC;
}

// A declared size stays where the dim is not known; so does a symbol, which prints as `?`.
static bool refines(const shape_report *r, const graph_type *was, const term_id *dims) {
  for (uint32_t i = 0; i < was->rank; i++) {
    int64_t size = size_of_dim(r, dims[i]);
    if (size >= 0 && size != was->dims[i]) return true;
  }
  return false;
}

static type_id refined_type(shape_report *r, type_id declared, const term_id *dims, uint32_t rank) {
  type_table *types = &r->graph->types;
  if (declared == TYPE_NONE || !type_is_tensor(types, declared)) return declared;
  const graph_type *type = type_get(types, declared);
  const bool tensor = type->kind == TYPE_TENSOR;
  if (tensor && (type->rank != rank || (!r->infer->uses_bounds && !refines(r, type, dims))))
    return declared;
  const graph_type was = *type;
  int64_t *sizes = arena_alloc(r->work->arena, (rank + 1) * sizeof *sizes);
  for (uint32_t i = 0; i < rank; i++) {
    sizes[i] = size_of_dim(r, dims[i]);
    if (tensor && sizes[i] < 0) sizes[i] = was.dims[i];
  }
  return type_with_dims(types, declared, sizes, refined_bounds(r, &was, dims, sizes, rank), rank);
}

// Without the dims of infer a type still says something.
static const term_id *declared_dims(shape_report *r, type_id declared, uint32_t *rank) {
  const graph_type *type = declared == TYPE_NONE ? NULL : type_get(&r->graph->types, declared);
  if (!type || type->kind != TYPE_TENSOR) return NULL;
  term_id *dims = arena_alloc(r->work->arena, (type->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < type->rank; i++) {
    dims[i] = type->dims[i] >= 0 ? term_int(r->infer->terms, type->dims[i]) : TERM_NONE;
  }
  *rank = type->rank;
  return dims;
}

static bool is_condition(void *terms, term_id atom) {
  return term_is_indicator(term_kind_of(terms, atom));
}

typedef struct condition {
  term_table *t;
  term_id atom, value;
} condition;

static void note_condition(void *data, term_id atom) {
  condition *c = data;
  if (c->atom == TERM_NONE && is_condition(c->t, atom)) c->atom = atom;
}

static term_id decide_condition(void *data, term_id atom) {
  const condition *c = data;
  return atom == c->atom ? c->value : atom;
}

// The simplest form. A condition z is 0 or 1, so f(z) is f(0) + z*(f(1) - f(0)): both are simpler than what holds them.
static term_id simplest(shape_report *r, term_id t, uint32_t depth) {
  work_shapes *w = &r->work->shape;
  term_table *terms = r->infer->terms;
  condition c = {terms, TERM_NONE, TERM_ZERO};
  assert(t != TERM_NONE && depth <= CONDITIONS_DEEP);
  if (depth < CONDITIONS_DEEP) term_visit_atoms(terms, t, note_condition, &c);
  if (c.atom != TERM_NONE && !term_outweighs(terms, t, CONDITION_WEIGHT)) {
    term_id no = simplest(r, term_substitute(terms, t, decide_condition, &c, NULL), depth + 1);
    c.value = TERM_ONE;
    term_id yes = simplest(r, term_substitute(terms, t, decide_condition, &c, NULL), depth + 1);
    term_id made = term_add(terms, no, term_mul(terms, c.atom, term_sub(terms, yes, no)));
    if (term_weight(terms, made) < term_weight(terms, t)) return made;
  }
  if (!has_extremum(terms, t)) return t;
  if (w->simple_steps >= SIMPLE_STEPS || term_outweighs(terms, t, SIMPLE_WEIGHT)) {
    r->stats.unsimplified += depth == 0;
    return t;
  }
  uint64_t before = r->work->budget->steps_used;
  term_id simple = store_simplify_near(r->infer->store, t, SIMPLE_STEPS - w->simple_steps,
                                       r->work->arena, &w->simple_near);
  w->simple_steps += r->work->budget->steps_used - before;
  return simple;
}

// A dim in answer form. Rules state a slice as a clamp at once; what later operations require may leave one side of it.
static term_id dim_of(shape_report *r, term_id raw) {
  work_shapes *w = &r->work->shape;
  term_table *t = r->infer->terms;
  shape_store *store = r->infer->store;
  term_id canon = raw == TERM_NONE ? raw : store_canon(store, raw), simple = raw;
  if (raw == TERM_NONE || !r->ok) return answer_term(r, raw);
  if (!has_extremum(t, canon)) return answer_of_canon(r, canon);
  uint32_t known;
  if (imap_get(&w->simple, canon, &known)) return answer_term(r, known);
  if (w->simple.count < SIMPLE_DIMS) {
    simple = simplest(r, canon, 0);
  } else {
    r->stats.unsimplified++;
  }
  imap_put(&w->simple, r->work->arena, canon, simple);
  return answer_term(r, simple);
}

static uint32_t make_shape(shape_report *r, const shape_key *key) {
  report_work *w = r->work;
  const type_id declared = key->declared;
  uint32_t rank = key->rank;
  bool ranked = key->ranked;
  const term_id *dims = NULL;
  if (ranked) {
    term_id *answer = arena_alloc(w->arena, (rank + 1) * sizeof *answer);
    for (uint32_t i = 0; i < rank; i++)
      answer[i] = key->joined ? key->raw[i] : dim_of(r, key->raw[i]);
    dims = answer;
  } else {
    dims = declared_dims(r, declared, &rank);
    ranked = dims != NULL;
  }
  bool tensor = declared == TYPE_NONE || type_is_tensor(&r->graph->types, declared);
  const bool determined = ranked || !tensor;
  type_id refined = ranked ? refined_type(r, declared, dims, rank) : declared;
  if (!tensor && rank == 0) {
    const graph_type *type = type_get(&r->graph->types, declared);
    ranked = type->kind == TYPE_SCALAR && type->dtype != DTYPE_TOKEN;
  }
  assert(dims || !rank);
  r->shapes = arena_grow(w->arena, r->shapes, r->shape_count, (size_t)r->shape_count + 1,
                         &w->shape.cap, sizeof *r->shapes);
  r->shapes[r->shape_count] = (report_shape){.type = refined,
                                             .dims = dims,
                                             .rank = rank,
                                             .ranked = ranked,
                                             .determined = determined,
                                             .refined = refined != declared};
  // Names are given in the order in which dims are first seen.
  for (uint32_t i = 0; ranked && i < rank && !w->named; i++) {
    if (dims[i] != TERM_NONE && term_kind_of(r->infer->terms, dims[i]) != TERM_CONST)
      report_term(r, dims[i]);
  }
  return r->shape_count++;
}

static inline bool same_dims(const term_id *a, const term_id *b, uint32_t rank) {
  for (uint32_t i = 0; a != b && i < rank; i++) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

static inline bool same_key(const shape_key *a, const shape_key *b) {
  return a->declared == b->declared && a->rank == b->rank && a->ranked == b->ranked &&
         a->joined == b->joined && same_dims(a->raw, b->raw, a->rank);
}

static uint64_t hash_of(const shape_key *key) {
  const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t hash = (uint64_t)key->declared << 2 | (uint64_t)key->ranked << 1 | key->joined;
  hash = hash * step + key->rank;
  for (uint32_t i = 0; i < key->rank; i++) hash = hash * step + key->raw[i];
  return hash_mix(hash) & ~(uint64_t)1;  // never IMAP_NONE
}

// The newest shape of those whose keys have the hash of shape `made` is that one now.
static void index_shape(shape_report *r, uint32_t made) {
  work_shapes *w = &r->work->shape;
  uint64_t hash = hash_of(&w->keys[made]);
  uint32_t first = ID_NONE;
  imap_get(&w->map, hash, &first);
  w->next[made] = first;
  imap_put(&w->map, r->work->arena, hash, made);
}

// A few are compared one after the other.
static uint32_t find_kept(const shape_report *r, const shape_key *key) {
  const work_shapes *w = &r->work->shape;
  uint32_t i = 0;
  if (!w->map.count) {
    while (i < r->shape_count && !same_key(&w->keys[i], key)) i++;
    return i < r->shape_count ? i : ID_NONE;
  }
  if (!imap_get(&w->map, hash_of(key), &i)) return ID_NONE;
  while (i != ID_NONE && !same_key(&w->keys[i], key)) i = w->next[i];
  return i;
}

static __attribute__((noinline)) uint32_t look_up_shape(shape_report *r, const shape_key *key) {
  report_work *w = r->work;
  uint32_t kept = find_kept(r, key);
  if (kept != ID_NONE) return kept;
  uint32_t made = make_shape(r, key);
  w->shape.keys = arena_grow(w->arena, w->shape.keys, made, (size_t)made + 1, &w->shape.key_cap,
                             sizeof *w->shape.keys);
  w->shape.next = arena_grow(w->arena, w->shape.next, made, (size_t)made + 1, &w->shape.next_cap,
                             sizeof *w->shape.next);
  assert(made < w->shape.key_cap && made < w->shape.next_cap);
  w->shape.keys[made] = *key;
  if (made + 1 == SHAPES_FEW) {
    for (uint32_t i = 0; i < made; i++) index_shape(r, i);
  }
  if (made + 1 >= SHAPES_FEW) index_shape(r, made);
  return made;
}

// Where that is kept which was found last of such a type and such dims.
static inline uint32_t near_of(type_id declared, uint32_t rank, const term_id *dims) {
  uint32_t hash = declared * 7 + rank;
  if (rank) hash += dims[0] + 3 * dims[rank - 1];
  return hash % SHAPES_NEAR;
}

// Most values have type and dims of one shortly before them.
static inline uint32_t find_shape(shape_report *r, const shape_key *key) {
  work_shapes *w = &r->work->shape;
  uint32_t *near = &w->near[near_of(key->declared, key->rank, key->raw)];
  if (*near < r->shape_count && same_key(&w->keys[*near], key)) return *near;
  return *near = look_up_shape(r, key);
}

// The same of a value as infer has it: the key is made where nothing near has it.
static inline uint32_t find_ranked(shape_report *r, type_id declared, const value_info *info) {
  const work_shapes *w = &r->work->shape;
  const uint32_t rank = info->rank;
  const term_id *dims = info->dims;
  uint32_t near = w->near[near_of(declared, rank, dims)];
  if (near < r->shape_count) {
    const shape_key *kept = &w->keys[near];
    if (kept->declared == declared && kept->ranked && !kept->joined && kept->rank == rank &&
        same_dims(kept->raw, dims, rank))
      return near;
  }
  return find_shape(r,
                    &(shape_key){.declared = declared, .rank = rank, .raw = dims, .ranked = true});
}

// A tuple has no dims of its own; its elements are refined in its type.
static __attribute__((noinline)) type_id refined_tuple(shape_report *r, type_id declared,
                                                       const value_info *info) {
  assert(value_parts(info));
  type_table *types = &r->graph->types;
  if (declared == TYPE_NONE) return declared;
  graph_type type = *type_get(types, declared);
  if (type.kind != TYPE_TUPLE || type.param_count != value_part_count(info)) return declared;
  type_id *params = arena_alloc(r->work->arena, ((size_t)type.param_count + 1) * sizeof *params);
  for (uint32_t i = 0; i < type.param_count; i++) {
    const value_info *part = &value_parts(info)[i];
    params[i] = type.params[i];
    if (value_parts(part)) params[i] = refined_tuple(r, params[i], part);
    if (!part->ranked) continue;
    term_id *dims = arena_alloc(r->work->arena, ((size_t)part->rank + 1) * sizeof *dims);
    for (uint32_t k = 0; k < part->rank; k++) dims[k] = answer_term(r, part->dims[k]);
    params[i] = refined_type(r, params[i], dims, part->rank);
  }
  type.params = params;
  return type_intern(types, &type);
}

// What all frames of a function agree on: a size on which they do not is not known.
static __attribute__((noinline)) shape_key join_frames(shape_report *r, func_id func,
                                                       value_id value, type_id declared) {
  report_work *w = r->work;
  shape_key key = {.declared = declared, .joined = true};
  term_id *dims = NULL;
  for (uint32_t f = w->frame_first[func]; f != ID_NONE; f = w->frame_next[f]) {
    const value_info *info = info_in(r, f, value);
    if (!info || !info->ranked) return (shape_key){.declared = declared};
    if (!dims) {
      dims = arena_alloc(w->arena, (info->rank + 1) * sizeof *dims);
      key.rank = info->rank;
      key.ranked = true;
      for (uint32_t i = 0; i < info->rank; i++) dims[i] = answer_term(r, info->dims[i]);
      continue;
    }
    if (info->rank != key.rank) return (shape_key){.declared = declared};
    for (uint32_t i = 0; i < key.rank; i++) {
      if (dims[i] != TERM_NONE && answer_term(r, info->dims[i]) != dims[i]) dims[i] = TERM_NONE;
    }
  }
  key.raw = dims;
  return key;
}

// Notes the values of a function for shapes_find, where it has one frame.
static void open_function(shape_report *r, func_id func) {
  const report_work *w = r->work;
  uint32_t frame = w->frame_first[func];
  struct shape_last *last = &r->work->shape.last;
  *last = (struct shape_last){.func = func, .rank = UINT32_MAX, .shape = ID_NONE};  // of no value
  if (frame == ID_NONE) return;
  const infer_frame *f = &r->infer->frames[frame];
  last->several = w->frame_next[frame] != ID_NONE;
  if (last->several || !f->values) return;
  last->infos = f->values;
  last->begin = f->value_base;
  last->count = f->value_end - f->value_base;
}

uint32_t shapes_find(shape_report *r, func_id func, value_id value) {
  assert(func < r->graph->func_count && value < r->graph->value_count);
  struct shape_last *last = &r->work->shape.last;
  if (last->func != func || !last->count) open_function(r, func);
  shape_key key = {.declared = r->graph->values[value].type};
  if (last->several) {
    key = join_frames(r, func, value, key.declared);
  } else if (value - last->begin < last->count && last->infos[value - last->begin].visited) {
    const value_info *info = &last->infos[value - last->begin];
    if (info->ranked) {
      last->declared = key.declared;
      last->dims = info->dims;
      last->rank = info->rank;
      return last->shape = find_ranked(r, key.declared, info);
    }
    if (value_parts(info)) key.declared = refined_tuple(r, key.declared, info);
  }
  return find_shape(r, &key);
}

uint32_t shapes_of_type(shape_report *r, type_id declared) {
  return find_shape(r, &(shape_key){.declared = declared});
}

report_elements shapes_elements(shape_report *r, func_id func, value_id value) {
  assert(func < r->graph->func_count && value < r->graph->value_count);
  report_work *w = r->work;
  report_elements none = {NULL, 0};
  term_id *items = NULL;
  uint32_t count = 0;
  for (uint32_t f = w->frame_first[func]; f != ID_NONE; f = w->frame_next[f]) {
    const value_info *info = info_in(r, f, value);
    if (!info || !info->elements) return none;
    if (!items) {
      count = info->element_count;
      items = arena_alloc(w->arena, (count + 1) * sizeof *items);
      for (uint32_t i = 0; i < count; i++) items[i] = answer_term(r, info->elements[i]);
      continue;
    }
    if (info->element_count != count) return none;
    for (uint32_t i = 0; i < count; i++) {
      if (items[i] != TERM_NONE && answer_term(r, info->elements[i]) != items[i]) {
        items[i] = TERM_NONE;
      }
    }
  }
  return (report_elements){items, count};
}
