// SPDX-License-Identifier: Apache-2.0
// Names that last: symbols by where they come from, dims as terms over those, shapes by what they say.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/session/state.h"

// What a symbol is. Compared as bytes: no padding.
typedef struct symbol_key {
  uint32_t kind, frame, op, argument, axis, ordinal;
} symbol_key;

typedef struct frame_key {
  uint32_t func, caller, parent;
} frame_key;

enum { KEY_QUOTIENT = ORIGIN_FRESH + 1 };  // besides the kinds of origins
enum { STABLE_MANY = ID_NONE - 1 };        // symbols of one name
enum {
  NEWER = 1u << 30
};  // ordinals of what the store made during an incremental edit: like no other

// --- symbols

static uint32_t program_op(const session_core *s, op_id op) {
  return op == ID_NONE ? ID_NONE : s->run.graph.ops[op].span.begin;
}

static uint32_t stable_frame(session_core *s, uint32_t frame) {
  session_run *r = &s->run;
  const infer_result *infer = r->infer;
  SESSION_GROW(run_arena(s), r->names.frame_keys, r->names.frame_key_count, infer->frame_count,
               r->names.frame_key_capacity);
  // A frame is made after the one that it is called from.
  for (; r->names.frame_key_count < infer->frame_count; r->names.frame_key_count++) {
    const infer_frame *f = &infer->frames[r->names.frame_key_count];
    bool root = f->parent == ID_NONE || f->parent >= r->names.frame_key_count;
    frame_key key = {f->func, root ? ID_NONE : program_op(s, f->caller),
                     root ? ID_NONE : r->names.frame_keys[f->parent]};
    r->names.frame_keys[r->names.frame_key_count] =
        intern_add(&s->names.frame_keys, (const char *)&key, sizeof key);
  }
  return frame < r->names.frame_key_count ? r->names.frame_keys[frame] : ID_NONE;
}

// An argument is the value that it is, wherever it is among the others.
static uint32_t program_argument(const session_core *s, const infer_origin *o) {
  const shape_graph *g = &s->run.graph;
  const infer_result *infer = s->run.infer;
  region_id body =
      o->frame < infer->frame_count ? g->funcs[infer->frames[o->frame].func].body : ID_NONE;
  if (body == ID_NONE || !g->regions[body].block_count) return o->argument;
  const graph_block *b = &g->blocks[g->regions[body].first_block];
  // Those that came later are numbered on from the block's, as their values are.
  bool known = b->argument_count && o->argument < g->value_count - b->arguments;
  return known ? g->values[b->arguments + o->argument].at : o->argument;
}

static symbol_key key_of(session_core *s, uint32_t number) {
  const infer_result *infer = s->run.infer;
  symbol_key key = {ORIGIN_FRESH, ID_NONE, ID_NONE, ID_NONE, ID_NONE, 0};
  if (number >= infer->origin_count) return key;
  const infer_origin *o = &infer->origins[number];
  // Quotients and what queries made are no symbols of the operation that they are under, and no shape speaks of them:
  // they are counted by themselves, so that some more or less change no other's name.
  term_id dividend;
  num divisor;
  if (store_symbol_term(infer->store, number) == TERM_NONE ||
      store_fresh_meaning(infer->store, number, &dividend, &divisor)) {
    key.kind = KEY_QUOTIENT;
    return key;
  }
  if (o->kind == ORIGIN_FRESH) return key;
  key.kind = o->kind;
  key.frame = stable_frame(s, o->frame);
  key.op = program_op(s, o->op);
  if (o->kind != ORIGIN_OPAQUE || o->op == ID_NONE) {
    key.argument = program_argument(s, o);
    key.axis = o->axis;
  }
  return key;
}

// Symbols of one position are counted in the order in which they were made.
static void stable_ordinals(session_core *s) {
  session_run *r = &s->run;
  const term_table *terms = r->infer->terms;
  shape_intern counted;
  uint32_t *counts = NULL, capacity = 0;
  intern_init(&counted, &s->scratch);
  SESSION_GROW(run_arena(s), r->names.ordinals, r->names.ordinal_count, terms->symbol_count,
               r->names.ordinal_capacity);
  for (; r->names.ordinal_count < terms->symbol_count; r->names.ordinal_count++) {
    symbol_key key = key_of(s, r->names.ordinal_count);
    uint32_t before = counted.count;
    name_id id = intern_add(&counted, (const char *)&key, sizeof key);
    counts = arena_grow(&s->scratch, counts, before, (size_t)id + 1, &capacity, sizeof *counts);
    if (id == before) counts[id] = 0;
    r->names.ordinals[r->names.ordinal_count] = counts[id]++;
  }
}

void stable_ordinals_of(session_core *s, const uint32_t *made, uint32_t count) {
  session_run *r = &s->run;
  uint32_t first = r->names.ordinal_count, end = r->infer->terms->symbol_count, ordinal = 0;
  SESSION_GROW(run_arena(s), r->names.ordinals, first, end, r->names.ordinal_capacity);
  for (; r->names.ordinal_count < end; r->names.ordinal_count++)
    r->names.ordinals[r->names.ordinal_count] = NEWER + r->names.ordinal_count;
  for (uint32_t i = 0; i < count; i++) {
    if (key_of(s, made[i]).kind >= ORIGIN_FRESH) continue;
    if (made[i] >= first) r->names.ordinals[made[i]] = ordinal;
    ordinal++;
  }
}

// Each is the only one of its axis or element.
void stable_ordinals_of_argument(session_core *s, const uint32_t *made, uint32_t count) {
  stable_ordinals_of(s, NULL, 0);
  for (uint32_t i = 0; i < count; i++) s->run.names.ordinals[made[i]] = 0;
}

static bool is_declared(const session_core *s, const char *name, size_t length) {
  name_id id = intern_find(&s->doc.graph.names, name, length);
  return id != NAME_NONE && graph_find_symbol(&s->doc.graph, id) != ID_NONE;
}

static const char *new_name(session_core *s) {
  char text[24];
  int n;
  do {
    n = snprintf(text, sizeof text, "S%u", s->names.symbols.next++);
  } while (is_declared(s, text, (size_t)n));
  return arena_strndup(&s->arena, text, (size_t)n);
}

static void note_name(session_core *s, uint32_t symbol) {
  assert(symbol < s->names.symbols.keys.count);
  const char *text = s->names.symbols.names[symbol];
  bool fresh;
  uint32_t *slot = imap_slot(&s->names.symbols.by_name, &s->arena,
                             intern_add(&s->names.symbols.texts, text, strlen(text)), &fresh);
  *slot = fresh ? symbol : STABLE_MANY;
}

// Whether what made the symbol is still in the program: in a run that goes on, what went has its symbols yet.
static bool has_origin(const session_core *s, uint32_t number) {
  const session_run *r = &s->run;
  if (number >= r->infer->origin_count) return true;
  const infer_origin *o = &r->infer->origins[number];
  if (o->kind == ORIGIN_DECLARED)
    return o->graph_symbol >= r->rows.count || r->rows.items[o->graph_symbol].visible;
  if (o->op != ID_NONE) {
    op_id op = program_op(s, o->op);
    return op >= s->doc.graph.op_count || s->doc.ops[op].there;
  }
  bool of_entry = o->kind == ORIGIN_ARGUMENT_SIZE || o->kind == ORIGIN_ARGUMENT_VALUE;
  if (!of_entry || o->frame) return true;
  value_id v = program_argument(s, o);
  return v >= s->doc.graph.value_count || s->doc.values[v].there;
}

// Of several symbols with one name, the first that is in use.
static uint32_t newest_of_many(const session_core *s, const char *name, size_t length) {
  const session_run *r = &s->run;
  for (uint32_t i = 0; i < s->names.symbols.keys.count && i < r->names.newest_capacity; i++) {
    const char *known = s->names.symbols.names[i];
    bool named = strlen(known) == length && memcmp(known, name, length) == 0;
    if (named && r->names.newest[i] && has_origin(s, r->names.newest[i] - 1)) return i;
  }
  return ID_NONE;
}

uint32_t stable_find(const session_core *s, const char *name, size_t length) {
  const session_run *r = &s->run;
  uint32_t symbol;
  name_id id = intern_find(&s->names.symbols.texts, name, length);
  if (id == NAME_NONE || !imap_get(&s->names.symbols.by_name, id, &symbol)) return ID_NONE;
  if (symbol == STABLE_MANY) symbol = newest_of_many(s, name, length);
  if (symbol >= r->names.newest_capacity || !r->names.newest[symbol]) return ID_NONE;
  uint32_t number = r->names.newest[symbol] - 1;
  return has_origin(s, number) ? number : ID_NONE;
}

// The session's symbol of a symbol of the run.
static uint32_t stable_symbol(session_core *s, uint32_t number) {
  assert(number < s->run.infer->terms->symbol_count);
  session_run *r = &s->run;
  const infer_result *infer = r->infer;
  uint32_t old = r->names.stable_capacity;
  SESSION_GROW(run_arena(s), r->names.stable, old, (size_t)number + 1, r->names.stable_capacity);
  if (r->names.stable_capacity > old)
    memset(r->names.stable + old, 0, (r->names.stable_capacity - old) * sizeof *r->names.stable);
  if (r->names.stable[number]) return r->names.stable[number] - 1;
  name_id id;
  uint32_t known = s->names.symbols.keys.count;
  const infer_origin *o = number < infer->origin_count ? &infer->origins[number] : NULL;
  const char *name = NULL;
  if (o && o->kind == ORIGIN_DECLARED) {
    name_id declared = r->graph.declared.symbols[o->graph_symbol].name;
    name = intern_text(&r->graph.names, declared);
    id = intern_add(&s->names.symbols.keys, name, intern_length(&r->graph.names, declared));
  } else {
    symbol_key key = key_of(s, number);
    if (number < r->names.ordinal_count) key.ordinal = r->names.ordinals[number];
    // The first byte separates keys from names.
    char bytes[1 + sizeof key];
    bytes[0] = 0;
    memcpy(bytes + 1, &key, sizeof key);
    id = intern_add(&s->names.symbols.keys, bytes, sizeof bytes);
  }
  if (id == known) {
    SESSION_GROW(&s->arena, s->names.symbols.names, id, (size_t)id + 1,
                 s->names.symbols.name_capacity);
    SESSION_GROW(&s->arena, s->names.symbols.terms, id, (size_t)id + 1,
                 s->names.symbols.term_capacity);
    s->names.symbols.names[id] = name ? arena_strndup(&s->arena, name, strlen(name)) : new_name(s);
    // A call that ended after this has left the term; nothing else makes symbols in that table.
    assert(s->names.terms.symbol_count - id <= 1);
    if (s->names.terms.symbol_count == id)
      s->names.symbols.terms[id] = term_symbol(&s->names.terms);
    note_name(s, id);
    s->names.symbols.count = id + 1;
  }
  r->names.stable[number] = id + 1;
  old = r->names.newest_capacity;
  SESSION_GROW(run_arena(s), r->names.newest, old, (size_t)id + 1, r->names.newest_capacity);
  if (r->names.newest_capacity > old)
    memset(r->names.newest + old, 0, (r->names.newest_capacity - old) * sizeof *r->names.newest);
  if (r->names.newest[id] <= number) r->names.newest[id] = number + 1;
  return id;
}

// --- terms

static term_id extract_symbol(void *data, uint32_t number) {
  session_core *s = data;
  uint32_t symbol = stable_symbol(s, number);
  assert(symbol < s->names.symbols.term_capacity);
  return s->names.symbols.terms[symbol];
}

static name_id extract_function(void *data, name_id function) {
  session_core *s = data;
  const shape_intern *names = &s->run.graph.names;
  return intern_add(&s->names.functions, intern_text(names, function),
                    intern_length(names, function));
}

static void print_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  const session_core *s = data;
  assert(symbol < s->names.symbols.keys.count);
  const char *name = s->names.symbols.names[symbol];
  bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_';
  for (const char *c = name; *c && plain; c++) {
    plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
            *c == '_' || *c == '.';
  }
  strbuf_printf(out, plain ? "%s" : "\"%s\"", name);
}

const char *stable_text(session_core *s, term_id term) {
  uint32_t known;
  if (term == TERM_NONE) return NULL;
  if (imap_get(&s->names.term_texts, term, &known)) return s->names.texts[known];
  term_namer namer = {.symbol = print_symbol, .functions = &s->names.functions, .data = s};
  shape_strbuf text;
  strbuf_init(&text, &s->scratch);
  term_print(&s->names.terms, &text, term, &namer);
  SESSION_GROW(&s->arena, s->names.texts, s->names.text_count, s->names.text_count + 1u,
               s->names.text_capacity);
  s->names.texts[s->names.text_count] = arena_strndup(&s->arena, text.data, text.length);
  imap_put(&s->names.term_texts, &s->arena, term, s->names.text_count);
  return s->names.texts[s->names.text_count++];
}

void stable_recover(session_core *s) {
  intern_truncate(&s->names.symbols.keys, s->names.symbols.count);
  intern_truncate(&s->names.shape_keys, s->names.shape_count);
  term_table_recover(&s->names.terms);
}

// Equal canonical terms are expressed equally, so equal dims stay equal.
term_id stable_term(session_core *s, term_id term) {
  if (term == TERM_NONE) return term;
  return extract_term(&s->run.names.extract, store_express(s->run.infer->store, term));
}

// --- shapes

void stable_open(session_core *s) {
  stable_names *n = &s->names;
  term_table_init(&n->terms, &s->arena, &s->budget);
  intern_init(&n->functions, &s->arena);
  intern_init(&n->symbols.keys, &s->arena);
  intern_init(&n->symbols.texts, &s->arena);
  intern_init(&n->frame_keys, &s->arena);
  intern_init(&n->shape_keys, &s->arena);
}

void stable_begin(session_core *s) {
  session_run *r = &s->run;
  r->names.extract = (extraction){.from = r->infer->terms,
                                  .to = &s->names.terms,
                                  .symbol = extract_symbol,
                                  .data = s,
                                  .function = extract_function};
  intern_init(&r->names.shape_memo, run_arena(s));
  uint32_t funcs = r->graph.func_count, frames = r->infer->frame_count;
  r->names.first_frame = arena_alloc(run_arena(s), (funcs + 1) * sizeof *r->names.first_frame);
  r->names.next_frame = arena_alloc(run_arena(s), (frames + 1) * sizeof *r->names.next_frame);
  for (uint32_t i = 0; i < funcs; i++) r->names.first_frame[i] = ID_NONE;
  for (uint32_t i = frames; i-- > 0;) {
    func_id func = r->infer->frames[i].func;
    r->names.next_frame[i] = r->names.first_frame[func];
    r->names.first_frame[func] = i;
  }
  stable_ordinals(s);
}

static void print_type(session_core *s, shape_strbuf *out, type_id declared, const term_id *dims,
                       uint32_t rank, bool ranked) {
  type_table *types = &s->run.graph.types;
  const graph_type *t = declared == TYPE_NONE ? NULL : type_get(types, declared);
  if (!t) {
    strbuf_puts(out, "?");
    return;
  }
  type_id refined = declared;
  if (ranked && type_is_tensor(types, declared)) {
    int64_t *sizes = arena_alloc(&s->scratch, ((size_t)rank + 1) * sizeof *sizes);
    for (uint32_t i = 0; i < rank; i++) {
      int64_t size;
      bool known =
          dims[i] != TERM_NONE && term_int_value(&s->names.terms, dims[i], &size) && size >= 0;
      sizes[i] = known ? size : DIM_DYNAMIC;
    }
    bool bounds = t->has_bounds && t->rank == rank;
    refined = type_with_dims(types, declared, sizes, bounds ? t->bounds : NULL, rank);
  }
  type_print(types, out, refined);
}

// The shape of which all terms are the session's.
static shape_key shape_key_of(session_core *s, type_id declared, const term_id *dims, uint32_t rank,
                              bool ranked) {
  assert(ranked || !rank);
  shape_strbuf text, key;
  strbuf_init(&text, &s->scratch);
  strbuf_init(&key, &s->scratch);
  print_type(s, &text, declared, dims, rank, ranked);
  uint32_t head[2] = {ranked, rank};
  strbuf_add(&key, (const char *)head, sizeof head);
  if (rank) strbuf_add(&key, (const char *)dims, rank * sizeof *dims);
  strbuf_add(&key, text.data, text.length);
  uint32_t known = s->names.shape_keys.count;
  name_id id = intern_add(&s->names.shape_keys, key.data, key.length);
  if (id != known) return id;
  SESSION_GROW(&s->arena, s->names.shapes, id, (size_t)id + 1, s->names.shape_capacity);
  const char **texts = arena_alloc(&s->arena, ((size_t)rank + 1) * sizeof *texts);
  for (uint32_t i = 0; i < rank; i++) texts[i] = stable_text(s, dims[i]);
  s->names.shapes[id] = (session_shape){.type = arena_strndup(&s->arena, text.data, text.length),
                                        .dims = texts,
                                        .rank = rank,
                                        .ranked = ranked};
  s->names.shape_count = id + 1;
  return id;
}

static const value_info *info_in(const session_run *r, uint32_t frame, value_id value) {
  assert(frame < r->infer->frame_count);
  const infer_frame *f = &r->infer->frames[frame];
  uint32_t end = frame ? f->value_end : f->value_base + r->value_room;
  if (!f->values || value < f->value_base || value >= end) return NULL;
  return &f->values[value - f->value_base];
}

// The raw shape as a text of shape_memo. Values next to each other mostly have the same.
static name_id memo_of(session_run *r, const uint32_t *raw, size_t bytes) {
  const shape_intern *memo = &r->names.shape_memo;
  name_id last = r->names.last_memo;
  if (last < memo->count && intern_length(memo, last) == bytes &&
      memcmp(intern_text(memo, last), raw, bytes) == 0)
    return last;
  return r->names.last_memo = intern_add(&r->names.shape_memo, (const char *)raw, bytes);
}

// One frame: what it says, remembered by the run's terms.
static shape_key shape_of_info(session_core *s, value_id value, type_id declared,
                               const value_info *info, bool fixed) {
  session_run *r = &s->run;
  bool ranked = info && info->ranked;
  uint32_t rank = ranked ? info->rank : 0;
  enum { FEW = 12 };
  uint32_t few[FEW], *raw = few;
  if (rank + 2 > FEW) raw = arena_alloc(&s->scratch, ((size_t)rank + 2) * sizeof *raw);
  raw[0] = declared;
  raw[1] = ranked;
  if (rank) memcpy(raw + 2, info->dims, rank * sizeof *raw);
  uint32_t known = r->names.shape_memo.count;
  name_id id = memo_of(r, raw, (rank + 2) * sizeof *raw);
  class_note_shape(s, value, id, rank ? info->dims : NULL, rank, id == known, fixed);
  if (id != known && r->names.memo_keys[id] != SHAPE_NONE) return r->names.memo_keys[id];
  term_id *dims = arena_alloc(&s->scratch, ((size_t)rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < rank; i++) {
    term_id t = info->dims[i];
    dims[i] = t == TERM_NONE ? t : stable_term(s, store_canon(r->infer->store, t));
  }
  SESSION_GROW(run_arena(s), r->names.memo_keys, id, (size_t)id + 1, r->names.memo_capacity);
  return r->names.memo_keys[id] = shape_key_of(s, declared, dims, rank, ranked);
}

// All frames: what they agree on.
static shape_key shape_of_frames(session_core *s, type_id declared, func_id func, value_id value) {
  assert(func < s->run.graph.func_count);
  session_run *r = &s->run;
  term_id *dims = NULL;
  uint32_t rank = 0;
  for (uint32_t f = r->names.first_frame[func]; f != ID_NONE; f = r->names.next_frame[f]) {
    const value_info *info = info_in(r, f, value);
    if (!info || !info->ranked || (dims && info->rank != rank))
      return shape_key_of(s, declared, NULL, 0, false);
    class_fix(s, info->dims, info->rank);
    bool first = !dims;
    rank = info->rank;
    if (first) dims = arena_alloc(&s->scratch, ((size_t)rank + 1) * sizeof *dims);
    for (uint32_t i = 0; i < rank; i++) {
      term_id t = info->dims[i];
      if (t != TERM_NONE) t = stable_term(s, store_canon(r->infer->store, t));
      dims[i] = first || dims[i] == t ? t : TERM_NONE;
    }
  }
  return shape_key_of(s, declared, dims, rank, dims != NULL);
}

shape_key stable_shape(session_core *s, value_id value) {
  assert(value < s->doc.graph.value_count);
  session_run *r = &s->run;
  value_id own = copy_of(&r->copier.values, value);
  if (own == ID_NONE) return SHAPE_NONE;
  const graph_value *v = &r->graph.values[own];
  block_id block = v->is_argument ? v->def : r->graph.ops[v->def].parent;
  func_id func = r->graph.regions[r->graph.blocks[block].region].func;
  uint32_t frame = r->names.first_frame[func];
  if (frame != ID_NONE && r->names.next_frame[frame] != ID_NONE)
    return shape_of_frames(s, v->type, func, own);
  const graph_region *region = &r->graph.regions[r->graph.blocks[block].region];
  bool fixed = frame != 0 || region->op != ID_NONE || region->block_count != 1;
  return shape_of_info(s, value, v->type, frame == ID_NONE ? NULL : info_in(r, frame, own), fixed);
}
