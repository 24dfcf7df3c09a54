// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "deploy/tables/tables.h"

// `s` within single quotes of a shell, with a backslash before each character of `special`.
static void quoted(FILE *out, const char *s, const char *special, const char *quote) {
  for (; *s; s++) {
    if (*s == '\'') {
      fputs(quote, out);
    } else {
      if (strchr(special, *s)) fputc('\\', out);
      fputc(*s, out);
    }
  }
}

// ---------------------------------------------------------------- bash

static void bash_option(FILE *out, const char *program, const char *command, const char *name,
                        char letter, const char *argument) {
  const char *words = argument ? option_words(program, command, name, argument) : "";
  fprintf(out, "    '%s %s --%s'", program, command, name);
  if (letter) fprintf(out, " | '%s %s -%c'", program, command, letter);
  fprintf(out, ") words='%s' ;;\n", argument ? words ? words : "@any" : "@none");
}

static void bash_names(FILE *out, const char *of) {
#define X(command, name, letter, argument, help)                                                   \
  if (!*command || strcmp(command, of) == 0) fputs(" --" name, out);
#include "clients/cli/options.def"
#undef X
}

// Two functions: the words that begin a command's options, and what may be after an option.
void bash_cases(FILE *out) {
  fputs("_shaped_list() {\n  words=\n  case $1 in\n    'shape') words='", out);
#define X(name, function, arguments, summary) fputs(name " ", out);
#include "clients/cli/commands.def"
  fputs("--help --version' ;;\n", out);
#undef X
#define X(name, function, arguments, summary)                                                      \
  fputs("    'shape " name "') words='", out);                                                     \
  bash_names(out, name);                                                                           \
  fputs("' ;;\n", out);
#include "clients/cli/commands.def"
#undef X
  fputs("    'shaped ') words='--config --check-config --help --version", out);
#define X(field, name, type, value, least, most, reload, doc) fputs(" --" name, out);
#include "server/options.def"
#undef X
  fputs("' ;;\n  esac\n}\n\n_shaped_value() {\n  words=@none\n  case $1 in\n", out);
#define X(command, name, letter, argument, help)                                                   \
  if (argument) bash_option(out, "shape", command, name, letter, argument);
#include "clients/cli/options.def"
#undef X
  bash_option(out, "shaped", "", "config", 0, "FILE");
#define X(field, name, type, value, least, most, reload, doc)                                      \
  bash_option(out, "shaped", "", name, 0, #type);
#include "server/options.def"
#undef X
  fputs("  esac\n}\n\n_shaped_operand() {\n  words=@none\n  case $1 in\n", out);
#define X(name, function, arguments, summary)                                                      \
  if (operand_words(name, arguments))                                                              \
    fprintf(out, "    '%s') words='%s' ;;\n", name, operand_words(name, arguments));
#include "clients/cli/commands.def"
#undef X
  fputs("  esac\n}\n", out);
}

// ---------------------------------------------------------------- zsh

static const char ZSH_SPECIAL[] = "[]:\\", ZSH_QUOTE[] = "'\\''";

static void zsh_option(FILE *out, const char *words, const char *name, char letter,
                       const char *argument, const char *help) {
  bool again = strstr(help, "may be repeated") != NULL;
  for (int turn = letter ? 0 : 1; turn < 2; turn++) {
    fprintf(out, "        '%s", again ? "*" : "");
    if (turn == 0) {
      fprintf(out, "-%c%s", letter, argument ? "+" : "");
    } else {
      fprintf(out, "--%s%s", name, argument ? "=" : "");
    }
    fputc('[', out);
    quoted(out, help, ZSH_SPECIAL, ZSH_QUOTE);
    fputc(']', out);
    if (argument) {
      fputc(':', out);
      quoted(out, argument, ZSH_SPECIAL, ZSH_QUOTE);
      if (words && strcmp(words, "@files") == 0) {
        fputs(":_files", out);
      } else if (words) {
        fprintf(out, ":(%s)", words);
      } else {
        fputs(": ", out);
      }
    }
    fputs("' \\\n", out);
  }
}

static void zsh_options(FILE *out, const char *of) {
#define X(command, name, letter, argument, help)                                                   \
  if (!*command || strcmp(command, of) == 0)                                                       \
    zsh_option(out, option_words("shape", command, name, argument), name, letter, argument, help);
#include "clients/cli/options.def"
#undef X
}

static void zsh_operands(FILE *out, const char *words) {
  if (words && *words != '@') {
    fprintf(out, "        '1:argument:(%s)' ;;\n", words);
  } else {
    fprintf(out, "        '*:argument:%s' ;;\n", words ? "_files" : " ");
  }
}

void zsh_cases(FILE *out) {
  fputs("_shape_commands=(\n", out);
#define X(name, function, arguments, summary)                                                      \
  fputs("  '" name ":", out);                                                                      \
  quoted(out, summary, ZSH_SPECIAL, ZSH_QUOTE);                                                    \
  fputs("'\n", out);
#include "clients/cli/commands.def"
#undef X
  fputs(")\n_shape_command() {\n  case $1 in\n", out);
#define X(name, function, arguments, summary)                                                      \
  fputs("    " name ")\n      _arguments -s -S \\\n", out);                                        \
  zsh_options(out, name);                                                                          \
  zsh_operands(out, operand_words(name, arguments));
#include "clients/cli/commands.def"
#undef X
  fputs("  esac\n}\n", out);
}

void zsh_daemon(FILE *out) {
  zsh_option(out, "@files", "config", 0, "FILE",
             "options as lines of NAME = VALUE; flags win over it");
#define X(field, name, type, value, least, most, reload, doc)                                      \
  zsh_option(out, option_words("shaped", "", name, #type), name, 0, #type, doc);
#include "server/options.def"
#undef X
}

// ---------------------------------------------------------------- fish

static void fish_option(FILE *out, const char *program, const char *command, const char *words,
                        const char *name, char letter, const char *argument, const char *help) {
  fprintf(out, "complete -c %s", program);
  if (*command) fprintf(out, " -n '__fish_seen_subcommand_from %s'", command);
  fprintf(out, " -l %s", name);
  if (letter) fprintf(out, " -s %c", letter);
  if (argument) fputs(words && strcmp(words, "@files") == 0 ? " -r -F" : " -x", out);
  if (argument && words && *words != '@') fprintf(out, " -a '%s'", words);
  fputs(" -d '", out);
  quoted(out, help, "\\", "\\'");
  fputs("'\n", out);
}

static void fish_operands(FILE *out, const char *command, const char *words) {
  if (!words) return;
  fprintf(out, "complete -c shape -n '__fish_seen_subcommand_from %s'", command);
  if (*words == '@') {
    fputs(" -F\n", out);
  } else {
    fprintf(out, " -a '%s'\n", words);
  }
}

void fish_lines(FILE *out) {
#define X(name, function, arguments, summary)                                                      \
  fputs("complete -c shape -n __fish_use_subcommand -a " name " -d '", out);                       \
  quoted(out, summary, "\\", "\\'");                                                               \
  fputs("'\n", out);                                                                               \
  fish_operands(out, name, operand_words(name, arguments));
#include "clients/cli/commands.def"
#undef X
#define X(command, name, letter, argument, help)                                                   \
  fish_option(out, "shape", command, option_words("shape", command, name, argument), name, letter, \
              argument, help);
#include "clients/cli/options.def"
#undef X
}

void fish_daemon(FILE *out) {
  fish_option(out, "shaped", "", "@files", "config", 0, "FILE",
              "options as lines of NAME = VALUE; flags win over it");
#define X(field, name, type, value, least, most, reload, doc)                                      \
  fish_option(out, "shaped", "", option_words("shaped", "", name, #type), name, 0, #type, doc);
#include "server/options.def"
#undef X
}
