// SPDX-License-Identifier: Apache-2.0
#include "proto/frame/frame.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void frame_init(frame_reader *r, size_t limit) {
  *r = (frame_reader){.limit = limit, .body = SIZE_MAX};
}

void frame_free(frame_reader *r) {
  free(r->data);
  *r = (frame_reader){.limit = r->limit, .body = SIZE_MAX};
}

bool frame_is_partial(const frame_reader *r) {
  size_t pending = r->end - r->start;
  if (r->mode != FRAME_HEADERS) return pending && r->scanned == pending;
  return r->body == SIZE_MAX ? pending != 0 : pending < r->body;
}

void frame_trim(frame_reader *r) {
  // One large message must not hold its memory for as long as the connection lives.
  if (r->start != r->end || r->capacity <= 4 * FRAME_ROOM) return;
  free(r->data);
  r->data = NULL;
  r->start = r->end = r->capacity = 0;
}

static bool has_room(size_t capacity, size_t used) { return capacity - used >= FRAME_ROOM / 4; }

// What the buffer needs for more bytes.
static size_t wanted_capacity(const frame_reader *r) {
  size_t used = r->end - r->start;
  if (r->data && (!used || has_room(r->capacity, r->end) || has_room(r->capacity, used)))
    return r->capacity;
  // Twice the size each time, so that a message costs linear time; the limit bounds what can be pending.
  size_t capacity = r->capacity ? 2 * r->capacity : FRAME_ROOM, most = r->limit + 2 * FRAME_ROOM;
  if (capacity > most) capacity = most;
  return has_room(capacity, used) && capacity > used ? capacity : used + FRAME_ROOM;
}

size_t frame_growth(const frame_reader *r) { return wanted_capacity(r) - r->capacity; }

char *frame_room(frame_reader *r, size_t *bytes) {
  frame_trim(r);
  if (r->start == r->end) r->start = r->end = 0;
  size_t capacity = wanted_capacity(r);
  if (r->start && !has_room(r->capacity, r->end)) {
    memmove(r->data, r->data + r->start, r->end - r->start);
    r->end -= r->start;
    r->start = 0;
  }
  if (capacity != r->capacity) {
    char *data = realloc(r->data, capacity);
    if (!data) return NULL;
    r->data = data;
    r->capacity = capacity;
  }
  *bytes = r->capacity - r->end;
  return r->data + r->end;
}

void frame_filled(frame_reader *r, size_t bytes) { r->end += bytes; }

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static frame_event invalid(frame_reader *r, const char *why) {
  r->error = why;
  r->start = r->end;
  return FRAME_INVALID;
}

static frame_event next_line(frame_reader *r, const char **text, size_t *length) {
  for (;;) {
    const char *from = r->data + r->start;
    size_t pending = r->end - r->start;
    if (!pending) return FRAME_MORE;
    const char *end = memchr(from + r->scanned, '\n', pending - r->scanned);
    if (r->skip_line) {
      r->start = end ? r->start + (size_t)(end - from) + 1 : r->end;
      r->scanned = 0;
      if (!end) return FRAME_MORE;
      r->skip_line = false;
      continue;
    }
    size_t size = end ? (size_t)(end - from) : pending;
    if (size > r->limit) {
      // What was read is dropped now: nothing over the limit is ever held.
      r->skip_line = !end;
      r->start = end ? r->start + size + 1 : r->end;
      r->scanned = 0;
      *length = size;
      return FRAME_TOO_LONG;
    }
    if (!end) {
      r->scanned = pending;
      return FRAME_MORE;
    }
    r->start += size + 1;
    r->scanned = 0;
    while (size && is_space(from[size - 1])) size--;
    while (size && is_space(*from)) from++, size--;
    if (!size) continue;
    *text = from;
    *length = size;
    return FRAME_MESSAGE;
  }
}

// Reads the digits of a header's value. False when there is anything else, or nothing.
static bool read_length(const char *from, const char *end, size_t *value) {
  while (from < end && (*from == ' ' || *from == '\t')) from++;
  while (end > from && is_space(end[-1])) end--;
  if (from == end) return false;
  size_t n = 0;
  for (; from < end; from++) {
    if (*from < '0' || *from > '9') return false;
    if (n > (SIZE_MAX / 2 - 9) / 10) return false;
    n = n * 10 + (size_t)(*from - '0');
  }
  *value = n;
  return true;
}

// One line of a header block. NULL when it is fine, else what is wrong.
static const char *header_line(const char *from, const char *end, size_t *body, bool *seen) {
  const char *colon = memchr(from, ':', (size_t)(end - from));
  if (!colon) return "a header line without a colon";
  for (const char *c = from; c < colon; c++) {
    if (!is_letter(*c) && *c != '-' && !(*c >= '0' && *c <= '9')) return "an invalid header name";
  }
  static const char NAME[] = "Content-Length";
  if ((size_t)(colon - from) != sizeof NAME - 1 || strncasecmp(from, NAME, sizeof NAME - 1) != 0) {
    return NULL;
  }
  if (*seen) return "Content-Length is given twice";
  *seen = true;
  return read_length(colon + 1, end, body) ? NULL : "Content-Length is not a number";
}

// Consumes a header block. MESSAGE means that it was whole and r->body is set.
static frame_event read_headers(frame_reader *r) {
  const char *from = r->data + r->start, *end = r->data + r->end;
  // Blank lines between messages are tolerated.
  while (from < end && (*from == '\r' || *from == '\n')) from++;
  r->start = (size_t)(from - r->data);
  const char *line = from;
  size_t body = 0;
  bool seen = false;
  for (;;) {
    const char *eol = memchr(line, '\n', (size_t)(end - line));
    if ((eol ? eol : end) - from > FRAME_HEADER_MAX) return invalid(r, "the headers are too long");
    if (!eol) return FRAME_MORE;
    const char *last = eol > line && eol[-1] == '\r' ? eol - 1 : eol;
    if (last == line) {
      if (!seen) return invalid(r, "Content-Length is missing");
      r->start = (size_t)(eol + 1 - r->data);
      r->body = body;
      return FRAME_MESSAGE;
    }
    const char *wrong = header_line(line, last, &body, &seen);
    if (wrong) return invalid(r, wrong);
    line = eol + 1;
  }
}

static frame_event next_with_headers(frame_reader *r, const char **text, size_t *length) {
  for (;;) {
    size_t pending = r->end - r->start;
    if (r->skip) {
      size_t drop = pending < r->skip ? pending : r->skip;
      r->start += drop;
      r->skip -= drop;
      if (r->skip) return FRAME_MORE;
      continue;
    }
    if (r->body == SIZE_MAX) {
      if (!pending) return FRAME_MORE;
      frame_event event = read_headers(r);
      if (event != FRAME_MESSAGE) return event;
      if (r->body > r->limit) {
        *length = r->body;
        r->skip = r->body;
        r->body = SIZE_MAX;
        return FRAME_TOO_LONG;
      }
      continue;
    }
    if (pending < r->body) return FRAME_MORE;
    *text = r->data + r->start;
    *length = r->body;
    r->start += r->body;
    r->body = SIZE_MAX;
    return FRAME_MESSAGE;
  }
}

frame_event frame_next(frame_reader *r, const char **text, size_t *length) {
  if (r->error) return invalid(r, r->error);
  if (r->mode == FRAME_UNDECIDED) {
    while (r->start < r->end && is_space(r->data[r->start])) r->start++;
    if (r->start == r->end) return FRAME_MORE;
    unsigned char first = (unsigned char)r->data[r->start];
    if (first < ' ' || first >= 0x7f)
      return invalid(r, "the first byte begins neither JSON nor headers");
    r->mode = is_letter((char)first) ? FRAME_HEADERS : FRAME_LINES;
  }
  return r->mode == FRAME_LINES ? next_line(r, text, length) : next_with_headers(r, text, length);
}

frame_event frame_finish(frame_reader *r, const char **text, size_t *length) {
  if (r->mode != FRAME_LINES || r->skip_line || r->start == r->end) return FRAME_MORE;
  *text = r->data + r->start;
  *length = r->end - r->start;
  while (*length && is_space((*text)[*length - 1])) (*length)--;
  r->start = r->end;
  r->scanned = 0;
  return *length ? FRAME_MESSAGE : FRAME_MORE;
}

size_t frame_head(frame_mode mode, size_t length, char *head) {
  if (mode != FRAME_HEADERS) return 0;
  return (size_t)snprintf(head, 48, "Content-Length: %zu\r\n\r\n", length);
}

const char *frame_tail(frame_mode mode) { return mode == FRAME_HEADERS ? "" : "\n"; }
