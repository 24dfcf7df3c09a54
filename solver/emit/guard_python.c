// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

#include "solver/report/named.h"
#include "solver/emit/guard_code.h"

static void put(guard_writer *w, term_id id);

static void put_factor(guard_writer *w, term_id id) {
  bool sum = term_kind_of(w->terms, id) == TERM_SUM;
  if (sum) strbuf_putc(w->out, '(');
  put(w, id);
  if (sum) strbuf_putc(w->out, ')');
}

static void put_quotient(guard_writer *w, term_id dividend, num divisor) {
  strbuf_puts(w->out, "((");
  put(w, dividend);
  strbuf_puts(w->out, ") // ");
  num_print(w->out, divisor);
  strbuf_putc(w->out, ')');
}

static void put_choice(guard_writer *w, term_id test, const char *is, term_id yes, term_id no) {
  strbuf_putc(w->out, '(');
  put(w, yes);
  strbuf_puts(w->out, " if ");
  put(w, test);
  strbuf_puts(w->out, is);
  strbuf_puts(w->out, " else ");
  put(w, no);
  strbuf_putc(w->out, ')');
}

static void put_call(guard_writer *w, const term_node *node) {
  const term_id *args = node->as.args;
  switch ((term_kind)node->kind) {
  case TERM_FLOORDIV:
    strbuf_putc(w->out, '(');
    put_factor(w, args[0]);
    strbuf_puts(w->out, " // ");
    put_factor(w, args[1]);
    strbuf_putc(w->out, ')');
    return;
  case TERM_MIN: guard_code_call(w, node->count == 1 ? "(" : "min(", args, node->count); return;
  case TERM_BCAST: put_choice(w, args[0], " == 1", args[1], args[0]); return;
  case TERM_SELECT: put_choice(w, args[0], " != 0", args[1], args[2]); return;
  case TERM_IS_ZERO: put_choice(w, args[0], " == 0", TERM_ONE, TERM_ZERO); return;
  case TERM_IS_NEG: put_choice(w, args[0], " < 0", TERM_ONE, TERM_ZERO); return;
  default: put_factor(w, args[0]); return;  // BIGMUL
  }
}

static void put_monomial(guard_writer *w, term_id id) {
  term_power room;
  const term_power *powers;
  uint32_t count = term_powers(w->terms, id, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    term_power power = powers[i];
    assert(power.exponent);
    for (uint32_t k = 0; k < power.exponent; k++) {
      if (i || k) strbuf_putc(w->out, '*');
      guard_code_atom(w, power.atom);
    }
  }
}

// Constants follow what they are added to.
static void put(guard_writer *w, term_id id) {
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(w->terms, id, &parts, &room);
  bool first = true;
  if (!count) strbuf_putc(w->out, '0');
  for (uint32_t i = 0; i < count; i++) {
    const term_part part = parts[(i + (parts[0].monomial == TERM_ONE)) % count];
    bool negative = num_sign(part.coefficient) < 0;
    shape_strbuf digits;
    strbuf_init(&digits, w->report->graph->arena);
    num_print(&digits, part.coefficient);
    if (first ? negative : true) strbuf_puts(w->out, first ? "-" : negative ? " - " : " + ");
    first = false;
    bool unit = digits.length == 1u + negative && digits.data[digits.length - 1] == '1';
    if (!unit || part.monomial == TERM_ONE) {
      strbuf_add(w->out, digits.data + negative, digits.length - negative);
    }
    if (part.monomial == TERM_ONE) continue;
    if (!unit) strbuf_putc(w->out, '*');
    put_monomial(w, part.monomial);
  }
}

static void put_predicate(guard_writer *w, predicate p) {
  if (p.rel == REL_DIVISIBLE) {
    put_factor(w, p.left);
    strbuf_puts(w->out, " % ");
    put_factor(w, p.right);
    strbuf_puts(w->out, " == 0");
    return;
  }
  put(w, p.left);
  strbuf_printf(w->out, " %s ", relation_text(p.rel));
  put(w, p.right);
}

static void put_test(guard_writer *w, const report_check *check) {
  if (check->kind == CHECK_OPERAND) {
    guard_code_operand(w, check->operand);
    strbuf_puts(w->out, " == ");
    put(w, check->p.right);
  } else if (check->ranges) {
    assert(check->range_count);
    for (uint32_t i = 0; i < check->range_count; i++) {
      strbuf_printf(w->out, "%s%lld <= ", i ? " or " : "", (long long)check->ranges[2 * i]);
      put(w, check->p.left);
      strbuf_printf(w->out, " <= %lld", (long long)check->ranges[2 * i + 1]);
    }
  } else {
    put_predicate(w, check->p);
  }
}

static void put_check(guard_writer *w, const report_check *check) {
  strbuf_puts(w->out, "        if ");
  for (uint32_t i = 0; i < check->when_count; i++) {
    put_predicate(w, check->when[i]);
    strbuf_puts(w->out, " and ");
  }
  strbuf_puts(w->out, "not (");
  put_test(w, check);
  strbuf_puts(w->out, "):\n            return ");
  guard_code_quoted(w->out, check->message, true);
  strbuf_putc(w->out, '\n');
}

static void put_solved(guard_writer *w, const check_binding *b) {
  strbuf_putc(w->out, '(');
  guard_code_operand(w, b->operand);
  if (b->rest != TERM_ZERO) guard_code_call(w, " - (", &b->rest, 1);
  strbuf_puts(w->out, ") // ");
  num_print(w->out, b->factor);
}

static void put_rank(guard_writer *w, uint32_t argument, uint32_t rank) {
  strbuf_printf(w->out, "        if len(dims[%u]) != %u:\n            return \"", argument, rank);
  report_put_argument(w->report, w->out, argument);
  strbuf_printf(w->out, " must have rank %u, has %%d\" %% len(dims[%u])\n", rank, argument);
}

void guard_code_python(shape_report *r, const report_checks *checks, shape_strbuf *out) {
  static const guard_language PYTHON = {.term = put,
                                        .call = put_call,
                                        .quotient = put_quotient,
                                        .unknown = "None",
                                        .rank = put_rank,
                                        .check = put_check,
                                        .solved = put_solved,
                                        .bind = "        ",
                                        .bound = "\n"};
  guard_writer w = {&PYTHON, r, checks, r->infer->terms, out};
  guard_code_head(r, checks, "# ", "python", out);
  strbuf_printf(out,
                "\nCOMPLETE = %s  # whether arguments that pass cannot lead to a shape error\n",
                checks->open_count ? "False" : "True");
  strbuf_puts(out, "\n\ndef check_");
  guard_code_entry(r, out);
  strbuf_puts(out,
              "(dims, values=None):\n"
              "    \"\"\"None where every check holds, else what is wrong.\n\n"
              "    dims[i]: the dims of argument i, outermost first. values[i]: its elements in\n"
              "    row-major order; of floats and large tensors they are not read.\n"
              "    \"\"\"\n"
              "    try:\n");
  uint32_t before = out->length;
  guard_code_body(&w);
  if (out->length == before) strbuf_puts(out, "        pass  # nothing is left to be checked\n");
  strbuf_puts(out, "    except ZeroDivisionError:\n"
                   "        return \"a divisor is 0\"\n"
                   "    return None\n");
}
