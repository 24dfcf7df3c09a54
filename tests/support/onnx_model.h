// SPDX-License-Identifier: Apache-2.0
// Small ONNX models, written byte by byte, and what is inferred of them.
#ifndef TESTS_SUPPORT_ONNX_MODEL_H
#define TESTS_SUPPORT_ONNX_MODEL_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/onnx/onnx.h"
#include "solver/infer/infer.h"
#include "solver/term/print.h"

// A protobuf message under construction.
typedef struct wire_out {
  uint8_t data[8192];
  size_t size;
} wire_out;

// Appends what a writer gives; `to` is a wire_out.
static inline void wire_out_take(void *to, const char *data, size_t length) {
  wire_out *w = to;
  assert(w->size + length <= sizeof w->data);
  memcpy(w->data + w->size, data, length);
  w->size += length;
}

static inline void put_varint(wire_out *w, uint64_t value) {
  for (; value >= 0x80; value >>= 7) w->data[w->size++] = (uint8_t)(value | 0x80);
  w->data[w->size++] = (uint8_t)value;
}

static inline void put_int(wire_out *w, uint32_t field, int64_t value) {
  put_varint(w, (uint64_t)field << 3);
  put_varint(w, (uint64_t)value);
}

static inline void put_bytes(wire_out *w, uint32_t field, const void *data, size_t size) {
  put_varint(w, (uint64_t)field << 3 | 2);
  put_varint(w, size);
  if (size) memcpy(w->data + w->size, data, size);
  w->size += size;
}

static inline void put_text(wire_out *w, uint32_t field, const char *text) {
  put_bytes(w, field, text, strlen(text));
}

static inline void put_message(wire_out *w, uint32_t field, const wire_out *message) {
  put_bytes(w, field, message->data, message->size);
}

// A tensor of `dims`, "N 3 ?" with words for names; NULL: only the element type.
static inline void put_value(wire_out *graph, uint32_t field, const char *name, int64_t dtype,
                             const char *dims) {
  static wire_out shape, tensor, type, value;
  shape.size = tensor.size = type.size = value.size = 0;
  char text[128], *rest = text;
  snprintf(text, sizeof text, "%s", dims ? dims : "");
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
    wire_out dim = {.size = 0};
    if (word[0] >= '0' && word[0] <= '9')
      put_int(&dim, 1, atoll(word));
    else if (word[0] != '?')
      put_text(&dim, 2, word);
    put_message(&shape, 1, &dim);
  }
  put_int(&tensor, 1, dtype);
  if (dims) put_message(&tensor, 2, &shape);
  put_message(&type, 1, &tensor);
  put_text(&value, 1, name);
  put_message(&value, 2, &type);
  put_message(graph, field, &value);
}

// An initializer: a vector of int64, or a scalar where count is -1.
static inline void put_ints(wire_out *graph, const char *name, const int64_t *values, int count) {
  static wire_out tensor;
  tensor.size = 0;
  if (count >= 0) put_int(&tensor, 1, count);
  put_int(&tensor, 2, 7);
  for (int i = 0; i < (count < 0 ? 1 : count); i++) put_int(&tensor, 7, values[i]);
  put_text(&tensor, 8, name);
  put_message(graph, 5, &tensor);
}

static inline void attr_int(wire_out *node, const char *name, int64_t value) {
  wire_out attr = {.size = 0};
  put_text(&attr, 1, name);
  put_int(&attr, 3, value);
  put_int(&attr, 20, 2);
  put_message(node, 5, &attr);
}

static inline void attr_ints(wire_out *node, const char *name, const int64_t *values, int count) {
  wire_out attr = {.size = 0};
  put_text(&attr, 1, name);
  for (int i = 0; i < count; i++) put_int(&attr, 8, values[i]);
  put_int(&attr, 20, 7);
  put_message(node, 5, &attr);
}

static inline void attr_text(wire_out *node, const char *name, const char *value) {
  wire_out attr = {.size = 0};
  put_text(&attr, 1, name);
  put_text(&attr, 4, value);
  put_int(&attr, 20, 3);
  put_message(node, 5, &attr);
}

// Words of "a b c" as strings of a field; "-" is an absent one.
static inline void put_words(wire_out *w, uint32_t field, const char *words) {
  char text[256], *rest = text;
  cr_assert_lt(snprintf(text, sizeof text, "%s", words), (int)sizeof text);
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
    put_text(w, field, strcmp(word, "-") == 0 ? "" : word);
}

static inline void node_begin(wire_out *node, const char *op, const char *inputs,
                              const char *outputs) {
  node->size = 0;
  put_words(node, 1, inputs);
  put_words(node, 2, outputs);
  put_text(node, 4, op);
}

static inline void model_of(wire_out *model, const wire_out *graph, int64_t opset) {
  wire_out import = {.size = 0};
  model->size = 0;
  put_int(model, 1, 8);
  put_int(&import, 2, opset);
  put_message(model, 8, &import);
  static const struct {
    const char *domain;
    int64_t version;
  } others[] = {{"ai.onnx.ml", 3}, {"com.microsoft", 1}, {"ai.onnx.preview.training", 1}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    import.size = 0;
    put_text(&import, 1, others[i].domain);
    put_int(&import, 2, others[i].version);
    put_message(model, 8, &import);
  }
  put_message(model, 7, graph);
}

typedef struct analysed {
  shape_arena arena;
  shape_budget budget;
  shape_graph graph;
  infer_result *result;
  const wire_out *model;
} analysed;

static inline void analyse_body(void *data) {
  analysed *a = data;
  graph_init(&a->graph, &a->arena, GRAPH_ONNX, (const char *)a->model->data, a->model->size);
  onnx_read(&a->graph, (const char *)a->model->data, a->model->size, NULL);
  infer_options options = {.entry = NULL};
  a->result = infer_run(&a->graph, &a->budget, &options);
}

static inline void analyse_model(analysed *a, const wire_out *graph, int64_t opset) {
  static wire_out model;
  memset(a, 0, sizeof *a);
  a->model = &model;
  model_of(&model, graph, opset);
  arena_init(&a->arena, 64u << 20);
  budget_init(&a->budget, &a->arena, 1000000, NULL);
  cr_assert_eq(arena_protect(&a->arena, analyse_body, a), SHAPE_OK);
}

// What the model's value `name` is: "[s0, 3]", "*" where its rank is not known. Symbols are numbered as they are declared.
static inline const char *sizes_of(const wire_out *graph, int64_t opset, const char *name) {
  static char text[256];
  analysed a;
  analyse_model(&a, graph, opset);
  snprintf(text, sizeof text, "none");
  for (uint32_t i = 0; i < a.graph.diags.count; i++) {
    if (a.graph.diags.items[i].severity == DIAG_ERROR) snprintf(text, sizeof text, "error");
  }
  for (value_id v = 0; strcmp(text, "none") == 0 && v < a.graph.value_count; v++) {
    name_id id = a.graph.values[v].name;
    if (id == NAME_NONE || strcmp(intern_text(&a.graph.names, id), name) != 0) continue;
    const infer_frame *f = &a.result->frames[0];
    const value_info *info = &f->values[v - f->value_base];
    shape_strbuf out;
    strbuf_init(&out, &a.arena);
    strbuf_puts(&out, info->ranked ? "[" : "*");
    for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
      if (k) strbuf_puts(&out, ", ");
      term_print_plain(a.result->terms, &out, store_canon(a.result->store, info->dims[k]));
    }
    if (info->ranked) strbuf_puts(&out, "]");
    snprintf(text, sizeof text, "%.*s", (int)out.length, out.data);
    break;
  }
  arena_destroy(&a.arena);
  return text;
}

// What the model requires of its inputs, each text once: what is stated, then after "?" what is left unchecked.
static inline const char *needs_of(const wire_out *graph, int64_t opset) {
  static char text[1024];
  analysed a;
  analyse_model(&a, graph, opset);
  text[0] = 0;
  for (fact_id i = 0; i < store_fact_count(a.result->store); i++) {
    const fact *f = store_fact(a.result->store, i);
    if (f->why.kind != REASON_OP || !f->why.required || strstr(text, f->why.what)) continue;
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? "; " : "",
             f->why.what);
  }
  for (uint32_t i = 0; i < a.result->log->unchecked_count; i++) {
    const unchecked_row *row = &a.result->log->unchecked[i];
    if (!row->stated)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s?%s", *text ? "; " : "",
               row->requirement);
  }
  for (uint32_t i = 0; i < a.graph.diags.count; i++) {
    if (a.graph.diags.items[i].severity == DIAG_ERROR) snprintf(text, sizeof text, "error");
  }
  arena_destroy(&a.arena);
  return text;
}

#endif
