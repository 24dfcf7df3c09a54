// SPDX-License-Identifier: Apache-2.0
// --trace=TAGS of the commands that have it: lines on standard error (solver/base/trace.h).
#ifndef SHAPE_CLI_TRACING_H
#define SHAPE_CLI_TRACING_H

#include "clients/cli/options.h"
#include "solver/base/trace.h"

// trace->tags is 0 without the option. False after a message: the exit status is EXIT_USAGE.
bool tracing_read(const command_line *line, shape_trace *trace);

#endif
