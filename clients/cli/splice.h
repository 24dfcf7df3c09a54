// SPDX-License-Identifier: Apache-2.0
// A file that is to be written: new bytes, kept in memory, and parts of the input, copied when it is written. It appears
// whole or not at all, and may replace the input.
#ifndef SHAPE_CLI_SPLICE_H
#define SHAPE_CLI_SPLICE_H

#include "clients/cli/setup.h"

typedef struct splice_copy {
  size_t at;  // new bytes before it
  size_t begin, end;
} splice_copy;

typedef struct splice {
  char *data;
  size_t length, capacity;
  splice_copy *copies;
  size_t copy_count, copy_capacity;
  bool failed;  // no memory
} splice;

// A shape_write and a shape_copy: `to` is a splice.
void splice_add(void *to, const char *data, size_t length);
void splice_add_copy(void *to, size_t begin, size_t end);
// path NULL or "-": standard output. False after a message. Constant memory.
bool splice_write(const splice *s, const input *in, const char *path);
// The exit status of the work that filled it. Where that failed: after a message, or the new bytes on standard error.
int splice_status(const splice *s, const command_line *line, const outcome *done, const input *in);
void splice_free(splice *s);

#endif
