// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/recover.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/ops/traits.h"

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

// The last operation that begins there or in front of it, or ID_NONE. Operations are in the order of their text.
static op_id last_op(const shape_graph *g, uint32_t offset) {
  uint32_t count = sorted_before(g->ops, g->op_count, sizeof *g->ops,
                                 offsetof(graph_op, span.begin), (uint64_t)offset + 1);
  return count ? count - 1 : ID_NONE;
}

// The innermost operation whose text holds the byte, or ID_NONE.
static op_id op_at(const shape_graph *g, uint32_t offset) {
  op_id op = last_op(g, offset);
  while (op != ID_NONE && offset >= g->ops[op].span.end) {
    region_id around = g->ops[op].parent == ID_NONE ? ID_NONE : g->blocks[g->ops[op].parent].region;
    op = around == ID_NONE ? ID_NONE : g->regions[around].op;
  }
  return op;
}

static int by_offset(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void note_error(shape_graph *g, lsp_cuts *cuts, uint32_t at) {
  func_id f = func_at(g, at);
  if (f == ID_NONE) {
    cuts->outside = true;
    return;
  }
  if (at < cuts->from[f]) cuts->from[f] = at;
  // What could not be read of an operation may be after its end. A statement of which nothing is left is in none: what
  // uses its values has a use of nothing.
  op_id op = last_op(g, at);
  bool own = op != ID_NONE && (at < g->ops[op].span.end || g->ops[op].unread);
  if (own && cuts->whole) g->ops[op].unread = true;
  if (!own && op_at(g, at) == ID_NONE) {
    cuts->opened[f] = true;
    cuts->outside |=
        !intern_length(&g->names, g->funcs[f].name);  // its name may be what is missing
  }
}

lsp_cuts lsp_recover(shape_graph *g, const mlir_uses *uses) {
  lsp_cuts cuts = {.whole = uses->whole, .diag_count = g->diags.count};
  if (!g->diags.errors) return cuts;
  cuts.from = arena_alloc(g->arena, (g->func_count + 1) * sizeof *cuts.from);
  cuts.opened = arena_zalloc(g->arena, g->func_count + 1);
  uint32_t *errors = arena_alloc(g->arena, (g->diags.count + 1) * sizeof *errors);
  for (func_id f = 0; f < g->func_count; f++) cuts.from[f] = UINT32_MAX;
  for (uint32_t i = 0; i < g->diags.count; i++) {
    const diag *d = &g->diags.items[i];
    if (d->severity != DIAG_ERROR) continue;
    errors[cuts.error_count++] = d->span.begin;
    note_error(g, &cuts, d->span.begin);
  }
  qsort(errors, cuts.error_count, sizeof *errors, by_offset);
  cuts.errors = errors;
  for (func_id f = 0; f < g->func_count && !cuts.whole; f++) {
    if (cuts.from[f] != UINT32_MAX) cut(g, uses, f, cuts.from[f]);
  }
  return cuts;
}

// --- what follows from errors

static bool holds_error(const lsp_cuts *cuts, source_span span) {
  uint32_t low =
      sorted_before(cuts->errors, cuts->error_count, sizeof *cuts->errors, 0, span.begin);
  return low < cuts->error_count && cuts->errors[low] < span.end;
}

// Names may be missing because what defines them could not be read: that a call finds nothing is no news then.
static bool calls_error(const shape_graph *g, const lsp_cuts *cuts, op_id op) {
  uint32_t traits = traits_of(g, op);
  const char *attr = traits & TRAIT_CALL        ? "callee"
                     : traits & TRAIT_COMPOSITE ? "decomposition"
                                                : NULL;
  const char *callee = attr ? graph_attr_text(g, graph_attr_named(g, op, attr)) : NULL;
  if (!callee) return false;
  func_id caller = g->regions[g->blocks[g->ops[op].parent].region].func;
  func_id f = graph_find_func(g, g->funcs[caller].module, callee, strlen(callee));
  return f == ID_NONE ? cuts->outside : cuts->opened[f];
}

bool lsp_recover_is_echo(const shape_graph *g, const lsp_cuts *cuts, const diag *d) {
  if (!cuts->error_count) return false;
  assert(cuts->diag_count <= g->diags.count);
  if (d >= g->diags.items && d < g->diags.items + cuts->diag_count)
    return false;  // an error itself
  func_id f = func_at(g, d->span.begin);
  if (f != ID_NONE && cuts->opened[f]) return true;
  op_id op = op_at(g, d->span.begin);
  if (op == ID_NONE || g->ops[op].parent == ID_NONE) return false;
  if (g->ops[op].unread || holds_error(cuts, g->ops[op].span)) return true;
  for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
    value_id v = graph_operand(g, op, i);
    if (v == VALUE_NONE) return true;
    if (!g->values[v].is_argument && g->ops[g->values[v].def].unread) return true;
  }
  return calls_error(g, cuts, op);
}
