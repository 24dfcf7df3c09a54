// SPDX-License-Identifier: Apache-2.0
// Operations that are written as one before, but for the names of their values. Programs are made of blocks that repeat: such
// a statement is compared with the earlier one and not read. What is made of it is what reading it makes: the same
// text, the same types of operands and the same begin of a statement after it read the same way.
#include <assert.h>

#include "solver/formats/mlir/pretty.h"

enum {
  MAX_OPERANDS = 8,
  MAX_ATTRS = 16,
  MAX_TEXT = 512,
  INDEX_BITS = 9,
  MAX_TEMPLATES = (1 << INDEX_BITS) - 1,  // 0 is none
  TEXT_SLOTS = 2 << INDEX_BITS,
  AFTER_BITS = 11,
  LIKELY = 2,            // templates that are tried
  RECENT_SHIFT = 5,      // of the 32 bits of a hash of the last statements: seven count
  MIN_OPERATIONS = 256,  // of a program that is worth it
  TRIES = 512            // statements by which it has to be seen that it is
};

// Offsets are from the begin of the statement. Name 0 is that of the result.
struct mlir_template {
  uint32_t at, length;  // in the text
  uint64_t hash;        // of the text between the names
  name_id name;
  uint32_t name_from, name_to, entry;
  uint32_t applies_from, applies_to;  // the name in a reduce's `applies`; none: both 0
  uint32_t steps;                     // that reading it took
  uint32_t operand_count, attr_count, entry_count;
  uint32_t from[MAX_OPERANDS + 1], to[MAX_OPERANDS + 1];  // of the names, with their %
  type_id operand_types[MAX_OPERANDS], result;
  attr_id first_attr;
  uint32_t first_entry;
  // Rows of the types that it writes, and that of the operation, whose end is an offset; where uses are noted.
  uint32_t first_use, use_count;
  mlir_op_use use;
};

// A statement that a template fits.
typedef struct fitting {
  mlir_word result;
  value_id operands[MAX_OPERANDS];
  uint32_t to[MAX_OPERANDS + 1];  // where its names end, in the text
} fitting;

void mlir_templates_init(mlir_parser *p, uint32_t operations) {
  mlir_templates *all = &p->templates;
  if (operations < MIN_OPERATIONS) return;
  all->by_text = arena_zalloc(p->g->arena, TEXT_SLOTS * sizeof *all->by_text);
  all->after = arena_zalloc(p->g->arena, LIKELY * sizeof *all->after << AFTER_BITS);
}

// --- what comes next: what came after the last few statements the last time

static uint16_t *after_recent(const mlir_templates *all) {
  return &all->after[LIKELY * (all->recent * 0x9e3779b1u >> (32 - AFTER_BITS))];
}

// The last one comes first; the one before it stays, as a program may go on in two ways, or two histories have one hash.
static void note(mlir_templates *all, uint32_t index) {
  uint16_t *likely = after_recent(all);
  assert(index <= MAX_TEMPLATES);
  if (likely[0] != index) likely[1] = likely[0];
  likely[0] = (uint16_t)index;
  all->recent = (all->recent << RECENT_SHIFT) ^ index * 0x85ebca6bu;
}

// Not where something is tried, or where what is read does not count.
static bool is_kept(const mlir_parser *p) {
  return p->templates.by_text && !p->errors.quiet && !p->errors.lenient && !p->errors.stop;
}

// --- fitting

static bool passes(mlir_parser *p, const mlir_template *t, uint32_t from, uint32_t to) {
  uint32_t length = to - from;
  if ((size_t)(p->end - p->at) < length) return false;
  if (memcmp(p->at, p->text + t->at + from, length) != 0) return false;
  p->at += length;
  return true;
}

// A line ends here, and the next one begins with the name of a result: nothing of it belongs to this statement.
static bool ends_here(const mlir_parser *p, const char *at) {
  if (at == p->end || *at != '\n') return false;
  do {
    at++;
  } while (at < p->end && *at == ' ');
  return at < p->end && *at == '%';
}

static bool fits(mlir_parser *p, const mlir_template *t, fitting *f) {
  const shape_graph *g = p->g;
  assert(*p->at == '%' && t->operand_count <= MAX_OPERANDS);
  p->at++;
  if (!mlir_suffix_id(p, &f->result) || mlir_is_visible(p, f->result)) return false;
  f->to[0] = mlir_offset(p, p->at);
  for (uint32_t i = 0; i < t->operand_count; i++) {
    if (!passes(p, t, t->to[i], t->from[i + 1]) || !mlir_known_operand(p, &f->operands[i]))
      return false;
    if (g->values[f->operands[i]].type != t->operand_types[i]) return false;
    f->to[i + 1] = mlir_offset(p, p->at);
  }
  return passes(p, t, t->to[t->operand_count], t->length) && ends_here(p, p->at);
}

// The number of the template; 0: none fits, and the cursor has not moved.
static uint32_t find_fitting(mlir_parser *p, fitting *f) {
  const uint16_t *likely = after_recent(&p->templates);
  const char *begin = p->at;
  for (uint32_t i = 0; i < LIKELY; i++) {
    if (likely[i] && fits(p, &p->templates.items[likely[i] - 1], f)) return likely[i];
    p->at = begin;
  }
  return 0;
}

// --- what it becomes

static source_span moved(const mlir_template *t, const fitting *f, source_span span) {
  if (span.begin == SPAN_NONE.begin && span.end == SPAN_NONE.end) return span;
  assert(span.begin >= t->at && span.end <= t->at + t->length);
  uint32_t from = span.begin - t->at, k = t->operand_count;
  while (k && t->to[k] > from) k--;
  uint32_t begin = f->to[k] + (from - t->to[k]);
  return (source_span){begin, begin + (span.end - span.begin)};
}

static void add_attrs(mlir_parser *p, const mlir_template *t, const fitting *f, op_id op) {
  shape_graph *g = p->g;
  attr_entry entries[MAX_ATTRS];
  assert(t->entry_count <= MAX_ATTRS && t->first_attr + t->attr_count <= g->attributes.count);
  uint32_t further = g->attributes.count - t->first_attr;
  for (uint32_t i = 0; i < t->attr_count; i++) {
    graph_attr attr = g->attributes.items[t->first_attr + i];
    attr.span = moved(t, f, attr.span);
    graph_move_payload(g, &attr, t->first_attr, further);
    graph_add_attr(g, &attr);
  }
  for (uint32_t i = 0; i < t->entry_count; i++) {
    entries[i] = g->attributes.entries[t->first_entry + i];
    entries[i].value += further;
  }
  graph_set_attrs(g, op, entries, t->entry_count);
}

static void add_body(mlir_parser *p, const mlir_template *t, const fitting *f) {
  source_span span = {t->at + t->applies_from, t->at + t->applies_to};
  span = moved(t, f, span);
  mlir_word inner = {p->text + span.begin, span.end - span.begin};
  mlir_applied_body(p, t->name, f->operands[0], inner);
}

static void add_uses(mlir_parser *p, const mlir_template *t, const fitting *f, op_id op) {
  mlir_operand operands[MAX_OPERANDS];
  for (uint32_t i = 0; i < t->operand_count; i++)
    operands[i] = (mlir_operand){f->operands[i], f->to[i] + (t->from[i + 1] - t->to[i]), 0};
  mlir_use_operands(p, op, operands, t->operand_count);
  assert(t->first_use + t->use_count <= p->uses->count);
  for (uint32_t i = 0; i < t->use_count; i++) {
    const mlir_type_use row = p->uses->items[t->first_use + i];
    uint32_t subject = row.kind == MLIR_USE_VALUE ? f->operands[row.index] : op;
    mlir_add_use(p, moved(t, f, row.span), (mlir_use_kind)row.kind, subject, row.index);
  }
  mlir_op_use use = t->use;
  use.end = moved(t, f, (source_span){t->at + use.end, t->at + use.end}).end;
  mlir_use_op(p, op, use);
}

bool mlir_repeats(mlir_parser *p, block_id block) {
  shape_graph *g = p->g;
  if (!is_kept(p)) return false;
  const char *begin = p->at;
  fitting f;
  const uint32_t index = find_fitting(p, &f);
  if (!index) return false;
  const mlir_template *t = &p->templates.items[index - 1];
  mlir_skip_steps(p, t->steps);
  const uint32_t shift = f.to[0] - t->to[0];  // no other name is in front of that of the operation
  op_id id =
      graph_add_op(g, t->name, block, (source_span){mlir_offset(p, begin), t->name_to + shift});
  g->ops[id].name_span = (source_span){t->name_from + shift, t->name_to + shift};
  value_id result = graph_add_results(g, id, 1);
  uint32_t regions = p->stacks.regions.count;
  if (t->applies_to) add_body(p, t, &f);
  // Editors show errors at attributes, and take over runs of statements with the attributes that they made.
  assert(p->uses || !p->points);
  if (p->uses) {
    add_attrs(p, t, &f, id);
  } else {
    graph_share_attrs(g, id, t->first_entry, t->entry_count);
  }
  graph_set_operands(g, id, f.operands, t->operand_count);
  if (t->applies_to) mlir_pop_regions(p, graph_add_regions(g, id, p->func, 1), regions);
  if (p->uses) add_uses(p, t, &f, id);
  g->values[result].type = t->result;
  mlir_define(p, f.result, result, 1);
  g->ops[id].span.end = mlir_offset(p, p->at);
  p->op_names.last = t->entry;
  note(&p->templates, index);
  p->templates.repeated++;
  return true;
}

// --- templates

// After # or !: what is written out, not an alias of it.
static bool is_written_out(const char *at, const char *end) {
  bool dialect = false;
  for (; at < end && mlir_char_is(*at, CHAR_LETTER | CHAR_DIGIT | CHAR_POINT); at++)
    dialect |= *at == '.';
  return dialect || (at < end && *at == '<');
}

// The generic form has its name, its attributes and those of dialects in characters that pretty forms have for more.
static bool is_plain(const char *at, const char *end, bool generic) {
  for (; at < end; at++) {
    switch (*at) {
    case '#':
    case '!':
      if (!generic || !is_written_out(at + 1, end)) return false;
      break;
    case '"':
    case '{':
      if (!generic) return false;
      break;
    case '@':
    case '^':
    case '/':
    case '\n':
    case '\r':
    case '\t': return false;
    default: break;
    }
  }
  return true;
}

static bool has_form(const mlir_pretty_row *row, bool generic) {
  if (generic) return !row || (!row->declares_symbol && row->form != FORM_TORCH);
  if (!row || row->lenient || row->guessed || row->declares_symbol) return false;
  return row->form == FORM_ITEMS || row->form == FORM_CONSTANT || row->form == FORM_REDUCE;
}

// Each % begins the name of the result or of the next operand.
static bool find_names(mlir_parser *p, const mlir_op *op, mlir_template *t) {
  const char *begin = p->text + t->at, *end = begin + t->length;
  const char *at = begin;
  for (uint32_t i = 0; i <= t->operand_count; i++) {
    mlir_word name;
    at = memchr(at, '%', (size_t)(end - at));
    if (!at) return false;
    const mlir_operand *operand = &p->stacks.operands.items[op->operands + i - 1];
    if (i && (operand->at != mlir_offset(p, at) || operand->missed)) return false;
    if (i && operand->value == VALUE_NONE) return false;
    p->at = at + 1;
    if (!mlir_suffix_id(p, &name) || mlir_char(p, 0) == '#') return false;
    t->from[i] = (uint32_t)(at - begin);
    t->to[i] = (uint32_t)(p->at - begin);
    at = p->at;
    if (i) t->operand_types[i - 1] = p->g->values[operand->value].type;
  }
  return !memchr(at, '%', (size_t)(end - at)) && t->to[0] < t->name_from;
}

static bool lies_between_names(const mlir_template *t, source_span span) {
  if (span.begin == SPAN_NONE.begin && span.end == SPAN_NONE.end) return true;
  if (span.begin < t->at || span.end > t->at + t->length) return false;
  uint32_t from = span.begin - t->at, to = span.end - t->at, k = t->operand_count;
  while (k && t->to[k] > from) k--;
  return from >= t->to[k] && (k == t->operand_count || to <= t->from[k + 1]);
}

// Each row is about the operation or the value of one of its operands.
static bool take_uses(const mlir_parser *p, const mlir_op *op, uint32_t first, mlir_template *t) {
  t->first_use = first;
  t->use_count = p->uses->count - first;
  for (uint32_t i = first; i < p->uses->count; i++) {
    const mlir_type_use *row = &p->uses->items[i];
    uint32_t subject = op->id;
    if (row->kind == MLIR_USE_VALUE && row->index >= t->operand_count) return false;
    if (row->kind == MLIR_USE_VALUE) subject = graph_operand(p->g, op->id, row->index);
    if (row->subject != subject || !lies_between_names(t, row->span)) return false;
  }
  assert(op->id < p->uses->op_count);
  t->use = p->uses->ops[op->id];
  t->use.end -= t->at;
  return t->use.end >= t->to[t->operand_count] && t->use.end <= t->length;
}

// Spans lie between names, and what is in one another is in the attributes of the statement.
static bool are_attrs_plain(const shape_graph *g, const mlir_template *t) {
  for (uint32_t i = 0; i < t->attr_count; i++) {
    const graph_attr *a = &g->attributes.items[t->first_attr + i];
    uint32_t count, entry_count;
    const attr_id *items = attr_items(a, &count);
    const attr_entry *entries = attr_entries(a, &entry_count);
    for (uint32_t k = 0; k < count; k++) {
      if (items[k] - t->first_attr >= t->attr_count) return false;
    }
    for (uint32_t k = 0; k < entry_count; k++) {
      if (entries[k].value - t->first_attr >= t->attr_count) return false;
    }
    if (!lies_between_names(t, a->span)) return false;
  }
  for (uint32_t i = 0; i < t->entry_count; i++) {
    attr_id value = g->attributes.entries[t->first_entry + i].value;
    if (value - t->first_attr >= t->attr_count) return false;
  }
  return true;
}

// A body that is written out is on lines of its own.
static bool find_applied(const mlir_parser *p, mlir_template *t) {
  static const char word[] = ") applies ";
  const char *begin = p->text + t->at, *end = begin + t->length;
  const char *at = t->operand_count ? begin + t->to[t->operand_count] : end;
  if ((size_t)(end - at) <= sizeof word || memcmp(at, word, sizeof word - 1) != 0) return false;
  at += sizeof word - 1;
  t->applies_from = (uint32_t)(at - begin);
  while (at < end && *at != ' ') at++;
  t->applies_to = (uint32_t)(at - begin);
  return at < end;
}

static void hash_texts(const mlir_parser *p, mlir_template *t) {
  const char *begin = p->text + t->at;
  t->hash = t->operand_count;
  for (uint32_t i = 0; i <= t->operand_count; i++) {
    uint32_t end = i < t->operand_count ? t->from[i + 1] : t->length;
    t->hash = hash_text(begin + t->to[i], end - t->to[i], t->hash);
  }
}

static bool same_texts(const mlir_parser *p, const mlir_template *x, const mlir_template *y) {
  if (x->hash != y->hash || x->operand_count != y->operand_count) return false;
  for (uint32_t i = 0; i <= x->operand_count; i++) {
    uint32_t length = (i < x->operand_count ? x->from[i + 1] : x->length) - x->to[i];
    uint32_t other = (i < y->operand_count ? y->from[i + 1] : y->length) - y->to[i];
    if (length != other ||
        memcmp(p->text + x->at + x->to[i], p->text + y->at + y->to[i], length) != 0)
      return false;
    if (i && x->operand_types[i - 1] != y->operand_types[i - 1]) return false;
  }
  return true;
}

// The number of the template, which is a new one where there is none of that text; 0: there are too many.
static uint32_t number_of(mlir_parser *p, const mlir_template *t) {
  mlir_templates *all = &p->templates;
  uint32_t at = (uint32_t)t->hash % TEXT_SLOTS;
  for (; all->by_text[at]; at = (at + 1) % TEXT_SLOTS) {
    if (same_texts(p, &all->items[all->by_text[at] - 1], t)) return all->by_text[at];
  }
  if (all->count == MAX_TEMPLATES) return 0;
  all->items = arena_grow(p->g->arena, all->items, all->count, (size_t)all->count + 1,
                          &all->capacity, sizeof *all->items);
  all->items[all->count++] = *t;
  all->by_text[at] = (uint16_t)all->count;
  return all->count;
}

// 0: it cannot be one.
static uint32_t template_of(mlir_parser *p, const mlir_op *op, const char *begin,
                            const mlir_before *before) {
  const shape_graph *g = p->g;
  const mlir_pretty_row *row = op->row;
  const graph_op *o = &g->ops[op->id];
  const bool generic = p->text[o->name_span.begin] == '"';
  if (!has_form(row, generic)) return 0;
  const bool reduces = !generic && row->form == FORM_REDUCE;
  uint32_t attrs = g->attributes.count - before->attrs;
  bool plain = op->name_count == 1 && o->result_count == 1 && !o->unread &&
               o->region_count == reduces && o->operand_count <= MAX_OPERANDS &&
               o->attr_count <= MAX_ATTRS && attrs <= MAX_ATTRS &&
               g->diags.count == before->diags && before->until_poll > p->until_poll;
  uint32_t at = mlir_offset(p, begin);
  if (!plain || o->span.end - at > MAX_TEXT || !ends_here(p, p->text + o->span.end)) return 0;
  if (!is_plain(begin, p->text + o->span.end, generic)) return 0;
  mlir_template t = {.at = at,
                     .length = o->span.end - at,
                     .name = o->name,
                     .name_from = o->name_span.begin - at,
                     .name_to = o->name_span.end - at,
                     .entry = p->op_names.last,
                     .steps = before->until_poll - p->until_poll,
                     .operand_count = o->operand_count,
                     .attr_count = attrs,
                     .entry_count = o->attr_count,
                     .result = g->values[o->results].type,
                     .first_attr = before->attrs,
                     .first_entry = o->attrs};
  const char *here = p->at;
  bool found = find_names(p, op, &t);
  p->at = here;
  if (!found || !are_attrs_plain(g, &t)) return 0;
  if (reduces && !find_applied(p, &t)) return 0;
  if (p->uses && !take_uses(p, op, before->uses, &t)) return 0;
  hash_texts(p, &t);
  return number_of(p, &t);
}

void mlir_note_statement(mlir_parser *p, const mlir_op *op, const char *begin,
                         const mlir_before *before) {
  mlir_templates *all = &p->templates;
  if (!is_kept(p)) return;
  // A program without repetition: noting what is read costs a fifth of reading it.
  if (++all->others > TRIES && all->others > all->repeated) {
    all->by_text = NULL;
    return;
  }
  note(all, op->id == ID_NONE ? 0 : template_of(p, op, begin, before));
}
