// SPDX-License-Identifier: Apache-2.0
#include "solver/term/outline.h"

enum { MAX_DEPTH = 20, MAX_PARTS = 100 };

static void outline(shape_strbuf *out, const term_table *t, term_id id, int depth);

static void list(shape_strbuf *out, const term_table *t, const term_id *args, uint32_t count,
                 int depth) {
  strbuf_putc(out, '(');
  for (uint32_t i = 0; i < count && i < MAX_PARTS; i++) {
    if (i) strbuf_puts(out, ", ");
    outline(out, t, args[i], depth + 1);
  }
  strbuf_puts(out, count > MAX_PARTS ? ", ...)" : ")");
}

static void product(shape_strbuf *out, const term_table *t, const term_node *node, int depth) {
  for (uint32_t i = 0; i < node->count && i < MAX_PARTS; i++) {
    if (i) strbuf_putc(out, '*');
    outline(out, t, node->as.powers[i].atom, depth + 1);
    if (node->as.powers[i].exponent > 1) strbuf_printf(out, "^%u", node->as.powers[i].exponent);
  }
}

static void sum(shape_strbuf *out, const term_table *t, const term_node *node, int depth) {
  for (uint32_t i = 0; i < node->count && i < MAX_PARTS; i++) {
    const term_part *part = &node->as.parts[i];
    if (i) strbuf_puts(out, " + ");
    if (part->monomial == TERM_ONE) {
      num_print(out, part->coefficient);
      continue;
    }
    if (!num_equal(part->coefficient, NUM(1))) {
      num_print(out, part->coefficient);
      strbuf_putc(out, '*');
    }
    outline(out, t, part->monomial, depth + 1);
  }
}

static void outline(shape_strbuf *out, const term_table *t, term_id id, int depth) {
  static const char *const TEXT[TERM_KIND_COUNT] = {
#define X(name, text, atom) [TERM_##name] = text,
#include "solver/term/kinds.def"
#undef X
  };
  const term_node *node = term_get(t, id);
  if (depth > MAX_DEPTH) {
    strbuf_printf(out, "#%u", id);
    return;
  }
  switch ((term_kind)node->kind) {
  case TERM_CONST: num_print(out, node->as.value); break;
  case TERM_SYMBOL: strbuf_printf(out, "s%u", node->as.symbol); break;
  case TERM_PRODUCT: product(out, t, node, depth); break;
  case TERM_SUM: sum(out, t, node, depth); break;
  default: strbuf_puts(out, TEXT[node->kind]); list(out, t, node->as.args, node->count, depth);
  }
}

void term_outline(shape_strbuf *out, const term_table *table, term_id id) {
  outline(out, table, id, 0);
}
