// SPDX-License-Identifier: Apache-2.0
// Operations that are written as one before but for the names of their values, as those of layers are: the text between
// the names is compared with that of the earlier one, and has the same name, type and attributes. What is made of it is
// what reading it makes.
//
// Those are arrays of a name, operands, one result and attributes, if any; anything else is read.
#include <assert.h>

#include "solver/formats/json/decoder.h"

enum {
  TRIES = 64,     // operations by which it has to be seen that a program repeats itself
  CANDIDATES = 8  // patterns of a name that are compared, each of which costs a tenth of reading
};

// --- fitting

typedef struct fitting {
  value_id operands[PATTERN_OPERANDS];
  json_slice result;
  const char *end;
} fitting;

// Moves over the text of the pattern between two offsets.
static inline bool passes(const graph_decoder *d, const graph_pattern *t, uint32_t from,
                          uint32_t to, const char **at) {
  size_t length = to - from;
  if ((size_t)(d->c.end - *at) < length) return false;
  if (!text_equals(*at, d->c.base + t->begin + from, length)) return false;
  *at += length;
  return true;
}

// A name without escapes, from after its first quote up to its last.
static inline bool pass_name(const graph_decoder *d, const char **at, json_slice *name) {
  const char *stop = quote_near(*at, d->c.end);
  if (!stop || *stop != '"') return false;
  *name = (json_slice){*at, (size_t)(stop - *at)};
  *at = stop;
  return true;
}

// What is before the name of the operation is one bracket, in both. from: that, or what is after the name.
static bool fits(const graph_decoder *d, const graph_pattern *t, uint32_t from, fitting *f) {
  const char *at = d->c.at + from;
  json_slice name;
  assert(t->operand_count <= PATTERN_OPERANDS);
  if (!passes(d, t, from, t->from[0], &at)) return false;
  for (uint32_t i = 0; i < t->operand_count; i++) {
    if (!pass_name(d, &at, &name)) return false;
    f->operands[i] = decode_find_value(d, name);
    if (f->operands[i] == VALUE_NONE || !passes(d, t, t->to[i], t->from[i + 1], &at)) return false;
  }
  if (!pass_name(d, &at, &f->result) || !passes(d, t, t->to[t->operand_count], t->length, &at))
    return false;
  f->end = at;
  return true;
}

// Each part of a pattern is a step, as where it is read.
static inline bool may_fit(const graph_decoder *d, const graph_pattern *t) {
  return t->length && d->depth <= t->depth && d->until_poll > t->steps;
}

// By the name of the operation, the newest first.
static const graph_pattern *find(graph_decoder *d, fitting *f) {
  const decoder_repeats *r = &d->repeats;
  const char *at = d->c.at + 1;
  if (d->c.end - at < 2 || *at != '"') return NULL;
  json_slice name;
  at++;
  if (!pass_name(d, &at, &name)) return NULL;
  name_id seen = decode_seen(d, name)->name;
  uint32_t index = r->named[seen % PATTERN_NAMES];
  for (unsigned i = 0; i < CANDIDATES; i++) {
    const graph_pattern *t = &r->ops[index];
    assert(index < r->op_count);
    if (t->name == seen && may_fit(d, t) && fits(d, t, t->name_to, f)) return t;
    if (t->older == index) break;
    index = t->older;
  }
  return NULL;
}

// Layers have their operations in one order: the pattern that came after the last one is tried first, without looking for
// its name.
static const graph_pattern *find_fitting(graph_decoder *d, fitting *f) {
  decoder_repeats *r = &d->repeats;
  assert(d->c.at < d->c.end && *d->c.at == '[');
  if (!r->op_count) return NULL;
  graph_pattern *last = &r->ops[r->last];
  const graph_pattern *t = &r->ops[last->then];
  assert(r->last < r->op_count && last->then < r->op_count);
  if (!may_fit(d, t) || !fits(d, t, 1, f)) t = find(d, f);
  if (t) last->then = r->last = (uint32_t)(t - r->ops);
  return t;
}

bool decode_patterned(graph_decoder *d, block_id block) {
  shape_graph *g = d->g;
  fitting f;
  const graph_pattern *t = find_fitting(d, &f);
  if (!t) return false;
  uint32_t begin = cursor_offset(&d->c);
  op_id op = graph_add_op(g, t->name, block, (source_span){begin, begin});
  g->ops[op].name_span = (source_span){begin + 1, begin + t->name_to};
  for (uint32_t i = 0; i < t->operand_count; i++) graph_add_operand(g, op, f.operands[i]);
  d->until_poll -= t->steps;
  value_name name = decode_name_of(d, f.result);
  value_id result = graph_add_results(g, op, 1);
  g->values[result].type = t->type;
  assert(d->depth < GRAPH_JSON_DEPTH);
  d->path[d->depth++] = (path_step){.index = 2};  // for a message
  decode_define(d, name, result, (uint32_t)(f.result.text - d->c.base));
  d->depth--;
  if (t->entry_count) {
    budget_take(d->budget, t->attr_count);
    graph_share_attrs(g, op, t->entries, t->entry_count);
  }
  d->c.at = f.end;
  g->ops[op].span.end = cursor_offset(&d->c);
  d->repeats.found++;
  return true;
}

// --- noting

// The name at the cursor of `c` is number `i`.
static bool note_name(json_cursor *c, graph_pattern *t, uint32_t i) {
  json_slice name;
  cursor_peek(c);
  const char *quote = c->at;
  if (!cursor_string(c, &name) || name.text != quote + 1) return false;
  t->from[i] = (uint32_t)(name.text - c->base) - t->begin;
  t->to[i] = t->from[i] + (uint32_t)name.length;
  return true;
}

// Its operands and the name and the type of its result, each without escapes.
static bool note_values(json_cursor *c, graph_pattern *t) {
  json_slice type;
  if (!cursor_next_item(c, false) || !cursor_enter(c, '[')) return false;
  for (uint32_t i = 0; i < t->operand_count; i++) {
    if (!cursor_next_item(c, i == 0) || !note_name(c, t, i)) return false;
  }
  if (cursor_next_item(c, t->operand_count == 0)) return false;
  return cursor_next_item(c, false) && cursor_enter(c, '[') && cursor_next_item(c, true) &&
         note_name(c, t, t->operand_count) && cursor_next_item(c, false) &&
         cursor_string(c, &type) && !cursor_next_item(c, false);
}

// What is after them: nothing, or attributes that others may have too.
static bool note_attrs(const graph_decoder *d, json_cursor *c, graph_pattern *t) {
  const graph_repeat *r = &d->repeats.attrs[t->name % REPEATS];
  if (!cursor_next_item(c, false)) return !c->failed && !t->entry_count;
  if (r->name != t->name || !r->length || r->entries != t->entries || !t->entry_count) return false;
  if (cursor_peek(c) != '{' || (size_t)(c->end - c->at) < r->length ||
      memcmp(c->at, c->base + r->begin, r->length) != 0)
    return false;
  c->at += r->length;
  t->attr_count = r->count;
  t->steps++;
  if (r->depth < t->depth) t->depth = r->depth;
  return !cursor_next_item(c, false);
}

// The oldest one gives way where all are taken; links to it lead to what is there then, so none is followed for long.
static void keep(decoder_repeats *r, const graph_pattern *t) {
  uint32_t index = r->next, *named = &r->named[t->name % PATTERN_NAMES];
  r->next = index + 1 < r->op_max ? index + 1 : 0;
  graph_pattern *kept = &r->ops[index];
  *kept = *t;
  kept->then = index;
  kept->older = *named < r->op_count ? *named : index;
  if (index == r->op_count) r->op_count++;
  assert(index < r->op_count && r->op_count <= r->op_max);
  r->ops[r->last].then = index;
  *named = r->last = index;
}

void decode_note_pattern(graph_decoder *d, op_id op, uint32_t errors) {
  const shape_graph *g = d->g;
  const graph_op *o = &g->ops[op];
  if (d->repeats.tried++ > TRIES && d->repeats.tried > 2 * d->repeats.found) return;
  if (d->c.failed || g->diags.errors != errors || o->result_count != 1 || o->region_count ||
      o->unread || o->operand_count > PATTERN_OPERANDS)
    return;
  // A name that is spelled with escapes is longer than it is.
  uint32_t name_length = intern_length(&g->names, o->name) + 2;
  if (o->name_span.begin != o->span.begin + 1 ||
      o->name_span.end - o->name_span.begin != name_length)
    return;
  graph_pattern t = {.name = o->name,
                     .begin = o->span.begin,
                     .name_to = o->name_span.end - o->span.begin,
                     .length = o->span.end - o->span.begin,
                     .depth = d->depth,
                     .steps = 3 + o->operand_count + 2,
                     .operand_count = o->operand_count,
                     .type = g->values[o->results].type,
                     .entries = o->attrs,
                     .entry_count = o->attr_count};
  json_cursor c = d->c;
  json_slice name;
  c.at = c.base + t.begin;
  bool fine = t.type != TYPE_NONE && cursor_enter(&c, '[') && cursor_next_item(&c, true) &&
              cursor_string(&c, &name) && note_values(&c, &t) && note_attrs(d, &c, &t);
  // Successors are not among the parts that were seen.
  if (fine && !c.failed && c.at == c.base + o->span.end) keep(&d->repeats, &t);
}
