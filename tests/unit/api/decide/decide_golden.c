// SPDX-License-Identifier: Apache-2.0
// Named queries from users of other solvers, with their reasons, and what invalid lines get.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/api/decide/decide.h"

enum { LINE = 2048 };

// The reply to a request whose symbols are a, b and c, all at least `min`.
static const char *ask(const char *min, const char *assume, const char *kind, const char *text) {
  static char reply[LINE];
  char line[LINE];
  shape_arena scratch, kept;
  shape_strbuf out;
  arena_init(&scratch, 0);
  arena_init(&kept, 0);
  strbuf_init(&out, &kept);
  int n = snprintf(
      line, sizeof line,
      "{\"id\": 1, \"explain\": true, \"symbols\": {\"a\": {\"min\": %s}, \"b\": {\"min\": %s}, "
      "\"c\": {\"min\": %s}}, \"assume\": [%s], \"%s\": \"%s\"}",
      min, min, min, assume, kind, text);
  decide_line(&scratch, &(decide_options){.steps = 0}, line, (size_t)n, &out);
  snprintf(reply, sizeof reply, "%s", strbuf_text(&out));
  arena_destroy(&scratch);
  arena_destroy(&kept);
  return reply;
}

static void expect(const char *reply, const char *part) {
  cr_assert(strstr(reply, part), "wanted %s in %s", part, reply);
}

// The reply to a line with that many steps, or bytes.
static const char *ask_within(uint64_t steps, uint64_t memory, const char *line) {
  static char reply[LINE];
  shape_arena scratch, kept;
  shape_strbuf out;
  decide_scratch_init(&scratch, NULL, memory);
  arena_init(&kept, 0);
  strbuf_init(&out, &kept);
  decide_line(&scratch, &(decide_options){.steps = steps}, line, strlen(line), &out);
  snprintf(reply, sizeof reply, "%s", strbuf_text(&out));
  arena_destroy(&scratch);
  arena_destroy(&kept);
  return reply;
}

// An expression stays as it was asked where steps or memory run out, and the reply says so.
Test(decide_golden, a_spent_budget_leaves_expressions_as_they_were) {
  const char *zero = "{\"symbols\": {\"z\": {}}, \"simplify\": \"is_zero(min(z, z*z))\"}";
  expect(ask_within(0, 0, zero), "\"simplified\": \"is_zero(z)\", \"conflict\"");
  expect(ask_within(1, 0, zero),
         "\"simplified\": \"is_zero(min(z, z*z))\", \"reason\": \"budget\"");
  const char *large =
      "{\"symbols\": {\"a\": {\"min\": 1}, \"b\": {\"min\": 0}, \"c\": {}}, \"assume\": "
      "[\"a*b*c == b*b + 12345678901234567890\", \"a*c - b*b*c >= 98765432109876543210\"], "
      "\"simplify\": \"max(18*b, b*a, c*c)\"}";
  expect(ask_within(0, 64 << 10, large),
         "\"simplified\": \"max(18*b, b*a, c*c)\", \"reason\": \"budget\"");
  expect(ask_within(1, 0,
                    "{\"symbols\": {\"a\": {\"min\": 0}, \"b\": {\"min\": 0}}, \"assume\": "
                    "[\"2*a + 3*b <= 12\"], \"bounds\": \"a + b\"}"),
         "\"reason\": \"budget\"");
}

// Each of two assumptions is enough: which of them is reported does not depend on their order.
Test(decide_golden, reasons_do_not_depend_on_the_order_of_assumptions) {
  expect(ask("0", "\"a >= 4\", \"2*a >= 8\", \"b <= 3\"", "query", "a >= 3"), "\"because\": [1]");
  expect(ask("0", "\"2*a >= 8\", \"b <= 3\", \"a >= 4\"", "query", "a >= 3"), "\"because\": [0]");
  expect(ask("0", "\"b <= 3\", \"2*a >= 8\", \"a >= 4\"", "query", "a >= 3"), "\"because\": [1]");
}

// What lies between two ranges of a symbol is none of its values.
Test(decide_golden, symbols_have_ranges_with_gaps) {
  expect(
      ask_within(0, 0,
                 "{\"symbols\": {\"b\": {\"ranges\": [[1, 4], [16, 32]]}}, \"query\": \"b != 8\"}"),
      "\"answer\": \"true\"");
  expect(
      ask_within(0, 0,
                 "{\"symbols\": {\"b\": {\"ranges\": [[1, 4], [16, null]]}}, \"assume\": [\"b >= "
                 "5\"], \"bounds\": \"2*b\", \"explain\": true}"),
      "\"min\": 32, \"max\": null, \"because\": {\"min\": [0]}");
  expect(
      ask_within(0, 0,
                 "{\"symbols\": {\"b\": {\"ranges\": [[null, 4], [16, 32]]}}, \"assume\": [\"b >= "
                 "5\", \"b <= 15\"], \"query\": \"b == 7\", \"explain\": true}"),
      "\"because\": [0, 1], \"conflict\": true");
  static const char *const WRONG[] = {
      "[]",     "[[1]]", "[[1, 2, 3]]", "[[4, 1]]", "[[5, 9], [1, 2]]", "[[1, null], [5, 9]]",
      "[1, 2]", "7"};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    char line[256];
    snprintf(line, sizeof line, "{\"symbols\": {\"b\": {\"ranges\": %s}}, \"query\": \"b == 1\"}",
             WRONG[i]);
    expect(ask_within(0, 0, line), "\"code\": \"SYNTAX\"");
  }
}

Test(decide_golden, order_and_sum_fix_both) {
  const char *given = "\"a <= b\", \"a >= b\", \"a + b == 10\"";
  expect(ask("1", given, "bounds", "a"), "\"min\": 5, \"max\": 5, ");
  expect(ask("1", given, "bounds", "b"), "\"min\": 5, \"max\": 5, ");
  expect(ask("1", given, "query", "a == 5"), "\"answer\": \"true\", \"because\": [0, 1, 2]");
}

Test(decide_golden, divisibility_passes_to_products) {
  expect(ask("1", "\"divisible(a, 16)\", \"c >= 3\"", "query", "divisible(a*b, 16)"),
         "\"answer\": \"true\", \"because\": [0]");
  expect(ask("1", "\"mod(a, 16) == 0\"", "query", "mod(a*b + 8, 16) == 8"), "\"answer\": \"true\"");
  expect(ask("1", "\"mod(a, 16) == 0\"", "query", "divisible(b, 16)"),
         "\"answer\": \"unknown\", \"reason\": \"contingent\"");
}

Test(decide_golden, an_unbounded_size_may_be_large) {
  expect(ask("1", "", "query", "b < 2147483647"),
         "\"answer\": \"unknown\", \"reason\": \"contingent\", \"witnesses\": {\"true\": {");
}

Test(decide_golden, a_remainder_is_no_larger_than_its_dividend) {
  expect(ask("1", "", "query", "b >= mod(b, 3)"), "\"answer\": \"true\", \"because\": []");
}

Test(decide_golden, a_gap_moves_the_minimum) {
  expect(ask("1", "\"a >= b + 8\"", "query", "a >= 9"), "\"answer\": \"true\", \"because\": [0]");
  expect(ask("1", "\"a >= b + 8\"", "query", "a >= 10"),
         "\"answer\": \"unknown\", \"reason\": \"contingent\"");
  expect(ask("1", "\"a >= b + 8\"", "bounds", "a"), "\"min\": 9, \"max\": null");
}

Test(decide_golden, whole_tiles_fit) {
  expect(ask("1", "", "query", "floordiv(b - a, c)*c + a <= b"), "\"answer\": \"true\"");
}

Test(decide_golden, neighbours_have_an_even_product) {
  expect(ask("1", "", "query", "mod(a*(a + 1), 2) == 0"), "\"answer\": \"true\"");
}

Test(decide_golden, zero_is_no_factor_to_cancel) {
  expect(ask("0", "\"a*b == a*c\"", "query", "b == c"),
         "\"answer\": \"unknown\", \"reason\": \"contingent\"");
  expect(ask("0", "\"a*b == a*c\", \"a >= 1\"", "query", "b == c"), "\"because\": [0, 1]");
}

Test(decide_golden, contradictions_are_a_result) {
  expect(ask("1", "\"c >= 2\", \"2*a + 4*b == 7\"", "query", "1 == 1"),
         "\"because\": [1], \"conflict\": true");
  expect(ask("1", "\"a < b\", \"b < c\", \"c < a\"", "query", "a == 1"),
         "\"because\": [0, 1, 2], \"conflict\": true");
}

Test(decide_golden, integers_are_exact) {
  expect(ask("9223372036854775807", "", "bounds", "2*a"), "\"min\": 18446744073709551614, ");
  expect(ask("9007199254740995", "", "query", "a >= 9007199254740996"),
         "\"answer\": \"unknown\", \"reason\": \"contingent\"");
}

Test(decide_golden, simplest_forms) {
  expect(ask("1", "", "simplify", "max(a, b) + min(a, b)"), "\"simplified\": \"a + b\"");
  expect(ask("1", "\"a <= b\"", "simplify", "max(a, b)"), "\"simplified\": \"b\"");
  expect(ask("1", "\"a == 3*b\", \"a <= 5\"", "simplify", "a + b"), "\"simplified\": \"4\"");
}

Test(decide_golden, errors_have_positions) {
  expect(ask("1", "\"a >= 1\", \"a >> b\"", "query", "a == 1"), "\"field\": \"assume[1]\"");
  expect(ask("1", "", "query", "a + d == 1"), "unknown symbol");
  expect(ask("1", "", "query", "floordiv(a, 0) == 1"), "\"message\": \"division by zero\"");
  expect(ask("\"x\"", "", "query", "a == 1"), "expected an integer");
}

static void one_line(const char *line, const char *part) {
  shape_arena scratch, kept;
  shape_strbuf out;
  arena_init(&scratch, 0);
  arena_init(&kept, 0);
  strbuf_init(&out, &kept);
  decide_line(&scratch, &(decide_options){.steps = 0}, line, strlen(line), &out);
  expect(strbuf_text(&out), part);
  cr_assert_eq(out.data[out.length - 1], '\n');
  arena_destroy(&scratch);
  arena_destroy(&kept);
}

Test(decide_lines, ids_are_echoed_as_written) {
  one_line("{\"id\": \"\\u0041 \\\" x\", \"query\": \"1 == 1\"}",
           "{\"id\": \"\\u0041 \\\" x\", \"answer\": \"true\"");
  one_line("{\"id\": 1e3, \"query\": \"1 == 2\"}", "{\"id\": 1e3, \"answer\": \"false\"");
  one_line("{\"id\": \"\xc3\xa4\xf0\x9f\x98\x80\", \"query\": \"1 == 1\"}",
           "{\"id\": \"\xc3\xa4\xf0\x9f\x98\x80\", \"answer\": \"true\"");
  one_line("{\"query\": \"1 == 1\"}", "{\"id\": null, \"answer\": \"true\"");
}

Test(decide_lines, invalid_lines_are_errors_of_their_own) {
  static const char *const INVALID[] = {
      "",
      "{",
      "[]",
      "nonsense",
      "{\"id\": 1}",
      "{\"id\": 1, \"query\": 3}",
      "{\"id\": 1, \"query\": \"1 == 1\"} x",
      "{\"id\": 01, \"query\": \"1 == 1\"}",
      "{\"id\": 1, \"query\": \"1 == 1\", \"bounds\": \"1\"}",
      "{\"id\": 1, \"symbols\": {\"a\": {\"multiple_of\": 0}}, \"query\": \"a == 1\"}",
      "{\"id\": 1, \"symbols\": {\"a\": {}, \"a\": {}}, \"query\": \"a == 1\"}",
      "{\"id\": 1, \"query\": \"\\ud800\"}",
      "{\"id\": \"\x80\", \"query\": \"1 == 1\"}",
      "{\"id\": \"long enough \xed\xa0\x80\", \"query\": \"1 == 1\"}",
      "{\"id\": \"\\n\xc3\", \"query\": \"1 == 1\"}"};
  for (size_t i = 0; i < sizeof INVALID / sizeof *INVALID; i++) one_line(INVALID[i], "\"error\"");
}

Test(decide_lines, empty_ranges_conflict) {
  one_line("{\"id\": 1, \"symbols\": {\"a\": {\"min\": 3, \"max\": 2}}, \"query\": \"1 == 1\"}",
           "\"conflict\": true");
  one_line("{\"id\": 1, \"symbols\": {\"a\": {\"min\": 5, \"max\": 7, \"multiple_of\": 4}}, "
           "\"query\": \"1 == 1\"}",
           "\"conflict\": true");
}

Test(decide_lines, decimal_strings_are_integers) {
  one_line(
      "{\"id\": 1, \"symbols\": {\"a\": {\"min\": \"99999999999999999999\"}}, \"bounds\": \"a\"}",
      "\"min\": 99999999999999999999, \"max\": null");
}
