// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/tracing.h"

#include "clients/cli/plain.h"
#include "solver/shape.h"

void tracing_write(void *to, const char *text, size_t length) {
  (void)to;
  print_plain_lines(stderr, text, length);
}

bool tracing_read(const command_line *line, uint32_t *tags) {
  const char *names = option_value(line, "trace");
  *tags = names ? shape_trace_tags(names) : 0;
  if (!names || (*tags && !option_given(line, "connect"))) return true;
  if (*tags) {
    usage_error(line->command, "--trace traces this program: leave out --connect");
  } else {
    option_wrong(line, "trace", "tags such as phase,fact, or all");
  }
  return false;
}
