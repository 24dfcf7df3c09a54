// SPDX-License-Identifier: Apache-2.0
// Counters, gauges and histograms. Only the loop touches them, so they need no locks.
//
// The histogram of a method holds the time from the arrival of its requests to their answers, that of the queue the time
// that requests waited for a worker. Bucket i counts times below 2^i microseconds, the last one all above: 28 buckets
// reach from a microsecond to over a minute, and a quantile is off by a factor of two at most.
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include "proto/methods/method.h"

enum { METRICS_BUCKETS = 28 };

typedef struct metrics_histogram {
  uint64_t count, micros;  // of all times; their sum
  uint64_t buckets[METRICS_BUCKETS];
} metrics_histogram;

typedef struct method_metrics {
  metrics_histogram times;
  uint64_t failed, micros_max;
} method_metrics;

typedef struct server_metrics {
#define X(field, kind, name, help) uint64_t field;
#include "server/metrics.def"
#undef X
  method_metrics methods[METHOD_COUNT];
  metrics_histogram waits;
  uint64_t
      errors[RPC_CODE_COUNT];  // replies that are errors, also of messages that are not requests
} server_metrics;

void metrics_answer(server_metrics *m, const method_row *row, rpc_code outcome,
                    uint64_t nanoseconds);
void metrics_time(metrics_histogram *h, uint64_t nanoseconds);
// Upper end of the bucket in which the share of answers is reached, in microseconds; 0: there were none.
uint64_t metrics_quantile(const metrics_histogram *h, double share);
uint64_t metrics_memory(void);  // resident bytes of the process; 0: not known
uint64_t metrics_heap(void);    // bytes that malloc has given and not got back; 0: not known
// The text format 0.0.4 of Prometheus. O(methods * buckets).
void metrics_write(const server_metrics *m, shape_strbuf *out);

#endif
