// SPDX-License-Identifier: Apache-2.0
// An answer that comes in pieces, as one text.
#ifndef TESTS_FUZZ_SUPPORT_COLLECT_H
#define TESTS_FUZZ_SUPPORT_COLLECT_H

#include <stddef.h>

typedef struct collected {
  char *text;  // malloc'ed
  size_t length;
  const char *input;  // whose parts collect_copy takes; NULL where none are
} collected;

void collect(void *to, const char *data, size_t length);  // an analyze_sink
void collect_copy(void *to, size_t begin, size_t end);    // the `copy` of an analyze_request

#endif
