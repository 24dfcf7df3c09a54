// SPDX-License-Identifier: Apache-2.0
// Types: those of builtin, stablehlo and quant with their codes, all others as assembly text; under an operation of VHLO
// those of that dialect, which must be of the release. Formats: BuiltinDialectBytecode.td, VhloBytecode.cpp.
#include "solver/formats/bytecode/writer.h"

typedef enum outcome { DONE, NOT_OWN, NO_FORM } outcome;

static outcome put_builtin(bytecode_writer *w, bc_slice text, shape_strbuf *out,
                           const char **dialect);
static outcome put_vhlo(bytecode_writer *w, bc_slice text, shape_strbuf *out);

static bool in_release(bytecode_writer *w, const vhlo_type *row) {
  if (w->release >= row->since) return true;
  if (row->text) {
    bw_refuse(w, "the type %s came with release %u.%u", row->text, row->since / 100,
              row->since % 100);
  } else {
    bw_refuse(w, "one of its types came with release %u.%u", row->since / 100, row->since % 100);
  }
  return false;
}

// --- parts

// 4x?x at the cursor, which is then at the element type. *least: of the dims, as they are written.
static uint32_t put_dims(bw_cursor *c, shape_strbuf *out, int64_t *least) {
  uint32_t rank = 0;
  *least = INT64_MAX;
  for (;;) {
    const char *from = c->at;
    int64_t dim = DIM_DYNAMIC;
    if (c->at < c->end && *c->at == '?') {
      c->at++;
    } else {
      while (c->at < c->end && *c->at >= '0' && *c->at <= '9') c->at++;
      if (!bw_int((bc_slice){from, (uint32_t)(c->at - from)}, &dim)) c->at = from;
    }
    if (c->at == from || c->at == c->end || *c->at != 'x') {
      c->at = from;
      return rank;
    }
    c->at++;
    bw_svarint(out, dim);
    if (dim < *least) *least = dim;
    rank++;
  }
}

static void put_types(bytecode_writer *w, bc_slice list, shape_strbuf *out) {
  bw_cursor c = bw_open(list);
  shape_strbuf ids;
  uint32_t count = 0;
  strbuf_init(&ids, w->arena);
  for (; bw_peek(&c) && !w->failed; count++) {
    bw_varint(&ids, bw_type(w, bw_scan_type(&c)));
    if (!bw_accept(&c, ",") && bw_peek(&c)) bw_fail(w, c.at, "expected a type");
  }
  bw_varint(out, count);
  strbuf_add(out, ids.data, ids.length);
}

// (a, b) -> c, or (a, b) -> (c, d)
static outcome put_function(bytecode_writer *w, bc_slice text, shape_strbuf *out, unsigned code) {
  bw_cursor c = bw_open(text);
  bw_varint(out, code);
  bc_slice inputs;
  if (!bw_brackets(&c, &inputs) || !bw_accept(&c, "->")) return NOT_OWN;
  bw_skip(&c);
  bc_slice results = bw_trim((bc_slice){c.at, (uint32_t)(c.end - c.at)});
  // ((a) -> b) is a list of one; (a) -> b is a type.
  bw_cursor r = bw_open(results);
  if (bw_peek(&r) == '(') bw_skip_one(&r);
  if (results.length && results.text[0] == '(' && r.at == r.end) results = bw_inside(results, 1);
  put_types(w, inputs, out);
  put_types(w, results, out);
  return DONE;
}

typedef struct shaped {
  shape_strbuf dims;
  uint32_t rank;
  bc_slice element, rest;  // what follows the first comma
  int64_t least;           // dim
  bool unranked;
} shaped;

static shaped take_apart(bytecode_writer *w, bc_slice text, size_t head) {
  shaped s = {.rank = 0};
  bw_cursor c = bw_open(bw_inside(text, head));
  strbuf_init(&s.dims, w->arena);
  bw_skip(&c);
  s.unranked = c.end - c.at > 1 && c.at[0] == '*' && c.at[1] == 'x';
  if (s.unranked) {
    c.at += 2;
  } else {
    s.rank = put_dims(&c, &s.dims, &s.least);
  }
  s.element = bw_scan_type(&c);
  if (bw_accept(&c, ",")) {
    bw_skip(&c);
    s.rest = bw_trim((bc_slice){c.at, (uint32_t)(c.end - c.at)});
  } else if (bw_peek(&c)) {
    s.element.length = 0;
  }
  return s;
}

static void put_shape(const shaped *s, shape_strbuf *out) {
  bw_varint(out, s->rank);
  strbuf_add(out, s->dims.data, s->dims.length);
}

// The one encoding that VHLO has is that of bounds.
static bool is_bounds(bytecode_writer *w, bc_slice encoding) {
  bc_slice text = bw_expand(w, encoding);
  return bc_begins(text, "#stablehlo.bounds<") || bc_begins(text, "#stablehlo.type_extensions<");
}

static outcome put_tensor(bytecode_writer *w, bc_slice text, shape_strbuf *out) {
  shaped s = take_apart(w, text, strlen("tensor<"));
  if (!s.element.length || (s.unranked && s.rest.length)) return w->vhlo ? NO_FORM : NOT_OWN;
  if (w->vhlo && s.rest.length && !is_bounds(w, s.rest)) return NO_FORM;
  unsigned plain = w->vhlo ? (unsigned)VHLO_TENSOR_TYPE : (unsigned)BUILTIN_TENSOR_TYPE;
  unsigned unranked =
      w->vhlo ? (unsigned)VHLO_UNRANKED_TENSOR_TYPE : (unsigned)BUILTIN_UNRANKED_TENSOR_TYPE;
  uint32_t element = bw_type(w, s.element);
  uint32_t encoding = s.rest.length ? bw_attr(w, s.rest) : BW_NONE;
  bw_varint(out, s.unranked ? unranked : plain + (encoding != BW_NONE));
  if (encoding != BW_NONE) bw_varint(out, encoding);
  if (!s.unranked) put_shape(&s, out);
  bw_varint(out, element);
  return DONE;
}

// Dims in brackets are scalable.
static outcome put_vector(bytecode_writer *w, bc_slice text, shape_strbuf *out) {
  if (memchr(text.text, '[', text.length)) return NOT_OWN;
  shaped s = take_apart(w, text, strlen("vector<"));
  if (!s.element.length || s.unranked || s.rest.length) return NOT_OWN;
  if (s.rank && s.least < 1)
    bw_fail(w, text.text, "expected a vector whose dims are numbers of at least 1");
  uint32_t element = bw_type(w, s.element);
  bw_varint(out, BUILTIN_VECTOR_TYPE);
  put_shape(&s, out);
  bw_varint(out, element);
  return DONE;
}

// A memref of builtin has its layout spelled out; one with anything after its element type is written as text.
static outcome put_memref(bytecode_writer *w, bc_slice text, shape_strbuf *out) {
  shaped s = take_apart(w, text, strlen("memref<"));
  if (!s.element.length || s.unranked || s.rest.length) return w->vhlo ? NO_FORM : NOT_OWN;
  uint32_t element = bw_type(w, s.element);
  if (w->vhlo) {
    in_release(w, vhlo_type_with_fields(VHLO_BUFFER_TYPE));
    bw_varint(out, VHLO_BUFFER_TYPE);
    put_shape(&s, out);
    bw_varint(out, element);
    return DONE;
  }
  shape_strbuf map;
  strbuf_init(&map, w->arena);
  strbuf_puts(&map, "affine_map<(");
  for (int side = 0; side < 2; side++) {
    if (side) strbuf_puts(&map, ") -> (");
    for (uint32_t i = 0; i < s.rank; i++) strbuf_printf(&map, i ? ", d%u" : "d%u", i);
  }
  strbuf_puts(&map, ")>");
  uint32_t layout = bw_attr(w, (bc_slice){map.data, map.length});
  bw_varint(out, BUILTIN_MEMREF_TYPE);
  put_shape(&s, out);
  bw_varint(out, element);
  bw_varint(out, layout);
  return DONE;
}

// --- quant: !quant.uniform<i8<-127:127>:f32:0, {1.0:3, 2.0}>

typedef struct quant {
  bool is_signed, per_axis;
  uint32_t bits;
  int64_t low, high, axis;
  bc_slice storage, expressed, scales;
} quant;

static bool storage_of(bytecode_writer *w, bc_slice text, quant *q) {
  bw_cursor c = bw_open(text);
  bc_slice word = bw_word(&c);
  int64_t bits;
  if (word.length < 2 || (word.text[0] != 'i' && word.text[0] != 'u')) return false;
  if (!bw_int((bc_slice){word.text + 1, word.length - 1}, &bits) || bits < 1 || bits > 32)
    return false;
  q->is_signed = word.text[0] == 'i';
  q->bits = (uint32_t)bits;
  q->storage = bw_text(w->arena, "i%u", q->bits);
  q->low = q->is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
  q->high = (INT64_C(1) << (bits - q->is_signed)) - 1;
  if (bw_accept(&c, "<")) {
    bc_slice low = bw_word(&c);
    if (!bw_int(low, &q->low) || !bw_accept(&c, ":") || !bw_int(bw_word(&c), &q->high) ||
        !bw_accept(&c, ">"))
      return false;
  }
  return !bw_peek(&c);
}

// A piece up to one of two characters outside of brackets.
static bc_slice piece(bw_cursor *c, char end, char other) {
  bw_skip(c);
  const char *from = c->at;
  while (c->at < c->end && *c->at != end && *c->at != other) bw_skip_one(c);
  return bw_trim((bc_slice){from, (uint32_t)(c->at - from)});
}

static bool quant_of(bytecode_writer *w, bc_slice text, quant *q) {
  static const char HEAD[] = "!quant.uniform<";
  if (!bc_begins(text, HEAD)) return false;
  bw_cursor c = bw_open(bw_inside(text, sizeof HEAD - 1));
  *q = (quant){.axis = 0};
  if (!storage_of(w, piece(&c, ':', ','), q) || !bw_accept(&c, ":")) return false;
  q->expressed = piece(&c, ':', ',');
  if (bw_accept(&c, ":")) {
    q->per_axis = true;
    if (!bw_int(piece(&c, ':', ','), &q->axis) || q->axis < 0) return false;
  }
  if (!bw_accept(&c, ",")) return false;
  bw_skip(&c);
  q->scales = bw_trim((bc_slice){c.at, (uint32_t)(c.end - c.at)});
  bool braces = q->scales.length && q->scales.text[0] == '{';
  if (braces != q->per_axis) return false;
  if (braces) q->scales = bw_inside(q->scales, 1);
  return q->scales.length > 0;
}

static bool put_quant(bytecode_writer *w, bc_slice text, shape_strbuf *out, unsigned uniform,
                      unsigned per_axis) {
  quant q;
  shape_strbuf scales, points;
  uint32_t count = 0;
  if (!quant_of(w, text, &q)) return false;
  strbuf_init(&scales, w->arena);
  strbuf_init(&points, w->arena);
  bw_cursor c = bw_open(q.scales);
  for (; bw_peek(&c); count++) {
    bc_slice scale = piece(&c, ':', ',');
    int64_t point = 0;
    if (bw_accept(&c, ":") && !bw_int(piece(&c, ',', ','), &point)) return false;
    if (!bw_number(w, scale, (bc_slice){"f64", 3}, &scales)) return false;
    bw_svarint(&points, point);
    bw_accept(&c, ",");
  }
  if (!q.per_axis && count != 1) return false;
  if (w->vhlo && q.per_axis) in_release(w, vhlo_type_with_fields(VHLO_PER_AXIS_TYPE));
  assert(q.bits >= 1 && q.bits <= 32);
  uint32_t storage = bw_type(w, q.storage), expressed = bw_type(w, q.expressed);
  bw_varint(out, q.per_axis ? per_axis : uniform);
  bw_varint(out, q.is_signed);
  bw_varint(out, storage);
  bw_varint(out, expressed);
  if (q.per_axis) {
    bw_varint(out, (uint64_t)q.axis);
    bw_svarint(out, q.low);
    bw_svarint(out, q.high);
    bw_varint(out, count);
    strbuf_add(out, scales.data, scales.length);
    bw_varint(out, count);
    strbuf_add(out, points.data, points.length);
  } else {
    strbuf_add(out, scales.data, scales.length);
    strbuf_add(out, points.data, points.length);
    bw_svarint(out, q.low);
    bw_svarint(out, q.high);
  }
  return true;
}

// --- the dialects

static void put_listed(bytecode_writer *w, bc_slice text, size_t head, unsigned code,
                       shape_strbuf *out) {
  bw_varint(out, code);
  put_types(w, bw_inside(text, head), out);
}

static outcome put_complex(bytecode_writer *w, bc_slice text, shape_strbuf *out) {
  uint32_t part = bw_type(w, bw_trim(bw_inside(text, strlen("complex<"))));
  bw_varint(out, w->vhlo ? (unsigned)VHLO_COMPLEX_TYPE : (unsigned)BUILTIN_COMPLEX_TYPE);
  bw_varint(out, part);
  return DONE;
}

// i32, si8, ui4
static bool put_integer(bc_slice text, shape_strbuf *out) {
  enum { WIDTH_MAX = (1 << 24) - 1 };
  uint32_t head = text.text[0] == 'i' ? 1 : 2;
  int64_t width;
  bool sign = text.text[0] == 's' || text.text[0] == 'u';
  if ((!sign && text.text[0] != 'i') || text.length <= head || text.text[head - 1] != 'i' ||
      text.text[head] == '-' || !bw_int((bc_slice){text.text + head, text.length - head}, &width) ||
      width > WIDTH_MAX)
    return false;
  bw_varint(out, BUILTIN_INTEGER_TYPE);
  bw_varint(out, (uint64_t)width << 2 | (text.text[0] == 's' ? 1 : text.text[0] == 'u' ? 2 : 0));
  return true;
}

static outcome put_builtin(bytecode_writer *w, bc_slice text, shape_strbuf *out,
                           const char **dialect) {
  for (unsigned code = 0; code < BUILTIN_TYPE_COUNT; code++) {
    const char *plain = bc_builtin_plain(code);
    if (!plain || !bc_is(text, plain)) continue;
    bw_varint(out, code);
    return DONE;
  }
  if (put_integer(text, out)) return DONE;
  if (text.text[0] == '(') return put_function(w, text, out, BUILTIN_FUNCTION_TYPE);
  if (bc_begins(text, "tensor<")) return put_tensor(w, text, out);
  if (bc_begins(text, "vector<")) return put_vector(w, text, out);
  if (bc_begins(text, "memref<")) return put_memref(w, text, out);
  if (bc_begins(text, "complex<")) return put_complex(w, text, out);
  if (bc_begins(text, "tuple<")) {
    put_listed(w, text, strlen("tuple<"), BUILTIN_TUPLE_TYPE, out);
    return DONE;
  }
  if (bc_is(text, "!stablehlo.token")) {
    *dialect = "stablehlo";
    bw_varint(out, 0);
    return DONE;
  }
  *dialect = "quant";
  return put_quant(w, text, out, QUANT_UNIFORM, QUANT_PER_AXIS) ? DONE : NOT_OWN;
}

static outcome put_vhlo(bytecode_writer *w, bc_slice text, shape_strbuf *out) {
  const vhlo_type *row = vhlo_type_named(text);
  if (row) {
    bw_varint(out, row->code);
    return in_release(w, row) ? DONE : NO_FORM;
  }
  if (text.text[0] == '(') return put_function(w, text, out, VHLO_FUNCTION_TYPE);
  if (bc_begins(text, "tensor<")) return put_tensor(w, text, out);
  if (bc_begins(text, "memref<")) return put_memref(w, text, out);
  if (bc_begins(text, "complex<")) return put_complex(w, text, out);
  if (bc_begins(text, "tuple<")) {
    put_listed(w, text, strlen("tuple<"), VHLO_TUPLE_TYPE, out);
    return DONE;
  }
  static const char FUTURE[] = "!stablehlo.future<";
  if (bc_begins(text, FUTURE)) {
    in_release(w, vhlo_type_with_fields(VHLO_FUTURE_TYPE));
    put_listed(w, text, sizeof FUTURE - 1, VHLO_FUTURE_TYPE, out);
    return DONE;
  }
  return put_quant(w, text, out, VHLO_QUANT_TYPE, VHLO_PER_AXIS_TYPE) ? DONE : NO_FORM;
}

static uint32_t encode(bytecode_writer *w, bc_slice text) {
  shape_strbuf out;
  const char *dialect = w->vhlo ? "vhlo" : "builtin";
  strbuf_init(&out, w->arena);
  outcome how = w->vhlo ? put_vhlo(w, text, &out) : put_builtin(w, text, &out, &dialect);
  if (w->failed) return BW_NONE;
  if (how == DONE) return bw_add_entry(w, &w->types, dialect, true, 0, &out);
  uint32_t kept;
  if (how == NOT_OWN && bw_kept_entry(w, text, true, &kept)) return kept;
  if (how == NOT_OWN && !w->vhlo) return bw_assembly(w, &w->types, text);
  bw_refuse(w, "VHLO has no form for the type %.*s", (int)(text.length < 80 ? text.length : 80),
            text.text);
  return BW_NONE;
}

uint32_t bw_type(bytecode_writer *w, bc_slice text) {
  uint32_t type;
  text = bw_trim(text);
  if (!text.length) return bw_fail(w, NULL, "expected a type"), BW_NONE;
  if (text.text[0] == '!') text = bw_expand(w, text);
  if (w->failed) return BW_NONE;
  uint64_t key = (uint64_t)intern_add(&w->spellings, text.text, text.length) << 3 | 4 | w->vhlo;
  if (imap_get(&w->encoded, key, &type)) return type;
  if (w->depth >= BW_DEPTH)
    return bw_refuse(w, "expected a type to be nested at most %d deep, found more", BW_DEPTH),
           BW_NONE;
  w->depth++;
  budget_take(w->budget, 1 + text.length / 64);
  type = encode(w, text);
  assert(w->depth > 0 && (w->failed || type < w->types.keys.count));
  w->depth--;
  if (!w->failed) imap_put(&w->encoded, w->arena, key, type);
  return type;
}
