// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/json/cursor.h"
#include "proto/json/read.h"
#include "solver/shape.h"

enum { CHECK_DIGITS = 16 };

static bool complain(const char *what, const char *path) {
  fprintf(stderr, "shape batch: cannot %s %s: %s\n", what, path ? path : "the temporary journal",
          strerror(errno));
  return false;
}

static bool add_ref(results *list, const result_ref *ref) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 256;
    result_ref *items = realloc(list->items, capacity * sizeof *items);
    if (!items) return false;
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count] = *ref;
  list->items[list->count].order = list->count;
  list->count++;
  return true;
}

// The members of a record that the index needs. Most of a record is its summary, which is not read.
typedef struct record_members {
  shape_arena arena;
  const char *json;
  size_t length;
  const char *path, *hash, *status, *options, *tool;  // "" where there is none
  bool whole, external;
} record_members;

static const char **member_of(record_members *r, json_slice key) {
  return slice_is(key, "path")      ? &r->path
         : slice_is(key, "hash")    ? &r->hash
         : slice_is(key, "status")  ? &r->status
         : slice_is(key, "options") ? &r->options
         : slice_is(key, "tool")    ? &r->tool
                                    : NULL;
}

static void read_members(void *data) {
  record_members *r = data;
  json_error error;
  json_cursor c;
  json_slice key, text;
  const char *clean;
  size_t length;
  if (!json_validate(&r->arena, NULL, r->json, r->length, &clean, &length, &error)) return;
  cursor_init(&c, &r->arena, clean, length);
  if (!cursor_enter(&c, '{')) return;
  for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
    const char **member = member_of(r, key);
    if (member && cursor_string(&c, &text)) {
      *member = arena_strndup(&r->arena, text.text, text.length);
    } else if (slice_is(key, "external") && cursor_word(&c, "true")) {
      r->external = true;
    } else {
      cursor_skip(&c);
    }
  }
  r->whole = !c.failed;
}

// What the index keeps of a record. False: the text is none.
static bool describe(const char *text, size_t length, const char *options, result_ref *ref) {
  record_members r = {.json = text,
                      .length = length,
                      .path = "",
                      .hash = "",
                      .status = "",
                      .options = "",
                      .tool = ""};
  arena_init(&r.arena, 0);
  bool ok = arena_protect(&r.arena, read_members, &r) == SHAPE_OK && r.whole;
  ref->status = batch_status_named(r.status);
  ok = ok && *r.path && ref->status != BATCH_STATUS_COUNT && strlen(r.hash) < SHA256_TEXT;
  if (ok) {
    strcpy(ref->hash, r.hash);
    ref->reusable = *r.hash && options && strcmp(r.options, options) == 0 &&
                    strcmp(r.tool, SHAPE_VERSION) == 0 && !r.external;
    ref->path = strdup(r.path);
    ok = ref->path != NULL;
  }
  arena_destroy(&r.arena);
  return ok;
}

// Length of the JSON of a line, or 0 where its check says that it is damaged.
static size_t json_length_of(const char *line, size_t length) {
  const char *tab = memchr(line, '\t', length);
  if (!tab) return length;
  size_t json = (size_t)(tab - line);
  char digits[SHA256_TEXT];
  sha256_of(line, json, digits);
  bool whole = length - json - 1 == CHECK_DIGITS && memcmp(tab + 1, digits, CHECK_DIGITS) == 0;
  return whole ? json : 0;
}

static bool load_line(results *list, int fd, uint64_t at, const char *line, size_t length,
                      const char *options) {
  result_ref ref = {.fd = fd, .at = at};
  ref.length = json_length_of(line, length);
  if (!ref.length || !describe(line, ref.length, options, &ref)) return true;
  if (add_ref(list, &ref)) return true;
  free(ref.path);
  errno = ENOMEM;
  return false;
}

typedef struct line_reader {
  char *data;
  size_t begin, end, capacity;  // [begin, end) is read and not used
  uint64_t at;                  // in the file, of begin
} line_reader;

// More bytes after those that are there: > 0, 0 at the end of the file, < 0 with errno.
static ssize_t more(line_reader *r, int fd) {
  if (r->begin) memmove(r->data, r->data + r->begin, r->end - r->begin);
  r->end -= r->begin;
  r->begin = 0;
  if (r->end == r->capacity) {
    size_t capacity = r->capacity ? 2 * r->capacity : 1 << 16;
    char *data = realloc(r->data, capacity);
    if (!data) return -1;
    r->data = data;
    r->capacity = capacity;
  }
  ssize_t n;
  do {
    n = pread(fd, r->data + r->end, r->capacity - r->end, (off_t)(r->at + r->end));
  } while (n < 0 && errno == EINTR);
  if (n > 0) r->end += (size_t)n;
  return n;
}

// All lines of a file; *end is after the last whole one. Not with a stream: closing one would give up the lock, which
// belongs to the file and not to a descriptor.
static bool load(results *list, int fd, const char *path, const char *options, uint64_t *end) {
  line_reader r = {0};
  size_t looked = 0;  // bytes from begin on that hold no newline
  ssize_t n = 1;
  bool ok = true;
  while (ok) {
    char *stop = r.data ? memchr(r.data + r.begin + looked, '\n', r.end - r.begin - looked) : NULL;
    if (stop) {
      size_t length = (size_t)(stop - r.data) - r.begin;
      ok = load_line(list, fd, r.at, r.data + r.begin, length, options);
      r.begin += length + 1;
      r.at += length + 1;
      looked = 0;
      continue;
    }
    looked = r.end - r.begin;
    if ((n = more(&r, fd)) <= 0) break;
  }
  *end = r.at;
  if (!ok || n < 0) complain("read", path);
  free(r.data);
  return ok && n >= 0;
}

static int open_nameless(void) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  int n = snprintf(path, sizeof path, "%s/shape-batch-XXXXXX", folder && *folder ? folder : "/tmp");
  if (n < 0 || (size_t)n >= sizeof path) return -1;
  int fd = mkstemp(path);
  if (fd < 0) return -1;
  unlink(path);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_APPEND);
  return fd;
}

// Whether an existing file may be gone on with: empty, or its first line begins as one of results does. What follows
// the last line of a journal is cut off, so nothing else may be taken for one.
static bool looks_like_journal(int fd) {
  static const char begin[] = "{\"path\": ";
  char have[sizeof begin - 1];
  ssize_t n = pread(fd, have, sizeof have, 0);
  return n >= 0 && memcmp(have, begin, (size_t)n) == 0;
}

static bool take_over(journal *j, bool resume, const char *options, results *known) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  struct stat info;
  if (fcntl(j->fd, F_SETLK, &lock) != 0) {
    fprintf(stderr, "shape batch: another run writes to %s\n", j->path);
    return false;
  }
  if (fstat(j->fd, &info) != 0) return complain("open", j->path);
  if (!S_ISREG(info.st_mode)) {
    fprintf(stderr, "shape batch: %s is not a regular file\n", j->path);
    return false;
  }
  if (info.st_size && !resume) {
    fprintf(stderr,
            "shape batch: %s holds the results of an earlier run\n"
            "hint: --resume goes on with it; or remove it\n",
            j->path);
    return false;
  }
  if (!looks_like_journal(j->fd)) {
    fprintf(stderr, "shape batch: %s is not a journal, and stays as it is\n", j->path);
    return false;
  }
  if (!load(known, j->fd, j->path, options, &j->end)) return false;
  if (j->end < (uint64_t)info.st_size && ftruncate(j->fd, (off_t)j->end) != 0)
    return complain("repair", j->path);
  return true;
}

bool journal_open(journal *j, const char *path, bool resume, const char *options, results *known) {
  *j = (journal){.path = path};
  j->fd = path ? open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : open_nameless();
  if (j->fd < 0) return complain("open", path);
  return !path || take_over(j, resume, options, known);
}

bool journal_flush(journal *j) {
  size_t done = 0, length = j->waiting_length;
  while (!j->failed && done < length) {
    ssize_t n = write(j->fd, j->waiting + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      complain("write", j->path);
      j->failed = true;
    } else {
      done += (size_t)n;
    }
  }
  j->waiting_length = 0;
  if (done < length) {
    // Half a line would be cut off by the next run; it is better gone now.
    while (done && j->waiting[done - 1] != '\n') done--;
    j->end -= length - done;
    if (ftruncate(j->fd, (off_t)j->end) != 0) complain("repair", j->path);
  }
  return !j->failed;
}

// Room for one more line of at most `bytes`.
static bool make_room(journal *j, size_t bytes) {
  enum { FULL = 1 << 14 };
  if (j->waiting_length >= FULL && !journal_flush(j)) return false;
  if (bytes <= j->waiting_capacity - j->waiting_length) return true;
  size_t capacity = 2 * j->waiting_capacity + bytes + FULL;
  char *waiting = realloc(j->waiting, capacity);
  if (!waiting) return false;
  j->waiting = waiting;
  j->waiting_capacity = capacity;
  return true;
}

bool journal_append(journal *j, const char *text, size_t length, results *list) {
  result_ref ref = {.fd = j->fd, .length = length};
  if (j->failed || !make_room(j, length + SHA256_TEXT + 2) || !describe(text, length, NULL, &ref)) {
    if (!j->failed) fprintf(stderr, "shape batch: no memory for a result\n");
    j->failed = true;
    return false;
  }
  ref.at = j->end;
  if (!add_ref(list, &ref)) {
    free(ref.path);
    return false;
  }
  char *line = j->waiting + j->waiting_length, *end = line + length;
  memcpy(line, text, length);
  // Lines of a file without a name are not read again.
  if (j->path) {
    *end = '\t';
    sha256_of(text, length, end + 1);
    end += 1 + CHECK_DIGITS;
  }
  *end++ = '\n';
  j->waiting_length += (size_t)(end - line);
  j->end += (uint64_t)(end - line);
  return true;
}

void journal_close(journal *j) {
  if (j->fd >= 0) close(j->fd);
  j->fd = -1;
  free(j->waiting);
  j->waiting = NULL;
}

bool results_load(results *list, const char *path, const char *options) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  uint64_t end;
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) return complain("read", path);
  if (!S_ISREG(info.st_mode)) {
    fprintf(stderr, "shape batch: %s is not a regular file\n", path);
    close(fd);
    return false;
  }
  size_t before = list->count;
  if (!load(list, fd, path, options, &end)) return false;
  if (list->count == before && info.st_size) {
    fprintf(stderr, "shape batch: %s holds no results: expected lines of --jsonl or a journal\n",
            path);
    return false;
  }
  return true;
}

static int by_path(const void *a, const void *b) {
  const result_ref *x = a, *y = b;
  int order = strcmp(x->path, y->path);
  return order ? order : (x->order > y->order) - (x->order < y->order);
}

// A model that ended is better news than one that was stopped; else the later line counts.
static bool replaces(const result_ref *later, const result_ref *earlier) {
  return later->status <= BATCH_ERROR || earlier->status > BATCH_ERROR;
}

void results_sort(results *list) {
  if (list->count) qsort(list->items, list->count, sizeof *list->items, by_path);
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    result_ref *last = kept ? &list->items[kept - 1] : NULL;
    if (!last || strcmp(last->path, list->items[i].path) != 0) {
      list->items[kept++] = list->items[i];
    } else if (replaces(&list->items[i], last)) {
      free(last->path);
      *last = list->items[i];
    } else {
      free(list->items[i].path);
    }
  }
  list->count = kept;
}

static int by_hash(const void *a, const void *b) {
  const result_ref *x = a, *y = b;
  int order = (y->reusable > x->reusable) - (y->reusable < x->reusable);
  if (!order) order = strcmp(x->hash, y->hash);
  return order ? order : by_path(a, b);
}

void results_sort_by_hash(results *list) {
  if (list->count) qsort(list->items, list->count, sizeof *list->items, by_hash);
}

static bool same_content(const results *list, size_t index, const char *hash) {
  return index < list->count && list->items[index].reusable &&
         strcmp(list->items[index].hash, hash) == 0;
}

size_t results_find(const results *list, const char *hash, const char *path) {
  size_t low = 0, high = list->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const result_ref *ref = &list->items[middle];
    int order = ref->reusable ? strcmp(ref->hash, hash) : 1;
    if (!order) order = strcmp(ref->path, path);
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  // Here the path itself would be; its neighbours have the same content under other paths.
  if (same_content(list, low, hash)) return low;
  if (low && same_content(list, low - 1, hash)) return low - 1;
  return SIZE_MAX;
}

char *results_read(const result_ref *ref) {
  char *text = malloc(ref->length + 1);
  size_t done = 0;
  while (text && done < ref->length) {
    ssize_t n = pread(ref->fd, text + done, ref->length - done, (off_t)(ref->at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      fprintf(stderr, "shape batch: cannot read the result of %s back\n", ref->path);
      free(text);
      return NULL;
    }
    done += (size_t)n;
  }
  if (text) text[ref->length] = 0;
  return text;
}

bool results_share(results *list, const result_ref *ref) {
  result_ref copy = *ref;
  copy.path = strdup(ref->path);
  if (copy.path && add_ref(list, &copy)) return true;
  free(copy.path);
  return false;
}

bool results_note(results *list, const char *path, batch_status status) {
  result_ref ref = {.path = strdup(path), .status = status, .fd = -1};
  if (ref.path && add_ref(list, &ref)) return true;
  free(ref.path);
  return false;
}

void results_free(results *list) {
  for (size_t i = 0; i < list->count; i++) free(list->items[i].path);
  free(list->items);
  *list = (results){0};
}
