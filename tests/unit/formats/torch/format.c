// SPDX-License-Identifier: Apache-2.0
// Archives of torch.export: how they are recognised, which member is the program, and where nodes come from.
#include "solver/formats/formats.h"
#include "solver/report/report.h"
#include "tests/unit/formats/torch/reading.h"

static format_match match(const char *bytes, size_t length) {
  const format_bytes b = {.text = bytes, .length = length, .is_text = true};
  return FORMAT_READERS[GRAPH_TORCH]->match(&b);
}

Test(torch_format, an_archive_begins_or_ends_as_zip_says) {
  char end[40] = {0};
  memset(end, 'x', sizeof end);
  memcpy(end + sizeof end - 22, "PK\5\6", 4);
  cr_expect_eq(match("PK\3\4", 4), FORMAT_SURE);
  cr_expect_eq(match("PK\5\6", 4), FORMAT_SURE);
  cr_expect_eq(match("PK\3", 3), FORMAT_NO);
  cr_expect_eq(match("PK\1\2", 4), FORMAT_NO);
  cr_expect_eq(match(end, sizeof end), FORMAT_SURE);
  cr_expect_eq(match(end + sizeof end - 22, 21), FORMAT_SURE);  // as its beginning
  cr_expect_eq(match(end, sizeof end - 1), FORMAT_NO);
}

// The first error of the archive with this one member; "" where it is read.
static const char *read_member(const char *name, const char *text) {
  static unsigned char bytes[8192];
  static char error[256];
  shape_arena arena;
  shape_graph graph;
  const char *json = torch_quoted(text);
  size_t length = stored_zip_as(name, json, strlen(json), bytes);
  arena_init(&arena, 0);
  graph_init(&graph, &arena, GRAPH_TORCH, (const char *)bytes, length);
  FORMAT_READERS[GRAPH_TORCH]->read(&graph, &(format_options){0});
  snprintf(error, sizeof error, "%s", graph.diags.count ? graph.diags.items[0].message : "");
  cr_expect_eq(graph.func_count, graph.diags.count ? 0 : 1);
  arena_destroy(&arena);
  return error;
}

static const char EMPTY[] = PROGRAM("", "", "", "");

Test(torch_format, the_program_is_a_member_of_this_name) {
  static const char *const FOUND[] = {"m/models/model.json", "models/other.json",
                                      "serialized_exported_program.json",
                                      "m/serialized_exported_program.json"};
  static const char *const OTHERS[] = {"model.json", "xmodels/model.json", "m/models/model.txt",
                                       "models/.json/x", "xserialized_exported_program.json"};
  for (size_t i = 0; i < sizeof FOUND / sizeof *FOUND; i++)
    cr_expect_str_eq(read_member(FOUND[i], EMPTY), "", "%s", FOUND[i]);
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
    cr_expect(strstr(read_member(OTHERS[i], EMPTY), "the zip archive has no program"), "%s",
              OTHERS[i]);
}

Test(torch_format, what_is_wrong_with_an_archive) {
  cr_expect_str_eq(read_member("m/archive_format", "pt1"),
                   "the archive_format is 'pt1', expected 'pt2'");
  cr_expect(strstr(read_member("m/archive_format", "pt2\n"), "has no program"));
  cr_expect(strstr(read_member("models/m.json", "{'a': }"),
                   "the JSON of the exported program is invalid at byte 6"),
            "%s", read_member("models/m.json", "{'a': }"));
  cr_expect(strstr(read_member("models/m.json", ""), "is invalid at byte 0"));
  cr_expect_str_eq(read_member("models/m.json", "[]"),
                   "the exported program: expected an object, found a list");
}

// "model.py:10 forward" of the text of a node, or "none".
static const char *location(const char *node) {
  static char text[128];
  shape_graph g = {.source = {.text = node, .length = (uint32_t)strlen(node)}};
  report_location l = {0};
  uint32_t count =
      FORMAT_READERS[GRAPH_TORCH]->locations(&g, (source_span){0, g.source.length}, &l, 1);
  snprintf(text, sizeof text, "none");
  if (count)
    snprintf(text, sizeof text, "%.*s:%u %.*s", (int)l.text.length, l.text.text, l.line,
             (int)l.function.length, l.function.length ? l.function.text : "");
  return text;
}

#define FRAME(file, line, rest) "File \\\"" file "\\\", line " line rest
#define TRACE(frames)           "{\"metadata\": {\"stack_trace\": \"" frames "\"}}"

// The innermost frame is the last.
Test(torch_format, a_node_comes_from_the_last_frame) {
  static const char *const CASES[][2] = {
      {TRACE(FRAME("model.py", "10", ", in forward\\n")), "model.py:10 forward"},
      {TRACE(FRAME("a.py", "1", ", in f\\n") FRAME("b.py", "22", ", in g\\n")), "b.py:22 g"},
      {TRACE(FRAME("a.py", "7", "")), "a.py:7 "},
      {TRACE(FRAME("a.py", "0", ", in f")), "none"},
      {TRACE(FRAME("a.py", "x", "")), "none"},
      {TRACE("File \\\"a.py"), "none"},
      {TRACE(""), "none"},
      {"{" FRAME("a.py", "7", "") "}", "none"},
      {"", "none"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    cr_expect_str_eq(location(CASES[i][0]), CASES[i][1], "%s: %s", CASES[i][0],
                     location(CASES[i][0]));
}
