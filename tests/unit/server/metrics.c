// SPDX-License-Identifier: Apache-2.0
#include "server/metrics.h"

#include <criterion/criterion.h>

Test(metrics, quantiles) {
  server_metrics m = {0};
  for (int i = 0; i < 99; i++) metrics_answer(&m, method_at(0), RPC_OK, 10 * 1000);
  metrics_answer(&m, method_at(0), RPC_MEMORY, 1000 * 1000);
  cr_assert_eq(metrics_quantile(&m.methods[0].times, 0.5), 16u);
  cr_assert_eq(metrics_quantile(&m.methods[0].times, 0.995), 1024u);
  cr_assert(m.methods[0].failed == 1 && m.errors[RPC_MEMORY] == 1 &&
            m.methods[0].micros_max == 1000);
}
