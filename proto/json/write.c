// SPDX-License-Identifier: Apache-2.0
#include "proto/json/write.h"

#include "proto/json/utf8.h"

static const int64_t EXACT = (int64_t)1 << 53;

void json_writer_init(json_writer *w, shape_strbuf *out) {
  memset(w, 0, sizeof *w);
  w->out = out;
}

static void newline(json_writer *w) {
  strbuf_putc(w->out, '\n');
  for (uint32_t i = 0; i < w->depth; i++) strbuf_add(w->out, "  ", 2);
}

// What stands between the last token and the value that follows.
static inline void before_value(json_writer *w) {
  if (w->after_key) {
    w->after_key = false;
    return;
  }
  if (w->inside) {
    strbuf_add(w->out, ", ", w->pretty ? 1 : 2);
  }
  if (w->pretty && w->depth) newline(w);
  w->inside = true;
}

static void begin(json_writer *w, char bracket) {
  before_value(w);
  strbuf_putc(w->out, bracket);
  w->inside = false;
  w->depth++;
}

static void end(json_writer *w, char bracket) {
  w->depth--;
  if (w->pretty && w->inside) newline(w);
  strbuf_putc(w->out, bracket);
  w->inside = true;
}

void json_begin_object(json_writer *w) { begin(w, '{'); }
void json_end_object(json_writer *w) { end(w, '}'); }
void json_begin_array(json_writer *w) { begin(w, '['); }
void json_end_array(json_writer *w) { end(w, ']'); }

void json_key(json_writer *w, const char *key) {
  before_value(w);
  size_t length = strlen(key);
  strbuf_putc(w->out, '"');
  strbuf_add(w->out, key, length);
  strbuf_add(w->out, "\": ", 3);
  w->after_key = true;
}

static void escape(shape_strbuf *out, unsigned char c) {
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

static void quoted(json_writer *w, const char *text, size_t length) {
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
      strbuf_add(w->out, "\xef\xbf\xbd", 3);
      i++;
    }
  }
  strbuf_putc(w->out, '"');
}

void json_key_text(json_writer *w, const char *key, size_t length) {
  before_value(w);
  quoted(w, key, length);
  strbuf_add(w->out, ": ", 2);
  w->after_key = true;
}

void json_text(json_writer *w, const char *text, size_t length) {
  before_value(w);
  quoted(w, text, length);
}

void json_string(json_writer *w, const char *text) {
  if (text) {
    json_text(w, text, strlen(text));
  } else {
    json_null(w);
  }
}

void json_int(json_writer *w, int64_t value) {
  before_value(w);
  bool text = w->big_as_text && (value > EXACT || value < -EXACT);
  if (text) strbuf_putc(w->out, '"');
  strbuf_int(w->out, value);
  if (text) strbuf_putc(w->out, '"');
}

void json_num(json_writer *w, num value) {
  int64_t small;
  if (num_to_int(value, &small)) {
    json_int(w, small);
    return;
  }
  before_value(w);
  if (w->big_as_text) strbuf_putc(w->out, '"');
  num_print(w->out, value);
  if (w->big_as_text) strbuf_putc(w->out, '"');
}

void json_bool(json_writer *w, bool value) { json_raw(w, value ? "true" : "false", value ? 4 : 5); }

void json_null(json_writer *w) { json_raw(w, "null", 4); }

void json_raw(json_writer *w, const char *json, size_t length) {
  before_value(w);
  strbuf_add(w->out, json, length);
}
