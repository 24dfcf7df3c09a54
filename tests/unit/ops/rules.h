// SPDX-License-Identifier: Apache-2.0
// Small programs through the reader and infer, for the tests of the rules.
//
// `arguments` is the list of arguments of a function ("%a: tensor<?xf32>"), `body` its operations. Every check works on
// the last operation of the body that has a result and is in no region.
#ifndef SHAPE_TESTS_OPS_RULES_H
#define SHAPE_TESTS_OPS_RULES_H

#include <criterion/criterion.h>

// The dims of its results, "[S0, 3] [4]": the arguments' dims are named S0, S1, ... in order. "*" is no rank.
void expect_sizes(const char *arguments, const char *body, const char *sizes);
// The same of the arguments that are tensors: what the body says of them. Equal dims have one name, the first.
void expect_arguments(const char *arguments, const char *body, const char *sizes);
// The elements of its first result, "[1, 2, S0]"; "-" where they are not tracked, "?" for one that is not known.
void expect_elements(const char *arguments, const char *body, const char *elements);
// The program has an error of that code (of infer's or of a requirement that is refuted, "shape-mismatch"), and none
// when code is NULL.
void expect_error(const char *arguments, const char *body, const char *code);
// The program implies the predicate over the names of the arguments' sizes.
void expect_fact(const char *arguments, const char *body, const char *predicate);
// Whether the predicate is implied is not known.
void expect_open(const char *arguments, const char *body, const char *predicate);

// What is to be checked before a run, "S0 == 4*S1; S2 >= 1".
void expect_guards(const char *arguments, const char *body, const char *guards);
// What no guard says, as "requirement: reason; ...".
void expect_unchecked(const char *arguments, const char *body, const char *rows);

// A region that adds two scalars of a type.
#define ADDS(type)                                                                                 \
  "({^bb0(%x: tensor<" type ">, %y: tensor<" type ">): %s = stablehlo.add %x, %y : tensor<" type   \
  "> stablehlo.return %s : tensor<" type "> })"
// A region that compares two scalars of a type.
#define COMPARES(type)                                                                             \
  "({^bb0(%x: tensor<" type ">, %y: tensor<" type                                                  \
  ">): %s = stablehlo.compare LT, %x, %y : (tensor<" type ">, tensor<" type                        \
  ">) -> tensor<i1> stablehlo.return %s : tensor<i1> })"

// Cases of one of these functions.
typedef struct rule_case {
  const char *arguments, *body, *want;
} rule_case;
typedef void expect_rule(const char *arguments, const char *body, const char *want);
#define expect_each(expect, cases) rules_expect_each(expect, cases, sizeof(cases) / sizeof *(cases))
void rules_expect_each(expect_rule *expect, const rule_case *cases, size_t count);

#endif
