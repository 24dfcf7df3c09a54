// SPDX-License-Identifier: Apache-2.0
// Models with other dims, inputs and nodes: what was written is read again.
#include "solver/formats/onnx/reform.h"

#include "tests/unit/formats/onnx/reading.h"

static wire_out model, graph, node, written;

static void take_old(void *to, size_t begin, size_t end) {
  wire_out_take(to, (const char *)model.data + begin, end - begin);
}

static void read_written(onnx_reading *again, const onnx_reform *reform) {
  const onnx_sink sink = {&written, wire_out_take, take_old};
  written.size = 0;
  onnx_reform_write(reform, &sink);
  onnx_reading_open(again, &written, NULL);
  cr_expect_str_eq(onnx_reading_error(again), "");
}

// y = Reshape(x, s) of an x of 2x3 with one dim that has a name.
static void open_model(onnx_reading *r, const char *dims) {
  static const int64_t SHAPE[] = {6, 1};
  graph.size = 0;
  put_value(&graph, 11, "x", 1, dims);
  put_value(&graph, 12, "y", 1, "6 1");
  put_ints(&graph, "s", SHAPE, 2);
  node_begin(&node, "Reshape", "x s", "y");
  put_message(&graph, 1, &node);
  model_of(&model, &graph, 17);
  onnx_reading_open(r, &model, NULL);
}

static type_id *loose(onnx_reading *r) {
  shape_graph *g = &r->graph;
  type_id *types = arena_alloc(&r->arena, g->value_count * sizeof *types);
  int64_t dims[2] = {DIM_DYNAMIC, 3};
  for (value_id v = 0; v < g->value_count; v++)
    types[v] = type_tensor(&g->types, DTYPE_F32, dims, 2);
  return types;
}

Test(onnx_reform, dims_become_those_that_are_given) {
  onnx_reading r, again;
  open_model(&r, "2 3");
  const onnx_reform reform = {.graph = &r.graph, .types = loose(&r)};
  read_written(&again, &reform);
  const graph_type *x = graph_value_type(&again.graph, 0);
  cr_assert(x && x->rank == 2);
  cr_expect_eq(x->dims[0], DIM_DYNAMIC);
  cr_expect_eq(x->dims[1], 3);
  cr_expect_eq(onnx_reading_count(&again, "onnx.Reshape"), 1u);
  onnx_reading_close(&again);
  onnx_reading_close(&r);
}

Test(onnx_reform, names_of_dims_stay_where_the_type_has_them) {
  onnx_reading r, again;
  open_model(&r, "N 3");
  type_id *types = loose(&r);
  types[0] = r.graph.values[0].type;
  const onnx_reform reform = {.graph = &r.graph, .types = types};
  read_written(&again, &reform);
  cr_expect_eq(again.graph.declared.symbol_count, 1u);
  cr_expect(dim_is_symbol(graph_value_type(&again.graph, 0)->dims[0]));
  onnx_reading_close(&again);
  onnx_reading_close(&r);
}

Test(onnx_reform, nodes_come_first_and_feed_the_inputs_that_are_named) {
  onnx_reading r, again;
  open_model(&r, "2 3");
  static const int64_t MINUS_ONE = -1, ONE = 1;
  static const char *const PARTS[] = {"a", "b"};
  const onnx_new_node nodes[] = {
      {.op_type = "Constant",
       .output = "a",
       .value = &MINUS_ONE,
       .value_rank = 1,
       .value_count = 1},
      {.op_type = "Constant", .output = "b", .value = &ONE, .value_rank = 1, .value_count = 1},
      {.op_type = "Concat", .more = PARTS, .more_count = 2, .output = "shape", .has_axis = true},
      {.op_type = "Shape", .inputs = {"x"}, .output = "unused"}};
  op_id reshape = 0;
  while (strcmp(graph_op_name(&r.graph, reshape), "onnx.Reshape") != 0) reshape++;
  const onnx_new_input input = {reshape, 1, "shape"};
  const onnx_reform reform = {.graph = &r.graph,
                              .types = loose(&r),
                              .nodes = nodes,
                              .node_count = 4,
                              .inputs = &input,
                              .input_count = 1};
  read_written(&again, &reform);
  const shape_graph *g = &again.graph;
  cr_expect_eq(onnx_reading_count(&again, "onnx.Concat"), 1u);
  for (op_id op = 0; op < g->op_count; op++) {
    if (strcmp(graph_op_name(g, op), "onnx.Reshape") != 0) continue;
    value_id shape = graph_operand(g, op, 1);
    cr_assert_neq(shape, VALUE_NONE);
    cr_expect_str_eq(graph_op_name(g, g->values[shape].def), "onnx.Concat");
    cr_expect_eq(graph_operand(g, op, 0), 0u);
  }
  onnx_reading_close(&again);
  onnx_reading_close(&r);
}

Test(onnx_reform, the_graph_is_the_part_with_the_nodes) {
  onnx_reading r;
  open_model(&r, "2 3");
  source_span span = onnx_graph_span(&r.graph);
  cr_expect(span.begin > 0 && span.end == model.size);
  for (op_id op = 0; op < r.graph.op_count; op++) {
    if (strcmp(graph_op_name(&r.graph, op), "onnx.Reshape") != 0) continue;
    cr_expect(r.graph.ops[op].span.begin >= span.begin && r.graph.ops[op].span.begin < span.end);
  }
  onnx_reading_close(&r);
}
