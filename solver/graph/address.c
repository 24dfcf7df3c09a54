// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/address.h"

#include <string.h>

typedef struct search {
  const shape_graph *g;
  graph_has_value *has;
  const void *data;
  func_id func, entry;  // func ID_NONE: any
  bool inside;          // of braces, which do not nest
} search;

func_id graph_value_func(const shape_graph *g, value_id value) {
  assert(value < g->value_count);
  const graph_value *v = &g->values[value];
  block_id block = v->is_argument ? v->def : g->ops[v->def].parent;
  region_id region = block == ID_NONE ? ID_NONE : g->blocks[block].region;
  return region == ID_NONE ? ID_NONE : g->regions[region].func;
}

op_id graph_op_at(const shape_graph *g, uint32_t offset) {
  op_id count = g->op_count;
  // Sessions append operations that have no text.
  while (count && g->ops[count - 1].span.begin == g->ops[count - 1].span.end) count--;
  count = sorted_before(g->ops, count, sizeof *g->ops, offsetof(graph_op, span.begin),
                        (uint64_t)offset + 1);
  return count ? count - 1 : ID_NONE;
}

op_id graph_op_of_span(const shape_graph *g, source_span span) {
  if (span_is_none(span)) return ID_NONE;
  for (op_id op = 0; op < g->op_count; op++) {
    const graph_op *o = &g->ops[op];
    if (o->span.begin == span.begin ||
        (o->name_span.begin == span.begin && !span_is_none(o->name_span)))
      return op;
  }
  return ID_NONE;
}

static bool is_there(const search *s, value_id v) { return !s->has || s->has(s->data, v); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits at the begin of a text, at most nine; 0: there are none. Returns how many.
static size_t read_digits(const char *text, size_t length, uint32_t *out) {
  size_t n = 0;
  *out = 0;
  while (n < length && n < 9 && is_digit(text[n])) *out = *out * 10 + (uint32_t)(text[n++] - '0');
  return n < length && is_digit(text[n]) ? 0 : n;
}

// `mark` and digits at the end, which are cut off; false where there are none, or nothing is before them.
static bool cut_number(const char *text, size_t *length, char mark, uint32_t *out) {
  size_t at = *length;
  while (at && is_digit(text[at - 1])) at--;
  if (at < 2 || text[at - 1] != mark || !read_digits(text + at, *length - at, out)) return false;
  *length = at - 1;
  return true;
}

// --- names

static bool has_name(const shape_graph *g, value_id v, const char *name, size_t length) {
  uint32_t known;
  const char *text = graph_value_text(g, v, &known);
  return known == length && memcmp(text, name, length) == 0;
}

static bool is_sibling(const shape_graph *g, value_id a, value_id b) {
  const graph_value *x = &g->values[a], *y = &g->values[b];
  return !x->is_argument && !y->is_argument && x->def == y->def;
}

// The first value of the one definition that has the name; *several: there is no one. Results of an operation may share it.
static value_id value_of_name(const search *s, const char *name, size_t length, bool *several) {
  value_id found = VALUE_NONE;
  bool in_entry = false;
  *several = false;
  for (value_id v = 0; v < s->g->value_count; v++) {
    if (!has_name(s->g, v, name, length) || !is_there(s, v)) continue;
    if (found != VALUE_NONE && is_sibling(s->g, v, found)) continue;
    func_id func = graph_value_func(s->g, v);
    bool entry = func == s->entry;
    if ((s->func != ID_NONE && func != s->func) || (in_entry && !entry)) continue;
    if (found != VALUE_NONE && entry == in_entry) {
      *several = true;
    } else {
      *several = false;
      found = v;
      in_entry = entry;
    }
  }
  return *several ? VALUE_NONE : found;
}

// The results that the name counts are those that share it.
static value_id result_from(const shape_graph *g, value_id first, uint32_t result, bool named) {
  if (!result || first == VALUE_NONE) return first;
  const graph_value *v = &g->values[first];
  if (v->is_argument || result >= g->ops[v->def].result_count - graph_value_index(g, first))
    return VALUE_NONE;
  uint32_t length;
  const char *name = graph_value_text(g, first, &length);
  return !named || has_name(g, first + result, name, length) ? first + result : VALUE_NONE;
}

// --- others

static value_id first_result(const search *s, op_id op) {
  if (op == ID_NONE || !s->g->ops[op].result_count) return VALUE_NONE;
  value_id v = s->g->ops[op].results;
  return is_there(s, v) ? v : VALUE_NONE;
}

static value_id value_of_tag(const search *s, const char *tag, size_t length, bool *several) {
  value_id found = VALUE_NONE;
  *several = false;
  name_id name = intern_find(&s->g->names, "shaped.tag", strlen("shaped.tag"));
  for (op_id op = 0; name != NAME_NONE && op < s->g->op_count; op++) {
    attr_id id = s->g->ops[op].attr_count ? graph_attr_named(s->g, op, "shaped.tag") : ATTR_NONE;
    const char *text = id == ATTR_NONE ? NULL : graph_attr_text(s->g, id);
    value_id v = text ? first_result(s, op) : VALUE_NONE;
    if (v == VALUE_NONE || strlen(text) != length || memcmp(text, tag, length) != 0) continue;
    if (s->func != ID_NONE && graph_value_func(s->g, v) != s->func) continue;
    *several = found != VALUE_NONE;
    if (*several) return VALUE_NONE;
    found = v;
  }
  return found;
}

// 12:7. The byte of a line and a column, which count from 1.
static bool read_position(const shape_graph *g, const char *text, size_t length, uint32_t *offset) {
  uint32_t line, column, at = 0;
  size_t n = read_digits(text, length, &line);
  if (!n || n == length || text[n] != ':') return false;
  size_t m = read_digits(text + n + 1, length - n - 1, &column);
  if (!m || n + 1 + m != length || !line || !column || !graph_is_text(g)) return false;
  const char *source = graph_text(g);
  if (!source) return false;
  for (; at < g->source.length && line > 1; at++) line -= source[at] == '\n';
  *offset = at + column - 1;
  return line == 1 && *offset < g->source.length;
}

static op_id op_around(const shape_graph *g, uint32_t offset) {
  op_id op = graph_op_at(g, offset);
  while (op != ID_NONE && offset >= g->ops[op].span.end) {
    region_id region = g->blocks[g->ops[op].parent].region;
    op = region == ID_NONE ? ID_NONE : g->regions[region].op;
  }
  return op;
}

// --- addresses

static const char NONE[] = "there is no such value";
static const char SEVERAL[] =
    "several values have this name; @function:%name, #identifier or line:column say which";

// Without results and axes. *named: results that are counted from it share its name.
static const char *read_base(const search *s, const char *text, size_t length, value_id *out,
                             bool *named) {
  uint32_t number;
  bool several;
  *named = false;
  if (!length) return NONE;
  if (text[0] == '#' && read_digits(text + 1, length - 1, &number) == length - 1 && length > 1) {
    *out = number < s->g->value_count && is_there(s, number) ? number : VALUE_NONE;
    return *out == VALUE_NONE ? NONE : NULL;
  }
  if (read_position(s->g, text, length, &number)) {
    *out = first_result(s, op_around(s->g, number));
    return *out == VALUE_NONE ? "no operation with a result is at this location" : NULL;
  }
  size_t skip = length > 1 && text[0] == '%';
  *named = s->g->format == GRAPH_MLIR;
  *out = value_of_name(s, text + skip, length - skip, &several);
  if (*out == VALUE_NONE && !several) {
    *named = false;
    *out = value_of_tag(s, text + skip, length - skip, &several);
  }
  return several ? SEVERAL : *out == VALUE_NONE ? NONE : NULL;
}

static const char *read_inner(const search *s, const char *text, size_t length, graph_address *out);

// %{...}, @f:..., or a base.
static const char *read_start(const search *s, const char *text, size_t length, value_id *out,
                              bool *named) {
  if (!s->inside && length > 3 && text[0] == '%' && text[1] == '{' && text[length - 1] == '}') {
    graph_address inner;
    search within = *s;
    within.inside = true;
    const char *error = read_inner(&within, text + 2, length - 3, &inner);
    *named = false;
    if (!error && inner.axis != ID_NONE) error = NONE;
    if (!error) *out = inner.value;
    return error;
  }
  return read_base(s, text, length, out, named);
}

static const char *read_inner(const search *s, const char *text, size_t length,
                              graph_address *out) {
  const char *error = NONE;
  if (length > 1 && text[0] == '@' && s->func == ID_NONE) {
    const char *colon = memchr(text, ':', length);
    size_t name = colon ? (size_t)(colon - text) - 1 : 0;
    search within = *s;
    within.func = colon ? graph_find_func(s->g, 0, text + 1, name) : ID_NONE;
    if (within.func == ID_NONE) return "there is no such function";
    return read_inner(&within, colon + 1, length - name - 2, out);
  }
  // A name may end as an axis or the number of a result does.
  for (unsigned parts = 0; parts < 4; parts++) {
    size_t left = length;
    uint32_t result = 0;
    bool named;
    out->axis = ID_NONE;
    if ((parts & 2) && !cut_number(text, &left, '.', &out->axis)) continue;
    if ((parts & 1) && !cut_number(text, &left, '#', &result)) continue;
    const char *why = read_start(s, text, left, &out->value, &named);
    if (!why) out->value = result_from(s->g, out->value, result, named);
    if (!why && out->value == VALUE_NONE) why = "there is no such result";
    if (!why) return NULL;
    if (error == NONE) error = why;
  }
  return error;
}

const char *graph_address_read(const shape_graph *g, const char *text, size_t length, func_id entry,
                               graph_has_value *has, const void *data, graph_address *out) {
  const search s = {g, has, data, ID_NONE, entry, false};
  *out = (graph_address){VALUE_NONE, ID_NONE};
  const char *error = read_inner(&s, text, length, out);
  assert(error || out->value < g->value_count);
  return error;
}

op_id graph_address_op(const shape_graph *g, const char *text, size_t length, func_id entry,
                       graph_has_value *has, const void *data) {
  graph_address found;
  uint32_t offset;
  if (read_position(g, text, length, &offset)) return op_around(g, offset);
  if (graph_address_read(g, text, length, entry, has, data, &found) || found.axis != ID_NONE)
    return ID_NONE;
  const graph_value *v = &g->values[found.value];
  return v->is_argument ? ID_NONE : v->def;
}
