// SPDX-License-Identifier: Apache-2.0
// Reading JSON from its text, value by value, for what is outside of the library: the reader of its graphs.
#ifndef SHAPE_PROTO_JSON_CURSOR_H
#define SHAPE_PROTO_JSON_CURSOR_H

#include "solver/formats/json/cursor.h"

#endif
