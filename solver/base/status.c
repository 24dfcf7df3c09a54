// SPDX-License-Identifier: Apache-2.0
#include "solver/base/status.h"

typedef struct status_row {
  const char *name, *message;
  int rpc_code, retry;
} status_row;

static const status_row ROWS[SHAPE_STATUS_COUNT] = {
#define X(name, rpc, retry, text) {#name, text, rpc, retry},
#include "solver/base/status.def"
#undef X
};

static const status_row *row_of(shape_status status) {
  return &ROWS[(unsigned)status < SHAPE_STATUS_COUNT ? status : SHAPE_INTERNAL];
}

const char *shape_status_name(shape_status status) { return row_of(status)->name; }
const char *shape_status_message(shape_status status) { return row_of(status)->message; }
int shape_status_rpc_code(shape_status status) { return row_of(status)->rpc_code; }
int shape_status_retry_helps(shape_status status) { return row_of(status)->retry; }
