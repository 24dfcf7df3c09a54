// SPDX-License-Identifier: Apache-2.0
// ops/list: the tables of operations, row by row.
#include "proto/methods/method.h"

#include "solver/shape.h"

static void bound(json_writer *w, const char *key, int64_t value) {
  json_key_string(w, key);
  if (value < 0) {
    json_null(w);
  } else {
    json_int(w, value);
  }
}

bool method_ops_list(method_call *call) {
  json_writer w;
  json_writer_init(&w, call->out);
  json_begin_object(&w);
  json_key(&w, "ops");
  json_begin_array(&w);
  shape_operation op;
  for (uint32_t i = 0; shape_operation_at(i, &op); i++) {
    json_begin_object(&w);
    json_key(&w, "name");
    json_string(&w, op.name);
    json_key(&w, "rule");
    json_string(&w, op.rule);
    json_key(&w, "source");
    json_string(&w, op.source);
    json_key(&w, "min_operands");
    json_int(&w, op.min_operands);
    bound(&w, "max_operands", op.max_operands);
    bound(&w, "results", op.results);
    json_key(&w, "since");
    json_int(&w, op.since);
    bound(&w, "until", op.until ? (int64_t)op.until : -1);
    json_end_object(&w);
  }
  json_end_array(&w);
  json_end_object(&w);
  return true;
}
