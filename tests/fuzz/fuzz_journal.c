// SPDX-License-Identifier: Apache-2.0
// Any bytes as the journal of a batch: what it holds is read again the same, a result that is appended is there
// afterwards, and nothing that was there before is lost. So that the fuzzer need not find digests, each line that ends in
// a tab gets its own.
#define _GNU_SOURCE  // memfd_create
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clients/cli/batch/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char OPTIONS[] = "options", NEW[] = "{\"path\": \"a/new/one\", \"status\": \"ok\", "
                                                 "\"hash\": \"\", \"options\": \"options\"}";

static void put(int fd, const void *data, size_t length) {
  if (length && write(fd, data, length) != (ssize_t)length) abort();
}

static void write_lines(int fd, const char *at, size_t left) {
  while (left) {
    const char *end = memchr(at, '\n', left);
    size_t length = end ? (size_t)(end - at) : left;
    put(fd, at, length);
    if (end && length && at[length - 1] == '\t') {
      char digits[SHA256_TEXT];
      sha256_of(at, length - 1, digits);
      put(fd, digits, 16);
    }
    if (end) put(fd, "\n", 1);
    at += length + (end != NULL);
    left -= length + (end != NULL);
  }
}

typedef struct opened {
  journal j;
  results known;
} opened;

// Opens the journal, and appends `more` where there is one. False: it is no journal.
static bool open_journal(opened *o, const char *path, const char *more) {
  *o = (opened){0};
  if (!journal_open(&o->j, path, true, OPTIONS, &o->known)) return false;
  if (more && !journal_append(&o->j, more, strlen(more), &o->known)) abort();
  if (!journal_flush(&o->j)) abort();
  return true;
}

static void end(opened *o) {
  results_free(&o->known);
  journal_close(&o->j);
}

static void same(const results *a, const results *b) {
  if (a->count != b->count) abort();
  for (size_t i = 0; i < a->count; i++) {
    const result_ref *x = &a->items[i], *y = &b->items[i];
    if (strcmp(x->path, y->path) != 0 || strcmp(x->hash, y->hash) != 0 || x->status != y->status ||
        x->length != y->length)
      abort();
    char *text = results_read(x), *again = results_read(y);
    if (!text || !again || strcmp(text, again) != 0) abort();
    free(text);
    free(again);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  int fd = memfd_create("journal", 0);
  opened first, second;
  if (fd < 0) abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  write_lines(fd, (const char *)data, size);
  if (open_journal(&first, path, NEW)) {
    if (!open_journal(&second, path, NULL)) abort();
    same(&first.known, &second.known);
    results_sort(&first.known);
    results_sort(&second.known);
    same(&first.known, &second.known);
    results_sort_by_hash(&second.known);
    for (size_t i = 0; i < second.known.count; i++) {
      const result_ref *ref = &second.known.items[i];
      size_t at = results_find(&second.known, ref->hash, ref->path);
      if (ref->reusable && (at == SIZE_MAX || strcmp(second.known.items[at].hash, ref->hash) != 0))
        abort();
    }
    end(&second);
  }
  end(&first);
  close(fd);
  return 0;
}
