// SPDX-License-Identifier: Apache-2.0
// Values of tensors in every form that they are stored in, and what is said of those that lie.
#include "tests/unit/formats/onnx/reading.h"

enum { FLOAT = 1, UINT8 = 2, INT8 = 3, INT32 = 6, INT64 = 7, BOOL = 9, HALF = 10, DOUBLE = 11 };
enum { UINT64 = 13, BFLOAT = 16, INT32_DATA = 5, INT64_DATA = 7, RAW = 9, UINT64_DATA = 11 };

static wire_out graph, model, tensor;

static void begin(int dtype, int64_t dim) {
  tensor.size = 0;
  put_int(&tensor, 1, dim);
  put_int(&tensor, 2, dtype);
  put_text(&tensor, 8, "t");
}

static void finish(onnx_reading *r, const onnx_options *options) {
  graph.size = 0;
  put_message(&graph, 5, &tensor);
  put_value(&graph, 12, "t", FLOAT, NULL);
  model_of(&model, &graph, 17);
  onnx_reading_open(r, &model, options);
}

// The elements of the only constant: "1 -2", or "none" where they are not known, or the error.
static const char *elements(const onnx_options *options) {
  static char text[512];
  onnx_reading r;
  finish(&r, options);
  snprintf(text, sizeof text, "%s", *onnx_reading_error(&r) ? onnx_reading_error(&r) : "none");
  for (op_id op = 0; op < r.graph.op_count && !r.graph.diags.errors; op++) {
    const graph_attr *a = graph_attr_get(&r.graph, graph_attr_named(&r.graph, op, "value"));
    uint32_t count = 0, floats = 0;
    const int64_t *ints = attr_held_ints(a, &count);
    const double *reals = attr_held_floats(a, &floats);
    if (ints || reals) text[0] = 0;
    for (uint32_t i = 0; i < count + floats; i++) {
      size_t at = strlen(text);
      snprintf(text + at, sizeof text - at, "%s%g", i ? " " : "",
               ints ? (double)ints[i] : reals[i]);
    }
  }
  onnx_reading_close(&r);
  return text;
}

static const char *raw(int dtype, int64_t dim, const void *bytes, size_t size) {
  begin(dtype, dim);
  put_bytes(&tensor, RAW, bytes, size);
  return elements(NULL);
}

Test(onnx_tensor, raw_bytes_are_little_endian) {
  cr_expect_str_eq(raw(INT8, 2, "\x7f\x80", 2), "127 -128");
  cr_expect_str_eq(raw(UINT8, 2, "\x7f\x80", 2), "127 128");
  cr_expect_str_eq(raw(BOOL, 2, "\x00\x02", 2), "0 1");
  cr_expect_str_eq(raw(INT32, 1, "\xfe\xff\xff\xff", 4), "-2");
  cr_expect_str_eq(raw(INT64, 1, "\x05\0\0\0\0\0\0\0", 8), "5");
  cr_expect_str_eq(raw(HALF, 3, "\x00\xbe\x01\x00\x00\x7c", 6), "-1.5 5.96046e-08 inf");
  cr_expect_str_eq(raw(HALF, 1, "\x01\x7c", 2), "nan");
  cr_expect_str_eq(raw(BFLOAT, 1, "\xc0\x3f", 2), "1.5");
  cr_expect_str_eq(raw(FLOAT, 1, "\x00\x00\xc0\x3f", 4), "1.5");
  cr_expect_str_eq(raw(DOUBLE, 1, "\0\0\0\0\0\0\xf8\x3f", 8), "1.5");
}

Test(onnx_tensor, typed_data_has_fields_of_its_own) {
  begin(INT8, 2);
  put_int(&tensor, INT32_DATA, -1);
  put_int(&tensor, INT32_DATA, 7);
  cr_expect_str_eq(elements(NULL), "-1 7");
  begin(HALF, 1);
  put_int(&tensor, INT32_DATA, 0x3e00);
  cr_expect_str_eq(elements(NULL), "1.5");
  begin(UINT64, 1);
  put_int(&tensor, UINT64_DATA, 9);
  cr_expect_str_eq(elements(NULL), "9");
  begin(FLOAT, 1);
  put_varint(&tensor, 4 << 3 | 5);
  memcpy(tensor.data + tensor.size, "\0\0\xc0\x3f", 4);
  tensor.size += 4;
  cr_expect_str_eq(elements(NULL), "1.5");
}

Test(onnx_tensor, data_that_lies_is_an_error) {
  cr_expect_str_eq(raw(INT32, 2, "\1\0\0\0", 4),
                   "expected 2 times 4 bytes of tensor 't', found 4 bytes");
  begin(INT64, 3);
  put_int(&tensor, INT64_DATA, 1);
  cr_expect_str_eq(elements(NULL), "expected 3 values of tensor 't', found 1");
  begin(FLOAT, 1);
  put_int(&tensor, INT64_DATA, 1);
  cr_expect_str_eq(elements(NULL), "expected the values of tensor 't', which is f32, in the field "
                                   "of its type, found them in int64_data");
  begin(77, 1);
  cr_expect_str_eq(elements(NULL), "expected a known element type of tensor 't', found 77: it may "
                                   "be of a newer release of ONNX");
  begin(INT64, -1);
  cr_expect(strstr(elements(NULL), "whose product has 64 bits, found [-1]"));
  begin(INT64, INT64_MAX);
  put_int(&tensor, 1, INT64_MAX);
  put_int(&tensor, 1, INT64_MAX);
  cr_expect(strstr(elements(NULL), "whose product has 64 bits, found [9223372036854775807, "));
}

Test(onnx_tensor, payloads_that_were_taken_out_are_not_known) {
  cr_expect_str_eq(raw(INT64, 2, "", 0), "none");
  begin(INT64, 1 << 20);
  cr_expect_str_eq(elements(NULL), "none");
  cr_expect_str_eq(raw(INT64, 0, "", 0), "");
}

// --- data in other files

typedef struct file {
  const char *name;
  uint64_t offset;
} file;

static bool bring(void *data, const char *name, uint64_t offset, size_t length, void *to) {
  file *f = data;
  f->name = name;
  f->offset = offset;
  memset(to, 0, length);
  memcpy(to, "\x2a", 1);
  return strcmp(name, "gone") != 0;
}

static void external(const char *key, const char *value) {
  wire_out entry = {.size = 0};
  put_text(&entry, 1, key);
  put_text(&entry, 2, value);
  put_message(&tensor, 13, &entry);
}

static void begin_external(const char *location, const char *offset, const char *length) {
  begin(INT64, 1);
  external("location", location);
  if (offset) external("offset", offset);
  if (length) external("length", length);
  put_int(&tensor, 14, 1);
}

Test(onnx_tensor, data_of_other_files_is_brought_by_the_caller) {
  file f = {0};
  const onnx_options options = {.external = bring, .external_data = &f};
  begin_external("sub/weights.bin", "16", "8");
  cr_expect_str_eq(elements(&options), "42");
  cr_expect_eq(f.offset, 16u);
  begin_external("gone", NULL, NULL);
  cr_expect_str_eq(elements(&options), "none");
  begin_external("weights", NULL, NULL);
  cr_expect_str_eq(elements(NULL), "none");
}

Test(onnx_tensor, names_of_files_stay_below_the_folder) {
  file f = {0};
  const onnx_options options = {.external = bring, .external_data = &f};
  static const char *const NAMES[] = {"/etc/x", "../x", "a/../x", "..", "a/..", "a\\x"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    begin_external(NAMES[i], NULL, NULL);
    cr_expect(strstr(elements(&options), "in a file below the model's folder, found"), "%s",
              NAMES[i]);
  }
  cr_expect_null(f.name);
  begin_external("..x/a..", NULL, NULL);
  cr_expect_str_eq(elements(&options), "42");
  begin_external("w", "99999999999999999999", NULL);
  cr_expect(strstr(elements(&options), "in a file below the model's folder, found"));
  begin_external("w", NULL, "7");
  cr_expect_str_eq(elements(&options), "expected 1 times 8 bytes of tensor 't', found 7 bytes");
}
