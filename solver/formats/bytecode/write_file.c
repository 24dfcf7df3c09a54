// SPDX-License-Identifier: Apache-2.0
// Numbers, the tables of strings, dialects, names, attributes and types, and the sections that hold them. Format: MLIR
// Bytecode Format; each part has the form of the version that is written.
#include "solver/formats/bytecode/writer.h"

enum { PADDING = 0xcb, ALIGNED = 0x80 };

// --- numbers

void bw_varint(shape_strbuf *out, uint64_t value) {
  unsigned bytes = 1;
  while (bytes < 9 && value >> (7 * bytes > 63 ? 63 : 7 * bytes)) bytes++;
  char text[9] = {0};
  assert(bytes <= sizeof text);
  uint64_t coded = bytes < 9 ? (value << 1 | 1) << (bytes - 1) : value;
  unsigned from = bytes < 9 ? 0 : 1;
  for (unsigned i = from; i < bytes; i++) text[i] = (char)(coded >> (8 * (i - from)));
  strbuf_add(out, text, bytes);
}

void bw_svarint(shape_strbuf *out, int64_t value) {
  bw_varint(out, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void bw_section(shape_strbuf *out, unsigned id, const shape_strbuf *data) {
  assert(id < SECTION_COUNT && data->length <= data->capacity);
  strbuf_putc(out, (char)id);
  bw_varint(out, data->length);
  strbuf_add(out, data->data, data->length);
}

// --- tables

uint32_t bw_string(bytecode_writer *w, bc_slice text) {
  return intern_add(&w->strings, text.text, text.length);
}

static uint32_t add_dialect(bytecode_writer *w, bc_slice name) {
  bw_string(w, name);
  return intern_add(&w->dialects, name.text, name.length);
}

uint32_t bw_op_name(bytecode_writer *w, bc_slice name, bool registered) {
  const char *point = memchr(name.text, '.', name.length);
  uint32_t length = point ? (uint32_t)(point - name.text) : name.length;
  bc_slice own = {name.text + length + (point ? 1 : 0), name.length - length - (point ? 1 : 0)};
  bw_name made = {add_dialect(w, (bc_slice){name.text, length}), bw_string(w, own), registered};
  bool fresh;
  uint64_t key = (uint64_t)made.dialect << 33 | (uint64_t)made.string << 1 | registered;
  uint32_t *slot = imap_slot(&w->names.by_key, w->arena, key, &fresh);
  if (fresh) {
    *slot = w->names.list.count;
    BW_PUSH(w, names.list, made);
    return w->names.list.count - 1;
  }
  return *slot;
}

// A key is: 'own' or not, the dialect, what keeps equal ones apart, the bytes.
enum { KEY_HEAD = 9 };

uint32_t bw_add_entry(bytecode_writer *w, bw_table *table, const char *dialect, bool own,
                      uint32_t apart, const shape_strbuf *bytes) {
  shape_strbuf key;
  uint32_t number = add_dialect(w, (bc_slice){dialect, (uint32_t)strlen(dialect)});
  strbuf_init_room(&key, w->arena, bytes->length + KEY_HEAD);
  strbuf_putc(&key, own);
  assert(number < w->dialects.count);
  for (unsigned i = 0; i < 4; i++) strbuf_putc(&key, (char)(number >> (8 * i)));
  for (unsigned i = 0; i < 4; i++) strbuf_putc(&key, (char)(apart >> (8 * i)));
  strbuf_add(&key, bytes->data, bytes->length);
  return intern_add(&table->keys, key.data, key.length);
}

static uint32_t dialect_of(const bw_table *table, uint32_t entry) {
  assert(intern_length(&table->keys, entry) >= KEY_HEAD);
  const unsigned char *key = (const unsigned char *)intern_text(&table->keys, entry);
  return key[1] | (uint32_t)key[2] << 8 | (uint32_t)key[3] << 16 | (uint32_t)key[4] << 24;
}

// --- sections

static void put_strings(bytecode_writer *w, shape_strbuf *out) {
  const shape_intern *strings = &w->strings;
  bw_varint(out, strings->count);
  for (uint32_t i = strings->count; i-- > 0;)
    bw_varint(out, (uint64_t)intern_length(strings, i) + 1);
  for (uint32_t i = 0; i < strings->count; i++) {
    strbuf_add(out, intern_text(strings, i), intern_length(strings, i));
    strbuf_putc(out, 0);
  }
}

static void put_dialects(bytecode_writer *w, shape_strbuf *out) {
  bw_varint(out, w->dialects.count);
  for (uint32_t i = 0; i < w->dialects.count; i++) {
    uint32_t string =
        intern_find(&w->strings, intern_text(&w->dialects, i), intern_length(&w->dialects, i));
    assert(string != NAME_NONE);
    if (w->version >= 1) {
      bw_flagged(out, string, false);
    } else {
      bw_varint(out, string);
    }
  }
  if (w->version >= 4) bw_varint(out, w->names.list.count);
  for (uint32_t i = 0, next; i < w->names.list.count; i = next) {
    assert(w->names.list.items[i].string < w->strings.count);
    const bw_name *names = w->names.list.items;
    for (next = i; next < w->names.list.count && names[next].dialect == names[i].dialect;) next++;
    bw_varint(out, names[i].dialect);
    bw_varint(out, next - i);
    for (uint32_t k = i; k < next; k++) {
      if (w->version >= 5) {
        bw_flagged(out, names[k].string, names[k].registered);
      } else {
        bw_varint(out, names[k].string);
      }
    }
  }
}

static void put_entries(const bw_table *table, shape_strbuf *lengths, shape_strbuf *data) {
  const shape_intern *keys = &table->keys;
  for (uint32_t i = 0, next; i < keys->count; i = next) {
    for (next = i; next < keys->count && dialect_of(table, next) == dialect_of(table, i);) next++;
    bw_varint(lengths, dialect_of(table, i));
    bw_varint(lengths, next - i);
    for (uint32_t k = i; k < next; k++) {
      const char *key = intern_text(keys, k);
      uint32_t length = intern_length(keys, k) - KEY_HEAD;
      bw_flagged(lengths, length, key[0]);
      strbuf_add(data, key + KEY_HEAD, length);
    }
  }
}

static void put_blobs(bytecode_writer *w, shape_strbuf *out) {
  bw_varint(out, w->blobs.count);
  for (uint32_t i = 0; i < w->blobs.count; i++) {
    bw_varint(out, intern_length(&w->blobs, i));
    strbuf_add(out, intern_text(&w->blobs, i), intern_length(&w->blobs, i));
  }
}

// --- resources: offsets count from the section, which is aligned as the largest of them

static uint32_t largest_alignment(const bytecode_writer *w) {
  uint32_t largest = 1;
  for (uint32_t i = 0; i < w->resources.list.count; i++) {
    if (w->resources.list.items[i].alignment > largest)
      largest = w->resources.list.items[i].alignment;
  }
  return largest;
}

static void put_padding(shape_strbuf *out, uint64_t at, uint32_t alignment) {
  assert(alignment && !(alignment & (alignment - 1)));
  for (; at & (alignment - 1); at++) strbuf_putc(out, (char)PADDING);
}

// The head of a blob that begins at `at`: its alignment, its length, padding.
static void put_blob_head(const bw_blob *blob, uint64_t at, shape_strbuf *out) {
  uint32_t begin = out->length;
  bw_varint(out, blob->alignment);
  bw_varint(out, blob->size);
  put_padding(out, at + out->length - begin, blob->alignment);
}

static uint64_t put_resource_offsets(bytecode_writer *w, shape_strbuf *out) {
  shape_strbuf head;
  uint64_t at = 0;
  strbuf_init(&head, w->arena);
  bw_varint(out, 0);  // groups of other owners
  bw_varint(out, add_dialect(w, (bc_slice){"builtin", 7}));
  bw_varint(out, w->resources.list.count);
  for (uint32_t i = 0; i < w->resources.list.count; i++) {
    const bw_blob *blob = &w->resources.list.items[i];
    uint64_t size = 0;
    assert(blob->alignment > 0);
    if (!blob->declared_only) {
      head.length = 0;
      put_blob_head(blob, at, &head);
      size = head.length + blob->size;
    }
    bw_varint(out, bw_string(w, blob->key));
    bw_varint(out, size);
    strbuf_putc(out, 0);
    at += size;
  }
  return at;
}

static void write_resources(bytecode_writer *w, shape_strbuf *out, const bytecode_sink *sink) {
  shape_strbuf head;
  uint64_t at = 0;
  strbuf_init(&head, w->arena);
  for (uint32_t i = 0; i < w->resources.list.count; i++) {
    const bw_blob *blob = &w->resources.list.items[i];
    if (blob->declared_only) continue;
    head.length = 0;
    put_blob_head(blob, at, &head);
    at += head.length + blob->size;
    strbuf_add(out, head.data, head.length);
    sink->write(sink->to, out->data, out->length);
    out->length = 0;
    if (blob->bytes || !sink->copy) {
      const char *from =
          blob->bytes ? blob->bytes : (const char *)w->options->source.bytes + blob->from;
      if (blob->size) sink->write(sink->to, from, blob->size);
    } else if (blob->size) {
      sink->copy(sink->to, blob->from, blob->from + blob->size);
    }
  }
}

// --- the file

void bw_write_file(bytecode_writer *w, const shape_strbuf *ir, const bytecode_sink *sink) {
  shape_strbuf out, lengths, data, part;
  strbuf_init(&out, w->arena);
  strbuf_init(&lengths, w->arena);
  strbuf_init(&data, w->arena);
  strbuf_init(&part, w->arena);
  strbuf_puts(&out, "ML\xefR");
  bw_varint(&out, w->version);
  const bytecode_release *r = w->options->release;
  if (r) {
    strbuf_printf(&out, "StableHLO_v%u.%u.%u", r->major, r->minor, r->patch);
  } else {
    strbuf_puts(&out, "Shaped");
  }
  strbuf_putc(&out, 0);
  uint64_t bytes = 0;
  shape_strbuf offsets;
  strbuf_init(&offsets, w->arena);
  if (w->resources.list.count) bytes = put_resource_offsets(w, &offsets);
  put_dialects(w, &part);
  bw_section(&out, SECTION_DIALECT, &part);
  bw_varint(&lengths, w->attrs.keys.count);
  bw_varint(&lengths, w->types.keys.count);
  put_entries(&w->attrs, &lengths, &data);
  put_entries(&w->types, &lengths, &data);
  bw_section(&out, SECTION_OFFSETS, &lengths);
  bw_section(&out, SECTION_ENTRIES, &data);
  bw_section(&out, SECTION_IR, ir);
  if (w->resources.list.count) {
    uint32_t alignment = largest_alignment(w);
    bw_section(&out, SECTION_RESOURCE_OFFSETS, &offsets);
    strbuf_putc(&out, (char)(SECTION_RESOURCE | ALIGNED));
    bw_varint(&out, bytes);
    bw_varint(&out, alignment);
    put_padding(&out, out.length, alignment);
    write_resources(w, &out, sink);
  }
  part.length = 0;
  put_strings(w, &part);
  bw_section(&out, SECTION_STRING, &part);
  if (w->version >= 5) {
    part.length = 0;
    put_blobs(w, &part);
    bw_section(&out, SECTION_PROPERTIES, &part);
  }
  sink->write(sink->to, out.data, out.length);
}
