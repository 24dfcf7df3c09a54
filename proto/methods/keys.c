// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/keys.h"

#include <stdio.h>
#include <string.h>

#include "proto/json/text.h"
#include "proto/methods/params.h"

typedef enum key_form { FORM_VALUE, FORM_OBJECT, FORM_ITEMS } key_form;

typedef enum key_object {
  OBJECT_NONE,
#define OBJECT(object) OBJECT_##object,
#include "proto/methods/keys.def"
} key_object;

typedef struct key_row {
  key_object object;
  const char *key;
  key_form form;
  key_object inside;
} key_row;

static const key_row KEYS[] = {
#define KEY(object, key, form, inside) {OBJECT_##object, key, FORM_##form, OBJECT_##inside},
#include "proto/methods/keys.def"
};

static const struct key_part {
  key_object object, of;
} PARTS[] = {
#define ALL(object, of) {OBJECT_##object, OBJECT_##of},
#include "proto/methods/keys.def"
};

enum { KEY_COUNT = sizeof KEYS / sizeof *KEYS, PART_COUNT = sizeof PARTS / sizeof *PARTS };

static key_object object_of(const method_row *row) {
#define METHOD(called, object)                                                                     \
  if (row->function == called) return OBJECT_##object;
#include "proto/methods/keys.def"
  return OBJECT_NONE;
}

// Whether a row is one of the object's; parts nest twice at most.
static bool belongs(key_object row, key_object object, int nesting) {
  if (row == object) return true;
  for (size_t i = 0; i < PART_COUNT && nesting < 3; i++) {
    if (PARTS[i].object == object && belongs(row, PARTS[i].of, nesting + 1)) return true;
  }
  return false;
}

static const key_row *find(key_object object, json_slice key) {
  for (size_t i = 0; i < KEY_COUNT; i++) {
    if (slice_is(key, KEYS[i].key) && belongs(KEYS[i].object, object, 0)) return &KEYS[i];
  }
  return NULL;
}

typedef struct walk {
  method_call *call;
  const char *path;  // of the object that is read
} walk;

static void refuse(const walk *w, key_object object, json_slice key) {
  enum { LONGEST = 60 };
  const char *names[KEY_COUNT];
  size_t count = 0, length = key.length < LONGEST ? key.length : LONGEST;
  for (size_t i = 0; i < KEY_COUNT; i++) {
    if (belongs(KEYS[i].object, object, 0)) names[count++] = KEYS[i].key;
  }
  // No part of a character where it was cut.
  while (length < key.length && length && ((unsigned char)key.text[length] & 0xc0) == 0x80)
    length--;
  char path[sizeof w->call->failure->path];
  snprintf(path, sizeof path, "%s", w->path);
  params_refuse(w->call, path, "");
  rpc_fail(w->call->failure, RPC_INVALID, "%s: unknown key \"%.*s\"; the nearest is \"%s\"", path,
           (int)length, key.text, nearest_name(names, count, key.text, key.length));
}

static bool check_object(walk *w, json_cursor *c, key_object object);

// A value of another kind than its row says is for the method to refuse.
static bool check_value(walk *w, json_cursor *c, const key_row *row) {
  bool object = row->form == FORM_OBJECT && cursor_peek(c) == '{';
  if (!object && (row->form != FORM_ITEMS || cursor_peek(c) != '[')) {
    params_member(w->call, c);
    return true;
  }
  char path[sizeof w->call->failure->path];
  walk inner = *w;
  snprintf(path, sizeof path, "%s.%s", w->path, row->key);
  inner.path = path;
  if (object) return check_object(&inner, c, row->inside);
  cursor_enter(c, '[');
  for (bool first = true; cursor_next_item(c, first); first = false) {
    if (cursor_peek(c) != '{') {
      cursor_skip(c);
    } else if (!check_object(&inner, c, row->inside)) {
      return false;
    }
  }
  return true;
}

static bool check_object(walk *w, json_cursor *c, key_object object) {
  json_slice key;
  cursor_enter(c, '{');
  for (bool first = true; cursor_next_key(c, first, &key); first = false) {
    const key_row *row = find(object, key);
    if (!row) {
      refuse(w, object, key);
      return false;
    }
    if (!check_value(w, c, row)) return false;
  }
  return true;
}

// False after filling the failure: what there is is neither "error" nor "ignore".
static bool read_policy(method_call *call, bool *ignore) {
  json_cursor c;
  json_slice key, text;
  *ignore = false;
  cursor_init(&c, call->arena, call->params.text, call->params.length);
  cursor_enter(&c, '{');
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    if (!slice_is(key, "unknown_keys")) {
      params_member(call, &c);
      continue;
    }
    if (!cursor_string(&c, &text) || (!slice_is(text, "ignore") && !slice_is(text, "error")))
      return params_refuse(call, "params.unknown_keys", "expected \"error\" or \"ignore\"");
    *ignore = slice_is(text, "ignore");
  }
  return true;
}

bool keys_check(method_call *call, const method_row *row) {
  key_object object = object_of(row);
  bool ignore;
  json_cursor c;
  cursor_init(&c, call->arena, call->params.text, call->params.length);
  if (object == OBJECT_NONE || !call->params.length || cursor_peek(&c) != '{') return true;
  if (!read_policy(call, &ignore)) return false;
  walk w = {.call = call, .path = "params"};
  return ignore || check_object(&w, &c, object);
}
