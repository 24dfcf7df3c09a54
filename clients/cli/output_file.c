// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // realpath
#include "clients/cli/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(output_file *to) {
  free(to->target);
  free(to->part);
  *to = (output_file){0};
}

static FILE *open_part(output_file *to, const struct stat *replaced) {
  size_t size = strlen(to->target) + sizeof ".part";
  to->part = malloc(size);
  if (!to->part) return NULL;
  snprintf(to->part, size, "%s.part", to->target);
  FILE *file = fopen(to->part, "wb");
  // The new file may be read by those who may read the old one.
  if (file && replaced) fchmod(fileno(file), replaced->st_mode & 0777);
  return file;
}

bool output_file_open(output_file *to, const char *path) {
  struct stat info;
  *to = (output_file){0};
  if (strcmp(path, "-") == 0) {
    to->file = stdout;
    return true;
  }
  bool exists = stat(path, &info) == 0, named = exists || lstat(path, &info) == 0;
  if (!named) {
    to->target = strdup(path);
  } else if (S_ISREG(info.st_mode)) {
    to->target = realpath(path, NULL);
  }
  bool direct = named && !to->target;
  to->file = direct ? fopen(path, "wb") : to->target ? open_part(to, exists ? &info : NULL) : NULL;
  if (!to->file) forget(to);
  return to->file != NULL;
}

bool output_file_close(output_file *to, bool complete) {
  int before = errno;
  errno = 0;
  bool ok = fflush(to->file) == 0 && !ferror(to->file);
  if (to->file != stdout && fclose(to->file) != 0) ok = false;
  if (to->part && ok && complete) ok = rename(to->part, to->target) == 0;
  int failed = complete ? errno : before;
  if (to->part && !(ok && complete)) unlink(to->part);
  forget(to);
  errno = failed;
  return ok;
}

bool cannot_write(const char *command, const char *path) {
  int reason = errno;
  fprintf(stderr, "shape%s%s: cannot write %s", command ? " " : "", command ? command : "",
          strcmp(path, "-") == 0 ? "standard output" : path);
  fprintf(stderr, reason ? ": %s\n" : "\n", strerror(reason));
  return false;
}
