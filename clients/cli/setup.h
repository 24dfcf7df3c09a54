// SPDX-License-Identifier: Apache-2.0
// From the command line and a file to an analysis.
#ifndef SHAPE_CLI_SETUP_H
#define SHAPE_CLI_SETUP_H

#include "clients/cli/external.h"
#include "clients/cli/input.h"
#include "clients/cli/options.h"
#include "solver/shape.h"

// What the options of a command say about every analysis.
typedef struct analysis_setup {
  shape_limits limits;
  shape_options options;
  const char **values;  // texts of bindings, bounds, assumptions and inputs
  input inputs;         // the file of --inputs
} analysis_setup;

// 0, or the exit status after a message. The members may be changed before programs are opened.
int setup_read(const command_line *line, analysis_setup *out);
// And the file that the only operand names; then the caller frees both.
int setup_read_file(const command_line *line, analysis_setup *out, input *file);
void setup_free(analysis_setup *s);

// A program that was read from a file, and its analysis.
typedef struct subject {
  input_window *window;  // of its input, or NULL
  external_files files;
  shape_program *program;
  shape_analysis *analysis;
} subject;

// The input outlives it. False after a message: there is no memory. Errors of any other kind are those of the analysis.
bool subject_load(subject *s, const analysis_setup *setup, const input *in, const char *path);
bool subject_open(subject *s, const analysis_setup *setup, const input *in, const char *path);
void subject_close(subject *s);

// How the work on one file ended.
typedef struct outcome {
  shape_status status;
  uint32_t errors;      // of the program, where the status is OK
  const char *message;  // where it is not; lives as long as the subject
  shape_answer answer;  // of --that
} outcome;

// The format with these options, into the sink; their results are set.
outcome subject_emit(subject *s, const char *format, shape_emit_options *options,
                     shape_write *write, void *to);
int exit_status_of(const outcome *done);

#endif
