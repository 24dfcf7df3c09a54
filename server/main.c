// SPDX-License-Identifier: Apache-2.0
// shaped: the daemon. Exit status: 0 after a drain, 1 when it cannot serve, 2 usage.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/process/sandbox.h"
#include "server/memory.h"
#include "server/notify.h"
#include "server/server.h"
#include "server/worker.h"
#include "solver/shape.h"

static void on_term(uv_signal_t *signal, int number) {
  server *s = signal->data;
  (void)number;
  if (s->drain.draining) {
    log_line(&s->log, LOG_IS_WARNING, "exit", "why=second-signal in_flight=%llu",
             (unsigned long long)s->metrics.in_flight);
    // Now means now: nothing is written back and no destructor runs. The socket is gone already.
    _exit(0);
  }
  drain_begin(s, "signal");
}

static void on_hangup(uv_signal_t *signal, int number) {
  (void)number;
  server_reload(signal->data);
}

static void on_watchdog(uv_timer_t *timer) {
  (void)timer;
  notify("WATCHDOG=1");
}

static void watch_signals(server *s) {
  uv_signal_init(&s->loop, &s->signals.term);
  uv_signal_init(&s->loop, &s->signals.interrupt);
  uv_signal_init(&s->loop, &s->signals.hangup);
  s->signals.term.data = s->signals.interrupt.data = s->signals.hangup.data = s;
  uv_signal_start(&s->signals.term, on_term, SIGTERM);
  uv_signal_start(&s->signals.interrupt, on_term, SIGINT);
  uv_signal_start(&s->signals.hangup, on_hangup, SIGHUP);
  unsigned watchdog = notify_watchdog();
  if (watchdog) uv_timer_start(&s->watchdog, on_watchdog, watchdog, watchdog);
}

static unsigned worker_count(const server *s) {
  if (s->config.workers) return (unsigned)s->config.workers;
  unsigned n = uv_available_parallelism();  // what this process may use of them
  return n > 256 ? 256 : n;
}

// Whether requests are answered by processes of their own; see the option in server/README.md.
static bool isolates(const server *s) {
  if (strcmp(s->config.isolate, "auto") != 0) return strcmp(s->config.isolate, "yes") == 0;
  for (unsigned i = 0; i < s->listening.count; i++) {
    const server_listener *l = &s->listening.items[i];
    if (l->role == LISTENS_FOR_TLS || (l->role == LISTENS_FOR_CLIENTS && l->tcp)) return true;
  }
  return false;
}

static bool start_workers(server *s, char *error, size_t size) {
  if (!isolates(s)) return true;
  s->workers = workers_start(&s->config, worker_count(s), error, size);
  if (!s->workers && strcmp(s->config.isolate, "auto") == 0) {
    char quoted[600];
    log_line(&s->log, LOG_IS_WARNING, "isolate", "workers=0 error=%s",
             log_quote(quoted, sizeof quoted, error, strlen(error)));
    return true;
  }
  if (!s->workers) return false;
  unsigned have = workers_counts(s->workers).sandbox;
  log_line(&s->log, have & SANDBOX_SECCOMP ? LOG_IS_INFO : LOG_IS_WARNING, "isolate",
           "workers=%u seccomp=%s landlock=%s", worker_count(s),
           have & SANDBOX_SECCOMP ? "yes" : "no", have & SANDBOX_LANDLOCK ? "yes" : "no");
  return true;
}

static int serve(server *s) {
  static const char *const ROLES[] = {"clients", "tls", "http"};
  char error[512];
  s->one_processor = uv_available_parallelism() == 1;
  if (!handles_open(s)) {
    fprintf(stderr, "shaped: cannot make an event loop\n");
    return EXIT_FAILURE;
  }
  watch_signals(s);
  s->profiles = profiles_open(&s->config, error, sizeof error);
  bool good = s->profiles || !*error;
  good = good && listen_all(s, error, sizeof error) && start_workers(s, error, sizeof error);
  s->sessions =
      good ? sessions_new(&s->config, s->workers ? &WORKER_SESSIONS : &SESSIONS_HERE) : NULL;
  if (s->sessions) {
    idle_watch_sessions(s);
  } else if (good) {
    good = false;
    snprintf(error, sizeof error, "cannot make the table of sessions");
  }
  accept_make_room(s);
  if (good && !pool_start(&s->pool, worker_count(s), &s->wake)) {
    good = false;
    snprintf(error, sizeof error, "cannot start %u worker threads", worker_count(s));
  }
  if (good && !short_start(&s->shorts)) {
    good = false;
    snprintf(error, sizeof error, "cannot start the thread that watches the event loop");
  }
  if (good) {
    for (unsigned i = 0; i < s->listening.count; i++) {
      char name[600];
      log_line(&s->log, LOG_IS_INFO, "listen", "on=%s for=%s workers=%u",
               log_quote(name, sizeof name, s->listening.items[i].name,
                         strlen(s->listening.items[i].name)),
               ROLES[s->listening.items[i].role], s->pool.thread_count);
    }
    notify("READY=1");
    uv_run(&s->loop, UV_RUN_DEFAULT);
    log_line(&s->log, LOG_IS_INFO, "exit", "why=drained");
  } else {
    fprintf(stderr, "shaped: %s\n", error);
  }
  if (s->pool.threads) pool_stop(&s->pool);
  short_stop(&s->shorts);
  handles_close(s);
  tls_context_free(s->tls);
  profiles_close(s->profiles);
  sessions_free(s->sessions);
  workers_stop(s->workers);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

// What the options name has to be there, too.
static int check(const server_config *config) {
  char error[512];
  tls_context *tls = *config->tls ? tls_context_new(config, error, sizeof error) : NULL;
  if ((*config->tls && !tls) || !listen_check(config, error, sizeof error)) {
    tls_context_free(tls);
    fprintf(stderr, "shaped: %s\n", error);
    return 2;
  }
  tls_context_free(tls);
  printf("the configuration is valid\n");
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  char error[512];
  config_line line;
  if (argc == 2 && strcmp(argv[1], TEMPLATE_ARGUMENT) == 0) return worker_template();
  server *s = calloc(1, sizeof *s);
  if (!s) {
    fprintf(stderr, "shaped: out of memory\n");
    return EXIT_FAILURE;
  }
  s->arguments.count = argc;
  s->arguments.texts = argv;
  memory_keep();
  log_open(&s->log);
  // A client that leaves is no reason to end; writes report it.
  signal(SIGPIPE, SIG_IGN);
  bool good = config_read(&s->config, argc, argv, &line, error, sizeof error);
  if (good && line.action != CONFIG_HELP && line.action != CONFIG_VERSION) {
    good = server_configure_log(&s->log, &s->config, error, sizeof error) &&
           config_check_isolate(&s->config, error, sizeof error);
  }
  int status = EXIT_SUCCESS;
  if (!good) {
    fprintf(stderr, "shaped: %s\nhint: shaped --help lists what there is\n", error);
    status = 2;
  } else if (line.action == CONFIG_HELP) {
    config_help();
  } else if (line.action == CONFIG_VERSION) {
    printf("shaped " SHAPE_VERSION "\n");
  } else if (line.action == CONFIG_CHECK) {
    status = check(&s->config);
  } else {
    const char *journal = getenv("JOURNAL_STREAM");
    s->log.priorities = journal && *journal;
    status = serve(s);
  }
  if (line.action != CONFIG_RUN && fflush(stdout) != 0) {
    fprintf(stderr, "shaped: cannot write standard output\n");
    status = EXIT_FAILURE;
  }
  free(s);
  return status;
}
