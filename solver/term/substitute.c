// SPDX-License-Identifier: Apache-2.0
// Walks over terms. Chains of atoms may be as long as a program, so nothing here recurses: a first
// pass lists the atoms in an order that has arguments before what holds them, a second pass works
// along the list. Callbacks run in the second pass only, so they may walk and build terms
// themselves.
#include <assert.h>

#include "solver/term/build.h"

static uint32_t new_stamp(term_table *t) {
  uint32_t old = t->visited_capacity;
  t->visited =
      arena_grow(t->arena, t->visited, old, t->count, &t->visited_capacity, sizeof *t->visited);
  for (uint32_t i = old; i < t->visited_capacity; i++) t->visited[i] = 0;
  if (++t->stamp == 0) {
    for (uint32_t i = 0; i < t->visited_capacity; i++) t->visited[i] = 0;
    t->stamp = 1;
  }
  assert(t->visited_capacity >= t->count);
  return t->stamp;
}

enum { LEAVE = 1u << 31 };  // on the stack: the atom's arguments are listed, now the atom itself

static void push_atom(term_table *t, id_list *stack, term_id atom, const shape_imap *known) {
  uint32_t ignored;
  assert(atom < t->visited_capacity);
  if (t->visited[atom] == t->stamp || (known && imap_get(known, atom, &ignored))) return;
  id_list_push(t, stack, atom);
}

static bool is_plain_atom(const term_table *t, term_id id) {
  term_kind kind = term_kind_of(t, id);
  return kind != TERM_SUM && kind != TERM_PRODUCT && kind != TERM_CONST;
}

typedef void atom_taker(term_table *t, id_list *list, term_id atom, const shape_imap *known);

// Of a term that may be a sum of products; inlined, with `take`, where it is called.
static inline void take_atoms_of(term_table *t, id_list *list, term_id id, const shape_imap *known,
                                 atom_taker *take) {
  const term_part *parts;
  term_part room;
  if (is_plain_atom(t, id)) {
    take(t, list, id, known);
    return;
  }
  uint32_t count = term_parts(t, id, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    const term_power *powers;
    term_power power_room;
    uint32_t n = term_powers(t, parts[i].monomial, &powers, &power_room);
    for (uint32_t j = 0; j < n; j++) take(t, list, powers[j].atom, known);
  }
}

static void push_atoms_of(term_table *t, id_list *stack, term_id id, const shape_imap *known) {
  take_atoms_of(t, stack, id, known, push_atom);
}

static uint32_t arg_count(const term_node *node) {
  return node->kind == TERM_SYMBOL ? 0 : node->count;
}

// Lists the distinct atoms of `id`, arguments first, without those that `known` holds.
static id_list list_atoms(term_table *t, term_id id, const shape_imap *known) {
  id_list list = {0}, todo = {0};
  new_stamp(t);
  push_atoms_of(t, &todo, id, known);
  while (todo.count) {
    term_id top = todo.ids[--todo.count];
    if (top & LEAVE) {
      id_list_push(t, &list, top & ~LEAVE);
      continue;
    }
    if (t->visited[top] == t->stamp) continue;
    t->visited[top] = t->stamp;
    const term_node *node = term_get(t, top);
    uint32_t count = arg_count(node);
    if (!count) {
      id_list_push(t, &list, top);
      continue;
    }
    id_list_push(t, &todo, top | LEAVE);
    while (count-- > 0) push_atoms_of(t, &todo, node->as.args[count], known);
  }
  return list;
}

void term_visit_atoms(term_table *t, term_id id, void (*visit)(void *data, term_id atom),
                      void *data) {
  term_kind kind = term_kind_of(t, id);
  if (kind == TERM_CONST) return;
  if (kind == TERM_SYMBOL) {
    visit(data, id);
    return;
  }
  scratch_mark mark = scratch_get(t);
  id_list list = list_atoms(t, id, NULL);
  for (uint32_t i = 0; i < list.count; i++) visit(data, list.ids[i]);
  scratch_release(t, mark);
}

// The argument of an atom that was not visited yet with which to go on at once, or TERM_NONE; those after it go on the
// stack. Symbols before it are listed: a chain of atoms goes through no stack.
static term_id next_argument(term_table *t, id_list *list, id_list *todo, term_id atom) {
  const term_node *node = term_get(t, atom);
  uint32_t count = arg_count(node), i = 0;
  const term_id *args = node->as.args;
  if (t->visited[atom] == t->stamp) return TERM_NONE;
  t->visited[atom] = t->stamp;
  if (node->kind == TERM_SYMBOL) id_list_push(t, list, atom);
  for (; i < count && term_kind_of(t, args[i]) == TERM_SYMBOL; i++) {
    if (t->visited[args[i]] != t->stamp) id_list_push(t, list, args[i]);
    t->visited[args[i]] = t->stamp;
  }
  for (uint32_t k = count; k-- > i + 1;) push_atoms_of(t, todo, args[k], NULL);
  if (i == count) return TERM_NONE;
  if (is_plain_atom(t, args[i])) return args[i];
  push_atoms_of(t, todo, args[i], NULL);
  return TERM_NONE;
}

// Those that were not visited yet, in the order of list_atoms.
static void list_symbols(term_table *t, id_list *list, id_list *todo, term_id id) {
  assert(!todo->count);
  push_atoms_of(t, todo, id, NULL);
  while (todo->count) {
    term_id atom = todo->ids[--todo->count];
    while (atom != TERM_NONE) atom = next_argument(t, list, todo, atom);
  }
}

void term_visit_symbols(term_table *t, term_id a, term_id b,
                        void (*visit)(void *data, term_id symbol), void *data) {
  scratch_mark mark = scratch_get(t);
  id_list list = {0}, todo = {0};
  new_stamp(t);
  list_symbols(t, &list, &todo, a);
  list_symbols(t, &list, &todo, b);
  for (uint32_t i = 0; i < list.count; i++) visit(data, list.ids[i]);
  scratch_release(t, mark);
}

uint32_t term_symbols(term_table *t, term_id id, shape_arena *arena, term_id **symbols) {
  *symbols = NULL;
  if (term_kind_of(t, id) == TERM_CONST) return 0;
  scratch_mark mark = scratch_get(t);
  id_list list = {0}, todo = {0};
  new_stamp(t);
  list_symbols(t, &list, &todo, id);
  *symbols = arena_alloc(arena, ((size_t)list.count + 1) * sizeof **symbols);
  for (uint32_t i = 0; i < list.count; i++) (*symbols)[i] = list.ids[i];
  scratch_release(t, mark);
  return list.count;
}

static void add_atom(term_table *t, id_list *list, term_id atom, const shape_imap *known) {
  (void)known;
  assert(!known && atom < t->visited_capacity && term_is_atom(t, atom));
  if (t->visited[atom] == t->stamp) return;
  t->visited[atom] = t->stamp;
  id_list_push(t, list, atom);
}

// In any order.
static void add_atoms_of(term_table *t, id_list *list, term_id id) {
  take_atoms_of(t, list, id, NULL, add_atom);
}

bool term_any_atom(term_table *t, term_id id, bool (*is)(void *data, term_id atom), void *data) {
  if (id == TERM_NONE || term_kind_of(t, id) == TERM_CONST) return false;
  if (term_kind_of(t, id) == TERM_SYMBOL) return is(data, id);
  scratch_mark mark = scratch_get(t);
  id_list list = {0};
  bool found = false;
  new_stamp(t);
  add_atoms_of(t, &list, id);
  for (uint32_t i = 0; i < list.count; i++) {
    const term_node *node = term_get(t, list.ids[i]);
    for (uint32_t k = 0; k < arg_count(node); k++) add_atoms_of(t, &list, node->as.args[k]);
  }
  for (uint32_t i = 0; i < list.count && !found; i++) found = is(data, list.ids[i]);
  scratch_release(t, mark);
  return found;
}

typedef struct mention {
  term_table *t;
  term_id atom;
  uint64_t bits;  // of the mask of what may hold the atom
  id_list todo;   // atoms with arguments, each once
} mention;

// Is it one of the atoms of `id` outside their arguments? If not, those that may hold it are listed.
static bool mentions_outside(mention *m, term_id id) {
  const term_part *parts;
  term_part room;
  term_table *t = m->t;
  if ((term_mask(t, id) & m->bits) != m->bits) return false;
  uint32_t count = term_parts(t, id, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    const term_power *powers;
    term_power power_room;
    if ((term_mask(t, parts[i].monomial) & m->bits) != m->bits) continue;
    uint32_t n = term_powers(t, parts[i].monomial, &powers, &power_room);
    for (uint32_t j = 0; j < n; j++) {
      term_id inner = powers[j].atom;
      if (inner == m->atom) return true;
      bool passed = (term_mask(t, inner) & m->bits) != m->bits || !arg_count(term_get(t, inner));
      if (passed || t->visited[inner] == t->stamp) continue;
      t->visited[inner] = t->stamp;
      id_list_push(t, &m->todo, inner);
    }
  }
  return false;
}

bool term_mentions(term_table *t, term_id id, term_id atom) {
  if (id == atom || id == TERM_NONE) return id == atom;
  mention m = {.t = t, .atom = atom, .bits = term_mask(t, atom)};
  if ((term_mask(t, id) & m.bits) != m.bits) return false;
  scratch_mark mark = scratch_get(t);
  new_stamp(t);
  bool found = mentions_outside(&m, id);
  while (!found && m.todo.count) {
    const term_node *node = term_get(t, m.todo.ids[--m.todo.count]);
    for (uint32_t i = 0; i < node->count && !found; i++)
      found = mentions_outside(&m, node->as.args[i]);
  }
  scratch_release(t, mark);
  return found;
}

// --- substitution

enum { SHORT_LIST = 24 };

typedef struct substitution {
  term_table *terms;
  term_id (*map)(void *data, term_id atom);
  void *data;
  shape_imap *memo;  // of the caller, or `own` where the list is long, or NULL
  shape_imap own;
  const term_id *from;  // the atoms listed, and what has become of them, while there is no memo
  term_id *to;
  uint32_t done;
} substitution;

static term_id image(const substitution *s, term_id atom) {
  uint32_t found = atom;
  if (s->memo) {
    imap_get(s->memo, atom, &found);
    return found;
  }
  for (uint32_t i = 0; i < s->done; i++) {
    if (s->from[i] == atom) return s->to[i];
  }
  return atom;
}

static bool monomial_changes(const substitution *s, term_id monomial) {
  const term_power *powers;
  term_power room;
  uint32_t count = term_powers(s->terms, monomial, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (image(s, powers[i].atom) != powers[i].atom) return true;
  }
  return false;
}

static term_id monomial_image(const substitution *s, term_id monomial) {
  const term_power *powers;
  term_power room;
  uint32_t count = term_powers(s->terms, monomial, &powers, &room);
  term_id result = TERM_ONE;
  for (uint32_t i = 0; i < count; i++) {
    term_id atom = image(s, powers[i].atom);
    result = term_mul(s->terms, result, term_pow(s->terms, atom, powers[i].exponent));
  }
  return result;
}

// A term whose atoms all have their images.
static term_id rewrite(const substitution *s, term_id id) {
  const term_part *parts;
  term_part room;
  term_table *t = s->terms;
  uint32_t count = term_parts(t, id, &parts, &room), changed = 0;
  while (changed < count && !monomial_changes(s, parts[changed].monomial)) changed++;
  if (changed == count) return id;
  if (count == 1) return term_scale(t, monomial_image(s, parts[0].monomial), parts[0].coefficient);
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, count);
  for (uint32_t i = 0; i < count; i++) {
    term_id monomial = parts[i].monomial;
    to[i] = (term_part){parts[i].coefficient, i < changed ? monomial : monomial_image(s, monomial)};
  }
  term_id result = term_sum(t, to, count);
  scratch_release(t, mark);
  return result;
}

static term_id atom_image(substitution *s, term_id atom) {
  term_table *t = s->terms;
  uint32_t count = arg_count(term_get(t, atom));
  if (!count) return s->map(s->data, atom);
  const term_id *old = term_get(t, atom)->as.args;
  scratch_mark mark = scratch_get(t);
  term_id *args = scratch_ids(t, count), result = atom;
  bool same = true;
  for (uint32_t i = 0; i < count; i++) {
    args[i] = rewrite(s, old[i]);
    same &= args[i] == old[i];
  }
  if (!same) result = term_rebuild(t, atom, args);
  scratch_release(t, mark);
  return term_is_atom(t, result) ? s->map(s->data, result) : result;
}

term_id term_substitute(term_table *t, term_id id, term_id (*map)(void *data, term_id atom),
                        void *data, shape_imap *memo) {
  uint32_t known;
  if (term_kind_of(t, id) == TERM_CONST) return id;
  if (memo && imap_get(memo, id, &known)) return known;
  if (term_kind_of(t, id) == TERM_SYMBOL) {  // most dims
    term_id image = map(data, id);
    if (memo) imap_put(memo, t->arena, id, image);
    return image;
  }
  scratch_mark mark = scratch_get(t);
  id_list list = list_atoms(t, id, memo);
  substitution s = {.terms = t, .map = map, .data = data, .memo = memo, .from = list.ids};
  if (!memo && list.count > SHORT_LIST) s.memo = &s.own;
  if (!s.memo) s.to = scratch_ids(t, list.count);
  for (uint32_t i = 0; i < list.count; i++) {
    term_id to = atom_image(&s, list.ids[i]);
    if (s.memo) {
      imap_put(s.memo, t->arena, list.ids[i], to);
    } else {
      s.to[s.done++] = to;
    }
  }
  assert(s.memo || s.done == list.count);
  term_id result = rewrite(&s, id);
  if (memo && !term_is_atom(t, id)) imap_put(memo, t->arena, id, result);
  scratch_release(t, mark);
  return result;
}
