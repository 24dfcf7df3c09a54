// SPDX-License-Identifier: Apache-2.0
// Calls of model-local functions (ONNX IR, "Functions") are replaced by the function's nodes: its inputs and outputs
// take the call's names, inner values get names of their own, and references to attributes are filled in.
//
// Functions that call others twice would double with each level. So bodies are copied only as long as their bytes stay
// within a multiple of the file's; then a call stays a call, of a function of the graph that is read once for all calls
// with one signature: the same inputs left out, and the same attributes. It has no type: calls differ in element types.
#include "solver/formats/onnx/reader.h"

enum { COPIES_FREE = 1 << 18, COPIES_PER_BYTE = 16 };  // bytes of bodies that are copied

name_id onnx_function_key(onnx_reader *r, wire_span domain, wire_span name, wire_span overload) {
  shape_strbuf text;
  strbuf_init(&text, r->graph->arena);
  const wire_span parts[] = {domain, name, overload};
  for (unsigned i = 0; i < 3; i++) {
    strbuf_add(&text, (const char *)parts[i].data, parts[i].size);
    strbuf_putc(&text, 0);
  }
  return intern_add(&r->graph->names, text.data, text.length);
}

static const onnx_function *find_function(const onnx_reader *r, name_id key) {
  uint32_t at;
  return imap_get(&r->function_by_key, key, &at) ? &r->functions[at] : NULL;
}

// Attributes of the call, then the defaults that the function gives itself (FunctionProto.attribute_proto). What refers
// to an attribute of the function around the call stands for that one.
static onnx_arguments gather_arguments(onnx_reader *r, wire_span node, wire_span body,
                                       const onnx_arguments *outer) {
  onnx_arguments a = {0};
  uint32_t capacity = 0;
  const struct {
    wire_span message;
    uint32_t field;
  } sources[] = {{node, NODE_ATTRIBUTE}, {body, FUNCTION_ATTRIBUTE_PROTO}};
  for (unsigned i = 0; i < 2; i++) {
    wire_reader w = wire_open(sources[i].message);
    wire_field f, name;
    while (wire_next(&w, &f)) {
      const wire_span *content = &f.bytes;
      if (f.number != sources[i].field || !wire_find(f.bytes, ATTRIBUTE_NAME, &name)) continue;
      if (!onnx_resolve(r, outer, &content)) continue;
      bool fresh;
      name_id id = onnx_name(r, name.bytes);
      uint32_t *slot = imap_slot(&a.by_name, r->graph->arena, id, &fresh);
      if (!fresh) continue;
      *slot = a.count;
      a.attributes = arena_grow(r->graph->arena, a.attributes, a.count, (size_t)a.count + 1,
                                &capacity, sizeof *a.attributes);
      a.attributes[a.count++] = (onnx_argument){id, *content};
    }
  }
  return a;
}

bool onnx_resolve(onnx_reader *r, const onnx_arguments *arguments, const wire_span **attribute) {
  wire_field reference;
  if (!wire_find(**attribute, ATTRIBUTE_REF_NAME, &reference) || !reference.bytes.size) return true;
  uint32_t index;
  if (!arguments || !imap_get(&arguments->by_name, onnx_name(r, reference.bytes), &index))
    return false;
  *attribute = &arguments->attributes[index].attribute;
  return true;
}

// The values that the call gives to the function's inputs, position by position: VALUE_NONE where it leaves one out.
static value_id *read_actuals(onnx_reader *r, wire_span node, wire_span body,
                              const onnx_scope *scope, uint32_t *count) {
  wire_reader formal = wire_open(body), actual = wire_open(node);
  wire_field name, given;
  value_id *values = NULL;
  uint32_t capacity = 0;
  *count = 0;
  while (wire_next(&formal, &name)) {
    if (name.number != FUNCTION_INPUT) continue;
    value_id value = VALUE_NONE;
    while (wire_next(&actual, &given)) {
      if (given.number != NODE_INPUT) continue;
      if (given.bytes.size) onnx_lookup(scope, onnx_name(r, given.bytes), &value);
      break;
    }
    values =
        arena_grow(r->graph->arena, values, *count, (size_t)*count + 1, &capacity, sizeof *values);
    values[(*count)++] = value;
  }
  return values;
}

static void bind_inputs(onnx_reader *r, wire_span body, const value_id *values, onnx_scope *inner) {
  wire_reader formal = wire_open(body);
  wire_field name;
  for (uint32_t i = 0; wire_next(&formal, &name);) {
    if (name.number == FUNCTION_INPUT)
      imap_put(&inner->values, r->graph->arena, onnx_name(r, name.bytes), values[i++]);
  }
}

// The function's outputs become values of the caller under the call's names.
static void bind_outputs(onnx_reader *r, wire_span node, wire_span body, onnx_scope *outer,
                         const onnx_scope *inner) {
  wire_reader formal = wire_open(body), actual = wire_open(node);
  wire_field name, given;
  while (wire_next(&actual, &given)) {
    if (given.number != NODE_OUTPUT) continue;
    value_id value = VALUE_NONE;
    bool found = false, defined = false;
    while (!found && wire_next(&formal, &name)) {
      if (name.number != FUNCTION_OUTPUT) continue;
      defined = onnx_lookup(inner, onnx_name(r, name.bytes), &value);
      found = true;
    }
    if (!found) onnx_error(r, node, "a call has more outputs than the function it calls");
    if (!given.bytes.size) continue;
    name_id call_name = onnx_name(r, given.bytes);
    if (value != VALUE_NONE) {
      onnx_define(r, outer, call_name, value, given.bytes);
    } else if (defined) {
      // An input that the call left out is handed on as an output: absent wherever the caller uses it.
      imap_put(&outer->values, r->graph->arena, call_name, VALUE_NONE);
    }
  }
}

static void read_body(onnx_reader *r, wire_span body, block_id block, onnx_scope *inner,
                      const onnx_arguments *arguments) {
  onnx_nodes nodes = {0};
  wire_reader w = wire_open(body);
  wire_field f;
  while (wire_next(&w, &f)) {
    if (f.number == FUNCTION_NODE) onnx_nodes_add(r, &nodes, f.bytes);
  }
  onnx_sort_nodes(r, &nodes);
  r->depth++;
  r->inlined++;
  onnx_read_nodes(r, &nodes, block, inner, arguments);
  r->inlined--;
  r->depth--;
}

// --- calls that stay calls

// The shared function of the call's signature, new or known: the name of the function of the graph.
static name_id share(onnx_reader *r, const onnx_function *function, const value_id *values,
                     uint32_t count, const onnx_arguments *arguments) {
  shape_arena *arena = r->graph->arena;
  shape_strbuf text;
  strbuf_init(&text, arena);
  strbuf_add(&text, (const char *)&function->key, sizeof function->key);
  for (uint32_t i = 0; i < count; i++) strbuf_putc(&text, values[i] != VALUE_NONE);
  // An attribute is the bytes at its place in the file; equal ones elsewhere only make another signature.
  for (uint32_t i = 0; i < arguments->count; i++) {
    const onnx_argument *a = &arguments->attributes[i];
    strbuf_add(&text, (const char *)&a->name, sizeof a->name);
    strbuf_add(&text, (const char *)&a->attribute.data, sizeof a->attribute.data);
  }
  if (!r->signatures.arena) intern_init(&r->signatures, arena);
  uint32_t index = intern_add(&r->signatures, text.data, text.length);
  if (index < r->shared_count) return r->shared[index].name;
  onnx_shared made = {function->body, *arguments, NAME_NONE, values, count};
  strbuf_init(&text, arena);
  wire_field domain = {0}, name = {0};
  wire_find(function->body, FUNCTION_DOMAIN, &domain);
  wire_find(function->body, FUNCTION_NAME, &name);
  // A name that nothing has: that of the graph is the author's.
  for (uint32_t i = index; made.name == NAME_NONE; i++) {
    text.length = 0;
    strbuf_add(&text, (const char *)domain.bytes.data, domain.bytes.size);
    strbuf_putc(&text, '.');
    strbuf_add(&text, (const char *)name.bytes.data, name.bytes.size);
    strbuf_printf(&text, "#%u", i);
    if (intern_find(&r->graph->names, text.data, text.length) == NAME_NONE)
      made.name = intern_add(&r->graph->names, text.data, text.length);
  }
  r->shared = arena_grow(arena, r->shared, index, (size_t)index + 1, &r->shared_capacity,
                         sizeof *r->shared);
  r->shared[r->shared_count++] = made;
  return made.name;
}

// The call operation; its results become the outputs in `inner`, but for those that are inputs by themselves.
static void add_call(onnx_reader *r, wire_span node, wire_span body, name_id callee,
                     const value_id *values, uint32_t count, block_id block, onnx_scope *inner) {
  shape_graph *g = r->graph;
  op_id op = graph_add_op(g, intern_add(&g->names, "func.call", 9), block, onnx_span(r, node));
  value_id *operands = arena_alloc(g->arena, (count + 1) * sizeof *operands);
  uint32_t used = 0, outputs = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (values[i] != VALUE_NONE) operands[used++] = values[i];
  }
  graph_set_operands(g, op, operands, used);
  graph_attr symbol = {.kind = ATTR_SYMBOL, .type = TYPE_NONE, .text = callee, .span = SPAN_NONE};
  attr_entry entry = {intern_add(&g->names, "callee", 6), graph_add_attr(g, &symbol)};
  graph_set_attrs(g, op, &entry, 1);
  wire_reader w = wire_open(body);
  wire_field f;
  while (wire_next(&w, &f)) outputs += f.number == FUNCTION_OUTPUT;
  value_id first = graph_add_results(g, op, outputs), known;
  w = wire_open(body);
  for (uint32_t i = 0; wire_next(&w, &f);) {
    if (f.number != FUNCTION_OUTPUT) continue;
    name_id name = onnx_name(r, f.bytes);
    if (!imap_get(&inner->values, name, &known))
      imap_put(&inner->values, g->arena, name, first + i);
    i++;
  }
}

static void add_return(onnx_reader *r, wire_span body, block_id block, const onnx_scope *inner,
                       const onnx_scope *inputs) {
  shape_graph *g = r->graph;
  op_id op = graph_add_op(g, intern_add(&g->names, "func.return", 11), block, onnx_span(r, body));
  value_id *values = NULL, ignored;
  uint32_t count = 0, capacity = 0;
  wire_reader w = wire_open(body);
  wire_field f;
  while (wire_next(&w, &f)) {
    if (f.number != FUNCTION_OUTPUT) continue;
    values = arena_grow(g->arena, values, count, (size_t)count + 1, &capacity, sizeof *values);
    name_id name = onnx_name(r, f.bytes);
    if (!onnx_lookup(inner, name, &values[count]))
      onnx_error(r, f.bytes, "output '%s' of a function is not defined", onnx_text(r, f.bytes));
    // The caller would take it for a value that is there.
    else if (values[count] == VALUE_NONE && !imap_get(&inputs->values, name, &ignored))
      onnx_error(r, f.bytes, "output '%s' of a function is an input that calls leave out",
                 onnx_text(r, f.bytes));
    count++;
  }
  graph_set_operands(g, op, values, count);
}

static void read_shared(onnx_reader *r, const onnx_shared *shared) {
  shape_graph *g = r->graph;
  r->func = graph_add_func(g, shared->name, 0, onnx_span(r, shared->body));
  g->funcs[r->func].is_private = true;
  region_id region = graph_add_body(g, r->func);
  block_id block = graph_add_block(g, region);
  value_id *values = arena_alloc(g->arena, (shared->input_count + 1) * sizeof *values);
  uint32_t given = 0;
  for (uint32_t i = 0; i < shared->input_count; i++) given += shared->inputs[i] != VALUE_NONE;
  value_id next = graph_add_block_arguments(g, block, given);
  for (uint32_t i = 0; i < shared->input_count; i++)
    values[i] = shared->inputs[i] == VALUE_NONE ? VALUE_NONE : next++;
  onnx_scope inner = {0}, inputs = {0};
  bind_inputs(r, shared->body, values, &inner);
  bind_inputs(r, shared->body, values, &inputs);
  read_body(r, shared->body, block, &inner, &shared->arguments);
  add_return(r, shared->body, block, &inner, &inputs);
}

void onnx_read_shared(onnx_reader *r) {
  // Those that are read may add more.
  for (uint32_t i = 0; i < r->shared_count; i++) {
    const onnx_shared shared = r->shared[i];
    read_shared(r, &shared);
  }
}

bool onnx_call(onnx_reader *r, wire_span node, name_id key, block_id block, onnx_scope *scope,
               const onnx_arguments *arguments) {
  const onnx_function *function = find_function(r, key);
  if (!function) return false;
  if (r->depth >= ONNX_MAX_DEPTH) {
    onnx_error(r, node, "calls of functions are nested deeper than %d, or call themselves",
               ONNX_MAX_DEPTH);
    return true;
  }
  onnx_scope inner = {0};
  const wire_span body = function->body;
  onnx_arguments given = gather_arguments(r, node, body, arguments);
  uint32_t count;
  const value_id *values = read_actuals(r, node, body, scope, &count);
  bind_inputs(r, body, values, &inner);
  if (r->copied + body.size > COPIES_FREE + COPIES_PER_BYTE * (uint64_t)r->length) {
    add_call(r, node, body, share(r, function, values, count, &given), values, count, block,
             &inner);
  } else {
    r->copied += body.size;
    read_body(r, body, block, &inner, &given);
  }
  bind_outputs(r, node, body, scope, &inner);
  return true;
}
