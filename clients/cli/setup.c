// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/setup.h"

#include <stdlib.h>

int setup_read(const command_line *line, analysis_setup *out) {
  uint64_t steps = 0, memory = 0;
  *out = (analysis_setup){.limits = SHAPE_STRUCT(shape_limits),
                          .options = SHAPE_STRUCT(shape_options)};
  if (!option_number(line, "steps", 1, UINT64_MAX / 2, &steps) ||
      !option_number(line, "memory", 1, 1 << 20, &memory))
    return EXIT_USAGE;
  size_t room = line->option_count;
  out->values = option_room(line, 4);
  if (!out->values) return EXIT_NO_ANSWER;
  const char **bindings = out->values, **bounds = bindings + room, **assumptions = bounds + room,
             **inputs = assumptions + room;
  const char *entry = option_value(line, "entry");
  out->limits.steps = steps;
  out->limits.memory = (size_t)memory << 20;
  shape_options *o = &out->options;
  o->argument_types = option_value(line, "arg-types");
  o->entry = entry ? entry : option_value(line, "function");
  o->binding_texts = bindings;
  o->binding_text_count = option_values(line, "bind", bindings);
  o->bound_texts = bounds;
  o->bound_text_count = option_values(line, "bound", bounds);
  o->assumptions = assumptions;
  o->assumption_count = option_values(line, "assume", assumptions);
  o->input_texts = inputs;
  o->input_text_count = option_values(line, "input", inputs);
  const char *file = option_value(line, "inputs");
  if (file && !input_read(file, &out->inputs)) return setup_free(out), EXIT_UNREADABLE;
  o->inputs = out->inputs.text;
  o->warnings_are_errors = option_given(line, "werror");
  o->refinable = option_given(line, "refinable");
  o->strict = option_given(line, "strict");
  o->opaque_names = option_given(line, "opaque-names");
  o->assume_suggested = option_given(line, "assume-suggested");
  o->certify = option_given(line, "certify");
  return 0;
}

int setup_read_file(const command_line *line, analysis_setup *out, input *file) {
  if (line->operand_count != 1)
    return usage_error(line->command, "one FILE is needed; - is standard input");
  int status = setup_read(line, out);
  if (!status && !input_open(line->operands[0], file)) {
    setup_free(out);
    status = EXIT_UNREADABLE;
  }
  return status;
}

void setup_free(analysis_setup *s) {
  free(s->values);
  if (s->inputs.text) input_free(&s->inputs);
}

bool subject_load(subject *s, const analysis_setup *setup, const input *in, const char *path) {
  shape_limits limits = setup->limits;
  if (in->window) {
    limits.poll = input_window_poll;
    limits.poll_data = in->window;
  }
  *s = (subject){
      .window = in->window, .files = {.model = path}, .program = shape_program_new(&limits)};
  if (!s->program) return out_of_memory(), false;
  shape_program_set_external(s->program, external_read, &s->files);
  // Bytes that are not a program are an error of their analysis.
  (void)shape_program_load(s->program, in->text, in->length, in->name);
  return true;
}

bool subject_open(subject *s, const analysis_setup *setup, const input *in, const char *path) {
  if (!subject_load(s, setup, in, path)) return false;
  s->analysis = shape_program_analyze(s->program, &setup->options);
  if (s->analysis) return true;
  subject_close(s);
  return out_of_memory(), false;
}

void subject_close(subject *s) {
  shape_analysis_free(s->analysis);
  shape_program_free(s->program);
  external_close(&s->files);
  s->analysis = NULL;
  s->program = NULL;
}

// Answers go through the text again, as they are in its order.
typedef struct passing {
  shape_write *write;
  void *to;
  input_window *window;
  size_t left;
} passing;

enum { BYTES_OF_A_POLL = 1 << 18 };

static void pass_on(void *to, const char *data, size_t length) {
  passing *p = to;
  p->write(p->to, data, length);
  if (length < p->left) {
    p->left -= length;
  } else {
    p->left = BYTES_OF_A_POLL;
    input_window_poll(p->window);
  }
}

outcome subject_emit(subject *s, const char *format, shape_emit_options *options,
                     shape_write *write, void *to) {
  outcome done = {.answer = SHAPE_NO};
  options->answer = &done.answer;
  options->errors = &done.errors;
  passing p = {write, to, s->window, BYTES_OF_A_POLL};
  done.status = p.window ? shape_analysis_emit_with(s->analysis, format, options, pass_on, &p)
                         : shape_analysis_emit_with(s->analysis, format, options, write, to);
  done.message = shape_analysis_error(s->analysis)->message;
  return done;
}

int exit_status_of(const outcome *done) {
  switch (done->status) {
  case SHAPE_OK: return done->errors ? EXIT_ERRORS : EXIT_FINE;
  case SHAPE_INVALID: return EXIT_USAGE;
  case SHAPE_MEMORY:
  case SHAPE_BUDGET:
  case SHAPE_BITS:
  case SHAPE_DEADLINE: return EXIT_NO_ANSWER;
  case SHAPE_CANCELLED: return EXIT_INTERRUPTED;
  default: return EXIT_ERRORS;
  }
}
