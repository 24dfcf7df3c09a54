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
// A value by its id or its address. NULL, or what is wrong; then the cursor may be anywhere in the item.
const char *session_value_of(method_call *call, json_cursor *c, shape_value *out);
// id: of a session that was opened; NULL: none was. names: with the addresses of all values.
void session_write_changes(method_call *call, const char *id, bool names);
void session_write_shape(json_writer *w, const shape_session_shape *shape);  // NULL: there is none
void session_write_size(json_writer *w, const char *text);  // a number, a text or null

#endif
