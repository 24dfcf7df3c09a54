// SPDX-License-Identifier: Apache-2.0
// Memory of a property test that runs many small cases: scratch of one case, and an output that is kept.
#ifndef TESTS_SUPPORT_CASE_MEMORY_H
#define TESTS_SUPPORT_CASE_MEMORY_H

#include "solver/base/strbuf.h"

typedef struct case_memory {
  shape_arena scratch, kept;
  shape_strbuf out;
} case_memory;

static inline void case_memory_open(case_memory *m) {
  arena_init(&m->scratch, (size_t)1 << 28);
  m->scratch.block_size = 1 << 20;
  arena_init(&m->kept, 0);
  strbuf_init(&m->out, &m->kept);
}

static inline void case_memory_close(case_memory *m) {
  arena_destroy(&m->scratch);
  arena_destroy(&m->kept);
}

#endif
