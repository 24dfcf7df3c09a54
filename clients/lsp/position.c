// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/position.h"

#include <stdlib.h>
#include <string.h>

#include "proto/json/text.h"

// --- lines

// Whether a line begins at p: after \n, and after \r where no \n follows.
static bool begins_line(const char *text, uint32_t length, uint32_t p) {
  if (p == 0) return true;
  if (text[p - 1] == '\n') return true;
  return text[p - 1] == '\r' && !(p < length && text[p] == '\n');
}

static bool is_ascii(const char *text, uint32_t length) {
  uint32_t i = 0;
  for (; i + 8 <= length; i += 8) {
    uint64_t word;
    memcpy(&word, text + i, 8);
    if (word & UINT64_C(0x8080808080808080)) return false;
  }
  for (; i < length; i++) {
    if (text[i] & 0x80) return false;
  }
  return true;
}

static bool reserve(lsp_lines *lines, uint32_t need) {
  if (need <= lines->capacity) return true;
  uint32_t capacity = lines->capacity ? lines->capacity : 64;
  while (capacity < need) capacity *= 2;
  uint32_t *starts = realloc(lines->starts, capacity * sizeof *starts);
  if (!starts) return false;
  lines->starts = starts;
  lines->capacity = capacity;
  return true;
}

bool lsp_lines_make(lsp_lines *lines, const char *text, uint32_t length) {
  lsp_lines made = {0};
  if (!reserve(&made, 1 + length / 64)) return false;
  made.starts[made.count++] = 0;
  for (uint32_t p = 1; p <= length; p++) {
    if (text[p - 1] != '\n' && text[p - 1] != '\r') continue;
    if (!begins_line(text, length, p)) continue;
    if (!reserve(&made, made.count + 1)) {
      free(made.starts);
      return false;
    }
    made.starts[made.count++] = p;
  }
  made.ascii = is_ascii(text, length);
  lsp_lines_free(lines);
  *lines = made;
  return true;
}

void lsp_lines_free(lsp_lines *lines) {
  free(lines->starts);
  memset(lines, 0, sizeof *lines);
}

// Index of the first start that is at least `offset`.
static uint32_t lower_bound(const lsp_lines *lines, uint32_t offset) {
  uint32_t low = 0, high = lines->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (lines->starts[middle] < offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool lsp_lines_edit(lsp_lines *lines, const char *text, uint32_t length, uint32_t begin,
                    uint32_t end, uint32_t inserted) {
  // A start p depends on the bytes p-1 and p: those below `begin` and above `end` are unchanged.
  uint32_t kept = lower_bound(lines, begin ? begin : 1), after = lower_bound(lines, end + 1);
  uint32_t fresh = 0, tail = lines->count - after;
  for (uint32_t p = begin ? begin : 1; p <= begin + inserted; p++) {
    fresh += begins_line(text, length, p);
  }
  if (!reserve(lines, kept + fresh + tail)) return false;
  memmove(lines->starts + kept + fresh, lines->starts + after, tail * sizeof *lines->starts);
  lines->count = kept + fresh + tail;
  uint32_t at = kept;
  for (uint32_t p = begin ? begin : 1; p <= begin + inserted; p++) {
    if (begins_line(text, length, p)) lines->starts[at++] = p;
  }
  for (; at < lines->count; at++) lines->starts[at] += inserted - (end - begin);
  lines->ascii = lines->ascii && is_ascii(text + begin, inserted);
  lines->last_line = lines->last_offset = lines->last_character = 0;
  return true;
}

// --- positions

// Bytes of the code point at `at`, 1 for a byte that begins none; *units: what it counts.
static uint32_t step(const char *at, uint32_t left, lsp_encoding encoding, uint32_t *units) {
  uint32_t bytes = utf8_sequence((const unsigned char *)at, left);
  if (!bytes) bytes = 1;
  *units = encoding == LSP_UTF8 ? bytes : encoding == LSP_UTF16 && bytes == 4 ? 2 : 1;
  return bytes;
}

uint32_t lsp_units(const char *text, uint32_t length, lsp_encoding encoding) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < length;) {
    uint32_t units;
    i += step(text + i, length - i, encoding, &units);
    sum += units;
  }
  return sum;
}

static uint32_t line_end(const lsp_lines *lines, const char *text, uint32_t length, uint32_t line) {
  uint32_t begin = lines->starts[line];
  uint32_t end = line + 1 < lines->count ? lines->starts[line + 1] : length;
  while (end > begin && line + 1 < lines->count && (text[end - 1] == '\n' || text[end - 1] == '\r'))
    end--;
  return end;
}

uint32_t lsp_offset_of(const lsp_lines *lines, const char *text, uint32_t length,
                       lsp_encoding encoding, lsp_position position) {
  if (position.line >= lines->count) return length;
  uint32_t at = lines->starts[position.line], end = line_end(lines, text, length, position.line);
  if (lines->ascii || encoding == LSP_UTF8) {
    at = position.character < end - at ? at + position.character : end;
    // Inside of a code point: its begin, a few bytes back.
    while (!lines->ascii && at > lines->starts[position.line] && at < end &&
           ((unsigned char)text[at] & 0xc0) == 0x80) {
      at--;
    }
    return at;
  }
  for (uint32_t left = position.character; left && at < end;) {
    uint32_t units, bytes = step(text + at, end - at, encoding, &units);
    if (units > left) break;
    left -= units;
    at += bytes;
  }
  return at;
}

lsp_position lsp_position_of(lsp_lines *lines, const char *text, uint32_t length,
                             lsp_encoding encoding, uint32_t offset) {
  if (offset > length) offset = length;
  uint32_t line = lines->last_line;
  bool same = line < lines->count && lines->starts[line] <= offset &&
              (line + 1 == lines->count || offset < lines->starts[line + 1]);
  if (!same) line = lower_bound(lines, offset + 1) - 1;
  uint32_t begin = lines->starts[line];
  if (lines->ascii || encoding == LSP_UTF8) {
    lines->last_line = line;
    lines->last_offset = lines->last_character = 0;
    return (lsp_position){line, offset - begin};
  }
  uint32_t at = begin, character = 0;
  if (same && encoding == lines->last_encoding && lines->last_offset >= begin &&
      lines->last_offset <= offset) {
    at = lines->last_offset;
    character = lines->last_character;
  }
  while (at < offset) {
    uint32_t units, bytes = step(text + at, length - at, encoding, &units);
    if (at + bytes > offset) break;
    at += bytes;
    character += units;
  }
  lines->last_line = line;
  lines->last_offset = at;
  lines->last_encoding = encoding;
  lines->last_character = character;
  return (lsp_position){line, character};
}
