// SPDX-License-Identifier: Apache-2.0
// diff: what changed between two versions of a program, as `shape diff` says it.
#include "proto/methods/program_request.h"

bool method_diff(method_call *call) {
  program_request q[2];
  if (!program_request_read_two(call, q)) return false;
  return program_request_diff(q);
}
