// SPDX-License-Identifier: Apache-2.0
// What is around the operations: sections, strings, dialects with their operations, offsets of attributes and types,
// resources, blobs of properties. Format: MLIR Bytecode Format, "Sections".
#include <assert.h>

#include "solver/formats/bytecode/reader.h"

typedef struct sections {
  bc_cursor at[SECTION_COUNT];
  bool has[SECTION_COUNT];
} sections;

static void *room(bc_reader *r, size_t count, size_t size) {
  return arena_zalloc(r->arena, (count + 1) * size);
}

static const char *const NAMES[SECTION_COUNT] = {
    "strings",   "dialects",      "attributes and types", "their lengths", "operations",
    "resources", "their lengths", "versions of dialects", "properties"};

static bool read_sections(bc_cursor *c, sections *s) {
  bc_reader *r = c->r;
  while (!r->failed && bc_left(c)) {
    size_t at = bc_offset(c);
    unsigned id;
    bc_cursor inner = bc_section(c, &id);
    if (r->failed) return false;
    if (id >= SECTION_COUNT)
      return bc_fail(r, at, "expected a section of 0 to %u, found %u", SECTION_COUNT - 1, id);
    if (id == SECTION_DIALECT_VERSIONS) continue;
    if (s->has[id]) return bc_fail(r, at, "section %u (%s) is there twice", id, NAMES[id]);
    s->has[id] = true;
    s->at[id] = inner;
  }
  if (r->failed) return false;
  for (unsigned i = SECTION_STRING; i <= SECTION_IR; i++) {
    if (!s->has[i]) return bc_fail(r, r->length, "section %u (%s) is missing", i, NAMES[i]);
  }
  if (s->has[SECTION_RESOURCE] != s->has[SECTION_RESOURCE_OFFSETS]) {
    unsigned alone = s->has[SECTION_RESOURCE] ? SECTION_RESOURCE : SECTION_RESOURCE_OFFSETS;
    return bc_fail(r, bc_offset(&s->at[alone]), "section %u is there without section %u", alone,
                   SECTION_RESOURCE + SECTION_RESOURCE_OFFSETS - alone);
  }
  if (r->version >= 5 && !s->has[SECTION_PROPERTIES])
    return bc_fail(r, r->length, "section 8 (properties) is missing");
  return true;
}

// Lengths from the last string to the first, then the strings.
static bool read_strings(bc_reader *r, bc_cursor c) {
  size_t at = bc_offset(&c);
  uint32_t count = bc_count(&c, "strings");
  r->strings.items = room(r, count, sizeof *r->strings.items);
  r->strings.count = count;
  uint64_t total = 0;
  for (uint32_t i = count; i-- > 0 && !r->failed;) {
    size_t size_at = bc_offset(&c);
    uint64_t size = bc_varint(&c);
    if (!size || size > bc_left(&c))
      return bc_fail(r, size_at, "string %u has %llu bytes, %zu are left", i,
                     (unsigned long long)size, bc_left(&c));
    r->strings.items[i].length = (uint32_t)size;
    total += size;
  }
  if (r->failed) return false;
  if (total != bc_left(&c))
    return bc_fail(r, at, "the strings have %llu bytes together, %zu are left",
                   (unsigned long long)total, bc_left(&c));
  for (uint32_t i = 0; i < count; i++) {
    assert(total >= r->strings.items[i].length);
    bc_slice *s = &r->strings.items[i];
    s->text = (const char *)bc_take(&c, s->length);
    if (s->text[--s->length])
      return bc_fail(r, bc_offset(&c) - 1, "string %u does not end in a byte 0", i);
  }
  return true;
}

static void add_name(bc_reader *r, const bc_name *name) {
  r->names.items = arena_grow(r->arena, r->names.items, r->names.count, (size_t)r->names.count + 1,
                              &r->names.capacity, sizeof *r->names.items);
  r->names.items[r->names.count++] = *name;
}

static bool read_dialects(bc_reader *r, bc_cursor c) {
  uint32_t count = bc_count(&c, "dialects");
  r->dialects.items = room(r, count, sizeof *r->dialects.items);
  for (uint32_t i = 0; i < count && !r->failed; i++) {
    size_t at = bc_offset(&c);
    uint64_t name = bc_varint(&c);
    bool versioned = r->version >= 1 && (name & 1);
    if (r->version >= 1) name >>= 1;
    if (r->failed) return false;
    uint32_t index = bc_index_of(&c, at, name, r->strings.count, "strings");
    if (index == BC_NONE) return false;
    r->dialects.items[i] = r->strings.items[index];
    r->has_vhlo |= bc_is(r->dialects.items[i], "vhlo");
    unsigned id;
    at = bc_offset(&c);
    if (versioned) {
      bc_section(&c, &id);
      if (!r->failed && id != SECTION_DIALECT_VERSIONS)
        return bc_fail(r, at, "expected section %u, the version of a dialect, found section %u",
                       SECTION_DIALECT_VERSIONS, id);
    }
  }
  r->dialects.count = count;
  if (r->version >= 4) bc_varint(&c);
  while (!r->failed && bc_left(&c)) {
    uint32_t dialect = bc_index(&c, r->dialects.count, "dialects");
    uint32_t names = bc_count(&c, "names of operations");
    for (uint32_t i = 0; i < names && !r->failed; i++) {
      bc_name name = {.dialect = dialect, .registered = true, .at = (uint32_t)bc_offset(&c)};
      uint64_t value = bc_varint(&c);
      if (r->version >= 5) {
        name.registered = value & 1;
        value >>= 1;
      }
      if (r->failed) return false;
      name.string = bc_index_of(&c, name.at, value, r->strings.count, "strings");
      add_name(r, &name);
    }
  }
  return !r->failed;
}

// One group of lengths. The entries follow one another without gaps.
static bool read_group(bc_cursor *c, uint32_t *done, uint32_t attrs, uint32_t all, size_t *at,
                       size_t end) {
  bc_reader *r = c->r;
  size_t group_at = bc_offset(c);
  uint32_t dialect = bc_index(c, r->dialects.count, "dialects");
  size_t count_at = bc_offset(c);
  uint64_t count = bc_varint(c);
  uint32_t left = (*done < attrs ? attrs : all) - *done;
  if (r->failed) return false;
  if (count > left)
    return bc_fail(r, count_at,
                   "expected a group of at most the %u entries that are left, found %llu", left,
                   (unsigned long long)count);
  if (!count && bc_left(c) == 0 && left)
    return bc_fail(r, group_at, "expected a group of at least 1 entry, found 0");
  for (uint64_t i = 0; i < count; i++) {
    size_t size_at = bc_offset(c);
    uint64_t size = bc_varint(c);
    if (r->failed) return false;
    if (size >> 1 > end - *at)
      return bc_fail(r, size_at, "an entry of %llu bytes, %zu are left",
                     (unsigned long long)(size >> 1), end - *at);
    assert(*done < all && all - attrs == r->types.count);
    bc_entry *e = *done < attrs ? &r->attrs.entries[*done] : &r->types.entries[*done - attrs];
    *e = (bc_entry){
        .at = (uint32_t)*at, .size = (uint32_t)(size >> 1), .dialect = dialect, .own = size & 1};
    *at += size >> 1;
    ++*done;
  }
  return true;
}

static bool read_offsets(bc_reader *r, bc_cursor c, bc_cursor data) {
  size_t begin = bc_offset(&c);
  uint64_t attrs = bc_varint(&c);
  uint64_t types = bc_varint(&c);
  if (r->failed) return false;
  if (attrs > bc_left(&c) || types > bc_left(&c) - attrs)
    return bc_fail(r, begin, "%llu attributes and %llu types are announced, %zu bytes are left",
                   (unsigned long long)attrs, (unsigned long long)types, bc_left(&c));
  r->attrs = (bc_table){room(r, attrs, sizeof(bc_entry)), (uint32_t)attrs};
  r->types = (bc_table){room(r, types, sizeof(bc_entry)), (uint32_t)types};
  size_t at = bc_offset(&data), end = at + bc_left(&data);
  uint32_t done = 0, all = (uint32_t)(attrs + types);
  while (done < all) {
    if (!read_group(&c, &done, (uint32_t)attrs, all, &at, end)) return false;
  }
  if (bc_left(&c)) {
    bc_end(&c, "the lengths of the attributes and types");
  } else if (at != end) {
    bc_fail(r, at, "expected the end of the section after the last type, found %zu bytes",
            end - at);
  }
  return !r->failed;
}

// The data of a resource is only found here: its size, its kind, and that it is all there.
static bool read_resource(bc_cursor *c, bc_cursor *data, bool kept) {
  enum { BLOB_ALIGNMENT_MAX = 1 << 20 };
  bc_reader *r = c->r;
  uint32_t key = bc_index(c, r->strings.count, "strings");
  size_t size_at = bc_offset(c);
  uint64_t size = bc_varint(c);
  size_t kind_at = bc_offset(c);
  unsigned kind = bc_byte(c);
  if (r->failed) return false;
  if (kind > 2) return bc_fail(r, kind_at, "expected a resource of kind 0, 1 or 2, found %u", kind);
  if (size > bc_left(data))
    return bc_fail(r, size_at, "a resource of %llu bytes, %zu are left", (unsigned long long)size,
                   bc_left(data));
  assert(key < r->strings.count);
  bc_resource made = {.key = key, .at = (uint32_t)bc_offset(data)};
  bc_cursor body = {r, data->at, data->at + size};
  data->at += size;
  if (size && kind == 0) {
    size_t at = bc_offset(&body);
    uint64_t alignment = bc_varint(&body);
    uint64_t bytes = bc_varint(&body);
    if (!r->failed && (!alignment || (alignment & (alignment - 1))))
      return bc_fail(r, at, "expected a power of two as the alignment, found %llu",
                     (unsigned long long)alignment);
    while (!r->failed && (bc_offset(&body) & (alignment - 1))) {
      at = bc_offset(&body);
      if (bc_byte(&body) != 0xcb) return bc_fail(r, at, "expected a byte 0xcb of padding");
    }
    if (r->failed) return false;
    made.at = (uint32_t)bc_offset(&body);
    if (!bc_take(&body, bytes)) return false;
    made.size = (uint32_t)bytes;
    made.alignment = alignment < BLOB_ALIGNMENT_MAX ? (uint32_t)alignment : 1;
    bc_end(&body, "the data of a resource");
  } else if (size && kind == 1) {
    bc_byte(&body);
    bc_end(&body, "a resource that is a boolean");
  } else if (size) {
    bc_string(&body);
    bc_end(&body, "a resource that is a string");
  }
  if (r->failed || !kept) return !r->failed;
  r->resources.items =
      arena_grow(r->arena, r->resources.items, r->resources.count, (size_t)r->resources.count + 1,
                 &r->resources.capacity, sizeof *r->resources.items);
  r->resources.items[r->resources.count++] = made;
  return true;
}

static bool read_resources(bc_reader *r, bc_cursor c, bc_cursor data) {
  uint32_t external = bc_count(&c, "groups of resources");
  for (uint32_t i = 0; i < external && !r->failed; i++) {
    bc_string(&c);
    uint32_t count = bc_count(&c, "resources");
    for (uint32_t k = 0; k < count && !r->failed; k++) read_resource(&c, &data, false);
  }
  while (!r->failed && bc_left(&c)) {
    bc_index(&c, r->dialects.count, "dialects");
    uint32_t count = bc_count(&c, "resources");
    for (uint32_t k = 0; k < count && !r->failed; k++) read_resource(&c, &data, true);
  }
  if (!r->failed) bc_end(&data, "the last resource");
  return !r->failed;
}

static bool read_properties(bc_reader *r, bc_cursor c) {
  uint32_t count = bc_count(&c, "blobs of properties");
  r->blobs.items = room(r, count, sizeof *r->blobs.items);
  r->blobs.count = count;
  for (uint32_t i = 0; i < count && !r->failed; i++) {
    uint64_t size = bc_varint(&c);
    r->blobs.items[i].at = (uint32_t)bc_offset(&c);
    if (r->failed || !bc_take(&c, size)) return false;
    r->blobs.items[i].size = (uint32_t)size;
  }
  if (!r->failed) bc_end(&c, "the last blob of properties");
  return !r->failed;
}

// Magic, version, producer.
static bool read_head(bc_cursor *c) {
  bc_reader *r = c->r;
  static const char MAGIC[] = "ML\xefR";
  const unsigned char *magic = bc_take(c, 4);
  if (!magic || memcmp(magic, MAGIC, 4) != 0)
    return bc_fail(r, 0, "expected the bytes ML\\xefR of MLIR bytecode at the begin");
  size_t at = bc_offset(c);
  uint64_t version = bc_varint(c);
  if (r->failed) return false;
  if (version > BC_VERSION_MAX)
    return bc_fail(
        r, at,
        "expected a version of the format of at most %d, found %llu: write the program with "
        "--emit-bytecode-version=%d",
        BC_VERSION_MAX, (unsigned long long)version, BC_VERSION_MAX);
  r->version = (uint32_t)version;
  const unsigned char *end = memchr(c->at, 0, bc_left(c));
  if (!end) return bc_fail(r, bc_offset(c), "the name of the producer does not end in a byte 0");
  c->at = end + 1;
  return true;
}

bool bc_open(bc_reader *r, bc_cursor *ir) {
  bc_cursor file = bc_range(r, 0, r->length);
  sections s = {0};
  if (!read_head(&file) || !read_sections(&file, &s) || !read_strings(r, s.at[SECTION_STRING]) ||
      !read_dialects(r, s.at[SECTION_DIALECT]) ||
      !read_offsets(r, s.at[SECTION_OFFSETS], s.at[SECTION_ENTRIES]))
    return false;
  if (s.has[SECTION_RESOURCE] &&
      !read_resources(r, s.at[SECTION_RESOURCE_OFFSETS], s.at[SECTION_RESOURCE]))
    return false;
  if (r->version >= 5 && !read_properties(r, s.at[SECTION_PROPERTIES])) return false;
  assert(!r->failed && s.has[SECTION_IR]);
  *ir = s.at[SECTION_IR];
  return true;
}
