// SPDX-License-Identifier: Apache-2.0
// What is written in pieces, as one short text.
#ifndef TESTS_UNIT_API_TAKEN_H
#define TESTS_UNIT_API_TAKEN_H

#include <string.h>

typedef struct taken {
  char data[4096];  // ends in 0 where it was set to 0 at first
  size_t length;    // of the whole, also where there was no room for it
} taken;

static inline void take(void *to, const char *data, size_t length) {
  taken *t = to;
  if (t->length + length < sizeof t->data) memcpy(t->data + t->length, data, length);
  t->length += length;
}

#endif
