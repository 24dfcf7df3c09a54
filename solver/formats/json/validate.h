// SPDX-License-Identifier: Apache-2.0
// The strict check that every JSON text passes before cJSON sees it.
//
// cJSON accepts more than JSON (trailing bytes, any bytes in strings, duplicate keys) and less than we need (numbers
// are doubles). It checks the exact grammar of RFC 8259, UTF-8, depth, size, duplicate keys of one object (after
// escapes are resolved) and that no string holds U+0000, which cJSON would take for its end.
//
// Integers beyond 2^53 are not exact as doubles. It hands them on as decimal strings ("12" is accepted wherever
// 12 is, see PROTOCOL.md), so that readers lose nothing; the text is copied only when there is one.
// Cost: O(length) time; memory only for the keys of open objects.
#ifndef SHAPE_FORMATS_JSON_VALIDATE_H
#define SHAPE_FORMATS_JSON_VALIDATE_H

#include <stdbool.h>

#include "solver/base/arena.h"

enum { JSON_DEPTH_DEFAULT = 200, JSON_DEPTH_MAX = 900 };  // cJSON itself ends at 1000

typedef struct json_limits {
  size_t bytes;    // 0: no limit
  uint32_t depth;  // 0: JSON_DEPTH_DEFAULT
} json_limits;

typedef struct json_error {
  shape_status status;    // SYNTAX, DEPTH, SIZE, INVALID (a wrong type or value), MEMORY
  size_t offset;          // of the byte, for json_validate
  uint32_t line, column;  // from 1; 0: unknown
  char message[240];
} json_error;

// Where values of members of objects are that lie at most `depth` deep in the text (1: the outermost), so that a reader that
// continues need not look for their ends: the first few, in the order of the text.
enum { JSON_MEMBERS_MAX = 12, JSON_MEMBERS_DEPTH = 2 };
typedef struct json_members {
  uint32_t depth, count;
  struct {
    size_t begin, end;  // offsets
  } items[JSON_MEMBERS_MAX];
} json_members;

// The end of the value that begins there, or 0: it is none of them.
static inline size_t json_member_end(const json_members *members, size_t begin) {
  for (uint32_t i = 0; i < members->count; i++)
    if (members->items[i].begin == begin) return members->items[i].end;
  return 0;
}

// True: *clean is text that cJSON reads without loss (`text` itself, or a copy in the arena).
bool json_validate(shape_arena *arena, const json_limits *limits, const char *text, size_t length,
                   const char **clean, size_t *clean_length, json_error *error);
// The same; `members`, whose depth the caller has set, is filled on the way. NULL: not needed.
bool json_validate_members(shape_arena *arena, const json_limits *limits, const char *text,
                           size_t length, json_members *members, const char **clean,
                           size_t *clean_length, json_error *error);

#endif
