// SPDX-License-Identifier: Apache-2.0
// Which models a batch is about: files, folders (all programs below them, see kind.h), patterns, in which `**/` is any number
// of folders, and lists of these.
//
// The list is sorted by bytes and holds a path once, however often it was named, so that the order of results never
// depends on the file system. Links to files are followed, links to folders below a folder are not (they may form
// cycles). What cannot be listed, such as a folder without permission, stays in the list as an item of its own with the
// reason, and becomes a result like any other.
#ifndef SHAPE_CLI_BATCH_PATHS_H
#define SHAPE_CLI_BATCH_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct batch_path {
  char *path;    // malloc'ed
  char *reason;  // malloc'ed; NULL: nothing is known to be wrong with it
} batch_path;

typedef struct batch_paths {
  batch_path *items;
  size_t count, capacity;
} batch_paths;

// A file, a folder or a pattern. False where there is no memory.
bool paths_add(batch_paths *list, const char *operand);
// One operand per line, or separated by NUL bytes where there is one; "-" is standard input. False after a message.
bool paths_add_from(batch_paths *list, const char *file);
void paths_sort(batch_paths *list);
// Keeps those of part k of n (1 <= k <= n). Which part a path is in depends on nothing but its text and n.
void paths_shard(batch_paths *list, uint64_t k, uint64_t n);
void paths_free(batch_paths *list);

#endif
