// SPDX-License-Identifier: Apache-2.0
// Any text as MLIR in the generic form that is written as bytecode: no crash, a reason where it is refused, and what is
// written is read.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/bytecode/bytecode.h"
#include "solver/formats/bytecode/write.h"
#include "tests/fuzz/support/collect.h"

typedef struct input {
  shape_arena *arena;
  const char *text;
  size_t length;
  const char *target;
  collected out;
} input;

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  abort();
}

static void write_text(void *data) {
  input *in = data;
  bytecode_release release = {0};
  if (in->target && !bytecode_release_parse(in->target, &release)) fail(in->target);
  const bytecode_write_options options = {in->target ? &release : NULL, {NULL, 0}};
  const bytecode_sink sink = {&in->out, collect, NULL};
  const bytecode_options whole = {.whole = true};
  bytecode_refusal refusal;
  bytecode_text again;
  bytecode_error error;
  if (bytecode_write(in->arena, NULL, in->text, in->length, &options, &sink, &refusal) !=
      BYTECODE_WRITTEN) {
    if (!refusal.message[0] || refusal.offset > in->length) fail("refused without a reason");
    return;
  }
  // What is not balanced in a text of assembly is the reader's to refuse.
  if (!bytecode_print(in->arena, NULL, in->out.text, in->out.length, &whole, &again, &error) &&
      !strstr(error.message, "assembly text") && !strstr(error.message, "long") &&
      !strstr(error.message, "nested"))
    fail(error.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const TARGETS[] = {NULL, "0.9.0", "1.20.0"};
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  for (size_t i = 0; i < sizeof TARGETS / sizeof *TARGETS; i++) {
    shape_arena arena;
    arena_init(&arena, 64u << 20);
    input in = {&arena, text, size, TARGETS[i], {NULL, 0, NULL}};
    arena_protect(&arena, write_text, &in);
    arena_destroy(&arena);
    free(in.out.text);
  }
  free(text);
  return 0;
}
