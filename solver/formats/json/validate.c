// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/json/validate.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/base/found.h"
#include "solver/base/imap.h"
#include "solver/formats/json/quote.h"
#include "solver/formats/json/utf8.h"

// Objects with more keys than this are checked through a hash table, smaller ones by comparing.
enum { FEW_KEYS = 12, LONGEST_NUMBER = 60 };

typedef struct key {
  const char *text;
  uint32_t length;
  uint64_t hash;
} key;

typedef struct open_container {
  char close;                  // what ends it
  uint32_t first_key, serial;  // of an object: where its keys begin; its number
} open_container;

typedef struct big_integer {
  size_t at;
  uint32_t length;
} big_integer;

typedef struct validator {
  shape_arena *arena;
  const char *text, *at, *end;
  const char *polled;  // where it was last looked whether the job goes on
  const char *block;   // of a walk
  uint64_t special;    // in that block: see special_of_block
  json_error *error;
  uint32_t limit, depth, container_cap;
  open_container *containers;
  key *keys;
  uint32_t key_count, key_cap, serial;
  shape_imap many;  // (object, hash of key) -> index in keys, for objects with many
  big_integer *bigs;
  uint32_t big_count, big_cap;
  json_members *members;
  uint32_t watched;  // their depth at most; 0: none are asked for
  uint32_t member
      [JSON_MEMBERS_DEPTH];  // the last one of each depth; JSON_MEMBERS_MAX: it is none of them
} validator;

static bool fail_at(validator *g, shape_status status, const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool fail_at(validator *g, shape_status status, const char *at, const char *format, ...) {
  json_error *e = g->error;
  assert(g->text <= at && at <= g->end);
  e->status = status;
  e->offset = (size_t)(at - g->text);
  e->line = e->column = 1;
  for (const char *p = g->text; p < at; p++) {
    e->column++;
    if (*p == '\n') {
      e->line++;
      e->column = 1;
    }
  }
  va_list args;
  va_start(args, format);
  vsnprintf(e->message, sizeof e->message, format, args);
  va_end(args);
  return false;
}

static bool fail_expected(validator *g, const char *what) {
  char found[FOUND_ROOM];
  found_put(found, g->at, g->end);
  return fail_at(g, SHAPE_SYNTAX, g->at, "expected %s, found %s", what, found);
}

static inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

static void skip_space_far(validator *g) {
  while (g->at < g->end && is_space(*g->at)) g->at++;
}

// Most texts have none.
static inline void skip_space(validator *g) {
  if (g->at < g->end && (unsigned char)*g->at <= ' ') skip_space_far(g);
}

static void poll(validator *g) {
  assert(g->polled <= g->at && g->at <= g->end);
  if (g->at - g->polled < POLL_BYTES) return;
  g->polled = g->at;
  arena_poll(g->arena);
}

// --- strings

static bool hex4(validator *g, const char *at, uint32_t *out) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) {
    if (at + i >= g->end) return fail_at(g, SHAPE_SYNTAX, g->end, "the text ends in a \\u escape");
    char c = at[i];
    uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                            : 16;
    if (digit == 16) return fail_at(g, SHAPE_SYNTAX, at + i, "expected four hex digits after \\u");
    value = value << 4 | digit;
  }
  *out = value;
  return true;
}

// An escape at g->at (its backslash); moves past it and gives its code point.
static bool read_escape(validator *g, uint32_t *out) {
  assert(g->at < g->end && *g->at == '\\');
  const char *start = g->at++;
  if (g->at == g->end) return fail_at(g, SHAPE_SYNTAX, g->at, "the text ends in a string");
  char c = *g->at++;
  static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  const char *found = c ? strchr(plain, c) : NULL;
  if (found) {
    *out = (uint32_t)meant[found - plain];
    return true;
  }
  if (c != 'u') return fail_at(g, SHAPE_SYNTAX, start, "this escape is not JSON");
  uint32_t value, low;
  if (!hex4(g, g->at, &value)) return false;
  g->at += 4;
  if (value == 0) {
    return fail_at(g, SHAPE_SYNTAX, start, "a string with the character U+0000 is not accepted");
  }
  if (value >= 0xdc00 && value < 0xe000) {
    return fail_at(g, SHAPE_SYNTAX, start, "half of a surrogate pair");
  }
  if (value >= 0xd800 && value < 0xdc00) {
    if (g->end - g->at < 2 || g->at[0] != '\\' || g->at[1] != 'u') {
      return fail_at(g, SHAPE_SYNTAX, start, "half of a surrogate pair");
    }
    if (!hex4(g, g->at + 2, &low)) return false;
    if (low < 0xdc00 || low >= 0xe000) {
      return fail_at(g, SHAPE_SYNTAX, start, "half of a surrogate pair");
    }
    g->at += 6;
    value = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
  }
  *out = value;
  return true;
}

// The same as read_string of a string that is long, has escapes or characters beyond ASCII, or is not valid.
static __attribute__((noinline)) bool read_string_far(validator *g, key *decoded) {
  assert(g->at < g->end && *g->at == '"');
  const char *start = ++g->at;
  bool escapes = false;
  g->at = skip_text(g->arena, g->at, g->end);
  while (g->at < g->end && *g->at != '"') {
    unsigned char c = (unsigned char)*g->at;
    uint32_t ignored;
    if (c == '\\') {
      escapes = true;
      if (!read_escape(g, &ignored)) return false;
      g->at = skip_text(g->arena, g->at, g->end);
      poll(g);
    } else if (c < 0x20) {
      return fail_at(g, SHAPE_SYNTAX, g->at, "a control character (0x%02x) in a string", c);
    } else if (c < 0x80) {
      g->at++;
    } else {
      uint32_t n = utf8_sequence((const unsigned char *)g->at, (size_t)(g->end - g->at));
      if (!n) return fail_at(g, SHAPE_SYNTAX, g->at, "the byte 0x%02x is not UTF-8 here", c);
      g->at += n;
      poll(g);
    }
  }
  if (g->at == g->end) return fail_at(g, SHAPE_SYNTAX, g->at, "the text ends in a string");
  const char *stop = g->at++;
  if (!decoded) return true;
  *decoded = (key){start, (uint32_t)(stop - start), 0};
  if (!escapes) return true;
  char *text = arena_alloc(g->arena, (size_t)(stop - start) + 1);
  uint32_t length = 0;
  const char *after = g->at;
  for (g->at = start; g->at < stop;) {
    uint32_t value;
    if (*g->at != '\\') {
      text[length++] = *g->at++;
    } else if (read_escape(g, &value)) {
      length += utf8_encode(value, text + length);
    }
  }
  assert(length < (size_t)(stop - start));
  g->at = after;
  decoded->text = text;
  decoded->length = length;
  return true;
}

// A string from its opening quote on. `decoded`: receives its text, in the source where it has no escapes.
static inline bool read_string(validator *g, key *decoded) {
  const char *from = g->at + 1, *stop = special_near(from, g->end);
  if (!stop || *stop != '"') return read_string_far(g, decoded);
  if (decoded) *decoded = (key){from, (uint32_t)(stop - from), 0};
  g->at = stop + 1;
  return true;
}

// --- numbers

static bool is_digit(const validator *g) {
  return g->at < g->end && *g->at >= '0' && *g->at <= '9';
}

static bool digits(validator *g, const char *what) {
  if (!is_digit(g)) return fail_expected(g, what);
  while (is_digit(g)) g->at++;
  return true;
}

static bool note_integer(validator *g, const char *start) {
  const char *first = start + (*start == '-');
  assert(first < g->at);
  size_t count = (size_t)(g->at - first);
  if (count < 16) return true;
  if (count == 16) {
    uint64_t value = 0;
    for (const char *p = first; p < g->at; p++) value = value * 10 + (uint64_t)(*p - '0');
    if (value <= (uint64_t)1 << 53) return true;
  }
  g->bigs = arena_grow(g->arena, g->bigs, g->big_count, (size_t)g->big_count + 1, &g->big_cap,
                       sizeof *g->bigs);
  assert(!g->big_count || g->bigs[g->big_count - 1].at < (size_t)(start - g->text));
  g->bigs[g->big_count++] = (big_integer){(size_t)(start - g->text), (uint32_t)(g->at - start)};
  return true;
}

static __attribute__((noinline)) bool read_number_far(validator *g) {
  const char *start = g->at;
  if (*g->at == '-') g->at++;
  bool zero = g->at < g->end && *g->at == '0';
  if (zero) {
    g->at++;
    if (is_digit(g)) return fail_at(g, SHAPE_SYNTAX, start, "a number begins with a needless 0");
  } else if (!digits(g, "a digit")) {
    return false;
  }
  bool integer = true, may_overflow = false;
  if (g->at < g->end && *g->at == '.') {
    integer = false;
    g->at++;
    if (!digits(g, "a digit after the point")) return false;
  }
  if (g->at < g->end && (*g->at == 'e' || *g->at == 'E')) {
    integer = false;
    g->at++;
    if (g->at < g->end && (*g->at == '+' || *g->at == '-')) g->at++;
    const char *exponent = g->at;
    if (!digits(g, "a digit of the exponent")) return false;
    may_overflow = g->at - exponent > 2;  // LONGEST_NUMBER digits times 10^99 do not
  }
  if (integer) return note_integer(g, start);
  size_t length = (size_t)(g->at - start);
  char copy[LONGEST_NUMBER + 1];
  if (length > LONGEST_NUMBER) {
    return fail_at(g, SHAPE_INVALID, start, "a number of %zu characters is longer than %d", length,
                   LONGEST_NUMBER);
  }
  if (!may_overflow) return true;
  memcpy(copy, start, length);
  copy[length] = 0;
  if (isinf(strtod(copy, NULL))) {
    return fail_at(g, SHAPE_INVALID, start, "the number %s is too large", copy);
  }
  return true;
}

// Where the number at `at` ends, which is before `end`, if it is an integer of a few digits with another token after it, as
// nearly all numbers of a program are; else NULL.
static inline const char *short_integer(const char *at, const char *end) {
  enum { DIGITS_MAX = 15 };  // of one that a double holds
  const char *from = at;
  while (at < end && *at >= '0' && *at <= '9') at++;
  size_t length = (size_t)(at - from);
  if (!length || length > DIGITS_MAX || (*from == '0' && length > 1)) return NULL;
  return at < end && (*at == ',' || *at == ']' || *at == '}') ? at : NULL;
}

static inline bool read_number(validator *g) {
  const char *stop = short_integer(g->at, g->end);
  if (!stop) return read_number_far(g);
  g->at = stop;
  return true;
}

static bool read_word(validator *g, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(g->end - g->at) < length || memcmp(g->at, word, length) != 0) {
    return fail_expected(g, "a JSON value");
  }
  g->at += length;
  return true;
}

// --- objects

static inline bool same_key(const key *a, const key *b) {
  return a->hash == b->hash && a->length == b->length && text_equals(a->text, b->text, a->length);
}

// True when an earlier key of the object is the same: seen_before where there are many.
static __attribute__((noinline)) bool seen_in_many(validator *g, const open_container *object,
                                                   uint32_t index) {
  uint32_t count = index - object->first_key;
  uint32_t from = count == FEW_KEYS ? object->first_key : index;
  for (uint32_t i = from; i <= index; i++)
    g->keys[i].hash = hash_text(g->keys[i].text, g->keys[i].length, g->arena->seed);
  for (uint32_t i = from; i <= index; i++) {
    uint64_t slot = hash_pair(object->serial, g->keys[i].hash) & ~(uint64_t)1;
    uint32_t other;
    if (imap_get(&g->many, slot, &other)) {
      if (same_key(&g->keys[other], &g->keys[i])) return true;
      // Two keys in one slot: the later one is found by comparing.
      for (uint32_t j = object->first_key; j < i; j++) {
        if (same_key(&g->keys[j], &g->keys[i])) return true;
      }
    } else {
      imap_put(&g->many, g->arena, slot, i);
    }
  }
  return false;
}

// Few keys have no hashes.
static bool seen_before(validator *g, const open_container *object, uint32_t index) {
  assert(index >= object->first_key && index < g->key_count);
  const key *k = &g->keys[index];
  if (index - object->first_key >= FEW_KEYS) return seen_in_many(g, object, index);
  for (uint32_t i = object->first_key; i < index; i++) {
    if (same_key(&g->keys[i], k)) return true;
  }
  return false;
}

static void begin_member(validator *g) {
  json_members *m = g->members;
  assert(m && m->count <= JSON_MEMBERS_MAX && g->depth <= JSON_MEMBERS_DEPTH);
  uint32_t i = g->member[g->depth - 1] = m->count;
  if (i == JSON_MEMBERS_MAX) return;
  m->items[i].begin = (size_t)(g->at - g->text);
  m->count++;
}

// The value that ends here may also be one of an array.
static void end_member(validator *g) {
  assert(g->members && g->depth && g->depth <= JSON_MEMBERS_DEPTH);
  uint32_t i = g->member[g->depth - 1];
  if (g->containers[g->depth - 1].close == '}' && i < JSON_MEMBERS_MAX)
    g->members->items[i].end = (size_t)(g->at - g->text);
}

static __attribute__((noinline)) void grow_keys(validator *g) {
  g->keys = arena_grow(g->arena, g->keys, g->key_count, (size_t)g->key_count + 1, &g->key_cap,
                       sizeof *g->keys);
}

// Adds a key to the innermost object. False when it has it already.
static inline bool add_key(validator *g, const open_container *in, const char *text,
                           uint32_t length) {
  if (g->key_count == g->key_cap) grow_keys(g);
  key *k = &g->keys[g->key_count++];
  k->text = text;
  k->length = length;
  k->hash = 0;
  return in->first_key == g->key_count - 1 || !seen_before(g, in, g->key_count - 1);
}

static bool read_key(validator *g) {
  assert(g->depth && g->containers[g->depth - 1].close == '}');
  const char *start = g->at;
  if (g->at == g->end || *g->at != '"') return fail_expected(g, "a key in double quotes");
  key k;
  if (!read_string(g, &k)) return false;
  if (!add_key(g, &g->containers[g->depth - 1], k.text, k.length)) {
    return fail_at(g, SHAPE_SYNTAX, start, "the key \"%.*s\" is given twice in one object",
                   k.length > 80 ? 80 : (int)k.length, k.text);
  }
  skip_space(g);
  if (g->at == g->end || *g->at != ':') return fail_expected(g, "':'");
  g->at++;
  skip_space(g);
  if (g->depth <= g->watched) begin_member(g);
  return true;
}

static inline void push(validator *g, char close) {
  assert(g->depth < g->limit);
  g->containers = arena_grow(g->arena, g->containers, g->depth, (size_t)g->depth + 1,
                             &g->container_cap, sizeof *g->containers);
  open_container *in = &g->containers[g->depth++];
  in->close = close;
  if (close == ']') return;
  in->first_key = g->key_count;
  in->serial = ++g->serial;
}

// The innermost array or object ends; its keys are forgotten.
static inline void pop(validator *g) {
  const open_container *in = &g->containers[--g->depth];
  if (in->close == ']') return;
  assert(in->first_key <= g->key_count);
  g->key_count = in->first_key;
}

static inline char close_of(const validator *g) {
  assert(g->depth);
  return g->containers[g->depth - 1].close;
}

static inline bool open(validator *g, bool object) {
  assert(g->depth <= g->limit);
  if (g->depth == g->limit) {
    return fail_at(g, SHAPE_DEPTH, g->at, "nested deeper than %u levels", g->limit);
  }
  push(g, object ? '}' : ']');
  g->at++;
  return true;
}

// After a value: closes what ends here and stops before the next value, or at the end of the text (*done).
static bool after_value(validator *g, bool *done) {
  for (;;) {
    if (g->depth && g->depth <= g->watched) end_member(g);
    skip_space(g);
    if (g->depth == 0) {
      *done = true;
      return g->at == g->end || fail_expected(g, "the end of the text");
    }
    open_container *c = &g->containers[g->depth - 1];
    if (g->at < g->end && *g->at == ',') {
      g->at++;
      skip_space(g);
      return c->close == ']' || read_key(g);
    }
    if (g->at == g->end || *g->at != c->close) {
      return fail_expected(g, c->close == '}' ? "',' or '}'" : "',' or ']'");
    }
    g->at++;
    pop(g);
  }
}

// One value up to its end, or up to the first value inside it (*opened).
static bool read_value(validator *g, bool *opened) {
  *opened = false;
  if (g->at == g->end) return fail_expected(g, "a JSON value");
  switch (*g->at) {
  case '"': return read_string(g, NULL);
  case 't': return read_word(g, "true");
  case 'f': return read_word(g, "false");
  case 'n': return read_word(g, "null");
  case '{':
  case '[': {
    bool object = *g->at == '{';
    if (!open(g, object)) return false;
    skip_space(g);
    if (g->at < g->end && *g->at == (object ? '}' : ']')) {
      g->at++;
      g->depth--;
      return true;
    }
    *opened = true;
    return !object || read_key(g);
  }
  default:
    if (*g->at == '-' || is_digit(g)) return read_number(g);
    return fail_expected(g, "a JSON value");
  }
}

// --- what texts are made of nearly everywhere: short strings without escapes, short integers, brackets and commas. Nothing
// is reported here: a walk ends before anything else, and near the end of the text, and the functions above read on.

// Within what is left before these nothing asks for the end: where a value begins, and where a string ends.
enum { WALK_MARGIN = 16, STRING_MARGIN = 8 };

// A walk keeps what changes with each value out of the validator, so that it stays in registers.
typedef struct walker {
  const char *at;
  open_container *in;  // the innermost
  char close;          // of it
} walker;

// Functions of a walk take where it is and return where it is then; NULL: nothing was done.
static inline const char *walk_space(const char *at, const char *limit) {
  if (__builtin_expect((unsigned char)*at <= ' ', false))
    while (at < limit && is_space(*at)) at++;
  return at;
}

// The last bytes of the text, with zeros after them.
static __attribute__((noinline)) uint64_t special_of_rest(const char *at, const char *end) {
  char rest[SPECIAL_BLOCK] = {0};
  assert(at < end && end - at < SPECIAL_BLOCK);
  memcpy(rest, at, (size_t)(end - at));
  return special_of_block(rest);
}

// Goes on to the block of the text that begins there.
static __attribute__((noinline)) void walk_block(validator *g, const char *at) {
  g->block = at;
  g->special = g->end - at < SPECIAL_BLOCK ? special_of_rest(at, g->end) : special_of_block(at);
}

// The end of the string at `at`, if it is not long. What ends a string is found by block: no string waits for bytes that
// are loaded from where the one before it ends.
static inline const char *walk_string(validator *g, const char *at) {
  at++;
  size_t from = (size_t)(at - g->block);
  if (__builtin_expect(from >= SPECIAL_BLOCK, false)) {
    if (at == g->end) return NULL;
    walk_block(g, from < 2 * SPECIAL_BLOCK ? g->block + SPECIAL_BLOCK : at);
    from = (size_t)(at - g->block);
  }
  uint64_t special = g->special >> from;
  if (__builtin_expect(!special, false)) {
    at = g->block + SPECIAL_BLOCK;
    if (at >= g->end) return NULL;
    walk_block(g, at);
    special = g->special;
    if (!special) return NULL;
  }
  at += (unsigned)__builtin_ctzll(special);
  return at < g->end - STRING_MARGIN && *at == '"' ? at + 1 : NULL;
}

// The validator is where the walk is.
static inline void walk_to(validator *g, const open_container *in, const char *at) {
  g->at = at;
  g->depth = (uint32_t)(in + 1 - g->containers);
  assert(g->depth <= g->limit);
}

// Whether values of this container are asked for.
static inline bool is_watched(const validator *g, const open_container *in) {
  return in < g->containers + g->watched;
}

// Adds a key to the innermost object, to its value.
static const char *walk_key(validator *g, const open_container *in, const char *at,
                            const char *limit) {
  at = walk_space(at, limit);
  if (*at != '"') return NULL;
  const char *stop = walk_string(g, at);
  if (!stop || *stop != ':') return NULL;
  assert(stop < g->end);
  if (!add_key(g, in, at + 1, (uint32_t)(stop - 1 - (at + 1)))) {
    g->key_count--;
    return NULL;
  }
  at = walk_space(stop + 1, g->end);
  if (is_watched(g, in)) {
    walk_to(g, in, at);
    begin_member(g);
  }
  return at;
}

// Into the array or object that begins there, to the first value; where it is empty, over it.
static inline const char *walk_open(validator *g, walker *w, const open_container *last,
                                    const char *limit, bool *empty) {
  if (w->in == last) return NULL;
  char close = *w->at == '[' ? ']' : '}';
  const char *at = walk_space(w->at + 1, limit);
  *empty = *at == close;
  if (*empty) return at + 1;
  if (at >= limit) return NULL;  // the space of an empty array may go on
  open_container *in = w->in + 1;
  in->close = close;
  if (close == '}') {
    in->first_key = g->key_count;
    in->serial = ++g->serial;
    at = walk_key(g, in, at, limit);
    if (!at) return NULL;
  }
  w->in = in;
  w->close = close;
  return at;
}

// From the end of a value over what is closed there to the next value; false: it is the whole text, or the rest is for
// the functions above.
static inline bool walk_after(validator *g, walker *w, const char *limit) {
  for (;;) {
    const char *at = w->at;
    if (w->close == '}' && is_watched(g, w->in)) {
      walk_to(g, w->in, at);
      end_member(g);
    }
    at = walk_space(at, limit);
    if (*at == ',') {
      at = w->close == ']' ? walk_space(at + 1, limit) : walk_key(g, w->in, at + 1, limit);
      if (at) w->at = at;
      return at;
    }
    if (*at != w->close) return false;
    if (w->close == '}') g->key_count = w->in->first_key;
    w->at = at + 1;
    if (w->in-- == g->containers) return false;
    w->close = w->in->close;
    if (w->at >= limit) return false;
  }
}

// From the start of a value on. True: to the start of another one; false: to the end of one.
static bool walk(validator *g) {
  if (!g->depth || g->end - g->at < WALK_MARGIN) return true;
  walker w = {g->at, &g->containers[g->depth - 1], close_of(g)};
  const char *limit = g->end - WALK_MARGIN;
  if (limit - g->polled > POLL_BYTES) limit = g->polled + POLL_BYTES;
  // Deeper ones get room, or are refused, where they are read.
  uint32_t room = g->container_cap < g->limit ? g->container_cap : g->limit;
  const open_container *last = g->containers + room - 1;
  bool value = true;
  while (value && w.at < limit) {
    bool opens = false;
    const char *next;
    if (*w.at == '"') {
      next = walk_string(g, w.at);
    } else if (*w.at != '[' && *w.at != '{') {
      next = short_integer(w.at, g->end);
    } else {
      bool empty = false;
      next = walk_open(g, &w, last, limit, &empty);
      opens = !empty;
    }
    if (!next) break;
    w.at = next;
    if (!opens) value = walk_after(g, &w, limit);
  }
  walk_to(g, w.in, w.at);
  if (value) skip_space(g);  // that goes on over the limit
  return value;
}

static bool read_text(validator *g) {
  static const char mark[] = "\xef\xbb\xbf";
  if (g->end - g->at >= 3 && memcmp(g->at, mark, 3) == 0) {
    return fail_at(g, SHAPE_SYNTAX, g->at, "a byte order mark is not part of JSON");
  }
  skip_space(g);
  for (;;) {
    bool opened = false, done = false;
    if (walk(g)) {
      if (!read_value(g, &opened)) return false;
      poll(g);
    }
    if (opened) continue;
    if (!after_value(g, &done)) return false;
    if (done) return true;
  }
}

// The text with quotes around the integers that a double cannot hold.
static const char *quote_bigs(validator *g, size_t *length) {
  size_t total = (size_t)(g->end - g->text) + 2 * (size_t)g->big_count;
  char *copy = arena_alloc(g->arena, total + 1), *out = copy;
  size_t from = 0;
  for (uint32_t i = 0; i < g->big_count; i++) {
    const big_integer *big = &g->bigs[i];
    assert(from <= big->at);
    memcpy(out, g->text + from, big->at - from);
    out += big->at - from;
    *out++ = '"';
    memcpy(out, g->text + big->at, big->length);
    out += big->length;
    *out++ = '"';
    from = big->at + big->length;
  }
  size_t rest = (size_t)(g->end - g->text) - from;
  memcpy(out, g->text + from, rest);
  assert(out + rest == copy + total);
  copy[total] = 0;
  *length = total;
  return copy;
}

bool json_validate(shape_arena *arena, const json_limits *limits, const char *text, size_t length,
                   const char **clean, size_t *clean_length, json_error *error) {
  return json_validate_members(arena, limits, text, length, NULL, clean, clean_length, error);
}

bool json_validate_members(shape_arena *arena, const json_limits *limits, const char *text,
                           size_t length, json_members *members, const char **clean,
                           size_t *clean_length, json_error *error) {
  validator g = {.arena = arena,
                 .text = text,
                 .at = text,
                 .end = text + length,
                 .polled = text,
                 .block = text,
                 .error = error,
                 .members = members,
                 .watched = members ? members->depth : 0};
  assert(g.watched <= JSON_MEMBERS_DEPTH);
  if (members) members->count = 0;
  g.limit = limits && limits->depth ? limits->depth : JSON_DEPTH_DEFAULT;
  if (g.limit > JSON_DEPTH_MAX) g.limit = JSON_DEPTH_MAX;
  size_t most = limits && limits->bytes ? limits->bytes : UINT32_MAX - 16;
  if (length > most) {
    return fail_at(&g, SHAPE_SIZE, text, "%zu bytes are more than the limit of %zu", length, most);
  }
  if (length > WALK_MARGIN) walk_block(&g, text);
  if (!read_text(&g)) return false;
  *clean = text;
  *clean_length = length;
  if (g.big_count) *clean = quote_bigs(&g, clean_length);
  return true;
}
