// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <string.h>

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

// The bytes of a text that is completed later.
typedef struct rest {
  shape_arena *arena;
  const char *bytes;
  uint32_t length;
  bytecode_text text;
} rest;

static void write_rest(void *data) {
  rest *all = data;
  bytecode_complete(all->arena, all->bytes, all->length, &all->text);
}

static shape_status complete(source_text *source) {
  rest *all = source->rest;
  assert(source->text == all->text.text);
  arena_mark mark = arena_get_mark(all->arena);
  const shape_status status = arena_protect(all->arena, write_rest, all);
  arena_rewind(all->arena, mark);
  if (status == SHAPE_OK) source->complete = NULL;
  return status;
}

#ifdef SHAPE_DEBUG
// Nothing goes by what is not there. To compare more than what is left of a line with something else is no harm.
static void spoil_gaps(const bytecode_text *text) {
  const mlir_printing *all = &text->statements;
  for (uint32_t i = 0; i < all->count; i++) {
    const mlir_printed *s = &all->items[i];
    if (s->later) memset((char *)text->text + s->at + 1, '?', s->length - 1);
  }
}
#endif

void bytecode_read(shape_graph *g, mlir_uses *uses, bool later) {
  const source_text bytes = g->source;
  bytecode_text text;
  bytecode_error error;
  bytecode_options options = {.whole = uses != NULL, .later = later && !uses};
  if (!bytecode_print(g->arena, g->budget, bytes.text, bytes.length, &options, &text, &error)) {
    diag_add(&g->diags, DIAG_ERROR, "format", SPAN_NONE, "%s",
             error.message);  // bytes have no lines
    return;
  }
  struct shape_budget *budget = g->budget;
  graph_init(g, g->arena, GRAPH_MLIR, text.text, text.length);
  g->budget = budget;
  if (text.lines) {
    rest *all = arena_alloc(g->arena, sizeof *all);
    *all = (rest){g->arena, bytes.text, bytes.length, text};
    g->source.complete = complete;
    g->source.rest = all;
    g->source.line_starts = text.lines;
    g->source.line_count = text.line_count;
#ifdef SHAPE_DEBUG
    spoil_gaps(&text);
#endif
  }
  bool understood = mlir_read_all(g, uses, &text.statements);
  if (understood || !g->diags.errors) return;
  options.later = false;
  if (!text.from &&
      !bytecode_print(g->arena, NULL, bytes.text, bytes.length, &options, &text, &error))
    return;
  name_byte(g, &text);
}
