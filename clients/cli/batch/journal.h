// SPDX-License-Identifier: Apache-2.0
// Results on disk: the journal of a run, and files of results from earlier ones.
//
// A journal is a file of lines, only ever appended to: the JSON of a record, a tab, the first 16 digits of the SHA-256 of
// that JSON, a newline. A process that is killed at any byte leaves at most one line without its end: reading ignores
// it and opening cuts it off. Lines that do not hold what their digits say are ignored too. Of several lines about one
// path the last counts. A lock keeps two runs off one journal.
// Files of results (--jsonl) have the same lines without tab and digits, and are read the same way.
#ifndef SHAPE_CLI_BATCH_JOURNAL_H
#define SHAPE_CLI_BATCH_JOURNAL_H

#include <stdio.h>

#include "clients/cli/batch/record.h"

typedef struct result_ref {
  char *path;  // malloc'ed
  char hash[SHA256_TEXT];
  batch_status status;
  bool reusable;  // made by this version with these options, from nothing but the file
  int fd;         // of the file that holds the record
  uint64_t at;
  size_t length;  // of the JSON
  size_t order;   // of lines: the later one counts
} result_ref;

typedef struct results {
  result_ref *items;
  size_t count, capacity;
} results;

typedef struct journal {
  int fd;
  uint64_t end;  // bytes of whole lines, with those that wait
  const char *path;
  char *waiting;  // lines that are not yet in the file
  size_t waiting_length, waiting_capacity;
  bool failed;
} journal;

// path NULL: a file without a name, gone with the process. resume: a journal may exist, and its results are added to
// `known`; otherwise it must be absent or empty. False after a message on stderr.
bool journal_open(journal *j, const char *path, bool resume, const char *options, results *known);
// Appends one record and its position to `list`. False after a message: the disk is full, say. What was written before stays
// whole. Records are in the file, and can be read, after the next flush.
bool journal_append(journal *j, const char *text, size_t length, results *list);
bool journal_flush(journal *j);
void journal_close(journal *j);

// Adds the lines of a file of results. The file stays open until results_free. False after a message.
bool results_load(results *list, const char *path, const char *options);
// In order of paths, each once.
void results_sort(results *list);
// The other order: of content hashes, then paths; for results_find. A reusable result with this hash, of this path where
// there is one, else of any; SIZE_MAX: none.
void results_sort_by_hash(results *list);
size_t results_find(const results *list, const char *hash, const char *path);
// Whole record, malloc'ed, with a NUL at its end; NULL after a message.
char *results_read(const result_ref *ref);
// Adds the position of a record that is in a file already. False where there is no memory.
bool results_share(results *list, const result_ref *ref);
// Adds a result without a record, which is never read. False where there is no memory.
bool results_note(results *list, const char *path, batch_status status);
void results_free(results *list);

#endif
