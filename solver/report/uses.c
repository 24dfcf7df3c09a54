// SPDX-License-Identifier: Apache-2.0
#include "solver/report/uses.h"

#include <assert.h>

#include "solver/base/trace_line.h"
#include "solver/report/work.h"

static void visit(shape_report *r, predicate p, void (*atom)(void *data, term_id atom),
                  void *data) {
  term_visit_atoms(r->infer->terms, p.left, atom, data);
  term_visit_atoms(r->infer->terms, p.right, atom, data);
}

static void add_use(void *data, term_id atom) {
  symbol_uses *u = data;
  if (term_kind_of(u->r->infer->terms, atom) != TERM_SYMBOL) return;
  uint32_t last = uses_of(u, atom);
  if (last != ID_NONE && u->list[last].item == u->item) return;
  u->list = arena_grow(u->r->work->arena, u->list, u->count, (size_t)u->count + 1, &u->capacity,
                       sizeof *u->list);
  u->list[u->count] = (symbol_use){u->item, last};
  imap_put(&u->last, u->r->work->arena, atom, u->count++);
}

void uses_add(symbol_uses *u, uint32_t item, predicate p) {
  u->item = item;
  visit(u->r, p, add_use, u);
}

uint32_t uses_of(const symbol_uses *u, term_id symbol) {
  uint32_t last = ID_NONE;
  imap_get(&u->last, symbol, &last);
  assert(last == ID_NONE || last < u->count);
  return last;
}

static void meet(void *data, term_id atom) {
  met_symbols *m = data;
  shape_report *r = m->r;
  const term_node *node = term_get(r->infer->terms, atom);
  if (node->kind != TERM_SYMBOL) return;
  for (uint32_t i = 0; i < m->count; i++) {
    if (m->items[i].symbol == atom) return;
  }
  const symbol_info *info = store_symbol_info(r->infer->store, node->as.symbol);
  m->items = arena_grow(&r->work->scratch, m->items, m->count, (size_t)m->count + 1, &m->capacity,
                        sizeof *m->items);
  m->items[m->count++] = info ? (query_symbol){atom, info->range, info->multiple_of}
                              : (query_symbol){atom, interval_all(), NUM(1)};
}

void met_symbols_add(met_symbols *m, predicate p) { visit(m->r, p, meet, m); }

void small_query_open(small_query *s, shape_report *r, uint64_t steps) {
  budget_init(&s->allowance, &r->work->scratch, steps, r->work->budget->stop);
  trace_share(&s->allowance, r->work->budget);
  term_table_init(&s->terms, &r->work->scratch, &s->allowance);
  s->from = (extraction){.from = r->infer->terms, .to = &s->terms};
}
