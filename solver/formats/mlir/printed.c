// SPDX-License-Identifier: Apache-2.0
// Statements of a text that was printed: of each kind one is read, and the others are added to the graph as that one was,
// and their text is not inspected. Where something is not as the printer counted, a statement is read as any other.
#include <assert.h>

#include "solver/formats/mlir/pretty.h"

typedef enum model_state { MODEL_NONE, MODEL_MADE, MODEL_NEVER } model_state;

// What is made of a statement. Offsets are from the begin of the statement on.
struct mlir_model {
  uint32_t state;  // model_state
  uint32_t name_to;
  uint32_t steps;          // that reading it took
  uint32_t result_length;  // of the name of its result, or 0
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

static void pass(mlir_models *all) { all->names += all->next++->names; }

// The statement that begins there, where it has a kind; those in front of it are over.
static const mlir_printed *statement_at(mlir_parser *p, uint32_t at) {
  mlir_models *all = &p->models;
  while (all->next < all->end && all->next->at < at) pass(all);
  return all->next < all->end && all->next->at == at && all->next->kind ? all->next : NULL;
}

// What is read goes by the text alone, and not by errors or by what is not defined as yet.
static bool is_regular(const mlir_parser *p) {
  return !p->errors.quiet && !p->errors.lenient && !p->errors.stop && !p->g->diags.errors &&
         p->scope.missing.count == p->scope.missing.from;
}

// --- adding

// Of %N.
static uint32_t name_length(uint32_t number) { return 1 + text_digits(number); }

// False: the values in front of it are not those that the printer counted, or a name is too large a number.
static bool add(mlir_parser *p, const mlir_model *m, const mlir_printed *s, block_id block) {
  shape_graph *g = p->g;
  const uint32_t *names = p->models.names;
  uint32_t name_to = s->at + m->name_to;
  assert(s->names == m->result_count + m->operand_count);
  if (s->values != g->value_count) return false;
  if (m->result_count) {
    if (*names >= p->scope.numbered_limit) return false;
    name_to += name_length(*names) - m->result_length;
  }
  mlir_skip_steps(p, m->steps);
  const uint32_t end = s->at + s->length;
  assert(end <= mlir_offset(p, p->end));
  const graph_repeated repeated = {.name = m->name,
                                   .parent = block,
                                   .span = {s->at, end},
                                   .name_span = {name_to - m->name_length, name_to},
                                   .operands = names + m->result_count,
                                   .operand_count = m->operand_count,
                                   .result_count = m->result_count,
                                   .result = m->result,
                                   .entries = m->first_entry,
                                   .entry_count = m->entry_count};
  graph_repeat_op(g, &repeated);
  if (m->result_count) mlir_define_number(p, *names, s->values, s->at);
  p->at = p->text + end;
  return true;
}

bool mlir_add_printed(mlir_parser *p, block_id block) {
  const mlir_printed *s = statement_at(p, mlir_offset(p, p->at));
  if (!s) return false;
  const mlir_printed *const first = s;
  while (is_regular(p)) {
    const mlir_model *m = &p->models.by_kind[s->kind];
    if (m->state != MODEL_MADE || !add(p, m, s, block)) break;
    pass(&p->models);
    s = p->models.next;
    if (s == p->models.end || !s->joined) return true;
    mlir_step(p);
    p->at = p->text + s->at;
  }
  if (s->later) graph_text(p->g);
  return s > first;
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
  if (o->span.end - s->at != s->length || o->result_count + o->operand_count != s->names)
    return false;
  const uint64_t steps =
      (uint64_t)(p->polls - before->polls) * BUDGET_POLL_EVERY + before->until_poll - p->until_poll;
  if (steps >= BUDGET_POLL_EVERY) return false;
  *m = (mlir_model){.name_to = o->name_span.end - s->at,
                    .name_length = o->name_span.end - o->name_span.begin,
                    .steps = (uint32_t)steps,
                    .result_length = o->result_count ? name_length(*p->models.names) : 0,
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
  // What is said once is not said again.
  if (!s || op->id == ID_NONE || p->g->diags.count != before->diags || !is_regular(p)) return;
  mlir_model *m = &p->models.by_kind[s->kind];
  if (m->state == MODEL_NONE) m->state = make_model(p, op, s, before, m) ? MODEL_MADE : MODEL_NEVER;
}
