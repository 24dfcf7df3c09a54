// SPDX-License-Identifier: Apache-2.0
// What the files of the methods session/... share.
#ifndef PROTO_METHODS_SESSION_METHOD_H
#define PROTO_METHODS_SESSION_METHOD_H

#include "proto/methods/method.h"
#include "solver/shape.h"

// Hands back what the call holds; called where it ends, whichever way.
void session_release(method_call *call);

// Takes the session that the parameters name, in the version that they name; false after filling the failure.
bool session_take(method_call *call);

// --- session_reply.c
void session_write_changes(method_call *call,
                           const char *id);  // of its last call; id: that was opened
void session_write_shape(json_writer *w, const shape_session_shape *shape);  // NULL: there is none
void session_write_size(json_writer *w, const char *text);  // a number, a text or null

#endif
