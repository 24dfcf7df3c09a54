// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/collect.h"

#include <stdlib.h>
#include <string.h>

void collect(void *to, const char *data, size_t length) {
  collected *c = to;
  char *more = realloc(c->text, c->length + length + 1);
  if (!more) abort();
  memcpy(more + c->length, data, length);
  c->text = more;
  c->length += length;
}

void collect_copy(void *to, size_t begin, size_t end) {
  collect(to, ((collected *)to)->input + begin, end - begin);
}
