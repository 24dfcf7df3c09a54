// SPDX-License-Identifier: Apache-2.0
// Whole files. They are read: a file that shrinks while it is mapped would end the process. Where input_open may keep others
// from that, it maps large ones.
// Of large ONNX files only what the analysis needs is read: payloads of large tensors are zeros, and cost neither
// time nor memory.
#ifndef SHAPE_CLI_INPUT_H
#define SHAPE_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clients/cli/input_window.h"

typedef struct input {
  const char *name;  // as in messages
  bool is_standard;  // it is standard input, and the name is not that of a file
  char *text;        // with a NUL at its end
  size_t length;
  size_t mapped;         // bytes of an anonymous mapping that holds the text; 0: it is malloc'ed
  input_window *window;  // that has the text; NULL: it is in memory
} input;

// "-" is standard input. False after a message on stderr.
bool input_read(const char *path, input *out);
// The same for a caller that gives the window of a large file back what it has read (subject_open).
bool input_open(const char *path, input *out);
// The same without a message: 0, or an errno. Only regular files; a FIFO or a device is EINVAL and is never waited for.
// A file of more than `most` bytes that would be read whole is EFBIG. `sized` hears of its bytes before memory is taken for
// them.
typedef void input_sized(void *data, uint64_t bytes);
int input_read_file(const char *path, size_t most, input_sized *sized, void *data, input *out);
void input_free(input *in);

#endif
