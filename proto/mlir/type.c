// SPDX-License-Identifier: Apache-2.0
// Types. Grammar: MLIR LangRef, "Type System"; encodings: StableHLO spec, "Bounded dynamism", and BladeDISC's symbols.
//
// Types repeat on nearly every line, so a spelling that ends in '>' is looked up before it is read.
#include "proto/mlir/parser.h"

enum { LONGEST_CACHED = 96 };

void mlir_push_type(mlir_parser *p, type_id type) {
  if (p->type_count == p->type_capacity) {
    p->types = arena_grow(p->g->arena, p->types, p->type_count, (size_t)p->type_count + 1,
                          &p->type_capacity, sizeof *p->types);
  }
  p->types[p->type_count++] = type;
}

const char *mlir_type_text(mlir_parser *p, type_id type) {
  shape_strbuf buf;
  strbuf_init(&buf, p->g->arena);
  type_print(&p->g->types, &buf, type);
  return strbuf_text(&buf);
}

static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// A spelling with one space where there were some, none inside brackets' edges and one behind each comma, so that
// two writers of one opaque type agree.
static name_id canonical(mlir_parser *p, const char *from, const char *to) {
  char few[128];
  size_t room = 2 * (size_t)(to - from);
  char *out = room <= sizeof few ? few : arena_alloc(p->g->arena, room);
  size_t length = 0;
  bool in_string = false;
  for (; from < to; from++) {
    char c = *from;
    if (c == '"') in_string = !in_string;
    if (in_string || !is_blank(c)) {
      out[length++] = c;
      if (c == ',' && !in_string) out[length++] = ' ';
      continue;
    }
    char last = length ? out[length - 1] : ' ', next = from + 1 < to ? from[1] : ' ';
    bool edge = is_blank(last) || is_blank(next) || strchr("<([{", last) || strchr(">)]},", next);
    if (!edge) out[length++] = ' ';
  }
  return intern_add(&p->g->names, out, length);
}

static type_id scalar_text(mlir_parser *p, shape_dtype dtype, name_id text, const type_id *params,
                           uint32_t count) {
  graph_type type = {.kind = TYPE_SCALAR,
                     .dtype = (uint8_t)dtype,
                     .text = text,
                     .encoding = NAME_NONE,
                     .params = params,
                     .param_count = count};
  return type_intern(&p->g->types, &type);
}

static type_id opaque_text(mlir_parser *p, const char *from, const type_id *params,
                           uint32_t count) {
  graph_type type = {.kind = TYPE_OPAQUE,
                     .text = canonical(p, from, p->at),
                     .encoding = NAME_NONE,
                     .params = params,
                     .param_count = count};
  return type_intern(&p->g->types, &type);
}

// !quant.uniform<i8<-128:127>:f32:0, {...}>: the storage and the expressed type are read, the rest is text.
static bool quantized(mlir_parser *p, const char *from, type_id *out) {
  const char *open = p->at;
  type_id params[2];
  p->at++;  // '<'
  mlir_word storage = {NULL, 0}, expressed;
  shape_dtype dtypes[2];
  bool known =
      mlir_word_here(p, &storage) && dtype_from_name(storage.text, storage.length, &dtypes[0]);
  // u8 is how quant writes an unsigned storage type.
  if (!known && storage.length && storage.text[0] == 'u') {
    char name[16] = "ui";
    known = storage.length < sizeof name - 2;
    if (known) {
      memcpy(name + 2, storage.text + 1, storage.length - 1);
      known = dtype_from_name(name, storage.length + 1, &dtypes[0]);
    }
  }
  if (known && mlir_peek(p) == '<') known = mlir_skip_balanced(p);
  known = known && mlir_accept(p, ':') && mlir_word_here(p, &expressed) &&
          dtype_from_name(expressed.text, expressed.length, &dtypes[1]);
  p->at = open;
  if (!mlir_skip_balanced(p)) return false;
  if (!known) {
    *out = scalar_text(p, DTYPE_QUANTIZED, canonical(p, from, p->at), NULL, 0);
    return true;
  }
  params[0] = type_scalar(&p->g->types, dtypes[0]);
  params[1] = type_scalar(&p->g->types, dtypes[1]);
  *out = scalar_text(p, DTYPE_QUANTIZED, canonical(p, from, p->at), params, 2);
  return true;
}

// !stablehlo.future<tensor<..>, ...>
static bool future(mlir_parser *p, const char *from, type_id *out) {
  p->at++;  // '<'
  uint32_t first = p->type_count;
  if (!mlir_type_list(p, '>')) return false;
  *out = opaque_text(p, from, p->types + first, p->type_count - first);
  p->type_count = first;
  return true;
}

static bool type_alias(mlir_parser *p, mlir_word name, type_id *out) {
  name_id id = intern_find(&p->g->names, name.text, name.length);
  if (id != NAME_NONE && imap_get(&p->type_aliases, id, out)) return true;
  return mlir_fail(p, name.text - 1, name.text + name.length, "syntax",
                   "undefined type alias '!%.*s'", (int)name.length, name.text);
}

static bool dialect_type(mlir_parser *p, type_id *out) {
  const char *from = p->at++;  // '!'
  mlir_word name;
  if (!mlir_word_here(p, &name)) return mlir_expected(p, "a type name after '!'");
  bool has_body = mlir_char(p, 0) == '<';
  if (mlir_word_is(name, "stablehlo.token") || mlir_word_is(name, "mhlo.token") ||
      mlir_word_is(name, "vhlo.token_v1")) {
    *out = type_scalar(&p->g->types, DTYPE_TOKEN);
    return true;
  }
  if (mlir_word_is(name, "shape.shape") || mlir_word_is(name, "shape.size")) {
    graph_type type = {.kind = mlir_word_is(name, "shape.size") ? TYPE_SIZE : TYPE_SHAPE,
                       .text = NAME_NONE,
                       .encoding = NAME_NONE};
    *out = type_intern(&p->g->types, &type);
    return true;
  }
  if (name.length > 10 && memcmp(name.text, "stablehlo.", 10) == 0 &&
      !mlir_word_is(name, "stablehlo.future")) {
    return mlir_fail(p, from, p->at, "syntax", "unknown stablehlo type '%.*s'", (int)name.length,
                     name.text);
  }
  if (has_body && mlir_word_is(name, "quant.uniform")) return quantized(p, from, out);
  if (has_body && mlir_word_is(name, "stablehlo.future")) return future(p, from, out);
  if (!has_body && !memchr(name.text, '.', name.length)) return type_alias(p, name, out);
  if (has_body && !mlir_skip_balanced(p)) return false;
  *out = opaque_text(p, from, NULL, 0);
  return true;
}

bool mlir_type_list(mlir_parser *p, char close) {
  if (mlir_accept(p, close)) return true;
  do {
    type_id type;
    if (!mlir_type(p, &type)) return false;
    mlir_push_type(p, type);
  } while (mlir_accept(p, ','));
  return mlir_expect(p, close);
}

bool mlir_result_types(mlir_parser *p, type_id likely) {
  if (mlir_accept(p, '(')) return mlir_type_list(p, ')');
  type_id type;
  if (!mlir_type_like(p, likely, &type)) return false;
  mlir_push_type(p, type);
  return true;
}

static bool function_type(mlir_parser *p, type_id *out) {
  uint32_t first = p->type_count;
  p->at++;  // '('
  if (!mlir_type_list(p, ')')) return false;
  uint32_t split = p->type_count - first;
  if (!mlir_accept_arrow(p)) return mlir_expected(p, "'->'");
  if (!mlir_result_types(p, TYPE_NONE)) return false;
  graph_type type = {.kind = TYPE_FUNCTION,
                     .text = NAME_NONE,
                     .encoding = NAME_NONE,
                     .split = split,
                     .param_count = p->type_count - first,
                     .params = p->types + first};
  *out = type_intern(&p->g->types, &type);
  p->type_count = first;
  return true;
}

static bool tuple_type(mlir_parser *p, type_id *out) {
  if (!mlir_expect(p, '<')) return false;
  uint32_t first = p->type_count;
  if (!mlir_type_list(p, '>')) return false;
  graph_type type = {.kind = TYPE_TUPLE,
                     .text = NAME_NONE,
                     .encoding = NAME_NONE,
                     .param_count = p->type_count - first,
                     .params = p->types + first};
  *out = type_intern(&p->g->types, &type);
  p->type_count = first;
  return true;
}

static bool complex_type(mlir_parser *p, const char *from, type_id *out) {
  if (!mlir_expect(p, '<')) return false;
  type_id element;
  if (!mlir_type(p, &element)) return false;
  if (!mlir_expect(p, '>')) return false;
  const graph_type *type = type_get(&p->g->types, element);
  if (type->kind == TYPE_SCALAR && type->dtype == DTYPE_F32) {
    *out = type_scalar(&p->g->types, DTYPE_C64);
  } else if (type->kind == TYPE_SCALAR && type->dtype == DTYPE_F64) {
    *out = type_scalar(&p->g->types, DTYPE_C128);
  } else {
    *out = scalar_text(p, DTYPE_OTHER, canonical(p, from, p->at), NULL, 0);
  }
  return true;
}

// i17, si32, f128 and the like: legal element types that the solver has no use for.
static bool is_other_element(mlir_word word) {
  const char *at = word.text, *end = word.text + word.length;
  if (*at == 'i' || *at == 'f') {
    at++;
  } else if (end - at > 2 && (at[0] == 's' || at[0] == 'u') && at[1] == 'i') {
    at += 2;
  } else {
    return false;
  }
  bool digits = at < end;
  for (; at < end; at++) digits &= mlir_is_digit(*at);
  return digits;
}

// --- sizes and encodings

// One size list: `4x?x` up to the element type. Sizes are kept on a small array that grows in the arena.
typedef struct size_list {
  int64_t few[16];
  int64_t *sizes;
  uint32_t count, capacity;
} size_list;

static void add_size(mlir_parser *p, size_list *list, int64_t size) {
  if (list->count == 16 && list->sizes == list->few) {
    list->sizes = arena_grow(p->g->arena, NULL, 0, 64, &list->capacity, sizeof *list->sizes);
    memcpy(list->sizes, list->few, sizeof list->few);
  } else if (list->sizes != list->few) {
    list->sizes = arena_grow(p->g->arena, list->sizes, list->count, (size_t)list->count + 1,
                             &list->capacity, sizeof *list->sizes);
  }
  list->sizes[list->count++] = size;
}

static bool one_size(mlir_parser *p, int64_t *out) {
  if (mlir_accept(p, '?')) {
    *out = DIM_DYNAMIC;
    return true;
  }
  // Not mlir_int: 0x4 is the size 0 and an `x` here.
  const char *from = p->at;
  uint64_t value = 0;
  while (p->at < p->end && mlir_is_digit(*p->at)) {
    value = value > (uint64_t)INT64_MAX / 10 ? UINT64_MAX / 2 + 1
                                             : value * 10 + (unsigned)(*p->at - '0');
    p->at++;
  }
  if (value > INT64_MAX) {
    return mlir_fail(p, from, p->at, "syntax", "the size does not fit in 64 bits");
  }
  *out = (int64_t)value;
  return true;
}

static bool sizes(mlir_parser *p, size_list *list) {
  for (;;) {
    char c = mlir_peek(p);
    if (c != '?' && !mlir_is_digit(c)) return true;
    int64_t size;
    if (!one_size(p, &size)) return false;
    add_size(p, list, size);
    if (mlir_peek(p) != 'x') return mlir_expected(p, "'x' in the sizes of the type");
    p->at++;
  }
}

// 5, ?, ... until `close`
static bool bounds(mlir_parser *p, char close, size_list *list) {
  while (!mlir_accept(p, close)) {
    if (list->count && !mlir_expect(p, ',')) return false;
    char c = mlir_peek(p);
    int64_t bound;
    if (c == '-') {  // how some writers spell that there is none
      if (!mlir_int(p, &bound)) return false;
      bound = DIM_DYNAMIC;
    } else if (c != '?' && !mlir_is_digit(c)) {
      return mlir_expected(p, "a bound or '?'");
    } else if (!one_size(p, &bound)) {
      return false;
    }
    add_size(p, list, bound);
  }
  return true;
}

static bool check_rank(mlir_parser *p, const char *from, const char *what, uint32_t count,
                       uint32_t rank) {
  if (count == rank) return true;
  return mlir_fail(p, from, p->at, "syntax", "the encoding has %u %s, but the type has %u sizes",
                   count, what, rank);
}

// StableHLO spec, "Bounded dynamism": only an unknown size has a bound.
static bool check_bounds(mlir_parser *p, const char *from, const graph_type *type) {
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] == DIM_DYNAMIC || type->bounds[i] == DIM_DYNAMIC) continue;
    return mlir_fail(p, from, p->at, "syntax", "static dimension %u cannot have a bound", i);
  }
  return true;
}

// [@S0, @S1]: each `?` becomes its symbol; an entry for a static size names a constant that the size already says.
static bool symbol_sizes(mlir_parser *p, int64_t *dims, uint32_t rank) {
  const char *from = p->at++;  // '['
  uint32_t count = 0;
  while (!mlir_accept(p, ']')) {
    if (count && !mlir_expect(p, ',')) return false;
    const char *at = p->at;
    name_id name;
    if (!mlir_symbol_name(p, &name)) return false;
    if (count < rank && dims[count] == DIM_DYNAMIC) {
      dims[count] = dim_of_symbol(mlir_symbol(p, name, at));
    }
    count++;
  }
  return check_rank(p, from, "symbols", count, rank);
}

// #stablehlo.bounds<5, ?> and #stablehlo.type_extensions<bounds = [5, ?]>; false in *known for any other.
static bool bounds_encoding(mlir_parser *p, size_list *list, bool *known) {
  const char *from = p->at++;  // '#'
  mlir_word name;
  *known = false;
  if (!mlir_word_here(p, &name)) {
    p->at = from;
    return true;
  }
  bool plain = mlir_word_is(name, "stablehlo.bounds") || mlir_word_is(name, "mhlo.bounds");
  bool extended =
      mlir_word_is(name, "stablehlo.type_extensions") || mlir_word_is(name, "mhlo.type_extensions");
  if ((!plain && !extended) || mlir_peek(p) != '<') {
    p->at = from;
    return true;
  }
  *known = true;
  p->at++;
  if (plain) return bounds(p, '>', list);
  return mlir_expect_word(p, "bounds") && mlir_expect(p, '=') && mlir_expect(p, '[') &&
         bounds(p, ']', list) && mlir_expect(p, '>');
}

static bool encoding(mlir_parser *p, graph_type *type, int64_t *dims, size_list *limits) {
  const char *from = (mlir_skip(p), p->at);
  char c = mlir_peek(p);
  if (c == '[' && type->kind == TYPE_TENSOR) {
    const char *after = p->at + 1;
    while (after < p->end && (*after == ' ' || *after == '\n')) after++;
    if (after < p->end && (*after == '@' || *after == ']'))
      return symbol_sizes(p, dims, type->rank);
  }
  if (c == '#') {
    bool known;
    if (!bounds_encoding(p, limits, &known)) return false;
    if (known) {
      type->has_bounds = true;
      type->bounds = limits->sizes;
      return check_rank(p, from, "bounds", limits->count, type->rank) &&
             check_bounds(p, from, type);
    }
  }
  attr_id other;
  if (!mlir_attr(p, &other)) return false;
  type->encoding = canonical(p, from, p->at);
  return true;
}

// The element type's fields; anything but a scalar is kept as text.
static bool element(mlir_parser *p, graph_type *type) {
  const char *from = (mlir_skip(p), p->at);
  type_id id;
  if (!mlir_type(p, &id)) return false;
  const graph_type *scalar = type_get(&p->g->types, id);
  if (scalar->kind == TYPE_SCALAR) {
    type->dtype = scalar->dtype;
    type->text = scalar->text;
    type->params = scalar->params;
    type->param_count = scalar->param_count;
  } else {
    type->dtype = DTYPE_OTHER;
    type->text = canonical(p, from, p->at);
  }
  return true;
}

static bool tensor_body(mlir_parser *p, type_id *out) {
  graph_type type = {.kind = TYPE_TENSOR, .text = NAME_NONE, .encoding = NAME_NONE};
  size_list dims, limits;
  dims.sizes = dims.few;
  limits.sizes = limits.few;
  dims.count = dims.capacity = limits.count = limits.capacity = 0;
  if (mlir_accept(p, '*')) {
    type.kind = TYPE_UNRANKED;
    if (mlir_peek(p) != 'x') return mlir_expected(p, "'x'");
    p->at++;
  } else if (!sizes(p, &dims)) {
    return false;
  }
  if (!element(p, &type)) return false;
  type.dims = dims.sizes;
  type.rank = dims.count;
  if (mlir_accept(p, ',') && !encoding(p, &type, dims.sizes, &limits)) return false;
  if (!mlir_expect(p, '>')) return false;
  *out = type_intern(&p->g->types, &type);
  return true;
}

static bool builtin_type(mlir_parser *p, type_id *out) {
  const char *from = p->at;
  mlir_word word;
  if (!mlir_word_here(p, &word)) return mlir_expected(p, "a type");
  if (mlir_word_is(word, "tensor")) return mlir_expect(p, '<') && tensor_body(p, out);
  shape_dtype dtype;
  if (dtype_from_name(word.text, word.length, &dtype)) {
    *out = type_scalar(&p->g->types, dtype);
    return true;
  }
  if (mlir_word_is(word, "tuple")) return tuple_type(p, out);
  if (mlir_word_is(word, "complex")) return complex_type(p, from, out);
  if (mlir_word_is(word, "memref") || mlir_word_is(word, "vector")) {
    if (mlir_peek(p) != '<') return mlir_expected(p, "'<'");
    if (!mlir_skip_balanced(p)) return false;
    *out = opaque_text(p, from, NULL, 0);
    return true;
  }
  if (is_other_element(word)) {
    *out = scalar_text(p, DTYPE_OTHER, canonical(p, from, p->at), NULL, 0);
    return true;
  }
  p->at = from;
  return mlir_expected(p, "a type");
}

bool mlir_type_follows(mlir_parser *p) {
  char c = mlir_peek(p);
  if (c == '!' || c == '(') return true;
  if (!mlir_is_letter(c)) return false;
  const char *before = p->at;
  mlir_word word;
  mlir_word_here(p, &word);
  p->at = before;
  shape_dtype dtype;
  static const char *const NAMES[] = {"tensor", "tuple", "complex", "memref", "vector"};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (mlir_word_is(word, NAMES[i])) return true;
  }
  return dtype_from_name(word.text, word.length, &dtype) || is_other_element(word);
}

static bool type_nested(mlir_parser *p, type_id *out) {
  if (!mlir_enter(p)) return false;
  char c = mlir_peek(p);
  bool ok = c == '!'   ? dialect_type(p, out)
            : c == '(' ? function_type(p, out)
                       : builtin_type(p, out);
  mlir_leave(p);
  return ok;
}

// --- the cache of spellings

// The extent of `tensor<...>` when it is plain: brackets of one kind and no strings, so that the first '>' of depth 0
// ends it. Length 0 otherwise.
static uint32_t plain_extent(const mlir_parser *p) {
  static const char HEAD[] = "tensor<";
  size_t left = (size_t)(p->end - p->at);
  if (left < sizeof HEAD || memcmp(p->at, HEAD, sizeof HEAD - 1) != 0) return 0;
  uint32_t longest = left < LONGEST_CACHED ? (uint32_t)left : LONGEST_CACHED, depth = 1;
  for (uint32_t i = sizeof HEAD - 1; i < longest; i++) {
    char c = p->at[i];
    if (c == '>') {
      if (--depth == 0) return i + 1;
    } else if (c == '<') {
      depth++;
    } else if (c == '"' || c == '-' || c == '/' || c == '\n') {
      return 0;
    }
  }
  return 0;
}

// Aliases and symbols mean something else in another part of the file, and so does a spelling.
static bool is_current(const mlir_parser *p, mlir_word text) {
  return (uintptr_t)text.text >= (uintptr_t)p->part;
}

static void remember(mlir_parser *p, type_id type, const char *text, uint32_t length) {
  if (type >= p->type_text_capacity) {
    uint32_t old = p->type_text_capacity;
    p->type_texts = arena_grow(p->g->arena, p->type_texts, old, (size_t)type + 1,
                               &p->type_text_capacity, sizeof *p->type_texts);
    memset(p->type_texts + old, 0, (p->type_text_capacity - old) * sizeof *p->type_texts);
  }
  p->type_texts[type] = (mlir_word){text, length};
}

bool mlir_type(mlir_parser *p, type_id *out) {
  mlir_skip(p);
  uint32_t length = plain_extent(p);
  if (!length) return type_nested(p, out);
  const char *from = p->at;
  mlir_type_entry *entry = &p->type_cache[mlir_quick_hash(from, length) % MLIR_TYPE_CACHE];
  if (entry->text.length == length && is_current(p, entry->text) &&
      memcmp(entry->text.text, from, length) == 0) {
    p->at += length;
    *out = entry->type;
    return true;
  }
  if (!type_nested(p, out)) return false;
  if ((uint32_t)(p->at - from) == length) {
    *entry = (mlir_type_entry){{from, length}, *out};
    remember(p, *out, from, length);
  }
  return true;
}

bool mlir_type_like(mlir_parser *p, type_id likely, type_id *out) {
  mlir_skip(p);
  if (likely < p->type_text_capacity) {
    mlir_word text = p->type_texts[likely];
    if (text.length && is_current(p, text) && (size_t)(p->end - p->at) >= text.length &&
        memcmp(p->at, text.text, text.length) == 0) {
      p->at += text.length;
      *out = likely;
      return true;
    }
  }
  return mlir_type(p, out);
}
