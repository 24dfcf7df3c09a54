// SPDX-License-Identifier: Apache-2.0
// What the writers of checks share: names, notes, quotes, and for functions in C and Python the walk.
#include "solver/emit/guard_code.h"

#include "solver/base/utf8.h"
#include "solver/report/render.h"

#include <assert.h>
#include <string.h>

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void put_word(shape_strbuf *out, report_text name) {
  if (!name.length || is_digit(name.text[0])) strbuf_putc(out, 's');
  for (uint32_t i = 0; i < name.length; i++) {
    bool fits = is_letter(name.text[i]) || is_digit(name.text[i]);
    strbuf_putc(out, fits ? name.text[i] : '_');
  }
}

static bool is_numbered(report_text name) {
  if (name.length < 2 || name.text[0] != 'S') return false;
  for (uint32_t i = 1; i < name.length; i++) {
    if (!is_digit(name.text[i])) return false;
  }
  return true;
}

// S0, S1, ... are keywords of no language. Any other name ends in '_', as no keyword does, and in a number where that is needed
// to distinguish two.
static void guard_code_name(const report_checks *checks, uint32_t binding, shape_strbuf *out) {
  assert(binding < checks->binding_count);
  report_text name = checks->bindings[binding].name;
  put_word(out, name);
  if (is_numbered(name)) return;
  strbuf_putc(out, '_');
  for (uint32_t i = 0; i < name.length; i++) {
    bool plain = is_letter(name.text[i]) || (i && is_digit(name.text[i]));
    if (plain) continue;
    strbuf_printf(out, "%u_", binding);
    return;
  }
}

void guard_code_entry(const shape_report *r, shape_strbuf *out) {
  report_text name = report_function_name(r, r->infer->entry);
  if (name.length) {
    put_word(out, name);
  } else {
    strbuf_puts(out, "entry");
  }
}

// The code point of a valid sequence of 2 to 4 bytes.
static uint32_t code_point(const unsigned char *at, uint32_t length) {
  uint32_t c = at[0] & (0x7fu >> length);
  assert(length >= 2 && length <= 4);
  for (uint32_t i = 1; i < length; i++) c = c << 6 | (at[i] & 0x3fu);
  return c;
}

void guard_code_quoted(shape_strbuf *out, const char *text, bool characters) {
  const unsigned char *c = (const unsigned char *)text, *end = c + strlen(text);
  strbuf_putc(out, '"');
  for (uint32_t length = 1; c < end; c += length) {
    length = characters ? utf8_sequence(c, (size_t)(end - c)) : 1;
    if (length > 1) {
      strbuf_printf(out, "\\U%08x", code_point(c, length));
      continue;
    }
    length = 1;
    if (*c == '"' || *c == '\\') strbuf_putc(out, '\\');
    // A question mark is not part of a trigraph; bytes that are not ASCII are reported by their number.
    if (*c >= 0x20 && *c < 0x7f && !(*c == '?' && c[1] == '?')) {
      strbuf_putc(out, (char)*c);
    } else {
      strbuf_printf(out, "\\%03o", *c);
    }
  }
  strbuf_putc(out, '"');
}

// One line of a comment: nothing in it ends the comment, or the line.
static void put_line(shape_strbuf *out, const char *lead, const char *text) {
  strbuf_puts(out, lead);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    bool plain = *c >= 0x20 && *c < 0x7f && *c != '\\';
    if (*c == '"' && lead[0] != '/') plain = false;  // may be in a docstring
    strbuf_putc(out, plain ? (char)*c : *c == '"' ? '\'' : '_');
  }
  strbuf_putc(out, '\n');
}

void guard_code_head(const shape_report *r, const report_checks *checks, const char *lead,
                     const char *language, shape_strbuf *out) {
  shape_strbuf text;
  strbuf_printf(out, "%sChecks of the arguments of @", lead);
  guard_code_entry(r, out);
  strbuf_printf(out, ", written by shape refine --guards %s.\n", language);
  for (uint32_t i = 0; i < r->assumption_count; i++) {
    strbuf_init(&text, r->graph->arena);
    strbuf_printf(&text, "Assumed: %s.", r->assumptions[i]);
    put_line(out, lead, strbuf_text(&text));
  }
  for (uint32_t i = 0; i < checks->open_count; i++) {
    const report_because *why = &checks->open[i];
    strbuf_init(&text, r->graph->arena);
    strbuf_puts(&text, "Not checked, data decides it: ");
    render_where(r, &text, why);
    strbuf_printf(&text, "%s.", why->message);
    put_line(out, lead, strbuf_text(&text));
  }
}

// --- the walk

static void put_symbol(guard_writer *w, term_id symbol) {
  assert(term_kind_of(w->terms, symbol) == TERM_SYMBOL);
  uint32_t binding = report_checks_binding(w->checks, symbol);
  term_id dividend;
  num divisor;
  if (binding != ID_NONE) {
    guard_code_name(w->checks, binding, w->out);
  } else if (report_quotient(w->report, term_get(w->terms, symbol)->as.symbol, &dividend,
                             &divisor)) {
    w->language->quotient(w, dividend, divisor);
  } else {
    strbuf_puts(w->out, w->language->unknown);
  }
}

void guard_code_atom(guard_writer *w, term_id atom) {
  assert(term_is_atom(w->terms, atom));
  const term_node node = *term_get(w->terms, atom);  // a quotient may make terms
  if (node.kind == TERM_SYMBOL) {
    put_symbol(w, atom);
  } else {
    w->language->call(w, &node);
  }
}

void guard_code_call(guard_writer *w, const char *name, const term_id *args, uint32_t count) {
  assert(count);
  strbuf_puts(w->out, name);
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(w->out, ", ");
    w->language->term(w, args[i]);
  }
  strbuf_putc(w->out, ')');
}

void guard_code_operand(guard_writer *w, check_operand p) {
  assert(p.argument < w->checks->argument_count);
  strbuf_printf(w->out, "%s[%u][%u]", p.value ? "values" : "dims", p.argument, p.axis);
}

static void put_binding(guard_writer *w, uint32_t index) {
  assert(index < w->checks->binding_count);
  const check_binding *b = &w->checks->bindings[index];
  strbuf_puts(w->out, w->language->bind);
  guard_code_name(w->checks, index, w->out);
  strbuf_puts(w->out, " = ");
  if (b->computed) {
    w->language->term(w, b->rest);
  } else if (num_is_one(b->factor) && b->rest == TERM_ZERO) {
    guard_code_operand(w, b->operand);
  } else {
    w->language->solved(w, b);
  }
  strbuf_puts(w->out, w->language->bound);
}

void guard_code_body(guard_writer *w) {
  const report_checks *c = w->checks;
  assert(c->constant_count <= c->check_count);
  for (uint32_t i = 0; i < c->argument_count; i++) {
    if (c->ranks[i] != ID_NONE) w->language->rank(w, i, c->ranks[i]);
  }
  for (uint32_t i = 0; i < c->constant_count; i++) w->language->check(w, &c->checks[i]);
  for (uint32_t i = 0; i < c->binding_count; i++) put_binding(w, i);
  for (uint32_t i = c->constant_count; i < c->check_count; i++)
    w->language->check(w, &c->checks[i]);
}
