// SPDX-License-Identifier: Apache-2.0
// How long a request that is cancelled goes on: from the moment its flag is set, at many points of its work, until the
// reply is written and its memory is free again. CPU time, so other programs of the machine move it little.
//
//   cancel_property [--points N] [--ops N] [--only TEXT] [FILE...]
//
// --points: of each request (4); --only: rows with TEXT in them. Without files it measures a program of --ops operations
// (100000, or PROPERTY_OPERATIONS), as MLIR text and as a JSON graph; ONNX is a file of yours. `rests` is the longest that no flag was read.
// The goal is 10 ms; a row fails where it is more than three times of that, where sanitizers slow things down thirty.
// The last line is `N passed, N failed`.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/methods/base64.h"
#include "proto/methods/method.h"
#include "tests/support/session_host.h"
#include "tests/support/volume.h"

#ifdef SHAPE_DEBUG
enum { POINTS_MAX = 1000, BOUND_MS = 300 };
#else
enum { POINTS_MAX = 1000, BOUND_MS = 30 };
#endif

typedef struct bench {
  session_host host;
  uint32_t ops, points, rows, late;
  const char *only;
  char label[100];
  timer_t timer;
} bench;

// What the signal handler works on; volatile and atomic, as it comes in between.
static _Thread_local method_control *volatile watched;
static _Thread_local volatile double due, fired;  // CPU time; 0: not

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void on_timer(int number) {
  (void)number;
  double t = now();
  if (!watched || due <= 0 || fired > 0 || t < due) return;
  fired = t;
  atomic_store(&watched->stop, SHAPE_CANCELLED);
}

static _Noreturn void die(const char *what) {
  fprintf(stderr, "cancel_property: %.2000s\n", what);
  exit(2);
}

// The flag is set when this thread has used that many seconds more; 0: not at all. The timer is none of CPU time: the kernel
// reads those with its clock's tick, which a thread that shares its processor may miss again and again.
static void arm(bench *b, double seconds) {
  enum { LOOK_NS = 200000 };
  struct itimerspec when = {{0}, {0}};
  due = 0;
  if (seconds > 0) {
    due = now() + seconds;
    when.it_value.tv_nsec = when.it_interval.tv_nsec = LOOK_NS;
  }
  if (timer_settime(b->timer, 0, &when, NULL)) die("no timer");
}

// --- requests

typedef struct text {
  char *data;
  size_t length, room;
} text;

static void add(text *t, const char *data, size_t length) {
  if (t->room - t->length <= length) {
    t->room = 2 * t->room + length + 256;
    t->data = realloc(t->data, t->room);
    if (!t->data) die("out of memory");
  }
  memcpy(t->data + t->length, data, length);
  t->length += length;
  t->data[t->length] = 0;
}

static void puts_to(text *t, const char *data) { add(t, data, strlen(data)); }

// Seconds of work; *rest is the part of it after the flag was set `after` seconds from the start, 0: it was not.
static double run(bench *b, const text *request, double after, double *rest) {
  const method_limits limits = {.json = {0, 200}, .steps = UINT64_MAX, .bits = 65536};
  const method_host host = session_host_make(&b->host);
  method_control control = {.stop = SHAPE_OK};
  shape_arena message_arena, arena, reply;
  rpc_message message;
  rpc_failure failure;
  rpc_code outcome;
  shape_strbuf out;
  arena_init(&message_arena, 0);
  arena_init(&arena, 0);
  arena_init(&reply, 0);
  strbuf_init(&out, &reply);
  arena.stop = &control.stop;
  if (!rpc_split(&message_arena, request->data, request->length, 1, NULL, &message, &failure))
    die(failure.message);
  const rpc_request *r = message.requests;
  const method_row *row = method_find(r->method.text, r->method.length);
  if (!row) die("no such method");
  fired = 0;
  watched = &control;
  double start = now();
  if (after > 0) arm(b, after);
  if (!method_answer(&arena, row, r, &limits, &host, &control, &out, &outcome)) die("no answer");
  arena_destroy(&arena);
  double end = now();
  watched = NULL;
  arm(b, 0);
  if (outcome != RPC_OK && outcome != RPC_CANCELLED) die(strbuf_text(&out));
  if (rest) *rest = outcome == RPC_CANCELLED ? end - fired : 0;
  arena_destroy(&reply);
  arena_destroy(&message_arena);
  return end - start;
}

static void small(bench *b, const char *method, const char *params) {
  text t = {0};
  puts_to(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"");
  puts_to(&t, method);
  puts_to(&t, "\",\"params\":");
  puts_to(&t, params);
  puts_to(&t, "}");
  run(b, &t, 0, NULL);
  free(t.data);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

// `undo` is a request that takes back what the measured one does where it was not cancelled in time; NULL: nothing.
static void measure(bench *b, const char *method, const text *params, const char *undo,
                    const char *undo_params) {
  double rests[POINTS_MAX];
  char label[200];
  uint32_t count = 0;
  snprintf(label, sizeof label, "%s, %s", method, b->label);
  if (b->only && !strstr(label, b->only)) return;
  text t = {0};
  puts_to(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"");
  puts_to(&t, method);
  puts_to(&t, "\",\"params\":{");
  add(&t, params->data, params->length);
  puts_to(&t, "}}");
  double whole = run(b, &t, 0, NULL);
  if (undo) small(b, undo, undo_params);
  enum { MORE = 5 };  // early ones, where the first run was slow and no other was caught
  for (uint32_t i = 0; i < b->points || (!count && i < b->points + MORE); i++) {
    double rest, part = i < b->points ? (i + 0.5) / b->points : 0.1 / (i - b->points + 1);
    run(b, &t, whole * part, &rest);
    if (rest > 0) {
      rests[count++] = rest;
    } else if (undo) {
      small(b, undo, undo_params);
    }
  }
  free(t.data);
  qsort(rests, count, sizeof *rests, compare);
  printf("| %-40s | %8.1f | %4u | %8.2f | %8.2f |\n", label, whole * 1e3, count,
         count ? rests[count / 2] * 1e3 : 0, count ? rests[count - 1] * 1e3 : 0);
  fflush(stdout);
  b->rows++;
  if (!count || rests[count - 1] * 1e3 > BOUND_MS) b->late++;
}

// --- programs

static void add_string(text *t, const char *data, size_t length) {
  puts_to(t, "\"");
  for (size_t from = 0, i = 0; i <= length; i++) {
    bool plain = i < length && data[i] != '"' && data[i] != '\\' && (unsigned char)data[i] >= ' ';
    if (plain) continue;
    add(t, data + from, i - from);
    from = i + 1;
    char escape[8];
    if (i < length)
      add(t, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)data[i]));
  }
  puts_to(t, "\"");
}

static bool is_onnx(const char *data) { return *data == 8; }  // the tag of its version

static text as_params(const char *data, size_t length) {
  text t = {0};
  size_t blank = strspn(data, " \t\r\n");
  if (data[blank] == '{') {
    puts_to(&t, "\"graph\":");
    add(&t, data, length);
  } else if (is_onnx(data)) {
    char *coded = malloc(length / 3 * 4 + 8);
    if (!coded) die("out of memory");
    puts_to(&t, "\"blob\":\"");
    add(&t, coded, base64_encode(data, length, coded));
    puts_to(&t, "\"");
    free(coded);
  } else {
    puts_to(&t, "\"text\":");
    add_string(&t, data, length);
  }
  return t;
}

static text with(const text *program, const char *more) {
  text t = {0};
  add(&t, program->data, program->length);
  puts_to(&t, more);
  return t;
}

// Each with the whole program as its parameter, and those that go on in a session that has it.
static void measure_program(bench *b, const char *data, size_t length, bool session) {
  static const char A[] = "{\"session\":\"A\"}";
  text program = as_params(data, length);
  text that = with(&program, ",\"options\":{\"that\":\"S0 >= 1\"}"), two = {0};
  text emit = with(&program, ",\"options\":{\"emit\":\"json\"}");
  puts_to(&two, "\"old\":{");
  add(&two, program.data, program.length);
  puts_to(&two, "},\"new\":{");
  add(&two, program.data, program.length);
  puts_to(&two, "}");
  measure(b, "analyze", &program, NULL, NULL);
  measure(b, "refine", &emit, NULL, NULL);
  measure(b, "explain", &that, NULL, NULL);
  measure(b, "diff", &two, NULL, NULL);
  if (session) {
    text of = {0}, push = {0}, edit = {0};
    puts_to(&of, "\"session\":\"A\"");
    puts_to(&push, "\"session\":\"A\",\"assume\":[\"arg0.0 == 3\"]");
    puts_to(&edit, "\"session\":\"A\",\"edits\":[{\"assume\":\"arg0.0 == 3\"}]");
    measure(b, "session/open", &program, "session/close", A);
    text open = {0};
    puts_to(&open, "{");
    add(&open, program.data, program.length);
    puts_to(&open, "}");
    small(b, "session/open", open.data);
    measure(b, "session/push", &push, "session/pop", A);
    measure(b, "session/edit", &edit, "session/edit",
            "{\"session\":\"A\",\"edits\":[{\"retract\":\"arg0.0 == 3\"}]}");
    measure(b, "session/analyze", &of, NULL, NULL);
    session_host_end(&b->host);
    free(of.data), free(push.data), free(edit.data), free(open.data);
  }
  free(program.data), free(that.data), free(emit.data), free(two.data);
}

// Chains of four operations: sums that state facts, products of matrices, what needs none.
static text make_mlir(uint32_t ops) {
  text t = {0};
  char line[200];
  static const char T[] = "tensor<?x?xf32>";
  puts_to(&t, "func.func @main(");
  for (int i = 0; i < 64; i++)
    add(&t, line, (size_t)sprintf(line, "%s%%a%d: %s", i ? ", " : "", i, T));
  puts_to(&t, ") -> tensor<?x?xf32> {\n");
  for (uint32_t i = 0; i < ops; i++) {
    int n = i % 4 == 0 ? sprintf(line, "  %%v%u = stablehlo.add %%a%u, %%a%u : %s\n", i, i / 4 % 64,
                                 (i / 4 + 1) % 64, T)
                       : sprintf(line, "  %%v%u = stablehlo.tanh %%v%u : %s\n", i, i - 1, T);
    add(&t, line, (size_t)n);
  }
  puts_to(&t, "  return %v0 : tensor<?x?xf32>\n}\n");
  return t;
}

static text make_json(uint32_t ops) {
  text t = {0};
  char line[200];
  static const char T[] = "\"tensor<?x?xf32>\"";
  puts_to(&t, "{\"functions\":[{\"name\":\"main\",\"arguments\":[");
  for (int i = 0; i < 64; i++)
    add(&t, line, (size_t)sprintf(line, "%s[\"a%d\",%s]", i ? "," : "", i, T));
  puts_to(&t, "],\"ops\":[");
  for (uint32_t i = 0; i < ops; i++) {
    int n = i % 4 == 0 ? sprintf(line, "[\"stablehlo.add\",[\"a%u\",\"a%u\"],[\"v%u\",%s]],",
                                 i / 4 % 64, (i / 4 + 1) % 64, i, T)
                       : sprintf(line, "[\"stablehlo.tanh\",[\"v%u\"],[\"v%u\",%s]],", i - 1, i, T);
    add(&t, line, (size_t)n);
  }
  puts_to(&t, "[\"func.return\",[\"v0\"]]]}]}");
  return t;
}

static text read_file(const char *path) {
  text t = {0};
  char part[1 << 16];
  size_t n;
  FILE *in = fopen(path, "rb");
  if (!in) die("a file cannot be read");
  while ((n = fread(part, 1, sizeof part, in)) > 0) add(&t, part, n);
  fclose(in);
  return t;
}

static void measure_text(bench *b, const char *label, text t) {
  snprintf(b->label, sizeof b->label, "%s", label);
  if (!t.length) die("it is empty");
  measure_program(b, t.data, t.length, !is_onnx(t.data));
  free(t.data);
}

static void measure_queries(bench *b) {
  text t = {0};
  char item[200];
  snprintf(b->label, sizeof b->label, "hard queries");
  puts_to(&t, "\"symbols\":{\"a\":{},\"b\":{},\"c\":{},\"d\":{},\"e\":{},\"f\":{},\"g\":{},\"h\":{}"
              "},\"assume\":[");
  for (int i = 1; i <= 30; i++) {
    add(&t, item,
        (size_t)sprintf(item,
                        "%s\"mod(a*%d + b*%d + c*%d + d*%d + e, %d) <= floordiv(f*%d + g, %d)\"",
                        i > 1 ? "," : "", i, i * i, i * 7 % 13, i * 5 % 11, i + 50, i, i + 3));
  }
  puts_to(&t, "],\"queries\":[");
  for (int i = 0; i < 20; i++)
    add(&t, item,
        (size_t)sprintf(item, "%s{\"query\":\"a + b + c <= f*g + h + %d\"}", i ? "," : "", i));
  puts_to(&t, "]");
  measure(b, "query", &t, NULL, NULL);
  free(t.data);
}

static uint32_t number(const char *digits, uint32_t least, uint32_t most) {
  unsigned long value = digits ? strtoul(digits, NULL, 10) : 0;
  if (value < least || value > most)
    die("usage: cancel_property [--points N] [--ops N] [--only TEXT] [FILE...]");
  return (uint32_t)value;
}

int main(int argc, char **argv) {
  bench b = {.ops = (uint32_t)volume_setting("PROPERTY_OPERATIONS", 100000), .points = 4};
  int i = 1;
  for (; i < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
    if (!strcmp(argv[i], "--points")) {
      b.points = number(argv[i + 1], 1, POINTS_MAX);
    } else if (!strcmp(argv[i], "--ops")) {
      b.ops = number(argv[i + 1], 1, 10000000);
    } else {
      number(strcmp(argv[i], "--only") ? NULL : "1", 1, 1);
      b.only = argv[i + 1];
    }
  }
  struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  sigaction(SIGALRM, &action, NULL);
  if (timer_create(CLOCK_MONOTONIC, &event, &b.timer)) die("no timer");
  printf("| %-40s | whole ms | runs | median ms | rests ms |\n|---|---|---|---|---|\n", "request");
  if (i == argc) {
    measure_text(&b, "MLIR", make_mlir(b.ops));
    measure_text(&b, "JSON", make_json(b.ops));
    measure_queries(&b);
  }
  for (; i < argc; i++) {
    const char *slash = strrchr(argv[i], '/');
    measure_text(&b, slash ? slash + 1 : argv[i], read_file(argv[i]));
  }
  printf("%u passed, %u failed\n", b.rows - b.late, b.late);
  return b.late != 0;
}
