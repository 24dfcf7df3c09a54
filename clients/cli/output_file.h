// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all: it is written under another name, and renamed when it is complete. A link stays,
// and the file that it leads to is replaced. Devices, pipes and what a link leads to that is not there yet are written to
// directly.
#ifndef SHAPE_CLI_OUTPUT_FILE_H
#define SHAPE_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output_file {
  FILE *file;
  char *target, *part;  // the final name, and the one until then; NULL: `file` is written directly
} output_file;

// "-" is standard output. False: errno says why, and there is nothing to close.
bool output_file_open(output_file *to, const char *path);
// Not complete: nothing appears, and errno stays as it is. False: errno says what failed, or is 0.
bool output_file_close(output_file *to, bool complete);
// "shape: cannot write PATH: REASON" with the reason in errno, where there is one; command may be NULL. Returns false.
bool cannot_write(const char *command, const char *path);

#endif
