// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/smt.h"

#include <assert.h>

#include "solver/base/utf8.h"
#include "solver/report/render.h"

typedef struct smt {
  shape_report *report;
  term_table *terms;
  shape_store *store;
  shape_strbuf *out;
  shape_imap names;     // symbol number -> index in report->symbols
  shape_imap declared;  // symbols, and functions with their number of arguments
} smt;

static void print(smt *s, term_id id);

// Between bars is printable text without bars and backslashes (SMT-LIB 2.6, 3.1); # is for symbols without a name.
static bool is_symbol(report_text name) {
  const unsigned char *at = (const unsigned char *)name.text, *end = at + name.length;
  if (at == end || *at == '#') return false;
  for (uint32_t n; at < end; at += n) {
    n = utf8_sequence(at, (size_t)(end - at));
    if (!n || utf8_is_control(at, n) || *at == '|' || *at == '\\') return false;
  }
  return true;
}

static void print_symbol(smt *s, uint32_t symbol) {
  uint32_t index;
  if (!imap_get(&s->names, symbol, &index) || !is_symbol(s->report->symbols[index].name)) {
    strbuf_printf(s->out, "|#%u|", symbol);
    return;
  }
  assert(index < s->report->symbol_count);
  report_text name = s->report->symbols[index].name;
  strbuf_putc(s->out, '|');
  strbuf_add(s->out, name.text, name.length);
  strbuf_putc(s->out, '|');
}

static void print_num(smt *s, num x) {
  if (num_sign(x) >= 0) {
    num_print(s->out, x);
    return;
  }
  shape_strbuf text;
  strbuf_init(&text, s->report->graph->arena);
  num_print(&text, x);
  strbuf_puts(s->out, "(- ");
  strbuf_add(s->out, text.data + 1, text.length - 1);
  strbuf_putc(s->out, ')');
}

static void print_call(smt *s, const char *head, const term_id *args, uint32_t count) {
  strbuf_puts(s->out, head);
  for (uint32_t i = 0; i < count; i++) {
    strbuf_putc(s->out, ' ');
    print(s, args[i]);
  }
  strbuf_putc(s->out, ')');
}

// div rounds to minus infinity where the divisor is positive.
static void print_floordiv(smt *s, term_id a, term_id b) {
  num value;
  bool constant = term_const_value(s->terms, b, &value);
  if (!constant || num_sign(value) < 0) {
    term_id negated[] = {term_neg(s->terms, a), term_neg(s->terms, b)};
    if (!constant) {
      print_call(s, "(ite (> 0", NULL, 0);
      s->out->length--;  // the bracket closes after the divisor
      strbuf_putc(s->out, ' ');
      print(s, b);
      strbuf_puts(s->out, ") ");
    }
    print_call(s, "(div", negated, 2);
    if (!constant) strbuf_putc(s->out, ' ');
  }
  if (!constant || num_sign(value) >= 0) print_call(s, "(div", (term_id[]){a, b}, 2);
  if (!constant) strbuf_putc(s->out, ')');
}

static void print_min(smt *s, const term_id *args, uint32_t count) {
  assert(count > 0);
  if (count == 1) {
    print(s, args[0]);
    return;
  }
  strbuf_puts(s->out, "(let ((m ");
  print_min(s, args + 1, count - 1);
  strbuf_puts(s->out, ")) (let ((n ");
  // m is not visible in what is bound beside it.
  print(s, args[0]);
  strbuf_puts(s->out, ")) (ite (< n m) n m)))");
}

static void print_atom(smt *s, const term_node *node) {
  const term_id *args = node->as.args;
  switch ((term_kind)node->kind) {
  case TERM_FLOORDIV: print_floordiv(s, args[0], args[1]); return;
  case TERM_MIN: print_min(s, args, node->count); return;
  case TERM_BCAST:
    print_call(s, "(ite (= 1", args, 1);
    print_call(s, "", (term_id[]){args[1], args[0]}, 2);
    return;
  case TERM_SELECT:
    print_call(s, "(ite (not (= 0", args, 1);
    strbuf_putc(s->out, ')');
    print_call(s, "", args + 1, 2);
    return;
  case TERM_IS_ZERO:
    print_call(s, "(ite (= 0", args, 1);
    strbuf_puts(s->out, " 1 0)");
    return;
  case TERM_IS_NEG:
    print_call(s, "(ite (> 0", args, 1);
    strbuf_puts(s->out, " 1 0)");
    return;
  case TERM_BIGMUL: print(s, args[0]); return;
  case TERM_APPLY: {
    strbuf_printf(s->out, "(|apply %u/%u|", args[-1], node->count);
    print_call(s, "", args, node->count);
    return;
  }
  default: strbuf_puts(s->out, "0"); return;
  }
}

static void print_product(smt *s, const term_node *node) {
  strbuf_puts(s->out, "(*");
  for (uint32_t i = 0; i < node->count; i++) {
    for (uint32_t k = 0; k < node->as.powers[i].exponent; k++) {
      strbuf_putc(s->out, ' ');
      print(s, node->as.powers[i].atom);
    }
  }
  strbuf_putc(s->out, ')');
}

static void print_sum(smt *s, const term_node *node) {
  bool several = node->count > 1;
  if (several) strbuf_puts(s->out, "(+");
  for (uint32_t i = 0; i < node->count; i++) {
    const term_part part = node->as.parts[i];
    if (several) strbuf_putc(s->out, ' ');
    if (part.monomial == TERM_ONE) {
      print_num(s, part.coefficient);
      continue;
    }
    strbuf_puts(s->out, "(* ");
    print_num(s, part.coefficient);
    strbuf_putc(s->out, ' ');
    print(s, part.monomial);
    strbuf_putc(s->out, ')');
  }
  if (several) strbuf_putc(s->out, ')');
}

static void print(smt *s, term_id id) {
  // A copy: making terms may move the table.
  const term_node node = *term_get(s->terms, id);
  switch ((term_kind)node.kind) {
  case TERM_CONST: print_num(s, node.as.value); return;
  case TERM_SYMBOL: print_symbol(s, node.as.symbol); return;
  case TERM_PRODUCT: print_product(s, &node); return;
  case TERM_SUM: print_sum(s, &node); return;
  default: print_atom(s, &node); return;
  }
}

static void print_predicate(smt *s, predicate p) {
  static const char *const HEADS[] = {[REL_EQ] = "(=",  [REL_NE] = "(not (=", [REL_LT] = "(<",
                                      [REL_LE] = "(<=", [REL_GT] = "(>",      [REL_GE] = "(>="};
  if (p.rel == REL_DIVISIBLE) {
    num divisor;
    if (term_const_value(s->terms, p.right, &divisor) && num_sign(divisor) > 0) {
      print_call(s, "(= 0 (mod", (term_id[]){p.left, p.right}, 2);
      strbuf_putc(s->out, ')');
      return;
    }
    // left == right * quotient; of a divisor 0 it says that left is 0.
    strbuf_puts(s->out, "(exists ((quotient Int)) (= ");
    print(s, p.left);
    strbuf_puts(s->out, " (* quotient ");
    print(s, p.right);
    strbuf_puts(s->out, ")))");
    return;
  }
  print_call(s, HEADS[p.rel], (term_id[]){p.left, p.right}, 2);
  if (p.rel == REL_NE) strbuf_putc(s->out, ')');
}

// --- declarations

static void declare(void *data, term_id atom);

static void declare_term(smt *s, term_id id) { term_visit_atoms(s->terms, id, declare, s); }

static void declare_range(smt *s, uint32_t symbol) {
  const symbol_info info = *store_symbol_info(s->store, symbol);
  if (info.range.has_lo) {
    strbuf_puts(s->out, "(assert (>= ");
    print_symbol(s, symbol);
    strbuf_putc(s->out, ' ');
    print_num(s, info.range.lo);
    strbuf_puts(s->out, "))\n");
  }
  if (info.range.has_hi) {
    strbuf_puts(s->out, "(assert (<= ");
    print_symbol(s, symbol);
    strbuf_putc(s->out, ' ');
    print_num(s, info.range.hi);
    strbuf_puts(s->out, "))\n");
  }
  int64_t multiple;
  if (num_to_int(info.multiple_of, &multiple) && multiple > 1) {
    strbuf_puts(s->out, "(assert (= 0 (mod ");
    print_symbol(s, symbol);
    strbuf_printf(s->out, " %lld)))\n", (long long)multiple);
  }
}

static void declare(void *data, term_id atom) {
  smt *s = data;
  const term_node node = *term_get(s->terms, atom);
  assert(term_is_atom(s->terms, atom));
  uint64_t key = (uint64_t)node.as.symbol;
  uint32_t seen;
  if (node.kind == TERM_APPLY) {
    key = (UINT64_C(1) << 62) | (uint64_t)node.as.args[-1] << 24 | node.count;
  } else if (node.kind != TERM_SYMBOL) {
    return;
  }
  if (imap_get(&s->declared, key, &seen)) return;
  imap_put(&s->declared, s->report->graph->arena, key, 1);
  if (node.kind == TERM_APPLY) {
    strbuf_printf(s->out, "(declare-fun |apply %u/%u| (", node.as.args[-1], node.count);
    for (uint32_t i = 0; i < node.count; i++) strbuf_puts(s->out, i ? " Int" : "Int");
    strbuf_puts(s->out, ") Int)\n");
    return;
  }
  strbuf_puts(s->out, "(declare-const ");
  print_symbol(s, node.as.symbol);
  strbuf_puts(s->out, " Int)\n");
  declare_range(s, node.as.symbol);
}

// The store's own quotients are declared with what they mean. It may speak of older symbols, which come now: a visit
// of terms does not nest.
static void define_fresh(smt *s) {
  for (uint32_t symbol = s->terms->symbol_count; symbol-- > 0;) {
    uint32_t seen;
    term_id dividend;
    num divisor;
    if (!imap_get(&s->declared, symbol, &seen)) continue;
    if (!store_fresh_meaning(s->store, symbol, &dividend, &divisor)) continue;
    declare_term(s, dividend);
    strbuf_puts(s->out, "(assert (= ");
    print_symbol(s, symbol);
    strbuf_putc(s->out, ' ');
    print_floordiv(s, dividend, term_const(s->terms, divisor));
    strbuf_puts(s->out, "))\n");
  }
}

static void declare_predicate(smt *s, predicate p) {
  declare_term(s, p.left);
  declare_term(s, p.right);
}

static bool is_fact(const smt *s, fact_id id) { return store_fact(s->store, id)->scope == 0; }

static void declare_all(smt *s) {
  const shape_report *r = s->report;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const term_node *node = term_get(s->terms, r->symbols[i].term);
    if (node->kind == TERM_SYMBOL) {
      imap_put(&s->names, r->graph->arena, node->as.symbol, i);
    }
  }
  for (fact_id id = 0; id < store_fact_count(s->store); id++) {
    if (is_fact(s, id)) declare_predicate(s, store_fact(s->store, id)->p);
  }
  for (uint32_t i = 0; i < r->constraints.count; i++) {
    declare_predicate(s, r->constraints.items[i].p);
  }
  for (uint32_t i = 0; i < r->guards.count; i++) declare_predicate(s, r->guards.items[i].p);
  define_fresh(s);
}

// --- facts and claims

// A comment ends with its line, so that no name may have lines of its own.
static void print_comment(smt *s, const report_because *why) {
  strbuf_puts(s->out, "; ");
  render_where(s->report, s->out, why);
  if (why->message) render_safe(s->out, why->message, strlen(why->message));
  strbuf_putc(s->out, '\n');
}

static void assert_facts(smt *s) {
  strbuf_puts(s->out, "\n; What the operations and declarations imply.\n");
  for (fact_id id = 0; id < store_fact_count(s->store); id++) {
    if (!is_fact(s, id)) continue;
    const fact *f = store_fact(s->store, id);
    report_because why = report_reason(s->report, &f->why);
    predicate p = f->p;
    print_comment(s, &why);
    strbuf_puts(s->out, "(assert (! ");
    print_predicate(s, p);
    strbuf_printf(s->out, " :named fact_%u))\n", id);
  }
}

static void define_claims(smt *s, const report_constraints *list, const char *name) {
  for (uint32_t i = 0; i < list->count; i++) {
    const report_constraint *c = &list->items[i];
    strbuf_puts(s->out, "; ");
    render_safe(s->out, c->expr.text, c->expr.length);
    strbuf_putc(s->out, '\n');
    for (uint32_t k = 0; k < c->because_count; k++) print_comment(s, &c->because[k]);
    strbuf_printf(s->out, "(define-fun %s_%u () Bool ", name, i + 1);
    print_predicate(s, c->p);
    strbuf_puts(s->out, ")\n");
  }
}

void report_smt(shape_report *r, shape_strbuf *out) {
  smt s = {.report = r, .terms = r->infer->terms, .store = r->infer->store, .out = out};
  strbuf_puts(
      out,
      "; Facts about the dims of a program, in the scope of its entry.\n"
      "; To check a constraint:  (push) (assert (not constraint_1)) (check-sat) (pop)\n"
      "; unsat: it follows from the facts. This file asks so for each constraint; the first\n"
      "; answer is that the facts themselves can be met (sat, or unknown).\n"
      "; Guards are checks over the arguments that together suffice for a run without errors.\n"
      "(set-logic ALL)\n");
  declare_all(&s);
  assert_facts(&s);
  strbuf_puts(out, "\n; What the answer reports.\n");
  define_claims(&s, &r->constraints, "constraint");
  define_claims(&s, &r->guards, "guard");
  strbuf_puts(out, "\n(check-sat)\n");
  for (uint32_t i = 0; i < r->constraints.count; i++) {
    strbuf_printf(out, "(push) (assert (not constraint_%u)) (check-sat) (pop)\n", i + 1);
  }
}
