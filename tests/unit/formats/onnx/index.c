// SPDX-License-Identifier: Apache-2.0
// Parts of a model and what they became in the graph.
#include "solver/formats/onnx/index.h"

#include "tests/unit/formats/onnx/reading.h"

static wire_out model, graph, node, branch, attribute;

static name_id name_of(const shape_graph *g, const char *text) {
  return intern_find(&g->names, text, strlen(text));
}

Test(onnx_index, values_are_found_by_their_block_and_nodes_by_their_first_byte) {
  onnx_reading r;
  graph.size = 0;
  put_value(&graph, 11, "x", 1, "2");
  put_value(&graph, 12, "y", 1, "2");
  node_begin(&node, "Relu", "x", "y");
  put_message(&graph, 1, &node);
  model_of(&model, &graph, 17);
  onnx_reading_open(&r, &model, NULL);
  onnx_index index = onnx_index_of(&r.graph);
  block_id block = r.graph.regions[r.graph.funcs[0].body].first_block;
  value_id y = onnx_index_value(&index, block, name_of(&r.graph, "y"));
  cr_expect_eq(onnx_index_value(&index, block, name_of(&r.graph, "x")), 0u);
  cr_assert_neq(y, VALUE_NONE);
  cr_expect_eq(onnx_index_value(&index, block + 1, name_of(&r.graph, "y")), VALUE_NONE);
  op_id relu = r.graph.values[y].def;
  cr_expect_eq(onnx_index_op(&index, r.graph.ops[relu].span.begin), relu);
  cr_expect_eq(onnx_index_op(&index, 0), ID_NONE);
  onnx_reading_close(&r);
}

static void put_branch(const char *name) {
  branch.size = attribute.size = 0;
  put_text(&attribute, 1, name);
  put_message(&attribute, 6, &branch);
  put_message(&node, 5, &attribute);
}

// then_branch is the first region, wherever it is in the node.
Test(onnx_index, regions_are_numbered_as_the_reader_gives_them) {
  node_begin(&node, "If", "c", "y");
  put_branch("else_branch");
  put_branch("then_branch");
  wire_span span = {node.data, node.size};
  onnx_regions regions = onnx_regions_of(span);
  wire_reader reader = wire_open(span);
  wire_field f;
  uint32_t order[2], count = 0;
  while (wire_next(&reader, &f)) {
    if (f.number == 5) order[count++] = onnx_next_region(&regions, f.bytes);
  }
  cr_assert_eq(count, 2u);
  cr_expect(order[0] == 1 && order[1] == 0);
}
