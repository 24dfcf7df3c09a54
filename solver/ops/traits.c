// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/traits.h"

#include <assert.h>
#include <string.h>

typedef struct trait_row {
  const char *name;
  uint32_t length;
  uint32_t traits;
  bool dialect;  // the rows after it are of this dialect
} trait_row;

static const trait_row ROWS[] = {
#define DIALECT(prefix, traits) {prefix, sizeof(prefix) - 1, traits, true},
#define X(name, traits)         {name, sizeof(name) - 1, traits, false},
#include "solver/ops/traits.def"
#undef X
#undef DIALECT
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

static uint32_t find(const char *name, uint32_t length) {
  uint32_t i = 0;
  while (i < ROW_COUNT && !(ROWS[i].dialect && length > ROWS[i].length && *ROWS[i].name == *name &&
                            memcmp(ROWS[i].name, name, ROWS[i].length) == 0))
    i++;
  if (i == ROW_COUNT) return TRAIT_NONE;
  uint32_t traits = ROWS[i].traits;
  while (++i < ROW_COUNT && !ROWS[i].dialect) {
    if (ROWS[i].length == length && memcmp(ROWS[i].name, name, length) == 0) return ROWS[i].traits;
  }
  return traits;
}

static const char STABLEHLO[] = "stablehlo.", MHLO[] = "mhlo.", HLO[] = "hlo.";

// Names of the one row that sets a size, so that not all rows are looked through for it.
enum {
  SIZE_SETTERS = 0
#define DIALECT(prefix, traits) +(((traits)&TRAIT_SETS_SIZE) != 0)
#define X(name, traits)         +(((traits)&TRAIT_SETS_SIZE) != 0)
#include "solver/ops/traits.def"
#undef X
#undef DIALECT
};
_Static_assert(SIZE_SETTERS == 1, "traits_name_size_setter looks for one operation");

bool traits_name_size_setter(const shape_graph *g) {
  static const char stablehlo[] = "stablehlo.set_dimension_size",
                    mhlo[] = "mhlo.set_dimension_size";
  assert(find(mhlo + 1, sizeof mhlo - 2) & TRAIT_SETS_SIZE);
  return intern_find(&g->names, stablehlo, sizeof stablehlo - 1) != NAME_NONE ||
         intern_find(&g->names, mhlo, sizeof mhlo - 1) != NAME_NONE;
}

bool traits_is_stablehlo(const shape_graph *g, op_id op) {
  return strncmp(graph_op_name(g, op), STABLEHLO, sizeof STABLEHLO - 1) == 0;
}

uint32_t traits_of_name(const shape_graph *g, name_id id) {
  const char *name = intern_text(&g->names, id);
  uint32_t length = intern_length(&g->names, id);
  if (strncmp(name, STABLEHLO, sizeof STABLEHLO - 1) == 0)
    return TRAIT_STABLEHLO | find(name + 6, length - 6);  // "hlo."
  if (strncmp(name, MHLO, sizeof MHLO - 1) == 0) return TRAIT_MHLO | find(name + 1, length - 1);
  if (strncmp(name, HLO, sizeof HLO - 1) == 0) return TRAIT_NONE;  // the rows are not of that name
  return find(name, length);
}

uint32_t traits_of(const shape_graph *g, op_id op) { return traits_of_name(g, g->ops[op].name); }

bool op_is_assertion(const shape_graph *g, op_id op) {
  uint32_t traits = traits_of(g, op);
  if (!(traits & TRAIT_CUSTOM_CALL)) return traits & TRAIT_ASSERTS;
  const char *target = graph_attr_text(g, graph_attr_named(g, op, "call_target_name"));
  return target && strcmp(target, "shape_assertion") == 0;
}

const char *traits_hlo_dialect(const shape_graph *g) {
  for (op_id op = 0; op < g->op_count; op++) {
    uint32_t traits = traits_of(g, op);
    if (traits & TRAIT_HLO) return traits & TRAIT_MHLO ? "mhlo" : "stablehlo";
  }
  return NULL;
}
