// SPDX-License-Identifier: Apache-2.0
// Which files of a folder are programs. Endings alone do not say: exporters put config.json and tokenizer.json beside
// model.onnx, .bc is the ending of other bytecode, too, and not every file of Python is a graph.
#ifndef SHAPE_CLI_BATCH_KIND_H
#define SHAPE_CLI_BATCH_KIND_H

#include <stdbool.h>

// Whether a file with this path is one: by its ending (also that in front of .gz or .zip), and of .json, .bc, .py and text
// forms of ONNX by its contents as well. A file that cannot be read is one where its ending says so. O(length of a JSON
// file), without keeping it.
bool kind_is_program(const char *path);

#endif
