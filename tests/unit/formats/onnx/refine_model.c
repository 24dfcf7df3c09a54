// SPDX-License-Identifier: Apache-2.0
// A model that is written back: what was found out is in it, and everything else has its bytes.
#include "solver/formats/onnx/new_node.h"
#include "solver/formats/onnx/refine.h"
#include "solver/formats/onnx/wire.h"

#include "solver/analysis/analysis.h"
#include "tests/support/onnx_model.h"

enum { NODE = 1, INITIALIZER = 5, INPUT = 11, OUTPUT = 12, VALUE_INFO = 13 };
enum { GRAPH = 7, METADATA = 14 };

static wire_out graph, model, node;

typedef struct refined_model {
  analysis_request request;
  analysis_reply reply;
  analysis core;
  shape_report *report;
  wire_out out;
  size_t copied;
} refined_model;

static void put_node(const char *op, const char *inputs, const char *outputs) {
  node_begin(&node, op, inputs, outputs);
  put_message(&graph, NODE, &node);
}

static void open(refined_model *m) {
  memset(m, 0, sizeof *m);
  m->request =
      (analysis_request){.name = "m.onnx", .text = (const char *)model.data, .length = model.size};
  cr_assert(analysis_open(&m->core, &m->request, false, &m->reply), "%s", m->reply.message);
  cr_assert_eq(m->reply.errors, 0);
  m->report = shape_run_report(m->core.program);
}

static void take(void *to, const char *data, size_t length) {
  wire_out_take(&((refined_model *)to)->out, data, length);
}

static void copy(void *to, size_t begin, size_t end) {
  refined_model *m = to;
  m->copied += end - begin;
  wire_out_take(&m->out, (const char *)model.data + begin, end - begin);
}

static void refine(refined_model *m, const bool *keeps, const onnx_changes *changes) {
  onnx_refine(m->report, keeps, changes, &(onnx_sink){m, take, copy});
}

static wire_span graph_of(const refined_model *m) {
  wire_field f;
  cr_assert(wire_find((wire_span){m->out.data, m->out.size}, GRAPH, &f));
  return f.bytes;
}

// "x[N,3]", "x": no type, "x[?]": a dim of which nothing is said.
static void put_value_text(shape_strbuf *out, wire_span info) {
  wire_field name, f, dim;
  cr_assert(wire_find(info, 1, &name));
  strbuf_printf(out, "%.*s", (int)name.bytes.size, (const char *)name.bytes.data);
  if (!wire_find(info, 2, &f) || !wire_find(f.bytes, 1, &f) || !wire_find(f.bytes, 2, &f)) return;
  uint32_t count = 0;
  for (wire_reader r = wire_open(f.bytes); wire_next(&r, &dim); count++) {
    strbuf_putc(out, count ? ',' : '[');
    if (wire_find(dim.bytes, 1, &f))
      strbuf_printf(out, "%llu", (unsigned long long)f.value);
    else if (wire_find(dim.bytes, 2, &f))
      strbuf_printf(out, "%.*s", (int)f.bytes.size, (const char *)f.bytes.data);
    else
      strbuf_putc(out, '?');
  }
  strbuf_puts(out, count ? "]" : "[]");
}

// The values that the graph declares, in their order.
static const char *declared(refined_model *m, uint32_t field) {
  shape_strbuf out;
  wire_field f;
  strbuf_init(&out, m->report->graph->arena);
  for (wire_reader r = wire_open(graph_of(m)); wire_next(&r, &f);) {
    if (f.number != field) continue;
    if (out.length) strbuf_putc(&out, ' ');
    put_value_text(&out, f.bytes);
  }
  return strbuf_text(&out);
}

static uint32_t count_of(wire_span message, uint32_t field) {
  wire_field f;
  uint32_t count = 0;
  for (wire_reader r = wire_open(message); wire_next(&r, &f);) count += f.number == field;
  return count;
}

// x is [N, 4], t its concatenation with itself, y what Relu makes of that.
static void begin(void) {
  graph.size = 0;
  put_value(&graph, INPUT, "x", 1, "N 4");
  node_begin(&node, "Concat", "x x", "t");
  attr_int(&node, "axis", 0);
  put_message(&graph, NODE, &node);
  put_node("Relu", "t", "y");
}

// Of these dims, NULL: none.
static void open_concat(refined_model *m, const char *y) {
  begin();
  put_value(&graph, OUTPUT, "y", 1, y);
  model_of(&model, &graph, 17);
  open(m);
}

Test(onnx_refine_model, dims_are_numbers_names_and_expressions) {
  refined_model m;
  open_concat(&m, NULL);
  refine(&m, NULL, NULL);
  cr_expect_str_eq(declared(&m, INPUT), "x[N,4]");
  cr_expect_str_eq(declared(&m, OUTPUT), "y[2*N,4]");
  cr_expect_str_eq(declared(&m, VALUE_INFO), "t[2*N,4]");
  cr_expect_eq(count_of(graph_of(&m), NODE), 2);
  cr_expect_eq(count_of((wire_span){m.out.data, m.out.size}, METADATA), 0);
  cr_expect_gt(m.copied, 0);
  analysis_close(&m.core);
}

// What is written says what was read: a second time nothing changes, byte for byte.
Test(onnx_refine_model, a_refined_model_is_refined) {
  static refined_model first, second;
  open_concat(&first, NULL);
  refine(&first, NULL, NULL);
  analysis_close(&first.core);
  model = first.out;
  open(&second);
  refine(&second, NULL, NULL);
  cr_expect_eq(second.out.size, first.out.size);
  cr_expect_eq(memcmp(second.out.data, first.out.data, first.out.size), 0);
  analysis_close(&second.core);
}

// A dim that is declared is kept where nothing is known, and its number where it is one already.
Test(onnx_refine_model, what_is_declared_and_what_is_known) {
  static const struct {
    const char *declared, *want;
  } cases[] = {{"? ?", "y[2*N,4]"}, {"M 4", "y[2*N,4]"}, {"? 4", "y[2*N,4]"}, {"6 4", "y[6,4]"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    refined_model m;
    open_concat(&m, cases[i].declared);
    refine(&m, NULL, NULL);
    cr_expect_str_eq(declared(&m, OUTPUT), cases[i].want, "%s: %s", cases[i].declared,
                     declared(&m, OUTPUT));
    analysis_close(&m.core);
  }
}

Test(onnx_refine_model, types_that_are_kept_stay) {
  refined_model m;
  open_concat(&m, NULL);
  bool *keeps = arena_zalloc(m.report->graph->arena, m.report->graph->value_count);
  memset(keeps, 1, m.report->graph->value_count);
  refine(&m, keeps, NULL);
  cr_expect_eq(m.out.size, model.size);
  cr_expect_eq(memcmp(m.out.data, model.data, model.size), 0);
  analysis_close(&m.core);
}

static void put_entry(const char *key, const char *value) {
  wire_out entry = {.size = 0};
  put_text(&entry, 1, key);
  put_text(&entry, 2, value);
  put_message(&model, METADATA, &entry);
}

// An entry of a name that no dim has goes; those that are not of dims stay.
Test(onnx_refine_model, formulas_without_a_name_go) {
  refined_model m;
  wire_field f;
  begin();
  put_value(&graph, OUTPUT, "y", 1, NULL);
  model_of(&model, &graph, 17);
  put_entry("shape.dim.gone", "N + 1");
  put_entry("shape.dim.N", "7*K");
  put_entry("author", "a");
  put_entry("shape.dim.", "no name");
  open(&m);
  refine(&m, NULL, NULL);
  shape_strbuf keys;
  strbuf_init(&keys, m.report->graph->arena);
  for (wire_reader r = wire_open((wire_span){m.out.data, m.out.size}); wire_next(&r, &f);) {
    if (f.number != METADATA || !wire_find(f.bytes, 1, &f)) continue;
    strbuf_printf(&keys, "%.*s ", (int)f.bytes.size, (const char *)f.bytes.data);
  }
  cr_expect_str_eq(strbuf_text(&keys), "shape.dim.N author shape.dim. ");
  analysis_close(&m.core);
}

// A node that goes takes its value_info along, and one that becomes another is written anew.
Test(onnx_refine_model, nodes_go_and_become_others) {
  static const int64_t ITEMS[] = {3, 4};
  static refined_model m;
  wire_field f, op;
  begin();
  put_value(&graph, VALUE_INFO, "t", 1, "? ?");
  put_value(&graph, OUTPUT, "y", 1, NULL);
  model_of(&model, &graph, 17);
  open(&m);
  const shape_graph *g = m.report->graph;
  bool removed[8] = {true};
  uint32_t becomes[8] = {0, 2};
  const char *inputs[8] = {0};
  onnx_new_node nodes[] = {
      {.op_type = "Constant", .output = "c", .value = ITEMS, .value_rank = 1, .value_count = 2},
      {.op_type = "Expand", .inputs = {"x", "c"}, .output = "y"}};
  cr_assert(g->op_count <= 8 && g->operand_count <= 8);
  const onnx_changes changes = {removed, becomes, inputs, nodes, 2, 2, 1};
  refine(&m, NULL, &changes);
  cr_expect_str_eq(declared(&m, VALUE_INFO), "");
  cr_expect_str_eq(declared(&m, OUTPUT), "y[2*N,4]");
  shape_strbuf ops;
  strbuf_init(&ops, g->arena);
  for (wire_reader r = wire_open(graph_of(&m)); wire_next(&r, &f);) {
    if (f.number == NODE && wire_find(f.bytes, 4, &op))
      strbuf_printf(&ops, "%.*s ", (int)op.bytes.size, (const char *)op.bytes.data);
  }
  cr_expect_str_eq(strbuf_text(&ops), "Constant Expand ");
  analysis_close(&m.core);
}

Test(onnx_refine_model, an_input_takes_another_value) {
  static refined_model m;
  wire_field f, last = {0}, input;
  open_concat(&m, NULL);
  bool removed[8] = {false};
  uint32_t becomes[8] = {0};
  const char *inputs[8] = {0};
  inputs[m.report->graph->ops[1].operands] = "x";
  refine(&m, NULL, &(onnx_changes){.removed = removed, .becomes = becomes, .inputs = inputs});
  for (wire_reader r = wire_open(graph_of(&m)); wire_next(&r, &f);)
    if (f.number == NODE) last = f;
  cr_assert(wire_find(last.bytes, 1, &input));
  cr_expect(input.bytes.size == 1 && *input.bytes.data == 'x');
  analysis_close(&m.core);
}

// From IR version 4 on an initializer that is an input too may be handed over by the caller.
Test(onnx_refine_model, initializers_that_are_defaults) {
  static const int64_t ITEMS[] = {0, -1};
  for (int ir = 3; ir <= 4; ir++) {
    for (int shared = 0; shared < 2; shared++) {
      refined_model m;
      graph.size = model.size = 0;
      put_value(&graph, INPUT, "x", 1, "N");
      if (shared) put_value(&graph, INPUT, "s", 7, "2");
      put_ints(&graph, "s", ITEMS, 2);
      put_node("Reshape", "x s", "y");
      put_value(&graph, OUTPUT, "y", 1, NULL);
      wire_out import = {.size = 0};
      put_int(&import, 2, 17);
      put_int(&model, 1, ir);
      put_message(&model, 8, &import);
      put_message(&model, GRAPH, &graph);
      open(&m);
      cr_expect_eq(onnx_has_defaults(m.report->graph), shared && ir == 4, "%d %d", ir, shared);
      analysis_close(&m.core);
    }
  }
}
