// SPDX-License-Identifier: Apache-2.0
#include "solver/api/gather.h"

#include <assert.h>

void gathering_atom(void *data, term_id atom) {
  gathering *g = data;
  shape_context *c = g->context;
  uint32_t index;
  if (term_kind_of(c->terms, atom) != TERM_SYMBOL || imap_get(&g->indices, atom, &index)) return;
  symbol_info info = *store_symbol_info(c->store, term_get(c->terms, atom)->as.symbol);
  g->symbols = arena_grow(&c->scratch, g->symbols, g->symbol_count, g->symbol_count + 1u,
                          &g->symbol_capacity, sizeof *g->symbols);
  imap_put(&g->indices, &c->scratch, atom, g->symbol_count);
  assert(g->symbol_count < g->symbol_capacity);
  g->symbols[g->symbol_count++] = (query_symbol){atom, info.range, info.multiple_of};
}

void gathering_premise(gathering *g, predicate p) {
  shape_context *c = g->context;
  g->premises = arena_grow(&c->scratch, g->premises, g->premise_count, g->premise_count + 1u,
                           &g->premise_capacity, sizeof *g->premises);
  g->owners = arena_grow(&c->scratch, g->owners, g->premise_count, g->premise_count + 1u,
                         &g->owner_capacity, sizeof *g->owners);
  assert(g->premise_count < g->premise_capacity && g->premise_count < g->owner_capacity);
  g->owners[g->premise_count] = QUERY_ALWAYS;
  g->premises[g->premise_count++] = p;
  term_visit_atoms(c->terms, p.left, gathering_atom, g);
  term_visit_atoms(c->terms, p.right, gathering_atom, g);
}

// The facts that have symbols in common with the expressions, directly or through others; by masks, so some more.
void gathering_connected(gathering *g, const shape_expr *exprs, uint32_t count) {
  shape_context *c = g->context;
  uint32_t live = store_live_count(c->store);
  uint8_t *taken = arena_zalloc(&c->scratch, live + 1u);
  uint64_t reached = exprs ? 0 : ~0ull, before;
  for (uint32_t i = 0; i < count; i++) {
    reached |= term_mask(c->terms, exprs[i]);
    term_visit_atoms(c->terms, exprs[i], gathering_atom, g);
  }
  do {
    before = reached;
    for (uint32_t i = 0; i < live; i++) {
      const fact *f = store_fact(c->store, store_live(c->store, i));
      predicate p = f->p;
      uint64_t mask = term_mask(c->terms, p.left) | term_mask(c->terms, p.right);
      if (taken[i] || !(mask & reached)) continue;
      taken[i] = 1;
      reached |= mask;
      gathering_premise(g, p);
      if (f->why.kind == REASON_ASSUMPTION && f->why.frame == CONTEXT_FRAME)
        g->owners[g->premise_count - 1] = f->why.subject;
    }
  } while (reached != before);
}

query gathering_query(const gathering *g) {
  shape_context *c = g->context;
  return (query){.arena = &c->scratch,
                 .terms = c->terms,
                 .budget = c->budget,
                 .symbols = g->symbols,
                 .symbol_count = g->symbol_count,
                 .premises = g->premises,
                 .premise_count = g->premise_count};
}
