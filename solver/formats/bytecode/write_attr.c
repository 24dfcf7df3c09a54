// SPDX-License-Identifier: Apache-2.0
// Attributes: those of builtin with their codes, those of stablehlo and chlo by codes.def, all others as assembly text.
// Under an operation of VHLO they are that dialect's, and what it has no form for is refused. Formats:
// BuiltinDialectBytecode.td, VhloBytecode.cpp.
#include <stdlib.h>

#include "solver/formats/bytecode/writer.h"

static uint32_t add(bytecode_writer *w, const shape_strbuf *out) {
  return bw_add_entry(w, &w->attrs, w->vhlo ? "vhlo" : "builtin", true, 0, out);
}

static shape_strbuf begin(bytecode_writer *w, unsigned builtin, unsigned vhlo) {
  shape_strbuf out;
  strbuf_init(&out, w->arena);
  bw_varint(&out, w->vhlo ? vhlo : builtin);
  return out;
}

// --- aliases and assembly text

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c && strchr("_.$-", c));
}

// At a # or !: past the name after it.
static bool is_alias(bytecode_writer *w, bw_cursor *c, bc_slice *text) {
  assert(c->at < c->end && (*c->at == '#' || *c->at == '!'));
  const char *from = c->at++;
  while (c->at < c->end && is_name(*c->at)) c->at++;
  if (c->at < c->end && *c->at == '<') return false;
  return bw_find_alias(w, (bc_slice){from, (uint32_t)(c->at - from)}, text);
}

static void expand(bytecode_writer *w, bc_slice text, shape_strbuf *out, uint32_t depth) {
  enum { LONGEST = 64 << 20 };
  bw_cursor c = bw_open(text);
  if (depth > BW_DEPTH || out->length > LONGEST)
    bw_refuse(w, "its aliases name one another too often");
  while (c.at < c.end && !w->failed) {
    const char *from = c.at;
    bc_slice meant;
    if (*c.at == '"') {
      bw_skip_one(&c);
    } else if ((*c.at == '#' || *c.at == '!') && is_alias(w, &c, &meant)) {
      expand(w, meant, out, depth + 1);
      continue;
    } else if (c.at == from) {
      c.at++;
    }
    strbuf_add(out, from, (size_t)(c.at - from));
  }
}

bc_slice bw_expand(bytecode_writer *w, bc_slice text) {
  if (!w->aliases.texts.count ||
      (!memchr(text.text, '#', text.length) && !memchr(text.text, '!', text.length)))
    return text;
  shape_strbuf out;
  strbuf_init(&out, w->arena);
  expand(w, text, &out, 0);
  return (bc_slice){strbuf_text(&out), out.length};
}

// #name.rest and #name<rest> are of the dialect `name`; all that begins otherwise is builtin's.
static const char *dialect_of(bytecode_writer *w, bc_slice text) {
  uint32_t length = 1;
  if (!text.length || (text.text[0] != '#' && text.text[0] != '!')) return "builtin";
  while (length < text.length && is_name(text.text[length]) && text.text[length] != '.') length++;
  return arena_strndup(w->arena, text.text + 1, length - 1);
}

uint32_t bw_assembly(bytecode_writer *w, bw_table *table, bc_slice text) {
  shape_strbuf out;
  text = bw_expand(w, text);
  if (memchr(text.text, 0, text.length)) return bw_refuse(w, "a byte 0 in its text"), BW_NONE;
  strbuf_init_room(&out, w->arena, text.length + 1);
  strbuf_add(&out, text.text, text.length);
  strbuf_putc(&out, 0);
  return bw_add_entry(w, table, dialect_of(w, text), false, 0, &out);
}

static uint32_t no_form(bytecode_writer *w, bc_slice text) {
  int length = text.length < 60 ? (int)text.length : 60;
  bw_refuse(w, "VHLO has no form for the attribute %.*s%s", length, text.text,
            text.length > 60 ? "..." : "");
  return BW_NONE;
}

// --- strings and symbols

uint32_t bw_string_attr(bytecode_writer *w, bc_slice text) {
  shape_strbuf out = begin(w, BUILTIN_STRING, VHLO_STRING);
  bw_varint(&out, bw_string(w, text));
  return add(w, &out);
}

static uint32_t quoted(bytecode_writer *w, bc_slice text) {
  bw_cursor c = bw_open(text);
  bw_skip_one(&c);
  bc_slice string = bw_unquote(w->arena, (bc_slice){text.text, (uint32_t)(c.at - text.text)});
  if (!bw_accept(&c, ":")) return bw_string_attr(w, string);
  bc_slice type = bw_expand(w, bw_scan_type(&c));
  if (bc_is(type, "none")) return bw_string_attr(w, string);
  if (w->vhlo) return no_form(w, text);
  uint32_t id = bw_type(w, type);
  shape_strbuf out = begin(w, BUILTIN_TYPED_STRING, 0);
  bw_varint(&out, bw_string(w, string));
  bw_varint(&out, id);
  return add(w, &out);
}

static bc_slice symbol_name(bytecode_writer *w, bw_cursor *c) {
  bw_accept(c, "@");
  return bw_key(w->arena, c);
}

static uint32_t flat_symbol(bytecode_writer *w, bc_slice name) {
  uint32_t string = bw_string_attr(w, name);
  shape_strbuf out = begin(w, BUILTIN_FLAT_SYMBOL, 0);
  bw_varint(&out, string);
  return add(w, &out);
}

// @a, or @a::@b. VHLO has the name as a string.
static uint32_t symbol(bytecode_writer *w, bc_slice text) {
  bw_cursor c = bw_open(text);
  bc_slice root = symbol_name(w, &c);
  if (bw_peek(&c) != ':') return w->vhlo ? bw_string_attr(w, root) : flat_symbol(w, root);
  if (w->vhlo) return no_form(w, text);
  shape_strbuf list, out = begin(w, BUILTIN_SYMBOL, 0);
  uint32_t count = 0;
  strbuf_init(&list, w->arena);
  bw_varint(&out, bw_string_attr(w, root));
  for (; bw_accept(&c, "::"); count++) bw_varint(&list, flat_symbol(w, symbol_name(w, &c)));
  bw_varint(&out, count);
  strbuf_add(&out, list.data, list.length);
  return add(w, &out);
}

// --- lists

static uint32_t array(bytecode_writer *w, bc_slice text) {
  bw_cursor c = bw_open(bw_inside(text, 1));
  shape_strbuf list, out = begin(w, BUILTIN_ARRAY, VHLO_ARRAY);
  uint32_t count = 0;
  strbuf_init(&list, w->arena);
  for (bc_slice item; bw_next_item(&c, &item) && !w->failed; count++) {
    if (!item.length) return bw_fail(w, c.at, "expected an attribute"), BW_NONE;
    bw_varint(&list, bw_attr(w, item));
  }
  bw_varint(&out, count);
  strbuf_add(&out, list.data, list.length);
  return add(w, &out);
}

static int by_key(const void *a, const void *b) {
  const bw_entry *x = a, *y = b;
  uint32_t least = x->key.length < y->key.length ? x->key.length : y->key.length;
  int order = memcmp(x->key.text, y->key.text, least);
  return order ? order : (x->key.length > y->key.length) - (x->key.length < y->key.length);
}

uint32_t bw_dictionary(bytecode_writer *w, const bw_entry *entries, uint32_t count,
                       bw_encoder *encode) {
  bool vhlo = w->vhlo, outer = vhlo && !encode;
  bw_entry *sorted = arena_alloc(w->arena, ((size_t)count + 1) * sizeof *sorted);
  if (count) memcpy(sorted, entries, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_key);
  w->vhlo = outer;
  shape_strbuf out = begin(w, BUILTIN_DICTIONARY, VHLO_DICT);
  bw_varint(&out, count);
  for (uint32_t i = 0; i < count && !w->failed; i++) {
    if (i && !by_key(sorted + i - 1, sorted + i))
      bw_refuse(w, "two attributes of one name: %.*s",
                (int)(sorted[i].key.length < 60 ? sorted[i].key.length : 60), sorted[i].key.text);
    bw_varint(&out, bw_string_attr(w, sorted[i].key));
    w->vhlo = vhlo;
    bw_varint(&out, encode ? encode(w, sorted[i]) : bw_attr(w, sorted[i].value));
    w->vhlo = outer;
  }
  uint32_t made = add(w, &out);
  w->vhlo = vhlo;
  assert(w->failed || made < w->attrs.keys.count);
  return made;
}

static uint32_t dictionary(bytecode_writer *w, bc_slice text) {
  bw_cursor c = bw_open(bw_inside(text, 1));
  BW_LIST(bw_entry) list = {0};
  bw_entry entry;
  while (bw_next_entry(w, &c, &entry)) {
    list.items = arena_grow(w->arena, list.items, list.count, (size_t)list.count + 1,
                            &list.capacity, sizeof *list.items);
    list.items[list.count++] = entry;
  }
  return bw_dictionary(w, list.items, list.count, NULL);
}

// --- numbers and types

static uint32_t boolean(bytecode_writer *w, bool value) {
  shape_strbuf out = begin(w, BUILTIN_INTEGER, VHLO_BOOL);
  if (!w->vhlo) bw_varint(&out, bw_type(w, (bc_slice){"i1", 2}));
  if (w->vhlo) {
    bw_varint(&out, value);
  } else {
    strbuf_putc(&out, value);
  }
  return add(w, &out);
}

static bool is_number(bc_slice text) {
  uint32_t i = text.text[0] == '-';
  return i < text.length && text.text[i] >= '0' && text.text[i] <= '9';
}

// 1 : i32, 2.5 : f32, 0x7FC00000 : f32; BW_NONE without a failure: it needs assembly text.
static uint32_t number(bytecode_writer *w, bc_slice text) {
  bw_cursor c = bw_open(text);
  bool real = false;
  if (*c.at == '-') c.at++;
  bool hex = c.end - c.at > 1 && c.at[1] == 'x';
  while (c.at < c.end && (is_name(*c.at) || *c.at == '+')) {
    real |= !hex && (*c.at == '.' || *c.at == 'e' || *c.at == 'E');
    c.at++;
  }
  bc_slice digits = {text.text, (uint32_t)(c.at - text.text)};
  bc_slice type = real ? (bc_slice){"f64", 3} : (bc_slice){"i64", 3};
  if (bw_accept(&c, ":")) type = bw_expand(w, bw_scan_type(&c));
  if (bw_peek(&c)) return BW_NONE;
  bc_element e = bc_element_of(type);
  if (e.kind == '?' || e.kind == 'c') return BW_NONE;
  if (e.kind == 'b' && w->vhlo) return BW_NONE;
  shape_strbuf out = begin(w, e.kind == 'f' ? BUILTIN_FLOAT : BUILTIN_INTEGER,
                           e.kind == 'f' ? VHLO_FLOAT : VHLO_INTEGER);
  uint32_t id = bw_type(w, type);
  bw_varint(&out, id);
  return bw_number(w, digits, type, &out) ? add(w, &out) : BW_NONE;
}

static uint32_t type_attr(bytecode_writer *w, bc_slice text) {
  uint32_t type = bw_type(w, text);
  shape_strbuf out = begin(w, BUILTIN_TYPE, VHLO_TYPE);
  bw_varint(&out, type);
  return add(w, &out);
}

static uint32_t unit(bytecode_writer *w) {
  if (w->vhlo) return no_form(w, (bc_slice){"unit", 4});
  shape_strbuf out = begin(w, BUILTIN_UNIT, 0);
  return add(w, &out);
}

// --- the rest

// dense_resource<key> : type
static uint32_t resource(bytecode_writer *w, bc_slice text) {
  bw_cursor c = bw_open(text);
  if (w->vhlo) return no_form(w, text);
  bw_accept(&c, "dense_resource<");
  bc_slice key = bw_key(w->arena, &c);
  if (!bw_accept(&c, ">") || !bw_accept(&c, ":"))
    return bw_fail(w, c.at, "expected a resource and its type"), BW_NONE;
  shape_strbuf out = begin(w, BUILTIN_RESOURCE, 0);
  uint32_t type = bw_type(w, bw_scan_type(&c));
  bw_varint(&out, type);
  bw_varint(&out, bw_resource(w, key));
  return add(w, &out);
}

// distinct[0]<attr>: two of them differ where their numbers do.
static uint32_t distinct(bytecode_writer *w, bc_slice text) {
  bw_cursor c = bw_open(text);
  int64_t which;
  if (w->vhlo) return no_form(w, text);
  bw_accept(&c, "distinct[");
  if (!bw_int(bw_word(&c), &which) || which < 0 || which >= UINT32_MAX || !bw_accept(&c, "]") ||
      bw_peek(&c) != '<')
    return BW_NONE;
  bc_slice inner = bw_trim(bw_inside((bc_slice){c.at, (uint32_t)(c.end - c.at)}, 1));
  uint32_t attr = bw_attr(w, inner.length ? inner : (bc_slice){"unit", 4});
  shape_strbuf out = begin(w, BUILTIN_DISTINCT, 0);
  bw_varint(&out, attr);
  return bw_add_entry(w, &w->attrs, "builtin", true, (uint32_t)which + 1, &out);
}

static bool is_type(bc_slice text) {
  static const char *const HEADS[] = {"tensor<", "vector<", "memref<", "complex<", "tuple<", "("};
  static const char *const TEXT[] = {"affine_map", "affine_set", "strided", "opaque", "sparse"};
  for (unsigned i = 0; i < sizeof HEADS / sizeof *HEADS; i++) {
    if (bc_begins(text, HEADS[i])) return true;
  }
  for (unsigned i = 0; i < sizeof TEXT / sizeof *TEXT; i++) {
    if (bc_begins(text, TEXT[i])) return false;
  }
  return text.text[0] == '!' || !memchr(text.text, '<', text.length);
}

static uint32_t dialect_attr(bytecode_writer *w, bc_slice text) {
  uint32_t attr = BW_NONE;
  const char *dialect = w->vhlo ? "vhlo" : dialect_of(w, text);
  if (!w->vhlo && bw_kept_entry(w, text, false, &attr)) return attr;
  if (bw_coded(w, bw_expand(w, text), dialect, &attr) || w->failed) return attr;
  return w->vhlo ? no_form(w, text) : bw_assembly(w, &w->attrs, text);
}

static uint32_t location_attr(bytecode_writer *w, bc_slice text) {
  return bw_location(w, bw_trim(bw_inside(text, 4)));
}

// BW_NONE without a failure: assembly text.
static uint32_t encode(bytecode_writer *w, bc_slice text) {
  uint32_t attr = BW_NONE;
  switch (text.text[0]) {
  case '"': return quoted(w, text);
  case '@': return symbol(w, text);
  case '[': return array(w, text);
  case '{': return dictionary(w, text);
  case '#': return dialect_attr(w, text);
  default: break;
  }
  if (is_number(text)) return number(w, text);
  if (bc_is(text, "true") || bc_is(text, "false")) return boolean(w, text.text[0] == 't');
  if (bc_is(text, "unit")) return unit(w);
  if (bc_begins(text, "dense_resource<")) return resource(w, text);
  if (bc_begins(text, "dense<")) return bw_dense(w, text, &attr) ? attr : BW_NONE;
  if (bc_begins(text, "array<")) return bw_dense_array(w, text, &attr) ? attr : BW_NONE;
  if (bc_begins(text, "distinct[")) return distinct(w, text);
  if (bc_begins(text, "loc(")) return location_attr(w, text);
  return is_type(text) ? type_attr(w, text) : BW_NONE;
}

uint32_t bw_attr(bytecode_writer *w, bc_slice text) {
  bc_slice meant;
  if (!text.length) text = (bc_slice){"unit", 4};
  bw_cursor c = bw_open(text);
  if (w->failed) return BW_NONE;
  if (text.text[0] == '#' && is_alias(w, &c, &meant) && c.at == c.end && meant.length) text = meant;
  uint64_t key = (uint64_t)intern_add(&w->spellings, text.text, text.length) << 3 | w->vhlo;
  uint32_t attr;
  if (imap_get(&w->encoded, key, &attr)) return attr;
  if (w->depth >= BW_DEPTH)
    return bw_refuse(w, "expected an attribute to be nested at most %d deep, found more", BW_DEPTH),
           BW_NONE;
  w->depth++;
  budget_take(w->budget, 1 + text.length / 64);
  attr = encode(w, text);
  assert(w->depth > 0);
  w->depth--;
  if (attr == BW_NONE && !w->failed)
    attr = w->vhlo ? no_form(w, text) : bw_assembly(w, &w->attrs, text);
  if (w->failed) return BW_NONE;
  imap_put(&w->encoded, w->arena, key, attr);
  return attr;
}
