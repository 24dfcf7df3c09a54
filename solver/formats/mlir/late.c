// SPDX-License-Identifier: Apache-2.0
// Names that are used in front of the line that defines them. That is legal where the block of the definition comes
// first when the program runs though not in the text, and in regions whose operations have no order (MLIR LangRef,
// "Control flow and SSACFG regions", "Graph regions"): the regions of modules, and those of one block that an operation
// holds of which nothing is known.
//
// A use without a definition is noted, a definition gives its value to the uses inside its region, and when a part of the
// file is read each is inspected: a legal one becomes an operand, any other is an error where it would have been reported.
// Cost: linear, but for walks up the tree of dominators, which take steps.
#include <assert.h>

#include "solver/formats/mlir/parser.h"
#include "solver/graph/dominance.h"
#include "solver/ops/registry.h"

// --- while the text is read

uint32_t mlir_miss(mlir_parser *p, mlir_word name, uint32_t slot, uint32_t at, int64_t number) {
  mlir_missing *all = &p->scope.missing;
  if (p->errors.quiet || p->errors.stop || p->errors.capture || p->errors.lenient) return 0;
  if (p->points) p->points->late = true;
  all->items = arena_grow(p->g->arena, all->items, all->count, (size_t)all->count + 1,
                          &all->capacity, sizeof *all->items);
  bool fresh;
  uint32_t *newest = imap_slot(&all->newest, p->g->arena, slot, &fresh);
  all->items[all->count] = (mlir_missed){.name = name,
                                         .slot = slot,
                                         .level = p->scope.level,
                                         .at = at,
                                         .number = number,
                                         .older = fresh ? 0 : *newest,
                                         .diags = p->g->diags.count,
                                         .op = ID_NONE,
                                         .type = TYPE_NONE,
                                         .value = VALUE_NONE};
  *newest = ++all->count;
  return all->count;
}

void mlir_unmiss(mlir_parser *p, uint32_t count) {
  mlir_missing *all = &p->scope.missing;
  for (uint32_t i = all->count; i-- > count;) {
    const mlir_missed *m = &all->items[i];
    imap_put(&all->newest, p->g->arena, m->slot, m->older);
  }
  if (all->count > count) all->count = count;
}

// Those of an outer region do not see what an inner one defines.
void mlir_found(mlir_parser *p, mlir_word name, uint32_t slot, value_id first, uint32_t count) {
  mlir_missing *all = &p->scope.missing;
  uint32_t at, kept = 0;
  if (all->count == all->from || !imap_get(&all->newest, slot, &at)) return;
  uint32_t head = at;
  for (; at > all->from; at = all->items[at - 1].older) {
    mlir_missed *m = &all->items[at - 1];
    mlir_step(p);
    if (m->level != p->scope.level) {
      kept = at;
      continue;
    }
    m->defined = mlir_offset(p, name.text);
    if (m->number < count) m->value = first + (value_id)m->number;
    if (kept) {
      all->items[kept - 1].older = m->older;
    } else {
      head = m->older;
    }
  }
  imap_put(&all->newest, p->g->arena, slot, head);
}

// --- what is legal

typedef struct settling {
  mlir_parser *p;
  shape_imap regions;  // to what is below
  uint32_t **dominators;
  uint32_t count, capacity;
  region_id asked;  // whether this one has a block that does not end as it should
  bool unended;
} settling;

static const uint32_t *dominators_of(settling *s, region_id region) {
  shape_graph *g = s->p->g;
  bool fresh;
  uint32_t *row = imap_slot(&s->regions, g->arena, region, &fresh);
  if (fresh) {
    *row = s->count;
    s->dominators = arena_grow(g->arena, s->dominators, s->count, (size_t)s->count + 1,
                               &s->capacity, sizeof *s->dominators);
    s->dominators[s->count++] = graph_dominators(g, region, g->arena, g->budget);
  }
  return s->dominators[*row];
}

// Its operations have no order: of a module, which is a function without a name, or of an operation that is not known.
static bool is_graph(const shape_graph *g, const graph_region *r) {
  if (r->block_count != 1) return false;
  if (r->op == ID_NONE) return g->funcs[r->func].name == NAME_NONE;
  name_id name = g->ops[r->op].name;
  return !registry_find(intern_text(&g->names, name), intern_length(&g->names, name), 0);
}

static block_id block_of(const shape_graph *g, value_id value) {
  const graph_value *v = &g->values[value];
  return v->is_argument ? v->def : g->ops[v->def].parent;
}

// The operation around the use that is in the region; ID_NONE: there is none.
static op_id op_in(const shape_graph *g, op_id op, region_id region) {
  while (op != ID_NONE) {
    region_id around = g->blocks[g->ops[op].parent].region;
    if (around == region || around == ID_NONE) return around == region ? op : ID_NONE;
    op = g->regions[around].op;
  }
  return ID_NONE;
}

static bool is_legal(settling *s, const mlir_missed *m) {
  const shape_graph *g = s->p->g;
  if (m->value == VALUE_NONE || m->op == ID_NONE) return false;
  const graph_value *v = &g->values[m->value];
  block_id from = block_of(g, m->value);
  region_id region = g->blocks[from].region;
  op_id user = region == ID_NONE ? ID_NONE : op_in(g, m->op, region);
  if (user == ID_NONE || (!v->is_argument && v->def == user)) return false;
  const graph_region *r = &g->regions[region];
  block_id to = g->ops[user].parent;
  if (to == from) return is_graph(g, r);
  const uint32_t *dominators = dominators_of(s, region);
  uint32_t wanted = from - r->first_block, at = to - r->first_block;
  while (at && dominators[at] != ID_NONE) {
    at = dominators[at];
    mlir_step(s->p);
    if (at == wanted) return true;
  }
  return false;
}

static bool is_unended(settling *s, region_id region) {
  const shape_graph *g = s->p->g;
  const graph_region *r = &g->regions[region];
  if (s->asked == region) return s->unended;
  s->asked = region;
  s->unended = false;
  for (uint32_t i = 0; i < r->block_count && !s->unended; i++) {
    op_id last = graph_terminator(g, r->first_block + i);
    mlir_step(s->p);
    s->unended = last == ID_NONE || g->ops[last].unread;
  }
  return s->unended;
}

// Which block comes first is not known where one of them does not end as it should.
static bool may_be_legal(settling *s, const mlir_missed *m) {
  const shape_graph *g = s->p->g;
  if (m->value == VALUE_NONE || m->op == ID_NONE || !g->diags.errors) return false;
  block_id from = block_of(g, m->value);
  region_id region = g->blocks[from].region;
  op_id user = region == ID_NONE ? ID_NONE : op_in(g, m->op, region);
  return user != ID_NONE && g->ops[user].parent != from && is_unended(s, region);
}

// --- the end of a part

// Where it would have been reported when it was read.
static void report(mlir_parser *p, const mlir_missed *m, uint32_t index) {
  diag_list *all = &p->g->diags;
  source_span span = {m->at, m->at + 1 + m->name.length};
  diag *error = diag_add(all, DIAG_ERROR, "undeclared-value", span,
                         "use of undeclared value '%%%.*s'", (int)m->name.length, m->name.text);
  if (!error) {
    if (index >= all->count) return;
    // It is in front of one that was kept.
    diag_list one;
    diag_init(&one, all->arena);
    error = diag_add(&one, DIAG_ERROR, "undeclared-value", span, "use of undeclared value '%%%.*s'",
                     (int)m->name.length, m->name.text);
    all->items[all->count - 1] = *error;
    error = &all->items[all->count - 1];
  }
  if (m->defined)
    diag_relate(all, error, (source_span){m->defined - 1, m->defined + m->name.length},
                "defined here: a definition precedes its uses");
  assert(index < all->count);
  const diag made = *error;
  memmove(all->items + index + 1, all->items + index,
          (all->count - 1 - index) * sizeof *all->items);
  all->items[index] = made;
}

void mlir_settle(mlir_parser *p) {
  mlir_missing *all = &p->scope.missing;
  settling s = {.p = p, .asked = ID_NONE};
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < all->count; i++) {
    const mlir_missed *m = &all->items[i];
    mlir_step(p);
    if (!is_legal(&s, m)) {
      if (m->op != ID_NONE) p->g->ops[m->op].unread = true;
      if (mlir_is_lost(p, m->level, m->at) || may_be_legal(&s, m)) continue;
      report(p, m, m->diags + wrong);
      wrong++;
      continue;
    }
    assert(m->index < p->g->ops[m->op].operand_count);
    p->g->operands[p->g->ops[m->op].operands + m->index] = m->value;
    mlir_check_use(p, (mlir_operand){m->value, m->at, 0}, m->type);
  }
  all->count = all->from = 0;
  all->newest = (shape_imap){0};
}
