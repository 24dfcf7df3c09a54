// SPDX-License-Identifier: Apache-2.0
// The calls that index.mjs makes: objects of solver/shape.h with options as JSON text, so that no layout of a struct is
// known outside of C. One handle is a program, its last analysis and the last text. Handles share nothing.
#ifndef CLIENTS_WEB_GLUE_H
#define CLIENTS_WEB_GLUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct web_program web_program;

// Takes `bytes`, which malloc gave. NULL: no memory; then they are the caller's still.
web_program *web_open(uint8_t *bytes, size_t length, const char *name);
void web_close(web_program *p);

// Members of the options are those of AnalyzeOptions and EmitOptions in index.d.ts; others are ignored. False: the options
// are no JSON object, or the call failed, and web_error says why.
bool web_analyze(web_program *p, const char *options);
bool web_emit(web_program *p, const char *format, const char *options);

// What the last web_emit wrote; valid until the next one.
const char *web_text(const web_program *p);
size_t web_length(const web_program *p);
const char *web_error(const web_program *p);  // of the last call that failed

#endif
