// SPDX-License-Identifier: Apache-2.0
// Runs many commands of the command line in one process, so that a slow start is paid once: for runs under memcheck.
//
// Each line of standard input is a command: fields with tabs between them, a folder to run in, a file for its standard
// input, then the arguments. Each is named on standard error before it runs. What it prints goes nowhere.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/cli/cli.h"

enum { FIELDS_MAX = 64 };

static int split(char *line, char **fields) {
  int count = 0;
  line[strcspn(line, "\n")] = '\0';
  for (char *at = line; at && count < FIELDS_MAX - 1;) {
    fields[count++] = at;
    at = strchr(at, '\t');
    if (at) *at++ = '\0';
  }
  fields[count] = NULL;
  return count;
}

// Input of the command instead of ours, as a new stream: what the last command left in the buffer is none of its input.
static int take_input(const char *path) {
  clearerr(stdin);
  return freopen(path, "r", stdin) ? 0 : -1;
}

int main(void) {
  char *line = NULL, *fields[FIELDS_MAX], name[] = "shape";
  size_t capacity = 0;
  FILE *list = fdopen(dup(STDIN_FILENO), "r");
  if (!list || !freopen("/dev/null", "w", stdout)) return 2;
  while (getline(&line, &capacity, list) > 0) {
    int count = split(line, fields);
    if (count < 3) continue;
    fprintf(stderr, "command:");
    for (int i = 2; i < count; i++) fprintf(stderr, " %s", fields[i]);
    fprintf(stderr, "\n");
    if (chdir(fields[0]) != 0 || take_input(fields[1]) != 0) {
      perror(fields[1]);
      return 2;
    }
    char **argv = fields + 1;  // the command's name is where its input was
    argv[0] = name;
    cli_run(count - 1, argv);
  }
  free(line);
  fclose(list);
  return 0;
}
