// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // realpath
#include "clients/cli/external.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The file's real path, where it is below the model's folder; malloc'ed, or NULL.
static char *find(const char *model, const char *name) {
  const char *slash = strrchr(model, '/');
  size_t length = slash ? (size_t)(slash - model) : 0, size = length + strlen(name) + 4;
  char *path = malloc(size), *folder = NULL, *file = NULL;
  if (path) {
    snprintf(path, size, "%.*s%s", (int)length, model, slash ? "/" : ".");
    folder = realpath(path, NULL);
    snprintf(path, size, "%.*s%s/%s", (int)length, model, slash ? "" : ".", name);
    file = realpath(path, NULL);
  }
  size_t n = folder ? strlen(folder) : 0;
  bool below = folder && file && strncmp(file, folder, n) == 0 && (n == 1 || file[n] == '/');
  free(path);
  free(folder);
  if (below) return file;
  free(file);
  return NULL;
}

bool external_read(void *data, const char *name, uint64_t offset, size_t length, void *to) {
  external_files *files = data;
  char *path = find(files->model, name);
  if (!path) return false;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  free(path);
  struct stat info;
  bool ok = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
            offset <= (uint64_t)info.st_size && length <= (uint64_t)info.st_size - offset;
  for (size_t done = 0; ok && done < length;) {
    ssize_t n = pread(fd, (char *)to + done, length - done, (off_t)(offset + done));
    if (n < 0 && errno == EINTR) continue;
    ok = n > 0;
    if (ok) done += (size_t)n;
  }
  if (fd >= 0) close(fd);
  files->used |= ok;
  return ok;
}
