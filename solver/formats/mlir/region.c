// SPDX-License-Identifier: Apache-2.0
// Regions and blocks. Grammar: MLIR LangRef, "Regions" and "Blocks".
#include <assert.h>

#include "solver/formats/mlir/parser.h"

block_id mlir_push_block(mlir_parser *p) {
  MLIR_ROOM(p, blocks);
  block_id block = graph_add_block(p->g, ID_NONE);
  p->stacks.blocks.items[p->stacks.blocks.count++] = block;
  return block;
}

void mlir_push_region(mlir_parser *p, uint32_t first_block) {
  assert(first_block <= p->stacks.blocks.count);
  MLIR_ROOM(p, regions);
  p->stacks.regions.items[p->stacks.regions.count++] =
      (mlir_region){first_block, p->stacks.blocks.count - first_block};
}

// Gives the regions above `height` of the region stack their blocks, as regions `first`... of the graph.
void mlir_pop_regions(mlir_parser *p, region_id first, uint32_t height) {
  assert(height <= p->stacks.regions.count);
  for (uint32_t i = height; i < p->stacks.regions.count; i++) {
    const mlir_region *region = &p->stacks.regions.items[i];
    graph_set_region_blocks(p->g, first + (i - height), p->stacks.blocks.items + region->blocks,
                            region->block_count);
  }
  for (uint32_t i = height; i < p->stacks.regions.count; i++) {  // in any order
    if (p->stacks.regions.items[i].blocks < p->stacks.blocks.count)
      p->stacks.blocks.count = p->stacks.regions.items[i].blocks;
  }
  p->stacks.regions.count = height;
}

static void define_arguments(mlir_parser *p, block_id block, const mlir_argument *arguments,
                             uint32_t count) {
  value_id first = graph_add_block_arguments(p->g, block, count);
  for (uint32_t i = 0; i < count; i++) {
    p->g->values[first + i].type = arguments[i].type;
    source_span span = arguments[i].span;
    if (p->uses && span.begin < span.end) mlir_add_use(p, span, MLIR_USE_VALUE, first + i, 0);
    if (arguments[i].name.length) mlir_define(p, arguments[i].name, first + i, 1);
  }
}

void mlir_push_argument(mlir_parser *p, mlir_argument argument) {
  MLIR_ROOM(p, arguments);
  p->stacks.arguments.items[p->stacks.arguments.count++] = argument;
}

bool mlir_argument_name(mlir_parser *p, mlir_word *name) {
  if (mlir_peek(p) != '%') return mlir_expected(p, "a value name such as %arg0");
  p->at++;
  return mlir_suffix_id(p, name) || mlir_expected(p, "a value name after '%'");
}

// (%a: type, %b: type loc(...)): pushes the arguments; skips `close`.
bool mlir_arguments(mlir_parser *p, char close) {
  if (mlir_accept(p, close)) return true;
  do {
    mlir_argument argument;
    if (!mlir_argument_name(p, &argument.name) || !mlir_expect(p, ':')) return false;
    const char *from = (mlir_skip(p), p->at);
    if (!mlir_type(p, &argument.type)) return false;
    argument.span = mlir_span(p, from, p->at);
    if (!mlir_location(p)) return false;
    mlir_push_argument(p, argument);
  } while (mlir_accept(p, ','));
  return mlir_expect(p, close);
}

// ^bb0(%a: type): the label begins a block.
static bool label(mlir_parser *p, block_id *block, uint32_t first_block) {
  p->at++;  // '^'
  mlir_word name;
  if (!mlir_suffix_id(p, &name)) return mlir_expected(p, "a block name after '^'");
  uint32_t height = p->stacks.arguments.count;
  bool ok = !mlir_accept(p, '(') || mlir_arguments(p, ')');
  if (ok || p->recovery.lines) {  // arguments in front of an error are known
    mlir_push_label(p, name, p->stacks.blocks.count - first_block);
    *block = mlir_push_block(p);
    define_arguments(p, *block, p->stacks.arguments.items + height,
                     p->stacks.arguments.count - height);
  }
  p->stacks.arguments.count = height;
  if (!ok) mlir_lose(p, mlir_offset(p, name.text));
  return ok && mlir_expect(p, ':');
}

static bool body(mlir_parser *p, block_id block, uint32_t first_block) {
  while (!p->errors.stop) {
    char c = mlir_peek(p);
    const char *begin = p->at;
    mlir_step(p);
    if (p->points && p->scope.in_function && p->scope.depth == 1 && c != '^')
      mlir_add_point(p, c == '}');
    if (c == '}') {
      p->at++;
      return true;
    }
    if (p->recovery.lines && (c == 0 || mlir_brace_is_missing(p))) {
      mlir_expected_brace(p, "'}' to end the region");
      return true;
    }
    if (c == 0) return mlir_expected(p, "'}' to end the region");
    if (p->scope.in_function && c == 'f' && mlir_function_begins(p)) {
      // Regions in one another end together, with one message.
      return p->scope.depth == 1 && mlir_expected(p, "'}' to end the region");
    }
    bool ok;
    if (c == '^') {
      mlir_bound outer = mlir_bind(p);
      ok = label(p, &block, first_block);
      mlir_unbind(p, outer);
    } else if (p->scope.in_function || !mlir_nested_item(p, &ok)) {
      if (block == ID_NONE) block = mlir_push_block(p);
      ok = mlir_statement(p, block);
    }
    if (!ok && !p->errors.stop) mlir_recover(p, begin);
  }
  return false;
}

bool mlir_region_with(mlir_parser *p, const mlir_argument *arguments, uint32_t count) {
  if (!mlir_expect(p, '{') && !mlir_body_follows(p)) return false;
  uint32_t indent = mlir_enter_lines(p), first_block = p->stacks.blocks.count,
           mark = mlir_scope_open(p);
  uint32_t labels = p->stacks.labels.count, targets = p->stacks.targets.count;
  uint32_t missing = p->scope.missing.from;
  p->scope.missing.from = p->scope.missing.count;
  uint32_t trying = p->recovery.trying;
  p->recovery.trying = 0;  // what a region holds is not taken back
  bool ok = mlir_enter(p);
  p->scope.depth++;
  if (ok) {
    block_id block = ID_NONE;
    if (arguments && (count || mlir_peek(p) != '^')) {
      block = mlir_push_block(p);
      define_arguments(p, block, arguments, count);
    }
    ok = body(p, block, first_block);
    mlir_leave(p);
  }
  p->scope.depth--;
  p->recovery.indent = indent;
  p->recovery.trying = trying;
  p->scope.missing.from = missing;
  mlir_scope_close(p, mark);
  mlir_resolve_labels(p, labels, targets);
  mlir_push_region(p, first_block);
  return ok;
}

bool mlir_region_here(mlir_parser *p) { return mlir_region_with(p, NULL, 0); }
