// SPDX-License-Identifier: Apache-2.0
// A JSON text as a tree: programs of torch.export name values before and after what they say of them.
#include <assert.h>
#include <string.h>

#include "solver/formats/json/cursor.h"
#include "solver/formats/json/validate.h"
#include "solver/formats/torch/reader.h"

typedef struct dom_builder {
  shape_arena *arena;
  json_cursor c;
  uint32_t depth;
} dom_builder;

static bool read_node(dom_builder *b, dom_node *out);

static bool read_items(dom_builder *b, dom_node *out, char close) {
  assert(close == '}' || close == ']');
  dom_node *last = NULL;
  json_slice key = {0};
  for (bool first = true;
       close == '}' ? cursor_next_key(&b->c, first, &key) : cursor_next_item(&b->c, first);
       first = false) {
    dom_node *node = arena_zalloc(b->arena, sizeof *node);
    if (!read_node(b, node)) return false;
    node->key = key.text;
    node->key_length = (uint32_t)key.length;
    if (last) {
      last->next = node;
    } else {
      out->first = node;
    }
    last = node;
    out->count++;
  }
  return !b->c.failed;
}

static bool read_node(dom_builder *b, dom_node *out) {
  json_slice text = {0};
  char c = cursor_peek(&b->c);
  bool ok = true;
  if (++b->depth > JSON_DEPTH_DEFAULT + 1) return false;
  if (c == '{' || c == '[') {
    out->kind = c == '{' ? DOM_OBJECT : DOM_ARRAY;
    text.text = b->c.at;
    cursor_enter(&b->c, c);
    ok = read_items(b, out, c == '{' ? '}' : ']');
    text.length = (size_t)(b->c.at - text.text);
  } else if (c == '"') {
    out->kind = DOM_STRING;
    ok = cursor_string(&b->c, &text);
  } else if (cursor_word(&b->c, "null")) {
    out->kind = DOM_NULL;
  } else if (cursor_word(&b->c, "true")) {
    out->kind = DOM_BOOL;
    out->count = 1;
  } else if (cursor_word(&b->c, "false")) {
    out->kind = DOM_BOOL;
  } else {
    out->kind = DOM_NUMBER;
    ok = cursor_number(&b->c, &text);
  }
  out->text = text.text;
  out->length = (uint32_t)text.length;
  b->depth--;
  return ok;
}

const dom_node *dom_read(shape_arena *arena, const char *text, size_t length) {
  dom_builder b = {.arena = arena};
  dom_node *root = arena_zalloc(arena, sizeof *root);
  cursor_init(&b.c, arena, text, length);
  return read_node(&b, root) ? root : NULL;
}

const dom_node *dom_member(const dom_node *object, const char *key) {
  assert(key);
  size_t length = strlen(key);
  if (!object || object->kind != DOM_OBJECT) return NULL;
  for (const dom_node *m = object->first; m; m = m->next) {
    if (m->key_length == length && memcmp(m->key, key, length) == 0) return m;
  }
  return NULL;
}

bool dom_is(const dom_node *node, dom_kind kind) { return node && node->kind == kind; }

// json_validate writes integers beyond 2^53 as texts.
bool dom_int(const dom_node *node, int64_t *out) {
  bool fits;
  if (!node || (node->kind != DOM_NUMBER && node->kind != DOM_STRING)) return false;
  return slice_int((json_slice){node->text, node->length}, false, out, &fits) && fits;
}

const char *dom_kind_name(const dom_node *node) {
  static const char *const NAMES[] = {
      [DOM_NULL] = "null",     [DOM_BOOL] = "a boolean", [DOM_NUMBER] = "a number",
      [DOM_STRING] = "a text", [DOM_ARRAY] = "a list",   [DOM_OBJECT] = "an object"};
  return node ? NAMES[node->kind] : "nothing";
}
