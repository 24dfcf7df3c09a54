// SPDX-License-Identifier: Apache-2.0
// check and explain: the same analysis; one prints what is known, the other why one thing is.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clients/cli/connect.h"
#include "clients/cli/exit.h"
#include "clients/cli/external.h"
#include "clients/cli/input.h"
#include "clients/cli/options.h"
#include "clients/cli/tracing.h"
#include "solver/emit/emitter.h"

static void to_stdout(void *to, const char *data, size_t length) {
  size_t *written = to;
  *written += fwrite(data, 1, length, stdout);
}

static bool wants_colour(void) {
  const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return !(no && *no) && terminal && isatty(STDOUT_FILENO);
}

static void answer_here(const analysis_request *request, const check_query *query, size_t *written,
                        analysis_reply *reply, shape_answer *answer) {
  const why_options why = {.that = query->that, .colour = query->colour, .answer = answer};
  const at_options at = {query->line, query->column, query->colour, false};
  const text_options text = {query->colour};
  emit_choice choice = query->json ? emit_as_json(NULL) : emit_as_text(&text);
  if (query->that) {
    choice = query->json ? emit_as_why_json(&why) : emit_as_why(&why);
  } else if (query->line) {
    choice = query->json ? emit_as_at_json(&at) : emit_as_at(&at);
  }
  emit_analyze(request, choice, to_stdout, written, reply);
}

// daemon: NULL: the work is done here.
static int check_file(const command_line *line, daemon_link *daemon, analysis_request *request,
                      const check_query *query, const char *path) {
  input in;
  int status = EXIT_FINE;
  bool answered = true;
  if (!input_read(path, &in)) return EXIT_UNREADABLE;
  request->name = in.name;
  request->text = in.text;
  request->length = in.length;
  external_files files = {path, false};
  request->external = external_read;
  request->external_data = &files;
  analysis_reply reply;
  shape_answer answer = SHAPE_NO;
  size_t written = 0;
  if (daemon) {
    answered =
        daemon_analyze(daemon, line->command, request, query, stdout, &reply, &answer, &status);
  } else {
    answer_here(request, query, &written, &reply, &answer);
    // Without memory there may be none for the text that says so.
    if (!written && reply.status != SHAPE_OK && reply.status != SHAPE_INVALID) {
      fprintf(stderr, "shape: %s: %s\n", path, reply.message);
    }
  }
  input_free(&in);
  if (!answered) return status;
  if (reply.status == SHAPE_INVALID) usage_error(line->command, "%s", reply.message);
  status = exit_status_of(&reply);
  if (status || !query->that) return status;
  return answer == SHAPE_YES ? EXIT_FINE : answer == SHAPE_NO ? EXIT_ERRORS : EXIT_THAT_UNKNOWN;
}

// "L:C", both from 1.
static bool read_location(const char *text, uint32_t *line, uint32_t *column) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  unsigned long l = strtoul(text, &end, 10);
  if (*end != ':' || end[1] < '0' || end[1] > '9') return false;
  unsigned long c = strtoul(end + 1, &end, 10);
  if (*end || !l || !c || l > INT32_MAX || c > INT32_MAX) return false;
  *line = (uint32_t)l;
  *column = (uint32_t)c;
  return true;
}

static int check_files(const command_line *line, const char *that, const char *at) {
  if (!line->operand_count)
    return usage_error(line->command, "no FILE is given; - is standard input");
  check_query query = {.that = that, .json = option_given(line, "json"), .colour = wants_colour()};
  analysis_request request = {.argument_types = option_value(line, "arg-types"),
                              .entry = option_value(line, "entry"),
                              .werror = option_given(line, "werror"),
                              .refinable = option_given(line, "refinable"),
                              .certify = option_given(line, "certify")};
  uint64_t steps = 0, memory = 0;
  shape_trace trace;
  if (!tracing_read(line, &trace)) return EXIT_USAGE;
  if (trace.tags) request.limits.trace = &trace;
  if (!option_number(line, "steps", 1, UINT64_MAX / 2, &steps) ||
      !option_number(line, "memory", 1, 1 << 20, &memory)) {
    return EXIT_USAGE;
  }
  request.limits.steps = steps;
  request.limits.memory = (size_t)memory << 20;
  if (at && !read_location(at, &query.line, &query.column))
    return usage_error(line->command, "--at '%.40s': expected LINE:COLUMN, both from 1", at);
  const char **values = option_room(line, 2);
  if (!values) return EXIT_NO_ANSWER;
  request.bindings = values;
  request.binding_count = option_values(line, "bind", values);
  request.assumptions = values + line->option_count;
  request.assumption_count = option_values(line, "assume", values + line->option_count);
  daemon_link link;
  const char *socket = option_value(line, "connect");
  int worst = socket && !daemon_open(&link, socket) ? EXIT_NO_DAEMON : EXIT_FINE;
  for (uint32_t i = 0; worst != EXIT_NO_DAEMON && i < line->operand_count; i++) {
    int status = check_file(line, socket ? &link : NULL, &request, &query, line->operands[i]);
    if (status > worst) worst = status;
    if (status == EXIT_USAGE) break;
  }
  if (socket) daemon_close(&link);
  free(values);
  return worst;
}

int cmd_check(const command_line *line) { return check_files(line, NULL, NULL); }

int cmd_explain(const command_line *line) {
  const char *that = option_value(line, "that"), *at = option_value(line, "at");
  if (!that == !at)
    return usage_error(line->command, "give --that or --at: what is to be explained");
  return check_files(line, that, at);
}
