// SPDX-License-Identifier: Apache-2.0
// refine: what `shape refine` prints. A program with errors is a result with these as its text.
#include <stdio.h>

#include "proto/methods/program_request.h"

bool method_refine(method_call *call) {
  program_request q;
  if (!program_request_read(call, &q)) return false;
  program_request_take_profile(&q);
  const char *form = q.emit ? q.emit : "mlir";
  shape_format format;
  if (shape_format_find(SHAPE_FORMAT_PROGRAM, form, &format) && format.is_text)
    return program_request_emit(&q, SHAPE_FORMAT_PROGRAM, form, true);
  rpc_fail(call->failure, RPC_INVALID, "params.options.emit: there is no form \"%.40s\"", form);
  snprintf(call->failure->path, sizeof call->failure->path, "params.options.emit");
  return false;
}
