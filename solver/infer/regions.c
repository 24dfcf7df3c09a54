// SPDX-License-Identifier: Apache-2.0
// Scopes of regions: branches, regions applied to scalars, regions that always run.
//
// The facts of a region hold where it runs. A first, quiet pass over a branch finds what its results are, so that the
// walk can go on; when the scope around is complete, a second pass states the facts in a scope of its own, reports, and
// keeps claims and values in canonical form. Nested regions therefore cost twice their depth, never two to it.
#include <assert.h>

#include "solver/infer/state.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

void block_forget(infer_state *s, block_id block) {
  const graph_block *b = &s->g->blocks[block];
  infer_frame *f = state_frame(s);
  assert(!b->argument_count ||
         (b->arguments >= f->value_base &&
          (s->options->log || b->arguments + b->argument_count <= f->value_end)));
  for (uint32_t i = 0; i < b->argument_count; i++)
    f->values[b->arguments + i - f->value_base] = (value_info){0};
  for (op_id op = b->first; op != ID_NONE; op = s->g->ops[op].next) {
    const graph_op *o = &s->g->ops[op];
    assert(!o->result_count || (o->results >= f->value_base &&
                                (s->options->log || o->results + o->result_count <= f->value_end)));
    for (uint32_t i = 0; i < o->result_count; i++)
      f->values[o->results + i - f->value_base] = (value_info){0};
    for (uint32_t i = 0; i < o->region_count; i++) region_forget(s, o->regions + i);
  }
}

void region_forget(infer_state *s, region_id region) {
  const graph_region *r = &s->g->regions[region];
  for (uint32_t i = 0; i < r->block_count; i++) block_forget(s, r->first_block + i);
}

void walk_not_followed(infer_state *s, op_id op) {
  s->calls.lost = true;
  if (op == ID_NONE) return;
  rule_context c = walk_context(s, op, walk_row(s, op));
  rule_unchecked(&c, "the requirements in it hold",
                 "too many regions and calls are in one another");
}

void region_walk(infer_state *s, region_id region) {
  const graph_region *r = &s->g->regions[region];
  if (s->depth >= INFER_MAX_DEPTH) {
    walk_not_followed(s, r->op);
    return;
  }
  s->depth++;
  for (uint32_t i = 0; i < r->block_count; i++) {
    const graph_block *b = &s->g->blocks[r->first_block + i];
    for (uint32_t k = 0; k < b->argument_count; k++) {
      value_info *v = state_value(s, b->arguments + k);
      if (!v->visited)
        value_of_argument(s, v, s->g->values[b->arguments + k].type, s->frame, ID_NONE);
    }
    walk_block(s, r->first_block + i);
  }
  assert(s->depth <= INFER_MAX_DEPTH);
  s->depth--;
}

const value_id *region_results(infer_state *s, region_id region, uint32_t *count) {
  const graph_region *r = &s->g->regions[region];
  *count = 0;
  if (!r->block_count) return NULL;
  op_id last = ID_NONE;
  for (uint32_t i = 0; i < r->block_count; i++) {
    op_id end = graph_terminator(s->g, r->first_block + i);
    if (end == ID_NONE || walk_row(s, end)->structure != OP_RETURN) continue;
    if (last != ID_NONE) return NULL;  // it depends on the run which block ends it
    last = end;
  }
  if (last == ID_NONE) return NULL;
  *count = s->g->ops[last].operand_count;
  // Without any operands in the program there is no array to point into.
  return *count ? &s->g->operands[s->g->ops[last].operands] : s->g->operands;
}

block_id region_end(const infer_state *s, region_id region) {
  const graph_region *r = &s->g->regions[region];
  return r->block_count ? r->first_block + r->block_count - 1 : ID_NONE;
}

void region_arguments(infer_state *s, region_id region, const value_info *values, uint32_t count) {
  const graph_region *r = &s->g->regions[region];
  if (!r->block_count) return;
  const graph_block *b = &s->g->blocks[r->first_block];
  for (uint32_t i = 0; i < b->argument_count && i < count; i++) {
    value_info *v = state_value(s, b->arguments + i);
    *v = values[i];
    v->visited = true;
  }
}

// Facts of a trial are taken back, so that a quotient which they made would have no meaning outside.
static term_id canonical(infer_state *s, term_id t) {
  if (t == TERM_NONE) return t;
  t = store_canon(s->store, t);
  return scope_is_trial(s) ? store_express(s->store, t) : t;
}

static const term_id *terms_canonical(infer_state *s, const term_id *terms, uint32_t count) {
  term_id *copy = NULL;
  for (uint32_t i = 0; i < count; i++) {
    term_id canon = canonical(s, terms[i]);
    if (canon == terms[i] && !copy) continue;
    if (!copy) {
      copy = arena_alloc(s->arena, count * sizeof(term_id));
      for (uint32_t k = 0; k < i; k++) copy[k] = terms[k];
    }
    copy[i] = canon;
  }
  return copy ? copy : terms;
}

// keep: elements that become others are kept as they were, where none are yet.
static void value_canonical(infer_state *s, value_info *v, bool keep) {
  if (v->ranked && v->rank) v->dims = terms_canonical(s, v->dims, v->rank);
  if (!v->elements) return;
  const size_t bytes = v->element_count * sizeof(term_id);
  const term_id *stated = value_stated(v);
  const term_id *made = terms_canonical(s, v->elements, v->element_count);
  if (made == v->elements) return;
  if (keep || v->keeps_stated) {
    term_id *both = arena_alloc(s->arena, 2 * bytes);
    memcpy(both, made, bytes);
    memcpy(both + v->element_count, stated, bytes);
    made = both;
    v->keeps_stated = true;
  }
  v->elements = made;
}

value_info *values_canonical(infer_state *s, const value_id *values, uint32_t count) {
  value_info *out = arena_alloc(s->arena, (count + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < count; i++) {
    out[i] = values[i] == VALUE_NONE ? (value_info){0} : *state_value(s, values[i]);
    value_canonical(s, &out[i], false);
  }
  return out;
}

// --- scopes

void defer(infer_state *s, deferred_op entry) {
  s->left.deferred =
      arena_grow(s->arena, s->left.deferred, s->left.deferred_count, s->left.deferred_count + 1,
                 &s->left.deferred_capacity, sizeof(*s->left.deferred));
  s->left.deferred[s->left.deferred_count++] = entry;
}

static region_scope remember(infer_state *s) {
  return (region_scope){.scope = s->scope,
                        .pending = s->left.pending_count,
                        .deferred = s->left.deferred_count,
                        .assumed = s->log.assumed_count,
                        .conflicts = s->log.conflicts,
                        .first_fact = store_fact_count(s->store),
                        .base_pending = s->left.base_pending,
                        .base_deferred = s->left.base_deferred,
                        .base_depth = s->left.base_depth,
                        .conditional = s->conditional,
                        .quiet = s->quiet};
}

static void forget_ranks(infer_state *s, uint32_t assumed) {
  assert(s->log.assumed_count >= assumed);
  while (s->log.assumed_count > assumed) {
    value_info *v = s->log.assumed[--s->log.assumed_count];
    v->ranked = false;
    v->dims = NULL;
    v->rank = 0;
    value_set_rank_from(s->arena, v, 0);
  }
}

// What both kinds of scopes take back at their end.
static void restore(infer_state *s, region_scope outer) {
  store_pop(s->store);
  forget_ranks(s, outer.assumed);
  s->log.conflicts = outer.conflicts;
  s->scope = outer.scope;
  s->conditional = outer.conditional;
  s->quiet = outer.quiet;
}

region_scope trial_enter(infer_state *s) {
  region_scope outer = remember(s);
  // Popped facts keep their numbers: one of its own, by depth, separates a trial's facts from those that hold.
  s->scope = (s->scope >= SCOPE_TRIAL ? s->scope : SCOPE_TRIAL) + 1;
  store_push(s->store, s->scope);
  s->conditional = true;
  s->quiet = true;
  trace_say(s->budget, TRACE_scope, "trial opens in scope %u", outer.scope);
  return outer;
}

void trial_leave(infer_state *s, region_scope outer) {
  trace_say(s->budget, TRACE_scope, "trial closes, with %u facts",
            store_fact_count(s->store) - outer.first_fact);
  assert(s->left.pending_count >= outer.pending && s->left.deferred_count >= outer.deferred);
  assert(scope_is_trial(s));
  restore(s, outer);
  s->left.pending_count = outer.pending;
  s->left.deferred_count = outer.deferred;
}

region_scope scope_enter(infer_state *s, op_id op, uint32_t region, bool dead) {
  region_scope outer = remember(s);
  infer_result *r = s->r;
  r->scopes = arena_grow(s->arena, r->scopes, r->scope_count, r->scope_count + 1,
                         &r->capacity.scopes, sizeof(*r->scopes));
  r->scopes[r->scope_count] =
      (infer_scope){op == ID_NONE ? ID_NONE : s->scope, op, region, s->frame, TERM_NONE};
  s->scope = r->scope_count++;
  s->left.base_pending = s->left.pending_count;
  s->left.base_deferred = s->left.deferred_count;
  s->left.base_depth = s->depth;
  store_push(s->store, s->scope);
  s->conditional = op != ID_NONE;
  s->quiet = outer.quiet || dead;
  if (trace_wants(s->budget, TRACE_scope)) narrate_scope(s, op, region, outer.scope, dead);
  return outer;
}

static void branch_final(infer_state *s, const deferred_op *entry);
static void branch_region(infer_state *s, const deferred_op *entry, uint32_t i, branch_kind kind);

static void finals(infer_state *s, uint32_t first) {
  uint32_t frame = s->frame;
  for (uint32_t i = first; i < s->left.deferred_count; i++) {
    deferred_op entry = s->left.deferred[i];
    s->frame = entry.frame;
    if (entry.blocks) {
      body_final(s, &entry);
    } else if (entry.carried) {
      loop_final(s, &entry);
    } else {
      branch_final(s, &entry);
    }
  }
  s->left.deferred_count = first;
  s->frame = frame;
}

void scope_complete(infer_state *s, region_scope outer) {
  walk_again(s, outer.pending, false);
  finals(s, outer.deferred);
}

void scope_settle(infer_state *s) {
  uint32_t depth = s->depth;
  s->depth = s->left.base_depth;
  walk_again(s, s->left.base_pending, true);
  finals(s, s->left.base_deferred);
  assert(s->left.pending_count >= s->left.base_pending &&
         s->left.deferred_count == s->left.base_deferred);
  s->depth = depth;
}

// What a rule computed is kept: that a scope knows more of it may come from a requirement in the scope.
static void value_settle(infer_state *s, value_info *v) { value_canonical(s, v, true); }

static void block_canonical(infer_state *s, block_id block) {
  const graph_block *b = &s->g->blocks[block];
  for (uint32_t i = 0; i < b->argument_count; i++)
    value_settle(s, state_value(s, b->arguments + i));
  for (op_id op = b->first; op != ID_NONE; op = s->g->ops[op].next) {
    const graph_op *o = &s->g->ops[op];
    for (uint32_t i = 0; i < o->result_count; i++) value_settle(s, state_value(s, o->results + i));
  }
}

void scope_leave(infer_state *s, region_scope outer, block_id first, uint32_t count) {
  scope_complete(s, outer);
  trace_say(s->budget, TRACE_scope, "%u closes, with %u facts", s->scope,
            store_fact_count(s->store) - outer.first_fact);
  if (store_fact_count(s->store) > outer.first_fact) {
    if (!s->quiet) claims_collect(s, outer.first_fact);
    for (uint32_t i = 0; i < count; i++) block_canonical(s, first + i);
  }
  assert(s->left.pending_count == outer.pending && s->left.deferred_count == outer.deferred);
  restore(s, outer);
  s->left.base_pending = outer.base_pending;
  s->left.base_deferred = outer.base_deferred;
  s->left.base_depth = outer.base_depth;
}

void region_leave(infer_state *s, region_scope outer, region_id region) {
  scope_leave(s, outer, s->g->regions[region].first_block, s->g->regions[region].block_count);
}

// --- branches

// The first operand of if (an i1) or case (an index) as a term, or TERM_NONE.
static term_id stated_selector(rule_context *c) {
  uint32_t count;
  if (c->row->param == CONTROL_AFFINE_IF) return affine_condition(c);
  const term_id *e = rule_elements(c, 0, &count);
  return e && count == 1 ? e[0] : TERM_NONE;
}

static term_id selector_of(rule_context *c) {
  term_id selector = stated_selector(c);
  return selector == TERM_NONE ? TERM_NONE : store_canon(c->store, selector);
}

// 1 where region i of scf.index_switch runs: its case, or none of them for region 0.
static term_id switch_condition(rule_context *c, term_id selector, uint32_t i) {
  const int64_t *cases;
  uint32_t count;
  if (!rule_ints(c, "cases", &cases, &count) || i > count) return TERM_NONE;
  if (i) return term_eq(c->terms, selector, term_int(c->terms, cases[i - 1]));
  term_id none = TERM_ONE;
  for (uint32_t k = 0; k < count; k++) {
    term_id other = term_eq(c->terms, selector, term_int(c->terms, cases[k]));
    none = term_mul(c->terms, none, term_not(c->terms, other));
  }
  return none;
}

// 1 where branch `i` of `n` runs. StableHLO spec, case: an index out of bounds runs the last branch.
static term_id branch_condition(rule_context *c, term_id selector, branch_kind kind, uint32_t i,
                                uint32_t n) {
  if (selector == TERM_NONE) return TERM_NONE;
  assert(i < n);
  if (kind == BRANCH_SWITCH) return switch_condition(c, selector, i);
  if (kind == BRANCH_IF) return i == 0 ? selector : term_not(c->terms, selector);
  if (i + 1 < n) return term_eq(c->terms, selector, term_int(c->terms, i));
  term_id below = term_lt(c->terms, selector, term_int(c->terms, (int64_t)n - 1));
  return term_not(c->terms, term_mul(c->terms, term_le(c->terms, TERM_ZERO, selector), below));
}

static uint32_t known_branch(rule_context *c, term_id selector, branch_kind kind, uint32_t n) {
  int64_t value;
  if (selector == TERM_NONE || !n || !term_int_value(c->terms, selector, &value)) return ID_NONE;
  if (kind == BRANCH_IF) return value ? 0 : n - 1;
  if (kind == BRANCH_SWITCH) {
    const int64_t *cases;
    uint32_t count, i = 0;
    if (!rule_ints(c, "cases", &cases, &count) || count + 1 != n) return ID_NONE;
    while (i < count && cases[i] != value) i++;
    return i < count ? i + 1 : 0;
  }
  return value < 0 || value >= (int64_t)n ? n - 1 : (uint32_t)value;
}

// Facts of one branch, as stated, that speak of what was there before the branch only.
typedef struct branch_facts {
  predicate *items;
  uint32_t count;
} branch_facts;

enum { LIFTED_MAX = 256, LIFTED_BRANCHES = 16, JOINED_MAX = 8 };

static branch_facts facts_since(infer_state *s, fact_id first) {
  branch_facts out = {0};
  uint32_t end = store_fact_count(s->store);
  if (end <= first) return out;
  if (end - first > LIFTED_MAX) end = first + LIFTED_MAX;
  out.items = arena_alloc(s->arena, (end - first) * sizeof(predicate));
  for (fact_id i = first; i < end; i++) {
    const fact *f = store_fact(s->store, i);
    if (f->scope == s->scope && f->why.kind == REASON_OP && f->why.required)
      out.items[out.count++] = f->p;
  }
  return out;
}

static bool same_predicate(rule_context *c, predicate p, predicate q) {
  if (p.rel != q.rel) return false;
  if (store_equal(c->store, p.left, q.left) && store_equal(c->store, p.right, q.right)) return true;
  bool symmetric = p.rel == REL_EQ || p.rel == REL_NE;
  return symmetric && store_equal(c->store, p.left, q.right) &&
         store_equal(c->store, p.right, q.left);
}

// What every branch requires holds around them too.
static void lift_common(rule_context *c, const branch_facts *branches, uint32_t n) {
  for (uint32_t i = 0; i < branches[0].count; i++) {
    predicate p = branches[0].items[i];
    bool common = true;
    for (uint32_t b = 1; b < n && common; b++) {
      common = false;
      for (uint32_t k = 0; k < branches[b].count && !common; k++) {
        predicate q = branches[b].items[k];
        common = same_predicate(c, p, q);
      }
    }
    if (common) rule_require(c, p, "every branch requires it");
  }
}

static bool is_quotient(void *data, term_id atom) {
  const term_table *terms = data;
  const term_node *node = term_get(terms, atom);
  return node->kind == TERM_FLOORDIV && term_kind_of(terms, node->as.args[1]) != TERM_CONST;
}

// A quotient by a size that may be 0 where the other branch runs has no value there.
static bool has_symbolic_divisor(rule_context *c, term_id t) {
  return term_any_atom(c->terms, t, is_quotient, c->terms);
}

// One term for "the value of the branch that runs": equal terms stay; else a choice by the selector.
static term_id join_terms(rule_context *c, const term_id *terms, uint32_t n, term_id selector,
                          branch_kind kind) {
  assert(n > 0);
  term_id last = terms[n - 1], joined = last;
  bool same = true;
  for (uint32_t i = 0; i < n; i++) {
    if (terms[i] == TERM_NONE) return TERM_NONE;
    same = same && terms[i] == last;
  }
  if (same) return last;
  if (selector == TERM_NONE || n > JOINED_MAX) return TERM_NONE;
  for (uint32_t i = 0; i < n; i++) {
    if (has_symbolic_divisor(c, terms[i])) return TERM_NONE;
  }
  // Exactly one condition is 1, the others are 0.
  for (uint32_t i = 0; i + 1 < n; i++) {
    term_id chosen = branch_condition(c, selector, kind, i, n);
    joined =
        term_add(c->terms, joined, term_mul(c->terms, chosen, term_sub(c->terms, terms[i], last)));
  }
  return joined;
}

static term_id fresh_between(rule_context *c, const term_id *terms, uint32_t n) {
  assert(n > 0);
  interval range = store_range(c->store, terms[0]), both;
  for (uint32_t i = 1; i < n; i++) range = interval_join(range, store_range(c->store, terms[i]));
  if (!interval_meet(range, interval_at_least(NUM(0)), &both)) both = interval_at_least(NUM(0));
  c->log->fresh++;
  return store_symbol(c->store,
                      (symbol_info){.range = both, .multiple_of = NUM(1), .rank = SYMBOL_OPAQUE});
}

// A choice lies where its branches lie; the polynomial that says which one it is may not show that.
static void keep_range(rule_context *c, term_id joined, const term_id *terms, uint32_t n) {
  interval all = store_range(c->store, terms[0]), known = store_range(c->store, joined);
  for (uint32_t i = 1; i < n; i++) all = interval_join(all, store_range(c->store, terms[i]));
  reason why = {.kind = REASON_SIZE,
                .subject = c->op,
                .frame = c->frame,
                .what = "one of the branches' dims"};
  if (all.has_lo && (!known.has_lo || num_compare(known.lo, all.lo) < 0))
    store_add(c->store, predicate_make(REL_GE, joined, term_const(c->terms, all.lo)), why);
  if (all.has_hi && (!known.has_hi || num_compare(known.hi, all.hi) > 0))
    store_add(c->store, predicate_make(REL_LE, joined, term_const(c->terms, all.hi)), why);
}

static void join_elements(infer_state *s, rule_context *c, uint32_t result,
                          value_info *const *branches, uint32_t n, term_id selector,
                          branch_kind kind) {
  assert(n > 0);
  uint32_t count = branches[0][result].element_count;
  for (uint32_t b = 0; b < n; b++) {
    if (!branches[b][result].elements || branches[b][result].element_count != count) return;
  }
  term_id *out = arena_alloc(s->arena, (count + 1) * sizeof(term_id));
  term_id *choice = arena_alloc(s->arena, n * sizeof(term_id));
  for (uint32_t k = 0; k < count; k++) {
    for (uint32_t b = 0; b < n; b++) choice[b] = branches[b][result].elements[k];
    out[k] = join_terms(c, choice, n, selector, kind);
  }
  rule_set_elements(c, result, out, count);
}

// Result `result` of the operation from those of its branches. A declared size is what each branch must give.
static void join_result(infer_state *s, rule_context *c, uint32_t result,
                        value_info *const *branches, uint32_t n, term_id selector,
                        branch_kind kind) {
  const value_info *first = &branches[0][result];
  if (n == 1) {
    rule_set_value(c, result, first);
    return;
  }
  for (uint32_t b = 0; b < n; b++) {
    const value_info *v = &branches[b][result];
    if (!v->ranked || v->rank != first->rank || value_parts(v)) {
      rule_set_unknown(c, result);
      return;
    }
  }
  const graph_type *t = rule_result_type(c, result);
  if (t && (t->kind != TYPE_TENSOR || t->rank != first->rank)) t = NULL;
  term_id *dims = arena_alloc(s->arena, (first->rank + 1) * sizeof(term_id));
  term_id *choice = arena_alloc(s->arena, n * sizeof(term_id));
  for (uint32_t d = 0; d < first->rank; d++) {
    dims[d] = t ? rule_declared_size(c, t->dims[d]) : TERM_NONE;
    if (dims[d] != TERM_NONE) continue;
    for (uint32_t b = 0; b < n; b++) choice[b] = branches[b][result].dims[d];
    dims[d] = join_terms(c, choice, n, selector, kind);
    if (dims[d] == TERM_NONE) {
      dims[d] = fresh_between(c, choice, n);
    } else {
      keep_range(c, dims[d], choice, n);
    }
  }
  rule_set_dims(c, result, dims, first->rank);
  join_elements(s, c, result, branches, n, selector, kind);
}

// The chosen branch of a known selector runs where the operation runs. One that takes values gets `arguments`.
static void run_known(infer_state *s, rule_context *c, uint32_t branch, const value_info *arguments,
                      uint32_t argument_count) {
  assert(branch < s->g->ops[c->op].region_count);
  region_id region = s->g->ops[c->op].regions + branch;
  uint32_t count;
  region_forget(s, region);
  region_arguments(s, region, arguments, argument_count);
  region_walk(s, region);
  const value_id *results = region_results(s, region, &count);
  value_info *values = values_canonical(s, results, results ? count : 0);
  for (uint32_t i = 0; i < rule_result_count(c) && i < count; i++) rule_set_value(c, i, &values[i]);
}

// Whether the requirements of a branch contradict one another or what holds around it, whatever chooses it.
static bool conflicts_by_itself(infer_state *s, region_id region) {
  assert(!s->quiet && region < s->g->region_count);
  region_scope outer = trial_enter(s);
  region_forget(s, region);
  region_walk(s, region);
  walk_again(s, outer.pending, false);
  bool found = s->log.conflicts > outer.conflicts;
  trial_leave(s, outer);
  return found;
}

// A branch whose requirements contradict what holds ends no run: it is not chosen, and what the others give and require
// is all there is. It gets its last pass now, before that is said, so that the conflict is reported as it was found:
// as a warning where it comes from the condition alone, since runs that choose another branch are legal.
static bool leave_out(infer_state *s, rule_context *c, const bool *dead, uint32_t n,
                      branch_kind kind, value_info **branches, branch_facts *facts) {
  uint32_t live = ID_NONE;
  bool any = false;
  for (uint32_t i = 0; i < n; i++) {
    any |= dead[i];
    if (!dead[i]) live = i;
  }
  if (!any || live == ID_NONE) return false;
  deferred_op entry = {.frame = s->frame, .op = c->op, .done = ID_NONE};
  for (uint32_t i = 0; i < n; i++) {
    if (!dead[i]) continue;
    branches[i] = branches[live];
    facts[i] = facts[live];
    if (s->quiet) continue;
    bool outside = s->context.by_condition;
    s->context.by_condition |= !conflicts_by_itself(s, s->g->ops[c->op].regions + i);
    branch_region(s, &entry, i, kind);
    s->context.by_condition = outside;
  }
  for (uint32_t i = 0; i < n; i++) {
    term_id chosen = branch_condition(c, selector_of(c), kind, i, n);
    if (dead[i]) rule_require_bool(c, chosen, false, "a branch that cannot run is not chosen");
  }
  return true;
}

void structure_branches(infer_state *s, rule_context *c, branch_kind kind) {
  uint32_t n = s->g->ops[c->op].region_count;
  term_id selector = selector_of(c);
  uint32_t known = known_branch(c, selector, kind, n);
  if (known != ID_NONE) {
    run_known(s, c, known, NULL, 0);
    if (!s->quiet)
      defer(s, (deferred_op){.frame = s->frame, .op = c->op, .done = known, .dead = true});
    return;
  }
  if (s->visits > s->visit_limit) {  // regions in regions, calls in regions: no trial any more
    for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
    if (!s->quiet) defer(s, (deferred_op){.frame = s->frame, .op = c->op, .done = ID_NONE});
    return;
  }
  value_info **branches = arena_alloc(s->arena, (n + 1) * sizeof(*branches));
  branch_facts *facts = arena_zalloc(s->arena, (n + 1) * sizeof(*facts));
  bool *dead = arena_zalloc(s->arena, n + 1u), complete = n > 0;
  for (uint32_t i = 0; i < n; i++) {
    region_id region = s->g->ops[c->op].regions + i;
    uint32_t count;
    region_scope outer = trial_enter(s);
    rule_context inner = *c;
    inner.quiet = true;
    if (!s->whole)
      rule_fact_bool(&inner, branch_condition(c, selector, kind, i, n), true, "the branch runs");
    region_forget(s, region);
    region_walk(s, region);
    walk_again(s, outer.pending, false);
    const value_id *results = region_results(s, region, &count);
    branches[i] = values_canonical(s, results, results ? count : 0);
    facts[i] = facts_since(s, outer.first_fact);
    dead[i] = s->log.conflicts > outer.conflicts;
    if (!results || count != rule_result_count(c)) complete = false;
    trial_leave(s, outer);
    if (results && count != rule_result_count(c))
      rule_error_in(c, region_end(s, region), "region",
                    "branch #%u returns %u values, there are %u results", i, count,
                    rule_result_count(c));
  }
  bool any_dead = complete && leave_out(s, c, dead, n, kind, branches, facts);
  if (n > 1 && n <= LIFTED_BRANCHES) lift_common(c, facts, n);
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    if (complete) {
      join_result(s, c, i, branches, n, selector, kind);
    } else {
      rule_set_unknown(c, i);
    }
  }
  if (!s->quiet)
    defer(s, (deferred_op){
                 .frame = s->frame, .op = c->op, .done = ID_NONE, .final = any_dead ? dead : NULL});
}

// In ONNX declared types require nothing of a run.
void region_leave_rank(rule_context *c, const value_info *v) {
  if (v->visited && !v->ranked && !c->row->since)
    rule_unchecked(c, "what is handed over has the rank of the type", "a rank is not known");
}

// What a branch returns has the type that the operation declares.
static void require_declared_results(infer_state *s, rule_context *c, region_id region) {
  uint32_t count;
  const value_id *results = region_results(s, region, &count);
  for (uint32_t i = 0; results && i < count && i < rule_result_count(c); i++) {
    const graph_type *t = rule_result_type(c, i);
    const value_info *v = rule_value(c, results[i]);
    if (!t || t->kind != TYPE_TENSOR) continue;
    region_leave_rank(c, v);
    if (!v->ranked) continue;
    if (t->rank != v->rank) {
      rule_error(c, "region", "result #%u has rank %u, a branch returns rank %u", i, t->rank,
                 v->rank);
      continue;
    }
    for (uint32_t d = 0; d < t->rank; d++) {
      term_id size = rule_declared_size(c, t->dims[d]);
      if (size != TERM_NONE)
        rule_require_eq(c, v->dims[d], size, "a branch returns the declared dim");
    }
  }
}

static void branch_region(infer_state *s, const deferred_op *entry, uint32_t i, branch_kind kind) {
  const op_row *row = walk_row(s, entry->op);
  assert(i < s->g->ops[entry->op].region_count);
  region_id region = s->g->ops[entry->op].regions + i;
  region_scope outer = scope_enter(s, entry->op, i, entry->dead);
  rule_context c = walk_context(s, entry->op, row);
  if (!entry->dead) {
    uint32_t n = s->g->ops[entry->op].region_count;
    c.quiet = true;
    s->r->scopes[s->scope].condition = branch_condition(&c, stated_selector(&c), kind, i, n);
    rule_fact_bool(&c, branch_condition(&c, selector_of(&c), kind, i, n), true, "the branch runs");
    // What is known already may say that it does not run.
    s->quiet = s->quiet || s->log.conflicts > outer.conflicts;
    c.quiet = s->quiet;
  }
  region_forget(s, region);
  region_walk(s, region);
  require_declared_results(s, &c, region);
  region_leave(s, outer, region);
}

static void branch_final(infer_state *s, const deferred_op *entry) {
  uint8_t structure = walk_row(s, entry->op)->structure;
  branch_kind kind = structure == OP_CASE           ? BRANCH_CASE
                     : structure == OP_INDEX_SWITCH ? BRANCH_SWITCH
                                                    : BRANCH_IF;
  if (s->options->whole_regions && !s->conditional) whole_walk(s, entry->op);
  for (uint32_t i = 0; i < s->g->ops[entry->op].region_count; i++) {
    if (i != entry->done && !(entry->final && entry->final[i])) branch_region(s, entry, i, kind);
  }
}

// --- regions that are applied to scalars, and regions that always run

void structure_apply(infer_state *s, op_id op) {
  if (s->quiet) return;  // they say nothing about the results
  const graph_op *o = &s->g->ops[op];
  uint32_t regions = o->region_count;
  for (uint32_t i = 0; i < regions; i++) {
    region_id region = s->g->ops[op].regions + i;
    region_scope outer = scope_enter(s, op, i, false);
    region_forget(s, region);
    region_walk(s, region);
    region_leave(s, outer, region);
  }
}

void structure_assuming(infer_state *s, rule_context *c) {
  const graph_op *o = &s->g->ops[c->op];
  if (!o->region_count) return;
  if (c->row->param != CONTROL_CLUSTER) {
    run_known(s, c, 0, NULL, 0);
  } else {
    run_known(s, c, 0, values_canonical(s, &s->g->operands[o->operands], o->operand_count),
              o->operand_count);
  }
}

// StableHLO spec, async_start: the body runs once, sooner or later, on the operands.
void structure_async(infer_state *s, rule_context *c) {
  const graph_op *o = &s->g->ops[c->op];
  if (o->region_count != 1 || rule_result_count(c) != 1) return;
  region_id region = o->regions;
  value_info *arguments = values_canonical(s, &s->g->operands[o->operands], o->operand_count);
  uint32_t count;
  region_forget(s, region);
  region_arguments(s, region, arguments, o->operand_count);
  region_walk(s, region);
  const value_id *results = region_results(s, region, &count);
  if (!results) return;
  value_info future = {.visited = true};
  value_set_parts(s->arena, &future, values_canonical(s, results, count), count);
  rule_set_value(c, 0, &future);
}
