// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/exit.h"

#include "clients/cli/options.h"

int exit_status_of(const analysis_reply *reply) {
  switch (reply->status) {
  case SHAPE_OK: return reply->errors ? EXIT_ERRORS : EXIT_FINE;
  case SHAPE_INVALID: return EXIT_USAGE;
  case SHAPE_MEMORY:
  case SHAPE_BUDGET:
  case SHAPE_BITS:
  case SHAPE_DEADLINE: return EXIT_NO_ANSWER;
  case SHAPE_CANCELLED: return EXIT_INTERRUPTED;
  default: return EXIT_ERRORS;
  }
}
