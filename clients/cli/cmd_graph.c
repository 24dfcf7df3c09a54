// SPDX-License-Identifier: Apache-2.0
// graph: the constraint graph as a picture. The program is analysed once for the boxes, which Graphviz lays out, and once
// more for the picture with the layout; analyses are deterministic.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/cli/exit.h"
#include "clients/cli/external.h"
#include "clients/cli/graphviz.h"
#include "clients/cli/input.h"
#include "clients/cli/options.h"
#include "clients/cli/splice.h"
#include "solver/emit/emitter.h"

// The emitter that --format names, or the end of the output's name; SVG where neither does. NULL after a message.
static const emitter *output_form(const command_line *line) {
  const char *name = option_value(line, "format"), *path = option_value(line, "output");
  const char *slash = path ? strrchr(path, '/') : NULL, *file = slash ? slash + 1 : path;
  const char *dot = file ? strrchr(file, '.') : NULL, *form = name ? name : dot ? dot + 1 : "svg";
  const emitter *found = emitter_find(EMIT_PICTURE, form);
  if (found && found != emit_as_layout(NULL).emitter) return found;
  if (name) {
    usage_error(line->command, "--format is svg, dot or html, not '%.40s'", name);
  } else {
    usage_error(line->command, "'%.200s' names no form: .svg, .dot or .html, or give --format",
                path);
  }
  return NULL;
}

// One form of the graph into `to`; what is wrong goes to stderr.
static int answer(const command_line *line, const analysis_request *request, emit_choice choice,
                  const input *in, splice *to) {
  analysis_reply reply;
  emit_analyze(request, choice, splice_add, to, &reply);
  if (reply.status == SHAPE_INVALID) return usage_error(line->command, "%s", reply.message);
  int status = to->failed ? out_of_memory() : exit_status_of(&reply);
  if (!to->failed && status) splice_errors(to, in, reply.message);
  return status;
}

static int draw(const command_line *line, const analysis_request *request, const emitter *form,
                picture_options *options, const input *in) {
  splice boxes = {0}, picture = {0};
  char *layout = NULL;
  int status = EXIT_FINE;
  if (form != emit_as_dot(NULL).emitter) {
    status = answer(line, request, emit_as_layout(options), in, &boxes);
    if (status) goto cleanup;
    layout = graphviz_layout(line->command, boxes.data, boxes.length, &options->layout_length);
    status = layout ? EXIT_FINE : EXIT_NO_ANSWER;
    if (status) goto cleanup;
  }
  options->layout = layout;
  status = answer(line, request, (emit_choice){form, options}, in, &picture);
  if (!status && !splice_write(&picture, in, option_value(line, "output")))
    status = EXIT_UNREADABLE;
cleanup:
  free(layout);
  splice_free(&boxes);
  splice_free(&picture);
  return status;
}

int cmd_graph(const command_line *line) {
  if (line->operand_count != 1)
    return usage_error(line->command, "one FILE is needed; - is standard input");
  analysis_request request = {.argument_types = option_value(line, "arg-types"),
                              .entry = option_value(line, "function")};
  picture_options options = {0};
  const emitter *form = output_form(line);
  uint64_t steps = 0, memory = 0;
  if (!form || !option_number(line, "steps", 1, UINT64_MAX / 2, &steps) ||
      !option_number(line, "memory", 1, 1 << 20, &memory))
    return EXIT_USAGE;
  request.limits.steps = steps;
  request.limits.memory = (size_t)memory << 20;
  input in;
  if (!input_read(line->operands[0], &in)) return EXIT_UNREADABLE;
  int status = EXIT_NO_ANSWER;
  size_t room = line->option_count;
  const char **values = option_room(line, 3);
  if (!values) goto cleanup;
  request.bindings = values;
  request.binding_count = option_values(line, "bind", values);
  request.assumptions = values + room;
  request.assumption_count = option_values(line, "assume", values + room);
  options.symbols = values + 2 * room;
  options.symbol_count = option_values(line, "symbol", values + 2 * room);
  request.name = in.name;
  request.text = in.text;
  request.length = in.length;
  external_files files = {line->operands[0], false};
  request.external = external_read;
  request.external_data = &files;
  status = draw(line, &request, form, &options, &in);
cleanup:
  free(values);
  input_free(&in);
  return status;
}
