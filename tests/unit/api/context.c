// SPDX-License-Identifier: Apache-2.0
// Contexts, used as a program outside of the library uses them: solver/shape.h and nothing else of the library.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/shape.h"

static const char *text_of(shape_context *c, shape_expr e) {
  static char buffer[2][200];
  static unsigned turn;
  char *out = buffer[turn++ % 2];
  shape_context_text(c, e, out, sizeof buffer[0]);
  return out;
}

static shape_expr parsed(shape_context *c, const char *text) {
  shape_expr e = shape_context_parse(c, text, true);
  cr_assert_neq(e, SHAPE_NO_EXPR, "%s: %s", text, shape_context_error(c)->message);
  return e;
}

static shape_answer assume(shape_context *c, const char *text, const char *origin) {
  shape_answer outcome;
  shape_status status = shape_context_assume_text(c, text, origin, &outcome);
  cr_assert_eq(status, SHAPE_OK, "%s: %s", text, shape_context_error(c)->message);
  return outcome;
}

Test(context, symbols_are_known_by_name) {
  shape_context *c = shape_context_new(NULL);
  shape_expr n = shape_context_dim(c, "N"), k = shape_context_symbol(c, "k", -8, 64, 8);
  cr_expect_eq(shape_context_dim(c, "N"), n);
  cr_expect_eq(shape_context_symbol(c, "N", 1, INT64_MAX, 1), SHAPE_NO_EXPR);
  cr_expect_eq(shape_context_error(c)->status, SHAPE_INVALID);
  cr_expect_str_eq(
      shape_context_error(c)->message,
      "symbol 'N' is declared already, with another range or divisor: declare it once");
  shape_context_clear_error(c);
  cr_expect_eq(shape_context_find(c, "absent"), SHAPE_NO_EXPR);
  cr_expect_eq(shape_context_error(c)->status, SHAPE_OK);
  cr_expect_eq(shape_context_find(c, "k"), k);
  cr_expect_eq(shape_context_symbol_count(c), 2);
  cr_expect_eq(shape_context_symbol_at(c, 1), k);
  cr_expect_eq(shape_context_symbol_at(c, 2), SHAPE_NO_EXPR);
  cr_expect_str_eq(shape_context_symbol_name(c, 0), "N");
  cr_expect_null(shape_context_symbol_name(c, 2));
  cr_expect_eq(shape_context_symbol(c, "", 0, 1, 1), SHAPE_NO_EXPR);
  cr_expect_eq(shape_context_symbol(c, "e", 3, 2, 1), SHAPE_NO_EXPR);
  cr_expect_eq(shape_context_symbol(c, "e", 9, 15, 8), SHAPE_NO_EXPR, "no multiple of 8 in 9..15");
  cr_expect_eq(shape_context_symbol(c, "e", -7, -1, 8), SHAPE_NO_EXPR);
  cr_expect_neq(shape_context_symbol(c, "e", -8, -1, 8), SHAPE_NO_EXPR);
  cr_expect_eq(shape_context_symbol(c, "f", 0, 1, 0), SHAPE_NO_EXPR);
  shape_context_free(c);
}

Test(context, equal_normal_forms_are_one_handle) {
  shape_context *c = shape_context_new(NULL);
  shape_expr n = shape_context_dim(c, "N"), one = shape_context_integer(c, 1);
  shape_expr sum = shape_context_binary(c, SHAPE_ADD, n, one);
  cr_expect_eq(shape_context_binary(c, SHAPE_MUL, sum, n), parsed(c, "N^2 + N"));
  cr_expect_eq(shape_context_product(c, (shape_expr[]){sum, n}, 2), parsed(c, "N*N + N"));
  cr_expect_eq(shape_context_product(c, NULL, 0), one);
  cr_expect_eq(shape_context_power(c, n, 3), parsed(c, "N*N*N"));
  cr_expect_eq(shape_context_binary(c, SHAPE_CEILDIV, n, shape_context_integer(c, 2)),
               parsed(c, "(N + 1)//2"));
  int64_t value = 0;
  cr_expect(shape_context_number(c, shape_context_binary(c, SHAPE_SUB, sum, n), &value));
  cr_expect_eq(value, 1);
  cr_expect_not(shape_context_number(c, n, &value));
  cr_expect_str_eq(text_of(c, parsed(c, "mod(N, 4) + max(N, 3) + bcast(N, 7)")),
                   "mod(N, 4) + max(N, 3) + bcast(N, 7)");
  shape_context_free(c);
}

Test(context, says_what_is_wrong_and_where) {
  shape_context *c = shape_context_new(NULL);
  shape_expr n = shape_context_dim(c, "N");
  cr_expect_eq(shape_context_parse(c, "N +\n Q", false), SHAPE_NO_EXPR);
  const shape_error *e = shape_context_error(c);
  cr_expect_eq(e->status, SHAPE_SYNTAX);
  cr_expect_str_eq(e->message, "unknown symbol 'Q'");
  cr_expect(e->line == 2 && e->column == 2, "%u:%u", e->line, e->column);
  cr_expect_eq(shape_context_binary(c, SHAPE_FLOORDIV, n, shape_context_integer(c, 0)),
               SHAPE_NO_EXPR);
  cr_expect_str_eq(e->message, "division by 0");
  cr_expect_eq(shape_context_binary(c, SHAPE_ADD, n, 4000000), SHAPE_NO_EXPR);
  cr_expect_eq(shape_context_prove(c, SHAPE_EQ, n, SHAPE_NO_EXPR), SHAPE_UNKNOWN);
  cr_expect_eq(e->status, SHAPE_INVALID);
  cr_expect_eq(shape_context_assume_text(c, "N < ", NULL, NULL), SHAPE_SYNTAX);
  cr_expect_eq(shape_context_rollback(c, 0), SHAPE_INVALID);
  cr_expect_eq(shape_context_power(c, n, 65), SHAPE_NO_EXPR);
  cr_expect_eq(shape_context_assumption_count(c), 0);
  shape_context_free(c);
}

Test(context, text_is_cut_to_the_room_that_is_there) {
  shape_context *c = shape_context_new(NULL);
  shape_expr e = parsed(c, "2*alpha + beta");
  char buffer[6];
  cr_expect_eq(shape_context_text(c, e, NULL, 0), strlen("2*alpha + beta"));
  cr_expect_eq(shape_context_text(c, e, buffer, sizeof buffer), strlen("2*alpha + beta"));
  cr_expect_str_eq(buffer, "2*alp");
  shape_context_free(c);
}

Test(context, answers_with_reasons) {
  shape_context *c = shape_context_new(NULL);
  parsed(c, "N + M + P");
  cr_expect_eq(assume(c, "M == 4*N", "reshape"), SHAPE_UNKNOWN);
  cr_expect_eq(assume(c, "P >= 5", NULL), SHAPE_UNKNOWN);
  cr_expect_eq(assume(c, "N <= 10", "hint"), SHAPE_UNKNOWN);
  cr_expect_eq(assume(c, "M + 1 <= 41", "late"), SHAPE_YES, "it is implied");
  cr_expect_eq(shape_context_prove_text(c, "divisible(M, 2)"), SHAPE_YES);
  cr_expect_eq(shape_context_prove_text(c, "M > 40"), SHAPE_NO);
  cr_expect_eq(shape_context_prove_text(c, "M > 36"), SHAPE_UNKNOWN);
  shape_expr m = shape_context_find(c, "M"), forty = shape_context_integer(c, 40);
  shape_reason reasons[4];
  uint32_t count;
  cr_assert_eq(shape_context_reasons(c, SHAPE_LE, m, forty, reasons, 4, &count), SHAPE_OK);
  cr_assert_eq(count, 2);
  cr_expect(reasons[0].assumption == 0 && strcmp(reasons[0].origin, "reshape") == 0);
  cr_expect_str_eq(reasons[0].text, "M == 4*N");
  cr_expect(reasons[1].assumption == 2 && strcmp(reasons[1].origin, "hint") == 0);
  cr_assert_eq(shape_context_reasons(c, SHAPE_GT, m, forty, reasons, 1, &count), SHAPE_OK);
  cr_expect_eq(count, 2, "all of them count, whatever the room");
  cr_expect_eq(
      shape_context_reasons(c, SHAPE_GT, m, shape_context_integer(c, 36), reasons, 4, &count),
      SHAPE_INVALID);
  cr_assert_eq(
      shape_context_reasons(c, SHAPE_GE, m, shape_context_integer(c, 0), reasons, 4, &count),
      SHAPE_OK);
  cr_expect_eq(count, 0, "a dimension is at least 0 by its declaration");
  shape_context_free(c);
}

Test(context, a_contradiction_is_not_assumed) {
  shape_context *c = shape_context_new(NULL);
  parsed(c, "N + M");
  assume(c, "M == N + 1", "first");
  assume(c, "N >= 3", "other");
  cr_expect_eq(assume(c, "N == M", "second"), SHAPE_CONTRADICTION);
  cr_expect_eq(shape_context_assumption_count(c), 2);
  shape_reason reasons[4];
  uint32_t count;
  cr_assert_eq(shape_context_conflict(c, reasons, 4, &count), SHAPE_OK);
  cr_assert_eq(count, 1);
  cr_expect_str_eq(reasons[0].origin, "first");
  cr_expect_eq(shape_context_consistent(c), SHAPE_YES);
  cr_expect_eq(shape_context_prove_text(c, "M >= 4"), SHAPE_YES);
  shape_context_free(c);
}

// Each assumption by itself agrees with the solved form; the decision procedure sees all of them.
Test(context, contradictions_that_only_a_query_finds) {
  shape_context *c = shape_context_new(NULL);
  parsed(c, "x + y + z");
  assume(c, "x < y", "a");
  assume(c, "y < z", "b");
  cr_expect_eq(shape_context_consistent(c), SHAPE_YES);
  if (assume(c, "z < x", "c") != SHAPE_CONTRADICTION) {
    cr_expect_eq(shape_context_consistent(c), SHAPE_CONTRADICTION);
    cr_expect_eq(shape_context_prove_text(c, "x + y == 5*z"), SHAPE_CONTRADICTION);
    shape_reason reasons[4];
    uint32_t count;
    shape_expr x = parsed(c, "x + y"), z = parsed(c, "5*z");
    cr_assert_eq(shape_context_reasons(c, SHAPE_EQ, x, z, reasons, 4, &count), SHAPE_OK);
    cr_expect_eq(count, 3);
    int64_t value;
    cr_expect_eq(shape_context_model(c, &x, 1, &value), SHAPE_CONTRADICTION);
  }
  shape_context_free(c);
}

Test(context, rollback_forgets_assumptions_and_keeps_expressions) {
  shape_context *c = shape_context_new(NULL);
  parsed(c, "N + M");
  assume(c, "N >= 2", NULL);
  shape_checkpoint outer = shape_context_checkpoint(c);
  assume(c, "N <= 4", NULL);
  shape_checkpoint inner = shape_context_checkpoint(c);
  assume(c, "N == M", NULL);
  shape_expr k = shape_context_symbol(c, "K", 0, INT64_MAX, 16);
  shape_expr e = parsed(c, "K + N*M");
  cr_expect_eq(shape_context_prove_text(c, "M <= 4"), SHAPE_YES);
  cr_expect_eq(shape_context_rollback(c, inner), SHAPE_OK);
  cr_expect_eq(shape_context_prove_text(c, "M <= 4"), SHAPE_UNKNOWN);
  cr_expect_eq(shape_context_prove_text(c, "N <= 4"), SHAPE_YES);
  cr_expect_eq(shape_context_prove(c, SHAPE_DIVISIBLE, k, shape_context_integer(c, 8)), SHAPE_YES,
               "the declaration stays");
  cr_expect_str_eq(text_of(c, e), "N*M + K");
  inner = shape_context_checkpoint(c);
  assume(c, "M == 7", NULL);
  cr_expect_eq(shape_context_rollback(c, outer), SHAPE_OK);
  cr_expect_eq(shape_context_rollback(c, inner), SHAPE_INVALID,
               "a rollback forgets later checkpoints");
  cr_expect_eq(shape_context_prove_text(c, "N <= 4"), SHAPE_UNKNOWN);
  cr_expect_eq(shape_context_prove_text(c, "N >= 2"), SHAPE_YES);
  cr_expect_eq(shape_context_assumption_count(c), 1);
  shape_context_free(c);
}

Test(context, a_divisor_that_is_assumed_is_not_0) {
  shape_context *c = shape_context_new(NULL);
  parsed(c, "N + D");
  cr_expect_eq(shape_context_prove_text(c, "D >= 1"), SHAPE_UNKNOWN);
  shape_checkpoint mark = shape_context_checkpoint(c);
  assume(c, "N // D == 3", "quotient");
  cr_expect_eq(shape_context_prove_text(c, "D >= 1"), SHAPE_YES);
  cr_expect_eq(shape_context_prove_text(c, "N >= 3"), SHAPE_YES);
  shape_context_rollback(c, mark);
  cr_expect_eq(shape_context_prove_text(c, "D >= 1"), SHAPE_UNKNOWN);
  cr_expect_eq(shape_context_prove_text(c, "N // D <= N"), SHAPE_YES, "wherever it is defined");
  cr_expect_eq(shape_context_prove_text(c, "D >= 1"), SHAPE_UNKNOWN, "asking assumes nothing");
  assume(c, "D == 0", NULL);
  cr_expect_eq(shape_context_prove_text(c, "N // D == 5"), SHAPE_UNKNOWN, "nowhere defined");
  cr_expect_eq(assume(c, "N // D >= 0", "late"), SHAPE_CONTRADICTION);
  cr_expect_eq(shape_context_prove_text(c, "N == 1"), SHAPE_UNKNOWN, "the context is as before");
  shape_context_free(c);
}

Test(context, simplifies_to_declared_names) {
  shape_context *c = shape_context_new(NULL);
  parsed(c, "total + past + seq");
  assume(c, "past + seq == total", NULL);
  cr_expect_str_eq(text_of(c, shape_context_simplify(c, parsed(c, "past + seq"))), "total");
  cr_expect_str_eq(text_of(c, shape_context_simplify(c, parsed(c, "total - past"))), "seq");
  shape_expr e = parsed(c, "min(seq, total)");
  cr_expect_str_eq(text_of(c, shape_context_simplify(c, e)), "seq");
  cr_expect_eq(shape_context_simplify(c, SHAPE_NO_EXPR), SHAPE_NO_EXPR);
  shape_context_free(c);
}

Test(context, bounds_residues_models) {
  shape_context *c = shape_context_new(NULL);
  parsed(c, "N + M");
  assume(c, "N <= 9", NULL);
  assume(c, "divisible(N - 1, 4)", NULL);
  shape_bounds b;
  cr_assert_eq(shape_context_bounds(c, parsed(c, "3*N + 1"), &b), SHAPE_OK);
  cr_expect(b.has_min && b.min == 4 && b.has_max && b.max == 28, "%d..%d", (int)b.min, (int)b.max);
  cr_assert_eq(shape_context_bounds(c, parsed(c, "M - N"), &b), SHAPE_OK);
  cr_expect(b.has_min && b.min == -9 && !b.has_max);
  int64_t divisor, remainder, values[3];
  shape_context_residue(c, parsed(c, "2*N"), &divisor, &remainder);
  cr_expect(divisor == 8 && remainder == 2, "%d %d", (int)divisor, (int)remainder);
  shape_context_residue(c, parsed(c, "M"), &divisor, &remainder);
  cr_expect(divisor == 1 && remainder == 0);
  assume(c, "N*M >= 30", NULL);
  shape_expr exprs[] = {parsed(c, "N"), parsed(c, "M"), parsed(c, "N*M")};
  cr_assert_eq(shape_context_model(c, exprs, 3, values), SHAPE_YES);
  cr_expect(values[0] <= 9 && values[0] % 4 == 1 && values[2] == values[0] * values[1] &&
            values[2] >= 30);
  shape_context_free(c);
}

Test(context, a_call_that_failed_changes_nothing) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  limits.token = shape_token_new();
  shape_context *c = shape_context_new(&limits);
  parsed(c, "N + M");
  assume(c, "N == 4*M", "kept");
  shape_checkpoint mark = shape_context_checkpoint(c);
  assume(c, "M >= 2", "later");
  assume(c, "7 // M == 1", "last");
  shape_token_cancel(limits.token);
  for (int i = 0; i < 50000 && shape_context_error(c)->status == SHAPE_OK; i++) {
    char text[60];
    snprintf(text, sizeof text, "N*%d + mod(M, %d) >= 0", i + 2, i + 3);
    shape_context_prove_text(c, text);
  }
  cr_assert_eq(shape_context_error(c)->status, SHAPE_CANCELLED);
  shape_token_reset(limits.token);
  cr_expect_eq(shape_context_prove_text(c, "N >= 8"), SHAPE_YES, "assumptions are stated again");
  cr_expect_eq(shape_context_prove_text(c, "M <= 7"), SHAPE_YES);
  cr_expect_eq(shape_context_rollback(c, mark), SHAPE_OK);
  cr_expect_eq(shape_context_prove_text(c, "N >= 8"), SHAPE_UNKNOWN);
  cr_expect_eq(shape_context_prove_text(c, "divisible(N, 4)"), SHAPE_YES);
  shape_context_free(c);
  shape_token_free(limits.token);
}

Test(context, large_numbers_end_a_call_and_not_the_context) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  limits.bits = 512;
  shape_context *c = shape_context_new(&limits);
  cr_expect_eq(shape_context_parse(c, "((2^64)^64)^64", true), SHAPE_NO_EXPR);
  cr_expect_eq(shape_context_error(c)->status, SHAPE_BITS);
  cr_expect_neq(shape_context_parse(c, "N + 2^64", true), SHAPE_NO_EXPR);
  shape_bounds b;
  cr_assert_eq(shape_context_bounds(c, parsed(c, "N + 2^64"), &b), SHAPE_OK);
  cr_expect_not(b.has_min, "2^64 does not fit");
  shape_context_free(c);
}

Test(context, older_structs_are_read) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  limits.steps = 1;  // beyond what this caller knows of
  limits.memory = 64 << 20;
  limits.struct_size = offsetof(shape_limits, steps);
  shape_context *c = shape_context_new(&limits);
  parsed(c, "N + M");
  cr_expect_eq(shape_context_prove_text(c, "N*M >= mod(N, 3)*mod(M, 3)"), SHAPE_YES);
  shape_context_free(c);
  limits.struct_size = sizeof limits;
  c = shape_context_new(&limits);
  parsed(c, "N + M");
  cr_expect_eq(shape_context_prove_text(c, "N*M >= mod(N, 3)*mod(M, 3)"), SHAPE_UNKNOWN);
  cr_expect_eq(shape_context_error(c)->status, SHAPE_BUDGET);
  shape_context_free(c);
}

// select(a, x, y) is select(is_zero(a), y, x) where a is no flag, and is_zero(a) is a here.
Test(context, normal_forms_that_bring_back_what_is_replaced_end) {
  shape_context *c = shape_context_new(NULL);
  cr_assert_neq(shape_context_parse(c, "a + b + c + f", true), SHAPE_NO_EXPR);
  assume(c, "a == is_zero(a)", NULL);
  assume(c, "is_zero(a) >= 1", NULL);
  assume(c, "1 < f", NULL);
  assume(c, "divisible(select(is_zero(a), c, b), f)", NULL);
  cr_expect_neq(shape_context_consistent(c), SHAPE_YES, "no integer is that");
  shape_context_free(c);
}
