// SPDX-License-Identifier: Apache-2.0
// The text of an attribute or a type, which is made where something names it and kept where it is short.
#include <assert.h>

#include "solver/base/utf8.h"
#include "solver/formats/bytecode/reader.h"

enum { KEPT = 4096 };  // longest text that is kept

// What one entry may need: entries that hold others twice each could double at every level.
static uint64_t longest(const bc_reader *r) {
  return (r->whole ? UINT64_C(256) << 20 : UINT64_C(1) << 20) + 16 * (uint64_t)r->length;
}

void bc_put_quoted(shape_strbuf *out, bc_slice text) {
  strbuf_putc(out, '"');
  for (uint32_t i = 0; i < text.length; i++) {
    unsigned char c = (unsigned char)text.text[i];
    if (c < 0x20 || c == '"' || c == '\\' || c >= 0x7f) {
      static const char DIGITS[] = "0123456789ABCDEF";
      char escape[3] = {'\\', DIGITS[c >> 4], DIGITS[c & 15]};
      strbuf_add(out, escape, 3);
    } else {
      strbuf_putc(out, (char)c);
    }
  }
  strbuf_putc(out, '"');
}

static bool is_bare(bc_slice text, const char *more) {
  for (uint32_t i = 0; i < text.length; i++) {
    char c = text.text[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool digit = c >= '0' && c <= '9';
    if (!letter && !(i && (digit || (c && strchr(more, c))))) return false;
  }
  return text.length > 0;
}

void bc_put_key(shape_strbuf *out, bc_slice text) {
  if (is_bare(text, ".$")) {
    strbuf_add(out, text.text, text.length);
  } else {
    bc_put_quoted(out, text);
  }
}

void bc_put_symbol(shape_strbuf *out, bc_slice text) {
  strbuf_putc(out, '@');
  if (is_bare(text, ".$-")) {
    strbuf_add(out, text.text, text.length);
  } else {
    bc_put_quoted(out, text);
  }
}

static bc_cursor cursor_of(bc_reader *r, const bc_entry *entry) {
  assert((size_t)entry->at + entry->size <= r->length);
  return bc_range(r, entry->at, entry->size);
}

// --- assembly text: what stays balanced cannot end early what it is put into

static size_t skip_string(const unsigned char *text, size_t i, size_t length) {
  for (i++; i < length && text[i] != '"' && text[i] != '\n'; i++) i += text[i] == '\\';
  return i;
}

static bool is_balanced(const unsigned char *text, size_t length, size_t *at) {
  enum { DEEPEST = 64 };
  char open[DEEPEST];
  unsigned depth = 0;
  assert(length > 0);
  size_t i = 0;
  for (; i < length;) {
    unsigned step = utf8_sequence(text + i, length - i);
    char c = (char)text[i], top = depth ? open[depth - 1] : 0;
    *at = i;
    if (!step || (text[i] < 0x20 && c != '\n' && c != '\t' && c != '\r')) return false;
    if (c == '"') {
      i = skip_string(text, i, length);
      if (i >= length || text[i] != '"') return false;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (depth == DEEPEST) return false;
      open[depth++] = c;
    } else if (c == ')' || c == ']' || c == '}') {
      if (top != (c == ')' ? '(' : c == ']' ? '[' : '{')) return false;
      depth--;
    } else if (c == '>' && top == '<') {
      depth--;
    } else if (c == '-' && i + 1 < length && text[i + 1] == '>') {
      i++;
    } else if (!depth && strchr(",=%^>", c)) {
      return false;
    } else if (c == '/' && i + 1 < length && text[i + 1] == '/') {
      return false;
    }
    i += step;
  }
  *at = i;
  return !depth;
}

static void put_assembly(bc_cursor *c, shape_strbuf *out, const char *what) {
  bc_reader *r = c->r;
  size_t at, begin = bc_offset(c), size = bc_left(c);
  const unsigned char *text = c->at;
  if (!size || text[size - 1]) {
    bc_fail(r, begin, "the assembly text of %s does not end in a byte 0", what);
    return;
  }
  if (size == 1) {
    bc_fail(r, begin, "the assembly text of %s is empty", what);
    return;
  }
  c->at = c->end;
  r->assembled = true;
  if (!is_balanced(text, size - 1, &at)) {
    bc_fail(r, begin + at, "unexpected byte 0x%02x in the assembly text of %s",
            at < size ? text[at] : 0, what);
    return;
  }
  strbuf_add(out, (const char *)text, size - 1);
}

// --- entries

// What only the dialect can decode, by its number. The name is text of the program here, so it must be a word.
static void put_number(bc_cursor *c, shape_strbuf *out, bc_slice dialect, const char *mark,
                       uint32_t index) {
  if (!is_bare(dialect, "$"))
    bc_fail(c->r, bc_offset(c), "expected a word as the name of the dialect, found another text");
  strbuf_printf(out, "%c%.*s.%s<%u>", mark[0], (int)dialect.length, dialect.text, mark + 1, index);
  c->at = c->end;
}

static void put_own_attr(bc_cursor *c, shape_strbuf *out, bc_slice dialect, uint32_t index) {
  if (bc_is(dialect, "builtin")) {
    bc_builtin_attr(c, out, index);
  } else if (bc_is(dialect, "stablehlo")) {
    bc_coded_attr(c, out, "stablehlo");
  } else if (bc_is(dialect, "vhlo")) {
    bc_coded_attr(c, out, "vhlo");
  } else if (bc_is(dialect, "chlo")) {
    bc_coded_attr(c, out, "chlo");
  } else {
    put_number(c, out, dialect, "#e", index);
  }
}

static void put_own_type(bc_cursor *c, shape_strbuf *out, bc_slice dialect, uint32_t index) {
  if (bc_is(dialect, "builtin")) {
    bc_builtin_type(c, out);
  } else if (bc_is(dialect, "stablehlo")) {
    bc_stablehlo_type(c, out);
  } else if (bc_is(dialect, "vhlo")) {
    bc_vhlo_type(c, out);
  } else if (bc_is(dialect, "quant")) {
    bc_quant_type(c, out);
  } else {
    put_number(c, out, dialect, "!t", index);
  }
}

static void put_entry(bc_reader *r, shape_strbuf *out, bc_entry *entry, uint32_t index,
                      const char *what) {
  if (entry->text.text) {
    strbuf_add(out, entry->text.text, entry->text.length);
    return;
  }
  if (r->failed) return;
  if (entry->busy || r->depth >= BC_DEPTH) {
    if (entry->busy) {
      bc_fail(r, entry->at, "%s %u holds itself", what, index);
    } else {
      bc_fail(r, entry->at, "expected %s %u to be nested at most %d deep, found more", what, index,
              BC_DEPTH);
    }
    return;
  }
  uint32_t begin = out->length;
  bc_cursor c = cursor_of(r, entry);
  assert(entry->dialect < r->dialects.count);
  budget_take(r->budget, 1 + entry->size / 16);
  entry->busy = true;
  r->depth++;
  if (!entry->own) {
    put_assembly(&c, out, what);
  } else if (what[0] == 't') {
    put_own_type(&c, out, r->dialects.items[entry->dialect], index);
  } else {
    put_own_attr(&c, out, r->dialects.items[entry->dialect], index);
  }
  assert(r->depth > 0);
  r->depth--;
  entry->busy = false;
  if (r->failed) return;
  bc_end(&c, what);
  assert(out->length >= begin);
  uint32_t length = out->length - begin;
  if (length > longest(r)) bc_fail(r, entry->at, "the text of %s %u is too long", what, index);
  if (r->failed || length > KEPT) return;
  entry->text = (bc_slice){arena_strndup(r->arena, out->data + begin, length), length};
}

void bc_put_attr(bc_reader *r, shape_strbuf *out, uint32_t attr) {
  if (attr < r->attrs.count) put_entry(r, out, &r->attrs.entries[attr], attr, "attribute");
}

void bc_put_type(bc_reader *r, shape_strbuf *out, uint32_t type) {
  if (type < r->types.count) put_entry(r, out, &r->types.entries[type], type, "type");
}

static bc_slice text_of(bc_reader *r, bc_entry *entry, uint32_t index, const char *what) {
  if (entry->text.text) return entry->text;
  shape_strbuf buf;
  strbuf_init(&buf, r->arena);
  put_entry(r, &buf, entry, index, what);
  if (!entry->text.text && !r->failed) entry->text = (bc_slice){strbuf_text(&buf), buf.length};
  return entry->text.text ? entry->text : (bc_slice){"", 0};
}

bc_slice bc_type_text(bc_reader *r, uint32_t type) {
  if (type >= r->types.count) return (bc_slice){"", 0};
  return text_of(r, &r->types.entries[type], type, "type");
}

bc_slice bc_attr_text(bc_reader *r, uint32_t attr) {
  if (attr >= r->attrs.count) return (bc_slice){"", 0};
  return text_of(r, &r->attrs.entries[attr], attr, "attribute");
}

// --- entries as data

bool bc_open_attr(bc_reader *r, uint32_t attr, const char *dialect, uint64_t *code, bc_cursor *c) {
  if (attr >= r->attrs.count) return false;
  const bc_entry *entry = &r->attrs.entries[attr];
  assert(entry->dialect < r->dialects.count);
  if (!entry->own || !bc_is(r->dialects.items[entry->dialect], dialect)) return false;
  *c = cursor_of(r, entry);
  *code = bc_varint(c);
  return !r->failed;
}

bool bc_string_attr(bc_reader *r, uint32_t attr, bc_slice *out) {
  uint64_t code;
  bc_cursor c;
  bool found = bc_open_attr(r, attr, "builtin", &code, &c)
                   ? code == BUILTIN_STRING || code == BUILTIN_TYPED_STRING
                   : bc_open_attr(r, attr, "vhlo", &code, &c) && code == VHLO_STRING;
  if (found) *out = bc_string(&c);
  return found && !r->failed;
}
