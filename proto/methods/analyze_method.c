// SPDX-License-Identifier: Apache-2.0
// analyze: what `shape check` and `shape explain --that` answer.
#include "proto/methods/program_request.h"

bool method_analyze(method_call *call) {
  program_request q;
  return program_request_read(call, &q) && program_request_answer(&q, q.render);
}
