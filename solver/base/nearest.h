// SPDX-License-Identifier: Apache-2.0
// The name of a list that is nearest to a misspelt one, for messages.
#ifndef SHAPE_BASE_NEAREST_H
#define SHAPE_BASE_NEAREST_H

#include <stddef.h>
#include <stdint.h>

// The first of the names with the smallest edit distance: insertions, deletions, replacements, and exchanges of
// neighbours count one each (Damerau 1964, restricted as of Boytsov 2011). NULL where there are no names. Of the text
// and of names the first 63 bytes count. O(count * 64^2), no memory.
const char *nearest_name(const char *const *names, size_t count, const char *text, size_t length);

#endif
