// SPDX-License-Identifier: Apache-2.0
// The command line as a function: main calls it once, tests may call it many times in one process.
#ifndef SHAPE_CLI_CLI_H
#define SHAPE_CLI_CLI_H

// argv[0] is the program's name, argv[1] the command. Writes to stdout and stderr; returns the exit status.
int cli_run(int argc, char **argv);

#endif
