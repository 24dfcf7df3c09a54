// SPDX-License-Identifier: Apache-2.0
#include "server/metrics.h"

#include <assert.h>
#include <stdio.h>
#include <uv.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void metrics_time(metrics_histogram *h, uint64_t nanoseconds) {
  uint64_t micros = nanoseconds / 1000;
  unsigned bucket = 0;
  while (bucket < METRICS_BUCKETS - 1 && micros >> bucket) bucket++;
  h->count++;
  h->micros += micros;
  h->buckets[bucket]++;
}

void metrics_answer(server_metrics *m, const method_row *row, rpc_code outcome,
                    uint64_t nanoseconds) {
  assert((size_t)outcome < sizeof m->errors / sizeof *m->errors);
  if (outcome != RPC_OK) m->errors[outcome]++;
  if (!row) return;
  assert(method_index(row) < METHOD_COUNT);
  method_metrics *method = &m->methods[method_index(row)];
  metrics_time(&method->times, nanoseconds);
  method->failed += outcome != RPC_OK;
  if (nanoseconds / 1000 > method->micros_max) method->micros_max = nanoseconds / 1000;
}

uint64_t metrics_quantile(const metrics_histogram *h, double share) {
  uint64_t want = (uint64_t)(share * (double)h->count), seen = 0;
  if (!h->count) return 0;
  for (unsigned i = 0; i < METRICS_BUCKETS; i++) {
    seen += h->buckets[i];
    if (seen > want || seen == h->count) return (uint64_t)1 << i;
  }
  return (uint64_t)1 << (METRICS_BUCKETS - 1);
}

uint64_t metrics_memory(void) {
  size_t bytes;
  return uv_resident_set_memory(&bytes) == 0 ? bytes : 0;
}

uint64_t metrics_heap(void) {
#ifdef __GLIBC__
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

// --- the page

static void head(shape_strbuf *out, const char *name, const char *kind, const char *help) {
  strbuf_printf(out, "# HELP shaped_%s %s\n# TYPE shaped_%s %s\n", name, help, name, kind);
}

static void plain(shape_strbuf *out, const char *name, const char *kind, const char *help,
                  uint64_t value) {
  head(out, name, kind, help);
  strbuf_printf(out, "shaped_%s %llu\n", name, (unsigned long long)value);
}

static void seconds(shape_strbuf *out, uint64_t micros) {
  strbuf_printf(out, "%llu.%06llu", (unsigned long long)(micros / 1000000),
                (unsigned long long)(micros % 1000000));
}

// label: `method="analyze"`, or empty.
static void histogram(shape_strbuf *out, const char *name, const char *label,
                      const metrics_histogram *h) {
  uint64_t below = 0;
  const char *comma = *label ? "," : "";
  for (unsigned i = 0; i < METRICS_BUCKETS - 1; i++) {
    below += h->buckets[i];
    strbuf_printf(out, "shaped_%s_bucket{%s%sle=\"", name, label, comma);
    seconds(out, (uint64_t)1 << i);
    strbuf_printf(out, "\"} %llu\n", (unsigned long long)below);
  }
  const char *open = *label ? "{" : "", *close = *label ? "}" : "";
  strbuf_printf(out, "shaped_%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, label, comma,
                (unsigned long long)h->count);
  strbuf_printf(out, "shaped_%s_sum%s%s%s ", name, open, label, close);
  seconds(out, h->micros);
  strbuf_printf(out, "\nshaped_%s_count%s%s%s %llu\n", name, open, label, close,
                (unsigned long long)h->count);
}

void metrics_write(const server_metrics *m, shape_strbuf *out) {
#define X(field, kind, name, help) plain(out, name, #kind, help, m->field);
#include "server/metrics.def"
#undef X
  char code[48], label[96];
  head(out, "errors_total", "counter", "Replies that are errors, by data.code.");
  for (unsigned i = 1; i < RPC_CODE_COUNT; i++) {
    strbuf_printf(out, "shaped_errors_total{code=\"%s\"} %llu\n", rpc_code_name((rpc_code)i, code),
                  (unsigned long long)m->errors[i]);
  }
  head(out, "failed_requests_total", "counter", "Requests answered with an error, by method.");
  for (uint32_t i = 0; i < METHOD_COUNT; i++) {
    strbuf_printf(out, "shaped_failed_requests_total{method=\"%s\"} %llu\n", method_at(i)->name,
                  (unsigned long long)m->methods[i].failed);
  }
  head(out, "request_seconds", "histogram", "From the arrival of a request to its answer.");
  for (uint32_t i = 0; i < METHOD_COUNT; i++) {
    snprintf(label, sizeof label, "method=\"%s\"", method_at(i)->name);
    histogram(out, "request_seconds", label, &m->methods[i].times);
  }
  head(out, "queue_seconds", "histogram", "What requests waited for a worker.");
  histogram(out, "queue_seconds", "", &m->waits);
}
