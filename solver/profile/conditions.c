// SPDX-License-Identifier: Apache-2.0
#include "solver/profile/conditions.h"

#include <assert.h>

#include "solver/decide/query.h"
#include "solver/report/checks.h"
#include "solver/term/limits.h"
#include "solver/term/print.h"

enum { QUOTIENTS_IN_ONE_ANOTHER = 64, STEPS = 200000000 };

// --- terms over the free dims

static void set_meaning(conditions *c, uint32_t number, term_id meaning) {
  assert(meaning == TERM_NONE || meaning < c->terms.count);
  c->meanings = arena_grow(&c->arena, c->meanings, c->meaning_count, (size_t)c->meaning_count + 1,
                           &c->meaning_capacity, sizeof meaning);
  imap_put(&c->shown, &c->arena, number, c->meaning_count);
  c->meanings[c->meaning_count++] = meaning;
}

static term_id take(conditions *c, term_id term, uint32_t depth);

// Symbols of the report are replaced as they are copied: each has its meaning by then.
static term_id meaning_of(void *data, uint32_t number) {
  conditions *c = data;
  uint32_t index;
  bool known = imap_get(&c->shown, number, &index);
  assert(known && c->meanings[index] != TERM_NONE);
  return known ? c->meanings[index] : TERM_ZERO;
}

// Quotients that no argument shows are what they denote.
static void find_meaning(conditions *c, uint32_t number, uint32_t depth) {
  term_id dividend, whole = TERM_NONE;
  num divisor;
  if (depth < QUOTIENTS_IN_ONE_ANOTHER &&
      report_quotient(c->dims->report, number, &dividend, &divisor))
    whole = take(c, dividend, depth + 1);
  set_meaning(c, number,
              whole == TERM_NONE ? TERM_NONE
                                 : term_floordiv(&c->terms, whole, term_const(&c->terms, divisor)));
}

static term_id take(conditions *c, term_id term, uint32_t depth) {
  term_table *from = c->dims->report->infer->terms;
  if (term == TERM_NONE) return TERM_NONE;
  bool known = !(term_kinds(from, term) & KIND_BIT(TERM_APPLY));
  term_id *symbols;
  uint32_t count = known ? term_symbols(from, term, &c->arena, &symbols) : 0;
  for (uint32_t i = 0; i < count && known; i++) {
    uint32_t index, number = term_get(from, symbols[i])->as.symbol;
    if (!imap_get(&c->shown, number, &index)) find_meaning(c, number, depth);
    known = imap_get(&c->shown, number, &index) && c->meanings[index] != TERM_NONE;
  }
  return known ? extract_term(&c->extraction, term) : TERM_NONE;
}

term_id conditions_term(conditions *c, term_id term) { return take(c, term, 0); }

// --- from the checks of the report

static void require_divisors(conditions *c, term_id term);

// A divisor that is 0 leaves the domain of a query: that it is none is a condition of its own.
static condition *add(conditions *c, predicate p) {
  require_divisors(c, p.left);
  require_divisors(c, p.right);
  if (p.rel == REL_DIVISIBLE && term_kind_of(&c->terms, p.right) != TERM_CONST)
    add(c, predicate_make(REL_NE, p.right, TERM_ZERO));
  c->items = arena_grow(&c->arena, c->items, c->count, (size_t)c->count + 1, &c->capacity,
                        sizeof *c->items);
  c->items[c->count] = (condition){.p = p};
  return &c->items[c->count++];
}

typedef struct divisor_list {
  conditions *c;
  term_id items[16];
  uint32_t count;
} divisor_list;

static void list_divisor(void *data, term_id atom) {
  divisor_list *l = data;
  const term_node *node = term_get(&l->c->terms, atom);
  if (node->kind != TERM_FLOORDIV || term_kind_of(&l->c->terms, node->as.args[1]) == TERM_CONST)
    return;
  if (l->count < sizeof l->items / sizeof *l->items) {
    l->items[l->count++] = node->as.args[1];
  } else {
    l->c->complete = false;
  }
}

static void require_divisors(conditions *c, term_id term) {
  divisor_list l = {.c = c};
  if (term_kind_of(&c->terms, term) == TERM_CONST) return;
  term_visit_atoms(&c->terms, term, list_divisor, &l);
  for (uint32_t i = 0; i < l.count; i++) {
    bool fresh;
    *imap_slot(&c->divisors, &c->arena, l.items[i], &fresh) = 1;
    if (fresh) add(c, predicate_make(REL_NE, l.items[i], TERM_ZERO));
  }
}

// What an argument shows: a free dim, or a number. TERM_NONE: something else.
static term_id operand_term(conditions *c, check_operand o) {
  assert(c->dims->positions || !c->dims->argument_count);
  if (o.value || o.argument >= c->dims->argument_count || o.axis >= c->dims->ranks[o.argument])
    return TERM_NONE;
  dim_position position = c->dims->positions[o.argument][o.axis];
  if (position.dim != ID_NONE) return c->symbols[position.dim];
  return position.fixed >= 0 ? term_int(&c->terms, position.fixed) : TERM_NONE;
}

static void take_binding(conditions *c, const check_binding *b) {
  uint32_t number = term_get(c->dims->report->infer->terms, b->symbol)->as.symbol;
  assert(term_kind_of(c->dims->report->infer->terms, b->symbol) == TERM_SYMBOL);
  term_id rest = conditions_term(c, b->rest);
  term_id shown = b->computed ? TERM_ZERO : operand_term(c, b->operand);
  if (rest == TERM_NONE || shown == TERM_NONE) {
    set_meaning(c, number, TERM_NONE);
  } else if (b->computed) {
    set_meaning(c, number, rest);
  } else {
    term_id left = term_sub(&c->terms, shown, rest), factor = term_const(&c->terms, b->factor);
    if (!num_is_one(b->factor)) add(c, predicate_make(REL_DIVISIBLE, left, factor));
    set_meaning(c, number, term_floordiv(&c->terms, left, factor));
  }
}

static bool take_predicate(conditions *c, predicate p, predicate *out) {
  out->rel = p.rel;
  out->left = conditions_term(c, p.left);
  out->right = conditions_term(c, p.right);
  return out->left != TERM_NONE && out->right != TERM_NONE;
}

static bool take_holds(conditions *c, const report_check *check) {
  predicate p;
  if (!take_predicate(c, check->p, &p)) return false;
  predicate *when = arena_alloc(&c->arena, (check->when_count + 1) * sizeof *when);
  uint32_t count = 0;
  // A condition that is not known is taken to hold: then the check counts, to be safe.
  for (uint32_t i = 0; i < check->when_count; i++) {
    if (!take_predicate(c, check->when[i], &when[count])) continue;
    require_divisors(c, when[count].left);
    require_divisors(c, when[count++].right);
  }
  condition *made = add(c, p);
  made->when = when;
  made->when_count = count;
  made->ranges = check->ranges;
  made->range_count = check->range_count;
  return true;
}

static bool take_check(conditions *c, const report_check *check) {
  if (check->kind == CHECK_HOLDS) return take_holds(c, check);
  if (!check->operand.value && check->operand.axis < c->dims->ranks[check->operand.argument]) {
    // A dim that other dims determine is what the report says it is.
    dim_position position = c->dims->positions[check->operand.argument][check->operand.axis];
    if (position.dim == ID_NONE && position.fixed < 0) return true;
  }
  term_id shown = operand_term(c, check->operand), value = conditions_term(c, check->p.right);
  if (shown == TERM_NONE || value == TERM_NONE) return false;
  if (shown != value) add(c, predicate_make(REL_EQ, shown, value));
  return true;
}

conditions *conditions_of(const free_dims *dims) {
  shape_report *r = dims->report;
  shape_arena *parent = r->graph->arena;
  conditions *c = arena_zalloc(parent, sizeof *c);
  shape_budget *outer = r->infer->terms->budget;
  c->dims = dims;
  arena_init_child(&c->arena, parent);
  arena_init_child(&c->scratch, parent);
  budget_init(&c->budget, &c->arena, STEPS, outer->stop);
  if (budget_left(outer) < STEPS) budget_allow(&c->budget, budget_left(outer));
  term_table_init(&c->terms, &c->arena, &c->budget);
  c->symbols = arena_alloc(&c->arena, (dims->count + 1) * sizeof *c->symbols);
  for (uint32_t i = 0; i < dims->count; i++) c->symbols[i] = term_symbol(&c->terms);
  c->extraction =
      (extraction){.from = r->infer->terms, .to = &c->terms, .symbol = meaning_of, .data = c};
  const report_checks *checks = report_checks_all(r);
  c->complete = !checks->open_count;
  for (uint32_t i = 0; i < checks->binding_count; i++) take_binding(c, &checks->bindings[i]);
  for (uint32_t i = 0; i < checks->check_count; i++) {
    if (!take_check(c, &checks->checks[i])) c->complete = false;
  }
  return c;
}

// --- at a point

typedef struct evaluation {
  const conditions *c;
  const int64_t *point;
  uint32_t work;  // left
} evaluation;

static bool value_of(evaluation *e, term_id id, int64_t *out);

static bool divide_down(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
  return true;
}

static bool value_of_atom(evaluation *e, const term_node *n, int64_t *out) {
  int64_t a, b;
  if (n->kind == TERM_APPLY || !n->count || !value_of(e, n->as.args[0], &a)) return false;
  switch (n->kind) {
  case TERM_FLOORDIV: return value_of(e, n->as.args[1], &b) && divide_down(a, b, out);
  case TERM_MIN:
  case TERM_MAX:
    *out = a;
    for (uint32_t i = 1; i < n->count; i++) {
      if (!value_of(e, n->as.args[i], &b)) return false;
      if (n->kind == TERM_MIN ? b < *out : b > *out) *out = b;
    }
    return true;
  case TERM_BCAST: return a == 1 ? value_of(e, n->as.args[1], out) : (*out = a, true);
  case TERM_SELECT: return value_of(e, n->as.args[a == 0 ? 2 : 1], out);
  case TERM_IS_ZERO: *out = a == 0; return true;
  case TERM_IS_NEG: *out = a < 0; return true;
  case TERM_BIGMUL: *out = a; return n->count == 1;
  default: return false;
  }
}

static bool value_of(evaluation *e, term_id id, int64_t *out) {
  const term_node *n = term_get(&e->c->terms, id);
  int64_t x, sum = n->kind == TERM_PRODUCT;
  if (!e->work) return false;
  e->work--;
  switch (n->kind) {
  case TERM_CONST: return num_to_int(n->as.value, out);
  case TERM_SYMBOL: *out = e->point[n->as.symbol]; return true;
  case TERM_SUM:
    for (uint32_t i = 0; i < n->count; i++) {
      int64_t k;
      if (!num_to_int(n->as.parts[i].coefficient, &k) ||
          !value_of(e, n->as.parts[i].monomial, &x) || __builtin_mul_overflow(k, x, &x) ||
          __builtin_add_overflow(sum, x, &sum))
        return false;
    }
    break;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < n->count; i++) {
      if (!value_of(e, n->as.powers[i].atom, &x)) return false;
      for (uint32_t k = 0; k < n->as.powers[i].exponent; k++) {
        if (__builtin_mul_overflow(sum, x, &sum)) return false;
      }
    }
    break;
  default: return value_of_atom(e, n, out);
  }
  *out = sum;
  return true;
}

bool conditions_value(const conditions *c, const int64_t *point, term_id term, int64_t *value) {
  evaluation e = {c, point, CERTIFY_POINT_WORK};
  return value_of(&e, term, value);
}

// False: not known. Where the divisor is 0 nothing is claimed.
static bool truth_of(const conditions *c, const int64_t *point, predicate p, bool *out) {
  int64_t a, b;
  if (!conditions_value(c, point, p.left, &a) || !conditions_value(c, point, p.right, &b))
    return false;
  switch (p.rel) {
  case REL_EQ: *out = a == b; break;
  case REL_NE: *out = a != b; break;
  case REL_LT: *out = a < b; break;
  case REL_LE: *out = a <= b; break;
  case REL_GT: *out = a > b; break;
  case REL_GE: *out = a >= b; break;
  default:
    if (b == 0) return false;
    *out = b == -1 || a % b == 0;
  }
  return true;
}

static condition_answer holds_at(const conditions *c, const condition *item, const int64_t *point) {
  bool truth;
  for (uint32_t i = 0; i < item->when_count; i++) {
    if (truth_of(c, point, item->when[i], &truth) && !truth) return CONDITIONS_HOLD;
  }
  if (!item->ranges) {
    if (!truth_of(c, point, item->p, &truth)) return CONDITIONS_UNKNOWN;
    return truth ? CONDITIONS_HOLD : CONDITIONS_VIOLATED;
  }
  int64_t value;
  if (!conditions_value(c, point, item->p.left, &value)) return CONDITIONS_UNKNOWN;
  for (uint32_t i = 0; i < item->range_count; i++) {
    if (value >= item->ranges[2 * i] && value <= item->ranges[2 * i + 1]) return CONDITIONS_HOLD;
  }
  return CONDITIONS_VIOLATED;
}

condition_answer conditions_at(conditions *c, const int64_t *point, uint32_t *which) {
  condition_answer all = c->complete ? CONDITIONS_HOLD : CONDITIONS_UNKNOWN;
  budget_take(c->dims->report->infer->terms->budget, 1 + c->count);
  for (uint32_t i = 0; i < c->count; i++) {
    condition_answer one = holds_at(c, &c->items[i], point);
    if (one == CONDITIONS_VIOLATED) {
      *which = i;
      return one;
    }
    if (one == CONDITIONS_UNKNOWN) all = one;
  }
  return all;
}

// --- over a box

static query query_over(conditions *c, const dim_range *box) {
  uint32_t count = c->dims->count;
  query_symbol *symbols = arena_alloc(&c->scratch, (count + 1) * sizeof *symbols);
  for (uint32_t i = 0; i < count; i++)
    symbols[i] = (query_symbol){c->symbols[i], interval_of(box[i].min, box[i].max), NUM(1)};
  return (query){.arena = &c->scratch,
                 .terms = &c->terms,
                 .budget = &c->budget,
                 .symbols = symbols,
                 .symbol_count = count};
}

static bool in_one_range(conditions *c, const dim_range *box, const condition *item) {
  int64_t bounds[2];
  if (!conditions_bounds(c, box, item->p.left, bounds)) return false;
  for (uint32_t i = 0; i < item->range_count; i++) {
    if (bounds[0] >= item->ranges[2 * i] && bounds[1] <= item->ranges[2 * i + 1]) return true;
  }
  return false;
}

static condition_answer holds_over(conditions *c, const dim_range *box, const condition *item,
                                   int64_t *point) {
  if (item->ranges)
    return !item->when_count && in_one_range(c, box, item) ? CONDITIONS_HOLD : CONDITIONS_UNKNOWN;
  arena_mark mark = arena_get_mark(&c->scratch);
  query q = query_over(c, box);
  q.premises = item->when;
  q.premise_count = item->when_count;
  query_result result = query_ask(&q, item->p);
  condition_answer answer = CONDITIONS_UNKNOWN;
  if (result.conflict || result.answer == SHAPE_YES) answer = CONDITIONS_HOLD;
  bool anywhere = result.answer == SHAPE_NO && !item->when_count;
  bool witness = result.answer == SHAPE_UNKNOWN && result.witness_false;
  for (uint32_t i = 0; (anywhere || witness) && i < c->dims->count; i++) {
    if (anywhere) {
      point[i] = box[i].typical;
    } else if (!num_to_int(result.witness_false[i], &point[i])) {
      witness = false;
    }
  }
  arena_rewind(&c->scratch, mark);
  if ((anywhere || witness) && holds_at(c, item, point) == CONDITIONS_VIOLATED)
    answer = CONDITIONS_VIOLATED;
  return answer;
}

condition_answer conditions_over(conditions *c, const dim_range *box, uint32_t *which,
                                 int64_t *point) {
  condition_answer all = c->complete ? CONDITIONS_HOLD : CONDITIONS_UNKNOWN;
  for (uint32_t i = 0; i < c->count; i++) {
    condition_answer one = holds_over(c, box, &c->items[i], point);
    if (one == CONDITIONS_VIOLATED) {
      *which = i;
      return one;
    }
    if (one == CONDITIONS_UNKNOWN) all = one;
  }
  return all;
}

bool conditions_bounds(conditions *c, const dim_range *box, term_id term, int64_t bounds[2]) {
  arena_mark mark = arena_get_mark(&c->scratch);
  interval found;
  const query q = query_over(c, box);
  bool fine = query_bounds(&q, term, &found) && found.has_lo && found.has_hi &&
              num_to_int(found.lo, &bounds[0]) && num_to_int(found.hi, &bounds[1]);
  arena_rewind(&c->scratch, mark);
  return fine;
}

// --- text

static void name_dim(void *data, shape_strbuf *out, uint32_t symbol) {
  const conditions *c = data;
  assert(symbol < c->dims->count);
  term_print_name(out, c->dims->items[symbol].name.text, c->dims->items[symbol].name.length);
}

static const char *conditions_term_text(conditions *c, term_id term) {
  shape_strbuf out;
  const term_namer namer = {.symbol = name_dim, .data = c};
  strbuf_init(&out, c->dims->report->graph->arena);
  term_print(&c->terms, &out, term, &namer);
  return strbuf_text(&out);
}

const char *conditions_text(conditions *c, const condition *item) {
  static const char *const RELATION[] = {[REL_EQ] = "==", [REL_NE] = "!=", [REL_LT] = "<",
                                         [REL_LE] = "<=", [REL_GT] = ">",  [REL_GE] = ">="};
  shape_strbuf out;
  if (item->ranges) return NULL;
  const char *left = conditions_term_text(c, item->p.left);
  const char *right = conditions_term_text(c, item->p.right);
  strbuf_init(&out, c->dims->report->graph->arena);
  if (item->p.rel == REL_DIVISIBLE) {
    strbuf_printf(&out, "mod(%s, %s) == 0", left, right);
  } else {
    strbuf_printf(&out, "%s %s %s", left, RELATION[item->p.rel], right);
  }
  return strbuf_text(&out);
}
