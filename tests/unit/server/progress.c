// SPDX-License-Identifier: Apache-2.0
// $/progress: who hears of it, and when.
#include <string.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

enum { MS = 1000000 };  // nanoseconds

static server_job job_with_token(connection *c, const char *token) {
  server_job job = {.conn = c, .received = 1000 * (uint64_t)MS};
  method_control_init(&job.control);
  job.control.token = (json_slice){token, strlen(token)};
  atomic_store(&job.control.steps, 77);
  return job;
}

Test(progress, notes_have_a_distance) {
  static const struct {
    const char *option;
    uint64_t progressed, now;  // milliseconds
    bool said;
  } ROWS[] = {
      {"--progress 250", 0, 1249, false},    {"--progress 250", 0, 1250, true},
      {"--progress 250", 1300, 1549, false}, {"--progress 250", 1300, 1550, true},
      {"--progress 0", 0, 9000, false},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    daemon *d = daemon_with_client(ROWS[i].option);
    d->c->reader.mode = FRAME_LINES;
    server_job job = job_with_token(d->c, "[1]");
    job.progressed = ROWS[i].progressed * MS;
    progress_tell(&d->s, &job, ROWS[i].now * MS);
    bool said = d->s.metrics.bytes_out > 0;
    cr_expect_eq(said, ROWS[i].said, "row %zu", i);
    cr_expect_eq(job.progressed, (said ? ROWS[i].now : ROWS[i].progressed) * MS, "row %zu", i);
    daemon_end(d);
  }
}

Test(progress, a_note_has_the_token_as_it_was_written) {
  daemon *d = daemon_with_client("--progress 1");
  d->c->reader.mode = FRAME_LINES;
  server_job job = job_with_token(d->c, "\"a\\u0041\"");
  progress_tell(&d->s, &job, 1005 * (uint64_t)MS);
  cr_expect_str_eq(client_hear(d, d->fd),
                   "{\"jsonrpc\": \"2.0\", \"method\": \"$/progress\", \"params\": {\"token\": "
                   "\"a\\u0041\", \"value\": {\"elapsed_ms\": 5, \"steps\": 77}}}");
  // A client that has still to read hears no more.
  d->c->out.backlog = 1;
  job.progressed = 0;
  progress_tell(&d->s, &job, 2000 * (uint64_t)MS);
  cr_expect_eq(job.progressed, 0);
  d->c->out.backlog = 0;
  daemon_end(d);
}
