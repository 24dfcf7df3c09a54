// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/tracing.h"

#include "clients/cli/plain.h"

static void to_stderr(void *data, const char *text, size_t length) {
  (void)data;
  print_plain_lines(stderr, text, length);
}

bool tracing_read(const command_line *line, shape_trace *trace) {
  const char *tags = option_value(line, "trace");
  *trace = (shape_trace){.write = to_stderr};
  if (!tags) return true;
  trace->tags = trace_parse(tags);
  if (trace->tags && !option_given(line, "connect")) return true;
  usage_error(line->command,
              trace->tags ? "--trace looks into this program: it needs no --connect"
                          : "the value of '--trace' is '%.40s', see --help for its tags",
              tags);
  return false;
}
