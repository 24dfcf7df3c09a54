// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/messages.h"

enum { BATCH_MAX = 8 };

void fuzz_each_request(const char *text, size_t length, size_t memory, fuzz_answer *answer,
                       void *data) {
  shape_arena arena;
  rpc_message message;
  rpc_failure failure;
  arena_init(&arena, memory);
  if (rpc_split(&arena, text, length, BATCH_MAX, &message, &failure)) {
    for (uint32_t i = 0; i < message.count; i++) {
      const rpc_request *r = &message.requests[i];
      const method_row *row = r->wrong ? NULL : method_find(r->method.text, r->method.length);
      if (row) answer(data, r, row);
    }
  }
  arena_destroy(&arena);
}
