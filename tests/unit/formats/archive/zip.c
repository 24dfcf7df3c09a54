// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "solver/formats/archive/archive.h"
#include "tests/support/stored_zip.h"

static bool is_onnx(const char *name, size_t length) {
  return length == 10 && memcmp(name, "model.onnx", 10) == 0;
}

// Bytes of the archive in front of the name in its directory.
enum {
  NAME = 10,
  TEXT = 3,
  DIRECTORY = 30 + NAME + TEXT,
  END = DIRECTORY + 46 + NAME,
  ALL = END + 22
};

static size_t make(unsigned char *out) { return stored_zip_as("model.onnx", "abc", TEXT, out); }

Test(zip, names_are_found_without_memory) {
  unsigned char bytes[TEXT + STORED_ZIP_MORE];
  size_t length = make(bytes);
  cr_assert_eq(length, ALL);
  cr_expect(zip_has_name((const char *)bytes, length, is_onnx));
  for (size_t cut = 0; cut < length; cut++)
    cr_expect_not(zip_has_name((const char *)bytes, cut, is_onnx), "%zu", cut);
  // As many as the end record says, though the directory goes on.
  bytes[END + 10] = 0;
  cr_expect_not(zip_has_name((const char *)bytes, length, is_onnx));
  bytes[END + 10] = 1;
  cr_expect(zip_has_name((const char *)bytes, length, is_onnx));
  bytes[DIRECTORY + 46] = 'n';
  cr_expect_not(zip_has_name((const char *)bytes, length, is_onnx));
}

typedef struct call {
  shape_arena arena;
  const unsigned char *bytes;
  size_t length;
  zip_archive zip;
  bool opened, good;
} call;

static void body(void *data) {
  call *c = data;
  c->opened = zip_open(&c->arena, (const char *)c->bytes, c->length, &c->zip);
  c->good = c->opened && c->zip.count == 1 && zip_bytes(&c->arena, &c->zip, c->zip.members);
}

static call open_archive(const unsigned char *bytes, size_t length) {
  call c = {.bytes = bytes, .length = length};
  arena_init(&c.arena, 0);
  cr_assert_eq(arena_protect(&c.arena, body, &c), SHAPE_OK);
  return c;
}

Test(zip, a_member_is_where_the_directory_says) {
  unsigned char bytes[TEXT + STORED_ZIP_MORE];
  size_t length = make(bytes);
  call c = open_archive(bytes, length);
  cr_expect(c.good && c.zip.members->size == TEXT && memcmp(c.zip.members->data, "abc", TEXT) == 0);
  arena_destroy(&c.arena);
}

Test(zip, what_is_wrong_is_said) {
  static const struct {
    size_t at;
    unsigned char value;
    const char *message;
  } ROWS[] = {{END, 0, "no central directory"},
              {END + 8 + 2, 9, "has no room"},
              {END + 16 + 3, 1, "outside of it"},
              {DIRECTORY, 0, "is truncated"},
              {DIRECTORY + 8, 1, "is encrypted"},
              {DIRECTORY + 10, 12, "method 12"},
              {DIRECTORY + 20, 9, "not that of its"},
              {DIRECTORY + 42, 9, "outside of the zip"},
              {DIRECTORY + 46, '/', "no path"},
              {30 + NAME, 'x', "checksum"},
              {28, 200, "is truncated"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    unsigned char bytes[TEXT + STORED_ZIP_MORE];
    size_t length = make(bytes);
    bytes[ROWS[i].at] = ROWS[i].value;
    call c = open_archive(bytes, length);
    cr_expect(!c.good && strstr(c.zip.error, ROWS[i].message), "%zu: %s", i, c.zip.error);
    arena_destroy(&c.arena);
  }
}
