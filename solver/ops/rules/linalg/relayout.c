// SPDX-License-Identifier: Apache-2.0
// pack and unpack (LinalgRelayoutOps.td). A packed tensor has the outer dims, permuted, then the tiles: of a tiled axis of
// dim N with tile T the outer dim is ceildiv(N, T). Without a padding value N is a multiple of T.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

typedef struct relayout {
  const int64_t *positions, *permutation;
  uint32_t tiled, permuted;
  const term_id *tiles;
} relayout;

static bool read_relayout(rule_context *c, uint32_t first_tile, relayout *r) {
  uint32_t count;
  r->permutation = NULL;
  r->permuted = 0;
  if (!rule_ints(c, "inner_dims_pos", &r->positions, &r->tiled)) return false;
  r->tiles = linalg_mixed(c, "static_inner_tiles", &first_tile, &count);
  if (!r->tiles || count != r->tiled) return false;
  if (rule_attr(c, "outer_dims_perm") != ATTR_NONE &&
      !rule_ints(c, "outer_dims_perm", &r->permutation, &r->permuted))
    return false;
  return true;
}

static bool is_permutation(const int64_t *axes, uint32_t count, uint32_t rank) {
  if (count != rank) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (axes[i] < 0 || axes[i] >= (int64_t)rank) return false;
    for (uint32_t k = 0; k < i; k++) {
      if (axes[k] == axes[i]) return false;
    }
  }
  return true;
}

static bool check_relayout(rule_context *c, const relayout *r, const value_info *plain,
                           const value_info *packed, const graph_type *type) {
  if (!plain->ranked || !packed->ranked) return false;
  if (type && type->kind == TYPE_TENSOR && type->rank == plain->rank + r->tiled)
    linalg_static_agrees(c, "static_inner_tiles", type, plain->rank);
  if (packed->rank != plain->rank + r->tiled) {
    rule_error(c, "rank", "the packed rank is %u, rank %u with %u tiles gives %u", packed->rank,
               plain->rank, r->tiled, plain->rank + r->tiled);
    return false;
  }
  for (uint32_t i = 0; i < r->tiled; i++) {
    bool fits = r->positions[i] >= 0 && r->positions[i] < (int64_t)plain->rank;
    for (uint32_t k = 0; k < i; k++) fits &= r->positions[k] != r->positions[i];
    if (fits) continue;
    rule_error(c, "axis", "inner_dims_pos holds %lld, which is no axis or is there twice",
               (long long)r->positions[i]);
    return false;
  }
  if (r->permuted && !is_permutation(r->permutation, r->permuted, plain->rank)) {
    rule_error(c, "axis", "outer_dims_perm is no permutation of %u axes", plain->rank);
    return false;
  }
  return true;
}

// The dims of `packed` follow from those of `plain`, and are required to be the ones that it has.
static void relate(rule_context *c, const relayout *r, const value_info *plain,
                   const value_info *packed, bool exact) {
  for (uint32_t i = 0; i < r->tiled; i++) {
    if (r->tiles[i] == TERM_NONE) continue;
    rule_require(c, predicate_make(REL_GT, r->tiles[i], TERM_ZERO), "a tile is > 0");
    rule_require_eq(c, packed->dims[plain->rank + i], r->tiles[i], "the last dims are the tiles");
  }
  for (uint32_t k = 0; k < plain->rank; k++) {
    uint32_t axis = r->permuted ? (uint32_t)r->permutation[k] : k;
    assert(axis < plain->rank);
    term_id outer = plain->dims[axis];
    for (uint32_t i = 0; i < r->tiled; i++) {
      if (r->positions[i] != (int64_t)axis) continue;
      term_id tile = r->tiles[i];
      outer = TERM_NONE;
      if (tile == TERM_NONE || !math_is_positive(c, tile)) {
        rule_unchecked(c, "the outer dims are those of the tiles", "a tile is not known to be > 0");
        continue;
      }
      int64_t number;
      if (exact && !term_int_value(c->terms, tile, &number)) {
        rule_require_eq(c, plain->dims[axis], term_mul(c->terms, packed->dims[k], tile),
                        "without padding a dim is a multiple of its tile");
        continue;
      }
      if (exact)
        rule_require_eq(c, term_mod(c->terms, plain->dims[axis], tile), TERM_ZERO,
                        "without padding a dim is a multiple of its tile");
      outer = term_ceildiv(c->terms, plain->dims[axis], tile);
    }
    if (outer != TERM_NONE)
      rule_require_eq(c, packed->dims[k], outer, "the outer dims are those of the tiles");
  }
}

rule_status rule_pack(rule_context *c) {
  relayout r;
  uint32_t first = 0, count = 0, padding, pads = 0;
  bool known = linalg_segment(c, 2, &padding, &pads) && linalg_segment(c, 3, &first, &count);
  if (known && read_relayout(c, first, &r) &&
      check_relayout(c, &r, rule_operand(c, 0), rule_operand(c, 1), rule_operand_type(c, 1))) {
    relate(c, &r, rule_operand(c, 0), rule_operand(c, 1), !pads);
  } else {
    rule_unchecked(c, "the destination has the dims of the packed operand",
                   "what is packed is not known");
  }
  if (rule_result_count(c)) rule_set_dims_like(c, 0, rule_operand(c, 1));
  return RULE_DONE;
}

rule_status rule_unpack(rule_context *c) {
  relayout r;
  if (read_relayout(c, 2, &r) &&
      check_relayout(c, &r, rule_operand(c, 1), rule_operand(c, 0), rule_operand_type(c, 0))) {
    relate(c, &r, rule_operand(c, 1), rule_operand(c, 0), false);
  } else {
    rule_unchecked(c, "the source has the dims of the packed destination",
                   "what is unpacked is not known");
  }
  if (rule_result_count(c)) rule_set_dims_like(c, 0, rule_operand(c, 1));
  return RULE_DONE;
}
