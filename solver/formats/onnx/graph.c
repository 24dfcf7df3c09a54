// SPDX-License-Identifier: Apache-2.0
// GraphProto to a region with one block: inputs are its arguments, initializers are constants, outputs its return.
#include <assert.h>

#include "solver/formats/onnx/reader.h"

bool onnx_lookup(const onnx_scope *scope, name_id name, value_id *value) {
  *value = VALUE_NONE;
  for (; scope; scope = scope->outer) {
    if (imap_get(&scope->values, name, value)) return true;
  }
  return false;
}

void onnx_define(onnx_reader *r, onnx_scope *scope, name_id name, value_id value, wire_span at) {
  bool fresh;
  assert(value == VALUE_NONE || value < r->graph->value_count);
  uint32_t *slot = imap_slot(&scope->values, r->graph->arena, name, &fresh);
  if (!fresh) {
    onnx_error(r, at, "the name '%s' is defined twice", onnx_text(r, at));
    return;
  }
  *slot = value;
  graph_value *v = &r->graph->values[value];
  if (!r->inlined) v->name = name;
  uint32_t type;
  if (v->type == TYPE_NONE && imap_get(&scope->declared, name, &type)) v->type = type;
}

static const char *type_text(const onnx_reader *r, type_id type) {
  shape_strbuf text;
  strbuf_init(&text, r->graph->arena);
  type_print(&r->graph->types, &text, type);
  return strbuf_text(&text);
}

typedef struct graph_parts {
  onnx_nodes nodes, inputs, outputs, initializers, sparse;
  wire_span name;
} graph_parts;

static bool is_undefined(const onnx_reader *r, const graph_type *t) {
  return t->text != NAME_NONE && strcmp(intern_text(&r->graph->names, t->text), "undefined") == 0;
}

// What two declarations of one value say together; false where they contradict one another. Of a dim, a number counts
// before a name, which counts before nothing, and then the first. O(rank).
static bool both_types(onnx_reader *r, type_id first, type_id second, type_id *both) {
  type_table *types = &r->graph->types;
  const graph_type *a = type_get(types, first), *b = type_get(types, second);
  *both = first;
  if (!type_is_tensor(types, first) || !type_is_tensor(types, second)) return a->kind == b->kind;
  bool defined = !is_undefined(r, a), same = type_same_element(types, first, second);
  if (defined && !is_undefined(r, b) && !same) return false;
  if (a->kind == TYPE_TENSOR && b->kind == TYPE_TENSOR && a->rank != b->rank) return false;
  const graph_type *shaped = a->kind == TYPE_TENSOR ? a : b;
  if (shaped->kind != TYPE_TENSOR) {
    if (!defined) *both = second;
    return true;
  }
  int64_t *dims = arena_alloc(r->graph->arena, ((size_t)shaped->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < shaped->rank; i++) {
    int64_t x = a->kind == TYPE_TENSOR ? a->dims[i] : DIM_DYNAMIC;
    int64_t y = b->kind == TYPE_TENSOR ? b->dims[i] : DIM_DYNAMIC;
    if (dim_is_static(x) && dim_is_static(y) && x != y) return false;
    dims[i] = x == DIM_DYNAMIC || dim_is_static(y) ? y : x;
  }
  *both = type_with_dims(types, defined ? first : second, dims, NULL, shaped->rank);
  return true;
}

// The checker of ONNX lets a value be declared more than once, as an output and by a value_info for one. Two inputs of one
// name are an error.
static void declare(onnx_reader *r, onnx_scope *scope, wire_span value_info, bool input) {
  wire_field name, type;
  uint32_t earlier, both;
  if (!wire_find(value_info, VALUE_INFO_NAME, &name) ||
      !wire_find(value_info, VALUE_INFO_TYPE, &type))
    return;
  type_id id = onnx_type(r, type.bytes);
  if (id == TYPE_NONE) return;
  name_id key = onnx_name(r, name.bytes);
  if (imap_get(&scope->declared, key, &earlier) && earlier != id) {
    if (!both_types(r, earlier, id, &both) && !input)
      diag_add(&r->graph->diags, DIAG_WARNING, "declared-type", onnx_span(r, name.bytes),
               "'%s' is declared twice with types that differ: %s counts, %s does not",
               onnx_text(r, name.bytes), type_text(r, earlier), type_text(r, id));
    id = both;
  }
  imap_put(&scope->declared, r->graph->arena, key, id);
}

static graph_parts split(onnx_reader *r, wire_span message, onnx_scope *scope) {
  graph_parts parts = {0};
  wire_reader w = wire_open(message);
  wire_field f;
  while (wire_next(&w, &f)) {
    switch (f.number) {
    case GRAPH_NAME: parts.name = f.bytes; break;
    case GRAPH_NODE: onnx_nodes_add(r, &parts.nodes, f.bytes); break;
    case GRAPH_INPUT: onnx_nodes_add(r, &parts.inputs, f.bytes); break;
    case GRAPH_OUTPUT: onnx_nodes_add(r, &parts.outputs, f.bytes); break;
    case GRAPH_INITIALIZER: onnx_nodes_add(r, &parts.initializers, f.bytes); break;
    case GRAPH_SPARSE_INITIALIZER: onnx_nodes_add(r, &parts.sparse, f.bytes); break;
    default: break;
    }
  }
  if (w.malformed) onnx_malformed(r, message, "the graph");
  // Symbols are in the order of inputs, then outputs, then inner values, whatever the order of the fields.
  r->in_signature = !scope->outer;
  for (uint32_t i = 0; i < parts.inputs.count; i++) declare(r, scope, parts.inputs.items[i], true);
  r->in_signature = false;
  for (uint32_t i = 0; i < parts.outputs.count; i++)
    declare(r, scope, parts.outputs.items[i], false);
  for (w = wire_open(message); wire_next(&w, &f);) {
    if (f.number == GRAPH_VALUE_INFO) declare(r, scope, f.bytes, false);
  }
  return parts;
}

// An initializer that is an input too has the type that the input declares.
static void check_default(onnx_reader *r, const onnx_scope *scope, name_id name, type_id have,
                          wire_span at) {
  uint32_t declared;
  if (!imap_get(&scope->declared, name, &declared)) return;
  assert(have != TYPE_NONE);
  const graph_type *a = type_get(&r->graph->types, have);
  const graph_type *b = type_get(&r->graph->types, declared);
  if (a->kind != TYPE_TENSOR || b->kind != TYPE_TENSOR) return;
  bool same = a->rank == b->rank;
  for (uint32_t i = 0; same && i < a->rank; i++)
    same = !dim_is_static(b->dims[i]) || a->dims[i] == b->dims[i];
  if (same) return;
  onnx_error(r, at, "initializer '%s' is %s, it is declared as %s",
             intern_text(&r->graph->names, name), type_text(r, have), type_text(r, declared));
}

// The constant operation of an initializer. Its value's declared type is the tensor's own.
static void read_initializer(onnx_reader *r, wire_span tensor, bool sparse, block_id block,
                             onnx_scope *scope) {
  wire_span name = {0};
  attr_id value = sparse ? onnx_sparse_tensor(r, tensor, &name) : onnx_tensor(r, tensor, &name);
  if (value == ATTR_NONE) return;
  shape_graph *g = r->graph;
  assert(g->attributes.items[value].kind == ATTR_DENSE &&
         g->attributes.items[value].type != TYPE_NONE);
  op_id op =
      graph_add_op(g, intern_add(&g->names, "onnx.Constant", 13), block, onnx_span(r, tensor));
  // Its node is called as the tensor: the span of the operation holds the payload.
  source_span span = g->ops[op].span;
  g->ops[op].name_span = name.size ? onnx_span(r, name) : (source_span){span.begin, span.begin};
  attr_entry entry = {intern_add(&g->names, "value", 5), value};
  graph_set_operands(g, op, NULL, 0);
  graph_set_attrs(g, op, &entry, 1);
  value_id result = graph_add_results(g, op, 1);
  g->values[result].type = g->attributes.items[value].type;
  check_default(r, scope, onnx_name(r, name), g->attributes.items[value].type, tensor);
  onnx_define(r, scope, onnx_name(r, name), result, name);
}

// Inputs that are initializers too are only defaults: the constant is their value, and they are no arguments.
static shape_imap initializer_names(onnx_reader *r, const graph_parts *parts) {
  shape_imap names = {0};
  for (uint32_t i = 0; i < parts->initializers.count; i++) {
    wire_field f;
    if (wire_find(parts->initializers.items[i], TENSOR_NAME, &f)) {
      imap_put(&names, r->graph->arena, onnx_name(r, f.bytes), i);
    }
  }
  for (uint32_t i = 0; i < parts->sparse.count; i++) {
    wire_field values, name;
    if (wire_find(parts->sparse.items[i], SPARSE_VALUES, &values) &&
        wire_find(values.bytes, TENSOR_NAME, &name))
      imap_put(&names, r->graph->arena, onnx_name(r, name.bytes), i);
  }
  return names;
}

// Who calls the model has to know what to hand over. Inside a graph element types follow from the nodes.
static void check_input(onnx_reader *r, name_id name, value_id value, wire_span at) {
  const graph_type *t = graph_value_type(r->graph, value);
  if (t && t->kind == TYPE_TENSOR && is_undefined(r, t))
    onnx_error(r, at, "expected an element type of input '%s', found none",
               intern_text(&r->graph->names, name));
}

static void read_inputs(onnx_reader *r, const graph_parts *parts, block_id block,
                        onnx_scope *scope) {
  shape_imap defaults = initializer_names(r, parts);
  name_id *names = arena_alloc(r->graph->arena, (parts->inputs.count + 1) * sizeof *names);
  wire_span *spans = arena_alloc(r->graph->arena, (parts->inputs.count + 1) * sizeof *spans);
  uint32_t count = 0, initializer;
  for (uint32_t i = 0; i < parts->inputs.count; i++) {
    wire_field f;
    if (!wire_find(parts->inputs.items[i], VALUE_INFO_NAME, &f)) continue;
    names[count] = onnx_name(r, f.bytes);
    spans[count] = f.bytes;
    if (!imap_get(&defaults, names[count], &initializer)) {
      count++;
      continue;
    }
    if (initializer == ID_NONE)
      onnx_error(r, f.bytes, "the name '%s' is defined twice", onnx_text(r, f.bytes));
    imap_put(&defaults, r->graph->arena, names[count], ID_NONE);
  }
  assert(count <= parts->inputs.count);
  value_id first = graph_add_block_arguments(r->graph, block, count);
  for (uint32_t i = 0; i < count; i++) {
    onnx_define(r, scope, names[i], first + i, spans[i]);
    if (!scope->outer) check_input(r, names[i], first + i, spans[i]);
  }
}

static void read_outputs(onnx_reader *r, const graph_parts *parts, block_id block,
                         const onnx_scope *scope, wire_span at) {
  value_id *values = arena_alloc(r->graph->arena, (parts->outputs.count + 1) * sizeof *values);
  uint32_t count = 0;
  for (uint32_t i = 0; i < parts->outputs.count; i++) {
    wire_field f;
    if (!wire_find(parts->outputs.items[i], VALUE_INFO_NAME, &f)) continue;
    if (!onnx_lookup(scope, onnx_name(r, f.bytes), &values[count]))
      onnx_error(r, f.bytes,
                 "output '%s' is not defined: no node, input or initializer has its name",
                 onnx_text(r, f.bytes));
    count++;
  }
  shape_graph *g = r->graph;
  op_id op = graph_add_op(g, intern_add(&g->names, "func.return", 11), block, onnx_span(r, at));
  graph_set_operands(g, op, values, count);
}

void onnx_graph(onnx_reader *r, wire_span message, region_id region, onnx_scope *outer,
                const onnx_arguments *arguments) {
  assert(region < r->graph->region_count);
  onnx_scope scope = {.outer = outer};
  graph_parts parts = split(r, message, &scope);
  block_id block = graph_add_block(r->graph, region);
  const uint32_t nodes = parts.nodes.count < ONNX_MAX_NODES ? parts.nodes.count : ONNX_MAX_NODES;
  if (!outer) graph_reserve(r->graph, nodes + parts.initializers.count);
  read_inputs(r, &parts, block, &scope);
  for (uint32_t i = 0; i < parts.initializers.count; i++) {
    read_initializer(r, parts.initializers.items[i], false, block, &scope);
  }
  for (uint32_t i = 0; i < parts.sparse.count; i++)
    read_initializer(r, parts.sparse.items[i], true, block, &scope);
  onnx_sort_nodes(r, &parts.nodes);
  onnx_read_nodes(r, &parts.nodes, block, &scope, arguments);
  read_outputs(r, &parts, block, &scope, parts.name);
}
