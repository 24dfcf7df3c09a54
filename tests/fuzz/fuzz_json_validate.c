// SPDX-License-Identifier: Apache-2.0
// What validation accepts, cJSON reads, and writing it again is accepted again.
#include <stdlib.h>
#include <string.h>

#include "proto/json/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  shape_arena arena;
  arena_init(&arena, (size_t)64 << 20);
  cJSON *tree;
  json_error error;
  if (json_parse(&arena, NULL, (const char *)data, size, &tree, &error)) {
    char *text = cJSON_PrintUnformatted(tree);
    if (!text) abort();
    cJSON *again;
    if (!json_parse(&arena, NULL, text, strlen(text), &again, &error)) abort();
    cJSON_Delete(again);
    cJSON_free(text);
    cJSON_Delete(tree);
  } else if (error.status != SHAPE_MEMORY && error.status != SHAPE_SIZE &&
             (!error.line || !*error.message)) {
    abort();
  }
  arena_destroy(&arena);
  return 0;
}
