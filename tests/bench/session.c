// SPDX-License-Identifier: Apache-2.0
// What an edit of an open session costs, from the text of the request to the text of the reply, by how many operations
// depend on it, itself included. The first edits after session/open count as all others. CPU time, that of the kernel
// for fresh memory included.
//
//   session [OPS]   a program of OPS operations (100000)
//
// The program is chains of equal length. Each begins with an operation that states facts, that its two inputs agree; an
// edit makes the next one of some chain transpose what it copied, or copy what it transposed: all dims after it
// change. So edits lie before facts and after others. The ratio is that of the median edit to a fresh analysis of the
// program as it is then.
//
// In the second table each chain has two arguments of its own, so that what is assumed of a size of one
// concerns the chain alone: predicates are pushed and popped, assumed and retracted, and the operation that states the
// facts is replaced by one that states none, and put back.
//
// In the third table each chain begins with an argument whose first size is a declared symbol of its own: that is declared
// otherwise and as before, arguments come and go after those of the program, an argument and the first result of a chain
// get another type and their own, and the use of one argument becomes that of the other.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solver/emit/emitter.h"
#include "tests/support/session_host.h"
#include "tests/bench/record.h"
#include "tests/bench/spread.h"

enum { EDITS_MAX = 2000, SHARED = 64 };

typedef struct bench {
  session_host host;
  uint32_t ops, chain, chains, arguments;
  bool named;            // each chain has a declared symbol
  uint32_t argument_id;  // of the argument that was inserted
  char *program;
  size_t length, reply_bytes;
} bench;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static _Noreturn void die(const char *what) {
  fprintf(stderr, "session: %s\n", what);
  exit(1);
}

// --- requests

static void request(bench *b, const char *text, size_t length, const char *wanted) {
  const method_limits limits = {.json = {0, 200}, .steps = UINT64_MAX, .bits = 65536};
  const method_host host = session_host_make(&b->host);
  shape_arena arena, reply;
  rpc_message message;
  rpc_failure failure;
  rpc_code outcome;
  shape_strbuf out;
  arena_init(&arena, 0);
  arena_init(&reply, 0);
  strbuf_init(&out, &reply);
  if (!rpc_split(&arena, text, length, 1, NULL, &message, &failure)) die(failure.message);
  const rpc_request *r = message.requests;
  const method_row *row = method_find(r->method.text, r->method.length);
  if (!row || !method_answer(&arena, row, r, &limits, &host, NULL, &out, &outcome))
    die("no answer");
  if (outcome != RPC_OK || !strstr(strbuf_text(&out), wanted)) die(strbuf_text(&out));
  b->reply_bytes = out.length;
  const char *made = strstr(strbuf_text(&out), "\"op\": null, \"values\": [");
  if (made) b->argument_id = (uint32_t)strtoul(made + 23, NULL, 10);
  arena_destroy(&arena);
  arena_destroy(&reply);
}

// --- the program

static uint32_t first_argument(const bench *b, uint32_t chain) {
  return b->arguments == SHARED ? chain % SHARED : 2 * chain;
}

static uint32_t second_argument(const bench *b, uint32_t chain) {
  return b->arguments == SHARED ? (chain + 1) % SHARED : 2 * chain + 1;
}

static void make_program(bench *b) {
  static const char T[] = "\"tensor<?x?xf32>\"";
  char *at = b->program = malloc((size_t)b->ops * 96 + (size_t)b->chains * 320 + 4096);
  if (!at) die("out of memory");
  at += sprintf(at, "{");
  if (b->named) at += sprintf(at, "\"symbols\":[");
  for (uint32_t i = 0; b->named && i < b->chains; i++)
    at += sprintf(at, "%s{\"name\":\"N%u\"}", i ? "," : "", i);
  at += sprintf(at, "%s\"functions\":[{\"name\":\"main\",\"arguments\":[", b->named ? "]," : "");
  for (uint32_t i = 0; i < b->arguments; i++) {
    if (b->named && i % 2 == 0) {
      at += sprintf(at, "%s[\"a%u\",{\"dtype\":\"f32\",\"dims\":[\"N%u\",null]}]", i ? "," : "", i,
                    i / 2);
    } else {
      at += sprintf(at, "%s[\"a%u\",%s]", i ? "," : "", i, T);
    }
  }
  at += sprintf(at, "],\"ops\":[");
  for (uint32_t i = 0, k = 0; i < b->chains; i++) {
    for (uint32_t n = 0; n < b->chain; n++, k++) {
      if (n == 0) {
        at += sprintf(at, "[\"stablehlo.add\",[\"a%u\",\"a%u\"],[\"v%u\",%s]],",
                      first_argument(b, i), second_argument(b, i), k, T);
      } else {
        static const char *const NAMES[] = {"abs", "negate", "tanh", "exponential"};
        at += sprintf(at, "[\"stablehlo.%s\",[\"v%u\"],[\"v%u\",%s]],", NAMES[n % 4], k - 1, k, T);
      }
    }
  }
  at += sprintf(at, "[\"func.return\",[\"a0\"]]]}]}");
  b->length = (size_t)(at - b->program);
}

static void open_session(bench *b) {
  char *text = malloc(b->length + 256);
  if (!text) die("out of memory");
  int head = sprintf(text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/open\",\"params\":"
                           "{\"graph\":");
  memcpy(text + head, b->program, b->length);
  memcpy(text + head + b->length, "}}", 3);
  request(b, text, (size_t)head + b->length + 2, "\"session\": \"AAAA");
  free(text);
}

static void ignore(void *to, const char *data, size_t length) {
  (void)data;
  *(size_t *)to += length;
}

static void append(void *to, const char *data, size_t length) { strbuf_add(to, data, length); }

// A fresh analysis of the program of the session, least of three.
static double fresh(bench *b) {
  double least = 0;
  shape_arena arena;
  shape_strbuf text;
  arena_init(&arena, 0);
  strbuf_init(&text, &arena);
  shape_session_write(b->host.open[0], append, &text);
  for (int i = 0; i < 3; i++) {
    size_t bytes = 0;
    analysis_reply reply;
    const analysis_request q = {.name = "bench", .text = text.data, .length = text.length};
    double start = now();
    emit_analyze(&q, emit_as_json(NULL), ignore, &bytes, &reply);
    double took = now() - start;
    if (!i || took < least) least = took;
  }
  arena_destroy(&arena);
  return least;
}

// One edit each of `count` chains, in an order that jumps about; then the same back again.
static void edits(bench *b) {
  static double took[EDITS_MAX];
  uint32_t count = b->chains < EDITS_MAX / 2 ? 2 * b->chains : EDITS_MAX;
  if (b->chain > 1000 && count > 200) count = 200;
  char text[512];
  double first = 0, all = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t chain = (uint32_t)((uint64_t)i * 2654435761u % b->chains);
    uint32_t op = chain * b->chain + 1;
    bool turned = i >= count / 2 || b->chains == 1 ? (i & 1) : false;
    int n = snprintf(text, sizeof text,
                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/edit\",\"params\":"
                     "{\"session\":\"A\",\"edits\":[{\"replace\":%u,\"with\":[\"stablehlo.%s\","
                     "[\"a%u\"],[\"x\",\"tensor<?x?xf32>\"]%s]}]}}",
                     op, turned ? "abs" : "transpose", chain % 64,
                     turned ? "" : ",{\"permutation\":[1,0]}");
    double start = now();
    request(b, text, (size_t)n, "\"visited\"");
    took[i] = now() - start;
    all += took[i];
    if (!i) first = took[0];
  }
  shape_session_stats stats = shape_session_get_stats(b->host.open[0]);
  qsort(took, count, sizeof *took, compare_doubles);
  double whole = fresh(b), median = took[count / 2];
  printf("| %u | %u | %.3f | %.3f | %.3f | %.3f | %.0f | %llu | %.5f |\n", b->chain - 1, count,
         first * 1e3, median * 1e3, took[(size_t)(0.99 * count)] * 1e3, took[count - 1] * 1e3,
         all / (double)stats.visited * 1e9, (unsigned long long)stats.whole - 1, median / whole);
  record("{\"section\": \"session\", \"dependants\": %u, \"edits\": %u, \"first_ms\": %.4f, "
         "\"p50_ms\": "
         "%.4f, \"p99_ms\": %.4f, \"max_ms\": %.4f, \"to_fresh\": %.6f}",
         b->chain - 1, count, first * 1e3, median * 1e3, took[(size_t)(0.99 * count)] * 1e3,
         took[count - 1] * 1e3, median / whole);
  fflush(stdout);
}

// --- what is assumed, and what is stated

typedef enum fact_edit { PUSH, ASSUME, RESTATE, FACT_EDITS } fact_edit;

// There, or, with `back`, what takes it back.
static size_t fact_request(const bench *b, int kind, uint32_t chain, bool back, char *out,
                           size_t size) {
  static const char HEAD[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/%s\",\"params\":"
                             "{\"session\":\"A\"%s";
  char text[256];
  uint32_t first = first_argument(b, chain), second = second_argument(b, chain);
  if (kind == PUSH) {
    snprintf(text, sizeof text, ",\"assume\":[\"arg%u.0 == 8\"]", first);
    return (size_t)snprintf(out, size, HEAD, back ? "pop" : "push", back ? "}}" : text) +
           (back ? 0 : (size_t)snprintf(out + strlen(out), 3, "}}"));
  }
  if (kind == ASSUME) {
    snprintf(text, sizeof text, ",\"edits\":[{\"%s\":\"arg%u.0 == 8\"}]}}",
             back ? "retract" : "assume", first);
  } else if (back) {
    snprintf(text, sizeof text,
             ",\"edits\":[{\"replace\":%u,\"with\":[\"stablehlo.add\",[\"a%u\",\"a%u\"],"
             "[\"x\",\"tensor<?x?xf32>\"]]}]}}",
             chain * b->chain, first, second);
  } else {
    snprintf(text, sizeof text,
             ",\"edits\":[{\"replace\":%u,\"with\":[\"stablehlo.abs\",[\"a%u\"],"
             "[\"x\",\"tensor<?x?xf32>\"]]}]}}",
             chain * b->chain, second);
  }
  return (size_t)snprintf(out, size, HEAD, "edit", text);
}

typedef size_t request_maker(const bench *b, int kind, uint32_t chain, bool back, char *out,
                             size_t size);

static void facts(bench *b, const char *section, const char *name, request_maker *make, int kind) {
  static double took[EDITS_MAX];
  uint32_t count = b->chains < EDITS_MAX / 2 ? 2 * b->chains : EDITS_MAX;
  char text[512];
  double first = 0;
  shape_session_stats before = shape_session_get_stats(b->host.open[0]);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t chain = (uint32_t)((uint64_t)(i / 2) * 2654435761u % b->chains);
    size_t n = make(b, kind, chain, i & 1, text, sizeof text);
    double start = now();
    request(b, text, n, "\"visited\"");
    took[i] = now() - start;
    if (!i) first = took[0];
  }
  shape_session_stats after = shape_session_get_stats(b->host.open[0]);
  qsort(took, count, sizeof *took, compare_doubles);
  double all = fresh(b), median = took[count / 2];
  printf("| %s | %u | %u | %.3f | %.3f | %.3f | %.3f | %llu | %.5f |\n", name, b->chain - 1, count,
         first * 1e3, median * 1e3, took[(size_t)(0.99 * count)] * 1e3, took[count - 1] * 1e3,
         (unsigned long long)(after.whole - before.whole), median / all);
  record("{\"section\": \"%s\", \"edit\": \"%s\", \"dependants\": %u, \"edits\": %u, "
         "\"first_ms\": %.4f, \"p50_ms\": %.4f, \"p99_ms\": %.4f, \"max_ms\": %.4f, "
         "\"whole\": %llu, \"to_fresh\": %.6f}",
         section, name, b->chain - 1, count, first * 1e3, median * 1e3,
         took[(size_t)(0.99 * count)] * 1e3, took[count - 1] * 1e3,
         (unsigned long long)(after.whole - before.whole), median / all);
  fflush(stdout);
}

static void table(uint32_t ops, const char *title, const char *section, const char *const *names,
                  int kinds, request_maker *make, bool named) {
  printf("\n%s, ms\n\n"
         "| edit | dependants | edits | first | p50 | p99 | most | whole analyses | to a fresh "
         "analysis |\n|---|---|---|---|---|---|---|---|---|\n",
         title);
  for (uint32_t affected = 1; affected <= 10000 && affected < ops; affected *= 10) {
    bench b = {.ops = ops, .chain = affected + 1, .chains = ops / (affected + 1), .named = named};
    b.arguments = 2 * b.chains;
    make_program(&b);
    open_session(&b);
    for (int kind = 0; kind < kinds; kind++) facts(&b, section, names[kind], make, kind);
    session_host_end(&b.host);
    free(b.program);
  }
}

// --- what an analysis begins with

typedef enum start_edit {
  DECLARE,
  ARGUMENT,
  RETYPE_ARGUMENT,
  RETYPE_RESULT,
  REWIRE,
  START_EDITS
} start_edit;

static size_t start_request(const bench *b, int kind, uint32_t chain, bool back, char *out,
                            size_t size) {
  static const char HEAD[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/"
                             "edit\",\"params\":{\"session\":\"A\",\"edits\":[%s]}}";
  char text[256];
  uint32_t first = first_argument(b, chain), second = second_argument(b, chain);
  // Values are numbered from the arguments on, and each operation has one.
  uint32_t head = b->arguments + chain * b->chain;
  switch (kind) {
  case DECLARE:
    snprintf(text, sizeof text, "{\"symbol\":{\"name\":\"N%u\"%s}}", chain,
             back ? "" : ",\"min\":8,\"max\":64,\"divisible_by\":8");
    break;
  case ARGUMENT:
    if (back) {
      snprintf(text, sizeof text, "{\"remove_argument\":%u}", b->argument_id);
    } else {
      snprintf(text, sizeof text,
               "{\"insert_argument\":\"tensor<?x?xf32>\",\"name\":\"new\",\"%s\":%u}",
               chain % 2 ? "before" : "after", first);
    }
    break;
  case RETYPE_ARGUMENT:
    snprintf(text, sizeof text, "{\"retype\":%u,\"with\":\"tensor<?x%sxf32>\"}", second,
             back ? "?" : "8");
    break;
  case RETYPE_RESULT:
    snprintf(text, sizeof text, "{\"retype\":%u,\"with\":\"tensor<?x%sxf32>\"}", head,
             back ? "?" : "8");
    break;
  default:
    if (back) {  // the argument has two uses now
      snprintf(text, sizeof text,
               "{\"replace\":%u,\"with\":[\"stablehlo.add\",[\"a%u\",\"a%u\"],[\"x\",\"tensor<?x?"
               "xf32>\"]]}",
               chain * b->chain, first, second);
    } else {
      snprintf(text, sizeof text, "{\"rewire\":%u,\"with\":%u}", first, second);
    }
    break;
  }
  return (size_t)snprintf(out, size, HEAD, text);
}

int main(int argc, char **argv) {
  uint32_t ops = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000;
  if (ops < 10000 || ops > 10000000) die("usage: session [OPS], from 10000 to 10000000");
  printf("edits of a session of %u operations, ms\n\n"
         "| dependants | edits | first | p50 | p99 | most | ns per visit | whole analyses | to a "
         "fresh analysis "
         "|\n|---|---|---|---|---|---|---|---|---|\n",
         ops);
  for (uint32_t affected = 1; affected <= 10000 && affected < ops; affected *= 10) {
    bench b = {
        .ops = ops, .chain = affected + 1, .chains = ops / (affected + 1), .arguments = SHARED};
    make_program(&b);
    open_session(&b);
    edits(&b);
    session_host_end(&b.host);
    free(b.program);
  }
  static const char *const FACTS[FACT_EDITS] = {"push and pop", "assume and retract",
                                                "restate a fact"};
  static const char *const STARTS[START_EDITS] = {
      "declare a symbol", "insert and remove an argument", "retype an argument", "retype a result",
      "rewire"};
  table(ops, "what is assumed or stated", "session facts", FACTS, FACT_EDITS, fact_request, false);
  table(ops, "symbols, arguments and types", "session starts", STARTS, START_EDITS, start_request,
        true);
  return 0;
}
