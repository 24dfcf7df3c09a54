// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/syntax_scan.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/onnx/fields.h"

enum { MAX_NUMBER = 512 };
enum { OPAQUE_DOMAIN = 1, OPAQUE_NAME = 2, TYPE_PROTO_OPAQUE = 7 };

// By TensorProto.DataType.
static const char *const ELEMENTS[] = {"",
                                       "float",
                                       "uint8",
                                       "int8",
                                       "uint16",
                                       "int16",
                                       "int32",
                                       "int64",
                                       "string",
                                       "bool",
                                       "float16",
                                       "double",
                                       "uint32",
                                       "uint64",
                                       "complex64",
                                       "complex128",
                                       "bfloat16",
                                       "float8e4m3fn",
                                       "float8e4m3fnuz",
                                       "float8e5m2",
                                       "float8e5m2fnuz",
                                       "uint4",
                                       "int4",
                                       "float4e2m1",
                                       "float8e8m0",
                                       "uint2",
                                       "int2"};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool syntax_expect(text_reader *r, char c) {
  shape_strbuf message;
  if (text_accept(r, c)) return true;
  strbuf_init(&message, r->out->arena);
  strbuf_printf(&message, "expected '%c'", c);
  return text_fail(r, strbuf_text(&message));
}

bool syntax_expect_arrow(text_reader *r) {
  if (text_peek(r) != '=' || r->end - r->at < 2 || r->at[1] != '>')
    return text_fail(r, "expected '=>'");
  r->at += 2;
  return true;
}

text_word syntax_identifier(text_reader *r) {
  char c = text_peek(r);
  text_word w = {r->at, 0};
  if (is_alpha(c) || c == '_')
    while (r->at < r->end && (is_alpha(*r->at) || is_digit(*r->at) || *r->at == '_')) r->at++;
  w.length = (size_t)(r->at - w.text);
  return w;
}

text_word syntax_peek_identifier(text_reader *r) {
  text_word w = syntax_identifier(r);
  r->at = w.text;
  return w;
}

// A backslash is in front of a character that is meant as it is.
bool syntax_string(text_reader *r, uint32_t field) {
  if (text_peek(r) != '"') return text_fail(r, "expected a string");
  r->at++;
  uint32_t from = encode_open(r->out, field);
  for (;;) {
    const char *plain = r->at;
    while (r->at < r->end && *r->at != '"' && *r->at != '\\') r->at++;
    strbuf_add(r->out, plain, (size_t)(r->at - plain));
    if (r->at == r->end) return text_fail(r, "expected the end of the string");
    if (*r->at++ == '"') break;
    if (r->at == r->end) return text_fail(r, "expected the end of the string");
    strbuf_putc(r->out, *r->at++);
  }
  encode_close(r->out, from);
  return true;
}

bool syntax_name(text_reader *r, uint32_t field) {
  if (text_peek(r) == '"') return syntax_string(r, field);
  text_word w = syntax_identifier(r);
  if (!w.length) return text_fail(r, "expected a name: in quotes where it is no word");
  encode_bytes(r->out, field, w.text, w.length);
  return true;
}

// --- numbers

static bool is_special(text_word w) {
  static const char *const NAMES[] = {"nan", "inf", "infinity"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (strlen(NAMES[i]) != w.length) continue;
    size_t k = 0;
    while (k < w.length && (w.text[k] | 0x20) == NAMES[i][k]) k++;
    if (k == w.length) return true;
  }
  return false;
}

syntax_number syntax_number_next(text_reader *r, text_word *text) {
  bool decimal = false;
  text_peek(r);
  const char *from = r->at, *at = from;
  *text = (text_word){from, 0};
  if (at < r->end && *at == '-') at++;
  if (at < r->end && is_alpha(*at)) {
    text_reader rest = *r;
    rest.at = at;
    if (!is_special(syntax_identifier(&rest))) return NUMBER_NONE;
    at = rest.at;
    decimal = true;
  } else {
    if (at == r->end || !is_digit(*at)) return NUMBER_NONE;
    for (; at < r->end && (is_digit(*at) || (*at == '.' && !decimal)); at++)
      decimal = decimal || *at == '.';
    if (at < r->end && (*at == 'e' || *at == 'E')) {
      decimal = true;
      at++;
      if (at < r->end && (*at == '+' || *at == '-')) at++;
      while (at < r->end && is_digit(*at)) at++;
    }
  }
  r->at = at;
  text->length = (size_t)(at - from);
  return decimal ? NUMBER_FLOAT : NUMBER_INTEGER;
}

static bool copy_number(text_reader *r, text_word text, char *copy) {
  assert(text.text >= r->begin && text.text + text.length <= r->end);
  if (text.length >= MAX_NUMBER) {
    r->at = text.text;
    return text_fail(r, "expected a number of fewer than 512 characters");
  }
  memcpy(copy, text.text, text.length);
  copy[text.length] = 0;
  return true;
}

bool syntax_integer(text_reader *r, text_word text, uint64_t *value) {
  char copy[MAX_NUMBER], *end;
  bool negative = text.length && text.text[0] == '-';
  if (!copy_number(r, text, copy)) return false;
  errno = 0;
  uint64_t digits = strtoull(copy + negative, &end, 10);
  if (*end || errno || (negative && digits > (uint64_t)INT64_MAX + 1)) {
    r->at = text.text;
    return text_fail(r, "expected an integer of 64 bits");
  }
  *value = negative ? 0 - digits : digits;
  return true;
}

bool syntax_double(text_reader *r, text_word text, double *value) {
  char copy[MAX_NUMBER], *end;
  if (!copy_number(r, text, copy)) return false;
  *value = strtod(copy, &end);
  if (!*end) return true;
  r->at = text.text;
  return text_fail(r, "expected a number");
}

// --- types

uint32_t syntax_element(text_word name) {
  for (uint32_t i = 1; i < sizeof ELEMENTS / sizeof *ELEMENTS; i++)
    if (text_is(name, ELEMENTS[i])) return i;
  return 0;
}

bool syntax_is_type(text_word name) {
  static const char *const OTHERS[] = {"seq", "map", "optional", "sparse_tensor", "opaque"};
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
    if (text_is(name, OTHERS[i])) return true;
  return syntax_element(name) != 0;
}

static bool dim(text_reader *r) {
  uint32_t from = encode_open(r->out, SHAPE_DIM);
  char c = text_peek(r);
  text_word text;
  uint64_t value;
  if (c == '?') {
    r->at++;
  } else if (c == '"' || syntax_peek_identifier(r).length) {
    if (!syntax_name(r, DIM_PARAM)) return false;
  } else {
    if (syntax_number_next(r, &text) != NUMBER_INTEGER)
      return text_fail(r, "expected a dim: a number, a name or ?");
    if (!syntax_integer(r, text, &value)) return false;
    encode_integer(r->out, DIM_VALUE, value);
  }
  encode_close(r->out, from);
  return true;
}

// After the type of elements. No brackets: rank 0; empty ones: the rank is not known.
static bool tensor_type(text_reader *r, uint32_t field, uint32_t element) {
  uint32_t from = encode_open(r->out, field);
  encode_integer(r->out, TENSOR_TYPE_ELEM, element);
  bool brackets = text_accept(r, '[');
  if (!brackets || text_peek(r) != ']') {
    uint32_t shape = encode_open(r->out, TENSOR_TYPE_SHAPE);
    if (brackets) do {
        budget_take(r->budget, 1);
        if (!dim(r)) return false;
      } while (text_accept(r, ','));
    encode_close(r->out, shape);
  }
  if (brackets && !syntax_expect(r, ']')) return false;
  encode_close(r->out, from);
  return true;
}

static bool element_name(text_reader *r, uint32_t *element) {
  text_word name = syntax_identifier(r);
  *element = syntax_element(name);
  if (*element) return true;
  r->at = name.text;
  return text_fail(r, "expected an element type such as float");
}

static bool nested_type(text_reader *r, uint32_t field) {
  assert(r->depth <= SYNTAX_DEPTH);
  if (r->depth == SYNTAX_DEPTH)
    return text_fail(r, "expected types to be nested at most 100 deep, found more");
  r->depth++;
  uint32_t from = encode_open(r->out, field);
  if (!syntax_type(r)) return false;
  encode_close(r->out, from);
  r->depth--;
  return true;
}

static bool map_type(text_reader *r) {
  uint32_t key;
  if (!element_name(r, &key) || !syntax_expect(r, ',')) return false;
  encode_integer(r->out, MAP_KEY, key);
  return nested_type(r, MAP_VALUE);
}

// opaque(), opaque(name), opaque(domain, name)
static bool opaque_type(text_reader *r) {
  if (text_peek(r) == ')') return true;
  text_word first = syntax_identifier(r), part = first;
  while (part.length && text_accept(r, '.')) part = syntax_identifier(r);
  if (!part.length) return text_fail(r, "expected a name: in quotes where it is no word");
  first.length = (size_t)(r->at - first.text);
  bool has_domain = text_accept(r, ',');
  encode_bytes(r->out, has_domain ? OPAQUE_DOMAIN : OPAQUE_NAME, first.text, first.length);
  return !has_domain || syntax_name(r, OPAQUE_NAME);
}

bool syntax_type(text_reader *r) {
  uint32_t element;
  text_word name = syntax_identifier(r);
  budget_take(r->budget, 1);
  if (syntax_element(name)) return tensor_type(r, TYPE_PROTO_TENSOR, syntax_element(name));
  if (!syntax_is_type(name)) {
    r->at = name.text;
    return text_fail(r, "expected a type such as float[N, 3]");
  }
  if (!syntax_expect(r, '(')) return false;
  if (text_is(name, "sparse_tensor"))
    return element_name(r, &element) && tensor_type(r, TYPE_PROTO_SPARSE_TENSOR, element) &&
           syntax_expect(r, ')');
  uint32_t field = text_is(name, "seq")        ? TYPE_PROTO_SEQUENCE
                   : text_is(name, "map")      ? TYPE_PROTO_MAP
                   : text_is(name, "optional") ? TYPE_PROTO_OPTIONAL
                                               : TYPE_PROTO_OPAQUE;
  uint32_t from = encode_open(r->out, field);
  bool ok = field == TYPE_PROTO_MAP      ? map_type(r)
            : field == TYPE_PROTO_OPAQUE ? opaque_type(r)
                                         : nested_type(r, ELEMENT_TYPE);
  if (!ok || !syntax_expect(r, ')')) return false;
  encode_close(r->out, from);
  return true;
}
