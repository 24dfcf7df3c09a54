// SPDX-License-Identifier: Apache-2.0
// An index after an edit of its text. What was in front of the damage stays, what came after it moves, and in between the
// text is read again: from an operation that surely begins where it did, to one that begins in the same circumstances.
//
// While this runs, what the index had from the first operation on is at the end of its arrays, after a gap that what is
// read goes into. A token makes at most one operation, region and name, and two scopes: reading ends before the gap does.
#include <assert.h>
#include <string.h>

#include "clients/lsp/syntax/parser.h"

// Tokens that are read again at most, and results of one operation beside.
enum { REACH = 8192, LOOK_AHEAD = 4, LOOK_BACK = 2 };

// What there is of each kind in front of an operation.
typedef struct counts {
  uint32_t tokens, ops, regions, scopes, names;
} counts;

// A region that is open around the first operation, and the operation that has it, as they were.
typedef struct level {
  uint32_t id;
  syn_region region;
  syn_op op;  // where region.op is one
} level;

typedef struct update {
  syn_index *x;
  const char *text;
  uint32_t length;
  const syn_damage *damage;
  syn_token *fresh;  // tokens that replace [first.tokens, meets)
  uint32_t fresh_count, fresh_capacity;
  const syn_token *lost;  // those that they replace
  uint32_t meets;         // the first token after the damage, by its old number
  uint32_t by;            // bytes that what follows the damage moves, modulo 2^32
  counts first;           // in front of the first operation that is read again
  counts all;             // of the old index
  level *levels;          // from the inside to the outside
  uint32_t level_count, level_capacity;
  uint32_t candidate;  // an old operation
  counts old, now;     // in front of the operation where both meet
} update;

void syn_damage_add(syn_damage *d, uint32_t begin, uint32_t end, uint32_t inserted) {
  bool none = !d->begin && !d->old_end && !d->new_end;
  if (none) *d = (syn_damage){begin, begin, begin};
  if (begin < d->begin) d->begin = begin;
  if (end > d->new_end) {
    d->old_end += end - d->new_end;
    d->new_end = end;
  }
  d->new_end += inserted - (end - begin);
}

// --- the first operation

// Where an operation begins is decided by tokens up to the begin of the next one and a few more.
static bool find_first(update *u) {
  const syn_index *x = u->x;
  // The first token that does not end in front of what has changed.
  uint32_t damaged = sorted_before(x->tokens, x->token_count, sizeof *x->tokens,
                                   offsetof(syn_token, end), u->damage->begin);
  uint32_t limit = damaged < LOOK_AHEAD ? 0 : damaged - LOOK_AHEAD + 1;
  uint32_t whole =
      sorted_before(x->ops, x->op_count, sizeof *x->ops, offsetof(syn_op, first), limit);
  if (whole < 2) return false;
  const syn_op *op = &x->ops[whole - 2];
  u->all = (counts){x->token_count, x->op_count, x->region_count, x->scope_count, x->name_count};
  u->first = (counts){.tokens = op->first,
                      .ops = whole - 2,
                      .regions = op->regions,
                      .scopes = op->scopes,
                      .names = syn_names_before(x, x->tokens[op->first].begin)};
  return true;
}

// --- tokens

static bool is_glued(const update *u) {
  if (u->fresh_count) return u->fresh[u->fresh_count - 1].kind == SYN_VALUE;
  return u->first.tokens && u->x->tokens[u->first.tokens - 1].kind == SYN_VALUE;
}

// Whether the token is an old one, and those after it as well.
static bool is_met(update *u, const syn_token *t) {
  const syn_index *x = u->x;
  if (t->begin < u->damage->new_end || !u->fresh_count) return false;
  uint32_t old = t->begin - u->by;
  while (u->meets < x->token_count && x->tokens[u->meets].begin < old) u->meets++;
  if (u->meets == x->token_count || x->tokens[u->meets].begin != old) return false;
  return is_glued(u) == (x->tokens[u->meets - 1].kind == SYN_VALUE);
}

static void splice_comments(update *u, const syn_token *fresh, uint32_t count, uint32_t from,
                            uint32_t to) {
  syn_index *x = u->x;
  uint32_t tail = x->comment_count - to;
  if (!(from + count + tail)) {
    x->comment_count = 0;
    return;
  }
  x->comments = arena_grow(x->arena, x->comments, x->comment_count, (size_t)from + count + tail,
                           &x->comment_capacity, sizeof *x->comments);
  syn_token *at = x->comments + from;
  memmove(at + count, x->comments + to, tail * sizeof *at);
  if (count) memcpy(at, fresh, count * sizeof *at);
  x->comment_count = from + count + tail;
  for (uint32_t i = from + count; i < x->comment_count; i++) {
    x->comments[i].begin += u->by;
    x->comments[i].end += u->by;
  }
}

static bool lex_damage(update *u) {
  syn_index *x = u->x;
  syn_token t, *comments = NULL;
  uint32_t at = x->tokens[u->first.tokens].begin, count = 0, capacity = 0;
  uint32_t from = syn_tokens_before(x->comments, x->comment_count, at);
  u->meets = u->first.tokens;
  bool ends = true;
  while (ends && syn_lex(u->text, u->length, &at, is_glued(u), &t)) {
    if (t.kind == SYN_COMMENT) {
      comments =
          arena_grow(x->kept.scratch, comments, count, (size_t)count + 1, &capacity, sizeof t);
      comments[count++] = t;
    } else if (is_met(u, &t)) {
      ends = false;
    } else {
      if (u->fresh_count == REACH) return false;
      u->fresh = arena_grow(x->kept.scratch, u->fresh, u->fresh_count, (size_t)u->fresh_count + 1,
                            &u->fresh_capacity, sizeof t);
      u->fresh[u->fresh_count++] = t;
    }
  }
  if (ends) u->meets = x->token_count;
  uint32_t to = ends ? x->comment_count
                     : syn_tokens_before(x->comments, x->comment_count, x->tokens[u->meets].begin);
  splice_comments(u, comments, count, from, to);
  return true;
}

static void splice_tokens(update *u) {
  syn_index *x = u->x;
  uint32_t first = u->first.tokens, end = first + u->fresh_count;
  uint32_t tail = x->token_count - u->meets;
  size_t lost = (u->meets - first) * sizeof *x->tokens;
  u->lost = memcpy(arena_alloc(x->kept.scratch, lost + 1), x->tokens + first, lost);
  x->tokens = arena_grow(x->arena, x->tokens, x->token_count, (size_t)end + tail,
                         &x->token_capacity, sizeof *x->tokens);
  if (end != u->meets) memmove(x->tokens + end, x->tokens + u->meets, tail * sizeof *x->tokens);
  memcpy(x->tokens + first, u->fresh, u->fresh_count * sizeof *x->tokens);
  x->token_count = end + tail;
  for (uint32_t i = end; i < x->token_count; i++) {
    x->tokens[i].begin += u->by;
    x->tokens[i].end += u->by;
  }
}

static syn_kind old_kind(const update *u, uint32_t token) {
  if (token >= u->meets)
    return u->x->tokens[token - u->meets + u->first.tokens + u->fresh_count].kind;
  return token < u->first.tokens ? u->x->tokens[token].kind : u->lost[token - u->first.tokens].kind;
}

// --- the gap

// A token makes at most two things of a kind; the results of an operation are names of one step.
enum { GAP = 2 * REACH + 2 };

#define MAKE_GAP(x, list, from)                                                                    \
  do {                                                                                             \
    uint32_t all = x->list##_count;                                                                \
    x->list##s = arena_grow(x->arena, x->list##s, all, (size_t)all + GAP, &x->list##_capacity,     \
                            sizeof *x->list##s);                                                   \
    memmove(x->list##s + from + GAP, x->list##s + from, (all - from) * sizeof *x->list##s);        \
    x->list##_count = from;                                                                        \
  } while (0)

static void make_gaps(update *u) {
  MAKE_GAP(u->x, op, u->first.ops);
  MAKE_GAP(u->x, region, u->first.regions);
  MAKE_GAP(u->x, scope, u->first.scopes);
  MAKE_GAP(u->x, name, u->first.names);
}

static const syn_scope *old_scope(const update *u, uint32_t id) {
  return &u->x->scopes[id < u->first.scopes ? id : id + GAP];
}

// What is open around the first operation changes while it is read.
static const syn_region *old_region(const update *u, uint32_t id) {
  if (id >= u->first.regions) return &u->x->regions[id + GAP];
  for (uint32_t i = 0; i < u->level_count; i++) {
    if (u->levels[i].id == id) return &u->levels[i].region;
  }
  return &u->x->regions[id];
}

static const syn_op *old_op(const update *u, uint32_t id) {
  if (id >= u->first.ops) return &u->x->ops[id + GAP];
  for (uint32_t i = 0; i < u->level_count; i++) {
    if (u->levels[i].region.op == id) return &u->levels[i].op;
  }
  return &u->x->ops[id];
}

// --- the frames around the first operation

// The operation in front of another one, in its region; SYN_NONE: there is none.
static uint32_t op_before(const syn_index *x, uint32_t op) {
  uint32_t region = x->ops[op].region;
  for (uint32_t o = op - 1; op && o != SYN_NONE; o = x->regions[x->ops[o].region].op) {
    if (x->ops[o].region == region) return o;
    if (o == x->regions[region].op) return SYN_NONE;
  }
  return SYN_NONE;
}

static bool find_levels(update *u) {
  const syn_index *x = u->x;
  for (uint32_t r = x->ops[u->first.ops].region;; r = x->ops[x->regions[r].op].region) {
    uint32_t op = x->regions[r].op;
    u->levels = arena_grow(x->kept.scratch, u->levels, u->level_count, (size_t)u->level_count + 1,
                           &u->level_capacity, sizeof *u->levels);
    level *l = &u->levels[u->level_count++];
    *l = (level){.id = r, .region = x->regions[r]};
    if (op == SYN_NONE) return true;
    if (l->region.around > 1) return false;
    l->op = x->ops[op];
  }
}

// What was found out about them after the first operation is not known yet.
static void reopen(update *u, uint32_t before) {
  syn_index *x = u->x;
  uint32_t last = before;
  for (uint32_t i = 0; i < u->level_count; i++) {
    syn_region *r = &x->regions[u->levels[i].id];
    r->close = r->next = SYN_NONE;
    r->last_op = last;
    if (last == SYN_NONE) {
      r->first_op = SYN_NONE;
    } else {
      x->ops[last].next = SYN_NONE;
    }
    last = r->op;
    if (last == SYN_NONE) return;
    syn_op *op = &x->ops[last];
    op->last = r->open;
    op->last_region = u->levels[i].id;
    if (op->head != SYN_NONE && op->head >= u->first.scopes) op->head = SYN_NONE;
    if (op->symbol != SYN_NONE && op->symbol >= u->first.names) op->symbol = SYN_NONE;
  }
}

static void push_levels(update *u, parser *p) {
  const syn_index *x = u->x;
  bool in_function = false;
  for (uint32_t i = u->level_count; i-- > 0;) {
    const syn_region *r = &x->regions[u->levels[i].id];
    if (r->around) syn_push(p, (frame){.kind = PAREN, .base = p->depth - 1});
    in_function |= r->op != SYN_NONE && x->ops[r->op].flags & SYN_FUNCTION;
    syn_push(p, (frame){.kind = REGION,
                        .base = p->depth,
                        .region = u->levels[i].id,
                        .op = r->last_op,
                        .scope = r->scope,
                        .in_function = in_function});
  }
}

// --- where both meet

static bool same_scope(const update *u, uint32_t old, uint32_t now) {
  if (old != now || now == SYN_NONE) return old == now;
  const syn_scope *a = old_scope(u, old), *b = &u->x->scopes[now];
  return a->parent == b->parent && a->table == b->table && a->root == b->root &&
         a->isolated == b->isolated;
}

// Whether what follows would be read in the same way after the one operation and after the other.
static bool same_op(const update *u, const syn_op *old, const syn_op *now) {
  uint32_t head = old->head == SYN_NONE || old->head < u->old.scopes ? old->head : SYN_NONE;
  bool symbol = old->symbol != SYN_NONE && old->symbol < u->old.names;
  if ((old->name == SYN_NONE) != (now->name == SYN_NONE)) return false;
  if (now->name != SYN_NONE && old_kind(u, old->name) != u->x->tokens[now->name].kind) return false;
  return old->flags == now->flags && same_scope(u, head, now->head) &&
         symbol == (now->symbol != SYN_NONE);
}

static bool same_levels(const update *u, const parser *p) {
  const syn_index *x = u->x;
  uint32_t depth = p->depth - 1, r = old_op(u, u->old.ops)->region;
  for (;;) {
    const frame *f = &p->stack[depth];
    if (f->kind != REGION || f->region != r) return false;
    const syn_region *old = old_region(u, r), *now = &x->regions[r];
    if (old->op != now->op || old->around != now->around || now->around > 1 ||
        !same_scope(u, old->scope, now->scope))
      return false;
    if (now->op == SYN_NONE) return depth == 0;
    if (!same_op(u, old_op(u, now->op), &x->ops[now->op])) return false;
    depth -= 1 + now->around;
    assert(p->stack[depth + 1].kind == (now->around ? PAREN : REGION));
    r = x->ops[now->op].region;
  }
}

static bool meets(parser *p, void *data) {
  update *u = data;
  const syn_index *x = u->x;
  uint32_t end = u->first.tokens + u->fresh_count;
  if (p->at < end + LOOK_BACK) return false;
  uint32_t old = p->at - end + u->meets;
  while (u->candidate < u->all.ops && old_op(u, u->candidate)->first < old) u->candidate++;
  if (u->candidate == u->all.ops || old_op(u, u->candidate)->first != old) return false;
  const syn_op *op = old_op(u, u->candidate);
  u->now = (counts){p->at, x->op_count, x->region_count, x->scope_count, x->name_count};
  u->old = (counts){old, u->candidate, op->regions, op->scopes,
                    u->first.names + sorted_before(x->names + u->first.names + GAP,
                                                   u->all.names - u->first.names, sizeof *x->names,
                                                   offsetof(syn_name, begin),
                                                   x->tokens[p->at].begin - u->by)};
  return same_levels(u, p);
}

// --- what moves

static uint32_t moved(uint32_t id, uint32_t old, uint32_t now) {
  return id == SYN_NONE || id < old ? id : id - old + now;
}

static void move_op(const update *u, syn_op *o) {
  const counts *a = &u->old, *b = &u->now;
  o->first = moved(o->first, a->tokens, b->tokens);
  o->last = moved(o->last, a->tokens, b->tokens);
  o->name = moved(o->name, a->tokens, b->tokens);
  o->region = moved(o->region, a->regions, b->regions);
  o->first_region = moved(o->first_region, a->regions, b->regions);
  o->last_region = moved(o->last_region, a->regions, b->regions);
  o->head = moved(o->head, a->scopes, b->scopes);
  o->symbol = moved(o->symbol, a->names, b->names);
  o->next = moved(o->next, a->ops, b->ops);
  o->regions += b->regions - a->regions;
  o->scopes += b->scopes - a->scopes;
}

static void move_region(const update *u, syn_region *r) {
  const counts *a = &u->old, *b = &u->now;
  r->op = moved(r->op, a->ops, b->ops);
  r->open = moved(r->open, a->tokens, b->tokens);
  r->close = moved(r->close, a->tokens, b->tokens);
  r->scope = moved(r->scope, a->scopes, b->scopes);
  r->first_op = moved(r->first_op, a->ops, b->ops);
  r->last_op = moved(r->last_op, a->ops, b->ops);
  r->next = moved(r->next, a->regions, b->regions);
}

static void move_rest(update *u) {
  syn_index *x = u->x;
  const counts *a = &u->old, *b = &u->now;
  for (uint32_t i = a->ops; i < u->all.ops; i++) {
    syn_op o = x->ops[i + GAP];
    move_op(u, &o);
    x->ops[x->op_count++] = o;
  }
  for (uint32_t i = a->regions; i < u->all.regions; i++) {
    syn_region r = x->regions[i + GAP];
    move_region(u, &r);
    x->regions[x->region_count++] = r;
  }
  for (uint32_t i = a->scopes; i < u->all.scopes; i++) {
    syn_scope s = x->scopes[i + GAP];
    s.parent = moved(s.parent, a->scopes, b->scopes);
    s.table = moved(s.table, a->scopes, b->scopes);
    s.root = moved(s.root, a->scopes, b->scopes);
    x->scopes[x->scope_count++] = s;
  }
  for (uint32_t i = a->names; i < u->all.names; i++) {
    syn_name n = x->names[i + GAP];
    n.begin += u->by;
    n.end += u->by;
    n.scope = moved(n.scope, a->scopes, b->scopes);
    n.op = moved(n.op, a->ops, b->ops);
    x->names[x->name_count++] = n;
  }
}

// What is open around the operation where both meet gets what it had after it.
static void close_level(update *u, uint32_t region) {
  const counts *a = &u->old, *b = &u->now;
  const syn_region *had = old_region(u, region);
  syn_region *r = &u->x->regions[region];
  r->close = moved(had->close, a->tokens, b->tokens);
  r->next = moved(had->next, a->regions, b->regions);
  if (had->last_op >= a->ops) r->last_op = moved(had->last_op, a->ops, b->ops);
  if (r->op == SYN_NONE) return;
  const syn_op *old = old_op(u, r->op);
  syn_op *o = &u->x->ops[r->op];
  if (old->last >= a->tokens) o->last = moved(old->last, a->tokens, b->tokens);
  if (old->last_region >= a->regions)
    o->last_region = moved(old->last_region, a->regions, b->regions);
  if (old->head >= a->scopes) o->head = moved(old->head, a->scopes, b->scopes);
  if (old->symbol >= a->names) o->symbol = moved(old->symbol, a->names, b->names);
  o->next = moved(old->next, a->ops, b->ops);
}

static void close_levels(update *u) {
  syn_index *x = u->x;
  uint32_t region = old_op(u, u->old.ops)->region, before = x->regions[region].last_op;
  if (before == SYN_NONE) {
    x->regions[region].first_op = u->now.ops;
  } else {
    x->ops[before].next = u->now.ops;
  }
  for (;; region = x->ops[x->regions[region].op].region) {
    close_level(u, region);
    if (x->regions[region].op == SYN_NONE) return;
  }
}

// --- the check

#define DIFFER(list, field)                                                                        \
  for (uint32_t i = 0; i < a->list##_count; i++) {                                                 \
    if (a->list##s[i].field != b->list##s[i].field) return #list " " #field;                       \
  }

static const char *tree_differs(const syn_index *a, const syn_index *b) {
  DIFFER(op, first)
  DIFFER(op, last)
  DIFFER(op, name)
  DIFFER(op, region)
  DIFFER(op, first_region)
  DIFFER(op, last_region)
  DIFFER(op, head)
  DIFFER(op, symbol)
  DIFFER(op, next)
  DIFFER(op, regions)
  DIFFER(op, scopes)
  DIFFER(op, flags)
  DIFFER(region, op)
  DIFFER(region, open)
  DIFFER(region, close)
  DIFFER(region, scope)
  DIFFER(region, first_op)
  DIFFER(region, last_op)
  DIFFER(region, next)
  DIFFER(region, around)
  DIFFER(scope, parent)
  DIFFER(scope, table)
  DIFFER(scope, root)
  DIFFER(scope, isolated)
  return NULL;
}

static const char *names_differ(const syn_index *a, const syn_index *b) {
  DIFFER(name, begin)
  DIFFER(name, end)
  DIFFER(name, scope)
  DIFFER(name, op)
  DIFFER(name, target)
  DIFFER(name, number)
  DIFFER(name, next)
  DIFFER(name, kind)
  DIFFER(name, defines)
  DIFFER(name, nested)
  DIFFER(name, repeated)
  for (uint32_t i = 0; i < a->name_count; i++) {
    if (a->chains[a->names[i].text] != b->chains[b->names[i].text]) return "name text";
    if (a->names[i].defines && a->same[i] != b->same[i]) return "name same";
  }
  return NULL;
}

const char *syn_equal_check(const syn_index *a, const syn_index *b) {
  if (a->length != b->length || a->token_count != b->token_count ||
      a->comment_count != b->comment_count)
    return "tokens";
  if (a->op_count != b->op_count || a->region_count != b->region_count ||
      a->scope_count != b->scope_count || a->name_count != b->name_count)
    return "counts";
  DIFFER(token, begin)
  DIFFER(token, end)
  DIFFER(token, kind)
  DIFFER(token, c)
  DIFFER(comment, begin)
  DIFFER(comment, end)
  const char *wrong = tree_differs(a, b);
  return wrong ? wrong : names_differ(a, b);
}

#ifdef SHAPE_DEBUG
typedef struct fresh_index {
  shape_arena arena;
  const syn_index *of, *fresh;
} fresh_index;

static void make_fresh(void *data) {
  fresh_index *f = data;
  f->fresh = syn_make(&f->arena, f->of->text, f->of->length);
}

static void check_fresh(const syn_index *x) {
  fresh_index f = {.of = x};
  arena_init(&f.arena, 0);
  bool ok = arena_protect(&f.arena, make_fresh, &f) == SHAPE_OK;
  assert(!ok || !syn_equal_check(x, f.fresh));
  arena_destroy(&f.arena);
}
#endif

// --- all of it

static bool parse_damage(update *u) {
  syn_index *x = u->x;
  uint32_t before = op_before(x, u->first.ops);
  if (!find_levels(u)) return false;
  make_gaps(u);
  reopen(u, before);
  parser p = {
      .x = x,
      .arena = x->kept.scratch,
      .at = u->first.tokens,
      .comment = syn_tokens_before(x->comments, x->comment_count, x->tokens[u->first.tokens].begin),
      .limit = u->first.tokens + REACH,
      .begins = true};
  push_levels(u, &p);
  u->candidate = u->first.ops;
  if (!syn_parse(&p, meets, u)) return false;
  syn_intern(x, u->first.names, x->name_count);
  if (p.at == x->token_count) return true;
  close_levels(u);
  move_rest(u);
  return true;
}

static bool change(update *u) {
  syn_index *x = u->x;
  // Names that are gone stay in the tables of texts.
  if (x->chain_count / SYN_PUNCT > 2 * (x->name_count + REACH)) return false;
  if (!find_first(u) || !lex_damage(u)) return false;
  splice_tokens(u);
  x->text = u->text;
  x->length = u->length;
  if (!parse_damage(u)) return false;
  syn_resolve(x);
  return true;
}

bool syn_update(syn_index *x, const char *text, uint32_t length, const syn_damage *damage) {
  assert(damage->begin <= damage->old_end && damage->old_end <= x->length);
  assert(damage->begin <= damage->new_end && damage->new_end <= length);
  assert(length - damage->new_end == x->length - damage->old_end);
  update u = {.x = x,
              .text = text,
              .length = length,
              .damage = damage,
              .by = damage->new_end - damage->old_end};
  arena_mark mark = arena_get_mark(x->kept.scratch);
  bool ok = change(&u);
  arena_rewind(x->kept.scratch, mark);
#ifdef SHAPE_DEBUG
  if (ok) check_fresh(x);
#endif
  return ok;
}
