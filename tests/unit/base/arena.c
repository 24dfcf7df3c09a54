// SPDX-License-Identifier: Apache-2.0
#include "solver/base/arena.h"

#include <criterion/criterion.h>
#include <string.h>

#include "solver/base/gather.h"

typedef struct job {
  shape_arena arena;
  size_t bytes;
  int done;
} job;

static void allocate(void *data) {
  job *j = data;
  for (int i = 0; i < 100; i++) {
    memset(arena_alloc(&j->arena, j->bytes), i, j->bytes);
    j->done = i + 1;
  }
}

Test(arena, memory_is_aligned_and_apart) {
  shape_arena arena;
  arena_init(&arena, 0);
  char *last = NULL;
  for (size_t n = 1; n < 200000; n = n * 3 + 1) {
    char *p = arena_alloc(&arena, n);
    cr_assert_eq((uintptr_t)p % 16, 0);
    memset(p, 1, n);
    cr_assert_neq(p, last);
    last = p;
  }
  const char *zeros = arena_zalloc(&arena, 3000);
  for (int i = 0; i < 3000; i++) cr_assert_eq(zeros[i], 0);
  cr_assert_str_eq(arena_strndup(&arena, "hello", 4), "hell");
  arena_destroy(&arena);
  cr_assert_eq(arena.bytes, 0);
}

Test(arena, limit_ends_the_job) {
  static const size_t SIZES[] = {1000, 5000, 70000, 200000};
  for (size_t i = 0; i < 4; i++) {
    job j = {.bytes = SIZES[i]};
    arena_init(&j.arena, 50 * SIZES[i] + 8192);
    cr_assert_eq(arena_protect(&j.arena, allocate, &j), SHAPE_MEMORY);
    cr_assert(j.done > 10 && j.done < 100);
    cr_assert(j.arena.bytes <= j.arena.limit && j.arena.peak <= j.arena.limit);
    cr_assert_null(j.arena.escape);
    arena_destroy(&j.arena);
  }
}

static void allocate_once(void *data) {
  job *j = data;
  memset(arena_alloc(&j->arena, j->bytes), 1, j->bytes);
}

// Blocks grow, and the next one may be larger than what the limit leaves.
Test(arena, what_the_limit_leaves_can_be_used) {
  enum { LIMIT = 100000, HEADERS = 2000 };
  job j = {.bytes = 400};
  arena_init(&j.arena, LIMIT);
  arena_mark empty = arena_get_mark(&j.arena);
  while (arena_protect(&j.arena, allocate_once, &j) == SHAPE_OK) j.done++;
  cr_expect(j.arena.bytes > LIMIT - HEADERS && j.arena.bytes <= LIMIT, "%zu", j.arena.bytes);
  arena_rewind(&j.arena, empty);
  cr_expect_eq(j.arena.bytes, 0);
  j.bytes = LIMIT / 2;
  cr_expect_eq(arena_protect(&j.arena, allocate_once, &j), SHAPE_OK, "there is room again");
  arena_destroy(&j.arena);
}

Test(arena, faults_hit_the_nth_request_for_memory_and_later_ones) {
  for (uint64_t n = 1; n <= 5; n++) {
    job j = {.bytes = 70000};
    arena_init(&j.arena, 0);
    j.arena.fault.fail_at = n;
    cr_assert_eq(arena_protect(&j.arena, allocate, &j), SHAPE_MEMORY);
    cr_assert_eq(j.done, (int)n - 1);
    cr_assert_eq(arena_protect(&j.arena, allocate, &j), SHAPE_MEMORY);
    j.arena.fault.fail_at = 0;
    cr_assert_eq(arena_protect(&j.arena, allocate, &j), SHAPE_OK);
    arena_destroy(&j.arena);
  }
}

static void inner(void *data) { arena_fail(data, SHAPE_BITS); }

static void outer(void *data) {
  shape_arena *arena = data;
  cr_assert_eq(arena_protect(arena, inner, arena), SHAPE_BITS);
  arena_fail(arena, SHAPE_SYNTAX);
}

Test(arena, protection_nests) {
  shape_arena arena;
  arena_init(&arena, 0);
  cr_assert_eq(arena_protect(&arena, outer, &arena), SHAPE_SYNTAX);
  cr_assert_null(arena.escape);
  arena_destroy(&arena);
}

Test(arena, rewind_frees_what_came_since) {
  shape_arena arena;
  arena_init(&arena, 0);
  arena_mark empty = arena_get_mark(&arena);
  char *kept = arena_strndup(&arena, "kept", 4);
  arena_alloc(&arena, 100000);
  size_t before = arena.bytes;
  arena_mark mark = arena_get_mark(&arena);
  for (int i = 0; i < 1000; i++) memset(arena_alloc(&arena, 500), i, 500);
  arena_alloc(&arena, 300000);
  cr_assert(arena.bytes > before);
  arena_rewind(&arena, mark);
  cr_assert_eq(arena.bytes, before);
  cr_assert_str_eq(kept, "kept");
  char *again = arena_alloc(&arena, 16);
  cr_assert_eq(again, mark.next);
  arena_rewind(&arena, empty);
  cr_assert_eq(arena.bytes, 0);
  memset(arena_alloc(&arena, 64), 1, 64);
  arena_destroy(&arena);
}

Test(arena, arrays_grow_with_their_content) {
  shape_arena arena;
  arena_init(&arena, 0);
  uint32_t *array = NULL, capacity = 0;
  for (uint32_t i = 0; i < 100000; i++) {
    array = arena_grow(&arena, array, i, (size_t)i + 1, &capacity, sizeof *array);
    array[i] = i;
  }
  for (uint32_t i = 0; i < 100000; i++) cr_assert_eq(array[i], i);
  cr_assert(arena.bytes < 3 * 100000 * sizeof *array, "large arrays leave no copies");
  arena_destroy(&arena);
}

typedef struct family {
  shape_arena parent, child;
} family;

static void allocate_in_child(void *data) {
  family *f = data;
  arena_init_child(&f->child, &f->parent);
  for (int i = 0; i < 100; i++) arena_alloc(&f->child, 1000);
}

Test(arena, a_job_that_is_stopped_ends_where_it_asks_for_memory) {
  static const shape_status WHY[] = {SHAPE_OK, SHAPE_CANCELLED, SHAPE_DEADLINE};
  for (size_t i = 0; i < sizeof WHY / sizeof *WHY; i++) {
    family f;
    atomic_int stop = WHY[i];
    arena_init(&f.parent, 0);
    f.parent.stop = &stop;
    cr_assert_eq(arena_protect(&f.parent, allocate_in_child, &f), WHY[i]);
    arena_destroy(&f.parent);
  }
}

#if SHAPE_POISONS
static bool may_touch(const char *p) { return !__asan_address_is_poisoned(p); }

// What AddressSanitizer gets, so that touching what is not there ends the program as it does for malloc's.
Test(arena, what_is_not_there_may_not_be_touched) {
  shape_arena arena;
  arena_init(&arena, 0);
  arena_alloc(&arena, 16);
  arena_mark mark = arena_get_mark(&arena);
  static const size_t SIZES[] = {1, 8, 13, 16, 100, 5000, 65530, 65536, 70001};
  for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
    char *p = arena_alloc(&arena, SIZES[i]), *next = arena_alloc(&arena, 1);
    cr_assert(may_touch(p) && may_touch(p + SIZES[i] - 1) && may_touch(next), "%zu", SIZES[i]);
    cr_assert(!may_touch(p + SIZES[i]) && !may_touch(next + 1), "%zu", SIZES[i]);
  }
  char *empty = arena_alloc(&arena, 0);
  cr_assert(!may_touch(empty));
  uint32_t *array = NULL, capacity = 0;
  for (uint32_t i = 0; i < 100000; i = i * 2 + 1) {
    const char *old = (char *)array;
    array = arena_grow(&arena, array, i / 2, (size_t)i + 1, &capacity, sizeof *array);
    cr_assert(may_touch((char *)(array + capacity) - 1) && !may_touch((char *)(array + capacity)));
    cr_assert(!old || old == (char *)array || !may_touch(old));
  }
  arena_rewind(&arena, mark);
  cr_assert(!may_touch(mark.next) && !may_touch(mark.next - 1) && may_touch(mark.next - 32));
  arena_destroy(&arena);
}
#endif

// A block of its own is given back; a part of a block stays until the arena ends.
Test(arena, release_returns_a_large_array) {
  enum { MANY = 100000 };
  shape_arena arena;
  arena_init(&arena, 0);
  uint32_t few_capacity = 0, capacity = 0, other = 0;
  char *few = arena_grow(&arena, NULL, 0, 10, &few_capacity, 1);
  char *array = arena_grow(&arena, NULL, 0, MANY, &capacity, 1);
  char *newer = arena_grow(&arena, NULL, 0, MANY, &other, 1);
  size_t before = arena.bytes;
  memset(newer, 7, MANY);
  arena_release(&arena, few, few_capacity, 1);
  cr_expect_eq(arena.bytes, before);
  arena_release(&arena, array, capacity, 1);
  cr_expect_leq(arena.bytes, before - MANY);
  cr_expect_eq(newer[MANY - 1], 7);
  arena_release(&arena, NULL, 0, 1);
  arena_destroy(&arena);
}

// What is taken is at most twice what is used, but for the first block, and blocks of many bytes are few.
Test(arena, holds_less_than_twice_of_what_is_used) {
  enum { PIECE = 1000, PIECES = 40000 };
  shape_arena arena;
  arena_init(&arena, 0);
  size_t used = 0, blocks = 0, held = 0;
  for (int i = 0; i < PIECES; i++) {
    memset(arena_alloc(&arena, PIECE), i, PIECE);
    used += PIECE;
    blocks += arena.bytes != held;
    held = arena.bytes;
    cr_assert_leq(held, 2 * used + (1 << 17), "%zu for %zu", held, used);
  }
  cr_expect_leq(blocks, 20);
  arena_destroy(&arena);
}

Test(arena, arrays_of_a_block_grow_out_of_it) {
  enum { COUNT = 20000, FEW = 100 };
  shape_arena arena;
  arena_init(&arena, 0);
  uint32_t capacity[2] = {0};
  arena_array all[] = {
      {arena_grow(&arena, NULL, 0, FEW, &capacity[0], 4), FEW, &capacity[0], COUNT, 4},
      {NULL, 0, &capacity[1], COUNT, 4}};
  for (uint32_t i = 0; i < FEW; i++) ((uint32_t *)all[0].array)[i] = i;
  arena_gather(&arena, all, 2);
  cr_assert(capacity[0] == COUNT && capacity[1] == COUNT);
  uint32_t *array = all[0].array, *beside = all[1].array;
  for (uint32_t i = 0; i < COUNT; i++) {
    cr_assert(i >= FEW || array[i] == i);
    array[i] = beside[i] = i;
  }
  array = arena_grow(&arena, array, COUNT, COUNT + 1, &capacity[0], sizeof *array);
  cr_assert(capacity[0] > COUNT && array != all[0].array);
  array[COUNT] = 0;
  for (uint32_t i = 0; i < COUNT; i++) cr_assert(array[i] == i && beside[i] == i);
  arena_release(&arena, beside, COUNT, sizeof *beside);  // as the block is
  arena_destroy(&arena);
  cr_assert_eq(arena.bytes, 0);
}

Test(arena, arrays_of_many_pages_grow) {
  enum { COUNT = 1 << 20 };
  shape_arena arena;
  arena_init(&arena, 0);
  uint64_t *array = NULL;
  uint32_t capacity = 0;
  array = arena_grow(&arena, array, 0, COUNT, &capacity, sizeof *array);
  for (uint64_t i = 0; i < COUNT; i++) array[i] = i;
  array = arena_grow(&arena, array, COUNT, 2 * COUNT, &capacity, sizeof *array);
  array[2 * COUNT - 1] = 1;
  for (uint64_t i = 0; i < COUNT; i++) cr_assert_eq(array[i], i);
  arena_mark mark = arena_get_mark(&arena);
  size_t bytes = arena.bytes;
  memset(arena_alloc(&arena, 5 * COUNT), 1, 5 * COUNT);
  arena_rewind(&arena, mark);
  cr_assert_eq(arena.bytes, bytes);
  arena_release(&arena, array, capacity, sizeof *array);
  cr_assert_eq(arena.bytes, 0);
  arena_destroy(&arena);
}
