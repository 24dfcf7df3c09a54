// SPDX-License-Identifier: Apache-2.0
// The JSON-RPC 2.0 envelope: a message into requests, results and errors into replies.
//
// Requests are slices of the message: the parameters are not read, so that the thread that answers a request
// is the one that pays for reading it. Its thread passes the request's text through json_validate of solver/formats/json first,
// where that was not done already.
#ifndef PROTO_RPC_RPC_H
#define PROTO_RPC_RPC_H

#include "proto/json/cursor.h"
#include "proto/json/write.h"
#include "solver/shape.h"

struct json_limits;
struct json_members;

typedef enum rpc_code {
#define X(name, code, retry, text) RPC_##name,
#include "proto/errors.def"
#undef X
  RPC_CODE_COUNT
} rpc_code;

int rpc_code_number(rpc_code code);
const char *rpc_code_message(rpc_code code);
// "too-many-in-flight"; to: at least 48 bytes.
const char *rpc_code_name(rpc_code code, char *to);
static inline rpc_code rpc_of_status(shape_status status) { return (rpc_code)status; }

// What went wrong with one request.
typedef struct rpc_failure {
  rpc_code code;
  char message[256];  // empty: that of the code
  char path[128];     // of the parameter, "params.options.steps"; empty: none
  const char *limit;  // name of the option that was hit, static; NULL: none
  uint64_t limit_value;
  // Of an error in a program: its code, as diagnostics have it, and where it is, from 1; empty and 0: none.
  char diagnostic[32];
  uint32_t line, column;
} rpc_failure;

void rpc_fail(rpc_failure *failure, rpc_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum { RPC_ID_MAX = 256 };

typedef struct rpc_request {
  json_slice text;    // the whole request, as JSON
  json_slice id;      // as JSON, "null" too; length 0: a notification
  json_slice method;  // escapes resolved
  json_slice params;  // as JSON; length 0: none
  const char *wrong;  // NULL, or why it is not a request
  // Of the text, where that has been through json_validate: where its parts and its parameters are. NULL: it has not.
  const struct json_members *members;
} rpc_request;

typedef struct rpc_message {
  bool is_batch;
  uint32_t count;
  rpc_request *requests;  // in the arena
} rpc_message;

// PARSE_ERROR when the text is not one JSON value as far as its outline says; INVALID_REQUEST when it is neither an
// object nor a list with something in it; SIZE when a batch has more than `most` requests; MEMORY when the arena, which
// need not be protected, has no room.
// limits, those of method_answer: an object within them is validated here and has `members`, so that nothing of it is scanned
// again, for a thread that will answer it as well; what is not valid is split, and refused where it is answered. NULL: nothing
// is validated.
bool rpc_split(shape_arena *arena, const char *text, size_t length, uint32_t most,
               const struct json_limits *limits, rpc_message *out, rpc_failure *failure);

// A whole reply: rpc_begin_result, the result as JSON, rpc_end_result. An id of length 0 is written as null.
void rpc_begin_result(shape_strbuf *out, json_slice id);
void rpc_end_result(shape_strbuf *out);
void rpc_write_error(shape_strbuf *out, json_slice id, const rpc_failure *failure);

#endif
