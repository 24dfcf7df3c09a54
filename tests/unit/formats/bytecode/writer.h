// SPDX-License-Identifier: Apache-2.0
// A small writer of MLIR bytecode for tests: what is asked for is written, right or wrong.
#ifndef TESTS_UNIT_FORMATS_BYTECODE_WRITER_H
#define TESTS_UNIT_FORMATS_BYTECODE_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BYTES_MAX = 4096, ENTRIES_MAX = 64 };

typedef struct bytes {
  unsigned char at[BYTES_MAX];
  size_t length;
} bytes;

static inline void put_byte(bytes *b, unsigned value) {
  if (b->length < BYTES_MAX) b->at[b->length++] = (unsigned char)value;
}

static inline void put_raw(bytes *b, const void *data, size_t length) {
  for (size_t i = 0; i < length; i++) put_byte(b, ((const unsigned char *)data)[i]);
}

static inline void put_all(bytes *b, const bytes *other) { put_raw(b, other->at, other->length); }

// A varint of the fewest bytes.
static inline void put(bytes *b, uint64_t value) {
  unsigned more = 0;
  while (more < 8 && (more == 8 ? 0 : value >> (7 * (more + 1)))) more++;
  if (more == 8) {
    put_byte(b, 0);
    for (int i = 0; i < 8; i++) put_byte(b, value >> (8 * i) & 255);
    return;
  }
  value = (value << 1 | 1) << more;
  for (unsigned i = 0; i <= more; i++) put_byte(b, value >> (8 * i) & 255);
}

static inline void put_signed(bytes *b, int64_t value) {
  put(b, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

// Bytes from numbers: each one a varint. `FIELDS(out, 2, s)` is the StringAttr of string s.
#define FIELDS(...)                                                                                \
  fields_of((const uint64_t[]){__VA_ARGS__},                                                       \
            sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
static inline bytes fields_of(const uint64_t *values, size_t count) {
  bytes b = {.length = 0};
  for (size_t i = 0; i < count; i++) put(&b, values[i]);
  return b;
}

typedef struct entry {
  bytes data;
  uint32_t dialect;
  bool assembly;
} entry;

typedef struct writer {
  uint32_t version;
  const char *strings[ENTRIES_MAX], *dialects[8];
  entry attrs[ENTRIES_MAX], types[ENTRIES_MAX];
  bytes blobs[ENTRIES_MAX];
  struct {
    uint32_t dialect;
    const char *name;
    bool registered;
  } ops[ENTRIES_MAX];
  uint32_t string_count, dialect_count, attr_count, type_count, blob_count, op_count;
  bytes ir;
} writer;

static inline uint32_t add_string(writer *w, const char *text) {
  for (uint32_t i = 0; i < w->string_count; i++) {
    if (strcmp(w->strings[i], text) == 0) return i;
  }
  w->strings[w->string_count] = text;
  return w->string_count++;
}

static inline uint32_t add_dialect(writer *w, const char *name) {
  for (uint32_t i = 0; i < w->dialect_count; i++) {
    if (strcmp(w->dialects[i], name) == 0) return i;
  }
  add_string(w, name);
  w->dialects[w->dialect_count] = name;
  return w->dialect_count++;
}

static inline uint32_t add_attr(writer *w, const char *dialect, bytes data) {
  w->attrs[w->attr_count] = (entry){data, add_dialect(w, dialect), false};
  return w->attr_count++;
}

static inline uint32_t add_type(writer *w, const char *dialect, bytes data) {
  w->types[w->type_count] = (entry){data, add_dialect(w, dialect), false};
  return w->type_count++;
}

// An attribute that is assembly text.
static inline uint32_t add_text(writer *w, const char *dialect, const char *text) {
  bytes data = {.length = 0};
  put_raw(&data, text, strlen(text) + 1);
  w->attrs[w->attr_count] = (entry){data, add_dialect(w, dialect), true};
  return w->attr_count++;
}

static inline uint32_t add_string_attr(writer *w, const char *text) {
  return add_attr(w, "builtin", FIELDS(2, add_string(w, text)));
}

static inline uint32_t add_op(writer *w, const char *dialect, const char *name, bool registered) {
  w->ops[w->op_count].dialect = add_dialect(w, dialect);
  w->ops[w->op_count].name = name;
  w->ops[w->op_count].registered = registered;
  add_string(w, name);
  return w->op_count++;
}

static inline uint32_t add_blob(writer *w, bytes data) {
  w->blobs[w->blob_count] = data;
  return w->blob_count++;
}

static inline void put_section(bytes *out, unsigned id, const bytes *data) {
  put_byte(out, id);
  put(out, data->length);
  put_all(out, data);
}

static inline void put_entries(bytes *offsets, bytes *data, const entry *entries, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    put(offsets, entries[i].dialect);
    put(offsets, 1);
    put(offsets, entries[i].data.length << 1 | !entries[i].assembly);
    put_all(data, &entries[i].data);
  }
}

// The file: strings, dialects, entries, their lengths, operations, properties.
static inline bytes finish(const writer *w) {
  bytes out = {.length = 0}, strings = out, dialects = out, data = out, offsets = out, blobs = out;
  put_raw(&out, "ML\xefR", 4);
  put(&out, w->version);
  put_raw(&out, "test", 5);
  put(&dialects, w->dialect_count);
  for (uint32_t i = 0; i < w->dialect_count; i++)
    put(&dialects, add_string((writer *)w, w->dialects[i]) << (w->version >= 1));
  if (w->version >= 4) put(&dialects, w->op_count);
  for (uint32_t i = 0; i < w->op_count; i++) {
    uint32_t name = add_string((writer *)w, w->ops[i].name);
    put(&dialects, w->ops[i].dialect);
    put(&dialects, 1);
    put(&dialects, w->version >= 5 ? (uint64_t)name << 1 | w->ops[i].registered : name);
  }
  put(&strings, w->string_count);
  for (uint32_t i = w->string_count; i-- > 0;) put(&strings, strlen(w->strings[i]) + 1);
  for (uint32_t i = 0; i < w->string_count; i++)
    put_raw(&strings, w->strings[i], strlen(w->strings[i]) + 1);
  put(&offsets, w->attr_count);
  put(&offsets, w->type_count);
  put_entries(&offsets, &data, w->attrs, w->attr_count);
  put_entries(&offsets, &data, w->types, w->type_count);
  put(&blobs, w->blob_count);
  for (uint32_t i = 0; i < w->blob_count; i++) {
    put(&blobs, w->blobs[i].length);
    put_all(&blobs, &w->blobs[i]);
  }
  put_section(&out, 1, &dialects);
  put_section(&out, 3, &offsets);
  put_section(&out, 2, &data);
  put_section(&out, 4, &w->ir);
  put_section(&out, 0, &strings);
  if (w->version >= 5) put_section(&out, 8, &blobs);
  return out;
}

#endif
