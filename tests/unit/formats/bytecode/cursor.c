// SPDX-License-Identifier: Apache-2.0
// Numbers, indices and sections of MLIR bytecode: each encoding, and what is said where it ends too early.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/formats/bytecode/reader.h"

typedef struct at {
  shape_arena arena;
  bc_reader r;
  bytecode_error error;
  bc_cursor c;
} at;

static void open_at(at *a, const void *bytes, size_t length) {
  memset(a, 0, sizeof *a);
  arena_init(&a->arena, 0);
  a->r.arena = &a->arena;
  a->r.error = &a->error;
  a->r.bytes = bytes;
  a->r.length = length;
  a->c = bc_range(&a->r, 0, length);
}

static void close_at(at *a) { arena_destroy(&a->arena); }

// The bytes of a value in `count` bytes of the encoding: 1 to 8, or 9 for a whole word.
static size_t put_varint(unsigned char *out, uint64_t value, unsigned count) {
  if (count == 9) {
    out[0] = 0;
    for (unsigned i = 0; i < 8; i++) out[1 + i] = (unsigned char)(value >> 8 * i);
    return 9;
  }
  uint64_t bits = (value << 1 | 1) << (count - 1);
  for (unsigned i = 0; i < count; i++) out[i] = (unsigned char)(bits >> 8 * i);
  return count;
}

// Every width, at both ends of what it holds, alone and with bytes after it.
Test(bytecode_cursor, numbers_of_each_width) {
  for (unsigned count = 1; count <= 9; count++) {
    uint64_t most = count == 9 ? UINT64_MAX : ((uint64_t)1 << 7 * count) - 1;
    const uint64_t values[] = {0, 1, most / 2, most};
    for (unsigned i = 0; i < 4; i++) {
      for (size_t more = 0; more < 4; more++) {
        unsigned char bytes[16] = {0};
        size_t length = put_varint(bytes, values[i], count);
        at a;
        open_at(&a, bytes, length + more);
        cr_expect_eq(bc_varint(&a.c), values[i], "%u bytes", count);
        cr_expect(!a.r.failed && bc_left(&a.c) == more && bc_offset(&a.c) == length);
        close_at(&a);
      }
      for (size_t cut = 0; cut < count; cut++) {
        unsigned char bytes[16] = {0};
        put_varint(bytes, values[i], count);
        at a;
        open_at(&a, bytes, cut);
        bc_varint(&a.c);
        cr_expect(a.r.failed && !bc_left(&a.c), "%zu of %u bytes", cut, count);
        close_at(&a);
      }
    }
  }
}

Test(bytecode_cursor, signed_numbers) {
  static const int64_t VALUES[] = {0, -1, 1, -64, 63, 64, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
    unsigned char bytes[16];
    uint64_t zigzag = (uint64_t)VALUES[i] << 1 ^ (VALUES[i] < 0 ? UINT64_MAX : 0);
    at a;
    open_at(&a, bytes, put_varint(bytes, zigzag, 9));
    cr_expect_eq(bc_svarint(&a.c), VALUES[i]);
    cr_expect_not(a.r.failed);
    close_at(&a);
  }
}

Test(bytecode_cursor, bytes_are_taken_whole) {
  at a;
  open_at(&a, "abc", 3);
  cr_expect_eq(bc_byte(&a.c), 'a');
  const unsigned char *two = bc_take(&a.c, 2);
  cr_expect(two && memcmp(two, "bc", 2) == 0 && !a.r.failed);
  cr_expect(bc_take(&a.c, 0) && !a.r.failed);
  cr_expect_null(bc_take(&a.c, 1));
  cr_expect(a.r.failed);
  close_at(&a);
  open_at(&a, "abc", 3);
  cr_expect_null(bc_take(&a.c, UINT64_MAX));
  cr_expect(a.r.failed && strlen(a.error.message));
  close_at(&a);
}

// A count is of things of a byte each, an index is below its limit.
Test(bytecode_cursor, counts_and_indices) {
  static const struct {
    unsigned char number;
    uint64_t limit;
    bool count_fits, index_fits;
  } ROWS[] = {{0, 1, true, true},
              {2, 3, true, true},
              {2, 2, true, false},
              {3, 9, false, true},
              {0, 0, true, false}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    unsigned char bytes[3] = {(unsigned char)(ROWS[i].number << 1 | 1), 0, 0};
    at a;
    open_at(&a, bytes, 3);
    uint32_t count = bc_count(&a.c, "things");
    cr_expect_eq(!a.r.failed, ROWS[i].count_fits, "row %zu", i);
    cr_expect_eq(count, ROWS[i].count_fits ? ROWS[i].number : 0);
    close_at(&a);
    open_at(&a, bytes, 3);
    uint32_t index = bc_index(&a.c, ROWS[i].limit, "things");
    cr_expect_eq(!a.r.failed, ROWS[i].index_fits, "row %zu", i);
    cr_expect_eq(index, ROWS[i].index_fits ? ROWS[i].number : BC_NONE);
    cr_expect(ROWS[i].index_fits || strstr(a.error.message, "things"), "%s", a.error.message);
    close_at(&a);
  }
  at a;
  unsigned char large[9];
  open_at(&a, large, put_varint(large, UINT64_MAX, 9));
  cr_expect(bc_count(&a.c, "things") == 0 && a.r.failed);
  close_at(&a);
}

Test(bytecode_cursor, the_first_error_stays) {
  at a;
  open_at(&a, "abc", 3);
  cr_expect_not(bc_fail(&a.r, 1, "first %d", 7));
  cr_expect_not(bc_fail(&a.r, 2, "second"));
  cr_expect(strstr(a.error.message, "first 7") && a.error.offset == 1, "%s", a.error.message);
  close_at(&a);
}

// id, length, bytes; with the high bit an alignment, and padding of 0xcb to it.
Test(bytecode_cursor, sections) {
  static const unsigned char PLAIN[] = {5, 2 << 1 | 1, 'a', 'b', 'c'};
  unsigned id;
  at a;
  open_at(&a, PLAIN, sizeof PLAIN);
  bc_cursor inner = bc_section(&a.c, &id);
  cr_expect(id == 5 && bc_left(&inner) == 2 && *inner.at == 'a' && bc_left(&a.c) == 1);
  close_at(&a);
  static const unsigned char ALIGNED[] = {0x85, 1 << 1 | 1, 8 << 1 | 1, 0xcb, 0xcb,
                                          0xcb, 0xcb,       0xcb,       'x'};
  open_at(&a, ALIGNED, sizeof ALIGNED);
  inner = bc_section(&a.c, &id);
  cr_expect(!a.r.failed && id == 5 && bc_left(&inner) == 1 && *inner.at == 'x', "%s",
            a.error.message);
  close_at(&a);
  static const struct {
    unsigned char bytes[6];
    const char *part;
  } WRONG[] = {
      {{5, 9 << 1 | 1, 'a', 'b', 'c', 'd'}, "section 5 has 9 bytes, 4 are left"},
      {{0x85, 1 << 1 | 1, 3 << 1 | 1, 0xcb, 'x', 'x'}, "power of two"},
      {{0x85, 1 << 1 | 1, 0 << 1 | 1, 0xcb, 'x', 'x'}, "power of two"},
      {{0x85, 1 << 1 | 1, 4 << 1 | 1, 0xca, 'x', 'x'}, "0xcb of padding"},
      {{0x85, 1 << 1 | 1, 64 << 1 | 1, 0xcb, 'x', 'x'}, "power of two"},
  };
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    open_at(&a, WRONG[i].bytes, sizeof WRONG[i].bytes);
    inner = bc_section(&a.c, &id);
    cr_expect(a.r.failed && !bc_left(&inner), "row %zu", i);
    cr_expect(strstr(a.error.message, WRONG[i].part), "row %zu: %s", i, a.error.message);
    close_at(&a);
  }
}

Test(bytecode_cursor, what_is_left_is_an_error) {
  at a;
  open_at(&a, "ab", 2);
  bc_byte(&a.c);
  bc_end(&a.c, "a thing");
  cr_expect(a.r.failed && strstr(a.error.message, "a thing, found 1 bytes"), "%s", a.error.message);
  close_at(&a);
  open_at(&a, "", 0);
  bc_end(&a.c, "a thing");
  cr_expect_not(a.r.failed);
  close_at(&a);
}
