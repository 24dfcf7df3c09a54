// SPDX-License-Identifier: Apache-2.0
// The transforms of Winograd's convolution F(m, r) (LinalgOps.td): along one axis a tile of m + r - 1 elements of the image
// gives m elements of the output, of which ceildiv(N - r + 1, m) tiles fill an axis of dim N. An axis of the transformed
// tensor that is 1 is not transformed.
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

typedef struct winograd_kind {
  const char *name;
  int64_t m, r;
} winograd_kind;

// In the order of the numbers of LinalgEnums.td.
static const winograd_kind KINDS[] = {{"F_2_3", 2, 3}, {"F_4_3", 4, 3}, {"F_2_5", 2, 5}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static const winograd_kind *kind_of(rule_context *c) {
  attr_id id = rule_attr(c, "fmr");
  int64_t number;
  if (id == ATTR_NONE) return NULL;
  if (graph_attr_int(c->graph, id, &number))
    return number >= 0 && number < KIND_COUNT ? &KINDS[number] : NULL;
  const char *name = graph_attr_text(c->graph, id);
  for (uint32_t i = 0; name && i < KIND_COUNT; i++) {
    if (strcmp(name, KINDS[i].name) == 0) return &KINDS[i];
  }
  return NULL;
}

// Whether an axis is transformed, which it is where it is not 1. False: that is not known.
static bool transformed(rule_context *c, term_id dim, bool *out) {
  term_id known = store_canon(c->store, dim);
  int64_t number;
  if (!term_int_value(c->terms, known, &number)) return false;
  *out = number != 1;
  return true;
}

static const char TILE[] = "a transformed axis is as long as a tile";
static const char TILES[] = "there are as many tiles as fill the axis";
static const char SAME[] = "axes that are not transformed are the same";

// Of axis `axis` of the filter: r or 1, and then a tile or 1.
static void filter_axis(rule_context *c, const winograd_kind *k, const value_info *filter,
                        const value_info *out, uint32_t axis) {
  bool is_tile;
  if (!transformed(c, filter->dims[axis + 1], &is_tile)) {
    rule_unchecked(c, TILE, "whether the axis is transformed is not known");
    return;
  }
  rule_require_eq(c, filter->dims[axis + 1], rule_int_term(c, is_tile ? k->r : 1),
                  "an axis of the filter is as long as the kernel, or 1");
  rule_require_eq(c, out->dims[axis], rule_int_term(c, is_tile ? k->m + k->r - 1 : 1), TILE);
}

static void filter_transform(rule_context *c, const winograd_kind *k, const value_info *from,
                             const value_info *to) {
  for (uint32_t axis = 0; axis < 2; axis++) filter_axis(c, k, from, to, axis);
  rule_require_eq(c, to->dims[2], from->dims[3], SAME);
  rule_require_eq(c, to->dims[3], from->dims[0], SAME);
}

// Between an axis of a plain tensor (image, height, width, channels) and those of tiles (two of a tile, two that count tiles,
// image, channels).
static void tiled_axis(rule_context *c, const winograd_kind *k, const value_info *plain,
                       const value_info *tiles, uint32_t axis, bool is_input) {
  term_id length = plain->dims[axis + 1], count = tiles->dims[axis + 2], expected;
  bool is_tile;
  if (!transformed(c, tiles->dims[axis], &is_tile)) {
    rule_unchecked(c, TILES, "whether the axis is transformed is not known");
    return;
  }
  if (is_tile) rule_require_eq(c, tiles->dims[axis], rule_int_term(c, k->m + k->r - 1), TILE);
  term_id m = rule_int_term(c, k->m);
  if (!is_tile) {
    expected = length;
  } else if (is_input) {
    term_id rest = term_sub(c->terms, length, rule_int_term(c, k->r - 1));
    expected = term_ceildiv(c->terms, rest, m);
  } else {
    expected = length;
    count = term_mul(c->terms, count, m);
  }
  rule_require_eq(c, count, expected, TILES);
}

static void tile_transform(rule_context *c, const winograd_kind *k, const value_info *plain,
                           const value_info *tiles, bool is_input) {
  for (uint32_t axis = 0; axis < 2; axis++) tiled_axis(c, k, plain, tiles, axis, is_input);
  rule_require_eq(c, tiles->dims[4], plain->dims[0], SAME);
  rule_require_eq(c, tiles->dims[5], plain->dims[3], SAME);
}

rule_status rule_winograd(rule_context *c) {
  const winograd_kind *k = kind_of(c);
  const value_info *from = rule_operand(c, 0), *to = rule_operand(c, 1);
  uint32_t part = c->row->param, rank = part == WINOGRAD_OUTPUT ? 6 : 4,
           to_rank = part == WINOGRAD_INPUT ? 6 : 4;
  if (from->ranked && from->rank != rank)
    rule_error(c, "rank", "the operand has rank %u, not %u", from->rank, rank);
  if (to->ranked && to->rank != to_rank)
    rule_error(c, "rank", "the destination has rank %u, not %u", to->rank, to_rank);
  bool fits = from->ranked && from->rank == rank && to->ranked && to->rank == to_rank;
  if (!k || !fits) {
    rule_unchecked(c, TILES, k ? "a rank is not known" : "the kind of the transform is not known");
  } else if (part == WINOGRAD_FILTER) {
    filter_transform(c, k, from, to);
  } else if (part == WINOGRAD_INPUT) {
    tile_transform(c, k, from, to, true);
  } else {
    tile_transform(c, k, to, from, false);
  }
  if (rule_result_count(c)) rule_set_dims_like(c, 0, to);
  return RULE_DONE;
}
