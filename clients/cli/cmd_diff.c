// SPDX-License-Identifier: Apache-2.0
// diff: what changed between two versions of a program; the exit status is 1 where anything did.
#include <stdio.h>
#include <stdlib.h>

#include "clients/cli/input.h"
#include "clients/cli/options.h"
#include "solver/emit/diff.h"

static void to_stdout(void *to, const char *data, size_t length) { fwrite(data, 1, length, to); }

static int exit_status(const command_line *line, const diff_reply *reply) {
  if (reply->status == SHAPE_INVALID) return usage_error(line->command, "%s", reply->message);
  if (reply->status == SHAPE_OK)
    return reply->errors || reply->differences ? EXIT_ERRORS : EXIT_FINE;
  fprintf(stderr, "shape diff: %s\n", reply->message);
  return EXIT_NO_ANSWER;
}

int cmd_diff(const command_line *line) {
  if (line->operand_count != 2) return usage_error(line->command, "two files are needed: OLD NEW");
  analysis_request requests[2] = {{.entry = option_value(line, "entry")}};
  const diff_options options = {.json = option_given(line, "json")};
  uint64_t steps = 0;
  if (!option_number(line, "steps", 1, UINT64_MAX / 2, &steps)) return EXIT_USAGE;
  const char **values = option_room(line, 1);
  if (!values) return EXIT_NO_ANSWER;
  requests[0].limits.steps = steps;
  requests[0].assumptions = values;
  requests[0].assumption_count = option_values(line, "assume", values);
  requests[1] = requests[0];
  int status = EXIT_UNREADABLE;
  input files[2] = {0};
  bool there[2] = {false, false};
  for (int k = 0; k < 2; k++) {
    there[k] = input_read(line->operands[k], &files[k]);
    if (!there[k]) goto cleanup;
    requests[k].name = files[k].name;
    requests[k].text = files[k].text;
    requests[k].length = files[k].length;
  }
  diff_reply reply;
  diff_programs(&requests[0], &requests[1], &options, to_stdout, stdout, &reply);
  status = exit_status(line, &reply);
cleanup:
  for (int k = 0; k < 2; k++) {
    if (there[k]) input_free(&files[k]);
  }
  free(values);
  return status;
}
