// SPDX-License-Identifier: Apache-2.0
// Regions and blocks. Grammar: MLIR LangRef, "Regions" and "Blocks".
#include <assert.h>

#include "solver/formats/mlir/parser.h"

block_id mlir_push_block(mlir_parser *p) {
  if (p->block_count == p->block_capacity) {
    p->blocks = arena_grow(p->g->arena, p->blocks, p->block_count, (size_t)p->block_count + 1,
                           &p->block_capacity, sizeof *p->blocks);
  }
  block_id block = graph_add_block(p->g, ID_NONE);
  p->blocks[p->block_count++] = block;
  return block;
}

void mlir_push_region(mlir_parser *p, uint32_t first_block) {
  assert(first_block <= p->block_count);
  if (p->region_count == p->region_capacity) {
    p->regions = arena_grow(p->g->arena, p->regions, p->region_count, (size_t)p->region_count + 1,
                            &p->region_capacity, sizeof *p->regions);
  }
  p->regions[p->region_count++] = (mlir_region){first_block, p->block_count - first_block};
}

// Gives the regions above `height` of the region stack their blocks, as regions `first`... of the graph.
void mlir_pop_regions(mlir_parser *p, region_id first, uint32_t height) {
  assert(height <= p->region_count);
  for (uint32_t i = height; i < p->region_count; i++) {
    const mlir_region *region = &p->regions[i];
    graph_set_region_blocks(p->g, first + (i - height), p->blocks + region->blocks,
                            region->block_count);
  }
  if (p->region_count > height) p->block_count = p->regions[height].blocks;
  p->region_count = height;
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
  if (p->argument_count == p->argument_capacity) {
    p->arguments =
        arena_grow(p->g->arena, p->arguments, p->argument_count, (size_t)p->argument_count + 1,
                   &p->argument_capacity, sizeof *p->arguments);
  }
  p->arguments[p->argument_count++] = argument;
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
  uint32_t height = p->argument_count;
  bool ok = !mlir_accept(p, '(') || mlir_arguments(p, ')');
  if (ok) {
    mlir_push_label(p, name, p->block_count - first_block);
    *block = mlir_push_block(p);
    define_arguments(p, *block, p->arguments + height, p->argument_count - height);
  }
  p->argument_count = height;
  return ok && mlir_expect(p, ':');
}

static bool body(mlir_parser *p, block_id block, uint32_t first_block) {
  while (!p->stop) {
    char c = mlir_peek(p);
    const char *begin = p->at;
    mlir_step(p);
    if (c == '}') {
      p->at++;
      return true;
    }
    if (c == 0) return mlir_expected(p, "'}' to end the region");
    if (p->in_function && c == 'f' && mlir_function_begins(p)) {
      // Regions in one another end together, with one message.
      return p->scope_depth == 1 && mlir_expected(p, "'}' to end the region");
    }
    bool ok;
    if (c == '^') {
      ok = label(p, &block, first_block);
    } else {
      if (block == ID_NONE) block = mlir_push_block(p);
      ok = mlir_statement(p, block);
    }
    if (!ok && !p->stop) mlir_recover(p, begin);
  }
  return false;
}

bool mlir_region_with(mlir_parser *p, const mlir_argument *arguments, uint32_t count) {
  if (!mlir_expect(p, '{')) return false;
  uint32_t first_block = p->block_count, mark = mlir_scope_open(p);
  uint32_t labels = p->label_count, targets = p->target_count;
  bool ok = mlir_enter(p);
  p->scope_depth++;
  if (ok) {
    block_id block = ID_NONE;
    if (arguments && (count || mlir_peek(p) != '^')) {
      block = mlir_push_block(p);
      define_arguments(p, block, arguments, count);
    }
    ok = body(p, block, first_block);
    mlir_leave(p);
  }
  p->scope_depth--;
  mlir_scope_close(p, mark);
  mlir_resolve_labels(p, labels, targets);
  mlir_push_region(p, first_block);
  return ok;
}

bool mlir_region_here(mlir_parser *p) { return mlir_region_with(p, NULL, 0); }
