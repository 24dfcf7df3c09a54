// SPDX-License-Identifier: Apache-2.0
// refine: the program back. The answer is kept until it is known whether it is one, so that an error writes no file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/cli/plain.h"
#include "clients/cli/setup.h"
#include "clients/cli/splice.h"

static void to_errors(void *to, const shape_dynamic *v) {
  const input *in = to;
  fprintf(stderr, "%s:%u:%u: note: ", in->name, v->line, v->column);
  print_plain(stderr, v->what);
  fputs(" stays ", stderr);
  print_plain(stderr, v->type);
  fputs(": ", stderr);
  print_plain(stderr, v->reason);
  fputc('\n', stderr);
}

// The format that is asked for: --emit FORM, or --guards LANGUAGE for the form guards-LANGUAGE. Without either a model
// comes back as what it is. False after a message.
static bool output_format(const command_line *line, shape_format *out) {
  bool guards = option_given(line, "guards");
  const char *option = guards ? "guards" : "emit", *name = option_value(line, option);
  char form[64];
  if (!name) return shape_format_find(SHAPE_FORMAT_PROGRAM, "mlir", out);
  if (guards && option_given(line, "emit"))
    return usage_error(line->command, "give --emit or --guards, not both"), false;
  snprintf(form, sizeof form, "%s%s", guards ? "guards-" : "", name);
  if (shape_format_find(SHAPE_FORMAT_PROGRAM, form, out) &&
      guards == (strncmp(form, "guards-", 7) == 0))
    return true;
  return option_wrong(line, option,
                      guards ? "mlir, function, c or python"
                             : "mlir, bytecode, vhlo, onnx, json, smt2 or disc-shape"),
         false;
}

static bool dynamism(const command_line *line, shape_dynamism *out) {
  const char *kind = option_value(line, "dynamism");
  *out = SHAPE_DYNAMISM_AS_IS;
  if (!kind) return true;
  *out = strcmp(kind, "bounded") == 0 ? SHAPE_DYNAMISM_BOUNDED : SHAPE_DYNAMISM_UNBOUNDED;
  if (*out == SHAPE_DYNAMISM_BOUNDED || strcmp(kind, "unbounded") == 0) return true;
  return option_wrong(line, "dynamism", "bounded or unbounded"), false;
}

static int refine(const command_line *line, analysis_setup *setup, const shape_format *format,
                  shape_emit_options *options, const input *in) {
  splice a = {0};
  subject s;
  int status = EXIT_NO_ANSWER;
  // Of a program that is specialised, what is left to do; one that is not may be as dynamic as it likes.
  if (setup->options.argument_types || setup->options.binding_text_count)
    options->dynamic = to_errors;
  options->dynamic_to = (void *)in;
  setup->options.keep_spans = format->needs_spans;
  setup->options.find_bounds = options->dynamism == SHAPE_DYNAMISM_BOUNDED;
  if (subject_open(&s, setup, in, line->operands[0])) {
    bool plain = !option_given(line, "emit") && !option_given(line, "guards");
    bool onnx = plain && shape_analysis_input(s.analysis) == SHAPE_INPUT_ONNX;
    const char *name = onnx ? "onnx" : format->name;
    if (options->passes && strcmp(name, "mlir") != 0) {
      status =
          usage_error(line->command, "--passes writes MLIR only: leave out --emit and --guards");
    } else {
      outcome done = subject_emit(&s, name, options, splice_add, &a);
      status = splice_status(&a, line, &done, in);
      if (!status && !splice_write(&a, in, option_value(line, "output"))) status = EXIT_UNREADABLE;
    }
    subject_close(&s);
  }
  splice_free(&a);
  return status;
}

int cmd_refine(const command_line *line) {
  if (line->operand_count != 1) {
    return usage_error(line->command, "one FILE is needed; - is standard input");
  }
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  options.require_static = option_given(line, "require-static");
  options.cleanup = option_given(line, "cleanup");
  options.passes = option_value(line, "passes");
  options.generic = option_given(line, "generic");
  shape_dims_options dims = SHAPE_STRUCT(shape_dims_options);
  dims.names = option_given(line, "names");
  options.dims = &dims;
  options.target = option_value(line, "target");
  options.copy = splice_add_copy;
  const char *profiles[2] = {option_value(line, "profile"), NULL};
  dims.profiles = profiles;
  if (profiles[0] && !option_given(line, "guards"))
    return usage_error(line->command, "--profile is for --guards");
  shape_format format;
  analysis_setup setup;
  if (!output_format(line, &format) || !dynamism(line, &options.dynamism)) return EXIT_USAGE;
  if (options.target && strcmp(format.name, "vhlo") != 0)
    return usage_error(line->command, "--target is for --emit vhlo");
  int status = setup_read(line, &setup);
  if (status) return status;
  input in;
  if (input_open(line->operands[0], &in)) {
    status = refine(line, &setup, &format, &options, &in);
    input_free(&in);
  } else {
    status = EXIT_UNREADABLE;
  }
  setup_free(&setup);
  return status;
}
