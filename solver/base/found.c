// SPDX-License-Identifier: Apache-2.0
#include "solver/base/found.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "solver/base/strbuf.h"
#include "solver/base/utf8.h"

enum { LONGEST = 40 };

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

size_t found_length(const char *at, const char *end) {
  assert(at <= end);
  size_t left = (size_t)(end - at), length = 0;
  if (!left) return 0;
  if (strchr("%@#!^", *at) && *at) length++;
  while (length < left && length < LONGEST && is_word(at[length])) length++;
  if (length) return length;
  length = utf8_sequence((const unsigned char *)at, left);
  return length ? length : 1;
}

void found_put(char out[FOUND_ROOM], const char *at, const char *end) {
  size_t length = found_length(at, end);
  if (!length) {
    strcpy(out, "the end of the text");
  } else if (*at == '\n' || *at == '\r') {
    strcpy(out, "the end of the line");
  } else {
    const unsigned char *bytes = (const unsigned char *)at;
    uint32_t sequence = utf8_sequence(bytes, (size_t)(end - at));
    bool shown = sequence && !utf8_is_control(bytes, sequence);
    if (shown) {
      snprintf(out, FOUND_ROOM, "'%.*s'", (int)length, at);
    } else {
      snprintf(out, FOUND_ROOM, "the byte 0x%02x", *bytes);
    }
  }
}

const char *found_message(shape_arena *arena, const char *message, const char *at,
                          const char *end) {
  static const char HEAD[] = "expected ";
  char found[FOUND_ROOM];
  shape_strbuf text;
  if (strncmp(message, HEAD, sizeof HEAD - 1) != 0 || strstr(message, "found")) return message;
  const char *reason = strstr(message, ": ");
  size_t head = reason ? (size_t)(reason - message) : strlen(message);
  found_put(found, at, end);
  strbuf_init(&text, arena);
  strbuf_printf(&text, "%.*s, found %s%s", (int)head, message, found, message + head);
  return strbuf_text(&text);
}
