// SPDX-License-Identifier: Apache-2.0
#include "solver/base/nearest.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 63, FAR = 3 };

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  uint32_t n = (uint32_t)(a_length < LONGEST ? a_length : LONGEST);
  uint32_t m = (uint32_t)(b_length < LONGEST ? b_length : LONGEST);
  // rows[i % 3][j]: the distance of the first i bytes of a and the first j of b.
  uint32_t rows[3][LONGEST + 1];
  for (uint32_t j = 0; j <= m; j++) rows[0][j] = j;
  for (uint32_t i = 1; i <= n; i++) {
    uint32_t *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    row[0] = i;
    for (uint32_t j = 1; j <= m; j++) {
      row[j] = least(least(row[j - 1], last[j]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
      bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = least(row[j], before[j - 2] + 1);
    }
  }
  assert(rows[n % 3][m] <= (n > m ? n : m));
  return rows[n % 3][m];
}

misspelt misspelt_near(const char *text, size_t length) {
  return (misspelt){
      .text = text, .length = length, .distance = length < FAR ? (uint32_t)length : FAR};
}

void misspelt_offer(misspelt *n, const char *name, size_t length) {
  uint32_t distance = edit_distance(name, length, n->text, n->length);
  if (distance >= n->distance) return;
  n->distance = distance;
  n->name = name;
  n->name_length = length;
}

const char *nearest_name(const char *const *names, size_t count, const char *text, size_t length) {
  misspelt n = {.text = text, .length = length, .distance = UINT32_MAX};
  for (size_t i = 0; i < count; i++) misspelt_offer(&n, names[i], strlen(names[i]));
  return n.name;
}
