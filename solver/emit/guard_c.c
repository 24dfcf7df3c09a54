// SPDX-License-Identifier: Apache-2.0
// C: arithmetic by functions that pass on SIZE_INVALID, which no check holds of, where a result leaves 64 bits.
#include <assert.h>

#include "solver/report/named.h"
#include "solver/emit/guard_code.h"

static const char PRELUDE[] =
    "#include <stdbool.h>\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "\n"
    "// A number that is not known: it left 64 bits. Nothing holds of it.\n"
    "#define SIZE_INVALID INT64_MIN\n"
    "\n"
    "static inline int64_t size_add(int64_t a, int64_t b) {\n"
    "  int64_t r;\n"
    "  return a == SIZE_INVALID || b == SIZE_INVALID || __builtin_add_overflow(a, b, &r) ? "
    "SIZE_INVALID : r;\n"
    "}\n"
    "static inline int64_t size_mul(int64_t a, int64_t b) {\n"
    "  int64_t r;\n"
    "  return a == SIZE_INVALID || b == SIZE_INVALID || __builtin_mul_overflow(a, b, &r) ? "
    "SIZE_INVALID : r;\n"
    "}\n"
    "static inline int64_t size_floordiv(int64_t a, int64_t b) {\n"
    "  if (a == SIZE_INVALID || b == SIZE_INVALID || b == 0) return SIZE_INVALID;\n"
    "  return a / b - (a % b != 0 && (a < 0) != (b < 0));\n"
    "}\n"
    "static inline int64_t size_min(int64_t a, int64_t b) { return a < b ? a : b; }\n"
    "static inline int64_t size_select(int64_t test, int64_t a, int64_t b) {\n"
    "  return test == SIZE_INVALID ? SIZE_INVALID : test != 0 ? a : b;\n"
    "}\n"
    "static inline int64_t size_bcast(int64_t a, int64_t b) { return a == 1 ? b : a; }\n"
    "static inline int64_t size_is_zero(int64_t a) { return a == SIZE_INVALID ? SIZE_INVALID : a "
    "== 0; }\n"
    "static inline int64_t size_is_neg(int64_t a) { return a == SIZE_INVALID ? SIZE_INVALID : a < "
    "0; }\n"
    "static inline bool size_known(int64_t a, int64_t b) { return a != SIZE_INVALID && b != "
    "SIZE_INVALID; "
    "}\n"
    "static inline bool size_eq(int64_t a, int64_t b) { return size_known(a, b) && a == b; }\n"
    "static inline bool size_ne(int64_t a, int64_t b) { return size_known(a, b) && a != b; }\n"
    "static inline bool size_lt(int64_t a, int64_t b) { return size_known(a, b) && a < b; }\n"
    "static inline bool size_le(int64_t a, int64_t b) { return size_known(a, b) && a <= b; }\n"
    "static inline bool size_divides(int64_t b, int64_t a) {\n"
    "  return size_known(a, b) && b != 0 && (b == -1 || a % b == 0);\n"
    "}\n";

static void put(guard_writer *w, term_id id);

static void put_num(guard_writer *w, num x) {
  int64_t value;
  if (num_to_int(x, &value) && value != INT64_MIN) {
    strbuf_int(w->out, value);
  } else {
    strbuf_puts(w->out, "SIZE_INVALID");
  }
}

static void put_min(guard_writer *w, const term_id *args, uint32_t count) {
  assert(count > 0);
  for (uint32_t i = 0; i + 1 < count; i++) {
    strbuf_puts(w->out, "size_min(");
    put(w, args[i]);
    strbuf_puts(w->out, ", ");
  }
  put(w, args[count - 1]);
  for (uint32_t i = 0; i + 1 < count; i++) strbuf_putc(w->out, ')');
}

static void put_quotient(guard_writer *w, term_id dividend, num divisor) {
  strbuf_puts(w->out, "size_floordiv(");
  put(w, dividend);
  strbuf_puts(w->out, ", ");
  put_num(w, divisor);
  strbuf_putc(w->out, ')');
}

static void put_call(guard_writer *w, const term_node *node) {
  const term_id *args = node->as.args;
  switch ((term_kind)node->kind) {
  case TERM_FLOORDIV: guard_code_call(w, "size_floordiv(", args, 2); return;
  case TERM_MIN: put_min(w, args, node->count); return;
  case TERM_BCAST: guard_code_call(w, "size_bcast(", args, 2); return;
  case TERM_SELECT: guard_code_call(w, "size_select(", args, 3); return;
  case TERM_IS_ZERO: guard_code_call(w, "size_is_zero(", args, 1); return;
  case TERM_IS_NEG: guard_code_call(w, "size_is_neg(", args, 1); return;
  case TERM_BIGMUL: put(w, args[0]); return;
  default: strbuf_puts(w->out, "SIZE_INVALID"); return;
  }
}

static void put_product(guard_writer *w, term_id id) {
  term_power room;
  const term_power *powers;
  uint32_t count = term_powers(w->terms, id, &powers, &room), factors = 0, done = 0;
  for (uint32_t i = 0; i < count; i++) factors += powers[i].exponent;
  for (uint32_t i = 0; i < count; i++) {
    term_power power = powers[i];
    for (uint32_t k = 0; k < power.exponent; k++) {
      bool last = ++done == factors;
      if (!last) strbuf_puts(w->out, "size_mul(");
      guard_code_atom(w, power.atom);
      if (!last) strbuf_puts(w->out, ", ");
    }
  }
  assert(done == factors);
  for (uint32_t i = 1; i < factors; i++) strbuf_putc(w->out, ')');
}

static void put_part(guard_writer *w, term_part part) {
  assert(!num_is_zero(part.coefficient));
  bool unit = num_is_one(part.coefficient);
  if (part.monomial == TERM_ONE) {
    put_num(w, part.coefficient);
    return;
  }
  if (!unit) {
    strbuf_puts(w->out, "size_mul(");
    put_num(w, part.coefficient);
    strbuf_puts(w->out, ", ");
  }
  put_product(w, part.monomial);
  if (!unit) strbuf_putc(w->out, ')');
}

static void put(guard_writer *w, term_id id) {
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(w->terms, id, &parts, &room);
  if (!count) strbuf_putc(w->out, '0');
  for (uint32_t i = 0; i < count; i++) {
    const term_part part = parts[(i + (parts[0].monomial == TERM_ONE)) % count];
    if (i + 1 < count) strbuf_puts(w->out, "size_add(");
    put_part(w, part);
    if (i + 1 < count) strbuf_puts(w->out, ", ");
  }
  for (uint32_t i = 1; i < count; i++) strbuf_putc(w->out, ')');
}

static void put_predicate(guard_writer *w, relation rel, term_id left, term_id right) {
  static const char *const NAMES[] = {[REL_EQ] = "size_eq(",
                                      [REL_NE] = "size_ne(",
                                      [REL_LT] = "size_lt(",
                                      [REL_LE] = "size_le(",
                                      [REL_GT] = "size_lt(",
                                      [REL_GE] = "size_le(",
                                      [REL_DIVISIBLE] = "size_divides("};
  assert((size_t)rel < sizeof NAMES / sizeof *NAMES);
  bool turned = rel == REL_GT || rel == REL_GE || rel == REL_DIVISIBLE;
  guard_code_call(w, NAMES[rel], (term_id[]){turned ? right : left, turned ? left : right}, 2);
}

static void put_test(guard_writer *w, const report_check *check) {
  if (check->kind == CHECK_OPERAND) {
    strbuf_puts(w->out, "!size_eq(");
    guard_code_operand(w, check->operand);
    strbuf_puts(w->out, ", ");
    put(w, check->p.right);
    strbuf_putc(w->out, ')');
  } else if (check->ranges) {
    assert(check->range_count);
    strbuf_puts(w->out, "!(");
    for (uint32_t i = 0; i < check->range_count; i++) {
      strbuf_puts(w->out, i ? " || (size_le(" : "(size_le(");
      put_num(w, NUM(check->ranges[2 * i]));
      strbuf_puts(w->out, ", ");
      put(w, check->p.left);
      strbuf_puts(w->out, ") && size_le(");
      put(w, check->p.left);
      strbuf_puts(w->out, ", ");
      put_num(w, NUM(check->ranges[2 * i + 1]));
      strbuf_puts(w->out, "))");
    }
    strbuf_putc(w->out, ')');
  } else {
    strbuf_putc(w->out, '!');
    put_predicate(w, check->p.rel, check->p.left, check->p.right);
  }
}

// A condition that is not known counts as met, so it is asked for the other way round.
static void put_check(guard_writer *w, const report_check *check) {
  strbuf_puts(w->out, "  if (");
  for (uint32_t i = 0; i < check->when_count; i++) {
    predicate p = check->when[i];
    strbuf_putc(w->out, '!');
    put_predicate(w, relation_not(p.rel), p.left, p.right);
    strbuf_puts(w->out, " && ");
  }
  put_test(w, check);
  strbuf_puts(w->out, ")\n    return ");
  guard_code_quoted(w->out, check->message, false);
  strbuf_puts(w->out, ";\n");
}

static void put_solved(guard_writer *w, const check_binding *b) {
  strbuf_puts(w->out, "size_floordiv(size_add(");
  guard_code_operand(w, b->operand);
  strbuf_puts(w->out, ", ");
  put(w, term_neg(w->terms, b->rest));
  strbuf_puts(w->out, "), ");
  put_num(w, b->factor);
  strbuf_putc(w->out, ')');
}

static void put_rank(guard_writer *w, uint32_t argument, uint32_t rank) {
  strbuf_printf(w->out, "  if (ranks[%u] != %u) return \"", argument, rank);
  report_put_argument(w->report, w->out, argument);
  strbuf_printf(w->out, " must have rank %u\";\n", rank);
}

void guard_code_c(shape_report *r, const report_checks *checks, shape_strbuf *out) {
  static const guard_language C = {.term = put,
                                   .call = put_call,
                                   .quotient = put_quotient,
                                   .unknown = "SIZE_INVALID",
                                   .rank = put_rank,
                                   .check = put_check,
                                   .solved = put_solved,
                                   .bind = "  const int64_t ",
                                   .bound = ";\n"};
  guard_writer w = {&C, r, checks, r->infer->terms, out};
  guard_code_head(r, checks, "// ", "c", out);
  strbuf_puts(out, PRELUDE);
  strbuf_puts(
      out,
      "\n// NULL where every check holds, else what is wrong. dims[i]: the dims of argument i,\n"
      "// outermost first, ranks[i] of them; values[i]: its elements in row-major order (of\n"
      "// floats and large tensors they are not read).\n");
  if (checks->open_count) {
    strbuf_puts(
        out, "// What is said above not to be checked may still end a run with a shape error.\n");
  }
  strbuf_puts(out, "const char *check_");
  guard_code_entry(r, out);
  strbuf_puts(out,
              "(const int64_t *const *dims, const size_t *ranks, const int64_t *const *values);\n");
  strbuf_puts(out, "const char *check_");
  guard_code_entry(r, out);
  strbuf_puts(
      out, "(const int64_t *const *dims, const size_t *ranks, const int64_t *const *values) {\n");
  guard_code_body(&w);
  strbuf_puts(out, "  (void)dims, (void)ranks, (void)values;\n  return NULL;\n}\n");
}
