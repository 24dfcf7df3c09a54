// SPDX-License-Identifier: Apache-2.0
// A member of the parameters of a request, which json_validate has not seen yet.
#ifndef SERVER_MEMBER_H
#define SERVER_MEMBER_H

#include "proto/rpc/rpc.h"

typedef struct member {
  json_slice json;  // its value as it is there; length 0: there is none
  json_slice text;  // where it is a string, perhaps made in the arena; else length 0
} member;

// Of several with that key it is the last. False: there is no memory, and nothing was found. O(length of the object).
bool member_find(shape_arena *arena, json_slice object, const char *key, member *out);

#endif
