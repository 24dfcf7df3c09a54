// SPDX-License-Identifier: Apache-2.0
// diff: what changed between two versions of a program; the exit status is 1 where anything did.
#include <stdio.h>

#include "clients/cli/setup.h"

static void to_stdout(void *to, const char *data, size_t length) {
  (void)to;
  fwrite(data, 1, length, stdout);
}

static int compare(const command_line *line, subject programs[2], const analysis_setup *setup) {
  shape_program *before = programs[0].program;
  shape_diff diff;
  shape_status status =
      shape_program_diff(before, programs[1].program, &setup->options,
                         option_given(line, "json") ? "json" : "text", to_stdout, NULL, &diff);
  const char *message = shape_program_error(before)->message;
  if (status == SHAPE_INVALID) return usage_error(line->command, "%s", message);
  if (status == SHAPE_OK) return diff.errors || diff.differences ? EXIT_ERRORS : EXIT_FINE;
  fprintf(stderr, "shape diff: %s\n", message);
  return EXIT_NO_ANSWER;
}

int cmd_diff(const command_line *line) {
  if (line->operand_count != 2) return usage_error(line->command, "two files are needed: OLD NEW");
  analysis_setup setup;
  int status = setup_read(line, &setup);
  if (status) return status;
  input files[2] = {{0}, {0}};
  subject programs[2] = {{.program = NULL}, {.program = NULL}};
  int k = 0;
  for (; k < 2; k++) {
    status = EXIT_UNREADABLE;
    if (!input_read(line->operands[k], &files[k])) break;
    status = EXIT_NO_ANSWER;
    if (!subject_load(&programs[k], &setup, &files[k], line->operands[k])) break;
  }
  if (k == 2) status = compare(line, programs, &setup);
  for (int i = 0; i < 2; i++) {
    subject_close(&programs[i]);
    if (files[i].text) input_free(&files[i]);
  }
  setup_free(&setup);
  return status;
}
