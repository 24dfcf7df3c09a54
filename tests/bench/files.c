// SPDX-License-Identifier: Apache-2.0
// The analysis of files inside one process, without start-up, from a file's bytes to the last byte of its JSON answer:
// what each takes alone, the median over all, and the rate of one thread and of two that share nothing.
//
//   files FILE...         MLIR, ONNX or JSON graphs
//   files --total FILE... without a line for each
//   files                 programs of 1,000 operations of tests/bench/gen_program.py
//
// A thread of its own for each core, or the second thread's rate says nothing. Wall time there, CPU time elsewhere.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clients/cli/input.h"
#include "solver/emit/emitter.h"
#include "tests/bench/record.h"

enum { RUNS = 9, ROUNDS = 5 };
static const double ROUND_SECONDS = 0.4;

typedef struct bench {
  input *files;
  size_t count;
} bench;

typedef struct lane {
  pthread_t thread;
  const bench *bench;
  double end;  // of the round, seconds of the monotonic clock
  uint64_t done;
} lane;

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void to_nowhere(void *to, const char *data, size_t length) {
  (void)data;
  *(size_t *)to += length;
}

static size_t analyse_once(const input *in) {
  analysis_request request = {.name = in->name, .text = in->text, .length = in->length};
  analysis_reply reply;
  size_t written = 0;
  emit_analyze(&request, emit_as_json(NULL), to_nowhere, &written, &reply);
  return written;
}

// Seconds: the least of several runs.
static double measure(const input *in, size_t *written) {
  double least = 1e300;
  for (unsigned run = 0; run < RUNS; run++) {
    double begin = now(CLOCK_PROCESS_CPUTIME_ID);
    *written = analyse_once(in);
    double spent = now(CLOCK_PROCESS_CPUTIME_ID) - begin;
    if (spent < least) least = spent;
    if (spent > 1) break;  // one run says enough of a slow file
  }
  return least;
}

// --- threads

static void *lane_run(void *data) {
  lane *l = data;
  for (size_t i = 0; now(CLOCK_MONOTONIC) < l->end; i = (i + 1) % l->bench->count) {
    analyse_once(&l->bench->files[i]);
    l->done++;
  }
  return NULL;
}

// Analyses per second of that many threads.
static double rate_of(const bench *b, unsigned threads) {
  lane lanes[2];
  double begin = now(CLOCK_MONOTONIC);
  uint64_t done = 0;
  for (unsigned i = 0; i < threads; i++) {
    lanes[i] = (lane){.bench = b, .end = begin + ROUND_SECONDS};
    if (pthread_create(&lanes[i].thread, NULL, lane_run, &lanes[i]) != 0) abort();
  }
  for (unsigned i = 0; i < threads; i++) {
    pthread_join(lanes[i].thread, NULL);
    done += lanes[i].done;
  }
  return (double)done / (now(CLOCK_MONOTONIC) - begin);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure_threads(const bench *b) {
  double one[ROUNDS], two[ROUNDS], ratio[ROUNDS];
  for (unsigned i = 0; i < ROUNDS; i++) {
    one[i] = rate_of(b, 1);
    two[i] = rate_of(b, 2);
    ratio[i] = two[i] / one[i];
  }
  qsort(one, ROUNDS, sizeof *one, by_value);
  qsort(two, ROUNDS, sizeof *two, by_value);
  qsort(ratio, ROUNDS, sizeof *ratio, by_value);
  printf("analyses per second: %.0f on one thread, %.0f on two, %.2f times (goal 1.8)\n",
         one[ROUNDS / 2], two[ROUNDS / 2], ratio[ROUNDS / 2]);
  record("{\"section\": \"threads\", \"one\": %.0f, \"two\": %.0f, \"ratio\": %.3f}",
         one[ROUNDS / 2], two[ROUNDS / 2], ratio[ROUNDS / 2]);
}

// --- one after the other

static void measure_files(const bench *b, bool total) {
  double *times = calloc(b->count, sizeof *times), sum = 0;
  if (!times) abort();
  for (size_t i = 0; i < b->count; i++) {
    size_t written;
    times[i] = measure(&b->files[i], &written);
    sum += times[i];
    if (total) continue;
    printf("%10.3f ms  %9zu bytes of answer  %s\n", times[i] * 1e3, written, b->files[i].name);
  }
  qsort(times, b->count, sizeof *times, by_value);
  double median = times[b->count / 2] * 1e6, mean = sum / (double)b->count * 1e6,
         most = times[b->count - 1] * 1e6;
  printf("%zu files: median %.1f us, mean %.1f us, most %.1f us\n", b->count, median, mean, most);
  record("{\"section\": \"files\", \"files\": %zu, \"median_us\": %.1f, \"mean_us\": %.1f, "
         "\"max_us\": %.1f}",
         b->count, median, mean, most);
  free(times);
}

static bool read_generated(input *in) {
  char path[] = "/tmp/shape-bench.XXXXXX", command[120];
  int fd = mkstemp(path);
  if (fd < 0) return false;
  snprintf(command, sizeof command,
           "python3 tests/bench/gen_program.py --ops 1000 >&%d 2>/dev/null", fd);
  bool good = system(command) == 0 && input_read(path, in);
  remove(path);
  in->name = "blocks of gen_program.py";
  return good;
}

int main(int argc, char **argv) {
  bool total = argc > 1 && strcmp(argv[1], "--total") == 0;
  bench b = {.files = calloc((size_t)argc, sizeof *b.files)};
  if (!b.files) return 1;
  for (int i = total ? 2 : 1; i < argc; i++) b.count += input_read(argv[i], &b.files[b.count]);
  if (argc == 1) b.count += read_generated(&b.files[0]);
  if (!b.count) {
    fprintf(stderr, "files: nothing to measure: none of the files can be read\n");
    return 3;
  }
  measure_files(&b, total);
  measure_threads(&b);
  for (size_t i = 0; i < b.count; i++) input_free(&b.files[i]);
  free(b.files);
  return 0;
}
