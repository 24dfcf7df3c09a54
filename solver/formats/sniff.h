// SPDX-License-Identifier: Apache-2.0
// What kind of program some bytes are, recognised by the bytes alone.
#ifndef SHAPE_FORMATS_SNIFF_H
#define SHAPE_FORMATS_SNIFF_H

#include <stddef.h>

typedef enum sniff_kind {
  SNIFF_MLIR,
  SNIFF_JSON,
  SNIFF_ONNX,
  SNIFF_EMPTY,     // nothing but white space
  SNIFF_BYTECODE,  // MLIR bytecode
  SNIFF_ARTIFACT,  // a StableHLO portable artifact, which is bytecode of VHLO
  SNIFF_BINARY     // none of these, and no text
} sniff_kind;

sniff_kind sniff(const char *text, size_t length);
const char *sniff_advice(sniff_kind kind);  // NULL for the kinds that can be read

#endif
