// SPDX-License-Identifier: Apache-2.0
#include "solver/api/token.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *shape_version(void) { return SHAPE_VERSION; }

shape_token *shape_token_new(void) {
  shape_token *token = malloc(sizeof *token);
  if (!token) return NULL;
  atomic_init(&token->stop, SHAPE_OK);
  atomic_init(&token->steps, 0);
  return token;
}

void shape_token_free(shape_token *token) { free(token); }
void shape_token_cancel(shape_token *token) { atomic_store(&token->stop, SHAPE_CANCELLED); }
void shape_token_reset(shape_token *token) { atomic_store(&token->stop, SHAPE_OK); }
uint64_t shape_token_steps(const shape_token *token) { return atomic_load(&token->steps); }

void api_read_struct(void *out, size_t size, const void *given) {
  memset(out, 0, size);
  if (!given) return;
  size_t known;
  memcpy(&known, given, sizeof known);
  memcpy(out, given, known < size ? known : size);
}

void api_fail(shape_error *error, shape_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  *error = (shape_error){.status = status};
  vsnprintf(error->message, sizeof error->message, format, args);
  va_end(args);
}

void api_fail_with(shape_error *error, shape_status status, const char *message) {
  api_fail(error, status, "%s", *message ? message : shape_status_message(status));
}
