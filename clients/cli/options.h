// SPDX-License-Identifier: Apache-2.0
// The command line by table: options.def says what there is, this reads it.
#ifndef SHAPE_CLI_OPTIONS_H
#define SHAPE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/json/text.h"

// Exit statuses, as the design has them.
enum {
  EXIT_FINE = 0,
  EXIT_ERRORS = 1,
  EXIT_USAGE = 2,
  EXIT_UNREADABLE = 3,
  EXIT_NO_ANSWER = 4,
  EXIT_THAT_UNKNOWN = 5,
  EXIT_NO_DAEMON = 6,
  EXIT_INTERRUPTED = 130
};

typedef struct option_row {
  const char *command, *name;
  char letter;
  const char *argument, *help;
} option_row;

typedef struct option_use {
  const option_row *row;
  const char *value;  // NULL where the option takes none
} option_use;

// What a command was called with. The strings are those of argv.
typedef struct command_line {
  const char *command;
  option_use *options;
  uint32_t option_count;
  const char **operands;
  uint32_t operand_count;
} command_line;

typedef int command_function(const command_line *line);

typedef struct command_row {
  const char *name;
  command_function *function;
  const char *arguments, *summary;
} command_row;

const command_row *command_find(const char *name);  // or NULL

// argv[0] is the command's name. False after a message and a hint on stderr: the exit status is EXIT_USAGE.
bool command_line_parse(int argc, char **argv, command_line *out);
void command_line_free(command_line *line);
bool option_given(const command_line *line, const char *name);
const char *option_value(const command_line *line,
                         const char *name);  // the last one; NULL: not given
// All values of an option, in order; the array has room for option_count of them. Returns how many.
uint32_t option_values(const command_line *line, const char *name, const char **out);
// A number in decimal; false after a message when it is none or not within the bounds. Keeps *out when not given.
bool option_number(const command_line *line, const char *name, uint64_t least, uint64_t most,
                   uint64_t *out);

// "the value of '--NAME' is 'VALUE', expected EXPECTED": a message; returns EXIT_USAGE.
int option_wrong(const command_line *line, const char *name, const char *expected);

// An array for the values of `lists` options and one more; malloc'ed. NULL after a message.
const char **option_room(const command_line *line, uint32_t lists);
int out_of_memory(void);  // a message; EXIT_NO_ANSWER

void offer_commands(misspelt *word);    // the names of all
int unknown_command(const char *word);  // a message, with the nearest one; EXIT_USAGE
void print_usage(const char *command);  // NULL: of the program
// "shape check: MESSAGE" and a hint on stderr; returns EXIT_USAGE.
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define X(name, function, arguments, summary) command_function function;
#include "clients/cli/commands.def"
#undef X

#endif
