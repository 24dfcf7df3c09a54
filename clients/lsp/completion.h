// SPDX-License-Identifier: Apache-2.0
// What the files of completion share.
#ifndef SHAPE_CLIENTS_LSP_COMPLETION_H
#define SHAPE_CLIENTS_LSP_COMPLETION_H

#include "clients/lsp/call.h"
#include "clients/lsp/syntax/context.h"

// Kinds of items, as the protocol numbers them.
enum {
  ITEM_FUNCTION = 3,
  ITEM_VARIABLE = 6,
  ITEM_PROPERTY = 10,
  ITEM_KEYWORD = 14,
  ITEM_SNIPPET = 15,
  ITEM_REFERENCE = 18,
  ITEM_VALUE = 20,
  ITEM_CONSTANT = 21,
  ITEM_TYPE = 25
};

typedef struct completion {
  lsp_call *call;
  const syn_index *x;
  syn_context at;
  uint32_t offset;
  const char *range;  // of the word typed, as JSON
  uint32_t range_length;
  shape_intern types;  // that were put
  uint32_t count;      // items so far
  bool incomplete;     // more would fit
} completion;

typedef struct completion_item {
  const char *label;  // and what is inserted, where `text` is empty
  uint32_t length;
  int kind;
  report_text detail;  // may be empty
  report_text text;
  uint32_t order;         // items are sorted by it
  bool snippet;           // `text` is one
  const char *operation;  // resolve documents it; NULL: none. NUL-terminated
  const char *attribute;  // of it, likewise
  uint32_t definition;    // occurrence that resolve shows; SYN_NONE
} completion_item;

void completion_put(completion *c, const completion_item *item);
// Whether what is typed in front of the cursor begins the text, or the part of it after a dot.
bool completion_fits(const completion *c, const char *text, size_t length);

// --- completion_ops.c
void complete_operations(completion *c);
void complete_attributes(completion *c);
// Whether the tables know that the operation has no region.
bool completion_has_no_region(const completion *c);
void complete_setting(completion *c);     // values of an attribute
void complete_own_syntax(completion *c);  // words of the operation beside its operands

// --- completion_types.c
void complete_types(completion *c);

#endif
