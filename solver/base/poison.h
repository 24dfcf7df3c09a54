// SPDX-License-Identifier: Apache-2.0
// Bytes of a block of memory that must not be accessed. Under AddressSanitizer an access ends the program with a report, as it
// does for memory of malloc: what an allocator of our own leaves between its pieces would otherwise hide reads beyond
// their ends. Elsewhere these do nothing, and RED_ZONE is 0.
// Freeing or reallocating a block takes all of it back, so that malloc never hands out poisoned bytes.
#ifndef SHAPE_BASE_POISON_H
#define SHAPE_BASE_POISON_H

#include <stddef.h>

#ifdef __SANITIZE_ADDRESS__  // gcc
#define SHAPE_POISONS 1
#elif defined __has_feature  // clang
#define SHAPE_POISONS __has_feature(address_sanitizer)
#else
#define SHAPE_POISONS 0
#endif

#if SHAPE_POISONS
#include <sanitizer/asan_interface.h>

enum { RED_ZONE = 16 };  // bytes after each piece

static inline void poison(const void *from, size_t bytes) {
  __asan_poison_memory_region(from, bytes);
}
static inline void unpoison(const void *from, size_t bytes) {
  __asan_unpoison_memory_region(from, bytes);
}
#else
enum { RED_ZONE = 0 };

static inline void poison(const void *from, size_t bytes) { (void)from, (void)bytes; }
static inline void unpoison(const void *from, size_t bytes) { (void)from, (void)bytes; }
#endif

#endif
