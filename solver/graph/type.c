// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/type.h"

#include <assert.h>
#include <string.h>

void type_table_init(type_table *table, shape_arena *arena, shape_intern *names) {
  memset(table, 0, sizeof *table);
  table->arena = arena;
  table->names = names;
  memset(table->unranked, 0xff, sizeof table->unranked);  // TYPE_NONE
}

// Types of the other kinds have none, whatever a reader left there.
static uint8_t element_of(const graph_type *type) {
  return type->kind <= TYPE_UNRANKED ? type->dtype : 0;
}

// Each word goes through a state that depends on the seed, as in hash_text.
static inline uint64_t mix(uint64_t hash, uint64_t word, uint64_t seed) {
  return hash_fold(hash ^ word, UINT64_C(0x9e3779b97f4a7c15)) ^ seed;
}

static uint64_t hash_of(const graph_type *type, uint64_t seed) {
  uint64_t kind = (uint64_t)type->kind << 16 | (uint64_t)element_of(type) << 8 |
                  (uint64_t)type->container << 4 | (uint64_t)type->torch << 2 |
                  (uint64_t)type->sparse << 1 | type->has_bounds;
  uint64_t hash = mix(mix(seed, kind, 0), (uint64_t)type->rank << 32 | type->param_count, seed);
  hash = mix(hash, ((uint64_t)type->text << 32) | type->encoding, seed);
  if (type->split) hash = mix(hash, type->split, seed);
  for (uint32_t i = 0; i < type->rank; i++) hash = mix(hash, (uint64_t)type->dims[i], seed);
  for (uint32_t i = 0; type->has_bounds && i < type->rank; i++)
    hash = mix(hash, (uint64_t)type->bounds[i], seed);
  for (uint32_t i = 0; i < type->param_count; i++) hash = mix(hash, type->params[i], seed);
  return hash >> 1;  // keeps the reserved key of the map out of the way
}

static bool same_bytes(const void *a, const void *b, size_t length) {
  return !length || memcmp(a, b, length) == 0;
}

static bool same_type(const graph_type *a, const graph_type *b) {
  return a->kind == b->kind && element_of(a) == element_of(b) && a->torch == b->torch &&
         a->container == b->container && a->sparse == b->sparse && a->has_bounds == b->has_bounds &&
         a->rank == b->rank && a->param_count == b->param_count && a->split == b->split &&
         a->text == b->text && a->encoding == b->encoding &&
         same_bytes(a->dims, b->dims, a->rank * sizeof *a->dims) &&
         (!a->has_bounds || same_bytes(a->bounds, b->bounds, a->rank * sizeof *a->bounds)) &&
         same_bytes(a->params, b->params, a->param_count * sizeof *a->params);
}

static const void *copy_of(shape_arena *arena, const void *data, size_t bytes) {
  if (!bytes) return NULL;
  return memcpy(arena_alloc(arena, bytes), data, bytes);
}

type_id type_intern(type_table *table, const graph_type *type) {
  bool fresh;
  uint32_t *first =
      imap_slot(&table->by_hash, table->arena, hash_of(type, table->arena->seed), &fresh);
  if (fresh) *first = TYPE_NONE;  // also where there is no memory for the rest
  for (type_id id = *first; id != TYPE_NONE; id = table->chain[id]) {
    assert(id < table->count);
    if (same_type(table->types[id], type)) return id;
  }
  assert(!type->has_bounds || type->bounds || !type->rank);
  assert(type->kind != TYPE_FUNCTION || type->split <= type->param_count);
  graph_type *copy = arena_alloc(table->arena, sizeof *copy);
  *copy = *type;
  copy->dtype = element_of(type);
  copy->dims = copy_of(table->arena, type->dims, type->rank * sizeof *type->dims);
  copy->bounds = type->has_bounds
                     ? copy_of(table->arena, type->bounds, type->rank * sizeof *type->bounds)
                     : NULL;
  copy->params = copy_of(table->arena, type->params, type->param_count * sizeof *type->params);
  type_id id = table->count;
  table->types = arena_grow(table->arena, table->types, id, (size_t)id + 1, &table->capacity,
                            sizeof *table->types);
  table->chain = arena_grow(table->arena, table->chain, id, (size_t)id + 1, &table->chain_capacity,
                            sizeof *table->chain);
  table->types[id] = copy;
  table->chain[id] = *first;
  *first = id;
  table->count++;
  return id;
}

static graph_type plain(type_kind kind, shape_dtype dtype) {
  return (graph_type){
      .kind = (uint8_t)kind, .dtype = (uint8_t)dtype, .text = NAME_NONE, .encoding = NAME_NONE};
}

type_id type_scalar(type_table *table, shape_dtype dtype) {
  graph_type type = plain(TYPE_SCALAR, dtype);
  return type_intern(table, &type);
}

type_id type_tensor(type_table *table, shape_dtype dtype, const int64_t *dims, uint32_t rank) {
  graph_type type = plain(TYPE_TENSOR, dtype);
  type.dims = dims;
  type.rank = rank;
  return type_intern(table, &type);
}

type_id type_unranked(type_table *table, shape_dtype dtype) {
  assert(dtype < DTYPE_COUNT);
  type_id *known = &table->unranked[dtype];
  if (*known != TYPE_NONE) return *known;
  graph_type type = plain(TYPE_UNRANKED, dtype);
  return *known = type_intern(table, &type);
}

type_id type_function(type_table *table, const type_id *params, uint32_t inputs, uint32_t results) {
  graph_type type = plain(TYPE_FUNCTION, DTYPE_NONE);
  type.params = params;
  type.param_count = inputs + results;
  type.split = inputs;
  return type_intern(table, &type);
}

type_id type_tuple(type_table *table, const type_id *params, uint32_t count) {
  graph_type type = plain(TYPE_TUPLE, DTYPE_NONE);
  type.params = params;
  type.param_count = count;
  return type_intern(table, &type);
}

type_id type_with_dims(type_table *table, type_id like, const int64_t *dims, const int64_t *bounds,
                       uint32_t rank) {
  graph_type type = *type_get(table, like);
  assert(type.kind == TYPE_SCALAR || type_is_tensor(table, like));
  type.kind = TYPE_TENSOR;
  type.dims = dims;
  type.rank = rank;
  type.has_bounds = bounds != NULL;
  type.bounds = bounds;
  return type_intern(table, &type);
}

bool type_same_element(const type_table *table, type_id a, type_id b) {
  const graph_type *x = type_get(table, a), *y = type_get(table, b);
  return x->dtype == y->dtype && x->text == y->text;
}

bool type_is_tensor(const type_table *table, type_id id) {
  if (id == TYPE_NONE) return false;
  uint8_t kind = type_get(table, id)->kind;
  return kind == TYPE_TENSOR || kind == TYPE_UNRANKED;
}

typedef struct type_printer {
  const type_table *table;
  shape_strbuf *out;
  type_symbol_writer *symbol;  // NULL: symbols are written as `?` alone
  void *data;
} type_printer;

static void print_name(const type_printer *p, name_id name) {
  strbuf_add(p->out, intern_text(p->table->names, name), intern_length(p->table->names, name));
}

static void print_element(const type_printer *p, const graph_type *type) {
  if (type->text != NAME_NONE) {
    print_name(p, type->text);
  } else {
    strbuf_puts(p->out, dtype_name((shape_dtype)type->dtype));
  }
}

static void print_dim(const type_printer *p, int64_t dim) {
  if (dim_is_static(dim)) {
    strbuf_int(p->out, dim);
  } else {
    strbuf_putc(p->out, '?');
  }
}

static bool is_spelt(const type_printer *p, int64_t dim) {
  return dim_is_symbol(dim) && p->symbol(p->data, NULL, dim_symbol(dim));
}

static bool has_symbols(const type_printer *p, const graph_type *type) {
  for (uint32_t i = 0; i < type->rank; i++) {
    if (is_spelt(p, type->dims[i])) return true;
  }
  return false;
}

static void print_symbols(const type_printer *p, const graph_type *type) {
  strbuf_puts(p->out, ", [");
  for (uint32_t i = 0; i < type->rank; i++) {
    if (i) strbuf_puts(p->out, ", ");
    if (is_spelt(p, type->dims[i])) {
      p->symbol(p->data, p->out, dim_symbol(type->dims[i]));
    } else if (dim_is_static(type->dims[i])) {
      strbuf_printf(p->out, "@C%lld", (long long)type->dims[i]);
    } else {
      strbuf_puts(p->out, "unit");
    }
  }
  strbuf_putc(p->out, ']');
}

// !torch.vtensor<[2,?],f32>; one without anything known is written without brackets.
static void print_torch_tensor(const type_printer *p, const graph_type *type) {
  strbuf_puts(p->out, type->torch == TORCH_TENSOR ? "!torch.tensor" : "!torch.vtensor");
  if (type->kind == TYPE_UNRANKED && type->dtype == DTYPE_OTHER && type->text != NAME_NONE &&
      strcmp(intern_text(p->table->names, type->text), "unk") == 0)
    return;
  strbuf_puts(p->out, type->kind == TYPE_UNRANKED ? "<*" : "<[");
  for (uint32_t i = 0; i < type->rank; i++) {
    if (i) strbuf_putc(p->out, ',');
    print_dim(p, type->dims[i]);
  }
  strbuf_puts(p->out, type->kind == TYPE_UNRANKED ? "," : "],");
  print_element(p, type);
  if (type->encoding != NAME_NONE) {
    strbuf_putc(p->out, ',');
    print_name(p, type->encoding);
  }
  strbuf_putc(p->out, '>');
}

// What a tensor type begins with, in one piece: most of it is that.
static void print_head(const type_printer *p, const graph_type *type) {
  static const char *const HEADS[] = {"tensor<", "memref<", "vector<"};
  enum { LONGEST = 7 };
  assert(type->container < sizeof HEADS / sizeof *HEADS);
  size_t room = LONGEST + 2 + (size_t)type->rank * (TEXT_INT + 1);
  if (room > p->out->capacity - p->out->length) strbuf_reserve(p->out, room);
  char *at = p->out->data + p->out->length;
  at = text_put(at, HEADS[type->container], LONGEST);
  if (type->kind == TYPE_UNRANKED) at = text_put(at, "*x", 2);
  for (uint32_t i = 0; i < type->rank; i++) {
    if (dim_is_static(type->dims[i])) {
      at = text_put_int(at, type->dims[i]);
    } else {
      *at++ = '?';
    }
    *at++ = 'x';
  }
  p->out->length = (uint32_t)(at - p->out->data);
}

static void print_tensor(const type_printer *p, const graph_type *type) {
  print_head(p, type);
  print_element(p, type);
  if (type->has_bounds) {
    strbuf_puts(p->out, ", #stablehlo.bounds<");
    for (uint32_t i = 0; i < type->rank; i++) {
      if (i) strbuf_puts(p->out, ", ");
      print_dim(p, type->bounds[i]);
    }
    strbuf_putc(p->out, '>');
  } else if (type->encoding != NAME_NONE) {
    strbuf_puts(p->out, ", ");
    print_name(p, type->encoding);
  } else if (p->symbol && type->kind == TYPE_TENSOR && has_symbols(p, type)) {
    print_symbols(p, type);
  }
  strbuf_putc(p->out, '>');
}

static void print_type(const type_printer *p, type_id id);

static void print_list(const type_printer *p, const type_id *types, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(p->out, ", ");
    print_type(p, types[i]);
  }
}

static void print_wrapped(const type_printer *p, const char *name, const graph_type *type) {
  strbuf_puts(p->out, name);
  strbuf_putc(p->out, '<');
  print_list(p, type->params, type->param_count);
  strbuf_putc(p->out, '>');
}

// A single result has no parentheses unless it is a function itself (MLIR LangRef, function-result-type).
static void print_function(const type_printer *p, const graph_type *type) {
  strbuf_putc(p->out, '(');
  print_list(p, type->params, type->split);
  strbuf_puts(p->out, ") -> ");
  assert(type->split <= type->param_count);
  uint32_t results = type->param_count - type->split;
  const type_id *first = results ? type->params + type->split : NULL;
  bool bare =
      results == 1 && first[0] != TYPE_NONE && type_get(p->table, first[0])->kind != TYPE_FUNCTION;
  if (!bare) strbuf_putc(p->out, '(');
  print_list(p, first, results);
  if (!bare) strbuf_putc(p->out, ')');
}

static void print_type(const type_printer *p, type_id id) {
  if (id == TYPE_NONE) {
    strbuf_puts(p->out, "<<unknown>>");
    return;
  }
  const graph_type *type = type_get(p->table, id);
  switch ((type_kind)type->kind) {
  case TYPE_SCALAR: print_element(p, type); break;
  case TYPE_TENSOR:
  case TYPE_UNRANKED:
    if (type->torch) {
      print_torch_tensor(p, type);
    } else {
      print_tensor(p, type);
    }
    break;
  case TYPE_TUPLE: print_wrapped(p, "tuple", type); break;
  case TYPE_FUNCTION: print_function(p, type); break;
  case TYPE_SEQUENCE: print_wrapped(p, "!onnx.Seq", type); break;
  case TYPE_OPTIONAL: print_wrapped(p, "!onnx.Opt", type); break;
  case TYPE_MAP: print_wrapped(p, "!onnx.Map", type); break;
  case TYPE_SHAPE: strbuf_puts(p->out, "!shape.shape"); break;
  case TYPE_SIZE: strbuf_puts(p->out, "!shape.size"); break;
  case TYPE_OPAQUE: print_name(p, type->text); break;
  }
}

void type_print(const type_table *table, shape_strbuf *out, type_id id) {
  type_print_encoded(table, out, id, NULL, NULL);
}

void type_print_encoded(const type_table *table, shape_strbuf *out, type_id id,
                        type_symbol_writer *symbol, void *data) {
  type_printer printer = {table, out, symbol, data};
  print_type(&printer, id);
}
