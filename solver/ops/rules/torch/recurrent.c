// SPDX-License-Identifier: Apache-2.0
// lstm.input, gru.input, rnn_*.input: x [L, N, I], or [N, L, I] where batch_first; hx [D * layers, N, H]; params has for
// each layer and direction w_ih [G * H, I], w_hh [G * H, H] and two biases [G * H], where G is the number of blocks of rows. An
// LSTM whose two states differ in their last dims projects: w_hr [P, H] is one more, and has P instead of H.
#include <assert.h>

#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static const char WEIGHTS[] = "the weights have the dims that the layers need";

typedef struct network {
  const value_info *x, *h, *cell;  // cell: h where it is no LSTM
  uint32_t directions, blocks;
  int64_t layers;
  bool biases, projects;
  bool sure;  // what is multiplied has equal dims
} network;

// Dims that are broadcast together are 1 or equal: what is not known to be either is left unchecked, and so are results.
static void expect_equal(rule_context *c, network *n, term_id a, term_id b, const char *what) {
  int64_t x, y;
  if (store_holds(c->store, predicate_make(REL_EQ, a, b)) == SHAPE_YES) return;
  n->sure = false;
  if (torch_constant(c, a, &x) && torch_constant(c, b, &y) && x != 1 && y != 1) {
    rule_require_eq(c, a, b, what);
  } else {
    rule_unchecked(c, what, TORCH_NOT_KNOWN);
  }
}

static bool has_rank(rule_context *c, network *n, const value_info *v, uint32_t rank) {
  if (v->ranked && v->rank == rank) return true;
  if (v->ranked) {
    rule_error(c, "rank", "a weight has rank %u, %u is needed", v->rank, rank);
  } else {
    rule_unchecked(c, WEIGHTS, TORCH_NOT_KNOWN);
  }
  n->sure = false;
  return false;
}

// The weights of one direction of a layer; width: what the layer takes.
static void require_weights(rule_context *c, network *n, const value_info *weights, term_id width) {
  term_id blocks = term_scale(c->terms, n->cell->dims[2], NUM(n->blocks));
  uint32_t at = 0;
  for (uint32_t i = 0; i < 2; i++) {
    const value_info *w = &weights[at++];
    if (!has_rank(c, n, w, 2)) continue;
    rule_require_eq(c, w->dims[1], i ? n->h->dims[2] : width, "the contracted dims are equal");
    expect_equal(c, n, w->dims[0], blocks, WEIGHTS);
  }
  for (uint32_t i = 0; n->biases && i < 2; i++) {
    const value_info *b = &weights[at++];
    if (has_rank(c, n, b, 1)) expect_equal(c, n, b->dims[0], blocks, WEIGHTS);
  }
  if (n->projects && has_rank(c, n, &weights[at], 2)) {
    rule_require_eq(c, weights[at].dims[1], n->cell->dims[2], "the contracted dims are equal");
    expect_equal(c, n, weights[at].dims[0], n->h->dims[2], WEIGHTS);
  }
}

static void require_all_weights(rule_context *c, network *n) {
  uint32_t count, per = (n->biases ? 4 : 2) + n->projects;
  const value_info *weights = torch_parts(c, "params", &count);
  if (!weights) {
    rule_unchecked(c, WEIGHTS, TORCH_NOT_KNOWN);
    n->sure = false;
    return;
  }
  assert(n->layers >= 0 && n->layers <= INT32_MAX);
  if (count != n->layers * n->directions * per) {
    rule_error(c, "attribute-length", "params has %u tensors, %lld are needed", count,
               (long long)n->layers * n->directions * per);
    return;
  }
  term_id wide = term_scale(c->terms, n->h->dims[2], NUM(n->directions));
  for (uint32_t i = 0; i < (uint32_t)n->layers * n->directions; i++)
    require_weights(c, n, weights + (size_t)i * per, i < n->directions ? n->x->dims[2] : wide);
}

// False: not known, or an error.
static bool read_network(rule_context *c, network *n) {
  bool known = true;
  uint32_t count;
  const value_info *states = torch_parts(c, "hx", &count);
  n->blocks = c->row->param;
  n->directions = torch_flag(c, "bidirectional", false, &known) ? 2 : 1;
  n->biases = torch_flag(c, "has_biases", true, &known);
  bool lstm = c->row->results == 3;
  if (lstm && states && count != 2) {
    rule_error(c, "attribute-length", "hx has %u states, 2 are needed", count);
    return false;
  }
  n->h = lstm && states ? &states[0] : torch_arg(c, "hx");
  n->cell = lstm && states ? &states[1] : n->h;
  if (!known || !torch_const(c, "num_layers", 1, &n->layers) || !torch_rank(c, "input", 3))
    return false;
  if (n->layers < 0 || n->layers > INT32_MAX) {  // no list has their tensors
    rule_error(c, "attribute", "num_layers is %lld, which is not in [0, %d]", (long long)n->layers,
               INT32_MAX);
    return false;
  }
  n->x = torch_arg(c, "input");
  if (!n->h->ranked || !n->cell->ranked) return false;
  if (n->h->rank != 3 || n->cell->rank != 3) {
    rule_error(c, "rank", "the hidden state has rank %u, 3 is needed",
               n->h->rank != 3 ? n->h->rank : n->cell->rank);
    return false;
  }
  return true;
}

// More cell states than are needed are not read.
static void expect_state(rule_context *c, network *n, term_id found, term_id needed) {
  if (store_holds(c->store, predicate_make(REL_EQ, found, needed)) == SHAPE_YES) return;
  rule_unchecked(c, "there is a cell state for each layer and direction", TORCH_NOT_KNOWN);
  n->sure = false;
}

static void set_results(rule_context *c, const network *n, term_id layers, term_id *dims,
                        uint32_t batch) {
  const value_info *states[2] = {n->h, n->cell};
  term_id own[3] = {layers, TERM_NONE, TERM_NONE};
  dims[batch] = n->sure ? n->h->dims[1] : rule_unknown_size(c, 0, 3, batch);
  dims[2] = n->sure ? term_scale(c->terms, n->h->dims[2], NUM(n->directions))
                    : rule_unknown_size(c, 0, 3, 2);
  rule_set_dims(c, 0, dims, 3);
  for (uint32_t i = 0; i < (n->cell == n->h ? 1u : 2u); i++) {
    for (uint32_t k = 1; k < 3; k++)
      own[k] = n->sure ? states[i]->dims[k] : rule_unknown_size(c, 1 + i, 3, k);
    rule_set_dims(c, 1 + i, own, 3);
  }
}

rule_status rule_torch_recurrent(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  network n = {.sure = true};
  bool known = true, first = torch_flag(c, "batch_first", false, &known);
  if (!read_network(c, &n) || !known) return torch_unknown(c);
  uint32_t batch = first ? 0 : 1;
  term_id layers = rule_int_term(c, n.layers * n.directions), *dims = torch_dims(c, n.x, 0);
  const value_info row = {.ranked = true, .rank = 1, .dims = &n.x->dims[batch]};
  rule_require(c, predicate_make(REL_GE, n.x->dims[1 - batch], TERM_ONE),
               "the sequence has an element");
  onnx_require_broadcasts(c, &row, &n.h->dims[1], 1, "the batch is that of the hidden state, or 1");
  rule_require_eq(c, n.h->dims[0], layers, "there is a hidden state for each layer and direction");
  if (n.cell != n.h) {
    expect_state(c, &n, n.cell->dims[0], layers);
    expect_equal(c, &n, n.cell->dims[1], n.h->dims[1], "the states have one batch");
  }
  shape_answer same = store_holds(c->store, predicate_make(REL_EQ, n.cell->dims[2], n.h->dims[2]));
  n.projects = same == SHAPE_NO;
  if (same == SHAPE_UNKNOWN) {  // whether it projects
    rule_unchecked(c, WEIGHTS, TORCH_NOT_KNOWN);
    n.sure = false;
  } else {
    require_all_weights(c, &n);
  }
  set_results(c, &n, layers, dims, batch);
  return n.sure ? RULE_DONE : RULE_AGAIN;
}
