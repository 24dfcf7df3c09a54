// SPDX-License-Identifier: Apache-2.0
// A load generator for the daemon: connections that pipeline requests over its Unix socket, as fast as answers come or
// at a rate. Every request gets exactly one answer, or the run fails.
//
//   load [--apart]                starts a daemon ($SHAPED) and prints the table of the README of this folder
//   load --isolation              what worker processes cost: daemons with isolate = no and yes, run by run
//   load SOCKET WORKLOAD C D S    C connections, D requests in flight on each, S seconds, on a daemon that runs
//   load SOCKET WORKLOAD C D S R  R requests per second in all; latency counts from when a request was due
//
// Workloads: ping, ping20, ping1000, analyze20, analyze1000; ping20 carries the graph that analyze20 analyses. CPU is
// that of all threads and worker processes of the daemon, per request, as the kernel counts it. The generator acts as
// other machines: where it may, it takes a higher priority than the daemon, so that what it measures is the daemon's delay
// and not its own.
// With --apart it also has processors of its own, half of those that there are, and the daemon has the others: then the
// peak is that of the daemon alone, where otherwise the generator takes a part of every processor.
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/record.h"
#include "tests/bench/spread.h"
#include "tests/bench/workload.h"

enum { SLOTS = 1024, ROOM = 1 << 22, CONNECTIONS_MAX = 256, SAMPLES_MAX = 1 << 22 };

typedef struct load_client {
  int fd;
  uint64_t next, answered;
  uint64_t sent_at[SLOTS];  // ns, by id; 0: nothing in flight
  char *out;                // one request that is on its way
  size_t out_length, out_done;
  char *in;
  size_t in_length;
} load_client;

typedef struct load_run {
  const char *socket, *method;
  char *params;
  unsigned connections, depth;
  double seconds, rate;
  load_client *clients;
  uint64_t sent, answered, wrong;
  uint32_t *samples;  // microseconds * 16
  size_t sample_count;
  double elapsed, cpu;  // seconds
} load_run;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void die(const char *what) {
  fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
  exit(1);
}

// --- workloads

static bool choose(load_run *run, const char *workload) {
  size_t ping = strncmp(workload, "ping", 4) == 0 ? 4 : 0;
  if (!ping && strncmp(workload, "analyze", 7) != 0) return false;
  unsigned ops = (unsigned)atoi(workload + (ping ? ping : 7));
  run->method = ping ? "server/ping" : "analyze";
  run->params = ops ? workload_params(ops) : strdup("{}");
  if (!run->params) die("malloc");
  return ping || ops;
}

// --- clients

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  return fd;
}

static void open_clients(load_run *run) {
  run->clients = calloc(run->connections, sizeof *run->clients);
  run->samples = malloc(SAMPLES_MAX * sizeof *run->samples);
  if (!run->clients || !run->samples) die("malloc");
  size_t request = strlen(run->params) + 256;
  for (unsigned i = 0; i < run->connections; i++) {
    load_client *c = &run->clients[i];
    c->fd = connect_to(run->socket);
    if (c->fd < 0) die(run->socket);
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    c->out = malloc(request);
    c->in = malloc(ROOM);
    if (!c->out || !c->in) die("malloc");
  }
}

static void close_clients(load_run *run) {
  for (unsigned i = 0; i < run->connections; i++) {
    close(run->clients[i].fd);
    free(run->clients[i].out);
    free(run->clients[i].in);
  }
  free(run->clients);
  free(run->samples);
  free(run->params);
}

static unsigned in_flight(const load_client *c) { return (unsigned)(c->next - c->answered); }

static bool push(load_client *c) {
  while (c->out_done < c->out_length) {
    ssize_t n = send(c->fd, c->out + c->out_done, c->out_length - c->out_done, MSG_NOSIGNAL);
    if (n < 0 && errno == EAGAIN) return false;
    if (n < 0) die("send");
    c->out_done += (size_t)n;
  }
  return true;
}

// `due`: when the request should have gone out.
static void submit(load_run *run, load_client *c, uint64_t due) {
  c->out_length =
      (size_t)sprintf(c->out, "{\"jsonrpc\":\"2.0\",\"id\":%llu,\"method\":\"%s\",\"params\":%s}\n",
                      (unsigned long long)c->next, run->method, run->params);
  c->out_done = 0;
  c->sent_at[c->next++ % SLOTS] = due;
  run->sent++;
  push(c);
}

static bool may_submit(const load_run *run, const load_client *c) {
  return c->out_done == c->out_length && in_flight(c) < run->depth && !c->sent_at[c->next % SLOTS];
}

static void take_reply(load_run *run, load_client *c, const char *line) {
  static const char HEAD[] = "{\"jsonrpc\": \"2.0\", \"id\": ";
  char *end;
  if (strncmp(line, HEAD, sizeof HEAD - 1) != 0) die("a reply that is none");
  uint64_t id = strtoull(line + sizeof HEAD - 1, &end, 10);
  uint64_t *sent = &c->sent_at[id % SLOTS];
  if (id >= c->next || !*sent || strncmp(end, ", \"result\": ", 12) != 0) {
    run->wrong++;
    return;
  }
  uint64_t took = (now_ns() - *sent) * 16 / 1000;
  if (run->sample_count < SAMPLES_MAX)
    run->samples[run->sample_count++] = took > UINT32_MAX ? UINT32_MAX : (uint32_t)took;
  *sent = 0;
  c->answered++;
  run->answered++;
}

static void pull(load_run *run, load_client *c) {
  ssize_t n = recv(c->fd, c->in + c->in_length, ROOM - c->in_length - 1, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) die("the daemon closed the connection");
  c->in_length += (size_t)n;
  char *line = c->in, *stop = c->in + c->in_length, *end;
  while ((end = memchr(line, '\n', (size_t)(stop - line)))) {
    *end = 0;
    take_reply(run, c, line);
    line = end + 1;
  }
  c->in_length = (size_t)(stop - line);
  memmove(c->in, line, c->in_length);
}

// --- a run

static pid_t peer_of(int fd) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : -1;
}

static double cpu_of(pid_t pid);

// Seconds of CPU of the processes that a thread has started.
static double cpu_of_children(pid_t pid, const char *thread) {
  char path[320];
  double sum = 0;
  int child;
  snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, thread);
  FILE *file = fopen(path, "r");
  while (file && fscanf(file, "%d", &child) == 1) sum += cpu_of((pid_t)child);
  if (file) fclose(file);
  return sum;
}

// Seconds of CPU that all threads of the process have used, and its worker processes.
static double cpu_of(pid_t pid) {
  char path[320];
  double sum = 0;
  snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
  DIR *folder = opendir(path);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    unsigned long long ns;
    if (entry->d_name[0] == '.')
      continue;  // "..": the process, whose file counts its first thread again
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)pid, entry->d_name);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%llu", &ns) == 1) sum += (double)ns * 1e-9;
    if (file) fclose(file);
    sum += cpu_of_children(pid, entry->d_name);
  }
  if (folder) closedir(folder);
  return sum;
}

static void send_what_is_due(load_run *run, uint64_t start, uint64_t now, uint64_t *due_count) {
  if (run->rate <= 0) {
    for (unsigned i = 0; i < run->connections; i++) {
      while (may_submit(run, &run->clients[i])) submit(run, &run->clients[i], now_ns());
    }
    return;
  }
  for (;;) {
    uint64_t due = start + (uint64_t)((double)*due_count / run->rate * 1e9);
    load_client *c = &run->clients[*due_count % run->connections];
    if (due > now || !may_submit(run, c)) return;
    submit(run, c, due);
    ++*due_count;
  }
}

static void run_load(load_run *run) {
  struct pollfd polls[CONNECTIONS_MAX];
  open_clients(run);
  pid_t daemon = peer_of(run->clients[0].fd);
  double cpu = cpu_of(daemon);
  uint64_t start = now_ns(), end = start + (uint64_t)(run->seconds * 1e9), due_count = 0, now;
  // After the end everything that was sent is still waited for.
  while ((now = now_ns()) < end || run->answered < run->sent) {
    if (now > end + 30u * 1000000000u) die("requests without an answer");
    if (now < end) send_what_is_due(run, start, now, &due_count);
    for (unsigned i = 0; i < run->connections; i++) {
      load_client *c = &run->clients[i];
      polls[i] = (struct pollfd){.fd = c->fd, .events = POLLIN};
      if (c->out_done < c->out_length) polls[i].events |= POLLOUT;
    }
    struct timespec wait = {0, run->rate > 0 ? 100000 : 20000000};
    if (ppoll(polls, run->connections, &wait, NULL) < 0) die("poll");
    for (unsigned i = 0; i < run->connections; i++) {
      if (polls[i].revents & POLLOUT) push(&run->clients[i]);
      if (polls[i].revents & (POLLIN | POLLHUP | POLLERR)) pull(run, &run->clients[i]);
    }
  }
  run->elapsed = (double)(now_ns() - start) * 1e-9;
  run->cpu = cpu_of(daemon) - cpu;
}

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static double quantile(const load_run *run, double share) {
  if (!run->sample_count) return 0;
  size_t at = (size_t)(share * (double)run->sample_count);
  return run->samples[at < run->sample_count ? at : run->sample_count - 1] / 16.0;
}

typedef struct load_result {
  double rate, p50, p99, cpu;  // per second; microseconds
} load_result;

static load_result measure(const char *socket, const char *workload, unsigned connections,
                           unsigned depth, double seconds, double rate) {
  load_run run = {.socket = socket,
                  .connections = connections,
                  .depth = depth,
                  .seconds = seconds,
                  .rate = rate};
  if (!choose(&run, workload)) {
    fprintf(stderr, "load: there is no workload '%s'\n", workload);
    exit(2);
  }
  run_load(&run);
  qsort(run.samples, run.sample_count, sizeof *run.samples, compare);
  double per_second = (double)run.answered / run.elapsed,
         cpu = run.cpu / (double)run.answered * 1e6;
  load_result result = {per_second, quantile(&run, 0.5), quantile(&run, 0.99), cpu};
  printf("| %s | %u | %u | %.0f | %.0f | %.0f | %.0f | %.0f | %.1f |\n", workload, connections,
         depth, rate, per_second, result.p50, result.p99, quantile(&run, 0.999), cpu);
  record("{\"section\": \"daemon\", \"workload\": \"%s\", \"connections\": %u, \"depth\": %u, "
         "\"asked\": %.0f, "
         "\"per_second\": %.0f, \"p50_us\": %.2f, \"p99_us\": %.2f, \"p999_us\": %.2f, \"cpu_us\": "
         "%.2f}",
         workload, connections, depth, rate, per_second, result.p50, result.p99,
         quantile(&run, 0.999), cpu);
  fflush(stdout);
  if (run.wrong || run.answered != run.sent) {
    fprintf(stderr, "load: %llu sent, %llu answered, %llu errors or answers to nothing\n",
            (unsigned long long)run.sent, (unsigned long long)run.answered,
            (unsigned long long)run.wrong);
    exit(1);
  }
  close_clients(&run);
  return result;
}

// --- the table

// Gives this process the first or the second half of the processors.
static void take_half(const cpu_set_t *all, bool second) {
  cpu_set_t half;
  CPU_ZERO(&half);
  int count = CPU_COUNT(all), seen = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (!CPU_ISSET(cpu, all)) continue;
    if ((seen++ >= count / 2) == second) CPU_SET(cpu, &half);
  }
  if (sched_setaffinity(0, sizeof half, &half) != 0) die("sched_setaffinity");
}

static pid_t start_daemon(const char *path, bool apart, const char *isolate) {
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0) die("sched_getaffinity");
  if (apart && CPU_COUNT(&all) < 2) {
    fprintf(stderr, "load: --apart takes two processors\n");
    exit(2);
  }
  const char *program = getenv("SHAPED");
  pid_t pid = fork();
  if (pid == 0) {
    if (apart) take_half(&all, true);
    execlp(program ? program : "build/shaped", "shaped", "--socket", path, "--log-level", "warning",
           "--isolate", isolate, (char *)NULL);
    _exit(127);
  }
  if (apart) take_half(&all, false);
  for (int i = 0; i < 1000; i++) {
    int fd = connect_to(path);
    if (fd >= 0) {
      close(fd);
      return pid;
    }
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  die("the daemon does not start");
  return -1;
}

// After the daemon was started, which keeps the usual priority.
static void stand_apart(void) {
  enum { HIGHER = 10 };
  if (setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) - HIGHER) != 0)
    fprintf(stderr, "load: the generator has no priority of its own: %s\n", strerror(errno));
}

// analyze20 to ping20 by runs that alternate, as the machine's speed moves by a half within seconds.
static void against_ping(const char *socket, unsigned connections, unsigned depth) {
  enum { PAIRS = 9 };
  spread cpu = {.count = 0}, latency = cpu;
  for (int i = 0; i < PAIRS; i++) {
    load_result ping = measure(socket, "ping20", connections, depth, 0.4, 0);
    load_result analysis = measure(socket, "analyze20", connections, depth, 0.4, 0);
    spread_add(&cpu, analysis.cpu / ping.cpu);
    spread_add(&latency, analysis.p50 / ping.p50);
  }
  printf("\nanalyze20 to ping20, connections %u, in flight on each %u, medians of %d pairs: CPU ",
         connections, depth, PAIRS);
  spread_print(&cpu);
  printf(" (goal 4), latency ");
  spread_print(&latency);
  printf(" (goal 2 with one of each)\n\n");
}

// The p99 at a share of the peak rate, which is measured before and after each run: where the machine became slower or
// faster in between, the rate was none of the peak's share, and the run does not count.
static void at_share(const char *socket, const char *workload, double share) {
  enum { RUNS = 21 };
  const double steady = 1.15;
  spread p99 = {.count = 0};
  double before = measure(socket, workload, 8, 16, 0.2, 0).rate;
  for (int i = 0; i < RUNS; i++) {
    load_result loaded = measure(socket, workload, 8, 64, 0.4, share * before);
    double after = measure(socket, workload, 8, 16, 0.2, 0).rate;
    if (before < steady * after && after < steady * before) spread_add(&p99, loaded.p99 / 1e3);
    before = after;
  }
  printf("\np99 of %s at %.0f %% of the peak rate, ms, median: ", workload, share * 100);
  spread_print(&p99);
  printf(" of %u runs in which the machine was steady (goal 5 at 80 %%)\n\n", p99.count);
}

static void table(const char *socket) {
  static const char *const WORKLOADS[] = {"ping", "ping20", "analyze20", "ping1000", "analyze1000"};
  printf("| workload | connections | in flight | asked/s | requests/s | p50 us | p99 us | p99.9 us "
         "| CPU us |\n"
         "|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < 5; i++) measure(socket, WORKLOADS[i], 1, 1, 1, 0);
  for (int i = 1; i < 3; i++) measure(socket, WORKLOADS[i], 1, 16, 1, 0);
  for (int i = 1; i < 3; i++) measure(socket, WORKLOADS[i], 64, 1, 1, 0);
  for (int i = 0; i < 5; i++) measure(socket, WORKLOADS[i], 8, 16, 2, 0);
  against_ping(socket, 1, 1);
  against_ping(socket, 8, 16);
  for (int i = 4; i >= 2; i--) at_share(socket, "analyze20", 0.2 * i);
  at_share(socket, "analyze1000", 0.8);
}

// What worker processes cost: analyze20 with isolate = no and yes, by runs that alternate; differences of the pairs.
static void isolation(const char *here, const char *isolated, unsigned connections,
                      unsigned depth) {
  enum { PAIRS = 9 };
  spread wall = {.count = 0}, latency = wall, cpu = wall;
  for (int i = 0; i < PAIRS; i++) {
    load_result no = measure(here, "analyze20", connections, depth, 0.4, 0);
    load_result yes = measure(isolated, "analyze20", connections, depth, 0.4, 0);
    spread_add(&wall, 1e6 / yes.rate - 1e6 / no.rate);
    spread_add(&latency, yes.p50 - no.p50);
    spread_add(&cpu, yes.cpu - no.cpu);
  }
  printf("\nisolation of analyze20, connections %u, in flight on each %u, medians of %d pairs, us: "
         "per "
         "request ",
         connections, depth, PAIRS);
  spread_print(&wall);
  printf(" (goal 15), p50 ");
  spread_print(&latency);
  printf(", CPU ");
  spread_print(&cpu);
  printf("\n\n");
}

static void compare_isolation(const char *folder) {
  static const char *const MODES[] = {"no", "yes"};
  char paths[2][64];
  pid_t daemons[2];
  for (int i = 0; i < 2; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/%s", folder, MODES[i]);
    daemons[i] = start_daemon(paths[i], false, MODES[i]);
  }
  stand_apart();
  isolation(paths[0], paths[1], 1, 1);
  isolation(paths[0], paths[1], 1, 16);
  isolation(paths[0], paths[1], 8, 16);
  for (int i = 0; i < 2; i++) {
    kill(daemons[i], SIGTERM);
    waitpid(daemons[i], NULL, 0);
  }
}

int main(int argc, char **argv) {
  if (argc >= 6) {
    unsigned connections = (unsigned)atoi(argv[3]), depth = (unsigned)atoi(argv[4]);
    if (!connections || connections > CONNECTIONS_MAX || !depth || depth > SLOTS) return 2;
    stand_apart();
    measure(argv[1], argv[2], connections, depth, atof(argv[5]), argc > 6 ? atof(argv[6]) : 0);
    return 0;
  }
  bool apart = argc == 2 && strcmp(argv[1], "--apart") == 0;
  bool isolated = argc == 2 && strcmp(argv[1], "--isolation") == 0;
  if (argc > 1 && !apart && !isolated) {
    fprintf(
        stderr,
        "usage: load [--apart | --isolation | SOCKET WORKLOAD CONNECTIONS DEPTH SECONDS [RATE]]\n");
    return 2;
  }
  char folder[] = "/tmp/shaped-load.XXXXXX", path[64];
  if (!mkdtemp(folder)) die("mkdtemp");
  if (isolated) {
    compare_isolation(folder);
    rmdir(folder);
    return 0;
  }
  snprintf(path, sizeof path, "%s/s", folder);
  pid_t daemon = start_daemon(path, apart, "no");
  stand_apart();
  table(path);
  kill(daemon, SIGTERM);
  waitpid(daemon, NULL, 0);
  rmdir(folder);
  return 0;
}
