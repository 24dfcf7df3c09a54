// SPDX-License-Identifier: Apache-2.0
// The public header spells its enumerations out, as it includes nothing of the library: they are those of base.
#include "solver/shape.h"

enum {
#define X(name, rpc, retry, text) BASE_##name,
#include "solver/base/status.def"
#undef X
  BASE_COUNT
};

#define X(name, rpc, retry, text)                                                                  \
  _Static_assert((int)SHAPE_##name == (int)BASE_##name, "SHAPE_" #name " has another value");
#include "solver/base/status.def"
#undef X
_Static_assert((int)SHAPE_STATUS_COUNT == (int)BASE_COUNT, "a status is missing in the header");
