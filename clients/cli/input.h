// SPDX-License-Identifier: Apache-2.0
// Whole files. They are read, not mapped: a file that shrinks while it is mapped would end the process.
#ifndef SHAPE_CLI_INPUT_H
#define SHAPE_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct input {
  const char *name;  // as in messages
  char *text;        // malloc'ed, with a NUL behind it
  size_t length;
} input;

// "-" is standard input. False after a message on stderr.
bool input_read(const char *path, input *out);
void input_free(input *in);

#endif
