// SPDX-License-Identifier: Apache-2.0
// The ledger of requirements: each that a rule stated, or could not state, ends as exactly one of
//   proven     declarations, the signature, facts that no run breaks, or guards say it
//   guard      a check over the arguments of the entry says it
//   unchecked  no check says it: it is listed with the reason
//
// The signature says what merged dims imply: argument_dims and argument_values (each argument axis equals its entry once
// every symbol is bound at its origin). What is left are the requirements that stayed predicates. Those of the entry's
// own scope are listed in the answer form; where that form says nothing, or rests on what holds only after a later loop
// has ended, the requirement is listed as it was stated (exact.c). Those of a region count only where the region runs:
// with the product C of the conditions around it, each 0 or 1, `a == b` is C*(a - b) == 0.
//
// Guards are thinned out against one another and the declared ranges only: a fact that some operation makes true holds
// once that operation has run, so it cannot excuse a check that is made before.
#include <assert.h>
#include <stdlib.h>

#include "solver/base/sort.h"
#include "solver/report/checks.h"
#include "solver/report/work.h"

enum { DEEPEST = 32 };  // regions in regions whose conditions are inspected

typedef enum settled { OPEN, PROVEN, GUARDED, UNCHECKED } settled;

// Where a region runs, as far as the arguments say: at most where all of these hold.
typedef struct conditions {
  predicate *when;
  uint32_t count;
  term_id all;  // their product
  bool never;   // the signature alone says that the region does not run
} conditions;

// Which scope an infer_scope is, by what it is the scope of.
typedef struct scope_entry {
  op_id op;
  uint32_t region, frame, scope;
} scope_entry;

typedef struct ledger {
  shape_report *r;
  candidates list;  // of the entry, then what is added here
  uint8_t *keep;    // of the list
  uint8_t *claims;  // settled, by claim
  report_unchecked *rows;
  uint32_t row_count, row_capacity;
  uint32_t settled[UNCHECKED + 1];  // how many requirements ended so
  uint8_t *unproven;                // of the report
  scope_entry *scopes;              // in the order of regions; made where operations failed
  uint32_t scope_count;
} ledger;

static bool is_of_entry(const infer_result *infer, uint32_t scope) {
  while (scope != 0 && scope < infer->scope_count) scope = infer->scopes[scope].parent;
  return scope == 0;
}

static bool is_stated_before_loops_end(const infer_result *infer, const infer_claim *claim) {
  return claim->fact < infer->late_end;
}

// --- operations that require something

// The signature may say it just because the operation does: what refines a program may not leave the operation out.
static void note_unproven(ledger *l, const reason *why) {
  const shape_graph *g = l->r->graph;
  if (why->kind != REASON_OP || why->subject >= g->op_count) return;
  if (!l->unproven) l->unproven = arena_zalloc(l->r->work->arena, g->op_count);
  l->unproven[why->subject] = 1;
}

static void note_unproven_op(ledger *l, op_id op) {
  note_unproven(l, &(reason){.kind = REASON_OP, .subject = op});
}

// --- what no guard says

static void add_row(ledger *l, op_id op, const char *requirement, const char *why) {
  assert(op == ID_NONE || op < l->r->graph->op_count);
  shape_arena *arena = l->r->work->arena;
  l->rows = arena_grow(arena, l->rows, l->row_count, (size_t)l->row_count + 1, &l->row_capacity,
                       sizeof *l->rows);
  l->rows[l->row_count++] = (report_unchecked){op, requirement, why};
}

static op_id op_of(const shape_report *r, const reason *why) {
  if (why->kind == REASON_OP && why->subject < r->graph->op_count) return why->subject;
  const report_function *f = &r->functions[0];
  return f->end_op > f->first_op ? f->end_op - 1 : ID_NONE;
}

static bool is_before(const void *of, uint32_t i, uint32_t k) {
  const ledger *l = of;
  op_id a = l->rows[i].op, b = l->rows[k].op;
  if (a == ID_NONE || b == ID_NONE) return a < b;
  source_span x = l->r->graph->ops[a].span, y = l->r->graph->ops[b].span;
  return x.begin != y.begin ? x.begin < y.begin : a < b;
}

static bool is_repeat(const report_unchecked *rows, uint32_t count, const report_unchecked *row) {
  for (uint32_t i = count; i-- > 0 && rows[i].op == row->op;) {
    if (strcmp(rows[i].requirement, row->requirement) == 0) return true;
  }
  return false;
}

// By location: rows of one operation stay in the order in which they were found.
static void list_rows(ledger *l) {
  shape_report *r = l->r;
  uint32_t kept = 0, *order = arena_alloc(r->work->arena, (l->row_count + 1) * sizeof *order);
  report_unchecked *rows = arena_alloc(r->work->arena, (l->row_count + 1) * sizeof *rows);
  for (uint32_t i = 0; i < l->row_count; i++) order[i] = i;
  sort_indices(r->work->arena, order, l->row_count, is_before, l);
  for (uint32_t i = 0; i < l->row_count; i++) {
    if (!is_repeat(rows, kept, &l->rows[order[i]])) rows[kept++] = l->rows[order[i]];
  }
  r->unchecked = rows;
  r->unchecked_count = kept;
}

// --- conditions

// A test of what is 1 or 0 itself, as the comparison that it denotes.
static predicate plain_test(term_table *t, term_id truth) {
  term_id other = term_not(t, truth);
  term_kind kind = term_kind_of(t, truth), not_kind = term_kind_of(t, other);
  bool is = kind == TERM_IS_NEG || kind == TERM_IS_ZERO;
  if (!is && not_kind != TERM_IS_NEG && not_kind != TERM_IS_ZERO) {
    if (kind != TERM_SYMBOL && term_kind_of(t, other) == TERM_SYMBOL)
      return predicate_make(REL_EQ, other, TERM_ZERO);
    return predicate_make(REL_NE, truth, TERM_ZERO);
  }
  const term_node *node = term_get(t, is ? truth : other);
  assert(node->kind == TERM_IS_NEG || node->kind == TERM_IS_ZERO);
  relation rel = node->kind == TERM_IS_NEG ? REL_LT : REL_EQ;
  return predicate_make(is ? rel : relation_not(rel), node->as.args[0], TERM_ZERO);
}

// 1 or 0: whether the condition is not 0.
static term_id truth_of(shape_report *r, term_id condition) {
  interval range = store_range(r->infer->store, condition);
  bool plain =
      range.has_lo && range.has_hi && num_sign(range.lo) >= 0 && num_compare(range.hi, NUM(1)) <= 0;
  term_table *t = r->infer->terms;
  return plain ? condition : term_not(t, term_eq(t, condition, TERM_ZERO));
}

static conditions conditions_of(shape_report *r, uint32_t scope, fact_id before) {
  const infer_result *infer = r->infer;
  conditions out = {arena_alloc(r->work->arena, DEEPEST * sizeof *out.when), 0, TERM_ONE, false};
  for (; scope != 0 && scope < infer->scope_count; scope = infer->scopes[scope].parent) {
    assert(infer->scopes[scope].parent < scope);
    term_id condition = infer->scopes[scope].condition;
    if (condition == TERM_NONE || out.count == DEEPEST) continue;
    condition = exact_term(r, condition, before);
    out.never |= condition == TERM_ZERO;
    if (condition == TERM_NONE) continue;
    condition = truth_of(r, condition);
    term_id all = term_mul(infer->terms, out.all, condition);
    if (term_kind_of(infer->terms, condition) == TERM_CONST ||
        term_outweighs(infer->terms, all, VALUE_MAX_WEIGHT))
      continue;
    out.all = all;
    out.when[out.count++] = plain_test(infer->terms, condition);
  }
  assert(out.count <= DEEPEST);
  return out;
}

// `p` where all conditions hold; itself where that would be no predicate of an answer.
static predicate where(term_table *t, predicate p, term_id all) {
  if (all == TERM_ONE) return p;
  term_id d = term_sub(t, p.left, p.right);
  if (p.rel == REL_GT || p.rel == REL_GE) d = term_neg(t, d);
  predicate out = predicate_make(REL_LE, TERM_NONE, TERM_ZERO);
  switch (p.rel) {
  case REL_EQ: out = predicate_make(REL_EQ, term_mul(t, all, d), TERM_ZERO); break;
  case REL_NE:
    d = term_mul(t, all, term_sub(t, d, TERM_ONE));
    out = predicate_make(REL_NE, term_add(t, d, TERM_ONE), TERM_ZERO);
    break;
  case REL_LT:
  case REL_GT: out.left = term_mul(t, all, term_add(t, d, TERM_ONE)); break;
  case REL_LE:
  case REL_GE: out.left = term_mul(t, all, d); break;
  default: out = predicate_make(p.rel, term_mul(t, all, p.left), p.right); break;
  }
  return term_outweighs(t, out.left, VALUE_MAX_WEIGHT) ? p : out;
}

// --- guards

static bool is_determined(shape_report *r, predicate p) {
  return names_determined(r, p.left, r->infer->entry) &&
         names_determined(r, p.right, r->infer->entry);
}

// Adds a check of `p` where the conditions hold. False where the requirement says nothing.
static bool add_guard(ledger *l, predicate p, conditions c, const infer_claim *claim) {
  shape_report *r = l->r;
  candidate made = {.why = claim->why,
                    .fact = claim->fact,
                    .scope = claim->scope,
                    .guard = true,
                    .requirement = p,
                    .when = c.when,
                    .when_count = c.count};
  predicate normal, whole = where(r->infer->terms, p, c.all);
  bool says = classify_normal(r, p, &normal);
  if (says) made.requirement = made.p = normal;
  bool same = whole.rel == p.rel && whole.left == p.left && whole.right == p.right;
  if (same ? !says : !classify_normal(r, whole, &made.p)) return false;
  candidates *to = &l->list;
  to->items = arena_grow(r->work->arena, to->items, to->count, (size_t)to->count + 1, &to->capacity,
                         sizeof made);
  assert(to->count < to->capacity);
  to->items[to->count++] = made;
  return true;
}

static const char FAILS_SOMEWHERE[] =
    "it fails wherever it runs, and the arguments do not determine where";

static settled settle_exactly(ledger *l, const infer_claim *claim) {
  shape_report *r = l->r;
  predicate p = claim->p;
  fact_id before = is_stated_before_loops_end(r->infer, claim) ? claim->fact : FACT_NONE;
  conditions c = conditions_of(r, claim->scope, before);
  if (c.never) return PROVEN;
  p.left = exact_term(r, p.left, before);
  p.right = exact_term(r, p.right, before);
  if (p.left == TERM_NONE || p.right == TERM_NONE) {
    term_id left = answer_term(r, claim->p.left), right = answer_term(r, claim->p.right);
    p = predicate_make(p.rel, left, right);
    predicate normal;
    bool says = before == FACT_NONE && claim->scope != 0 && is_determined(r, p) &&
                classify_normal(r, p, &normal);
    if (!says) {
      report_because why = report_reason(r, &claim->why);
      add_row(l, op_of(r, &claim->why), why.message,
              "it depends on what the program computes from data");
      return UNCHECKED;
    }
  }
  if (add_guard(l, p, c, claim)) return GUARDED;
  // What is no check of arguments holds in every run, or in none: there the conditions are not all known.
  if (store_known(r->infer->store, where(r->infer->terms, p, c.all))) return PROVEN;
  report_because why = report_reason(r, &claim->why);
  add_row(l, op_of(r, &claim->why), why.message, FAILS_SOMEWHERE);
  return UNCHECKED;
}

// A claim of the entry's scope that a guard of the list says, in the answer form.
static void note_guard(ledger *l, uint32_t claim, uint32_t at) {
  assert(at < l->list.count && (claim == ID_NONE || claim < l->r->infer->claim_count));
  const candidate *c = &l->list.items[at];
  if (!c->guard || claim == ID_NONE || !is_determined(l->r, c->p)) return;
  if (l->claims[claim] != GUARDED) l->claims[claim] = l->keep[at] ? GUARDED : PROVEN;
}

static void note_guards(ledger *l) {
  const report_work *w = l->r->work;
  for (uint32_t i = 0; i < l->list.count; i++) note_guard(l, l->list.items[i].claim, i);
  for (uint32_t i = 0; i < w->repeat_count; i++)
    note_guard(l, w->repeats[i].claim, w->repeats[i].candidate);
}

static void count(ledger *l, settled how) {
  assert(how != OPEN);
  l->settled[how]++;
}

// The answer form of what is not computed from arguments may come from the very requirement.
static bool rests_on_data(shape_report *r, const infer_claim *claim) {
  return exact_term(r, claim->p.left, FACT_NONE) == TERM_NONE ||
         exact_term(r, claim->p.right, FACT_NONE) == TERM_NONE;
}

static void settle_claims(ledger *l) {
  const infer_result *infer = l->r->infer;
  for (uint32_t i = 0; i < infer->claim_count; i++) {
    const infer_claim *claim = &infer->claims[i];
    if (!claim->guard) continue;
    if (!is_of_entry(infer, claim->scope)) {
      note_unproven(l, &claim->why);
      continue;
    }
    bool early = is_stated_before_loops_end(infer, claim);
    if (!early && claim->scope != 0 && store_known(infer->store, claim->p)) {
      l->claims[i] = PROVEN;
    } else if (early || l->claims[i] == OPEN || rests_on_data(l->r, claim)) {
      l->claims[i] = (uint8_t)settle_exactly(l, claim);
    }
    if (!claim->scope || l->claims[i] != PROVEN) note_unproven(l, &claim->why);
    count(l, (settled)l->claims[i]);
  }
}

// --- what rules could not state

static void settle_rows(ledger *l) {
  const infer_result *infer = l->r->infer;
  for (uint32_t i = 0; i < infer->log->unchecked_count; i++) {
    const unchecked_row *row = &infer->log->unchecked[i];
    if (row->stated) continue;
    note_unproven_op(l, row->op);
    if (!is_of_entry(infer, row->scope)) continue;
    add_row(l, row->op, row->requirement, row->reason);
    count(l, UNCHECKED);
  }
}

// --- regions that must not run

static int by_region(const void *a, const void *b) {
  const scope_entry *x = a, *y = b;
  if (x->op != y->op) return x->op < y->op ? -1 : 1;
  if (x->region != y->region) return x->region < y->region ? -1 : 1;
  if (x->frame != y->frame) return x->frame < y->frame ? -1 : 1;
  return (x->scope > y->scope) - (x->scope < y->scope);
}

static void index_scopes(ledger *l) {
  const infer_result *infer = l->r->infer;
  l->scopes = arena_alloc(l->r->work->arena, (infer->scope_count + 1) * sizeof *l->scopes);
  for (uint32_t i = 1; i < infer->scope_count; i++) {
    const infer_scope *s = &infer->scopes[i];
    l->scopes[l->scope_count++] = (scope_entry){s->op, s->region, s->frame, i};
  }
  if (l->scope_count) qsort(l->scopes, l->scope_count, sizeof *l->scopes, by_region);
}

// The last scope of a region of an operation in one frame.
static uint32_t scope_of_region(const ledger *l, op_id op, uint32_t region, uint32_t frame) {
  const scope_entry last = {op, region, frame, ID_NONE};
  uint32_t low = 0, high = l->scope_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (by_region(&l->scopes[middle], &last) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const scope_entry *found = low ? &l->scopes[low - 1] : NULL;
  bool same = found && found->op == op && found->region == region && found->frame == frame;
  return same ? found->scope : ID_NONE;
}

// The innermost scope around an operation in one frame of its function. Those of the blocks of a body are of the end of
// its entry block (infer/blocks.c).
static uint32_t scope_around(const ledger *l, op_id op, uint32_t frame) {
  const shape_graph *g = l->r->graph;
  assert(op < g->op_count && frame < l->r->infer->frame_count);
  for (op_id around = op; around != ID_NONE;) {
    block_id block = g->ops[around].parent;
    if (block == ID_NONE) break;
    const graph_region *region = &g->regions[g->blocks[block].region];
    bool inner = region->op != ID_NONE;
    op_id owner = inner ? region->op : graph_terminator(g, region->first_block);
    uint32_t index =
        inner ? g->blocks[block].region - g->ops[owner].regions : block - region->first_block;
    uint32_t scope =
        inner || (index && owner != ID_NONE) ? scope_of_region(l, owner, index, frame) : ID_NONE;
    if (scope != ID_NONE) return scope;
    around = region->op;
  }
  return l->r->infer->frames[frame].scope;
}

// What contradicts the dims around a branch was reported, and the branch must not run.
static void settle_failure(ledger *l, const failure_row *failure) {
  shape_report *r = l->r;
  op_id op = failure->op;
  assert(r->graph->ops[op].parent < r->graph->block_count);
  func_id func = r->graph->regions[r->graph->blocks[r->graph->ops[op].parent].region].func;
  if (func >= r->graph->func_count) return;
  for (uint32_t f = r->work->frame_first[func]; f != ID_NONE; f = r->work->frame_next[f]) {
    uint32_t scope = scope_around(l, op, f);
    if (!is_of_entry(r->infer, scope)) continue;
    infer_claim never = {.p = predicate_make(REL_EQ, TERM_ZERO, TERM_ONE),
                         .why = {.kind = REASON_OP, .subject = op, .what = failure->message},
                         .fact = FACT_NONE,
                         .scope = scope,
                         .guard = true};
    conditions c = conditions_of(r, scope, FACT_NONE);
    bool guarded = !c.never && c.count && add_guard(l, never.p, c, &never);
    if (!guarded && !c.never) add_row(l, op, failure->message, FAILS_SOMEWHERE);
    note_unproven_op(l, op);
    count(l, c.never ? PROVEN : guarded ? GUARDED : UNCHECKED);
  }
}

typedef struct placed_failure {
  uint32_t at, index;
} placed_failure;

static int by_position(const void *a, const void *b) {
  const placed_failure *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static void settle_failures(ledger *l) {
  const shape_report *r = l->r;
  uint32_t count = r->infer->log->failure_count;
  placed_failure *order = arena_alloc(r->work->arena, (count + 1) * sizeof *order);
  for (uint32_t i = 0; i < count; i++)
    order[i] = (placed_failure){r->graph->ops[r->infer->log->failures[i].op].span.begin, i};
  if (!count) return;
  index_scopes(l);
  qsort(order, count, sizeof *order, by_position);
  for (uint32_t i = 0; i < count; i++) settle_failure(l, &r->infer->log->failures[order[i].index]);
}

// --- all of it

// Guards of the entry's own scope: kept says what select_irredundant left of all facts.
static void keep_guards(ledger *l, const uint8_t *kept) {
  bool same = true;
  for (uint32_t i = 0; i < l->list.count; i++) {
    const candidate *c = &l->list.items[i];
    l->keep[i] = c->guard && is_determined(l->r, c->p);
    same &= l->keep[i];
  }
  if (same) {  // every fact is a check, so the facts that are left are those that are needed
    memcpy(l->keep, kept, l->list.count);
  } else {
    select_irredundant(l->r, &l->list, l->keep);
  }
}

// Names of dims may be what they are equal to by now, so that the check of a disjunction is one of a bound.
static bool restate_guards(ledger *l, uint32_t first) {
  bool any = false;
  for (uint32_t i = 0; i < l->list.count; i++) {
    candidate *c = &l->list.items[i];
    restatement simple;
    predicate normal;
    if ((i < first && !l->keep[i]) || c->when_count ||
        !store_restate_alone(l->r->infer->store, c->p, &simple) ||
        !classify_normal(l->r, simple.p, &normal))
      continue;
    c->p = normal;
    any = true;
  }
  return any;
}

// What was added is thinned out against the guards there are, which stay unless some say something simpler by now.
static void thin_added(ledger *l, uint32_t first) {
  assert(first <= l->list.count);
  bool all = restate_guards(l, first);
  uint8_t *keep = arena_alloc(l->r->work->arena, l->list.count + 1u);
  if (first == l->list.count && !all) return;
  for (uint32_t i = 0; i < l->list.count; i++)
    keep[i] = i >= first || (all && l->keep[i]) ? SELECT_MAY_GO : l->keep[i] ? SELECT_STAYS : 0;
  select_drop_repeats(l->r, &l->list, all ? 0 : first, keep);
  select_irredundant(l->r, &l->list, keep);
  l->keep = keep;
}

// The symbol that a guard says to be at least 1; TERM_NONE: it says something else.
static term_id positive_of(const ledger *l, const candidate *c) {
  const term_table *t = l->r->infer->terms;
  bool turned = c->p.rel == REL_LE;
  term_id symbol = turned ? c->p.right : c->p.left, bound = turned ? c->p.left : c->p.right;
  num low;
  if (!turned && c->p.rel != REL_GE) return TERM_NONE;
  if (term_kind_of(t, symbol) != TERM_SYMBOL || !term_const_value(t, bound, &low)) return TERM_NONE;
  return num_sign(low) > 0 ? symbol : TERM_NONE;
}

// T <= N*T is N >= 1 where another guard is T >= 1: all of them hold together as before.
static void divide_guard(ledger *l, uint32_t at, const shape_imap *positive) {
  candidate *c = &l->list.items[at];
  term_table *t = l->r->infer->terms;
  term_id gap, rest;
  if (c->p.rel != REL_LE && c->p.rel != REL_GE) return;
  gap =
      c->p.rel == REL_GE ? term_sub(t, c->p.left, c->p.right) : term_sub(t, c->p.right, c->p.left);
  if (term_kind_of(t, gap) != TERM_SUM) return;
  term_id factor = term_common_factor(t, gap);
  const term_power *powers;
  term_power room;
  const term_part *parts;
  term_part part;
  if (term_kind_of(t, factor) == TERM_CONST) return;
  term_parts(t, factor, &parts, &part);
  if (num_sign(parts[0].coefficient) <= 0) return;
  uint32_t count = term_powers(t, parts[0].monomial, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t by;
    if (!imap_get(positive, powers[i].atom, &by) || by == at) return;
  }
  predicate normal;
  if (term_divide_exact(t, gap, factor, &rest) &&
      classify_normal(l->r, predicate_make(REL_GE, rest, TERM_ZERO), &normal))
    c->p = normal;
}

static void divide_guards(ledger *l) {
  shape_imap positive = {0};  // symbol -> the guard that says so
  assert(l->keep || !l->list.count);
  for (uint32_t i = 0; i < l->list.count; i++) {
    const candidate *c = &l->list.items[i];
    if (!l->keep[i] || !c->guard || c->when_count) continue;
    term_id symbol = positive_of(l, c);
    if (symbol != TERM_NONE) imap_put(&positive, l->r->work->arena, symbol, i);
  }
  for (uint32_t i = 0; i < l->list.count && positive.count; i++) {
    const candidate *c = &l->list.items[i];
    if (l->keep[i] && c->guard && !c->when_count) divide_guard(l, i, &positive);
  }
}

// A requirement that a guard of another one says too is proven by that guard.
static void sum_up(ledger *l) {
  shape_report *r = l->r;
  uint32_t said = l->settled[GUARDED], guards = r->guards.count;
  report_ledger sum = {.guards = guards, .unchecked = r->unchecked_count};
  sum.proven = l->settled[PROVEN] + (said > guards ? said - guards : 0);
  sum.requirements = sum.proven + sum.guards + sum.unchecked;
  assert(sum.unchecked <= l->settled[UNCHECKED] && !sum.unchecked == !l->settled[UNCHECKED]);
  r->ledger = sum;
}

void ledger_make(shape_report *r, const candidates *entry, const uint8_t *kept) {
  const infer_result *infer = r->infer;
  ledger l = {.r = r, .list = *entry};
  l.keep = arena_alloc(r->work->arena, entry->count + 1u);
  l.claims = arena_zalloc(r->work->arena, infer->claim_count + 1u);
  l.settled[PROVEN] = infer->log->proven;
  keep_guards(&l, kept);
  note_guards(&l);
  if (r->function_count && r->functions[0].id == infer->entry) {
    settle_claims(&l);
    settle_rows(&l);
    settle_failures(&l);
  }
  thin_added(&l, entry->count);
  divide_guards(&l);
  r->work->left_out = arena_alloc(r->work->arena, (l.list.count + 1) * sizeof *r->work->left_out);
  for (uint32_t i = 0; i < l.list.count; i++) {
    const candidate *c = &l.list.items[i];
    if (l.keep[i]) {
      constraint_append(r, &r->guards, c, explain_scope(r, c->scope));
    } else if (c->guard && is_determined(r, c->p)) {
      r->work->left_out[r->work->left_out_count++] = c->p;
    }
  }
  assert(r->work->left_out_count <= l.list.count);
  list_rows(&l);
  r->unproven = l.unproven;
  sum_up(&l);
}
