// SPDX-License-Identifier: Apache-2.0
// Outcomes of requests, made from status.def.
#ifndef SHAPE_BASE_STATUS_H
#define SHAPE_BASE_STATUS_H

// The public header declares the same two, as it includes nothing of the library; solver/api/status.c compares them.
#ifndef SHAPE_STATUS_DECLARED
#define SHAPE_STATUS_DECLARED
typedef enum shape_status {
#define X(name, rpc, retry, text) SHAPE_##name,
#include "solver/base/status.def"
#undef X
  SHAPE_STATUS_COUNT
} shape_status;

// Three-valued answers; never fold UNKNOWN into NO.
typedef enum shape_answer { SHAPE_NO, SHAPE_YES, SHAPE_UNKNOWN, SHAPE_CONTRADICTION } shape_answer;
#endif

const char *shape_status_name(shape_status status);     // "OK", "SYNTAX", ...
const char *shape_status_message(shape_status status);  // see status.def

#endif
