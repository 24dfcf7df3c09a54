// SPDX-License-Identifier: Apache-2.0
// Pages of 2 MB for large memory, where the kernel has them (madvise, MADV_HUGEPAGE): each page that is touched first is a
// fault, which takes as long as all that is done with some 200 bytes of it.
#ifndef SHAPE_BASE_PAGES_H
#define SHAPE_BASE_PAGES_H

#include <stddef.h>

enum { PAGES_LARGE = 2 << 20 };

// An advice: smaller memory, and a kernel that refuses, change nothing. Contents stay. WebAssembly has one memory, which it
// cannot advise about.
#ifdef __EMSCRIPTEN__
static inline void pages_prefer_large(void *memory, size_t bytes) { (void)memory, (void)bytes; }
#else
void pages_prefer_large(void *memory, size_t bytes);
#endif

#endif
