// SPDX-License-Identifier: Apache-2.0
// analyze: what `shape check` and `shape explain --that` answer.
#include <string.h>

#include "proto/methods/profile.h"
#include "proto/methods/program_request.h"

// Sizes that the profile has seen give likely ones in the answer.
static void take_profile(program_request *q) {
  const method_host *host = q->call->host;
  if (!q->profile || !host || !host->profile_get) return;
  json_slice name = {q->profile, strlen(q->profile)};
  profile_state *state =
      profile_read(q->call->arena, host->profile_get(host->data, q->call->arena, name));
  q->request.points = state->points;
  q->request.point_count = state->point_count;
}

bool method_analyze(method_call *call) {
  program_request q;
  if (!program_request_read(call, &q)) return false;
  take_profile(&q);
  return program_request_answer(&q, q.render);
}
