// SPDX-License-Identifier: Apache-2.0
// Guards: checks over the arguments that suffice for every requirement which the declarations alone do not prove.
//
// Requirements that merged sizes are no longer visible here: argument_dims and argument_values say them (each argument
// axis equals its entry once every symbol is bound at its origin). What is left are the requirements that stayed
// predicates. They are thinned out against one another and the declared ranges only: a fact that some operation makes
// true holds once that operation has run, so it cannot excuse a check that is made before.
#include "solver/report/work.h"

void guards_make(shape_report *r, const candidates *all, const uint8_t *kept) {
  uint8_t *keep = arena_alloc(r->work->arena, all->count + 1u);
  r->work->left_out = arena_alloc(r->work->arena, (all->count + 1) * sizeof *r->work->left_out);
  bool same = true;
  for (uint32_t i = 0; i < all->count; i++) {
    const candidate *c = &all->items[i];
    keep[i] = c->guard && names_determined(r, c->p.left, r->infer->entry) &&
              names_determined(r, c->p.right, r->infer->entry);
    same &= keep[i];
  }
  if (same) {
    memcpy(
        keep, kept,
        all->count);  // every fact is a check, so the facts that are left are those that are needed
  } else {
    select_irredundant(r, all, keep);
  }
  for (uint32_t i = 0; i < all->count; i++) {
    const candidate *c = &all->items[i];
    if (keep[i]) {
      constraint_append(r, &r->guards, c, explain_scope(r, 0));
    } else if (c->guard && names_determined(r, c->p.left, r->infer->entry) &&
               names_determined(r, c->p.right, r->infer->entry)) {
      r->work->left_out[r->work->left_out_count++] = c->p;
    }
  }
}
