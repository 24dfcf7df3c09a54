// SPDX-License-Identifier: Apache-2.0
// Zip archives: members stored or deflated, lengths in the central directory (APPNOTE.TXT 4.3).
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/formats/archive/archive.h"

enum {
  END_SIGNATURE = 0x06054b50,
  END64_SIGNATURE = 0x06064b50,
  LOCATOR_SIGNATURE = 0x07064b50,
  CENTRAL_SIGNATURE = 0x02014b50,
  LOCAL_SIGNATURE = 0x04034b50,
  END_LENGTH = 22,
  END64_LENGTH = 56,
  LOCATOR_LENGTH = 20,
  CENTRAL_LENGTH = 46,
  LOCAL_LENGTH = 30,
  COMMENT_MAX = 65535,
  MEMBERS_MAX = 1 << 20
};

typedef struct zip_file {
  const unsigned char *bytes;
  size_t length;
  zip_archive *out;
} zip_file;

static uint32_t get16(const unsigned char *p) { return p[0] | (uint32_t)p[1] << 8; }
static uint32_t get32(const unsigned char *p) { return get16(p) | get16(p + 2) << 16; }
static uint64_t get64(const unsigned char *p) { return get32(p) | (uint64_t)get32(p + 4) << 32; }

static bool refuse(zip_archive *zip, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(zip_archive *zip, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(zip->error, sizeof zip->error, format, args);
  va_end(args);
  return false;
}

typedef struct zip_directory {
  uint64_t offset, size, count;
} zip_directory;

// The end record, which a comment may follow; where its numbers are full, those of the zip64 record count.
static bool find_directory(const zip_file *z, zip_directory *d) {
  assert(z->bytes && z->out && d);
  size_t least = z->length > END_LENGTH + COMMENT_MAX ? z->length - END_LENGTH - COMMENT_MAX : 0;
  size_t at = z->length >= END_LENGTH ? z->length - END_LENGTH : 0;
  while (z->length >= END_LENGTH && at > least && get32(z->bytes + at) != END_SIGNATURE) at--;
  if (z->length < END_LENGTH || get32(z->bytes + at) != END_SIGNATURE)
    return refuse(z->out, "the zip archive has no central directory: it is truncated");
  const unsigned char *end = z->bytes + at;
  *d =
      (zip_directory){.offset = get32(end + 16), .size = get32(end + 12), .count = get16(end + 10)};
  if (d->offset == UINT32_MAX || d->size == UINT32_MAX || d->count == UINT16_MAX) {
    if (at < LOCATOR_LENGTH || get32(end - LOCATOR_LENGTH) != LOCATOR_SIGNATURE)
      return refuse(z->out, "the zip archive has no zip64 record");
    uint64_t where = get64(end - LOCATOR_LENGTH + 8);
    if (where > z->length || z->length - where < END64_LENGTH ||
        get32(z->bytes + where) != END64_SIGNATURE)
      return refuse(z->out, "the zip64 record is outside of the archive");
    const unsigned char *end64 = z->bytes + where;
    *d = (zip_directory){get64(end64 + 48), get64(end64 + 40), get64(end64 + 32)};
  }
  if (d->offset > at || d->size > at - d->offset)
    return refuse(z->out, "the central directory of the zip archive is outside of it");
  if (d->count > d->size / CENTRAL_LENGTH || d->count > MEMBERS_MAX)
    return refuse(
        z->out, "the zip archive says that it has %llu members, its directory has no room for them",
        (unsigned long long)d->count);
  return true;
}

// Lengths and offset of the extra field of zip64, where the plain ones are full.
static bool wide_numbers(const unsigned char *extra, uint32_t length, uint64_t *numbers[3]) {
  while (length >= 4) {
    uint32_t id = get16(extra), size = get16(extra + 2);
    if (size > length - 4) return false;
    if (id == 1) {
      uint32_t at = 0;
      for (uint32_t i = 0; i < 3; i++) {
        if (*numbers[i] != UINT32_MAX) continue;
        if (size - at < 8) return false;
        *numbers[i] = get64(extra + 4 + at);
        at += 8;
      }
      return true;
    }
    extra += 4 + size;
    length -= 4 + size;
  }
  return true;
}

// A path out of its folder, or none at all.
static bool is_safe(const char *name, uint32_t length) {
  assert(name);
  if (!length || *name == '/' || memchr(name, 0, length) || memchr(name, '\\', length))
    return false;
  for (uint32_t i = 0; i + 1 < length; i++) {
    bool begins = i == 0 || name[i - 1] == '/';
    bool ends = i + 2 == length || name[i + 2] == '/';
    if (begins && ends && name[i] == '.' && name[i + 1] == '.') return false;
  }
  return true;
}

// Where the bytes of a member are: after its local header.
static bool locate(const zip_file *z, const unsigned char *central, zip_member *m, uint64_t end) {
  assert(central >= z->bytes && end <= z->length);
  uint64_t packed = get32(central + 20), size = get32(central + 24), offset = get32(central + 42);
  uint64_t *numbers[3] = {&size, &packed, &offset};
  uint32_t name_length = get16(central + 28), extra = get16(central + 30);
  int shown = (int)(name_length < 60 ? name_length : 60);
  m->name = (const char *)central + CENTRAL_LENGTH;
  m->name_length = name_length;
  if (!is_safe(m->name, name_length))
    return refuse(z->out, "a member of the zip archive has a name that is no path within a folder");
  if (!wide_numbers(central + CENTRAL_LENGTH + name_length, extra, numbers))
    return refuse(z->out, "the zip64 lengths of '%.*s' are truncated", shown, m->name);
  if (get16(central + 8) & 1)
    return refuse(z->out, "the member '%.*s' of the zip archive is encrypted", shown, m->name);
  if (get16(central + 10) == 0 && packed != size)
    return refuse(
        z->out, "the size of the stored member '%.*s' of the zip archive is not that of its bytes",
        shown, m->name);
  if (offset > end || end - offset < LOCAL_LENGTH || get32(z->bytes + offset) != LOCAL_SIGNATURE)
    return refuse(z->out, "the offset of the member '%.*s' is outside of the zip archive", shown,
                  m->name);
  const unsigned char *local = z->bytes + offset;
  uint64_t begin = offset + LOCAL_LENGTH + get16(local + 26) + get16(local + 28);
  if (begin > end || packed > end - begin)
    return refuse(z->out, "the member '%.*s' is truncated: the zip archive has not its %llu bytes",
                  shown, m->name, (unsigned long long)packed);
  m->data = (const char *)z->bytes + begin;
  if (size > PTRDIFF_MAX)
    return refuse(z->out, "the member '%.*s' of the zip archive is larger than memory can be",
                  shown, m->name);
  m->packed = (size_t)packed;
  m->size = (size_t)size;
  return true;
}

static int by_begin(const void *a, const void *b) {
  const zip_member *const *x = a, *const *y = b;
  if ((*x)->data != (*y)->data) return (*x)->data < (*y)->data ? -1 : 1;
  return ((*x)->packed > (*y)->packed) - ((*x)->packed < (*y)->packed);
}

// Members have bytes of their own.
static bool are_apart(shape_arena *arena, zip_archive *zip) {
  assert(zip->members);
  const zip_member **sorted = arena_alloc(arena, ((size_t)zip->count + 1) * sizeof *sorted);
  for (uint32_t i = 0; i < zip->count; i++) sorted[i] = &zip->members[i];
  if (zip->count) qsort(sorted, zip->count, sizeof *sorted, by_begin);
  for (uint32_t i = 1; i < zip->count; i++) {
    if ((size_t)(sorted[i]->data - sorted[i - 1]->data) < sorted[i - 1]->packed)
      return refuse(zip, "members of the zip archive overlap");
  }
  return true;
}

bool zip_open(shape_arena *arena, const char *bytes, size_t length, zip_archive *out) {
  zip_file z = {(const unsigned char *)bytes, length, out};
  zip_directory d = {0};
  *out = (zip_archive){0};
  if (!find_directory(&z, &d)) return false;
  zip_member *members = arena_alloc(arena, ((size_t)d.count + 1) * sizeof *members);
  const unsigned char *at = z.bytes + d.offset, *end = at + d.size;
  out->members = members;
  for (; out->count < d.count; out->count++) {
    if (end - at < CENTRAL_LENGTH || get32(at) != CENTRAL_SIGNATURE)
      return refuse(out, "the central directory of the zip archive is truncated");
    uint64_t own = (uint64_t)CENTRAL_LENGTH + get16(at + 28) + get16(at + 30) + get16(at + 32);
    if ((uint64_t)(end - at) < own)
      return refuse(out, "the central directory of the zip archive is truncated");
    zip_member *m = &members[out->count];
    if (!locate(&z, at, m, d.offset)) return false;
    at += own;
  }
  // The record of a member is in front of its name.
  return are_apart(arena, out);
}

static uint32_t checksum(shape_arena *arena, const char *data, size_t length) {
  static const uint32_t STEPS[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                     0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                     0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  uint32_t crc = UINT32_MAX;
  for (size_t i = 0; i < length; i++) {
    if (i % 65536 == 0) arena_poll(arena);
    crc ^= (unsigned char)data[i];
    crc = crc >> 4 ^ STEPS[crc & 15];
    crc = crc >> 4 ^ STEPS[crc & 15];
  }
  return ~crc;
}

bool zip_bytes(shape_arena *arena, zip_archive *zip, zip_member *m) {
  assert(m >= zip->members && m < zip->members + zip->count);
  const unsigned char *central = (const unsigned char *)m->name - CENTRAL_LENGTH;
  uint32_t method = get16(central + 10);
  int shown = (int)(m->name_length < 60 ? m->name_length : 60);
  if (method != 0 && method != 8)
    return refuse(
        zip, "the member '%.*s' of the zip archive is compressed by method %u, which is not read",
        shown, m->name, method);
  if (method == 8) {
    if (!may_expand(m->packed, m->size))
      return refuse(zip,
                    "the member '%.*s' of the zip archive would expand to %zu bytes: the limit "
                    "is %u times its size",
                    shown, m->name, m->size, (unsigned)EXPANDED_RATIO);
    char *out = arena_alloc(arena, m->size + 1);
    if (!inflate_bytes(arena, m->data, m->packed, out, m->size))
      return refuse(
          zip,
          "the member '%.*s' of the zip archive is corrupt: it does not expand to its %zu bytes",
          shown, m->name, m->size);
    m->data = out;
  }
  if (checksum(arena, m->data, m->size) != get32(central + 16))
    return refuse(zip, "the checksum (crc) of the member '%.*s' is wrong: the archive is corrupt",
                  shown, m->name);
  return true;
}

bool zip_has_name(const char *bytes, size_t length, bool (*is)(const char *name, size_t length)) {
  zip_archive none = {0};
  zip_file z = {(const unsigned char *)bytes, length, &none};
  zip_directory d = {0};
  if (!find_directory(&z, &d)) return false;
  const unsigned char *at = z.bytes + d.offset, *end = at + d.size;
  for (uint64_t i = 0; i < d.count && end - at >= CENTRAL_LENGTH; i++) {
    if (get32(at) != CENTRAL_SIGNATURE) return false;
    size_t name = get16(at + 28), own = CENTRAL_LENGTH + name + get16(at + 30) + get16(at + 32);
    if ((size_t)(end - at) < own) return false;
    if (is((const char *)at + CENTRAL_LENGTH, name)) return true;
    at += own;
  }
  return false;
}
