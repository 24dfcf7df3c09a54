// SPDX-License-Identifier: Apache-2.0
// Lists of names with types: ["a", T, "b", T], [["a", T], ...] or [{"name": "a", "type": T, "attributes": ...}].
#include <assert.h>

#include "solver/formats/json/decoder.h"

// Slots are filled on the stack, which may move while a type or attributes are read. at: where the slot begins there.
static void slot_name(graph_decoder *d, uint32_t at) {
  value_name name;
  d->stack[at + SLOT_AT] = cursor_offset(&d->c) + 1;
  bool good = decode_value_name(d, &name);
  d->stack[at + SLOT_NAME] = good ? name : NAME_NONE;
}

static void slot_type(graph_decoder *d, uint32_t at) {
  d->stack[at + SLOT_TYPE_BEGIN] = cursor_offset(&d->c);
  type_id type = decode_type(d);
  d->stack[at + SLOT_TYPE] = type;
  d->stack[at + SLOT_TYPE_END] = cursor_offset(&d->c);
}

static void slot_key(graph_decoder *d, json_slice key, uint32_t at) {
  if (slice_is(key, "name")) {
    slot_name(d, at);
  } else if (slice_is(key, "type")) {
    slot_type(d, at);
  } else if (slice_is(key, "attributes")) {
    attr_id attr = decode_attr_dict(d);
    d->stack[at + SLOT_ATTR] = attr;
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
static void decode_slot(graph_decoder *d, bool named, uint32_t at) {
  json_slice key;
  char first = cursor_peek(&d->c);
  if (first == '{' && (named || is_slot(d))) {
    if (!decode_object(d)) return;
    while (decode_key(d, &key)) slot_key(d, key, at);
  } else if (first == '[') {
    if (!decode_array(d)) return;
    while (decode_item(d)) {
      uint32_t i = decode_index(d);
      if (i == 0) {
        slot_name(d, at);
      } else if (i == 1) {
        slot_type(d, at);
      } else {
        cursor_skip(&d->c);
      }
    }
  } else if (named) {
    decode_expected(d, "a name and a type");
  } else {
    slot_type(d, at);
  }
}

static uint32_t push_slot(graph_decoder *d) {
  uint32_t at = d->stack_count, *slot = decode_reserve(d, SLOTS);
  slot[SLOT_NAME] = NAME_NONE;
  slot[SLOT_AT] = UINT32_MAX;
  slot[SLOT_TYPE] = TYPE_NONE;
  slot[SLOT_TYPE_BEGIN] = slot[SLOT_TYPE_END] = 0;
  slot[SLOT_ATTR] = ATTR_NONE;
  d->stack_count += SLOTS;
  return at;
}

uint32_t decode_slots(graph_decoder *d, bool named) {
  uint32_t mark = d->stack_count, at = mark;
  bool pending = false;  // the name was read, its type is the next item
  if (cursor_word(&d->c, "null") || !decode_array(d)) return 0;
  while (decode_item(d)) {
    if (pending) {
      slot_type(d, at);
      pending = false;
      continue;
    }
    at = push_slot(d);
    pending = named && cursor_peek(&d->c) == '"';
    if (pending) {
      slot_name(d, at);
    } else {
      decode_slot(d, named, at);
    }
  }
  if (pending) {
    d->stack_count = at;
    decode_error(d, decode_here(d), "json", "the last name has no type");
  }
  assert(d->stack_count >= mark && (d->stack_count - mark) % SLOTS == 0);
  return (d->stack_count - mark) / SLOTS;
}
