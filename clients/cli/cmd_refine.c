// SPDX-License-Identifier: Apache-2.0
// refine: the program back. The answer is kept until it is known whether it is one, so that an error writes no file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/cli/exit.h"
#include "clients/cli/external.h"
#include "clients/cli/input.h"
#include "clients/cli/options.h"
#include "clients/cli/plain.h"
#include "clients/cli/splice.h"
#include "solver/emit/emitter.h"
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

static int finish(const command_line *line, const analysis_reply *reply, const splice *s,
                  const input *in) {
  if (reply->status == SHAPE_INVALID) return usage_error(line->command, "%s", reply->message);
  if (s->failed) return out_of_memory();
  int status = exit_status_of(reply);
  if (status) {
    splice_errors(s, in, reply->message);
  } else if (!splice_write(s, in, option_value(line, "output"))) {
    status = EXIT_UNREADABLE;
  }
  return status;
}

// The emitter that is asked for: --emit FORM, or --guards LANGUAGE for the form guards-LANGUAGE. NULL after a message.
static const emitter *output_form(const command_line *line) {
  bool guards = option_given(line, "guards");
  const char *option = guards ? "guards" : "emit", *name = option_value(line, option);
  char form[64];
  if (!name) return emit_as_mlir(NULL).emitter;
  if (guards && option_given(line, "emit")) {
    usage_error(line->command, "give --emit or --guards, not both");
    return NULL;
  }
  snprintf(form, sizeof form, "%s%s", guards ? "guards-" : "", name);
  const emitter *found = emitter_find(EMIT_PROGRAM, form);
  if (found && guards == (strncmp(found->form, "guards-", 7) == 0)) return found;
  usage_error(line->command, "--%s is not '%.40s'; --help lists the forms", option, name);
  return NULL;
}

static bool dynamism(const command_line *line, program_dynamism *out) {
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
  analysis_request request = {.argument_types = option_value(line, "arg-types"),
                              .entry = option_value(line, "entry")};
  program_options options = {.require_static = option_given(line, "require-static"),
                             .cleanup = option_given(line, "cleanup"),
                             .generic = option_given(line, "generic"),
                             .copy = splice_add_copy};
  const emitter *form = output_form(line);
  if (!form || !dynamism(line, &options.dynamism)) return EXIT_USAGE;
  request.find_bounds = program_finds_bounds(&options);
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
  analysis_reply reply;
  const char **values = option_room(line, 3);
  if (!values) goto cleanup;
  request.bindings = values;
  request.binding_count = option_values(line, "bind", values);
  request.bounds = values + 2 * (size_t)line->option_count;
  request.bound_count = option_values(line, "bound", values + 2 * (size_t)line->option_count);
  request.assumptions = values + line->option_count;
  request.assumption_count = option_values(line, "assume", values + line->option_count);
  // Of a program that is specialised, what is left to do; one that is not may be as dynamic as it likes.
  if (request.argument_types || request.binding_count) options.dynamic = to_errors;
  options.dynamic_to = &in;
  request.name = in.name;
  request.text = in.text;
  request.length = in.length;
  external_files files = {line->operands[0], false};
  request.external = external_read;
  request.external_data = &files;
  // A model comes back as what it is, unless another form is asked for.
  bool plain = !option_given(line, "emit") && !option_given(line, "guards");
  if (plain && sniff(in.text, in.length) == SNIFF_ONNX) form = emit_as_onnx(NULL).emitter;
  emit_analyze(&request, (emit_choice){form, &options}, splice_add, &a, &reply);
  status = finish(line, &reply, &a, &in);
cleanup:
  free(values);
  splice_free(&a);
  input_free(&in);
  return status;
}
