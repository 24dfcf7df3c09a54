// SPDX-License-Identifier: Apache-2.0
// --trace=TAGS of the commands that have it: lines on standard error.
#ifndef SHAPE_CLI_TRACING_H
#define SHAPE_CLI_TRACING_H

#include "clients/cli/options.h"

// *tags is 0 without the option (shape_trace_tags). False after a message: the exit status is EXIT_USAGE.
bool tracing_read(const command_line *line, uint32_t *tags);
// A shape_write.
void tracing_write(void *to, const char *text, size_t length);

#endif
