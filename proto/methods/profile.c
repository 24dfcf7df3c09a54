// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/profile.h"

#include <stdlib.h>
#include <string.h>

// --- runs

static bool same_point(const shape_seen *a, const shape_seen *b) {
  if (a->dim_count != b->dim_count) return false;
  for (uint32_t i = 0; i < a->dim_count; i++) {
    const shape_seen_dim *x = &a->dims[i], *y = &b->dims[i];
    if (x->value != y->value || x->name_length != y->name_length ||
        memcmp(x->name, y->name, x->name_length) != 0) {
      return false;
    }
  }
  return true;
}

static uint64_t add_counts(uint64_t a, uint64_t b) {
  return a > INT64_MAX - b ? INT64_MAX : a + b;  // saturates
}

static void add_point(profile_state *state, const shape_seen *point) {
  uint32_t rarest = 0;
  for (uint32_t i = 0; i < state->point_count; i++) {
    if (same_point(&state->points[i], point)) {
      state->points[i].count = add_counts(state->points[i].count, point->count);
      return;
    }
    if (state->points[i].count < state->points[rarest].count) rarest = i;
  }
  uint32_t at = state->point_count < PROFILE_POINTS ? state->point_count++ : rarest;
  state->points[at] = *point;
}

// --- histograms

static void add_value(profile_symbol *s, int64_t value, uint64_t count) {
  uint32_t rarest = 0;
  s->count = add_counts(s->count, count);
  if (value < s->least) s->least = value;
  if (value > s->most) s->most = value;
  for (uint32_t i = 0; i < s->value_count; i++) {
    if (s->values[i].value == value) {
      s->values[i].count = add_counts(s->values[i].count, count);
      return;
    }
    if (s->values[i].count < s->values[rarest].count) rarest = i;
  }
  uint32_t at = rarest;
  if (s->value_count < PROFILE_VALUES) {
    at = s->value_count++;
  } else {
    s->other = add_counts(s->other, s->values[rarest].count);
  }
  s->values[at] = (profile_value){value, count};
}

static profile_symbol *symbol_of(profile_state *state, const char *name, size_t length) {
  for (uint32_t i = 0; i < state->symbol_count; i++) {
    profile_symbol *s = &state->symbols[i];
    if (s->name.length == length && memcmp(s->name.text, name, length) == 0) return s;
  }
  if (state->symbol_count == PROFILE_SYMBOLS) return NULL;
  profile_symbol *s = &state->symbols[state->symbol_count++];
  *s = (profile_symbol){.name = {name, length}, .least = INT64_MAX, .most = INT64_MIN};
  return s;
}

bool profile_add(profile_state *state, const shape_seen *point) {
  uint32_t before = state->symbol_count;
  for (uint32_t i = 0; i < point->dim_count; i++) {
    if (symbol_of(state, point->dims[i].name, point->dims[i].name_length)) continue;
    state->symbol_count = before;
    return false;
  }
  for (uint32_t i = 0; i < point->dim_count; i++) {
    const shape_seen_dim *size = &point->dims[i];
    add_value(symbol_of(state, size->name, size->name_length), size->value, point->count);
  }
  add_point(state, point);
  return true;
}

// --- text

static bool read_number(json_cursor *c, int64_t *out) {
  json_slice text;
  char digits[24], *end;
  if (!cursor_number(c, &text) || text.length >= sizeof digits) return false;
  memcpy(digits, text.text, text.length);
  digits[text.length] = 0;
  *out = strtoll(digits, &end, 10);
  return !*end;
}

static bool next_number(json_cursor *c, int64_t *out) {
  return cursor_next_item(c, false) && read_number(c, out);
}

static bool next_count(json_cursor *c, uint64_t *out) {
  int64_t value;
  if (!next_number(c, &value) || value < 0) return false;
  *out = (uint64_t)value;
  return true;
}

static bool read_point(json_cursor *c, shape_seen *p) {
  int64_t count;
  json_slice name;
  shape_seen_dim *sizes = arena_alloc(c->arena, SHAPE_SEEN_DIMS_MAX * sizeof *sizes);
  if (!cursor_enter(c, '[') || !cursor_next_item(c, true) || !read_number(c, &count) || count < 1)
    return false;
  *p = (shape_seen){.dims = sizes, .count = (uint64_t)count};
  if (!cursor_next_item(c, false) || !cursor_enter(c, '[')) return false;
  for (bool first = true; cursor_next_item(c, first); first = false) {
    if (p->dim_count == SHAPE_SEEN_DIMS_MAX || !cursor_string(c, &name)) return false;
    shape_seen_dim *size = &sizes[p->dim_count++];
    *size = (shape_seen_dim){.name = name.text, .name_length = name.length};
    if (!next_number(c, &size->value)) return false;
  }
  return !c->failed && !cursor_next_item(c, false);
}

static bool read_symbol(json_cursor *c, profile_symbol *s) {
  *s = (profile_symbol){0};
  if (!cursor_enter(c, '[') || !cursor_next_item(c, true) || !cursor_string(c, &s->name) ||
      !next_number(c, &s->least) || !next_number(c, &s->most) || !next_count(c, &s->count) ||
      !next_count(c, &s->other) || !cursor_next_item(c, false) || !cursor_enter(c, '[')) {
    return false;
  }
  for (bool first = true; cursor_next_item(c, first); first = false) {
    if (s->value_count == PROFILE_VALUES) return false;
    profile_value *v = &s->values[s->value_count++];
    if (!read_number(c, &v->value) || !next_count(c, &v->count)) return false;
  }
  return !c->failed && !cursor_next_item(c, false);
}

static bool read_state(json_cursor *c, profile_state *state) {
  json_slice key;
  if (!cursor_enter(c, '{')) return false;
  for (bool first = true; cursor_next_key(c, first, &key); first = false) {
    bool points = slice_is(key, "points");
    if (!cursor_enter(c, '[')) return false;
    for (bool item = true; cursor_next_item(c, item); item = false) {
      if (points) {
        if (state->point_count == PROFILE_POINTS ||
            !read_point(c, &state->points[state->point_count]))
          return false;
        state->point_count++;
      } else {
        if (state->symbol_count == PROFILE_SYMBOLS ||
            !read_symbol(c, &state->symbols[state->symbol_count]))
          return false;
        state->symbol_count++;
      }
    }
  }
  return !c->failed;
}

profile_state *profile_read(shape_arena *arena, json_slice json) {
  json_cursor c;
  profile_state *state = arena_zalloc(arena, sizeof *state);
  cursor_init(&c, arena, json.text ? json.text : "", json.length);
  // A state that we did not write says nothing.
  if (json.length && !read_state(&c, state)) state->point_count = state->symbol_count = 0;
  return state;
}

void profile_write(const profile_state *state, shape_strbuf *out) {
  json_writer w;
  json_writer_init(&w, out);
  json_begin_object(&w);
  json_key_array(&w, "points");
  for (uint32_t i = 0; i < state->point_count; i++) {
    const shape_seen *p = &state->points[i];
    json_begin_array(&w);
    json_int(&w, (int64_t)p->count);
    json_begin_array(&w);
    for (uint32_t k = 0; k < p->dim_count; k++) {
      json_text(&w, p->dims[k].name, p->dims[k].name_length);
      json_int(&w, p->dims[k].value);
    }
    json_end_array(&w);
    json_end_array(&w);
  }
  json_end_array(&w);
  json_key_array(&w, "symbols");
  for (uint32_t i = 0; i < state->symbol_count; i++) {
    const profile_symbol *s = &state->symbols[i];
    json_begin_array(&w);
    json_text(&w, s->name.text, s->name.length);
    json_int(&w, s->least);
    json_int(&w, s->most);
    json_int(&w, (int64_t)s->count);
    json_int(&w, (int64_t)s->other);
    json_begin_array(&w);
    for (uint32_t k = 0; k < s->value_count; k++) {
      json_int(&w, s->values[k].value);
      json_int(&w, (int64_t)s->values[k].count);
    }
    json_end_array(&w);
    json_end_array(&w);
  }
  json_end_array(&w);
  json_end_object(&w);
}
