// SPDX-License-Identifier: Apache-2.0
// Values by what people write: names, identifiers, tags and locations of the text (graph/address.h), and the locations that the
// program itself gives, loc("model.py":3:5).
#include "solver/graph/address.h"

#include <assert.h>
#include <string.h>

#include "solver/api/program.h"
#include "solver/formats/formats.h"
#include "solver/report/report.h"

typedef struct location_search {
  const char *file;
  size_t length;
  uint32_t line, column;  // column 0: any
  shape_value found;
} location_search;

// Digits between the last colon and the end, which are cut off.
static bool cut(const char *text, size_t *length, uint32_t *out) {
  size_t at = *length, digits;
  while (at && text[at - 1] >= '0' && text[at - 1] <= '9') at--;
  digits = *length - at;
  if (at < 2 || text[at - 1] != ':' || !digits || digits > 9) return false;
  *out = 0;
  for (size_t i = at; i < *length; i++) *out = *out * 10 + (uint32_t)(text[i] - '0');
  *length = at - 1;
  assert(*length);
  return true;
}

static bool is_file(const location_search *s, report_text name) {
  if (s->length > name.length) return false;
  assert(s->length);
  size_t rest = name.length - s->length;
  return memcmp(name.text + rest, s->file, s->length) == 0 && (!rest || name.text[rest - 1] == '/');
}

static void search_locations(shape_run *run, void *data) {
  enum { ROOM = 16 };
  location_search *s = data;
  report_location at[ROOM];
  const shape_graph *g = shape_run_graph(run);
  const format_reader *reader = FORMAT_READERS[g->format];
  if (!reader || !reader->locations) return;
  for (op_id op = 0; op < g->op_count && s->found == SHAPE_NO_ID; op++) {
    if (!g->ops[op].result_count) continue;
    uint32_t count = reader->locations(g, g->ops[op].span, at, ROOM);
    assert(count <= ROOM);
    for (uint32_t i = 0; i < count; i++) {
      if (at[i].line != s->line || (s->column && at[i].column != s->column)) continue;
      if (is_file(s, at[i].text)) s->found = g->ops[op].results;
    }
  }
}

// model.py:3:5, model.py:3: the first result of the first operation that comes from there.
static shape_value find_location(shape_analysis *a, const char *text) {
  location_search s = {.file = text, .length = strlen(text), .found = SHAPE_NO_ID};
  uint32_t last;
  if (!cut(text, &s.length, &last)) return SHAPE_NO_ID;
  s.line = last;
  if (cut(text, &s.length, &s.line)) s.column = last;
  return shape_run_protect(a->core.program, search_locations, &s) == SHAPE_OK ? s.found
                                                                              : SHAPE_NO_ID;
}

shape_status shape_analysis_address(shape_analysis *a, const char *text, shape_dim *out) {
  graph_address found = {SHAPE_NO_ID, SHAPE_NO_ID};
  const char *error = "the program was not analysed";
  if (a->report) {
    func_id entry = a->report->infer ? a->report->infer->entry : SHAPE_NO_ID;
    error = graph_address_read(a->report->graph, text, strlen(text), entry, NULL, NULL, &found);
  }
  if (error && a->report) {
    shape_value v = find_location(a, text);
    if (v != SHAPE_NO_ID) {
      found = (graph_address){v, SHAPE_NO_ID};
      error = NULL;
    }
  }
  *out = error ? (shape_dim){SHAPE_NO_ID, SHAPE_NO_ID} : (shape_dim){found.value, found.axis};
  if (!error) return SHAPE_OK;
  api_fail(&a->error, SHAPE_INVALID, "'%.100s': %s", text, error);
  return SHAPE_INVALID;
}
