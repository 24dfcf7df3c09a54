// SPDX-License-Identifier: Apache-2.0
// check and explain: the same analysis; one prints what is known, the other why one thing is.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clients/cli/connect.h"
#include "clients/cli/profiles.h"
#include "clients/cli/tracing.h"

static void to_stdout(void *to, const char *data, size_t length) {
  size_t *written = to;
  *written += fwrite(data, 1, length, stdout);
}

static bool wants_colour(void) {
  const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return !(no && *no) && terminal && isatty(STDOUT_FILENO);
}

static const char *format_of(const check_query *query) {
  if (query->that) return query->json ? "why-json" : "why";
  if (query->line) return query->json ? "at-json" : "at";
  return query->json ? "json" : query->verbose ? "details" : "text";
}

// Without memory there may be none for the text that says so: then a message does.
static bool answer_here(subject *s, const analysis_setup *setup, const check_query *query,
                        const input *in, const char *path, outcome *done) {
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  options.that = query->that;
  options.line = query->line;
  options.column = query->column;
  options.colour = query->colour;
  shape_dims_options dims = SHAPE_STRUCT(shape_dims_options);
  dims.profiles = query->profiles;
  options.dims = &dims;
  size_t written = 0;
  if (!subject_open(s, setup, in, path)) return false;
  *done = subject_emit(s, format_of(query), &options, to_stdout, &written);
  if (!written && done->status != SHAPE_OK && done->status != SHAPE_INVALID)
    fprintf(stderr, "shape: %s: %s\n", path, done->message);
  return true;
}

// daemon: NULL: the work is done here.
static int check_file(const command_line *line, daemon_link *daemon, const analysis_setup *setup,
                      const check_query *query, const char *path) {
  input in;
  int status = EXIT_NO_ANSWER;
  if (!input_open(path, &in)) return EXIT_UNREADABLE;
  subject s = {.program = NULL};
  daemon_outcome remote;
  outcome done;
  bool answered;
  if (daemon) {
    answered = daemon_analyze(daemon, line->command, setup, &in, query, stdout, &remote, &status);
    done = remote.outcome;
  } else {
    answered = answer_here(&s, setup, query, &in, path, &done);
  }
  if (answered) {
    if (done.status == SHAPE_INVALID) usage_error(line->command, "%s", done.message);
    status = exit_status_of(&done);
    if (!status && query->that && done.answer != SHAPE_YES)
      status = done.answer == SHAPE_NO ? EXIT_ERRORS : EXIT_THAT_UNKNOWN;
    if (!status && query->profile_count && done.answer != SHAPE_YES)
      status = done.answer == SHAPE_NO ? EXIT_ERRORS : EXIT_NO_ANSWER;
  }
  subject_close(&s);
  input_free(&in);
  return status;
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
  check_query query = {.that = that,
                       .json = option_given(line, "json"),
                       .colour = wants_colour(),
                       .verbose = !that && !at && option_given(line, "verbose")};
  analysis_setup setup;
  uint32_t tags;
  int worst = EXIT_FINE;
  if (!tracing_read(line, &tags)) return EXIT_USAGE;
  profile_texts profiles;
  if (!profiles_read(line, &profiles, &worst)) return worst;
  query.profiles = profiles.texts;
  query.profile_count = profiles.count;
  worst = setup_read(line, &setup);
  if (worst) {
    profiles_free(&profiles);
    return worst;
  }
  setup.limits.trace_tags = tags;
  setup.limits.trace = tracing_write;
  setup.options.keep_spans = at != NULL;
  if (at && !read_location(at, &query.line, &query.column)) {
    setup_free(&setup);
    profiles_free(&profiles);
    return option_wrong(line, "at", "LINE:COLUMN, both from 1");
  }
  daemon_link link;
  const char *socket = option_value(line, "connect");
  if (socket && !daemon_open(&link, socket)) worst = EXIT_NO_DAEMON;
  for (uint32_t i = 0; worst != EXIT_NO_DAEMON && i < line->operand_count; i++) {
    int status = check_file(line, socket ? &link : NULL, &setup, &query, line->operands[i]);
    if (status > worst) worst = status;
    if (status == EXIT_USAGE) break;
  }
  if (socket) daemon_close(&link);
  setup_free(&setup);
  profiles_free(&profiles);
  return worst;
}

int cmd_check(const command_line *line) { return check_files(line, NULL, NULL); }

int cmd_explain(const command_line *line) {
  const char *that = option_value(line, "that"), *at = option_value(line, "at");
  if (!that == !at)
    return usage_error(line->command, "give --that or --at: what is to be explained");
  return check_files(line, that, at);
}
