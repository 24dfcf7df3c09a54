// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int fd, size_t expected, input *out) {
  size_t capacity = expected + 1;
  out->text = malloc(capacity);
  while (out->text) {
    if (out->length + 1 >= capacity) {
      capacity = capacity < 65536 ? 65536 : capacity * 2;
      char *more = realloc(out->text, capacity);
      if (!more) break;
      out->text = more;
    }
    ssize_t n = read(fd, out->text + out->length, capacity - 1 - out->length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) {
      out->text[out->length] = 0;
      return true;
    }
    out->length += (size_t)n;
  }
  errno = ENOMEM;
  return false;
}

bool input_read(const char *path, input *out) {
  bool standard = strcmp(path, "-") == 0;
  *out = (input){.name = standard ? "<stdin>" : path};
  int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  bool ok = fd >= 0 && fstat(fd, &info) == 0;
  if (ok && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    ok = false;
  }
  // One byte more than the size, so that the end of an unchanged file is seen without growing the buffer.
  if (ok)
    ok = read_all(fd, S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size + 1 : 4096,
                  out);
  if (!ok) {
    fprintf(stderr, "shape: cannot read %s: %s\n", out->name, strerror(errno));
    input_free(out);
  }
  if (fd > STDERR_FILENO) close(fd);
  return ok;
}

void input_free(input *in) {
  free(in->text);
  in->text = NULL;
  in->length = 0;
}
