// SPDX-License-Identifier: Apache-2.0
#include "solver/base/intern.h"

#include <assert.h>
#include <string.h>

void intern_init(shape_intern *table, shape_arena *arena) {
  memset(table, 0, sizeof *table);
  table->arena = arena;
}

void intern_reserve(shape_intern *table, uint32_t count) {
  uint32_t slots = 16;
  if (count > 1 << 20) return;  // it grows well enough by itself
  while (slots < count + count / 3 + 1) slots *= 2;
  assert(!table->count);
  imap_reserve(&table->by_hash, table->arena, slots);
  table->entries =
      arena_grow(table->arena, table->entries, 0, count, &table->capacity, sizeof *table->entries);
}

// Keeps the reserved key of the map out of the way.
static uint64_t key_of(const shape_intern *table, const char *text, size_t length) {
  return hash_text(text, length, table->arena->seed) >> 1;
}

// Among those of one hash, from `id` on.
static name_id search(const shape_intern *table, name_id id, const char *text, size_t length) {
  for (; id != NAME_NONE; id = table->entries[id].next) {
    const intern_entry *entry = &table->entries[id];
    assert(id < table->count && (entry->next == NAME_NONE || entry->next < id));
    if (entry->length == length && text_equals(entry->text, text, length)) return id;
  }
  return NAME_NONE;
}

void intern_truncate(shape_intern *table, uint32_t count) {
  while (table->count > count) {
    const intern_entry *last = &table->entries[--table->count];
    uint64_t key = key_of(table, last->text, last->length);
    imap_put(&table->by_hash, table->arena, key, last->next);  // of a key that is there
  }
}

name_id intern_find(const shape_intern *table, const char *text, size_t length) {
  name_id first;
  if (!imap_get(&table->by_hash, key_of(table, text, length), &first)) return NAME_NONE;
  return search(table, first, text, length);
}

name_id intern_add(shape_intern *table, const char *text, size_t length) {
  bool fresh;
  uint32_t *first = imap_slot(&table->by_hash, table->arena, key_of(table, text, length), &fresh);
  if (fresh) *first = NAME_NONE;  // also where there is no memory for the rest
  name_id found = search(table, *first, text, length);
  if (found != NAME_NONE) return found;
  if (length >= UINT32_MAX) arena_fail(table->arena, SHAPE_SIZE);
  table->entries = arena_grow(table->arena, table->entries, table->count, (size_t)table->count + 1,
                              &table->capacity, sizeof *table->entries);
  table->entries[table->count] =
      (intern_entry){arena_strndup(table->arena, text, length), (uint32_t)length, *first};
  assert(*first == NAME_NONE || *first < table->count);
  *first = table->count;
  return table->count++;
}
