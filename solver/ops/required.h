// SPDX-License-Identifier: Apache-2.0
// Reasons of rules as requirements. A reason says what is so ("the operands have the same shape"); where it is not, a
// message says what must be ("the operands must have the same shape").
#ifndef SHAPE_OPS_REQUIRED_H
#define SHAPE_OPS_REQUIRED_H

#include "solver/base/strbuf.h"

// The reason as a requirement; as it is where it has no verb that is known. O(length).
void required_put(shape_strbuf *out, const char *reason);

#endif
