// SPDX-License-Identifier: Apache-2.0
// Counters and gauges. Only the loop touches them, so they need no locks.
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include "proto/methods/method.h"

enum {
  METRICS_BUCKETS = 28
};  // of latency: bucket i counts answers below 2^i microseconds, the last one all above

typedef struct method_metrics {
  uint64_t answered, failed, micros, micros_most;
  uint64_t buckets[METRICS_BUCKETS];
} method_metrics;

typedef struct server_metrics {
  method_metrics methods[METHOD_COUNT];
  uint64_t errors[RPC_CODE_COUNT];  // replies that are errors, of messages that are no requests too
  uint64_t connections_accepted, connections_refused, connections_cut;
  uint64_t messages, bytes_in, bytes_out, notifications;
  uint64_t connections, in_flight, in_flight_most;  // now
} server_metrics;

void metrics_answer(server_metrics *m, const method_row *row, rpc_code outcome,
                    uint64_t nanoseconds);
// Upper end of the bucket in which the share of answers is reached, in microseconds; 0: there were none.
uint64_t metrics_quantile(const method_metrics *m, double share);
uint64_t metrics_memory(void);  // resident bytes of the process; 0: not known

#endif
