// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS, MAP_NORESERVE
#include "clients/cli/input_sparse.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "solver/shape.h"

enum {
  CHUNK = 1 << 14
};  // read at once where little is needed: heads of fields are close together

typedef struct source {
  int fd;
  char *bytes;
  size_t size;
  size_t filled;  // nothing below is read again
} source;

static bool fill(source *s, size_t begin, size_t end) {
  while (begin < end) {
    ssize_t n = pread(s->fd, s->bytes + begin, end - begin, (off_t)begin);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;  // an error, or the file became shorter
    begin += (size_t)n;
  }
  return true;
}

static bool need(void *data, size_t begin, size_t end) {
  source *s = data;
  if (end <= s->filled) return true;
  if (begin < s->filled) begin = s->filled;
  if (end - begin < CHUNK) end = s->size - begin < CHUNK ? s->size : begin + CHUNK;
  s->filled = end;
  return fill(s, begin, end);
}

bool input_read_sparse(int fd, size_t size, input *out) {
  char *bytes = mmap(NULL, size + 1, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) return false;
  source s = {fd, bytes, size, 0};
  // The second look has every head of a field; the first spares other large files the scan.
  if (need(&s, 0, 4 * CHUNK) && shape_input_of(bytes, size) == SHAPE_INPUT_ONNX &&
      shape_input_scan(bytes, size, need, &s) && shape_input_of(bytes, size) == SHAPE_INPUT_ONNX) {
    out->text = bytes;
    out->length = size;
    out->mapped = size + 1;
    return true;
  }
  munmap(bytes, size + 1);
  return false;
}
