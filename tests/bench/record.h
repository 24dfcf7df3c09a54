// SPDX-License-Identifier: Apache-2.0
// Measurements for machines: tables go to standard output, the same figures as JSON lines to the end of the file that
// BENCH_JSON names, if it is set.
#ifndef TESTS_BENCH_RECORD_H
#define TESTS_BENCH_RECORD_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Writes one line: a JSON object.
__attribute__((format(printf, 1, 2))) static inline void record(const char *format, ...) {
  const char *path = getenv("BENCH_JSON");
  FILE *out = path && *path ? fopen(path, "a") : NULL;
  if (!out) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(out, format, arguments);
  va_end(arguments);
  fputc('\n', out);
  fclose(out);
}

#endif
