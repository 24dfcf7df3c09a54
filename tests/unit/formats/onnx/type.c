// SPDX-License-Identifier: Apache-2.0
// Types of values as a model declares them.
#include "tests/unit/formats/onnx/reading.h"

static wire_out model, graph, value, type, element, dims, dim;

// The type of input `x`, printed; or the error.
static const char *declared(void) {
  static char text[128];
  onnx_reading r;
  graph.size = value.size = 0;
  put_text(&value, 1, "x");
  put_message(&value, 2, &type);
  put_message(&graph, 11, &value);
  put_message(&graph, 12, &value);
  model_of(&model, &graph, 17);
  onnx_reading_open(&r, &model, NULL);
  snprintf(text, sizeof text, "%s", onnx_reading_error(&r));
  if (!*text) {
    shape_strbuf out;
    strbuf_init(&out, &r.arena);
    type_print(&r.graph.types, &out, r.graph.values[0].type);
    snprintf(text, sizeof text, "%s", strbuf_text(&out));
  }
  onnx_reading_close(&r);
  return text;
}

static void tensor_of(wire_out *to, uint32_t field, int64_t dtype, const int64_t *sizes, int rank) {
  element.size = dims.size = 0;
  put_int(&element, 1, dtype);
  for (int i = 0; i < rank; i++) {
    dim.size = 0;
    put_int(&dim, 1, sizes[i]);
    put_message(&dims, 1, &dim);
  }
  if (rank >= 0) put_message(&element, 2, &dims);
  to->size = 0;
  put_message(to, field, &element);
}

Test(onnx_type, tensors) {
  static const int64_t SIZES[] = {2, 0, -1};
  tensor_of(&type, 1, 1, SIZES, 3);
  cr_expect_str_eq(declared(), "tensor<2x0x?xf32>", "%s", declared());
  tensor_of(&type, 1, 7, NULL, 0);
  cr_expect_str_eq(declared(), "tensor<i64>", "%s", declared());
  tensor_of(&type, 1, 7, NULL, -1);
  cr_expect_str_eq(declared(), "tensor<*xi64>", "%s", declared());
  tensor_of(&type, 1, 99, NULL, -1);
  cr_expect_str_eq(
      declared(),
      "expected an element type that is known, found 99: it may be of a newer release of ONNX");
}

// An absent or empty name of a dim is a dim of which nothing is known.
Test(onnx_type, names_of_dims_are_symbols) {
  onnx_reading r;
  graph.size = 0;
  put_value(&graph, 11, "x", 1, "N 3 N ?");
  put_value(&graph, 12, "x", 1, "N 3 N ?");
  model_of(&model, &graph, 17);
  onnx_reading_open(&r, &model, NULL);
  const graph_type *t = graph_value_type(&r.graph, 0);
  cr_assert(t && t->rank == 4, "%u", t ? t->rank : 99);
  cr_expect_eq(r.graph.declared.symbol_count, 1u);
  cr_expect(dim_is_symbol(t->dims[0]) && t->dims[0] == t->dims[2] && t->dims[1] == 3);
  cr_expect_eq(t->dims[3], DIM_DYNAMIC);
  onnx_reading_close(&r);
}

static void wrap(uint32_t field, uint32_t part) {
  wire_out inner = type;
  element.size = type.size = 0;
  if (field == 5) put_int(&element, 1, 7);
  put_message(&element, part, &inner);
  put_message(&type, field, &element);
}

Test(onnx_type, sequences_maps_and_optional_values) {
  tensor_of(&type, 1, 1, NULL, 0);
  wrap(4, 1);
  const char *sequence = declared();
  cr_expect(strstr(sequence, "tensor<f32>") && strcmp(sequence, "tensor<f32>") != 0, "%s",
            sequence);
  wrap(9, 1);
  cr_expect(strstr(declared(), "tensor<f32>"), "%s", declared());
  tensor_of(&type, 1, 1, NULL, 0);
  wrap(5, 2);
  cr_expect_str_eq(declared(), "!onnx.Map<i64, tensor<f32>>", "%s", declared());
}

Test(onnx_type, nesting_ends) {
  tensor_of(&type, 1, 1, NULL, 0);
  for (int i = 0; i < 300; i++) wrap(4, 1);
  cr_expect(strstr(declared(), "expected types to be nested at most 64 deep"), "%s", declared());
}
