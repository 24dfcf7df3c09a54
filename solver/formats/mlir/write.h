// SPDX-License-Identifier: Apache-2.0
// A graph that was read from MLIR text back as text in the generic form of MLIR's LangRef, which every MLIR tool reads,
// also one that does not know the dialects: "dialect.name"(operands) ({regions}) {attributes} : (types) -> types.
// Attributes are in one dictionary after the regions, where MLIR reads inherent ones too; what the source has in <{...}>
// stays there.
//
// What the source already spells as MLIR's generic form does (dense<...>, #dialect.attr<...>) is copied from there
// without comments; what a pretty form abbreviates (`dims = [0]`, `LT`) is spelled out. Data is never read.
#ifndef SHAPE_FORMATS_MLIR_WRITE_H
#define SHAPE_FORMATS_MLIR_WRITE_H

#include "solver/formats/mlir/edit.h"
#include "solver/formats/mlir/uses.h"

typedef struct mlir_writer {
  shape_graph *graph;
  const mlir_uses *uses;
  shape_strbuf *out;
  const type_id *types;  // by value_id: what to write; NULL: what the graph has
  uint32_t *
      given;  // by value_id: number of a name for a value without one, or UINT32_MAX; NULL: none yet
  uint32_t next_given;
  bool located;  // with the loc(...) of operations and arguments
  uint32_t *
      written_end;  // by value_id: where the type of an argument ends in the source, or 0; NULL: not looked for
  op_id failed;  // an operation of unknown syntax, which cannot be written, or ID_NONE
} mlir_writer;

void mlir_writer_init(mlir_writer *w, shape_graph *graph, const mlir_uses *uses,
                      const type_id *types, shape_strbuf *out);
// Name and value of an entry as they are in a dictionary. `op` names the operation (its dialect, for enums).
void mlir_write_entry(mlir_writer *w, op_id op, attr_entry entry);
void mlir_write_attr(mlir_writer *w, op_id op, name_id key, attr_id attr);
void mlir_write_value(mlir_writer *w, value_id value);  // %name, or %name#1 in a group of results
void mlir_write_type(mlir_writer *w, type_id type);
void mlir_write_value_type(mlir_writer *w, value_id value);
void mlir_write_location(mlir_writer *w,
                         source_span span);  // the one that ends it, where they are kept
bool mlir_is_bare_name(const char *name, uint32_t length);  // needs no quotes
void mlir_write_quoted(mlir_writer *w, const char *text, uint32_t length);
// One operation and its regions, from its first result name to its types.
void mlir_write_op(mlir_writer *w, op_id op, uint32_t indent);
void mlir_write_region(mlir_writer *w, region_id region, bool label, uint32_t indent);
// From its name to its types, in StableHLO's own form where not `quoted`, without one attribute.
void mlir_write_custom_call(mlir_writer *w, op_id op, bool quoted, const char *without);
// The whole source: functions, modules and operations of modules in generic form; aliases, comments between functions
// and splits of the file as they are. function_types: by func_id. O(text).
void mlir_write_program(mlir_writer *w, const type_id *function_types);

#endif
