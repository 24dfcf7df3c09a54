// SPDX-License-Identifier: Apache-2.0
// Symbols of an exported program and what it says of them: symbolic_int, bind_symbolic_shape, assertions.
#include <assert.h>
#include <string.h>

#include "solver/graph/torch_names.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

// A symbol of this function: names of two functions are apart (torch_names.h).
static term_id symbol_named(void *data, const char *name, size_t length) {
  const rule_context *c = data;
  const shape_graph *g = c->graph;
  char own[TORCH_NAME_ROOM], plain[TORCH_NAME_ROOM];
  if (length >= sizeof plain) return TERM_NONE;
  memcpy(plain, name, length);
  plain[length] = 0;
  func_id func = g->regions[g->blocks[g->ops[c->op].parent].region].func;
  int own_length = torch_own_name(own, plain, func);
  name_id id = own_length < 0 ? NAME_NONE : intern_find(&g->names, own, (size_t)own_length);
  if (id == NAME_NONE || graph_find_symbol(g, id) == ID_NONE)
    id = intern_find(&g->names, name, length);
  uint32_t symbol = id == NAME_NONE ? ID_NONE : graph_find_symbol(g, id);
  return symbol == ID_NONE || !c->symbols ? TERM_NONE : c->symbols[symbol];
}

rule_status rule_torch_symbol(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const char *name = rule_text(c, "value");
  term_parser parser = {.terms = c->terms, .symbol = symbol_named, .data = c};
  term_id value = TERM_NONE;
  if (name && !term_parse_expr(&parser, name, strlen(name), &value)) value = TERM_NONE;
  torch_set_int(c, 0, value);
  return RULE_DONE;
}

// --- affine maps

typedef struct affine_reader {
  rule_context *c;
  const char *at, *end;
  uint32_t depth;
  bool failed;
} affine_reader;

static term_id affine_sum(affine_reader *r);

static void blanks(affine_reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t')) r->at++;
}

static bool take(affine_reader *r, const char *text) {
  size_t length = strlen(text);
  blanks(r);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0) return false;
  r->at += length;
  return true;
}

static bool read_number(affine_reader *r, int64_t *out) {
  *out = 0;
  const char *from = r->at;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
    if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, *r->at - '0', out))
      r->failed = true;
    r->at++;
  }
  return r->at > from;
}

static term_id affine_factor(affine_reader *r) {
  int64_t number;
  if (++r->depth > 64) r->failed = true;
  term_id out = TERM_ZERO;
  blanks(r);
  if (r->failed) {
    r->depth--;
    return out;
  }
  if (take(r, "-")) {
    out = term_neg(r->c->terms, affine_factor(r));
  } else if (take(r, "(")) {
    out = affine_sum(r);
    if (!take(r, ")")) r->failed = true;
  } else if (r->at < r->end && (*r->at == 's' || *r->at == 'd')) {
    r->at++;
    uint32_t count = rule_operand_count(r->c);
    const value_info *v = NULL;
    if (read_number(r, &number) && number >= 0 && number + 1 < count)
      v = rule_operand(r->c, (uint32_t)number + 1);
    if (v && v->elements && v->element_count == 1) {
      out = v->elements[0];
    } else {
      r->failed = true;
    }
  } else if (read_number(r, &number)) {
    out = rule_int_term(r->c, number);
  } else {
    r->failed = true;
  }
  r->depth--;
  return out;
}

static term_id affine_product(affine_reader *r) {
  term_table *t = r->c->terms;
  term_id out = affine_factor(r);
  while (!r->failed) {
    bool up = false, mod = false;
    if (take(r, "*")) {
      out = term_mul(t, out, affine_factor(r));
      continue;
    }
    if (!take(r, "floordiv") && !(up = take(r, "ceildiv")) && !(mod = take(r, "mod"))) break;
    term_id by = affine_factor(r);
    if (r->failed || !math_is_positive(r->c, by)) {
      r->failed = true;
      break;
    }
    out = up ? term_ceildiv(t, out, by) : mod ? term_mod(t, out, by) : term_floordiv(t, out, by);
  }
  return out;
}

static term_id affine_sum(affine_reader *r) {
  term_table *t = r->c->terms;
  term_id out = affine_product(r);
  while (!r->failed) {
    if (take(r, "+")) {
      out = term_add(t, out, affine_product(r));
    } else if (take(r, "-")) {
      out = term_sub(t, out, affine_product(r));
    } else {
      break;
    }
  }
  return out;
}

// The results of affine_map<()[s0, s1] -> (s0, s1 * 2)>: false where it is not understood.
static bool affine_results(affine_reader *r, term_id *out, uint32_t room, uint32_t *count) {
  *count = 0;
  while (r->at < r->end && !(r->at[0] == '-' && r->at + 1 < r->end && r->at[1] == '>')) r->at++;
  if (!take(r, "->") || !take(r, "(")) return false;
  if (take(r, ")")) return true;
  do {
    if (*count == room) return false;
    out[(*count)++] = affine_sum(r);
  } while (!r->failed && take(r, ","));
  return !r->failed && take(r, ")");
}

rule_status rule_torch_bind(rule_context *c) {
  enum { MOST = 64 };
  term_id dims[MOST];
  uint32_t count;
  const graph_attr *a = graph_attr_get(c->graph, rule_attr(c, "value"));
  if (!a || a->span.end <= a->span.begin || a->span.end > c->graph->source.length) return RULE_DONE;
  const char *text = c->graph->source.text;
  affine_reader r = {.c = c, .at = text + a->span.begin, .end = text + a->span.end};
  if (!affine_results(&r, dims, MOST, &count)) {
    rule_note(c, "affine-map", "the affine map is not understood");
    return RULE_DONE;
  }
  if (!rule_operand_count(c) || !rule_assume_rank(c, 0, count)) {
    rule_error(c, "rank", "%u dims are bound to a tensor of rank %u", count,
               rule_operand(c, 0)->rank);
    return RULE_DONE;
  }
  const value_info *v = rule_operand(c, 0);
  for (uint32_t i = 0; v->ranked && i < count; i++)
    rule_fact(c, predicate_make(REL_EQ, v->dims[i], dims[i]), "the program binds the dim");
  return RULE_DONE;
}

// What an archive of torch.export says of a value: an expression for each dim, or for an integer; an empty text says nothing.
rule_status rule_torch_export_bind(rule_context *c) {
  const graph_attr *list = graph_attr_get(c->graph, rule_attr(c, "value"));
  const value_info *v = rule_operand(c, 0);
  const graph_type *t = rule_operand_type(c, 0);
  bool is_int = t && t->kind == TYPE_SCALAR;
  uint32_t count;
  const attr_id *items = attr_items(list, &count);
  if (!items || (is_int ? count != 1 : !rule_assume_rank(c, 0, count))) return RULE_DONE;
  for (uint32_t i = 0; i < count; i++) {
    const char *text = graph_attr_text(c->graph, items[i]);
    term_parser parser = {.terms = c->terms, .symbol = symbol_named, .data = c};
    term_id said, is = TERM_NONE;
    if (!text || !*text || !term_parse_expr(&parser, text, strlen(text), &said)) continue;
    if (!is_int) is = v->dims[i];
    if (is_int && v->elements && v->element_count == 1) is = v->elements[0];
    if (is != TERM_NONE) rule_fact(c, predicate_make(REL_EQ, is, said), "the archive says it");
  }
  return RULE_DONE;
}

// --- assertions

static void bound(rule_context *c, term_id x, const char *name, relation rel) {
  term_id limit = torch_int(c, name);
  int64_t value;
  if (limit == TERM_NONE) return;
  if (rel == REL_LE && torch_constant(c, limit, &value) && value >= INT64_MAX - 1) return;
  rule_require(c, predicate_make(rel, x, limit), "the integer is within the asserted range");
}

// _assert_scalar, _assert_async, runtime.assert, sym_constrain_range, _assert_tensor_metadata, _check_is_size.
rule_status rule_torch_assert(rule_context *c) {
  const value_info *v = rule_operand(c, 0);
  torch_ints sizes;
  if (rule_result_count(c)) rule_torch_same(c);
  if (c->row->param == ASSERT_METADATA) {
    if (!torch_list(c, "size", &sizes) || !v->ranked) return RULE_DONE;
    if (sizes.count != v->rank) {
      rule_error(c, "rank", "rank %u is asserted of a tensor of rank %u", sizes.count, v->rank);
      return RULE_DONE;
    }
    for (uint32_t i = 0; i < sizes.count; i++) {
      if (sizes.items[i] != TERM_NONE)
        rule_require_eq(c, v->dims[i], sizes.items[i], "the dim is as asserted");
    }
    return RULE_DONE;
  }
  term_id x = v->elements && v->element_count == 1 ? v->elements[0] : TERM_NONE;
  if (x == TERM_NONE) {
    rule_unchecked(c, "the assertion holds", TORCH_NOT_KNOWN);
    return RULE_DONE;
  }
  if (c->row->param == ASSERT_TRUE) {
    rule_require_bool(c, x, true, "the assertion holds");
    return RULE_DONE;
  }
  if (c->row->param != ASSERT_RANGE)
    rule_require(c, predicate_make(REL_GE, x, TERM_ZERO), "the integer is a dim");
  bound(c, x, "min", REL_GE);
  bound(c, x, "max", REL_LE);
  return RULE_DONE;
}
