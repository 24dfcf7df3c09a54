// SPDX-License-Identifier: Apache-2.0
// Texts that come from outside, for what is outside of the library: UTF-8, and names that are misspelt.
#ifndef SHAPE_PROTO_JSON_TEXT_H
#define SHAPE_PROTO_JSON_TEXT_H

#include "solver/base/nearest.h"
#include "solver/formats/json/utf8.h"

#endif
