// SPDX-License-Identifier: Apache-2.0
// Any message is split without a fault, and whatever is answered inline is one JSON value that passes the gate.
#include <stdlib.h>
#include <string.h>

#include "proto/methods/method.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct fuzz_work {
  shape_arena arena;
  const char *text;
  size_t length;
  rpc_message message;
  bool good;
} fuzz_work;

static void split(void *data) {
  fuzz_work *w = data;
  rpc_failure failure;
  w->good = rpc_split(&w->arena, w->text, w->length, 8, &w->message, &failure);
}

static void answer(fuzz_work *w, const rpc_request *r, const method_row *row) {
  const method_limits limits = {.json = {0, 64}, .steps = 100000, .bits = 4096, .memory = 16 << 20};
  const method_host host = {0};
  shape_arena reply_arena;
  shape_strbuf out;
  rpc_code outcome;
  json_error error;
  const char *clean;
  size_t clean_length;
  arena_init(&reply_arena, 64 << 20);
  strbuf_init(&out, &reply_arena);
  shape_arena arena;
  arena_init(&arena, limits.memory);
  if (!method_answer(&arena, row, r, &limits, &host, NULL, &out, &outcome)) abort();
  if (!r->id.length != !out.length) abort();
  const json_limits reply_limits = {0, JSON_DEPTH_MOST};
  if (out.length &&
      !json_gate(&w->arena, &reply_limits, out.data, out.length, &clean, &clean_length, &error))
    abort();
  arena_destroy(&arena);
  arena_destroy(&reply_arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_work w = {.text = (const char *)data, .length = size};
  arena_init(&w.arena, 64 << 20);
  if (arena_protect(&w.arena, split, &w) == SHAPE_OK && w.good) {
    for (uint32_t i = 0; i < w.message.count; i++) {
      const rpc_request *r = &w.message.requests[i];
      const method_row *row = r->wrong ? NULL : method_find(r->method.text, r->method.length);
      if (row) answer(&w, r, row);
    }
  }
  arena_destroy(&w.arena);
  return 0;
}
