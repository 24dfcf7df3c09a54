// SPDX-License-Identifier: Apache-2.0
#include "solver/report/uses.h"

#include <assert.h>
#include <string.h>

#include "solver/base/trace_line.h"
#include "solver/report/work.h"

static void visit(shape_report *r, predicate p, void (*symbol)(void *data, term_id symbol),
                  void *data) {
  term_visit_symbols(r->infer->terms, p.left, p.right, symbol, data);
}

static uint32_t number_of(const symbol_uses *u, term_id symbol) {
  return term_get(u->r->infer->terms, symbol)->as.symbol;
}

static void add_use(void *data, term_id symbol) {
  symbol_uses *u = data;
  shape_arena *arena = u->r->work->arena;
  uint32_t number = number_of(u, symbol), before = u->symbol_count;
  if (number >= before) {
    u->symbol_count = u->r->infer->terms->symbol_count;
    u->last =
        arena_grow(arena, u->last, before, u->symbol_count, &u->symbol_capacity, sizeof *u->last);
    memset(u->last + before, 0xff, (u->symbol_count - before) * sizeof *u->last);
  }
  u->list =
      arena_grow(arena, u->list, u->count, (size_t)u->count + 1, &u->capacity, sizeof *u->list);
  u->list[u->count] = (symbol_use){u->item, u->last[number], symbol};
  u->last[number] = u->count++;
}

void uses_add(symbol_uses *u, uint32_t item, predicate p) {
  u->item = item;
  visit(u->r, p, add_use, u);
}

uint32_t uses_of(const symbol_uses *u, term_id symbol) {
  uint32_t number = number_of(u, symbol);
  return number < u->symbol_count ? u->last[number] : ID_NONE;
}

// One that is not among the first `known`.
static void meet_new(met_symbols *m, term_id symbol, uint32_t known) {
  shape_report *r = m->r;
  assert(known <= m->count);
  for (uint32_t i = 0; i < known; i++) {
    if (m->items[i].symbol == symbol) return;
  }
  uint32_t number = term_get(r->infer->terms, symbol)->as.symbol;
  const symbol_info *info = store_symbol_info(r->infer->store, number);
  m->items = arena_grow(&r->work->scratch, m->items, m->count, (size_t)m->count + 1, &m->capacity,
                        sizeof *m->items);
  m->items[m->count++] = info ? (query_symbol){symbol, info->range, info->multiple_of}
                              : (query_symbol){symbol, interval_all(), NUM(1)};
}

static void meet(void *data, term_id symbol) {
  met_symbols *m = data;
  meet_new(m, symbol, m->count);
}

void met_symbols_add(met_symbols *m, predicate p) { visit(m->r, p, meet, m); }

void met_symbols_add_item(met_symbols *m, const symbol_uses *u, uint32_t item, uint32_t first) {
  assert(first <= u->count);
  uint32_t known = m->count;  // an item uses each of its symbols once
  for (uint32_t i = first; i < u->count && u->list[i].item == item; i++)
    meet_new(m, u->list[i].symbol, known);
}

void small_query_open(small_query *s, shape_report *r, uint64_t steps) {
  budget_init(&s->allowance, &r->work->scratch, steps, r->work->budget->stop);
  trace_share(&s->allowance, r->work->budget);
  term_table_init(&s->terms, &r->work->scratch, &s->allowance);
  s->from = (extraction){.from = r->infer->terms, .to = &s->terms};
}
