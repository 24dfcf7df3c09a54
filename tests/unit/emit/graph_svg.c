// SPDX-License-Identifier: Apache-2.0
// Pictures of the constraint graph from what Graphviz makes of the layout: boxes and curves at its points, and no
// picture from anything else.
#include <string.h>

#include "solver/shape.h"
#include "tests/unit/collected.h"

static const char PROGRAM[] =
    "func.func @main(%a: tensor<?x4xf32>) -> tensor<2x4xf32> {\n"
    "  %r = stablehlo.slice %a [0:2, 0:4] : (tensor<?x4xf32>) -> tensor<2x4xf32>\n"
    "  return %r : tensor<2x4xf32>\n}\n";

#define NODES                                                                                      \
  "node s0 1 1 0.5 0.5 S0\nnode f0 2 1 0.5 0.5 fact\nnode a0 0.5 2 1 1 a\nnode r0 3 2 1 1 r\n"
#define EDGES                                                                                      \
  "edge s0 f0 4 1 1 1.2 1 1.8 1 2 1 solid black\nedge a0 s0 4 0.5 2 0.6 1.9 0.8 1.2 1 1 solid "    \
  "black\n"

static shape_status draw(shape_analysis *a, const char *format, const char *layout,
                         collected *out) {
  shape_emit_options options = SHAPE_STRUCT(shape_emit_options);
  options.layout = layout;
  options.layout_length = strlen(layout);
  *out = (collected){0};
  return shape_analysis_emit_with(a, format, &options, collect, out);
}

static shape_analysis *analysed(shape_program *p) {
  cr_assert_eq(shape_program_load(p, PROGRAM, strlen(PROGRAM), "cut.mlir"), SHAPE_OK);
  shape_analysis *a = shape_program_analyze(p, NULL);
  cr_assert_eq(shape_analysis_error(a)->status, SHAPE_OK);
  return a;
}

Test(graph_svg, draws_what_is_laid_out) {
  static const char *const PARTS[] = {"<svg xmlns=",
                                      "width=\"",
                                      "class=\"node symbol\" id=\"s0\"",
                                      "id=\"f0\"",
                                      "class=\"node value argument\"",
                                      "class=\"node value result\"",
                                      "<path class=\"edge\"",
                                      "<path class=\"edge of-value\"",
                                      "S0",
                                      "</svg>\n"};
  shape_program *p = shape_program_new(NULL);
  shape_analysis *a = analysed(p);
  collected out;
  cr_assert_eq(draw(a, "svg", "graph 1 4 3\n" NODES EDGES "stop\n", &out), SHAPE_OK);
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
    cr_expect(strstr(out.text, PARTS[i]), "no %s in\n%s", PARTS[i], out.text);
  free(out.text);
  cr_assert_eq(draw(a, "html", "graph 1 4 3\n" NODES EDGES "stop\n", &out), SHAPE_OK);
  cr_expect(strstr(out.text, "<!DOCTYPE html>") || strstr(out.text, "<!doctype html>"));
  cr_expect(strstr(out.text, "id=\"s0\"") && strstr(out.text, "cut.mlir"));
  free(out.text);
  shape_analysis_free(a);
  shape_program_free(p);
}

Test(graph_svg, refuses_any_other_layout) {
  static const char *const LAYOUTS[] = {"",
                                        "digraph {}\n",
                                        "graph 1 4\n",
                                        "graph 1 x 3\n",
                                        "graph 1 -4 3\n",
                                        "graph 1 4 3\nnode s0 1\n",
                                        "graph 1 4 3\nnode s99 1 1 1 1 x\n",
                                        "graph 1 4 3\nnode q0 1 1 1 1 x\n",
                                        "graph 1 4 3\nnode s 1 1 1 1 x\n",
                                        "graph 1 4 3\nnode s0x 1 1 1 1 x\n",
                                        "graph 1 4 3\nedge s0 f0 3 1 1 1 1 1 1\n",
                                        "graph 1 4 3\nedge s0 \"><script> 4 1 1 1 1 1 1 1 1\n",
                                        "graph 1 4 3\nedge s0 f0 400 1 1\n",
                                        "graph 1 1e9 3\n"};
  shape_program *p = shape_program_new(NULL);
  shape_analysis *a = analysed(p);
  for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; i++) {
    collected out;
    cr_expect_eq(draw(a, "svg", LAYOUTS[i], &out), SHAPE_INVALID, "%s", LAYOUTS[i]);
    cr_expect_null(out.text, "%s", LAYOUTS[i]);
    free(out.text);
  }
  shape_analysis_free(a);
  shape_program_free(p);
}
