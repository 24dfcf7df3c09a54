// SPDX-License-Identifier: Apache-2.0
// `refine --passes A,B,...`: transforms under the names of StableHLO's passes (the prefix "stablehlo-" may be left out), in
// the order that is given, each on what the one before has written:
//   refine-arguments           the entry's arguments get the types that the request gives, and a
//                              shape_refinement_operand_wrapper each, so that nothing else changes
//   refine-shapes              types follow, shape computations become constants; dynamic operations stay
//   canonicalize-dynamism      dynamic operations whose dims are constants become static; no type changes
//   aggressive-simplification  what is computed from constants becomes one
//   cleanup                    all of refine and --cleanup
// and those of dim_passes.h: tie-shape, materialize-dims, scalarize-shapes, shape-legalize-to-stablehlo,
// merge-dims, broadcast-hints.
// Each program that is written is read and analysed again, as that of refine is.
#ifndef SHAPE_EMIT_PASSES_H
#define SHAPE_EMIT_PASSES_H

#include "solver/emit/emitter.h"

// Of a program without errors, with program_options.passes.
void emit_passes(const emission *e);

#endif
