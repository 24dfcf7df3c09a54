// SPDX-License-Identifier: Apache-2.0
#include "tests/support/graph_same.h"

#include <string.h>

#define ROWS(a, b, items, count)                                                                   \
  ((a)->count == (b)->count &&                                                                     \
   (!(a)->count || memcmp((a)->items, (b)->items, (a)->count * sizeof *(a)->items) == 0))

static bool same_span(source_span a, source_span b) { return a.begin == b.begin && a.end == b.end; }

static bool same_op(const graph_op *a, const graph_op *b) {
  return a->name == b->name && a->operands == b->operands && a->operand_count == b->operand_count &&
         a->results == b->results && a->result_count == b->result_count &&
         a->regions == b->regions && a->region_count == b->region_count && a->parent == b->parent &&
         a->next == b->next && same_span(a->span, b->span) &&
         same_span(a->name_span, b->name_span) && a->unread == b->unread;
}

// Where they are in the text may differ, but not what is there.
static bool same_text(const shape_graph *a, source_span x, const shape_graph *b, source_span y) {
  if (span_is_none(x) || span_is_none(y)) return span_is_none(x) && span_is_none(y);
  return x.end - x.begin == y.end - y.begin &&
         memcmp(a->source.text + x.begin, b->source.text + y.begin, x.end - x.begin) == 0;
}

static bool same_attr(const shape_graph *g, attr_id x, const shape_graph *h, attr_id y);

static bool same_entries(const shape_graph *g, const attr_entry *a, const shape_graph *h,
                         const attr_entry *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (a[i].name != b[i].name || !same_attr(g, a[i].value, h, b[i].value)) return false;
  }
  return true;
}

static bool same_attr(const shape_graph *g, attr_id x, const shape_graph *h, attr_id y) {
  const graph_attr *a = graph_attr_get(g, x), *b = graph_attr_get(h, y);
  uint32_t n, m;
  if (!a || !b) return !a && !b;
  if (a->kind != b->kind || a->splat != b->splat || a->holds != b->holds || a->count != b->count ||
      a->type != b->type || a->text != b->text || !same_text(g, a->span, h, b->span))
    return false;
  const int64_t *ints = attr_held_ints(a, &n), *other_ints = attr_held_ints(b, &m);
  if (n && memcmp(ints, other_ints, n * sizeof *ints) != 0) return false;
  const double *floats = attr_held_floats(a, &n), *other_floats = attr_held_floats(b, &m);
  if (n && memcmp(floats, other_floats, n * sizeof *floats) != 0) return false;
  const attr_id *items = attr_items(a, &n), *other_items = attr_items(b, &m);
  for (uint32_t i = 0; i < n; i++) {
    if (!same_attr(g, items[i], h, other_items[i])) return false;
  }
  const attr_entry *entries = attr_entries(a, &n), *other_entries = attr_entries(b, &m);
  return same_entries(g, entries, h, other_entries, n);
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
  for (op_id i = 0; i < a->op_count; i++) {
    const uint32_t count = a->ops[i].attr_count;
    if (count != b->ops[i].attr_count ||
        !same_entries(a, graph_attr_entries(a, a->ops[i].attrs), b,
                      graph_attr_entries(b, b->ops[i].attrs), count))
      return "an attribute";
  }
  if (!ROWS(a, b, values, value_count)) return "the values";
  if (!ROWS(a, b, operands, operand_count)) return "the operands";
  if (!ROWS(a, b, blocks, block_count)) return "the blocks";
  if (!ROWS(a, b, regions, region_count)) return "the regions";
  if (a->names.count != b->names.count) return "the names";
  if (a->types.count != b->types.count) return "the types";
  return NULL;
}
