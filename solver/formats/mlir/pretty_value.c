// SPDX-License-Identifier: Apache-2.0
// The values after the words of pretty forms, as attributes of the generic form.
#include "solver/formats/mlir/pretty.h"

static bool ints_value(mlir_parser *p, mlir_key key) {
  const char *from = (mlir_skip(p), p->at);
  const int64_t *values;
  uint32_t count;
  if (!mlir_int_list(p, &values, &count)) return false;
  mlir_push_key(p, key, mlir_make_ints(p, values, count, from));
  return true;
}

static bool enum_here(mlir_parser *p, attr_id *out) {
  mlir_word word;
  if (!mlir_word_here(p, &word)) return mlir_expected(p, "a word");
  *out = mlir_make_text(p, ATTR_ENUM, intern_add(&p->g->names, word.text, word.length), word.text);
  return true;
}

static bool words_value(mlir_parser *p, mlir_key key) {
  const char *from = (mlir_skip(p), p->at);
  uint32_t height = p->stacks.entries.count;
  bool ok = mlir_expect(p, '[');
  while (ok && !mlir_accept(p, ']')) {
    attr_id item;
    ok = (p->stacks.entries.count == height || mlir_expect(p, ',')) && enum_here(p, &item);
    if (ok) mlir_push_entry(p, NAME_NONE, item);  // items have no names
  }
  uint32_t count = p->stacks.entries.count - height;
  attr_id *items = arena_alloc(p->g->arena, count * sizeof *items);
  for (uint32_t i = 0; i < count; i++) items[i] = p->stacks.entries.items[height + i].value;
  p->stacks.entries.count = height;
  if (!ok) return false;
  graph_attr attr = {
      .kind = ATTR_ARRAY, .type = TYPE_NONE, .text = NAME_NONE, .span = mlir_span(p, from, p->at)};
  attr_set_items(&attr, items, count);
  mlir_push_key(p, key, graph_add_attr(p->g, &attr));
  return true;
}

// e5m10: bits of the exponent and of the mantissa.
static bool format_value(mlir_parser *p) {
  mlir_word word;
  const char *from = (mlir_skip(p), p->at);
  if (!mlir_word_here(p, &word)) return mlir_expected(p, "a format such as e5m10");
  int64_t bits[2] = {0, 0};
  const char *at = word.text, *end = word.text + word.length;
  for (int part = 0; part < 2; part++) {
    const char *digits = at + 1;
    if (at >= end || *at != "em"[part]) break;
    for (at++; at < end && mlir_is_digit(*at) && at - digits < 9; at++) {
      bits[part] = bits[part] * 10 + (*at - '0');
    }
    if (at == digits) break;
    if (part == 1 && at == end) {
      mlir_push_key(p, KEY_exponent_bits, mlir_make_int(p, bits[0], DTYPE_I32, from));
      mlir_push_key(p, KEY_mantissa_bits, mlir_make_int(p, bits[1], DTYPE_I32, from));
      return true;
    }
  }
  p->at = from;
  return mlir_expected(p, "a format such as e5m10");
}

// [0] x [0]. An empty list is left out, as in the generic form.
static bool pair_value(mlir_parser *p, mlir_key lhs, mlir_key rhs) {
  mlir_key keys[2] = {lhs, rhs};
  for (int side = 0; side < 2; side++) {
    const char *from = (mlir_skip(p), p->at);
    const int64_t *values;
    uint32_t count;
    if (side && !mlir_expect(p, 'x')) return false;
    if (!mlir_int_list(p, &values, &count)) return false;
    if (count) mlir_push_key(p, keys[side], mlir_make_ints(p, values, count, from));
  }
  return true;
}

void mlir_finish_dot(mlir_parser *p, const mlir_op *op) {
  static const mlir_key PARTS[] = {KEY_lhs_batching_dimensions, KEY_rhs_batching_dimensions,
                                   KEY_lhs_contracting_dimensions, KEY_rhs_contracting_dimensions};
  attr_entry parts[4];
  uint32_t count = 0, kept = op->entries;
  const char *from = p->at;
  for (uint32_t i = op->entries; i < p->stacks.entries.count; i++) {
    bool is_part = false;
    for (unsigned k = 0; k < 4; k++)
      is_part |= p->stacks.entries.items[i].name == mlir_key_name(p, PARTS[k]);
    if (is_part && count < 4) {
      if (!count)
        from = p->text + p->g->attributes.items[p->stacks.entries.items[i].value].span.begin;
      parts[count++] = p->stacks.entries.items[i];
    } else {
      p->stacks.entries.items[kept++] = p->stacks.entries.items[i];
    }
  }
  p->stacks.entries.count = kept;
  bool mhlo = intern_text(&p->g->names, op->name)[0] == 'm';
  mlir_push_key(p, KEY_dot_dimension_numbers,
                mlir_make_dict(p, mhlo ? "mhlo.dot" : "stablehlo.dot", parts, count, from));
}

// --- window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = .., rhs_dilate = .., reverse = ..}

static void push_dense(mlir_parser *p, mlir_key key, type_id type, const int64_t *values,
                       uint32_t count, const char *from) {
  graph_attr attr = {
      .kind = ATTR_DENSE, .type = type, .text = NAME_NONE, .span = mlir_span(p, from, p->at)};
  attr_set_ints(&attr, values, count);
  mlir_push_key(p, key, graph_add_attr(p->g, &attr));
}

static bool padding_value(mlir_parser *p) {
  const char *from = (mlir_skip(p), p->at);
  int64_t *pairs = NULL;
  uint32_t count = 0, capacity = 0;
  if (!mlir_expect(p, '[')) return false;
  while (!mlir_accept(p, ']')) {
    if (count && !mlir_expect(p, ',')) return false;
    const int64_t *pair;
    uint32_t length;
    const char *at = (mlir_skip(p), p->at);
    if (!mlir_int_list(p, &pair, &length)) return false;
    if (length != 2) return mlir_wrong(p, at, p->at, "expected [low, high] of padding");
    pairs = arena_grow(p->g->arena, pairs, count, (size_t)count + 2, &capacity, sizeof *pairs);
    pairs[count++] = pair[0];
    pairs[count++] = pair[1];
  }
  int64_t dims[2] = {count / 2, 2};
  push_dense(p, KEY_padding, type_tensor(&p->g->types, DTYPE_I64, dims, 2), pairs, count, from);
  return true;
}

static bool window_value(mlir_parser *p) {
  static const struct {
    const char *word;
    mlir_key key;
  } PARTS[] = {{"stride", KEY_window_strides},
               {"lhs_dilate", KEY_lhs_dilation},
               {"rhs_dilate", KEY_rhs_dilation},
               {"reverse", KEY_window_reversal}};
  if (!mlir_expect(p, '{')) return false;
  bool first = true;
  while (!mlir_accept(p, '}')) {
    mlir_word word;
    if (!first && !mlir_expect(p, ',')) return false;
    first = false;
    const char *from = (mlir_skip(p), p->at);
    if (!mlir_word_here(p, &word)) return mlir_expected(p, "a part of the window");
    unsigned i = 0;
    while (i < 4 && !mlir_word_is(word, PARTS[i].word)) i++;
    if (i == 4 && !mlir_word_is(word, "pad")) {
      p->at = from;
      return mlir_expected(p, "stride, pad, lhs_dilate, rhs_dilate or reverse");
    }
    if (!mlir_expect(p, '=')) return false;
    if (!(i < 4 ? ints_value(p, PARTS[i].key) : padding_value(p))) return false;
  }
  return true;
}

static bool conv_value(mlir_parser *p, mlir_key key) {
  attr_id dims;
  if (!mlir_conv_dims(p, "stablehlo.conv", &dims)) return false;
  mlir_push_key(p, key, dims);
  return true;
}

static bool algorithm_value(mlir_parser *p, mlir_key key) {
  attr_id value;
  const char *from = (mlir_skip(p), p->at);
  if (mlir_accept(p, '<')) {
    uint32_t height = p->stacks.entries.count;
    if (!mlir_key_values(p, '>')) return false;
    value = mlir_make_dict(p, "stablehlo.dot_algorithm", p->stacks.entries.items + height,
                           p->stacks.entries.count - height, from);
    p->stacks.entries.count = height;
  } else if (!mlir_attr_bare(p, &value)) {
    return false;
  }
  mlir_push_key(p, key, value);
  return true;
}

bool mlir_pretty_value(mlir_parser *p, const pretty_key *key) {
  const char *from = (mlir_skip(p), p->at);
  mlir_key name = (mlir_key)key->key;
  attr_id attr;
  int64_t value;
  switch ((pretty_kind)key->kind) {
  case KIND_INT:
    if (!mlir_int(p, &value)) return false;
    mlir_push_key(p, name, mlir_make_int(p, value, DTYPE_I64, from));
    return true;
  case KIND_WORD:
    if (!enum_here(p, &attr)) return false;
    mlir_push_key(p, name, attr);
    return true;
  case KIND_STRING:
    if (mlir_peek(p) != '"') return mlir_expected(p, "a string");
    if (!mlir_attr_bare(p, &attr)) return false;
    mlir_push_key(p, name, attr);
    return true;
  case KIND_INTS: return ints_value(p, name);
  case KIND_WORDS: return words_value(p, name);
  case KIND_FORMAT: return format_value(p);
  case KIND_BATCH: return pair_value(p, KEY_lhs_batching_dimensions, KEY_rhs_batching_dimensions);
  case KIND_CONTRACT:
    return pair_value(p, KEY_lhs_contracting_dimensions, KEY_rhs_contracting_dimensions);
  case KIND_CONV: return conv_value(p, name);
  case KIND_WINDOW: return window_value(p);
  case KIND_ALGORITHM: return algorithm_value(p, name);
  }
  return false;
}

// --- brackets

// [2:6:2, 0:8]
static bool slice_brackets(mlir_parser *p) {
  const char *from = p->at++;
  int64_t *lists[3] = {NULL, NULL, NULL};
  uint32_t count = 0, capacities[3] = {0, 0, 0};
  while (!mlir_accept(p, ']')) {
    int64_t part[3] = {0, 0, 1};
    if (count && !mlir_expect(p, ',')) return false;
    if (!mlir_int(p, &part[0]) || !mlir_expect(p, ':') || !mlir_int(p, &part[1])) return false;
    if (mlir_accept(p, ':') && !mlir_int(p, &part[2])) return false;
    for (int i = 0; i < 3; i++) {
      lists[i] = arena_grow(p->g->arena, lists[i], count, (size_t)count + 1, &capacities[i],
                            sizeof *lists[i]);
      lists[i][count] = part[i];
    }
    count++;
  }
  mlir_push_key(p, KEY_start_indices, mlir_make_ints(p, lists[0], count, from));
  mlir_push_key(p, KEY_limit_indices, mlir_make_ints(p, lists[1], count, from));
  mlir_push_key(p, KEY_strides, mlir_make_ints(p, lists[2], count, from));
  return true;
}

static bool shape_brackets(mlir_parser *p) {
  const char *from = p->at;
  const int64_t *values;
  uint32_t count;
  if (!mlir_int_list(p, &values, &count)) return false;
  int64_t dims[1] = {count};
  push_dense(p, KEY_shape, type_tensor(&p->g->types, DTYPE_INDEX, dims, 1), values, count, from);
  return true;
}

bool mlir_pretty_brackets(mlir_parser *p, const mlir_pretty_row *row) {
  const char *from = p->at;
  int64_t index;
  attr_id attr;
  switch ((pretty_brackets)row->brackets) {
  case BRACKETS_SLICE: return slice_brackets(p);
  case BRACKETS_SHAPE: return shape_brackets(p);
  case BRACKETS_OPERANDS: p->at++; return mlir_operand_list(p, ']');
  case BRACKETS_INDEX:
    p->at++;
    if (!mlir_int(p, &index) || !mlir_expect(p, ']')) return false;
    mlir_push_key(p, KEY_index, mlir_make_int(p, index, DTYPE_I32, from));
    return true;
  case BRACKETS_LISTS:
    if (!mlir_attr_bare(p, &attr)) return false;
    mlir_push_key(p, KEY_reassociation, attr);
    return true;
  case BRACKETS_NONE: break;
  }
  return mlir_expected(p, "':' and the types");
}

// --- words

// The numbers of arith's predicates (ArithBase.td).
static int predicate(mlir_word word, const char *const *names, int count) {
  for (int i = 0; i < count; i++) {
    if (mlir_word_is(word, names[i])) return i;
  }
  return -1;
}

bool mlir_pretty_text(mlir_parser *p, const mlir_pretty_row *row, unsigned which, mlir_word word) {
  static const char *const CMPI[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                     "sge", "ult", "ule", "ugt", "uge"};
  static const char *const CMPF[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                     "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  mlir_key key = (mlir_key)row->words[which];
  int number;
  switch ((pretty_text)row->text) {
  case TEXT_CMPI:
  case TEXT_CMPF:
    number = row->text == TEXT_CMPI ? predicate(word, CMPI, 10) : predicate(word, CMPF, 16);
    if (number < 0) {
      p->at = word.text;
      return mlir_expected(p, "a predicate such as eq");
    }
    mlir_push_key(p, key, mlir_make_int(p, number, DTYPE_I64, word.text));
    return true;
  default:
    mlir_push_key(
        p, key,
        mlir_make_text(p, ATTR_ENUM, intern_add(&p->g->names, word.text, word.length), word.text));
    return true;
  }
}
