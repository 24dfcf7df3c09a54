// SPDX-License-Identifier: Apache-2.0
// Fields that are written are those that the reader of the wire format finds.
#include "solver/formats/onnx/encode.h"

#include "tests/support/onnx_model.h"

static void encode_all(void *data) {
  shape_strbuf *out = data;
  char long_text[300] = {0};
  encode_integer(out, 1, UINT64_MAX);
  encode_float(out, 2, -1.5);
  encode_double(out, 3, 1e-3);
  encode_bytes(out, 4, "ab", 2);
  uint32_t outer = encode_open(out, 200), inner = encode_open(out, 5);
  strbuf_add(out, long_text, sizeof long_text);
  encode_close(out, inner);
  encode_close(out, outer);
}

Test(onnx_encode, fields_are_read_again) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 1u << 20);
  strbuf_init(&out, &arena);
  cr_assert_eq(arena_protect(&arena, encode_all, &out), SHAPE_OK);
  wire_span all = {(const uint8_t *)out.data, out.length};
  wire_field f;
  float single;
  double wide;
  cr_assert(wire_find(all, 1, &f));
  cr_expect_eq(f.value, UINT64_MAX);
  cr_assert(wire_find(all, 2, &f));
  uint32_t bits = (uint32_t)f.value;
  memcpy(&single, &bits, sizeof single);
  cr_expect(single == -1.5f);
  cr_assert(wire_find(all, 3, &f));
  memcpy(&wide, &f.value, sizeof wide);
  cr_expect(wide == 1e-3);
  cr_assert(wire_find(all, 4, &f));
  cr_expect_eq(f.bytes.size, 2);
  cr_assert(wire_find(all, 200, &f));
  cr_assert(wire_find(f.bytes, 5, &f));
  cr_expect_eq(f.bytes.size, 300);
  arena_destroy(&arena);
}
