// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "deploy/tables/tables.h"
#include "solver/shape.h"

static const struct {
  const char *name;
  table_writer *write;
} WRITERS[] = {
    {"@ROFF_COMMANDS@", roff_commands},
    {"@ROFF_COMMON@", roff_common},
    {"@ROFF_DAEMON_OPTIONS@", roff_daemon_options},
    {"@ROFF_CONFIG@", roff_config},
    {"@ROFF_METHODS@", roff_methods},
    {"@ROFF_ERRORS@", roff_errors},
    {"@ROFF_METRICS@", roff_metrics},
    {"@ROFF_LSP_OPTIONS@", roff_lsp_options},
    {"@ROFF_LSP_SETTINGS@", roff_lsp_settings},
    {"@BASH_CASES@", bash_cases},
    {"@ZSH_CASES@", zsh_cases},
    {"@FISH_LINES@", fish_lines},
    {"@ZSH_DAEMON@", zsh_daemon},
    {"@FISH_DAEMON@", fish_daemon},
};

static const struct {
  const char *program, *command, *option, *words;
} VALUES[] = {
#define X(program, command, option, words) {program, command, option, words},
#include "deploy/tables/values.def"
#undef X
};

const char *option_words(const char *program, const char *command, const char *option,
                         const char *argument) {
  for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
    if (strcmp(VALUES[i].program, program) == 0 && strcmp(VALUES[i].command, command) == 0 &&
        strcmp(VALUES[i].option, option) == 0) {
      return VALUES[i].words;
    }
  }
  bool path = argument && (strcmp(argument, "FILE") == 0 || strcmp(argument, "OUT") == 0 ||
                           strcmp(argument, "ADDRESS") == 0);
  return path ? "@files" : NULL;
}

const char *operand_words(const char *command, const char *arguments) {
#define X(name, function, where, summary) name " "
  static const char METHODS[] =
#include "proto/methods.def"
      ;
#undef X
  if (strcmp(command, "call") == 0) return METHODS;
  bool paths = strstr(arguments, "FILE") || strstr(arguments, "PATH") || strstr(arguments, "OLD");
  return paths ? "@files" : NULL;
}

static void copy_line(const char *line) {
  static const char VERSION[] = "@VERSION@";
  const char *at;
  while ((at = strstr(line, VERSION))) {
    fwrite(line, 1, (size_t)(at - line), stdout);
    fputs(SHAPE_VERSION, stdout);
    line = at + sizeof VERSION - 1;
  }
  puts(line);
}

int main(void) {
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    size_t i = 0, count = sizeof WRITERS / sizeof *WRITERS;
    while (i < count && strcmp(WRITERS[i].name, line) != 0) i++;
    if (i < count) {
      WRITERS[i].write(stdout);
    } else if (*line == '@') {
      fprintf(stderr, "tables: nothing is called %s\n", line);
      return EXIT_FAILURE;
    } else {
      copy_line(line);
    }
  }
  return ferror(stdin) || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
