// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE  // F_GETPIPE_SZ, madvise
#include "clients/cli/batch/worker.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "clients/cli/batch/extra.h"
#include "clients/cli/setup.h"
#include "proto/process/sandbox.h"

typedef struct worker {
  const batch_options *options;
  const results *known;  // sorted by hash
  worker_note *note;
  size_t index;  // of the path
  int replies, wake;
  size_t room,
      sent;  // pages of a pipe: what may be sent before the parent is woken; what was since then, at most
  rlim_t limit;  // of data, as it was set last; 0: not yet
} worker;

enum { PIPE_PAGE = 4096 };

static void write_all(int fd, const char *data, size_t length) {
  while (length) {
    ssize_t n = write(fd, data, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(0);  // the parent is gone
    data += n;
    length -= (size_t)n;
  }
}

// The parent is woken before the pipe is half full of what it does not know of: then it makes room while the rest is
// being filled.
static void send_bytes(worker *w, const char *data, size_t length) {
  while (length) {
    size_t most = (w->room - 1) * PIPE_PAGE, part = length < most ? length : most;
    size_t pages = part / PIPE_PAGE + 1;
    if (w->sent + pages > w->room) {
      write_all(w->wake, "", 1);
      w->sent = 0;
    }
    w->sent += pages;
    write_all(w->replies, data, part);
    data += part;
    length -= part;
  }
}

// Most messages are one write.
static void send_message(worker *w, worker_message what, const void *data, size_t length) {
  char first[PIPE_PAGE];
  worker_head head = {what, w->index, length};
  size_t room = sizeof first - sizeof head, part = length < room ? length : room;
  memcpy(first, &head, sizeof head);
  if (part) memcpy(first + sizeof head, data, part);
  send_bytes(w, first, sizeof head + part);
  send_bytes(w, (const char *)data + part, length - part);
}

typedef struct hashing {
  sha256 hash;
  const char *text;
  size_t done;
} hashing;

static bool hash_part(void *data, size_t begin, size_t end) {
  hashing *h = data;
  if (begin < h->done) begin = h->done;
  if (begin >= end) return true;
  // Where parts are left out, the position of the next one counts too.
  if (begin > h->done) sha256_add(&h->hash, &begin, sizeof begin);
  sha256_add(&h->hash, h->text + begin, end - begin);
  h->done = end;
  return true;
}

// SHA-256 of the file; of a large model, of the parts that the analysis reads, their positions, and the length.
static void hash_input(const input *in, char out[SHA256_TEXT]) {
  hashing h = {.text = in->text};
  sha256_init(&h.hash);
  if (in->mapped) {
    sha256_add(&h.hash, &in->length, sizeof in->length);
    shape_input_scan(in->text, in->length, hash_part, &h);
  } else {
    sha256_add(&h.hash, in->text, in->length);
  }
  sha256_text(&h.hash, out);
}

static const char *format_name(const input *in) {
  shape_input found = shape_input_of(in->text, in->length);
  shape_input_format format;
  for (uint32_t i = 0; shape_input_at(i, &format); i++) {
    if (format.input == found) return format.name;
  }
  return "";
}

static batch_status status_of(const outcome *done, bool failed) {
  if (failed) return BATCH_MEMORY;
  switch (done->status) {
  case SHAPE_OK: return done->errors ? BATCH_ERROR : BATCH_OK;
  case SHAPE_MEMORY: return BATCH_MEMORY;
  case SHAPE_BUDGET:
  case SHAPE_BITS:
  case SHAPE_DEADLINE: return BATCH_BUDGET;
  default: return BATCH_ERROR;
  }
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// Of an analysis without errors the status is enough where its record will not be read.
static void send_record(worker *w, const batch_record *r) {
  size_t length;
  if (r->status == BATCH_OK && !w->options->kept) {
    send_message(w, WORKER_OK, NULL, 0);
    return;
  }
  char *text = record_write(r, &length);
  if (!text) _exit(1);
  send_message(w, WORKER_RECORD, text, length);
  free(text);
}

static void analyse(worker *w, const char *path, const input *in, const worker_file *file) {
  const batch_options *o = w->options;
  analysis_setup setup = {.limits = SHAPE_STRUCT(shape_limits),
                          .options = SHAPE_STRUCT(shape_options)};
  setup.limits.steps = o->steps;
  setup.limits.memory = o->memory;
  setup.options.binding_texts = o->bindings;
  setup.options.binding_text_count = o->binding_count;
  setup.options.assumptions = o->assumptions;
  setup.options.assumption_count = o->assumption_count;
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  kept_text summary = {0};
  subject s;
  double start = o->no_times ? 0 : now_ms();
  if (!subject_open(&s, &setup, in, path)) _exit(1);
  outcome done = subject_emit(&s, o->kept ? "summary" : "errors", &options, kept_add, &summary);
  batch_extra extra = {.free_dims = -1};
  void *cost = NULL;
  bool fine = done.status == SHAPE_OK && !done.errors;
  if (o->cost && fine) cost = extra_cost(&s, &extra);
  if (o->generalize && fine) extra.free_dims = extra_free_dims(&s);
  batch_record r = {.path = path,
                    .status = status_of(&done, summary.failed),
                    .options = o->digest,
                    .format = *file->format ? file->format : NULL,
                    .bytes = file->bytes,
                    .ms = o->no_times ? -1 : now_ms() - start};
  memcpy(r.hash, file->hash, sizeof r.hash);
  r.external = s.files.used;
  r.extra = extra;
  if (done.status != SHAPE_OK) r.message = done.message;
  if (summary.length && !summary.failed && done.status == SHAPE_OK) {
    r.summary = summary.data;
    r.summary_length = summary.length;
  }
  send_record(w, &r);
  subject_close(&s);
  extra_end(cost);
  free(summary.data);
}

// What libraries allocate beside the arena of the analysis ends there too; the analysis' own limit comes first. A large
// model takes addresses, but no memory. An input_sized: most models have the limit of the one before.
static void limit_memory(void *data, uint64_t bytes) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  worker *w = data;
  struct rlimit limit;
  rlim_t size = (rlim_t)(bytes >> 20 << 20),
         most = (rlim_t)w->options->memory * 2 + ((rlim_t)1 << 28) + size;
  if (most == w->limit || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  w->limit = most;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max ? most : limit.rlim_max;
  setrlimit(RLIMIT_DATA, &limit);
#else
  (void)data, (void)bytes;
#endif
}

static void work_on(worker *w, const batch_path *item) {
  input in;
  int error = item->reason
                  ? 0
                  : input_read_file(item->path, (size_t)w->options->memory, limit_memory, w, &in);
  if (item->reason || error) {
    batch_record r = {.path = item->path,
                      .status = error == ENOMEM || error == EFBIG ? BATCH_MEMORY : BATCH_UNREADABLE,
                      .options = w->options->digest,
                      .message = item->reason      ? item->reason
                                 : error == EINVAL ? "this is not a regular file"
                                                   : strerror(error),
                      .ms = w->options->no_times ? -1 : 0};
    send_record(w, &r);
    return;
  }
  worker_file file = {.bytes = in.length};
  if (w->options->kept) hash_input(&in, file.hash);
  const char *format = format_name(&in);
  assert(strlen(format) < sizeof file.format);
  strcpy(file.format, format);
  size_t known = *file.hash ? results_find(w->known, file.hash, item->path) : SIZE_MAX;
  if (known != SIZE_MAX) {
    send_message(w, WORKER_KNOWN, &known, sizeof known);
  } else {
    w->note->file = file;
    atomic_store(&w->note->whole, true);
    analyse(w, item->path, &in, &file);
  }
  input_free(&in);
}

// A worker has its pipe, the wake pipe and stderr: neither the journal nor the pipes of others.
static void keep_only(worker *w) {
  enum { FIRST = STDERR_FILENO + 1 };
  int replies = fcntl(w->replies, F_DUPFD, FIRST + 2), wake = fcntl(w->wake, F_DUPFD, FIRST + 2);
  if (replies < 0 || wake < 0 || dup2(replies, FIRST) < 0 || dup2(wake, FIRST + 1) < 0) _exit(2);
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  process_close_from(FIRST + 2);
  w->replies = FIRST;
  w->wake = FIRST + 1;
}

// In pages, of which each message takes a new one where the last has no room for it.
static size_t pipe_pages(int fd) {
#ifdef F_GETPIPE_SZ
  int bytes = fcntl(fd, F_GETPIPE_SZ);
  if (bytes >= 4 * PIPE_PAGE) return (size_t)bytes / PIPE_PAGE;
#else
  (void)fd;
#endif
  return 4;
}

// What one model took the next one takes again: it is not given back to the kernel in between. The first of it is in pages
// of 2 MB, where the kernel has them: each page that is touched first is a fault.
static void keep_memory(void) {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  enum { PAGE = 4096, LARGE_BYTES = 4 << 20, FIRST_BYTES = 16 << 20, KEPT_BYTES = 64 << 20 };
  mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
  mallopt(M_TOP_PAD, LARGE_BYTES / 4);
  mallopt(M_MMAP_THRESHOLD, 2 * FIRST_BYTES);
  char *first = malloc(FIRST_BYTES);
#ifdef MADV_HUGEPAGE
  size_t skipped = (PAGE - (uintptr_t)first % PAGE) % PAGE;
  if (first) (void)madvise(first + skipped, FIRST_BYTES - PAGE, MADV_HUGEPAGE);
#endif
  free(first);
  mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
#endif
}

// From here on the model is this worker's, whatever becomes of it.
static void begin(worker *w, size_t index) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  w->index = index;
  atomic_store(&w->note->whole, false);
  atomic_store(&w->note->begun, (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec);
  atomic_store(&w->note->index, index);
}

void worker_run(const worker_work *work, worker_note *note, int replies, int wake) {
  worker w = {.options = work->options,
              .known = work->known,
              .note = note,
              .replies = replies,
              .wake = wake,
              .room = pipe_pages(replies) / 2};
  keep_only(&w);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  sandbox_enter(SANDBOX_READS_FILES);
  keep_memory();
  size_t at;
  while ((at = atomic_fetch_add(work->next, 1)) < work->count) {
    assert(work->order[at] < work->paths->count);
    begin(&w, work->order[at]);
    work_on(&w, &work->paths->items[work->order[at]]);
    if (work->options->isolate) break;
  }
  _exit(0);
}
