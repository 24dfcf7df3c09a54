// SPDX-License-Identifier: Apache-2.0
// Where the text of an FX graph says what a transformation may write anew. Integers of lists are constants whose span is
// their literal.
#ifndef SHAPE_FORMATS_FX_USES_H
#define SHAPE_FORMATS_FX_USES_H

#include "solver/graph/graph.h"

typedef struct fx_annotation {
  value_id value;    // that it is of
  source_span span;  // what follows the name: `: "f32[2, 3]"`; empty where a parameter has none
} fx_annotation;

typedef struct fx_uses {
  uint32_t body;       // where the line after that of `def forward` begins; 0: there is none
  source_span indent;  // the white space in front of the first statement
  fx_annotation
      *annotations;  // in the order of the text: of parameters, and of statements of the entry
  uint32_t count, capacity;
} fx_uses;

#endif
