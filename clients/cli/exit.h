// SPDX-License-Identifier: Apache-2.0
// The exit status of a command whose work was one analysis.
#ifndef SHAPE_CLIENTS_CLI_EXIT_H
#define SHAPE_CLIENTS_CLI_EXIT_H

#include "solver/analysis/analysis.h"

int exit_status_of(const analysis_reply *reply);

#endif
