// SPDX-License-Identifier: Apache-2.0
// Types of the dialects that have an encoding of their own: builtin, quant, stablehlo, vhlo. Those of vhlo are written as
// the types that they are a copy of. Formats: BuiltinDialectBytecode.td, QuantDialectBytecode.td, VhloBytecode.cpp.
#include <assert.h>

#include "solver/formats/bytecode/reader.h"

static void no_type(bc_cursor *c, size_t at, const char *dialect, uint64_t code) {
  bc_fail(c->r, at, "%s has no type %llu: it may be of a newer release", dialect,
          (unsigned long long)code);
}

static void put_dims(bc_cursor *c, shape_strbuf *out, const unsigned char *scalable,
                     uint32_t scalable_count) {
  assert(scalable || !scalable_count);
  bool vector = out->length >= 7 && memcmp(out->data + out->length - 7, "vector<", 7) == 0;
  size_t at = bc_offset(c);
  uint32_t rank = bc_count(c, "dims");
  if (scalable && rank != scalable_count)
    bc_fail(c->r, at, "expected %u dims, as many say whether they are scalable, found %u",
            scalable_count, rank);
  for (uint32_t i = 0; i < rank && !c->r->failed; i++) {
    at = bc_offset(c);
    int64_t dim = bc_svarint(c);
    if ((dim < 0 && dim != DIM_DYNAMIC) || (vector && dim <= 0))
      bc_fail(c->r, at, "expected a dim of at least %d, found %lld", (int)vector, (long long)dim);
    if (dim < 0) {
      strbuf_putc(out, '?');
    } else {
      bool scales = scalable && scalable[i];
      if (scales) strbuf_putc(out, '[');
      strbuf_int(out, dim);
      if (scales) strbuf_putc(out, ']');
    }
    strbuf_putc(out, 'x');
  }
}

static uint32_t put_types(bc_cursor *c, shape_strbuf *out) {
  uint32_t count = bc_count(c, "types");
  for (uint32_t i = 0; i < count && !c->r->failed; i++) {
    if (i) strbuf_puts(out, ", ");
    bc_put_type(c->r, out, bc_type(c));
  }
  return count;
}

static void put_listed(bc_cursor *c, shape_strbuf *out, const char *head) {
  strbuf_puts(out, head);
  put_types(c, out);
  strbuf_putc(out, '>');
}

// complex<...>, whose parts are numbers.
static void put_complex(bc_cursor *c, shape_strbuf *out) {
  size_t at = bc_offset(c);
  bc_slice text = bc_type_text(c->r, bc_type(c));
  char kind = bc_element_of(text).kind;
  if (kind == '?' || kind == 'c')
    bc_fail(c->r, at, "expected a complex type of floats or integers, found %.*s",
            (int)(text.length < 60 ? text.length : 60), text.text);
  strbuf_puts(out, "complex<");
  strbuf_add(out, text.text, text.length);
  strbuf_putc(out, '>');
}

static void put_wrapped(bc_cursor *c, shape_strbuf *out, const char *head) {
  strbuf_puts(out, head);
  bc_put_type(c->r, out, bc_type(c));
  strbuf_putc(out, '>');
}

static void put_function(bc_cursor *c, shape_strbuf *out) {
  strbuf_putc(out, '(');
  put_types(c, out);
  strbuf_puts(out, ") -> ");
  uint32_t begin = out->length;
  strbuf_putc(out, '(');
  uint32_t count = put_types(c, out);
  // One result needs no parentheses, unless it is a function type itself.
  if (count == 1 && out->length > begin + 1 && out->data[begin + 1] != '(') {
    memmove(out->data + begin, out->data + begin + 1, out->length - begin - 1);
    out->length--;
  } else {
    strbuf_putc(out, ')');
  }
}

static void put_tensor(bc_cursor *c, shape_strbuf *out, bool encoded, const char *head) {
  uint32_t encoding = encoded ? bc_attr(c) : BC_NONE;
  strbuf_puts(out, head);
  put_dims(c, out, NULL, 0);
  bc_put_type(c->r, out, bc_type(c));
  if (encoding != BC_NONE) {
    strbuf_puts(out, ", ");
    bc_put_attr(c->r, out, encoding);
  }
  strbuf_putc(out, '>');
}

// A memory space that is an i64 has no type in the text.
static void put_space(bc_cursor *c, shape_strbuf *out, uint32_t space) {
  if (space == BC_NONE) return;
  bc_slice text = bc_attr_text(c->r, space);
  static const char TYPE[] = " : i64";
  assert(space < c->r->attrs.count || c->r->failed);
  uint32_t length = (uint32_t)sizeof TYPE - 1;
  if (text.length > length && memcmp(text.text + text.length - length, TYPE, length) == 0)
    text.length -= length;
  strbuf_puts(out, ", ");
  strbuf_add(out, text.text, text.length);
}

// affine_map<(d0, d1) -> (d0, d1)> is what a memref has when it says nothing.
static bool is_identity_map(bc_slice text) {
  const char *arrow = NULL;
  static const char HEAD[] = "affine_map<";
  if (text.length < sizeof HEAD || memcmp(text.text, HEAD, sizeof HEAD - 1) != 0) return false;
  const char *from = text.text + sizeof HEAD - 1, *end = text.text + text.length - 1;
  for (const char *at = from; at + 4 <= end; at++) {
    if (memcmp(at, " -> ", 4) == 0) arrow = at;
  }
  return arrow && arrow - from == end - arrow - 4 &&
         memcmp(from, arrow + 4, (size_t)(arrow - from)) == 0;
}

static void put_memref(bc_cursor *c, shape_strbuf *out, bool has_space) {
  uint32_t space = has_space ? bc_attr(c) : BC_NONE;
  strbuf_puts(out, "memref<");
  put_dims(c, out, NULL, 0);
  bc_put_type(c->r, out, bc_type(c));
  uint32_t layout = bc_attr(c);
  bc_slice text = bc_attr_text(c->r, layout);
  if (text.length && !is_identity_map(text)) {
    strbuf_puts(out, ", ");
    strbuf_add(out, text.text, text.length);
  }
  put_space(c, out, space);
  strbuf_putc(out, '>');
}

static void put_unranked_memref(bc_cursor *c, shape_strbuf *out, bool has_space) {
  uint32_t space = has_space ? bc_attr(c) : BC_NONE;
  strbuf_puts(out, "memref<*x");
  bc_put_type(c->r, out, bc_type(c));
  put_space(c, out, space);
  strbuf_putc(out, '>');
}

static void put_integer(bc_cursor *c, shape_strbuf *out) {
  enum { WIDTH_MAX = (1 << 24) - 1 };
  static const char *const HEADS[] = {"i", "si", "ui"};
  size_t at = bc_offset(c);
  uint64_t value = bc_varint(c);
  unsigned sign = value & 3;
  if (sign == 3 || value >> 2 > WIDTH_MAX) {
    bc_fail(
        c->r, at,
        "expected an integer type of at most %d bits and a signedness of 0 to 2, found %llu and %u",
        WIDTH_MAX, (unsigned long long)(value >> 2), sign);
    return;
  }
  strbuf_printf(out, "%s%u", HEADS[sign], (unsigned)(value >> 2));
}

static void put_scalable(bc_cursor *c, shape_strbuf *out) {
  uint32_t count = bc_count(c, "flags");
  const unsigned char *flags = bc_take(c, count);
  strbuf_puts(out, "vector<");
  put_dims(c, out, flags, count);
  bc_put_type(c->r, out, bc_type(c));
  strbuf_putc(out, '>');
}

void bc_builtin_type(bc_cursor *c, shape_strbuf *out) {
  size_t at = bc_offset(c);
  uint64_t code = bc_varint(c);
  if (c->r->failed) return;
  const char *plain = bc_builtin_plain(code);
  if (plain) {
    strbuf_puts(out, plain);
    return;
  }
  switch (code) {
  case BUILTIN_INTEGER_TYPE: put_integer(c, out); break;
  case BUILTIN_FUNCTION_TYPE: put_function(c, out); break;
  case BUILTIN_COMPLEX_TYPE: put_complex(c, out); break;
  case BUILTIN_MEMREF_TYPE:
  case BUILTIN_MEMREF_SPACE_TYPE: put_memref(c, out, code == BUILTIN_MEMREF_SPACE_TYPE); break;
  case BUILTIN_TENSOR_TYPE:
  case BUILTIN_ENCODED_TENSOR_TYPE:
    put_tensor(c, out, code == BUILTIN_ENCODED_TENSOR_TYPE, "tensor<");
    break;
  case BUILTIN_TUPLE_TYPE: put_listed(c, out, "tuple<"); break;
  case BUILTIN_UNRANKED_MEMREF_TYPE:
  case BUILTIN_UNRANKED_MEMREF_SPACE_TYPE:
    put_unranked_memref(c, out, code == BUILTIN_UNRANKED_MEMREF_SPACE_TYPE);
    break;
  case BUILTIN_UNRANKED_TENSOR_TYPE: put_wrapped(c, out, "tensor<*x"); break;
  case BUILTIN_VECTOR_TYPE: put_tensor(c, out, false, "vector<"); break;
  case BUILTIN_SCALABLE_VECTOR_TYPE: put_scalable(c, out); break;
  default: no_type(c, at, "the builtin dialect", code); break;
  }
}

void bc_stablehlo_type(bc_cursor *c, shape_strbuf *out) {
  size_t at = bc_offset(c);
  uint64_t code = bc_varint(c);
  if (code == 0) {
    if (!c->r->failed) strbuf_puts(out, "!stablehlo.token");
  } else if (code == 1) {
    put_listed(c, out, "!stablehlo.future<");
  } else {
    no_type(c, at, "the dialect stablehlo", code);
  }
}

// --- quant

typedef struct storage {
  bool is_signed;
  uint32_t bits;
} storage;

// i8, or u8 where the flag says that it is unsigned.
static storage put_storage(bc_cursor *c, shape_strbuf *out, uint64_t flags, uint32_t type) {
  bc_slice text = bc_type_text(c->r, type);
  storage s = {flags & 1, 0};
  bool known = text.length > 1 && text.text[0] == 'i';
  for (uint32_t i = 1; known && i < text.length; i++) {
    known = text.text[i] >= '0' && text.text[i] <= '9' && s.bits < 1000;
    s.bits = s.bits * 10 + (uint32_t)(text.text[i] - '0');
  }
  if (!known) s.bits = 0;
  if (known && !s.is_signed) {
    strbuf_putc(out, 'u');
    strbuf_add(out, text.text + 1, text.length - 1);
  } else {
    strbuf_add(out, text.text, text.length);
  }
  return s;
}

static void put_storage_range(shape_strbuf *out, storage s, int64_t low, int64_t high) {
  if (!s.bits || s.bits > 32) {
    strbuf_printf(out, "<%lld:%lld>", (long long)low, (long long)high);
    return;
  }
  int64_t one = 1;
  int64_t least = s.is_signed ? -(one << (s.bits - 1)) : 0;
  int64_t most = s.is_signed ? (one << (s.bits - 1)) - 1 : (one << s.bits) - 1;
  if (low != least || high != most)
    strbuf_printf(out, "<%lld:%lld>", (long long)low, (long long)high);
}

static void put_scale(shape_strbuf *out, uint64_t bits, int64_t zero_point) {
  bc_element f64 = {.kind = 'f', .bits = 64, .dtype = DTYPE_F64};
  bc_put_float(out, &f64, bits);
  if (zero_point) {
    strbuf_putc(out, ':');
    strbuf_int(out, zero_point);
  }
}

static void put_any(bc_cursor *c, shape_strbuf *out, bool expressed) {
  uint64_t flags = bc_varint(c);
  uint32_t type = bc_type(c), other = expressed ? bc_type(c) : BC_NONE;
  int64_t low = bc_svarint(c), high = bc_svarint(c);
  strbuf_puts(out, "!quant.any<");
  put_storage_range(out, put_storage(c, out, flags, type), low, high);
  if (expressed) {
    strbuf_putc(out, ':');
    bc_put_type(c->r, out, other);
  }
  strbuf_putc(out, '>');
}

// The storage and the expressed type of a quantised one; returns the axis where there is one between them and the range.
static uint64_t begin_quantised(bc_cursor *c, shape_strbuf *out, bool axes) {
  uint64_t flags = bc_varint(c);
  uint32_t type = bc_type(c), expressed = bc_type(c);
  uint64_t axis = axes ? bc_varint(c) : 0;
  int64_t low = bc_svarint(c), high = bc_svarint(c);
  strbuf_puts(out, "!quant.uniform<");
  put_storage_range(out, put_storage(c, out, flags, type), low, high);
  strbuf_putc(out, ':');
  bc_put_type(c->r, out, expressed);
  return axis;
}

// The items of two lists that have as many: *first is at those of the first list, the cursor at those of the second.
static uint32_t begin_pairs(bc_cursor *c, bc_cursor *first, const char *names, const char *others) {
  uint32_t count = bc_count(c, names);
  *first = *c;
  for (uint32_t i = 0; i < count && !c->r->failed; i++) bc_varint(c);
  size_t at = bc_offset(c);
  uint32_t other = bc_count(c, others);
  if (other != count)
    bc_fail(c->r, at, "expected as many %s as %s, %u, found %u", others, names, count, other);
  return count;
}

static void put_per_axis(bc_cursor *c, shape_strbuf *out) {
  uint64_t axis = begin_quantised(c, out, true);
  strbuf_printf(out, ":%llu, {", (unsigned long long)axis);
  bc_cursor scales;
  uint32_t count = begin_pairs(c, &scales, "scales", "zero points");
  for (uint32_t i = 0; i < count && !c->r->failed; i++) {
    if (i) strbuf_puts(out, ", ");
    uint64_t bits = (uint64_t)bc_svarint(&scales);
    put_scale(out, bits, bc_svarint(c));
  }
  strbuf_puts(out, "}>");
}

static void put_uniform(bc_cursor *c, shape_strbuf *out) {
  uint64_t flags = bc_varint(c);
  uint32_t type = bc_type(c), expressed = bc_type(c);
  uint64_t scale = (uint64_t)bc_svarint(c);
  int64_t point = bc_svarint(c), low = bc_svarint(c), high = bc_svarint(c);
  strbuf_puts(out, "!quant.uniform<");
  put_storage_range(out, put_storage(c, out, flags, type), low, high);
  strbuf_putc(out, ':');
  bc_put_type(c->r, out, expressed);
  strbuf_puts(out, ", ");
  put_scale(out, scale, point);
  strbuf_putc(out, '>');
}

// The elements of one list of a dense attribute's text, in braces as the brackets are.
typedef struct nested {
  const char *at, *end;
} nested;

static nested dense_body(bc_slice text) {
  static const char HEAD[] = "dense<";
  nested n = {NULL, NULL};
  if (text.length < sizeof HEAD || memcmp(text.text, HEAD, sizeof HEAD - 1) != 0) return n;
  n.at = text.text + sizeof HEAD - 1;
  n.end = memchr(n.at, '>', text.length - sizeof HEAD + 1);
  return n;
}

static bc_slice next_number(nested *n) {
  while (n->at < n->end && strchr("[], ", *n->at)) n->at++;
  const char *from = n->at;
  while (n->at < n->end && !strchr("[], ", *n->at)) n->at++;
  return (bc_slice){from, (uint32_t)(n->at - from)};
}

// Scales and zero points have the same shape: {{2.0:120, 3.0}, {4.0, 5.0}}.
static bool put_blocks(shape_strbuf *out, bc_slice scales, bc_slice points) {
  nested s = dense_body(scales), z = dense_body(points);
  if (!s.end || !z.end) return false;
  assert(s.at <= s.end && z.at <= z.end);
  bool splat = z.at < z.end && *z.at != '[';
  bc_slice zero = {NULL, 0};
  if (*s.at != '[') strbuf_putc(out, '{');
  bool braced = *s.at != '[';
  while (s.at < s.end) {
    char c = *s.at;
    if (c == '[' || c == ']') {
      strbuf_putc(out, c == '[' ? '{' : '}');
      s.at++;
    } else if (c == ',' || c == ' ') {
      strbuf_putc(out, c);
      s.at++;
    } else {
      bc_slice scale = next_number(&s);
      if (!splat || !zero.text) zero = next_number(&z);
      strbuf_add(out, scale.text, scale.length);
      if (!bc_is(zero, "0") && zero.length) {
        strbuf_putc(out, ':');
        strbuf_add(out, zero.text, zero.length);
      }
    }
  }
  if (braced) strbuf_putc(out, '}');
  return true;
}

static void put_sub_channel(bc_cursor *c, shape_strbuf *out) {
  size_t begin = bc_offset(c);
  begin_quantised(c, out, false);
  strbuf_puts(out, ":{");
  bc_cursor axes;
  uint32_t count = begin_pairs(c, &axes, "axes", "sizes of blocks");
  for (uint32_t i = 0; i < count && !c->r->failed; i++) {
    int64_t axis = bc_svarint(&axes), size = bc_svarint(c);
    strbuf_printf(out, "%s%lld:%lld", i ? ", " : "", (long long)axis, (long long)size);
  }
  uint32_t scales = bc_attr(c), points = bc_attr(c);
  strbuf_puts(out, "}, ");
  bc_slice scale_text = bc_attr_text(c->r, scales);
  if (!c->r->failed && !put_blocks(out, scale_text, bc_attr_text(c->r, points)))
    bc_fail(c->r, begin,
            "expected dense elements as the scales and zero points of a quantised type, found "
            "another attribute");
  strbuf_putc(out, '>');
}

static void put_calibrated(bc_cursor *c, shape_strbuf *out) {
  uint32_t expressed = bc_type(c);
  uint64_t low = (uint64_t)bc_svarint(c), high = (uint64_t)bc_svarint(c);
  strbuf_puts(out, "!quant.calibrated<");
  bc_put_type(c->r, out, expressed);
  strbuf_putc(out, '<');
  put_scale(out, low, 0);
  strbuf_putc(out, ':');
  put_scale(out, high, 0);
  strbuf_puts(out, ">>");
}

void bc_quant_type(bc_cursor *c, shape_strbuf *out) {
  size_t at = bc_offset(c);
  uint64_t code = bc_varint(c);
  if (c->r->failed) return;
  switch (code) {
  case 1:
  case 2: put_any(c, out, code == 2); break;
  case 3: put_calibrated(c, out); break;
  case QUANT_UNIFORM: put_uniform(c, out); break;
  case QUANT_PER_AXIS: put_per_axis(c, out); break;
  case 6: put_sub_channel(c, out); break;
  default: no_type(c, at, "the dialect quant", code); break;
  }
}

// --- vhlo

void bc_vhlo_type(bc_cursor *c, shape_strbuf *out) {
  size_t at = bc_offset(c);
  uint64_t code = bc_varint(c);
  if (c->r->failed) return;
  const vhlo_type *row = vhlo_type_at(code);
  if (row && row->text) {
    strbuf_puts(out, row->text);
    return;
  }
  switch (code) {
  case VHLO_COMPLEX_TYPE: put_complex(c, out); break;
  case VHLO_FUNCTION_TYPE: put_function(c, out); break;
  case VHLO_TENSOR_TYPE:
  case VHLO_ENCODED_TENSOR_TYPE:
    put_tensor(c, out, code == VHLO_ENCODED_TENSOR_TYPE, "tensor<");
    break;
  case VHLO_TUPLE_TYPE: put_listed(c, out, "tuple<"); break;
  case VHLO_QUANT_TYPE: put_uniform(c, out); break;
  case VHLO_UNRANKED_TENSOR_TYPE: put_wrapped(c, out, "tensor<*x"); break;
  case VHLO_PER_AXIS_TYPE: put_per_axis(c, out); break;
  case VHLO_BUFFER_TYPE: put_tensor(c, out, false, "memref<"); break;
  case VHLO_FUTURE_TYPE: put_listed(c, out, "!stablehlo.future<"); break;
  default: no_type(c, at, "the dialect vhlo", code); break;
  }
}
