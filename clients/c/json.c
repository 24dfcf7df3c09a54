// SPDX-License-Identifier: Apache-2.0
// Members and items of JSON that the daemon wrote: well-formed, or else nothing is found; never a read beyond the end.
#include "clients/c/shape_client.h"

#include <stdlib.h>
#include <string.h>

static size_t skip_space(shape_json j, size_t at) {
  while (at < j.length && (unsigned char)j.text[at] <= ' ') at++;
  return at;
}

// After the string that begins at `at`; j.length where it has no end.
static size_t skip_string(shape_json j, size_t at) {
  for (at++; at < j.length && j.text[at] != '"'; at++) {
    if (j.text[at] == '\\') at++;
  }
  return at < j.length ? at + 1 : j.length;
}

// After the value that begins at `at`. No recursion: depth is only counted.
static size_t skip_value(shape_json j, size_t at) {
  size_t depth = 0;
  while (at < j.length) {
    char c = j.text[at];
    if (c == '"') {
      at = skip_string(j, at);
    } else if (c == '{' || c == '[') {
      depth++;
      at++;
    } else if (c == '}' || c == ']' || c == ',') {
      if (!depth) return at;
      if (c != ',') depth--;
      at++;
    } else {
      at++;
      continue;
    }
    if (!depth) return at;
  }
  return at;
}

static shape_json value_at(shape_json j, size_t at, size_t end) {
  while (end > at && (unsigned char)j.text[end - 1] <= ' ') end--;
  return (shape_json){j.text + at, end - at};
}

// Where the first element of a container begins; j.length: it is none, or empty.
static size_t enter(shape_json j, char open) {
  size_t at = skip_space(j, 0);
  if (at >= j.length || j.text[at] != open) return j.length;
  at = skip_space(j, at + 1);
  return at < j.length && (j.text[at] == '}' || j.text[at] == ']') ? j.length : at;
}

// Where the next element begins, after a value that ended at `at`.
static size_t next(shape_json j, size_t at) {
  at = skip_space(j, at);
  return at < j.length && j.text[at] == ',' ? skip_space(j, at + 1) : j.length;
}

shape_json shape_json_member(shape_json object, const char *key) {
  size_t wanted = strlen(key);
  for (size_t at = enter(object, '{'); at < object.length;) {
    if (object.text[at] != '"') break;
    size_t end = skip_string(object, at), from = skip_space(object, end);
    if (from >= object.length || object.text[from] != ':') break;
    from = skip_space(object, from + 1);
    size_t to = skip_value(object, from);
    if (end - at == wanted + 2 && !memcmp(object.text + at + 1, key, wanted)) {
      return value_at(object, from, to);
    }
    at = next(object, to);
  }
  return (shape_json){"", 0};
}

shape_json shape_json_item(shape_json array, size_t index) {
  for (size_t at = enter(array, '['); at < array.length;) {
    size_t to = skip_value(array, at);
    if (to == at) break;
    if (!index--) return value_at(array, at, to);
    at = next(array, to);
  }
  return (shape_json){"", 0};
}

shape_json shape_json_next(shape_json array, shape_json item) {
  size_t at =
      item.length ? next(array, (size_t)(item.text - array.text) + item.length) : enter(array, '[');
  size_t to = skip_value(array, at);
  return to > at ? value_at(array, at, to) : (shape_json){"", 0};
}

bool shape_json_is(shape_json json, const char *text) {
  return json.length == strlen(text) && !memcmp(json.text, text, json.length);
}

// --- texts

typedef struct sink {
  char *out;
  size_t size, length;
} sink;

static void put(sink *s, char c) {
  if (s->length + 1 < s->size) s->out[s->length] = c;
  s->length++;
}

static size_t finish(const sink *s) {
  if (s->size) s->out[s->length < s->size ? s->length : s->size - 1] = '\0';
  return s->length;
}

static void put_utf8(sink *s, uint32_t c) {
  if (c < 0x80) {
    put(s, (char)c);
    return;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  put(s, (char)((0xFF00 >> (more + 1) & 0xFF) | c >> 6 * more));
  while (more--) put(s, (char)(0x80 | (c >> 6 * more & 0x3F)));
}

// Four hexadecimal digits after `\u`; 0 where they are not there.
static uint32_t unit_at(shape_json j, size_t at) {
  char digits[5] = "";
  if (at + 4 > j.length) return 0;
  memcpy(digits, j.text + at, 4);
  return (uint32_t)strtoul(digits, NULL, 16);
}

static size_t put_escape(sink *s, shape_json j, size_t at) {
  static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
  const char *found = strchr(from, j.text[at]);
  if (j.text[at] != 'u') {
    put(s, found && *found ? to[found - from] : j.text[at]);
    return at + 1;
  }
  uint32_t c = unit_at(j, at + 1);
  at += 5;
  if (c >= 0xD800 && c < 0xDC00 && at + 6 <= j.length && j.text[at] == '\\') {
    c = 0x10000 + ((c - 0xD800) << 10) + ((unit_at(j, at + 2) - 0xDC00) & 0x3FF);
    at += 6;
  }
  put_utf8(s, c);
  return at;
}

size_t shape_json_string(shape_json json, char *out, size_t size) {
  sink s = {out, size, 0};
  bool quoted = json.length >= 2 && json.text[0] == '"';
  size_t end = quoted ? json.length - 1 : json.length;
  for (size_t at = quoted; at < end;) {
    if (quoted && json.text[at] == '\\' && at + 1 < end) {
      at = put_escape(&s, json, at + 1);
    } else {
      put(&s, json.text[at++]);
    }
  }
  return finish(&s);
}

size_t shape_json_quote(const char *text, size_t length, char *out, size_t size) {
  sink s = {out, size, 0};
  put(&s, '"');
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\') put(&s, '\\');
    if (c >= ' ') {
      put(&s, (char)c);
      continue;
    }
    const char *escape = c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : "\\u00";
    for (const char *e = escape; *e; e++) put(&s, *e);
    if (escape[1] == 'u') {
      put(&s, "0123456789abcdef"[c >> 4]);
      put(&s, "0123456789abcdef"[c & 15]);
    }
  }
  put(&s, '"');
  return finish(&s);
}

void shape_client_read_error(shape_json error, shape_client_error *out) {
  shape_json data = shape_json_member(error, "data");
  char number[16];
  shape_json_string(shape_json_member(error, "code"), number, sizeof number);
  out->code = (int)strtol(number, NULL, 10);
  shape_json_string(shape_json_member(data, "code"), out->name, sizeof out->name);
  shape_json_string(shape_json_member(data, "path"), out->path, sizeof out->path);
  shape_json_string(shape_json_member(error, "message"), out->message, sizeof out->message);
  out->retryable = shape_json_is(shape_json_member(data, "retryable"), "true");
}
