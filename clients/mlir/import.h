// SPDX-License-Identifier: Apache-2.0
// The parts of an import: types and attributes of MLIR as those of shape.h.
#ifndef SHAPED_IMPORT_H
#define SHAPED_IMPORT_H

#include "clients/mlir/analysis.h"

typedef struct importer {
  ShapedAnalysis *to;
  shaped_table types;   // MlirType -> shape_type
  shaped_table blocks;  // MlirBlock -> its number in its region
  shaped_pool pool;     // of one operation
  shaped_text printed;  // room for what MLIR prints
} importer;

// A type; SHAPE_NO_ID: no memory. Each type is converted once.
shape_type import_type(importer *i, MlirType type);
// What an attribute says. Texts and lists are of the pool. False: no memory.
bool import_attribute(importer *i, MlirAttribute attribute, const char *name, shape_attribute *out);
// The elements of a dense array of integers, in *count of the pool. NULL: it is none.
const int64_t *import_ints(importer *i, MlirAttribute attribute, uint32_t *count);

#endif
