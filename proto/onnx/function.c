// SPDX-License-Identifier: Apache-2.0
// Calls of model-local functions (ONNX IR, "Functions") are replaced by the function's nodes: its inputs and outputs
// take the call's names, inner values get names of their own, and references to attributes are filled in.
#include "proto/onnx/reader.h"

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

// The call's attributes, then the defaults that the function gives itself (FunctionProto.attribute_proto).
static onnx_arguments gather_arguments(onnx_reader *r, wire_span node, wire_span body,
                                       const onnx_arguments *outer) {
  wire_span *found = NULL;
  uint32_t count = 0, capacity = 0;
  const struct {
    wire_span message;
    uint32_t field;
  } sources[] = {{node, NODE_ATTRIBUTE}, {body, FUNCTION_ATTRIBUTE_PROTO}};
  for (unsigned i = 0; i < 2; i++) {
    wire_reader w = wire_open(sources[i].message);
    wire_field f;
    while (wire_next(&w, &f)) {
      if (f.number != sources[i].field) continue;
      found =
          arena_grow(r->graph->arena, found, count, (size_t)count + 1, &capacity, sizeof *found);
      found[count++] = f.bytes;
    }
  }
  return (onnx_arguments){found, count, outer};
}

// Gives the function's inputs the values of the call's inputs, position by position.
static void bind_inputs(onnx_reader *r, wire_span node, wire_span body, const onnx_scope *outer,
                        onnx_scope *inner) {
  wire_reader formal = wire_open(body), actual = wire_open(node);
  wire_field name, given;
  while (wire_next(&formal, &name)) {
    if (name.number != FUNCTION_INPUT) continue;
    value_id value = VALUE_NONE;
    while (wire_next(&actual, &given)) {
      if (given.number != NODE_INPUT) continue;
      if (given.bytes.size) onnx_lookup(outer, onnx_name(r, given.bytes), &value);
      break;
    }
    imap_put(&inner->values, r->graph->arena, onnx_name(r, name.bytes), value);
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

bool onnx_inline_call(onnx_reader *r, wire_span node, name_id key, block_id block,
                      onnx_scope *scope, const onnx_arguments *arguments) {
  const onnx_function *function = find_function(r, key);
  if (!function) return false;
  if (r->depth >= ONNX_MAX_DEPTH) {
    onnx_error(r, node, "calls of functions are nested deeper than %d, or call themselves",
               ONNX_MAX_DEPTH);
    return true;
  }
  onnx_scope inner = {0};
  onnx_arguments given = gather_arguments(r, node, function->body, arguments);
  bind_inputs(r, node, function->body, scope, &inner);
  onnx_nodes nodes = {0};
  wire_reader w = wire_open(function->body);
  wire_field f;
  while (wire_next(&w, &f)) {
    if (f.number == FUNCTION_NODE) onnx_nodes_add(r, &nodes, f.bytes);
  }
  onnx_sort_nodes(r, &nodes);
  r->depth++;
  r->inlined++;
  onnx_read_nodes(r, &nodes, block, &inner, &given);
  r->inlined--;
  r->depth--;
  bind_outputs(r, node, function->body, scope, &inner);
  return true;
}
