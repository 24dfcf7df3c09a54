// SPDX-License-Identifier: Apache-2.0
// A message taken apart, as the daemon does it before anything is answered.
#ifndef TESTS_FUZZ_SUPPORT_MESSAGES_H
#define TESTS_FUZZ_SUPPORT_MESSAGES_H

#include "proto/methods/method.h"

typedef void fuzz_answer(void *data, const rpc_request *request, const method_row *row);

enum { FUZZ_JSON_DEPTH = 64 };  // that of the limits of whatever answers

// Calls `answer` for each request of the message whose method there is; `memory` limits the splitting. The message is taken
// apart with and without validation, which have to find the same.
void fuzz_each_request(const char *text, size_t length, size_t memory, fuzz_answer *answer,
                       void *data);

#endif
