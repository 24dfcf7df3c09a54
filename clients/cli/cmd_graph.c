// SPDX-License-Identifier: Apache-2.0
// graph: the constraint graph as a picture. The program is analysed once for the boxes, which Graphviz lays out, and once
// more for the picture with the layout; analyses are deterministic.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/cli/graphviz.h"
#include "clients/cli/setup.h"
#include "clients/cli/splice.h"

// The format that --format names, or the end of the output's name; SVG where neither does. False after a message.
static bool output_format(const command_line *line, shape_format *out) {
  const char *name = option_value(line, "format"), *path = option_value(line, "output");
  const char *slash = path ? strrchr(path, '/') : NULL, *file = slash ? slash + 1 : path;
  const char *dot = file ? strrchr(file, '.') : NULL, *form = name ? name : dot ? dot + 1 : "svg";
  if (strcmp(form, "layout") != 0 && shape_format_find(SHAPE_FORMAT_PICTURE, form, out))
    return true;
  if (name) {
    option_wrong(line, "format", "svg, dot or html");
  } else {
    usage_error(line->command, "'%.200s' names no form: .svg, .dot or .html, or give --format",
                path);
  }
  return false;
}

// One format of the graph into `to`; what is wrong goes to stderr.
static int answer(const command_line *line, const analysis_setup *setup, const char *format,
                  shape_emit_options *options, const input *in, splice *to) {
  subject s;
  if (!subject_open(&s, setup, in, line->operands[0])) return EXIT_NO_ANSWER;
  outcome done = subject_emit(&s, format, options, splice_add, to);
  int status = splice_status(to, line, &done, in);
  subject_close(&s);
  return status;
}

static int draw(const command_line *line, const analysis_setup *setup, const char *format,
                shape_emit_options *options, const input *in) {
  splice boxes = {0}, picture = {0};
  char *layout = NULL;
  int status = EXIT_FINE;
  if (strcmp(format, "dot") != 0) {
    status = answer(line, setup, "layout", options, in, &boxes);
    if (status) goto cleanup;
    layout = graphviz_layout(line->command, boxes.data, boxes.length, &options->layout_length);
    status = layout ? EXIT_FINE : EXIT_NO_ANSWER;
    if (status) goto cleanup;
  }
  options->layout = layout;
  status = answer(line, setup, format, options, in, &picture);
  if (!status && !splice_write(&picture, in, option_value(line, "output")))
    status = EXIT_UNREADABLE;
cleanup:
  free(layout);
  splice_free(&boxes);
  splice_free(&picture);
  return status;
}

int cmd_graph(const command_line *line) {
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  shape_format format;
  analysis_setup setup;
  if (!output_format(line, &format)) return EXIT_USAGE;
  input in;
  int status = setup_read_file(line, &setup, &in);
  if (status) return status;
  const char **symbols = option_room(line, 1);
  if (symbols) {
    options.symbols = symbols;
    options.symbol_count = option_values(line, "symbol", symbols);
    status = draw(line, &setup, format.name, &options, &in);
  } else {
    status = EXIT_NO_ANSWER;
  }
  free(symbols);
  input_free(&in);
  setup_free(&setup);
  return status;
}
