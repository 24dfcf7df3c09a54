// SPDX-License-Identifier: Apache-2.0
// The parent side: which models have answers, and what becomes of those whose worker does not come to an end.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/cli/batch/child.h"
#include "clients/cli/batch/progress.h"

// Seconds.
#define INSPECT_EVERY 0.1  // progress, and a journal that is up to date
#define STOPPED_FROM  1.0  // between two inspections: the parent was stopped, as it needs less
// What a worker without a model has to start, to take the next one, or to send an answer.
#define PATIENCE 10.0

typedef struct pool {
  worker_work work;
  double limit;  // seconds of one model
  size_t *order;
  journal *journal;
  results *done;
  progress progress;
  child *children;
  struct pollfd *fds;  // the wake pipe, then one for each child
  int wake[2];
  bool *answered;  // by indices of paths
  size_t left;     // paths without an answer
  bool failed;
} pool;

static bool is_open(const pool *p, size_t index) {
  return index < p->work.paths->count && !p->answered[index];
}

static void finish(pool *p, size_t index, batch_status status) {
  p->answered[index] = true;
  p->left--;
  progress_step(&p->progress, status != BATCH_OK);
}

static void append(pool *p, const char *text, size_t length) {
  if (!text || !journal_append(p->journal, text, length, p->done)) p->failed = true;
}

// The result of a model whose worker is gone. note: of that worker, at this model; or NULL.
static void lose(pool *p, size_t index, const worker_note *note, batch_status status,
                 const char *message) {
  worker_file file = {0};
  if (note && atomic_load(&note->whole)) file = note->file;
  file.hash[sizeof file.hash - 1] = file.format[sizeof file.format - 1] = 0;
  batch_record r = {.path = p->work.paths->items[index].path,
                    .status = status,
                    .options = p->work.options->digest,
                    .format = *file.format ? file.format : NULL,
                    .bytes = file.bytes,
                    .message = message,
                    .ms = -1};
  memcpy(r.hash, file.hash, sizeof r.hash);
  size_t length;
  char *text = record_write(&r, &length);
  append(p, text, length);
  free(text);
  finish(p, index, status);
}

static void take_known(pool *p, size_t index, size_t known) {
  const result_ref *ref = known < p->work.known->count ? &p->work.known->items[known] : NULL;
  const char *path = p->work.paths->items[index].path;
  if (!ref) {
    p->failed = true;
    return;
  }
  char *text = results_read(ref);
  size_t length;
  if (text && strcmp(ref->path, path) == 0 && ref->fd == p->journal->fd) {
    if (!results_share(p->done, ref)) p->failed = true;  // it is in the journal already
  } else if (text) {
    char *renamed = record_with_path(text, ref->length, path, &length);
    append(p, renamed, length);
    free(renamed);
  } else {
    p->failed = true;
  }
  free(text);
  finish(p, index, ref->status);
}

// A second answer is left out: there is one for each path.
static void take_message(pool *p, const worker_head *head, const char *data) {
  size_t known;
  if (!is_open(p, head->index)) return;
  if (head->what == WORKER_KNOWN && head->length == sizeof known) {
    memcpy(&known, data, sizeof known);
    take_known(p, head->index, known);
  } else if (head->what == WORKER_RECORD) {
    append(p, data, head->length);
    finish(p, head->index, p->failed ? BATCH_CRASHED : p->done->items[p->done->count - 1].status);
  } else if (head->what == WORKER_OK && !p->work.options->kept) {
    const char *path = p->work.paths->items[head->index].path;
    if (!results_note(p->done, path, BATCH_OK)) p->failed = true;
    finish(p, head->index, BATCH_OK);
  }
}

// Takes the answers that have come; > 0: bytes came, 0: none, < 0: the stream has ended.
static int receive(pool *p, child *c) {
  int got = child_receive(c, &p->failed);
  size_t at = 0;
  worker_head head;
  const char *data;
  while (!p->failed && (data = child_message(c, at, &head))) {
    take_message(p, &head, data);
    at += sizeof head + head.length;
  }
  child_drop(c, at);
  return got;
}

// A process that began no model would be followed by others that do the same.
static void give_up_next(pool *p, batch_status status, const char *message) {
  size_t at = atomic_fetch_add(p->work.next, 1);
  if (at < p->work.count && is_open(p, p->work.order[at]))
    lose(p, p->work.order[at], NULL, status, message);
}

// What a process that has ended, or is ended, leaves without an answer.
static void give_up(pool *p, const child *c, size_t index, batch_status status,
                    const char *message) {
  if (is_open(p, index)) {
    lose(p, index, atomic_load(&c->note->index) == index ? c->note : NULL, status, message);
  } else if (atomic_load(&c->note->index) == SIZE_MAX) {
    give_up_next(p, status, message);
  }
}

static void reap(pool *p, child *c) {
  int status = child_stop(c, false);
  size_t index = is_open(p, c->index) ? c->index : atomic_load(&c->note->index);
  char message[80];
  if (WIFSIGNALED(status)) {
    snprintf(message, sizeof message, "the process was ended by signal %d", WTERMSIG(status));
    give_up(p, c, index, BATCH_CRASHED, message);
  } else if (WEXITSTATUS(status) == 1) {
    give_up(p, c, index, BATCH_MEMORY, "the memory limit is spent");
  } else {
    snprintf(message, sizeof message, "the process ended with status %d", WEXITSTATUS(status));
    give_up(p, c, index, BATCH_CRASHED, message);
  }
}

// An answer that is on its way takes no time of its model: it waits for this process.
static double end_of(const child *c) { return c->sending > c->deadline ? c->sending : c->deadline; }

// When a worker that is alive is ended. `index` is where it was, `begun` when it came there. The time of a model counts from
// where the worker began it; the time before the first model and between two counts for none.
static void set_deadline(const pool *p, child *c, size_t index, double begun, double now) {
  // Without an inspection for that long this process was stopped, and its workers with it.
  double missed = now - c->inspected < STOPPED_FROM ? 0 : now - c->inspected;
  if (is_open(p, c->index)) {
    c->deadline += missed;
  } else if (is_open(p, index)) {
    // It began after the last inspection, whatever it says.
    c->index = index;
    c->deadline = (missed > 0 || begun > now ? now
                   : begun < c->inspected    ? c->inspected
                                             : begun) +
                  p->limit;
  } else if (c->index != SIZE_MAX || index != SIZE_MAX) {
    c->index = SIZE_MAX;
    c->deadline = now + PATIENCE;
  }
}

// Takes what a worker has sent, and ends it where its time for a model is over. Where it is is read before its answers are:
// models before that one have theirs.
static void inspect(pool *p, child *c) {
  enum { ROUNDS = 3 };  // so that a worker that keeps sending does not keep the parent from others
  size_t index = SIZE_MAX;
  double begun = 0;
  int got = 1;
  bool heard = false;
  for (unsigned i = 0; i < ROUNDS && got > 0 && !p->failed; i++) {
    index = atomic_load(&c->note->index);
    begun = (double)atomic_load(&c->note->begun) / 1e9;
    got = receive(p, c);
    heard |= got > 0;
  }
  if (got < 0) {
    reap(p, c);
    return;
  }
  double now = progress_now();
  set_deadline(p, c, index, begun, now);
  if (got > 0 || (heard && c->length)) {
    c->sending = now + PATIENCE;
  } else if (!c->length) {
    c->sending = 0;
  }
  c->inspected = now;
  if (now >= end_of(c)) {
    child_stop(c, true);
    give_up(p, c, c->index, BATCH_TIMEOUT, "the time limit is spent");
  }
}

static void start_all(pool *p) {
  const batch_options *o = p->work.options;
  for (uint32_t i = 0; i < o->jobs; i++) {
    child *c = &p->children[i];
    if (c->pid || atomic_load(p->work.next) >= p->work.count || i >= p->work.count) continue;
    if (!child_start(p->children, o->jobs, i, &p->work, p->wake[1])) {
      fprintf(stderr, "shape batch: cannot start a process: %s\n", strerror(errno));
      p->failed = true;
      return;
    }
    c->inspected = progress_now();
    c->deadline = c->inspected + PATIENCE;
    c->sending = 0;
  }
}

// Waits until there is something to do. False: there are no children.
static bool wait_once(pool *p) {
  double now = progress_now(), first = now + (p->limit < INSPECT_EVERY ? p->limit : INSPECT_EVERY);
  uint32_t jobs = p->work.options->jobs, alive = 0;
  p->fds[0] = (struct pollfd){.fd = p->wake[0], .events = POLLIN};
  for (uint32_t i = 0; i < jobs; i++) {
    const child *c = &p->children[i];
    // The rest of what is being sent is waited for; else only the end.
    p->fds[i + 1] =
        (struct pollfd){.fd = c->pid ? c->replies : -1, .events = c->sending > 0 ? POLLIN : 0};
    if (c->pid && end_of(c) < first) first = end_of(c);
    alive += c->pid != 0;
  }
  if (!alive) return false;
  int wait = first <= now ? 0 : (int)((first - now) * 1e3) + 1;
  char bytes[256];
  if (poll(p->fds, jobs + 1, wait) > 0 && p->fds[0].revents)
    while (read(p->wake[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {}
  return true;
}

// Workers for all paths that have no answer, until there are no workers.
static void run_once(pool *p) {
  size_t count = 0;
  for (size_t i = 0; i < p->work.paths->count; i++) {
    if (is_open(p, i)) p->order[count++] = i;
  }
  p->work.count = count;
  atomic_store(p->work.next, 0);
  for (start_all(p); !p->failed && wait_once(p); start_all(p)) {
    for (uint32_t i = 0; i < p->work.options->jobs && !p->failed; i++) {
      if (p->children[i].pid) inspect(p, &p->children[i]);
    }
    if (!journal_flush(p->journal)) p->failed = true;
    progress_draw(&p->progress);
  }
}

static bool allocate(pool *p, size_t count) {
  uint32_t jobs = p->work.options->jobs;
  p->children = calloc(jobs, sizeof *p->children);
  p->fds = calloc(jobs + 1, sizeof *p->fds);
  p->order = calloc(count + 1, sizeof *p->order);
  p->answered = calloc(count + 1, sizeof *p->answered);
  p->work.order = p->order;
  p->work.next = shared_memory(sizeof *p->work.next);
  p->wake[0] = p->wake[1] = -1;
  if (!p->children || !p->fds || !p->order || !p->answered || !p->work.next || pipe(p->wake) != 0)
    return false;
  fcntl(p->wake[0], F_SETFL, O_NONBLOCK);
  return true;
}

static void release(pool *p) {
  for (uint32_t i = 0; p->children && i < p->work.options->jobs; i++) {
    if (p->children[i].pid) child_stop(&p->children[i], true);
    child_free(&p->children[i]);
  }
  for (unsigned i = 0; i < 2; i++) {
    if (p->wake[i] >= 0) close(p->wake[i]);
  }
  if (p->work.next) munmap(p->work.next, sizeof *p->work.next);
  free(p->children);
  free(p->fds);
  free(p->order);
  free(p->answered);
}

bool pool_run(const batch_options *options, const batch_paths *paths, const results *known,
              journal *j, results *done) {
  pool p = {.work = {.options = options, .paths = paths, .known = known},
            .limit = (double)options->timeout_ms / 1e3,
            .journal = j,
            .done = done,
            .left = paths->count};
  if (!allocate(&p, paths->count)) {
    fprintf(stderr, "shape batch: cannot start: %s\n", strerror(errno));
    p.failed = true;
  }
  signal(SIGPIPE, SIG_IGN);
  progress_begin(&p.progress, paths->count, options->quiet);
  // Once, but for a model whose worker was ended between taking it and saying so.
  while (!p.failed && p.left) {
    size_t left = p.left;
    run_once(&p);
    if (!p.failed && p.left == left)
      lose(&p, p.order[0], NULL, BATCH_CRASHED, "no process has begun it");
  }
  if (!journal_flush(j)) p.failed = true;
  progress_end(&p.progress);
  release(&p);
  return !p.failed;
}
