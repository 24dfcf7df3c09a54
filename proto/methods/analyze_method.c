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
  json_slice name = {q.profile, q.profile ? strlen(q.profile) : 0};
  if (name.length && name.length <= PROFILE_NAME_MAX && host && host->profile_get) {
    const profile_state *state =
        profile_read(call->arena, host->profile_get(host->data, call->arena, name));
    q.emit_options.seen = state->points;
    q.emit_options.seen_count = state->point_count;
  }
  return program_request_answer(&q);
}
