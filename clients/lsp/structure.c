// SPDX-License-Identifier: Apache-2.0
// The parts of a text as its brackets and comments are: folding, selection ranges, links to other files.
#include <string.h>

#include "clients/lsp/call.h"
#include "clients/lsp/syntax/context.h"

static uint32_t line_of(const lsp_call *call, uint32_t offset) {
  lsp_document *d = call->document;
  return lsp_position_of(&d->text.lines, d->text.data, d->text.length, call->server->encoding,
                         offset)
      .line;
}

// --- folding

static void put_fold(lsp_call *call, uint32_t first, uint32_t last, const char *kind) {
  json_begin_object(call->w);
  json_put_int(call->w, "startLine", first);
  json_put_int(call->w, "endLine", last);
  if (kind) lsp_put_pair(call->w, "kind", kind);
  json_end_object(call->w);
}

// The line of the closing bracket stays.
static void fold_regions(lsp_call *call) {
  const syn_index *x = call->syntax;
  for (uint32_t r = 0; r < x->region_count; r++) {
    const syn_region *region = &x->regions[r];
    if (region->open == SYN_NONE || region->close == SYN_NONE) continue;
    uint32_t first = line_of(call, x->tokens[region->open].begin);
    uint32_t last = line_of(call, x->tokens[region->close].begin);
    if (last >= first + 2) put_fold(call, first, last - 1, NULL);
  }
}

static bool is_alone(const syn_index *x, const syn_token *comment) {
  uint32_t at = comment->begin;
  while (at && (x->text[at - 1] == ' ' || x->text[at - 1] == '\t')) at--;
  return !at || x->text[at - 1] == '\n';
}

static void fold_comments(lsp_call *call) {
  const syn_index *x = call->syntax;
  for (uint32_t i = 0; i < x->comment_count;) {
    if (!is_alone(x, &x->comments[i])) {
      i++;
      continue;
    }
    uint32_t first = line_of(call, x->comments[i].begin), last = first;
    for (i++; i < x->comment_count && is_alone(x, &x->comments[i]) &&
              line_of(call, x->comments[i].begin) == last + 1;
         i++)
      last++;
    if (last > first) put_fold(call, first, last, "comment");
  }
}

bool lsp_folding_range(lsp_call *call) {
  json_begin_array(call->w);
  fold_regions(call);
  fold_comments(call);
  json_end_array(call->w);
  return true;
}

// --- selection ranges: name, operation, body, and so on outwards

enum { LEVELS_MAX = 256 };

typedef struct levels {
  source_span spans[LEVELS_MAX];
  uint32_t count;
} levels;

// Each holds the one before and more.
static void add_level(levels *l, uint32_t begin, uint32_t end) {
  if (l->count == LEVELS_MAX) return;
  const source_span *last = l->count ? &l->spans[l->count - 1] : NULL;
  if (last && (begin > last->begin || end < last->end)) return;
  if (last && begin == last->begin && end == last->end) return;
  l->spans[l->count++] = (source_span){begin, end};
}

static bool holds(const syn_index *x, uint32_t first, uint32_t last, uint32_t offset) {
  return x->tokens[first].begin <= offset && offset <= x->tokens[last].end;
}

static void find_levels(const syn_index *x, uint32_t offset, levels *l) {
  uint32_t name = syn_name_at(x, offset), token = syn_token_before(x, offset + 1);
  if (name != SYN_NONE) {
    add_level(l, x->names[name].begin, x->names[name].end);
  } else if (token != SYN_NONE && holds(x, token, token, offset) &&
             x->tokens[token].kind != SYN_PUNCT) {
    add_level(l, x->tokens[token].begin, x->tokens[token].end);
  }
  uint32_t op = syn_op_of_token(x, token);
  while (op != SYN_NONE) {
    const syn_op *o = &x->ops[op];
    for (uint32_t r = o->first_region; r != SYN_NONE; r = x->regions[r].next) {
      const syn_region *region = &x->regions[r];
      if (region->open == SYN_NONE || region->close == SYN_NONE) continue;
      uint32_t begin = x->tokens[region->open].begin, end = x->tokens[region->close].end;
      if (begin <= offset && offset <= end) add_level(l, begin, end);
    }
    if (holds(x, o->first, o->last, offset))
      add_level(l, x->tokens[o->first].begin, x->tokens[o->last].end);
    op = x->regions[o->region].op;
  }
  add_level(l, 0, x->length);
}

static void put_levels(lsp_call *call, const levels *l, uint32_t from) {
  json_begin_object(call->w);
  json_key(call->w, "range");
  lsp_put_range(call->server, call->document, call->w, l->spans[from]);
  if (from + 1 < l->count) {
    json_key(call->w, "parent");
    put_levels(call, l, from + 1);
  }
  json_end_object(call->w);
}

bool lsp_selection_range(lsp_call *call) {
  const cJSON *positions = lsp_member(call->params, "positions");
  if (!cJSON_IsArray(positions))
    return lsp_fail(call, LSP_INVALID_PARAMS, "params.positions is not a list");
  for (const cJSON *p = positions->child; p; p = p->next) {
    uint32_t offset;
    if (!lsp_offset_of_node(call, p, &offset))
      return lsp_fail(call, LSP_INVALID_PARAMS,
                      "params.positions holds something that is not a position");
  }
  json_begin_array(call->w);
  for (const cJSON *p = positions->child; p; p = p->next) {
    uint32_t offset = 0;
    levels *l = arena_zalloc(call->arena, sizeof *l);
    lsp_offset_of_node(call, p, &offset);
    find_levels(call->syntax, offset, l);
    if (!l->count) l->spans[l->count++] = (source_span){offset, offset};
    put_levels(call, l, 0);
  }
  json_end_array(call->w);
  return true;
}

// --- links: loc("model.py":12:7)

static bool is_char(const syn_index *x, uint32_t token, char c) {
  return syn_kind_is(x, token, SYN_PUNCT) && syn_char(x, token) == c;
}

// A line and a column from 1 on; 0: it is none.
static uint32_t number_at(const syn_index *x, uint32_t token) {
  uint32_t number = 0;
  if (!syn_kind_is(x, token, SYN_NUMBER)) return 0;
  for (uint32_t i = x->tokens[token].begin; i < x->tokens[token].end; i++) {
    char c = x->text[i];
    if (c < '0' || c > '9' || number > 100000000) return 0;
    number = number * 10 + (uint32_t)(c - '0');
  }
  return number;
}

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The text of a string: MLIR LangRef, "Common syntax": \" \\ \n \t and two hex digits.
static report_text string_text(lsp_call *call, uint32_t token) {
  const syn_index *x = call->syntax;
  uint32_t at = x->tokens[token].begin + 1, end = x->tokens[token].end - 1;
  shape_strbuf out;
  strbuf_init(&out, call->arena);
  for (; at < end; at++) {
    char c = x->text[at];
    int high = c == '\\' && at + 2 < end ? hex(x->text[at + 1]) : -1;
    int low = high >= 0 ? hex(x->text[at + 2]) : -1;
    if (low >= 0) {
      strbuf_putc(&out, (char)(high * 16 + low));
      at += 2;
    } else if (c == '\\' && at + 1 < end) {
      at++;
      strbuf_putc(&out, x->text[at] == 'n' ? '\n' : x->text[at] == 't' ? '\t' : x->text[at]);
    } else {
      strbuf_putc(&out, c);
    }
  }
  return (report_text){out.data ? out.data : "", out.length};
}

static void put_link(lsp_call *call, uint32_t token, uint32_t line, uint32_t column) {
  const syn_index *x = call->syntax;
  report_text path = string_text(call, token);
  shape_strbuf target;
  if (!path.length) return;
  strbuf_init(&target, call->arena);
  lsp_put_uri(&target, call->document, path);
  strbuf_printf(&target, "#L%u,%u", line, column);
  json_begin_object(call->w);
  json_key(call->w, "range");
  lsp_put_range(call->server, call->document, call->w,
                (source_span){x->tokens[token].begin, x->tokens[token + 4].end});
  lsp_put_text(call->w, "target", (report_text){target.data, target.length});
  json_end_object(call->w);
}

bool lsp_document_link(lsp_call *call) {
  const syn_index *x = call->syntax;
  uint32_t depth = 0, since = 0;  // brackets since loc(
  json_begin_array(call->w);
  for (uint32_t t = 0; t < x->token_count; t++) {
    if (!depth && syn_is(x, t, "loc") && is_char(x, t + 1, '('))
      since = depth = 1, t++;
    else if (depth && is_char(x, t, '('))
      depth++;
    else if (depth && is_char(x, t, ')'))
      depth--;
    if (!depth || !since || !syn_kind_is(x, t, SYN_STRING)) continue;
    bool whole = is_char(x, t + 1, ':') && is_char(x, t + 3, ':');
    uint32_t line = whole ? number_at(x, t + 2) : 0, column = whole ? number_at(x, t + 4) : 0;
    bool zero = whole && syn_is(x, t + 4, "0");
    if (line && (column || zero)) put_link(call, t, line, column ? column : 1);
  }
  json_end_array(call->w);
  return true;
}
