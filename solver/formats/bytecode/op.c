// SPDX-License-Identifier: Apache-2.0
// The attributes of an operation: those of its dictionary, and from version 5 of the format on those of its properties.
// Format: what OpDefinitionsGen.cpp generates as writeProperties.
#include <assert.h>

#include "solver/formats/bytecode/reader.h"

void bc_add_attribute(bc_reader *r, bc_attributes *list, bc_attribute item) {
  assert(item.name.text && (item.attr != BC_NONE || item.text.text));
  list->items = arena_grow(r->arena, list->items, list->count, (size_t)list->count + 1,
                           &list->capacity, sizeof *list->items);
  list->items[list->count++] = item;
}

static bool is_inherent(const bc_name *name, bc_slice key) {
  if (name->vhlo) return bc_has_field(name->vhlo->fields, key);
  for (uint32_t i = 0; i < name->field_rows; i++) {
    if (bc_has_field(name->fields[i].fields, key)) return true;
  }
  return bc_is(key, "operandSegmentSizes") || bc_is(key, "operand_segment_sizes");
}

static void read_dictionary(bc_reader *r, const bc_name *name, uint32_t attr, size_t at,
                            bool inherent, bc_attributes *out) {
  uint64_t code;
  bc_cursor c;
  if (!bc_open_attr(r, attr, "builtin", &code, &c) || code != BUILTIN_DICTIONARY) {
    bc_fail(r, at, "expected a dictionary of attributes, found attribute %u, which is none", attr);
    return;
  }
  uint32_t count = bc_count(&c, "entries");
  for (uint32_t i = 0; i < count && !r->failed; i++) {
    bc_attribute item = {.attr = BC_NONE};
    size_t key_at = bc_offset(&c);
    uint32_t key = bc_attr(&c);
    item.attr = bc_attr(&c);
    if (r->failed) return;
    if (!bc_string_attr(r, key, &item.name)) {
      bc_fail(r, key_at,
              "expected the name of an attribute, found attribute %u, which is no string", key);
      return;
    }
    item.inherent = inherent || is_inherent(name, item.name);
    if (bc_is(item.name, "operand_segment_sizes"))
      item.name = (bc_slice){"operandSegmentSizes", 19};
    bc_add_attribute(r, out, item);
  }
  if (!r->failed) bc_end(&c, "the last entry of a dictionary");
}

// --- properties

// How many operands belong to each: a list, or pairs of a count and its index.
static void read_segments(bc_cursor *c, bc_slice name, bc_attributes *out) {
  enum { SEGMENTS_MAX = 1 << 16 };
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  uint64_t head = bc_varint(c), count = head >> 1, bits = 0;
  bool sparse = head & 1;
  if (count > bc_left(c) || count > SEGMENTS_MAX) {
    bc_fail(r, at, "%llu numbers of operands, %zu bytes are left", (unsigned long long)count,
            bc_left(c));
    return;
  }
  if (sparse && count) bits = bc_varint(c);
  if (bits > 32)
    bc_fail(r, at, "expected indices of at most 32 bits, found %llu", (unsigned long long)bits);
  uint32_t length = sparse ? 0 : (uint32_t)count;
  uint64_t *sizes =
      arena_zalloc(r->arena, ((size_t)SEGMENTS_MAX / 1024 + count + 1) * sizeof *sizes);
  uint64_t room = SEGMENTS_MAX / 1024 + count;
  for (uint64_t i = 0; i < count && !r->failed; i++) {
    size_t size_at = bc_offset(c);
    uint64_t value = bc_varint(c), index = i;
    if (sparse) {
      index = value & ((UINT64_C(1) << bits) - 1);
      value >>= bits;
    }
    if (index >= room || value > INT32_MAX) {
      bc_fail(
          r, size_at,
          "expected at most 2^31 - 1 operands at an index within the operation, found %llu at %llu",
          (unsigned long long)value, (unsigned long long)index);
      return;
    }
    sizes[index] = value;
    if (index >= length) length = (uint32_t)index + 1;
  }
  shape_strbuf text;
  strbuf_init(&text, r->arena);
  strbuf_puts(&text, "array<i32");
  for (uint32_t i = 0; i < length; i++) {
    strbuf_puts(&text, i ? ", " : ": ");
    strbuf_int(&text, (int64_t)sizes[i]);
  }
  strbuf_putc(&text, '>');
  bc_add_attribute(r, out, (bc_attribute){name, BC_NONE, {strbuf_text(&text), text.length}, true});
}

static uint32_t count_numbers(bc_cursor c) {
  uint32_t count = 0;
  while (!c.r->failed && bc_left(&c)) {
    unsigned first = *c.at, more = first ? (unsigned)__builtin_ctz(first) : 8;
    if (bc_left(&c) < more + 1) return UINT32_MAX;
    c.at += more + 1;
    count++;
  }
  return count;
}

static uint32_t count_fields(const char *fields, bool *segments) {
  assert(fields);
  bc_slice name;
  char mark;
  uint32_t count = 0;
  *segments = false;
  while (bc_next_field(&fields, &name, &mark)) {
    count++;
    *segments |= mark == '*';
  }
  return count;
}

static void read_fields(bc_cursor *c, const char *fields, bc_attributes *out) {
  bc_reader *r = c->r;
  bc_slice name, last = {NULL, 0};
  char mark;
  while (bc_next_field(&fields, &name, &mark) && !r->failed) {
    if (mark == '*' && r->version >= 6) {
      last = name;
      continue;
    }
    bc_attribute item = {.name = name, .inherent = true};
    item.attr = mark == '?' ? bc_optional_attr(c) : bc_attr(c);
    if (item.attr != BC_NONE) bc_add_attribute(r, out, item);
  }
  if (last.length && !r->failed) read_segments(c, last, out);
  if (!r->failed) bc_end(c, "the last property");
}

static void read_properties(bc_reader *r, const bc_name *name, uint32_t blob, bc_attributes *out) {
  assert(blob < r->blobs.count && name->resolved);
  bc_cursor c = bc_range(r, r->blobs.items[blob].at, r->blobs.items[blob].size);
  size_t at = bc_offset(&c);
  if (!name->registered) {
    uint32_t attr = bc_attr(&c);
    if (r->failed) return;
    bc_end(&c, "the attribute of an operation that is not registered");
    read_dictionary(r, name, attr, at, true, out);
    return;
  }
  if (name->vhlo) {
    read_fields(&c, name->vhlo->fields, out);
    return;
  }
  // An operation of another dialect is without known attributes.
  if (!name->field_rows) return;
  uint32_t numbers = count_numbers(c);
  for (uint32_t i = 0; i < name->field_rows; i++) {
    bool segments;
    if (count_fields(name->fields[i].fields, &segments) != numbers && !segments) continue;
    read_fields(&c, name->fields[i].fields, out);
    return;
  }
  int length = (int)(name->text.length < 64 ? name->text.length : 64);
  if (numbers == UINT32_MAX) {
    bc_fail(r, at, "the last property of '%.*s' is cut off", length, name->text.text);
  } else {
    bc_fail(r, at, "expected the properties %s of '%.*s', found %u: it may be of another release",
            name->fields[0].fields, length, name->text.text, numbers);
  }
}

void bc_read_attributes(bc_reader *r, const bc_name *name, uint32_t dictionary, uint32_t blob,
                        size_t at, bc_attributes *out) {
  assert(name->resolved);
  out->count = 0;
  if (blob != BC_NONE) read_properties(r, name, blob, out);
  if (dictionary != BC_NONE && !r->failed) read_dictionary(r, name, dictionary, at, false, out);
}
