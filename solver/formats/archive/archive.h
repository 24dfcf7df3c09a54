// SPDX-License-Identifier: Apache-2.0
// Archives and compressed bytes, in memory: zip (APPNOTE.TXT 4.3) with members stored or deflated, gzip (RFC 1952). What is
// expanded is in the arena, within its limit; bytes that would expand to far more than programs do are refused.
#ifndef SHAPE_FORMATS_ARCHIVE_H
#define SHAPE_FORMATS_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/base/arena.h"

// --- zip.c: the central directory of an archive whose bytes are in memory. Nothing is copied.
typedef struct zip_member {
  const char *name, *data;
  uint32_t name_length;
  size_t packed, size;  // bytes in the archive, and expanded
} zip_member;

typedef struct zip_archive {
  zip_member *members;
  uint32_t count;
  char error[200];  // what is wrong, where zip_open or zip_bytes is false
} zip_archive;

// False where the archive is hostile or cut short: every member lies within it, apart from the others, and is no path out
// of a folder. A member's own bytes are checked by zip_bytes.
bool zip_open(shape_arena *arena, const char *bytes, size_t length, zip_archive *out);
// The member's own bytes, expanded where it is deflated; false where they are not what the directory says.
bool zip_bytes(shape_arena *arena, zip_archive *zip, zip_member *member);
// True where `is` is true of the name of a member. No memory, and of an invalid archive false or true. Cost: the directory.
bool zip_has_name(const char *bytes, size_t length, bool (*is)(const char *name, size_t length));

// --- inflate.c
enum { EXPANDED_RATIO = 200, EXPANDED_FREE = 1 << 24 };
// Bytes that may be made of `packed` ones: up to EXPANDED_FREE any, above EXPANDED_RATIO times as many.
bool may_expand(size_t packed, size_t expanded);
// False where the bytes are not those of `length` deflated ones (RFC 1951).
bool inflate_bytes(shape_arena *arena, const char *packed, size_t packed_length, char *out,
                   size_t length);
// All members of a gzip file one after the other, with a NUL after them. NULL: *error says why.
char *gunzip_bytes(shape_arena *arena, const char *packed, size_t packed_length, size_t *length,
                   const char **error);

#endif
