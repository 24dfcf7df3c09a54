// SPDX-License-Identifier: Apache-2.0
// The analysis of ONNX models inside one process, without start-up: CPU time of reading a model's bytes to the last byte
// of its JSON answer, the least of several runs, for each model and the median over all.
//
//   onnx_zoo MODEL.onnx...   none: says so and measures nothing
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clients/cli/input.h"
#include "proto/methods/analyze.h"

enum { RUNS = 9 };

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void to_nowhere(void *to, const char *data, size_t length) {
  (void)data;
  *(size_t *)to += length;
}

static double measure(const input *in, size_t *written) {
  analyze_request request = {.name = in->name, .text = in->text, .length = in->length};
  request.output = ANALYZE_JSON;
  double least = 1e300;
  for (unsigned run = 0; run < RUNS; run++) {
    analyze_reply reply;
    *written = 0;
    double begin = now_ms();
    analyze(&request, to_nowhere, written, &reply);
    double spent = now_ms() - begin;
    if (spent < least) least = spent;
    if (spent > 1000) break;  // one run says enough of a slow model
  }
  return least;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  double *times = calloc((size_t)argc, sizeof *times), sum = 0;
  size_t count = 0;
  if (!times) return 1;
  for (int i = 1; i < argc; i++) {
    input in;
    size_t written;
    if (!input_read(argv[i], &in)) continue;
    times[count] = measure(&in, &written);
    printf("%10.3f ms  %9zu bytes of answer  %s\n", times[count], written, argv[i]);
    sum += times[count++];
    input_free(&in);
  }
  if (count) {
    qsort(times, count, sizeof *times, by_value);
    printf("%zu models: median %.3f ms, mean %.3f ms, worst %.3f ms\n", count, times[count / 2],
           sum / (double)count, times[count - 1]);
  } else {
    printf("no models are given\n");
  }
  free(times);
  return 0;
}
