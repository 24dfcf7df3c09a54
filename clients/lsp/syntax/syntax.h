// SPDX-License-Identifier: Apache-2.0
// A syntactic index of an MLIR text: tokens, operations, regions, and what each name means. It knows no operation but by
// the shape of its words (words.def), needs no analysis, and is made of any bytes: what is half typed costs the operation
// it is in.
//
// Names mean what MLIR says (LangRef, "Identifiers and keywords", "Regions"): a value is visible in its region and in
// those below, but not beyond an operation that is isolated; blocks belong to their region; aliases to the part of the file
// (split by "// -----"); symbols to the nearest operation that is a table of symbols. Names in the head of an operation,
// `while(%i = %x)`, `for %i = `, `@f(%a: t)`, `reducer(%a: t)`, belong to all regions of that operation.
//
// Contract: everything lives in the arena given; the text outlives the index and is not changed. Spans are bytes. Tokens
// are in the order of the text, do not overlap, and each byte between them is white space. Cost: O(bytes + names * depth).
// Memory runs out through arena_fail.
#ifndef SHAPE_CLIENTS_LSP_SYNTAX_H
#define SHAPE_CLIENTS_LSP_SYNTAX_H

#include <stdbool.h>

#include "solver/formats/mlir/uses.h"  // arena, maps, names

#define SYN_NONE UINT32_MAX

typedef enum syn_kind {
  SYN_WORD,     // add, stablehlo.add
  SYN_NUMBER,   // 4, 1.5e-3, 0x1F
  SYN_STRING,   // with its quotes; one without an end goes to the end of its line
  SYN_VALUE,    // %a
  SYN_SYMBOL,   // @f, @"f"
  SYN_BLOCK,    // ^bb0
  SYN_TYPE,     // !t, !torch.int
  SYN_ATTR,     // #map
  SYN_RESULT,   // #1 of %a#1
  SYN_COMMENT,  // to the end of the line, without white space there
  SYN_PUNCT     // one character, or -> :: == >= <= =>
} syn_kind;

typedef struct syn_token {
  uint32_t begin, end;
  uint8_t kind;
  char c;  // the first byte
} syn_token;

// What a word that names an operation says of it.
enum {
  SYN_FUNCTION = 1,  // its first list in parentheses holds arguments
  SYN_TABLE = 2,     // holds symbols
  SYN_ISOLATED = 4,  // its regions see no value from outside
  SYN_DEFINES = 8,   // the first @name is its own
  SYN_TERMINATOR = 16,
  SYN_LOOP = 32,    // %i = after its name is an argument of its region
  SYN_TARGET = 64,  // its first @name is none of the file
  SYN_PLAIN = 128,  // a word without a dialect that is an operation
  SYN_LABEL = 256,  // no operation: ^bb0(%a: t):
  SYN_ALIAS = 512   // no operation: !t = ..., #a = ...
};

typedef struct syn_op {
  uint32_t first, last;                // tokens, `last` included
  uint32_t name;                       // token; SYN_NONE: there is none
  uint32_t region;                     // that holds it
  uint32_t first_region, last_region;  // SYN_NONE: none
  uint32_t head;                       // scope of the names in its head; SYN_NONE: none
  uint32_t symbol;                     // occurrence that defines its symbol; SYN_NONE: none
  uint32_t next;                       // in its region
  uint32_t regions, scopes;            // how many there are in front of it
  uint16_t flags;
} syn_op;

typedef struct syn_region {
  uint32_t op;           // SYN_NONE: a part of the file
  uint32_t open, close;  // tokens { and }; SYN_NONE: not in the text
  uint32_t scope;
  uint32_t first_op, last_op;
  uint32_t next;    // of the same operation
  uint32_t around;  // brackets that are open between the region around and this one
} syn_region;

typedef struct syn_scope {
  uint32_t parent;  // SYN_NONE: a part of the file
  uint32_t table;   // the scope that symbols of it belong to
  uint32_t root;    // that of its part of the file
  bool isolated;
} syn_scope;

// A name at one location.
typedef struct syn_name {
  uint32_t begin, end;  // sigil and name; what is between the quotes of sym_name = "..."
  uint32_t text;        // equal for equal names of one kind
  uint32_t scope;       // where it is looked for, or defined
  uint32_t op;          // that it is in; of a definition: whose it is
  uint32_t
      target;  // occurrence of the definition, itself where it is one; SYN_NONE: the file has none
  uint32_t number;  // %a#1: 1; of a definition %a:2: 2; else SYN_NONE
  uint32_t next;    // the next occurrence of the same definition
  uint8_t kind;     // syn_kind
  bool defines;
  bool nested;    // @b of @a::@b
  bool repeated;  // a definition, of which its scope has several: an error of the text
} syn_name;

// What an update of an index goes on with.
typedef struct syn_kept {
  shape_arena *scratch;           // of one function, which rewinds it
  shape_intern texts[SYN_PUNCT];  // of names, by kind: %a is not @a
  uint32_t chain_capacity, same_capacity;
} syn_kept;

typedef struct syn_index {
  const char *text;
  uint32_t length;
  shape_arena *arena;
  syn_token *tokens;  // without comments
  syn_token *comments;
  syn_op *ops;
  syn_region *regions;
  syn_scope *scopes;
  syn_name *names;  // in the order of the text
  uint32_t token_count, token_capacity, comment_count, comment_capacity, op_count, op_capacity;
  uint32_t region_count, region_capacity, scope_count, scope_capacity, name_count, name_capacity;
  uint32_t *chains;  // by text of a name: its first definition; linked by `same`
  uint32_t *same;    // by occurrence: the next definition of the same text
  uint32_t chain_count;
  syn_kept kept;
} syn_index;

// How many tokens, or names, begin in front of a byte. O(log count).
static inline uint32_t syn_tokens_before(const syn_token *tokens, uint32_t count, uint64_t offset) {
  return sorted_before(tokens, count, sizeof *tokens, offsetof(syn_token, begin), offset);
}
static inline uint32_t syn_names_before(const syn_index *x, uint64_t offset) {
  return sorted_before(x->names, x->name_count, sizeof *x->names, offsetof(syn_name, begin),
                       offset);
}

// What differs between two texts: bytes [begin, old_end) of the one are [begin, new_end) of the other. All zero: nothing.
typedef struct syn_damage {
  uint32_t begin, old_end, new_end;
} syn_damage;

// The text's length is at most LSP_TEXT_MAX.
syn_index *syn_make(shape_arena *arena, const char *text, uint32_t length);

// --- update.c
// Adds an edit of the second text: its bytes [begin, end) became `inserted` others.
void syn_damage_add(syn_damage *damage, uint32_t begin, uint32_t end, uint32_t inserted);
// Makes the index one of the text that its text has become, as syn_make would. What is read again are the operations
// around the damage, until one begins as it did before; the rest moves. False: that is not found soon, and the index is of
// no use any more.
bool syn_update(syn_index *index, const char *text, uint32_t length, const syn_damage *damage);
// What two indices of the same text do not have in common; NULL: they are equal but for the numbers of texts.
const char *syn_equal_check(const syn_index *a, const syn_index *b);

// --- lex.c
// Tokens of [*at, end): the next one; false at the end. `glued`: the byte before belongs to a value, so that # begins a
// number of it.
bool syn_lex(const char *text, uint32_t length, uint32_t *at, bool glued, syn_token *out);
bool syn_is(const syn_index *index, uint32_t token, const char *text);
static inline char syn_char(const syn_index *index, uint32_t token) {
  return token < index->token_count ? index->tokens[token].c : 0;
}
static inline bool syn_kind_is(const syn_index *index, uint32_t token, syn_kind kind) {
  return token < index->token_count && index->tokens[token].kind == kind;
}
// Flags of the operation that a token names: a word, or a string with its quotes.
uint32_t syn_word_flags(const syn_index *index, uint32_t token);

// --- names.c
void syn_intern(syn_index *index, uint32_t from, uint32_t to);  // the texts of these names
void syn_resolve(syn_index *index);                             // where all of them have theirs
// The occurrence that holds the byte, or ends there; SYN_NONE: none. O(log names).
uint32_t syn_name_at(const syn_index *index, uint32_t offset);
// Whether two occurrences mean one thing, where %a#1 is what is meant, not all of %a:2.
bool syn_same(const syn_index *index, uint32_t of, uint32_t other);
// Why the definition of an occurrence cannot get the new name, with or without its sigil; NULL: it can. *at: the
// occurrence that is in the way, SYN_NONE: the name is none of that kind.
const char *syn_rename_conflict(const syn_index *index, uint32_t name, const char *to,
                                uint32_t length, uint32_t *at);
// The text of a name without sigil and quotes.
const char *syn_name_text(const syn_index *index, uint32_t name, uint32_t *length);

#endif
