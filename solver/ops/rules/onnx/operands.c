// SPDX-License-Identifier: Apache-2.0
// Operands of com.microsoft that have to fit together, by a table of their shapes (onnx_operands.def).
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/ops/registry.h"
#include "solver/ops/rules/onnx/onnx.h"

typedef struct operand_shapes {
  const char *op, *shapes;
} operand_shapes;

static const operand_shapes ROWS[] = {
#define X(op, shapes) {op, shapes},
#include "solver/ops/onnx_operands.def"
#undef X
};

static const char DOMAIN[] = "com.microsoft.";

static int compare(const void *name, const void *row) {
  return strcmp(name, ((const operand_shapes *)row)->op);
}

typedef struct dim_reader {
  rule_context *c;
  const char *at;
  term_id bound[26];  // of A to Z; TERM_NONE: not met as yet
} dim_reader;

static void require_size(rule_context *c, char letter, term_id dim, term_id size) {
  switch (letter) {
  case 'B': rule_require_eq(c, dim, size, "the batches are equal"); break;
  case 'C': rule_require_eq(c, dim, size, "there are as many scales as biases"); break;
  case 'S': rule_require_eq(c, dim, size, "the lengths are equal"); break;
  case 'H': rule_require_eq(c, dim, size, "the operands have one hidden dim"); break;
  default: rule_require_eq(c, dim, size, "the dims of the operands fit together"); break;
  }
}

// One dim of a shape: a number, a letter, or a multiple of one.
static void read_dim(dim_reader *r, term_id dim) {
  rule_context *c = r->c;
  int64_t number = 0;
  bool digits = false;
  for (; *r->at >= '0' && *r->at <= '9'; r->at++, digits = true)
    number = 10 * number + (*r->at - '0');
  if (*r->at < 'A' || *r->at > 'Z') {
    assert(digits);
    rule_require_eq(c, dim, rule_int_term(c, number),
                    "the last axis has a real and an imaginary part");
    return;
  }
  char letter = *r->at++;
  term_id *bound = &r->bound[letter - 'A'];
  if (*bound == TERM_NONE) {
    if (!digits) *bound = dim;
    return;
  }
  term_id size = digits ? term_mul(c->terms, rule_int_term(c, number), *bound) : *bound;
  require_size(c, letter, dim, size);
}

static uint32_t count_dims(const char *shape) {
  uint32_t count = 1;
  for (; *shape && *shape != ' '; shape++) count += *shape == ',';
  return count;
}

static void read_shape(dim_reader *r, uint32_t operand) {
  bool open = r->at[0] == '.' && r->at[1] == '.';
  if (open) r->at += 2;
  uint32_t count = count_dims(r->at);
  const value_info *v = rule_operand(r->c, operand);
  if (open && v->ranked && v->rank < count) {
    rule_error(r->c, "rank", "operand #%u has rank %u, at least %u is needed", operand, v->rank,
               count);
    return;
  }
  if (open ? !v->ranked : !onnx_rank(r->c, operand, count)) return;
  v = rule_operand(r->c, operand);
  assert(v->ranked && v->rank >= count);
  for (uint32_t i = v->rank - count; i < v->rank; i++) {
    read_dim(r, v->dims[i]);
    r->at += *r->at == ',';
  }
}

void onnx_check_operands(rule_context *c) {
  if (strncmp(c->row->name, DOMAIN, sizeof DOMAIN - 1) != 0) return;
  const operand_shapes *row =
      bsearch(c->row->name, ROWS, sizeof ROWS / sizeof *ROWS, sizeof *ROWS, compare);
  if (!row) return;
  dim_reader r = {.c = c, .at = row->shapes};
  for (uint32_t i = 0; i < 26; i++) r.bound[i] = TERM_NONE;
  const char *shape = row->shapes;
  for (uint32_t operand = 0; *shape; operand++) {
    r.at = shape;
    if (*shape != '*' && onnx_has(c, operand)) read_shape(&r, operand);
    shape += strcspn(shape, " ");
    shape += *shape == ' ';
  }
}
