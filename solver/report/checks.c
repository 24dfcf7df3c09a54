// SPDX-License-Identifier: Apache-2.0
#include "solver/report/checks.h"

#include <assert.h>

#include "solver/report/named.h"
#include "solver/report/render.h"
#include "solver/report/work.h"

typedef struct checker {
  shape_report *r;
  term_table *t;
  report_checks *out;
  shape_imap bound;     // symbol term -> its binding
  shape_imap operands;  // operand -> the first binding that it shows
  shape_imap holds;     // predicate -> the check of it that always counts
  shape_imap open;      // location and message -> 1
  shape_imap *used;     // atoms that checks read
  term_id *stack;       // of them, those that are inspected next
  uint32_t stack_count, stack_capacity;
} checker;

bool report_quotient(const shape_report *r, uint32_t symbol, term_id *dividend, num *divisor) {
  return store_fresh_meaning(r->infer->store, symbol, dividend, divisor);
}

// --- what can be computed from the arguments

typedef struct unbound_search {
  checker *c;
  term_id first;  // unbound symbol, or TERM_NONE
  uint32_t count;
  bool opaque;  // a function that is not known
} unbound_search;

static void count_unbound(void *data, term_id atom) {
  unbound_search *s = data;
  const term_node *node = term_get(s->c->t, atom);
  uint32_t ignored;
  if (node->kind == TERM_APPLY) s->opaque = true;
  if (node->kind != TERM_SYMBOL || imap_get(&s->c->bound, atom, &ignored)) return;
  if (!s->count++) s->first = atom;
}

// Unbound symbols of a term; quotients are followed. A visit of terms does not nest.
static unbound_search unbound(checker *c, term_id term) {
  unbound_search s = {c, TERM_NONE, 0, false};
  for (uint32_t depth = 0; term != TERM_NONE && depth < 64; depth++) {
    s.first = TERM_NONE;
    s.count = 0;
    term_visit_atoms(c->t, term, count_unbound, &s);
    term_id dividend;
    num divisor;
    if (s.count != 1 || s.opaque ||
        !report_quotient(c->r, term_get(c->t, s.first)->as.symbol, &dividend, &divisor)) {
      return s;
    }
    term = dividend;
  }
  return s;
}

static bool computable(checker *c, term_id term) {
  if (term == TERM_NONE) return false;
  unbound_search s = unbound(c, term);
  return !s.count && !s.opaque;
}

static bool checkable(checker *c, predicate p) {
  return computable(c, p.left) && computable(c, p.right);
}

// --- adding

// A key of a map, never IMAP_NONE. Different predicates may share one.
static uint64_t predicate_key(predicate p) {
  return hash_pair((uint64_t)p.left << 32 | p.right, p.rel) & ~UINT64_C(1);
}

static uint64_t operand_key(check_operand p) {
  return (uint64_t)p.argument << 32 | (uint64_t)p.axis << 1 | p.value;
}

static report_check *add_check(checker *c, report_check check) {
  report_checks *o = c->out;
  if (check.kind == CHECK_HOLDS && !check.when_count)
    imap_put(&c->holds, c->r->graph->arena, predicate_key(check.p), o->check_count);
  o->checks = arena_grow(c->r->graph->arena, o->checks, o->check_count, (size_t)o->check_count + 1,
                         &o->check_capacity, sizeof check);
  assert(o->check_count < o->check_capacity);
  o->checks[o->check_count] = check;
  return &o->checks[o->check_count++];
}

static const char *say(checker *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static const char *say(checker *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = arena_vprintf(c->r->graph->arena, format, args);
  va_end(args);
  return text;
}

// x.1 is a dim, n a scalar, s[1] an element; arg0.1, arg2 and arg2[1] where the source gives no such name.
static void put_operand_name(const checker *c, shape_strbuf *out, check_operand p) {
  const report_function *f = &c->r->functions[0];
  uint32_t length;
  const argument_list list = {NULL, f->arguments, f->argument_count};
  const char *name = argument_name_of(c->r->graph, list, p.argument, &length);
  if (name) {
    strbuf_add(out, name, length);
  } else {
    strbuf_printf(out, "arg%u", p.argument);
  }
  if (!p.value) {
    strbuf_printf(out, ".%u", p.axis);
  } else if (c->out->ranks[p.argument]) {
    strbuf_printf(out, "[%u]", p.axis);
  }
}

// A symbol as the author named it, or as the argument that shows it: arg0.1 is a size, arg2 a scalar, arg2[1] an element.
static void name_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  checker *c = data;
  uint32_t known;
  const report_work *w = c->r->work;
  term_id term = symbol < w->symbol_term_count ? w->symbol_terms[symbol] : TERM_NONE;
  if (imap_get(&c->bound, term, &known)) {
    assert(known < c->out->binding_count);
    const check_binding *b = &c->out->bindings[known];
    assert(b->computed || b->operand.argument < c->out->argument_count);
    bool plain = !b->computed && num_is_one(b->factor) && b->rest == TERM_ZERO;
    if (!plain || names_is_declared(c->r, symbol)) {
      strbuf_add(out, b->name.text, b->name.length);
    } else {
      put_operand_name(c, out, b->operand);
    }
    return;
  }
  term_id dividend;
  num divisor;
  if (!report_quotient(c->r, symbol, &dividend, &divisor)) {
    strbuf_printf(out, "_%u", symbol);
    return;
  }
  term_namer namer = {.symbol = name_symbol, .functions = &c->r->graph->names, .data = c};
  strbuf_puts(out, "floordiv(");
  term_print(c->t, out, dividend, &namer);
  strbuf_puts(out, ", ");
  num_print(out, divisor);
  strbuf_putc(out, ')');
}

static const char *term_text(checker *c, term_id term) {
  shape_strbuf out;
  term_namer namer = {.symbol = name_symbol, .functions = &c->r->graph->names, .data = c};
  strbuf_init(&out, c->r->graph->arena);
  term_print(c->t, &out, term, &namer);
  return strbuf_text(&out);
}

static const char *predicate_text(checker *c, predicate p) {
  shape_strbuf out;
  const term_namer namer = {.symbol = name_symbol, .functions = &c->r->graph->names, .data = c};
  strbuf_init(&out, c->r->graph->arena);
  predicate_print(c->t, &out, p, &namer);
  return strbuf_text(&out);
}

static const char *with_location(checker *c, predicate p, const report_because *why) {
  const char *text = predicate_text(c, p);
  if (span_is_none(why->span)) return say(c, "%s: %s", text, why->message);
  shape_strbuf where;
  strbuf_init(&where, c->r->graph->arena);
  render_where(c->r, &where, why);
  return say(c, "%s (%s%s)", text, strbuf_text(&where), why->message);
}

static void add_open(checker *c, report_because why) {
  report_checks *o = c->out;
  bool fresh;
  uint64_t key = hash_pair((uintptr_t)why.message, why.span.begin) & ~UINT64_C(1);
  uint32_t *known = imap_slot(&c->open, c->r->graph->arena, key, &fresh);
  if (!fresh && o->open[*known].span.begin == why.span.begin &&
      o->open[*known].message == why.message)
    return;
  *known = o->open_count;
  o->open = arena_grow(c->r->graph->arena, o->open, o->open_count, (size_t)o->open_count + 1,
                       &o->open_capacity, sizeof why);
  o->open[o->open_count++] = why;
}

// --- operands

typedef void operand_visitor(checker *c, check_operand operand, term_id term);

static void each_operand(checker *c, operand_visitor *visit) {
  const shape_report *r = c->r;
  assert(r->function_count);
  const report_function *f = &r->functions[0];
  for (uint32_t i = 0; i < f->argument_count; i++) {
    const report_shape *s = &r->shapes[r->value_shapes[f->arguments + i]];
    for (uint32_t k = 0; s->ranked && k < s->rank; k++) {
      if (s->dims[k] != TERM_NONE) visit(c, (check_operand){i, k, false}, s->dims[k]);
    }
  }
  for (uint32_t i = 0; i < f->argument_count; i++) {
    report_elements e = f->argument_values[i];
    for (uint32_t k = 0; e.items && k < e.count; k++) {
      if (e.items[k] != TERM_NONE) visit(c, (check_operand){i, k, true}, e.items[k]);
    }
  }
}

static report_text name_of(checker *c, term_id symbol) {
  assert(term_kind_of(c->t, symbol) == TERM_SYMBOL);
  const report_symbol *entry = report_symbol_of(c->r, symbol);
  if (entry) return entry->name;
  const char *text = say(c, "named.%u", term_get(c->t, symbol)->as.symbol);
  return (report_text){text, (uint32_t)strlen(text)};
}

static void add_binding(checker *c, check_binding made) {
  report_checks *o = c->out;
  o->bindings = arena_grow(c->r->graph->arena, o->bindings, o->binding_count,
                           (size_t)o->binding_count + 1, &o->binding_capacity, sizeof made);
  bool fresh;
  uint32_t *shown = made.computed ? NULL
                                  : imap_slot(&c->operands, c->r->graph->arena,
                                              operand_key(made.operand), &fresh);
  if (shown && fresh) *shown = o->binding_count;
  imap_put(&c->bound, c->r->graph->arena, made.symbol, o->binding_count);
  o->bindings[o->binding_count++] = made;
}

static void bind(checker *c, term_id symbol, check_operand operand, num factor, term_id rest) {
  assert(term_kind_of(c->t, symbol) == TERM_SYMBOL && !num_is_zero(factor));
  add_binding(c, (check_binding){.symbol = symbol,
                                 .name = name_of(c, symbol),
                                 .operand = operand,
                                 .factor = factor,
                                 .rest = rest});
}

static void bind_plain(checker *c, check_operand operand, term_id term) {
  uint32_t known;
  if (term_kind_of(c->t, term) != TERM_SYMBOL || imap_get(&c->bound, term, &known)) return;
  bind(c, term, operand, NUM(1), TERM_ZERO);
}

static bool is_quotient(const checker *c, term_id symbol) {
  assert(term_kind_of(c->t, symbol) == TERM_SYMBOL);
  term_id dividend;
  num divisor;
  return report_quotient(c->r, term_get(c->t, symbol)->as.symbol, &dividend, &divisor);
}

// A size that is factor*u + rest shows u where everything else in it is bound.
static void bind_linear(checker *c, check_operand operand, term_id term) {
  unbound_search s = {c, TERM_NONE, 0, false};
  term_visit_atoms(c->t, term, count_unbound, &s);
  if (s.count != 1 || s.opaque || is_quotient(c, s.first)) return;
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(c->t, term, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial != s.first) continue;
    num factor = parts[i].coefficient;
    term_id rest = term_sub(c->t, term, term_scale(c->t, s.first, factor));
    if (computable(c, rest)) bind(c, s.first, operand, factor, rest);
    return;
  }
}

// Names denote terms over older symbols: in the order of their numbers each finds those before it bound.
static void bind_names(checker *c) {
  const report_work *w = c->r->work;
  for (uint32_t i = 0; i < w->symbol_term_count; i++) {
    term_id meaning = store_named(c->r->infer->store, i), symbol = w->symbol_terms[i];
    uint32_t known;
    if (meaning == TERM_NONE || symbol == TERM_NONE || imap_get(&c->bound, symbol, &known))
      continue;
    meaning = answer_term(c->r, meaning);
    if (!computable(c, meaning)) continue;
    add_binding(c, (check_binding){.symbol = symbol,
                                   .name = name_of(c, symbol),
                                   .computed = true,
                                   .factor = NUM(1),
                                   .rest = meaning});
  }
}

static bool is_binding(const checker *c, check_operand operand) {
  uint32_t i;
  if (!imap_get(&c->operands, operand_key(operand), &i)) return false;
  assert(i < c->out->binding_count);
  const check_binding *b = &c->out->bindings[i];
  return num_is_one(b->factor) && b->rest == TERM_ZERO;
}

static const char *operand_text(checker *c, check_operand p) {
  shape_strbuf out;
  strbuf_init(&out, c->r->graph->arena);
  if (!p.value) {
    strbuf_printf(&out, "dim %u of ", p.axis);
  } else if (c->out->ranks[p.argument]) {
    strbuf_printf(&out, "element %u of ", p.axis);
  }
  report_put_argument(c->r, &out, p.argument);
  return strbuf_text(&out);
}

static void add_operand(checker *c, check_operand operand, term_id term) {
  add_check(c, (report_check){.kind = CHECK_OPERAND,
                              .operand = operand,
                              .p = predicate_make(REL_EQ, TERM_NONE, term),
                              .message = say(c, "%s must be %s", operand_text(c, operand),
                                             term_text(c, term))});
}

static void check_constant(checker *c, check_operand operand, term_id term) {
  if (!operand.value && term_kind_of(c->t, term) == TERM_CONST) add_operand(c, operand, term);
}

static void check_operand_of(checker *c, check_operand operand, term_id term) {
  bool constant = !operand.value && term_kind_of(c->t, term) == TERM_CONST;
  if (constant || is_binding(c, operand)) return;
  if (computable(c, term)) {
    add_operand(c, operand, term);
  } else {
    add_open(c,
             (report_because){.span = SPAN_NONE,
                              .message = say(c, "%s depends on data", operand_text(c, operand))});
  }
}

// --- ranges

// What is checked twice is said by the later one, which knows more of the reason.
static void check_predicate(checker *c, predicate p, const char *message,
                            const report_constraint *guard) {
  uint32_t i;
  report_check *old = imap_get(&c->holds, predicate_key(p), &i) ? &c->out->checks[i] : NULL;
  if (old && !old->ranges && old->p.rel == p.rel && old->p.left == p.left &&
      old->p.right == p.right) {
    old->message = message;
    old->guard = guard;
    return;
  }
  add_check(c, (report_check){.kind = CHECK_HOLDS, .p = p, .message = message, .guard = guard});
}

// given: what the type of the argument says by itself.
static void check_interval(checker *c, term_id term, interval range, interval given) {
  // What code reads has 64 bits: an end beyond says nothing, and C has no number for it.
  assert(!range.has_lo || !range.has_hi || num_compare(range.lo, range.hi) <= 0);
  int64_t fits;
  range.has_hi &= num_sign(range.hi) < 0 || num_to_int(range.hi, &fits);
  range.has_lo &= num_sign(range.lo) > 0 || num_to_int(range.lo, &fits);
  if (range.has_lo && !(given.has_lo && num_compare(range.lo, given.lo) <= 0)) {
    predicate p = predicate_make(REL_LE, term_const(c->t, range.lo), term);
    check_predicate(c, p, predicate_text(c, p), NULL);
  }
  if (range.has_hi && !(given.has_hi && num_compare(range.hi, given.hi) >= 0)) {
    predicate p = predicate_make(REL_LE, term, term_const(c->t, range.hi));
    check_predicate(c, p, predicate_text(c, p), NULL);
  }
}

static void check_ranges(checker *c, const check_binding *b) {
  const report_symbol *s = report_symbol_of(c->r, b->symbol);
  if (!s || b->computed) return;
  bool plain = num_is_one(b->factor) && b->rest == TERM_ZERO;
  interval given = plain && !b->operand.value ? interval_at_least(NUM(0)) : interval_all();
  uint32_t number = term_get(c->t, b->symbol)->as.symbol;
  if (plain && b->operand.value && !names_is_declared(c->r, number)) {
    given = store_symbol_info(c->r->infer->store, number)->range;  // that of its element type
  }
  check_interval(c, b->symbol, s->range, given);
  if (!num_is_one(s->divisible_by)) {
    predicate p = predicate_make(REL_DIVISIBLE, b->symbol, term_const(c->t, s->divisible_by));
    check_predicate(c, p, predicate_text(c, p), NULL);
  }
  if (s->declared && s->declared->range_count > 1) {
    report_check *check =
        add_check(c, (report_check){.kind = CHECK_HOLDS,
                                    .p = predicate_make(REL_EQ, b->symbol, b->symbol),
                                    .message = say(c, "%.*s must lie in one of its ranges",
                                                   (int)s->name.length, s->name.text)});
    check->ranges = s->declared->ranges;
    check->range_count = s->declared->range_count;
  }
}

// Bounds of types, for dims that are no symbol of their own any more.
static void check_bounds(checker *c) {
  const shape_graph *g = c->r->graph;
  const report_function *f = &c->r->functions[0];
  for (uint32_t i = 0; i < f->argument_count; i++) {
    const graph_type *type = graph_value_type(g, f->arguments + i);
    const report_shape *s = &c->r->shapes[c->r->value_shapes[f->arguments + i]];
    if (!type || type->kind != TYPE_TENSOR || !type->has_bounds || !s->ranked) continue;
    for (uint32_t k = 0; k < s->rank && k < type->rank; k++) {
      term_id term = s->dims[k];
      if (type->bounds[k] < 0 || term == TERM_NONE || !computable(c, term)) continue;
      if (term_kind_of(c->t, term) == TERM_CONST || is_binding(c, (check_operand){i, k, false}))
        continue;
      check_interval(c, term, interval_of(0, type->bounds[k]), interval_at_least(NUM(0)));
    }
  }
}

// --- guards

// Where the arguments decide that a region does not run, what it requires is not inspected.
static void check_where(checker *c, const report_constraint *guard, const char *message) {
  report_check check = {
      .kind = CHECK_HOLDS, .p = guard->requirement, .message = message, .guard = guard};
  predicate *when = arena_alloc(c->r->graph->arena, guard->when_count * sizeof *when);
  for (uint32_t i = 0; i < guard->when_count; i++) {
    if (checkable(c, guard->when[i])) when[check.when_count++] = guard->when[i];
  }
  check.when = when;
  add_check(c, check);
}

static const char *message_of(checker *c, const report_constraint *guard) {
  predicate p = guard->requirement;
  if (!guard->because_count) return predicate_text(c, p);
  const report_because *why = &guard->because[0];
  bool never = p.rel == REL_EQ && p.left == TERM_ZERO && p.right == TERM_ONE;
  if (!never) return with_location(c, p, why);
  shape_strbuf where;
  strbuf_init(&where, c->r->graph->arena);
  render_where(c->r, &where, why);
  return say(c, "%s%s, and it must not run", strbuf_text(&where), why->message);
}

static void check_guards(checker *c) {
  for (uint32_t i = 0; i < c->r->guards.count; i++) {
    const report_constraint *guard = &c->r->guards.items[i];
    bool explained = guard->because_count > 0;
    const char *message = message_of(c, guard);
    if (checkable(c, guard->requirement)) {
      if (guard->when_count) {
        check_where(c, guard, message);
      } else {
        check_predicate(c, guard->requirement, message, guard);
      }
    } else {
      add_open(c, explained ? guard->because[0]
                            : (report_because){.span = SPAN_NONE, .message = message});
    }
  }
}

// --- what no check says

static void list_unchecked(checker *c) {
  for (uint32_t i = 0; i < c->r->unchecked_count; i++) {
    const report_unchecked *row = &c->r->unchecked[i];
    const char *message = say(c, "%s: %s", row->requirement, row->reason);
    source_span at = row->op == ID_NONE ? SPAN_NONE : c->r->graph->ops[row->op].span;
    add_open(c, (report_because){.span = at, .message = message});
  }
}

static uint32_t *ranks_of(const shape_report *r, const report_function *f) {
  uint32_t *ranks = arena_alloc(r->graph->arena, (f->argument_count + 1) * sizeof *ranks);
  for (uint32_t i = 0; i < f->argument_count; i++) {
    const report_shape *s = &r->shapes[r->value_shapes[f->arguments + i]];
    ranks[i] = s->ranked ? s->rank : ID_NONE;
  }
  return ranks;
}

// --- bindings that nothing reads

static void mark_used(void *data, term_id atom) {
  checker *c = data;
  bool fresh;
  *imap_slot(c->used, c->r->graph->arena, atom, &fresh) = 1;
  if (!fresh || term_kind_of(c->t, atom) != TERM_SYMBOL) return;
  c->stack = arena_grow(c->r->graph->arena, c->stack, c->stack_count, (size_t)c->stack_count + 1,
                        &c->stack_capacity, sizeof *c->stack);
  c->stack[c->stack_count++] = atom;
}

// And what the quotients in it denote. A visit of terms does not nest.
static void mark_term(checker *c, term_id term) {
  if (term != TERM_NONE) term_visit_atoms(c->t, term, mark_used, c);
  while (c->stack_count) {
    term_id dividend;
    num divisor;
    uint32_t symbol = term_get(c->t, c->stack[--c->stack_count])->as.symbol;
    if (report_quotient(c->r, symbol, &dividend, &divisor))
      term_visit_atoms(c->t, dividend, mark_used, c);
  }
}

static void drop_unused(checker *c) {
  report_checks *o = c->out;
  for (uint32_t i = 0; i < o->check_count; i++) {
    const report_check *check = &o->checks[i];
    if (check->kind == CHECK_HOLDS) mark_term(c, check->p.left);
    mark_term(c, check->p.right);
    for (uint32_t k = 0; k < check->when_count; k++) mark_term(c, check->when[k].left);
  }
  // A binding reads only what was bound before it.
  uint32_t kept = o->binding_count;
  for (uint32_t i = o->binding_count; i-- > 0;) {
    uint32_t ignored;
    if (!imap_get(c->used, o->bindings[i].symbol, &ignored)) continue;
    mark_term(c, o->bindings[i].rest);
    o->bindings[--kept] = o->bindings[i];
  }
  if (kept) o->bindings += kept;  // without bindings there is no array
  o->binding_count -= kept;
}

static report_checks *make(shape_report *r, bool with_unused) {
  report_checks *out = arena_zalloc(r->graph->arena, sizeof *out);
  if (!r->infer || !r->function_count || r->functions[0].id != r->infer->entry) return out;
  shape_imap used = {0};
  checker c = {.r = r, .t = r->infer->terms, .out = out, .used = &used};
  out->argument_count = r->functions[0].argument_count;
  out->ranks = ranks_of(r, &r->functions[0]);
  each_operand(&c, check_constant);
  out->constant_count = out->check_count;
  each_operand(&c, bind_plain);
  for (uint32_t before = ID_NONE; before != out->binding_count;) {
    before = out->binding_count;
    each_operand(&c, bind_linear);
    bind_names(&c);
  }
  each_operand(&c, check_operand_of);
  for (uint32_t i = 0; i < out->binding_count; i++) check_ranges(&c, &out->bindings[i]);
  check_bounds(&c);
  check_guards(&c);
  list_unchecked(&c);
  if (!with_unused) drop_unused(&c);
  for (uint32_t i = out->binding_count; i-- > 0;)
    imap_put(&out->binding_of, r->graph->arena, out->bindings[i].symbol, i);
  return out;
}

report_checks *report_checks_make(shape_report *r) { return make(r, false); }
report_checks *report_checks_all(shape_report *r) { return make(r, true); }

uint32_t report_checks_binding(const report_checks *checks, term_id symbol) {
  uint32_t index;
  if (!imap_get(&checks->binding_of, symbol, &index)) return ID_NONE;
  assert(index < checks->binding_count && checks->bindings[index].symbol == symbol);
  return index;
}
