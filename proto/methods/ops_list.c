// SPDX-License-Identifier: Apache-2.0
// ops/list: the tables of operations, row by row.
#include "proto/methods/method.h"

#include "solver/ops/registry.h"

static void bound(json_writer *w, const char *key, int value) {
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
  for (uint32_t i = 0; i < registry_count(); i++) {
    const op_row *row = registry_row(i);
    json_begin_object(&w);
    json_key(&w, "name");
    json_string(&w, row->name);
    json_key(&w, "rule");
    json_string(&w, row->rule_name);
    json_key(&w, "source");
    json_string(&w, row->source);
    json_key(&w, "min_operands");
    json_int(&w, row->min_operands);
    bound(&w, "max_operands", row->max_operands);
    bound(&w, "results", row->results);
    json_key(&w, "since");
    json_int(&w, row->since);
    bound(&w, "until", row->until ? row->until : -1);
    json_end_object(&w);
  }
  json_end_array(&w);
  json_end_object(&w);
  return true;
}
