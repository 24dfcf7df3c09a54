// SPDX-License-Identifier: Apache-2.0
#include "solver/term/spell.h"

#include <string.h>

#include "solver/term/fold.h"

// Calls nested deeper are atoms; so are powers that the printer does not write out.
enum { SPELL_DEPTH = 24, SPELL_EXPONENT = 64 };

// --- size

static bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.';
}

uint32_t spell_text_size(const char *text, size_t length) {
  uint32_t size = 0;
  bool operand = false;  // the last token was one, so that - and + are operators
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (c == '"') {
      for (i++; i < length && text[i] != '"'; i++) i += text[i] == '\\';
      size++;
      operand = true;
    } else if (is_word(c)) {
      while (i + 1 < length && is_word(text[i + 1])) i++;
      size++;
      operand = true;
    } else if (c == '+' || c == '-') {
      size += operand;
      operand = false;
    } else if (c == ')') {
      operand = true;
    } else if (c == '(' || c == ',') {
      operand = false;
    } else if (c == '*' || c == '/' || c == '%' || c == '^') {
      i += c == '/' && i + 1 < length && text[i + 1] == '/';
      size++;
      operand = false;
    }
  }
  return size;
}

static uint32_t atom_size(const speller *m, term_id atom) {
  if (term_kind_of(m->terms, atom) == TERM_SYMBOL) return 1;
  shape_strbuf text;
  strbuf_init(&text, m->arena);
  term_print_plain(m->terms, &text, atom);
  return spell_text_size(text.data, text.length);
}

static uint32_t part_size(const speller *m, const spell_part *p) {
  bool number = !p->count || !(num_is_one(p->coefficient) || num_is(p->coefficient, -1));
  uint32_t size = number + (p->count ? p->count - 1 + number : 0);
  for (uint32_t i = 0; i < p->count; i++) {
    const spell_factor *f = &p->factors[i];
    size += f->name != NULL;
    if (f->atom != TERM_NONE) size += atom_size(m, f->atom);
    for (uint32_t j = 0; j < f->count; j++) size += f->args[j]->size;
  }
  return size;
}

// --- making

// Keeps the parts.
static const term_spelling *make(const speller *m, const spell_part *parts, uint32_t count) {
  term_spelling *f = arena_alloc(m->arena, sizeof *f);
  uint32_t size = count ? count - 1 : 1;
  for (uint32_t i = 0; i < count; i++) {
    assert(!num_is_zero(parts[i].coefficient));
    size += part_size(m, &parts[i]);
  }
  *f = (term_spelling){.parts = parts, .count = count, .size = size};
  return f;
}

const term_spelling *spell_make(const speller *m, const spell_part *parts, uint32_t count) {
  spell_part *copy = arena_alloc(m->arena, count * sizeof *copy);
  for (uint32_t i = 0; i < count; i++) copy[i] = parts[i];
  return make(m, copy, count);
}

static const term_spelling *make_single(const speller *m, num k, const spell_factor *factor) {
  spell_factor *copy = arena_alloc(m->arena, sizeof *copy);
  spell_part *part = arena_alloc(m->arena, sizeof *part);
  *copy = *factor;
  *part = (spell_part){k, copy, 1};
  return make(m, part, 1);
}

const term_spelling *spell_call(const speller *m, const char *name,
                                const term_spelling *const *args, uint32_t count) {
  assert(name && count);
  const term_spelling **copy = arena_alloc(m->arena, count * sizeof *copy);
  memcpy(copy, args, count * sizeof *copy);
  return make_single(m, NUM(1), &(spell_factor){name, TERM_NONE, copy, count});
}

// A constant and a constant are one part; other parts are taken as they are.
const term_spelling *spell_add(const speller *m, const term_spelling *a, const term_spelling *b) {
  spell_part *parts = arena_alloc(m->arena, (a->count + b->count + 1) * sizeof *parts);
  uint32_t count = 0;
  num constant = NUM(0);
  for (uint32_t i = 0; i < a->count + b->count; i++) {
    const spell_part *p = i < a->count ? &a->parts[i] : &b->parts[i - a->count];
    if (p->count) {
      parts[count++] = *p;
    } else {
      constant = num_add(m->terms->budget, constant, p->coefficient);
    }
  }
  if (!num_is_zero(constant)) parts[count++] = (spell_part){constant, NULL, 0};
  // "a - b" reads better than "-b + a".
  for (uint32_t i = 1; i < count && num_sign(parts[0].coefficient) < 0; i++) {
    if (num_sign(parts[i].coefficient) < 0) continue;
    spell_part first = parts[i];
    memmove(parts + 1, parts, i * sizeof *parts);
    parts[0] = first;
  }
  return make(m, parts, count);
}

const term_spelling *spell_scale(const speller *m, const term_spelling *a, num k) {
  if (num_is_zero(k)) return spell_make(m, NULL, 0);
  spell_part *parts = arena_alloc(m->arena, (a->count + 1) * sizeof *parts);
  for (uint32_t i = 0; i < a->count; i++) {
    parts[i] = a->parts[i];
    parts[i].coefficient = num_mul(m->terms->budget, k, parts[i].coefficient);
  }
  return make(m, parts, a->count);
}

// The list of arguments may be in scratch memory, which making forms of them uses as well.
static spell_factor call_factor(const speller *m, const char *name, const term_id *args,
                                uint32_t count, uint32_t depth) {
  const term_spelling **copy = arena_alloc(m->arena, (count + 1) * sizeof *copy);
  for (uint32_t i = 0; i < count; i++) {
    copy[i] =
        m->argument ? m->argument(m->data, args[i], depth + 1) : spell_at(m, args[i], depth + 1);
  }
  return (spell_factor){name, TERM_NONE, copy, count};
}

static spell_factor atom_factor(const speller *m, term_id atom, uint32_t depth) {
  term_kind kind = term_kind_of(m->terms, atom);
  if ((kind != TERM_FLOORDIV && kind != TERM_MIN) || depth >= SPELL_DEPTH)
    return (spell_factor){NULL, atom, NULL, 0};
  scratch_mark mark = scratch_get(m->terms);
  fold_item item = fold_atom(m->terms, atom);
  spell_factor factor = call_factor(m, item.name, item.args, item.arg_count, depth);
  scratch_release(m->terms, mark);
  return factor;
}

static spell_part item_part(const speller *m, const fold_item *item, uint32_t depth) {
  const term_power *powers;
  term_power room;
  uint32_t n = term_powers(m->terms, item->prefix, &powers, &room), count = 0;
  uint32_t total = item->name != NULL;
  for (uint32_t i = 0; i < n; i++)
    total += powers[i].exponent > SPELL_EXPONENT ? 1 : powers[i].exponent;
  term_id *atoms = arena_alloc(m->arena, (total + 1) * sizeof *atoms);
  spell_factor *factors = arena_alloc(m->arena, (total + 1) * sizeof *factors);
  for (uint32_t i = 0; i < n; i++) {
    bool spelled = powers[i].exponent <= SPELL_EXPONENT;
    for (uint32_t j = 0; j < (spelled ? powers[i].exponent : 1); j++) {
      uint32_t at = count++;
      for (; at && term_order(m->terms, atoms[at - 1], powers[i].atom) < 0; at--)
        atoms[at] = atoms[at - 1];
      atoms[at] = powers[i].atom;
    }
    if (!spelled) atoms[count - 1] = term_pow(m->terms, powers[i].atom, powers[i].exponent);
  }
  for (uint32_t i = 0; i < count; i++) factors[i] = atom_factor(m, atoms[i], depth);
  if (item->name) factors[count++] = call_factor(m, item->name, item->args, item->arg_count, depth);
  assert(count == total);
  return (spell_part){item->coefficient, factors, count};
}

// Constants and symbols are their own spellings, which need no fold; most arguments are one.
static const term_spelling *spell_leaf(const speller *m, term_id id) {
  spell_part *part = arena_alloc(m->arena, sizeof *part);
  *part = (spell_part){.coefficient = NUM(1)};
  if (term_const_value(m->terms, id, &part->coefficient)) return make(m, part, id != TERM_ZERO);
  return make_single(m, NUM(1), &(spell_factor){NULL, id, NULL, 0});
}

const term_spelling *spell_at(const speller *m, term_id id, uint32_t depth) {
  term_kind kind = term_kind_of(m->terms, id);
  if (kind == TERM_CONST || kind == TERM_SYMBOL) return spell_leaf(m, id);
  scratch_mark mark = scratch_get(m->terms);
  fold_list list = fold_term(m->terms, id, depth < SPELL_DEPTH, depth < SPELL_DEPTH);
  spell_part *parts = arena_alloc(m->arena, (list.count + 1) * sizeof *parts);
  for (uint32_t i = 0; i < list.count; i++) parts[i] = item_part(m, &list.items[i], depth);
  const term_spelling *f = make(m, parts, list.count);
  scratch_release(m->terms, mark);
  return f;
}

const term_spelling *spell_of(const speller *m, term_id id) { return spell_at(m, id, 0); }

// --- reading

static term_id call_term(const speller *m, const spell_factor *f) {
  term_table *t = m->terms;
  term_id *args = arena_alloc(m->arena, (f->count + 1) * sizeof *args);
  for (uint32_t i = 0; i < f->count; i++) args[i] = spell_term(m, f->args[i]);
  if (strcmp(f->name, "min") == 0) return term_min_of(t, args, f->count);
  if (strcmp(f->name, "max") == 0) return term_max_of(t, args, f->count);
  if (strcmp(f->name, "floordiv") == 0) return term_floordiv(t, args[0], args[1]);
  if (strcmp(f->name, "ceildiv") == 0) return term_ceildiv(t, args[0], args[1]);
  if (strcmp(f->name, "mod") == 0) return term_mod(t, args[0], args[1]);
  assert(strcmp(f->name, "select") == 0 && f->count == 3);
  return term_select(t, args[0], args[1], args[2]);
}

term_id spell_term(const speller *m, const term_spelling *f) {
  term_id sum = TERM_ZERO;
  for (uint32_t i = 0; i < f->count; i++) {
    term_id product = term_const(m->terms, f->parts[i].coefficient);
    for (uint32_t j = 0; j < f->parts[i].count; j++) {
      const spell_factor *factor = &f->parts[i].factors[j];
      term_id value = factor->name                ? call_term(m, factor)
                      : factor->atom != TERM_NONE ? factor->atom
                                                  : spell_term(m, factor->args[0]);
      product = term_mul(m->terms, product, value);
    }
    sum = term_add(m->terms, sum, product);
  }
  return sum;
}

static void print_factor(const speller *m, shape_strbuf *out, const spell_factor *f,
                         const term_namer *namer) {
  if (f->atom != TERM_NONE) {
    term_print(m->terms, out, f->atom, namer);
    return;
  }
  if (f->name) strbuf_puts(out, f->name);
  strbuf_putc(out, '(');
  for (uint32_t i = 0; i < f->count; i++) {
    if (i) strbuf_puts(out, ", ");
    spell_print(m, out, f->args[i], namer);
  }
  strbuf_putc(out, ')');
}

void spell_print(const speller *m, shape_strbuf *out, const term_spelling *f,
                 const term_namer *namer) {
  if (!f->count) strbuf_putc(out, '0');
  for (uint32_t i = 0; i < f->count; i++) {
    const spell_part *p = &f->parts[i];
    bool negative = num_sign(p->coefficient) < 0;
    num k = num_abs(m->terms->budget, p->coefficient);
    strbuf_puts(out, negative ? (i ? " - " : "-") : i ? " + " : "");
    bool number = !num_is_one(k) || !p->count;
    if (number) num_print(out, k);
    for (uint32_t j = 0; j < p->count; j++) {
      if (number || j) strbuf_putc(out, '*');
      print_factor(m, out, &p->factors[j], namer);
    }
  }
}
