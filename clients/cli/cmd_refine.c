// SPDX-License-Identifier: Apache-2.0
// refine: the program back. The answer is kept until it is known whether it is one, so that an error writes no file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/cli/external.h"
#include "clients/cli/input.h"
#include "clients/cli/options.h"
#include "clients/cli/plain.h"
#include "clients/cli/splice.h"
#include "solver/emit/analyze.h"
#include "solver/formats/sniff.h"

static void to_errors(void *to, const dynamic_value *v) {
  const input *in = to;
  fprintf(stderr, "%s:%u:%u: note: ", in->name, v->line, v->column);
  print_plain(stderr, v->what);
  fputs(" stays ", stderr);
  print_plain(stderr, v->type);
  fputs(": ", stderr);
  print_plain(stderr, v->reason);
  fputc('\n', stderr);
}

static int finish(const command_line *line, const analyze_reply *reply, const splice *s,
                  const input *in) {
  if (reply->status == SHAPE_INVALID) return usage_error(line->command, "%s", reply->message);
  if (s->failed) return out_of_memory();
  int status = analyze_exit_status(reply);
  if (status) {
    splice_errors(s, in, reply->message);
  } else if (!splice_write(s, in, option_value(line, "output"))) {
    status = EXIT_UNREADABLE;
  }
  return status;
}

typedef struct form {
  const char *option, *name;
  analyze_output output;
} form;

static const form FORMS[] = {
    {"emit", "mlir", ANALYZE_REFINED}, {"emit", "json", ANALYZE_GRAPH},
    {"emit", "smt2", ANALYZE_SMT2},    {"guards", "mlir", ANALYZE_GUARDS_MLIR},
    {"guards", "c", ANALYZE_GUARDS_C}, {"guards", "python", ANALYZE_GUARDS_PYTHON},
    {"emit", "onnx", ANALYZE_ONNX},    {"emit", "disc-shape", ANALYZE_DISC}};

// False after a message.
static bool output_form(const command_line *line, analyze_output *out) {
  const char *option = option_given(line, "guards") ? "guards" : "emit";
  const char *name = option_value(line, option);
  *out = ANALYZE_REFINED;
  if (!name) return true;
  if (option_given(line, "guards") && option_given(line, "emit")) {
    return usage_error(line->command, "give --emit or --guards, not both"), false;
  }
  for (unsigned i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
    if (strcmp(FORMS[i].option, option) != 0 || strcmp(FORMS[i].name, name) != 0) continue;
    *out = FORMS[i].output;
    return true;
  }
  return usage_error(line->command, "--%s is not '%.40s'; --help lists the forms", option, name),
         false;
}

static bool dynamism(const command_line *line, analyze_dynamism *out) {
  const char *kind = option_value(line, "dynamism");
  *out = DYNAMISM_AS_IS;
  if (!kind) return true;
  *out = strcmp(kind, "bounded") == 0 ? DYNAMISM_BOUNDED : DYNAMISM_UNBOUNDED;
  if (*out == DYNAMISM_BOUNDED || strcmp(kind, "unbounded") == 0) return true;
  return usage_error(line->command, "--dynamism is bounded or unbounded"), false;
}

int cmd_refine(const command_line *line) {
  if (line->operand_count != 1) {
    return usage_error(line->command, "one FILE is needed; - is standard input");
  }
  analyze_request request = {.argument_types = option_value(line, "arg-types"),
                             .entry = option_value(line, "entry"),
                             .require_static = option_given(line, "require-static"),
                             .cleanup = option_given(line, "cleanup"),
                             .generic = option_given(line, "generic")};
  if (!output_form(line, &request.output)) return EXIT_USAGE;
  if (!dynamism(line, &request.dynamism)) return EXIT_USAGE;
  uint64_t steps = 0, memory = 0;
  if (!option_number(line, "steps", 1, UINT64_MAX / 2, &steps) ||
      !option_number(line, "memory", 1, 1 << 20, &memory)) {
    return EXIT_USAGE;
  }
  request.limits.steps = steps;
  request.limits.memory = (size_t)memory << 20;
  input in;
  if (!input_read(line->operands[0], &in)) return EXIT_UNREADABLE;
  int status = EXIT_NO_ANSWER;
  splice a = {0};
  analyze_reply reply;
  const char **values = option_room(line, 3);
  if (!values) goto cleanup;
  request.bindings = values;
  request.binding_count = option_values(line, "bind", values);
  request.bounds = values + 2 * (size_t)line->option_count;
  request.bound_count = option_values(line, "bound", values + 2 * (size_t)line->option_count);
  request.assumptions = values + line->option_count;
  request.assumption_count = option_values(line, "assume", values + line->option_count);
  // Of a program that is specialised, what is left to do; one that is not may be as dynamic as it likes.
  if (request.argument_types || request.binding_count) request.dynamic = to_errors;
  request.dynamic_to = &in;
  request.name = in.name;
  request.text = in.text;
  request.length = in.length;
  request.copy = splice_add_copy;
  external_files files = {line->operands[0], false};
  request.external = external_read;
  request.external_data = &files;
  // A model comes back as what it is, unless another form is asked for.
  bool plain = !option_given(line, "emit") && !option_given(line, "guards");
  if (plain && sniff(in.text, in.length) == SNIFF_ONNX) request.output = ANALYZE_ONNX;
  analyze(&request, splice_add, &a, &reply);
  status = finish(line, &reply, &a, &in);
cleanup:
  free(values);
  splice_free(&a);
  input_free(&in);
  return status;
}
