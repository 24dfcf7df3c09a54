// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/json/write.h"

#include <assert.h>

#include "solver/base/imap.h"
#include "solver/formats/json/quote.h"
#include "solver/formats/json/utf8.h"

enum { COLON = 2 };  // bytes of ": "

void json_writer_init(json_writer *w, shape_strbuf *out) {
  memset(w, 0, sizeof *w);
  w->out = out;
}

static void newline(json_writer *w) {
  strbuf_putc(w->out, '\n');
  for (uint32_t i = 0; i < w->depth; i++) strbuf_add(w->out, "  ", 2);
}

void json_before_pretty(json_writer *w) {
  assert(w->pretty);
  if (!w->after_key) {
    if (w->gap) strbuf_putc(w->out, ',');
    if (w->depth) newline(w);
  }
  w->after_key = false;
  w->gap = 0;
}

static __attribute__((noinline)) void begin_slow(json_writer *w, char bracket) {
  char *at = json_open(w, 1);
  *at = bracket;
  json_close(w, at + 1);
  w->gap = 0;
  w->depth++;
}

static inline void begin(json_writer *w, char bracket) {
  shape_strbuf *out = w->out;
  if (w->pretty || out->capacity - out->length <= JSON_GAP) {
    begin_slow(w, bracket);
    return;
  }
  char *at = out->data + out->length;
  memcpy(at, ", ", JSON_GAP);
  at[w->gap] = bracket;
  out->length += w->gap + 1u;
  w->gap = 0;
  w->depth++;
}

static __attribute__((noinline)) void end_slow(json_writer *w, char bracket) {
  if (w->pretty && w->gap) newline(w);
  strbuf_putc(w->out, bracket);
  w->gap = JSON_GAP;
}

static inline void end(json_writer *w, char bracket) {
  shape_strbuf *out = w->out;
  assert(w->depth);
  w->depth--;
  if (w->pretty || out->length == out->capacity) {
    end_slow(w, bracket);
    return;
  }
  out->data[out->length++] = bracket;
  w->gap = JSON_GAP;
}

void json_begin_object(json_writer *w) { begin(w, '{'); }
void json_end_object(json_writer *w) { end(w, '}'); }
void json_begin_array(json_writer *w) { begin(w, '['); }
void json_end_array(json_writer *w) { end(w, ']'); }

static void escape(shape_strbuf *out, unsigned char c) {
  assert(c < 0x20 || c == '"' || c == '\\');
  static const char hex[] = "0123456789abcdef";
  switch (c) {
  case '"': strbuf_add(out, "\\\"", 2); return;
  case '\\': strbuf_add(out, "\\\\", 2); return;
  case '\b': strbuf_add(out, "\\b", 2); return;
  case '\f': strbuf_add(out, "\\f", 2); return;
  case '\n': strbuf_add(out, "\\n", 2); return;
  case '\r': strbuf_add(out, "\\r", 2); return;
  case '\t': strbuf_add(out, "\\t", 2); return;
  default: {
    char text[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    strbuf_add(out, text, sizeof text);
  }
  }
}

static inline bool plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

// Copies a text in pieces of fixed length, which may overlap; false: a byte of it needs an escape.
static inline bool put_plain(char *to, const char *text, size_t length) {
  uint64_t first, last;
  if (length >= 16) {
    bool fine = true;
    for (size_t i = 0; i < length - 16; i += 16) fine &= put_plain_sixteen(to + i, text + i);
    return fine & put_plain_sixteen(to + length - 16, text + length - 16);
  }
  if (length >= 8) {
    memcpy(&first, text, 8);
    memcpy(&last, text + length - 8, 8);
    memcpy(to, &first, 8);
    memcpy(to + length - 8, &last, 8);
    return !(bytes_special(first) | bytes_special(last));
  }
  if (length >= 4) {
    uint32_t low, high;
    memcpy(&low, text, 4);
    memcpy(&high, text + length - 4, 4);
    memcpy(to, &low, 4);
    memcpy(to + length - 4, &high, 4);
    return !bytes_special(low | (uint64_t)high << 32);
  }
  if (!length) return true;
  to[0] = text[0];
  to[length / 2] = text[length / 2];
  to[length - 1] = text[length - 1];
  return !bytes_special(few_bytes(text, length) | UINT64_C(0x6161616161) << 24);  // and letters
}

static void quoted_slow(json_writer *w, const char *text, size_t length) {
  strbuf_putc(w->out, '"');
  for (size_t i = 0; i < length;) {
    size_t from = i;
    while (i < length && plain((unsigned char)text[i])) i++;
    strbuf_add(w->out, text + from, i - from);
    if (i == length) break;
    unsigned char c = (unsigned char)text[i];
    if (c < 0x80) {
      if (c == 0x7f) {
        strbuf_putc(w->out, (char)c);
      } else {
        escape(w->out, c);
      }
      i++;
      continue;
    }
    uint32_t sequence = utf8_sequence((const unsigned char *)text + i, length - i);
    if (sequence) {
      strbuf_add(w->out, text + i, sequence);
      i += sequence;
    } else {
      // U+FFFD alone would make one name of two.
      strbuf_printf(w->out, "\xef\xbf\xbd%02x", c);
      i++;
    }
  }
  strbuf_putc(w->out, '"');
}

char *json_put_plain(char *at, const char *text, size_t length) {
  *at++ = '"';
  if (!put_plain(at, text, length)) return NULL;
  at[length] = '"';
  return at + length + 1;
}

// A string as a value, or, where `tail` is COLON, as a key.
static void quoted(json_writer *w, const char *text, size_t length, size_t tail) {
  assert(tail == 0 || tail == COLON);
  char *at = json_open(w, length + 2 + COLON);
  if (!put_plain(at + 1, text, length)) {
    json_close(w, at);
    quoted_slow(w, text, length);
    strbuf_add(w->out, ": ", tail);
    return;
  }
  *at = '"';
  at += length + 1;
  memcpy(at, "\": ", 1 + COLON);
  json_close(w, at + 1 + tail);
}

static inline void end_key(json_writer *w) {
  w->gap = 0;
  w->after_key = true;
}

void json_key_text(json_writer *w, const char *key, size_t length) {
  quoted(w, key, length, COLON);
  end_key(w);
}

void json_text(json_writer *w, const char *text, size_t length) { quoted(w, text, length, 0); }

void json_string(json_writer *w, const char *text) {
  if (text) {
    json_text(w, text, strlen(text));
  } else {
    json_null(w);
  }
}

void json_int(json_writer *w, int64_t value) {
  char *at = json_open(w, TEXT_INT + 2);
  bool text = w->big_as_text && (!json_is_exact(value));
  if (text) *at++ = '"';
  at = text_put_int(at, value);
  if (text) *at++ = '"';
  json_close(w, at);
}

void json_num(json_writer *w, num value) {
  if (!value.big) {
    json_int(w, value.small);
    return;
  }
  json_close(w, json_open(w, 0));
  if (w->big_as_text) strbuf_putc(w->out, '"');
  num_print(w->out, value);
  if (w->big_as_text) strbuf_putc(w->out, '"');
}

void json_num_or_null(json_writer *w, bool has, num value) {
  if (has) {
    json_num(w, value);
  } else {
    json_null(w);
  }
}

void json_bool(json_writer *w, bool value) { json_raw(w, value ? "true" : "false", value ? 4 : 5); }

void json_null(json_writer *w) { json_raw(w, "null", 4); }

void json_raw(json_writer *w, const char *json, size_t length) {
  json_close(w, text_put(json_open(w, length), json, length));
}
