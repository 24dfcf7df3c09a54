// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/textproto.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200, MAX_WORD = 512 };

typedef enum message_kind {
  NONE,  // not known: its fields are stepped over
  MODEL,
  OPSET,
  ENTRY,
  GRAPH,
  NODE,
  ATTRIBUTE,
  TENSOR,
  SPARSE,
  VALUE_INFO,
  TYPE,
  TENSOR_TYPE,
  CONTAINER,
  MAP,
  SHAPE,
  DIM,
  APPLICATION,
  FUNCTION
} message_kind;

typedef enum field_kind { SKIPPED, INTEGER, FLOAT, DOUBLE, BYTES, MESSAGE } field_kind;

typedef struct field_row {
  message_kind message;
  const char *name;
  uint32_t number;
  field_kind kind;
  message_kind of;
} field_row;

static const field_row FIELDS[] = {
#define X(message, name, number, kind, of) {message, name, number, kind, of},
#include "solver/formats/onnx/textproto.def"
#undef X
};

// Numbers by name: of AttributeProto.AttributeType and TensorProto.DataLocation, and booleans.
static const struct {
  const char *name;
  uint64_t value;
} WORDS[] = {{"UNDEFINED", 0},       {"FLOAT", 1},       {"INT", 2},          {"STRING", 3},
             {"TENSOR", 4},          {"GRAPH", 5},       {"FLOATS", 6},       {"INTS", 7},
             {"STRINGS", 8},         {"TENSORS", 9},     {"GRAPHS", 10},      {"SPARSE_TENSOR", 11},
             {"SPARSE_TENSORS", 12}, {"TYPE_PROTO", 13}, {"TYPE_PROTOS", 14}, {"DEFAULT", 0},
             {"EXTERNAL", 1},        {"true", 1},        {"false", 0}};

static bool is_word_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '+' || c == '-';
}

// Names and numbers, signs of exponents included.
static text_word next_word(text_reader *r) {
  text_peek(r);
  text_word w = {r->at, 0};
  while (r->at < r->end && is_word_part(*r->at)) r->at++;
  w.length = (size_t)(r->at - w.text);
  return w;
}

static const field_row *find_field(message_kind message, text_word name) {
  for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
    const field_row *f = &FIELDS[i];
    if (f->message == message && text_is(name, f->name)) return f;
  }
  return NULL;
}

// --- scalars

static bool read_integer(text_reader *r, const field_row *field) {
  char copy[MAX_WORD], *end;
  bool negative = text_accept(r, '-');
  text_word w = next_word(r);
  uint64_t value = 0;
  if (!w.length || w.length >= sizeof copy) return text_fail(r, "expected an integer");
  bool found = false;
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS && !found; i++) {
    found = !negative && text_is(w, WORDS[i].name);
    if (found) value = WORDS[i].value;
  }
  if (!found) {
    memcpy(copy, w.text, w.length);
    copy[w.length] = 0;
    errno = 0;
    if (copy[0] >= '0' && copy[0] <= '9') value = strtoull(copy, &end, 0);
    if (copy[0] < '0' || copy[0] > '9' || *end || errno ||
        (negative && value > (uint64_t)INT64_MAX + 1)) {
      r->at = w.text;
      return text_fail(r, "expected an integer of 64 bits");
    }
  }
  encode_integer(r->out, field->number, negative ? 0 - value : value);
  return true;
}

static bool read_float(text_reader *r, const field_row *field) {
  char copy[MAX_WORD], *end;
  bool negative = text_accept(r, '-');
  text_word w = next_word(r);
  if (w.length && (w.text[w.length - 1] == 'f' || w.text[w.length - 1] == 'F') && w.text[0] <= '9')
    w.length--;
  if (!w.length || w.length >= sizeof copy) return text_fail(r, "expected a number");
  memcpy(copy, w.text, w.length);
  copy[w.length] = 0;
  double value = strtod(copy, &end);
  if (*end) {
    r->at = w.text;
    return text_fail(r, "expected a number");
  }
  if (negative) value = -value;
  (field->kind == DOUBLE ? encode_double : encode_float)(r->out, field->number, value);
  return true;
}

static int digit_of(char c, int base) {
  int d = c >= '0' && c <= '9'   ? c - '0'
          : c >= 'a' && c <= 'f' ? c - 'a' + 10
          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                 : base;
  return d < base ? d : -1;
}

// At most `most` digits; false where there is none.
static bool digits(text_reader *r, int base, int most, uint32_t *value) {
  const char *from = r->at;
  *value = 0;
  while (r->at < r->end && r->at - from < most && digit_of(*r->at, base) >= 0)
    *value = *value * (uint32_t)base + (uint32_t)digit_of(*r->at++, base);
  return r->at != from;
}

static void put_utf8(shape_strbuf *out, uint32_t c) {
  unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const unsigned HEADS[] = {0, 0xc0, 0xe0, 0xf0};
  strbuf_putc(out, (char)(HEADS[more] | c >> (6 * more)));
  while (more--) strbuf_putc(out, (char)(0x80 | ((c >> (6 * more)) & 0x3f)));
}

// After a backslash.
static bool escape(text_reader *r) {
  static const char FROM[] = "abfnrtv", TO[] = "\a\b\f\n\r\t\v";
  if (r->at == r->end) return text_fail(r, "expected the end of the string");
  char c = *r->at++;
  const char *plain = c ? strchr(FROM, c) : NULL;
  uint32_t value;
  if (plain) {
    strbuf_putc(r->out, TO[plain - FROM]);
  } else if (c == 'x' || c == 'X') {
    if (!digits(r, 16, 2, &value)) return text_fail(r, "expected hexadecimal digits");
    strbuf_putc(r->out, (char)value);
  } else if (c == 'u' || c == 'U') {
    if (!digits(r, 16, c == 'u' ? 4 : 8, &value) || value > 0x10ffff)
      return text_fail(r, "expected a character of Unicode");
    put_utf8(r->out, value);
  } else if (digit_of(c, 8) >= 0) {
    r->at--;
    (void)digits(r, 8, 3, &value);
    strbuf_putc(r->out, (char)value);
  } else {
    strbuf_putc(r->out, c);
  }
  return true;
}

// One or more strings, which are joined, as bytes without their length.
static bool strings(text_reader *r) {
  if (text_peek(r) != '"' && text_peek(r) != '\'') return text_fail(r, "expected a string");
  while (text_peek(r) == '"' || text_peek(r) == '\'') {
    char quote = *r->at++;
    for (;;) {
      const char *from = r->at;
      while (r->at < r->end && *r->at != quote && *r->at != '\\' && *r->at != '\n') r->at++;
      strbuf_add(r->out, from, (size_t)(r->at - from));
      if (r->at == r->end || *r->at == '\n') return text_fail(r, "expected the end of the string");
      if (*r->at++ == quote) break;
      if (!escape(r)) return false;
    }
  }
  return true;
}

static bool read_bytes(text_reader *r, const field_row *field) {
  uint32_t from = encode_open(r->out, field->number);
  if (!strings(r)) return false;
  encode_close(r->out, from);
  return true;
}

// --- messages

static bool read_fields(text_reader *r, message_kind message, char close);

static bool read_message(text_reader *r, const field_row *field) {
  char close = text_accept(r, '{') ? '}' : text_accept(r, '<') ? '>' : 0;
  if (!close) return text_fail(r, "expected '{'");
  if (r->depth == MAX_DEPTH)
    return text_fail(r, "expected messages to be nested at most 200 deep, found more");
  uint32_t from = field->kind == MESSAGE ? encode_open(r->out, field->number) : 0;
  r->depth++;
  if (!read_fields(r, field->of, close)) return false;
  r->depth--;
  if (field->kind == MESSAGE) encode_close(r->out, from);
  return true;
}

// A value of a field that is not known; what strings hold is dropped again.
static bool skip_scalar(text_reader *r) {
  char c = text_peek(r);
  uint32_t length = r->out->length;
  if (c == '"' || c == '\'') {
    bool ok = strings(r);
    r->out->length = length;
    return ok;
  }
  return next_word(r).length || text_fail(r, "expected a value");
}

static bool read_value(text_reader *r, const field_row *field) {
  char c = text_peek(r);
  budget_take(r->budget, 1);
  switch (field->kind) {
  case INTEGER: return read_integer(r, field);
  case FLOAT:
  case DOUBLE: return read_float(r, field);
  case BYTES: return read_bytes(r, field);
  case MESSAGE: return read_message(r, field);
  case SKIPPED: return c == '{' || c == '<' ? read_message(r, field) : skip_scalar(r);
  }
  return false;
}

static bool read_list(text_reader *r, const field_row *field) {
  if (text_accept(r, ']')) return true;
  do {
    if (!read_value(r, field)) return false;
  } while (text_accept(r, ','));
  return text_accept(r, ']') || text_fail(r, "expected ']'");
}

// [name.of.an/extension]
static bool read_name(text_reader *r, text_word *name) {
  if (!text_accept(r, '[')) {
    *name = next_word(r);
    return name->length || text_fail(r, "expected the name of a field");
  }
  const char *close = memchr(r->at, ']', (size_t)(r->end - r->at));
  if (!close) return text_fail(r, "expected ']'");
  r->at = close + 1;
  *name = (text_word){"", 0};
  return true;
}

// Fields until `close`; 0: until the end of the text.
static bool read_fields(text_reader *r, message_kind message, char close) {
  static const field_row UNKNOWN = {NONE, "", 0, SKIPPED, NONE};
  for (;;) {
    char c = text_peek(r);
    text_word name;
    if (c == close) {
      if (c) r->at++;
      return true;
    }
    if (!c) return text_fail(r, close == '}' ? "expected '}'" : "expected '>'");
    if (!read_name(r, &name)) return false;
    const field_row *field = find_field(message, name);
    if (!field) field = &UNKNOWN;
    bool colon = text_accept(r, ':');
    c = text_peek(r);
    if (!colon && c != '{' && c != '<') return text_fail(r, "expected ':'");
    if (c == '[') {
      r->at++;
      if (!read_list(r, field)) return false;
    } else if (!read_value(r, field)) {
      return false;
    }
    if (!text_accept(r, ',')) text_accept(r, ';');
  }
}

bool textproto_recognise(const char *text, size_t length) {
  text_error error;
  text_reader r = text_open(text, length, NULL, NULL, &error);
  const field_row *field = find_field(MODEL, next_word(&r));
  if (!field) return false;
  if (field->kind != MESSAGE) return text_accept(&r, ':');
  text_accept(&r, ':');
  char c = text_peek(&r);
  return c == '{' || c == '<' || c == '[';
}

bool textproto_read(const char *text, size_t length, shape_budget *budget, shape_strbuf *out,
                    text_error *error) {
  text_reader r = text_open(text, length, budget, out, error);
  return read_fields(&r, MODEL, 0);
}
