// SPDX-License-Identifier: Apache-2.0
// Programs and edits, written in the JSON form of the graph as they are built.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clients/c/remote.h"

struct shape_remote_graph {
  params_writer functions, symbols, constraints;  // items of each list
  enum { OUTSIDE, IN_OPS, RETURNED } state;
};

// --- operations

static void write_names(params_writer *w, const char *const *names, size_t count) {
  params_begin(w, '[');
  for (size_t i = 0; i < count; i++) params_text(w, names[i]);
  params_end(w, ']');
}

static void write_values(params_writer *w, const shape_remote_value *values, size_t count) {
  params_begin(w, '[');
  for (size_t i = 0; i < count; i++) {
    params_begin(w, '[');
    params_text(w, values[i].name);
    params_text(w, values[i].type);
    params_end(w, ']');
  }
  params_end(w, ']');
}

static void write_attribute(params_writer *w, const shape_remote_attribute *a);

static void write_members(params_writer *w, const shape_remote_attribute *items, size_t count) {
  params_begin(w, '{');
  for (size_t i = 0; i < count; i++) {
    params_key(w, items[i].name);
    write_attribute(w, &items[i]);
  }
  params_end(w, '}');
}

static void write_ints(params_writer *w, const shape_remote_attribute *a) {
  params_begin(w, '[');
  for (size_t i = 0; i < a->count; i++) params_int(w, a->ints[i]);
  params_end(w, ']');
}

// {"KEY": text}
static void write_word(params_writer *w, const char *key, const char *text) {
  params_begin(w, '{');
  params_key(w, key);
  params_text(w, text);
  params_end(w, '}');
}

// {"KEY": what the caller writes, "type": T}
static void begin_typed(params_writer *w, const char *key) {
  params_begin(w, '{');
  params_key(w, key);
}

static void end_typed(params_writer *w, const char *type) {
  params_key(w, "type");
  params_text(w, type);
  params_end(w, '}');
}

static void write_number(params_writer *w, const shape_remote_attribute *a) {
  bool is_int = a->kind == SHAPE_REMOTE_INT;
  if (a->text) begin_typed(w, is_int ? "int" : "float");
  if (is_int && a->count) {
    params_int(w, a->ints[0]);
  } else if (is_int) {
    w->status = SHAPE_CLIENT_INVALID;
  } else {
    params_double(w, a->number);
  }
  if (a->text) end_typed(w, a->text);
}

static void write_dictionary(params_writer *w, const shape_remote_attribute *a) {
  char key[128] = "dict";
  if (a->text && strlen(a->text) + 2 > sizeof key) {
    w->status = SHAPE_CLIENT_INVALID;
    return;
  }
  if (a->text) {
    key[0] = '#';
    strcpy(key + 1, a->text);
  }
  params_begin(w, '{');
  params_key(w, key);
  write_members(w, a->items, a->item_count);
  params_end(w, '}');
}

static void write_attribute(params_writer *w, const shape_remote_attribute *a) {
  switch (a->kind) {
  case SHAPE_REMOTE_UNIT: params_null(w); break;
  case SHAPE_REMOTE_BOOL: params_bool(w, a->count && a->ints[0]); break;
  case SHAPE_REMOTE_INT:
  case SHAPE_REMOTE_FLOAT: write_number(w, a); break;
  case SHAPE_REMOTE_STRING: params_text(w, a->text); break;
  case SHAPE_REMOTE_INTS: write_ints(w, a); break;
  case SHAPE_REMOTE_DENSE:
    begin_typed(w, "dense");
    write_ints(w, a);
    end_typed(w, a->text);
    break;
  case SHAPE_REMOTE_TYPE: write_word(w, "type", a->text); break;
  case SHAPE_REMOTE_SYMBOL: write_word(w, "symbol", a->text); break;
  case SHAPE_REMOTE_ENUM: write_word(w, "enum", a->text); break;
  case SHAPE_REMOTE_MLIR: write_word(w, "opaque", a->text); break;
  case SHAPE_REMOTE_DICT: write_dictionary(w, a); break;
  case SHAPE_REMOTE_ARRAY:
    params_begin(w, '[');
    for (size_t i = 0; i < a->item_count; i++) write_attribute(w, &a->items[i]);
    params_end(w, ']');
    break;
  default: w->status = SHAPE_CLIENT_INVALID;
  }
}

static void begin_named(params_writer *w, const char *name) {
  params_begin(w, '{');
  params_key(w, "name");
  params_text(w, name);
}

static void write_op(params_writer *w, const shape_remote_op *op);

static void write_block(params_writer *w, const shape_remote_block *block) {
  params_begin(w, '{');
  params_key(w, "arguments");
  write_values(w, block->arguments, block->argument_count);
  params_key(w, "ops");
  params_begin(w, '[');
  for (size_t i = 0; i < block->op_count; i++) write_op(w, &block->ops[i]);
  params_end(w, ']');
  if (block->returns) {
    params_key(w, "returns");
    write_names(w, block->returns, block->return_count);
  }
  params_end(w, '}');
}

static void write_op(params_writer *w, const shape_remote_op *op) {
  begin_named(w, op->name);
  params_key(w, "operands");
  write_names(w, op->operands, op->operand_count);
  params_key(w, "results");
  write_values(w, op->results, op->result_count);
  if (op->attribute_count) {
    params_key(w, "attributes");
    write_members(w, op->attributes, op->attribute_count);
  }
  if (op->region_count) {
    params_key(w, "regions");
    params_begin(w, '[');
    for (size_t i = 0; i < op->region_count; i++) write_block(w, &op->regions[i]);
    params_end(w, ']');
  }
  params_end(w, '}');
}

static void write_symbol(params_writer *w, const shape_remote_symbol *symbol) {
  begin_named(w, symbol->name);
  params_key(w, "min");
  params_int(w, symbol->min);
  if (symbol->max != INT64_MAX) {
    params_key(w, "max");
    params_int(w, symbol->max);
  }
  if (symbol->divisible_by) {
    params_key(w, "divisible_by");
    params_int(w, symbol->divisible_by);
  }
  params_end(w, '}');
}

// --- graphs

shape_remote_graph *shape_remote_graph_new(void) { return calloc(1, sizeof(shape_remote_graph)); }

void shape_remote_graph_free(shape_remote_graph *graph) {
  if (!graph) return;
  params_free(&graph->functions);
  params_free(&graph->symbols);
  params_free(&graph->constraints);
  free(graph);
}

void shape_remote_graph_symbol(shape_remote_graph *graph, const shape_remote_symbol *symbol) {
  write_symbol(&graph->symbols, symbol);
}

void shape_remote_graph_constraint(shape_remote_graph *graph, const char *predicate) {
  params_text(&graph->constraints, predicate);
}

static void end_function(params_writer *w, int state) {
  if (state == IN_OPS) params_end(w, ']');
  if (state != OUTSIDE) params_end(w, '}');
}

void shape_remote_graph_function(shape_remote_graph *graph, const char *name,
                                 const shape_remote_value *arguments, size_t count) {
  params_writer *w = &graph->functions;
  end_function(w, graph->state);
  params_begin(w, '{');
  params_key(w, "name");
  params_text(w, name);
  params_key(w, "arguments");
  write_values(w, arguments, count);
  params_key(w, "ops");
  params_begin(w, '[');
  graph->state = IN_OPS;
}

void shape_remote_graph_op(shape_remote_graph *graph, const shape_remote_op *op) {
  if (graph->state != IN_OPS) graph->functions.status = SHAPE_CLIENT_INVALID;
  write_op(&graph->functions, op);
}

void shape_remote_graph_return(shape_remote_graph *graph, const char *const *values, size_t count) {
  params_writer *w = &graph->functions;
  if (graph->state != IN_OPS) w->status = SHAPE_CLIENT_INVALID;
  params_end(w, ']');
  params_key(w, "returns");
  write_names(w, values, count);
  graph->state = RETURNED;
}

static void write_list(params_writer *w, const char *key, const params_writer *items) {
  if (!items->length && items->status == SHAPE_CLIENT_OK) return;
  params_key(w, key);
  params_begin(w, '[');
  params_items(w, items->data, items->length);
  params_end(w, ']');
  if (w->status == SHAPE_CLIENT_OK) w->status = items->status;
}

void remote_write_graph(params_writer *w, const shape_remote_graph *graph) {
  params_begin(w, '{');
  params_key(w, "functions");
  params_begin(w, '[');
  params_items(w, graph->functions.data, graph->functions.length);
  end_function(w, graph->state);
  params_end(w, ']');
  if (w->status == SHAPE_CLIENT_OK) w->status = graph->functions.status;
  write_list(w, "symbols", &graph->symbols);
  write_list(w, "constraints", &graph->constraints);
  params_end(w, '}');
}

// --- edits

shape_remote_edits *shape_remote_edits_new(void) { return calloc(1, sizeof(shape_remote_edits)); }

void shape_remote_edits_free(shape_remote_edits *edits) {
  if (!edits) return;
  params_free(&edits->items);
  free(edits);
}

void remote_write_target(params_writer *w, shape_remote_target target) {
  if (target.address) {
    params_text(w, target.address);
  } else if (target.id <= INT64_MAX) {
    params_int(w, (int64_t)target.id);
  } else {
    w->status = SHAPE_CLIENT_INVALID;
  }
}

// An edit that begins with {"KEY": what the caller writes next.
static params_writer *begin_edit(shape_remote_edits *edits, const char *key) {
  params_begin(&edits->items, '{');
  params_key(&edits->items, key);
  return &edits->items;
}

static void write_position(params_writer *w, shape_remote_position position,
                           shape_remote_target at) {
  if (position == SHAPE_REMOTE_LAST) return;
  params_key(w, position == SHAPE_REMOTE_BEFORE ? "before" : "after");
  remote_write_target(w, at);
}

static void edit_text(shape_remote_edits *edits, const char *key, const char *text) {
  params_writer *w = begin_edit(edits, key);
  params_text(w, text);
  params_end(w, '}');
}

static void edit_target(shape_remote_edits *edits, const char *key, shape_remote_target target) {
  params_writer *w = begin_edit(edits, key);
  remote_write_target(w, target);
  params_end(w, '}');
}

void shape_remote_insert(shape_remote_edits *edits, const shape_remote_op *op,
                         shape_remote_position position, shape_remote_target at) {
  params_writer *w = begin_edit(edits, "insert");
  write_op(w, op);
  if (position == SHAPE_REMOTE_LAST) w->status = SHAPE_CLIENT_INVALID;
  write_position(w, position, at);
  params_end(w, '}');
}

void shape_remote_remove(shape_remote_edits *edits, shape_remote_target op) {
  edit_target(edits, "remove", op);
}

void shape_remote_replace(shape_remote_edits *edits, shape_remote_target op,
                          const shape_remote_op *with) {
  params_writer *w = begin_edit(edits, "replace");
  remote_write_target(w, op);
  params_key(w, "with");
  write_op(w, with);
  params_end(w, '}');
}

void shape_remote_retype(shape_remote_edits *edits, shape_remote_target value, const char *type) {
  params_writer *w = begin_edit(edits, "retype");
  remote_write_target(w, value);
  params_key(w, "with");
  params_text(w, type);
  params_end(w, '}');
}

void shape_remote_rewire(shape_remote_edits *edits, shape_remote_target value,
                         shape_remote_target with) {
  params_writer *w = begin_edit(edits, "rewire");
  remote_write_target(w, value);
  params_key(w, "with");
  remote_write_target(w, with);
  params_end(w, '}');
}

void shape_remote_declare(shape_remote_edits *edits, const shape_remote_symbol *symbol) {
  params_writer *w = begin_edit(edits, "symbol");
  write_symbol(w, symbol);
  params_end(w, '}');
}

void shape_remote_remove_symbol(shape_remote_edits *edits, const char *name) {
  edit_text(edits, "remove_symbol", name);
}

void shape_remote_insert_argument(shape_remote_edits *edits, const shape_remote_value *argument,
                                  shape_remote_position position, shape_remote_target at) {
  params_writer *w = begin_edit(edits, "insert_argument");
  params_text(w, argument->type);
  if (argument->name) {
    params_key(w, "name");
    params_text(w, argument->name);
  }
  write_position(w, position, at);
  params_end(w, '}');
}

void shape_remote_remove_argument(shape_remote_edits *edits, shape_remote_target value) {
  edit_target(edits, "remove_argument", value);
}

void shape_remote_assume(shape_remote_edits *edits, const char *predicate) {
  edit_text(edits, "assume", predicate);
}

void shape_remote_retract(shape_remote_edits *edits, const char *predicate) {
  edit_text(edits, "retract", predicate);
}
