// SPDX-License-Identifier: Apache-2.0
// Locations, which builtin has codes for. Grammar: MLIR LangRef and the builtin dialect's location attributes.
#include "solver/formats/bytecode/writer.h"

enum { RANGES_SINCE = 109 };  // the first release whose readers know ranges

static uint32_t add(bytecode_writer *w, const shape_strbuf *out) {
  return bw_add_entry(w, &w->attrs, "builtin", true, 0, out);
}

static shape_strbuf begin(bytecode_writer *w, unsigned code) {
  shape_strbuf out;
  strbuf_init(&out, w->arena);
  bw_varint(&out, code);
  return out;
}

static uint32_t unknown(bytecode_writer *w) {
  shape_strbuf out = begin(w, BUILTIN_UNKNOWN_LOC);
  return add(w, &out);
}

static uint32_t read_location(bytecode_writer *w, bw_cursor *c);

static bool read_number(bytecode_writer *w, bw_cursor *c, uint64_t *out) {
  int64_t value;
  bc_slice word = bw_word(c);
  if (!bw_int(word, &value) || value < 0)
    return bw_fail(w, c->at, "expected a number of a line or column");
  *out = (uint64_t)value;
  return true;
}

// "file":12:7, or a range: "file":12:7 to :9, "file":12:7 to 13:9.
static uint32_t read_file(bytecode_writer *w, bw_cursor *c, bc_slice file) {
  uint64_t n[4];
  uint32_t count = 2;
  if (!read_number(w, c, &n[0]) || !bw_accept(c, ":") || !read_number(w, c, &n[1]))
    return bw_fail(w, c->at, "expected a line and a column"), BW_NONE;
  if (bw_accept(c, "to")) {
    if (bw_peek(c) != ':' && !read_number(w, c, &n[count++])) return BW_NONE;
    if (bw_accept(c, ":") && !read_number(w, c, &n[count++])) return BW_NONE;
  }
  bool range = count > 2 && w->release >= RANGES_SINCE;
  uint32_t name = bw_string_attr(w, file);
  shape_strbuf out = begin(w, range ? BUILTIN_FILE_RANGE_LOC : BUILTIN_FILE_LOC);
  bw_varint(&out, name);
  if (range) bw_varint(&out, count);
  for (uint32_t i = 0; i < (range ? count : 2); i++) bw_varint(&out, n[i]);
  return add(w, &out);
}

// "file":12:7, "name", or "name"(location)
static uint32_t read_text(bytecode_writer *w, bw_cursor *c) {
  const char *from = c->at;
  bw_skip_one(c);
  bc_slice text = bw_unquote(w->arena, (bc_slice){from, (uint32_t)(c->at - from)});
  if (bw_accept(c, ":")) return read_file(w, c, text);
  uint32_t child;
  if (bw_accept(c, "(")) {
    child = read_location(w, c);
    if (!bw_accept(c, ")")) return bw_fail(w, c->at, "expected ')'"), BW_NONE;
  } else {
    child = unknown(w);
  }
  uint32_t name = bw_string_attr(w, text);
  shape_strbuf out = begin(w, BUILTIN_NAME_LOC);
  bw_varint(&out, name);
  bw_varint(&out, child);
  return add(w, &out);
}

static uint32_t read_fused(bytecode_writer *w, bw_cursor *c) {
  uint32_t metadata = BW_NONE, count = 0;
  if (bw_peek(c) == '<') {
    bc_slice inside;
    if (!bw_brackets(c, &inside)) return bw_fail(w, c->at, "expected '>'"), BW_NONE;
    metadata = bw_attr(w, inside);
  }
  if (!bw_accept(c, "[")) return bw_fail(w, c->at, "expected '['"), BW_NONE;
  shape_strbuf list,
      out = begin(w, metadata == BW_NONE ? BUILTIN_FUSED_LOC : BUILTIN_FUSED_LOC_METADATA);
  strbuf_init(&list, w->arena);
  while (bw_peek(c) != ']' && !w->failed) {
    bw_varint(&list, read_location(w, c));
    count++;
    if (!bw_accept(c, ",") && bw_peek(c) != ']') bw_fail(w, c->at, "expected ']'");
  }
  bw_accept(c, "]");
  bw_varint(&out, count);
  strbuf_add(&out, list.data, list.length);
  if (metadata != BW_NONE) bw_varint(&out, metadata);
  return add(w, &out);
}

static uint32_t read_call_site(bytecode_writer *w, bw_cursor *c) {
  if (!bw_accept(c, "(")) return bw_fail(w, c->at, "expected '('"), BW_NONE;
  uint32_t callee = read_location(w, c);
  if (!bw_accept(c, "at")) return bw_fail(w, c->at, "expected 'at'"), BW_NONE;
  uint32_t caller = read_location(w, c);
  if (!bw_accept(c, ")")) return bw_fail(w, c->at, "expected ')'"), BW_NONE;
  shape_strbuf out = begin(w, BUILTIN_CALL_SITE_LOC);
  bw_varint(&out, callee);
  bw_varint(&out, caller);
  return add(w, &out);
}

// An alias, or a location of a dialect's own: #dialect.name<...>.
static uint32_t read_named(bytecode_writer *w, bw_cursor *c) {
  const char *from = c->at++;
  bc_slice inside;
  bw_word(c);
  bc_slice name = {from, (uint32_t)(c->at - from)}, meant = bw_expand(w, name);
  if (!bc_same(meant, name)) return bw_location(w, meant);
  if (!memchr(name.text, '.', name.length))
    return bw_fail(w, from, "this alias of a location is not defined"), BW_NONE;
  if (bw_peek(c) == '<' && !bw_brackets(c, &inside))
    return bw_fail(w, c->at, "expected '>'"), BW_NONE;
  return bw_assembly(w, &w->attrs, (bc_slice){from, (uint32_t)(c->at - from)});
}

static uint32_t read_location(bytecode_writer *w, bw_cursor *c) {
  uint32_t made = BW_NONE;
  if (w->failed) return BW_NONE;
  if (w->depth >= BW_DEPTH)
    return bw_refuse(w, "expected a location to be nested at most %d deep, found more", BW_DEPTH),
           BW_NONE;
  w->depth++;
  char first = bw_peek(c);
  if (first == '"') {
    made = read_text(w, c);
  } else if (first == '#') {
    made = read_named(w, c);
  } else if (bw_accept(c, "callsite")) {
    made = read_call_site(w, c);
  } else if (bw_accept(c, "fused")) {
    made = read_fused(w, c);
  } else if (bw_accept(c, "unknown")) {
    made = unknown(w);
  } else if (bw_accept(c, "loc")) {
    bw_accept(c, "(");
    made = read_location(w, c);
    bw_accept(c, ")");
  } else {
    bw_fail(w, c->at, "expected a location");
  }
  assert(w->depth > 0);
  w->depth--;
  return made;
}

// Of the text within loc(...), or of an alias' text, which has the word.
uint32_t bw_location(bytecode_writer *w, bc_slice text) {
  bool vhlo = w->vhlo;
  uint32_t made;
  uint64_t key = (uint64_t)intern_add(&w->spellings, text.text, text.length) << 3 | 2;
  if (imap_get(&w->encoded, key, &made)) return made;
  w->vhlo = false;  // a location is builtin's
  bw_cursor c = bw_open(text);
  made = text.length ? read_location(w, &c) : unknown(w);
  w->vhlo = vhlo;
  assert(w->failed || made < w->attrs.keys.count);
  if (!w->failed) imap_put(&w->encoded, w->arena, key, made);
  return made;
}
