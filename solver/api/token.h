// SPDX-License-Identifier: Apache-2.0
// The inside of a shape_token, and limits as the library reads them.
#ifndef SHAPE_API_TOKEN_H
#define SHAPE_API_TOKEN_H

#include <stdatomic.h>

#include "solver/shape.h"

struct shape_token {
  atomic_int stop;  // a shape_status: budgets inspect it (solver/base/budget.h)
  atomic_uint_least64_t steps;
};

// Reads a struct of the caller, which may be an older and smaller one; NULL: all defaults. `size` is that of `out`.
void api_read_struct(void *out, size_t size, const void *given);
// Keeps the message of a status that is not OK, or the text of the status where there is none.
void api_fail_with(shape_error *error, shape_status status, const char *message);
// Keeps a message in an error; formats as printf.
void api_fail(shape_error *error, shape_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
