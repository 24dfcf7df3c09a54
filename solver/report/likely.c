// SPDX-License-Identifier: Apache-2.0
// Likely values that are declared, in an answer. Symbols that became equal have those of all of them, in the order in
// which they are declared; of a dim that is an expression, likely is what likely values of its symbols make it.
// Cost: a symbol's values are compared with one another; an expression is evaluated at POINTS_MAX points at most.
#include <assert.h>

#include "solver/report/work.h"

enum { SYMBOLS_MAX = 8, POINTS_MAX = 64, KEPT_MAX = 1024 };

static term_id root_of(const report_symbol *s) {
  return s->meaning == TERM_NONE ? s->term : s->meaning;
}

bool report_symbol_allows(const shape_report *r, const report_symbol *s, int64_t value) {
  num v = num_from_int(value);
  const graph_symbol *d = s->declared;
  if (s->range.has_lo && num_compare(v, s->range.lo) < 0) return false;
  if (s->range.has_hi && num_compare(v, s->range.hi) > 0) return false;
  if (!num_divides(r->infer->terms->budget, s->divisible_by, v)) return false;
  return !d || graph_symbol_allows(d, value);
}

typedef struct value_list {
  int64_t *items;
  uint32_t count, capacity;
} value_list;

static void add_value(shape_report *r, value_list *list, int64_t value) {
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->items[i] == value) return;
  }
  if (list->count == KEPT_MAX) return;
  list->items = arena_grow(r->graph->arena, list->items, list->count, (size_t)list->count + 1,
                           &list->capacity, sizeof *list->items);
  list->items[list->count++] = value;
}

// --- of expressions

typedef struct point {
  shape_report *r;
  const report_symbol *symbols[SYMBOLS_MAX];
  uint32_t at[SYMBOLS_MAX];  // which of its likely values each has
  uint32_t count;
  bool good;
} point;

static const report_symbol *root_symbol(const shape_report *r, term_id atom) {
  const report_symbol *s = report_symbol_of(r, atom);
  return s && s->likely_count ? s : NULL;
}

static void collect(void *data, term_id atom) {
  point *p = data;
  if (term_kind_of(p->r->infer->terms, atom) != TERM_SYMBOL || !p->good) return;
  const report_symbol *s = root_symbol(p->r, atom);
  p->good = s && p->count < SYMBOLS_MAX;
  if (p->good) p->symbols[p->count++] = s;
}

static term_id value_of(void *data, term_id atom) {
  const point *p = data;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->symbols[i]->term == atom)
      return term_int(p->r->infer->terms, p->symbols[i]->likely[p->at[i]]);
  }
  return atom;
}

// The next point, the last symbol first; false after the last one.
static bool next_point(point *p) {
  assert(p->count <= SYMBOLS_MAX);
  for (uint32_t i = p->count; i-- > 0;) {
    if (++p->at[i] < p->symbols[i]->likely_count) return true;
    p->at[i] = 0;
  }
  return false;
}

static value_list derive(shape_report *r, term_id term) {
  value_list list = {0};
  point p = {.r = r, .good = true};
  int64_t value;
  term_table *t = r->infer->terms;
  if (term == TERM_NONE || term_int_value(t, term, &value)) return list;
  term_visit_atoms(t, term, collect, &p);
  if (!p.good || !p.count) return list;
  for (uint32_t i = 0; i < POINTS_MAX && list.count < REPORT_LIKELY_MAX; i++) {
    if (term_int_value(t, term_substitute(t, term, value_of, &p, NULL), &value))
      add_value(r, &list, value);
    if (!next_point(&p)) break;
  }
  return list;
}

bool report_has_likely(const shape_report *r) { return r->work->likely.known; }

uint32_t report_likely(shape_report *r, term_id term, int64_t values[REPORT_LIKELY_MAX]) {
  const report_symbol *s = report_symbol_of(r, term);
  value_list list = {0};
  uint32_t at;
  if (!report_has_likely(r)) return 0;
  if (!s && imap_get(&r->work->likely.of, term, &at)) {
    struct likely_list *seen = &r->work->likely.lists[at];
    list = (value_list){.items = (int64_t *)seen->items, .count = seen->count};
  } else if (!s) {
    list = derive(r, term);
  }
  assert(!s || s->likely || !s->likely_count);
  const int64_t *from = s ? s->likely : list.items;
  uint32_t count = s ? s->likely_count : list.count;
  if (count > REPORT_LIKELY_MAX) count = REPORT_LIKELY_MAX;
  for (uint32_t i = 0; i < count; i++) values[i] = from[i];
  return count;
}

void report_take_likely(shape_report *r, term_id term, const int64_t *values, uint32_t count) {
  work_likely *w = &r->work->likely;
  int64_t *kept = arena_alloc(r->graph->arena, ((size_t)count + 1) * sizeof *kept);
  for (uint32_t i = 0; i < count; i++) kept[i] = values[i];
  w->lists = arena_grow(r->work->arena, w->lists, w->count, (size_t)w->count + 1, &w->cap,
                        sizeof *w->lists);
  imap_put(&w->of, r->work->arena, term, w->count);
  w->lists[w->count++] = (struct likely_list){kept, count};
  w->known = true;
}

// --- of symbols

// What a symbol cannot be is not likely, though another one that it equals was declared so.
static void take_list(shape_report *r, report_symbol *s, const value_list *list) {
  assert(list->count <= list->capacity);
  int64_t *kept = arena_alloc(r->graph->arena, ((size_t)list->count + 1) * sizeof *kept);
  uint32_t count = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    if (report_symbol_allows(r, s, list->items[i])) kept[count++] = list->items[i];
  }
  s->likely = kept;
  s->likely_count = count;
}

void likely_finish(shape_report *r) {
  if (!r->graph->declared.symbol_count && !report_has_likely(r)) return;
  shape_imap roots = {0};
  shape_arena *arena = r->graph->arena;
  value_list *lists = arena_zalloc(arena, (r->symbol_count + 1) * sizeof *lists);
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const report_symbol *s = &r->symbols[i];
    uint32_t at = i;
    if (!s->declared || !s->declared->likely_count) continue;
    r->work->likely.known = true;
    if (!imap_get(&roots, root_of(s), &at)) imap_put(&roots, arena, root_of(s), at);
    assert(at <= i);
    for (uint32_t k = 0; k < s->declared->likely_count; k++)
      add_value(r, &lists[at], s->declared->likely[k]);
  }
  if (!report_has_likely(r)) return;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    uint32_t at;
    if (imap_get(&roots, root_of(&r->symbols[i]), &at)) take_list(r, &r->symbols[i], &lists[at]);
  }
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    report_symbol *s = &r->symbols[i];
    if (s->likely_count || s->meaning == TERM_NONE) continue;
    value_list list = derive(r, s->meaning);
    take_list(r, s, &list);
  }
}
