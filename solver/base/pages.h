// SPDX-License-Identifier: Apache-2.0
// Pages of 2 MB for large memory, where the kernel has them (madvise, MADV_HUGEPAGE): each page that is touched first is a
// fault, which takes as long as all that is done with some 200 bytes of it.
#ifndef SHAPE_BASE_PAGES_H
#define SHAPE_BASE_PAGES_H

#include <stddef.h>

enum { PAGES_LARGE = 2 << 20 };

// WebAssembly has one memory, which it cannot advise about.
#ifdef __EMSCRIPTEN__
static inline void *pages_take(size_t bytes) { return (void)bytes, NULL; }
static inline void pages_give(void *memory, size_t bytes) { (void)memory, (void)bytes; }
static inline void *pages_resize(void *memory, size_t old_bytes, size_t bytes) {
  return (void)memory, (void)old_bytes, (void)bytes, NULL;
}
static inline void pages_prefer_large(void *memory, size_t bytes) { (void)memory, (void)bytes; }
#else
// Memory that begins with such a page, not touched as yet: zeros. malloc writes what it needs in front of memory, which
// makes the first 2 MB one of small pages. NULL where there is none, and of less than about 2 MB.
void *pages_take_large(size_t bytes);
static inline void *pages_take(size_t bytes) {
  return bytes <= PAGES_LARGE / 3 * 2 ? NULL : pages_take_large(bytes);
}
void pages_give(void *memory, size_t bytes);
void *pages_resize(void *memory, size_t old_bytes, size_t bytes);  // NULL: it is as before
// An advice about memory of malloc: smaller memory, and a kernel that refuses, change nothing. Contents stay.
void pages_prefer_large(void *memory, size_t bytes);
#endif

#endif
