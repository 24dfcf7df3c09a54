// SPDX-License-Identifier: Apache-2.0
// What requests cost without a daemon around them: `server/ping` and `analyze` with the same graph in their parameters,
// from the text of the message to that of the reply, in this process. Rounds of both alternate, so that whatever else
// the machine does hits both; each figure is the least of all rounds and the median, in µs of CPU time per request.
//
//   request [OPS [ROUNDS]]     20 operations, 200 rounds of 50 requests
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "proto/methods/method.h"
#include "tests/bench/record.h"
#include "tests/bench/spread.h"
#include "tests/bench/workload.h"

enum { BATCH = 50, ROUNDS_MAX = 100000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// One request, as the loop of the daemon does it. Returns the length of the reply.
static size_t answer(const char *text) {
  shape_arena message_arena, arena, reply;
  rpc_message message;
  rpc_failure failure;
  shape_strbuf out;
  const method_limits limits = {.json = {.bytes = 1 << 24, .depth = 512},
                                .steps = 1 << 24,
                                .bits = BUDGET_BITS_DEFAULT,
                                .memory = 1 << 28};
  method_host host = {0};
  method_control control = {.stop = SHAPE_OK};
  rpc_code outcome;
  arena_init(&message_arena, 0);
  if (!rpc_split(&message_arena, text, strlen(text), 1, &limits.json, &message, &failure)) abort();
  const rpc_request *request = message.requests;
  arena_init(&arena, limits.memory);
  arena_init(&reply, 0);
  strbuf_init(&out, &reply);
  const method_row *row = method_find(request->method.text, request->method.length);
  if (!row || !method_answer(&arena, row, request, &limits, &host, &control, &out, &outcome) ||
      outcome != RPC_OK) {
    fprintf(stderr, "request: it failed\n");
    exit(1);
  }
  size_t length = out.length;
  arena_destroy(&arena);
  arena_destroy(&reply);
  arena_destroy(&message_arena);
  return length;
}

int main(int count, char **arguments) {
  static const char *const METHODS[] = {"server/ping", "analyze"};
  int ops = count > 1 ? atoi(arguments[1]) : 20, rounds = count > 2 ? atoi(arguments[2]) : 200;
  if (ops < 1 || rounds < 1 || rounds > ROUNDS_MAX) return 2;
#ifdef __GLIBC__
  // The daemon's heap, with connections above what requests take, does not go back to the system after each of them.
  mallopt(M_TRIM_THRESHOLD, 1 << 26);
#endif
  char *params = workload_params((unsigned)ops), *texts[2];
  double *spent[2];
  for (int i = 0; i < 2; i++) {
    size_t room = params ? strlen(params) + 128 : 0;
    texts[i] = malloc(room);
    spent[i] = malloc((size_t)rounds * sizeof **spent);
    if (!room || !texts[i] || !spent[i]) return 3;
    snprintf(texts[i], room, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}",
             METHODS[i], params);
  }
  for (int r = 0; r < 2 * rounds; r++) {
    double begin = now();
    for (int i = 0; i < BATCH; i++) answer(texts[r % 2]);
    spent[r % 2][r / 2] = (now() - begin) * 1e6 / BATCH;
  }
  printf("| request of %d operations | least us | median us |\n|---|---|---|\n", ops);
  for (int i = 0; i < 2; i++) {
    qsort(spent[i], (size_t)rounds, sizeof **spent, compare_doubles);
    printf("| %s | %.2f | %.2f |\n", METHODS[i], spent[i][0], spent[i][rounds / 2]);
    record("{\"section\": \"request\", \"method\": \"%s\", \"ops\": %d, \"min_us\": %.2f, "
           "\"median_us\": %.2f}",
           METHODS[i], ops, spent[i][0], spent[i][rounds / 2]);
    free(texts[i]);
    free(spent[i]);
  }
  free(params);
  return 0;
}
