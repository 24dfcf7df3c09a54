// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // memfd_create, MSG_CMSG_CLOEXEC

#include "server/workers.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "proto/process/sandbox.h"
#include "server/exchange.h"
#include "server/server.h"
#include "server/worker.h"

enum {
  LOOK_MS = 4,          // between two copies of the control of a job that runs
  BESIDE_NS = 4000000,  // for which a process stays beside the thread that waits for it
  SPAWN_MS = 10000,     // for the template to answer
  TRIES = 16,           // for a process that takes the request, or a template that forks
  LATE_REQUESTS = 16,   // for which the loop does not wait after one that took LATE_NS
  LATE_NS = 2000000,
  SPARE =
      16,  // processes without work beside one for each thread: as many peers come back to theirs
  BESIDE_BYTES = 1 << 28  // what a worker allocates beside its request, reply and message
};

struct worker_set {
  uv_mutex_t mutex;
  worker_process *idle;
  unsigned idle_count, idle_max;
  uint64_t started, died;
  uv_mutex_t template_mutex;  // one asks the template at a time
  pid_t template_pid;         // 0: there is none
  int template_fd;
  unsigned sandbox;
  processor_stay *loop_stay;
};

// --- the template

// The environment of the template: what loaders and sanitizers read. Anything else is the daemon's own.
static char **environment_for_template(char **all) {
  static const char *const KEPT[] = {"LD_",   "ASAN_", "UBSAN_", "TSAN_",
                                     "LSAN_", "GCOV_", "MALLOC_"};
  size_t count = 0, kept = 0;
  while (all[count]) count++;
  char **out = calloc(count + 1, sizeof *out);
  for (size_t i = 0; out && i < count; i++) {
    for (size_t k = 0; k < sizeof KEPT / sizeof *KEPT; k++) {
      if (strncmp(all[i], KEPT[k], strlen(KEPT[k])) == 0) out[kept++] = all[i];
    }
  }
  return out;
}

extern char **environ;

// Executes this program once more, as the template, with one end of a socket. errno's value, 0: it runs.
static int execute_template(int fd, pid_t *pid) {
  char program[] = "/proc/self/exe", name[] = "shaped-workers", argument[] = TEMPLATE_ARGUMENT;
  char *arguments[] = {name, argument, NULL};
  char **environment = environment_for_template(environ);
  posix_spawn_file_actions_t actions;
  if (!environment) return ENOMEM;
  int status = posix_spawn_file_actions_init(&actions);
  if (!status) {
    status = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!status)
      status = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!status) status = posix_spawn_file_actions_adddup2(&actions, fd, TEMPLATE_FD);
    if (!status) status = posix_spawn(pid, program, &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
  }
  free(environment);
  return status;
}

static void set_timeout(int fd, int option, int milliseconds) {
  const struct timeval t = {milliseconds / 1000, milliseconds % 1000 * 1000};
  setsockopt(fd, SOL_SOCKET, option, &t, sizeof t);
}

static void end_template(worker_set *set) {
  if (!set->template_pid) return;
  close(set->template_fd);
  kill(set->template_pid, SIGKILL);
  while (waitpid(set->template_pid, NULL, 0) < 0 && errno == EINTR) {}
  set->template_pid = 0;
}

// errno's value; 0: there is one.
static int start_template(worker_set *set) {
  int ends[2];
  if (set->template_pid) return 0;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return errno;
  // Not one of those that the template has at fixed numbers.
  int passed = fcntl(ends[1], F_DUPFD_CLOEXEC, TEMPLATE_FD + 1);
  close(ends[1]);
  set_timeout(ends[0], SO_RCVTIMEO, SPAWN_MS);
  int status = passed < 0 ? errno : execute_template(passed, &set->template_pid);
  if (passed >= 0) close(passed);
  if (status) {
    close(ends[0]);
    set->template_pid = 0;
  }
  set->template_fd = ends[0];
  return status;
}

// A template that has died is replaced: it is a program of its own, so that is possible at any time.
static int64_t fork_worker(worker_set *set, const template_request *request, const int fds[2]) {
  int64_t pid = -EAGAIN;
  uv_mutex_lock(&set->template_mutex);
  for (unsigned i = 0; i < TRIES; i++) {
    int status = start_template(set);
    pid = status ? -status : template_ask(set->template_fd, request, fds);
    if (pid != -EPIPE) break;
    end_template(set);
  }
  uv_mutex_unlock(&set->template_mutex);
  return pid;
}

// --- processes

static int shared_memory(wire_shared **out) {
  int fd = memfd_create("shaped", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  // The other side cannot change its size.
  bool good = ftruncate(fd, sizeof **out) == 0 &&
              fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  *out = good ? mmap(NULL, sizeof **out, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (*out != MAP_FAILED) return fd;
  close(fd);
  return -1;
}

static void process_free(worker_process *p) {
  if (!p) return;
  // It has its end of the socket open as long as it lives, so its number is not another's.
  char byte;
  ssize_t n = recv(p->stream.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (p->pid > 0 && n != 0) kill(p->pid, SIGKILL);
  close(p->stream.fd);
  munmap(p->shared, sizeof *p->shared);
  free(p);
}

static worker_process *process_new(worker_set *set, uint64_t memory, int *why) {
  int ends[2] = {-1, -1};
  worker_process *p = calloc(1, sizeof *p);
  *why = ENOMEM;
  if (!p) return NULL;
  int memory_fd = shared_memory(&p->shared);
  if (memory_fd < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
    *why = errno;
    if (memory_fd >= 0) {
      munmap(p->shared, sizeof *p->shared);
      close(memory_fd);
    }
    free(p);
    return NULL;
  }
  set_timeout(ends[0], SO_RCVTIMEO, LOOK_MS);
  set_timeout(ends[0], SO_SNDTIMEO, LOOK_MS);
  p->stream.fd = ends[0];
  p->memory = memory;
  const template_request request = {memory, set->sandbox};
  int64_t pid = fork_worker(set, &request, (const int[2]){ends[1], memory_fd});
  close(ends[1]);
  close(memory_fd);
  if (pid > 0) {
    p->pid = (pid_t)pid;
    *why = 0;
    uv_mutex_lock(&set->mutex);
    set->started++;
    uv_mutex_unlock(&set->mutex);
    return p;
  }
  *why = (int)-pid;
  process_free(p);
  return NULL;
}

// Alive, and silent as it has to be without a request.
static bool process_rests(const worker_process *p) {
  char byte;
  return recv(p->stream.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

static uint64_t memory_for(const method_limits *l) {
  uint64_t most = 2 * (l->memory + l->reply + l->json.bytes) + BESIDE_BYTES;
  return l->memory < UINT64_MAX / 16 ? most : 0;
}

// Takes an idle process out of the list: one of the peer, or else one of no peer. NULL: there is none; then `oldest`, if
// any, is one that has to end so that there is room for another.
static worker_process *take_idle(worker_set *set, const char *owner, worker_process **oldest) {
  worker_process **found = NULL, **last = NULL;
  *oldest = NULL;
  uv_mutex_lock(&set->mutex);
  for (worker_process **p = &set->idle; *p; p = &(*p)->next) {
    last = p;
    if (strcmp((*p)->peer, owner) == 0) {
      found = p;
      break;
    }
    if (!found && !*(*p)->peer) found = p;
  }
  worker_process **out = found ? found : set->idle_count >= set->idle_max ? last : NULL;
  worker_process *p = out ? *out : NULL;
  if (p) {
    *out = p->next;
    assert(set->idle_count > 0);
    set->idle_count--;
  }
  uv_mutex_unlock(&set->mutex);
  if (found) return p;
  *oldest = p;
  return NULL;
}

// A process for a request of its peer. Fresh: one that has read nothing.
static worker_process *take_process(worker_set *set, const server_job *job, bool fresh,
                                    processor_stay *stay, int *why) {
  const char *owner = job->conn->peer->name;
  uint64_t memory = memory_for(&job->limits);
  while (!fresh) {
    worker_process *oldest, *p = take_idle(set, owner, &oldest);
    process_free(oldest);
    if (!p) break;
    if (p->memory >= memory && process_rests(p)) {
      snprintf(p->peer, sizeof p->peer, "%s", owner);
      return p;
    }
    process_free(p);
  }
  stay_end(stay);  // a template that is started runs where this thread may
  worker_process *p = process_new(set, memory, why);
  if (p) snprintf(p->peer, sizeof p->peer, "%s", owner);
  return p;
}

static void give_process(worker_set *set, worker_process *p) {
  uv_mutex_lock(&set->mutex);
  bool room = set->idle_count < set->idle_max;
  assert(set->idle_count <= set->idle_max);
  if (room) {
    p->next = set->idle;
    set->idle = p;
    set->idle_count++;
  }
  uv_mutex_unlock(&set->mutex);
  if (!room) process_free(p);
}

// --- sessions as the table has them

static void free_session(struct shape_session *session) { process_free((worker_process *)session); }
static size_t bytes_of_session(const struct shape_session *session) {
  return ((const worker_process *)session)->session_bytes;
}
const session_kind WORKER_SESSIONS = {free_session, bytes_of_session};

// --- jobs

// The process that holds the session which the request names, if it is there and free.
static worker_process *take_session(const server_job *job) {
  const method_host *host = &job->host;
  rpc_failure failure;
  char id[SESSION_ID_SIZE];
  if (!host->session_take || !exchange_session_id(&job->request, id)) return NULL;
  const json_slice text = {id, SESSION_ID_SIZE - 1};
  return (worker_process *)host->session_take(host->data, text, &failure);
}

static void count_death(worker_set *set) {
  uv_mutex_lock(&set->mutex);
  set->died++;
  uv_mutex_unlock(&set->mutex);
}

// What becomes of a process after its request. How that ended.
static exchange_end leave(worker_set *set, worker_process *p) {
  const exchange x = p->exchange;
  const method_host *host = &x.job->host;
  assert(x.job->process == p && x.process == p);
  x.job->process = NULL;
  if (x.end == EXCHANGE_DIED || x.end == EXCHANGE_INVALID) count_death(set);
  if (p->holds || x.added) {
    p->holds = true;
    host->session_give(host->data, (struct shape_session *)p, x.ended || x.end != EXCHANGE_DONE);
  } else if ((x.end == EXCHANGE_DONE || x.end == EXCHANGE_LONGER) && !x.fresh) {
    give_process(set, p);
  } else {
    process_free(p);
  }
  return x.end;
}

// Gives a request to a process; false: it has ended by that.
static bool begin(server_job *job, worker_process *p, bool fresh, uint64_t steps) {
  assert(!job->process);
  p->exchange = (exchange){.job = job, .process = p, .fresh = fresh, .steps = steps};
  job->process = p;
  atomic_store_explicit(&job->executor, p->pid, memory_order_relaxed);
  return exchange_begin(&p->exchange);
}

// --- processors

// The process is where the thread is that waits for it; with `stay` the thread does not leave it meanwhile.
static void follow(worker_process *p, processor_stay *stay) {
  int processor = stay_begin(stay);
  if (!processor || p->processor == processor) return;
  if (process_rests(p) && process_keep(p->pid, processor)) p->processor = processor;
}

// From here on both run on any processor that the daemon may use.
static void roam(worker_process *p, processor_stay *stay) {
  stay_end(stay);
  if (p->processor) process_roam(p->pid);
  p->processor = 0;
}

static worker_process *choose(worker_set *set, const server_job *job, bool opens,
                              processor_stay *stay, int *why) {
  worker_process *p = take_session(job);
  if (!p) p = take_process(set, job, opens, stay, why);
  if (!p) return NULL;
  if (stay) {
    follow(p, stay);
  } else {
    roam(p, NULL);
  }
  return p;
}

// With `stay` for as long as a small request takes; what takes longer is to run on any processor.
static void finish(worker_process *p, processor_stay *stay) {
  if (stay && !exchange_ready(&p->exchange, BESIDE_NS)) roam(p, stay);
  exchange_finish(&p->exchange);
}

void workers_answer(worker_set *set, server_job *job, processor_stay *stay) {
  bool opens = job->row->function == method_session_open;
  rpc_failure failure;
  int why = 0;
  for (unsigned i = 0; i < TRIES; i++) {
    worker_process *p = job->process;
    bool begun = p != NULL;
    if (!p) p = choose(set, job, opens, stay, &why);
    if (!p) break;
    if (begun || begin(job, p, opens, 0)) finish(p, begun ? NULL : stay);
    exchange_end end = leave(set, p);
    if (end != EXCHANGE_ABSENT && end != EXCHANGE_LONGER) return;
  }
  rpc_fail(&failure, RPC_WORKER_DIED, "%s", rpc_code_message(RPC_WORKER_DIED));
  if (!why) count_death(set);
  if (why) {
    rpc_fail(&failure, RPC_MEMORY, "there is no process for the request: %s", strerror(why));
  }
  job_fail(job, &failure);
}

bool workers_try(worker_set *set, server_job *job, uint64_t steps, uint64_t wait_ns) {
  assert(!job->process);
  worker_process *oldest, *p = take_idle(set, job->conn->peer->name, &oldest);
  process_free(oldest);
  if (!p) return false;
  if (p->memory < memory_for(&job->limits)) {
    process_free(p);
    return false;
  }
  snprintf(p->peer, sizeof p->peer, "%s", job->conn->peer->name);
  if (p->late) {
    p->late--;
    give_process(set, p);
    return false;
  }
  follow(p, set->loop_stay);
  if (begin(job, p, false, steps)) {
    if (!exchange_ready(&p->exchange, wait_ns)) {
      p->late = LATE_REQUESTS;
      roam(p, set->loop_stay);
      return false;
    }
    exchange_finish(&p->exchange);
  }
  if (uv_hrtime() - job->received >= LATE_NS) p->late = LATE_REQUESTS;
  exchange_end end = leave(set, p);
  return end != EXCHANGE_ABSENT && end != EXCHANGE_LONGER;
}

void workers_abandon(server_job *job) {
  process_free(job->process);
  job->process = NULL;
}

void workers_rest(worker_set *set) { stay_end(set->loop_stay); }

// --- the set

worker_set *workers_start(const server_config *config, unsigned count, char *error, size_t size) {
  const method_limits limits = {.memory = config->max_memory,
                                .reply = config->max_reply,
                                .json = {.bytes = config->max_message}};
  worker_set *set = calloc(1, sizeof *set);
  int why = ENOMEM;
  if (set && (uv_mutex_init(&set->mutex) || uv_mutex_init(&set->template_mutex))) {
    free(set);
    set = NULL;
  }
  if (set) {
    set->idle_max = count + SPARE;
    set->sandbox = sandbox_available();
    set->loop_stay = stay_new();
    for (unsigned i = 0; i < count; i++) {
      worker_process *p = process_new(set, memory_for(&limits), &why);
      if (!p) break;
      give_process(set, p);
    }
    assert(set->idle_count <= count);
    if (set->idle_count == count) return set;
  }
  snprintf(error, size, "isolate: cannot start worker processes: %s", strerror(why));
  workers_stop(set);
  return NULL;
}

void workers_stop(worker_set *set) {
  if (!set) return;
  while (set->idle) {
    worker_process *p = set->idle;
    set->idle = p->next;
    process_free(p);
  }
  end_template(set);
  uv_mutex_destroy(&set->mutex);
  uv_mutex_destroy(&set->template_mutex);
  stay_end(set->loop_stay);
  stay_free(set->loop_stay);
  free(set);
}

worker_counts workers_counts(worker_set *set) {
  uv_mutex_lock(&set->mutex);
  worker_counts counts = {set->sandbox, set->started, set->died};
  uv_mutex_unlock(&set->mutex);
  return counts;
}
