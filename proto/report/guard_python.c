// SPDX-License-Identifier: Apache-2.0
#include "proto/report/guard_code.h"

typedef struct writer {
  const shape_report *report;
  const report_checks *checks;
  term_table *terms;
  shape_strbuf *out;
} writer;

static void put(writer *w, term_id id);

static void put_factor(writer *w, term_id id) {
  bool sum = term_kind_of(w->terms, id) == TERM_SUM;
  if (sum) strbuf_putc(w->out, '(');
  put(w, id);
  if (sum) strbuf_putc(w->out, ')');
}

static void put_symbol(writer *w, term_id id) {
  uint32_t binding = guard_code_binding(w->checks, id);
  term_id dividend;
  num divisor;
  if (binding != ID_NONE) {
    guard_code_name(w->checks, binding, w->out);
  } else if (report_quotient(w->report, term_get(w->terms, id)->as.symbol, &dividend, &divisor)) {
    strbuf_puts(w->out, "((");
    put(w, dividend);
    strbuf_puts(w->out, ") // ");
    num_print(w->out, divisor);
    strbuf_putc(w->out, ')');
  }
}

static void put_call(writer *w, const char *name, const term_id *args, uint32_t count) {
  strbuf_puts(w->out, name);
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(w->out, ", ");
    put(w, args[i]);
  }
  strbuf_putc(w->out, ')');
}

static void put_choice(writer *w, term_id test, const char *is, term_id yes, term_id no) {
  strbuf_putc(w->out, '(');
  put(w, yes);
  strbuf_puts(w->out, " if ");
  put(w, test);
  strbuf_puts(w->out, is);
  strbuf_puts(w->out, " else ");
  put(w, no);
  strbuf_putc(w->out, ')');
}

static void put_atom(writer *w, term_id id) {
  const term_node node = *term_get(w->terms, id);
  const term_id *args = node.as.args;
  switch ((term_kind)node.kind) {
  case TERM_SYMBOL: put_symbol(w, id); return;
  case TERM_FLOORDIV:
    strbuf_putc(w->out, '(');
    put_factor(w, args[0]);
    strbuf_puts(w->out, " // ");
    put_factor(w, args[1]);
    strbuf_putc(w->out, ')');
    return;
  case TERM_MIN: put_call(w, node.count == 1 ? "(" : "min(", args, node.count); return;
  case TERM_BCAST: put_choice(w, args[0], " == 1", args[1], args[0]); return;
  case TERM_SELECT: put_choice(w, args[0], " != 0", args[1], args[2]); return;
  case TERM_IS_ZERO: put_choice(w, args[0], " == 0", TERM_ONE, TERM_ZERO); return;
  case TERM_IS_NEG: put_choice(w, args[0], " < 0", TERM_ONE, TERM_ZERO); return;
  default: put_factor(w, args[0]); return;  // BIGMUL
  }
}

static void put_monomial(writer *w, term_id id) {
  term_power room;
  const term_power *powers;
  uint32_t count = term_powers(w->terms, id, &powers, &room);
  for (uint32_t i = 0; i < count; i++) {
    term_power power = powers[i];
    for (uint32_t k = 0; k < power.exponent; k++) {
      if (i || k) strbuf_putc(w->out, '*');
      put_atom(w, power.atom);
    }
  }
}

// Constants stand behind what they are added to.
static void put(writer *w, term_id id) {
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

static void put_place(writer *w, check_place p) {
  strbuf_printf(w->out, "%s[%u][%u]", p.value ? "values" : "sizes", p.argument, p.axis);
}

static void put_predicate(writer *w, predicate p) {
  static const char *const TEXT[] = {[REL_EQ] = " == ", [REL_NE] = " != ", [REL_LT] = " < ",
                                     [REL_LE] = " <= ", [REL_GT] = " > ",  [REL_GE] = " >= "};
  if (p.rel == REL_DIVISIBLE) {
    put_factor(w, p.left);
    strbuf_puts(w->out, " % ");
    put_factor(w, p.right);
    strbuf_puts(w->out, " == 0");
    return;
  }
  put(w, p.left);
  strbuf_puts(w->out, TEXT[p.rel]);
  put(w, p.right);
}

static void put_test(writer *w, const report_check *check) {
  if (check->kind == CHECK_PLACE) {
    put_place(w, check->place);
    strbuf_puts(w->out, " == ");
    put(w, check->p.right);
  } else if (check->ranges) {
    for (uint32_t i = 0; i < check->range_count; i++) {
      strbuf_printf(w->out, "%s%lld <= ", i ? " or " : "", (long long)check->ranges[2 * i]);
      put(w, check->p.left);
      strbuf_printf(w->out, " <= %lld", (long long)check->ranges[2 * i + 1]);
    }
  } else {
    put_predicate(w, check->p);
  }
}

static void put_check(writer *w, const report_check *check) {
  strbuf_puts(w->out, "        if ");
  for (uint32_t i = 0; i < check->when_count; i++) {
    put_predicate(w, check->when[i]);
    strbuf_puts(w->out, " and ");
  }
  strbuf_puts(w->out, "not (");
  put_test(w, check);
  strbuf_puts(w->out, "):\n            return ");
  guard_code_quoted(w->out, check->message);
  strbuf_putc(w->out, '\n');
}

static void put_binding(writer *w, uint32_t index) {
  const check_binding *b = &w->checks->bindings[index];
  strbuf_puts(w->out, "        ");
  guard_code_name(w->checks, index, w->out);
  strbuf_puts(w->out, " = ");
  if (b->computed) {
    put(w, b->rest);
    strbuf_putc(w->out, '\n');
    return;
  }
  bool plain = num_is_one(b->factor) && b->rest == TERM_ZERO;
  if (!plain) strbuf_putc(w->out, '(');
  put_place(w, b->place);
  if (!plain) {
    if (b->rest != TERM_ZERO) {
      strbuf_puts(w->out, " - ");
      strbuf_putc(w->out, '(');
      put(w, b->rest);
      strbuf_putc(w->out, ')');
    }
    strbuf_puts(w->out, ") // ");
    num_print(w->out, b->factor);
  }
  strbuf_putc(w->out, '\n');
}

static void put_body(writer *w) {
  const report_checks *c = w->checks;
  for (uint32_t i = 0; i < c->argument_count; i++) {
    if (c->ranks[i] == ID_NONE) continue;
    strbuf_printf(
        w->out,
        "        if len(sizes[%u]) != %u:\n            return \"argument %u has rank %u\"\n", i,
        c->ranks[i], i, c->ranks[i]);
  }
  for (uint32_t i = 0; i < c->constant_count; i++) put_check(w, &c->checks[i]);
  for (uint32_t i = 0; i < c->binding_count; i++) put_binding(w, i);
  for (uint32_t i = c->constant_count; i < c->check_count; i++) put_check(w, &c->checks[i]);
}

void guard_code_python(shape_report *r, const report_checks *checks, shape_strbuf *out) {
  writer w = {r, checks, r->infer->terms, out};
  strbuf_puts(out, "# Checks of the arguments of @");
  guard_code_entry(r, out);
  strbuf_puts(out, ", written by shape refine --guards python.\n");
  guard_code_notes(r, checks, "# ", out);
  strbuf_printf(out,
                "\nCOMPLETE = %s  # whether arguments that pass cannot lead to a shape error\n",
                checks->open_count ? "False" : "True");
  strbuf_puts(out, "\n\ndef check_");
  guard_code_entry(r, out);
  strbuf_puts(out,
              "(sizes, values=None):\n"
              "    \"\"\"None where every check holds, else what is wrong.\n\n"
              "    sizes[i]: the sizes of argument i, outermost first. values[i]: its elements in\n"
              "    row-major order; of floats and large tensors they are not read.\n"
              "    \"\"\"\n"
              "    try:\n");
  uint32_t before = out->length;
  put_body(&w);
  if (out->length == before) strbuf_puts(out, "        pass  # nothing is left to be checked\n");
  strbuf_puts(out, "    except ZeroDivisionError:\n"
                   "        return \"a divisor is 0\"\n"
                   "    return None\n");
}
