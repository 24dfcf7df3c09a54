// SPDX-License-Identifier: Apache-2.0
// MIN, and max as its mirror image: max(a, ..) = -min(-a, ..), so that both spellings meet.
//
//   nesting        min(r + k*min(x, ..), ..) = min(r + k*x, .., ..) for k > 0
//   known larger   of arguments that differ by a constant the smallest stays; one that is never
//                  smaller than another, by the static range of the difference, goes
//   translation    min(a + u, b + u) = min(a, b) + u: u takes from each monomial its smallest
//                  coefficient in any of the arguments, where a missing one counts as 0;
//                  afterwards no coefficient is negative
//   scale          min(g*a, g*b) = g*min(a, b) for g > 0
// u moves with the arguments and g with their scale, so that equal sets of arguments up to both
// give the same atom. With two arguments this contains max(a, b) = a + b - min(a, b).
#include <assert.h>
#include <string.h>

#include "solver/term/build.h"

enum { MAX_FLAT = 64, MAX_PAIRWISE = 8, MAX_ROUNDS = 8 };

typedef struct arg_list {
  term_id *ids;
  uint32_t count, capacity;
} arg_list;

// The only part of `id` that is k*MIN with k > 0; false when there is none or more than one.
static bool find_nested(const term_table *t, term_id id, uint32_t *at) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room), found = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (term_kind_of(t, parts[i].monomial) != TERM_MIN) continue;
    if (num_sign(parts[i].coefficient) < 0) return false;
    *at = i;
    found++;
  }
  return found == 1;
}

static uint32_t nested_size(const term_table *t, term_id id, uint32_t at) {
  const term_part *parts;
  term_part room;
  term_parts(t, id, &parts, &room);
  assert(term_kind_of(t, parts[at].monomial) == TERM_MIN);
  return term_get(t, parts[at].monomial)->count;
}

// Replaces arguments that hold one MIN by one argument for each choice; false when there was none.
static bool flatten(term_table *t, arg_list *list) {
  bool is_max, changed = false;
  scratch_mark mark = scratch_get(t);
  term_id *args = scratch_ids(t, list->count);
  uint32_t count = list->count, at;
  memcpy(args, list->ids, count * sizeof *args);
  list->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (find_nested(t, args[i], &at)) {
      uint32_t size = nested_size(t, args[i], at), left = count - i - 1;
      if (list->count + size + left <= list->capacity) {
        list->count += term_expand_min(t, args[i], at, list->ids + list->count, &is_max);
        changed = true;
        continue;
      }
    }
    assert(list->count < list->capacity);
    list->ids[list->count++] = args[i];
  }
  scratch_release(t, mark);
  return changed;
}

// Takes what the arguments have in common out of them, and returns it.
static term_id translate(term_table *t, arg_list *list) {
  assert(list->count > 0);
  term_id lower = list->ids[0];
  for (uint32_t i = 1; i < list->count; i++) lower = term_lower_part(t, lower, list->ids[i]);
  for (uint32_t i = 0; i < list->count; i++) list->ids[i] = term_sub(t, list->ids[i], lower);
  return lower;
}

// Sorts by the argument without its constant, then by the constant, both as the pair (rest, value).
typedef struct split_arg {
  term_id rest, id;
  num constant;
} split_arg;

static bool split_before(const split_arg *x, const split_arg *y) {
  if (x->rest != y->rest) return x->rest < y->rest;
  return num_compare(x->constant, y->constant) < 0;
}

// Heap sort: min and max may come with very many arguments.
static void sift(split_arg *args, size_t at, size_t count) {
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && split_before(&args[child], &args[child + 1])) child++;
    if (!split_before(&args[at], &args[child])) return;
    split_arg swap = args[at];
    args[at] = args[child];
    args[child] = swap;
  }
}

static void sort_split(split_arg *args, uint32_t count) {
  for (size_t i = count / 2; i-- > 0;) sift(args, i, count);
  for (size_t end = count; end > 1; end--) {
    split_arg swap = args[0];
    args[0] = args[end - 1];
    args[end - 1] = swap;
    sift(args, 0, end - 1);
  }
}

static void drop_larger_by_constant(term_table *t, arg_list *list) {
  scratch_mark mark = scratch_get(t);
  split_arg *split = scratch_take(t, (size_t)list->count * sizeof *split);
  for (uint32_t i = 0; i < list->count; i++) {
    num constant = term_constant_part(t, list->ids[i]);
    term_id rest = term_add_const(t, list->ids[i], num_neg(t->budget, constant));
    split[i] = (split_arg){rest, list->ids[i], constant};
  }
  sort_split(split, list->count);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    if (i && split[i].rest == split[i - 1].rest) continue;
    list->ids[kept++] = split[i].id;
  }
  assert(kept > 0);
  list->count = kept;
  scratch_release(t, mark);
}

static bool is_known_larger(term_table *t, term_id a, term_id b) {
  term_id d = term_sub(t, a, b);
  return !term_falls(t, d, false) && interval_is_nonnegative(term_static_range(t, d));
}

// Most differences hold a symbol of one argument, and say nothing.
static bool may_compare(term_table *t, const arg_list *list) {
  for (uint32_t i = 1; i < list->count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      if (!term_differ_freely(t, list->ids[i], list->ids[j])) return true;
    }
  }
  return false;
}

static void drop_known_larger(term_table *t, arg_list *list) {
  if (list->count > MAX_PAIRWISE || !may_compare(t, list)) return;
  for (uint32_t i = 0; i < list->count; i++) {
    for (uint32_t j = 0; j < list->count; j++) {
      if (i == j || !is_known_larger(t, list->ids[i], list->ids[j])) continue;
      memmove(list->ids + i, list->ids + i + 1, (list->count - i - 1) * sizeof *list->ids);
      list->count--;
      i--;
      break;
    }
  }
}

static void sort_ids(term_id *ids, uint32_t count) {
  for (uint32_t gap = count / 2; gap; gap /= 2) {
    for (uint32_t i = gap; i < count; i++) {
      term_id id = ids[i];
      uint32_t at = i;
      for (; at >= gap && ids[at - gap] > id; at -= gap) ids[at] = ids[at - gap];
      ids[at] = id;
    }
  }
}

// Arguments without anything in common, none known to be larger than another.
static term_id make_min(term_table *t, arg_list *list) {
  assert(list->count > 1);
  num g = NUM(0);
  for (uint32_t i = 0; i < list->count; i++)
    g = num_gcd(t->budget, g, term_content(t, list->ids[i]));
  assert(num_sign(g) > 0);
  for (uint32_t i = 0; i < list->count; i++) list->ids[i] = term_divide_num(t, list->ids[i], g);
  sort_ids(list->ids, list->count);
  return term_scale(t, term_intern_atom(t, TERM_MIN, list->ids, list->count), g);
}

// Each step may open the way for another: a common min(..) is taken out before the nested ones are
// opened, since min(a + m, b + m) is m + min(a, b); what is dropped may leave more in common.
static bool simplify(term_table *t, arg_list *list) {
  uint32_t before = list->count;
  if (flatten(t, list)) return true;
  drop_larger_by_constant(t, list);
  drop_known_larger(t, list);
  return list->count < before;
}

// Is min(a, b) an atom as it is? Two symbols have nothing in common, nor have a symbol and a constant that is not
// negative, and neither is known to be larger.
static bool is_plain_pair(const term_table *t, term_id a, term_id b) {
  const term_node *x = term_get(t, a), *y = term_get(t, b);
  if (x->kind == TERM_CONST) {
    const term_node *swap = x;
    x = y;
    y = swap;
  }
  if (x->kind != TERM_SYMBOL || a == b) return false;
  return y->kind == TERM_SYMBOL || (y->kind == TERM_CONST && num_sign(y->as.value) >= 0);
}

static term_id plain_min(term_table *t, term_id a, term_id b) {
  return term_intern_atom(t, TERM_MIN, (term_id[2]){a < b ? a : b, a < b ? b : a}, 2);
}

term_id term_min_of(term_table *t, const term_id *args, uint32_t count) {
  assert(count > 0);
  if (count == 1) return args[0];
  if (count == 2 && is_plain_pair(t, args[0], args[1])) return plain_min(t, args[0], args[1]);
  scratch_mark mark = scratch_get(t);
  arg_list list = {.count = count, .capacity = count > MAX_FLAT ? count : MAX_FLAT};
  list.ids = scratch_ids(t, list.capacity);
  memcpy(list.ids, args, count * sizeof *args);
  term_id shift = translate(t, &list);
  for (int round = 0; round < MAX_ROUNDS && list.count > 1 && simplify(t, &list); round++) {
    shift = term_add(t, shift, translate(t, &list));
  }
  term_id result = list.count == 1 ? list.ids[0] : make_min(t, &list);
  scratch_release(t, mark);
  return term_add(t, shift, result);
}

term_id term_max_of(term_table *t, const term_id *args, uint32_t count) {
  assert(count > 0);
  if (count == 2 && is_plain_pair(t, args[0], args[1])) {
    term_id least = plain_min(t, args[0], args[1]);
    return term_sub(t, term_add(t, args[0], args[1]), least);
  }
  scratch_mark mark = scratch_get(t);
  term_id *negated = scratch_ids(t, count);
  for (uint32_t i = 0; i < count; i++) negated[i] = term_neg(t, args[i]);
  term_id result = term_neg(t, term_min_of(t, negated, count));
  scratch_release(t, mark);
  return result;
}

term_id term_min(term_table *t, term_id a, term_id b) {
  term_id result;
  if (a == b) return a;
  if (term_cache_get(t, TERM_MIN, a, b, &result)) return result;
  return term_cache_put(t, TERM_MIN, a, b, term_min_of(t, (term_id[2]){a, b}, 2));
}

term_id term_max(term_table *t, term_id a, term_id b) {
  term_id result;
  if (a == b) return a;
  if (term_cache_get(t, TERM_MAX, a, b, &result)) return result;
  return term_cache_put(t, TERM_MAX, a, b, term_max_of(t, (term_id[2]){a, b}, 2));
}
