// SPDX-License-Identifier: Apache-2.0
// Requests as lines of JSON, used as a program outside of the library uses them.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/shape.h"

typedef struct text {
  char data[2000];
  size_t length;
} text;

static void take(void *to, const char *data, size_t length) {
  text *t = to;
  cr_assert(t->length + length < sizeof t->data);
  memcpy(t->data + t->length, data, length);
  t->length += length;
  t->data[t->length] = 0;
}

static shape_decision ask(shape_decider *d, const char *request, text *reply) {
  shape_decision decision;
  reply->length = 0;
  cr_assert_eq(shape_decider_answer(d, request, strlen(request), take, reply, &decision), SHAPE_OK);
  cr_assert_eq(reply->data[reply->length - 1], '\n');
  return decision;
}

#define SYMBOLS "\"symbols\": {\"N\": {\"min\": 1, \"max\": null}}"

Test(decider, answers_lines_one_by_one) {
  shape_decider *d = shape_decider_new(NULL, NULL);
  text reply;
  cr_expect_eq(ask(d, "{\"id\": 7, " SYMBOLS ", \"query\": \"2*N >= 2\"}", &reply),
               SHAPE_DECISION_ANSWER);
  cr_expect_str_eq(reply.data, "{\"id\": 7, \"answer\": \"true\", \"conflict\": false}\n");
  cr_expect_eq(ask(d, "{" SYMBOLS ", \"query\": \"N < 1\"}", &reply), SHAPE_DECISION_NO);
  cr_expect_eq(ask(d, "{\"query\": \"M < 1\"}", &reply), SHAPE_DECISION_ERROR);
  cr_expect(strstr(reply.data, "unknown symbol 'M'"), "%s", reply.data);
  cr_expect_eq(ask(d, "{", &reply), SHAPE_DECISION_ERROR);
  cr_expect_eq(ask(d, "", &reply), SHAPE_DECISION_ERROR);
  cr_expect_eq(ask(d, "{" SYMBOLS ", \"bounds\": \"N + 3\"}", &reply), SHAPE_DECISION_ANSWER);
  cr_expect_str_eq(reply.data, "{\"id\": null, \"min\": 4, \"max\": null, \"conflict\": false}\n");
  cr_expect_eq(shape_decider_claims(d).claims, 0);
  shape_decider_free(d);
  shape_decider_free(NULL);
}

// Names are compared by their first eight bytes first; from thirteen symbols on they are found in their order.
Test(decider, symbols_are_found_by_name_however_many_there_are) {
  static const char *const PREFIXES[] = {"", "s", "batches_", "a_long_prefix_"};
  shape_decider *d = shape_decider_new(NULL, NULL);
  for (int p = 0; p < 4; p++) {
    for (int count = 1; count <= 40; count++) {
      char line[4000], expected[100];
      int length = snprintf(line, sizeof line, "{\"symbols\": {");
      for (int i = 0; i < count; i++) {
        length += snprintf(line + length, sizeof line - (size_t)length,
                           "%s\"%sx%d\": {\"min\": %d, \"max\": null, \"multiple_of\": null}",
                           i ? ", " : "", PREFIXES[p], 7 * i % 41, i);
      }
      int at = count / 2;
      snprintf(line + length, sizeof line - (size_t)length, "}, \"bounds\": \"%sx%d + 1\"}",
               PREFIXES[p], 7 * at % 41);
      snprintf(expected, sizeof expected,
               "{\"id\": null, \"min\": %d, \"max\": null, \"conflict\": false}\n", at + 1);
      text reply;
      ask(d, line, &reply);
      cr_expect_str_eq(reply.data, expected);
      snprintf(line + length, sizeof line - (size_t)length, "}, \"bounds\": \"%sx%d0\"}",
               PREFIXES[p], 7 * at % 41 + 41);
      cr_expect_eq(ask(d, line, &reply), SHAPE_DECISION_ERROR);
      snprintf(line + length, sizeof line - (size_t)length, ", \"%sx0\": {}}, \"bounds\": \"1\"}",
               PREFIXES[p]);
      cr_expect_eq(ask(d, line, &reply), SHAPE_DECISION_ERROR);
      cr_expect(strstr(reply.data, "given twice"), "%s", reply.data);
    }
  }
  shape_decider_free(d);
}

Test(decider, options_say_how_it_answers) {
  shape_decider_options options = SHAPE_STRUCT(shape_decider_options);
  text reply;
  options.certify = true;
  options.readable = true;
  shape_decider *d = shape_decider_new(NULL, &options);
  cr_expect_eq(ask(d, "{" SYMBOLS ", \"query\": \"N != 0\"}", &reply), SHAPE_DECISION_ANSWER);
  cr_expect_str_eq(reply.data, "N != 0: true\n");
  shape_claims said = shape_decider_claims(d);
  cr_expect(said.claims == 1 && said.confirmed == 1 && said.contradicted == 0);
  shape_decider_free(d);
}

static void count_lines(void *to, const char *data, size_t length) {
  (void)data;
  *(unsigned *)to += length > 0;
}

Test(decider, limits_are_of_one_request) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  shape_token *token = shape_token_new();
  unsigned lines = 0;
  text reply;
  limits.steps = 20;
  limits.token = token;
  limits.trace_tags = shape_trace_tags("all");
  limits.trace = count_lines;
  limits.trace_to = &lines;
  shape_decider *d = shape_decider_new(&limits, NULL);
  const char *hard = "{" SYMBOLS ", \"query\": \"mod(N*N*N, 7) != 3\"}";
  for (int i = 0; i < 2; i++) {
    cr_expect_eq(ask(d, hard, &reply), SHAPE_DECISION_BUDGET, "%s", reply.data);
    cr_expect(strstr(reply.data, "\"reason\": \"budget\""), "%s", reply.data);
  }
  cr_expect(lines > 0);
  shape_decider_free(d);
  shape_token_cancel(token);
  limits.steps = 0;
  d = shape_decider_new(&limits, NULL);
  cr_assert_not_null(d);
  cr_expect_eq(ask(d, hard, &reply), SHAPE_DECISION_ERROR);
  cr_expect(strstr(reply.data, "CANCELLED"), "%s", reply.data);
  shape_decider_free(d);
  shape_token_free(token);
  limits.token = NULL;
  limits.memory = 3000;
  d = shape_decider_new(&limits, NULL);
  cr_assert_not_null(d);
  char large[6000];
  int n = snprintf(large, sizeof large, "{\"symbols\": {");
  for (int i = 0; i < 100; i++)
    n += snprintf(large + n, sizeof large - (size_t)n, "%s\"N%d\": {\"min\": 1}", i ? ", " : "", i);
  snprintf(large + n, sizeof large - (size_t)n, "}, \"query\": \"N1 + N2 > N3 + N4\"}");
  shape_decision decision = ask(d, large, &reply);
  cr_expect(decision == SHAPE_DECISION_ERROR || decision == SHAPE_DECISION_BUDGET, "%s",
            reply.data);
  shape_decider_free(d);
}
