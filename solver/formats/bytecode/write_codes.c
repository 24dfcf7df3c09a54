// SPDX-License-Identifier: Apache-2.0
// Attributes of stablehlo, chlo and vhlo from their text, by the forms of codes.def with which the reader writes it.
#include "solver/formats/bytecode/writer.h"

enum { ENTRIES_MAX = 16, CONV_RANK = 64 };

// --- lists of numbers

// 1, 2, ? with `none` for a question mark, where that may be.
static bool put_ints(bytecode_writer *w, bc_slice list, bool bounds, shape_strbuf *out) {
  bw_cursor c = bw_open(list);
  shape_strbuf items;
  uint32_t count = 0;
  strbuf_init(&items, w->arena);
  for (; bw_peek(&c); count++) {
    int64_t value = INT64_MIN;
    if (!(bounds && bw_accept(&c, "?")) && !bw_int(bw_word(&c), &value)) return false;
    bw_svarint(&items, value);
    if (!bw_accept(&c, ",") && bw_peek(&c)) return false;
  }
  bw_varint(out, count);
  strbuf_add(out, items.data, items.length);
  return true;
}

static bool is_list(bc_slice text) {
  return text.length > 1 && text.text[0] == '[' && text.text[text.length - 1] == ']';
}

static bool put_attrs(bytecode_writer *w, bc_slice text, shape_strbuf *out) {
  shape_strbuf items;
  uint32_t count = 0;
  if (!is_list(text)) return false;
  strbuf_init(&items, w->arena);
  bw_cursor c = bw_open(bw_inside(text, 1));
  for (bc_slice item; bw_next_item(&c, &item) && !w->failed; count++) {
    if (!item.length) return false;
    bw_varint(&items, bw_attr(w, item));
  }
  bw_varint(out, count);
  strbuf_add(out, items.data, items.length);
  return true;
}

// --- [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]

static bool conv_part(shape_arena *arena, bw_cursor *c, const char *words, int64_t *roles,
                      const int64_t **spatial, uint32_t *count) {
  int64_t *made = arena_alloc(arena, CONV_RANK * sizeof *made);
  uint32_t at = 0;
  assert(strlen(words) == 2);
  roles[0] = roles[1] = -1;
  for (uint32_t i = 0; i < CONV_RANK; i++) made[i] = -1;
  if (!bw_accept(c, "[")) return false;
  for (; bw_peek(c) != ']'; at++) {
    bc_slice word = bw_word(c);
    int64_t label;
    if (word.length == 1 && (word.text[0] == words[0] || word.text[0] == words[1])) {
      roles[word.text[0] == words[1]] = at;
    } else if (bw_int(word, &label) && label >= 0 && label < CONV_RANK && made[label] < 0) {
      made[label] = at;
    } else {
      return false;
    }
    if (!bw_accept(c, ",") && bw_peek(c) != ']') return false;
  }
  if (at < 2 || at > CONV_RANK || roles[0] < 0 || roles[1] < 0) return false;
  *count = at - 2;
  *spatial = made;
  for (uint32_t i = 0; i < *count; i++) {
    if (made[i] < 0) return false;
  }
  return bw_accept(c, "]");
}

// What is no permutation: input_batch_dimension = 0, ..., in the order of the parts.
static bool conv_raw(bytecode_writer *w, bw_cursor *c, int64_t roles[3][2],
                     const int64_t *spatial[3], uint32_t counts[3]) {
  bw_entry entry;
  for (int i = 0; i < 9; i++) {
    if (!bw_next_entry(w, c, &entry)) return false;
    if (i % 3 < 2) {
      if (!bw_int(entry.value, &roles[i / 3][i % 3])) return false;
      continue;
    }
    int64_t *made = arena_alloc(w->arena, CONV_RANK * sizeof *made);
    bw_cursor list = bw_open(bw_inside(entry.value, 1));
    uint32_t count = 0;
    for (; bw_peek(&list); count++) {
      if (count == CONV_RANK || !bw_int(bw_word(&list), &made[count])) return false;
      bw_accept(&list, ",");
    }
    spatial[i / 3] = made;
    counts[i / 3] = count;
  }
  return !bw_peek(c);
}

bool bw_conv(bytecode_writer *w, bc_slice text, int64_t roles[3][2], const int64_t *spatial[3],
             uint32_t counts[3]) {
  static const char HEAD[] = "#stablehlo.conv<";
  static const char *const WORDS[] = {"bf", "io", "bf"}, *const BEFORE[] = {"", "x", "->"};
  if (!bc_begins(text, HEAD)) return false;
  bw_cursor c = bw_open(bw_inside(text, sizeof HEAD - 1));
  if (bw_accept(&c, "raw")) return conv_raw(w, &c, roles, spatial, counts);
  for (int i = 0; i < 3; i++) {
    if (!bw_accept(&c, BEFORE[i]) ||
        !conv_part(w->arena, &c, WORDS[i], roles[i], &spatial[i], &counts[i]))
      return false;
  }
  return !bw_peek(&c);
}

static bool put_conv(bytecode_writer *w, bc_slice text, shape_strbuf *out) {
  int64_t roles[3][2];
  const int64_t *spatial[3];
  uint32_t counts[3];
  if (!bw_conv(w, text, roles, spatial, counts)) return false;
  for (int i = 0; i < 3; i++) {
    bw_svarint(out, roles[i][0]);
    bw_svarint(out, roles[i][1]);
    bw_varint(out, counts[i]);
    for (uint32_t k = 0; k < counts[i]; k++) bw_svarint(out, spatial[i][k]);
  }
  return true;
}

// --- fields

static bool put_word(bc_slice word, unsigned which, shape_strbuf *out) {
  enum { MOST = 16 };
  for (uint64_t value = 0; value < MOST; value++) {
    const char *text = bc_enum_word(which, value);
    if (!text || !bc_is(word, text)) continue;
    bw_varint(out, value);
    return true;
  }
  return false;
}

// An attribute that may be absent, with a byte, a varint or a flag that says whether it is there.
static bool put_optional(bytecode_writer *w, bc_slice text, char how, bool sub_axis,
                         shape_strbuf *out) {
  if (!text.length) {
    strbuf_putc(out, how == 'o' ? 0 : 1);  // the byte 0, or the varint 0
    return true;
  }
  if (sub_axis)
    text = bw_text(w->arena, "#stablehlo.sub_axis_info<%.*s>", (int)text.length, text.text);
  uint32_t attr = bw_attr(w, text);
  if (how == 'o') {
    strbuf_putc(out, 1);
  } else if (how == 'f') {
    bw_varint(out, 1);
  }
  if (how == 'O') {
    bw_flagged(out, attr, true);
  } else {
    bw_varint(out, attr);
  }
  return true;
}

// A field from its text; an empty one is what the attribute has where it says nothing.
static bool put_field(bytecode_writer *w, char kind, bc_slice text, shape_strbuf *out) {
  static const char MODE[] = "#stablehlo.result_accuracy_mode<DEFAULT>";
  int64_t value = 0;
  bool none = !text.length;
  switch (kind) {
  case 's':
    if (!none && !bw_int(text, &value)) return false;
    bw_svarint(out, value);
    return true;
  case 'L':
    return none ? (bw_varint(out, 0), true)
                : is_list(text) && put_ints(w, bw_inside(text, 1), false, out);
  case 'A': return none ? (bw_varint(out, 0), true) : put_attrs(w, text, out);
  case 'd': return bw_number(w, none ? (bc_slice){"0.0", 3} : text, (bc_slice){"f64", 3}, out);
  case 'b':
    if (!none && !bc_is(text, "true") && !bc_is(text, "false")) return false;
    strbuf_putc(out, bc_is(text, "true"));
    return true;
  case 't':
    if (none) return false;
    bw_varint(out, bw_type(w, text));
    return true;
  case 'a':
    bw_varint(out, bw_attr(w, none ? (bc_slice){MODE, sizeof MODE - 1} : text));
    return true;
  case 'm':
    if (none) return false;
    bw_varint(out, bw_attr(w, text));
    return true;
  case 'q':
    if (none || text.text[0] != '"') return false;
    bw_varint(out, bw_string(w, bw_unquote(w->arena, text)));
    return true;
  default: return false;
  }
}

// --- forms

static bc_slice value_of(const bw_entry *entries, uint32_t count, bc_slice key, uint32_t *used) {
  for (uint32_t i = 0; i < count; i++) {
    if (!bc_same(entries[i].key, key)) continue;
    ++*used;
    return entries[i].value;
  }
  return (bc_slice){"", 0};
}

// "?a = %L|b = %s%o": entries by their keys, in any order; none that is not in the form.
static bool put_struct(bytecode_writer *w, bc_slice form, bc_slice text, shape_strbuf *out) {
  bw_entry entries[ENTRIES_MAX];
  uint32_t count = 0, used = 0;
  bw_cursor c = bw_open(text);
  while (count < ENTRIES_MAX && bw_next_entry(w, &c, &entries[count])) count++;
  if (bw_peek(&c)) return false;
  assert(count <= ENTRIES_MAX);
  for (bw_cursor f = bw_open(form); f.at < f.end;) {
    if (*f.at == '?' || *f.at == '|' || *f.at == ',' || *f.at == ' ') {
      f.at++;
      continue;
    }
    bc_slice key = bw_word(&f);
    bw_accept(&f, "= %");
    char kind = *f.at++;
    if (!put_field(w, kind, value_of(entries, count, key, &used), out)) return false;
    if (f.end - f.at < 2 || f.at[0] != '%') continue;
    static const bc_slice SUB_AXIS = {"sub_axis_info", 13}, DEVICES = {"device_ids", 10};
    bool sub = bc_is(key, "name");
    bc_slice value = value_of(entries, count, sub ? SUB_AXIS : DEVICES, &used);
    if (!put_optional(w, value, f.at[1], sub, out)) return false;
    f.at += 2;
  }
  return used == count && !w->failed;
}

// "comparison_direction %e0", "(%s)%s", "%B"
static bool put_in_order(bytecode_writer *w, bc_slice form, bc_slice text, shape_strbuf *out) {
  bw_cursor c = bw_open(text);
  for (uint32_t i = 0; i < form.length; i++) {
    char ch = form.text[i];
    int64_t value;
    if (ch == ' ') continue;
    if (ch != '%') {
      char one[2] = {ch, 0};
      if (!bw_accept(&c, one)) return false;
    } else if (form.text[++i] == 'e') {
      if (!put_word(bw_word(&c), (unsigned)(form.text[++i] - '0'), out)) return false;
    } else if (form.text[i] == 's') {
      if (!bw_int(bw_word(&c), &value)) return false;
      bw_svarint(out, value);
    } else if (form.text[i] == 'B') {
      return put_ints(w, (bc_slice){c.at, (uint32_t)(c.end - c.at)}, true, out);
    } else {
      return false;
    }
  }
  return !bw_peek(&c);
}

static bool put_form(bytecode_writer *w, const bc_code_row *row, bc_slice text, shape_strbuf *out) {
  const char *form = row->form;
  if (strncmp(form, "%5", 2) == 0) form += 2;
  if (strcmp(form, "%C") == 0) return put_conv(w, text, out);
  const char *open = form[0] == '#' ? strchr(form, '<') : NULL;
  if (!open) return false;
  uint32_t head = (uint32_t)(open - form) + 1;
  if (text.length <= head || memcmp(text.text, form, head) != 0 ||
      text.text[text.length - 1] != '>')
    return false;
  bc_slice inner = {form + head, (uint32_t)strlen(form) - head - 1};
  bc_slice body = bw_inside(text, head);
  bool named = memchr(inner.text, '=', inner.length) != NULL;
  return named ? put_struct(w, inner, body, out) : put_in_order(w, inner, body, out);
}

bool bw_coded(bytecode_writer *w, bc_slice text, const char *dialect, uint32_t *attr) {
  unsigned count;
  const bc_code_row *rows = bc_code_rows(&count);
  for (unsigned i = 0; i < count && !w->failed; i++) {
    shape_strbuf out;
    if (strcmp(rows[i].dialect, dialect) != 0) continue;
    strbuf_init(&out, w->arena);
    bw_varint(&out, rows[i].code);
    if (!put_form(w, &rows[i], text, &out)) continue;
    if (w->vhlo && w->release < rows[i].since)
      return bw_refuse(w, "the attribute %.*s came with release %u.%u",
                       (int)(text.length < 60 ? text.length : 60), text.text, rows[i].since / 100,
                       rows[i].since % 100);
    *attr = bw_add_entry(w, &w->attrs, dialect, true, 0, &out);
    return true;
  }
  return false;
}

bool bw_api_version(bytecode_writer *w, bc_slice text, uint32_t *attr) {
  enum { CODE = 5, WORDS = 8 };
  shape_strbuf out;
  bw_cursor c = bw_open(text);
  strbuf_init(&out, w->arena);
  bw_varint(&out, CODE);
  if (!put_word(bw_word(&c), WORDS, &out) || !bw_accept(&c, ":") || !bc_is(bw_scan_type(&c), "i32"))
    return false;
  *attr = bw_add_entry(w, &w->attrs, "vhlo", true, 0, &out);
  return true;
}
