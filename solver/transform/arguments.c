// SPDX-License-Identifier: Apache-2.0
// Arguments of the entry that the caller fixes: the signature stays what callers know, with another name for the
// argument, and a constant of the old name follows the brace that opens the body, on its line.
#include <string.h>

#include "solver/transform/rewrite.h"

// A name that nothing in the program has.
static const char *free_name(shape_graph *g, const char *base, uint32_t length) {
  shape_strbuf text;
  bool digits = *base >= '0' && *base <= '9';
  for (uint32_t k = 0;; k++) {
    strbuf_init(&text, g->arena);
    strbuf_printf(&text, "%s%.*s_argument", digits ? "v" : "", (int)length, base);
    if (k) strbuf_printf(&text, "%u", k);
    if (intern_find(&g->names, text.data, text.length) == NAME_NONE) return strbuf_text(&text);
  }
}

static bool body_of(const mlir_uses *uses, func_id func, uint32_t *at) {
  for (uint32_t i = 0; i < uses->count; i++) {
    if (uses->items[i].kind != MLIR_USE_BODY || uses->items[i].subject != func) continue;
    *at = uses->items[i].span.end;
    return true;
  }
  return false;
}

static bool is_used(const refine_rewrite *r, value_id value) {
  const shape_graph *g = r->graph;
  for (op_id op = 0; op < g->op_count; op++) {
    for (uint32_t i = 0; !r->removed[op] && i < g->ops[op].operand_count; i++) {
      if (graph_operand(g, op, i) == value) return true;
    }
  }
  return false;
}

void rewrite_arguments(refine_rewrite *r, const fixed_argument *fixed, uint32_t count) {
  shape_graph *g = r->graph;
  uint32_t at;
  if (!count || !body_of(r->uses, r->types->report->infer->entry, &at)) return;
  const char *dialect = traits_hlo_dialect(g);
  if (!dialect) dialect = "stablehlo";
  for (uint32_t i = 0; i < count; i++) {
    value_id value = fixed[i].value;
    const constant_value *constant = rewrite_constant(r, value);
    uint32_t length;
    const char *name = graph_value_text(g, value, &length);
    if (!constant || !length || rewrite_feeds(r, value)) continue;
    if (r->cleanup && !is_used(r, value)) continue;
    const char *other = free_name(g, name, length);
    edits_add(r->edits, &g->source,
              (source_span){g->values[value].at + 1, g->values[value].at + 1 + length}, other,
              (uint32_t)strlen(other));
    shape_strbuf text;
    strbuf_init(&text, g->arena);
    strbuf_printf(&text, " %%%.*s = ", (int)length, name);
    rewrite_constant_text(r, dialect, r->value_types[value], constant, &text);
    edits_add(r->edits, &g->source, (source_span){at, at}, text.data, text.length);
  }
}
