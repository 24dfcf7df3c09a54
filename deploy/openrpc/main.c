// SPDX-License-Identifier: Apache-2.0
// Writes what rpc.discover answers, for openrpc.json beside the schemas that it refers to. Runs at build time only.
#include <stdio.h>
#include <stdlib.h>

#include "proto/methods/method.h"

static void write(void *data) {
  method_call *call = data;
  if (!method_rpc_discover(call)) abort();
  strbuf_putc(call->out, '\n');
}

int main(void) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  method_call call = {.arena = &arena, .out = &out};
  bool good = arena_protect(&arena, write, &call) == SHAPE_OK &&
              fwrite(out.data, 1, out.length, stdout) == out.length && fflush(stdout) == 0;
  arena_destroy(&arena);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
