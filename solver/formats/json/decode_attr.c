// SPDX-License-Identifier: Apache-2.0
// Attributes. JSON's natural forms are values of their own; an object whose keys are exactly those of a form below is that
// form, and any other object is a dictionary:
//   {"dense": ..., "type": T}  {"int": n, "type": T}  {"float": x, "type": T}  {"type": T}  {"symbol": "f"}
//   {"enum": "LT"}  {"opaque": "text"}  {"dict": {...}}  {"#dialect.name": {...}}
#include "solver/formats/json/decoder.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "solver/base/decimal.h"

static attr_id decode_attr(graph_decoder *d);  // ATTR_NONE after an error

static attr_id add(graph_decoder *d, graph_attr attr, uint32_t begin) {
  assert(begin <= cursor_offset(&d->c));
  attr.span = decode_span(d, begin);
  return graph_add_attr(d->g, &attr);
}

static graph_attr blank(attr_kind kind) {
  return (graph_attr){.kind = (uint8_t)kind, .type = TYPE_NONE, .text = NAME_NONE};
}

static attr_id add_int(graph_decoder *d, attr_kind kind, int64_t value, type_id type,
                       uint32_t begin) {
  int64_t *room = arena_alloc(d->g->arena, sizeof *room);
  *room = value;
  graph_attr attr = blank(kind);
  attr.type = type;
  attr_set_ints(&attr, room, 1);
  return add(d, attr, begin);
}

static attr_id add_float(graph_decoder *d, double value, type_id type, uint32_t begin) {
  double *room = arena_alloc(d->g->arena, sizeof *room);
  *room = value;
  graph_attr attr = blank(ATTR_FLOAT);
  attr.type = type;
  attr_set_floats(&attr, room, 1);
  return add(d, attr, begin);
}

static attr_id add_text(graph_decoder *d, attr_kind kind, uint32_t begin) {
  graph_attr attr = blank(kind);
  uint32_t quote = decode_here(d).begin;
  if (!decode_name(d, &attr.text)) return ATTR_NONE;
  if (kind != ATTR_OPAQUE) return add(d, attr, begin);
  // Readers of the source see what is between the quotes.
  attr.span = (source_span){quote + 1, cursor_offset(&d->c) - 1};
  assert(attr.span.begin <= attr.span.end);
  return graph_add_attr(d->g, &attr);
}

// Numbers and the words that JSON has no number for.
static bool slice_float(json_slice s, double *out) {
  char text[64];
  if (decimal_short(s.text, s.length, out)) return true;
  if (!s.length || s.length >= sizeof text) return false;
  memcpy(text, s.text, s.length);
  text[s.length] = 0;
  char *end;
  *out = strtod(text, &end);
  return *end == 0;
}

static attr_id decode_number(graph_decoder *d, type_id type, bool is_float) {
  uint32_t begin = decode_here(d).begin;
  json_slice text;
  int64_t value;
  double real;
  bool fits;
  if (!cursor_number(&d->c, &text) && !cursor_string(&d->c, &text)) {
    decode_expected(d, "a number");
    return ATTR_NONE;
  }
  if (!is_float && slice_int(text, true, &value, &fits)) {
    if (fits) return add_int(d, ATTR_INT, value, type, begin);
    decode_error(d, decode_span(d, begin), "json", "the integer does not fit in 64 bits");
    return ATTR_NONE;
  }
  if (slice_float(text, &real)) return add_float(d, real, type, begin);
  decode_error(d, decode_span(d, begin), "json", "not a number");
  return ATTR_NONE;
}

// --- lists: of integers, until an item is something else. Most have a few, and take no memory but their own.
enum { INTS_FEW = 16 };
typedef struct int_list {
  int64_t *values;  // `few`, or in the arena
  uint32_t count, capacity;
  int64_t few[INTS_FEW];
} int_list;

static void begin_ints(int_list *list) {
  list->values = list->few;
  list->count = 0;
  list->capacity = INTS_FEW;
}

static void grow_ints(graph_decoder *d, int_list *list) {
  assert(list->count == list->capacity);
  bool first = list->values == list->few;
  uint32_t capacity = first ? 0 : list->capacity;
  list->values = arena_grow(d->g->arena, first ? NULL : list->values, first ? 0 : list->count,
                            (size_t)list->count + 1, &capacity, sizeof *list->values);
  if (first) memcpy(list->values, list->few, sizeof list->few);
  list->capacity = capacity;
}

static void push_int(graph_decoder *d, int_list *list, int64_t value) {
  if (list->count == list->capacity) grow_ints(d, list);
  assert(list->count < list->capacity);
  list->values[list->count++] = value;
}

// In the arena; NULL: none.
static const int64_t *kept_ints(graph_decoder *d, const int_list *list) {
  if (list->values != list->few || !list->count) return list->count ? list->values : NULL;
  size_t bytes = list->count * sizeof *list->values;
  return memcpy(arena_alloc(d->g->arena, bytes), list->few, bytes);
}

// An integer at the cursor that can be part of a plain list; leaves the cursor alone when it is none.
static bool plain_int(graph_decoder *d, int64_t *out) {
  const char *before = d->c.at;
  json_slice text;
  bool fits;
  if (cursor_short_int(&d->c, out)) return true;
  if (cursor_number(&d->c, &text) && slice_int(text, true, out, &fits) && fits) return true;
  d->c.at = before;
  return false;
}

static attr_id decode_list(graph_decoder *d) {
  uint32_t begin = decode_here(d).begin;
  uint32_t mark = d->stack_count;
  int_list ints;
  bool mixed = false;
  if (!decode_array(d)) return ATTR_NONE;
  begin_ints(&ints);
  while (decode_item(d)) {
    int64_t value;
    if (!mixed && plain_int(d, &value)) {
      push_int(d, &ints, value);
      continue;
    }
    if (!mixed) {
      for (uint32_t i = 0; i < ints.count; i++) {
        decode_push(d, add_int(d, ATTR_INT, ints.values[i], TYPE_NONE, begin));
      }
      mixed = true;
    }
    attr_id item = decode_attr(d);
    if (item != ATTR_NONE) decode_push(d, item);
  }
  graph_attr attr = blank(mixed ? ATTR_ARRAY : ATTR_INTS);
  if (!mixed) {
    attr_set_ints(&attr, kept_ints(d, &ints), ints.count);
  } else {
    uint32_t count = d->stack_count - mark;
    attr_id *items = arena_alloc(d->g->arena, count * sizeof *items + 1);
    memcpy(items, d->stack + mark, count * sizeof *items);
    attr_set_items(&attr, items, count);
    d->stack_count = mark;
  }
  return add(d, attr, begin);
}

// --- dense
typedef struct dense_state {
  shape_dtype dtype;
  bool is_int, invalid;
  uint64_t seen;  // elements in all
  int_list ints;  // the first of them, or the bits of doubles
} dense_state;

static bool int_fits(shape_dtype dtype, int64_t value) {
  assert(dtype_is_integer(dtype));
  uint32_t bits = dtype_bits(dtype);
  if (dtype == DTYPE_I1) return value == 0 || value == 1;
  if (bits >= 64 || !bits) return true;
  if (dtype_is_signed(dtype)) {
    return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1);
  }
  return value >= 0 && value < (int64_t)1 << bits;
}

static void dense_leaf(graph_decoder *d, dense_state *s) {
  uint32_t begin = decode_here(d).begin;
  int64_t value = 0;
  double real;
  bool fits = true, good;
  json_slice text;
  if (s->is_int && cursor_short_int(&d->c, &value)) {
    good = true;
  } else if (cursor_word(&d->c, "true")) {
    value = 1;
    good = true;
  } else if (cursor_word(&d->c, "false")) {
    good = true;
  } else if (!cursor_number(&d->c, &text) && !cursor_string(&d->c, &text)) {
    decode_expected(d, "an element");
    s->invalid = true;
    return;
  } else if (s->is_int) {
    good = slice_int(text, s->dtype == DTYPE_UI64, &value, &fits) && fits;
  } else {
    good = slice_float(text, &real);
    if (good) memcpy(&value, &real, sizeof value);
  }
  if (!good || (s->is_int && !int_fits(s->dtype, value))) {
    if (!s->invalid) {
      decode_error(d, decode_span(d, begin), "dense", "not an element of type %s",
                   dtype_name(s->dtype));
    }
    s->invalid = true;
    return;
  }
  if (s->seen++ < DENSE_TRACKED) push_int(d, &s->ints, value);
  assert(s->ints.count <= DENSE_TRACKED);
}

static void dense_items(graph_decoder *d, dense_state *s) {
  if (cursor_peek(&d->c) != '[') {
    dense_leaf(d, s);
    return;
  }
  if (!decode_array(d)) return;
  while (decode_item(d)) dense_items(d, s);
}

static bool elements_of(const graph_type *type, uint64_t *count) {
  *count = 1;
  bool zero = false, over = false;
  for (uint32_t i = 0; i < type->rank; i++) {
    if (!dim_is_static(type->dims[i])) return false;
    zero |= type->dims[i] == 0;
    over |= __builtin_mul_overflow(*count, (uint64_t)type->dims[i], count);
  }
  if (zero) *count = 0;
  return zero || !over;
}

static attr_id decode_dense(graph_decoder *d, type_id type, uint32_t begin) {
  const graph_type *t = type == TYPE_NONE ? NULL : type_get(&d->g->types, type);
  uint64_t want;
  if (!t || t->kind != TYPE_TENSOR || !elements_of(t, &want)) {
    if (t) {
      decode_error(d, decode_here(d), "dense", "\"dense\" needs a tensor type of known dims");
    }
    cursor_skip(&d->c);
    return ATTR_NONE;
  }
  graph_attr attr = blank(ATTR_DENSE);
  attr.type = type;
  dense_state s;
  s.dtype = (shape_dtype)t->dtype;
  s.is_int = dtype_is_integer(t->dtype);
  s.invalid = false;
  s.seen = 0;
  begin_ints(&s.ints);
  bool known = s.is_int || dtype_is_float(s.dtype);
  bool is_list = cursor_peek(&d->c) == '[';
  if (cursor_word(&d->c, "null") || !known) {
    if (!known) cursor_skip(&d->c);
    return add(d, attr, begin);
  }
  dense_items(d, &s);
  if (s.invalid) return ATTR_NONE;
  assert(is_list || s.seen == 1);
  if (is_list && s.seen != want) {
    decode_error(d, decode_span(d, begin), "dense", "%llu elements for a type that has %llu",
                 (unsigned long long)s.seen, (unsigned long long)want);
    return ATTR_NONE;
  }
  if (s.seen > DENSE_TRACKED) return add(d, attr, begin);
  assert(s.ints.count == s.seen);
  attr.splat = !is_list;
  if (s.is_int) {
    attr_set_ints(&attr, kept_ints(d, &s.ints), s.ints.count);
  } else {
    double *floats = arena_alloc(d->g->arena, s.ints.count * sizeof *floats + 1);
    memcpy(floats, s.ints.values, s.ints.count * sizeof *floats);
    attr_set_floats(&attr, floats, s.ints.count);
  }
  return add(d, attr, begin);
}

// --- dictionaries
uint32_t decode_attrs(graph_decoder *d) {
  json_slice key;
  uint32_t mark = d->entry_count;
  if (cursor_word(&d->c, "null") || !decode_object(d)) return 0;
  while (decode_key(d, &key)) {
    name_id name = decode_seen(d, key)->name;
    attr_id value = decode_attr(d);
    if (value == ATTR_NONE) continue;
    if (d->entry_count == d->entry_cap) {
      d->entries = arena_grow(d->g->arena, d->entries, d->entry_count, (size_t)d->entry_count + 1,
                              &d->entry_cap, sizeof *d->entries);
    }
    d->entries[d->entry_count++] = (attr_entry){name, value};
  }
  assert(d->entry_count >= mark);
  return d->entry_count - mark;
}

static attr_id decode_dict_named(graph_decoder *d, name_id text) {
  uint32_t begin = decode_here(d).begin;
  uint32_t count = decode_attrs(d);
  assert(count <= d->entry_count);
  d->entry_count -= count;
  graph_attr attr = blank(ATTR_DICT);
  attr.text = text;
  attr_entry *entries = arena_alloc(d->g->arena, count * sizeof *entries + 1);
  if (count) memcpy(entries, d->entries + d->entry_count, count * sizeof *entries);
  attr_set_entries(&attr, entries, count);
  return add(d, attr, begin);
}

attr_id decode_attr_dict(graph_decoder *d) { return decode_dict_named(d, NAME_NONE); }

// --- objects
static const json_slice FORMS[] = {{"dense", 5},  {"int", 3},  {"float", 5},  {"type", 4},
                                   {"symbol", 6}, {"enum", 4}, {"opaque", 6}, {"dict", 4}};
enum {
  FORM_DENSE,
  FORM_INT,
  FORM_FLOAT,
  FORM_TYPE,
  FORM_SYMBOL,
  FORM_ENUM,
  FORM_OPAQUE,
  FORM_DICT,
  FORM_DIALECT,
  FORM_COUNT,
  FORM_NONE
};

static unsigned form_of(json_slice key) {
  if (key.length > 1 && key.text[0] == '#') return FORM_DIALECT;
  for (unsigned i = 0; i < FORM_DIALECT; i++) {
    if (key.length == FORMS[i].length && text_equals(key.text, FORMS[i].text, key.length)) return i;
  }
  return FORM_NONE;
}

// Inspects the keys of the object at the cursor, without consuming it. at[form]: where the value of that key is.
// Values are only skipped when the first key could be a form's, so that plain dictionaries are read once. *after: the
// end of the object, where it is a form.
static unsigned recognise(graph_decoder *d, const char **at, json_slice *dialect,
                          const char **after) {
  json_cursor c = cursor_at(&d->c, d->c.at);
  unsigned form = FORM_NONE, keys = 0;
  bool typed = false;
  json_slice key;
  if (!cursor_enter(&c, '{')) return FORM_NONE;
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    unsigned f = form_of(key);
    if (f == FORM_NONE || ++keys > 2) return FORM_NONE;
    at[f] = c.at;
    if (f == FORM_DIALECT) *dialect = key;
    if (f == FORM_TYPE) {
      typed = true;
    } else if (form != FORM_NONE) {
      return FORM_NONE;
    } else {
      form = f;
    }
    cursor_skip(&c);
  }
  if (c.failed) return FORM_NONE;
  *after = c.at;
  if (form == FORM_NONE) return typed ? FORM_TYPE : FORM_NONE;
  // A type goes with the first three; dense cannot be without.
  if (typed ? form > FORM_FLOAT : form == FORM_DENSE) return FORM_NONE;
  return form;
}

static attr_id decode_form(graph_decoder *d, unsigned form, bool typed, const char *const *at,
                           json_slice dialect) {
  assert(d->depth <= GRAPH_JSON_DEPTH);
  uint32_t begin = decode_here(d).begin;
  // The key's position in the path while its value is read.
  if (d->depth == GRAPH_JSON_DEPTH) {
    decode_expected(d, "fewer levels of attributes");
    return ATTR_NONE;
  }
  path_step *step = &d->path[d->depth++];
  *step = (path_step){.key = {"type", 4}};
  type_id type = TYPE_NONE;
  attr_id attr = ATTR_NONE;
  if (typed) {
    d->c.at = at[FORM_TYPE];
    type = decode_type(d);
    if (type != TYPE_NONE && form == FORM_TYPE) {
      graph_attr a = blank(ATTR_TYPE);
      a.type = type;
      attr = add(d, a, begin);
    }
  }
  if (form != FORM_TYPE) {
    assert(form < FORM_COUNT && at[form]);
    d->c.at = at[form];
    step->key = form == FORM_DIALECT ? dialect : FORMS[form];
  }
  switch (form) {
  case FORM_DENSE: attr = decode_dense(d, type, begin); break;
  case FORM_INT: attr = decode_number(d, type, false); break;
  case FORM_FLOAT: attr = decode_number(d, type, true); break;
  case FORM_SYMBOL: attr = add_text(d, ATTR_SYMBOL, begin); break;
  case FORM_ENUM: attr = add_text(d, ATTR_ENUM, begin); break;
  case FORM_OPAQUE: attr = add_text(d, ATTR_OPAQUE, begin); break;
  case FORM_DICT: attr = decode_attr_dict(d); break;
  case FORM_DIALECT:
    attr = decode_dict_named(
        d, decode_seen(d, (json_slice){dialect.text + 1, dialect.length - 1})->name);
    break;
  default: break;
  }
  d->depth--;
  return attr;
}

static attr_id decode_object_attr(graph_decoder *d) {
  const char *at[FORM_COUNT] = {NULL};
  json_slice dialect = {0};
  const char *after = NULL;
  unsigned form = recognise(d, at, &dialect, &after);
  if (form == FORM_NONE) return decode_attr_dict(d);
  assert(after && form < FORM_COUNT);
  attr_id attr = decode_form(d, form, at[FORM_TYPE] != NULL, at, dialect);
  if (!d->c.failed) d->c.at = after;
  return attr;
}

static attr_id decode_attr(graph_decoder *d) {
  uint32_t begin = decode_here(d).begin;
  bool truth;
  switch (cursor_peek(&d->c)) {
  case '{': return decode_object_attr(d);
  case '[': return decode_list(d);
  case '"': return add_text(d, ATTR_STRING, begin);
  case 't':
  case 'f':
    if (!decode_bool(d, &truth)) return ATTR_NONE;
    return add_int(d, ATTR_BOOL, truth, TYPE_NONE, begin);
  case 'n':
    if (!cursor_word(&d->c, "null")) break;
    return add(d, blank(ATTR_UNIT), begin);
  default: return decode_number(d, TYPE_NONE, false);
  }
  decode_expected(d, "an attribute");
  return ATTR_NONE;
}
