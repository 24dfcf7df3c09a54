// SPDX-License-Identifier: Apache-2.0
// Attributes of operations, which layers of a network have in common byte for byte: where an operation has the text of
// one before it with the same name, it has the attributes of that one, and nothing of it is read again.
//
// A text is only kept where it gave no error, and nests no deeper than it did, so that the limit of nesting holds as
// before.
#include <assert.h>

#include "solver/formats/json/decoder.h"

static graph_repeat *repeat_of(graph_decoder *d, name_id name) {
  return &d->repeats.attrs[name % REPEATS];
}

static bool is_repeated(const graph_decoder *d, const graph_repeat *r, name_id name) {
  assert((size_t)r->begin + r->length <= (size_t)(d->c.end - d->c.base));
  return r->length && r->name == name && d->depth <= r->depth &&
         (size_t)(d->c.end - d->c.at) >= r->length &&
         memcmp(d->c.at, d->c.base + r->begin, r->length) == 0;
}

static void share_attrs(graph_decoder *d, op_id op, const graph_repeat *r) {
  budget_take(d->budget, r->count);
  graph_share_attrs(d->g, op, r->entries, r->entry_count);
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
    share_attrs(d, op, r);
    return;
  }
  uint32_t begin = cursor_offset(&d->c), errors = g->diags.errors, first = g->attributes.count;
  uint32_t count = decode_attrs(d);
  assert(count <= d->entry_count);
  d->entry_count -= count;
  graph_set_attrs(g, op, d->entries + d->entry_count, count);
  if (!is_object || name == NAME_NONE || d->c.failed || g->diags.errors != errors) return;
  if (!graph_may_share_attrs(g, first)) return;
  *r = (graph_repeat){.name = name,
                      .begin = begin,
                      .length = cursor_offset(&d->c) - begin,
                      .depth = d->depth,
                      .count = g->attributes.count - first,
                      .entries = g->ops[op].attrs,
                      .entry_count = count};
}
