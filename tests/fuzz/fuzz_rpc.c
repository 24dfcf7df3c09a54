// SPDX-License-Identifier: Apache-2.0
// Any message is split without a fault, and whatever is answered inline is one JSON value that is valid.
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/support/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void answer(void *data, const rpc_request *r, const method_row *row) {
  (void)data;
  const method_limits limits = {
      .json = {0, FUZZ_JSON_DEPTH}, .steps = 100000, .bits = 4096, .memory = 16 << 20};
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
  const json_limits reply_limits = {0, JSON_DEPTH_MAX};
  if (out.length && !json_validate(&reply_arena, &reply_limits, out.data, out.length, &clean,
                                   &clean_length, &error))
    abort();
  arena_destroy(&arena);
  arena_destroy(&reply_arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_each_request((const char *)data, size, 64 << 20, answer, NULL);
  return 0;
}
