// SPDX-License-Identifier: Apache-2.0
// Deflated bytes (RFC 1951, RFC 1952), expanded by zlib into memory of the arena.
#include <assert.h>
#include <string.h>
#include <zlib.h>

#include "solver/formats/archive/archive.h"

enum { STRETCH = 1 << 16 };  // bytes of the result between two polls

typedef struct flow {
  z_stream z;
  const char *packed;
  size_t packed_length, taken;
  char *out;
  size_t room, made;
} flow;

static voidpf allocate(voidpf arena, uInt items, uInt size) {
  return arena_zalloc(arena, (size_t)items * size);
}

static void release(voidpf arena, voidpf memory) {
  (void)arena;
  (void)memory;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

bool may_expand(size_t packed, size_t expanded) {
  return expanded <= EXPANDED_FREE || expanded / EXPANDED_RATIO <= packed;
}

// Until a stream ends, bytes run out or the room is full: Z_STREAM_END, Z_OK, or an error of zlib.
static int run(shape_arena *arena, flow *f) {
  int status = Z_OK;
  while (status == Z_OK) {
    size_t in = least(f->packed_length - f->taken, STRETCH);
    size_t room = least(f->room - f->made, STRETCH);
    arena_poll(arena);
    f->z.next_in = (Bytef *)(uintptr_t)(f->packed + f->taken);
    f->z.avail_in = (uInt)in;
    f->z.next_out = (Bytef *)(f->out + f->made);
    f->z.avail_out = (uInt)room;
    status = inflate(&f->z, Z_NO_FLUSH);
    f->taken += in - f->z.avail_in;
    f->made += room - f->z.avail_out;
    bool moved = f->z.avail_in != in || f->z.avail_out != room;
    if (status == Z_BUF_ERROR) status = Z_OK;
    if (status == Z_OK && !moved) break;
  }
  assert(f->taken <= f->packed_length && f->made <= f->room);
  return status;
}

bool inflate_bytes(shape_arena *arena, const char *packed, size_t packed_length, char *out,
                   size_t length) {
  assert(packed && out);
  flow f = {.z = {.zalloc = allocate, .zfree = release, .opaque = arena},
            .packed = packed,
            .packed_length = packed_length,
            .out = out,
            .room = length};
  int status = inflateInit2(&f.z, -MAX_WBITS);
  // One byte more than there may be is never made: a member that goes on is not at its end.
  if (status == Z_OK) status = run(arena, &f);
  inflateEnd(&f.z);
  return status == Z_STREAM_END && f.made == length;
}

static void grow(shape_arena *arena, flow *f) {
  size_t room = 2 * f->room;
  char *wider = arena_alloc(arena, room + 1);
  memcpy(wider, f->out, f->made);
  f->out = wider;
  f->room = room;
}

static bool begins_member(const flow *f) {
  return f->packed_length - f->taken >= 2 && memcmp(f->packed + f->taken, "\x1f\x8b", 2) == 0;
}

char *gunzip_bytes(shape_arena *arena, const char *packed, size_t packed_length, size_t *length,
                   const char **error) {
  enum { GUESS = 4, FORM_GZIP = 16 };
  assert(packed && length && error);
  flow f = {.z = {.zalloc = allocate, .zfree = release, .opaque = arena},
            .packed = packed,
            .packed_length = packed_length,
            .room = GUESS * packed_length + STRETCH};
  f.out = arena_alloc(arena, f.room + 1);
  int status = inflateInit2(&f.z, MAX_WBITS + FORM_GZIP);
  *error = NULL;
  while (status == Z_OK && !*error) {
    status = run(arena, &f);
    if (!may_expand(packed_length, f.made)) {
      *error = "the gzip file expands to more than 200 times its bytes";
    } else if (status == Z_OK && f.made == f.room) {
      grow(arena, &f);
    } else if (status == Z_OK) {
      *error = "the gzip file is truncated";
    } else if (status == Z_STREAM_END && begins_member(&f)) {
      status = inflateReset(&f.z);
    } else if (status != Z_STREAM_END) {
      *error = "the gzip file is corrupt: what it expands to is not what its checksum says";
    }
  }
  inflateEnd(&f.z);
  while (!*error && f.taken < packed_length) {  // padding is zeros
    if (packed[f.taken++]) *error = "other bytes follow the gzip file";
  }
  if (*error || status != Z_STREAM_END) return NULL;
  f.out[f.made] = 0;
  *length = f.made;
  return f.out;
}
