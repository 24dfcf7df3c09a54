// SPDX-License-Identifier: Apache-2.0
// Lists of names with types: ["a", T, "b", T], [["a", T], ...] or [{"name": "a", "type": T, "attributes": ...}].
#include <assert.h>
#include <string.h>

#include "solver/formats/json/decoder.h"

static void slot_name(graph_decoder *d, uint32_t *slot) {
  slot[SLOT_AT] = cursor_offset(&d->c) + 1;
  if (!decode_value_name(d, &slot[SLOT_NAME])) slot[SLOT_NAME] = NAME_NONE;
}

static void slot_type(graph_decoder *d, uint32_t *slot) {
  slot[SLOT_TYPE_BEGIN] = cursor_offset(&d->c);
  slot[SLOT_TYPE] = decode_type(d);
  slot[SLOT_TYPE_END] = cursor_offset(&d->c);
}

static void slot_key(graph_decoder *d, json_slice key, uint32_t *slot) {
  if (slice_is(key, "name")) {
    slot_name(d, slot);
  } else if (slice_is(key, "type")) {
    slot_type(d, slot);
  } else if (slice_is(key, "attributes")) {
    slot[SLOT_ATTR] = decode_attr_dict(d);
  } else {
    cursor_skip(&d->c);
  }
}

// Whether the object at the cursor is {"type": ...}: a result of a function may also be its type alone.
static bool is_slot(const graph_decoder *d) {
  json_cursor c = d->c;
  json_slice key;
  bool found = false;
  if (!cursor_enter(&c, '{')) return false;
  for (bool first = true; !found && cursor_next_key(&c, first, &key); first = false) {
    found = slice_is(key, "type");
    cursor_skip(&c);
  }
  return found;
}

// One that is an array or an object, or a type alone.
static void decode_slot(graph_decoder *d, bool named, uint32_t *slot) {
  json_slice key;
  char first = cursor_peek(&d->c);
  if (first == '{' && (named || is_slot(d))) {
    if (!decode_object(d)) return;
    while (decode_key(d, &key)) slot_key(d, key, slot);
  } else if (first == '[') {
    if (!decode_array(d)) return;
    while (decode_item(d)) {
      uint32_t i = decode_index(d);
      if (i == 0) {
        slot_name(d, slot);
      } else if (i == 1) {
        slot_type(d, slot);
      } else {
        cursor_skip(&d->c);
      }
    }
  } else if (named) {
    decode_expected(d, "a name and a type");
  } else {
    slot_type(d, slot);
  }
}

uint32_t decode_slots(graph_decoder *d, bool named) {
  uint32_t mark = d->stack_count;
  uint32_t slot[SLOTS];
  bool pending = false;  // the name was read, its type is the next item
  if (cursor_word(&d->c, "null") || !decode_array(d)) return 0;
  while (decode_item(d)) {
    if (pending) {
      slot_type(d, slot);
      pending = false;
    } else {
      memcpy(slot, (const uint32_t[SLOTS]){NAME_NONE, UINT32_MAX, TYPE_NONE, 0, 0, ATTR_NONE},
             sizeof slot);
      if (named && cursor_peek(&d->c) == '"') {
        slot_name(d, slot);
        pending = true;
        continue;
      }
      decode_slot(d, named, slot);
    }
    memcpy(decode_reserve(d, SLOTS), slot, sizeof slot);
    d->stack_count += SLOTS;
  }
  if (pending) decode_error(d, decode_here(d), "json", "the last name has no type");
  assert(d->stack_count >= mark && (d->stack_count - mark) % SLOTS == 0);
  return (d->stack_count - mark) / SLOTS;
}
