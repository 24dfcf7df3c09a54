// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // d_type
#include "clients/cli/batch/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clients/cli/batch/kind.h"
#include "clients/cli/batch/sha256.h"
#include "clients/cli/input.h"

enum { DEEPEST = 200 };  // of folders in folders
static const char STANDARD_INPUT[] =
    "standard input is not a model of a batch: --files-from - reads paths from it";

static bool append(batch_paths *list, const char *path, const char *reason) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 256;
    batch_path *items = realloc(list->items, capacity * sizeof *items);
    if (!items) return false;
    list->items = items;
    list->capacity = capacity;
  }
  batch_path *item = &list->items[list->count];
  *item = (batch_path){strdup(path), reason ? strdup(reason) : NULL};
  if (!item->path || (reason && !item->reason)) {
    free(item->path);
    free(item->reason);
    return false;
  }
  list->count++;
  return true;
}

// What a folder is searched for: programs, or files whose path from `from` on has a pattern.
typedef struct search {
  batch_paths *list;
  const char *pattern;  // NULL: programs
  size_t from;
} search;

// `**` is any number of folders.
static bool matches(const char *pattern, const char *path) {
  if (strncmp(pattern, "**/", 3) == 0) {
    for (const char *at = path; at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL) {
      if (matches(pattern + 3, at)) return true;
    }
    return false;
  }
  size_t length = strcspn(pattern, "/"), here = strcspn(path, "/");
  char part[256], name[256];
  if (length >= sizeof part || here >= sizeof name) return false;
  snprintf(part, sizeof part, "%.*s", (int)length, pattern);
  snprintf(name, sizeof name, "%.*s", (int)here, path);
  if (fnmatch(part, name, FNM_PERIOD) != 0) return false;
  if (!pattern[length] || !path[here]) return !pattern[length] && !path[here];
  return matches(pattern + length + 1, path + here + 1);
}

static bool add_folder(const search *s, const char *folder, unsigned depth);

// What readdir says, where the file system says it there: without a call of the kernel for each entry.
static bool is_folder(const struct dirent *entry, const char *path) {
  struct stat info;
#ifdef DT_UNKNOWN
  if (entry->d_type != DT_UNKNOWN) return entry->d_type == DT_DIR;
#endif
  return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool add_entry(const search *s, const char *folder, const struct dirent *entry,
                      unsigned depth) {
  const char *name = entry->d_name;
  size_t length = strlen(folder) + strlen(name) + 2;
  char *path = malloc(length);
  if (!path) return false;
  bool slash = !*folder || folder[strlen(folder) - 1] == '/';
  snprintf(path, length, "%s%s%s", folder, slash ? "" : "/", name);
  bool ok = true;
  if (is_folder(entry, path)) {
    ok = add_folder(s, path, depth + 1);
  } else if (s->pattern ? matches(s->pattern, path + s->from) : kind_is_program(path)) {
    ok = append(s->list, path, NULL);
  }
  free(path);
  return ok;
}

// The empty name is the working folder.
static bool add_folder(const search *s, const char *folder, unsigned depth) {
  if (depth > DEEPEST) return append(s->list, folder, "folders are nested too deep");
  DIR *dir = opendir(*folder ? folder : ".");
  if (!dir) return append(s->list, folder, strerror(errno));
  bool ok = true;
  while (ok) {
    errno = 0;
    struct dirent *entry = readdir(dir);
    if (!entry) {
      if (errno) ok = append(s->list, folder, strerror(errno));
      break;
    }
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    ok = add_entry(s, folder, entry, depth);
  }
  closedir(dir);
  return ok;
}

// A pattern with `**`, from the folder in front of its first part that is none of a name.
static bool add_deep(batch_paths *list, const char *pattern) {
  size_t fixed = strcspn(pattern, "*?["), count = list->count;
  while (fixed && pattern[fixed - 1] != '/') fixed--;
  char *folder = strndup(pattern, fixed);
  if (!folder) return false;
  const search s = {list, pattern + fixed, fixed};
  bool ok = add_folder(&s, folder, 0);
  free(folder);
  return ok && (list->count > count || append(list, pattern, "no file matches this pattern"));
}

static bool add_one(batch_paths *list, const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) {
    bool standard = strcmp(path, "-") == 0;
    return append(list, path, standard ? STANDARD_INPUT : strerror(errno));
  }
  const search programs = {list, NULL, 0};
  return S_ISDIR(info.st_mode) ? add_folder(&programs, path, 0) : append(list, path, NULL);
}

bool paths_add(batch_paths *list, const char *operand) {
  while (operand[0] == '.' && operand[1] == '/' && operand[2] && operand[2] != '/') operand += 2;
  struct stat info;
  // A file whose name looks like a pattern is that file.
  if (lstat(operand, &info) == 0 || !strpbrk(operand, "*?[")) return add_one(list, operand);
  if (strstr(operand, "**/")) return add_deep(list, operand);
  glob_t found = {0};
  int status = glob(operand, 0, NULL, &found);
  bool ok = status != GLOB_NOSPACE;
  if (status == GLOB_NOMATCH) ok = append(list, operand, "no file matches this pattern");
  if (status == GLOB_ABORTED) ok = append(list, operand, "a folder of this pattern cannot be read");
  for (size_t i = 0; ok && status == 0 && i < found.gl_pathc; i++) {
    ok = add_one(list, found.gl_pathv[i]);
  }
  globfree(&found);
  return ok;
}

bool paths_add_from(batch_paths *list, const char *file) {
  input in;
  if (!input_read(file, &in)) return false;
  char end = memchr(in.text, 0, in.length) ? 0 : '\n';
  bool ok = true;
  for (size_t at = 0; ok && at < in.length;) {
    char *line = in.text + at, *stop = memchr(line, end, in.length - at);
    size_t length = stop ? (size_t)(stop - line) : in.length - at;
    at += length + 1;
    line[length] = 0;
    if (end && length && line[length - 1] == '\r') line[--length] = 0;
    if (length) ok = paths_add(list, line);
  }
  input_free(&in);
  if (!ok) fprintf(stderr, "shape batch: out of memory\n");
  return ok;
}

static int compare(const void *a, const void *b) {
  const batch_path *x = a, *y = b;
  int order = strcmp(x->path, y->path);
  return order ? order : (x->reason == NULL) - (y->reason == NULL);
}

static void drop(batch_path *item) {
  free(item->path);
  free(item->reason);
}

void paths_sort(batch_paths *list) {
  if (list->count) qsort(list->items, list->count, sizeof *list->items, compare);
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    if (kept && strcmp(list->items[kept - 1].path, list->items[i].path) == 0) {
      drop(&list->items[i]);
    } else {
      list->items[kept++] = list->items[i];
    }
  }
  list->count = kept;
}

void paths_shard(batch_paths *list, uint64_t k, uint64_t n) {
  size_t kept = 0;
  if (n == 1) return;
  for (size_t i = 0; i < list->count; i++) {
    char text[SHA256_TEXT];
    sha256_of(list->items[i].path, strlen(list->items[i].path), text);
    text[16] = 0;
    if (strtoull(text, NULL, 16) % n == k - 1) {
      list->items[kept++] = list->items[i];
    } else {
      drop(&list->items[i]);
    }
  }
  list->count = kept;
}

void paths_free(batch_paths *list) {
  for (size_t i = 0; i < list->count; i++) drop(&list->items[i]);
  free(list->items);
  *list = (batch_paths){0};
}
