// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

#include "solver/formats/json/decoder.h"

void decode_error(graph_decoder *d, source_span span, const char *code, const char *format, ...) {
  assert(d->depth <= GRAPH_JSON_DEPTH);
  // After the text itself turned out to be invalid, nothing said about it makes sense.
  if (d->c.failed) return;
  shape_strbuf text;
  strbuf_init(&text, d->g->arena);
  for (uint32_t i = 0; i < d->depth; i++) {
    const path_step *step = &d->path[i];
    if (!step->key.text) {
      strbuf_printf(&text, "[%u]", step->index);
    } else {
      if (i) strbuf_putc(&text, '.');
      strbuf_add(&text, step->key.text, step->key.length < 80 ? step->key.length : 80);
    }
  }
  if (d->depth) strbuf_puts(&text, ": ");
  va_list args;
  va_start(args, format);
  strbuf_vprintf(&text, format, args);
  va_end(args);
  diag_add(&d->g->diags, DIAG_ERROR, code, span, "%s", strbuf_text(&text));
}

void decode_expected(graph_decoder *d, const char *what) {
  source_span at = decode_here(d);
  const char *found = cursor_kind(&d->c);
  cursor_skip(&d->c);
  at.end = cursor_offset(&d->c);
  decode_error(d, at, "json", "expected %s, found %s", what, found);
}

bool decode_no_entry(graph_decoder *d, char open, const char *what) {
  if (cursor_peek(&d->c) != open) {
    decode_expected(d, what);
    return false;
  }
  assert(d->depth == GRAPH_JSON_DEPTH);
  diag_add(&d->g->diags, DIAG_ERROR, "depth", decode_here(d), "nested more than %d levels deep",
           GRAPH_JSON_DEPTH);
  return cursor_fail(&d->c);
}

void decode_take_steps(graph_decoder *d) {
  assert(!d->until_poll);
  d->until_poll = BUDGET_POLL_EVERY;
  budget_take(d->budget, BUDGET_POLL_EVERY);
}

bool decode_key(graph_decoder *d, json_slice *key) {
  assert(d->depth && d->depth <= GRAPH_JSON_DEPTH);
  path_step *step = &d->path[d->depth - 1];
  if (!cursor_next_key(&d->c, step->index == (uint32_t)STEP_NEW, key)) {
    d->depth--;
    return false;
  }
  step->index++;
  step->key.text = key->text;  // not as one: its two halves were just written
  step->key.length = key->length;
  decode_step(d);
  return true;
}

bool decode_name(graph_decoder *d, name_id *out) {
  json_slice text;
  if (!decode_string(d, &text)) return false;
  *out = intern_add(&d->g->names, text.text, text.length);
  return true;
}

seen_text *decode_unseen(graph_decoder *d, json_slice text, seen_text *slot) {
  assert(slot >= d->texts.seen && (size_t)(slot - d->texts.seen) <= d->texts.seen_mask);
  name_id name = intern_add(&d->g->names, text.text, text.length);
  *slot = (seen_text){intern_text(&d->g->names, name), text.length, name, TYPE_NONE};
  return slot;
}

bool decode_bool(graph_decoder *d, bool *out) {
  *out = cursor_peek(&d->c) == 't';
  if (cursor_word(&d->c, "true") || cursor_word(&d->c, "false")) return true;
  decode_expected(d, "a boolean");
  return false;
}

bool decode_int(graph_decoder *d, int64_t *out) {
  source_span at = decode_here(d);
  const char *before = d->c.at;
  json_slice text;
  bool fits;
  if ((cursor_number(&d->c, &text) || cursor_string(&d->c, &text)) &&
      slice_int(text, false, out, &fits)) {
    if (fits) return true;
    decode_error(d, decode_span(d, at.begin), "json", "the integer does not fit in 64 bits");
    return false;
  }
  if (!d->c.failed) d->c.at = before;
  decode_expected(d, "an integer");
  return false;
}

uint32_t *decode_table_grow(graph_decoder *d, uint32_t *table, uint32_t *capacity, uint32_t index) {
  uint32_t before = *capacity;
  assert(index >= before);
  table = arena_grow(d->g->arena, table, before, (size_t)index + 1, capacity, sizeof *table);
  memset(table + before, 0xff, (*capacity - before) * sizeof *table);
  assert(index < *capacity);
  return table;
}
