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
  numbered_name number;  // that the result has for a name
  bool numbered;
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

// The same, of a number.
static inline bool pass_number(const graph_decoder *d, const char **at, numbered_name *name) {
  const char *stop = decode_numbered(d, *at, d->c.end, name);
  if (!stop || stop == d->c.end || *stop != '"') return false;
  *at = stop;
  return true;
}

// VALUE_NONE: there is none of that name.
static inline value_id pass_value(const graph_decoder *d, const char **at) {
  numbered_name number;
  json_slice name;
  const char *from = *at;
  if (pass_number(d, at, &number)) {
    uint32_t series = decode_series(d, number.letters);
    if (series < SERIES) return decode_find_number(d, series, number.number);
    *at = from;
  }
  return pass_name(d, at, &name) ? decode_find_value(d, name) : VALUE_NONE;
}

static inline bool pass_result(const graph_decoder *d, const char **at, fitting *f) {
  const char *from = *at;
  f->numbered = pass_number(d, at, &f->number);
  if (!f->numbered) return pass_name(d, at, &f->result);
  f->result = (json_slice){from, (size_t)(*at - from)};
  return true;
}

// What is before the name of the operation is one bracket, in both. from: that, or what is after the name.
static bool fits(const graph_decoder *d, const graph_pattern *t, uint32_t from, fitting *f) {
  const char *at = d->c.at + from;
  assert(t->operand_count <= PATTERN_OPERANDS);
  if (!passes(d, t, from, t->from[0], &at)) return false;
  for (uint32_t i = 0; i < t->operand_count; i++) {
    f->operands[i] = pass_value(d, &at);
    if (f->operands[i] == VALUE_NONE || !passes(d, t, t->to[i], t->from[i + 1], &at)) return false;
  }
  if (!pass_result(d, &at, f) || !passes(d, t, t->to[t->operand_count], t->length, &at))
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

// An operation whose name, operands and type are those of the pattern. For messages the cursor is in its results.
static op_id make(graph_decoder *d, const graph_pattern *t, block_id block, const fitting *f) {
  uint32_t begin = cursor_offset(&d->c);
  const graph_repeated repeated = {.name = t->name,
                                   .parent = block,
                                   .span = {begin, begin},
                                   .name_span = {begin + 1, begin + t->name_to},
                                   .operands = f->operands,
                                   .operand_count = t->operand_count,
                                   .result_count = 1,
                                   .result = t->type,
                                   .entries = t->entries,
                                   .entry_count = t->entry_count};
  op_id op = graph_repeat_op(d->g, &repeated);
  value_name name = f->numbered ? decode_number_of(d, f->number) : NAME_NONE;
  if (name == NAME_NONE) name = decode_name_of(d, f->result);
  assert(d->depth < GRAPH_JSON_DEPTH && d->until_poll > t->steps);
  d->until_poll -= t->steps;
  d->path[d->depth++] = (path_step){.index = 2};
  decode_define(d, name, d->g->ops[op].results, (uint32_t)(f->result.text - d->c.base));
  d->depth--;
  d->c.at = f->end;
  return op;
}

bool decode_patterned(graph_decoder *d, block_id block) {
  fitting f;
  const graph_pattern *t = find_fitting(d, &f);
  if (!t) {
    d->repeats.tried++;
    return false;
  }
  op_id op = make(d, t, block, &f);
  if (t->entry_count) budget_take(d->budget, t->attr_count);
  d->g->ops[op].span.end = cursor_offset(&d->c);
  d->repeats.found++;
  return true;
}

// --- reading

// The name at the cursor is number `i` of the pattern.
static bool read_name(json_cursor *c, graph_pattern *t, uint32_t i, json_slice *name) {
  cursor_peek(c);
  const char *quote = c->at;
  if (!cursor_string(c, name) || name->text != quote + 1) return false;
  t->from[i] = (uint32_t)(name->text - c->base) - t->begin;
  t->to[i] = t->from[i] + (uint32_t)name->length;
  return true;
}

// Its operands and its result, each without escapes, and the text of the type of that.
static bool read_values(const graph_decoder *d, json_cursor *c, graph_pattern *t, fitting *f,
                        const char **type) {
  json_slice name;
  if (!cursor_next_item(c, false) || !cursor_enter(c, '[')) return false;
  while (cursor_next_item(c, t->operand_count == 0)) {
    uint32_t i = t->operand_count++;
    if (i == PATTERN_OPERANDS || !read_name(c, t, i, &name)) return false;
    f->operands[i] = decode_find_value(d, name);
    if (f->operands[i] == VALUE_NONE) return false;
  }
  if (c->failed || !cursor_next_item(c, false) || !cursor_enter(c, '[') ||
      !cursor_next_item(c, true) || !read_name(c, t, t->operand_count, &f->result) ||
      !cursor_next_item(c, false))
    return false;
  *type = c->at;
  if (!cursor_string(c, &name) || cursor_next_item(c, false)) return false;
  f->numbered = false;
  f->end = c->at;
  return !c->failed;
}

// Of the result, whose type may be none.
static type_id read_type(graph_decoder *d, const char *at) {
  const char *before = d->c.at;
  d->path[d->depth++] = (path_step){.index = 2};
  d->path[d->depth++] = (path_step){.index = 1};
  assert(d->depth <= GRAPH_JSON_DEPTH);
  d->c.at = at;
  type_id type = decode_type(d);
  d->depth -= 2;
  d->c.at = before;
  return type;
}

op_id decode_head(graph_decoder *d, block_id block, graph_pattern *t) {
  json_cursor c = cursor_at(&d->c, d->c.at);
  json_slice name;
  fitting f;
  const char *type;
  *t = (graph_pattern){.begin = cursor_offset(&c), .depth = d->depth};
  if (d->depth + 2 > GRAPH_JSON_DEPTH || !cursor_enter(&c, '[') || c.at == c.end || *c.at != '"' ||
      !cursor_string(&c, &name) || !name.length || name.text != d->c.at + 2)
    return ID_NONE;
  t->name_to = cursor_offset(&c) - t->begin;
  t->name = decode_seen(d, name)->name;
  if (!read_values(d, &c, t, &f, &type)) return ID_NONE;
  t->steps = 3 + t->operand_count + 2;
  if (d->until_poll <= t->steps) return ID_NONE;
  t->length = (uint32_t)(f.end - d->c.at);  // of the head, until it is noted
  t->type = read_type(d, type);
  op_id op = make(d, t, block, &f);
  d->path[d->depth++] = (path_step){.index = 2};
  return op;
}

// --- noting

// What is after them: nothing, or attributes that others may have too.
static bool note_attrs(json_cursor *c, const graph_op *o, const graph_repeat *r) {
  if (!cursor_next_item(c, false)) return !c->failed && !o->attr_count;
  if (r->name != o->name || !r->length || r->entries != o->attrs || !o->attr_count) return false;
  if (cursor_peek(c) != '{' || (size_t)(c->end - c->at) < r->length ||
      memcmp(c->at, c->base + r->begin, r->length) != 0)
    return false;
  c->at += r->length;
  return !cursor_next_item(c, false);
}

// The oldest one gives way where all are taken; links to it lead to what is there then, so none is followed for long.
static graph_pattern *keep(decoder_repeats *r, const graph_pattern *t) {
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
  return kept;
}

void decode_note_pattern(graph_decoder *d, op_id op, const graph_pattern *t, uint32_t errors) {
  const shape_graph *g = d->g;
  const graph_op *o = &g->ops[op];
  if (d->repeats.tried > TRIES && d->repeats.tried > 2 * d->repeats.found) return;
  if (d->c.failed || g->diags.errors != errors || o->region_count || t->type == TYPE_NONE) return;
  assert(o->result_count == 1 && o->span.begin == t->begin);
  const graph_repeat *r = &d->repeats.attrs[t->name % REPEATS];
  json_cursor c = cursor_at(&d->c, d->c.base + t->begin + t->length);
  // Successors are not among the parts that were seen.
  if (!note_attrs(&c, o, r) || c.failed || c.at != c.base + o->span.end) return;
  graph_pattern *kept = keep(&d->repeats, t);
  kept->length = o->span.end - t->begin;
  kept->entries = o->attrs;
  kept->entry_count = o->attr_count;
  if (!o->attr_count) return;
  kept->attr_count = r->count;
  kept->steps++;
  if (r->depth < kept->depth) kept->depth = r->depth;
}
