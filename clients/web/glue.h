// SPDX-License-Identifier: Apache-2.0
// The calls that index.mjs makes: objects of solver/shape.h with options as JSON text, so that no layout of a struct is
// known outside of C. One handle is a program, its last analysis and the last text. Handles share nothing.
#ifndef CLIENTS_WEB_GLUE_H
#define CLIENTS_WEB_GLUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct web_program web_program;

// Brings the bytes of a file from begin to end to where they are in `bytes`; false: they are not to be had. instance.mjs
// has it.
extern bool web_bring(uint8_t *bytes, size_t begin, size_t end);

// Brings what analyses inspect of a file of `length` bytes, which has this room: of an ONNX model all but the payloads of large
// tensors, of others everything. False: web_bring was.
bool web_fill(uint8_t *bytes, size_t length);

// Takes `bytes`, which malloc gave. NULL: no memory; then they are the caller's still.
web_program *web_open(uint8_t *bytes, size_t length, const char *name);
void web_close(web_program *p);

// Members of the options are those of AnalyzeOptions and EmitOptions in index.d.ts; others are ignored. False: the options
// are no JSON object, or the call failed, and web_error says why.
bool web_analyze(web_program *p, const char *options);
bool web_emit(web_program *p, const char *format, const char *options);

// Do two values of the last analysis, by their addresses, have the same shape, or the same number of elements? Writes
// {"that", "answer": "yes", "no" or "unknown", "because": [{"rule", "message", "line", "column"}]}.
bool web_same(web_program *p, bool elements, const char *a, const char *b);

// "mlir", "onnx", ..., "": of no format that is read.
const char *web_format(const web_program *p);

// What the last of these calls wrote; valid until the next one.
const char *web_text(const web_program *p);
size_t web_length(const web_program *p);
const char *web_error(const web_program *p);  // of the last call that failed

#endif
