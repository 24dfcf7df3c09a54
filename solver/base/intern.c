// SPDX-License-Identifier: Apache-2.0
#include "solver/base/intern.h"

#include <assert.h>
#include <string.h>

#include "solver/base/imap.h"

void intern_init(shape_intern *table, shape_arena *arena) {
  memset(table, 0, sizeof *table);
  table->arena = arena;
}

static uint32_t hash_of(const shape_intern *table, const char *text, size_t length) {
  return (uint32_t)(hash_text(text, length, table->arena->seed) >> 32);
}

static inline uint32_t slot_of(const shape_intern *table, uint32_t hash) {
  assert(table->slot_count >= 2 && !(table->slot_count & (table->slot_count - 1)));
  return hash >> (32 - __builtin_ctz(table->slot_count));
}

static void put_slot(shape_intern *table, uint32_t hash, name_id id) {
  const uint32_t mask = table->slot_count - 1;
  uint32_t i = slot_of(table, hash);
  while (table->slots[i]) i = (i + 1) & mask;
  table->slots[i] = (uint64_t)hash << 32 | (id + 1);
}

// In the order of ids, so that the last ones can be taken out again.
static void set_slots(shape_intern *table, uint32_t slots) {
  table->slots = arena_zalloc(table->arena, slots * sizeof *table->slots);
  table->slot_count = slots;
  for (name_id id = 0; id < table->count; id++) put_slot(table, table->entries[id].hash, id);
}

void intern_reserve(shape_intern *table, uint32_t count) {
  uint32_t slots = 16;
  if (count > 1 << 20) return;  // it grows well enough by itself
  while (slots < count + count / 3 + 1) slots *= 2;
  assert(!table->count);
  set_slots(table, slots);
  table->entries =
      arena_grow(table->arena, table->entries, 0, count, &table->capacity, sizeof *table->entries);
}

static name_id search(const shape_intern *table, const char *text, size_t length, uint32_t hash) {
  if (!table->slot_count) return NAME_NONE;
  const uint32_t mask = table->slot_count - 1;
  for (uint32_t i = slot_of(table, hash); table->slots[i]; i = (i + 1) & mask) {
    if (table->slots[i] >> 32 != hash) continue;
    name_id id = (uint32_t)table->slots[i] - 1;
    const intern_entry *entry = &table->entries[id];
    assert(id < table->count && entry->hash == hash);
    if (entry->length == length && text_equals(entry->text, text, length)) return id;
  }
  return NAME_NONE;
}

void intern_truncate(shape_intern *table, uint32_t count) {
  // The last text of all is in no other's way: it was put in after them.
  while (table->count > count) {
    const name_id id = --table->count;
    uint32_t i = slot_of(table, table->entries[id].hash);
    while ((uint32_t)table->slots[i] != id + 1) i = (i + 1) & (table->slot_count - 1);
    table->slots[i] = 0;
  }
}

void intern_share(shape_intern *table, const shape_intern *from) {
  assert(!table->count && table->arena->seed == from->arena->seed);
  table->entries = arena_grow(table->arena, table->entries, 0, (size_t)from->count + 1,
                              &table->capacity, sizeof *table->entries);
  if (!from->slot_count) return;
  memcpy(table->entries, from->entries, from->count * sizeof *table->entries);
  table->count = from->count;
  table->slot_count = from->slot_count;
  table->slots = arena_alloc(table->arena, from->slot_count * sizeof *table->slots);
  memcpy(table->slots, from->slots, from->slot_count * sizeof *table->slots);
}

name_id intern_find(const shape_intern *table, const char *text, size_t length) {
  return search(table, text, length, hash_of(table, text, length));
}

name_id intern_add(shape_intern *table, const char *text, size_t length) {
  const uint32_t hash = hash_of(table, text, length);
  const name_id found = search(table, text, length, hash), id = table->count;
  if (found != NAME_NONE) return found;
  if (length >= UINT32_MAX || id >= UINT32_MAX / 4) arena_fail(table->arena, SHAPE_SIZE);
  table->entries = arena_grow(table->arena, table->entries, id, (size_t)id + 1, &table->capacity,
                              sizeof *table->entries);
  const char *copy = arena_strndup(table->arena, text, length);
  if (id + id / 3 >= table->slot_count)
    set_slots(table, table->slot_count ? 2 * table->slot_count : 16);
  table->entries[id] = (intern_entry){copy, (uint32_t)length, hash};
  put_slot(table, hash, id);
  return table->count++;
}
