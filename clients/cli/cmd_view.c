// SPDX-License-Identifier: Apache-2.0
// view: the program as one page, drawn from the answers of check and cost.
#include "clients/cli/setup.h"
#include "clients/cli/splice.h"

int cmd_view(const command_line *line) {
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  analysis_setup setup;
  input in;
  int status = setup_read_file(line, &setup, &in);
  if (status) return status;
  splice page = {0};
  subject s = {.program = NULL};
  status = EXIT_NO_ANSWER;
  if (subject_open(&s, &setup, &in, line->operands[0])) {
    outcome done = subject_emit(&s, option_given(line, "json") ? "view-json" : "view", &options,
                                splice_add, &page);
    status = splice_status(&page, line, &done, &in);
  }
  if (!status && !splice_write(&page, &in, option_value(line, "output"))) status = EXIT_UNREADABLE;
  subject_close(&s);
  splice_free(&page);
  input_free(&in);
  setup_free(&setup);
  return status;
}
