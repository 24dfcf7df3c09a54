// SPDX-License-Identifier: Apache-2.0
// gzip files: members in a row, bytes that are missing or wrong, and more bytes than a program would have.
#include <criterion/criterion.h>
#include <string.h>
#include <zlib.h>

#include "solver/formats/archive/archive.h"

static size_t gzip(const char *text, size_t length, char *out, size_t room) {
  z_stream z = {0};
  cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (Bytef *)(uintptr_t)text;
  z.avail_in = (uInt)length;
  z.next_out = (Bytef *)out;
  z.avail_out = (uInt)room;
  cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
  cr_assert_eq(deflateEnd(&z), Z_OK);
  return room - z.avail_out;
}

typedef struct call {
  shape_arena arena;
  const char *packed, *error;
  size_t packed_length, length;
  char *out;
} call;

static void body(void *data) {
  call *c = data;
  c->out = gunzip_bytes(&c->arena, c->packed, c->packed_length, &c->length, &c->error);
}

static shape_status expand(call *c, const char *packed, size_t length, size_t limit) {
  *c = (call){.packed = packed, .packed_length = length};
  arena_init(&c->arena, limit);
  return arena_protect(&c->arena, body, c);
}

Test(inflate, members_follow_one_another) {
  char packed[400];
  call c;
  size_t first = gzip("abc", 3, packed, 100);
  size_t length = first + gzip("", 0, packed + first, 100);
  length += gzip("defg", 4, packed + length, 100);
  cr_expect_eq(expand(&c, packed, length, 0), SHAPE_OK);
  cr_expect(c.out && c.length == 7 && strcmp(c.out, "abcdefg") == 0);
  arena_destroy(&c.arena);
  // What follows the last one is padding.
  memset(packed + length, 0, 3);
  cr_expect_eq(expand(&c, packed, length + 3, 0), SHAPE_OK);
  cr_expect(c.out && c.length == 7);
  arena_destroy(&c.arena);
  packed[length + 2] = 'x';
  cr_expect_eq(expand(&c, packed, length + 3, 0), SHAPE_OK);
  cr_expect(!c.out && c.error && strstr(c.error, "other bytes follow"));
  arena_destroy(&c.arena);
}

Test(inflate, every_cut_and_every_changed_byte_is_seen) {
  char packed[200], changed[200];
  const char text[] =
      "module { func.func @main() { return } } module { func.func @other() { return } }";
  size_t length = gzip(text, sizeof text, packed, sizeof packed);
  for (size_t i = 3; i < length; i++) {
    call c;
    cr_expect_eq(expand(&c, packed, i, 0), SHAPE_OK);
    cr_expect(!c.out && c.error && strstr(c.error, "truncated"), "%zu", i);
    arena_destroy(&c.arena);
    memcpy(changed, packed, length);
    changed[i] ^= 0x15;
    cr_expect_eq(expand(&c, changed, length, 0), SHAPE_OK);
    bool same = c.out && c.length == sizeof text && memcmp(c.out, text, sizeof text) == 0;
    cr_expect(same || (!c.out && c.error), "%zu", i);  // the time and the system say nothing
    arena_destroy(&c.arena);
  }
}

Test(inflate, what_expands_too_far_is_refused) {
  enum { LARGE = EXPANDED_FREE + (1 << 20) };
  static char text[LARGE], packed[1 << 17];
  call c;
  size_t length = gzip(text, EXPANDED_FREE, packed, sizeof packed);
  cr_expect_eq(expand(&c, packed, length, 0), SHAPE_OK);
  cr_expect(c.out && c.length == EXPANDED_FREE);
  arena_destroy(&c.arena);
  cr_expect_eq(expand(&c, packed, length, 1 << 22), SHAPE_MEMORY);
  arena_destroy(&c.arena);
  length = gzip(text, LARGE, packed, sizeof packed);
  cr_expect_eq(expand(&c, packed, length, 0), SHAPE_OK);
  cr_expect(!c.out && c.error && strstr(c.error, "200 times"));
  arena_destroy(&c.arena);
}
