// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/mlir/location.h"

#include <assert.h>
#include <string.h>

// An alias is sought in the whole text, and aliases may name one another many times.
enum { DEEPEST = 12, READ_MAX = 32, NUMBER_MAX = 1 << 28 };

typedef struct reading {
  const char *at, *end;
  const shape_graph *g;
  report_location *out;
  uint32_t count, room, depth, read;
} reading;

static void skip_space(reading *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
    r->at++;
}

static bool accept(reading *r, const char *text) {
  size_t length = strlen(text);
  skip_space(r);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0) return false;
  r->at += length;
  return true;
}

static bool read_number(reading *r, uint32_t *out) {
  const char *from = r->at;
  *out = 0;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && *out < NUMBER_MAX; r->at++)
    *out = *out * 10 + (uint32_t)(*r->at - '0');
  return r->at > from;
}

static void add(reading *r, report_location location) {
  if (r->count < r->room) r->out[r->count++] = location;
}

static void read_location(reading *r);

// What an alias is: "#name = loc(...)" at the beginning of a line.
static void read_alias(reading *r) {
  assert(r->at < r->end && *r->at == '#');
  const char *name = r->at, *text = r->g->source.text, *end = text + r->g->source.length;
  while (r->at < r->end && *r->at != ')' && *r->at != ',' && *r->at != ']' && *r->at != ' ')
    r->at++;
  size_t length = (size_t)(r->at - name);
  for (const char *line = text; length > 1 && line < end; line++) {
    if (*line == '#' && (size_t)(end - line) > length && memcmp(line, name, length) == 0) {
      reading inner = *r;
      inner.at = line + length;
      inner.end = end;
      if (accept(&inner, "=") && accept(&inner, "loc") && accept(&inner, "(")) {
        read_location(&inner);
        r->count = inner.count;
        r->read = inner.read;
        return;
      }
    }
    line = memchr(line, '\n', (size_t)(end - line));
    if (!line) return;
  }
}

// "file":12:7, "name", or "name"(inner)
static void read_text(reading *r) {
  assert(r->at < r->end && *r->at == '"');
  const char *from = ++r->at;
  while (r->at < r->end && *r->at != '"') r->at += *r->at == '\\' && r->end - r->at > 1 ? 2 : 1;
  if (r->at == r->end) return;
  report_location made = {.text = {from, (uint32_t)(r->at - from)}};
  r->at++;
  if (accept(r, ":")) {
    if (!read_number(r, &made.line) || !accept(r, ":") || !read_number(r, &made.column)) return;
    add(r, made);
    return;
  }
  if (made.text.length) add(r, made);
  if (!accept(r, "(")) return;
  read_location(r);
  accept(r, ")");
}

static void skip_metadata(reading *r) {  // fused<...>[
  while (r->at < r->end && *r->at != '[') {
    if (*r->at != '"') {
      r->at++;
      continue;
    }
    for (r->at++; r->at < r->end && *r->at != '"'; r->at++) {}
    if (r->at < r->end) r->at++;
  }
}

static void read_location(reading *r) {
  assert(r->at <= r->end && r->count <= r->room);
  if (r->depth == DEEPEST || r->read == READ_MAX) return;
  r->depth++;
  r->read++;
  skip_space(r);
  if (r->at < r->end && *r->at == '"') {
    read_text(r);
  } else if (r->at < r->end && *r->at == '#') {
    read_alias(r);
  } else if (accept(r, "callsite")) {
    accept(r, "(");
    read_location(r);
    if (accept(r, "at")) read_location(r);
    accept(r, ")");
  } else if (accept(r, "fused")) {
    skip_metadata(r);
    if (accept(r, "[")) {
      do {
        read_location(r);
      } while (accept(r, ","));
      accept(r, "]");
    }
  } else if (accept(r, "unknown")) {
    // nothing is known of it
  } else if (accept(r, "loc")) {
    accept(r, "(");
    read_location(r);
    accept(r, ")");
  }
  r->depth--;
}

// Where "loc(" begins that ends at the end of the text; NULL: nothing of the kind.
static const char *last_location(const char *from, const char *end) {
  uint32_t open = 0;
  bool quoted = false;
  for (const char *at = end; at-- > from;) {
    if (*at == '"' && !(at > from && at[-1] == '\\')) quoted = !quoted;
    if (quoted) continue;
    if (*at == ')') open++;
    if (!open) return NULL;
    if (*at != '(' || --open) continue;
    return at - from > 3 && memcmp(at - 3, "loc", 3) == 0 ? at + 1 : NULL;
  }
  return NULL;
}

source_span mlir_location_span(const shape_graph *g, source_span span) {
  if (g->format != GRAPH_MLIR || span_is_none(span) || span.end > g->source.length ||
      span.begin >= span.end)
    return SPAN_NONE;
  if (g->source.complete) return SPAN_NONE;  // what leaves text out writes no locations
  const char *text = g->source.text;
  const char *begin = last_location(text + span.begin, text + span.end);
  if (!begin) return SPAN_NONE;
  return (source_span){(uint32_t)(begin - text) - (uint32_t)strlen("loc("), span.end};
}

uint32_t mlir_source_locations(const shape_graph *g, source_span span, report_location *out,
                               uint32_t room) {
  source_span found = mlir_location_span(g, span);
  if (span_is_none(found)) return 0;
  const char *begin = g->source.text + found.begin + strlen("loc("),
             *end = g->source.text + found.end;
  reading r = {.at = begin, .end = end, .g = g, .out = out, .room = room};
  read_location(&r);
  assert(r.count <= room && r.depth == 0);
  return r.count;
}
