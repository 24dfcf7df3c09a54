// SPDX-License-Identifier: Apache-2.0
// Memory between requests. While requests come, what they free stays with the process, so that the next finds its pages
// there; after a burst it goes back to the system.
//
// glibc has a heap for each thread. malloc_trim gives back the pages of free pieces in all of them, but what is free at
// the end of a heap (its top) only of the first thread's; the others shrink when one of them frees a large piece while
// the top is above a threshold. That is why each worker has to be asked. Without glibc all of this does nothing.
#ifndef SERVER_MEMORY_H
#define SERVER_MEMORY_H

// Before `workers` threads start: no more heaps than these and the first thread's. Any other thread (libuv's) shares one,
// so that each heap has an owner that can be asked.
void memory_limit_heaps(unsigned workers);
// From here on (process-wide): freed memory stays; or: it goes back. The loop's.
void memory_keep(void);
void memory_release(void);
// Gives back what is free, of all heaps but the ends of other threads' ones. Takes locks of malloc: not for the loop.
void memory_trim(void);
// Gives back the free end of the calling thread's heap, after memory_release. The first call makes the heap.
void memory_trim_thread(void);

#endif
