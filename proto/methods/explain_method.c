// SPDX-License-Identifier: Apache-2.0
// explain: why a predicate holds, a run that refutes it, or why neither is known; or why dims at a location are what they
// are; as `shape explain` says it.
#include <stdio.h>

#include "proto/methods/program_request.h"

bool method_explain(method_call *call) {
  program_request q;
  if (!program_request_read(call, &q)) return false;
  if (!q.emit_options.that != !q.emit_options.line) return program_request_answer(&q);
  rpc_fail(call->failure, RPC_INVALID,
           "params.options.that: give it or \"at\", what is to be explained");
  snprintf(call->failure->path, sizeof call->failure->path, "params.options.that");
  return false;
}
