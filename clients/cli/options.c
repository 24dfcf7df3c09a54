// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/process/wrap.h"

static const option_row OPTIONS[] = {
#define X(command, name, letter, argument, help) {command, name, letter, argument, help},
#include "clients/cli/options.def"
#undef X
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS, LONGEST_TOLD = 40 };

static const command_row COMMANDS[] = {
#define X(name, function, arguments, summary) {name, function, arguments, summary},
#include "clients/cli/commands.def"
#undef X
};

static uint32_t command_count(void) { return sizeof COMMANDS / sizeof *COMMANDS; }

const command_row *command_find(const char *name) {
  for (uint32_t i = 0; i < command_count(); i++) {
    if (strcmp(COMMANDS[i].name, name) == 0) return &COMMANDS[i];
  }
  return NULL;
}

static bool belongs(const option_row *row, const char *command) {
  return !*row->command || strcmp(row->command, command) == 0;
}

int usage_error(const char *command, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "shape%s%s: ", command ? " " : "", command ? command : "");
  vfprintf(stderr, format, args);
  fprintf(stderr, "\nhint: shape %s%s--help lists what there is\n", command ? command : "",
          command ? " " : "");
  va_end(args);
  return EXIT_USAGE;
}

void offer_commands(misspelt *word) {
  for (uint32_t i = 0; i < command_count(); i++)
    misspelt_offer(word, COMMANDS[i].name, strlen(COMMANDS[i].name));
}

int unknown_command(const char *word) {
  misspelt given = misspelt_near(word, strlen(word));
  if (*word == '-') return usage_error(NULL, "unknown option '%.40s' before the command", word);
  offer_commands(&given);
  if (given.name)
    return usage_error(NULL, "unknown command '%.40s', did you mean '%s'?", word, given.name);
  if (access(word, F_OK) == 0)
    return usage_error(NULL, "'%.200s' is a file, not a command: shape check FILE", word);
  return usage_error(NULL, "unknown command '%.40s'", word);
}

static bool unknown_option(const char *command, const char *name, size_t length) {
  misspelt given = misspelt_near(name, length);
  for (uint32_t i = 0; i < OPTION_COUNT; i++) {
    if (belongs(&OPTIONS[i], command))
      misspelt_offer(&given, OPTIONS[i].name, strlen(OPTIONS[i].name));
  }
  int shown = length < LONGEST_TOLD ? (int)length : LONGEST_TOLD;
  usage_error(command,
              given.name ? "unknown option '--%.*s', did you mean '--%s'?"
                         : "unknown option '--%.*s'",
              shown, name, given.name);
  return false;
}

static const option_row *find_long(const char *command, const char *name, size_t length) {
  for (uint32_t i = 0; i < OPTION_COUNT; i++) {
    if (belongs(&OPTIONS[i], command) && strlen(OPTIONS[i].name) == length &&
        memcmp(OPTIONS[i].name, name, length) == 0) {
      return &OPTIONS[i];
    }
  }
  return NULL;
}

static const option_row *find_letter(const char *command, char letter) {
  for (uint32_t i = 0; i < OPTION_COUNT; i++) {
    if (belongs(&OPTIONS[i], command) && OPTIONS[i].letter == letter && letter) return &OPTIONS[i];
  }
  return NULL;
}

// One option at argv[*at]; moves past its value where that is a word of its own.
static bool take_option(command_line *out, int argc, char **argv, int *at) {
  const char *word = argv[*at], *value = NULL;
  const option_row *row;
  if (word[1] == '-') {
    size_t length = strcspn(word + 2, "=");
    row = find_long(out->command, word + 2, length);
    if (!row) return unknown_option(out->command, word + 2, length);
    if (word[2 + length]) value = word + 3 + length;
  } else {
    row = find_letter(out->command, word[1]);
    if (!row) return usage_error(out->command, "unknown option '-%c'", word[1]), false;
    if (word[2]) value = word + 2;
  }
  if (!row->argument && value) {
    return usage_error(out->command, "the option '--%s' takes no value", row->name), false;
  }
  if (row->argument && !value) {
    if (*at + 1 == argc) {
      return usage_error(out->command, "the option '--%s' needs a value, %s", row->name,
                         row->argument),
             false;
    }
    value = argv[++*at];
  }
  out->options[out->option_count++] = (option_use){row, value};
  return true;
}

bool command_line_parse(int argc, char **argv, command_line *out) {
  *out = (command_line){.command = argv[0]};
  out->options = calloc((size_t)argc, sizeof *out->options);
  out->operands = calloc((size_t)argc, sizeof *out->operands);
  if (!out->options || !out->operands) {
    out_of_memory();
    return false;
  }
  bool words_only = false;
  for (int i = 1; i < argc; i++) {
    if (!words_only && strcmp(argv[i], "--") == 0) {
      words_only = true;
    } else if (!words_only && argv[i][0] == '-' && argv[i][1]) {
      if (!take_option(out, argc, argv, &i)) return false;
    } else {
      out->operands[out->operand_count++] = argv[i];
    }
  }
  return true;
}

void command_line_free(command_line *line) {
  free(line->options);
  free(line->operands);
}

bool option_given(const command_line *line, const char *name) {
  for (uint32_t i = 0; i < line->option_count; i++) {
    if (strcmp(line->options[i].row->name, name) == 0) return true;
  }
  return false;
}

const char *option_value(const command_line *line, const char *name) {
  const char *value = NULL;
  for (uint32_t i = 0; i < line->option_count; i++) {
    if (strcmp(line->options[i].row->name, name) == 0) value = line->options[i].value;
  }
  return value;
}

int out_of_memory(void) {
  fprintf(stderr, "shape: out of memory\n");
  return EXIT_NO_ANSWER;
}

const char **option_room(const command_line *line, uint32_t lists) {
  const char **room = calloc((size_t)lists * line->option_count + 1, sizeof *room);
  if (!room) out_of_memory();
  return room;
}

uint32_t option_values(const command_line *line, const char *name, const char **out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < line->option_count; i++) {
    if (strcmp(line->options[i].row->name, name) == 0) out[count++] = line->options[i].value;
  }
  return count;
}

int option_wrong(const command_line *line, const char *name, const char *expected) {
  return usage_error(line->command, "the value of '--%s' is '%.40s', expected %s", name,
                     option_value(line, name), expected);
}

bool option_number(const command_line *line, const char *name, uint64_t least, uint64_t most,
                   uint64_t *out) {
  const char *text = option_value(line, name);
  if (!text) return true;
  uint64_t value = 0;
  bool ok = *text != 0;
  for (const char *c = text; *c && ok; c++) {
    ok = *c >= '0' && *c <= '9' && !__builtin_mul_overflow(value, (uint64_t)10, &value) &&
         !__builtin_add_overflow(value, (uint64_t)(*c - '0'), &value);
  }
  if (!ok || value < least || value > most) {
    char expected[64];
    snprintf(expected, sizeof expected, "a number between %llu and %llu", (unsigned long long)least,
             (unsigned long long)most);
    return option_wrong(line, name, expected), false;
  }
  *out = value;
  return true;
}

static void print_option(const option_row *row) {
  char left[40], help[WRAP_TEXT];
  int n = row->letter ? snprintf(left, sizeof left, "-%c, ", row->letter)
                      : snprintf(left, sizeof left, "    ");
  snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", row->name, row->argument ? " " : "",
           row->argument ? row->argument : "");
  printf("  %-24s  %s\n", left, wrap_text(help, row->help, 28));
}

static void print_examples(const char *command) {
  static const char *const EXAMPLES[][2] = {
#define X(command, text) {command, text},
#include "clients/cli/examples.def"
#undef X
  };
  bool any = false;
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
    if (strcmp(EXAMPLES[i][0], command) != 0) continue;
    printf("%s  %s\n", any ? "" : "\nexamples:\n", EXAMPLES[i][1]);
    any = true;
  }
}

void print_usage(const char *command) {
  const command_row *row = command ? command_find(command) : NULL;
  char text[WRAP_TEXT];
  if (row) {
    printf("usage: shape %s [OPTION]...%s%s\n\n%s\n\noptions:\n", row->name,
           *row->arguments ? " " : "", row->arguments, wrap_text(text, row->summary, 0));
    for (uint32_t i = 0; i < OPTION_COUNT; i++) {
      if (belongs(&OPTIONS[i], command)) print_option(&OPTIONS[i]);
    }
    print_examples(row->name);
    return;
  }
  printf("usage: shape COMMAND [OPTION]... [ARGUMENT]...\n\n"
         "What is known about the tensor shapes in a program, why, and what must\n"
         "be checked at run time. FILE is MLIR (text or bytecode), ONNX, a program of\n"
         "PyTorch (.pt2 or an FX graph) or JSON; - is standard input.\n\ncommands:\n");
  for (uint32_t i = 0; i < command_count(); i++) {
    printf("  %-10s %s\n", COMMANDS[i].name, wrap_text(text, COMMANDS[i].summary, 13));
  }
  printf("\noptions:\n      --version   print the version and exit\n"
         "  -h, --help      print this help and exit; shape COMMAND --help says more\n\n"
         "exit status: 0 fine, 1 errors in the program, a difference or a refuted claim,\n"
         "2 wrong usage, 3 a file cannot be read, 4 no answer within the budget, 5 --that\n"
         "is unknown, 6 no daemon, 130 interrupted; with several files the largest\n");
}
