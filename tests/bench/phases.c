// SPDX-License-Identifier: Apache-2.0
// Where the time of one analysis goes: read, parse, build, solve, report and write, in ns per operation.
//
//   phases FILE...           MLIR text or a graph as JSON; none: what gen_program.py writes, in three dims
//   phases --graph OUT FILE  writes the program to OUT as a JSON graph, and measures nothing
//
// MLIR is parsed and built in one pass, which counts as `build`; of JSON validation is `parse`. Each figure is the least
// of several runs, in CPU time. `cJSON` is what cJSON needs for a tree of the same program as a graph, with an
// allocator that only moves a pointer: the floor that the README of this folder compares with. A JSON line per file
// follows its row.
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solver/emit/encode.h"
#include "solver/formats/json/decode.h"
#include "solver/formats/json/encode.h"
#include "solver/formats/json/validate.h"
#include "solver/formats/mlir/mlir.h"
#include "tests/bench/record.h"

typedef enum phase { READ, PARSE, BUILD, SOLVE, REPORT, WRITE, PHASES } phase;

static const char *const NAMES[PHASES] = {"read", "parse", "build", "solve", "report", "write"};

typedef struct job {
  const char *text;
  size_t length;
  shape_arena arena;
  shape_budget budget;
  shape_graph graph;
  double at, spent[PHASES];
  size_t written;
} job;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void lap(job *j, phase p) {
  double t = now();
  j->spent[p] = t - j->at;
  j->at = t;
}

static void to_nowhere(void *to, const char *data, size_t length) {
  (void)data;
  *(size_t *)to += length;
}

static bool is_json(const job *j) {
  size_t blank = strspn(j->text, " \t\r\n");
  return j->text[blank] == '{';
}

static void build(job *j) {
  bool json = is_json(j);
  graph_init(&j->graph, &j->arena, json ? GRAPH_JSON : GRAPH_MLIR, j->text, j->length);
  if (json) {
    const char *clean;
    size_t length;
    json_error error;
    if (!json_validate(&j->arena, NULL, j->text, j->length, &clean, &length, &error)) {
      fprintf(stderr, "phases: %s\n", error.message);
      exit(1);
    }
  }
  lap(j, PARSE);
  if (json) {
    graph_json_decode(&j->graph, &j->budget);
  } else {
    mlir_read(&j->graph);
  }
  lap(j, BUILD);
}

static void analysis_body(void *data) {
  job *j = data;
  budget_init(&j->budget, &j->arena, 2000000000, NULL);
  build(j);
  infer_result *infer = j->graph.diags.errors ? NULL : infer_run(&j->graph, &j->budget, NULL);
  lap(j, SOLVE);
  shape_report *report = report_make(&j->graph, infer, &j->budget);
  lap(j, REPORT);
  shape_strbuf out;
  json_writer writer;
  strbuf_init_sink(&out, &j->arena, to_nowhere, &j->written);
  json_writer_init(&writer, &out);
  report_encode_with(report, NULL, NULL, &writer);
  strbuf_flush(&out);
  lap(j, WRITE);
}

// The bytes of a stream, with a NUL after them.
static char *read_all(FILE *in, size_t *length) {
  size_t room = 1 << 16, used = 0, n;
  char *text = malloc(room);
  while (text && (n = fread(text + used, 1, room - used - 1, in)) > 0) {
    used += n;
    if (room - used < 2) text = realloc(text, room *= 2);
  }
  if (!text) abort();
  text[used] = 0;
  *length = used;
  return text;
}

static char *read_file(const char *path, size_t *length) {
  FILE *in = fopen(path, "rb");
  if (!in) {
    perror(path);
    exit(3);
  }
  char *text = read_all(in, length);
  fclose(in);
  return text;
}

static void run(job *j, void (*body)(void *)) {
  arena_init(&j->arena, 0);
  j->at = now();
  if (arena_protect(&j->arena, body, j) != SHAPE_OK) {
    fprintf(stderr, "phases: out of memory or budget\n");
    exit(4);
  }
}

// --- the peer. cJSON's hooks take no data, so the allocator is kept in a variable of this file's, of this thread.

typedef struct pool {
  char *block;
  size_t used, size;
} pool;

static pool *cjson_pool(void) {
  static _Thread_local pool p;
  return &p;
}

static void *take(size_t bytes) {
  pool *p = cjson_pool();
  bytes = (bytes + 15) & ~(size_t)15;
  if (bytes > p->size - p->used) return NULL;
  p->used += bytes;
  return p->block + p->used - bytes;
}

static void keep(void *block) { (void)block; }

static void graph_body(void *data) {
  job *j = data;
  budget_init(&j->budget, &j->arena, 2000000000, NULL);
  build(j);
}

static shape_strbuf as_graph(job *j) {
  shape_strbuf out;
  run(j, graph_body);
  strbuf_init(&out, &j->arena);
  graph_json_encode(&j->graph, &out);
  strbuf_text(&out);
  return out;
}

// Seconds of one parse, into memory that the system has not handed out yet, as in a process that parses once.
static double peer_once(const char *text, size_t length) {
  pool *p = cjson_pool();
  cJSON_Hooks hooks = {take, keep};
  cJSON_InitHooks(&hooks);
  *p = (pool){.size = 60 * length + 65536};
  p->block = malloc(p->size);
  if (!p->block) abort();
  double begin = now();
  cJSON *tree = cJSON_ParseWithLength(text, length);
  double spent = now() - begin;
  free(p->block);
  return tree ? spent : 0;
}

// --- output

static void measure(const char *name, char *text, size_t length, double reading) {
  job best = {0};
  double total = 1e9, peer = 1e9;
  int runs = length > 2000000 ? 7 : 31;
  for (int i = 0; i < runs; i++) {
    job j = {.text = text, .length = length};
    run(&j, analysis_body);
    double sum = 0;
    for (phase p = PARSE; p < PHASES; p++) sum += j.spent[p];
    if (sum < total) {
      total = sum;
      best = j;
    }
    arena_destroy(&j.arena);
  }
  best.spent[READ] = reading;
  job again = {.text = text, .length = length};
  shape_strbuf graph = as_graph(&again);
  for (int i = 0; i < runs; i++) {
    double spent = peer_once(graph.data, graph.length);
    if (spent < peer) peer = spent;
  }
  double ops = best.graph.op_count ? best.graph.op_count : 1;
  printf("%-16s %8.0f", name, ops);
  for (phase p = READ; p < PHASES; p++) printf(" %7.0f", best.spent[p] * 1e9 / ops);
  printf(" %8.0f %8.0f %8.2f\n", (reading + total) * 1e9 / ops, (double)best.arena.peak / ops,
         (reading + total) / peer);
  const double *t = best.spent;
  record("{\"section\": \"phases\", \"file\": \"%s\", \"ops\": %.0f, \"bytes_per_op\": %.1f, "
         "\"cjson_ns\": %.1f, \"read_ns\": %.1f, \"parse_ns\": %.1f, "
         "\"build_ns\": %.1f, \"solve_ns\": %.1f, \"report_ns\": %.1f, \"write_ns\": %.1f}",
         name, ops, (double)best.arena.peak / ops, peer * 1e9 / ops, t[READ] * 1e9 / ops,
         t[PARSE] * 1e9 / ops, t[BUILD] * 1e9 / ops, t[SOLVE] * 1e9 / ops, t[REPORT] * 1e9 / ops,
         t[WRITE] * 1e9 / ops);
  arena_destroy(&again.arena);
  free(text);
}

static int write_graph(const char *to, const char *from) {
  job j = {0};
  char *text = read_file(from, &j.length);
  j.text = text;
  shape_strbuf graph = as_graph(&j);
  FILE *out = fopen(to, "wb");
  bool good = out && fwrite(graph.data, 1, graph.length, out) == graph.length;
  if (!out || fclose(out) != 0 || !good) {
    perror(to);
    return 3;
  }
  arena_destroy(&j.arena);
  free(text);
  return 0;
}

static void measure_generated(unsigned ops) {
  char command[80], name[32];
  size_t length;
  snprintf(command, sizeof command, "python3 tests/bench/gen_program.py --ops %u 2>/dev/null", ops);
  snprintf(name, sizeof name, "blocks %u", ops);
  FILE *in = popen(command, "r");
  if (!in) abort();
  char *text = read_all(in, &length);
  pclose(in);
  if (!length) return;
  job j = {.text = text, .length = length};
  shape_strbuf graph = as_graph(&j);
  char *copy = malloc(graph.length + 1);
  if (!copy) abort();
  memcpy(copy, graph.data, graph.length);
  copy[graph.length] = 0;
  length = graph.length;
  arena_destroy(&j.arena);
  measure(name, text, strlen(text), 0);
  snprintf(name, sizeof name, "json %u", ops);
  measure(name, copy, length, 0);
}

int main(int count, char **arguments) {
  if (count == 4 && strcmp(arguments[1], "--graph") == 0) {
    return write_graph(arguments[2], arguments[3]);
  }
  printf("%-16s %8s", "ns per operation", "ops");
  for (phase p = READ; p < PHASES; p++) printf(" %7s", NAMES[p]);
  printf(" %8s %8s %8s\n", "all", "bytes/op", "to cJSON");
  for (int i = 1; i < count; i++) {
    size_t length;
    double begin = now();
    char *text = read_file(arguments[i], &length);
    const char *slash = strrchr(arguments[i], '/');
    measure(slash ? slash + 1 : arguments[i], text, length, now() - begin);
  }
  for (unsigned ops = 1000; count == 1 && ops <= 100000; ops *= 10) measure_generated(ops);
  return 0;
}
