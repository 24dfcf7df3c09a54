// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/recover.h"

#include <string.h>

static bool is_blank(const source_text *source, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to && i < source->length; i++) {
    if (!strchr(" \t\r\n", source->text[i])) return false;
  }
  return true;
}

// The function whose text holds the byte, or ends in front of it with nothing between: what is missing is found missing
// after the end. ID_NONE: none. Functions do not nest and are in the order of their text, but for those that hold the
// operations of a module: these have no text of their own.
static func_id func_at(const shape_graph *g, uint32_t offset) {
  func_id last = ID_NONE;
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_func *func = &g->funcs[f];
    if (func->name != NAME_NONE && func->span.begin <= offset) last = f;
  }
  if (last == ID_NONE) return last;
  uint32_t end = g->funcs[last].span.end;
  return offset < end || is_blank(&g->source, end, offset) ? last : ID_NONE;
}

// Without its body, a function is one that is declared.
static void declare(graph_func *func) {
  func->body = ID_NONE;
  func->is_declaration = true;
}

// An operation that could not be read to its end has none in `uses`: its attributes may be missing.
static void cut(shape_graph *g, const mlir_uses *uses, func_id f, uint32_t from) {
  graph_func *func = &g->funcs[f];
  if (func->body == ID_NONE) return;
  graph_region *body = &g->regions[func->body];
  if (body->block_count != 1) {
    declare(func);
    return;
  }
  graph_block *block = &g->blocks[body->first_block];
  op_id kept = ID_NONE;
  for (op_id op = block->first; op != ID_NONE; op = g->ops[op].next) {
    const graph_op *o = &g->ops[op];
    if (o->span.end > from || !mlir_op_end(uses, op)) break;
    kept = op;
  }
  if (kept == ID_NONE) {
    declare(func);
    return;
  }
  g->ops[kept].next = ID_NONE;
  block->last = kept;
}

lsp_cuts lsp_recover(shape_graph *g, const mlir_uses *uses) {
  lsp_cuts cuts = {0};
  if (!g->diags.errors) return cuts;
  cuts.from = arena_alloc(g->arena, (g->func_count + 1) * sizeof *cuts.from);
  for (func_id f = 0; f < g->func_count; f++) cuts.from[f] = UINT32_MAX;
  for (uint32_t i = 0; i < g->diags.count; i++) {
    const diag *d = &g->diags.items[i];
    if (d->severity != DIAG_ERROR) continue;
    func_id f = func_at(g, d->span.begin);
    if (f == ID_NONE) {
      cuts.outside = true;
    } else if (d->span.begin < cuts.from[f]) {
      cuts.from[f] = d->span.begin;
    }
  }
  for (func_id f = 0; f < g->func_count; f++) {
    if (cuts.from[f] != UINT32_MAX) cut(g, uses, f, cuts.from[f]);
  }
  return cuts;
}
