// SPDX-License-Identifier: Apache-2.0
// BladeDISC's shape constraint IR (docs/design/shape_constraint_ir.md): facts that the program gives about its symbols.
// They are facts, not requirements: the author of the program guarantees them. With the attribute `guard` they are
// requirements: what has to be checked before the program runs, also where the operation that asked for it is gone.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/affine_map.h"

static term_id scalar_operand(rule_context *c, uint32_t i) {
  uint32_t count;
  const term_id *e = rule_size_elements(c, i, &count);
  return e && count == 1 ? e[0] : TERM_NONE;
}

static void set_scalar(rule_context *c, uint32_t result, term_id value) {
  rule_set_dims(c, result, NULL, 0);
  if (value != TERM_NONE) {
    rule_set_elements(c, result, &value, 1);
  } else {
    rule_track_result(c, result);
  }
}

// The product of operands [first, first + count), or TERM_NONE.
static term_id product_of(rule_context *c, uint32_t first, uint32_t count) {
  assert(first + count <= rule_operand_count(c));
  term_id product = TERM_ONE;
  for (uint32_t i = first; i < first + count; i++) {
    term_id x = scalar_operand(c, i);
    if (x == TERM_NONE) return TERM_NONE;
    product = term_mul(c->terms, product, x);
  }
  return product;
}

// How many operands belong to the first of two groups.
static uint32_t first_group(rule_context *c) {
  static const char *const names[] = {"operand_segment_sizes", "operandSegmentSizes"};
  const int64_t *sizes;
  uint32_t count, all = rule_operand_count(c);
  for (uint32_t i = 0; i < 2; i++) {
    if (!rule_ints(c, names[i], &sizes, &count)) continue;
    if (count == 2 && sizes[0] >= 0 && sizes[1] >= 0 && sizes[0] + sizes[1] == (int64_t)all)
      return (uint32_t)sizes[0];
    rule_error(c, "attribute", "%s does not divide the %u operands into two groups", names[i], all);
  }
  return all / 2;
}

static void tie(rule_context *c, relation rel, term_id a, term_id b, const char *what) {
  if (a == TERM_NONE || b == TERM_NONE) return;
  if (rule_attr(c, "guard") == ATTR_NONE) {
    rule_fact(c, predicate_make(rel, a, b), what);
  } else {
    rule_require(c, predicate_make(rel, a, b), what);
  }
}

static term_id symbol_named(void *data, const char *name, size_t length) {
  const rule_context *c = data;
  name_id id = intern_find(&c->graph->names, name, length);
  uint32_t symbol = id == NAME_NONE ? ID_NONE : graph_find_symbol(c->graph, id);
  return symbol == ID_NONE || !c->symbols ? TERM_NONE : c->symbols[symbol];
}

// {name = @S0} (or ref)
static term_id symbol_of_op(rule_context *c) {
  const char *name = rule_text(c, "name");
  if (!name) name = rule_text(c, "ref");
  if (!name) {
    rule_error(c, "symbol", "name = @S0 is needed, or ref: no symbol is named");
    return TERM_NONE;
  }
  term_id symbol = symbol_named(c, name, strlen(name));
  if (symbol == TERM_NONE) rule_error(c, "symbol", "no SymbolicDim declares @%s", name);
  return symbol;
}

// disc_shape.bind_dim(%n) {name = @S0, axis = 1}: the symbol is a size of the operand; {index = 1}: an element; neither: its
// first element.
static void bind_dim(rule_context *c) {
  uint32_t count = 0;
  int64_t at = 0;
  term_id symbol = symbol_of_op(c);
  const value_info *in = rule_operand(c, 0);
  bool is_size = rule_int(c, "axis", &at);
  const term_id *items = is_size ? in->dims : rule_elements(c, 0, &count);
  if (is_size) count = in->ranked ? in->rank : 0;
  if (!is_size) rule_int(c, "index", &at);
  if (items && at >= 0 && at < count) tie(c, REL_EQ, items[at], symbol, "the symbol is bound here");
}

// disc_shape.tie_predicate {predicate = "min(S0, S1) <= 4"}: in the grammar of answers.
static void tie_text(rule_context *c) {
  const char *text = rule_text(c, "predicate");
  term_parser parser = {.terms = c->terms, .symbol = symbol_named, .data = c};
  relation rel;
  term_id left, right;
  if (!text) {
    rule_error(c, "attribute", "tie_predicate has no predicate");
  } else if (!term_parse_predicate(&parser, text, strlen(text), &rel, &left, &right)) {
    rule_error(c, "attribute", "'%s': %s", text, parser.error ? parser.error : "no predicate");
  } else {
    tie(c, rel, left, right, "tie_predicate");
  }
}

static const attr_id *tied_symbols(rule_context *c, uint32_t *count) {
  return attr_items(graph_attr_get(c->graph, rule_attr(c, "kDiscSymbolicDimAttr")), count);
}

void rule_tie_symbols(rule_context *c, const value_info *v) {
  uint32_t count;
  const attr_id *names = tied_symbols(c, &count);
  if (!count || !v->ranked) return;
  if (v->rank != count) {
    rule_error(c, "rank", "%u symbols are tied to a tensor of rank %u", count, v->rank);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    const char *name = graph_attr_text(c->graph, names[i]);
    term_id symbol = name ? symbol_named(c, name, strlen(name)) : TERM_NONE;
    if (symbol == TERM_NONE)
      rule_error(c, "symbol", "no SymbolicDim declares @%s", name ? name : "?");
    tie(c, REL_EQ, v->dims[i], symbol, "the attribute names the dim");
  }
}

static void tie_shape(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  uint32_t rank = rule_operand_count(c) - 1, named;
  if (tied_symbols(c, &named) && named) rule_assume_rank(c, 0, named);
  rule_tie_symbols(c, rule_operand(c, 0));
  if (!rank && rule_attr(c, "kDiscSymbolicDimAttr") != ATTR_NONE) {
    // the attribute says it all
  } else if (!rule_assume_rank(c, 0, rank)) {
    rule_error(c, "rank", "%u dims are tied to a tensor of rank %u", rank, in->rank);
  } else {
    for (uint32_t i = 0; i < rank; i++)
      tie(c, REL_EQ, rule_operand(c, 0)->dims[i], scalar_operand(c, i + 1),
          "tie_shape gives the size");
  }
  if (rule_result_count(c)) rule_set_value(c, 0, rule_operand(c, 0));
}

// linearize(i0, ..., ik; d0, ..., dk): (i0 * d1 + i1) * d2 + ...
static void linearize(rule_context *c) {
  uint32_t count = first_group(c);
  term_id linear = TERM_ZERO;
  for (uint32_t i = 0; i < count && linear != TERM_NONE; i++) {
    term_id index = scalar_operand(c, i), size = scalar_operand(c, count + i);
    linear = index == TERM_NONE || size == TERM_NONE
                 ? TERM_NONE
                 : term_add(c->terms, term_mul(c->terms, linear, size), index);
  }
  set_scalar(c, 0, linear);
}

// delinearize(i; d0, ..., dk): the indices, innermost last. Division needs dims that are known not to be 0.
static void delinearize(rule_context *c) {
  uint32_t count = rule_result_count(c);
  term_id rest = scalar_operand(c, 0);
  for (uint32_t i = count; i-- > 0;) {
    term_id size = i + 1 < rule_operand_count(c) ? scalar_operand(c, i + 1) : TERM_NONE;
    bool known = rest != TERM_NONE && size != TERM_NONE && (i == 0 || math_is_positive(c, size));
    if (!known) {
      set_scalar(c, i, TERM_NONE);
      rest = TERM_NONE;
    } else if (i == 0) {
      set_scalar(c, i, rest);
    } else {
      set_scalar(c, i, term_mod(c->terms, rest, size));
      rest = term_floordiv(c->terms, rest, size);
    }
  }
}

// {affine_attr = affine_map<(d0, d1) -> (d0 + d1 * 4)>}: the first operand is the map of the others.
static void tie_affine(rule_context *c) {
  uint32_t count = rule_operand_count(c) - 1;
  attr_id attr = rule_attr(c, "affine_attr");
  affine_map map;
  if (attr == ATTR_NONE) {
    rule_error(c, "attribute", "tie_predicate_affine_eq has no affine_attr");
    return;
  }
  if (!affine_map_read(c, attr, &map) || map.is_set || map.result_count != 1) {
    rule_note(c, "affine-map", "affine_attr is not understood: a map with one result is needed");
    return;
  }
  if (map.inputs != count) {
    rule_error(c, "attribute", "the map has %u inputs, %u are given", map.inputs, count);
    return;
  }
  term_id *inputs = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *inputs);
  for (uint32_t i = 0; i < count; i++) inputs[i] = scalar_operand(c, i + 1);
  term_id value = affine_value(c, &map, 0, inputs);
  if (value == TERM_NONE)
    rule_note(c, "affine-map",
              "what the affine map gives is not known: it divides by what is no "
              "positive number");
  tie(c, REL_EQ, scalar_operand(c, 0), value, "tie_predicate_affine_eq");
}

// What attributes of other names say is lost: a note says so. The reader does it for those of symbols.
static void note_unknown(rule_context *c) {
  static const char *const KNOWN[] = {"name",
                                      "ref",
                                      "axis",
                                      "index",
                                      "operand_segment_sizes",
                                      "operandSegmentSizes",
                                      "kDiscSymbolicDimAttr",
                                      "affine_attr",
                                      "predicate",
                                      "guard"};
  const graph_op *o = &c->graph->ops[c->op];
  const attr_entry *entries = graph_attr_entries(c->graph, o->attrs);
  for (uint32_t i = 0; i < o->attr_count; i++) {
    const char *name = intern_text(&c->graph->names, entries[i].name);
    uint32_t k = 0;
    while (k < sizeof KNOWN / sizeof *KNOWN && strcmp(name, KNOWN[k])) k++;
    if (k < sizeof KNOWN / sizeof *KNOWN || strchr(name, '.')) continue;
    rule_note(c, "symbol", "the attribute '%s' is not known: what it says is not used", name);
  }
}

static void tie_pair(rule_context *c, relation rel, const char *what) {
  term_id right = scalar_operand(c, 1);
  tie(c, rel, scalar_operand(c, 0), right, what);
}

rule_status rule_disc_shape(rule_context *c) {
  uint32_t count = rule_operand_count(c), first;
  term_id right;
  if (c->row->param != DISC_SYMBOLIC_DIM) note_unknown(c);
  switch ((disc_op)c->row->param) {
  case DISC_SYMBOLIC_DIM: break;  // the reader has made it a symbol of the graph
  case DISC_DIM: set_scalar(c, 0, symbol_of_op(c)); break;
  case DISC_BIND_DIM: bind_dim(c); break;
  case DISC_TIE_SHAPE: tie_shape(c); break;
  case DISC_TIE_PRODUCT_EQUAL:
  case DISC_TIE_GROUP_MUL_EQ:
    first = first_group(c);
    right = product_of(c, first, count - first);
    tie(c, REL_EQ, product_of(c, 0, first), right, "the products are tied");
    break;
  case DISC_LINEARIZE: linearize(c); break;
  case DISC_DELINEARIZE: delinearize(c); break;
  case DISC_TIE_EQ: tie_pair(c, REL_EQ, "tie_predicate_eq"); break;
  case DISC_TIE_LT: tie_pair(c, REL_LT, "tie_predicate_lt"); break;
  case DISC_TIE_LE: tie_pair(c, REL_LE, "tie_predicate_le"); break;
  case DISC_TIE_NE: tie_pair(c, REL_NE, "tie_predicate_ne"); break;
  case DISC_TIE_TEXT: tie_text(c); break;
  case DISC_TIE_DIVISIBLE: tie_pair(c, REL_DIVISIBLE, "tie_predicate_divisible"); break;
  case DISC_TIE_MUL_EQ:
    right = product_of(c, 1, count - 1);
    tie(c, REL_EQ, scalar_operand(c, 0), right, "tie_predicate_mul_eq");
    break;
  case DISC_TIE_AFFINE_EQ: tie_affine(c); break;
  }
  return RULE_DONE;
}
