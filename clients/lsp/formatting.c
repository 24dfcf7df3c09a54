// SPDX-License-Identifier: Apache-2.0
// Formatting of a text, or of some lines of it.
#include "clients/lsp/call.h"
#include "clients/lsp/syntax/format.h"

enum { INDENT_MAX = 64 };

// The bytes of the lines that params.range is on; a range that ends at the begin of a line has nothing of that line.
static bool read_lines(lsp_call *call, source_span *out) {
  const cJSON *range = lsp_member(call->params, "range");
  const lsp_text *text = &call->document->text;
  *out = (source_span){0, text->length};
  if (!range) return true;
  if (!lsp_range_read(call, range, out)) return false;
  uint32_t begin = out->begin, end = out->end;
  while (begin && text->data[begin - 1] != '\n') begin--;
  if (end > out->begin && text->data[end - 1] == '\n') {
    end--;
  } else {
    while (end < text->length && text->data[end] != '\n') end++;
  }
  *out = (source_span){begin, end < begin ? begin : end};
  return true;
}

bool lsp_formatting(lsp_call *call) {
  const cJSON *options = lsp_member(call->params, "options");
  const cJSON *size = lsp_member(options, "tabSize"), *spaces = lsp_member(options, "insertSpaces");
  source_span lines;
  if (!cJSON_IsNumber(size) || !(size->valuedouble >= 0) || !cJSON_IsBool(spaces))
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.options has no tabSize and insertSpaces");
  if (!read_lines(call, &lines))
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.range is not a range");
  uint32_t indent = size->valuedouble < INDENT_MAX ? (uint32_t)size->valuedouble : INDENT_MAX;
  syn_layout layout = {.indent = indent, .tabs = !cJSON_IsTrue(spaces)};
  syn_edit *made;
  uint32_t count = syn_format(call->syntax, call->arena, layout, &made);
  text_edits edits = {.arena = call->arena};
  source_text source = {.text = call->syntax->text, .length = call->syntax->length};
  for (uint32_t i = 0; i < count; i++) {
    if (made[i].begin < lines.begin || made[i].end > lines.end) continue;
    edits_add(&edits, &source, (source_span){made[i].begin, made[i].end}, made[i].text,
              made[i].length);
  }
  lsp_put_edits(call, call->w, &edits);
  return true;
}
