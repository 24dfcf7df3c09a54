// SPDX-License-Identifier: Apache-2.0
// Types. Grammar: MLIR LangRef, "Type System".
//
// Types repeat on nearly every line, so a spelling that ends in '>' is looked up before it is read.
#include <assert.h>

#include "solver/formats/mlir/parser.h"
#include "solver/formats/mlir/type_plain.h"

enum { LONGEST_CACHED = 96 };

void mlir_push_type(mlir_parser *p, type_id type) {
  MLIR_ROOM(p, types);
  p->stacks.types.items[p->stacks.types.count++] = type;
}

const char *mlir_type_text(mlir_parser *p, type_id type) {
  shape_strbuf buf;
  strbuf_init(&buf, p->g->arena);
  type_print(&p->g->types, &buf, type);
  return strbuf_text(&buf);
}

static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// A spelling with one space where there were some, none inside brackets' edges and one after each comma, so that
// two writers of one opaque type agree.
name_id mlir_canonical(mlir_parser *p, const char *from, const char *to) {
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
                     .text = mlir_canonical(p, from, p->at),
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
    *out = scalar_text(p, DTYPE_QUANTIZED, mlir_canonical(p, from, p->at), NULL, 0);
    return true;
  }
  params[0] = type_scalar(&p->g->types, dtypes[0]);
  params[1] = type_scalar(&p->g->types, dtypes[1]);
  *out = scalar_text(p, DTYPE_QUANTIZED, mlir_canonical(p, from, p->at), params, 2);
  return true;
}

// !stablehlo.future<tensor<..>, ...>
static bool future(mlir_parser *p, const char *from, type_id *out) {
  p->at++;  // '<'
  uint32_t first = p->stacks.types.count;
  if (!mlir_type_list(p, '>')) return false;
  *out = opaque_text(p, from, p->stacks.types.items + first, p->stacks.types.count - first);
  p->stacks.types.count = first;
  return true;
}

static bool type_alias(mlir_parser *p, mlir_word name, type_id *out) {
  name_id id = intern_find(&p->g->names, name.text, name.length);
  if (id != NAME_NONE && imap_get(&p->declared.type_aliases, id, out)) return true;
  // What the JSON form writes for elements of which the source said nothing. It has no aliases.
  if (p->g->format == GRAPH_JSON && mlir_word_is(name, dtype_name(DTYPE_OTHER) + 1)) {
    *out = type_scalar(&p->g->types, DTYPE_OTHER);
    return true;
  }
  return mlir_wrong(p, name.text - 1, name.text + name.length, "undefined type alias '!%.*s'",
                    (int)name.length, name.text);
}

static bool dialect_type(mlir_parser *p, type_id *out) {
  const char *from = p->at++;  // '!'
  mlir_word name;
  if (!mlir_word_here(p, &name)) return mlir_expected(p, "a type name after '!'");
  bool has_body = mlir_char(p, 0) == '<';
  shape_dtype dtype;  // "!shaped.string"
  if (!has_body && dtype_from_name(from, (size_t)(name.text + name.length - from), &dtype)) {
    *out = type_scalar(&p->g->types, dtype);
    return true;
  }
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
    return mlir_wrong(p, from, p->at, "unknown stablehlo type '%.*s'", (int)name.length, name.text);
  }
  if (name.length > 6 && memcmp(name.text, "torch.", 6) == 0)
    return mlir_torch_type(p, from, name, out);
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
  uint32_t first = p->stacks.types.count;
  p->at++;  // '('
  if (!mlir_type_list(p, ')')) return false;
  uint32_t split = p->stacks.types.count - first;
  if (!mlir_accept_arrow(p)) return mlir_expected(p, "'->'");
  if (!mlir_result_types(p, TYPE_NONE)) return false;
  *out = type_function(&p->g->types, p->stacks.types.items + first, split,
                       p->stacks.types.count - first - split);
  p->stacks.types.count = first;
  return true;
}

static bool tuple_type(mlir_parser *p, type_id *out) {
  if (!mlir_expect(p, '<')) return false;
  uint32_t first = p->stacks.types.count;
  if (!mlir_type_list(p, '>')) return false;
  *out = type_tuple(&p->g->types, p->stacks.types.items + first, p->stacks.types.count - first);
  p->stacks.types.count = first;
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
    *out = scalar_text(p, DTYPE_OTHER, mlir_canonical(p, from, p->at), NULL, 0);
  }
  return true;
}

// memref<...> and vector<...>; what has no list of dims, such as a vector that is scalable, is kept as text.
static bool container_type(mlir_parser *p, const char *from, type_container container,
                           type_id *out) {
  if (mlir_peek(p) != '<') return mlir_expected(p, "'<'");
  const char *open = p->at;
  uint32_t height = p->stacks.types.count;
  p->errors.quiet++;
  bool known = mlir_container_body(p, container, out);
  p->errors.quiet--;
  if (known) return true;
  p->stacks.types.count = height;
  p->at = open + 1;
  if (mlir_peek(p) == '>' || mlir_peek(p) == ',') return mlir_expected(p, "an element type");
  p->at = open;
  if (!mlir_skip_balanced(p)) return false;
  *out = opaque_text(p, from, NULL, 0);
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

static bool builtin_type(mlir_parser *p, type_id *out) {
  const char *from = p->at;
  mlir_word word;
  if (!mlir_word_here(p, &word)) return mlir_expected(p, "a type");
  if (mlir_word_is(word, "tensor")) return mlir_expect(p, '<') && mlir_tensor_body(p, out);
  shape_dtype dtype;
  if (dtype_from_name(word.text, word.length, &dtype)) {
    *out = type_scalar(&p->g->types, dtype);
    return true;
  }
  if (mlir_word_is(word, "tuple")) return tuple_type(p, out);
  if (mlir_word_is(word, "complex")) return complex_type(p, from, out);
  if (mlir_word_is(word, "memref") || mlir_word_is(word, "vector"))
    return container_type(p, from, *word.text == 'm' ? CONTAINER_MEMREF : CONTAINER_VECTOR, out);
  if (word.length > 2 && memcmp(word.text, "si", 2) == 0 &&
      dtype_from_name(word.text + 1, word.length - 1, &dtype)) {  // signed, as i8 is elsewhere
    *out = scalar_text(p, dtype, mlir_canonical(p, from, p->at), NULL, 0);
    return true;
  }
  if (is_other_element(word)) {
    *out = scalar_text(p, DTYPE_OTHER, mlir_canonical(p, from, p->at), NULL, 0);
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
  assert(type < p->g->types.count);
  if (type >= p->spellings.text_capacity) {
    uint32_t old = p->spellings.text_capacity;
    p->spellings.texts = arena_grow(p->g->arena, p->spellings.texts, old, (size_t)type + 1,
                                    &p->spellings.text_capacity, sizeof *p->spellings.texts);
    memset(p->spellings.texts + old, 0,
           (p->spellings.text_capacity - old) * sizeof *p->spellings.texts);
  }
  p->spellings.texts[type] = (mlir_word){text, length};
}

bool mlir_type(mlir_parser *p, type_id *out) {
  mlir_skip(p);
  uint32_t length = plain_extent(p);
  if (!length || !p->spellings.cache) return type_nested(p, out);
  const char *from = p->at;
  mlir_type_entry *entry =
      &p->spellings.cache[hash_sample(from, length, MLIR_COMMON_HEAD) & p->spellings.mask];
  if (entry->text.length == length && is_current(p, entry->text) &&
      memcmp(entry->text.text, from, length) == 0) {
    p->at += length;
    *out = entry->type;
    return true;
  }
  if (mlir_plain_tensor(&p->g->types, from, length, out)) {
    p->at += length;
  } else if (!type_nested(p, out)) {
    return false;
  }
  if ((uint32_t)(p->at - from) == length) {
    *entry = (mlir_type_entry){{from, length}, *out};
    remember(p, *out, from, length);
  }
  return true;
}

bool mlir_type_like(mlir_parser *p, type_id likely, type_id *out) {
  mlir_skip(p);
  if (likely < p->spellings.text_capacity) {
    mlir_word text = p->spellings.texts[likely];
    if (text.length && is_current(p, text) && (size_t)(p->end - p->at) >= text.length &&
        memcmp(p->at, text.text, text.length) == 0) {
      p->at += text.length;
      *out = likely;
      return true;
    }
  }
  return mlir_type(p, out);
}
