// SPDX-License-Identifier: Apache-2.0
// The row of torch.export's archives in the table of formats.
#include <assert.h>
#include <string.h>

#include "solver/formats/json/validate.h"
#include "solver/formats/torch/reader.h"
#include "solver/report/report.h"

static format_match torch_match(const format_bytes *bytes) {
  bool begins = bytes->length >= 4 &&
                (memcmp(bytes->text, "PK\3\4", 4) == 0 || memcmp(bytes->text, "PK\5\6", 4) == 0);
  // An archive may be anywhere in its file; its end is at the end.
  const char *end = bytes->text + bytes->length;
  bool ends = bytes->length >= 22 && memcmp(end - 22, "PK\5\6", 4) == 0;
  return begins || ends ? FORMAT_SURE : FORMAT_NO;
}

static bool ends_with(const zip_member *m, const char *tail) {
  size_t length = strlen(tail);
  if (m->name_length < length) return false;
  const char *at = m->name + m->name_length - length;
  return memcmp(at, tail, length) == 0 && (at == m->name || at[-1] == '/');
}

// FOLDER/models/NAME.json
static bool is_model(const zip_member *m) {
  static const char FOLDER[] = "models/", JSON[] = ".json";
  const char *end = m->name + m->name_length;
  if (m->name_length < sizeof JSON || memcmp(end - (sizeof JSON - 1), JSON, sizeof JSON - 1) != 0)
    return false;
  const char *slash = end;
  while (slash > m->name && slash[-1] != '/') slash--;
  zip_member folder = *m;
  folder.name_length = (uint32_t)(slash - m->name);
  return ends_with(&folder, FOLDER);
}

static zip_member *find_program(torch_reader *r, zip_archive *zip) {
  zip_member *found = NULL, *format = NULL;
  for (uint32_t i = 0; i < zip->count; i++) {
    zip_member *m = &zip->members[i];
    if (ends_with(m, "archive_format")) format = m;
    bool flat = ends_with(m, "serialized_exported_program.json");
    bool preferred = ends_with(m, "models/model.json");
    if (flat || preferred || (is_model(m) && !found)) found = m;
  }
  if (format) {
    if (!zip_bytes(r->g->arena, zip, format)) {
      torch_fail(r, "%s", zip->error);
      return NULL;
    }
    size_t size = format->size;
    while (size && format->data[size - 1] <= ' ') size--;
    if (size != 3 || memcmp(format->data, "pt2", 3) != 0) {
      torch_fail(r, "the archive_format is '%.*s', expected 'pt2'", (int)(size < 40 ? size : 40),
                 format->data);
      return NULL;
    }
  }
  if (!found)
    torch_fail(r,
               "the zip archive has no program: no models/NAME.json of torch.export, and no .mlir, "
               ".mlirbc or .onnx file");
  if (found && !zip_bytes(r->g->arena, zip, found)) {
    torch_fail(r, "%s", zip->error);
    found = NULL;
  }
  return found;
}

static void torch_read(shape_graph *g, const format_options *options) {
  (void)options;
  torch_reader r = {.g = g};
  zip_archive zip;
  json_error error = {0};
  const char *clean;
  size_t length;
  if (!zip_open(g->arena, g->source.text, g->source.length, &zip)) {
    torch_fail(&r, "%s", zip.error);
    return;
  }
  const zip_member *m = find_program(&r, &zip);
  if (!m) return;
  if (g->budget) budget_spend(g->budget, m->size / 16);
  if (!json_validate(g->arena, NULL, m->data, m->size, &clean, &length, &error)) {
    torch_fail(&r, "the JSON of the exported program is invalid at byte %zu: %s", error.offset,
               error.message);
    return;
  }
  const dom_node *root = dom_read(g->arena, clean, length);
  if (!root) {
    torch_fail(&r, "the JSON of the exported program is nested too deep");
    return;
  }
  torch_program(&r, root);
}

// --- where PyTorch says that a node comes from

static const char *find(const char *at, const char *end, const char *word) {
  size_t length = strlen(word);
  for (; (size_t)(end - at) >= length; at++) {
    at = memchr(at, *word, (size_t)(end - at) - length + 1);
    if (!at) return NULL;
    if (memcmp(at, word, length) == 0) return at;
  }
  return NULL;
}

// The innermost frame of the stack trace, File \"model.py\", line 10, in forward\n, as JSON writes it.
static uint32_t torch_locations(const shape_graph *g, source_span span, report_location *out,
                                uint32_t room) {
  static const char TRACE[] = "\"stack_trace\"", FILE_[] = "File \\\"", LINE[] = "\\\", line ";
  if (!room || span_is_none(span) || span.end > g->source.length) return 0;
  const char *end = g->source.text + span.end, *found = NULL;
  const char *at = find(g->source.text + span.begin, end, TRACE);
  for (; at && (at = find(at, end, FILE_)) != NULL; at++) found = at;
  if (!found) return 0;
  found += sizeof FILE_ - 1;
  const char *line = find(found, end, LINE), *digit;
  if (!line) return 0;
  *out = (report_location){{found, (uint32_t)(line - found)}, 0, 0, {NULL, 0}};
  for (digit = line + sizeof LINE - 1; digit < end && *digit >= '0' && *digit <= '9'; digit++) {
    if (out->line < 1 << 27) out->line = out->line * 10 + (uint32_t)(*digit - '0');
  }
  if (end - digit > 5 && memcmp(digit, ", in ", 5) == 0) {
    const char *name = digit + 5, *stop = name;
    while (stop < end && *stop != '\\' && *stop != '"') stop++;
    out->function = (report_text){name, (uint32_t)(stop - name)};
  }
  return out->line > 0;
}

extern const format_reader torch_format;
const format_reader torch_format = {
    .match = torch_match,
    .read = torch_read,
    .locations = torch_locations,
    .no_session =
        "sessions take programs as text: an archive of torch.export is analysed as a whole"};
