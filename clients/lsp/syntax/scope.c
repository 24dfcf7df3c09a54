// SPDX-License-Identifier: Apache-2.0
// Values that an operation may use. MLIR LangRef, "Regions", "Value scoping": those of the region and of the regions around
// it, up to an operation that is isolated; in a region with several blocks, those of blocks that dominate the block.
#include "clients/lsp/syntax/context.h"

enum { SCOPES_MAX = 128, BLOCKS_MAX = 512 };

// The regions around a position, the innermost one first.
typedef struct level {
  uint32_t region, scope;
  uint32_t head;  // scope of the names in the head of the operation that holds the region
  uint32_t op;  // the operation of the region that the position is in; SYN_NONE: after the last one
} level;

// The blocks of one region, and which of them dominate the block of the position.
typedef struct blocks {
  uint32_t *labels;  // operations that are labels, in the order of the text
  uint32_t count;    // of blocks
  bool *dominates;   // NULL: all that come before
} blocks;

typedef struct finder {
  const syn_index *x;
  shape_arena *arena;
  level levels[SCOPES_MAX];
  blocks blocks[SCOPES_MAX];
  uint32_t depth;
} finder;

// --- blocks

static uint32_t block_of(const blocks *b, uint32_t op) {
  uint32_t low = sorted_before(b->labels, b->count, sizeof *b->labels, 0, (uint64_t)op + 1);
  return low ? low - 1 : 0;
}

static void list_blocks(const finder *f, const level *l, blocks *b) {
  const syn_index *x = f->x;
  uint32_t capacity = 0;
  *b = (blocks){0};
  for (uint32_t op = x->regions[l->region].first_op; op != SYN_NONE; op = x->ops[op].next) {
    if (b->count && !(x->ops[op].flags & SYN_LABEL)) continue;
    b->labels = arena_grow(f->arena, b->labels, b->count, (size_t)b->count + 1, &capacity,
                           sizeof *b->labels);
    b->labels[b->count++] = op;
  }
}

typedef struct branch {
  uint32_t from, to;
} branch;

static branch *branches_of(const finder *f, const level *l, const blocks *b, uint32_t *count) {
  const syn_index *x = f->x;
  branch *list = NULL;
  uint32_t capacity = 0;
  *count = 0;
  const syn_region *r = &x->regions[l->region];
  uint32_t begin = r->open == SYN_NONE ? 0 : x->tokens[r->open].begin;
  uint32_t end = r->close == SYN_NONE ? x->length : x->tokens[r->close].begin;
  uint32_t i = 0;
  while (i < x->name_count && x->names[i].begin < begin) i++;
  for (; i < x->name_count && x->names[i].begin < end; i++) {
    const syn_name *n = &x->names[i];
    if (n->kind != SYN_BLOCK || n->defines || n->target == SYN_NONE || n->op == SYN_NONE) continue;
    if (x->ops[n->op].region != l->region) continue;
    list = arena_grow(f->arena, list, *count, (size_t)*count + 1, &capacity, sizeof *list);
    list[(*count)++] = (branch){block_of(b, n->op), block_of(b, x->names[n->target].op)};
  }
  return list;
}

// Blocks that are reached from the first one without `avoided`.
static void reach(const branch *list, uint32_t count, uint32_t avoided, bool *reached) {
  bool more = avoided != 0;
  reached[0] = more;
  while (more) {
    more = false;
    for (uint32_t i = 0; i < count; i++) {
      if (!reached[list[i].from] || reached[list[i].to] || list[i].to == avoided) continue;
      reached[list[i].to] = more = true;
    }
  }
}

static void find_dominators(const finder *f, const level *l, blocks *b) {
  list_blocks(f, l, b);
  if (b->count < 2 || b->count > BLOCKS_MAX) return;
  uint32_t here = l->op == SYN_NONE ? b->count - 1 : block_of(b, l->op), count;
  const branch *list = branches_of(f, l, b, &count);
  bool *reached = arena_zalloc(f->arena, b->count);
  reach(list, count, SYN_NONE, reached);
  if (!reached[here]) return;  // half typed: no branch leads here as yet
  b->dominates = arena_zalloc(f->arena, b->count);
  for (uint32_t k = 0; k < b->count; k++) {
    for (uint32_t i = 0; i < b->count; i++) reached[i] = false;
    reach(list, count, k, reached);
    b->dominates[k] = k == here || !reached[here];
  }
}

// --- values

static void find_levels(finder *f, const syn_context *at) {
  const syn_index *x = f->x;
  uint32_t region = at->region, op = at->op;
  if (op != SYN_NONE && x->ops[op].region != region) op = SYN_NONE;
  while (f->depth < SCOPES_MAX) {
    const syn_region *r = &x->regions[region];
    uint32_t holder = r->op, head = holder == SYN_NONE ? SYN_NONE : x->ops[holder].head;
    level *l = &f->levels[f->depth];
    *l = (level){region, r->scope, head, op};
    find_dominators(f, l, &f->blocks[f->depth]);
    f->depth++;
    bool isolated = x->scopes[r->scope].isolated || (head != SYN_NONE && x->scopes[head].isolated);
    if (holder == SYN_NONE || isolated) return;
    op = holder;
    region = x->ops[holder].region;
  }
}

static bool is_visible(const finder *f, uint32_t name) {
  const syn_index *x = f->x;
  const syn_name *n = &x->names[name];
  for (uint32_t d = 0; d < f->depth; d++) {
    const level *l = &f->levels[d];
    if (l->head != SYN_NONE && n->scope == l->head) return true;
    if (n->scope != l->scope) continue;
    const blocks *b = &f->blocks[d];
    if (n->op == l->op && !(x->ops[n->op].flags & SYN_LABEL)) return false;  // its own results
    return !b->dominates || b->dominates[block_of(b, n->op)];
  }
  return false;
}

uint32_t syn_values_at(const syn_index *x, shape_arena *arena, const syn_context *at, uint32_t *out,
                       uint32_t room) {
  finder *f = arena_zalloc(arena, sizeof *f);
  uint32_t count = 0, i = 0, high = x->name_count;
  f->x = x;
  f->arena = arena;
  if (!x->region_count) return 0;
  find_levels(f, at);
  uint32_t outermost = f->levels[f->depth - 1].region, holder = x->regions[outermost].op;
  uint32_t from = holder == SYN_NONE ? 0 : x->tokens[x->ops[holder].first].begin;
  uint8_t *seen = arena_zalloc(arena, (size_t)x->chain_count + 1);
  while (i < high) {
    uint32_t middle = i + (high - i) / 2;
    if (x->names[middle].begin < at->begin) {
      i = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; i-- > 0 && x->names[i].begin >= from && count < room;) {
    const syn_name *n = &x->names[i];
    if (n->kind != SYN_VALUE || !n->defines || n->op == SYN_NONE || seen[n->text]) continue;
    if (!is_visible(f, i)) continue;
    seen[n->text] = 1;
    out[count++] = i;
  }
  return count;
}
