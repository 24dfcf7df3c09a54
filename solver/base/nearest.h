// SPDX-License-Identifier: Apache-2.0
// The name of a list that is nearest to a misspelt one, for messages.
#ifndef SHAPE_BASE_NEAREST_H
#define SHAPE_BASE_NEAREST_H

#include <stddef.h>
#include <stdint.h>

// The name that a misspelt text may have been meant as, of those that are offered one by one.
typedef struct misspelt {
  const char *text;
  size_t length;
  uint32_t distance;  // of the name, which is below this where there is none yet
  const char *name;   // NULL: none
  size_t name_length;
} misspelt;

// Only near names are kept: those with at most two changes, and fewer than the text has bytes.
misspelt misspelt_near(const char *text, size_t length);
// Keeps the first with the smallest edit distance: insertions, deletions, replacements, and exchanges of neighbours count
// one each (Damerau 1964, restricted as of Boytsov 2011). Of the text and of names the first 63 bytes count. O(64^2), no
// memory.
void misspelt_offer(misspelt *n, const char *name, size_t length);

// The nearest of the names, of any distance. NULL where there are no names. O(count * 64^2), no memory.
const char *nearest_name(const char *const *names, size_t count, const char *text, size_t length);

#endif
