// SPDX-License-Identifier: Apache-2.0
#include "solver/term/print.h"

#include <assert.h>
#include <string.h>

#include "solver/term/fold.h"

// Depth keeps the C stack small; the number of atoms keeps the text of a DAG from growing
// exponentially. An atom past either is written by the namer's `opaque`, or as a name made of its
// hash.
enum { MAX_DEPTH = 100, MAX_ATOMS = 20000, MAX_SPELLED_EXPONENT = 64 };
// Conditions occur in many parts of a choice: in a larger term the namer may give each a name.
enum { MAX_CHOICE_WEIGHT = 64 };

typedef struct printer {
  term_table *terms;
  shape_strbuf *out;
  const term_namer *namer;
  int depth, atoms_left;
  int deepest;          // since the text that is kept next began
  uint32_t first_text;  // that this print made
  bool choices;         // conditions are written out, and choices as select
} printer;

static void print_term(printer *p, term_id id);

// MIN and max list their arguments in structural order, the others as they are.
static void print_args(printer *p, const term_id *args, uint32_t count, bool sorted) {
  term_table *t = p->terms;
  scratch_mark mark = scratch_get(t);
  term_id *order = sorted ? scratch_ids(t, count) : NULL;
  for (uint32_t i = 0; sorted && i < count; i++) {
    uint32_t at = i;
    for (; at && term_order(t, order[at - 1], args[i]) < 0; at--) order[at] = order[at - 1];
    order[at] = args[i];
  }
  strbuf_putc(p->out, '(');
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(p->out, ", ");
    print_term(p, sorted ? order[i] : args[i]);
  }
  strbuf_putc(p->out, ')');
  scratch_release(t, mark);
}

static bool is_spent(const printer *p) { return p->depth >= MAX_DEPTH || p->atoms_left <= 0; }

static void enter(printer *p) {
  if (++p->depth > p->deepest) p->deepest = p->depth;
}

static void print_call(printer *p, const fold_item *item) {
  assert(item->name && item->arg_count > 0);
  p->atoms_left--;
  strbuf_puts(p->out, item->name);
  print_args(p, item->args, item->arg_count, item->name[0] == 'm' && item->name[1] != 'o');
}

static void print_function(printer *p, const term_node *node) {
  static const char *const TEXT[TERM_KIND_COUNT] = {
#define X(name, text, atom) [TERM_##name] = text,
#include "solver/term/kinds.def"
#undef X
  };
  if (node->kind == TERM_BIGMUL) {
    if (node->count == 1) {
      print_args(p, node->as.args, 1, false);
      return;
    }
  } else if (node->kind != TERM_APPLY) {
    strbuf_puts(p->out, TEXT[node->kind]);
  } else if (p->namer && p->namer->functions && node->as.args[-1] < p->namer->functions->count) {
    name_id name = node->as.args[-1];
    strbuf_add(p->out, intern_text(p->namer->functions, name),
               intern_length(p->namer->functions, name));
  } else {
    strbuf_printf(p->out, "f%u", node->as.args[-1]);
  }
  print_args(p, node->as.args, node->count, false);
}

// An indicator as min(max(-a, 0), 1), or max(1 - max(a, -a), 0): each has its value at all integers.
// A new term may move the nodes, so none is held.
static void print_plain_indicator(printer *p, term_kind kind, term_id a) {
  assert(term_is_indicator(kind));
  term_id minus = term_neg(p->terms, a);
  if (kind == TERM_IS_NEG) {
    strbuf_puts(p->out, "min(max(");
    print_term(p, minus);
    strbuf_puts(p->out, ", 0), 1)");
  } else {
    strbuf_puts(p->out, "max(1 - max(");
    print_term(p, a);
    strbuf_puts(p->out, ", ");
    print_term(p, minus);
    strbuf_puts(p->out, "), 0)");
  }
}

static bool is_written(const printer *p, term_kind kind) {
  if (term_is_indicator(kind)) return p->choices;
  if (kind == TERM_SELECT) return p->choices && !(p->namer && p->namer->plain);
  return kind != TERM_APPLY && kind != TERM_BIGMUL;
}

static void print_atom(printer *p, term_id atom) {
  const term_node *node = term_get(p->terms, atom);
  const term_namer *namer = p->namer;
  if (node->kind == TERM_SYMBOL) {
    if (namer) {
      namer->symbol(namer->data, p->out, node->as.symbol);
    } else {
      strbuf_putc(p->out, 's');
      strbuf_int(p->out, node->as.symbol);
    }
    return;
  }
  bool spent = is_spent(p);
  if ((spent || !is_written(p, (term_kind)node->kind)) && namer && namer->opaque &&
      namer->opaque(namer->data, p->out, atom)) {
    return;
  }
  if (spent) {
    strbuf_printf(p->out, "atom_%016llx", (unsigned long long)term_hash(p->terms, atom));
    return;
  }
  enter(p);
  if (node->kind == TERM_FLOORDIV || node->kind == TERM_MIN) {
    scratch_mark mark = scratch_get(p->terms);
    fold_item item = fold_atom(p->terms, atom);
    print_call(p, &item);
    scratch_release(p->terms, mark);
  } else {
    p->atoms_left--;
    if (namer && namer->plain && term_is_indicator((term_kind)node->kind)) {
      print_plain_indicator(p, (term_kind)node->kind, node->as.args[0]);
    } else {
      print_function(p, node);
    }
  }
  p->depth--;
}

// A product of atoms in structural order, symbols first.
static void print_monomial(printer *p, term_id monomial) {
  term_table *t = p->terms;
  const term_power *powers;
  term_power room;
  uint32_t count = term_powers(t, monomial, &powers, &room);
  scratch_mark mark = scratch_get(t);
  term_power *order = scratch_take(t, (size_t)count * sizeof *order);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = i;
    for (; at && term_order(t, order[at - 1].atom, powers[i].atom) < 0; at--)
      order[at] = order[at - 1];
    order[at] = powers[i];
  }
  for (uint32_t i = 0; i < count; i++) {
    bool spelled = order[i].exponent <= MAX_SPELLED_EXPONENT;
    for (uint32_t j = 0; j < (spelled ? order[i].exponent : 1); j++) {
      if (i || j) strbuf_putc(p->out, '*');
      print_atom(p, order[i].atom);
    }
    if (!spelled) strbuf_printf(p->out, "^%u", order[i].exponent);
  }
  scratch_release(t, mark);
}

static void print_item(printer *p, const fold_item *item, bool first) {
  num c = item->coefficient;
  assert(!num_is_zero(c));
  bool negative = num_sign(c) < 0, unit = item->prefix == TERM_ONE;
  if (negative) {
    strbuf_puts(p->out, first ? "-" : " - ");
    c = num_neg(p->terms->budget, c);
  } else if (!first) {
    strbuf_puts(p->out, " + ");
  }
  bool number = !num_is_one(c) || (unit && !item->name);
  if (number) num_print(p->out, c);
  if (!unit) {
    if (number) strbuf_putc(p->out, '*');
    print_monomial(p, item->prefix);
  }
  if (item->name) {
    if (number || !unit) strbuf_putc(p->out, '*');
    print_call(p, item);
  }
}

// As its only part. Nothing of it is folded, and chains of broadcasts are long.
static void print_broadcast(printer *p, term_id id) {
  const term_id *args = term_get(p->terms, id)->as.args;
  enter(p);
  if (is_spent(p)) {
    print_atom(p, id);
  } else {
    enter(p);
    p->atoms_left--;
    strbuf_puts(p->out, "bcast(");
    print_term(p, args[0]);
    strbuf_puts(p->out, ", ");
    print_term(p, args[1]);
    strbuf_putc(p->out, ')');
    p->depth--;
  }
  p->depth--;
}

static void print_parts(printer *p, term_id id) {
  if (term_kind_of(p->terms, id) == TERM_BCAST) {
    print_broadcast(p, id);
    return;
  }
  scratch_mark mark = scratch_get(p->terms);
  fold_list list =
      fold_term(p->terms, id, !is_spent(p), p->choices && !(p->namer && p->namer->plain));
  enter(p);
  if (!list.count) strbuf_putc(p->out, '0');  // its conditions exclude each other
  for (uint32_t i = 0; i < list.count; i++) print_item(p, &list.items[i], i == 0);
  p->depth--;
  scratch_release(p->terms, mark);
}

// --- texts that are kept

// Depths of texts: of one that may be another within a term, and a bit of those whose print goes on, which have an offset
// in its text instead of an address.
enum { TEXT_ALONE = 0x7fff, TEXT_OPEN = 0x8000 };

static void put_text(term_texts *texts, term_id id, kept_text text) {
  bool fresh;
  texts->items = arena_grow(texts->arena, texts->items, texts->count, (size_t)texts->count + 1,
                            &texts->capacity, sizeof text);
  *imap_slot(&texts->of, texts->arena, id, &fresh) = texts->count;
  texts->items[texts->count++] = text;
}

const kept_text *term_texts_find(const term_texts *texts, term_id id) {
  uint32_t index;
  if (!imap_get(&texts->of, id, &index)) return NULL;
  return texts->items[index].depth & TEXT_OPEN ? NULL : &texts->items[index];
}

void term_texts_add(term_texts *texts, term_id id, const char *text, uint32_t length) {
  const kept_text *known = term_texts_find(texts, id);
  assert(!known || known->length == length);
  if (known) {
    texts->items[known - texts->items].text = text;
  } else {
    put_text(texts, id, (kept_text){text, length, TEXT_ALONE, 0});
  }
}

// Writes the text that the term has already, where it would be written the same here.
static bool print_known(printer *p, term_id id) {
  const term_texts *texts = p->namer->texts;
  uint32_t index;
  if (!imap_get(&texts->of, id, &index)) return false;
  kept_text known = texts->items[index];
  bool open = known.depth & TEXT_OPEN;
  int depth = p->depth + (known.depth & ~TEXT_OPEN);
  if ((open && index < p->first_text) || depth >= MAX_DEPTH || known.atoms >= p->atoms_left)
    return false;
  strbuf_reserve(p->out, known.length);
  strbuf_add(p->out, open ? p->out->data + (uintptr_t)known.text : known.text, known.length);
  p->atoms_left -= known.atoms;
  if (depth > p->deepest) p->deepest = depth;
  return true;
}

static void print_and_keep(printer *p, term_id id) {
  int deepest = p->deepest, atoms_left = p->atoms_left;
  uint32_t start = p->out->length;
  p->deepest = p->depth;
  print_parts(p, id);
  if (p->deepest < MAX_DEPTH && p->atoms_left > 0) {  // nothing in it was left out
    uint16_t depth = (uint16_t)((p->deepest - p->depth) | TEXT_OPEN);
    uint16_t atoms = (uint16_t)(atoms_left - p->atoms_left);
    put_text(p->namer->texts, id,
             (kept_text){(const char *)(uintptr_t)start, p->out->length - start, depth, atoms});
  }
  if (deepest > p->deepest) p->deepest = deepest;
}

static void close_texts(printer *p) {
  term_texts *texts = p->namer->texts;
  const char *text = strbuf_text(p->out);
  for (uint32_t i = p->first_text; i < texts->count; i++) {
    kept_text *item = &texts->items[i];
    if (!(item->depth & TEXT_OPEN)) continue;
    item->text = text + (uintptr_t)item->text;
    item->depth &= (uint16_t)~TEXT_OPEN;
  }
}

// How conditions are written depends on what they are in (`choices`).
static bool is_same_everywhere(const printer *p, term_id id) {
  const uint32_t conditions =
      KIND_BIT(TERM_IS_ZERO) | KIND_BIT(TERM_IS_NEG) | KIND_BIT(TERM_SELECT);
  return !(term_kinds(p->terms, id) & conditions);
}

static void print_term(printer *p, term_id id) {
  if (term_kind_of(p->terms, id) == TERM_CONST) {
    num_print(p->out, term_get(p->terms, id)->as.value);
  } else if (term_kind_of(p->terms, id) == TERM_SYMBOL) {
    print_atom(p, id);
  } else if (!p->namer || !p->namer->texts || !is_same_everywhere(p, id)) {
    print_parts(p, id);
  } else if (!print_known(p, id)) {
    print_and_keep(p, id);
  }
}

void term_print(term_table *t, shape_strbuf *out, term_id id, const term_namer *namer) {
  printer p = {.terms = t, .out = out, .namer = namer, .atoms_left = MAX_ATOMS};
  if (namer && namer->texts) p.first_text = namer->texts->count;
  p.choices = !namer || !namer->opaque || !term_outweighs(t, id, MAX_CHOICE_WEIGHT);
  print_term(&p, id);
  if (namer && namer->texts) close_texts(&p);
  assert(p.depth == 0);
}

void term_print_plain(term_table *t, shape_strbuf *out, term_id id) {
  term_print(t, out, id, NULL);
}

// --- names

bool term_is_word(const char *name, size_t length) {
  static const char *const taken[] = {"floordiv", "ceildiv", "mod",    "min",
                                      "max",      "bcast",   "select", "divisible"};
  bool may_be_taken = length > 2 && *name >= 'b' && *name <= 's';  // S12 is the most frequent name
  for (size_t i = 0; may_be_taken && i < sizeof taken / sizeof *taken; i++) {
    if (*taken[i] == *name && strlen(taken[i]) == length && memcmp(taken[i], name, length) == 0) {
      return false;
    }
  }
  for (size_t i = 0; i < length; i++) {
    char c = name[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool other = (c >= '0' && c <= '9') || c == '.';
    if (!letter && !(i && other)) return false;
  }
  return length > 0;
}

void term_print_name(shape_strbuf *out, const char *name, size_t length) {
  if (term_is_word(name, length)) {
    strbuf_add(out, name, length);
    return;
  }
  strbuf_putc(out, '"');
  for (size_t i = 0; i < length; i++) {
    if (name[i] == '"' || name[i] == '\\') strbuf_putc(out, '\\');
    strbuf_putc(out, name[i]);
  }
  strbuf_putc(out, '"');
}
