// SPDX-License-Identifier: Apache-2.0
// The parts of a model that its reader inspects: all but the payloads of large tensors.
#include "solver/formats/onnx/scan.h"

#include "tests/support/onnx_model.h"

enum { PAYLOAD = 1 << 20 };

typedef struct inspected {
  size_t bytes, begin, last, stop;  // stop: of how many bytes no more are to be had; 0: of none
} inspected;

static bool note(void *data, size_t begin, size_t end) {
  inspected *x = data;
  cr_expect(begin <= end && begin >= x->begin);
  if (end > x->last) x->bytes += end - (begin > x->last ? begin : x->last);
  if (end > x->last) x->last = end;
  x->begin = begin;
  return !x->stop || x->bytes < x->stop;
}

// graph { initializer { raw_data: PAYLOAD bytes } node {...} }; the head of it in front of the payload.
static char *large_model(size_t *length) {
  wire_out tensor = {.size = 0}, graph = {.size = 0}, model = {.size = 0}, node;
  put_int(&tensor, 1, PAYLOAD / 8);
  put_int(&tensor, 2, 7);
  put_varint(&tensor, 9 << 3 | 2);
  put_varint(&tensor, PAYLOAD);
  node_begin(&node, "Relu", "x", "y");
  put_varint(&graph, 5 << 3 | 2);
  put_varint(&graph, tensor.size + PAYLOAD);
  put_int(&model, 1, 8);
  put_varint(&model, 7 << 3 | 2);
  put_varint(&model, graph.size + tensor.size + PAYLOAD + node.size + 2);
  char *bytes = calloc(1, PAYLOAD + 4096), *at = bytes;
  cr_assert(bytes);
  memcpy(at, model.data, model.size), at += model.size;
  memcpy(at, graph.data, graph.size), at += graph.size;
  memcpy(at, tensor.data, tensor.size), at += tensor.size + PAYLOAD;
  *at++ = 1 << 3 | 2;
  *at++ = (char)node.size;
  memcpy(at, node.data, node.size), at += node.size;
  *length = (size_t)(at - bytes);
  return bytes;
}

Test(onnx_scan, payloads_are_stepped_over) {
  size_t length;
  char *bytes = large_model(&length);
  inspected all = {0}, stopped = {.stop = 4};
  cr_expect(onnx_scan(bytes, length, note, &all));
  cr_expect_eq(all.last, length);
  cr_expect_lt(all.bytes, 200u);
  cr_expect_not(onnx_scan(bytes, length, note, &stopped));
  // A length beyond the end, and bytes that are no message, end it.
  inspected cut = {0}, none = {0};
  cr_expect(onnx_scan(bytes, 64, note, &cut));
  memset(bytes, 0xff, 64);
  cr_expect(onnx_scan(bytes, 64, note, &none));
  cr_expect_eq(none.bytes, 64u);
  free(bytes);
}
