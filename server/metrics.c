// SPDX-License-Identifier: Apache-2.0
#include "server/metrics.h"

#include <uv.h>

void metrics_answer(server_metrics *m, const method_row *row, rpc_code outcome,
                    uint64_t nanoseconds) {
  if (outcome != RPC_OK) m->errors[outcome]++;
  if (!row) return;
  method_metrics *method = &m->methods[method_index(row)];
  uint64_t micros = nanoseconds / 1000;
  unsigned bucket = 0;
  while (bucket < METRICS_BUCKETS - 1 && micros >> bucket) bucket++;
  method->answered++;
  method->failed += outcome != RPC_OK;
  method->micros += micros;
  if (micros > method->micros_most) method->micros_most = micros;
  method->buckets[bucket]++;
}

uint64_t metrics_quantile(const method_metrics *m, double share) {
  uint64_t want = (uint64_t)(share * (double)m->answered), seen = 0;
  if (!m->answered) return 0;
  for (unsigned i = 0; i < METRICS_BUCKETS; i++) {
    seen += m->buckets[i];
    if (seen > want || seen == m->answered) return (uint64_t)1 << i;
  }
  return m->micros_most;
}

uint64_t metrics_memory(void) {
  size_t bytes;
  return uv_resident_set_memory(&bytes) == 0 ? bytes : 0;
}
