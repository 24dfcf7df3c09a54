// SPDX-License-Identifier: Apache-2.0
#include "server/memory.h"

#include <stdlib.h>  // says whether this is glibc

#ifdef __GLIBC__

#include <malloc.h>

enum {
  KEPT_BYTES = 64 << 20,
  RELEASED_BYTES = 64 << 10,
  // A heap is trimmed when a piece of 64 kB or more is freed; from 128 kB on a piece has a mapping of its own.
  PIECE_BYTES = 96 << 10
};

void memory_limit_heaps(unsigned workers) { mallopt(M_ARENA_MAX, (int)workers + 1); }

void memory_keep(void) {
  mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
  mallopt(M_TOP_PAD, KEPT_BYTES / 64);
}

void memory_release(void) {
  mallopt(M_TRIM_THRESHOLD, RELEASED_BYTES);
  mallopt(M_TOP_PAD, 0);
}

void memory_trim(void) { malloc_trim(0); }

void memory_trim_thread(void) {
  char *volatile piece =
      malloc(PIECE_BYTES);  // volatile: a compiler may leave out a pair of malloc and free
  free(piece);
}

#else

void memory_limit_heaps(unsigned workers) { (void)workers; }
void memory_keep(void) {}
void memory_release(void) {}
void memory_trim(void) {}
void memory_trim_thread(void) {}

#endif
