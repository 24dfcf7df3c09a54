// SPDX-License-Identifier: Apache-2.0
// TensorProto to a DENSE attribute. The payload is read only where the tensor is small and its values can matter to
// dims (integers, booleans, floats of 16 bits and more); otherwise its pages are never touched.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "solver/formats/onnx/reader.h"

typedef struct payload {
  int64_t *ints;
  double *floats;
  uint32_t count, room;
  shape_dtype dtype;
  bool misplaced;
} payload;

typedef struct tensor_head {
  int64_t *dims;
  uint32_t rank, dims_capacity;
  uint64_t data_type;
  bool external;
  wire_span name, raw;
  bool has_raw;
  shape_arena *arena;
} tensor_head;

static bool add_dim(void *data, uint64_t value) {
  tensor_head *head = data;
  head->dims = arena_grow(head->arena, head->dims, head->rank, (size_t)head->rank + 1,
                          &head->dims_capacity, sizeof *head->dims);
  head->dims[head->rank++] = (int64_t)value;
  return true;
}

// IEEE 754 binary16: 1 sign, 5 exponent and 10 mantissa bits.
static double half_of_bits(uint32_t bits) {
  int exponent = (int)(bits >> 10 & 31);
  double mantissa = (double)(bits & 1023), sign = bits >> 15 & 1 ? -1 : 1;
  if (exponent == 31) return mantissa > 0 ? (double)NAN : sign * (double)INFINITY;
  return sign * (exponent ? ldexp(mantissa + 1024, exponent - 25) : ldexp(mantissa, -24));
}

static double float_of_bits(uint64_t bits, shape_dtype dtype) {
  if (dtype == DTYPE_F16) return half_of_bits((uint32_t)bits);
  if (dtype == DTYPE_F64) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
  }
  uint32_t low = dtype == DTYPE_BF16 ? (uint32_t)(bits & 0xffff) << 16 : (uint32_t)bits;
  float f;
  memcpy(&f, &low, sizeof f);
  return (double)f;
}

// The value of an integer of the tensor's type in the low bits of `bits`.
static int64_t int_of_bits(uint64_t bits, shape_dtype dtype) {
  assert(dtype_is_integer(dtype));
  uint32_t width = dtype == DTYPE_I1 ? 1 : dtype_bits(dtype);
  if (dtype == DTYPE_I1) return bits != 0;
  if (width >= 64) return (int64_t)bits;
  assert(width);
  bits &= ((uint64_t)1 << width) - 1;
  if (dtype_is_signed(dtype) && bits >> (width - 1))
    return (int64_t)(bits | ~(((uint64_t)1 << width) - 1));
  return (int64_t)bits;
}

static bool add_int(void *data, uint64_t value) {
  payload *p = data;
  assert(p->count <= p->room);
  if (p->count == p->room) return false;
  p->ints[p->count++] = int_of_bits(value, p->dtype);
  return true;
}

static bool add_float(void *data, uint64_t value) {
  payload *p = data;
  assert(p->count <= p->room);
  if (p->count == p->room) return false;
  p->floats[p->count++] = float_of_bits(value, p->dtype);
  return true;
}

// Width in bytes of one element in raw_data, or 0 when its values are not read.
static unsigned raw_width(shape_dtype dtype) {
  if (dtype == DTYPE_F32) return 4;
  if (dtype == DTYPE_F64) return 8;
  if (dtype == DTYPE_F16 || dtype == DTYPE_BF16) return 2;
  if (!dtype_is_integer(dtype)) return 0;
  if (dtype == DTYPE_I1) return 1;
  uint32_t bits = dtype_bits(dtype);
  return bits >= 8 ? bits / 8 : 0;
}

static bool read_raw(payload *p, wire_span raw) {
  unsigned width = raw_width(p->dtype);
  assert(width && !p->count && !p->floats != !p->ints);
  if (raw.size != (size_t)width * p->room) return false;
  for (uint32_t i = 0; i < p->room; i++) {
    uint64_t bits = 0;
    for (unsigned k = 0; k < width; k++)
      bits |= (uint64_t)raw.data[(size_t)i * width + k] << (8 * k);
    if (p->floats) {
      p->floats[p->count++] = float_of_bits(bits, p->dtype);
    } else {
      p->ints[p->count++] = int_of_bits(bits, p->dtype);
    }
  }
  return true;
}

static bool read_typed(payload *p, wire_span tensor) {
  wire_reader w = wire_open(tensor);
  wire_field f;
  bool fine = true;
  while (fine && wire_next(&w, &f)) {
    if (f.number == TENSOR_FLOAT_DATA && p->dtype == DTYPE_F32)
      fine = wire_each_number(&f, 4, add_float, p);
    if (f.number == TENSOR_DOUBLE_DATA && p->dtype == DTYPE_F64)
      fine = wire_each_number(&f, 8, add_float, p);
    if (f.number == TENSOR_INT32_DATA && raw_width(p->dtype) == 2 && p->floats)
      fine = wire_each_number(&f, 0, add_float, p);
    // Data of another type than the tensor's.
    if (p->floats && f.number == TENSOR_INT64_DATA) p->misplaced = true;
    if (p->ints && (f.number == TENSOR_INT32_DATA || f.number == TENSOR_INT64_DATA ||
                    f.number == TENSOR_UINT64_DATA)) {
      fine = wire_each_number(&f, 0, add_int, p);
    }
  }
  return fine && p->count == p->room;
}

// The count of elements, or false when it overflows or a size is negative.
static bool element_count(const tensor_head *head, uint64_t *count) {
  *count = 1;
  bool empty = false;
  for (uint32_t i = 0; i < head->rank; i++) {
    if (head->dims[i] < 0) return false;
    if (head->dims[i] == 0) empty = true;
  }
  for (uint32_t i = 0; i < head->rank && !empty; i++) {
    if (__builtin_mul_overflow(*count, (uint64_t)head->dims[i], count)) return false;
  }
  if (empty) *count = 0;
  return true;
}

static const char *dims_text(onnx_reader *r, const tensor_head *head) {
  shape_strbuf text;
  strbuf_init(&text, r->graph->arena);
  for (uint32_t i = 0; i < head->rank && text.length < 200; i++)
    strbuf_printf(&text, "%s%lld", i ? ", " : "[", (long long)head->dims[i]);
  strbuf_putc(&text, ']');
  return strbuf_text(&text);
}

static void refuse_type(onnx_reader *r, wire_span at, const tensor_head *head) {
  onnx_error(r, at, "expected a known element type of tensor '%s', found %llu%s",
             onnx_text(r, head->name), (unsigned long long)head->data_type,
             head->data_type ? ": it may be of a newer release of ONNX" : ": it says none");
}

// False after a message.
static bool read_head(onnx_reader *r, wire_span tensor, tensor_head *head) {
  wire_reader w = wire_open(tensor);
  wire_field f;
  bool fine = true;
  *head = (tensor_head){.arena = r->graph->arena};
  while (wire_next(&w, &f)) {
    switch (f.number) {
    case TENSOR_DIMS:
      if (fine && !wire_each_number(&f, 0, add_dim, head)) {
        fine = false;
        onnx_malformed_list(r, f.bytes, 0, "the list of a tensor's dims");
      }
      break;
    case TENSOR_DATA_TYPE: head->data_type = f.value; break;
    case TENSOR_NAME: head->name = f.bytes; break;
    case TENSOR_RAW_DATA: head->raw = f.bytes, head->has_raw = true; break;
    case TENSOR_DATA_LOCATION: head->external = f.value == 1; break;
    default: break;
    }
  }
  if (w.malformed) onnx_malformed(r, tensor, "a tensor");
  return fine && !w.malformed;
}

typedef struct location {
  wire_span file;
  uint64_t offset, length;
  bool has_length, malformed;
} location;

static bool parse_number(wire_span text, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] < '0' || text.data[i] > '9' || __builtin_mul_overflow(*out, 10u, out) ||
        __builtin_add_overflow(*out, (uint64_t)(text.data[i] - '0'), out))
      return false;
  }
  return text.size > 0;
}

static bool is_key(wire_span key, const char *word) {
  return key.size == strlen(word) && memcmp(key.data, word, key.size) == 0;
}

// TensorProto.external_data: entries of location, offset and length (ONNX, "External Data").
static location read_location(wire_span tensor) {
  location out = {0};
  wire_reader w = wire_open(tensor);
  wire_field f, key, value;
  while (wire_next(&w, &f)) {
    if (f.number != TENSOR_EXTERNAL_DATA || !wire_find(f.bytes, 1, &key) ||
        !wire_find(f.bytes, 2, &value))
      continue;
    if (is_key(key.bytes, "location")) out.file = value.bytes;
    if (is_key(key.bytes, "offset")) out.malformed |= !parse_number(value.bytes, &out.offset);
    if (is_key(key.bytes, "length")) {
      out.has_length = true;
      out.malformed |= !parse_number(value.bytes, &out.length);
    }
  }
  return out;
}

// Whether a name stays below the folder that it is relative to, whatever the links: no root, no "..", no NUL.
static bool stays_below(wire_span name) {
  if (!name.size || name.data[0] == '/' || memchr(name.data, 0, name.size) ||
      memchr(name.data, '\\', name.size))
    return false;
  for (size_t i = 0; i + 1 < name.size; i++) {
    bool begins = !i || name.data[i - 1] == '/';
    bool ends = i + 2 == name.size || name.data[i + 2] == '/';
    if (begins && ends && name.data[i] == '.' && name.data[i + 1] == '.') return false;
  }
  return true;
}

// The bytes of a small tensor whose data is in another file; of no bytes where they cannot be had.
static wire_span read_external(onnx_reader *r, wire_span tensor, const tensor_head *head,
                               unsigned width, uint64_t count) {
  location at = read_location(tensor);
  size_t size = (size_t)(width * count);
  if (at.malformed || (at.file.size && !stays_below(at.file))) {
    onnx_error(r, tensor,
               "expected the data of tensor '%s' in a file below the model's folder, found '%s'%s",
               onnx_text(r, head->name), onnx_text(r, at.file),
               at.malformed ? " with an offset or length that is no number" : "");
    return (wire_span){0};
  }
  if (at.has_length && width && (at.length % width || at.length / width != count)) {
    onnx_error(r, tensor, "expected %llu times %u bytes of tensor '%s', found %llu bytes",
               (unsigned long long)count, width, onnx_text(r, head->name),
               (unsigned long long)at.length);
    return (wire_span){0};
  }
  if (!at.file.size || !size || count > DENSE_TRACKED || !r->options || !r->options->external)
    return (wire_span){0};
  uint8_t *bytes = arena_alloc(r->graph->arena, size);
  const char *name = arena_strndup(r->graph->arena, (const char *)at.file.data, at.file.size);
  bool ok = r->options->external(r->options->external_data, name, at.offset, size, bytes);
  return ok ? (wire_span){bytes, size} : (wire_span){0};
}

// Checks the payload's length where it is in raw form, and reads small ones.
static void read_payload(onnx_reader *r, wire_span tensor, const tensor_head *head,
                         shape_dtype dtype, uint64_t count, graph_attr *attr) {
  unsigned width = raw_width(dtype);
  // Files whose payloads are taken out keep the field, empty; scalars are never worth that.
  bool emptied = !head->raw.size && head->rank;
  if (head->has_raw && width && !emptied && head->raw.size / width != count) {
    onnx_error(r, tensor, "expected %llu times %u bytes of tensor '%s', found %zu bytes",
               (unsigned long long)count, width, onnx_text(r, head->name), head->raw.size);
    return;
  }
  wire_span outside =
      head->external ? read_external(r, tensor, head, width, count) : (wire_span){0};
  if ((head->external && !outside.size) || count > DENSE_TRACKED ||
      (!width && !dtype_is_integer(dtype)))
    return;
  payload p = {.room = (uint32_t)count, .dtype = dtype};
  onnx_step(r, p.room);
  if (dtype_is_float(dtype)) {
    p.floats = arena_alloc(r->graph->arena, (count + 1) * sizeof *p.floats);
  } else {
    p.ints = arena_alloc(r->graph->arena, (count + 1) * sizeof *p.ints);
  }
  bool raw = (head->has_raw || outside.size) && width;
  bool fine = raw ? read_raw(&p, outside.size ? outside : head->raw) : read_typed(&p, tensor);
  if (!fine && (p.count || p.misplaced) && width) {
    const char *name = onnx_text(r, head->name);
    if (p.misplaced) {
      onnx_error(r, tensor,
                 "expected the values of tensor '%s', which is %s, in the field of its type, "
                 "found them in int64_data",
                 name, dtype_name(dtype));
    } else if (p.count == p.room) {
      onnx_error(r, tensor, "expected %u values of tensor '%s', found more", p.room, name);
    } else {
      onnx_error(r, tensor, "expected %u values of tensor '%s', found %u", p.room, name, p.count);
    }
    return;
  }
  if (!fine) return;  // absent or of another form: the values are not known, the type is
  assert(p.count == p.room);
  if (p.floats) {
    attr_set_floats(attr, p.floats, p.room);
  } else {
    attr_set_ints(attr, p.ints, p.room);
  }
}

attr_id onnx_tensor(onnx_reader *r, wire_span tensor, wire_span *name) {
  tensor_head head;
  shape_dtype dtype;
  uint64_t count;
  bool fine = read_head(r, tensor, &head);
  if (name) *name = head.name;
  if (!fine) return ATTR_NONE;
  if (!dtype_from_onnx(head.data_type, &dtype)) {
    refuse_type(r, tensor, &head);
    return ATTR_NONE;
  }
  if (!element_count(&head, &count)) {
    onnx_error(r, tensor,
               "expected dims of tensor '%s' of at least 0 whose product has 64 bits, found %s",
               onnx_text(r, head.name), dims_text(r, &head));
    return ATTR_NONE;
  }
  graph_attr attr = {.kind = ATTR_DENSE, .text = NAME_NONE, .span = onnx_span(r, tensor)};
  attr.type = type_tensor(&r->graph->types, dtype, head.dims, head.rank);
  read_payload(r, tensor, &head, dtype, count, &attr);
  return graph_add_attr(r->graph, &attr);
}

attr_id onnx_sparse_tensor(onnx_reader *r, wire_span tensor, wire_span *name) {
  wire_reader w = wire_open(tensor);
  wire_field f, values = {0};
  tensor_head shape = {.arena = r->graph->arena}, head = {0};
  while (wire_next(&w, &f)) {
    if (f.number == SPARSE_VALUES) values = f;
    if (f.number == SPARSE_DIMS && !wire_each_number(&f, 0, add_dim, &shape)) {
      onnx_malformed_list(r, f.bytes, 0, "the list of a sparse tensor's dims");
      return ATTR_NONE;
    }
  }
  shape_dtype dtype;
  if (w.malformed) onnx_malformed(r, tensor, "a sparse tensor");
  if (w.malformed || !read_head(r, values.bytes, &head)) return ATTR_NONE;
  if (!dtype_from_onnx(head.data_type, &dtype)) {
    refuse_type(r, tensor, &head);
    return ATTR_NONE;
  }
  if (name) *name = head.name;
  graph_type type = {.kind = TYPE_TENSOR,
                     .dtype = (uint8_t)dtype,
                     .sparse = true,
                     .rank = shape.rank,
                     .dims = shape.dims,
                     .text = NAME_NONE,
                     .encoding = NAME_NONE};
  graph_attr attr = {.kind = ATTR_DENSE, .text = NAME_NONE, .span = onnx_span(r, tensor)};
  attr.type = type_intern(&r->graph->types, &type);
  return graph_add_attr(r->graph, &attr);
}
