// SPDX-License-Identifier: Apache-2.0
#include "solver/base/intern.h"

#include <string.h>

void intern_init(shape_intern *table, shape_arena *arena) {
  memset(table, 0, sizeof *table);
  table->arena = arena;
}

// Keeps the reserved key of the map out of the way.
static uint64_t key_of(const char *text, size_t length) { return hash_bytes(text, length) >> 1; }

static name_id search(const shape_intern *table, uint64_t key, const char *text, size_t length) {
  uint32_t id;
  if (!imap_get(&table->by_hash, key, &id)) return NAME_NONE;
  for (; id != NAME_NONE; id = table->entries[id].next) {
    const intern_entry *entry = &table->entries[id];
    // An empty name may come without an address, which memcmp must not see.
    bool same = entry->length == length && (!length || memcmp(entry->text, text, length) == 0);
    if (same) return id;
  }
  return NAME_NONE;
}

name_id intern_find(const shape_intern *table, const char *text, size_t length) {
  return search(table, key_of(text, length), text, length);
}

name_id intern_add(shape_intern *table, const char *text, size_t length) {
  uint64_t key = key_of(text, length);
  name_id found = search(table, key, text, length);
  if (found != NAME_NONE) return found;
  if (length >= UINT32_MAX) arena_fail(table->arena, SHAPE_SIZE);
  table->entries = arena_grow(table->arena, table->entries, table->count, (size_t)table->count + 1,
                              &table->capacity, sizeof *table->entries);
  uint32_t next;
  if (!imap_get(&table->by_hash, key, &next)) next = NAME_NONE;
  table->entries[table->count] =
      (intern_entry){arena_strndup(table->arena, text, length), (uint32_t)length, next};
  imap_put(&table->by_hash, table->arena, key, table->count);
  return table->count++;
}
