// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE  // madvise, MAP_ANONYMOUS, mremap
#include "solver/base/pages.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "solver/base/poison.h"

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

#if defined MADV_HUGEPAGE && defined MREMAP_MAYMOVE && !SHAPE_POISONS

static size_t whole(size_t bytes) { return (bytes + PAGES_LARGE - 1) / PAGES_LARGE * PAGES_LARGE; }

static void *advised(void *memory, size_t length) {
  if (memory == MAP_FAILED) return NULL;
  (void)madvise(memory, length, MADV_HUGEPAGE);
  return memory;
}

// The kernel begins what is of whole large pages with one. A large page is resident as a whole, so where a third of the last
// one or more is unused it is made of small ones: which they are once one of them was touched. To advise about a part alone
// would be two mappings, which cannot be moved together.
void *pages_take_large(size_t bytes) {
  const size_t length = whole(bytes);
  const bool small_end = length - bytes > PAGES_LARGE / 3;
  char *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED && small_end) *(volatile char *)(memory + length - PAGES_LARGE) = 0;
  return advised(memory, length);
}

void *pages_resize(void *memory, size_t old_bytes, size_t bytes) {
  return advised(mremap(memory, whole(old_bytes), whole(bytes), MREMAP_MAYMOVE), whole(bytes));
}

void pages_give(void *memory, size_t bytes) { munmap(memory, whole(bytes)); }

#else

void *pages_resize(void *memory, size_t old_bytes, size_t bytes) {
  return (void)memory, (void)old_bytes, (void)bytes, NULL;
}
void *pages_take_large(size_t bytes) { return (void)bytes, NULL; }
void pages_give(void *memory, size_t bytes) { (void)memory, (void)bytes; }

#endif
