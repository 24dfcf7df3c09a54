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
// that of all threads and worker processes of the daemon, per request, as the kernel counts it, as are context switches;
// a CPU second is one of daemon and generator. Each reply is compared with the first one: all have one answer. What is due
// goes out, and what is there is read, in one call for each connection. The generator acts as
// other machines: where it may, it takes a higher priority than the daemon, so that what it measures is the daemon's delay
// and not its own.
// With --apart it also has processors of its own, half of those that there are, and the daemon has the others: then the
// peak is that of the daemon alone, where otherwise the generator takes a part of every processor.
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/record.h"
#include "tests/bench/spread.h"
#include "tests/bench/workload.h"

enum {
  SLOTS = 1024,
  ROOM = 1 << 22,
  CONNECTIONS_MAX = 256,
  SAMPLES_MAX = 1 << 22,
  BATCH = 64,  // requests in one call
  HEAD_ROOM = 48,
  // At a rate: how often what is due goes out, and how many in a row go to one connection.
  TICK_NS = 100000,
  IN_A_ROW = 8
};

typedef struct load_client {
  int fd;
  uint64_t next, answered;
  uint64_t sent_at[SLOTS];  // ns, by id; 0: nothing in flight
  uint64_t unsent;          // the first request that the socket has not taken; next: there is none
  size_t sent_bytes;        // of that one, which it has
  bool waits;               // for room in the socket
  char *in;
  size_t in_length;
} load_client;

typedef struct load_run {
  const char *socket;
  char *rest;  // of each request, after its id
  size_t rest_length;
  char *answer;  // the first reply after its id; all others are the same
  size_t answer_length;
  unsigned connections, depth;
  double seconds, rate;
  load_client *clients;
  int events;  // of epoll
  uint64_t sent, answered;
  uint32_t *samples;  // microseconds * 16
  size_t sample_count;
  double elapsed, cpu, own_cpu;  // seconds
  double switches;
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
  static const char REST[] = ",\"method\":\"%s\",\"params\":%s}\n";
  size_t ping = strncmp(workload, "ping", 4) == 0 ? 4 : 0;
  if (!ping && strncmp(workload, "analyze", 7) != 0) return false;
  unsigned ops = (unsigned)atoi(workload + (ping ? ping : 7));
  char *params = ops ? workload_params(ops) : strdup("{}");
  if (!params || asprintf(&run->rest, REST, ping ? "server/ping" : "analyze", params) < 0)
    die("malloc");
  free(params);
  run->rest_length = strlen(run->rest);
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

static void watch(const load_run *run, load_client *c, int how) {
  struct epoll_event event = {.events = c->waits ? EPOLLIN | EPOLLOUT : EPOLLIN, .data.ptr = c};
  if (epoll_ctl(run->events, how, c->fd, &event) != 0) die("epoll_ctl");
}

static void open_clients(load_run *run) {
  run->clients = calloc(run->connections, sizeof *run->clients);
  run->samples = malloc(SAMPLES_MAX * sizeof *run->samples);
  run->events = epoll_create1(EPOLL_CLOEXEC);
  if (!run->clients || !run->samples || run->events < 0) die("malloc");
  for (unsigned i = 0; i < run->connections; i++) {
    load_client *c = &run->clients[i];
    c->fd = connect_to(run->socket);
    if (c->fd < 0) die(run->socket);
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    c->in = malloc(ROOM);
    if (!c->in) die("malloc");
    watch(run, c, EPOLL_CTL_ADD);
  }
}

static void close_clients(load_run *run) {
  for (unsigned i = 0; i < run->connections; i++) {
    close(run->clients[i].fd);
    free(run->clients[i].in);
  }
  close(run->events);
  free(run->clients);
  free(run->samples);
  free(run->rest);
  free(run->answer);
}

static unsigned in_flight(const load_client *c) { return (unsigned)(c->next - c->answered); }

// The bytes of a request before its rest.
static size_t write_head(char head[HEAD_ROOM], uint64_t id) {
  static const char OPENING[] = "{\"jsonrpc\":\"2.0\",\"id\":";
  char digits[24], *at = digits + sizeof digits;
  do {
    *--at = (char)('0' + id % 10);
  } while (id /= 10);
  size_t count = (size_t)(digits + sizeof digits - at);
  memcpy(head, OPENING, sizeof OPENING - 1);
  memcpy(head + sizeof OPENING - 1, at, count);
  return sizeof OPENING - 1 + count;
}

// The parts of the next requests but for what was sent of the first; how many there are.
static unsigned unsent_parts(const load_run *run, const load_client *c, struct iovec parts[],
                             char heads[][HEAD_ROOM]) {
  unsigned count = 0;
  for (uint64_t id = c->unsent; id < c->next && count < BATCH; id++, count++) {
    parts[2 * count] = (struct iovec){heads[count], write_head(heads[count], id)};
    parts[2 * count + 1] = (struct iovec){run->rest, run->rest_length};
  }
  size_t skip = c->sent_bytes;
  for (unsigned i = 0; i < 2 && skip; i++) {
    size_t part = skip < parts[i].iov_len ? skip : parts[i].iov_len;
    parts[i].iov_base = (char *)parts[i].iov_base + part;
    parts[i].iov_len -= part;
    skip -= part;
  }
  return 2 * count;
}

// Sends what was submitted, as far as the socket takes it.
static void push(const load_run *run, load_client *c) {
  struct iovec parts[2 * BATCH];
  char heads[BATCH][HEAD_ROOM];
  bool full = false;
  while (c->unsent < c->next && !full) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = unsent_parts(run, c, parts, heads)};
    ssize_t n = sendmsg(c->fd, &message, MSG_NOSIGNAL);
    full = n < 0 && errno == EAGAIN;
    if (n < 0 && !full) die("send");
    if (n > 0) c->sent_bytes += (size_t)n;
    for (size_t length;
         c->unsent < c->next &&
         c->sent_bytes >= (length = write_head(heads[0], c->unsent) + run->rest_length);
         c->unsent++)
      c->sent_bytes -= length;
  }
  if (full == c->waits) return;
  c->waits = full;
  watch(run, c, EPOLL_CTL_MOD);
}

// `due`: when the request should have gone out. It goes with the next push.
static void submit(load_run *run, load_client *c, uint64_t due) {
  c->sent_at[c->next++ % SLOTS] = due;
  run->sent++;
}

static bool may_submit(const load_run *run, const load_client *c) {
  return !c->waits && in_flight(c) < run->depth && !c->sent_at[c->next % SLOTS];
}

static void die_of_reply(const char *text, size_t length) {
  fprintf(stderr, "load: no answer, one to nothing, or one that is not that of the others: %.*s\n",
          (int)(length < 300 ? length : 300), text);
  exit(1);
}

// What each reply says after its id, from the first one.
static void learn_answer(load_run *run, const char *text, size_t length) {
  static const char RESULT[] = ", \"result\": ";
  if (length < sizeof RESULT || memcmp(text, RESULT, sizeof RESULT - 1) != 0)
    die_of_reply(text, length);
  run->answer = malloc(length);
  if (!run->answer) die("malloc");
  memcpy(run->answer, text, length);
  run->answer_length = length;
}

// The bytes of the reply with which the text begins; 0: it is not whole.
static size_t take_reply(load_run *run, load_client *c, const char *text, size_t length,
                         uint64_t now) {
  static const char HEAD[] = "{\"jsonrpc\": \"2.0\", \"id\": ";
  uint64_t id = 0;
  size_t at = sizeof HEAD - 1;
  if (length <= at + run->answer_length) return 0;
  if (memcmp(text, HEAD, at) != 0) die_of_reply(text, length);
  for (; at < length && text[at] >= '0' && text[at] <= '9'; at++)
    id = id * 10 + (uint64_t)(text[at] - '0');
  if (!run->answer) {
    const char *end = memchr(text + at, '\n', length - at);
    if (!end) return 0;
    learn_answer(run, text + at, (size_t)(end + 1 - text) - at);
  }
  if (length - at < run->answer_length) return 0;
  uint64_t *sent = &c->sent_at[id % SLOTS];
  if (id >= c->next || !*sent || memcmp(text + at, run->answer, run->answer_length) != 0)
    die_of_reply(text, length);
  uint64_t took = (now - *sent) * 16 / 1000;
  if (run->sample_count < SAMPLES_MAX)
    run->samples[run->sample_count++] = took > UINT32_MAX ? UINT32_MAX : (uint32_t)took;
  *sent = 0;
  c->answered++;
  run->answered++;
  return at + run->answer_length;
}

static void pull(load_run *run, load_client *c) {
  ssize_t n = recv(c->fd, c->in + c->in_length, ROOM - c->in_length, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) die("the daemon closed the connection");
  c->in_length += (size_t)n;
  const char *text = c->in;
  uint64_t now = now_ns();
  for (size_t taken; (taken = take_reply(run, c, text, c->in_length, now)); text += taken)
    c->in_length -= taken;
  memmove(c->in, text, c->in_length);
}

// --- a run

// What the daemon and its worker processes have used: seconds of CPU of all threads, and how often those were switched.
typedef struct daemon_use {
  double cpu, switches;
} daemon_use;

static void add_use(pid_t pid, daemon_use *use);

static pid_t peer_of(int fd) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : -1;
}

// Adds what the processes have used that a thread has started.
static void use_of_children(pid_t pid, const char *thread, daemon_use *use) {
  char path[320];
  int child;
  snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, thread);
  FILE *file = fopen(path, "r");
  while (file && fscanf(file, "%d", &child) == 1) add_use(child, use);
  if (file) fclose(file);
}

static void add_switches(const char *path, daemon_use *use) {
  char line[128];
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    char *name = strstr(line, "voluntary_ctxt_switches:");
    if (name) use->switches += atof(strchr(name, ':') + 1);
  }
  if (file) fclose(file);
}

static void add_use(pid_t pid, daemon_use *use) {
  char path[320];
  snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
  DIR *folder = opendir(path);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    unsigned long long ns;
    if (entry->d_name[0] == '.')
      continue;  // "..": the process, whose file counts its first thread again
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)pid, entry->d_name);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%llu", &ns) == 1) use->cpu += (double)ns * 1e-9;
    if (file) fclose(file);
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", (int)pid, entry->d_name);
    add_switches(path, use);
    use_of_children(pid, entry->d_name, use);
  }
  if (folder) closedir(folder);
}

static daemon_use use_of(pid_t pid) {
  daemon_use use = {0, 0};
  add_use(pid, &use);
  return use;
}

static double own_cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void submit_what_is_due(load_run *run, uint64_t start, uint64_t now, uint64_t *due_count) {
  if (run->rate <= 0) {
    for (unsigned i = 0; i < run->connections; i++) {
      while (may_submit(run, &run->clients[i])) submit(run, &run->clients[i], now);
    }
    return;
  }
  for (;;) {
    uint64_t due = start + (uint64_t)((double)*due_count / run->rate * 1e9);
    load_client *c = &run->clients[*due_count / IN_A_ROW % run->connections];
    if (due > now || !may_submit(run, c)) return;
    submit(run, c, due);
    ++*due_count;
  }
}

static void wait_for_events(load_run *run, uint64_t ns) {
  struct epoll_event events[CONNECTIONS_MAX];
  const struct timespec wait = {0, (long)ns};
  int count = epoll_pwait2(run->events, events, CONNECTIONS_MAX, &wait, NULL);
  if (count < 0) die("epoll_pwait2");
  for (int i = 0; i < count; i++) {
    load_client *c = events[i].data.ptr;
    if (events[i].events & EPOLLOUT) push(run, c);
    if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) pull(run, c);
  }
}

static void run_load(load_run *run) {
  open_clients(run);
  pid_t daemon = peer_of(run->clients[0].fd);
  daemon_use before = use_of(daemon);
  double own = own_cpu();
  uint64_t start = now_ns(), end = start + (uint64_t)(run->seconds * 1e9), due_count = 0, now,
           tick = start;
  // After the end everything that was sent is still waited for.
  while ((now = now_ns()) < end || run->answered < run->sent) {
    if (now > end + 30u * 1000000000u) {
      fprintf(stderr, "load: requests without an answer\n");
      exit(1);
    }
    if (now < end && now >= tick) {
      submit_what_is_due(run, start, now, &due_count);
      if (run->rate > 0) tick = now + TICK_NS;
    }
    for (unsigned i = 0; i < run->connections; i++) {
      if (!run->clients[i].waits) push(run, &run->clients[i]);
    }
    wait_for_events(run, run->rate <= 0 ? 20000000 : tick > now ? tick - now : TICK_NS);
  }
  run->elapsed = (double)(now_ns() - start) * 1e-9;
  run->own_cpu = own_cpu() - own;
  daemon_use after = use_of(daemon);
  run->cpu = after.cpu - before.cpu;
  run->switches = after.switches - before.switches;
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
  double count = (double)run.answered, per_second = count / run.elapsed,
         cpu = run.cpu / count * 1e6, own = run.own_cpu / count * 1e6;
  load_result result = {per_second, quantile(&run, 0.5), quantile(&run, 0.99), cpu};
  printf("| %s | %u | %u | %.0f | %.0f | %.0f | %.0f | %.0f | %.1f | %.1f | %.2f | %.0f |\n",
         workload, connections, depth, rate, per_second, result.p50, result.p99,
         quantile(&run, 0.999), cpu, own, run.switches / count, 1e6 / (cpu + own));
  record("{\"section\": \"daemon\", \"workload\": \"%s\", \"connections\": %u, \"depth\": %u, "
         "\"asked\": %.0f, "
         "\"per_second\": %.0f, \"p50_us\": %.2f, \"p99_us\": %.2f, \"p999_us\": %.2f, \"cpu_us\": "
         "%.2f, \"generator_us\": %.2f, \"switches\": %.3f}",
         workload, connections, depth, rate, per_second, result.p50, result.p99,
         quantile(&run, 0.999), cpu, own, run.switches / count);
  fflush(stdout);
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
         "| CPU us | generator us | switches | requests per CPU second |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
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
