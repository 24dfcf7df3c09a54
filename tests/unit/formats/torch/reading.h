// SPDX-License-Identifier: Apache-2.0
// Programs of torch.export for tests: their JSON, written with ' instead of ", what is read of it, and the answer about it.
#ifndef TESTS_UNIT_FORMATS_TORCH_READING_H
#define TESTS_UNIT_FORMATS_TORCH_READING_H

#include <stdio.h>

#include "solver/formats/torch/reader.h"
#include "tests/unit/formats/torch/answered.h"

#define PROGRAM(inputs, outputs, nodes, values)                                                    \
  "{'schema_version': {'major': 8, 'minor': 0}, 'graph_module': {'graph': " GRAPH(                 \
      inputs, outputs, nodes, values) "}}"
#define GRAPH(inputs, outputs, nodes, values)                                                      \
  "{'inputs': [" inputs "], 'outputs': [" outputs "], 'nodes': [" nodes                            \
  "], 'tensor_values': {" values "}}"
#define TENSOR(name, dims) "'" name "': {'dtype': 7, 'sizes': [" dims "]}"
#define SYMBOL(name)       "{'as_expr': {'expr_str': '" name "', 'hint': null}}"
#define NAMED(name)        "{'as_tensor': {'name': '" name "'}}"
#define ARGUMENT(text)     "{'name': '', 'arg': " text "}"
#define BODY(graph)        ARGUMENT("{'as_graph': {'name': 'g', 'graph': " graph "}}")
#define NODE(target, inputs, outputs)                                                              \
  "{'target': 'torch.ops." target "', 'inputs': [" inputs "], 'outputs': [" outputs "]}"

typedef struct torch_reading {
  shape_arena arena;
  shape_graph graph;
  torch_reader r;
} torch_reading;

static inline const char *torch_quoted(const char *text) {
  static char json[8192];
  cr_assert_lt(strlen(text), sizeof json);
  strcpy(json, text);
  for (char *p = json; *p; p++) {
    if (*p == '\'') *p = '"';
  }
  return json;
}

static inline const char *torch_answer(const char *text) { return answered(torch_quoted(text)); }

static inline const dom_node *torch_dom(torch_reading *t, const char *text) {
  const char *json = arena_strndup(&t->arena, torch_quoted(text), strlen(text));
  const dom_node *root = dom_read(&t->arena, json, strlen(json));
  cr_assert_not_null(root, "%s", text);
  return root;
}

// A reader in an empty function.
static inline void torch_reading_open(torch_reading *t) {
  memset(t, 0, sizeof *t);
  arena_init(&t->arena, 0);
  graph_init(&t->graph, &t->arena, GRAPH_JSON, "", 0);
  t->r.g = &t->graph;
  t->r.func = graph_add_func(&t->graph, intern_add(&t->graph.names, "f", 1), 0, SPAN_NONE);
  block_id block = graph_add_block(&t->graph, graph_add_body(&t->graph, t->r.func));
  t->r.build = (torch_builder){&t->graph, block, SPAN_NONE};
}

static inline void torch_reading_close(torch_reading *t) { arena_destroy(&t->arena); }

static inline const char *torch_reading_error(const torch_reading *t) {
  return t->graph.diags.count ? t->graph.diags.items[0].message : "";
}

// Constants by what they hold, lists by their elements, others by their names.
static inline void torch_put_value(shape_strbuf *out, const shape_graph *g, value_id v) {
  static const char CONSTANT[] = "torch.constant.";
  const graph_value *value = &g->values[v];
  if (value->is_argument || value->name != NAME_NONE) {
    strbuf_puts(out, value->name == NAME_NONE ? "?" : intern_text(&g->names, value->name));
    return;
  }
  const char *op = graph_op_name(g, value->def);
  const graph_attr *a = graph_attr_get(g, graph_attr_named(g, value->def, "value"));
  uint32_t count = 0;
  if (strcmp(op, "torch.prim.ListConstruct") == 0) {
    const graph_op *list = &g->ops[value->def];
    for (uint32_t i = 0; i < list->operand_count; i++) {
      strbuf_puts(out, i ? ", " : "[");
      torch_put_value(out, g, graph_operand(g, value->def, i));
    }
    strbuf_puts(out, list->operand_count ? "]" : "[]");
  } else if (!a) {
    strbuf_puts(out, strncmp(op, CONSTANT, sizeof CONSTANT - 1) ? "?" : op + sizeof CONSTANT - 1);
  } else if (a->kind == ATTR_STRING) {
    strbuf_printf(out, "'%s'", intern_text(&g->names, a->text));
  } else if (a->kind == ATTR_FLOAT) {
    strbuf_printf(out, "%g", *attr_held_floats(a, &count));
  } else {
    long long number = *attr_held_ints(a, &count);
    if (a->kind == ATTR_BOOL)
      strbuf_puts(out, number ? "true" : "false");
    else
      strbuf_printf(out, "%lld", number);
  }
}

#endif
