// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // struct winsize
#include "clients/cli/batch/progress.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_EVERY 0.1  // seconds, on a terminal
#define LINE_EVERY   5.0  // seconds, elsewhere

double progress_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_begin(progress *p, size_t total, bool quiet) {
  const char *kind = getenv("TERM");
  *p = (progress){.total = total, .begin = progress_now(), .quiet = quiet, .width = 80};
  p->shown = p->begin;
  p->terminal = isatty(STDERR_FILENO) && kind && strcmp(kind, "dumb") != 0;
  struct winsize size;
  if (p->terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
    p->width = size.ws_col;
}

static void put_time(char *out, size_t size, double seconds) {
  unsigned long s = seconds < 0 ? 0 : (unsigned long)(seconds + 0.5);
  if (s < 60) {
    snprintf(out, size, "%lu s", s);
  } else if (s < 3600) {
    snprintf(out, size, "%lu:%02lu min", s / 60, s % 60);
  } else {
    snprintf(out, size, "%lu:%02lu h", s / 3600, s / 60 % 60);
  }
}

static void draw_bar(const progress *p, const char *text) {
  size_t room = p->width - 1, used = strlen(text) + 3;
  size_t bar = room > used ? room - used : 0;
  if (bar > 40) bar = 40;
  size_t full = p->total ? bar * p->done / p->total : bar;
  fprintf(stderr, "\r");
  if (bar >= 5) {
    fputc('[', stderr);
    for (size_t i = 0; i < bar; i++) fputc(i < full ? '#' : '.', stderr);
    fputs("] ", stderr);
  }
  fprintf(stderr, "%.*s\033[K", (int)room, text);
}

static void show(progress *p, double now, bool last) {
  double spent = now - p->begin, rate = spent > 0 ? (double)p->done / spent : 0;
  char left[32], text[160];
  put_time(left, sizeof left, last ? spent : rate > 0 ? (double)(p->total - p->done) / rate : 0);
  int n = snprintf(text, sizeof text, "%zu of %zu, %.0f a second, %s %s", p->done, p->total, rate,
                   left, last ? "in all" : "left");
  if (p->not_ok) snprintf(text + n, sizeof text - (size_t)n, ", %zu not ok", p->not_ok);
  if (p->terminal) {
    draw_bar(p, text);
    if (last) fputc('\n', stderr);
  } else {
    fprintf(stderr, "shape batch: %s\n", text);
  }
  fflush(stderr);
  p->shown = now;
  p->said = p->done;
  p->drawn = true;
}

void progress_step(progress *p, bool failed) {
  p->done++;
  p->not_ok += failed;
}

void progress_draw(progress *p) {
  if (p->quiet || p->done == p->said) return;
  double now = progress_now();
  if (now - p->shown >= (p->terminal ? REDRAW_EVERY : LINE_EVERY)) show(p, now, false);
}

void progress_end(progress *p) {
  if (!p->quiet && (p->terminal || p->drawn)) show(p, progress_now(), true);
}
