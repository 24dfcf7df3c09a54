// SPDX-License-Identifier: Apache-2.0
// The profiles of a command line: those of --profile, then the lines of --profiles FILE.
#ifndef SHAPE_CLI_PROFILES_H
#define SHAPE_CLI_PROFILES_H

#include "clients/cli/input.h"
#include "clients/cli/options.h"

typedef struct profile_texts {
  const char **texts;  // and NULL
  uint32_t count;
  input file;  // whose lines some of them are
} profile_texts;

// False after a message: *status is the exit status. Blank lines of the file, and those that begin with #, are skipped.
bool profiles_read(const command_line *line, profile_texts *out, int *status);
void profiles_free(profile_texts *p);

#endif
