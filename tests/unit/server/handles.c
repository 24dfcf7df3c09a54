// SPDX-License-Identifier: Apache-2.0
// The loop, and what lives as long as it does.
#include <dirent.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/server/daemon.h"

static int open_files(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  cr_assert(folder);
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

static void open_and_close(void) {
  server *s = calloc(1, sizeof *s);
  cr_assert(s);
  s->config.max_connections = 100;
  cr_assert(handles_open(s));
  cr_expect_not(s->listening.count || s->jobs.active || s->connections.first);
  handles_close(s);
  free(s);
}

Test(handles, a_loop_that_is_closed_leaves_no_file) {
  open_and_close();  // libuv has some for the whole process
  int before = open_files();
  open_and_close();
  cr_expect_eq(open_files(), before);
}

Test(handles, the_next_iteration_begins_at_once) {
  daemon *d = daemon_start("");
  daemon_step(d);
  d->s.iteration.short_since = 5;
  iterate_again(&d->s);
  iterate_again(&d->s);
  cr_expect(uv_is_active((uv_handle_t *)&d->s.held.later));
  uv_run(&d->s.loop, UV_RUN_ONCE);  // would wait for ever without
  cr_expect_not(uv_is_active((uv_handle_t *)&d->s.held.later));
  cr_expect_eq(d->s.iteration.short_since, 0, "it has time of its own");
  daemon_end(d);
}

Test(handles, a_stream_is_of_the_kind_of_its_descriptor) {
  daemon *d = daemon_start("");
  for (int tcp = 0; tcp < 2; tcp++) {
    server_stream stream;
    int fd = socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(stream_init(&d->s, &stream, tcp), 0);
    cr_expect_eq(stream.handle.type, tcp ? UV_TCP : UV_NAMED_PIPE);
    cr_expect_not(stream_open(&stream, -1));
    cr_expect(stream_open(&stream, fd));
    uv_close(&stream.handle, NULL);
    daemon_step(d);
    cr_expect_eq(close(fd), -1, "it was the stream's");
  }
  daemon_end(d);
}
