// SPDX-License-Identifier: Apache-2.0
// dense<...> : type and array<type: ...>. The data is before its type: the body is passed over, the type read, and
// the body read then. Elements beyond DENSE_TRACKED are counted and checked but not kept.
// Grammar: MLIR Builtin dialect, DenseIntOrFPElementsAttr.
#include <assert.h>

#include "solver/formats/mlir/parser.h"

enum {
  DEEPEST = 64
};  // levels of brackets in a list of elements; the rank of a tensor that is written out

typedef struct dense_reader {
  type_id type;
  shape_dtype dtype;
  bool is_int, is_float;  // neither: elements are passed over
  uint64_t seen;          // elements so far
  uint32_t kept, capacity;
  int64_t *ints;
  double *floats;
  int64_t shape[DEEPEST];  // as inferred from the brackets; -1 not known yet
  uint32_t rank;
} dense_reader;

// All but `shape`, which is written before it is read.
static void reader_init(dense_reader *r) {
  r->type = TYPE_NONE;
  r->dtype = DTYPE_OTHER;
  r->is_int = r->is_float = false;
  r->seen = 0;
  r->kept = r->capacity = r->rank = 0;
  r->ints = NULL;
  r->floats = NULL;
}

static void keep(mlir_parser *p, dense_reader *r, int64_t value, double real) {
  if (r->kept >= DENSE_TRACKED || (!r->is_int && !r->is_float)) return;
  assert(r->kept <= r->capacity);
  if (r->capacity == 0) {  // most constants have one element
    r->ints = arena_alloc(p->g->arena, 2 * sizeof *r->ints);
    r->floats = (double *)r->ints;
    r->capacity = 2;
  } else if (r->kept == r->capacity) {
    uint32_t capacity = r->capacity;
    r->ints =
        arena_grow(p->g->arena, r->ints, r->kept, (size_t)r->kept + 1, &capacity, sizeof *r->ints);
    r->floats = (double *)r->ints;
    r->capacity = capacity;
  }
  if (r->is_int) {
    r->ints[r->kept] = value;
  } else {
    r->floats[r->kept] = real;
  }
  r->kept++;
}

static bool number_element(mlir_parser *p, dense_reader *r) {
  mlir_number number;
  if (!mlir_number_here(p, &number)) return mlir_expected(p, "an element");
  int64_t value = 0;
  double real = number.real;
  if (r->is_float) {
    if (!number.is_float && !number.is_hex) {
      return mlir_wrong(p, number.text, number.end,
                        "unexpected decimal integer literal for a floating point value");
    }
    if (number.is_hex && !mlir_number_bits(number.magnitude, r->dtype, &real)) r->is_float = false;
  } else if (r->is_int) {
    if (number.is_float) {
      return mlir_wrong(p, number.text, number.end,
                        "expected integer elements, but found a floating point literal");
    }
    if (!mlir_number_as(&number, r->dtype, &value)) {
      return mlir_wrong(p, number.text, number.end, "the integer does not fit in type '%s'",
                        dtype_name(r->dtype));
    }
  }
  keep(p, r, value, real);
  return true;
}

static bool complex_element(mlir_parser *p) {
  p->at++;  // '('
  mlir_number number;
  if (!mlir_number_here(p, &number)) return mlir_expected(p, "a number");
  if (!mlir_expect(p, ',')) return false;
  if (!mlir_number_here(p, &number)) return mlir_expected(p, "a number");
  return mlir_expect(p, ')');
}

static bool element(mlir_parser *p, dense_reader *r) {
  char c = mlir_peek(p);
  r->seen++;
  if (c == '(') {
    if (r->is_int || r->is_float) return mlir_expected(p, "an element");
    return complex_element(p);
  }
  if (c == '"') return mlir_skip_string(p);
  if (mlir_is_letter(c)) {
    const char *from = p->at;
    mlir_word word;
    mlir_word_here(p, &word);
    bool yes = mlir_word_is(word, "true");
    if (!yes && !mlir_word_is(word, "false")) {
      p->at = from;
      return mlir_expected(p, "an element");
    }
    if (r->dtype != DTYPE_I1 && (r->is_int || r->is_float)) {
      return mlir_wrong(p, from, p->at, "expected i1 type for 'true' or 'false' values");
    }
    keep(p, r, yes, 0);
    return true;
  }
  return number_element(p, r);
}

// Nested lists, without recursion. Every list of one level must be as long as the others of that level.
static bool nested_lists(mlir_parser *p, dense_reader *r) {
  int64_t counts[DEEPEST];
  uint32_t depth = 0;
  bool leaf_depth_known = false;
  for (;;) {
    char c = mlir_peek(p);
    const char *at = p->at;
    mlir_step(p);
    if (c == '[') {
      if (depth == DEEPEST || (leaf_depth_known && depth >= r->rank)) {
        return depth == DEEPEST ? mlir_syntax(p, at, "nested deeper than %d", DEEPEST)
                                : mlir_syntax(p, at, "ranks are not consistent between elements");
      }
      p->at++;
      if (!leaf_depth_known && depth >= r->rank) r->shape[r->rank++] = -1;
      counts[depth++] = 0;
      if (mlir_peek(p) != ']') continue;
    } else if (c != ']') {
      if (leaf_depth_known && depth != r->rank) {
        return mlir_syntax(p, at, "ranks are not consistent between elements");
      }
      leaf_depth_known = true;
      if (!element(p, r)) return false;
      counts[depth - 1]++;
    }
    while (mlir_accept(p, ']')) {
      int64_t count = counts[--depth];
      if (r->shape[depth] >= 0 && r->shape[depth] != count) {
        return mlir_syntax(p, p->at - 1, "lists of %lld and of %lld elements at the same level",
                           (long long)r->shape[depth], (long long)count);
      }
      r->shape[depth] = count;
      leaf_depth_known = true;
      if (depth == 0) return true;
      counts[depth - 1]++;
    }
    if (!mlir_expect(p, ',')) return false;
  }
}

static void put_shape(shape_strbuf *buf, const int64_t *dims, uint32_t rank) {
  strbuf_putc(buf, '[');
  for (uint32_t i = 0; i < rank; i++) {
    if (i) strbuf_puts(buf, ", ");
    strbuf_int(buf, dims[i]);
  }
  strbuf_putc(buf, ']');
}

static bool check_shape(mlir_parser *p, const dense_reader *r, const char *from, const char *to) {
  const graph_type *type = type_get(&p->g->types, r->type);
  bool same = type->rank == r->rank;
  for (uint32_t i = 0; same && i < r->rank; i++) same = type->dims[i] == r->shape[i];
  // dense<[]> is also how tensors with a 0 among several dims are written.
  if (!same && r->seen == 0) {
    for (uint32_t i = 0; i < type->rank; i++) same |= type->dims[i] == 0;
  }
  if (same) return true;
  shape_strbuf buf;
  strbuf_init(&buf, p->g->arena);
  put_shape(&buf, r->shape, r->rank);
  strbuf_puts(&buf, ") does not match type (");
  put_shape(&buf, type->dims, type->rank);
  return mlir_wrong(p, from, to, "inferred shape of elements literal (%s)", strbuf_text(&buf));
}

// --- hexadecimal blobs

static int nibble(char c) {
  return mlir_is_digit(c)         ? c - '0'
         : (c >= 'a' && c <= 'f') ? c - 'a' + 10
         : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                  : -1;
}

static uint64_t byte_at(const char *digits, uint64_t i) {
  return (uint64_t)(nibble(digits[2 * i]) * 16 + nibble(digits[2 * i + 1]));
}

static void decode_blob(mlir_parser *p, dense_reader *r, const char *digits, uint64_t count,
                        uint32_t width, bool bit_packed) {
  assert(width <= 8);
  if (count > DENSE_TRACKED) return;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t bits = 0;
    for (uint32_t b = 0; b < width; b++) bits |= byte_at(digits, i * width + b) << (8 * b);
    if (bit_packed) bits = byte_at(digits, i / 8) >> (i % 8) & 1;
    double real = 0;
    if (r->is_float && !mlir_number_bits(bits, r->dtype, &real)) r->is_float = false;
    int64_t value = (int64_t)bits;
    if (r->dtype == DTYPE_I1) {
      value = bits != 0;
    } else if (dtype_is_signed(r->dtype) && width < 8) {
      uint64_t sign = UINT64_C(1) << (8 * width - 1);
      value = (int64_t)((bits ^ sign) - sign);
    }
    keep(p, r, value, real);
  }
}

// "0x..." holds the elements in memory order, little-endian: all of them, or one for all. i1 is packed in
// bits or kept in bytes, by version of MLIR.
static bool hex_blob(mlir_parser *p, dense_reader *r, uint64_t elements, bool *splat) {
  const char *from = p->at;
  if (!mlir_skip_string(p)) return false;
  const char *digits = from + 3, *to = p->at - 1;
  if (to - from < 3 || from[1] != '0' || from[2] != 'x' || (to - digits) % 2) {
    return mlir_wrong(p, from, p->at, "expected a string of hexadecimal bytes, \"0x...\"");
  }
  for (const char *c = digits; c < to; c++) {
    if (nibble(*c) < 0) return mlir_wrong(p, c, c + 1, "expected a hexadecimal digit");
  }
  uint64_t bytes = (uint64_t)(to - digits) / 2;
  uint32_t bits = dtype_bits(r->dtype);
  if (!bits || r->dtype >= DTYPE_QUANTIZED) return true;  // the width is not known
  uint64_t width = (bits + 7) / 8;
  bool packed = r->dtype == DTYPE_I1 && bytes == (elements + 7) / 8 && bytes != elements;
  *splat = !packed && bytes == width && elements != 1;
  if (!packed && !*splat && (elements > UINT64_MAX / width || bytes != elements * width)) {
    return mlir_wrong(
        p, from, p->at, "the data has %llu bytes, the type needs %llu elements of %llu",
        (unsigned long long)bytes, (unsigned long long)elements, (unsigned long long)width);
  }
  r->seen = *splat ? 1 : elements;
  decode_blob(p, r, digits, *splat ? 1 : elements, (uint32_t)width, packed);
  return true;
}

// --- the attribute

static bool static_elements(const graph_type *type, uint64_t *count) {
  *count = 1;
  for (uint32_t i = 0; i < type->rank; i++) {
    if (!dim_is_static(type->dims[i])) return false;
    if (type->dims[i] == 0) {
      *count = 0;
    } else if (*count > UINT64_MAX / (uint64_t)type->dims[i]) {
      *count = UINT64_MAX;
    } else {
      *count *= (uint64_t)type->dims[i];
    }
  }
  return true;
}

static bool dense_body(mlir_parser *p, dense_reader *r, uint64_t elements, bool *splat) {
  const char *from = p->at;
  char c = mlir_peek(p);
  *splat = false;
  if (c == '>') {  // dense<>: no elements
    if (elements == 0) return true;
    return mlir_syntax(p, p->at, "expected elements: the type has %llu",
                       (unsigned long long)elements);
  }
  if (c == '"' && dtype_bits(r->dtype)) return hex_blob(p, r, elements, splat);
  if (c == '[') return nested_lists(p, r) && check_shape(p, r, from, p->at);
  *splat = true;
  return element(p, r);
}

// The tensor type of a dense attribute; a vector's is kept opaque and its data is not read.
static bool dense_type(mlir_parser *p, dense_reader *r, uint64_t *elements, bool *readable) {
  const char *from = (mlir_skip(p), p->at);
  if (!mlir_type(p, &r->type)) return false;
  const graph_type *type = type_get(&p->g->types, r->type);
  *readable = type->kind == TYPE_TENSOR;
  if (!*readable) {
    if (type->kind == TYPE_OPAQUE) return true;
    return mlir_wrong(p, from, p->at, "elements literal must be a shaped type with static shape");
  }
  if (!static_elements(type, elements)) {
    return mlir_wrong(p, from, p->at, "elements literal type must have static shape");
  }
  r->dtype = (shape_dtype)type->dtype;
  r->is_int = dtype_is_integer(r->dtype);
  r->is_float = dtype_is_float(r->dtype);
  return true;
}

bool mlir_dense(mlir_parser *p, const char *from, attr_id *out) {
  dense_reader r;
  reader_init(&r);
  if (mlir_peek(p) != '<') return mlir_expected(p, "'<'");
  const char *body = p->at;
  if (!mlir_skip_balanced(p)) return false;
  const char *close = p->at - 1;
  uint64_t elements = 0;
  bool readable, splat = false;
  if (!mlir_expect(p, ':') || !dense_type(p, &r, &elements, &readable)) return false;
  const char *after = p->at;
  if (readable) {
    p->at = body + 1;
    if (!dense_body(p, &r, elements, &splat)) return false;
    mlir_skip(p);
    if (p->at != close) return mlir_expected(p, "'>'");
    p->at = after;
  }
  graph_attr attr = {.kind = ATTR_DENSE,
                     .splat = splat,
                     .type = r.type,
                     .text = NAME_NONE,
                     .span = mlir_span(p, from, after)};
  bool kept = readable && r.seen <= DENSE_TRACKED;
  if (kept && r.is_float) attr_set_floats(&attr, r.floats, r.kept);
  if (kept && r.is_int) attr_set_ints(&attr, r.ints, r.kept);
  *out = graph_add_attr(p->g, &attr);
  return true;
}

// array<i64: 1, 2>, array<i1: true>, array<f32: 1.0>, array<i64>
bool mlir_array(mlir_parser *p, const char *from, attr_id *out) {
  dense_reader r;
  reader_init(&r);
  if (!mlir_expect(p, '<')) return false;
  const char *at = (mlir_skip(p), p->at);
  if (!mlir_type(p, &r.type)) return false;
  const graph_type *type = type_get(&p->g->types, r.type);
  r.dtype = (shape_dtype)type->dtype;
  r.is_int = type->kind == TYPE_SCALAR && dtype_is_integer(r.dtype);
  r.is_float = type->kind == TYPE_SCALAR && dtype_is_float(r.dtype);
  if (!r.is_int && !r.is_float) {
    return mlir_wrong(p, at, p->at, "expected an integer or float type");
  }
  if (mlir_accept(p, ':')) {
    do {
      if (!element(p, &r)) return false;
    } while (mlir_accept(p, ','));
  }
  if (!mlir_expect(p, '>')) return false;
  graph_attr attr = {
      .kind = ATTR_INTS, .type = TYPE_NONE, .text = NAME_NONE, .span = mlir_span(p, from, p->at)};
  if (r.is_int && r.seen <= DENSE_TRACKED) {
    attr_set_ints(&attr, r.ints, r.kept);
  } else {
    attr.kind = ATTR_OPAQUE;
  }
  *out = graph_add_attr(p->g, &attr);
  return true;
}
