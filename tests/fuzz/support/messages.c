// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/messages.h"

enum { BATCH_MAX = 8 };

typedef struct split_work {
  shape_arena arena;
  const char *text;
  size_t length;
  rpc_message message;
  bool good;
} split_work;

static void split(void *data) {
  split_work *w = data;
  rpc_failure failure;
  w->good = rpc_split(&w->arena, w->text, w->length, BATCH_MAX, &w->message, &failure);
}

void fuzz_each_request(const char *text, size_t length, size_t memory, fuzz_answer *answer,
                       void *data) {
  split_work w = {.text = text, .length = length};
  arena_init(&w.arena, memory);
  if (arena_protect(&w.arena, split, &w) == SHAPE_OK && w.good) {
    for (uint32_t i = 0; i < w.message.count; i++) {
      const rpc_request *r = &w.message.requests[i];
      const method_row *row = r->wrong ? NULL : method_find(r->method.text, r->method.length);
      if (row) answer(data, r, row);
    }
  }
  arena_destroy(&w.arena);
}
