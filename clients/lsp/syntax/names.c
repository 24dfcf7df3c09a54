// SPDX-License-Identifier: Apache-2.0
// What names mean: from each occurrence to its definition.
#include <string.h>

#include "clients/lsp/syntax/syntax.h"

const char *syn_name_text(const syn_index *x, uint32_t name, uint32_t *length) {
  const syn_name *n = &x->names[name];
  uint32_t begin = n->begin, end = n->end;
  if (begin < end && strchr("%@^!#", x->text[begin])) begin++;
  if (end - begin >= 2 && x->text[begin] == '"' && x->text[end - 1] == '"') begin++, end--;
  *length = end - begin;
  return x->text + begin;
}

// --- definitions by scope

static bool is_global(const syn_name *n) { return n->kind == SYN_TYPE || n->kind == SYN_ATTR; }

// Where a definition of the name counts.
static uint32_t home_of(const syn_index *x, const syn_name *n) {
  if (is_global(n)) return x->scopes[n->scope].root;
  return n->kind == SYN_SYMBOL ? x->scopes[n->scope].table : n->scope;
}

static uint64_t key_of(uint32_t scope, uint32_t text) { return (uint64_t)scope << 32 | text; }

// The next scope that a name is looked for in; SYN_NONE: there is none.
static uint32_t outer(const syn_index *x, uint32_t scope, uint8_t kind) {
  const syn_scope *s = &x->scopes[scope];
  if (kind == SYN_VALUE) return s->isolated ? SYN_NONE : s->parent;
  if (kind == SYN_SYMBOL && s->parent != SYN_NONE) return x->scopes[s->parent].table;
  return SYN_NONE;
}

// Most texts have one definition, which their chain gives; maps are for the others.
typedef struct resolver {
  syn_index *x;
  shape_imap first;   // by scope and text: occurrence
  shape_imap latest;  // of those that are repeated: the last one so far
} resolver;

static bool is_alone(const syn_index *x, uint32_t definition) {
  return x->same[definition] == SYN_NONE && x->chains[x->names[definition].text] == definition;
}

static bool first_in(const resolver *r, uint32_t scope, uint32_t text, uint32_t *found) {
  const syn_index *x = r->x;
  uint32_t definition = x->chains[text];
  if (definition == SYN_NONE) return false;
  if (!is_alone(x, definition)) return imap_get(&r->first, key_of(scope, text), found);
  *found = definition;
  return home_of(x, &x->names[definition]) == scope;
}

// Of several in one scope, which is an error of the text, the last one before the use.
static uint32_t find(const resolver *r, uint32_t name) {
  const syn_name *n = &r->x->names[name];
  uint32_t found;
  if (r->x->chains[n->text] == SYN_NONE) return SYN_NONE;
  for (uint32_t s = home_of(r->x, n); s != SYN_NONE; s = outer(r->x, s, n->kind)) {
    if (!first_in(r, s, n->text, &found)) continue;
    if (r->x->names[found].repeated) (void)imap_get(&r->latest, key_of(s, n->text), &found);
    return found;
  }
  return SYN_NONE;
}

// @b of @a::@b is a symbol of what @a is.
static uint32_t find_nested(const resolver *r, uint32_t name) {
  const syn_index *x = r->x;
  uint32_t holder = name ? x->names[name - 1].target : SYN_NONE, found;
  if (holder == SYN_NONE || x->names[holder].kind != SYN_SYMBOL) return SYN_NONE;
  uint32_t region = x->ops[x->names[holder].op].first_region;
  if (region == SYN_NONE) return SYN_NONE;
  uint32_t table = x->scopes[x->regions[region].scope].table;
  return first_in(r, table, x->names[name].text, &found) ? found : SYN_NONE;
}

void syn_intern(syn_index *x, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    uint32_t length;
    syn_name *n = &x->names[i];
    const char *text = syn_name_text(x, i, &length);
    n->text = intern_add(&x->kept.texts[n->kind], text, length) * SYN_PUNCT + n->kind;
    if (n->text >= x->chain_count) x->chain_count = n->text + 1;
  }
}

static void put_first(syn_index *x, shape_imap *first, uint32_t definition) {
  bool fresh;
  const syn_name *n = &x->names[definition];
  uint32_t *known = imap_slot(first, x->kept.scratch, key_of(home_of(x, n), n->text), &fresh);
  if (!fresh) x->names[definition].repeated = x->names[*known].repeated = true;
  *known = definition;
}

static void link_definitions(syn_index *x, shape_imap *first) {
  x->chains = arena_grow(x->arena, x->chains, 0, x->chain_count, &x->kept.chain_capacity,
                         sizeof *x->chains);
  x->same =
      arena_grow(x->arena, x->same, 0, x->name_count, &x->kept.same_capacity, sizeof *x->same);
  for (uint32_t i = 0; i < x->chain_count; i++) x->chains[i] = SYN_NONE;
  for (uint32_t i = x->name_count; i-- > 0;) {
    syn_name *n = &x->names[i];
    n->repeated = false;
    n->next = SYN_NONE;
    if (!n->defines) continue;
    uint32_t next = x->chains[n->text];
    if (next != SYN_NONE && is_alone(x, next)) put_first(x, first, next);
    x->same[i] = next;
    x->chains[n->text] = i;
    if (next != SYN_NONE) put_first(x, first, i);
  }
}

static void link_occurrences(syn_index *x) {
  uint32_t *last = arena_alloc(x->kept.scratch, ((size_t)x->name_count + 1) * sizeof *last);
  for (uint32_t i = 0; i < x->name_count; i++) last[i] = SYN_NONE;
  for (uint32_t i = 0; i < x->name_count; i++) {
    uint32_t target = x->names[i].target;
    if (target == SYN_NONE || target == i) continue;
    if (last[target] != SYN_NONE) x->names[last[target]].next = i;
    if (last[target] == SYN_NONE) x->names[target].next = i;
    last[target] = i;
  }
}

void syn_resolve(syn_index *x) {
  resolver r = {.x = x};
  arena_mark mark = arena_get_mark(x->kept.scratch);
  link_definitions(x, &r.first);
  for (uint32_t i = 0; i < x->name_count; i++) {
    syn_name *n = &x->names[i];
    if (n->defines) {
      n->target = i;
      if (n->repeated) imap_put(&r.latest, x->kept.scratch, key_of(home_of(x, n), n->text), i);
    } else {
      n->target = n->nested ? find_nested(&r, i) : find(&r, i);
    }
  }
  link_occurrences(x);
  arena_rewind(x->kept.scratch, mark);
}

// --- asking

uint32_t syn_name_at(const syn_index *x, uint32_t offset) {
  uint32_t count = syn_names_before(x, (uint64_t)offset + 1);
  if (!count) return SYN_NONE;
  const syn_name *n = &x->names[count - 1];
  uint32_t end = n->end;
  // The number of %a#1 belongs to the name, though the range of the name has it not.
  if (!n->defines && n->number != SYN_NONE) {
    while (end < x->length && (x->text[end] == '#' || (x->text[end] >= '0' && x->text[end] <= '9')))
      end++;
  }
  return offset <= end ? count - 1 : SYN_NONE;
}

bool syn_same(const syn_index *x, uint32_t of, uint32_t other) {
  const syn_name *a = &x->names[of], *b = &x->names[other];
  if (a->target == SYN_NONE || a->target != b->target) return false;
  const syn_name *d = &x->names[a->target];
  if (a->defines || b->defines || d->number == SYN_NONE) return true;
  uint32_t i = a->number == SYN_NONE ? 0 : a->number, k = b->number == SYN_NONE ? 0 : b->number;
  return i == k;
}

// --- renaming

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// suffix-id ::= digit+ | (letter | [$._-]) (letter | digit | [$._-])*; symbols and aliases begin with a letter or _, and
// aliases have no dots, which would make them names of a dialect.
static bool is_name(uint8_t kind, const char *text, uint32_t length) {
  bool value = kind == SYN_VALUE || kind == SYN_BLOCK;
  if (!length) return false;
  if (value && is_digit(text[0])) {
    for (uint32_t i = 0; i < length; i++) {
      if (!is_digit(text[i])) return false;
    }
    return true;
  }
  if (!is_letter(text[0]) && !(value && text[0] && strchr("$._-", text[0]))) return false;
  for (uint32_t i = 0; i < length; i++) {
    char c = text[i];
    bool dot = c == '.' && kind != SYN_TYPE && kind != SYN_ATTR;
    bool minus = c == '-' && value;
    if (!is_letter(c) && !is_digit(c) && c != '$' && !dot && !minus) return false;
  }
  return true;
}

// Whether scope `inner` is `scope` or lies in it, where what is visible there is seen.
static bool sees(const syn_index *x, uint32_t inner, uint32_t scope, uint8_t kind) {
  while (inner != SYN_NONE && inner != scope) inner = outer(x, inner, kind);
  return inner == scope;
}

static uint32_t text_of(const syn_index *x, uint8_t kind, const char *text, uint32_t length) {
  for (uint32_t i = 0; i < x->name_count; i++) {
    uint32_t known;
    if (x->names[i].kind != kind) continue;
    const char *name = syn_name_text(x, i, &known);
    if (known == length && memcmp(name, text, length) == 0) return x->names[i].text;
  }
  return SYN_NONE;
}

// Uses of the new name that would be taken for this one, and uses of this one that would be taken for another.
static uint32_t captured(const syn_index *x, uint32_t definition, uint32_t text) {
  const syn_name *d = &x->names[definition];
  uint32_t home = home_of(x, d);
  for (uint32_t i = 0; i < x->name_count; i++) {
    const syn_name *n = &x->names[i];
    if (n->text != text || n->defines || n->nested) continue;
    if (!sees(x, home_of(x, n), home, d->kind)) continue;
    if (n->target == SYN_NONE || sees(x, home, home_of(x, &x->names[n->target]), d->kind)) return i;
  }
  return SYN_NONE;
}

// From where on a value is visible: results are after the whole operation, not in its regions.
static uint32_t begin_of(const syn_index *x, const syn_name *n) {
  const syn_op *op = n->op == SYN_NONE ? NULL : &x->ops[n->op];
  bool result = op && !(op->flags & SYN_LABEL) && n->scope == x->regions[op->region].scope;
  return result ? x->tokens[op->last].end : n->begin;
}

static bool conflicts(const syn_index *x, const syn_name *d, uint32_t other) {
  const syn_name *o = &x->names[other];
  uint32_t here = home_of(x, d), there = home_of(x, o);
  if (here == there) return true;
  if (d->kind == SYN_VALUE) {
    if (begin_of(x, o) < begin_of(x, d)) return sees(x, here, there, SYN_VALUE);
    return sees(x, there, here, SYN_VALUE);
  }
  return d->kind == SYN_SYMBOL && sees(x, there, here, SYN_SYMBOL);
}

const char *syn_rename_conflict(const syn_index *x, uint32_t name, const char *to, uint32_t length,
                                uint32_t *at) {
  uint32_t definition = x->names[name].target;
  const syn_name *d = &x->names[definition];
  static const char SIGILS[] = {
      [SYN_VALUE] = '%', [SYN_SYMBOL] = '@', [SYN_BLOCK] = '^', [SYN_TYPE] = '!', [SYN_ATTR] = '#'};
  *at = SYN_NONE;
  if (length && to[0] == SIGILS[d->kind]) to++, length--;
  if (!is_name(d->kind, to, length)) return "the new name is no MLIR name of this kind";
  uint32_t text = text_of(x, d->kind, to, length);
  if (text == SYN_NONE || text == d->text) return NULL;
  for (uint32_t i = x->chains[text]; i != SYN_NONE; i = x->same[i]) {
    *at = i;
    if (conflicts(x, d, i)) return "the name is taken";
  }
  *at = captured(x, definition, text);
  return *at == SYN_NONE ? NULL : "the name is used here and would mean something else";
}
