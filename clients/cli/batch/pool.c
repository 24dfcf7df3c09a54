// SPDX-License-Identifier: Apache-2.0
// The parent side: children, their deadlines, their messages.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/cli/batch/progress.h"
#include "clients/cli/batch/worker.h"

typedef struct child {
  pid_t pid;  // 0: there is none
  int jobs, replies;
  size_t index;     // of the path that it works on; SIZE_MAX: none
  double deadline;  // seconds of progress_now
  worker_note *note;
  char *data;  // bytes that came and are not yet a message
  size_t length, capacity;
} child;

typedef struct pool {
  const batch_options *options;
  const batch_paths *paths;
  const results *known;
  journal *journal;
  results *done;
  progress progress;
  child *children;
  size_t next, running;
  bool failed;
} pool;

static void close_ends(const child *c) {
  if (!c->pid) return;
  close(c->jobs);
  close(c->replies);
}

static void free_note(child *c) {
  if (c->note) munmap(c->note, sizeof *c->note);
  c->note = NULL;
}

static bool start(pool *p, child *c) {
  int jobs[2], replies[2];
  free_note(c);
  void *note =
      mmap(NULL, sizeof *c->note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (note == MAP_FAILED) return false;
  c->note = note;
  if (pipe(jobs) != 0) return false;
  if (pipe(replies) != 0) {
    close(jobs[0]);
    close(jobs[1]);
    return false;
  }
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    // Ends of other children would keep these waiting after the parent is gone.
    for (uint32_t i = 0; i < p->options->jobs; i++) {
      close_ends(&p->children[i]);
      if (&p->children[i] != c) free_note(&p->children[i]);
    }
    close(jobs[1]);
    close(replies[0]);
    signal(SIGPIPE, SIG_IGN);
    worker_run(p->options, p->paths, p->known, c->note, jobs[0], replies[1]);
  }
  close(jobs[0]);
  close(replies[1]);
  if (pid < 0) {
    close(jobs[1]);
    close(replies[0]);
    return false;
  }
  c->pid = pid;
  c->jobs = jobs[1];
  c->replies = replies[0];
  c->index = SIZE_MAX;
  c->length = 0;
  return true;
}

// Ends a child, whatever it does, and says how it ended.
static int stop(child *c, bool kill_it) {
  int status = 0;
  if (kill_it) kill(c->pid, SIGKILL);
  close_ends(c);
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) {}
  c->pid = 0;
  c->index = SIZE_MAX;
  return status;
}

static void finish(pool *p, child *c, batch_status status) {
  progress_step(&p->progress, status != BATCH_OK);
  c->index = SIZE_MAX;
  p->running--;
}

static void append(pool *p, const char *text, size_t length) {
  if (!text || !journal_append(p->journal, text, length, p->done)) p->failed = true;
}

// The result of a model whose worker is gone.
static void lose(pool *p, child *c, batch_status status, const char *message) {
  worker_file file = {0};
  if (atomic_load(&c->note->whole)) file = c->note->file;
  file.hash[sizeof file.hash - 1] = file.format[sizeof file.format - 1] = 0;
  batch_record r = {.path = p->paths->items[c->index].path,
                    .status = status,
                    .options = p->options->digest,
                    .format = *file.format ? file.format : NULL,
                    .bytes = file.bytes,
                    .message = message,
                    .ms = -1};
  memcpy(r.hash, file.hash, sizeof r.hash);
  size_t length;
  char *text = record_write(&r, &length);
  append(p, text, length);
  free(text);
  finish(p, c, status);
}

static void take_known(pool *p, child *c, size_t index) {
  const result_ref *ref = index < p->known->count ? &p->known->items[index] : NULL;
  const char *path = p->paths->items[c->index].path;
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
  finish(p, c, ref->status);
}

static void take_message(pool *p, child *c, char what, const char *data, size_t length) {
  size_t index;
  if (what == WORKER_KNOWN && length == sizeof index) {
    memcpy(&index, data, sizeof index);
    take_known(p, c, index);
  } else if (what == WORKER_RECORD) {
    append(p, data, length);
    finish(p, c, p->failed ? BATCH_CRASHED : p->done->items[p->done->count - 1].status);
  }
}

// Reads what there is; false at the end of the stream.
static bool receive(pool *p, child *c) {
  enum { HEAD = 1 + sizeof(size_t), CHUNK = 1 << 16 };
  if (c->capacity - c->length < CHUNK) {
    char *data = realloc(c->data, 2 * c->capacity + CHUNK);
    if (!data) {
      p->failed = true;
      return true;
    }
    c->data = data;
    c->capacity = 2 * c->capacity + CHUNK;
  }
  ssize_t n = read(c->replies, c->data + c->length, CHUNK);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  c->length += (size_t)n;
  size_t at = 0, size;
  while (!p->failed && c->index != SIZE_MAX && c->length - at >= HEAD) {
    memcpy(&size, c->data + at + 1, sizeof size);
    if (c->length - at - HEAD < size) break;
    take_message(p, c, c->data[at], c->data + at + HEAD, size);
    at += HEAD + size;
  }
  memmove(c->data, c->data + at, c->length - at);
  c->length -= at;
  return true;
}

static void bury(pool *p, child *c) {
  size_t index = c->index;
  int status = stop(c, false);
  if (index == SIZE_MAX) return;
  c->index = index;
  char message[80];
  if (WIFSIGNALED(status)) {
    snprintf(message, sizeof message, "the process was ended by signal %d", WTERMSIG(status));
    lose(p, c, BATCH_CRASHED, message);
  } else if (WEXITSTATUS(status) == 1) {
    lose(p, c, BATCH_MEMORY, "the memory limit is spent");
  } else {
    snprintf(message, sizeof message, "the process ended with status %d", WEXITSTATUS(status));
    lose(p, c, BATCH_CRASHED, message);
  }
}

static void assign(pool *p) {
  for (uint32_t i = 0; i < p->options->jobs && !p->failed; i++) {
    child *c = &p->children[i];
    if (c->index != SIZE_MAX || p->next == p->paths->count) continue;
    if (c->pid && p->options->isolate) stop(c, false);
    if (!c->pid && !start(p, c)) {
      fprintf(stderr, "shape batch: cannot start a process: %s\n", strerror(errno));
      p->failed = true;
      return;
    }
    c->index = p->next++;
    atomic_store(&c->note->whole, false);
    c->deadline = progress_now() + (double)p->options->timeout_ms / 1e3;
    p->running++;
    ssize_t n;
    do {
      n = write(c->jobs, &c->index, sizeof c->index);
    } while (n < 0 && errno == EINTR);
    // Where the child is dead already its stream has ended, which is seen next.
  }
}

static void wait_once(pool *p, struct pollfd *fds) {
  double now = progress_now(), first = now + 60;
  for (uint32_t i = 0; i < p->options->jobs; i++) {
    child *c = &p->children[i];
    fds[i] = (struct pollfd){.fd = c->pid ? c->replies : -1, .events = POLLIN};
    if (c->pid && c->index != SIZE_MAX && c->deadline < first) first = c->deadline;
  }
  int wait = first <= now ? 0 : (int)((first - now) * 1e3) + 1;
  if (poll(fds, p->options->jobs, wait) < 0) return;
  now = progress_now();
  for (uint32_t i = 0; i < p->options->jobs && !p->failed; i++) {
    child *c = &p->children[i];
    if (c->pid && fds[i].revents && !receive(p, c)) bury(p, c);
    if (c->pid && c->index != SIZE_MAX && now >= c->deadline) {
      size_t index = c->index;
      stop(c, true);
      c->index = index;
      lose(p, c, BATCH_TIMEOUT, "the time limit is spent");
    }
  }
}

bool pool_run(const batch_options *options, const batch_paths *paths, const results *known,
              journal *j, results *done) {
  pool p = {.options = options, .paths = paths, .known = known, .journal = j, .done = done};
  p.children = calloc(options->jobs, sizeof *p.children);
  struct pollfd *fds = calloc(options->jobs, sizeof *fds);
  p.failed = !p.children || !fds;
  for (uint32_t i = 0; !p.failed && i < options->jobs; i++) p.children[i].index = SIZE_MAX;
  signal(SIGPIPE, SIG_IGN);
  progress_begin(&p.progress, paths->count, options->quiet);
  while (!p.failed && (p.next < paths->count || p.running)) {
    assign(&p);
    if (!p.failed) wait_once(&p, fds);
  }
  progress_end(&p.progress);
  for (uint32_t i = 0; p.children && i < options->jobs; i++) {
    if (p.children[i].pid) stop(&p.children[i], p.failed);
    free_note(&p.children[i]);
    free(p.children[i].data);
  }
  free(p.children);
  free(fds);
  return !p.failed;
}
