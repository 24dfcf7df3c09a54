// SPDX-License-Identifier: Apache-2.0
// What is wrong with a text, the guards that remain, and what no guard checks, as diagnostics.
#include <stdio.h>
#include <string.h>

#include "clients/lsp/call.h"
#include "clients/lsp/operations.h"

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION, SEVERITY_HINT };

typedef struct publisher {
  shape_intern dialects;  // those that are not known, of which a note was written
  lsp_server *server;
  lsp_document *document;
  json_writer *w;
} publisher;

static int severity_of(diag_severity severity) {
  switch (severity) {
  case DIAG_ERROR: return SEVERITY_ERROR;
  case DIAG_WARNING: return SEVERITY_WARNING;
  case DIAG_NOTE: return SEVERITY_INFORMATION;
  case DIAG_HINT: break;
  }
  return SEVERITY_HINT;
}

static void begin(publisher *p, source_span span, int severity, const char *code,
                  report_text text) {
  json_writer *w = p->w;
  json_begin_object(w);
  json_key(w, "range");
  lsp_put_range(p->server, p->document, w, span);
  json_put_int(w, "severity", severity);
  lsp_put_pair(w, "code", code);
  lsp_put_pair(w, "source", "shaped");
  lsp_put_text(w, "message", text);
  const char *manual = p->server->settings.manual.text;
  if (!*manual) return;
  shape_strbuf page;
  strbuf_init(&page, w->out->arena);
  strbuf_printf(&page, "%s/reference/diagnostics/%s.html", manual, code);
  json_key_object(w, "codeDescription");
  lsp_put_pair(w, "href", strbuf_text(&page));
  json_end_object(w);
}

static void put_related(publisher *p, source_span span, const char *message) {
  if (span_is_none(span)) return;
  json_begin_object(p->w);
  json_key(p->w, "location");
  lsp_put_location(p->server, p->document, p->w, span);
  lsp_put_pair(p->w, "message", message);
  json_end_object(p->w);
}

// The line of the model's source that an operation comes from, as a link.
static void put_source(publisher *p, const report_location *at) {
  shape_strbuf text;
  if (!at->line) return;
  strbuf_init(&text, &p->document->model->scratch);
  strbuf_puts(&text, "the operation comes from here");
  if (at->function.length) {
    strbuf_puts(&text, ", in ");
    strbuf_add(&text, at->function.text, at->function.length);
  }
  json_begin_object(p->w);
  json_key(p->w, "location");
  lsp_put_source(p->document, p->w, at);
  lsp_put_text(p->w, "message", (report_text){text.data, text.length});
  json_end_object(p->w);
}

static void put_diag(publisher *p, const lsp_diag *d) {
  begin(p, d->span, severity_of(d->severity), d->code,
        (report_text){d->message, (uint32_t)strlen(d->message)});
  if (p->server->client.related && (d->related_count || d->locations.count)) {
    json_key_array(p->w, "relatedInformation");
    for (uint32_t i = 0; i < d->related_count; i++) {
      put_related(p, d->related[i].span, d->related[i].message);
    }
    for (uint32_t i = 0; i < d->locations.count; i++) put_source(p, &d->locations.items[i]);
    json_end_array(p->w);
  }
  json_end_object(p->w);
}

// The dialect of the operation that a note is about, where no table has it; empty: it is about something else.
static report_text unknown_dialect(const publisher *p, const lsp_diag *d) {
  const lsp_model *m = p->document->model;
  const report_text none = {"", 0};
  if (d->severity != DIAG_NOTE || span_is_none(d->span)) return none;
  op_id op = lsp_model_op_at(m, d->span.begin);
  if (op == ID_NONE || m->graph->ops[op].span.begin != d->span.begin) return none;
  const char *name = graph_op_name(m->graph, op);
  if (op_dialect_is_known(name, strlen(name))) return none;
  return (report_text){name, (uint32_t)strcspn(name, ".")};
}

// One note for all operations of a dialect that is not known, at the first of them.
static void put_dialect(publisher *p, const lsp_diag *d, report_text dialect) {
  shape_strbuf text;
  uint32_t known = p->dialects.count;
  if (intern_add(&p->dialects, dialect.text, dialect.length) < known) return;
  strbuf_init(&text, &p->document->model->scratch);
  strbuf_add(&text, dialect.text, dialect.length);
  strbuf_puts(&text,
              ": no rules for this dialect: the results of its operations have unknown shapes");
  lsp_diag note = *d;
  note.message = strbuf_text(&text);
  put_diag(p, &note);
}

// At the operation that needs it; the first line of one that holds regions.
static source_span location_of(const publisher *p, const lsp_constraint *guard) {
  const shape_graph *g = p->document->model->graph;
  for (uint32_t i = 0; i < guard->because_count; i++) {
    source_span span = guard->because[i].span;
    if (span_is_none(span)) continue;
    op_id op = lsp_model_op_at(p->document->model, span.begin);
    bool whole = op != ID_NONE && g->ops[op].span.begin == span.begin && span.end > span.begin;
    return whole ? g->ops[op].name_span : span;
  }
  return (source_span){0, 0};
}

static void put_guard(publisher *p, const lsp_constraint *guard) {
  shape_strbuf text;
  strbuf_init(&text, &p->document->model->scratch);
  strbuf_puts(&text, "to be checked at run time: ");
  strbuf_add(&text, guard->expr.text, guard->expr.length);
  if (guard->because_count) strbuf_printf(&text, " (%s)", guard->because[0].message);
  begin(p, location_of(p, guard), SEVERITY_HINT, "guard", (report_text){text.data, text.length});
  if (p->server->client.related && guard->because_count > 1) {
    json_key_array(p->w, "relatedInformation");
    for (uint32_t i = 0; i < guard->because_count; i++) {
      put_related(p, guard->because[i].span, guard->because[i].message);
    }
    json_end_array(p->w);
  }
  json_end_object(p->w);
}

static void put_unchecked(publisher *p, const lsp_constraint *row) {
  shape_strbuf text;
  strbuf_init(&text, &p->document->model->scratch);
  strbuf_puts(&text, "no guard checks this: ");
  strbuf_add(&text, row->expr.text, row->expr.length);
  strbuf_printf(&text, " (%s)", row->because[0].message);
  begin(p, location_of(p, row), SEVERITY_HINT, "unchecked", (report_text){text.data, text.length});
  json_end_object(p->w);
}

static void put_diagnostics(lsp_server *s, lsp_document *d, json_writer *w) {
  const lsp_model *m = d->model;
  publisher p = {.server = s, .document = d, .w = w};
  intern_init(&p.dialects, &d->model->scratch);
  json_begin_array(w);
  if (d->failed != SHAPE_OK) {
    const char *why = shape_status_message(d->failed);
    begin(&p, (source_span){0, 0}, SEVERITY_WARNING, "budget",
          (report_text){why, (uint32_t)strlen(why)});
    json_end_object(w);
  }
  for (uint32_t i = 0; i < m->diag_count; i++) {
    report_text dialect = unknown_dialect(&p, &m->diags[i]);
    if (dialect.length) {
      put_dialect(&p, &m->diags[i], dialect);
    } else {
      put_diag(&p, &m->diags[i]);
    }
  }
  for (uint32_t i = 0; s->settings.guards && i < m->facts.guard_count; i++)
    put_guard(&p, &m->facts.guards[i]);
  for (uint32_t i = 0; s->settings.guards && i < m->facts.unchecked_count; i++)
    put_unchecked(&p, &m->facts.unchecked[i]);
  json_end_array(w);
}

void lsp_write_diagnostics(lsp_server *s, lsp_document *d, json_writer *w) {
  json_begin_object(w);
  lsp_put_pair(w, "uri", d->uri);
  if (s->client.versions) {
    json_put_int(w, "version", d->version);
  }
  json_key(w, "diagnostics");
  put_diagnostics(s, d, w);
  json_end_object(w);
}

// Of the text as it is; what a client has of the same text is not sent again.
bool lsp_diagnostic(lsp_call *call) {
  const lsp_document *d = call->document;
  const char *had = lsp_text_member(call->params, "previousResultId");
  char id[64];
  snprintf(id, sizeof id, "%lld.%u.%u", (long long)d->version, d->revision, d->text.length);
  bool same = had && strcmp(had, id) == 0;
  json_begin_object(call->w);
  lsp_put_pair(call->w, "kind", same ? "unchanged" : "full");
  lsp_put_pair(call->w, "resultId", id);
  if (!same) {
    json_key(call->w, "items");
    put_diagnostics(call->server, call->document, call->w);
  }
  json_end_object(call->w);
  return true;
}
