// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "clients/cli/options.h"
#include "clients/cli/output_file.h"
#include "solver/shape.h"

static int run_command(const command_row *row, int argc, char **argv) {
  command_line line;
  int status = EXIT_USAGE;
  if (command_line_parse(argc, argv, &line)) {
    if (option_given(&line, "help")) {
      print_usage(row->name);
      status = EXIT_FINE;
    } else {
      status = row->function(&line);
    }
  }
  command_line_free(&line);
  return status;
}

// An answer that could not be written is not an answer, whatever the command found. A command that ends with this status has
// said what it could not read or write.
static int finish(int status) {
  errno = 0;
  if ((fflush(stdout) != 0 || ferror(stdout)) && status != EXIT_UNREADABLE) {
    cannot_write(NULL, "-");
    status = EXIT_UNREADABLE;
  }
  return status;
}

int cli_run(int argc, char **argv) {
  if (argc < 2) return usage_error(NULL, "no command is given");
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    print_usage(argc > 2 ? argv[2] : NULL);
    return finish(EXIT_FINE);
  }
  if (strcmp(word, "--version") == 0) {
    printf("shape " SHAPE_VERSION "\n");
    return finish(EXIT_FINE);
  }
  const command_row *row = command_find(word);
  if (!row) return unknown_command(word);
  return finish(run_command(row, argc - 1, argv + 1));
}
