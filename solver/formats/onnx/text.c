// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/text.h"

#include <assert.h>
#include <string.h>

#include "solver/base/found.h"

text_reader text_open(const char *text, size_t length, shape_budget *budget, shape_strbuf *out,
                      text_error *error) {
  assert(!out || (out->arena && !out->sink));
  return (text_reader){text, text, text + length, budget, out, error, 0};
}

bool text_fail(text_reader *r, const char *message) {
  assert(r->at >= r->begin && r->at <= r->end);
  // What only looks for a form of the text has no arena.
  if (r->out) message = found_message(r->out->arena, message, r->at, r->end);
  *r->error = (text_error){message, (size_t)(r->at - r->begin)};
  return false;
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

char text_peek(text_reader *r) {
  while (r->at < r->end) {
    if (*r->at == '#') {
      const char *line = memchr(r->at, '\n', (size_t)(r->end - r->at));
      r->at = line ? line : r->end;
    } else if (is_space(*r->at)) {
      r->at++;
    } else {
      return *r->at;
    }
  }
  return 0;
}

bool text_accept(text_reader *r, char c) {
  if (text_peek(r) != c || r->at == r->end) return false;
  r->at++;
  return true;
}

bool text_is(text_word word, const char *text) {
  return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}
