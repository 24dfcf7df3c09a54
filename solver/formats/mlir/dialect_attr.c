// SPDX-License-Identifier: Apache-2.0
// #dialect.name<...>, #dialect<name ...> and #alias. What the body holds is found by inspecting it: entries make a DICT,
// one word an ENUM, the picture of a convolution a DICT, and anything else is kept as text.
#include <assert.h>

#include "solver/formats/mlir/parser.h"

// --- [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f] (StableHLO, printConvolutionDimensions)

enum { MAX_SPATIAL = 64 };

typedef struct conv_part {
  char first_word, second_word;  // 'b' 'f', or 'i' 'o' for the kernel
  mlir_key first, second, spatial;
} conv_part;

// '?' is a dimension that has no role.
static bool conv_label(mlir_parser *p, const conv_part *part, int64_t position, int64_t roles[2],
                       int64_t *spatial, uint32_t *count) {
  const char *from = (mlir_skip(p), p->at);
  char c = mlir_peek(p);
  if (c == '?') {
    p->at++;
    return true;
  }
  if (mlir_is_digit(c)) {
    int64_t label;
    if (!mlir_int(p, &label)) return false;
    if (label >= MAX_SPATIAL || spatial[label] >= 0) {
      return mlir_wrong(p, from, p->at, "unexpected spatial dimension %lld", (long long)label);
    }
    spatial[label] = position;
    ++*count;
    return true;
  }
  mlir_word word;
  bool known = mlir_word_here(p, &word) && word.length == 1;
  int which = known && word.text[0] == part->second_word;
  if (!known || (!which && word.text[0] != part->first_word) || roles[which] >= 0) {
    p->at = from;
    char what[] = "'b', 'f' or a number";
    what[1] = part->first_word;
    what[6] = part->second_word;
    return mlir_expected(p, what);
  }
  roles[which] = position;
  return true;
}

static bool conv_one(mlir_parser *p, const conv_part *part) {
  int64_t roles[2] = {-1, -1}, spatial[MAX_SPATIAL], position = 0;
  uint32_t count = 0;
  const char *from = (mlir_skip(p), p->at);
  for (int i = 0; i < MAX_SPATIAL; i++) spatial[i] = -1;
  if (!mlir_expect(p, '[')) return false;
  while (!mlir_accept(p, ']')) {
    if (position && !mlir_expect(p, ',')) return false;
    if (!conv_label(p, part, position++, roles, spatial, &count)) return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (spatial[i] < 0) {
      return mlir_wrong(p, from, p->at, "spatial dimension %u is missing", i);
    }
  }
  if (roles[0] < 0 || roles[1] < 0) {
    return mlir_wrong(p, from, p->at, "dimension '%c' is missing",
                      roles[0] < 0 ? part->first_word : part->second_word);
  }
  int64_t *kept = arena_alloc(p->g->arena, count * sizeof *kept);
  if (count) memcpy(kept, spatial, count * sizeof *kept);
  mlir_push_key(p, part->first, mlir_make_int(p, roles[0], DTYPE_I64, from));
  mlir_push_key(p, part->second, mlir_make_int(p, roles[1], DTYPE_I64, from));
  mlir_push_key(p, part->spatial, mlir_make_ints(p, kept, count, from));
  return true;
}

bool mlir_conv_dims(mlir_parser *p, const char *dialect, attr_id *out) {
  static const conv_part PARTS[3] = {
      {'b', 'f', KEY_input_batch_dimension, KEY_input_feature_dimension,
       KEY_input_spatial_dimensions},
      {'i', 'o', KEY_kernel_input_feature_dimension, KEY_kernel_output_feature_dimension,
       KEY_kernel_spatial_dimensions},
      {'b', 'f', KEY_output_batch_dimension, KEY_output_feature_dimension,
       KEY_output_spatial_dimensions},
  };
  const char *from = (mlir_skip(p), p->at);
  uint32_t first = p->stacks.entries.count;
  bool ok = conv_one(p, &PARTS[0]) && mlir_expect(p, 'x') && conv_one(p, &PARTS[1]) &&
            (mlir_accept_arrow(p) || mlir_expected(p, "'->'")) && conv_one(p, &PARTS[2]);
  if (ok)
    *out = mlir_make_dict(p, dialect, p->stacks.entries.items + first,
                          p->stacks.entries.count - first, from);
  p->stacks.entries.count = first;
  return ok;
}

// --- the body of a dialect attribute

static const char *joined_name(mlir_parser *p, mlir_word dialect, mlir_word name) {
  shape_strbuf buf;
  strbuf_init(&buf, p->g->arena);
  strbuf_add(&buf, dialect.text, dialect.length);
  if (name.length) strbuf_putc(&buf, '.');
  strbuf_add(&buf, name.text, name.length);
  return strbuf_text(&buf);
}

static bool entries_body(mlir_parser *p, const char *name, const char *from, attr_id *out) {
  uint32_t first = p->stacks.entries.count;
  bool ok = mlir_key_values(p, '>');
  if (ok)
    *out = mlir_make_dict(p, name, p->stacks.entries.items + first, p->stacks.entries.count - first,
                          from);
  p->stacks.entries.count = first;
  return ok;
}

static bool is_conv(mlir_word name) {
  return mlir_word_is(name, "stablehlo.conv") || mlir_word_is(name, "mhlo.conv");
}

// After the '<'. False, in silence or not, when the body is none of the known forms.
static bool known_body(mlir_parser *p, mlir_word name, const char *from, attr_id *out) {
  const mlir_word none = {NULL, 0};
  if (mlir_peek(p) == '[' && is_conv(name)) {
    return mlir_conv_dims(p, joined_name(p, name, none), out) && mlir_expect(p, '>');
  }
  const char *body = p->at;
  mlir_word word, second;
  if (!mlir_word_here(p, &word)) return false;
  if (mlir_peek(p) == '=') {
    p->at = body;
    return entries_body(p, joined_name(p, name, none), from, out);
  }
  if (mlir_accept(p, '>')) {
    *out = mlir_make_text(p, ATTR_ENUM, intern_add(&p->g->names, word.text, word.length), from);
    return true;
  }
  const char *rest = p->at;
  if (!mlir_word_here(p, &second)) return false;
  if (mlir_peek(p) == '=') {
    p->at = rest;
    bool raw = mlir_word_is(word, "raw");
    return entries_body(p, joined_name(p, name, raw ? none : word), from, out);
  }
  if (!mlir_accept(p, '>')) return false;
  *out = mlir_make_text(p, ATTR_ENUM, intern_add(&p->g->names, second.text, second.length), from);
  return true;
}

// The attributes that rules read, with the entries that they may have (StablehloAttrs.td).
typedef struct struct_row {
  const char *name;
  const char *entries[10];
} struct_row;

static const struct_row STRUCTS[] = {
    {"dot",
     {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
      "rhs_contracting_dimensions"}},
    {"gather",
     {"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
      "start_index_map", "index_vector_dim"}},
    {"scatter",
     {"update_window_dims", "inserted_window_dims", "input_batching_dims",
      "scatter_indices_batching_dims", "scatter_dims_to_operand_dims", "index_vector_dim"}},
    {"conv",
     {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions",
      "kernel_input_feature_dimension", "kernel_output_feature_dimension",
      "kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension",
      "output_spatial_dimensions"}},
};

static const struct_row *struct_of(mlir_word name) {
  static const char *const DIALECTS[] = {"stablehlo.", "mhlo."};
  for (unsigned d = 0; d < 2; d++) {
    uint32_t length = (uint32_t)strlen(DIALECTS[d]);
    if (name.length <= length || memcmp(name.text, DIALECTS[d], length) != 0) continue;
    mlir_word rest = {name.text + length, name.length - length};
    for (unsigned i = 0; i < sizeof STRUCTS / sizeof *STRUCTS; i++) {
      if (mlir_word_is(rest, STRUCTS[i].name)) return &STRUCTS[i];
    }
  }
  return NULL;
}

static bool check_entries(mlir_parser *p, const struct_row *row, attr_id dict) {
  assert(dict < p->g->attributes.count);
  uint32_t count;
  const attr_entry *entries = attr_entries(&p->g->attributes.items[dict], &count);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = intern_text(&p->g->names, entries[i].name);
    bool known = false;
    for (unsigned k = 0; row->entries[k]; k++) known |= strcmp(name, row->entries[k]) == 0;
    if (known) continue;
    source_span span = p->g->attributes.items[entries[i].value].span;
    return mlir_wrong(p, p->text + span.begin, p->text + span.end,
                      "unexpected entry '%s' in #stablehlo.%s", name, row->name);
  }
  return true;
}

static bool struct_body(mlir_parser *p, mlir_word name, const struct_row *row, const char *from,
                        attr_id *out) {
  uint32_t errors = p->g->diags.errors;
  if (mlir_accept(p, '>')) {
    *out = mlir_make_dict(p, joined_name(p, name, (mlir_word){NULL, 0}), NULL, 0, from);
    return true;
  }
  if (known_body(p, name, from, out)) return check_entries(p, row, *out);
  return errors != p->g->diags.errors ? false : mlir_expected(p, "the entries of the attribute");
}

// A body that the solver reads must be right; any other may be what it likes. Each level gives up at most once and
// then only skips, so the cost is the length times the depth of nesting at worst.
static bool body_of(mlir_parser *p, mlir_word name, const char *from, attr_id *out) {
  const char *open = p->at++;
  uint32_t entries = p->stacks.entries.count;
  const struct_row *row = struct_of(name);
  if (!mlir_enter(p)) return false;
  p->errors.quiet += !row;
  bool ok = row ? struct_body(p, name, row, from, out) : known_body(p, name, from, out);
  p->errors.quiet -= !row;
  mlir_leave(p);
  if (ok || row || p->errors.stop) return ok;
  p->stacks.entries.count = entries;
  p->at = open;
  if (!mlir_skip_balanced(p)) return false;
  *out = mlir_new_attr(p, ATTR_OPAQUE, from);
  return true;
}

bool mlir_dialect_attr(mlir_parser *p, attr_id *out) {
  const char *from = p->at++;  // '#'
  mlir_word name;
  if (!mlir_suffix_id(p, &name)) return mlir_expected(p, "an attribute name after '#'");
  if (mlir_char(p, 0) == '<') {
    if (!body_of(p, name, from, out)) return false;
    uint8_t kind = p->g->attributes.items[*out].kind;
    if (mlir_peek(p) != ':' || (kind != ATTR_OPAQUE && kind != ATTR_ENUM)) return true;
    // #dialect.attr<...> : type, where the writer gave one.
    const char *colon = p->at++;
    uint32_t quiet = p->errors.quiet;
    type_id type;
    p->errors.quiet++;
    if (!mlir_type_follows(p) || !mlir_type(p, &type)) p->at = colon;
    p->errors.quiet = quiet;
    return true;
  }
  if (memchr(name.text, '.', name.length)) {
    *out = mlir_new_attr(p, ATTR_OPAQUE, from);
    return true;
  }
  name_id id = intern_find(&p->g->names, name.text, name.length);
  if (id != NAME_NONE && imap_get(&p->declared.attr_aliases, id, out)) return true;
  if (p->recovery.outside) {  // its line may be one with an error
    *out = mlir_new_attr(p, ATTR_OPAQUE, from);
    return true;
  }
  return mlir_wrong(p, from, p->at, "undefined attribute alias '#%.*s'", (int)name.length,
                    name.text);
}
