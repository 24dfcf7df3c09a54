// SPDX-License-Identifier: Apache-2.0
// Writing JSON, for what is outside of the library: its writer, which is the only one.
#ifndef SHAPE_PROTO_JSON_WRITE_H
#define SHAPE_PROTO_JSON_WRITE_H

#include "solver/formats/json/write.h"

#endif
