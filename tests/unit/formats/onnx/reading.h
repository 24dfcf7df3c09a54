// SPDX-License-Identifier: Apache-2.0
// A model that is read, for tests of the reader.
#ifndef TESTS_UNIT_FORMATS_ONNX_READING_H
#define TESTS_UNIT_FORMATS_ONNX_READING_H

#include "solver/graph/verify.h"
#include "tests/support/onnx_model.h"

typedef struct onnx_reading {
  shape_arena arena;
  shape_budget budget;
  shape_graph graph;
  const wire_out *model;
  const onnx_options *options;
} onnx_reading;

static inline void onnx_reading_body(void *data) {
  onnx_reading *r = data;
  graph_init(&r->graph, &r->arena, GRAPH_ONNX, (const char *)r->model->data, r->model->size);
  r->graph.budget = &r->budget;
  onnx_read(&r->graph, (const char *)r->model->data, r->model->size, r->options);
}

static inline void onnx_reading_open(onnx_reading *r, const wire_out *model,
                                     const onnx_options *options) {
  memset(r, 0, sizeof *r);
  r->model = model;
  r->options = options;
  arena_init(&r->arena, 64u << 20);
  budget_init(&r->budget, &r->arena, 10000000, NULL);
  cr_assert_eq(arena_protect(&r->arena, onnx_reading_body, r), SHAPE_OK);
  if (!r->graph.diags.errors) cr_expect_null(graph_verify(&r->graph));
}

static inline void onnx_reading_close(onnx_reading *r) { arena_destroy(&r->arena); }

// The first error; "" where there is none.
static inline const char *onnx_reading_error(const onnx_reading *r) {
  for (uint32_t i = 0; i < r->graph.diags.count; i++) {
    if (r->graph.diags.items[i].severity == DIAG_ERROR) return r->graph.diags.items[i].message;
  }
  return "";
}

// How many operations have that name.
static inline uint32_t onnx_reading_count(const onnx_reading *r, const char *name) {
  uint32_t count = 0;
  for (op_id op = 0; op < r->graph.op_count; op++)
    count += strcmp(graph_op_name(&r->graph, op), name) == 0;
  return count;
}

// `says`: names of operators, each with how many there are: "Relu 1 local.f 0". Of ONNX where there is no dialect.
static inline void onnx_reading_expect(const onnx_reading *r, const char *says) {
  char name[64], full[80];
  unsigned want;
  int length;
  for (; sscanf(says, "%63s %u%n", name, &want, &length) == 2; says += length) {
    snprintf(full, sizeof full, "%s%s", strchr(name, '.') ? "" : "onnx.", name);
    cr_expect_eq(onnx_reading_count(r, full), want, "%s: %u", full, onnx_reading_count(r, full));
  }
  cr_assert_eq(says[strspn(says, " ")], 0, "%s", says);
}

#endif
