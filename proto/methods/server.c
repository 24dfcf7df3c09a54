// SPDX-License-Identifier: Apache-2.0
// server/ping and server/stats.
#include "proto/methods/method.h"

bool method_server_ping(method_call *call) {
  if (call->params.length) {
    strbuf_add(call->out, call->params.text, call->params.length);
  } else {
    strbuf_puts(call->out, "{}");
  }
  return true;
}

bool method_server_stats(method_call *call) {
  json_writer w;
  json_writer_init(&w, call->out);
  json_begin_object(&w);
  if (call->host && call->host->write_stats) call->host->write_stats(call->host->data, &w);
  json_end_object(&w);
  return true;
}
