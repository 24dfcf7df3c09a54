// SPDX-License-Identifier: Apache-2.0
#include "solver/base/status.h"

typedef struct status_row {
  const char *name, *message;
} status_row;

static const status_row ROWS[SHAPE_STATUS_COUNT] = {
#define X(name, rpc, retry, text) {#name, text},
#include "solver/base/status.def"
#undef X
};

static const status_row *row_of(shape_status status) {
  return &ROWS[(unsigned)status < SHAPE_STATUS_COUNT ? status : SHAPE_INTERNAL];
}

const char *shape_status_name(shape_status status) { return row_of(status)->name; }
const char *shape_status_message(shape_status status) { return row_of(status)->message; }
