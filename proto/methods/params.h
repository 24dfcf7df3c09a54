// SPDX-License-Identifier: Apache-2.0
// Parameters of methods, as they are read from the text of a request that has been through json_validate.
#ifndef PROTO_METHODS_PARAMS_H
#define PROTO_METHODS_PARAMS_H

#include "proto/methods/method.h"

bool params_refuse(method_call *call, const char *path,
                   const char *why);      // false, after RPC_INVALID
json_slice params_value(json_cursor *c);  // any value at the cursor, as its text
// The same for a parameter of its own, without a scan of its bytes where json_validate has noted its end.
json_slice params_member(const method_call *call, json_cursor *c);
// Enters the object that the parameters are; false after filling the failure.
bool params_open(method_call *call, json_cursor *c);
// "progress_token": the owner of the request receives its progress.
bool params_progress(method_call *call, json_slice token);

#endif
