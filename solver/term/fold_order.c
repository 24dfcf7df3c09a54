// SPDX-License-Identifier: Apache-2.0
// The order of the items of a sum: that of their monomials, after one with a positive coefficient.
#include <assert.h>

#include "solver/term/fold.h"

static bool item_before(const term_table *t, const fold_item *x, const fold_item *y) {
  const term_node *a = term_get(t, x->key), *b = term_get(t, y->key);
  if (a->kind == TERM_SYMBOL && b->kind == TERM_SYMBOL)  // as in term_order: the older one first
    return term_symbol_order(t, a->as.symbol, b->as.symbol) < 0;
  return term_order(t, x->key, y->key) > 0;
}

static void sort_items(const term_table *t, fold_item *items, uint32_t count) {
  for (uint32_t gap = count / 2; gap; gap /= 2) {
    for (uint32_t i = gap; i < count; i++) {
      fold_item item = items[i];
      uint32_t at = i;
      for (; at >= gap && item_before(t, &item, &items[at - gap]); at -= gap)
        items[at] = items[at - gap];
      items[at] = item;
    }
  }
}

// Is a call for what another one is for, or a part of the sum?
static bool has_repeats(const fold_list *list, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    for (uint32_t k = i + 1; k < list->count; k++) {
      if (list->items[i].key == list->items[k].key) return true;
    }
  }
  return false;
}

static bool in_order(const term_table *t, const fold_list *list, uint32_t from) {
  for (uint32_t x = from + 1; x < list->count; x++) {
    if (item_before(t, &list->items[x], &list->items[x - 1])) return false;
  }
  return true;
}

// The first `calls` items are of calls, the others parts of a sum. These mostly are in order, as old symbols come first,
// but for a few: what is in order from the end on stays, the others are sorted with the calls, and both are merged.
static void order_items(term_table *t, fold_list *list, uint32_t calls) {
  uint32_t count = list->count, extra = calls, at = count;
  fold_item *items = list->items;
  assert(calls <= count);
  if (has_repeats(list, calls) && !in_order(t, list, calls)) {
    sort_items(t, items, count);
    return;
  }
  scratch_mark mark = scratch_get(t);
  fold_item *others = scratch_take(t, ((size_t)count + 1) * sizeof *others);
  for (uint32_t x = 0; x < calls; x++) others[x] = items[x];
  for (uint32_t x = count; x-- > calls;) {
    if (at == count || item_before(t, &items[x], &items[at])) {
      items[--at] = items[x];
    } else {
      others[extra++] = items[x];
    }
  }
  sort_items(t, others, extra);
  uint32_t kept = count - at;
  for (uint32_t x = 0; at && x < kept; x++) items[x] = items[at + x];
  while (extra) {  // a call before a part that it repeats
    bool last = kept && !item_before(t, &items[kept - 1], &others[extra - 1]);
    items[kept + extra - 1] = last ? items[kept - 1] : others[extra - 1];
    kept -= last;
    extra -= !last;
  }
  scratch_release(t, mark);
}

// "S1 - S0" reads better than "-S0 + S1".
static void positive_first(fold_list *list) {
  uint32_t at = 0;
  while (at < list->count && num_sign(list->items[at].coefficient) < 0) at++;
  if (at == list->count) return;
  fold_item item = list->items[at];
  for (; at; at--) list->items[at] = list->items[at - 1];
  list->items[0] = item;
}

void fold_order(term_table *t, fold_list *list, uint32_t calls) {
  order_items(t, list, calls);
  positive_first(list);
}
