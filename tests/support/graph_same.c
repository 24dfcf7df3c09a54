// SPDX-License-Identifier: Apache-2.0
#include "tests/support/graph_same.h"

#include <string.h>

#define ROWS(a, b, items, count)                                                                   \
  ((a)->count == (b)->count &&                                                                     \
   (!(a)->count || memcmp((a)->items, (b)->items, (a)->count * sizeof *(a)->items) == 0))

static bool same_span(source_span a, source_span b) { return a.begin == b.begin && a.end == b.end; }

static bool same_op(const graph_op *a, const graph_op *b) {
  return a->name == b->name && a->operands == b->operands && a->operand_count == b->operand_count &&
         a->results == b->results && a->result_count == b->result_count && a->attrs == b->attrs &&
         a->attr_count == b->attr_count && a->regions == b->regions &&
         a->region_count == b->region_count && a->parent == b->parent && a->next == b->next &&
         same_span(a->span, b->span) && same_span(a->name_span, b->name_span) &&
         a->unread == b->unread;
}

static bool same_attr(const graph_attr *a, const graph_attr *b) {
  uint32_t n, m;
  if (a->kind != b->kind || a->splat != b->splat || a->holds != b->holds || a->count != b->count ||
      a->type != b->type || a->text != b->text || !same_span(a->span, b->span))
    return false;
  const int64_t *ints = attr_held_ints(a, &n), *other_ints = attr_held_ints(b, &m);
  if (n && memcmp(ints, other_ints, n * sizeof *ints) != 0) return false;
  const double *floats = attr_held_floats(a, &n), *other_floats = attr_held_floats(b, &m);
  if (n && memcmp(floats, other_floats, n * sizeof *floats) != 0) return false;
  const attr_id *items = attr_items(a, &n), *other_items = attr_items(b, &m);
  if (n && memcmp(items, other_items, n * sizeof *items) != 0) return false;
  const attr_entry *entries = attr_entries(a, &n), *other_entries = attr_entries(b, &m);
  return !n || memcmp(entries, other_entries, n * sizeof *entries) == 0;
}

static bool same_diag(const diag *a, const diag *b) {
  return a->severity == b->severity && strcmp(a->message, b->message) == 0 &&
         same_span(a->span, b->span);
}

const char *graph_difference(const shape_graph *a, const shape_graph *b) {
  if (a->diags.count != b->diags.count || a->diags.errors != b->diags.errors) return "diagnostics";
  for (uint32_t i = 0; i < a->diags.count; i++) {
    if (!same_diag(&a->diags.items[i], &b->diags.items[i])) return "a diagnostic";
  }
  if (a->op_count != b->op_count) return "the number of operations";
  for (op_id i = 0; i < a->op_count; i++) {
    if (!same_op(&a->ops[i], &b->ops[i])) return "an operation";
  }
  if (a->attributes.count != b->attributes.count) return "the number of attributes";
  for (attr_id i = 0; i < a->attributes.count; i++) {
    if (!same_attr(&a->attributes.items[i], &b->attributes.items[i])) return "an attribute";
  }
  if (!ROWS(&a->attributes, &b->attributes, entries, entry_count)) return "the entries";
  if (!ROWS(a, b, values, value_count)) return "the values";
  if (!ROWS(a, b, operands, operand_count)) return "the operands";
  if (!ROWS(a, b, blocks, block_count)) return "the blocks";
  if (!ROWS(a, b, regions, region_count)) return "the regions";
  if (a->names.count != b->names.count) return "the names";
  if (a->types.count != b->types.count) return "the types";
  return NULL;
}
