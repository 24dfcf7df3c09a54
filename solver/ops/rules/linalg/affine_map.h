// SPDX-License-Identifier: Apache-2.0
// Affine maps and sets: (d0, d1)[s0] -> (d0 + s0, d1 floordiv 2). Grammar: MLIR's Affine dialect, "Affine Maps".
//
// Read from the text of an attribute each time a rule runs, in time linear in it. Division rounds to minus infinity; a
// divisor that is not positive leaves the value undefined, so that a legal run has a positive one.
#ifndef SHAPE_OPS_RULES_LINALG_AFFINE_MAP_H
#define SHAPE_OPS_RULES_LINALG_AFFINE_MAP_H

#include "solver/ops/op.h"

enum {
  AFFINE_MAX_RESULTS = 64,
  AFFINE_MAX_INPUTS = 256,
  AFFINE_MAX_NODES = 2048,
  AFFINE_MAX_DEPTH = 64
};

typedef enum affine_kind {
  AFFINE_INPUT,  // a dim or, after the dims, a symbol: number `value`
  AFFINE_CONST,
  AFFINE_ADD,
  AFFINE_MUL,
  AFFINE_FLOORDIV,
  AFFINE_CEILDIV,
  AFFINE_MOD
} affine_kind;

typedef struct affine_node {
  affine_kind kind;
  int64_t value;
  uint32_t a, b;  // operands are earlier nodes
} affine_node;

typedef struct affine_map {
  affine_node *nodes;                 // in the arena
  uint32_t node_count, dims, inputs;  // symbols: inputs - dims
  uint32_t results[AFFINE_MAX_RESULTS];
  bool equals[AFFINE_MAX_RESULTS];  // of a set: == 0, else >= 0
  uint32_t result_count;
  bool is_set;
} affine_map;

// False where the attribute is none, or larger than the bounds above.
bool affine_map_read(rule_context *c, attr_id attr, affine_map *out);
// A map by letters, one for each axis: a letter is a loop, the same one wherever it is; ^h is the axis of an image under
// a window, h * stride + H * dilation with the next stride and dilation of the lists (NULL: 1). `loops` are the letters
// so far, and grow.
typedef struct affine_letters {
  char loops[32];
  uint32_t count;
  const int64_t *strides, *dilations;
  uint32_t stride_count, dilation_count;
} affine_letters;
bool affine_map_of_letters(rule_context *c, affine_letters *letters, const char *text,
                           uint32_t length, affine_map *out);

// Which input a result is, or ID_NONE where it is more than that.
uint32_t affine_input(const affine_map *m, uint32_t result);
// Result `result` where the inputs are these; TERM_NONE: not known. States that divisors are positive.
term_id affine_value(rule_context *c, const affine_map *m, uint32_t result, const term_id *inputs);
// The largest value where input k is in [0, extents[k] - 1]; TERM_NONE where it need not be in a corner.
term_id affine_largest(rule_context *c, const affine_map *m, uint32_t result,
                       const term_id *extents);

#endif
