// SPDX-License-Identifier: Apache-2.0
// Keys that a method does not know: errors that name the nearest one, so that a misspelt option is not an option that
// was not given. "unknown_keys": "ignore" in the parameters lets them through.
//
// keys.def lists what is known. Programs are not looked into (the reader of their format checks them), nor what a method
// checks itself. A request costs a walk over its keys; large members are stepped over where json_validate has noted them.
#ifndef PROTO_METHODS_KEYS_H
#define PROTO_METHODS_KEYS_H

#include "proto/methods/method.h"

// False after filling the failure. Parameters that are not an object are for the method to refuse.
bool keys_check(method_call *call, const method_row *row);

#endif
