// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/page.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char *markdown, const char *text) {
  char *said = NULL;
  size_t length = 0;
  FILE *to = open_memstream(&said, &length);
  cr_assert(to);
  print_page(to, markdown, strlen(markdown));
  fclose(to);
  cr_expect_str_eq(said, text, "of %s", markdown);
  free(said);
}

Test(page, headings_and_paragraphs) {
  expect("<!-- a comment -->\n# One\n\nTwo\nthree.\n\n\n## Four\n\nFive",
         "One\n\n  Two three.\n\nFour\n\n  Five\n");
  expect("", "");
}

Test(page, lines_have_eighty_columns) {
  expect("aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhh iiiii\n",
         "  aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhh\n  "
         "iiiii\n");
  expect("- aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhh iiiii\n "
         " j\n- k\n",
         "  - aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg\n    hhhhhhhh "
         "iiiii j\n  - k\n");
}

Test(page, blocks_stay_as_they_are) {
  expect("```console\n$ shape  check\n\n**a**\n```\n", "      $ shape  check\n\n      **a**\n");
  expect("a\n\n```{toctree}\nb\n```\n", "  a\n\n");
}

Test(page, links_are_their_labels) {
  expect("See [the\npage](x.md) and [JAX](https://example.org/a).\n",
         "  See the page and JAX (https://example.org/a).\n");
  expect("`[a](b)` [c] [[d]](e) **f**\n", "  `[a](b)` [c] [d] f\n");
  expect("[a](b", "  a\n");
  expect("![a picture](p.svg)\n", "");
}

Test(page, rows_are_cells_below_each_other) {
  expect("| a | b |\n|---|---|\n| `x \\| y` | z |\n", "  a\n      b\n  `x | y`\n      z\n");
}
