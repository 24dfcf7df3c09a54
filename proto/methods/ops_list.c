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
    json_put_string(&w, "name", op.name);
    json_put_string(&w, "rule", op.rule);
    json_put_string(&w, "source", op.source);
    json_put_int(&w, "min_operands", op.min_operands);
    bound(&w, "max_operands", op.max_operands);
    bound(&w, "results", op.results);
    json_put_int(&w, "since", op.since);
    bound(&w, "until", op.until ? (int64_t)op.until : -1);
    json_end_object(&w);
  }
  json_end_array(&w);
  json_end_object(&w);
  return true;
}
