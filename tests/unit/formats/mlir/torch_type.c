// SPDX-License-Identifier: Apache-2.0
// Types of torch-mlir: each prints as it is written, but for idle spaces.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/formats/mlir/reading.h"

static type_id parse(reading *r, const char *text, const char **error) {
  type_id type = TYPE_NONE;
  size_t at;
  return mlir_parse_type(&r->graph, text, strlen(text), &type, error, &at) ? type : TYPE_NONE;
}

static void init(reading *r) {
  arena_init(&r->arena, 0);
  graph_init(&r->graph, &r->arena, GRAPH_MLIR, "", 0);
}

static void accepts(const char *text, const char *printed) {
  reading r;
  const char *error = "";
  shape_strbuf buf;
  init(&r);
  type_id type = parse(&r, text, &error);
  cr_assert_neq(type, TYPE_NONE, "%s: %s", text, error);
  strbuf_init(&buf, &r.arena);
  type_print(&r.graph.types, &buf, type);
  cr_expect_str_eq(strbuf_text(&buf), printed ? printed : text);
  cr_expect_eq(parse(&r, strbuf_text(&buf), &error), type, "%s", text);
  reading_destroy(&r);
}

Test(torch_type, tensors) {
  accepts("!torch.vtensor<[2,?],f32>", NULL);
  accepts("!torch.vtensor<[ 2, ? ], si64>", "!torch.vtensor<[2,?],si64>");
  accepts("!torch.vtensor<[],f32>", NULL);
  accepts("!torch.vtensor<*,f32>", NULL);
  accepts("!torch.vtensor<[2,?],unk>", NULL);
  accepts("!torch.vtensor", NULL);
  accepts("!torch.tensor<[2],i1>", NULL);
  accepts("!torch.vtensor<[1],complex<f32>>", NULL);
  accepts("!torch.vtensor<[1],!torch.qint8>", NULL);
}

Test(torch_type, scalars_and_others) {
  static const char *const TEXTS[] = {"!torch.int",
                                      "!torch.bool",
                                      "!torch.float",
                                      "!torch.none",
                                      "!torch.list<vtensor<[?],f32>>",
                                      "!torch.optional<list<int>>",
                                      "!torch.dict<str, int>"};
  for (unsigned i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) accepts(TEXTS[i], NULL);
}

Test(torch_type, what_a_type_is) {
  reading r;
  const char *error = "";
  init(&r);
  const graph_type *t = type_get(&r.graph.types, parse(&r, "!torch.vtensor<[4,?],si8>", &error));
  cr_expect_eq(t->kind, TYPE_TENSOR);
  cr_expect_eq(t->dtype, DTYPE_I8);
  cr_expect_eq(t->rank, 2u);
  cr_expect_eq(t->dims[1], DIM_DYNAMIC);
  t = type_get(&r.graph.types, parse(&r, "!torch.int", &error));
  cr_expect_eq(t->kind, TYPE_SCALAR);
  cr_expect_eq(t->dtype, DTYPE_I64);
  cr_expect_neq(parse(&r, "!torch.vtensor<[2],f32>", &error), parse(&r, "tensor<2xf32>", &error));
  reading_destroy(&r);
}

Test(torch_type, hostile) {
  static const char *const TEXTS[] = {"!torch.vtensor<",
                                      "!torch.vtensor<[",
                                      "!torch.vtensor<[2",
                                      "!torch.vtensor<[-3],f32>",
                                      "!torch.vtensor<[2],>",
                                      "!torch.vtensor<[2] f32>",
                                      "!torch.list<int",
                                      "!torch.vtensor<[2],f32",
                                      "!torch.vtensor<[99999999999999999999],f32>"};
  for (unsigned i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    reading r;
    const char *error = "";
    init(&r);
    cr_expect_eq(parse(&r, TEXTS[i], &error), TYPE_NONE, "%s", TEXTS[i]);
    cr_expect(*error, "%s", TEXTS[i]);
    reading_destroy(&r);
  }
}
