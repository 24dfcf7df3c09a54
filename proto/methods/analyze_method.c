// SPDX-License-Identifier: Apache-2.0
// analyze: what `shape check` and `shape explain --that` answer.
#include "proto/methods/program_request.h"

bool method_analyze(method_call *call) {
  program_request q;
  if (!program_request_read(call, &q)) return false;
  program_request_take_profile(&q);
  return program_request_answer(&q);
}
