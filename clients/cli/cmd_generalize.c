// SPDX-License-Identifier: Apache-2.0
// generalize: which fixed dims of a program's arguments could be free, and the program with these dims free.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/cli/setup.h"
#include "clients/cli/splice.h"

static void to_output(void *to, const char *data, size_t length) { fwrite(data, 1, length, to); }

// The file appears whole or not at all.
static int write_model(const command_line *line, shape_generalization *g, const input *in) {
  splice s = {0};
  shape_status ended = shape_generalization_emit(g, "model", splice_add, splice_add_copy, &s);
  const outcome done = {.status = ended,
                        .errors = shape_generalization_error_count(g),
                        .message = shape_generalization_error(g)->message};
  int status = splice_status(&s, line, &done, in);
  if (!status && !splice_write(&s, in, option_value(line, "write"))) status = EXIT_UNREADABLE;
  splice_free(&s);
  return status;
}

// --free x.0,x.2: the parts of all options, in `room` that is as long as they are.
static uint32_t split_names(const char **texts, uint32_t count, char *room, const char **names) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    strcpy(room, texts[i]);
    for (char *part = strtok(room, ","); part; part = strtok(NULL, ",")) names[found++] = part;
    room += strlen(texts[i]) + 1;
  }
  return found;
}

static int generalize(const command_line *line, const analysis_setup *setup, const input *in,
                      const shape_generalize_options *options) {
  subject s;
  if (!subject_load(&s, setup, in, line->operands[0])) return EXIT_NO_ANSWER;
  shape_generalization *g = shape_program_generalize(s.program, options);
  int status = EXIT_NO_ANSWER;
  if (!g) {
    status = out_of_memory();
  } else {
    const char *path = option_value(line, "write");
    shape_status ended = shape_generalization_error(g)->status;
    bool to_stdout = path && strcmp(path, "-") == 0;
    if (!to_stdout && ended != SHAPE_INVALID)
      ended = shape_generalization_emit(g, option_given(line, "json") ? "json" : "text", to_output,
                                        NULL, stdout);
    const outcome done = {.status = ended,
                          .errors = shape_generalization_error_count(g),
                          .message = shape_generalization_error(g)->message};
    status = exit_status_of(&done);
    if (ended == SHAPE_INVALID) usage_error(line->command, "%s", done.message);
    if (!status && path) status = write_model(line, g, in);
  }
  shape_generalization_free(g);
  subject_close(&s);
  return status;
}

int cmd_generalize(const command_line *line) {
  if (line->operand_count != 1)
    return usage_error(line->command, "one MODEL is needed; - is standard input");
  analysis_setup setup;
  int status = setup_read(line, &setup);
  if (status) return status;
  const char **texts = option_room(line, 1);
  uint32_t count = texts ? option_values(line, "free", texts) : 0;
  size_t length = 1;
  for (uint32_t i = 0; i < count; i++) length += strlen(texts[i]) + 1;
  char *room = malloc(length);
  const char **names = calloc(length, sizeof *names);
  input in;
  if (!texts || !room || !names) {
    status = out_of_memory();
  } else if (input_read(line->operands[0], &in)) {
    shape_generalize_options options = SHAPE_STRUCT(shape_generalize_options);
    options.entry = setup.options.entry;
    options.inputs = setup.options.inputs;
    options.input_texts = setup.options.input_texts;
    options.input_text_count = setup.options.input_text_count;
    options.free = names;
    options.free_count = split_names(texts, count, room, names);
    status = generalize(line, &setup, &in, &options);
    input_free(&in);
  } else {
    status = EXIT_UNREADABLE;
  }
  free(names);
  free(room);
  free(texts);
  setup_free(&setup);
  return status;
}
