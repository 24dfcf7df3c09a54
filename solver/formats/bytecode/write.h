// SPDX-License-Identifier: Apache-2.0
// MLIR's generic form as MLIR bytecode: the reverse of bytecode.h. Version 6 of the format, or a portable artifact of
// StableHLO for one of its releases, which is bytecode of the dialect vhlo in the version of the format that goes with it.
//
// Names of values and blocks, comments and the order of a dictionary are lost, as bytecode has no room for them;
// everything else is kept, locations too. What builtin, stablehlo and chlo have codes for is written with them, all else as
// the assembly text that it is, without aliases; operations of any dialect pass through. A source that is no single
// module becomes one, as readers of MLIR text have it; parts of a file ("// -----") become modules of their own in it.
//
// A portable artifact holds what its release has: operations of StableHLO and func, and their types and attributes. The
// first operation that it cannot hold is refused by name. Defaults are spelled out and groups of attributes taken apart
// by the tables with which the reader drops and groups them (vhlo.def).
//
// The same text gives the same bytes. Entries are numbered as they are first needed. O(text), each spelling is encoded
// once.
#ifndef SHAPE_FORMATS_BYTECODE_WRITE_H
#define SHAPE_FORMATS_BYTECODE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/base/arena.h"

struct shape_budget;

// A release of StableHLO: major.minor.patch.
typedef struct bytecode_release {
  uint16_t major, minor, patch;
} bytecode_release;

// "1.9.0", of a release from 0.9.0 to 1.20.0; false for any other text.
bool bytecode_release_parse(const char *text, bytecode_release *out);

// Bytecode that the text was printed from: its resources are copied from there. NULL, 0: none.
typedef struct bytecode_source {
  const void *bytes;
  size_t length;
} bytecode_source;

typedef struct bytecode_write_options {
  const bytecode_release
      *release;  // of a portable artifact; NULL: bytecode of the dialects as they are
  bytecode_source source;
} bytecode_write_options;

// Takes the bytes in order. `copy` takes parts of the source; NULL: `write` takes them.
typedef struct bytecode_sink {
  void *to;
  void (*write)(void *to, const char *data, size_t length);
  void (*copy)(void *to, size_t begin, size_t end);
} bytecode_sink;

typedef enum bytecode_written {
  BYTECODE_WRITTEN,
  BYTECODE_NOT_GENERIC,  // the text has an operation in a form of its own
  BYTECODE_REFUSED
} bytecode_written;

// What is wrong, and the character of the text that it is about.
typedef struct bytecode_refusal {
  size_t offset;
  char message[256];
} bytecode_refusal;

// The arena must be protected. Nothing is written where the result is not BYTECODE_WRITTEN; *refusal then says why.
bytecode_written bytecode_write(shape_arena *arena, struct shape_budget *budget, const char *text,
                                size_t length, const bytecode_write_options *options,
                                const bytecode_sink *sink, bytecode_refusal *refusal);

#endif
