// SPDX-License-Identifier: Apache-2.0
// The .mlir files of a folder, in the order of their paths. Hidden folders are left out.
#include "clients/lsp/files.h"

#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  FILES_MAX = 2000,
  FILE_BYTES_MAX = 16 << 20,
  BYTES_MAX = 128 << 20,
  MODEL_BYTES_MAX = 1 << 30
};

static int by_name(const FTSENT **a, const FTSENT **b) {
  return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_program(const FTSENT *e) {
  const char *dot = strrchr(e->fts_name, '.');
  return e->fts_info == FTS_F && dot && strcmp(dot, ".mlir") == 0 &&
         e->fts_statp->st_size <= FILE_BYTES_MAX;
}

// The bytes, malloc'ed; NULL: it cannot be read.
static char *read_file(const char *path, size_t size, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *data = file ? malloc(size + 1) : NULL;
  *length = data ? fread(data, 1, size, file) : 0;
  if (file) fclose(file);
  return data;
}

char *files_read(void *data, const char *path, size_t *length) {
  struct stat info;
  (void)data;
  bool file = stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= MODEL_BYTES_MAX;
  return file ? read_file(path, (size_t)info.st_size, length) : NULL;
}

void files_each(void *data, const char *folder, lsp_take_file *take, void *to) {
  char *paths[] = {(char *)folder, NULL};
  (void)data;
  FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
  size_t files = 0, bytes = 0;
  for (FTSENT *e; walk && files < FILES_MAX && bytes < BYTES_MAX && (e = fts_read(walk));) {
    if (e->fts_info == FTS_D && e->fts_level > 0 && e->fts_name[0] == '.')
      fts_set(walk, e, FTS_SKIP);
    if (!is_program(e)) continue;
    size_t length;
    char *text = read_file(e->fts_path, (size_t)e->fts_statp->st_size, &length);
    if (text) take(to, e->fts_path, text, length);
    free(text);
    files++;
    bytes += length;
  }
  if (walk) fts_close(walk);
}
