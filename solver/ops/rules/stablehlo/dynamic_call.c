// SPDX-License-Identifier: Apache-2.0
// custom_call of operations that StableHLO has no dynamic form of as yet; JAX writes them, and they are stable
// (StableHLO, ExperimentalOps and StablehloCanonicalizeDynamism.cpp):
//   dynamic_reduce_window(inputs, inits, window_dimensions, window_strides, base_dilations, window_dilations, padding)
//   dynamic_rng_bit_generator(state, shape) -> (state, numbers)
//   dynamic_top_k(operand, k) -> (values, indices)
#include <string.h>

#include "solver/ops/rules/stablehlo/window.h"

dynamic_call dynamic_call_of(const shape_graph *g, op_id op) {
  static const char *const PREFIXES[] = {"stablehlo.", "chlo.", "mhlo."};
  static const char *const NAMES[] = {"dynamic_reduce_window", "dynamic_rng_bit_generator",
                                      "dynamic_top_k"};
  const graph_op *o = &g->ops[op];
  const char *target = graph_attr_text(g, graph_attr_named(g, op, "call_target_name"));
  uint32_t kind = DYNAMIC_CALL_NONE;
  for (int i = 0; target && i < 3 && kind == DYNAMIC_CALL_NONE; i++) {
    size_t length = strlen(PREFIXES[i]);
    if (strncmp(target, PREFIXES[i], length) != 0) continue;
    for (uint32_t k = 0; k < 3; k++) {
      if (strcmp(target + length, NAMES[k]) == 0) kind = DYNAMIC_CALL_WINDOW + k;
    }
  }
  if (kind == DYNAMIC_CALL_WINDOW) {
    bool fits = o->result_count && o->operand_count == 2 * o->result_count + DYNAMIC_WINDOW_LISTS;
    return fits ? DYNAMIC_CALL_WINDOW : DYNAMIC_CALL_NONE;
  }
  bool pair = o->operand_count == 2 && o->result_count == 2;
  return pair ? (dynamic_call)kind : DYNAMIC_CALL_NONE;
}

// Constants of an operand, at least `least`; NULL: they are not known.
static const int64_t *constants(rule_context *c, uint32_t operand, uint32_t want, int64_t least) {
  uint32_t count;
  const term_id *e = rule_elements(c, operand, &count);
  if (!e || count != want) return NULL;
  int64_t *out = arena_alloc(c->arena, ((size_t)want + 1) * sizeof *out);
  for (uint32_t i = 0; i < want; i++) {
    if (e[i] == TERM_NONE || !term_int_value(c->terms, store_canon(c->store, e[i]), &out[i]))
      return NULL;
    if (out[i] >= least) continue;
    rule_error(c, "window",
               "operand #%u has %lld for axis %u of the window, at least %lld is needed", operand,
               (long long)out[i], i, (long long)least);
    return NULL;
  }
  return out;
}

static void reduce_window(rule_context *c) {
  uint32_t results = rule_result_count(c), first = 2 * results, count;
  for (uint32_t i = 1; i < results; i++) {
    if (!rule_require_same_shape(c, 0, i, "the inputs have the same shape")) return;
  }
  const term_id *sizes = rule_size_elements(c, first, &count);
  if (!sizes) return;
  if (count <= VALUE_MAX_RANK && !rule_assume_rank(c, 0, count)) {
    rule_error(c, "window", "window_dimensions has %u elements, the inputs have rank %u", count,
               rule_operand(c, 0)->rank);
    return;
  }
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked || in->rank != count) return;
  uint32_t pads;
  window w = {.rank = count,
              .strides = constants(c, first + 1, count, 1),
              .base_dilations = constants(c, first + 2, count, 1),
              .window_dilations = constants(c, first + 3, count, 1),
              .padding = rule_elements(c, first + 4, &pads)};
  if (!w.strides || !w.base_dilations || !w.window_dilations || !w.padding || pads != 2 * count)
    return;
  for (uint32_t i = 0; i < pads; i++) {
    if (w.padding[i] == TERM_NONE) return;
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) {
    if (sizes[i] == TERM_NONE) return;
    dims[i] = window_output(c, &w, i, in->dims[i], sizes[i], window_declared(c, count, i));
  }
  for (uint32_t i = 0; i < results; i++) rule_set_dims(c, i, dims, count);
}

static void rng_bit_generator(rule_context *c) {
  uint32_t count;
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  const term_id *sizes = rule_size_elements(c, 1, &count);
  if (!sizes) return;
  rule_set_dims(c, 1, elements_as_sizes(c, sizes, count, "a dim is not negative"), count);
}

static void top_k(rule_context *c) {
  uint32_t count;
  const term_id *k = rule_size_elements(c, 1, &count);
  const value_info *in = rule_operand(c, 0);
  if (!k || count != 1 || k[0] == TERM_NONE || !in->ranked || !in->rank) return;
  uint32_t last = in->rank - 1;
  k = elements_as_sizes(c, k, 1, "k is not negative");
  in = rule_operand(c, 0);
  rule_require(c, predicate_make(REL_LE, k[0], in->dims[last]),
               "the last axis has at least k elements");
  term_id *dims = arena_alloc(c->arena, in->rank * sizeof(term_id));
  for (uint32_t i = 0; i < last; i++) dims[i] = in->dims[i];
  dims[last] = k[0];
  rule_set_dims(c, 0, dims, in->rank);
  rule_set_dims(c, 1, dims, in->rank);
}

void rule_dynamic_call(rule_context *c) {
  switch (dynamic_call_of(c->graph, c->op)) {
  case DYNAMIC_CALL_WINDOW: reduce_window(c); return;
  case DYNAMIC_CALL_RANDOM: rng_bit_generator(c); return;
  case DYNAMIC_CALL_TOP_K: top_k(c); return;
  case DYNAMIC_CALL_NONE: return;
  }
}
