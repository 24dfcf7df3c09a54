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
static char *find(external_files *files, const char *name) {
  const char *model = files->model, *slash = strrchr(model, '/');
  size_t length = slash ? (size_t)(slash - model) : 0, size = length + strlen(name) + 4;
  char *path = malloc(size), *file = NULL;
  if (path && !files->folder) {
    snprintf(path, size, "%.*s%s", (int)length, model, slash ? "/" : ".");
    files->folder = realpath(path, NULL);
  }
  if (path && files->folder) {
    snprintf(path, size, "%.*s%s/%s", (int)length, model, slash ? "" : ".", name);
    file = realpath(path, NULL);
  }
  free(path);
  size_t n = file ? strlen(files->folder) : 0;
  bool below = file && strncmp(file, files->folder, n) == 0 && (n == 1 || file[n] == '/');
  if (below) return file;
  free(file);
  return NULL;
}

static void forget_file(external_files *files) {
  if (files->name && files->fd >= 0) close(files->fd);
  free(files->name);
  files->name = NULL;
}

// Opens the file, unless it was the last one. False: it is not to be had.
static bool open_file(external_files *files, const char *name) {
  if (files->name && strcmp(files->name, name) == 0) return files->fd >= 0;
  forget_file(files);
  char *path = find(files, name);
  int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) : -1;
  free(path);
  struct stat info;
  bool ok = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  if (!ok && fd >= 0) close(fd);
  files->name = strdup(name);
  files->fd = ok ? fd : -1;
  files->size = ok ? (uint64_t)info.st_size : 0;
  if (ok && !files->name) close(fd);
  return ok && files->name;
}

bool external_read(void *data, const char *name, uint64_t offset, size_t length, void *to) {
  external_files *files = data;
  bool ok = open_file(files, name) && offset <= files->size && length <= files->size - offset;
  for (size_t done = 0; ok && done < length;) {
    ssize_t n = pread(files->fd, (char *)to + done, length - done, (off_t)(offset + done));
    if (n < 0 && errno == EINTR) continue;
    ok = n > 0;
    if (ok) done += (size_t)n;
  }
  files->used |= ok;
  return ok;
}

void external_close(external_files *files) {
  forget_file(files);
  free(files->folder);
  files->folder = NULL;
}
