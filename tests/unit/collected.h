// SPDX-License-Identifier: Apache-2.0
// What an emitter writes, as one text.
#ifndef TESTS_UNIT_COLLECTED_H
#define TESTS_UNIT_COLLECTED_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

typedef struct collected {
  char *text;  // the caller frees it; NULL: nothing came
  size_t length;
} collected;

static inline void collect(void *to, const char *data, size_t length) {
  collected *c = to;
  c->text = realloc(c->text, c->length + length + 1);
  cr_assert(c->text);
  memcpy(c->text + c->length, data, length);
  c->length += length;
  c->text[c->length] = 0;
}

#endif
