// SPDX-License-Identifier: Apache-2.0
// What the files of this folder share while they read one model. Private to the folder.
#ifndef SHAPE_FORMATS_ONNX_READER_H
#define SHAPE_FORMATS_ONNX_READER_H

#include "solver/base/budget.h"
#include "solver/formats/onnx/fields.h"
#include "solver/formats/onnx/onnx.h"
#include "solver/formats/onnx/wire.h"

enum { ONNX_MAX_DEPTH = 64, ONNX_MAX_NODES = 4000000, ONNX_LAST_OPSET = 28 };

// Names that a graph defines; a subgraph sees those of the graphs around it.
typedef struct onnx_scope {
  struct onnx_scope *outer;
  shape_imap values;    // name_id -> value_id
  shape_imap declared;  // name_id -> type_id, from value_info and outputs
} onnx_scope;

// The names of a node: those of its inputs, then those of its outputs.
typedef struct onnx_named {
  uint32_t first, inputs;
} onnx_named;

// Parts of a message: nodes, inputs and so on. Nodes that were sorted have names, NAME_NONE where one is empty.
typedef struct onnx_nodes {
  wire_span *items;
  onnx_named *named;  // of each
  name_id *names;
  uint32_t count, capacity, name_count, name_capacity;
} onnx_nodes;

// An input, output or attribute of a node.
typedef struct onnx_part {
  wire_span bytes;
  uint32_t number;
} onnx_part;

typedef struct onnx_parts {
  onnx_part *items;
  uint32_t count, capacity;
} onnx_parts;

// In which list of nodes a name was an input last: lists are numbered from 1 on.
typedef struct onnx_uses {
  uint32_t *list;  // by name
  uint32_t capacity, lists;
} onnx_uses;

typedef struct onnx_values {
  value_id *items;
  uint32_t count;
} onnx_values;

typedef struct onnx_function {
  wire_span body;
  name_id key;                           // domain, name and overload
  onnx_nodes inputs, outputs, defaults;  // names, and attributes with their values
  onnx_nodes nodes;  // in an order in which values come before their uses, once `is_sorted`
  bool is_sorted;
  shape_imap input_by_name;
} onnx_function;

// Attributes that a call gives to a function's body, by name.
typedef struct onnx_argument {
  name_id name;
  wire_span
      attribute;  // AttributeProto, none that refers to another; its own name may be another one
} onnx_argument;

typedef struct onnx_arguments {
  onnx_argument *attributes;
  uint32_t count, capacity;
  shape_imap by_name;  // name_id -> index in attributes
} onnx_arguments;

// A function that stays one, for all calls of one signature.
typedef struct onnx_shared {
  uint32_t function;  // index
  onnx_arguments arguments;
  name_id name;       // in the graph
  onnx_values given;  // of one such call: which are VALUE_NONE
} onnx_shared;

typedef struct onnx_reader {
  shape_graph *graph;
  const uint8_t *base;  // of the file
  size_t length;
  const onnx_options *options;
  onnx_function *functions;
  shape_imap function_by_key;  // the first of a name
  uint32_t function_count, function_capacity;
  uint32_t depth;    // of subgraphs, types and function calls
  onnx_parts parts;  // of nodes that are read, the innermost last
  onnx_uses used;
  uint64_t nodes;    // read so far, bodies of functions included
  uint32_t inlined;  // calls of functions around here: values inside have no names of the model
  shape_imap
      referred;  // where an attribute that functions refer to begins -> attr_id, ATTR_NONE: it says nothing
  uint64_t copied;      // bytes of functions' bodies that are where calls were
  shape_imap numbered;  // where an attribute of a signature begins -> its text in `signatures`
  shape_imap shared_by_signature;
  shape_intern signatures;  // and attributes in them
  onnx_shared *shared;
  uint32_t shared_count, shared_capacity;
  func_id func;
  bool in_signature;            // the types that are read are those of the model's inputs
  bool has_graphs;              // the attributes of the node that was read last may hold some
  struct onnx_dim_terms *dims;  // dim.c; NULL: no dim_param may be an expression as yet
} onnx_reader;

// Steps of reading: each loop over the model's bytes takes one for each round.
static inline void onnx_step(onnx_reader *r, uint32_t steps) {
  budget_take(r->graph->budget, steps);
}
source_span onnx_span(const onnx_reader *r, wire_span part);
void onnx_error(onnx_reader *r, wire_span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Bytes that wire.h refuses: a message, or packed numbers of that width. `what` is what they are of.
void onnx_malformed(onnx_reader *r, wire_span message, const char *what);
void onnx_malformed_list(onnx_reader *r, wire_span numbers, unsigned width, const char *what);
name_id onnx_name(onnx_reader *r, wire_span text);
const char *onnx_text(onnx_reader *r, wire_span text);  // with a final NUL, for messages

// type.c
type_id onnx_type(onnx_reader *r, wire_span type_proto);  // TYPE_NONE when nothing is said
// dim.c: the dim of a dim_param that is an expression, which declares a symbol where it is no number; false for a name.
// `span` is where the text, which need not be of the file, comes from.
bool onnx_dim_expression(onnx_reader *r, wire_span text, source_span span, int64_t *dim);
// A dim that is a function of others, spelled as dim_param would be: "Add(n, 1)", or "domain.f(n)", which is a name. False
// where an argument says nothing, or has a name that is no word.
bool onnx_dim_application(onnx_reader *r, wire_span message, wire_span *text);
// tensor.c: a DENSE attribute; `name` may be NULL.
attr_id onnx_tensor(onnx_reader *r, wire_span tensor, wire_span *name);
attr_id onnx_sparse_tensor(onnx_reader *r, wire_span tensor, wire_span *name);
// attribute.c: false for a subgraph (it is a region) or what says nothing.
bool onnx_attribute(onnx_reader *r, wire_span attribute, attr_entry *entry);
// graph.c
void onnx_graph(onnx_reader *r, wire_span graph, region_id region, onnx_scope *outer,
                const onnx_arguments *arguments);
// False when no graph around defines the name; *value is VALUE_NONE for an optional input that a call left out.
bool onnx_lookup(const onnx_scope *scope, name_id name, value_id *value);
void onnx_define(onnx_reader *r, onnx_scope *scope, name_id name, value_id value, wire_span at);
// node.c: the nodes of a graph or function body, in an order in which values come before their uses.
void onnx_nodes_add(onnx_reader *r, onnx_nodes *nodes, wire_span node);
void onnx_sort_nodes(onnx_reader *r, onnx_nodes *nodes);
void onnx_read_nodes(onnx_reader *r, const onnx_nodes *nodes, block_id block, onnx_scope *scope,
                     const onnx_arguments *arguments);
// function.c
void onnx_add_function(onnx_reader *r, wire_span body);
// True when the node called a model-local function; its body, or a call of it, then is in the block.
bool onnx_call(onnx_reader *r, wire_span node, name_id key, block_id block, onnx_scope *scope,
               const onnx_arguments *arguments);
void onnx_read_shared(onnx_reader *r);  // once the main graph is read: the functions of calls
// Puts the attribute in place that *attribute refers to by name; false where the call gives none of that name.
bool onnx_resolve(onnx_reader *r, const onnx_arguments *arguments, const wire_span **attribute);
name_id onnx_function_key(onnx_reader *r, wire_span domain, wire_span name, wire_span overload);

#endif
