// SPDX-License-Identifier: Apache-2.0
// Answers to profiles (solver/profile/profile.h) as JSON and as text; private to solver/emit/.
#ifndef SHAPE_EMIT_PROFILE_WRITE_H
#define SHAPE_EMIT_PROFILE_WRITE_H

#include "solver/emit/emitter.h"
#include "solver/formats/json/write.h"
#include "solver/profile/profile.h"

typedef struct profile_list {
  const char *const *texts;  // as they were given
  const profile_answer **answers;
  uint32_t count;
  shape_answer all;  // YES: all are legal; NO: some is not
} profile_list;

// Asks all. False: the emission was refused. A program with errors of syntax has no answers.
bool profiles_ask(const emission *e, const char *const *texts, uint32_t count, profile_list *out);
// The list under the key "profiles".
void profiles_encode(shape_report *report, const profile_list *list, json_writer *w);
// As text, dims by the names of arguments.
void profiles_render(const shape_report *report, const profile_list *list, shape_strbuf *out);

#endif
