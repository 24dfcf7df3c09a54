// SPDX-License-Identifier: Apache-2.0
// shape batch PATHS, shape batch merge RESULTS, shape batch report RESULTS.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/cli/batch/baseline.h"
#include "clients/cli/batch/batch.h"
#include "clients/cli/batch/causes.h"
#include "clients/cli/plain.h"
#include "solver/shape.h"

enum { JOBS_MAX = 1024, SHARDS_MAX = 1 << 20 };

// --- options

static uint32_t processors(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > 64 ? 64 : (uint32_t)n;
}

// What changes answers, as text, and a digest of it: a result of other options is not reused.
static void digest_options(batch_options *o, const char *timeout) {
  sha256 h;
  char text[SHA256_TEXT];
  sha256_init(&h);
  sha256_add(&h, &o->steps, sizeof o->steps);
  sha256_add(&h, &o->memory, sizeof o->memory);
  sha256_add(&h, timeout, strlen(timeout) + 1);
  for (uint32_t i = 0; i < o->binding_count; i++)
    sha256_add(&h, o->bindings[i], strlen(o->bindings[i]) + 1);
  sha256_add(&h, "", 1);
  for (uint32_t i = 0; i < o->assumption_count; i++)
    sha256_add(&h, o->assumptions[i], strlen(o->assumptions[i]) + 1);
  if (o->cost) sha256_add(&h, "cost", 5);  // results without them have the digests that they had
  if (o->generalize) sha256_add(&h, "generalize", 11);
  sha256_text(&h, text);
  memcpy(o->digest, text, 8);
}

// Seconds, with a fraction or not: "30", "0.5".
static bool take_timeout(const command_line *line, batch_options *o) {
  const char *text = option_value(line, "timeout");
  o->timeout_ms = 60000;
  if (!text) return true;
  char *end;
  double seconds = strtod(text, &end);
  if (*end || end == text || !(seconds >= 0.001 && seconds <= 1e6)) {
    return option_wrong(line, "timeout", "seconds, such as 30 or 0.5"), false;
  }
  o->timeout_ms = (uint64_t)(seconds * 1e3);
  return true;
}

static bool take_options(const command_line *line, const char **values, batch_options *o) {
  uint64_t jobs = processors(), memory = 2048;
  if (!option_number(line, "jobs", 1, JOBS_MAX, &jobs) ||
      !option_number(line, "memory", 1, 1 << 20, &memory) ||
      !option_number(line, "steps", 1, UINT64_MAX / 2, &o->steps) || !take_timeout(line, o)) {
    return false;
  }
  o->jobs = (uint32_t)jobs;
  o->memory = memory << 20;
  o->isolate = option_given(line, "isolate");
  o->quiet = option_given(line, "quiet");
  o->no_times = option_given(line, "no-times");
  o->cost = option_given(line, "cost");
  o->generalize = option_given(line, "generalize");
  o->bindings = values;
  o->binding_count = option_values(line, "bind", values);
  o->assumptions = values + line->option_count;
  o->assumption_count = option_values(line, "assume", values + line->option_count);
  char timeout[32];
  snprintf(timeout, sizeof timeout, "%llu", (unsigned long long)o->timeout_ms);
  digest_options(o, timeout);
  return true;
}

// "K/N"
static bool take_shard(const command_line *line, uint64_t *k, uint64_t *n) {
  const char *text = option_value(line, "shard");
  char rest;
  unsigned long long a, b;
  *k = *n = 1;
  if (!text) return true;
  bool digits = *text >= '0' && *text <= '9' && strspn(text, "0123456789/") == strlen(text);
  if (!digits || sscanf(text, "%llu/%llu%c", &a, &b, &rest) != 2 || a < 1 || a > b ||
      b > SHARDS_MAX) {
    return option_wrong(line, "shard", "K/N with K from 1 to N"), false;
  }
  *k = a;
  *n = b;
  return true;
}

// --- what is said at the end

static int exit_of(const results *list) {
  int worst = EXIT_FINE;
  for (size_t i = 0; i < list->count; i++) {
    int status = batch_status_exit(list->items[i].status);
    if (status > worst) worst = status;
  }
  return worst;
}

static void summarise(const results *list) {
  size_t counts[BATCH_STATUS_COUNT] = {0};
  for (size_t i = 0; i < list->count; i++) {
    const result_ref *ref = &list->items[i];
    counts[ref->status]++;
    if (ref->status == BATCH_OK) continue;
    printf("%-10s  ", batch_status_name(ref->status));
    print_plain(stdout, ref->path);
    cause_print(stdout, ref);
    putchar('\n');
  }
  printf("%zu model%s", list->count, list->count == 1 ? "" : "s");
  for (unsigned i = 0; i < BATCH_STATUS_COUNT; i++) {
    if (counts[i]) printf(", %zu %s", counts[i], batch_status_name((batch_status)i));
  }
  putchar('\n');
  causes_print(stdout, list);
}

// With a baseline only what got worse since then counts, not the errors that were there before.
static int judge(const baseline *before, const batch_outputs *outputs, const results *list) {
  size_t worse;
  if (!before->path) return exit_of(list);
  if (!baseline_compare(before, list, outputs->uses_standard_output ? stderr : stdout, &worse))
    return EXIT_UNREADABLE;
  return worse ? EXIT_ERRORS : EXIT_FINE;
}

static int conclude(const batch_outputs *outputs, const baseline *before, results *list,
                    const char *kept) {
  results_sort(list);
  if (!outputs_write(outputs, list)) {
    if (kept)
      fprintf(stderr, "hint: the results are in %s; `shape batch merge` writes them again\n", kept);
    return EXIT_UNREADABLE;
  }
  if (!outputs->uses_standard_output) summarise(list);
  return judge(before, outputs, list);
}

// --- the three commands

static void say_nothing_found(const char *operand) {
  shape_input_format format, next;
  fputs("shape batch: ", stderr);
  print_plain(stderr, operand);
  fputs(" has no ", stderr);
  for (uint32_t i = 0; shape_input_at(i, &format); i++) {
    bool last = !shape_input_at(i + 1, &next);
    fprintf(stderr, "%s%s", i == 0 ? "" : last ? " or " : ", ", format.ending);
  }
  fputs(" file\n", stderr);
}

static bool gather(const command_line *line, batch_paths *paths) {
  const char *from = option_value(line, "files-from");
  bool ok = !from || paths_add_from(paths, from);
  for (uint32_t i = 0; ok && i < line->operand_count; i++) {
    size_t count = paths->count;
    ok = paths_add(paths, line->operands[i]);
    if (ok && paths->count == count) say_nothing_found(line->operands[i]);
    if (!ok) fprintf(stderr, "shape batch: out of memory\n");
  }
  return ok;
}

static int run(const command_line *line, batch_options *options, const batch_outputs *outputs) {
  uint64_t k, n;
  if (!take_shard(line, &k, &n)) return EXIT_USAGE;
  bool resume = option_given(line, "resume");
  const char *path = option_value(line, "journal");
  if (resume && !path) path = "shape-batch.journal";
  batch_paths paths = {0};
  results known = {0}, done = {0};
  journal j = {.fd = -1};
  baseline before;
  int status = EXIT_UNREADABLE;
  options->kept = path || outputs->count || option_given(line, "baseline");
  options->no_times |= !options->kept;
  if (baseline_open(&before, option_value(line, "baseline"), n > 1) && gather(line, &paths) &&
      journal_open(&j, path, resume, options->digest, &known)) {
    paths_sort(&paths);
    paths_shard(&paths, k, n);
    results_sort(&known);
    results_sort_by_hash(&known);
    if (pool_run(options, &paths, &known, &j, &done)) {
      status = conclude(outputs, &before, &done, path);
    } else if (path) {
      fprintf(stderr, "hint: what is finished is kept; go on with --journal %s --resume\n", path);
    }
  }
  journal_close(&j);
  baseline_close(&before);
  results_free(&done);
  results_free(&known);
  paths_free(&paths);
  return status;
}

// merge and report: results of earlier runs, as one.
static int collect(const command_line *line, const batch_outputs *outputs) {
  if (line->operand_count < 2) {
    return usage_error(line->command, "no RESULTS are given: files of --jsonl, or journals");
  }
  results list = {0};
  baseline before;
  bool ok = baseline_open(&before, option_value(line, "baseline"), false);
  for (uint32_t i = 1; ok && i < line->operand_count; i++)
    ok = results_load(&list, line->operands[i], NULL);
  int status = EXIT_UNREADABLE;
  if (ok) {
    status = conclude(outputs, &before, &list, NULL);
    // That a zoo has invalid models is not new.
    if (!before.path && (status == EXIT_ERRORS || status == EXIT_NO_ANSWER)) status = EXIT_FINE;
  }
  baseline_close(&before);
  results_free(&list);
  return status;
}

int cmd_batch(const command_line *line) {
  const char *first = line->operand_count ? line->operands[0] : "";
  bool merge = strcmp(first, "merge") == 0, report = strcmp(first, "report") == 0;
  batch_outputs outputs;
  if (!outputs_given(line, &outputs)) return EXIT_USAGE;
  if ((merge || report) && !outputs.count && !option_given(line, "baseline")) {
    return usage_error(line->command, "%s needs an output, such as --%s", first,
                       merge ? "jsonl FILE or --db FILE" : "html FILE");
  }
  if (merge || report) return collect(line, &outputs);
  if (!line->operand_count && !option_given(line, "files-from"))
    return usage_error(line->command, "no PATH is given: models, folders or patterns");
  const char **values = calloc(2 * (size_t)line->option_count + 1, sizeof *values);
  if (!values) return EXIT_NO_ANSWER;
  batch_options options = {0};
  int status = take_options(line, values, &options) ? run(line, &options, &outputs) : EXIT_USAGE;
  free(values);
  return status;
}
