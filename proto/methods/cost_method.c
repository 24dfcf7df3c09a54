// SPDX-License-Identifier: Apache-2.0
// cost and profile/check: what `shape cost` and `shape check --profile` answer.
#include <stdio.h>

#include "proto/methods/program_request.h"

bool method_cost(method_call *call) {
  program_request q;
  if (!program_request_read(call, &q)) return false;
  q.emit_options.big_as_text = !q.render;
  q.dims.profiles = q.over;
  return program_request_emit(&q, SHAPE_FORMAT_COST, q.as_text ? "text" : "json", q.render);
}

bool method_profile_check(method_call *call) {
  program_request q;
  if (!program_request_read(call, &q)) return false;
  if (q.dims.profiles) return program_request_answer(&q);
  rpc_fail(call->failure, RPC_INVALID, "params.options.profiles: give at least one");
  snprintf(call->failure->path, sizeof call->failure->path, "params.options.profiles");
  return false;
}
