// SPDX-License-Identifier: Apache-2.0
// Operations of torch-mlir in their own syntax. Nearly all have one form, operands and their types, an arrow and the
// types of the results without parentheses (TorchOps.td); constants, symbols, binds, lists and control flow differ in
// what is between the name and the colon, which is read as it comes.
#include <assert.h>

#include "solver/formats/mlir/pretty.h"
#include "solver/graph/torch_names.h"

typedef struct torch_items {
  uint32_t depth;  // of brackets
  bool separated;  // an operand may follow
  bool done;
} torch_items;

static bool push_text(mlir_parser *p, mlir_op *op) {
  static const char OPERATOR[] = "torch.operator";
  const char *from = p->at;
  name_id text;
  bool symbol = *p->at == '@';
  if (!(symbol ? mlir_symbol_name(p, &text) : mlir_string(p, &text))) return false;
  shape_graph *g = p->g;
  if (!symbol && intern_length(&g->names, op->name) == sizeof OPERATOR - 1 &&
      strcmp(intern_text(&g->names, op->name), OPERATOR) == 0 && intern_length(&g->names, text)) {
    op->name = g->ops[op->id].name = text;  // "onnx.Add", "torch.aten.mm"
    return true;
  }
  attr_id value = mlir_make_text(p, symbol ? ATTR_SYMBOL : ATTR_STRING, text, from);
  mlir_push_key(p, symbol ? KEY_name : KEY_value, value);
  return true;
}

static bool push_value(mlir_parser *p) {
  attr_id value;
  if (!mlir_attr_bare(p, &value)) return false;
  mlir_push_key(p, KEY_value, value);
  return true;
}

static bool is_one_of(mlir_word word, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (mlir_word_is(word, words[i])) return true;
  }
  return false;
}

// dense<..> : type, affine_map<..>, true; words of the syntax are passed over. Any other begins the next operation: an
// operation without types in the end (`else {..}`, constant.none) may come before a `return`.
static bool word_item(mlir_parser *p, torch_items *items) {
  static const char *const VALUES[] = {"dense", "dense_resource", "affine_map", "true", "false"};
  static const char *const SYNTAX[] = {"else", "init", "iter", "overwrites", "private"};
  const char *from = p->at;
  mlir_word word;
  mlir_word_here(p, &word);
  bool value = is_one_of(word, VALUES, sizeof VALUES / sizeof *VALUES);
  if (mlir_word_is(word, "attributes")) return mlir_peek(p) != '{' || mlir_attr_dict(p);
  if (!value && !is_one_of(word, SYNTAX, sizeof SYNTAX / sizeof *SYNTAX)) {
    p->at = from;
    items->done = true;
    return true;
  }
  items->separated = true;
  if (!value) return true;
  p->at = from;
  attr_id attr;
  if (!mlir_attr(p, &attr)) return false;
  mlir_push_key(p, KEY_value, attr);
  items->separated = false;
  return true;
}

// After '(' or '[': types of operands in `iter(%z : T)` say what is known.
static bool inner_types(mlir_parser *p) {
  uint32_t height = p->stacks.types.count;
  do {
    type_id type;
    if (!mlir_type(p, &type)) return false;
  } while (mlir_accept(p, ','));
  p->stacks.types.count = height;
  return true;
}

static bool bracket(mlir_parser *p, torch_items *items, char c) {
  bool opens = c == '(' || c == '[';
  if (!opens && !items->depth) {
    items->done = true;
    return true;
  }
  if (opens && items->depth >= MLIR_DEPTH) return mlir_expected(p, "')'");
  items->depth += opens ? 1 : UINT32_MAX;
  items->separated = opens;
  p->at++;
  return true;
}

static bool one_item(mlir_parser *p, mlir_op *op, torch_items *items) {
  char c = mlir_peek(p);
  mlir_step(p);
  switch (c) {
  case '%':
    items->done = !items->separated;
    items->separated = false;
    return items->done || mlir_push_operand(p);
  case ',':
    p->at++;
    items->separated = true;
    return true;
  case '(':
  case '[':
  case ')':
  case ']': return bracket(p, items, c);
  case '{':
    if (!mlir_region_begins(p)) return mlir_attr_dict(p);
    items->separated = false;
    return mlir_region_here(p);
  case '@':
  case '"': items->separated = false; return push_text(p, op);
  case '#': return push_value(p);
  case '-':
    if (mlir_char(p, 1) == '>') {
      p->at += 2;
      return mlir_results_of(p, op, TYPE_NONE);
    }
    return push_value(p);
  case ':':
    if (!items->depth) break;
    p->at++;
    return inner_types(p);
  default:
    if (mlir_is_letter(c)) return word_item(p, items);
    if (mlir_is_digit(c)) return push_value(p);
    break;
  }
  items->done = true;
  return true;
}

// Types separated by commas, of operands or of results; their number.
static bool type_row(mlir_parser *p, const mlir_op *op, bool results, uint32_t *count) {
  *count = 0;
  do {
    const char *from = (mlir_skip(p), p->at);
    uint32_t at = op->operands + *count;
    value_id value =
        !results && at < p->stacks.operands.count ? p->stacks.operands.items[at].value : VALUE_NONE;
    type_id type, likely = value == VALUE_NONE ? TYPE_NONE : p->g->values[value].type;
    if (!mlir_type_like(p, likely, &type)) return false;
    if (p->uses && results)
      mlir_add_use(p, mlir_span(p, from, p->at), MLIR_USE_RESULT, op->id, *count);
    if (p->uses && !results) mlir_use_listed(p, op, *count, from);
    mlir_push_type(p, type);
    ++*count;
  } while (mlir_accept(p, ','));
  return true;
}

static void check_operands(mlir_parser *p, const mlir_op *op, uint32_t count) {
  assert(p->stacks.operands.count >= op->operands && p->stacks.types.count >= op->types);
  if (count != p->stacks.operands.count - op->operands) return;
  for (uint32_t i = 0; i < count; i++)
    mlir_check_use(p, p->stacks.operands.items[op->operands + i],
                   p->stacks.types.items[op->types + i]);
}

static bool torch_results(mlir_parser *p, mlir_op *op) {
  uint32_t count;
  assert(p->stacks.types.count >= op->types);
  p->stacks.types.count = op->types;
  if (mlir_peek(p) == '(') return mlir_results_of(p, op, TYPE_NONE);
  return type_row(p, op, true, &count);
}

// After ':'. A list without an arrow is of the results where there are any.
static bool torch_types(mlir_parser *p, mlir_op *op) {
  uint32_t count, uses = p->uses ? p->uses->count : 0, before = p->stacks.types.count;
  if (mlir_peek(p) == '(') return mlir_signature(p, op);
  if (!type_row(p, op, false, &count)) return false;
  if (before != op->types) {  // the results were said already, in front of a region
    p->stacks.types.count = before;
    return true;
  }
  bool arrow = mlir_peek(p) == '-' && mlir_accept_arrow(p);
  if (arrow || mlir_accept_word(p, "to")) {
    check_operands(p, op, count);
    return torch_results(p, op);
  }
  if (mlir_accept_word(p, "overwrites") && !type_row(p, op, false, &count)) return false;
  if (!op->bound) {
    p->stacks.types.count = op->types;
    return true;
  }
  for (uint32_t i = uses; p->uses && i < p->uses->count; i++) {
    p->uses->items[i].kind = MLIR_USE_RESULT;
    p->uses->items[i].subject = op->id;
  }
  return true;
}

static bool has_prefix(mlir_parser *p, name_id name, const char *prefix) {
  size_t length = strlen(prefix);
  return intern_length(&p->g->names, name) > length &&
         memcmp(intern_text(&p->g->names, name), prefix, length) == 0;
}

// torch.onnx.axis is ONNX's attribute axis; %none is an operand that is left out.
static void finish_onnx(mlir_parser *p, const mlir_op *op) {
  assert(p->stacks.entries.count >= op->entries && p->stacks.operands.count >= op->operands);
  static const char PREFIX[] = "torch.onnx.";
  shape_graph *g = p->g;
  for (uint32_t i = op->entries; i < p->stacks.entries.count; i++) {
    name_id name = p->stacks.entries.items[i].name;
    if (!has_prefix(p, name, PREFIX)) continue;
    p->stacks.entries.items[i].name =
        intern_add(&g->names, intern_text(&g->names, name) + sizeof PREFIX - 1,
                   intern_length(&g->names, name) - (sizeof PREFIX - 1));
  }
  for (uint32_t i = op->operands; i < p->stacks.operands.count; i++) {
    value_id value = p->stacks.operands.items[i].value;
    const graph_type *type = graph_value_type(g, value);
    if (type && type->kind == TYPE_OPAQUE && type->text != NAME_NONE &&
        strcmp(intern_text(&g->names, type->text), TORCH_NONE) == 0)
      p->stacks.operands.items[i].value = VALUE_NONE;
  }
}

// The types of constants are not written.
static bool constant_type(mlir_parser *p, const mlir_op *op) {
  static const char PREFIX[] = "torch.constant.";
  if (!op->bound || p->stacks.types.count != op->types || !has_prefix(p, op->name, PREFIX))
    return true;
  mlir_push_type(p, mlir_torch_scalar(p, intern_text(&p->g->names, op->name) + sizeof PREFIX - 1));
  return true;
}

bool mlir_pretty_torch(mlir_parser *p, mlir_op *op) {
  bool constant = has_prefix(p, op->name, "torch.constant.");
  torch_items items = {.separated = !constant};
  while (!items.done) {
    if (!one_item(p, op, &items)) return false;
  }
  if (items.depth) return mlir_expected(p, "')'");
  if (mlir_accept(p, ':') && !torch_types(p, op)) return false;
  if (mlir_peek(p) == '{' && mlir_region_begins(p) && !mlir_region_here(p)) return false;
  if (has_prefix(p, op->name, "onnx.")) finish_onnx(p, op);
  return constant_type(p, op);
}

void mlir_torch_opset(mlir_parser *p, func_id func) {
  name_id name = intern_find(&p->g->names, TORCH_OPSET, strlen(TORCH_OPSET));
  const graph_func *f = &p->g->funcs[func];
  assert(func < p->g->func_count);
  for (uint32_t i = 0; name != NAME_NONE && i < f->attr_count; i++) {
    const attr_entry *entry = &graph_attr_entries(p->g, f->attrs)[i];
    int64_t version;
    if (entry->name == name && graph_attr_int(p->g, entry->value, &version) && version > 0 &&
        version <= UINT16_MAX)
      p->g->onnx_opset = (uint32_t)version;
  }
}
