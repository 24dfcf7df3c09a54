// SPDX-License-Identifier: Apache-2.0
// A host of sessions for programs without a server: two of them, known by the first letter of the id, A and B.
#ifndef TESTS_SUPPORT_SESSION_HOST_H
#define TESTS_SUPPORT_SESSION_HOST_H

#include "proto/methods/method.h"
#include "solver/shape.h"

enum { HOSTED_SESSIONS = 2 };

typedef struct session_host {
  shape_session *open[HOSTED_SESSIONS];
  bool taken[HOSTED_SESSIONS];
} session_host;

method_host session_host_make(session_host *host);  // for methods; host is zeroed at first
void session_host_end(session_host *host);          // closes what is open

#endif
