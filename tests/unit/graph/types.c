// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/type.h"

#include <criterion/criterion.h>
#include <string.h>

Test(types, dtypes) {
  for (unsigned i = 0; i < DTYPE_QUANTIZED; i++) {
    shape_dtype dtype = (shape_dtype)i, found;
    const char *mlir = dtype_name(dtype), *onnx = dtype_onnx_name(dtype);
    cr_expect(dtype_from_name(mlir, strlen(mlir), &found) && found == dtype, "%s", mlir);
    cr_expect(dtype_from_onnx_name(onnx, strlen(onnx), &found) && found == dtype, "%s", onnx);
    cr_expect(dtype_is_integer(dtype) + dtype_is_float(dtype) + dtype_is_complex(dtype) <= 1);
    cr_expect(!dtype_is_signed(dtype) || dtype_is_integer(dtype));
  }
  shape_dtype found;
  cr_expect_not(dtype_from_name("i33", 3, &found));
  cr_expect_not(dtype_from_name("", 0, &found));
  cr_expect_not(dtype_from_onnx_name("f32", 3, &found));
  cr_expect(dtype_is_integer(DTYPE_I1) && !dtype_is_signed(DTYPE_I1) && dtype_bits(DTYPE_I1) == 1);
  cr_expect(dtype_is_signed(DTYPE_INDEX) && dtype_bits(DTYPE_INDEX) == 64);
  cr_expect(dtype_is_integer(DTYPE_UI8) && !dtype_is_signed(DTYPE_UI8));
  cr_expect_eq(dtype_bits(DTYPE_STRING), 0u);
}

typedef struct typed {
  shape_arena arena;
  shape_intern names;
  type_table types;
} typed;

static void init(typed *w) {
  arena_init(&w->arena, 0);
  intern_init(&w->names, &w->arena);
  type_table_init(&w->types, &w->arena, &w->names);
}

static bool write_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  if (symbol == 99) return false;
  if (!out) return true;
  strbuf_puts(out, data);
  strbuf_int(out, symbol);
  return true;
}

static const char *print(typed *w, type_id type, char *prefix) {
  shape_strbuf buf;
  strbuf_init(&buf, &w->arena);
  if (prefix) {
    type_print_encoded(&w->types, &buf, type, write_symbol, prefix);
  } else {
    type_print(&w->types, &buf, type);
  }
  return strbuf_text(&buf);
}

Test(types, equal_types_have_equal_ids) {
  typed w;
  init(&w);
  int64_t dims[] = {2, DIM_DYNAMIC, dim_of_symbol(4)}, bounds[] = {DIM_DYNAMIC, 9, DIM_DYNAMIC};
  type_id a = type_tensor(&w.types, DTYPE_F32, dims, 3);
  cr_expect_eq(type_tensor(&w.types, DTYPE_F32, dims, 3), a);
  cr_expect_neq(type_tensor(&w.types, DTYPE_F32, dims, 2), a);
  cr_expect_neq(type_tensor(&w.types, DTYPE_F64, dims, 3), a);
  type_id b = type_with_dims(&w.types, a, dims, bounds, 3);
  cr_expect_neq(a, b);
  cr_expect_eq(type_with_dims(&w.types, b, dims, NULL, 3), a);
  cr_expect_eq(type_with_dims(&w.types, type_unranked(&w.types, DTYPE_F32), dims, NULL, 3), a);
  cr_expect(type_same_element(&w.types, a, type_scalar(&w.types, DTYPE_F32)));
  cr_expect_not(type_same_element(&w.types, a, type_scalar(&w.types, DTYPE_I32)));
  cr_expect(type_is_tensor(&w.types, a) &&
            type_is_tensor(&w.types, type_unranked(&w.types, DTYPE_I1)));
  cr_expect_not(type_is_tensor(&w.types, type_scalar(&w.types, DTYPE_I1)));
  cr_expect_not(type_is_tensor(&w.types, TYPE_NONE));
  cr_expect_str_eq(print(&w, a, NULL), "tensor<2x?x?xf32>");
  cr_expect_str_eq(print(&w, a, "S"), "tensor<2x?x?xf32, [@C2, unit, S4]>");
  cr_expect_str_eq(print(&w, b, NULL), "tensor<2x?x?xf32, #stablehlo.bounds<?, 9, ?>>");
  cr_expect_str_eq(print(&w, TYPE_NONE, NULL), "<<unknown>>");
  arena_destroy(&w.arena);
}

// Readers leave different numbers where a type has no element.
Test(types, types_without_an_element_have_no_dtype) {
  typed w;
  init(&w);
  const type_id item = type_scalar(&w.types, DTYPE_F32);
  for (unsigned kind = TYPE_SCALAR; kind <= TYPE_OPAQUE; kind++) {
    graph_type type = {.kind = (uint8_t)kind, .text = NAME_NONE, .encoding = NAME_NONE};
    if (kind > TYPE_UNRANKED) type.params = &item, type.param_count = 1;
    type.dtype = DTYPE_I1;
    type_id first = type_intern(&w.types, &type);
    type.dtype = DTYPE_OTHER;
    cr_expect_eq(type_intern(&w.types, &type) == first, kind > TYPE_UNRANKED, "kind %u", kind);
  }
  arena_destroy(&w.arena);
}

Test(types, many) {
  enum { COUNT = 5000 };
  typed w;
  init(&w);
  type_id ids[COUNT];
  for (int64_t i = 0; i < COUNT; i++) ids[i] = type_tensor(&w.types, DTYPE_I8, &i, 1);
  for (int64_t i = 0; i < COUNT; i++) {
    cr_assert_eq(type_tensor(&w.types, DTYPE_I8, &i, 1), ids[i]);
    cr_assert_eq(type_get(&w.types, ids[i])->dims[0], i);
  }
  cr_expect_eq(w.types.count, (uint32_t)COUNT);
  arena_destroy(&w.arena);
}

Test(types, compound) {
  typed w;
  init(&w);
  type_id f32 = type_scalar(&w.types, DTYPE_F32), params[] = {f32, f32, f32};
  graph_type type = {.kind = TYPE_FUNCTION,
                     .text = NAME_NONE,
                     .encoding = NAME_NONE,
                     .params = params,
                     .param_count = 3,
                     .split = 1};
  type_id a = type_intern(&w.types, &type);
  cr_expect_str_eq(print(&w, a, NULL), "(f32) -> (f32, f32)");
  type.split = 2;
  type_id b = type_intern(&w.types, &type);
  cr_expect_neq(a, b);
  cr_expect_str_eq(print(&w, b, NULL), "(f32, f32) -> f32");
  params[2] = a;
  cr_expect_str_eq(print(&w, type_intern(&w.types, &type), NULL),
                   "(f32, f32) -> ((f32) -> (f32, f32))");
  type.kind = TYPE_SEQUENCE;
  type.param_count = 1;
  type.split = 0;
  cr_expect_str_eq(print(&w, type_intern(&w.types, &type), NULL), "!onnx.Seq<f32>");
  arena_destroy(&w.arena);
}
