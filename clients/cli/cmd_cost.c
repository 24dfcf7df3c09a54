// SPDX-License-Identifier: Apache-2.0
// cost: memory and work of a program, as expressions over the dims of its arguments.
#include <stdio.h>
#include <stdlib.h>

#include "clients/cli/setup.h"

static void to_stdout(void *to, const char *data, size_t length) {
  (void)to;
  fwrite(data, 1, length, stdout);
}

static bool read_balance(const command_line *line, double *out) {
  const char *text = option_value(line, "flops-per-byte");
  char *end;
  if (!text) return true;
  *out = strtod(text, &end);
  if (end != text && !*end && *out > 0 && *out < 1e18) return true;
  option_wrong(line, "flops-per-byte", "a number above 0");
  return false;
}

int cmd_cost(const command_line *line) {
  bool json = option_given(line, "json"), csv = option_given(line, "csv");
  if (json && csv) return usage_error(line->command, "give --json or --csv, not both");
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  shape_dims_options cost = SHAPE_STRUCT(shape_dims_options);
  const char *profiles[2] = {option_value(line, "profile"), NULL};
  cost.point = option_value(line, "at");
  cost.profiles = profiles;
  cost.reuse = option_given(line, "reuse");
  options.dims = &cost;
  if (!read_balance(line, &cost.flops_per_byte)) return EXIT_USAGE;
  analysis_setup setup;
  input in;
  int status = setup_read_file(line, &setup, &in);
  if (status) return status;
  subject s = {.program = NULL};
  status = EXIT_NO_ANSWER;
  if (subject_open(&s, &setup, &in, line->operands[0])) {
    outcome done = subject_emit(&s,
                                json  ? "cost-json"
                                : csv ? "cost-csv"
                                      : "cost",
                                &options, to_stdout, NULL);
    if (done.status == SHAPE_INVALID) usage_error(line->command, "%s", done.message);
    status = exit_status_of(&done);
  }
  subject_close(&s);
  input_free(&in);
  setup_free(&setup);
  return status;
}
