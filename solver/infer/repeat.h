// SPDX-License-Identifier: Apache-2.0
// Operations that repeat one before: programs are made of layers, and the layers of a program are alike.
//
// What a rule of repeat.c finds follows from the name of the operation, its attributes, the declared types, what is known
// of the operands, and the store. A visit that stated nothing new, made no term, reported nothing and changed no operand
// gave a result and no more; where all of that is the same again, so is the result, and the rule need not run. The store
// is the same while store_state is. A visit takes the same steps either way. Where a log is kept, the visit asked the
// store nothing, either, as what was asked is to be noted of each operation.
//
// Time: O(operands, dims, elements and attributes of the operation). Space: REPEAT_SLOTS records.
#ifndef SHAPE_INFER_REPEAT_H
#define SHAPE_INFER_REPEAT_H

#include "solver/infer/state.h"

enum { REPEAT_OPERANDS = 4 };  // of an operation that is remembered, at most

// A visit that begins: what is there before it.
typedef struct repeat_visit {
  struct repeat_record **slot;  // NULL: what it finds is not remembered
  bool known;  // by *slot; builds with SHAPE_DEBUG run the rule all the same, and compare
  value_info operands[REPEAT_OPERANDS];
  uint64_t hash, state, steps, element_work;
  uint32_t notes;  // of the log; 0 where none is kept
  uint32_t proven, reported, conflicts, unchecked, assumptions, failures;
} repeat_visit;

// For the operations of a run; nothing is remembered of a small program, or where each step is of interest.
void repeat_init(infer_state *s);
// Operations, types and declarations may be others than they were. O(1).
void repeat_forget(infer_state *s);
// Gives the result that an operation before had; false: the rule has to run, and then repeat_end is called where the visit
// has a slot, which was NULL. Where s->row.repeats is NULL there is nothing to ask for.
bool repeat_apply(infer_state *s, op_id op, repeat_visit *visit);
void repeat_end(infer_state *s, op_id op, rule_status status, const repeat_visit *visit);

#endif
