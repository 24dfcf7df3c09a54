// SPDX-License-Identifier: Apache-2.0
// Symbols and the author's constraints.
#include <assert.h>

#include "solver/facts/store.h"
#include "solver/formats/json/decoder.h"

static const int64_t *decode_ints(graph_decoder *d, uint32_t *count) {
  int64_t *list = NULL;
  uint32_t capacity = 0;
  *count = 0;
  if (!decode_array(d)) return NULL;
  while (decode_item(d)) {
    list = arena_grow(d->g->arena, list, *count, (size_t)*count + 1, &capacity, sizeof *list);
    assert(*count < capacity);
    if (decode_int(d, &list[*count])) (*count)++;
  }
  return list;
}

// [[0, 8], [16, null]]: disjoint, in order; null as the upper end is unbounded.
static const int64_t *decode_ranges(graph_decoder *d, uint32_t *count) {
  int64_t *list = NULL;
  uint32_t capacity = 0, used = 0;
  *count = 0;
  if (!decode_array(d)) return NULL;
  while (decode_item(d)) {
    uint32_t begin = decode_here(d).begin;
    int64_t ends[2] = {INT64_MIN, INT64_MAX};
    uint32_t n = 0;
    bool good = true;
    if (!decode_array(d)) continue;
    while (decode_item(d)) {
      bool open = cursor_word(&d->c, "null");
      if (n >= 2) {
        if (!open) cursor_skip(&d->c);
      } else if (!open) {
        good &= decode_int(d, &ends[n]);
      }
      n++;
    }
    if (!good) continue;
    if (n != 2 || ends[0] > ends[1]) {
      decode_error(d, decode_span(d, begin), "symbol", "a range is [minimum, maximum]");
      continue;
    }
    if (used && ends[0] <= list[used - 1]) {
      decode_error(d, decode_span(d, begin), "symbol", "ranges are disjoint and in order");
      continue;
    }
    list = arena_grow(d->g->arena, list, used, (size_t)used + 2, &capacity, sizeof *list);
    assert(used % 2 == 0 && (size_t)used + 2 <= capacity);
    list[used++] = ends[0];
    list[used++] = ends[1];
  }
  *count = used / 2;
  return list;
}

static void decode_symbol_key(graph_decoder *d, json_slice key, graph_symbol *s, bool *has_min) {
  uint32_t begin = decode_here(d).begin;
  if (slice_is(key, "name")) {
    if (!decode_name(d, &s->name)) s->name = NAME_NONE;
  } else if (slice_is(key, "min")) {
    *has_min = true;
    if (cursor_word(&d->c, "null")) {
      s->min = INT64_MIN;
    } else {
      decode_int(d, &s->min);
    }
  } else if (slice_is(key, "max")) {
    if (!cursor_word(&d->c, "null")) decode_int(d, &s->max);
  } else if (slice_is(key, "divisible_by")) {
    if (!decode_int(d, &s->multiple_of)) {
      s->multiple_of = 1;
    } else if (s->multiple_of < 1) {
      decode_error(d, decode_span(d, begin), "symbol", "\"divisible_by\" is at least 1");
      s->multiple_of = 1;
    }
  } else if (slice_is(key, "ranges")) {
    if (!cursor_word(&d->c, "null")) s->ranges = decode_ranges(d, &s->range_count);
  } else if (slice_is(key, "likely")) {
    if (!cursor_word(&d->c, "null")) s->likely = decode_ints(d, &s->likely_count);
  } else if (slice_is(key, "value")) {
    decode_bool(d, &s->is_value);
  } else if (slice_is(key, "computed")) {
    bool computed = false;
    if (decode_bool(d, &computed) && computed) s->rank = SYMBOL_OPAQUE;
  } else if (slice_is(key, "def")) {
    json_slice text;
    if (decode_string(d, &text)) s->definition = arena_strndup(d->g->arena, text.text, text.length);
  } else {
    cursor_skip(&d->c);
    diag_add(&d->g->diags, DIAG_NOTE, "symbol", decode_span(d, begin),
             "the key \"%.*s\" of a symbol is not known: what it says is not used",
             (int)(key.length < 60 ? key.length : 60), key.text);
  }
}

// What lies in the ranges and between "min" and "max".
static void clip_ranges(graph_decoder *d, graph_symbol *s, bool has_min) {
  int64_t *list = arena_alloc(d->g->arena, (2 * (size_t)s->range_count + 1) * sizeof *list);
  uint32_t used = 0;
  for (uint32_t i = 0; i < s->range_count; i++) {
    int64_t low = s->ranges[2 * i], high = s->ranges[2 * i + 1];
    if (has_min && low < s->min) low = s->min;
    if (high > s->max) high = s->max;
    if (low > high) continue;
    list[used++] = low;
    list[used++] = high;
  }
  if (!used) {  // no number is left
    list[used++] = 1;
    list[used++] = 0;
  }
  s->ranges = list;
  s->range_count = used / 2;
}

void decode_one_symbol(graph_decoder *d) {
  shape_graph *g = d->g;
  uint32_t begin = decode_here(d).begin;
  graph_symbol s = {.name = NAME_NONE, .max = INT64_MAX, .multiple_of = 1};
  bool has_min = false;
  json_slice key;
  if (cursor_peek(&d->c) == '"') {
    if (!decode_name(d, &s.name)) return;
  } else {
    if (!decode_object(d)) return;
    while (decode_key(d, &key)) decode_symbol_key(d, key, &s, &has_min);
  }
  s.span = decode_span(d, begin);
  if (s.name == NAME_NONE || !intern_length(&g->names, s.name)) {
    decode_error(d, s.span, "symbol", "a symbol needs a \"name\"");
    return;
  }
  // A symbol for a value has no lower end of its own; a size has 0.
  if (s.is_value && !has_min) s.min = INT64_MIN;
  if (s.min > s.max) {
    decode_error(d, s.span, "symbol", "\"min\" is greater than \"max\"");
    return;
  }
  if (s.range_count) clip_ranges(d, &s, has_min);
  if (!graph_symbol_is_possible(&s)) {
    decode_error(d, s.span, "symbol",
                 "no %s has the ranges and the divisor that are declared for symbol \"%s\"",
                 s.is_value ? "number" : "dim", intern_text(&g->names, s.name));
    return;
  }
  uint32_t id = graph_find_symbol(g, s.name);
  if (id == ID_NONE) id = graph_add_symbol(g, s.name, s.span);
  if (id >= d->symbol_cap) {
    uint32_t before = d->symbol_cap;
    d->symbol_declared = arena_grow(g->arena, d->symbol_declared, before, (size_t)id + 1,
                                    &d->symbol_cap, sizeof *d->symbol_declared);
    memset(d->symbol_declared + before, 0, d->symbol_cap - before);
  }
  assert(id < d->symbol_cap && id < g->declared.symbol_count);
  if (d->symbol_declared[id]) {
    decode_error(d, s.span, "symbol", "symbol \"%s\" is declared twice",
                 intern_text(&g->names, s.name));
    return;
  }
  d->symbol_declared[id] = 1;
  g->declared.symbols[id] = s;
  graph_note_unlikely(g, &s);
}

void decode_symbols(graph_decoder *d) {
  if (cursor_word(&d->c, "null") || !decode_array(d)) return;
  while (decode_item(d)) decode_one_symbol(d);
}

// "B % 8 == 0", or {"expr": "B % 8 == 0", "required": true}.
static bool decode_constraint(graph_decoder *d, json_slice *text, graph_assumption *out) {
  json_slice key;
  bool found = false;
  uint32_t begin = decode_here(d).begin;
  if (cursor_peek(&d->c) != '{') return decode_string(d, text);
  if (!decode_object(d)) return false;
  out->found = true;
  while (decode_key(d, &key)) {
    if (slice_is(key, "expr")) {
      found = decode_string(d, text);
    } else if (slice_is(key, "required")) {
      decode_bool(d, &out->required);
    } else {
      cursor_skip(&d->c);
    }
  }
  if (!found && !d->c.failed)
    decode_error(d, decode_span(d, begin), "constraint", "a constraint needs an \"expr\"");
  return found;
}

void decode_constraints(graph_decoder *d) {
  shape_graph *g = d->g;
  if (cursor_word(&d->c, "null") || !decode_array(d)) return;
  while (decode_item(d)) {
    uint32_t begin = decode_here(d).begin;
    json_slice text;
    graph_assumption made = {0};
    if (!decode_constraint(d, &text, &made)) continue;
    made.text = arena_strndup(g->arena, text.text, text.length);
    made.length = (uint32_t)text.length;
    made.span = decode_span(d, begin);
    graph_add_assumption(g, made);
  }
}
