// SPDX-License-Identifier: Apache-2.0
// Deflated bytes (RFC 1951). The result has a known length; more than it is an error, so that nothing expands further
// than was asked for.
#include <assert.h>
#include <string.h>

#include "solver/formats/torch/reader.h"

enum { LONGEST_CODE = 15, LITERALS_MAX = 288, DISTANCES_MAX = 30, ORDER_COUNT = 19 };

typedef struct inflate_state {
  const unsigned char *at, *end;
  uint32_t held, bits;
  unsigned char *out;
  size_t length, room;
  bool failed;
  shape_arena *arena;  // polled
  uint32_t rounds;
} inflate_state;

// Canonical codes: how many there are of each length, and their symbols in order.
typedef struct huffman {
  uint16_t count[LONGEST_CODE + 1], symbols[LITERALS_MAX];
} huffman;

static uint32_t take(inflate_state *s, uint32_t bits) {
  assert(bits <= 16 && s->at <= s->end);
  while (s->bits < bits) {
    if (s->at == s->end) {
      s->failed = true;
      return 0;
    }
    s->held |= (uint32_t)*s->at++ << s->bits;
    s->bits += 8;
  }
  uint32_t value = s->held & ((UINT32_C(1) << bits) - 1);
  s->held >>= bits;
  s->bits -= bits;
  return value;
}

// False where the lengths are those of more codes than there are.
static bool make_codes(huffman *h, const uint8_t *lengths, uint32_t count) {
  uint16_t offsets[LONGEST_CODE + 1];
  int32_t left = 1;
  assert(count <= LITERALS_MAX);
  memset(h->count, 0, sizeof h->count);
  for (uint32_t i = 0; i < count; i++) h->count[lengths[i]]++;
  h->count[0] = 0;
  for (uint32_t i = 1; i <= LONGEST_CODE; i++) {
    left = 2 * left - h->count[i];
    if (left < 0) return false;
  }
  offsets[1] = 0;
  for (uint32_t i = 1; i < LONGEST_CODE; i++) offsets[i + 1] = (uint16_t)(offsets[i] + h->count[i]);
  for (uint32_t i = 0; i < count; i++) {
    if (lengths[i]) h->symbols[offsets[lengths[i]]++] = (uint16_t)i;
  }
  return true;
}

static uint32_t decode(inflate_state *s, const huffman *h) {
  int32_t code = 0, first = 0, index = 0;
  for (uint32_t length = 1; length <= LONGEST_CODE && !s->failed; length++) {
    code |= (int32_t)take(s, 1);
    int32_t count = h->count[length];
    if (code - count < first) return h->symbols[index + (code - first)];
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  s->failed = true;
  return 0;
}

static void put(inflate_state *s, unsigned char byte) {
  if (s->length == s->room) {
    s->failed = true;
  } else {
    s->out[s->length++] = byte;
  }
}

static void copy(inflate_state *s, uint32_t distance, uint32_t length) {
  assert(s->length <= s->room);
  if (distance > s->length || length > s->room - s->length) {
    s->failed = true;
    return;
  }
  for (uint32_t i = 0; i < length; i++, s->length++)
    s->out[s->length] = s->out[s->length - distance];
}

static void block(inflate_state *s, const huffman *literals, const huffman *distances) {
  static const uint16_t LENGTHS[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                       67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint8_t MORE[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                   2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  while (!s->failed) {
    arena_poll_at(s->arena, s->rounds++);
    uint32_t symbol = decode(s, literals);
    if (s->failed || symbol == 256) return;
    if (symbol < 256) {
      put(s, (unsigned char)symbol);
      continue;
    }
    symbol -= 257;
    if (symbol >= 29) break;
    uint32_t length = LENGTHS[symbol] + take(s, MORE[symbol]), code = decode(s, distances);
    if (s->failed || code >= DISTANCES_MAX) break;
    uint32_t extra = code < 2 ? 0 : code / 2 - 1;
    uint32_t base = code < 2 ? code + 1 : ((2 + (code & 1)) << extra) + 1;
    copy(s, base + take(s, extra), length);
  }
  s->failed = true;
}

static void fixed_block(inflate_state *s) {
  uint8_t lengths[LITERALS_MAX];
  huffman literals, distances;
  for (uint32_t i = 0; i < LITERALS_MAX; i++)
    lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  make_codes(&literals, lengths, LITERALS_MAX);
  memset(lengths, 5, DISTANCES_MAX);
  make_codes(&distances, lengths, DISTANCES_MAX);
  block(s, &literals, &distances);
}

static void dynamic_block(inflate_state *s) {
  static const uint8_t ORDER[ORDER_COUNT] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                             11, 4,  12, 3, 13, 2, 14, 1, 15};
  uint8_t lengths[LITERALS_MAX + 32] = {0}, own[ORDER_COUNT] = {0};
  huffman codes, literals, distances;
  uint32_t literal_count = take(s, 5) + 257, distance_count = take(s, 5) + 1,
           count = take(s, 4) + 4;
  s->failed = s->failed || literal_count > 286 || distance_count > DISTANCES_MAX;
  for (uint32_t i = 0; i < count && !s->failed; i++) own[ORDER[i]] = (uint8_t)take(s, 3);
  if (s->failed || !make_codes(&codes, own, ORDER_COUNT)) {
    s->failed = true;
    return;
  }
  for (uint32_t i = 0; i < literal_count + distance_count && !s->failed;) {
    uint32_t symbol = decode(s, &codes), times = 1, value = symbol;
    if (symbol == 16) {
      if (!i) s->failed = true;
      value = i ? lengths[i - 1] : 0;
      times = 3 + take(s, 2);
    } else if (symbol > 16) {
      value = 0;
      times = symbol == 17 ? 3 + take(s, 3) : 11 + take(s, 7);
    }
    if (times > literal_count + distance_count - i) s->failed = true;
    for (; times && !s->failed; times--) lengths[i++] = (uint8_t)value;
  }
  if (s->failed || !make_codes(&literals, lengths, literal_count) ||
      !make_codes(&distances, lengths + literal_count, distance_count)) {
    s->failed = true;
    return;
  }
  block(s, &literals, &distances);
}

static void stored_block(inflate_state *s) {
  s->held = s->bits = 0;  // to the next whole byte
  if (s->end - s->at < 4) {
    s->failed = true;
    return;
  }
  uint32_t length = s->at[0] | (uint32_t)s->at[1] << 8, check = s->at[2] | (uint32_t)s->at[3] << 8;
  s->at += 4;
  if (length != (~check & 0xffff) || length > (size_t)(s->end - s->at) ||
      length > s->room - s->length) {
    s->failed = true;
    return;
  }
  if (length) memcpy(s->out + s->length, s->at, length);
  s->length += length;
  s->at += length;
}

bool inflate_bytes(shape_arena *arena, const char *packed, size_t packed_length, char *out,
                   size_t length) {
  assert(packed && out);
  inflate_state s = {.at = (const unsigned char *)packed,
                     .end = (const unsigned char *)packed + packed_length,
                     .out = (unsigned char *)out,
                     .arena = arena,
                     .room = length};
  bool last = false;
  while (!last && !s.failed) {
    arena_poll_at(arena, s.rounds++);
    last = take(&s, 1) != 0;
    uint32_t kind = take(&s, 2);
    if (s.failed || kind == 3) return false;
    if (kind == 0) {
      stored_block(&s);
    } else if (kind == 1) {
      fixed_block(&s);
    } else {
      dynamic_block(&s);
    }
  }
  return !s.failed && s.length == length;
}
