// SPDX-License-Identifier: Apache-2.0
// generalize: what `shape generalize` says, or the program that it writes.
#include <stdio.h>
#include <string.h>

#include "proto/methods/program_request.h"

bool method_generalize(method_call *call) {
  program_request q;
  if (!program_request_read(call, &q)) return false;
  if (!q.emit || strcmp(q.emit, "model") == 0) return program_request_generalize(&q);
  rpc_fail(call->failure, RPC_INVALID, "params.options.emit: there is no form \"%.40s\"", q.emit);
  snprintf(call->failure->path, sizeof call->failure->path, "params.options.emit");
  return false;
}
