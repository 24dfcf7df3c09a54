// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/diff.h"

#include <string.h>

#include "solver/api/program.h"

// Neither program is analysed where one has no contents. False: the error is set.
static bool make_requests(shape_program *const programs[2], const shape_options *o,
                          shape_arena *texts, analysis_request requests[2], shape_error *error) {
  for (int k = 0; k < 2; k++) {
    if (!program_has_bytes(programs[k])) {
      *error = programs[k]->error;
      return false;
    }
    shape_status status = program_request(programs[k], o, texts, &requests[k]);
    if (status != SHAPE_OK) {
      api_fail_with(error, status, "");
      return false;
    }
  }
  return true;
}

shape_status shape_program_diff(shape_program *before, shape_program *after,
                                const shape_options *given, const char *format, shape_write *write,
                                void *to, shape_diff *diff) {
  shape_options o;
  api_read_struct(&o, sizeof o, given);
  shape_diff none;
  if (!diff) diff = &none;
  *diff = (shape_diff){0, 0};
  const diff_options options = {.json = strcmp(format, "json") == 0,
                                .colour = strcmp(format, "colour") == 0};
  if (!options.json && !options.colour && strcmp(format, "text") != 0) {
    api_fail(&before->error, SHAPE_INVALID, "there is no such format");
    return SHAPE_INVALID;
  }
  shape_arena texts;
  analysis_request requests[2];
  diff_reply reply = {SHAPE_OK, 0, 0, "", {0}};
  arena_init(&texts, before->limits.memory);
  if (make_requests((shape_program *[]){before, after}, &o, &texts, requests, &before->error)) {
    diff_programs(&requests[0], &requests[1], &options, write, to, &reply);
    if (reply.status != SHAPE_OK) api_fail_with(&before->error, reply.status, reply.message);
  } else {
    reply.status = before->error.status;
  }
  arena_destroy(&texts);
  before->excess = reply.excess;
  *diff = (shape_diff){reply.errors, reply.differences};
  return reply.status;
}
