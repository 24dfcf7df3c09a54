// SPDX-License-Identifier: Apache-2.0
// analyze: what `shape check` and `shape explain --that` answer.
#include <string.h>

#include "proto/methods/profile.h"
#include "proto/methods/program_request.h"

bool method_analyze(method_call *call) {
  program_request q;
  if (!program_request_read(call, &q)) return false;
  const method_host *host = call->host;
  // Values that the profile has seen give likely ones in the answer.
  if (q.profile && host && host->profile_get) {
    json_slice name = {q.profile, strlen(q.profile)};
    const profile_state *state =
        profile_read(call->arena, host->profile_get(host->data, call->arena, name));
    q.emit_options.seen = state->points;
    q.emit_options.seen_count = state->point_count;
  }
  return program_request_answer(&q);
}
