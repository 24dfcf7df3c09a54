// SPDX-License-Identifier: Apache-2.0
// MLIR bytecode (versions 0 to 6) and StableHLO portable artifacts, which are bytecode of the dialect vhlo: read as the
// text in MLIR's generic form that says the same. Operations of vhlo become those of the dialect that they are a copy of.
//
// Sections are found first; an attribute, a type and a blob of properties is decoded where an operation names it, once.
// Nothing is trusted: counts are compared with the bytes that are left, indices with their tables, and the text is
// bounded by the length of the file.
#ifndef SHAPE_FORMATS_BYTECODE_BYTECODE_H
#define SHAPE_FORMATS_BYTECODE_BYTECODE_H

#include "solver/formats/mlir/uses.h"

struct shape_budget;

typedef struct bytecode_error {
  size_t offset;  // of the byte that is wrong
  char message[256];
} bytecode_error;

typedef struct bytecode_options {
  bool
      whole;  // with locations, and with the elements of large constants; else what an analysis needs
  bool
      later;  // statements that are as one before are left out where that can be: bytecode_complete
} bytecode_options;

typedef struct bytecode_text {
  const char *text;
  uint32_t length;
  mlir_printing statements;
  const uint32_t *from;  // by statement, where the file has it; NULL where some may be left out
  uint32_t *lines;       // where some were left out, where its lines begin
  uint32_t line_count;
  uint32_t room;  // bytes that may be written at `text`
} bytecode_text;

// The text is in the arena, which must be protected. False: the bytes are invalid, and *error says why.
bool bytecode_print(shape_arena *arena, struct shape_budget *budget, const void *bytes,
                    size_t length, const bytecode_options *options, bytecode_text *out,
                    bytecode_error *error);
// Writes what was left out of the text of the same bytes. There is memory for it.
void bytecode_complete(shape_arena *arena, const void *bytes, size_t length, bytecode_text *text);
// Reads the bytes that the graph was made with; its source becomes their text, so locations are lines of that. With
// `uses` the text is whole and *uses is filled, as mlir_read_uses does. `later`: graph_text completes the text, for which
// the bytes must be there.
void bytecode_read(shape_graph *graph, mlir_uses *uses, bool later);
// The operation around a character of the text, as an offset into the file.
uint32_t bytecode_byte_of(const bytecode_text *text, uint32_t at);

#endif
