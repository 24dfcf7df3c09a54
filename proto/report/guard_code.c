// SPDX-License-Identifier: Apache-2.0
// What the writers of checks share: names, notes, quotes.
#include "proto/report/guard_code.h"

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

// S0, S1, ... are nobody's words. Any other name ends in '_', as no keyword does, and in a number where that is needed
// to tell two apart.
void guard_code_name(const report_checks *checks, uint32_t binding, shape_strbuf *out) {
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

uint32_t guard_code_binding(const report_checks *checks, term_id symbol) {
  for (uint32_t i = 0; i < checks->binding_count; i++) {
    if (checks->bindings[i].symbol == symbol) return i;
  }
  return ID_NONE;
}

void guard_code_entry(const shape_report *r, shape_strbuf *out) {
  report_text name = report_function_name(r, r->infer->entry);
  if (name.length) {
    put_word(out, name);
  } else {
    strbuf_puts(out, "entry");
  }
}

void guard_code_quoted(shape_strbuf *out, const char *text) {
  strbuf_putc(out, '"');
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\') strbuf_putc(out, '\\');
    // A question mark is none of a trigraph's; bytes that are not ASCII are told by their number.
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
    if (*c == '"' && lead[0] != '/') plain = false;  // may stand in a docstring
    strbuf_putc(out, plain ? (char)*c : *c == '"' ? '\'' : '_');
  }
  strbuf_putc(out, '\n');
}

void guard_code_notes(const shape_report *r, const report_checks *checks, const char *lead,
                      shape_strbuf *out) {
  shape_strbuf text;
  for (uint32_t i = 0; i < r->assumption_count; i++) {
    strbuf_init(&text, r->graph->arena);
    strbuf_printf(&text, "Assumed: %s.", r->assumptions[i]);
    put_line(out, lead, strbuf_text(&text));
  }
  for (uint32_t i = 0; i < checks->open_count; i++) {
    const report_because *why = &checks->open[i];
    strbuf_init(&text, r->graph->arena);
    strbuf_puts(&text, "Not checked, data decides it: ");
    if (!span_is_none(why->span)) {
      strbuf_printf(&text, "line %u: ", graph_position(r->graph, why->span).line);
    }
    strbuf_printf(&text, "%s.", why->message);
    put_line(out, lead, strbuf_text(&text));
  }
}
