// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/encoder.h"

#include <assert.h>

static void encode_index(json_writer *w, const char *key, uint32_t index) {
  json_key_string(w, key);
  if (index == ID_NONE) {
    json_null(w);
  } else {
    json_int(w, index);
  }
}

static void encode_origin(encoder *e, const report_symbol *s) {
  assert(s->function == ID_NONE || s->function < e->graph->func_count);
  json_writer *w = e->w;
  json_key_object(w, "origin");
  json_put_string(w, "kind", report_origin_name(s->origin));
  json_key(w, "function");
  if (s->function == ID_NONE) {
    json_null(w);
  } else {
    encode_report_text(w, report_function_name(e->report, s->function));
  }
  encode_index(w, "argument", s->argument);
  encode_index(w, "axis", s->axis);
  if (!graph_is_text(e->graph)) {
    json_end_object(w);
    return;
  }
  bool known = !span_is_none(s->span) && s->span.begin <= e->graph->source.length;
  encode_line(w, known ? graph_line(e->graph, s->span) : 0);
  json_end_object(w);
}

static void encode_end(json_writer *w, const char *key, bool finite, num value) {
  json_key_string(w, key);
  json_num_or_null(w, finite, value);
}

// What was seen goes before what the author expected.
static void encode_likely(encoder *e, const report_symbol *s) {
  int64_t seen[LIKELY_VALUES_MAX];
  uint32_t count = e->likely ? likely_values(e->likely, s->term, seen) : 0;
  assert(count <= LIKELY_VALUES_MAX);
  json_key_array(e->w, "likely");
  for (uint32_t i = 0; i < count; i++) json_int(e->w, seen[i]);
  for (uint32_t i = 0; !count && i < s->likely_count; i++) json_int(e->w, s->likely[i]);
  json_end_array(e->w);
}

static void encode_symbol(encoder *e, const report_symbol *s) {
  json_writer *w = e->w;
  assert(num_sign(s->divisible_by) > 0);
  json_begin_object(w);
  json_key(w, "name");
  encode_report_text(w, s->name);
  encode_origin(e, s);
  encode_end(w, "min", s->range.has_lo, s->range.lo);
  encode_end(w, "max", s->range.has_hi, s->range.hi);
  json_key_array(w, "ranges");
  for (uint32_t i = 0; s->declared && i < s->declared->range_count; i++) {
    json_begin_array(w);
    int64_t low = s->declared->ranges[2 * i], high = s->declared->ranges[2 * i + 1];
    json_num_or_null(w, low != INT64_MIN, NUM(low));
    json_num_or_null(w, high != INT64_MAX, NUM(high));
    json_end_array(w);
  }
  json_end_array(w);
  json_put_num(w, "divisible_by", s->divisible_by);
  encode_likely(e, s);
  if (s->definition.text) {
    json_key(w, "def");
    encode_report_text(w, s->definition);
  }
  json_end_object(w);
}

// --- the same bytes in one piece, for nearly all symbols: those that nothing was declared of, and that have no definition

static char *put_index(char *at, uint32_t index) {
  return index == ID_NONE ? json_put_literal(at, "null") : text_put_int(at, index);
}

static char *put_end(char *at, bool finite, num value) {
  if (!finite) return json_put_literal(at, "null");
  return !value.big && json_is_exact(value.small) ? text_put_int(at, value.small) : NULL;
}

static char *put_origin(encoder *e, const report_symbol *s, report_text function, char *at) {
  const char *kind = report_origin_name(s->origin);
  bool known = !span_is_none(s->span) && s->span.begin <= e->graph->source.length;
  uint32_t line = known ? graph_line(e->graph, s->span) : 0;
  at = json_put_literal(at, ", \"origin\": {\"kind\": \"");
  at = text_put(at, kind, strlen(kind));
  at = json_put_literal(at, "\", \"function\": ");
  at = s->function == ID_NONE ? json_put_literal(at, "null")
                              : json_put_plain(at, function.text, function.length);
  if (!at) return NULL;
  at = json_put_literal(at, ", \"argument\": ");
  at = put_index(at, s->argument);
  at = json_put_literal(at, ", \"axis\": ");
  at = put_index(at, s->axis);
  at = json_put_literal(at, ", \"line\": ");
  return put_index(at, line ? line : ID_NONE);
}

static char *put_symbol(encoder *e, const report_symbol *s, report_text function, char *at) {
  if (s->is_word) {
    at = json_put_literal(at, "{\"name\": \"");
    at = text_put(at, s->name.text, s->name.length);
    *at++ = '"';
  } else {
    at = json_put_literal(at, "{\"name\": ");
    at = json_put_plain(at, s->name.text, s->name.length);
  }
  if (at) at = put_origin(e, s, function, at);
  if (at) at = put_end(json_put_literal(at, "}, \"min\": "), s->range.has_lo, s->range.lo);
  if (at) at = put_end(json_put_literal(at, ", \"max\": "), s->range.has_hi, s->range.hi);
  if (at) at = json_put_literal(at, ", \"ranges\": [], \"divisible_by\": ");
  if (at) at = put_end(at, true, s->divisible_by);
  return at ? json_put_literal(at, ", \"likely\": []}") : NULL;
}

// False: nothing was written.
static bool encode_symbol_compact(encoder *e, const report_symbol *s) {
  enum { LITERALS = 200 };  // at least their bytes and those of a kind
  json_writer *w = e->w;
  bool declared = s->likely_count || (s->declared && s->declared->range_count);
  if (w->pretty || e->likely || declared || s->definition.text || !graph_is_text(e->graph))
    return false;
  report_text function = report_function_name(e->report, s->function);
  uint8_t gap = w->gap;
  char *at = json_open(w, (size_t)LITERALS + s->name.length + function.length + 6 * TEXT_INT);
  char *end = put_symbol(e, s, function, at);
  assert(!end ||
         (size_t)(end - at) <= (size_t)LITERALS + s->name.length + function.length + 6 * TEXT_INT);
  w->gap = end ? JSON_GAP : gap;
  if (end) json_close(w, end);
  return end != NULL;
}

void encode_symbols(encoder *e) {
  json_key_array(e->w, "symbols");
  for (uint32_t i = 0; i < e->report->symbol_count; i++) {
    const report_symbol *s = &e->report->symbols[i];
    if (!encode_symbol_compact(e, s)) encode_symbol(e, s);
  }
  json_end_array(e->w);
}
