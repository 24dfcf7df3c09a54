// SPDX-License-Identifier: Apache-2.0
// rpc.discover: the service as an OpenRPC document, made from methods.def and errors.def.
#include "proto/methods/method.h"

#include <stdio.h>
#include <string.h>

static void field(json_writer *w, const char *key, const char *text) {
  json_key_string(w, key);
  json_string(w, text);
}

// {"$ref": "schema/<method>.json#/$defs/<part>"}
static void schema_ref(json_writer *w, const char *method, const char *part) {
  char file[64], ref[128];
  snprintf(file, sizeof file, "%s", method);
  for (char *c = file; *c; c++) {
    if (*c == '/') *c = '-';
  }
  snprintf(ref, sizeof ref, "schema/%s.json#/$defs/%s", file, part);
  json_begin_object(w);
  field(w, "$ref", ref);
  json_end_object(w);
}

static void write_part(json_writer *w, const method_row *row, const char *part) {
  json_begin_object(w);
  field(w, "name", part);
  json_key(w, "schema");
  schema_ref(w, row->name, part);
  json_end_object(w);
}

static void write_method(json_writer *w, const method_row *row) {
  json_begin_object(w);
  field(w, "name", row->name);
  field(w, "summary", row->summary);
  field(w, "paramStructure", "by-name");
  json_key(w, "params");
  json_begin_array(w);
  write_part(w, row, "params");
  json_end_array(w);
  json_key(w, "result");
  write_part(w, row, "result");
  json_end_object(w);
}

bool method_rpc_discover(method_call *call) {
  char name[48];
  json_writer w;
  json_writer_init(&w, call->out);
  json_begin_object(&w);
  field(&w, "openrpc", "1.2.6");
  json_key(&w, "info");
  json_begin_object(&w);
  field(&w, "title", "shaped");
  field(&w, "version", METHOD_PROTOCOL_VERSION);
  field(&w, "description", "What is known about the tensor shapes in a program, and why.");
  json_end_object(&w);
  json_key(&w, "methods");
  json_begin_array(&w);
  for (uint32_t i = 0; i < METHOD_COUNT; i++) write_method(&w, method_at(i));
  json_end_array(&w);
  json_key(&w, "components");
  json_begin_object(&w);
  json_key(&w, "errors");
  json_begin_object(&w);
  for (int i = RPC_OK + 1; i < RPC_CODE_COUNT; i++) {
    json_key_string(&w, rpc_code_name((rpc_code)i, name));
    json_begin_object(&w);
    json_put_int(&w, "code", rpc_code_number((rpc_code)i));
    field(&w, "message", rpc_code_message((rpc_code)i));
    json_end_object(&w);
  }
  json_end_object(&w);
  json_end_object(&w);
  json_end_object(&w);
  return true;
}
