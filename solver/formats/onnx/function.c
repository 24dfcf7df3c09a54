// SPDX-License-Identifier: Apache-2.0
// Calls of model-local functions (ONNX IR, "Functions") are replaced by the function's nodes: its inputs and outputs
// take the call's names, inner values get names of their own, and references to attributes are filled in.
//
// Functions that call others twice would double with each level. So bodies are copied only as long as their bytes stay
// within a multiple of the file's; then a call stays a call, of a function of the graph that is read once for all calls
// with one signature: the same inputs left out, and the same attributes. It has no type: calls differ in element types.
#include <assert.h>

#include "solver/formats/onnx/reader.h"

// Bytes of bodies that are copied, and of those that are read for signatures.
static uint64_t copies_allowed(const onnx_reader *r) {
  enum { FREE = 1 << 18, EACH_BYTE = 16 };
  return FREE + EACH_BYTE * (uint64_t)r->length;
}

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

void onnx_add_function(onnx_reader *r, wire_span body) {
  wire_span domain = {0}, name = {0}, overload = {0};
  onnx_function made = {.body = body};
  wire_reader w = wire_open(body);
  wire_field f;
  while (wire_next(&w, &f)) {
    switch (f.number) {
    case FUNCTION_DOMAIN: domain = f.bytes; break;
    case FUNCTION_NAME: name = f.bytes; break;
    case FUNCTION_OVERLOAD: overload = f.bytes; break;
    case FUNCTION_INPUT: onnx_nodes_add(r, &made.inputs, f.bytes); break;
    case FUNCTION_OUTPUT: onnx_nodes_add(r, &made.outputs, f.bytes); break;
    case FUNCTION_ATTRIBUTE_PROTO: onnx_nodes_add(r, &made.defaults, f.bytes); break;
    case FUNCTION_NODE: onnx_nodes_add(r, &made.nodes, f.bytes); break;
    default: break;
    }
  }
  made.key = onnx_function_key(r, domain, name, overload);
  for (uint32_t i = 0; i < made.inputs.count; i++)
    imap_put(&made.input_by_name, r->graph->arena, onnx_name(r, made.inputs.items[i]), i);
  r->functions =
      arena_grow(r->graph->arena, r->functions, r->function_count, (size_t)r->function_count + 1,
                 &r->function_capacity, sizeof *r->functions);
  uint32_t known;
  if (!imap_get(&r->function_by_key, made.key, &known))
    imap_put(&r->function_by_key, r->graph->arena, made.key, r->function_count);
  r->functions[r->function_count++] = made;
}

static const onnx_nodes *sorted_nodes(onnx_reader *r, onnx_function *function) {
  if (!function->is_sorted) onnx_sort_nodes(r, &function->nodes);
  function->is_sorted = true;
  return &function->nodes;
}

// Takes an attribute; the first of a name counts.
static void gather(onnx_reader *r, onnx_arguments *to, wire_span attribute,
                   const onnx_arguments *outer) {
  const wire_span *content = &attribute;
  wire_field name;
  if (!wire_find(attribute, ATTRIBUTE_NAME, &name) || !onnx_resolve(r, outer, &content)) return;
  bool fresh;
  name_id id = onnx_name(r, name.bytes);
  uint32_t *slot = imap_slot(&to->by_name, r->graph->arena, id, &fresh);
  if (!fresh) return;
  *slot = to->count;
  to->attributes = arena_grow(r->graph->arena, to->attributes, to->count, (size_t)to->count + 1,
                              &to->capacity, sizeof *to->attributes);
  to->attributes[to->count++] = (onnx_argument){id, *content};
}

// Attributes of the call. What refers to an attribute of the function around the call is that one.
static onnx_arguments gather_arguments(onnx_reader *r, wire_span node,
                                       const onnx_arguments *outer) {
  onnx_arguments made = {0};
  wire_reader w = wire_open(node);
  wire_field f;
  while (wire_next(&w, &f)) {
    if (f.number == NODE_ATTRIBUTE) gather(r, &made, f.bytes, outer);
  }
  return made;
}

bool onnx_resolve(onnx_reader *r, const onnx_arguments *arguments, const wire_span **attribute) {
  wire_field reference;
  if (!wire_find(**attribute, ATTRIBUTE_REF_NAME, &reference) || !reference.bytes.size) return true;
  uint32_t index;
  if (!arguments || !imap_get(&arguments->by_name, onnx_name(r, reference.bytes), &index))
    return false;
  assert(index < arguments->count);
  *attribute = &arguments->attributes[index].attribute;
  return true;
}

// The values that the call gives to the function's first inputs, position by position: VALUE_NONE where it leaves one out.
static onnx_values read_actuals(onnx_reader *r, wire_span node, const onnx_function *function,
                                const onnx_scope *scope) {
  onnx_values given = {0};
  uint32_t capacity = 0;
  wire_reader w = wire_open(node);
  wire_field f;
  while (given.count < function->inputs.count && wire_next_of(&w, NODE_INPUT, &f)) {
    given.items = arena_grow(r->graph->arena, given.items, given.count, (size_t)given.count + 1,
                             &capacity, sizeof *given.items);
    value_id *value = &given.items[given.count++];
    *value = VALUE_NONE;
    if (f.bytes.size) onnx_lookup(scope, onnx_name(r, f.bytes), value);
  }
  while (given.count && given.items[given.count - 1] == VALUE_NONE) given.count--;
  assert(given.count <= function->inputs.count);
  return given;
}

static void bind_inputs(onnx_reader *r, const onnx_function *function, onnx_values given,
                        onnx_scope *inner) {
  for (uint32_t i = 0; i < function->inputs.count; i++)
    imap_put(&inner->values, r->graph->arena, onnx_name(r, function->inputs.items[i]),
             i < given.count ? given.items[i] : VALUE_NONE);
}

// An output of the function becomes a value of the caller under the call's name.
static void bind_output(onnx_reader *r, wire_span name, value_id value, bool defined,
                        onnx_scope *outer) {
  if (!name.size) return;
  name_id id = onnx_name(r, name);
  if (value != VALUE_NONE) {
    onnx_define(r, outer, id, value, name);
  } else if (defined) {
    // An input that the call left out is handed on as an output: absent wherever the caller uses it.
    imap_put(&outer->values, r->graph->arena, id, VALUE_NONE);
  }
}

static void read_body(onnx_reader *r, onnx_function *function, block_id block, onnx_scope *inner,
                      onnx_arguments *arguments) {
  assert(r->depth < ONNX_MAX_DEPTH);
  // What the call does not give has the default that the function gives itself (FunctionProto.attribute_proto).
  for (uint32_t i = 0; i < function->defaults.count; i++)
    gather(r, arguments, function->defaults.items[i], NULL);
  const onnx_nodes nodes = *sorted_nodes(r, function);
  r->depth++;
  r->inlined++;
  onnx_read_nodes(r, &nodes, block, inner, arguments);
  r->inlined--;
  r->depth--;
}

// --- calls that stay calls

// The number of an attribute in signatures: equal ones have one number, but for long ones, which are their locations.
static uint64_t attribute_number(onnx_reader *r, wire_span attribute) {
  enum { LONG = 4096 };
  uint64_t at = (uint64_t)(attribute.data - r->base);
  if (attribute.size > LONG) return at << 1 | 1;
  bool fresh;
  uint32_t *slot = imap_slot(&r->numbered, r->graph->arena, at, &fresh);
  if (fresh) *slot = intern_add(&r->signatures, (const char *)attribute.data, attribute.size);
  return (uint64_t)*slot << 1;
}

static name_id shared_name(onnx_reader *r, wire_span body, uint32_t index) {
  wire_field domain = {0}, name = {0};
  wire_find(body, FUNCTION_DOMAIN, &domain);
  wire_find(body, FUNCTION_NAME, &name);
  shape_strbuf text;
  strbuf_init(&text, r->graph->arena);
  // A name that nothing has: that of the graph is the author's.
  do {
    text.length = 0;
    strbuf_add(&text, (const char *)domain.bytes.data, domain.bytes.size);
    strbuf_putc(&text, '.');
    strbuf_add(&text, (const char *)name.bytes.data, name.bytes.size);
    strbuf_printf(&text, "#%u", index++);
  } while (intern_find(&r->graph->names, text.data, text.length) != NAME_NONE);
  return intern_add(&r->graph->names, text.data, text.length);
}

// The shared function of the call's signature, new or known: the name of the function of the graph.
static name_id share(onnx_reader *r, const onnx_function *function, onnx_values given,
                     const onnx_arguments *arguments) {
  shape_arena *arena = r->graph->arena;
  shape_strbuf text;
  assert((size_t)(function - r->functions) < r->function_count);
  if (!r->signatures.arena) intern_init(&r->signatures, arena);
  strbuf_init(&text, arena);
  strbuf_puts(&text, "call");  // no attribute begins like that
  strbuf_add(&text, (const char *)&function->key, sizeof function->key);
  for (uint32_t i = 0; i < given.count; i++)
    strbuf_putc(&text, given.items[i] == VALUE_NONE ? '-' : '+');
  strbuf_putc(&text, 0);
  for (uint32_t i = 0; i < arguments->count; i++) {
    uint64_t number = attribute_number(r, arguments->attributes[i].attribute);
    strbuf_add(&text, (const char *)&arguments->attributes[i].name, sizeof(name_id));
    strbuf_add(&text, (const char *)&number, sizeof number);
  }
  bool fresh;
  uint32_t *slot = imap_slot(&r->shared_by_signature, arena,
                             intern_add(&r->signatures, text.data, text.length), &fresh);
  if (!fresh) return r->shared[*slot].name;
  *slot = r->shared_count;
  onnx_shared made = {(uint32_t)(function - r->functions), *arguments,
                      shared_name(r, function->body, r->shared_count), given};
  r->shared = arena_grow(arena, r->shared, r->shared_count, (size_t)r->shared_count + 1,
                         &r->shared_capacity, sizeof *r->shared);
  r->shared[r->shared_count++] = made;
  return made.name;
}

// The call operation; the first of its results.
static value_id add_call(onnx_reader *r, wire_span node, name_id callee, onnx_values given,
                         uint32_t results, block_id block) {
  shape_graph *g = r->graph;
  uint32_t used = 0;
  op_id op = graph_add_op(g, intern_add(&g->names, "func.call", 9), block, onnx_span(r, node));
  wire_field name;
  if ((wire_find(node, NODE_NAME, &name) && name.type == WIRE_BYTES && name.bytes.size) ||
      wire_find(node, NODE_OP_TYPE, &name))
    g->ops[op].name_span = onnx_span(r, name.bytes);
  value_id *operands = arena_alloc(g->arena, (given.count + 1) * sizeof *operands);
  for (uint32_t i = 0; i < given.count; i++) {
    if (given.items[i] != VALUE_NONE) operands[used++] = given.items[i];
  }
  graph_set_operands(g, op, operands, used);
  graph_attr symbol = {.kind = ATTR_SYMBOL, .type = TYPE_NONE, .text = callee, .span = SPAN_NONE};
  attr_entry entry = {intern_add(&g->names, "callee", 6), graph_add_attr(g, &symbol)};
  graph_set_attrs(g, op, &entry, 1);
  return graph_add_results(g, op, results);
}

static void add_return(onnx_reader *r, const onnx_function *function, block_id block,
                       const onnx_scope *inner) {
  shape_graph *g = r->graph;
  op_id op = graph_add_op(g, intern_add(&g->names, "func.return", 11), block,
                          onnx_span(r, function->body));
  uint32_t count = function->outputs.count, ignored;
  value_id *values = arena_alloc(g->arena, (count + 1) * sizeof *values);
  for (uint32_t i = 0; i < count; i++) {
    const wire_span output = function->outputs.items[i];
    name_id name = onnx_name(r, output);
    if (!onnx_lookup(inner, name, &values[i])) {
      onnx_error(r, output,
                 "output '%s' of a function is not defined: no node or input of it has its name",
                 onnx_text(r, output));
    } else if (values[i] == VALUE_NONE && !imap_get(&function->input_by_name, name, &ignored)) {
      // The caller would take it for a value that is there.
      onnx_error(r, output, "output '%s' of a function is an input that calls leave out",
                 onnx_text(r, output));
    }
  }
  graph_set_operands(g, op, values, count);
}

static void read_shared(onnx_reader *r, onnx_shared *shared) {
  shape_graph *g = r->graph;
  assert(shared->function < r->function_count);
  onnx_function *function = &r->functions[shared->function];
  r->func = graph_add_func(g, shared->name, 0, onnx_span(r, function->body));
  g->funcs[r->func].is_private = true;
  block_id block = graph_add_block(g, graph_add_body(g, r->func));
  onnx_values given = {.count = shared->given.count};
  given.items = arena_alloc(g->arena, (given.count + 1) * sizeof *given.items);
  uint32_t count = 0;
  for (uint32_t i = 0; i < given.count; i++) count += shared->given.items[i] != VALUE_NONE;
  value_id next = graph_add_block_arguments(g, block, count);
  for (uint32_t i = 0; i < given.count; i++)
    given.items[i] = shared->given.items[i] == VALUE_NONE ? VALUE_NONE : next++;
  onnx_scope inner = {0};
  bind_inputs(r, function, given, &inner);
  read_body(r, function, block, &inner, &shared->arguments);
  add_return(r, function, block, &inner);
}

void onnx_read_shared(onnx_reader *r) {
  uint64_t bytes = 0;
  // Those that are read may add more.
  for (uint32_t i = 0; i < r->shared_count; i++) {
    onnx_shared shared = r->shared[i];
    bytes += r->functions[shared.function].body.size;
    if (bytes > copies_allowed(r)) {
      onnx_error(
          r, r->functions[shared.function].body,
          "the functions that calls with different attributes need are larger than %llu bytes: "
          "inline them (onnx.inliner)",
          (unsigned long long)copies_allowed(r));
      return;
    }
    read_shared(r, &shared);
  }
}

// Binds the outputs of a call that stays one, or of a body that was read.
static void bind_outputs(onnx_reader *r, wire_span node, const onnx_function *function,
                         const onnx_scope *inner, const value_id *results, onnx_values given,
                         onnx_scope *outer) {
  wire_reader w = wire_open(node);
  wire_field f;
  for (uint32_t i = 0; wire_next_of(&w, NODE_OUTPUT, &f);) {
    value_id value = VALUE_NONE;
    uint32_t input;
    bool found = i < function->outputs.count, defined = found;
    name_id name = found ? onnx_name(r, function->outputs.items[i]) : NAME_NONE;
    if (!found) {
      onnx_error(r, node, "a call has more outputs than the function it calls: expected at most %u",
                 function->outputs.count);
    } else if (!results) {
      defined = onnx_lookup(inner, name, &value);
    } else if (!imap_get(&function->input_by_name, name, &input)) {
      value = *results + i;
    } else if (input < given.count) {  // handed on as it came
      value = given.items[input];
    }
    i += found;
    bind_output(r, f.bytes, value, defined, outer);
  }
}

static uint32_t count_outputs(wire_span node, uint32_t most) {
  wire_reader w = wire_open(node);
  wire_field f;
  uint32_t count = 0;
  while (count < most && wire_next(&w, &f)) count += f.number == NODE_OUTPUT;
  return count;
}

bool onnx_call(onnx_reader *r, wire_span node, name_id key, block_id block, onnx_scope *scope,
               const onnx_arguments *arguments) {
  uint32_t at;
  if (!imap_get(&r->function_by_key, key, &at)) return false;
  if (r->depth >= ONNX_MAX_DEPTH) {
    onnx_error(r, node,
               "expected calls of functions to be nested at most %d deep, found more: does one "
               "call itself?",
               ONNX_MAX_DEPTH);
    return true;
  }
  assert(at < r->function_count);
  onnx_function *function = &r->functions[at];
  onnx_scope inner = {0};
  onnx_arguments attributes = gather_arguments(r, node, arguments);
  onnx_values given = read_actuals(r, node, function, scope);
  if (r->copied + function->body.size > copies_allowed(r)) {
    // No more than the call's own bytes are inspected.
    value_id first = add_call(r, node, share(r, function, given, &attributes), given,
                              count_outputs(node, function->outputs.count), block);
    bind_outputs(r, node, function, NULL, &first, given, scope);
  } else {
    r->copied += function->body.size;
    bind_inputs(r, function, given, &inner);
    read_body(r, function, block, &inner, &attributes);
    bind_outputs(r, node, function, &inner, NULL, given, scope);
  }
  return true;
}
