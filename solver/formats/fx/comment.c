// SPDX-License-Identifier: Apache-2.0
// Lines of the model that the statements of a graph were traced from.
#include <assert.h>
#include <string.h>

#include "solver/formats/fx/fx.h"
#include "solver/report/report.h"

enum { LINES_MAX = 256, NUMBER_MAX = 1 << 28 };

// " in NAME", after the line
static report_text function_of(const char *at, const char *end) {
  if (end - at <= 4 || memcmp(at, " in ", 4) != 0) return (report_text){NULL, 0};
  const char *name = at += 4;
  while (at < end && *at != ',' && *at != ' ') at++;
  return (report_text){name, (uint32_t)(at - name)};
}

// "# File: PATH:LINE in NAME"
static bool read_comment(const char *at, const char *end, report_location *out) {
  static const char HEAD[] = "# File: ";
  assert(at <= end);
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  if ((size_t)(end - at) < sizeof HEAD || memcmp(at, HEAD, sizeof HEAD - 1) != 0) return false;
  at += sizeof HEAD - 1;
  for (const char *p = at; p < end; p++) {
    if (*p != ':' || p + 1 == end || p[1] < '0' || p[1] > '9') continue;
    uint32_t line = 0;
    const char *d = p + 1;
    for (; d < end && *d >= '0' && *d <= '9' && line < NUMBER_MAX; d++)
      line = line * 10 + (uint32_t)(*d - '0');
    *out = (report_location){{at, (uint32_t)(p - at)}, line, 0, function_of(d, end)};
    return true;
  }
  return false;
}

static bool is_definition(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  return end - at > 4 && (memcmp(at, "def ", 4) == 0 || memcmp(at, "clas", 4) == 0);
}

uint32_t fx_locations(const shape_graph *graph, source_span span, struct report_location *out,
                      uint32_t room) {
  const char *text = graph->source.text;
  if (!room || span_is_none(span) || span.begin >= graph->source.length) return 0;
  const char *line = text + span.begin;
  while (line > text && line[-1] != '\n') line--;
  // The nearest one above, in the same function.
  for (uint32_t i = 0; line > text && i < LINES_MAX; i++) {
    const char *end = line - 1;
    assert(*end == '\n');
    for (line = end; line > text && line[-1] != '\n';) line--;
    if (read_comment(line, end, out)) return 1;
    if (is_definition(line, end)) break;
  }
  return 0;
}
