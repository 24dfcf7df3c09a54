// SPDX-License-Identifier: Apache-2.0
#ifndef TESTS_SUPPORT_SESSION_FIND_H
#define TESTS_SUPPORT_SESSION_FIND_H

#include "solver/session/session.h"

// The value of that name in a function, as the program is; VALUE_NONE: there is none.
value_id session_find_value(const session_core *session, const char *function, const char *name);

#endif
