// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/cli/input_sparse.h"

// Locations are offsets of 32 bits: what is longer would be read to be refused.
#define INPUT_MAX ((size_t)UINT32_MAX - 16)

// `size` of a regular file, or 0. One byte more is asked for, so that its end is seen in the call that brings its last byte.
static bool read_all(int fd, size_t size, size_t most, input *out) {
  size_t capacity = size ? size + 2 : 4097;
  out->text = malloc(capacity);
  while (out->text) {
    if (out->length + 1 >= capacity) {
      capacity = capacity < 65536 ? 65536 : capacity * 2;
      char *more = realloc(out->text, capacity);
      if (!more) break;
      out->text = more;
    }
    size_t room = capacity - 1 - out->length;
    ssize_t n = read(fd, out->text + out->length, room);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    out->length += (size_t)n;
    if (out->length > most) {
      errno = EFBIG;
      return false;
    }
    if (n == 0 || (size && out->length == size && (size_t)n < room)) {
      out->text[out->length] = 0;
      return true;
    }
  }
  errno = ENOMEM;
  return false;
}

typedef enum read_mode { READ_ANY, READ_REGULAR, READ_OR_MAP } read_mode;

static bool open_window(int fd, size_t size, input *out) {
  out->window = input_window_open(fd, size);
  if (!out->window) return false;
  out->text = input_window_text(out->window);
  out->length = size;
  return true;
}

static int read_open(int fd, const struct stat *info, read_mode mode, size_t most, input *out) {
  if (S_ISDIR(info->st_mode)) return EISDIR;
  bool regular = S_ISREG(info->st_mode);
  if (mode == READ_REGULAR && !regular) return EINVAL;
  size_t size = regular && info->st_size > 0 ? (size_t)info->st_size : 0;
  if (size >= SPARSE_FROM && input_read_sparse(fd, size, out)) return 0;
  if (size > most) return EFBIG;
  if (mode == READ_OR_MAP && size >= WINDOW_FROM && open_window(fd, size, out)) return 0;
  errno = EIO;
  return read_all(fd, size, most, out) ? 0 : errno;
}

int input_read_file(const char *path, size_t most, input_sized *sized, void *data, input *out) {
  struct stat info;
  *out = (input){.name = path};
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  int status = fd < 0 || fstat(fd, &info) != 0 ? errno : 0;
  if (!status) sized(data, S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0);
  if (!status) status = read_open(fd, &info, READ_REGULAR, most, out);
  if (status) input_free(out);
  if (fd >= 0) close(fd);
  return status;
}

static bool read_from(const char *path, read_mode mode, input *out) {
  bool standard = strcmp(path, "-") == 0;
  *out = (input){.name = standard ? "<stdin>" : path, .is_standard = standard};
  int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  int status = fd < 0 || fstat(fd, &info) != 0 ? errno : 0;
  if (!status) status = read_open(fd, &info, standard ? READ_ANY : mode, INPUT_MAX, out);
  if (status) {
    fprintf(stderr, "shape: cannot read %s: %s\n", out->name, strerror(status));
    if (status == EISDIR)
      fprintf(stderr, "hint: shape batch %s analyses all models in it\n", out->name);
    input_free(out);
  }
  if (fd > STDERR_FILENO) close(fd);
  return !status;
}

bool input_read(const char *path, input *out) { return read_from(path, READ_ANY, out); }
bool input_open(const char *path, input *out) { return read_from(path, READ_OR_MAP, out); }

void input_free(input *in) {
  if (in->window) {
    input_window_close(in->window);
  } else if (in->mapped) {
    munmap(in->text, in->mapped);
  } else {
    free(in->text);
  }
  in->window = NULL;
  in->text = NULL;
  in->length = in->mapped = 0;
}
