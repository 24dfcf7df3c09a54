// SPDX-License-Identifier: Apache-2.0
// Attributes of operations, which layers of a network have in common byte for byte: where an operation has the text of
// the one before it with the same name, what that text denotes is copied, and nothing of it is read again.
//
// The copy is what reading gives: attributes with ids of their own, in the same order, with their own locations. Numbers
// are shared, as nothing writes them. A text is only kept where it gave no error, and nests no deeper than it
// did, so that the limit of nesting holds as before.
#include <assert.h>

#include "solver/formats/json/decoder.h"

static graph_repeat *repeat_of(graph_decoder *d, name_id name) {
  return &d->repeats[name % (sizeof d->repeats / sizeof *d->repeats)];
}

static bool is_repeated(const graph_decoder *d, const graph_repeat *r, name_id name) {
  assert((size_t)r->begin + r->length <= (size_t)(d->c.end - d->c.base));
  return r->length && r->name == name && d->depth <= r->depth &&
         (size_t)(d->c.end - d->c.at) >= r->length &&
         memcmp(d->c.at, d->c.base + r->begin, r->length) == 0;
}

// Ids that attributes of the text have among one another.
static attr_id *moved_items(shape_graph *g, const attr_id *from, uint32_t count, uint32_t by) {
  attr_id *items = arena_alloc(g->arena, count * sizeof *items + 1);
  for (uint32_t i = 0; i < count; i++) items[i] = from[i] + by;
  return items;
}

static attr_entry *moved_entries(shape_graph *g, const attr_entry *from, uint32_t count,
                                 uint32_t by) {
  attr_entry *entries = arena_alloc(g->arena, count * sizeof *entries + 1);
  for (uint32_t i = 0; i < count; i++) entries[i] = (attr_entry){from[i].name, from[i].value + by};
  return entries;
}

static void copy_attrs(graph_decoder *d, op_id op, const graph_repeat *r) {
  assert(r->first + r->count <= d->g->attributes.count);
  shape_graph *g = d->g;
  uint32_t by = g->attributes.count - r->first, forth = cursor_offset(&d->c) - r->begin;
  budget_take(d->budget, r->count);
  for (uint32_t i = 0; i < r->count; i++) {
    graph_attr attr = g->attributes.items[r->first + i];
    attr.span.begin += forth;
    attr.span.end += forth;
    uint32_t count;
    const attr_id *items = attr_items(&attr, &count);
    if (items) attr_set_items(&attr, moved_items(g, items, count, by), count);
    const attr_entry *held = attr_entries(&attr, &count);
    if (held) attr_set_entries(&attr, moved_entries(g, held, count, by), count);
    graph_add_attr(g, &attr);
  }
  const attr_entry *entries = graph_attr_entries(g, r->entries);
  graph_set_attrs(g, op, moved_entries(g, entries, r->entry_count, by), r->entry_count);
  d->c.at += r->length;
  assert(d->c.at <= d->c.end);
}

void decode_op_attrs(graph_decoder *d, op_id op) {
  assert(op < d->g->op_count);
  shape_graph *g = d->g;
  name_id name = g->ops[op].name;  // none where the attributes come before it
  bool is_object = cursor_peek(&d->c) == '{';
  graph_repeat *r = repeat_of(d, name);
  if (is_object && is_repeated(d, r, name)) {
    copy_attrs(d, op, r);
    return;
  }
  uint32_t begin = cursor_offset(&d->c), errors = g->diags.errors, first = g->attributes.count;
  uint32_t count = decode_attrs(d);
  assert(count <= d->entry_count);
  d->entry_count -= count;
  graph_set_attrs(g, op, d->entries + d->entry_count, count);
  if (!is_object || name == NAME_NONE || d->c.failed || g->diags.errors != errors) return;
  *r = (graph_repeat){.name = name,
                      .begin = begin,
                      .length = cursor_offset(&d->c) - begin,
                      .depth = d->depth,
                      .first = first,
                      .count = g->attributes.count - first,
                      .entries = g->ops[op].attrs,
                      .entry_count = count};
}
