// SPDX-License-Identifier: Apache-2.0
#include "solver/term/predicate.h"

#include <assert.h>

static const struct {
  const char *text;
  relation opposite;
} RELATIONS[] = {[REL_EQ] = {"==", REL_NE},
                 [REL_NE] = {"!=", REL_EQ},
                 [REL_LT] = {"<", REL_GE},
                 [REL_LE] = {"<=", REL_GT},
                 [REL_GT] = {">", REL_LE},
                 [REL_GE] = {">=", REL_LT},
                 [REL_DIVISIBLE] = {"divisible by", REL_DIVISIBLE}};

const char *relation_text(relation rel) {
  assert((size_t)rel < sizeof RELATIONS / sizeof *RELATIONS);
  return RELATIONS[rel].text;
}

relation relation_not(relation rel) {
  assert((size_t)rel < REL_DIVISIBLE);
  return RELATIONS[rel].opposite;
}

bool relation_holds(relation rel, int order) {
  switch (rel) {
  case REL_EQ: return order == 0;
  case REL_NE: return order != 0;
  case REL_LT: return order < 0;
  case REL_LE: return order <= 0;
  case REL_GT: return order > 0;
  default: assert(rel == REL_GE); return order >= 0;
  }
}

void predicate_print(term_table *t, shape_strbuf *out, predicate p, const term_namer *namer) {
  bool divisible = p.rel == REL_DIVISIBLE;
  if (divisible) strbuf_puts(out, "mod(");
  term_print(t, out, p.left, namer);
  if (divisible) {
    strbuf_puts(out, ", ");
  } else {
    strbuf_printf(out, " %s ", relation_text(p.rel));
  }
  term_print(t, out, p.right, namer);
  if (divisible) strbuf_puts(out, ") == 0");
}
