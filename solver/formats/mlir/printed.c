// SPDX-License-Identifier: Apache-2.0
// Statements of a text that was printed: of each kind one is read, and the others are added to the graph as that one was,
// and their text is not inspected. Where something is not as the printer counted, a statement is read as any other.
#include <assert.h>

#include "solver/formats/mlir/pretty.h"

typedef enum model_state { MODEL_NONE, MODEL_MADE, MODEL_NEVER } model_state;

// What is made of a statement. Offsets are from the begin of the statement on.
struct mlir_model {
  uint32_t state;  // model_state
  uint32_t length, name_to;
  uint32_t steps;               // that reading it took
  uint32_t result_to, last_to;  // where the name of its result ends, and that of its last operand
  uint32_t result_count, operand_count, first_entry, entry_count;
  name_id name;
  uint32_t name_length;
  type_id result;
};

void mlir_printed_init(mlir_parser *p, const mlir_printing *printing) {
  mlir_models *all = &p->models;
  if (!printing->kinds) return;
  p->templates.by_text = NULL;
  all->by_kind = arena_zalloc(p->g->arena, ((size_t)printing->kinds + 1) * sizeof *all->by_kind);
  all->next = printing->items;
  all->end = printing->items + printing->count;
  all->names = printing->names;
}

// The statement that begins there, where it has a kind; those in front of it are over.
static const mlir_printed *statement_at(mlir_parser *p, uint32_t at) {
  mlir_models *all = &p->models;
  while (all->next < all->end && all->next->at < at) all->next++;
  return all->next < all->end && all->next->at == at && all->next->kind ? all->next : NULL;
}

// What is read goes by the text alone, and not by errors or by what is not defined as yet.
static bool is_regular(const mlir_parser *p) {
  return !p->errors.quiet && !p->errors.lenient && !p->errors.stop && !p->g->diags.errors &&
         p->scope.missing.count == p->scope.missing.from;
}

// --- adding

// False: the values in front of it are not those that the printer counted, or a name is too large a number.
static bool add(mlir_parser *p, const mlir_model *m, const mlir_printed *s, block_id block) {
  shape_graph *g = p->g;
  value_id operands[MLIR_PRINTED_OPERANDS];
  const mlir_printed_name *names = p->models.names + s->names;
  uint32_t result_to = 0, to = 0;
  if (s->values != g->value_count) return false;
  if (m->result_count) {
    if (names->value >= p->scope.numbered_limit) return false;
    result_to = to = names->to;
  }
  for (uint32_t i = 0; i < m->operand_count; i++) {
    const mlir_printed_name *name = &names[m->result_count + i];
    operands[i] = name->value;
    to = name->to;
    assert(name->value < g->value_count);
  }
  mlir_skip_steps(p, m->steps);
  const uint32_t end = s->at + m->length + (to - m->last_to);
  const uint32_t name_to = s->at + m->name_to + (result_to - m->result_to);
  assert(m->length >= m->last_to && end <= mlir_offset(p, p->end));
  const graph_repeated repeated = {.name = m->name,
                                   .parent = block,
                                   .span = {s->at, end},
                                   .name_span = {name_to - m->name_length, name_to},
                                   .operands = operands,
                                   .operand_count = m->operand_count,
                                   .result_count = m->result_count,
                                   .result = m->result,
                                   .entries = m->first_entry,
                                   .entry_count = m->entry_count};
  graph_repeat_op(g, &repeated);
  if (m->result_count) mlir_define_number(p, names->value, s->values, s->at);
  p->at = p->text + end;
  return true;
}

bool mlir_add_printed(mlir_parser *p, block_id block) {
  const mlir_printed *s = statement_at(p, mlir_offset(p, p->at));
  bool added = false;
  while (s && is_regular(p)) {
    const mlir_model *m = &p->models.by_kind[s->kind];
    if (m->state != MODEL_MADE || !add(p, m, s, block)) break;
    added = true;
    // The next one, where only blanks are in front of it.
    const char *at = p->at;
    while (at < p->end && (*at == '\n' || *at == ' ')) at++;
    s = statement_at(p, mlir_offset(p, at));
    if (!s) break;
    mlir_step(p);
    p->at = at;
  }
  return added;
}

// --- what was read

static bool make_model(mlir_parser *p, const mlir_op *op, const mlir_printed *s,
                       const mlir_before *before, mlir_model *m) {
  const shape_graph *g = p->g;
  const graph_op *o = &g->ops[op->id];
  const mlir_pretty_row *row = op->row;
  if (row && (row->declares_symbol || row->form == FORM_TORCH)) return false;
  if (o->unread || o->region_count || o->result_count > 1 || op->name_count != o->result_count ||
      o->operand_count > MLIR_PRINTED_OPERANDS)
    return false;
  const mlir_printed_name *names = p->models.names + s->names;
  const uint32_t name_count = o->result_count + o->operand_count;
  *m = (mlir_model){.length = o->span.end - s->at,
                    .name_to = o->name_span.end - s->at,
                    .name_length = o->name_span.end - o->name_span.begin,
                    .steps = before->until_poll - p->until_poll,
                    .result_to = o->result_count ? names->to : 0,
                    .last_to = name_count ? names[name_count - 1].to : 0,
                    .result_count = o->result_count,
                    .operand_count = o->operand_count,
                    .entry_count = o->attr_count,
                    .name = o->name,
                    .result = o->result_count ? g->values[o->results].type : TYPE_NONE,
                    .first_entry = o->attrs};
  return graph_may_share_attrs(g, before->attrs);
}

void mlir_note_printed(mlir_parser *p, const mlir_op *op, const char *begin,
                       const mlir_before *before) {
  const mlir_printed *s = statement_at(p, mlir_offset(p, begin));
  // What crosses a poll has not said its steps, and what is said once is not said again.
  if (!s || op->id == ID_NONE || p->g->diags.count != before->diags ||
      before->until_poll <= p->until_poll || !is_regular(p))
    return;
  mlir_model *m = &p->models.by_kind[s->kind];
  if (m->state == MODEL_NONE) m->state = make_model(p, op, s, before, m) ? MODEL_MADE : MODEL_NEVER;
}
