// SPDX-License-Identifier: Apache-2.0
// Operations of VHLO as the operations of StableHLO that they are a copy of, by the tables of vhlo.def. An older version of
// an operation lacks attributes that are the default in the newest one, and such are left out anyway; so upgrades need no
// step of their own, but for dynamic_conv, whose padding is an operand now.
#include <assert.h>

#include "solver/formats/bytecode/reader.h"

bc_slice vhlo_plain_name(bc_reader *r, const vhlo_op *op) {
  bc_slice base = vhlo_base(op);
  bool is_func = bc_is(base, "func"), is_call = bc_is(base, "call");
  if (is_func || is_call) return (bc_slice){is_func ? "func.func" : "func.call", 9};
  static const char HEAD[] = "stablehlo.";
  char *text = arena_alloc(r->arena, sizeof HEAD + base.length);
  memcpy(text, HEAD, sizeof HEAD - 1);
  memcpy(text + sizeof HEAD - 1, base.text, base.length);
  return (bc_slice){text, base.length + (uint32_t)sizeof HEAD - 1};
}

// --- attributes as data

// The number that follows the code of an attribute of vhlo.
static bool number_of(bc_reader *r, uint32_t attr, uint64_t *value) {
  uint64_t code;
  bc_cursor c;
  if (!bc_open_attr(r, attr, "vhlo", &code, &c) || !bc_left(&c)) return false;
  *value = bc_varint(&c);
  return !r->failed;
}

static bool integer_of(bc_reader *r, uint32_t attr, int64_t *value) {
  uint64_t code;
  bc_cursor c;
  if (!bc_open_attr(r, attr, "vhlo", &code, &c) || code != VHLO_INTEGER) return false;
  bc_element e = bc_element_of(bc_type_text(r, bc_type(&c)));
  if (r->failed || !e.bits || e.bits > 64) return false;
  *value = e.bits <= 8 ? (int8_t)bc_byte(&c) : bc_svarint(&c);
  return !r->failed;
}

static bool bool_of(bc_reader *r, uint32_t attr, bool *value) {
  uint64_t code, number = 0;
  bc_cursor c;
  bool found =
      bc_open_attr(r, attr, "vhlo", &code, &c) && code == VHLO_BOOL && number_of(r, attr, &number);
  *value = number != 0;
  return found;
}

static bool is_empty(bc_reader *r, uint32_t attr) {
  uint64_t code;
  bc_cursor c;
  bc_slice text;
  const int64_t *values;
  uint32_t count;
  bool splat;
  if (bc_string_attr(r, attr, &text)) return !text.length;
  if (!bc_open_attr(r, attr, "vhlo", &code, &c)) return false;
  if (code == VHLO_ARRAY || code == VHLO_DICT) return bc_varint(&c) == 0;
  return code == VHLO_TENSOR && bc_dense_ints(r, attr, &values, &count, &splat) && !count;
}

static bool is_splat(bc_reader *r, uint32_t attr, int64_t value) {
  const int64_t *values;
  uint32_t count;
  bool splat;
  return bc_dense_ints(r, attr, &values, &count, &splat) && splat && values[0] == value;
}

// A list of precisions that are all DEFAULT.
static bool all_default(bc_reader *r, uint32_t attr, bool or_none) {
  uint64_t code, word;
  bc_cursor c;
  if (!bc_open_attr(r, attr, "vhlo", &code, &c) || code != VHLO_ARRAY) return false;
  uint32_t count = bc_count(&c, "attributes");
  for (uint32_t i = 0; i < count; i++) {
    if (!number_of(r, bc_attr(&c), &word) || word) return false;
  }
  return count || or_none;
}

static bool no_accuracy(bc_reader *r, uint32_t attr) {
  uint64_t code, mode;
  bc_cursor c;
  if (!bc_open_attr(r, attr, "vhlo", &code, &c) || code != VHLO_ACCURACY) return false;
  bool none = bc_svarint(&c) == 0;
  none &= bc_svarint(&c) == 0;
  none &= bc_svarint(&c) == 0;
  return number_of(r, bc_attr(&c), &mode) && none && !mode;
}

// --- what is left out

static uint32_t find(const bc_attributes *list, const char *name) {
  for (uint32_t i = 0; i < list->count; i++) {
    if (bc_is(list->items[i].name, name)) return i;
  }
  return BC_NONE;
}

static uint32_t attr_named(const bc_attributes *list, const char *name) {
  uint32_t i = find(list, name);
  return i == BC_NONE ? BC_NONE : list->items[i].attr;
}

static bool is_default(bc_reader *r, const bc_attributes *all, drop_kind kind, uint32_t attr) {
  uint64_t number;
  int64_t integer;
  bool flag;
  switch (kind) {
  case ALWAYS: return true;
  case EMPTY: return is_empty(r, attr);
  case IS_FALSE: return bool_of(r, attr, &flag) && !flag;
  case IS_0: return integer_of(r, attr, &integer) && integer == 0;
  case IS_MINUS_1: return integer_of(r, attr, &integer) && integer == -1;
  case WORD_0: return number_of(r, attr, &number) && number == 0;
  case WORD_1: return number_of(r, attr, &number) && number == 1;
  case ALL_0: return is_splat(r, attr, 0);
  case ALL_1: return is_splat(r, attr, 1);
  case ALL_DEFAULT:
  case NONE_BUT_DEFAULT: return all_default(r, attr, kind == NONE_BUT_DEFAULT);
  case NO_ACCURACY: return no_accuracy(r, attr);
  case LAYOUTS:
    return is_empty(r, attr_named(all, "operand_layouts")) &&
           is_empty(r, attr_named(all, "result_layouts"));
  }
  return false;
}

static void drop_defaults(bc_reader *r, bc_slice op, bc_attributes *all) {
  unsigned rows;
  const vhlo_drop *drops = vhlo_drops(&rows);
  uint32_t kept = 0;
  bool *dropped = arena_zalloc(r->arena, (size_t)all->count + 1);
  for (uint32_t i = 0; i < all->count; i++) {
    for (unsigned k = 0; k < rows && !dropped[i]; k++) {
      if (!bc_is(all->items[i].name, drops[k].attribute) || !bc_has_word(drops[k].ops, op))
        continue;
      dropped[i] = is_default(r, all, drops[k].kind, all->items[i].attr);
    }
  }
  for (uint32_t i = 0; i < all->count; i++) {
    if (!dropped[i]) all->items[kept++] = all->items[i];
  }
  assert(kept <= all->count);
  all->count = kept;
}

// --- groups

// The entries of a group: numbers, lists of numbers, types, booleans.
static bool put_part(bc_reader *r, shape_strbuf *out, uint32_t attr) {
  const int64_t *values;
  uint32_t count;
  int64_t integer;
  bool splat;
  if (integer_of(r, attr, &integer)) {
    strbuf_int(out, integer);
  } else if (bc_dense_ints(r, attr, &values, &count, &splat)) {
    strbuf_putc(out, '[');
    for (uint32_t i = 0; i < count; i++) {
      if (i) strbuf_puts(out, ", ");
      strbuf_int(out, values[i]);
    }
    strbuf_putc(out, ']');
    return count > 0;
  } else {
    bc_put_attr(r, out, attr);
  }
  return true;
}

static bool is_none_type(bc_reader *r, uint32_t attr) {
  uint64_t code;
  bc_cursor c;
  return bc_open_attr(r, attr, "vhlo", &code, &c) && code == VHLO_TYPE &&
         bc_is(bc_attr_text(r, attr), "none");
}

static bool put_conv(bc_reader *r, shape_strbuf *out, const uint32_t parts[9]) {
  int64_t roles[3][2];
  const int64_t *spatial[3];
  uint32_t counts[3];
  bool splat, ok = true;
  for (int i = 0; i < 3; i++) {
    ok = ok && integer_of(r, parts[3 * i], &roles[i][0]) &&
         integer_of(r, parts[3 * i + 1], &roles[i][1]) &&
         bc_dense_ints(r, parts[3 * i + 2], &spatial[i], &counts[i], &splat);
  }
  if (ok) bc_put_conv(out, roles, spatial, counts);
  return ok;
}

enum { PARTS_MAX = 9 };

// Takes the parts out of the list. False: none of them is there.
static bool take_parts(bc_attributes *all, const char *names, uint32_t parts[PARTS_MAX],
                       bc_slice words[PARTS_MAX], unsigned *count) {
  bool any = false;
  *count = 0;
  for (const char *at = names; *at;) {
    size_t length = strcspn(at, " ");
    assert(*count < PARTS_MAX && length);
    words[*count] = (bc_slice){at, (uint32_t)length};
    parts[*count] = BC_NONE;
    for (uint32_t i = 0; i < all->count; i++) {
      bc_slice name = all->items[i].name;
      if (name.length != length || memcmp(name.text, at, length) != 0) continue;
      parts[*count] = all->items[i].attr;
      memmove(all->items + i, all->items + i + 1, (all->count - i - 1) * sizeof *all->items);
      all->count--;
      any = true;
      break;
    }
    ++*count;
    at += length;
    at += *at == ' ';
  }
  return any;
}

static bool put_channel(bc_reader *r, shape_strbuf *out, bc_slice op, const uint32_t *parts) {
  int64_t id = 0, type = 0;
  assert(parts[0] != BC_NONE || parts[1] != BC_NONE);
  integer_of(r, parts[0], &id);
  bool typed = parts[1] != BC_NONE && integer_of(r, parts[1], &type);
  if (!id && !typed && !bc_is(op, "send") && !bc_is(op, "recv")) return false;
  strbuf_printf(out, "#stablehlo.channel_handle<handle = %lld, type = %lld>", (long long)id,
                (long long)type);
  return true;
}

static bool put_group(bc_reader *r, shape_strbuf *out, bc_slice op, const vhlo_group *row,
                      const uint32_t *parts, const bc_slice *words, unsigned count) {
  if (strcmp(row->kind, "conv") == 0 && put_conv(r, out, parts)) return true;
  if (strcmp(row->kind, "channel_handle") == 0) return put_channel(r, out, op, parts);
  if (strcmp(row->kind, "dot_algorithm") == 0 && (parts[3] == BC_NONE || is_none_type(r, parts[3])))
    return false;
  strbuf_printf(out, "#stablehlo.%s<", row->kind);
  bool first = true;
  for (unsigned i = 0; i < count && !r->failed; i++) {
    if (parts[i] == BC_NONE) continue;
    uint32_t begin = out->length;
    strbuf_printf(out, "%s%.*s = ", first ? "" : ", ", (int)words[i].length, words[i].text);
    if (put_part(r, out, parts[i])) {
      first = false;
    } else {
      out->length = begin;
    }
  }
  strbuf_putc(out, '>');
  return true;
}

static bc_slice finished(shape_strbuf *out) {
  const char *text = strbuf_text(out);
  return (bc_slice){text, out->length};
}

static void put_groups(bc_reader *r, bc_slice op, bc_attributes *all) {
  unsigned rows;
  const vhlo_group *groups = vhlo_groups(&rows);
  for (unsigned g = 0; g < rows && !r->failed; g++) {
    const vhlo_group *row = &groups[g];
    uint32_t parts[PARTS_MAX];
    bc_slice words[PARTS_MAX];
    unsigned count;
    shape_strbuf out;
    if (!bc_has_word(row->ops, op) || !take_parts(all, row->parts, parts, words, &count)) continue;
    strbuf_init(&out, r->arena);
    if (!put_group(r, &out, op, row, parts, words, count)) continue;
    bc_slice name = {row->attribute, (uint32_t)strlen(row->attribute)};
    bc_add_attribute(r, all, (bc_attribute){name, BC_NONE, finished(&out), true});
  }
}

// --- the rest

static bool put_array(bc_reader *r, shape_strbuf *out, bc_slice name, uint32_t attr) {
  const int64_t *values;
  uint32_t count;
  bool splat, flags = bc_is(name, "window_reversal");
  if (!bc_dense_ints(r, attr, &values, &count, &splat)) return false;
  strbuf_puts(out, flags ? "array<i1" : "array<i64");
  for (uint32_t i = 0; i < count; i++) {
    strbuf_puts(out, i ? ", " : ": ");
    if (flags) {
      strbuf_puts(out, values[i] ? "true" : "false");
    } else {
      strbuf_int(out, values[i]);
    }
  }
  strbuf_putc(out, '>');
  return true;
}

static bool put_symbols(bc_reader *r, shape_strbuf *out, uint32_t attr) {
  bc_slice text;
  uint64_t code;
  bc_cursor c;
  if (bc_string_attr(r, attr, &text)) {
    bc_put_symbol(out, text);
    return true;
  }
  if (!bc_open_attr(r, attr, "vhlo", &code, &c) || code != VHLO_ARRAY) return false;
  uint32_t count = bc_count(&c, "attributes");
  strbuf_putc(out, '[');
  for (uint32_t i = 0; i < count && !r->failed; i++) {
    if (i) strbuf_puts(out, ", ");
    if (!bc_string_attr(r, bc_attr(&c), &text)) return false;
    bc_put_symbol(out, text);
  }
  strbuf_putc(out, ']');
  return true;
}

void vhlo_to_stablehlo(bc_reader *r, const vhlo_op *row, bc_attributes *all) {
  bc_slice op = vhlo_base(row);
  assert(op.length > 0);
  drop_defaults(r, op, all);
  put_groups(r, op, all);
  for (uint32_t i = 0; i < all->count && !r->failed; i++) {
    bc_attribute *item = &all->items[i];
    bool flag, done = false;
    shape_strbuf out;
    if (item->attr == BC_NONE || !item->inherent) continue;
    strbuf_init(&out, r->arena);
    if (vhlo_is_array(item->name)) {
      done = put_array(r, &out, item->name, item->attr);
    } else if (vhlo_is_symbol(op, item->name)) {
      done = put_symbols(r, &out, item->attr);
    } else if (vhlo_is_flag(item->name)) {
      done = bool_of(r, item->attr, &flag) && flag;
      if (done) strbuf_puts(&out, "unit");
    }
    if (!done) continue;
    item->attr = BC_NONE;
    item->text = finished(&out);
  }
}
