// SPDX-License-Identifier: Apache-2.0
#include "server/member.h"

typedef struct find_work {
  shape_arena *arena;
  json_slice object;
  const char *key;
  member found;
} find_work;

static void find(void *data) {
  find_work *w = data;
  json_cursor c;
  json_slice name, *json = &w->found.json, *text = &w->found.text;
  cursor_init(&c, w->arena, w->object.text, w->object.length);
  if (!cursor_enter(&c, '{')) return;
  for (bool first = true; cursor_next_key(&c, first, &name); first = false) {
    cursor_peek(&c);
    const char *from = c.at;
    cursor_skip(&c);
    if (slice_is(name, w->key)) *json = (json_slice){from, (size_t)(c.at - from)};
  }
  if (!json->length || *json->text != '"') return;
  cursor_init(&c, w->arena, json->text, json->length);
  if (!cursor_string(&c, text)) text->length = 0;
}

bool member_find(shape_arena *arena, json_slice object, const char *key, member *out) {
  find_work w = {.arena = arena, .object = object, .key = key};
  bool good = !object.length || arena_protect(arena, find, &w) == SHAPE_OK;
  *out = good ? w.found : (member){{0}, {0}};
  return good;
}
