// SPDX-License-Identifier: Apache-2.0
// ExportedProgram (torch/_export/serde/schema.py, versions 7 to 9): its inputs, nodes and outputs become one function.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/torch/reader.h"
#include "solver/ops/registry.h"

enum { NAME_ROOM = 256, OPERANDS_MAX = 64 };

static bool key_is(const dom_node *m, const char *key) {
  return strlen(key) == m->key_length && memcmp(m->key, key, m->key_length) == 0;
}

static const dom_node *need(torch_reader *r, const dom_node *object, const char *key,
                            dom_kind kind) {
  const dom_node *m = dom_member(object, key);
  if (!m || m->kind != kind) {
    torch_expected(r, key,
                   kind == DOM_ARRAY    ? "a list"
                   : kind == DOM_OBJECT ? "an object"
                                        : "a text",
                   m);
    m = NULL;
  }
  return m;
}

// "torch.ops.aten.add.Tensor" -> "torch.aten.add.Tensor", "_operator.mul" -> "torch.operator.mul"
static bool op_name(torch_reader *r, const dom_node *target, char out[NAME_ROOM]) {
  static const char *const HEADS[][2] = {{"torch.ops.", "torch."},
                                         {"_operator.", "torch.operator."},
                                         {"operator.", "torch.operator."},
                                         {"math.", "torch.math."}};
  static const char DEFAULT[] = ".default";
  if (!dom_is(target, DOM_STRING))
    return torch_expected(r, "the target of a node", "a text", target);
  const char *text = target->text, *head = "";
  size_t length = target->length;
  for (unsigned i = 0; i < sizeof HEADS / sizeof *HEADS; i++) {
    size_t skip = strlen(HEADS[i][0]);
    if (length <= skip || memcmp(text, HEADS[i][0], skip) != 0) continue;
    head = HEADS[i][1];
    text += skip;
    length -= skip;
    break;
  }
  size_t tail = sizeof DEFAULT - 1;
  if (length > tail && memcmp(text + length - tail, DEFAULT, tail) == 0) length -= tail;
  if (!length || length > NAME_ROOM - 32 || memchr(text, 0, length))
    return torch_fail(r, "the target of a node is no name of an operator");
  snprintf(out, NAME_ROOM, "%s%.*s", head, (int)length, text);
  return true;
}

// Where an argument goes: by its name where it is a keyword, else in the order of the list.
static uint32_t position(const op_row *row, const dom_node *input, uint32_t next) {
  const dom_node *name = dom_member(input, "name");
  int64_t kind = 1;
  dom_int(dom_member(input, "kind"), &kind);
  if (kind != 2 || !row || !row->parameters || !dom_is(name, DOM_STRING)) return next;
  uint32_t index = 0;
  for (const char *p = row->parameters; *p; index++) {
    size_t length = strcspn(p, " ");
    if (length == name->length && memcmp(p, name->text, length) == 0) return index;
    p += length + (p[length] == ' ');
  }
  return UINT32_MAX;  // the rule does not read it
}

static bool node_operands(torch_reader *r, const dom_node *node, const op_row *row,
                          value_id *operands, uint32_t *count) {
  assert(operands && count);
  const dom_node *inputs = need(r, node, "inputs", DOM_ARRAY);
  uint32_t next = 0;
  *count = 0;
  if (!inputs) return false;
  for (uint32_t i = 0; i < OPERANDS_MAX; i++) operands[i] = VALUE_NONE;
  for (const dom_node *m = inputs->first; m; m = m->next) {
    const dom_node *argument = dom_member(m, "arg");
    uint32_t at = position(row, m, next);
    value_id value;
    if (!argument) return torch_fail(r, "an input of a node has no 'arg'");
    if (!torch_operand(r, argument, &value)) return false;
    if (at == next) next++;
    if (at >= OPERANDS_MAX) continue;
    operands[at] = value;
    if (at >= *count) *count = at + 1;
  }
  return true;
}

// The name of an output, of which *is_int says the kind; NULL where it has none.
const dom_node *torch_output_name(const dom_node *one, bool *is_int) {
  *is_int = key_is(one, "as_sym_int") || key_is(one, "as_sym_bool") || key_is(one, "as_sym_float");
  if (key_is(one, "as_tensor")) return dom_member(one, "name");
  return *is_int ? dom_member(one, "as_name") : NULL;
}

static bool define_output(torch_reader *r, const dom_node *name, value_id value, bool is_int) {
  return torch_define(r, name, value) && torch_declare(r, name, value, is_int);
}

// A list: it is taken apart at once, as its elements have the names.
static bool define_list(torch_reader *r, const dom_node *names, value_id value) {
  assert(names->count && value < r->g->value_count);
  value_id first = build_op(&r->build, "torch.prim.ListUnpack", &value, 1, NULL, names->count),
           at = first;
  for (const dom_node *m = names->first; m; m = m->next) {
    if (!define_output(r, dom_member(m, "name"), at++, false)) return false;
  }
  at = first;
  for (const dom_node *m = names->first; m; m = m->next) {
    if (!torch_bind(r, dom_member(m, "name"), at++, false)) return false;
  }
  return true;
}

// The values from `first` on, of which each entry names one.
static bool define_all(torch_reader *r, const dom_node *entries, value_id first,
                       const char *entry) {
  assert(entries->kind == DOM_ARRAY);
  const dom_node *one;
  bool is_int;
  value_id at = first;
  for (const dom_node *m = entries->first; m; m = m->next, at++) {
    if (!torch_union(r, m, entry, &one)) return false;
    const dom_node *name = torch_output_name(one, &is_int);
    if (name && !define_output(r, name, at, is_int)) return false;
    if (key_is(one, "as_tensor") && !name) return torch_fail(r, "%s has no name", entry);
  }
  return true;
}

static bool bind_entry(torch_reader *r, const dom_node *entry, value_id value) {
  bool is_int;
  const dom_node *name = torch_output_name(entry->first, &is_int);
  return !name || torch_bind(r, name, value, is_int);
}

static bool node_outputs(torch_reader *r, const dom_node *outputs, value_id first) {
  if (!define_all(r, outputs, first, "an output of a node")) return false;
  value_id at = first;
  for (const dom_node *m = outputs->first; m; m = m->next, at++) {
    if (!bind_entry(r, m, at)) return false;
    if (key_is(m->first, "as_tensors") && dom_is(m->first, DOM_ARRAY) && m->first->count &&
        !define_list(r, m->first, at))
      return false;
  }
  return true;
}

// The bytes of a node, where the archive has them as they are: stored, and without what the JSON is rid of.
static source_span span_of(const torch_reader *r, const dom_node *node) {
  const source_text *source = &r->g->source;
  uintptr_t at = (uintptr_t)node->text, begin = (uintptr_t)source->text;
  if (!node->text || at < begin || at - begin >= source->length) return SPAN_NONE;
  return (source_span){(uint32_t)(at - begin), (uint32_t)(at - begin) + node->length};
}

bool torch_node(torch_reader *r, const dom_node *node) {
  char name[NAME_ROOM];
  value_id operands[OPERANDS_MAX];
  uint32_t count;
  if (!dom_is(node, DOM_OBJECT)) return torch_expected(r, "a node", "an object", node);
  if (!op_name(r, dom_member(node, "target"), name)) return false;
  bool taken;
  if (!r->depth) r->build.span = span_of(r, node);
  if (!torch_higher_order(r, name, node, &taken)) return false;
  if (taken) return true;
  const op_row *row = registry_find(name, strlen(name), 0);
  const dom_node *outputs = need(r, node, "outputs", DOM_ARRAY);
  if (!outputs || !node_operands(r, node, row, operands, &count)) return false;
  uint32_t results = outputs->count;
  if (row && row->results > (int)results) results = (uint32_t)row->results;  // some have no name
  if (row && row->results >= 0 && (int)results > row->results)
    return torch_fail(r, "a node of %s has %u outputs, the operator has %d", name, results,
                      row->results);
  value_id first = build_op(&r->build, name, operands, count, NULL, results);
  return node_outputs(r, outputs, first);
}

// --- the function

static bool read_inputs(torch_reader *r, const dom_node *inputs) {
  value_id first = graph_add_block_arguments(r->g, r->build.block, inputs->count);
  for (uint32_t i = 0; i < inputs->count; i++) r->g->values[first + i].at = UINT32_MAX;
  if (!define_all(r, inputs, first, "an entry of inputs")) return false;
  for (const dom_node *m = inputs->first; m; m = m->next) {
    if (!bind_entry(r, m, first++)) return false;
  }
  return true;
}

static bool read_outputs(torch_reader *r, const dom_node *outputs) {
  value_id *results = arena_alloc(r->g->arena, ((size_t)outputs->count + 1) * sizeof *results);
  uint32_t count = 0;
  for (const dom_node *m = outputs->first; m; m = m->next) {
    if (!torch_operand(r, m, &results[count++])) return false;
  }
  build_op(&r->build, "func.return", results, count, NULL, 0);
  graph_set_signature(r->g, r->func, r->build.block);
  return true;
}

// Every value that the archive describes, used or not.
static bool check_values(torch_reader *r) {
  for (const dom_node *m = r->tensors->first; m; m = m->next) {
    dom_node name = {.kind = DOM_STRING, .text = m->key, .length = m->key_length};
    if (!torch_declare(r, &name, VALUE_NONE, false)) return false;
  }
  return true;
}

bool torch_program(torch_reader *r, const dom_node *root) {
  int64_t version;
  shape_graph *g = r->g;
  if (!dom_is(root, DOM_OBJECT))
    return torch_expected(r, "the exported program", "an object", root);
  const dom_node *schema = dom_member(root, "schema_version");
  const dom_node *major = dom_is(schema, DOM_OBJECT) ? dom_member(schema, "major") : schema;
  if (!dom_int(major, &version)) return torch_expected(r, "schema_version", "an integer", major);
  if (version < 5 || version > 9)
    return torch_fail(
        r,
        "expected a schema_version of 5 to 9, found %lld: export the program again with a "
        "PyTorch that writes one of these",
        (long long)version);
  const dom_node *module = need(r, root, "graph_module", DOM_OBJECT);
  const dom_node *graph = module ? need(r, module, "graph", DOM_OBJECT) : NULL;
  const dom_node *inputs = graph ? need(r, graph, "inputs", DOM_ARRAY) : NULL;
  const dom_node *nodes = inputs ? need(r, graph, "nodes", DOM_ARRAY) : NULL;
  const dom_node *outputs = nodes ? need(r, graph, "outputs", DOM_ARRAY) : NULL;
  r->tensors = outputs ? need(r, graph, "tensor_values", DOM_OBJECT) : NULL;
  if (!r->tensors) return false;
  r->integers = dom_member(graph, "sym_int_values");
  torch_index(r);
  r->func = graph_add_func(g, intern_add(&g->names, "forward", 7), 0, SPAN_NONE);
  r->build = (torch_builder){g, graph_add_block(g, graph_add_body(g, r->func)), SPAN_NONE};
  if (!read_inputs(r, inputs) || !check_values(r) ||
      !torch_range_constraints(r, dom_member(root, "range_constraints")))
    return false;
  torch_guards(r, dom_member(root, "guards_code"), inputs);
  for (const dom_node *m = nodes->first; m; m = m->next) {
    if (!torch_node(r, m)) return false;
  }
  return read_outputs(r, outputs);
}
