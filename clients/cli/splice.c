// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/splice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/cli/output_file.h"

enum { CHUNK = 1 << 18 };

void splice_add(void *to, const char *data, size_t length) {
  splice *s = to;
  if (s->failed) return;
  if (length > s->capacity - s->length) {
    size_t capacity = 2 * s->capacity + length + 4096;
    char *grown = realloc(s->data, capacity);
    if (!grown) {
      s->failed = true;
      return;
    }
    s->data = grown;
    s->capacity = capacity;
  }
  memcpy(s->data + s->length, data, length);
  s->length += length;
}

void splice_add_copy(void *to, size_t begin, size_t end) {
  splice *s = to;
  if (s->failed) return;
  if (s->copy_count == s->copy_capacity) {
    size_t capacity = 2 * s->copy_capacity + 64;
    splice_copy *grown = realloc(s->copies, capacity * sizeof *grown);
    if (!grown) {
      s->failed = true;
      return;
    }
    s->copies = grown;
    s->copy_capacity = capacity;
  }
  s->copies[s->copy_count++] = (splice_copy){s->length, begin, end};
}

// The input's bytes are in memory, or (of a large model) in its file.
typedef struct source {
  const input *in;
  int fd;  // -1: in memory
  char *chunk;
} source;

static bool copy_part(const source *from, FILE *to, size_t begin, size_t end) {
  if (from->fd < 0) return fwrite(from->in->text + begin, 1, end - begin, to) == end - begin;
  while (begin < end) {
    size_t want = end - begin < CHUNK ? end - begin : CHUNK;
    ssize_t n = pread(from->fd, from->chunk, want, (off_t)begin);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;  // it became shorter
    if (n <= 0 || fwrite(from->chunk, 1, (size_t)n, to) != (size_t)n) return false;
    begin += (size_t)n;
  }
  return true;
}

static bool write_parts(const splice *s, const source *from, FILE *to) {
  size_t done = 0;
  bool ok = true;
  for (size_t i = 0; ok && i < s->copy_count; i++) {
    const splice_copy *c = &s->copies[i];
    ok = fwrite(s->data + done, 1, c->at - done, to) == c->at - done &&
         copy_part(from, to, c->begin, c->end);
    done = c->at;
  }
  return ok &&
         (s->length == done || fwrite(s->data + done, 1, s->length - done, to) == s->length - done);
}

static bool open_source(source *from, const input *in) {
  struct stat info;
  *from = (source){in, -1, NULL};
  if (!in->mapped || !in->text) return true;
  from->chunk = malloc(CHUNK);
  if (from->chunk)
    from->fd = in->is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                               : open(in->name, O_RDONLY | O_CLOEXEC);
  if (from->fd >= 0 && fstat(from->fd, &info) == 0 && (size_t)info.st_size == in->length)
    return true;
  fprintf(stderr, "shape: cannot read %s again, or it changed\n", in->name);
  if (from->fd >= 0) close(from->fd);
  free(from->chunk);
  return false;
}

bool splice_write(const splice *s, const input *in, const char *path) {
  source from;
  output_file to;
  if (!path) path = "-";
  if (!open_source(&from, in)) return false;
  bool ok = output_file_open(&to, path);
  if (ok) {
    bool complete = write_parts(s, &from, to.file);
    ok = output_file_close(&to, complete) && complete;
  }
  if (!ok) cannot_write(NULL, path);
  if (from.fd >= 0) close(from.fd);
  free(from.chunk);
  return ok;
}

int splice_status(const splice *s, const command_line *line, const outcome *done, const input *in) {
  if (done->status == SHAPE_INVALID) return usage_error(line->command, "%s", done->message);
  if (s->failed) return out_of_memory();
  int status = exit_status_of(done);
  if (status && s->length) {
    fwrite(s->data, 1, s->length, stderr);
  } else if (status) {
    fprintf(stderr, "shape: %s: %s\n", in->name, done->message);
  }
  return status;
}

void splice_free(splice *s) {
  free(s->data);
  free(s->copies);
  *s = (splice){0};
}
