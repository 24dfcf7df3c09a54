// SPDX-License-Identifier: Apache-2.0
// What each literal is in terms of the dims of the arguments. In the order of the program, so that what an operation is
// given is known before its own literals are decided:
//   what the facts of the program determine (a consumer needs the dims to be equal) is that;
//   then what the operation itself says: the number of elements of a reshape, the dims of what is broadcast;
//   then, for what is filled from nothing, a value that it meets at an operation, an earlier value of the same shape, or
//   the first dim of an argument that has this number.
// Everything else stays a number. The result is a guess that is exact at the original dims; the analysis of what is written
// decides whether it is right elsewhere.
#include <assert.h>
#include <string.h>

#include "solver/generalize/work.h"
#include "solver/ops/traits.h"

enum { EARLIER_MAX = 512, USERS_MAX = 16 };

// --- terms

// What names denote, in terms of the dims of arguments. A term that was found stays, as decisions do; that a name has none
// counts until the next decision.
struct settled_names {
  shape_imap terms;
  shape_imap open;  // to the count of decisions
  uint32_t decided;
  uint32_t
      done;  // names of symbols below it were tried once, in this order: no chain of them is a chain of calls
};

typedef struct mapping {
  const resolving *x;
  bool failed;
} mapping;

static bool is_literal(const resolving *x, uint32_t symbol, literal_site **site, uint32_t *axis) {
  const infer_result *infer = x->report->infer;
  if (symbol >= infer->origin_count) return false;
  const infer_origin *o = &infer->origins[symbol];
  if (o->kind != ORIGIN_DECLARED || x->site_of_row[o->graph_symbol] == ID_NONE) return false;
  *site = &x->loose->sites.items[x->site_of_row[o->graph_symbol]];
  *axis = o->graph_symbol - (*site)->first_symbol;
  assert(*axis < (*site)->rank);
  return true;
}

static term_id settled(const resolving *x, term_id term);
static term_id settled_name(const resolving *x, uint32_t symbol);

static void count_atom(void *data, term_id atom) {
  (void)atom;
  ++*(uint32_t *)data;
}

static term_id simpler(term_table *t, term_id a, term_id b) {
  uint32_t of_a = 0, of_b = 0;
  term_visit_atoms(t, a, count_atom, &of_a);
  term_visit_atoms(t, b, count_atom, &of_b);
  return of_b < of_a ? b : a;
}

// Dims that are broadcast together are tied as they are at the original dims (conclude.c).
static term_id broadcast_at_origin(const resolving *x, term_id atom) {
  const term_node node = *term_get(x->terms, atom);
  int64_t a, b;
  if (!value_at_origin(x->origin, node.as.args[0], &a) ||
      !value_at_origin(x->origin, node.as.args[1], &b))
    return atom;
  if (a == b) return simpler(x->terms, node.as.args[0], node.as.args[1]);
  return a == 1 ? node.as.args[1] : node.as.args[0];
}

static term_id map_atom(void *data, term_id atom) {
  mapping *m = data;
  const resolving *x = m->x;
  const term_node *node = term_get(x->terms, atom);
  literal_site *site;
  uint32_t axis;
  if (m->failed) return atom;
  if (node->kind == TERM_BCAST) return broadcast_at_origin(x, atom);
  if (node->kind != TERM_SYMBOL || origin_of_argument(x->report->infer, node->as.symbol))
    return atom;
  if (is_literal(x, node->as.symbol, &site, &axis) && site->now[axis] != TERM_NONE)
    return site->now[axis];
  term_id named = settled_name(x, node->as.symbol);
  m->failed |= named == TERM_NONE;
  return named == TERM_NONE ? atom : named;
}

static term_id settled(const resolving *x, term_id term) {
  if (term == TERM_NONE) return TERM_NONE;
  shape_store *store = x->report->infer->store;
  mapping m = {x, false};
  term_id expressed = store_express(store, store_canon(store, term));
  term_id found = term_substitute(x->terms, expressed, map_atom, &m, NULL);
  return m.failed ? TERM_NONE : found;
}

static term_id settle_name(const resolving *x, uint32_t symbol, term_id meaning) {
  settled_names *n = x->names;
  uint32_t known;
  if (imap_get(&n->terms, symbol, &known)) return known;
  if (imap_get(&n->open, symbol, &known) && known == n->decided) return TERM_NONE;
  term_id term = settled(x, meaning);
  if (term == TERM_NONE) {
    imap_put(&n->open, x->graph->arena, symbol, n->decided);
  } else {
    imap_put(&n->terms, x->graph->arena, symbol, term);
  }
  return term;
}

static term_id settled_name(const resolving *x, uint32_t symbol) {
  shape_store *store = x->report->infer->store;
  term_id meaning = store_named(store, symbol);
  if (meaning == TERM_NONE) return TERM_NONE;
  while (x->names->done < symbol) {
    uint32_t older = x->names->done++;
    term_id other = store_named(store, older);
    if (other != TERM_NONE) settle_name(x, older, other);
  }
  return settle_name(x, symbol, meaning);
}

static term_id dim_term(const resolving *x, value_id v, uint32_t axis) {
  const infer_frame *frame = &x->report->infer->frames[0];
  assert(v < x->graph->value_count);
  if (v < frame->value_base || v >= frame->value_end) return TERM_NONE;
  const value_info *info = &frame->values[v - frame->value_base];
  return info->ranked && axis < info->rank ? info->dims[axis] : TERM_NONE;
}

static uint32_t rank_of(const resolving *x, value_id v) {
  const infer_frame *frame = &x->report->infer->frames[0];
  if (v == VALUE_NONE || v < frame->value_base || v >= frame->value_end) return 0;
  const value_info *info = &frame->values[v - frame->value_base];
  return info->ranked ? info->rank : 0;
}

static bool atom_value(void *data, term_id term, int64_t *value) {
  const resolving *x = data;
  return value_at_origin(x->origin, term, value);
}

// --- deciding

typedef struct beyond {
  const term_table *terms;
  bool has_broadcast;  // what is written can choose
} beyond;

static bool is_beyond(void *data, term_id atom) {
  const beyond *x = data;
  switch (term_kind_of(x->terms, atom)) {
  case TERM_SYMBOL:
  case TERM_FLOORDIV:
  case TERM_MIN: return false;
  case TERM_BCAST: return !x->has_broadcast;
  default: return true;
  }
}

// Takes the term where it is right at the original dims and can be written.
static bool decide(const resolving *x, literal_site *s, uint32_t axis, term_id term) {
  int64_t value;
  beyond b = {x->terms, s->list == ID_NONE};
  assert(axis < s->rank);
  if (s->now[axis] != TERM_NONE) return true;
  if (term == TERM_NONE || !value_at_origin(x->origin, term, &value)) return false;
  if (value != s->was[axis] || term_any_atom(x->terms, term, is_beyond, &b)) return false;
  s->now[axis] = term;
  x->names->decided++;
  return true;
}

static void keep_number(const resolving *x, literal_site *s, uint32_t axis) {
  assert(axis < s->rank && s->was[axis] >= 0);
  if (s->now[axis] != TERM_NONE) return;
  s->now[axis] = term_int(x->terms, s->was[axis]);
  x->names->decided++;
}

static bool is_number(const resolving *x, term_id term) {
  int64_t value;
  return term != TERM_NONE && term_int_value(x->terms, term, &value);
}

static bool is_decided(const literal_site *s) {
  for (uint32_t i = 0; i < s->rank; i++) {
    if (s->now[i] == TERM_NONE) return false;
  }
  return true;
}

static void take_forced(const resolving *x, literal_site *s) {
  value_id result = x->graph->ops[s->op].results;
  for (uint32_t i = 0; i < s->rank; i++) decide(x, s, i, settled(x, dim_term(x, result, i)));
}

// --- what the operation says

static bool try_reshape(const resolving *x, literal_site *s) {
  match_dim from[MATCH_MAX], to[MATCH_MAX];
  value_id operand = graph_operand(x->graph, s->op, 0);
  uint32_t rank = rank_of(x, operand);
  if (s->rank > MATCH_MAX || rank > MATCH_MAX) return false;
  for (uint32_t i = 0; i < rank; i++) {
    from[i].term = settled(x, dim_term(x, operand, i));
    if (from[i].term == TERM_NONE || !atom_value((void *)x, from[i].term, &from[i].number))
      return false;
  }
  for (uint32_t i = 0; i < s->rank; i++)
    to[i] = (match_dim){.term = s->now[i], .number = s->was[i], .takes_rest = s->written[i] == -1};
  match_reshape(x->terms, from, rank, to, s->rank, atom_value, (void *)x);
  for (uint32_t i = 0; i < s->rank; i++) {
    if (!decide(x, s, i, to[i].term)) keep_number(x, s, i);
  }
  return true;
}

// The dim of the operand that one of the result is. TERM_NONE: it is not known yet, or another one.
static void take_operand_dim(const resolving *x, literal_site *s, uint32_t axis, uint32_t of) {
  value_id operand = graph_operand(x->graph, s->op, 0);
  term_id term = settled(x, dim_term(x, operand, of));
  if (!is_number(x, term)) decide(x, s, axis, term);
}

static bool try_broadcast(const resolving *x, literal_site *s) {
  const int64_t *axes;
  uint32_t count;
  if (!graph_attr_ints(x->graph, graph_attr_named(x->graph, s->op, "broadcast_dimensions"), &axes,
                       &count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    if (axes[i] >= 0 && axes[i] < s->rank) take_operand_dim(x, s, (uint32_t)axes[i], i);
  }
  return is_decided(s);
}

static bool try_expand(const resolving *x, literal_site *s) {
  uint32_t rank = rank_of(x, graph_operand(x->graph, s->op, 0));
  for (uint32_t i = 0; i < s->rank; i++) {
    if (i + rank >= s->rank) take_operand_dim(x, s, i, i + rank - s->rank);
  }
  return is_decided(s);
}

// Items of a list that are no literals are what they are.
static void take_computed(const resolving *x, literal_site *s) {
  const infer_frame *frame = &x->report->infer->frames[0];
  for (uint32_t i = 0; s->list != ID_NONE && i < s->rank; i++) {
    value_id v = graph_operand(x->graph, s->list, i);
    if (s->written[i] == LITERAL_COMPUTED && v >= frame->value_base && v < frame->value_end) {
      const value_info *info = &frame->values[v - frame->value_base];
      if (info->elements && info->element_count == 1)
        decide(x, s, i, settled(x, info->elements[0]));
    }
    if (s->stays[i] && s->written[i] == s->was[i]) keep_number(x, s, i);
  }
}

static bool try_site(const resolving *x, literal_site *s) {
  take_computed(x, s);
  take_forced(x, s);
  switch (s->row->kind) {
  case LITERAL_RESHAPE: return try_reshape(x, s);
  case LITERAL_BROADCAST: return try_broadcast(x, s);
  case LITERAL_EXPAND: return try_expand(x, s);
  case LITERAL_FILL: break;
  }
  return is_decided(s);
}

// --- what is filled from nothing

// A dim of a value that is no number, and has the size of the literal.
static bool take_dim(const resolving *x, literal_site *s, uint32_t axis, value_id v, uint32_t of) {
  if (original_dim(x->loose->from, v, of) != s->was[axis]) return false;
  term_id term = settled(x, dim_term(x, v, of));
  return !is_number(x, term) && decide(x, s, axis, term);
}

static void meet(const resolving *x, literal_site *s, value_id v) {
  uint32_t rank = rank_of(x, v);
  bool aligned = s->row->operand != LITERAL_TYPE;
  for (uint32_t i = 0; i < s->rank && (aligned || rank == s->rank); i++) {
    uint32_t of = i + rank - s->rank;
    if (i + rank >= s->rank && s->now[i] == TERM_NONE) take_dim(x, s, i, v, of);
  }
}

static void meet_users(const resolving *x, literal_site *s) {
  const shape_graph *g = x->graph;
  value_id result = g->ops[s->op].results;
  uint32_t seen = 0;
  for (uint32_t use = x->first_user[result]; use && seen < USERS_MAX; use = x->next_user[use - 1]) {
    op_id op = x->user[use - 1];
    seen++;
    for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
      value_id v = graph_operand(g, op, i);
      if (v != VALUE_NONE && v != result) meet(x, s, v);
    }
    for (uint32_t i = 0; i < g->ops[op].result_count; i++) meet(x, s, g->ops[op].results + i);
  }
}

static bool has_shape(const resolving *x, const literal_site *s, value_id v) {
  if (rank_of(x, v) != s->rank) return false;
  for (uint32_t i = 0; i < s->rank; i++) {
    if (original_dim(x->loose->from, v, i) != s->was[i]) return false;
  }
  return true;
}

static void take_earlier(const resolving *x, literal_site *s) {
  value_id result = x->graph->ops[s->op].results;
  for (uint32_t back = 1; back <= EARLIER_MAX && back <= result && !is_decided(s); back++) {
    if (!has_shape(x, s, result - back)) continue;
    for (uint32_t i = 0; i < s->rank; i++) {
      if (s->now[i] == TERM_NONE) take_dim(x, s, i, result - back, i);
    }
  }
}

static void take_argument(const resolving *x, literal_site *s, uint32_t axis) {
  const original *o = x->loose->from;
  for (uint32_t k = 0; k < o->argument_count && s->was[axis] > 1; k++) {
    uint32_t rank = rank_of(x, o->arguments + k);
    for (uint32_t i = 0; i < rank && s->now[axis] == TERM_NONE; i++)
      take_dim(x, s, axis, o->arguments + k, i);
  }
}

static void guess(const resolving *x, literal_site *s) {
  meet_users(x, s);
  take_earlier(x, s);
  for (uint32_t i = 0; i < s->rank; i++) {
    take_argument(x, s, i);
    keep_number(x, s, i);
  }
}

// --- the whole

static void index_users(resolving *x) {
  const shape_graph *g = x->graph;
  x->first_user = arena_zalloc(g->arena, (g->value_count + 1) * sizeof *x->first_user);
  x->next_user = arena_zalloc(g->arena, (g->operand_count + 1) * sizeof *x->next_user);
  x->user = arena_zalloc(g->arena, (g->operand_count + 1) * sizeof *x->user);
  for (op_id op = g->op_count; op-- > 0;) {
    for (uint32_t i = g->ops[op].operand_count; i-- > 0;) {
      value_id v = graph_operand(g, op, i);
      uint32_t use = g->ops[op].operands + i;
      if (v == VALUE_NONE) continue;
      assert(use < g->operand_count && v < g->value_count);
      x->user[use] = op;
      x->next_user[use] = x->first_user[v];
      x->first_user[v] = use + 1;
    }
  }
}

static resolving begin(shape_report *report, loosening *loose) {
  shape_graph *g = report->graph;
  resolving x = {.report = report, .loose = loose, .graph = g, .terms = report->infer->terms};
  uint32_t rows = g->declared.symbol_count;
  x.origin = origin_values_make(report, loose->from);
  x.names = arena_zalloc(g->arena, sizeof *x.names);
  x.site_of_row = arena_alloc(g->arena, (rows + 1) * sizeof *x.site_of_row);
  for (uint32_t i = 0; i < rows; i++) x.site_of_row[i] = ID_NONE;
  for (uint32_t i = 0; i < loose->sites.count; i++) {
    const literal_site *s = &loose->sites.items[i];
    assert(s->first_symbol + s->rank <= rows);
    for (uint32_t k = 0; k < s->rank; k++) x.site_of_row[s->first_symbol + k] = i;
  }
  return x;
}

// In the order of the program, until nothing more is decided.
static uint32_t try_all(const resolving *x) {
  uint32_t open = UINT32_MAX;
  for (bool more = true; more;) {
    uint32_t now = 0;
    for (uint32_t i = 0; i < x->loose->sites.count; i++) {
      literal_site *s = &x->loose->sites.items[i];
      if (!is_decided(s) && !try_site(x, s)) now++;
    }
    more = now && now < open;
    open = now;
  }
  return open;
}

uint32_t literal_hole(const resolving *x, const literal_site *s) {
  uint32_t hole = ID_NONE;
  if (s->row->kind != LITERAL_RESHAPE) return ID_NONE;
  for (uint32_t i = 0; i < s->rank; i++) {
    bool number = is_number(x, s->now[i]);
    if (s->stays[i] || (number ? s->was[i] < 1 : hole != ID_NONE)) return ID_NONE;
    if (!number) hole = i;
  }
  return hole;
}

// --- lists

static bool is_same_list(const resolving *x, const literal_site *a, const literal_site *b) {
  return a->list == b->list && a->rank == b->rank && a->changed == b->changed &&
         literal_hole(x, a) == literal_hole(x, b) &&
         memcmp(a->stays, b->stays, a->rank * sizeof *a->stays) == 0 &&
         memcmp(a->now, b->now, a->rank * sizeof *a->now) == 0;
}

// Whether all that takes the list needs it as this site does. The sites of one list are compared with the first of them.
static bool serves_all(const resolving *x, const literal_site *s) {
  value_id made = x->graph->ops[s->list].results;
  const literal_sites *sites = &x->loose->sites;
  for (uint32_t use = x->first_user[made]; use; use = x->next_user[use - 1]) {
    op_id op = x->user[use - 1];
    assert(op < x->graph->op_count);
    const literal_site *other =
        sites->of_op[op] == ID_NONE ? NULL : &sites->items[sites->of_op[op]];
    bool is_literal_of_it = other && use - 1 == x->graph->ops[op].operands + other->row->operand;
    if (!is_literal_of_it || !is_same_list(x, s, other)) return false;
  }
  return true;
}

static bool has_hidden_uses(const resolving *x) {
  const mlir_uses *uses = x->loose->uses;
  for (op_id op = 0; uses && op < uses->op_count; op++) {
    if (uses->ops[op].hides) return true;
  }
  return false;
}

// Of Python, lists that several operations take are not reached, and MLIR names the operand.
static bool can_have_own_list(const resolving *x, const literal_site *s) {
  uint32_t operand = x->graph->ops[s->op].operands + s->row->operand;
  if (x->graph->format != GRAPH_MLIR) return false;
  return operand < x->loose->uses->operand_count && x->loose->uses->operands[operand] != UINT32_MAX;
}

// A list is written anew only where all of its users need it so. This is found out once for each list.
static void share_lists(resolving *x) {
  shape_imap served = {0};
  bool hidden = has_hidden_uses(x);
  for (uint32_t i = 0; i < x->loose->sites.count; i++) {
    literal_site *s = &x->loose->sites.items[i];
    bool fresh;
    if (s->list == ID_NONE) continue;
    uint32_t *slot = imap_slot(&served, x->graph->arena, s->list, &fresh);
    if (fresh) *slot = !hidden && serves_all(x, s);
    s->own_list = s->changed && !*slot;
  }
  for (uint32_t i = 0; i < x->loose->sites.count; i++) {
    literal_site *s = &x->loose->sites.items[i];
    if (s->own_list && !can_have_own_list(x, s)) s->changed = s->own_list = false;
  }
}

resolving resolve_literals(shape_report *report, loosening *loose) {
  resolving x = begin(report, loose);
  index_users(&x);
  while (try_all(&x)) {
    bool filled = false;
    for (uint32_t i = 0; i < loose->sites.count; i++) {
      literal_site *s = &loose->sites.items[i];
      if (is_decided(s) || s->row->kind == LITERAL_RESHAPE) continue;
      guess(&x, s);
      filled = true;
    }
    for (uint32_t i = 0; i < loose->sites.count && !filled; i++) {
      literal_site *s = &loose->sites.items[i];
      for (uint32_t k = 0; k < s->rank; k++) keep_number(&x, s, k);
    }
  }
  for (uint32_t i = 0; i < loose->sites.count; i++) {
    literal_site *s = &loose->sites.items[i];
    for (uint32_t k = 0; k < s->rank; k++) s->changed |= !s->stays[k] && !is_number(&x, s->now[k]);
  }
  share_lists(&x);
  return x;
}

// --- types

static bool is_argument(const original *o, value_id v) {
  return v >= o->arguments && v < o->arguments + o->argument_count;
}

static bool keeps_number(const resolving *x, value_id v, uint32_t axis, int64_t *dim) {
  const loosening *loose = x->loose;
  const graph_value *value = &x->graph->values[v];
  bool is_site =
      !value->is_argument && loose->sites.count && loose->sites.of_op[value->def] != ID_NONE;
  const original *o = loose->from;
  if (loose->kept[v]) return true;
  // What pins a dim of an argument is for the analysis of the written program to say.
  if (is_argument(o, v)) return !original_is_freed(o, v - o->arguments, axis);
  const literal_site *s = is_site ? &loose->sites.items[loose->sites.of_op[value->def]] : NULL;
  term_id term = s ? s->now[axis] : settled(x, dim_term(x, v, axis));
  return term == TERM_NONE || term_int_value(x->terms, term, dim);
}

static type_id loose_type_of(const resolving *x, value_id v) {
  shape_graph *g = x->graph;
  type_id id = x->loose->types[v];
  const graph_type *t = id == TYPE_NONE ? NULL : type_get(&g->types, id);
  if (!t || t->kind != TYPE_TENSOR || !t->rank || t->has_bounds) return id;
  int64_t *dims = arena_alloc(g->arena, t->rank * sizeof *dims);
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = t->dims[i];
    bool given = is_argument(x->loose->from, v) && !dim_is_static(dims[i]);
    if (!given && (!dim_is_static(dims[i]) || !keeps_number(x, v, i, &dims[i])))
      dims[i] = DIM_DYNAMIC;
  }
  return type_with_dims(&g->types, id, dims, NULL, t->rank);
}

const type_id *loose_types(const resolving *x) {
  const shape_graph *g = x->graph;
  type_id *types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *types);
  for (value_id v = 0; v < g->value_count; v++) types[v] = loose_type_of(x, v);
  return types;
}
