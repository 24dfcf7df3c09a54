// SPDX-License-Identifier: Apache-2.0
// A method: parameters in, result out, no I/O. The daemon and programs that embed the library call the same functions.
//
// A method runs under arena_protect: it may leave through arena_fail at any point, so it holds nothing outside of the
// arena. The result goes to `out`; a method that fails fills `failure` and returns false, and what it wrote is dropped.
#ifndef PROTO_METHODS_METHOD_H
#define PROTO_METHODS_METHOD_H

#include "proto/json/read.h"
#include "proto/rpc/rpc.h"

// What a method may spend; the server's options say how much.
typedef struct method_limits {
  json_limits json;
  struct {
    uint64_t nodes, rank;  // operations; axes of one tensor. 0: no limit
  } program;
  uint64_t steps;
  uint32_t bits, elements;           // as those of run_limits
  uint64_t memory, reply, deadline;  // of the request's arena, of its reply, in ms: for messages
  uint64_t
      abandon_at;  // steps after which a method with the placement SHORT gives up, as if it was cancelled; 0: never
  uint64_t fail_at;  // for tests: this allocation of the request and later ones fail; 0: none
} method_limits;

// What a request shares with the thread that watches over it.
typedef struct method_control {
  atomic_int stop;  // the watcher stores a shape_status here to end the request, see budget.h
  atomic_uint_least64_t steps;        // used so far
  atomic_uint_least64_t deadline_ms;  // from its arrival, where the request names one; 0: none
  atomic_bool wants_progress;         // the token is there
  json_slice token;                   // as JSON, in the text of the request
} method_control;

enum { SESSION_ID_SIZE = 33 };    // of the text, with its end
enum { PROFILE_NAME_MAX = 128 };  // bytes
struct shape_session;             // solver/shape.h

// What only the program around the methods knows. Any function may be NULL.
typedef struct method_host {
  void *data;
  // Members of the result of initialize ("limits") and server/stats.
  void (*write_limits)(void *data, json_writer *w);
  void (*write_stats)(void *data, json_writer *w);
  // Profiles by name: texts that are kept, for the client on whose account the request is; those whose names begin with
  // "shared/" are for all. `update` calls fold with the text of now (empty: none) and keeps what fold wrote, with
  // no other change in between: where there was one, fold is called again; false after filling `failure`: it could not. Both may leave through the arena.
  json_slice (*profile_get)(void *data, shape_arena *arena, json_slice name);
  bool (*profile_update)(void *data, shape_arena *arena, json_slice name,
                         void (*fold)(void *work, json_slice before, shape_strbuf *after),
                         void *work, rpc_failure *failure);
  // Sessions by id, each in the hands of one request at a time, and each for the client that made it, or for all that
  // know the id where it is `shared`. add: takes the session and writes its id; it stays in the request's hands, as after
  // take. give: back, after add or take; with `end` it is closed. All may be called by any
  // thread. NULL or false: `failure` says why.
  bool (*session_add)(void *data, struct shape_session *session, bool shared,
                      char id[SESSION_ID_SIZE], rpc_failure *failure);
  struct shape_session *(*session_take)(void *data, json_slice id, rpc_failure *failure);
  void (*session_give)(void *data, struct shape_session *session, bool end);
} method_host;

typedef struct method_call {
  shape_arena *arena;
  const atomic_int *stop;   // that of control, or NULL
  method_control *control;  // NULL: not controlled
  const method_limits *limits;
  const method_host *host;
  json_slice params;  // as JSON, through json_validate; length 0: none
  const char *text;   // of the whole request
  const json_members
      *members;  // where in the text its parts and the values of parameters are, or NULL
  shape_strbuf *out;
  rpc_failure *failure;
  // What a request holds outside of its arena, to be handed back whichever way it ends: a session of the host's, one that
  // is not the host's yet, what answers queries.
  struct shape_session *taken, *made;
  bool end_session;
  struct shape_decider *decider;
} method_call;

typedef bool method_function(method_call *call);

typedef enum method_placement {
  METHOD_LOOP,
  METHOD_INLINE,
  METHOD_SHORT,
  METHOD_WORKER,
  METHOD_KEEPS
} method_placement;

typedef struct method_row {
  const char *name;
  method_function *function;
  method_placement placement;
  const char *summary;
} method_row;

#define X(name, function, placement, summary) method_function function;
#include "proto/methods.def"
#undef X

enum {
#define X(name, function, placement, summary) METHOD_OF_##function,
#include "proto/methods.def"
#undef X
  METHOD_COUNT
};

void method_control_init(method_control *control);  // of a request that begins
void method_wants_progress(method_control *control,
                           json_slice token);  // control: NULL does nothing

const method_row *method_find(const char *name, size_t length);  // or NULL
const method_row *method_at(uint32_t index);                     // of METHOD_COUNT
uint32_t method_index(const method_row *row);

// Runs a request from its envelope to its reply: validation, method, envelope. What comes out is a whole reply, also when
// `arena` runs out; *outcome is RPC_OK or the code of the error. `out` is empty and lives in an arena of its own, so that
// there is room for the error then. The request is a notification when its id is empty: nothing is written.
// False only when there is no memory for any reply.
bool method_answer(shape_arena *arena, const method_row *row, const rpc_request *request,
                   const method_limits *limits, const method_host *host, method_control *control,
                   shape_strbuf *out, rpc_code *outcome);
// Says in a failure which limit was hit, where its code says. `control` may be NULL.
void method_name_limit(rpc_failure *failure, const method_limits *limits,
                       const method_control *control);

#define METHOD_PROTOCOL_VERSION "1.0"

#endif
