// SPDX-License-Identifier: Apache-2.0
// Nodes as they are written: each is read again as the only node of a graph.
#include "solver/formats/onnx/new_node.h"

#include "solver/formats/onnx/patch.h"
#include "tests/unit/formats/onnx/reading.h"

static wire_out graph, model;

static void take(void *to, const char *data, size_t length) {
  (void)to;
  memcpy(graph.data + graph.size, data, length);
  graph.size += length;
}

static void take_none(void *to, size_t begin, size_t end) {
  (void)to;
  cr_assert_eq(begin, end);
}

static void read_node(onnx_reading *r, const onnx_new_node *made) {
  shape_arena arena;
  const onnx_sink sink = {NULL, take, take_none};
  arena_init(&arena, 1u << 20);
  patch p = patch_new(&arena, NULL);
  graph.size = 0;
  onnx_put_node(&p, made);
  patch_write(&p, &sink);
  arena_destroy(&arena);
  put_value(&graph, 12, made->output, 7, NULL);
  model_of(&model, &graph, 17);
  onnx_reading_open(r, &model, NULL);
  cr_expect_str_eq(onnx_reading_error(r), "");
}

Test(onnx_new_node, constants_of_any_length) {
  static const int64_t ITEMS[] = {0, -1, INT64_MAX};
  for (uint32_t count = 0; count <= 3; count++) {
    onnx_reading r;
    const onnx_new_node made = {.op_type = "Constant",
                                .output = "c",
                                .value = ITEMS,
                                .value_rank = 1,
                                .value_count = count};
    read_node(&r, &made);
    const graph_attr *value = graph_attr_get(&r.graph, graph_attr_named(&r.graph, 0, "value"));
    uint32_t length = 0;
    const int64_t *items = value ? attr_held_ints(value, &length) : NULL;
    cr_assert(value && (!count || items));
    cr_expect_eq(length, count);
    for (uint32_t i = 0; i < count; i++) cr_expect_eq(items[i], ITEMS[i]);
    onnx_reading_close(&r);
  }
}
