// SPDX-License-Identifier: Apache-2.0
// UTF-8 of texts that come from outside, for what is outside of the library.
#ifndef SHAPE_PROTO_JSON_TEXT_H
#define SHAPE_PROTO_JSON_TEXT_H

#include "solver/formats/json/utf8.h"

#endif
