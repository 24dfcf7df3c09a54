// SPDX-License-Identifier: Apache-2.0
// Guards of arguments that lie in a profile.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "solver/emit/emitter.h"
#include "tests/unit/collected.h"

static const char SLICE[] = "func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {\n"
                            "  %0 = stablehlo.slice %x [0:4] : (tensor<?xf32>) -> tensor<4xf32>\n"
                            "  return %0 : tensor<4xf32>\n}\n";

static shape_status guards(const char *profile, collected *out) {
  const guard_options options = {.profile = profile};
  analysis_reply reply;
  analysis_request request = {.name = "x", .text = SLICE, .length = strlen(SLICE)};
  *out = (collected){NULL, 0};
  emit_analyze(&request, emit_as_guards_python(&options), collect, out, &reply);
  return reply.status;
}

Test(guards, what_holds_at_all_points_of_the_profile_is_left_out) {
  collected c;
  cr_assert_eq(guards(NULL, &c), SHAPE_OK);
  cr_expect(strstr(c.text, "line 2: a slice ends"));
  free(c.text);
  cr_assert_eq(guards("arg0.0=4:8:16", &c), SHAPE_OK);
  cr_expect_null(strstr(c.text, "line 2: a slice ends"));
  cr_expect(strstr(c.text, "S0 <= 16"), "the ranges are checked");
  free(c.text);
  cr_assert_eq(guards("arg0.0=3:8:16", &c), SHAPE_OK);
  cr_expect(strstr(c.text, "line 2: a slice ends"));
  free(c.text);
}

Test(guards, a_profile_that_cannot_be_is_refused) {
  collected c;
  cr_expect_eq(guards("arg0.0=1:2:3", &c), SHAPE_INVALID);
  free(c.text);
  cr_expect_eq(guards("arg0.0=8:4:2", &c), SHAPE_INVALID);
  free(c.text);
  cr_expect_eq(guards("", &c), SHAPE_INVALID);
  free(c.text);
}
