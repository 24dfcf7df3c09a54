// SPDX-License-Identifier: Apache-2.0
// Operations of BladeDISC's shape constraint IR, as its design document (docs/design/shape_constraint_ir.md) writes them:
//
//   disc_shape.SymbolDim @S0 { range list : [[1, 8], [16, 16]]  likely_values : [4, 16] }
//   %0 = disc_shape.dim() {ref: @S0} : index
//   disc_shape.tie_predicate_group_mul_eq([d0, d1], [%s0, %s1])
//   %n = disc_shape.tie_shape(%x, %d0, %d1) : tensor<?x?xf32>
//
// Entries of braces have `:` or `=`, keys of several words, and may have commas between them. Operands may be in
// parentheses and in groups; `d0` without `%` is the value %d0, or %0 where there is none. Types may be left out where
// the operation says them. The generic form is read as that of any other dialect.
#include <assert.h>

#include "solver/formats/mlir/pretty.h"

static bool is_entry_word(mlir_parser *p) { return mlir_is_letter(mlir_peek(p)); }

// `range list`: the words with `_` between them.
static bool entry_key(mlir_parser *p, name_id *out) {
  mlir_word word;
  shape_strbuf key;
  if (mlir_peek(p) == '"') return mlir_string(p, out);
  if (!is_entry_word(p)) return mlir_expected(p, "an attribute name");
  strbuf_init(&key, p->g->arena);
  while (is_entry_word(p) && mlir_word_here(p, &word)) {
    if (key.length) strbuf_putc(&key, '_');
    strbuf_add(&key, word.text, word.length);
    mlir_step(p);
  }
  *out = intern_add(&p->g->names, key.data, key.length);
  return true;
}

static bool entry(mlir_parser *p, uint32_t first) {
  const char *from = (mlir_skip(p), p->at);
  name_id key;
  attr_id value;
  if (!entry_key(p, &key)) return false;
  for (uint32_t i = first; i < p->stacks.entries.count; i++) {
    if (p->stacks.entries.items[i].name == key)
      return mlir_wrong(p, from, p->at, "duplicate attribute '%s'", intern_text(&p->g->names, key));
  }
  char c = mlir_peek(p);
  if (c == '=' || c == ':') {
    p->at++;
    if (!(c == '=' ? mlir_attr(p, &value) : mlir_attr_bare(p, &value))) return false;
  } else {
    value = mlir_new_attr(p, ATTR_UNIT, from);
  }
  mlir_push_entry(p, key, value);
  return true;
}

static bool braces(mlir_parser *p, const mlir_op *op) {
  enum { MOST = 64 };  // each is compared with those before it
  p->at++;
  while (!mlir_accept(p, '}')) {
    if (p->stacks.entries.count - op->entries == MOST)
      return mlir_syntax(p, p->at, "more than %d attributes", MOST);
    if (!entry(p, op->entries)) return false;
    mlir_accept(p, ',');
  }
  return true;
}

static bool operand(mlir_parser *p) {
  return mlir_peek(p) == '%' ? mlir_push_operand(p) : mlir_push_bare_operand(p);
}

static bool operand_group(mlir_parser *p) {
  if (mlir_accept(p, ']')) return true;
  do {
    if (!operand(p)) return false;
  } while (mlir_accept(p, ','));
  return mlir_expect(p, ']');
}

// a, [b, c], ...: where there are brackets, how many each group has is an attribute, as the generic form has them.
static bool operands(mlir_parser *p, const mlir_op *op) {
  enum { MOST = 2 };
  int64_t *sizes = arena_alloc(p->g->arena, MOST * sizeof *sizes);
  uint32_t groups = 0;
  const char *from = p->at;
  do {
    uint32_t before = p->stacks.operands.count;
    if (mlir_peek(p) != '[') {
      if (!operand(p)) return false;
      continue;
    }
    if (groups == MOST) return mlir_syntax(p, p->at, "expected two groups of operands");
    p->at++;
    if (!operand_group(p)) return false;
    sizes[groups++] = p->stacks.operands.count - before;
  } while (mlir_accept(p, ','));
  if (!groups) return true;
  if (groups != MOST || sizes[0] + sizes[1] != p->stacks.operands.count - op->operands)
    return mlir_syntax(p, from, "expected two groups of operands");
  mlir_push_entry(p, intern_add(&p->g->names, "operand_segment_sizes", 21),
                  mlir_make_ints(p, sizes, MOST, from));
  return true;
}

// `tie_shape` returns its first operand; everything else makes indices.
static void types_left_out(mlir_parser *p, const mlir_op *op) {
  type_id type = type_scalar(&p->g->types, DTYPE_INDEX);
  bool tie = op->row->types == TYPES_SAME && p->stacks.operands.count > op->operands;
  value_id first = tie ? p->stacks.operands.items[op->operands].value : VALUE_NONE;
  if (tie) type = first == VALUE_NONE ? TYPE_NONE : p->g->values[first].type;
  for (uint32_t i = 0; i < op->bound; i++) mlir_push_type(p, type);
}

bool mlir_pretty_disc(mlir_parser *p, mlir_op *op) {
  static const mlir_pretty_row NO_RESULT = {.form = FORM_DISC, .types = TYPES_OPERANDS};
  static const mlir_pretty_row ONE_RESULT = {.form = FORM_DISC, .types = TYPES_RESULT};
  const mlir_pretty_row *row = op->row;
  char first = mlir_peek(p);
  const char *from = p->at;
  name_id name;
  if (row->declares_symbol && (first == '@' || first == '"')) {
    if (!(first == '@' ? mlir_symbol_name(p, &name) : mlir_string(p, &name))) return false;
    mlir_push_key(p, KEY_sym_name, mlir_make_text(p, ATTR_STRING, name, from));
  }
  if (mlir_accept(p, '(')) {
    if (mlir_peek(p) != ')' && !operands(p, op)) return false;
    if (!mlir_expect(p, ')')) return false;
  } else if ((mlir_peek(p) == '%' || mlir_peek(p) == '[') && !operands(p, op)) {
    return false;
  }
  if (mlir_peek(p) == '{' && !braces(p, op)) return false;
  if (!mlir_accept(p, ':')) {
    types_left_out(p, op);
    return true;
  }
  op->row = op->bound ? &ONE_RESULT : &NO_RESULT;
  bool good = mlir_pretty_types(p, op);
  op->row = row;
  return good;
}
