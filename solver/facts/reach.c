// SPDX-License-Identifier: Apache-2.0
#include "solver/facts/reach.h"

#include <assert.h>
#include <string.h>

#include "solver/base/sorted.h"

void reach_add(change_reach *r, uint32_t number, term_id least) {
  assert(r->count <= FACTS_REACH_KEPT && (!r->count || r->numbers[r->count - 1] < number));
  while (r->count && r->least[r->count - 1] >= least) r->count--;
  if (r->count == FACTS_REACH_KEPT) {
    uint32_t gone = FACTS_REACH_KEPT / 2;
    r->forgotten = r->numbers[gone - 1];
    r->count -= gone;
    memmove(r->numbers, r->numbers + gone, r->count * sizeof *r->numbers);
    memmove(r->least, r->least + gone, r->count * sizeof *r->least);
  }
  r->numbers[r->count] = number;
  r->least[r->count++] = least;
}

bool reach_spares(const change_reach *r, uint32_t since, term_id t) {
  if (since < r->forgotten) return false;
  // The first change after `since`.
  uint32_t low = sorted_before(r->numbers, r->count, sizeof *r->numbers, 0, (uint64_t)since + 1);
  return low == r->count || t < r->least[low];
}
