// SPDX-License-Identifier: Apache-2.0
// Attributes of stablehlo, chlo and vhlo, by the forms of codes.def.
#include <assert.h>

#include "solver/formats/bytecode/reader.h"

static void put_word(bc_cursor *c, shape_strbuf *out, unsigned which) {
  size_t at = bc_offset(c);
  uint64_t value = bc_varint(c);
  const char *word = bc_enum_word(which, value);
  if (!word) {
    bc_fail(c->r, at,
            "expected a value of the enumeration, found %llu: it may be of a newer release",
            (unsigned long long)value);
    return;
  }
  strbuf_puts(out, word);
}

static uint32_t put_ints(bc_cursor *c, shape_strbuf *out, bool bounds) {
  uint32_t count = bc_count(c, "numbers");
  for (uint32_t i = 0; i < count && !c->r->failed; i++) {
    if (i) strbuf_puts(out, ", ");
    int64_t value = bc_svarint(c);
    if (bounds && value == INT64_MIN) {
      strbuf_putc(out, '?');
    } else {
      strbuf_int(out, value);
    }
  }
  return count;
}

// --- [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]

enum { CONV_RANK = 64 };

// Labels by position, or false where the numbers are no permutation.
static bool put_conv_part(shape_strbuf *out, const int64_t *roles, const char *words,
                          const int64_t *spatial, uint32_t count) {
  assert(strlen(words) == 2);
  int64_t labels[CONV_RANK];
  uint32_t rank = count + 2;
  if (rank > CONV_RANK) return false;
  for (uint32_t i = 0; i < rank; i++) labels[i] = INT64_MIN;
  for (uint32_t i = 0; i < rank; i++) {
    int64_t at = i < 2 ? roles[i] : spatial[i - 2];
    if (at < 0 || at >= rank || labels[at] != INT64_MIN) return false;
    labels[at] = i < 2 ? -1 - (int64_t)i : (int64_t)i - 2;
  }
  strbuf_putc(out, '[');
  for (uint32_t i = 0; i < rank; i++) {
    if (i) strbuf_puts(out, ", ");
    if (labels[i] < 0) {
      strbuf_putc(out, words[-1 - labels[i]]);
    } else {
      strbuf_int(out, labels[i]);
    }
  }
  strbuf_putc(out, ']');
  return true;
}

static const int64_t *read_ints(bc_cursor *c, uint32_t *count) {
  *count = bc_count(c, "numbers");
  int64_t *made = arena_alloc(c->r->arena, ((size_t)*count + 1) * sizeof *made);
  for (uint32_t i = 0; i < *count; i++) made[i] = bc_svarint(c);
  return made;
}

void bc_put_conv(shape_strbuf *out, const int64_t roles[3][2], const int64_t *const spatial[3],
                 const uint32_t counts[3]) {
  static const char *const WORDS[] = {"bf", "io", "bf"};
  static const char *const NAMES[3][3] = {
      {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"},
      {"kernel_input_feature_dimension", "kernel_output_feature_dimension",
       "kernel_spatial_dimensions"},
      {"output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"}};
  uint32_t begin = out->length;
  strbuf_puts(out, "#stablehlo.conv<");
  bool ok = true;
  for (int i = 0; i < 3 && ok; i++) {
    if (i) strbuf_puts(out, i == 1 ? "x" : "->");
    ok = put_conv_part(out, roles[i], WORDS[i], spatial[i], counts[i]);
  }
  if (!ok) {
    out->length = begin;
    strbuf_puts(out, "#stablehlo.conv<raw ");
    for (int i = 0; i < 3; i++) {
      strbuf_printf(out, "%s%s = %lld, %s = %lld, %s = [", i ? ", " : "", NAMES[i][0],
                    (long long)roles[i][0], NAMES[i][1], (long long)roles[i][1], NAMES[i][2]);
      for (uint32_t k = 0; k < counts[i]; k++) {
        if (k) strbuf_puts(out, ", ");
        strbuf_int(out, spatial[i][k]);
      }
      strbuf_putc(out, ']');
    }
  }
  strbuf_putc(out, '>');
}

static void put_conv(bc_cursor *c, shape_strbuf *out) {
  int64_t roles[3][2];
  const int64_t *spatial[3];
  uint32_t counts[3];
  for (int i = 0; i < 3; i++) {
    roles[i][0] = bc_svarint(c);
    roles[i][1] = bc_svarint(c);
    spatial[i] = read_ints(c, &counts[i]);
  }
  if (!c->r->failed) bc_put_conv(out, roles, spatial, counts);
}

// --- forms

// Whether `lists` lists and a number fill what is left: writers before the batching dims wrote fewer lists.
static bool lists_fill(bc_cursor c, unsigned lists) {
  bytecode_error unused;
  bc_reader *r = c.r, scratch = *r;
  scratch.error = &unused;
  c.r = &scratch;
  for (unsigned i = 0; i < lists; i++) {
    uint32_t count = bc_count(&c, "numbers");
    for (uint32_t k = 0; k < count; k++) bc_varint(&c);
  }
  bc_varint(&c);
  return !scratch.failed && c.at == c.end;
}

static void put_optional(bc_cursor *c, shape_strbuf *out, char how) {
  size_t at = bc_offset(c);
  uint32_t attr = BC_NONE;
  if (how == 'O') {
    attr = bc_optional_attr(c);
  } else {
    uint64_t flag = how == 'o' ? bc_byte(c) : bc_varint(c);
    if (flag > 1)
      bc_fail(c->r, at, "expected a flag of 0 or 1, found %llu", (unsigned long long)flag);
    if (flag == 1) attr = bc_attr(c);
  }
  if (attr == BC_NONE || c->r->failed) return;
  bc_slice text = bc_attr_text(c->r, attr);
  static const char SUB[] = "#stablehlo.sub_axis_info<";
  bool sub = text.length > sizeof SUB && memcmp(text.text, SUB, sizeof SUB - 1) == 0;
  if (sub) {
    text = (bc_slice){text.text + sizeof SUB - 1, text.length - (uint32_t)sizeof SUB};
    strbuf_puts(out, ", sub_axis_info = ");
  } else {
    strbuf_puts(out, ", device_ids = ");
  }
  strbuf_add(out, text.text, text.length);
}

static void put_flag(bc_cursor *c, shape_strbuf *out, uint64_t flag, size_t at) {
  if (flag > 1)
    bc_fail(c->r, at, "expected a boolean of 0 or 1, found %llu", (unsigned long long)flag);
  strbuf_puts(out, flag ? "true" : "false");
}

static void put_mesh(bc_cursor *c, shape_strbuf *out) {
  bc_slice name;
  uint32_t attr = bc_attr(c);
  if (!c->r->failed && bc_string_attr(c->r, attr, &name)) {
    bc_put_symbol(out, name);
  } else {
    bc_put_attr(c->r, out, attr);
  }
}

static uint32_t put_list(bc_cursor *c, shape_strbuf *out) {
  strbuf_putc(out, '[');
  uint32_t count = put_ints(c, out, false);
  strbuf_putc(out, ']');
  return count;
}

// One field; false in *some where it is an empty list.
static void put_field(bc_cursor *c, shape_strbuf *out, const char **form, bool *some) {
  size_t at = bc_offset(c);
  char kind = *(*form)++;
  switch (kind) {
  case 's': strbuf_int(out, bc_svarint(c)); break;
  case 'L': *some = put_list(c, out) > 0; break;
  case 'B': put_ints(c, out, true); break;
  case 't': bc_put_type(c->r, out, bc_type(c)); break;
  case 'a': bc_put_attr(c->r, out, bc_attr(c)); break;
  case 'A': bc_put_attr_list(c, out); break;
  case 'd': bc_put_real(c, out); break;
  case 'q': bc_put_quoted(out, bc_string(c)); break;
  case 'b': put_flag(c, out, bc_byte(c), at); break;
  case 'V': put_flag(c, out, bc_varint(c), at); break;
  case 'o':
  case 'O':
  case 'f': put_optional(c, out, kind); break;
  case 'm': put_mesh(c, out); break;
  case 'e': put_word(c, out, (unsigned)(*(*form)++ - '0')); break;
  case 'C': put_conv(c, out); break;
  case 'D': bc_put_dictionary(c, out); break;
  case 'F': bc_typed_float(c, out); break;
  case 'I': bc_typed_int(c, out); break;
  default: bc_dense(c, out, true); break;
  }
}

// The entries of a form, one at a time.
typedef struct entries {
  uint32_t begin, written;
  bool inside, droppable, some;
} entries;

static void begin_entry(entries *e, shape_strbuf *out, const char **form) {
  e->begin = out->length;
  e->inside = true;
  e->some = true;
  e->droppable = **form == '?';
  *form += e->droppable;
  if (e->written) strbuf_puts(out, ", ");
}

static void end_entry(entries *e, shape_strbuf *out) {
  assert(e->inside && e->begin <= out->length);
  if (e->droppable && !e->some) {
    out->length = e->begin;
  } else {
    e->written++;
  }
}

static void put_form(bc_cursor *c, shape_strbuf *out, const char *form) {
  entries e = {0};
  while (*form && !c->r->failed) {
    char ch = *form++;
    if (ch == '%') {
      put_field(c, out, &form, &e.some);
    } else if (ch == '<' && !e.inside) {
      strbuf_putc(out, ch);
      begin_entry(&e, out, &form);
    } else if (ch == '|') {
      end_entry(&e, out);
      begin_entry(&e, out, &form);
    } else {
      if (ch == '>' && !*form) end_entry(&e, out);
      strbuf_putc(out, ch);
    }
  }
}

void bc_coded_attr(bc_cursor *c, shape_strbuf *out, const char *dialect) {
  size_t at = bc_offset(c);
  uint64_t code = bc_varint(c);
  if (c->r->failed) return;
  unsigned count;
  const bc_code_row *rows = bc_code_rows(&count);
  for (unsigned i = 0; i < count; i++) {
    if (rows[i].code != code || strcmp(rows[i].dialect, dialect) != 0) continue;
    const char *form = rows[i].form;
    if (form[0] == '%' && form[1] == '5') {
      if (!lists_fill(*c, 5)) continue;
      form += 2;
    }
    put_form(c, out, form);
    return;
  }
  bc_fail(c->r, at, "the dialect %s has no attribute %llu: it may be of a newer release", dialect,
          (unsigned long long)code);
}
