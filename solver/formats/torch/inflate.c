// SPDX-License-Identifier: Apache-2.0
// Deflated members (RFC 1951), expanded by zlib into memory of the arena.
#include <assert.h>
#include <zlib.h>

#include "solver/formats/torch/reader.h"

enum { STRETCH = 1 << 16 };  // bytes of the result between two polls

static voidpf allocate(voidpf arena, uInt items, uInt size) {
  return arena_zalloc(arena, (size_t)items * size);
}

static void release(voidpf arena, voidpf memory) {
  (void)arena;
  (void)memory;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

bool inflate_bytes(shape_arena *arena, const char *packed, size_t packed_length, char *out,
                   size_t length) {
  assert(packed && out);
  z_stream z = {.zalloc = allocate, .zfree = release, .opaque = arena};
  size_t taken = 0, made = 0;
  int status = inflateInit2(&z, -MAX_WBITS);
  // One byte more than there may be is never made: a member that goes on is not at its end.
  while (status == Z_OK) {
    size_t in = least(packed_length - taken, STRETCH), room = least(length - made, STRETCH);
    arena_poll(arena);
    z.next_in = (Bytef *)(uintptr_t)(packed + taken);
    z.avail_in = (uInt)in;
    z.next_out = (Bytef *)(out + made);
    z.avail_out = (uInt)room;
    status = inflate(&z, Z_NO_FLUSH);
    taken += in - z.avail_in;
    made += room - z.avail_out;
    bool moved = z.avail_in != in || z.avail_out != room;
    if (status == Z_BUF_ERROR && moved) status = Z_OK;
    if (status == Z_OK && !moved) break;
  }
  assert(taken <= packed_length && made <= length);
  inflateEnd(&z);
  return status == Z_STREAM_END && made == length;
}
