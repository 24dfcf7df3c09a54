// SPDX-License-Identifier: Apache-2.0
// What is taken from the bytecode that the text was printed from: data of resources, which stays where it is, and what only
// another dialect can decode. The latter names strings, attributes and types by their numbers, so where there is any all
// tables begin as those of the source. Resources may be in the text too, in {-# dialect_resources #-}; those of other
// owners (reproducers) are no part of the program.
#include "solver/base/utf8.h"
#include "solver/formats/bytecode/reader.h"
#include "solver/formats/bytecode/writer.h"

uint32_t bw_resource(bytecode_writer *w, bc_slice key) {
  bool fresh;
  uint32_t *slot = imap_slot(&w->resources.by_key, w->arena, bw_string(w, key), &fresh);
  if (fresh) {
    *slot = w->resources.list.count;
    BW_PUSH(w, resources.list, (bw_blob){.key = key, .alignment = 1, .declared_only = true});
    return w->resources.list.count - 1;
  }
  return *slot;
}

static void read_blobs(bytecode_writer *w, const bc_reader *r) {
  for (uint32_t i = 0; i < r->resources.count; i++) {
    const bc_resource *from = &r->resources.items[i];
    uint32_t handle = bw_resource(w, r->strings.items[from->key]);
    bw_blob *blob = &w->resources.list.items[handle];
    blob->declared_only = !from->alignment;
    if (blob->declared_only) continue;
    blob->alignment = from->alignment;
    blob->from = from->at;
    blob->size = from->size;
  }
}

// --- entries that stay as they are

static bool is_foreign(const bc_reader *r, const bc_entry *entry, bool is_type) {
  return entry->own && !bc_is_known_dialect(r->dialects.items[entry->dialect], is_type);
}

static bool has_foreign(bytecode_writer *w, const bc_reader *r) {
  for (uint32_t i = 0; i < r->attrs.count; i++) {
    if (is_foreign(r, &r->attrs.entries[i], false)) return true;
  }
  for (uint32_t i = 0; i < r->types.count; i++) {
    if (is_foreign(r, &r->types.entries[i], true)) return true;
  }
  return w->program.keeps;
}

// Equal entries stay apart, so that the numbers are those of the source.
static bool keep_entries(bytecode_writer *w, const bc_reader *r, const bc_table *from,
                         bw_table *to) {
  enum { APART = 1u << 31 };
  for (uint32_t i = 0; i < from->count; i++) {
    const bc_entry *entry = &from->entries[i];
    assert((size_t)entry->at + entry->size <= r->length);
    bc_slice dialect = r->dialects.items[entry->dialect];
    const char *name = arena_strndup(w->arena, dialect.text, dialect.length);
    shape_strbuf bytes;
    strbuf_init_room(&bytes, w->arena, entry->size + 1);
    strbuf_add(&bytes, (const char *)r->bytes + entry->at, entry->size);
    uint32_t made = bw_add_entry(w, to, name, entry->own, 0, &bytes);
    if (made != i) made = bw_add_entry(w, to, name, entry->own, APART | i, &bytes);
    if (made != i) return false;
    budget_take(w->budget, 1);
  }
  return true;
}

static bool keep_tables(bytecode_writer *w, const bc_reader *r) {
  for (uint32_t i = 0; i < r->strings.count; i++) {
    if (bw_string(w, r->strings.items[i]) != i)
      return bw_refuse(w, "its source has the same string twice, and attributes of other dialects");
  }
  if (!keep_entries(w, r, &r->attrs, &w->attrs) || !keep_entries(w, r, &r->types, &w->types))
    return bw_refuse(w, "attributes of other dialects cannot keep their numbers");
  w->kept = r;
  return true;
}

static bool number_after(bc_slice text, size_t head, uint32_t *out) {
  int64_t value;
  if (text.length < head + 2 || text.text[text.length - 1] != '>' ||
      !bw_int(bw_inside(text, head), &value) || value < 0 || value >= UINT32_MAX)
    return false;
  *out = (uint32_t)value;
  return true;
}

bool bw_kept_entry(bytecode_writer *w, bc_slice text, bool is_type, uint32_t *entry) {
  if (!w->kept) return false;
  const bc_table *table = is_type ? &w->kept->types : &w->kept->attrs;
  const char *point = memchr(text.text, '.', text.length);
  if (!point || !bc_begins((bc_slice){point, (uint32_t)(text.text + text.length - point)},
                           is_type ? ".t<" : ".e<"))
    return false;
  bc_slice dialect = {text.text + 1, (uint32_t)(point - text.text) - 1};
  return number_after(text, (size_t)(point - text.text) + 3, entry) && *entry < table->count &&
         is_foreign(w->kept, &table->entries[*entry], is_type) &&
         bc_same(dialect, w->kept->dialects.items[table->entries[*entry].dialect]);
}

bool bw_kept_blob(bytecode_writer *w, bc_slice text, shape_strbuf *blob) {
  uint32_t number;
  if (!w->kept || w->kept->version != w->version || !bc_begins(text, BC_KEPT_BLOB) ||
      !number_after(text, sizeof BC_KEPT_BLOB - 1, &number) || number >= w->kept->blobs.count)
    return false;
  const bc_blob *from = &w->kept->blobs.items[number];
  strbuf_add(blob, (const char *)w->kept->bytes + from->at, from->size);
  return true;
}

static bool open_source(bytecode_writer *w) {
  const bytecode_source *source = &w->options->source;
  bytecode_error error;
  bc_reader *r = arena_zalloc(w->arena, sizeof *r);
  bc_cursor ir;
  r->bytes = source->bytes;
  r->length = source->length;
  r->arena = w->arena;
  r->budget = w->budget;
  r->error = &error;
  if (!bc_open(r, &ir)) return true;  // it is none: the text was not printed from it
  if (has_foreign(w, r) && !keep_tables(w, r)) return false;
  read_blobs(w, r);
  return true;
}

// --- resources in the text

// "0x" 4 bytes of alignment, then the data.
static bool read_hex(bytecode_writer *w, bc_slice text, bw_blob *blob) {
  enum { HEAD = 4, LARGEST = 1 << 20 };
  bc_slice in = bw_inside(text, 1);
  if (!bc_begins(in, "0x") || in.length % 2 || in.length < 2 + 2 * HEAD) return false;
  uint32_t size = in.length / 2 - 1;
  unsigned char *bytes = arena_alloc(w->arena, (size_t)size + 1);
  for (uint32_t i = 0; i < size; i++) {
    int high = hex_digit(in.text[2 + 2 * i]), low = hex_digit(in.text[3 + 2 * i]);
    if (high < 0 || low < 0) return false;
    bytes[i] = (unsigned char)(high << 4 | low);
  }
  blob->alignment =
      bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  if (!blob->alignment || (blob->alignment & (blob->alignment - 1)) || blob->alignment > LARGEST)
    return false;
  blob->bytes = (const char *)bytes + HEAD;
  blob->size = size - HEAD;
  blob->declared_only = false;
  return true;
}

static bool read_group(bytecode_writer *w, bc_slice text) {
  bw_cursor c = bw_open(bw_inside(text, 1));
  for (;;) {
    bool quoted = bw_peek(&c) == '"';
    bc_slice key = bw_key(w->arena, &c);
    if (!quoted && !key.length) return true;
    if (!bw_accept(&c, ":")) return bw_fail(w, c.at, "expected ':'");
    bc_slice value = bw_scan_value(&c);
    uint32_t handle = bw_resource(w, key);
    if (!read_hex(w, value, &w->resources.list.items[handle]))
      return bw_fail(w, value.text, "expected the bytes of a resource");
    bw_accept(&c, ",");
  }
}

// owner: {...}, ...; of the group named.
static bool find_group(bc_slice text, const char *name, bc_slice *out) {
  bw_cursor c = bw_open(text);
  for (;;) {
    bc_slice owner = bw_word(&c);
    if (!owner.length || !bw_accept(&c, ":")) return false;
    *out = bw_scan_value(&c);
    if (bc_is(owner, name)) return out->length > 1 && out->text[0] == '{';
    bw_accept(&c, ",");
  }
}

bool bw_read_source(bytecode_writer *w) {
  bc_slice dialects, builtin;
  if (w->options->source.length && !open_source(w)) return false;
  if (!find_group(w->program.resources, "dialect_resources", &dialects) ||
      !find_group(bw_inside(dialects, 1), "builtin", &builtin))
    return true;
  return read_group(w, builtin);
}
