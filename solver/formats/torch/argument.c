// SPDX-License-Identifier: Apache-2.0
// Arguments of nodes: names of values, and constants and lists, which become operations.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "solver/base/decimal.h"
#include "solver/formats/torch/reader.h"

static bool is_key(const dom_node *m, const char *key) {
  return strlen(key) == m->key_length && memcmp(m->key, key, m->key_length) == 0;
}

// A number as JSON has it: what is an integer is exact as a double where it matters.
static value_id real(torch_reader *r, const dom_node *node) {
  int64_t whole;
  double value;
  if (dom_int(node, &whole)) {
    value = (double)whole;
  } else if (!node->text || !decimal_short(node->text, node->length, &value)) {
    value = NAN;
  }
  return build_real(&r->build, value);
}

typedef bool torch_item(torch_reader *r, const dom_node *node, value_id *out);

static bool int_item(torch_reader *r, const dom_node *node, value_id *out) {
  int64_t value;
  if (!dom_int(node, &value)) return torch_expected(r, "as_ints", "integers of 64 bits", node);
  *out = build_int(&r->build, value);
  return true;
}

static bool sym_item(torch_reader *r, const dom_node *node, value_id *out) {
  const dom_node *one;
  if (!torch_union(r, node, "as_sym_ints", &one)) return false;
  if (is_key(one, "as_name")) return torch_look_up(r, one, out);
  if (is_key(one, "as_bool")) {
    *out = build_bool(&r->build, one->count != 0);
    return true;
  }
  if (is_key(one, "as_float")) {
    *out = real(r, one);
    return true;
  }
  return int_item(r, one, out);
}

static bool bool_item(torch_reader *r, const dom_node *node, value_id *out) {
  *out = build_bool(&r->build, dom_is(node, DOM_BOOL) && node->count);
  return true;
}

static bool float_item(torch_reader *r, const dom_node *node, value_id *out) {
  *out = real(r, node);
  return true;
}

static bool string_item(torch_reader *r, const dom_node *node, value_id *out) {
  if (!dom_is(node, DOM_STRING)) return torch_expected(r, "as_strings", "texts", node);
  *out = build_text(&r->build, node->text, node->length);
  return true;
}

static bool tensor_item(torch_reader *r, const dom_node *node, value_id *out) {
  return torch_look_up(r, dom_member(node, "name"), out);
}

static bool optional_item(torch_reader *r, const dom_node *node, value_id *out) {
  const dom_node *one;
  if (!torch_union(r, node, "an optional tensor", &one)) return false;
  if (is_key(one, "as_tensor")) return tensor_item(r, one, out);
  *out = build_none(&r->build);
  return true;
}

static bool int_list_item(torch_reader *r, const dom_node *node, value_id *out);

static bool list(torch_reader *r, const dom_node *node, torch_item *item, value_id *out) {
  assert(item && out);
  if (!dom_is(node, DOM_ARRAY)) return torch_expected(r, "an argument", "a list", node);
  value_id *values = arena_alloc(r->g->arena, ((size_t)node->count + 1) * sizeof *values);
  uint32_t count = 0;
  for (const dom_node *m = node->first; m; m = m->next) {
    if (!item(r, m, &values[count++])) return false;
  }
  *out = build_list(&r->build, values, count);
  return true;
}

static bool int_list_item(torch_reader *r, const dom_node *node, value_id *out) {
  return list(r, node, int_item, out);
}

bool torch_operand(torch_reader *r, const dom_node *argument, value_id *out) {
  assert(argument && out);
  static const struct {
    const char *key;
    torch_item *item;
    bool is_list;
  } ROWS[] = {{"as_tensor", tensor_item, false},
              {"as_tensors", tensor_item, true},
              {"as_int", int_item, false},
              {"as_ints", int_item, true},
              {"as_sym_int", sym_item, false},
              {"as_sym_ints", sym_item, true},
              {"as_sym_bool", sym_item, false},
              {"as_sym_bools", sym_item, true},
              {"as_sym_float", sym_item, false},
              {"as_sym_floats", sym_item, true},
              {"as_bool", bool_item, false},
              {"as_bools", bool_item, true},
              {"as_float", float_item, false},
              {"as_floats", float_item, true},
              {"as_string", string_item, false},
              {"as_strings", string_item, true},
              {"as_optional_tensor", optional_item, false},
              {"as_optional_tensors", optional_item, true},
              {"as_int_lists", int_list_item, true}};
  const dom_node *one;
  if (!torch_union(r, argument, "an argument of a node", &one)) return false;
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (!is_key(one, ROWS[i].key)) continue;
    return ROWS[i].is_list ? list(r, one, ROWS[i].item, out) : ROWS[i].item(r, one, out);
  }
  // Types, devices and layouts say nothing of dims.
  *out = is_key(one, "as_none") ? build_none(&r->build) : build_other(&r->build);
  return true;
}
