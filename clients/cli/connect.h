// SPDX-License-Identifier: Apache-2.0
// The daemon for commands: one connection, one request at a time, failures said on stderr.
#ifndef SHAPE_CLI_CONNECT_H
#define SHAPE_CLI_CONNECT_H

#include <stdio.h>

#include "clients/c/shape_client.h"
#include "clients/cli/setup.h"
#include "proto/rpc/rpc.h"

typedef struct daemon_link {
  shape_client *client;
} daemon_link;

// The result, or the error, of a request, as JSON; slices of the link's buffer, valid until the next call.
typedef struct daemon_reply {
  json_slice result, error;  // one of them has length 0
} daemon_reply;

// `address` as shape_client_options has it, with what TLS needs from the environment. False after a message on stderr:
// the exit status is EXIT_NO_DAEMON.
bool daemon_open(daemon_link *link, const char *address);
void daemon_close(daemon_link *link);
// `params` is JSON on one line; length 0 for none. False after a message on stderr, when the connection broke.
bool daemon_call(daemon_link *link, const char *method, json_slice params, daemon_reply *reply);
// The member of an object, as JSON; length 0: there is none.
json_slice daemon_member(json_slice object, const char *key);
// Says on stderr what an error reply says; returns the exit status that goes with it.
int daemon_error(const char *command, json_slice error);

// What is asked of a program: what is known of it, why a predicate holds, or why dims at a location are what they are.
typedef struct check_query {
  const char *that;       // NULL: none
  uint32_t line, column;  // from 1; 0: none
  bool json, colour, verbose;
  const char *const *profiles;
  uint32_t profile_count;
} check_query;

// An outcome with the text of its message.
typedef struct daemon_outcome {
  outcome outcome;
  char message[256];
} daemon_outcome;

// What subject_emit does, done by the daemon: the same bytes to `out`, the same outcome. False after a message on stderr;
// then *exit_status is set.
bool daemon_analyze(daemon_link *link, const char *command, const analysis_setup *setup,
                    const input *in, const check_query *query, FILE *out, daemon_outcome *done,
                    int *exit_status);

#endif
