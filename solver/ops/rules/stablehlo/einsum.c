// SPDX-License-Identifier: Apache-2.0
// einsum and unary_einsum (deprecated): "ab,bc->ac". A letter denotes one size; "..." for any number of axes, the
// same in all operands.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

typedef struct einsum_state {
  term_id letters[256];
  const term_id *dots;  // dims of "..."
  uint32_t dot_count;
  bool have_dots;
} einsum_state;

static const char *side_end(const char *s) {
  while (*s && *s != ',' && !(s[0] == '-' && s[1] == '>')) s++;
  return s;
}

static bool is_dots(const char *s, const char *end) {
  return end - s >= 3 && s[0] == '.' && s[1] == '.' && s[2] == '.';
}

// Letters of one side, spaces aside; false (reported) where it has something else.
static bool count_axes(rule_context *c, const char *s, const char *end, uint32_t *letters,
                       bool *dots) {
  assert(s <= end);
  *letters = 0;
  *dots = false;
  for (; s < end; s++) {
    if (*s == ' ') continue;
    if (is_dots(s, end) && !*dots) {
      *dots = true;
      s += 2;
    } else if ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z')) {
      ++*letters;
    } else {
      rule_error(c, "attribute", "einsum_config has '%c' where a letter is needed", *s);
      return false;
    }
  }
  return true;
}

static bool read_operand(rule_context *c, einsum_state *state, uint32_t operand, const char *s,
                         const char *end) {
  uint32_t letters, axis = 0;
  bool dots;
  if (!count_axes(c, s, end, &letters, &dots)) return false;
  if (!dots) rule_assume_rank(c, operand, letters);
  const value_info *v = rule_operand(c, operand);
  if (!v->ranked) return false;
  if (dots ? v->rank < letters : v->rank != letters) {
    rule_error(c, "rank", "operand #%u has rank %u, einsum_config gives it %u axes", operand,
               v->rank, letters);
    return false;
  }
  for (; s < end; s++) {
    if (*s == ' ') continue;
    if (is_dots(s, end)) {
      assert(letters <= v->rank);
      uint32_t count = v->rank - letters;
      if (state->have_dots && count != state->dot_count)
        return false;  // broadcasting of "...": nothing is said
      for (uint32_t i = 0; state->have_dots && i < count; i++)
        rule_require_eq(c, v->dims[axis + i], state->dots[i], "dims of ... are equal");
      state->dots = v->rank ? v->dims + axis : NULL;
      state->dot_count = count;
      state->have_dots = true;
      axis += count;
      s += 2;
      continue;
    }
    assert(axis < v->rank);
    term_id *size = &state->letters[(unsigned char)*s];
    if (*size == TERM_NONE) {
      *size = v->dims[axis];
    } else {
      rule_require_eq(c, v->dims[axis], *size, "dims of one letter are equal");
    }
    axis++;
  }
  return true;
}

static void set_result(rule_context *c, const einsum_state *state, const char *s, const char *end) {
  uint32_t letters, rank = 0;
  bool dots;
  if (!count_axes(c, s, end, &letters, &dots) || letters > VALUE_MAX_RANK) {
    rule_set_unknown(c, 0);
    return;
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)letters + state->dot_count + 1) * sizeof(term_id));
  for (; s < end; s++) {
    if (*s == ' ') continue;
    if (is_dots(s, end)) {
      for (uint32_t i = 0; i < state->dot_count; i++) dims[rank++] = state->dots[i];
      s += 2;
      continue;
    }
    term_id size = state->letters[(unsigned char)*s];
    if (size == TERM_NONE) {
      rule_error(c, "attribute", "einsum_config has '%c' in the result and in no operand", *s);
      rule_set_unknown(c, 0);
      return;
    }
    dims[rank++] = size;
  }
  assert(rank <= letters + state->dot_count);
  rule_set_dims(c, 0, dims, rank);
}

rule_status rule_einsum(rule_context *c) {
  const char *config = rule_text(c, "einsum_config");
  uint32_t operands = c->row->param == EINSUM_UNARY ? 1 : 2;
  einsum_state state = {.dots = NULL};
  for (uint32_t i = 0; i < 256; i++) state.letters[i] = TERM_NONE;
  const char *s = config;
  bool fine = config != NULL;
  for (uint32_t i = 0; fine && i < operands; i++) {
    const char *end = side_end(s);
    fine = read_operand(c, &state, i, s, end);
    s = end;
    bool last = i + 1 == operands;
    if (*s != (last ? '-' : ',')) {
      rule_error(c, "attribute", "einsum_config is \"%s\", %u operands and -> are needed", config,
                 operands);
      fine = false;
    }
    s += last ? 2 : 1;
  }
  if (!fine) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  set_result(c, &state, s, s + strlen(s));
  return RULE_DONE;
}
