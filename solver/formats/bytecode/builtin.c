// SPDX-License-Identifier: Apache-2.0
// Attributes of the builtin dialect. Format: BuiltinDialectBytecode.td.
#include <assert.h>

#include "solver/formats/bytecode/reader.h"

static bool is_location_code(uint64_t code) {
  return (code >= BUILTIN_CALL_SITE_LOC && code <= BUILTIN_UNKNOWN_LOC) ||
         code == BUILTIN_FILE_RANGE_LOC;
}

static bool is_location(bc_reader *r, uint32_t attr) {
  uint64_t code;
  bc_cursor c;
  if (attr < r->attrs.count && r->attrs.entries[attr].is_location) return true;
  bool is = bc_open_attr(r, attr, "builtin", &code, &c) && is_location_code(code);
  if (is) r->attrs.entries[attr].is_location = true;
  return is;
}

static bc_slice string_of(bc_cursor *c, const char *what) {
  bc_slice text = {"", 0};
  size_t at = bc_offset(c);
  uint32_t attr = bc_attr(c);
  if (!c->r->failed && !bc_string_attr(c->r, attr, &text))
    bc_fail(c->r, at, "expected %s, found attribute %u, which is no string", what, attr);
  return text;
}

void bc_put_attr_list(bc_cursor *c, shape_strbuf *out) {
  uint32_t count = bc_count(c, "attributes");
  strbuf_putc(out, '[');
  for (uint32_t i = 0; i < count && !c->r->failed; i++) {
    if (i) strbuf_puts(out, ", ");
    bc_put_attr(c->r, out, bc_attr(c));
  }
  strbuf_putc(out, ']');
}

void bc_put_dictionary(bc_cursor *c, shape_strbuf *out) {
  uint32_t count = bc_count(c, "entries");
  strbuf_putc(out, '{');
  for (uint32_t i = 0; i < count && !c->r->failed; i++) {
    if (i) strbuf_puts(out, ", ");
    bc_put_key(out, string_of(c, "the key of an entry"));
    strbuf_puts(out, " = ");
    bc_put_attr(c->r, out, bc_attr(c));
  }
  strbuf_putc(out, '}');
}

static void put_symbols(bc_cursor *c, shape_strbuf *out) {
  bc_put_symbol(out, string_of(c, "the name of a symbol"));
  uint32_t count = bc_count(c, "symbols");
  for (uint32_t i = 0; i < count && !c->r->failed; i++) {
    uint64_t code;
    bc_cursor inner;
    size_t at = bc_offset(c);
    uint32_t attr = bc_attr(c);
    if (c->r->failed) return;
    if (!bc_open_attr(c->r, attr, "builtin", &code, &inner) || code != BUILTIN_FLAT_SYMBOL) {
      bc_fail(c->r, at, "expected a symbol, found attribute %u, which is none", attr);
      return;
    }
    strbuf_puts(out, "::");
    bc_put_symbol(out, string_of(&inner, "the name of a symbol"));
    if (!c->r->failed) bc_end(&inner, "a symbol");
  }
}

// --- locations

static void check_location(bc_reader *r, size_t at, uint32_t attr) {
  if (is_location(r, attr)) return;
  if (bc_is(r->dialects.items[r->attrs.entries[attr].dialect], "builtin"))
    bc_fail(r, at, "expected a location, found attribute %u, which is none", attr);
}

uint32_t bc_location(bc_cursor *c) {
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  uint32_t attr = bc_index(c, r->attrs.count, "attributes");
  if (!r->failed && !r->attrs.entries[attr].is_location) check_location(r, at, attr);
  return attr;
}

static void put_inner_location(bc_cursor *c, shape_strbuf *out) {
  uint32_t attr = bc_location(c);
  if (c->r->failed) return;
  if (!is_location(c->r, attr)) {
    strbuf_puts(out, "unknown");  // a dialect's own has no text here
    return;
  }
  // An entry is loc(...); inside of another one it has no `loc`.
  bc_slice text = bc_attr_text(c->r, attr);
  if (text.length > 5) strbuf_add(out, text.text + 4, text.length - 5);
}

static void put_fused(bc_cursor *c, shape_strbuf *out, bool metadata) {
  uint32_t count = bc_count(c, "locations");
  shape_strbuf items;
  strbuf_init(&items, c->r->arena);
  for (uint32_t i = 0; i < count && !c->r->failed; i++) {
    if (i) strbuf_puts(&items, ", ");
    put_inner_location(c, &items);
  }
  strbuf_puts(out, "fused");
  if (metadata) {
    strbuf_putc(out, '<');
    bc_put_attr(c->r, out, bc_attr(c));
    strbuf_putc(out, '>');
  }
  strbuf_putc(out, '[');
  strbuf_add(out, items.data, items.length);
  strbuf_putc(out, ']');
}

static void put_range(bc_cursor *c, shape_strbuf *out) {
  uint64_t n[4];
  bc_put_quoted(out, string_of(c, "the name of a file"));
  size_t at = bc_offset(c);
  uint32_t count = bc_count(c, "numbers");
  if (count > 4)
    bc_fail(c->r, at, "expected at most 4 numbers in a range of lines, found %u", count);
  for (uint32_t i = 0; i < count && !c->r->failed; i++) n[i] = bc_varint(c);
  if (c->r->failed) return;
  strbuf_printf(out, ":%llu:%llu", (unsigned long long)(count > 0 ? n[0] : 0),
                (unsigned long long)(count > 1 ? n[1] : 0));
  if (count == 3) strbuf_printf(out, " to :%llu", (unsigned long long)n[2]);
  if (count == 4)
    strbuf_printf(out, " to %llu:%llu", (unsigned long long)n[2], (unsigned long long)n[3]);
}

static void put_location(bc_cursor *c, shape_strbuf *out, uint64_t code) {
  assert(is_location_code(code));
  strbuf_puts(out, "loc(");
  switch (code) {
  case BUILTIN_CALL_SITE_LOC:
    strbuf_puts(out, "callsite(");
    put_inner_location(c, out);
    strbuf_puts(out, " at ");
    put_inner_location(c, out);
    strbuf_putc(out, ')');
    break;
  case BUILTIN_FILE_LOC: {
    bc_put_quoted(out, string_of(c, "the name of a file"));
    uint64_t line = bc_varint(c), column = bc_varint(c);
    strbuf_printf(out, ":%llu:%llu", (unsigned long long)line, (unsigned long long)column);
    break;
  }
  case BUILTIN_FUSED_LOC: put_fused(c, out, false); break;
  case BUILTIN_FUSED_LOC_METADATA: put_fused(c, out, true); break;
  case BUILTIN_NAME_LOC: {
    bc_put_quoted(out, string_of(c, "the name of a location"));
    uint32_t begin = out->length;
    strbuf_putc(out, '(');
    put_inner_location(c, out);
    strbuf_putc(out, ')');
    static const char NONE[] = "(unknown)";
    if (out->length - begin == sizeof NONE - 1 &&
        memcmp(out->data + begin, NONE, sizeof NONE - 1) == 0)
      out->length = begin;
    break;
  }
  case BUILTIN_FILE_RANGE_LOC: put_range(c, out); break;
  default: strbuf_puts(out, "unknown"); break;
  }
  strbuf_putc(out, ')');
}

// --- the rest

static void put_resource(bc_cursor *c, shape_strbuf *out) {
  uint32_t type = bc_type(c);
  uint32_t handle = bc_index(c, c->r->resources.count, "resources");
  if (c->r->failed) return;
  bc_slice key = c->r->strings.items[c->r->resources.items[handle].key];
  strbuf_puts(out, "dense_resource<");
  bc_put_key(out, key);
  strbuf_puts(out, "> : ");
  bc_put_type(c->r, out, type);
}

static void put_sparse(bc_cursor *c, shape_strbuf *out) {
  uint32_t type = bc_type(c), indices = bc_attr(c), values = bc_attr(c);
  strbuf_puts(out, "sparse<");
  bc_slice parts[2] = {bc_attr_text(c->r, indices), bc_attr_text(c->r, values)};
  for (int i = 0; i < 2 && !c->r->failed; i++) {
    // dense<BODY> : type; what is wanted is the body.
    const char *text = parts[i].text, *end = text + parts[i].length;
    const char *close = NULL;
    for (const char *at = text; at + 3 < end; at++) {
      if (memcmp(at, "> : ", 4) == 0) close = at;
    }
    if (parts[i].length < 7 || memcmp(text, "dense<", 6) != 0 || !close) {
      bc_fail(
          c->r, bc_offset(c),
          "expected dense elements as the parts of a sparse attribute, found another attribute");
      return;
    }
    if (i) strbuf_puts(out, ", ");
    strbuf_add(out, text + 6, (size_t)(close - text - 6));
  }
  strbuf_puts(out, "> : ");
  bc_put_type(c->r, out, type);
}

void bc_builtin_attr(bc_cursor *c, shape_strbuf *out, uint32_t self) {
  size_t at = bc_offset(c);
  uint64_t code = bc_varint(c);
  if (c->r->failed) return;
  if (is_location_code(code)) {
    put_location(c, out, code);
    return;
  }
  switch (code) {
  case BUILTIN_ARRAY: bc_put_attr_list(c, out); break;
  case BUILTIN_DICTIONARY: bc_put_dictionary(c, out); break;
  case BUILTIN_STRING: bc_put_quoted(out, bc_string(c)); break;
  case BUILTIN_TYPED_STRING:
    bc_put_quoted(out, bc_string(c));
    strbuf_puts(out, " : ");
    bc_put_type(c->r, out, bc_type(c));
    break;
  case BUILTIN_FLAT_SYMBOL: bc_put_symbol(out, string_of(c, "the name of a symbol")); break;
  case BUILTIN_SYMBOL: put_symbols(c, out); break;
  case BUILTIN_TYPE: bc_put_type(c->r, out, bc_type(c)); break;
  case BUILTIN_UNIT: strbuf_puts(out, "unit"); break;
  case BUILTIN_INTEGER: bc_typed_int(c, out); break;
  case BUILTIN_FLOAT: bc_typed_float(c, out); break;
  case BUILTIN_RESOURCE: put_resource(c, out); break;
  case BUILTIN_DENSE_ARRAY: bc_dense_array(c, out); break;
  case BUILTIN_DENSE: bc_dense(c, out, false); break;
  case BUILTIN_DENSE_STRINGS: bc_dense_strings(c, out); break;
  case BUILTIN_SPARSE: put_sparse(c, out); break;
  case BUILTIN_DISTINCT:
    strbuf_printf(out, "distinct[%u]<", self);
    bc_put_attr(c->r, out, bc_attr(c));
    strbuf_putc(out, '>');
    break;
  default:
    bc_fail(c->r, at, "the builtin dialect has no attribute %llu: it may be of a newer release",
            (unsigned long long)code);
    break;
  }
}
