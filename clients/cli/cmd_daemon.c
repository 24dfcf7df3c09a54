// SPDX-License-Identifier: Apache-2.0
// ping, stats and call: single requests to a daemon.
#include <string.h>
#include <time.h>

#include "clients/cli/connect.h"
#include "clients/cli/options.h"
#include "proto/json/read.h"

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int call_once(const command_line *line, const char *method, json_slice params, bool print) {
  daemon_link link;
  daemon_reply reply;
  if (!daemon_open(&link, option_value(line, "connect"))) return EXIT_NO_DAEMON;
  int status = EXIT_NO_DAEMON;
  if (daemon_call(&link, method, params, &reply)) {
    if (reply.error.length) {
      status = daemon_error(line->command, reply.error);
    } else {
      status = EXIT_FINE;
      if (print) printf("%.*s\n", (int)reply.result.length, reply.result.text);
    }
  }
  daemon_close(&link);
  return status;
}

int cmd_ping(const command_line *line) {
  if (line->operand_count) return usage_error(line->command, "no arguments are expected");
  double before = milliseconds();
  int status = call_once(line, "server/ping", (json_slice){"", 0}, false);
  if (status == EXIT_FINE) printf("the daemon answers (%.2f ms)\n", milliseconds() - before);
  return status;
}

int cmd_stats(const command_line *line) {
  if (line->operand_count) return usage_error(line->command, "it takes no arguments");
  return call_once(line, "server/stats", (json_slice){"", 0}, true);
}

// A request is one line: line ends between tokens become spaces. Those in strings are escaped already.
static bool to_one_line(shape_arena *arena, const char *text, json_slice *out, json_error *error) {
  const char *clean;
  size_t length;
  if (!json_validate(arena, NULL, text, strlen(text), &clean, &length, error)) return false;
  char *copy = arena_strndup(arena, text, strlen(text));
  for (char *c = copy; *c; c++) {
    if (*c == '\n' || *c == '\r') *c = ' ';
  }
  *out = (json_slice){copy, strlen(copy)};
  return true;
}

typedef struct call_work {
  const command_line *line;
  shape_arena arena;
  int status;
} call_work;

static void run_call(void *data) {
  call_work *w = data;
  const command_line *line = w->line;
  json_slice params = {"", 0};
  json_error error;
  const char *method = line->operands[0];
  if (strpbrk(method, "\"\\\n")) {
    w->status = usage_error(line->command, "'%.40s' is not the name of a method", method);
  } else if (line->operand_count > 1 &&
             !to_one_line(&w->arena, line->operands[1], &params, &error)) {
    w->status = usage_error(line->command, "PARAMS is not JSON: %s (column %u)", error.message,
                            error.column);
  } else {
    w->status = call_once(line, method, params, true);
  }
}

int cmd_call(const command_line *line) {
  if (!line->operand_count || line->operand_count > 2) {
    return usage_error(line->command, "expected METHOD, and optionally PARAMS as JSON");
  }
  call_work w = {.line = line, .status = EXIT_NO_ANSWER};
  arena_init(&w.arena, 0);
  arena_protect(&w.arena, run_call, &w);
  arena_destroy(&w.arena);
  return w.status;
}
