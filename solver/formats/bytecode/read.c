// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

#include "solver/formats/bytecode/bytecode.h"
#include "solver/formats/mlir/mlir.h"

// A text that is not understood says what the bytes say: one message, which names the operation's first byte.
static void name_byte(shape_graph *g, const bytecode_text *text) {
  assert(g->diags.count && g->diags.errors);
  uint32_t first = 0;
  while (first + 1 < g->diags.count && g->diags.items[first].severity != DIAG_ERROR) first++;
  diag only = g->diags.items[first];
  shape_strbuf message;
  strbuf_init(&message, g->arena);
  strbuf_printf(&message, "MLIR bytecode, operation at byte %u: %.200s",
                bytecode_byte_of(text, only.span.begin), only.message);
  only.message = strbuf_text(&message);
  only.related_count = 0;
  g->diags.items[0] = only;
  g->diags.count = g->diags.errors = 1;
}

void bytecode_read(shape_graph *g, mlir_uses *uses) {
  bytecode_text text;
  bytecode_error error;
  bytecode_options options = {.whole = uses != NULL};
  if (!bytecode_print(g->arena, g->budget, g->source.text, g->source.length, &options, &text,
                      &error)) {
    diag_add(&g->diags, DIAG_ERROR, "format", SPAN_NONE, "%s",
             error.message);  // bytes have no lines
    return;
  }
  struct shape_budget *budget = g->budget;
  graph_init(g, g->arena, GRAPH_MLIR, text.text, text.length);
  g->budget = budget;
  if (!mlir_read_all(g, uses, &text.statements) && g->diags.errors) name_byte(g, &text);
}
