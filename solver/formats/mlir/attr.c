// SPDX-License-Identifier: Apache-2.0
// Attributes. Grammar: MLIR LangRef, "Attributes"; builtin spellings: the Builtin dialect.
#include <assert.h>

#include "solver/formats/mlir/parser.h"

static graph_attr blank(attr_kind kind) {
  return (graph_attr){.kind = (uint8_t)kind, .type = TYPE_NONE, .text = NAME_NONE};
}

static attr_id add_attr(mlir_parser *p, graph_attr *attr, const char *from) {
  attr->span = mlir_span(p, from, p->at);
  return graph_add_attr(p->g, attr);
}

attr_id mlir_new_attr(mlir_parser *p, attr_kind kind, const char *from) {
  graph_attr attr = blank(kind);
  return add_attr(p, &attr, from);
}

static const int64_t *one_int(mlir_parser *p, int64_t value) {
  int64_t *kept = arena_alloc(p->g->arena, sizeof *kept);
  *kept = value;
  return kept;
}

attr_id mlir_make_ints(mlir_parser *p, const int64_t *values, uint32_t count, const char *from) {
  graph_attr attr = blank(ATTR_INTS);
  attr_set_ints(&attr, values, count);
  return add_attr(p, &attr, from);
}

attr_id mlir_make_int(mlir_parser *p, int64_t value, shape_dtype dtype, const char *from) {
  graph_attr attr = blank(dtype == DTYPE_I1 ? ATTR_BOOL : ATTR_INT);
  attr_set_ints(&attr, one_int(p, value), 1);
  if (dtype != DTYPE_I1) attr.type = type_scalar(&p->g->types, dtype);
  return add_attr(p, &attr, from);
}

attr_id mlir_make_text(mlir_parser *p, attr_kind kind, name_id text, const char *from) {
  graph_attr attr = blank(kind);
  attr.text = text;
  return add_attr(p, &attr, from);
}

attr_id mlir_make_dict(mlir_parser *p, const char *text, const attr_entry *entries, uint32_t count,
                       const char *from) {
  graph_attr attr = blank(ATTR_DICT);
  attr_entry *kept = arena_alloc(p->g->arena, count * sizeof *kept);
  if (count) memcpy(kept, entries, count * sizeof *kept);
  attr_set_entries(&attr, kept, count);
  if (text) attr.text = intern_add(&p->g->names, text, strlen(text));
  return add_attr(p, &attr, from);
}

void mlir_push_entry(mlir_parser *p, name_id name, attr_id value) {
  MLIR_ROOM(p, entries);
  p->stacks.entries.items[p->stacks.entries.count++] = (attr_entry){name, value};
}

name_id mlir_key_name(mlir_parser *p, mlir_key key) {
  static const char *const TEXTS[] = {
#define X(name) #name,
#include "solver/formats/mlir/keys.def"
#undef X
  };
  if (!p->keys[key]) {
    p->keys[key] = intern_add(&p->g->names, TEXTS[key], strlen(TEXTS[key])) + 1;
  }
  return p->keys[key] - 1;
}

void mlir_push_key(mlir_parser *p, mlir_key key, attr_id value) {
  mlir_push_entry(p, mlir_key_name(p, key), value);
}

static bool float_attr(mlir_parser *p, double value, type_id type, const char *from, attr_id *out) {
  graph_attr attr = blank(ATTR_FLOAT);
  double *kept = arena_alloc(p->g->arena, sizeof *kept);
  *kept = value;
  attr_set_floats(&attr, kept, 1);
  attr.type = type;
  *out = add_attr(p, &attr, from);
  return true;
}

// A number in a type. Decimal integers are no floats (MLIR, parseFloatFromIntegerLiteral).
static bool typed_number(mlir_parser *p, const mlir_number *number, type_id type, attr_id *out) {
  const graph_type *scalar = type_get(&p->g->types, type);
  shape_dtype dtype = (shape_dtype)scalar->dtype;
  if (scalar->kind != TYPE_SCALAR || dtype >= DTYPE_QUANTIZED) {
    *out = mlir_new_attr(p, ATTR_OPAQUE, number->text);
    return true;
  }
  if (dtype_is_float(dtype)) {
    double real = number->real;
    if (!number->is_float && !number->is_hex) {
      return mlir_wrong(p, number->text, number->end,
                        "unexpected decimal integer literal for a floating point value");
    }
    if (number->is_hex && !mlir_number_bits(number->magnitude, dtype, &real)) {
      *out = mlir_new_attr(p, ATTR_OPAQUE, number->text);
      return true;
    }
    return float_attr(p, real, type, number->text, out);
  }
  if (!dtype_is_integer(dtype) || number->is_float) {
    return mlir_wrong(p, number->text, number->end, "the number is no value of type '%s'",
                      mlir_type_text(p, type));
  }
  int64_t value;
  if (!mlir_number_as(number, dtype, &value)) {
    return mlir_wrong(p, number->text, number->end, "the integer does not fit in type '%s'",
                      mlir_type_text(p, type));
  }
  graph_attr attr = blank(ATTR_INT);
  attr_set_ints(&attr, one_int(p, value), 1);
  attr.type = type;
  *out = add_attr(p, &attr, number->text);
  return true;
}

static bool number_attr(mlir_parser *p, bool typed, attr_id *out) {
  mlir_number number;
  if (!mlir_number_here(p, &number)) return mlir_expected(p, "a number");
  if (typed && mlir_accept(p, ':')) {
    type_id type;
    return mlir_type(p, &type) && typed_number(p, &number, type, out);
  }
  if (number.is_float) return float_attr(p, number.real, TYPE_NONE, number.text, out);
  int64_t value;
  if (!mlir_number_as(&number, DTYPE_I64, &value)) {
    return mlir_wrong(p, number.text, number.end, "the integer does not fit in 64 bits");
  }
  graph_attr attr = blank(ATTR_INT);
  attr_set_ints(&attr, one_int(p, value), 1);
  *out = add_attr(p, &attr, number.text);
  return true;
}

static bool attr_value(mlir_parser *p, bool typed, bool bare, attr_id *out);

static bool array_attr(mlir_parser *p, bool bare, attr_id *out) {
  const char *from = p->at++;  // '['
  if (!mlir_enter(p)) return false;
  // Items wait on the entry stack: they have no names.
  uint32_t first = p->stacks.entries.count;
  bool ok = true;
  while (ok && !mlir_accept(p, ']')) {
    attr_id item;
    ok = (p->stacks.entries.count == first || mlir_expect(p, ',')) &&
         attr_value(p, true, bare, &item);
    if (ok) mlir_push_entry(p, NAME_NONE, item);
  }
  mlir_leave(p);
  graph_attr attr = blank(ATTR_ARRAY);
  uint32_t count = p->stacks.entries.count - first;
  attr_id *items = arena_alloc(p->g->arena, count * sizeof *items);
  for (uint32_t i = 0; i < count; i++) items[i] = p->stacks.entries.items[first + i].value;
  attr_set_items(&attr, items, count);
  p->stacks.entries.count = first;
  if (ok) *out = add_attr(p, &attr, from);
  return ok;
}

static bool entry_name(mlir_parser *p, name_id *name) {
  mlir_word word;
  if (mlir_peek(p) == '"') return mlir_string(p, name);
  if (!mlir_word_here(p, &word)) return mlir_expected(p, "an attribute name");
  *name = intern_add(&p->g->names, word.text, word.length);
  return true;
}

// Few attributes are looked through; a dictionary of thousands is not checked.
static bool is_duplicate(const mlir_parser *p, uint32_t first, name_id name) {
  assert(first <= p->stacks.entries.count);
  enum { CHECKED = 64 };
  if (p->stacks.entries.count - first > CHECKED) return false;
  for (uint32_t i = first; i < p->stacks.entries.count; i++) {
    if (p->stacks.entries.items[i].name == name) return true;
  }
  return false;
}

static bool entries(mlir_parser *p, char close, bool bare) {
  uint32_t first = p->stacks.entries.count;
  if (!mlir_enter(p)) return false;
  bool ok = true;
  while (ok && !mlir_accept(p, close)) {
    if (p->stacks.entries.count != first && !mlir_accept(p, ',')) {
      char what[] = "',' or '?'";
      what[8] = close;
      ok = mlir_expected(p, what);
      break;
    }
    // Dialect attributes may end in a comma (MLIR's struct parsers take it).
    if (bare && p->stacks.entries.count != first && mlir_accept(p, close)) break;
    const char *from = (mlir_skip(p), p->at);
    name_id name;
    attr_id value;
    if (!(ok = entry_name(p, &name))) break;
    if (is_duplicate(p, first, name)) {
      ok = mlir_wrong(p, from, p->at, "duplicate attribute '%s'", intern_text(&p->g->names, name));
      break;
    }
    if (mlir_peek(p) == '=') {
      p->at++;
      ok = attr_value(p, true, bare, &value);
    } else {
      value = mlir_new_attr(p, ATTR_UNIT, from);
    }
    if (ok) mlir_push_entry(p, name, value);
  }
  mlir_leave(p);
  return ok;
}

bool mlir_attr_dict(mlir_parser *p) {
  p->at++;
  return entries(p, '}', false);
}

bool mlir_key_values(mlir_parser *p, char close) { return entries(p, close, true); }

static bool dict_node(mlir_parser *p, bool bare, attr_id *out) {
  const char *from = p->at++;
  uint32_t first = p->stacks.entries.count;
  bool ok = entries(p, '}', bare);
  if (ok)
    *out = mlir_make_dict(p, NULL, p->stacks.entries.items + first, p->stacks.entries.count - first,
                          from);
  p->stacks.entries.count = first;
  return ok;
}

bool mlir_attr_dict_node(mlir_parser *p, attr_id *out) { return dict_node(p, false, out); }

static bool type_attr(mlir_parser *p, attr_id *out) {
  const char *from = p->at;
  graph_attr attr = blank(ATTR_TYPE);
  if (!mlir_type(p, &attr.type)) return false;
  *out = add_attr(p, &attr, from);
  return true;
}

static bool string_attr(mlir_parser *p, bool typed, attr_id *out) {
  const char *from = p->at;
  name_id text;
  type_id type;
  if (!mlir_string(p, &text)) return false;
  *out = mlir_make_text(p, ATTR_STRING, text, from);
  return !typed || !mlir_accept(p, ':') || mlir_type(p, &type);
}

// Builtin attributes that begin with a word and whose contents the solver has no use for.
static bool is_opaque_word(mlir_word word) {
  static const char *const NAMES[] = {"affine_map", "affine_set", "sparse", "loc",
                                      "distinct",   "strided",    "opaque"};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (mlir_word_is(word, NAMES[i])) return true;
  }
  return false;
}

static bool opaque_attr(mlir_parser *p, const char *from, attr_id *out) {
  graph_attr attr = blank(ATTR_OPAQUE);
  const char *end = p->at;
  char c;
  static const char AFFINE[] = "affine_";  // what follows a map or a set are operands
  bool is_affine =
      (size_t)(p->end - from) >= sizeof AFFINE - 1 && memcmp(from, AFFINE, sizeof AFFINE - 1) == 0;
  while ((c = mlir_peek(p)) == '<' || (!is_affine && (c == '(' || c == '['))) {
    if (!mlir_skip_balanced(p)) return false;
    end = p->at;
    if (is_affine) break;
  }
  p->at = end;  // its text ends here, not where the next token begins
  if (c == ':' && (!mlir_expect(p, ':') || !mlir_type(p, &attr.type))) return false;
  *out = add_attr(p, &attr, from);
  return true;
}

// dense_resource<name> : type; the data is in a section of its own that is not read.
static bool resource_attr(mlir_parser *p, const char *from, attr_id *out) {
  graph_attr attr = blank(ATTR_DENSE);
  if (mlir_peek(p) != '<') return mlir_expected(p, "'<'");
  if (!mlir_skip_balanced(p) || !mlir_expect(p, ':') || !mlir_type(p, &attr.type)) return false;
  *out = add_attr(p, &attr, from);
  return true;
}

static bool word_attr(mlir_parser *p, bool bare, attr_id *out) {
  const char *from = p->at;
  mlir_word word;
  mlir_word_here(p, &word);
  if (mlir_word_is(word, "dense")) return mlir_dense(p, from, out);
  if (mlir_word_is(word, "array")) return mlir_array(p, from, out);
  if (mlir_word_is(word, "true") || mlir_word_is(word, "false")) {
    *out = mlir_make_int(p, word.length == 4, DTYPE_I1, from);
    return true;
  }
  if (mlir_word_is(word, "unit")) {
    *out = mlir_new_attr(p, ATTR_UNIT, from);
    return true;
  }
  if (mlir_word_is(word, "dense_resource")) return resource_attr(p, from, out);
  if (is_opaque_word(word)) return opaque_attr(p, from, out);
  p->at = from;
  if (mlir_type_follows(p)) return type_attr(p, out);
  if (!bare) return mlir_expected(p, "an attribute value");
  mlir_word_here(p, &word);
  *out = mlir_make_text(p, ATTR_ENUM, intern_add(&p->g->names, word.text, word.length), from);
  return true;
}

static bool attr_value(mlir_parser *p, bool typed, bool bare, attr_id *out) {
  char c = mlir_peek(p);
  const char *from = p->at;
  switch (c) {
  case '"': return string_attr(p, typed, out);
  case '[': return array_attr(p, bare, out);
  case '{': return dict_node(p, bare, out);
  case '#': return mlir_dialect_attr(p, out);
  case '!':
  case '(': return type_attr(p, out);
  case '@': {
    name_id symbol;
    if (!mlir_symbol_name(p, &symbol)) return false;
    *out = mlir_make_text(p, ATTR_SYMBOL, symbol, from);
    return true;
  }
  default: break;
  }
  if (mlir_is_digit(c) || (c == '-' && mlir_is_digit(mlir_char(p, 1)))) {
    return number_attr(p, typed, out);
  }
  if (mlir_is_letter(c)) return word_attr(p, bare, out);
  return mlir_expected(p, "an attribute value");
}

bool mlir_attr(mlir_parser *p, attr_id *out) { return attr_value(p, true, false, out); }

bool mlir_attr_bare(mlir_parser *p, attr_id *out) { return attr_value(p, false, true, out); }
