// SPDX-License-Identifier: Apache-2.0
// Breaking text into lines, for what programs say of themselves: a terminal of 80 columns cuts words in two.
#ifndef SHAPE_PROTO_PROCESS_WRAP_H
#define SHAPE_PROTO_PROCESS_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { WRAP_COLUMNS = 80, WRAP_TEXT = 1024 };

// The text from `column` on (below WRAP_COLUMNS), with its further lines below: a word that does not fit moves to the next line,
// and one that is wider than a line stays whole. `out` has WRAP_TEXT bytes, and is returned; what has no room is left out.
static inline const char *wrap_text(char *out, const char *text, size_t column) {
  size_t length = 0, at = column;
  while (*text) {
    size_t word = strcspn(text, " "), gap = strspn(text + word, " ");
    size_t before = at > column ? 1 : 0;
    bool breaks = before && at + before + word > WRAP_COLUMNS;
    size_t lead = breaks ? 1 + column : before;
    if (length + lead + word >= WRAP_TEXT) break;
    memset(out + length, ' ', lead);
    if (breaks) out[length] = '\n';
    memcpy(out + length + lead, text, word);
    length += lead + word;
    at = (breaks ? column : at + before) + word;
    text += word + gap;
  }
  out[length] = '\0';
  return out;
}

#endif
