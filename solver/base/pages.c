// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // madvise
#include "solver/base/pages.h"

#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>

void pages_prefer_large(void *memory, size_t bytes) {
  assert(memory || !bytes);
#ifdef MADV_HUGEPAGE
  // From the page that the block begins in: a mapping of its own that is advised about as a whole can still be moved.
  const uintptr_t page = 4096, begin = (uintptr_t)memory / page * page;
  if (bytes < PAGES_LARGE) return;
  size_t length = ((uintptr_t)memory + bytes - begin + page - 1) / page * page;
  (void)madvise((void *)begin, length, MADV_HUGEPAGE);
#endif
}
