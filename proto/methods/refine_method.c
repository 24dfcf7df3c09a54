// SPDX-License-Identifier: Apache-2.0
// refine: what `shape refine` prints. A program with errors is a result with these as its text.
#include <stdio.h>
#include <string.h>

#include "proto/methods/program_request.h"

static const struct {
  const char *name;
  analyze_output output;
} FORMS[] = {{"mlir", ANALYZE_REFINED},
             {"json", ANALYZE_GRAPH},
             {"smt2", ANALYZE_SMT2},
             {"disc-shape", ANALYZE_DISC},
             {"guards-mlir", ANALYZE_GUARDS_MLIR},
             {"guards-c", ANALYZE_GUARDS_C},
             {"guards-python", ANALYZE_GUARDS_PYTHON}};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

bool method_refine(method_call *call) {
  program_request q;
  if (!program_request_read(call, &q)) return false;
  const char *form = q.emit ? q.emit : "mlir";
  for (unsigned i = 0; i < FORM_COUNT; i++) {
    if (strcmp(FORMS[i].name, form) != 0) continue;
    q.request.output = FORMS[i].output;
    q.request.that = NULL;
    q.request.line = 0;
    return program_request_answer(&q, true);
  }
  rpc_fail(call->failure, RPC_INVALID, "params.options.emit: there is no form \"%.40s\"", form);
  snprintf(call->failure->path, sizeof call->failure->path, "params.options.emit");
  return false;
}
