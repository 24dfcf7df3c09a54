// SPDX-License-Identifier: Apache-2.0
// Readers take steps: a reader that runs out of them or is stopped ends, and twice the text takes about twice as many.
#include <criterion/criterion.h>
#include <stdio.h>

#include "solver/formats/json/decode.h"
#include "solver/formats/mlir/mlir.h"
#include "solver/formats/onnx/onnx.h"

typedef struct text {
  char *data;
  size_t length, capacity;
} text;

static void put(text *t, const char *data, size_t length) {
  if (t->length + length > t->capacity) {
    t->capacity = 2 * (t->length + length);
    t->data = realloc(t->data, t->capacity);
    cr_assert(t->data);
  }
  memcpy(t->data + t->length, data, length);
  t->length += length;
}

static void puts_times(text *t, const char *line, unsigned count) {
  for (unsigned i = 0; i < count; i++) put(t, line, strlen(line));
}

// A field of bytes with a length below 2^21.
static void put_field(text *t, unsigned field, const char *data, size_t length) {
  char head[] = {(char)(field << 3 | 2), (char)(length | 0x80), (char)(length >> 7 | 0x80),
                 (char)(length >> 14)};
  put(t, head, sizeof head);
  put(t, data, length);
}

typedef struct reading {
  shape_arena arena;
  shape_budget budget;
  shape_graph graph;
  graph_format format;
  const text *from;
} reading;

static void read_body(void *data) {
  reading *r = data;
  graph_init(&r->graph, &r->arena, r->format, r->from->data, r->from->length);
  r->graph.budget = &r->budget;
  if (r->format == GRAPH_MLIR) mlir_read(&r->graph);
  if (r->format == GRAPH_JSON) graph_json_decode(&r->graph, &r->budget);
  if (r->format == GRAPH_ONNX) onnx_read(&r->graph, r->from->data, r->from->length, NULL);
}

static shape_status read_text(graph_format format, const text *from, uint64_t steps,
                              const atomic_int *stop, uint64_t *used) {
  reading r = {.format = format, .from = from};
  arena_init(&r.arena, 0);
  budget_init(&r.budget, &r.arena, steps, stop);
  shape_status status = arena_protect(&r.arena, read_body, &r);
  *used = r.budget.steps_used;
  arena_destroy(&r.arena);
  return status;
}

// Each kind of text is a repeated piece between a head and a tail, or made by a function; it is larger with `count`. The
// caller frees it.
typedef void make_text(text *to, unsigned count);

static void finish_model(text *t, text *graph, const text *functions) {
  put(t, "\x08\x08", 2);
  put_field(t, 8, "\x10\x11", 2);
  put_field(t, 7, graph->data, graph->length);
  if (functions) put_field(t, 25, functions->data, functions->length);
  free(graph->data);
}

static void onnx_nodes(text *t, unsigned count) {
  text graph = {0};
  for (unsigned i = 0; i < count; i++) put_field(&graph, 1, "\x12\x00\x22\x04Relu", 8);
  finish_model(t, &graph, NULL);
}

// Calls of one function with many inputs: most leave all out.
static void onnx_calls(text *t, unsigned count) {
  text graph = {0}, function = {0};
  static const char call[] = "\x22\x01"
                             "F\x3a\x01"
                             "d";
  for (unsigned i = 0; i < count; i++) put_field(&graph, 1, call, sizeof call - 1);
  put_field(&function, 1, "F", 1);
  put_field(&function, 10, "d", 1);
  for (unsigned i = 0; i < count; i++) {
    char name[16];
    put_field(&function, 4, name, (size_t)snprintf(name, sizeof name, "i%u", i));
  }
  finish_model(t, &graph, &function);
  free(function.data);
}

static const struct kind {
  const char *name;
  graph_format format;
  const char *head, *piece, *tail;
  make_text *make;
} KINDS[] = {
    {"operations in MLIR", GRAPH_MLIR, "func.func @main(%a: tensor<?xf32>) {\n",
     "  \"foo.bar\"(%a) : (tensor<?xf32>) -> ()\n", "  return\n}\n", NULL},
    // Each line of the operands might begin an operation: is there a '=' after them?
    {"operands on lines", GRAPH_MLIR, "func.func @main(%a: i32) {\n  foo.bar\n", "%a,\n",
     "%a\n  return\n}\n", NULL},
    {"lines after an error", GRAPH_MLIR, "func.func @main(%a: i32) {\n  stablehlo.add ]\n", "%a,\n",
     "%a\n  return\n}\n", NULL},
    {"elements in MLIR", GRAPH_MLIR, "func.func @main() {\n  %a = \"foo.bar\"() {v = dense<[0",
     ",1", "]> : tensor<?xi32>} : () -> i32\n  return\n}\n", NULL},
    {"operations in JSON", GRAPH_JSON,
     "{\"functions\":[{\"name\":\"main\",\"arguments\":[],\"ops\":[",
     "[\"foo.bar\",[],[],{\"a\":[1,2]}],", "[\"foo.bar\",[],[]]],\"returns\":[]}]}", NULL},
    {"nodes", GRAPH_ONNX, NULL, NULL, NULL, onnx_nodes},
    {"calls of functions", GRAPH_ONNX, NULL, NULL, NULL, onnx_calls},
};

static void make(const struct kind *kind, text *to, unsigned count) {
  if (kind->make) {
    kind->make(to, count);
    return;
  }
  puts_times(to, kind->head, 1);
  puts_times(to, kind->piece, count);
  puts_times(to, kind->tail, 1);
}

enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS, FEW = 6000, MANY = 2 * FEW };

Test(steps, of_readers_are_linear) {
  for (unsigned i = 0; i < KIND_COUNT; i++) {
    uint64_t steps[2];
    for (unsigned k = 0; k < 2; k++) {
      text t = {0};
      make(&KINDS[i], &t, k ? MANY : FEW);
      cr_expect_eq(read_text(KINDS[i].format, &t, UINT64_MAX, NULL, &steps[k]), SHAPE_OK);
      // What shape_run gives a reader for each byte is enough, so that few steps for reasoning forbid nothing.
      cr_expect_leq(steps[k], 2 * t.length + 4 * (size_t)(1 << 18), "%s: %llu steps of %zu bytes",
                    KINDS[i].name, (unsigned long long)steps[k], t.length);
      free(t.data);
    }
    cr_expect_geq(steps[0], FEW, "%s: %llu steps", KINDS[i].name, (unsigned long long)steps[0]);
    cr_expect_leq(10 * steps[1], 22 * steps[0], "%s: %llu steps, then %llu", KINDS[i].name,
                  (unsigned long long)steps[0], (unsigned long long)steps[1]);
  }
}

Test(steps, end_readers) {
  const atomic_int stop = SHAPE_CANCELLED;
  for (unsigned i = 0; i < KIND_COUNT; i++) {
    uint64_t used;
    text t = {0};
    make(&KINDS[i], &t, FEW);
    cr_expect_eq(read_text(KINDS[i].format, &t, FEW / 2, NULL, &used), SHAPE_BUDGET, "%s",
                 KINDS[i].name);
    cr_expect_leq(used, FEW / 2 + BUDGET_POLL_EVERY, "%s: %llu", KINDS[i].name,
                  (unsigned long long)used);
    cr_expect_eq(read_text(KINDS[i].format, &t, UINT64_MAX, &stop, &used), SHAPE_CANCELLED, "%s",
                 KINDS[i].name);
    cr_expect_leq(used, 2 * BUDGET_POLL_EVERY, "%s: %llu", KINDS[i].name, (unsigned long long)used);
    free(t.data);
  }
}
