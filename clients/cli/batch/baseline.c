// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/batch/baseline.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "clients/cli/batch/output.h"
#include "clients/cli/plain.h"
#include "proto/json/read.h"

typedef struct comparison {
  FILE *to;
  const char *path;
  const cJSON *was, *is;  // summaries; NULL: there is none
  size_t worse;
} comparison;

static void put(comparison *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(comparison *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char text[2048];
  vsnprintf(text, sizeof text, format, args);
  fputs("worse       ", c->to);
  print_plain(c->to, c->path);
  fputs(": ", c->to);
  print_plain(c->to, text);
  fputc('\n', c->to);
  va_end(args);
  c->worse++;
}

// A line with values as JSON. `from` may be NULL.
static void put_values(comparison *c, const char *what, const cJSON *from, const cJSON *value) {
  char *old = from ? cJSON_PrintUnformatted(from) : NULL, *new = cJSON_PrintUnformatted(value);
  if (from) {
    put(c, "%s was %s, is %s", what, old ? old : "?", new ? new : "?");
  } else {
    put(c, "%s %s", what, new ? new : "?");
  }
  cJSON_free(old);
  cJSON_free(new);
}

static void put_count(comparison *c, const char *what, double was, double is) {
  put(c, "%s were %.0f, are %.0f", what, was, is);
}

// 0: analysed without errors, 1: with errors, 2: no answer.
static int badness(batch_status status) {
  return status == BATCH_OK ? 0 : status == BATCH_ERROR ? 1 : 2;
}

typedef bool same_item(const cJSON *a, const cJSON *b);

static bool same_guard(const cJSON *a, const cJSON *b) {
  return strcmp(field_text(a, "expr"), field_text(b, "expr")) == 0;
}

static bool same_diagnostic(const cJSON *a, const cJSON *b) {
  return strcmp(field_text(a, "severity"), field_text(b, "severity")) == 0 &&
         strcmp(field_text(a, "code"), field_text(b, "code")) == 0 &&
         strcmp(field_text(a, "message"), field_text(b, "message")) == 0;
}

static uint32_t occurrences(const cJSON *list, const cJSON *wanted, const cJSON *end,
                            same_item *same) {
  uint32_t count = 0;
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    if (item == end) break;
    count += same(item, wanted);
  }
  return count;
}

// The k-th of equal items is new where there were fewer than k. Lists have 64 items at most.
static bool is_new(const cJSON *was, const cJSON *is, const cJSON *item, same_item *same) {
  return occurrences(is, item, item, same) >= occurrences(was, item, NULL, same);
}

static bool cut(const cJSON *summary, const char *list, const char *count) {
  return cJSON_GetArraySize(field(summary, list)) < field_number(summary, count);
}

static void compare_guards(comparison *c) {
  double was = field_number(c->was, "guard_count"), is = field_number(c->is, "guard_count");
  const cJSON *before = field(c->was, "guards"), *now = field(c->is, "guards"), *item;
  if (cut(c->was, "guards", "guard_count")) {
    if (is > was) put_count(c, "guards", was, is);
    return;
  }
  cJSON_ArrayForEach(item, now) {
    if (is_new(before, now, item, same_guard))
      put_values(c, "new guard", NULL, field(item, "expr"));
  }
}

static bool same_unchecked(const cJSON *a, const cJSON *b) {
  return strcmp(field_text(a, "op"), field_text(b, "op")) == 0 &&
         strcmp(field_text(a, "requirement"), field_text(b, "requirement")) == 0;
}

// Results of an older version do not have them.
static void compare_unchecked(comparison *c) {
  double was = field_number(c->was, "unchecked_count"), is = field_number(c->is, "unchecked_count");
  const cJSON *before = field(c->was, "unchecked"), *item;
  if (!before) return;
  if (cut(c->was, "unchecked", "unchecked_count")) {
    if (is > was) put_count(c, "unchecked requirements", was, is);
    return;
  }
  cJSON_ArrayForEach(item, field(c->is, "unchecked")) {
    if (is_new(before, field(c->is, "unchecked"), item, same_unchecked))
      put_values(c, "new unchecked requirement", NULL, field(item, "requirement"));
  }
}

static void compare_diagnostics(comparison *c) {
  double was = field_number(c->was, "diagnostic_count");
  double is = field_number(c->is, "diagnostic_count");
  const cJSON *before = field(c->was, "diagnostics"), *now = field(c->is, "diagnostics"), *item;
  if (cut(c->was, "diagnostics", "diagnostic_count")) {
    if (is > was) put_count(c, "diagnostics", was, is);
    return;
  }
  cJSON_ArrayForEach(item, now) {
    const char *severity = field_text(item, "severity");
    bool error = strcmp(severity, "error") == 0, warning = strcmp(severity, "warning") == 0;
    if ((error || warning) && is_new(before, now, item, same_diagnostic))
      put_values(c, error ? "new error" : "new warning", NULL, field(item, "message"));
  }
}

// Inputs and outputs by their positions.
static void compare_values(comparison *c, const char *list, const char *count, const char *what) {
  double was = field_number(c->was, count), is = field_number(c->is, count);
  char name[64];
  if (was != is) {
    put_count(c, list, was, is);
    return;
  }
  const cJSON *before = field(c->was, list), *now = field(c->is, list);
  const cJSON *a = before ? before->child : NULL, *b = now ? now->child : NULL;
  for (unsigned i = 0; a && b; i++, a = a->next, b = b->next) {
    snprintf(name, sizeof name, "%s %u", what, i);
    if (!cJSON_Compare(a, b, true)) put_values(c, name, a, b);
  }
}

static void compare_summaries(comparison *c, bool same_file) {
  compare_diagnostics(c);
  if (!field(c->was, "dims") || !field(c->is, "dims")) return;  // the text is invalid
  double was = field_in(c->was, "dims", "opaque"), is = field_in(c->is, "dims", "opaque");
  if (is > was) put_count(c, "opaque dims", was, is);
  was = field_in(c->was, "dims", "known");
  is = field_in(c->is, "dims", "known");
  if (same_file && is < was) put_count(c, "known dims", was, is);
  compare_guards(c);
  compare_unchecked(c);
  compare_values(c, "inputs", "input_count", "input");
  compare_values(c, "outputs", "output_count", "output");
}

// The tree is malloc'ed; NULL after a message.
static cJSON *parse(const result_ref *ref) {
  char *text = results_read(ref);
  if (!text) return NULL;
  shape_arena arena;
  json_error error;
  cJSON *tree = NULL;
  arena_init(&arena, 0);
  if (!json_parse(&arena, NULL, text, ref->length, &tree, &error))
    fprintf(stderr, "shape batch: the result of %s: %s\n", ref->path, error.message);
  arena_destroy(&arena);
  free(text);
  return tree;
}

static bool compare_model(comparison *c, const result_ref *was, const result_ref *is) {
  cJSON *before = parse(was), *now = parse(is);
  bool ok = before && now;
  if (ok) {
    c->path = is->path;
    c->was = field(before, "summary");
    c->is = field(now, "summary");
    if (badness(is->status) > badness(was->status)) {
      put(c, "the status was %s, is %s", batch_status_name(was->status),
          batch_status_name(is->status));
    }
    if (cJSON_IsObject(c->was) && cJSON_IsObject(c->is))
      compare_summaries(c, *was->hash && strcmp(was->hash, is->hash) == 0);
  }
  cJSON_Delete(before);
  cJSON_Delete(now);
  return ok;
}

bool baseline_open(baseline *b, const char *path, bool part) {
  *b = (baseline){.path = path, .part = part};
  if (!path) return true;
  if (!results_load(&b->then, path, NULL)) return false;
  results_sort(&b->then);
  return true;
}

bool baseline_compare(const baseline *b, const results *now, FILE *to, size_t *worse) {
  comparison c = {.to = to};
  bool ok = true;
  for (size_t i = 0, k = 0; ok && (i < b->then.count || k < now->count);) {
    const result_ref *was = i < b->then.count ? &b->then.items[i] : NULL;
    const result_ref *is = k < now->count ? &now->items[k] : NULL;
    int order = !was ? 1 : !is ? -1 : strcmp(was->path, is->path);
    c.path = order > 0 ? is->path : was->path;
    if (order == 0) {
      ok = compare_model(&c, was, is);
    } else if (order < 0 && !b->part) {
      put(&c, "the baseline has it, this run has not");
    } else if (order > 0 && badness(is->status)) {
      put(&c, "the status is %s, and the baseline does not have it", batch_status_name(is->status));
    }
    i += order <= 0;
    k += order >= 0;
  }
  fprintf(to, "%zu change%s for the worse since %s\n", c.worse, c.worse == 1 ? "" : "s", b->path);
  *worse = c.worse;
  return ok;
}

void baseline_close(baseline *b) { results_free(&b->then); }
