// SPDX-License-Identifier: Apache-2.0
// The public C API of libshape; the only header of the library that is installed.
#ifndef SHAPE_H
#define SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of the library and of the programs.
#define SHAPE_VERSION "0.1.0"

// Who owns what a parameter or result points to.
#define SHAPE_TAKE  // the callee, from now on
#define SHAPE_KEEP  // the caller, as before; it must outlive the object that it is given to
#define SHAPE_GIVE  // the caller, who frees it

#ifndef SHAPE_STATUS_DECLARED
#define SHAPE_STATUS_DECLARED
// How a call ended. Values never change; later versions may add some.
typedef enum shape_status {
  SHAPE_OK = 0,
  SHAPE_SYNTAX = 1,        // the input has a syntax error
  SHAPE_INVALID = 2,       // an argument of the call is not valid
  SHAPE_MEMORY = 3,        // the memory limit is reached, or the system has no more
  SHAPE_BUDGET = 4,        // the step budget is spent
  SHAPE_BITS = 5,          // an integer grew beyond the limit of bits
  SHAPE_DEPTH = 6,         // the input is nested deeper than the limit
  SHAPE_SIZE = 7,          // the input is larger than the limit
  SHAPE_CANCELLED = 8,     // another thread cancelled the call
  SHAPE_DEADLINE = 9,      // the deadline passed
  SHAPE_UNSUPPORTED = 10,  // the input is of a kind that is not supported
  SHAPE_INTERNAL = 11,     // a defect of the library
  SHAPE_STATUS_COUNT
} shape_status;

// UNKNOWN is always allowed, and never means NO. CONTRADICTION: no values of the symbols satisfy what is assumed.
typedef enum shape_answer {
  SHAPE_NO = 0,
  SHAPE_YES = 1,
  SHAPE_UNKNOWN = 2,
  SHAPE_CONTRADICTION = 3
} shape_answer;
#endif

// Static texts: "SYNTAX", and "the input has a syntax error". NULL for a number that is no status.
const char *shape_status_name(shape_status status);
const char *shape_status_message(shape_status status);

#ifdef __cplusplus
}
#endif

#endif
