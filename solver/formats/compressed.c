// SPDX-License-Identifier: Apache-2.0
// Programs as they are stored: a gzip file, or a zip archive with one program in it. What is inside is the source then, and
// the graph has its format.
#include <assert.h>
#include <string.h>

#include "solver/base/budget.h"
#include "solver/formats/archive/archive.h"
#include "solver/formats/formats.h"
#include "solver/graph/graph.h"

static bool is_gzip(const char *text, size_t length) {
  return length >= 3 && memcmp(text, "\x1f\x8b\x08", 3) == 0;
}

// Members by their names: many an archive holds JSON and Python, and is no program. What macOS keeps of a file beside it,
// __MACOSX/._NAME, has its ending.
static bool is_program(const char *name, size_t length) {
  static const char *const ENDINGS[] = {".mlir", ".mlirbc", ".mlir.bc", ".onnx"};
  size_t base = length;
  while (base && name[base - 1] != '/') base--;
  if (length - base >= 2 && memcmp(name + base, "._", 2) == 0) return false;
  for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
    size_t n = strlen(ENDINGS[i]);
    if (length > n && memcmp(name + length - n, ENDINGS[i], n) == 0) return true;
  }
  return false;
}

static format_match match(const format_bytes *b) {
  if (is_gzip(b->text, b->length)) return FORMAT_SURE;
  bool zip = b->length >= 4 && memcmp(b->text, "PK\3\4", 4) == 0;
  return zip && zip_has_name(b->text, b->length, is_program) ? FORMAT_SURE : FORMAT_NO;
}

static void fail(shape_graph *g, const char *message) {
  diag_add(&g->diags, DIAG_ERROR, "format", (source_span){0, 0}, "%s", message);
}

static bool from_zip(shape_graph *g, const char **text, size_t *length) {
  zip_archive zip;
  zip_member *program = NULL;
  if (!zip_open(g->arena, g->source.text, g->source.length, &zip)) return fail(g, zip.error), false;
  for (uint32_t i = 0; i < zip.count; i++) {
    zip_member *m = &zip.members[i];
    if (!is_program(m->name, m->name_length)) continue;
    if (program) {
      fail(g, "the zip archive has more than one program: expected one .mlir, .mlirbc or .onnx");
      return false;
    }
    program = m;
  }
  if (!program) return fail(g, "the zip archive has no program"), false;
  if (!zip_bytes(g->arena, &zip, program)) return fail(g, zip.error), false;
  *text = program->data;
  *length = program->size;
  return true;
}

static bool from_gzip(shape_graph *g, const char **text, size_t *length) {
  const char *error;
  *text = gunzip_bytes(g->arena, g->source.text, g->source.length, length, &error);
  if (!*text) fail(g, error);
  return *text != NULL;
}

static void read(shape_graph *g, const format_options *options) {
  const char *text, *advice;
  size_t length;
  graph_format format;
  struct shape_budget *budget = g->budget;
  bool gzip = is_gzip(g->source.text, g->source.length);
  if (!(gzip ? from_gzip(g, &text, &length) : from_zip(g, &text, &length))) return;
  if (length > UINT32_MAX - 16) arena_fail(g->arena, SHAPE_SIZE);  // locations are 32-bit offsets
  if (!format_of(text, length, &format, &advice)) {
    fail(g, advice);
  } else if (format == GRAPH_COMPRESSED) {
    fail(g, "the program is compressed twice: expand it once");
  } else {
    if (budget) budget_add_reading(budget, length);
    graph_init(g, g->arena, format, text, length);
    g->budget = budget;
    format_read(g, options);
  }
}

extern const format_reader compressed_format;
const format_reader compressed_format = {
    .match = match,
    .read = read,
    .no_session = "sessions take programs as text: expand the file first"};
