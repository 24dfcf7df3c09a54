// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/messages.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_MAX = 8 };

static bool same_slice(json_slice a, json_slice b) {
  return a.length == b.length && (!a.length || memcmp(a.text, b.text, a.length) == 0);
}

static bool same_request(const rpc_request *a, const rpc_request *b) {
  return same_slice(a->text, b->text) && same_slice(a->id, b->id) &&
         same_slice(a->method, b->method) && same_slice(a->params, b->params) &&
         a->wrong == b->wrong;
}

void fuzz_each_request(const char *text, size_t length, size_t memory, fuzz_answer *answer,
                       void *data) {
  const json_limits limits = {0, FUZZ_JSON_DEPTH};
  shape_arena arena;
  rpc_message message, plain;
  rpc_failure failure = {.code = RPC_OK}, other = {.code = RPC_OK};
  arena_init(&arena, memory);
  bool good = rpc_split(&arena, text, length, BATCH_MAX, &limits, &message, &failure);
  bool also = rpc_split(&arena, text, length, BATCH_MAX, NULL, &plain, &other);
  bool memory_ended = failure.code == RPC_MEMORY || other.code == RPC_MEMORY;
  if (!memory_ended && (good != also || (!good && failure.code != other.code))) abort();
  if (good && also) {
    if (message.count != plain.count) abort();
    for (uint32_t i = 0; i < message.count; i++) {
      const rpc_request *r = &message.requests[i];
      if (!same_request(r, &plain.requests[i])) abort();
      const method_row *row = r->wrong ? NULL : method_find(r->method.text, r->method.length);
      if (row) answer(data, r, row);
    }
  }
  arena_destroy(&arena);
}
