// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clients/cli/input.h"
#include "clients/cli/options.h"
#include "proto/methods/analyze.h"

static void to_stdout(void *to, const char *data, size_t length) { fwrite(data, 1, length, to); }

static bool wants_colour(void) {
  const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return !(no && *no) && terminal && isatty(STDOUT_FILENO);
}

static int check_file(const command_line *line, analyze_request *request, const char *path) {
  input in;
  if (!input_read(path, &in)) return EXIT_UNREADABLE;
  request->name = in.name;
  request->text = in.text;
  request->length = in.length;
  analyze_reply reply;
  analyze(request, to_stdout, stdout, &reply);
  input_free(&in);
  if (reply.status == SHAPE_INVALID) usage_error(line->command, "%s", reply.message);
  return analyze_exit_status(&reply);
}

int cmd_check(const command_line *line) {
  if (!line->operand_count)
    return usage_error(line->command, "no FILE is given; - is standard input");
  analyze_request request = {.argument_types = option_value(line, "arg-types"),
                             .entry = option_value(line, "entry"),
                             .output = option_given(line, "json") ? ANALYZE_JSON : ANALYZE_TEXT,
                             .colour = wants_colour(),
                             .werror = option_given(line, "werror"),
                             .refinable = option_given(line, "refinable")};
  uint64_t steps = 0, memory = 0;
  if (!option_number(line, "steps", 1, UINT64_MAX / 2, &steps) ||
      !option_number(line, "memory", 1, 1 << 20, &memory)) {
    return EXIT_USAGE;
  }
  request.limits.steps = steps;
  request.limits.memory = (size_t)memory << 20;
  const char **values = calloc(2 * (size_t)line->option_count + 1, sizeof *values);
  if (!values) return EXIT_NO_ANSWER;
  request.bindings = values;
  request.binding_count = option_values(line, "bind", values);
  request.assumptions = values + line->option_count;
  request.assumption_count = option_values(line, "assume", values + line->option_count);
  int worst = EXIT_FINE;
  for (uint32_t i = 0; i < line->operand_count; i++) {
    int status = check_file(line, &request, line->operands[i]);
    if (status > worst) worst = status;
    if (status == EXIT_USAGE) break;
  }
  free(values);
  return worst;
}
