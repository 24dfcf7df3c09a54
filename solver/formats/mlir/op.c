// SPDX-License-Identifier: Apache-2.0
// One operation: its results, its name, the generic form, and what is common to all forms.
// Grammar: MLIR LangRef, "Operations".
#include "solver/formats/mlir/pretty.h"

static void push_result(mlir_parser *p, mlir_word name, uint32_t count) {
  MLIR_ROOM(p, results);
  p->stacks.results.items[p->stacks.results.count++] = (mlir_result){name, count};
}

// %a, %b:2 = ; a name without a count is one result.
static bool result_names(mlir_parser *p, mlir_op *op) {
  enum { MOST = 1 << 16 };
  do {
    mlir_word name;
    int64_t count = 1;
    if (!mlir_argument_name(p, &name)) return false;
    if (mlir_accept(p, ':')) {
      const char *from = (mlir_skip(p), p->at);
      if (!mlir_int(p, &count)) return false;
      if (count < 1 || count > MOST) {
        return mlir_wrong(p, from, p->at, "expected a number of results of 1 to %d", MOST);
      }
    }
    push_result(p, name, (uint32_t)count);
    op->bound += (uint32_t)count;
    op->name_count++;
  } while (mlir_accept(p, ','));
  return mlir_expect(p, '=');
}

mlir_name_entry *mlir_op_name(mlir_parser *p, mlir_word word) {
  mlir_name_entry *entry =
      &p->op_names.cache[hash_sample(word.text, word.length, MLIR_COMMON_HEAD) & p->op_names.mask];
  if (entry->text.length != word.length || memcmp(entry->text.text, word.text, word.length) != 0) {
    entry->name = intern_add(&p->g->names, word.text, word.length);
    entry->text = (mlir_word){intern_text(&p->g->names, entry->name), word.length};
    entry->row = mlir_pretty_find(word);
    entry->likely = TYPE_NONE;
  }
  return entry;
}

// Names without a dialect: the default dialect of a function's body is func; `constant` is from before it had one.
static mlir_word full_name(const mlir_parser *p, mlir_word word) {
  static const struct {
    const char *name, *full;
  } ROWS[] = {{"return", "func.return"},
              {"call", "func.call"},
              {"call_indirect", "func.call_indirect"},
              {"constant", "arith.constant"},
              {"unrealized_conversion_cast", "builtin.unrealized_conversion_cast"}};
  if (memchr(word.text, '.', word.length)) return word;
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (!mlir_word_is(word, ROWS[i].name)) continue;
    if (i == 3 && mlir_char(p, 0) == ' ' && mlir_char(p, 1) == '@') {
      return (mlir_word){"func.constant", 13};
    }
    return (mlir_word){ROWS[i].full, (uint32_t)strlen(ROWS[i].full)};
  }
  return word;
}

static void set_name(mlir_op *op, mlir_name_entry *entry) {
  op->entry = entry;
  op->name = entry->name;
  op->row = entry->row;
}

// Programs repeat themselves: the name that followed the last operation's the last time is tried before the word is
// inspected. Names with their dialect only; the others mean more than their text.
static bool predicted_name(mlir_parser *p, mlir_op *op, mlir_word *word) {
  mlir_name_entry *entry = &p->op_names.cache[p->op_names.cache[p->op_names.last].next];
  uint32_t length = entry->text.length;
  if (!length || (size_t)(p->end - p->at) <= length) return false;
  if (memcmp(p->at, entry->text.text, length) != 0) return false;
  if (mlir_char_is(p->at[length], CHAR_LETTER | CHAR_DIGIT | CHAR_POINT)) return false;
  *word = (mlir_word){p->at, length};
  p->at += length;
  p->op_names.last = (uint32_t)(entry - p->op_names.cache);
  set_name(op, entry);
  return true;
}

// Operations of the dialect whose function or module they are in may be written without its name.
static mlir_word in_dialect(mlir_parser *p, mlir_word word) {
  mlir_word dialect = p->scope.dialect;
  if (!dialect.length || memchr(word.text, '.', word.length)) return full_name(p, word);
  char *text = arena_alloc(p->g->arena, (size_t)dialect.length + word.length + 1);
  memcpy(text, dialect.text, dialect.length);
  text[dialect.length] = '.';
  memcpy(text + dialect.length + 1, word.text, word.length);
  return (mlir_word){text, dialect.length + word.length + 1};
}

static bool looked_up_name(mlir_parser *p, mlir_op *op, mlir_word *word) {
  if (!mlir_word_here(p, word)) return mlir_expected(p, "an operation");
  mlir_word full = in_dialect(p, *word);
  if (!memchr(full.text, '.', full.length)) {
    p->at = word->text;
    return mlir_expected(p, "an operation");
  }
  mlir_name_entry *entry = mlir_op_name(p, full);
  uint32_t index = (uint32_t)(entry - p->op_names.cache);
  p->op_names.cache[p->op_names.last].next = index;
  p->op_names.last = index;
  set_name(op, entry);
  return true;
}

bool mlir_location(mlir_parser *p) {
  if (mlir_peek(p) != 'l') return true;
  const char *before = p->at;
  if (!mlir_accept_word(p, "loc")) return true;
  if (mlir_peek(p) == '(') return mlir_skip_balanced(p);
  p->at = before;
  return true;
}

bool mlir_signature(mlir_parser *p, mlir_op *op) {
  uint32_t count = p->stacks.operands.count - op->operands, types = 0;
  const char *from = (mlir_skip(p), p->at);
  if (!mlir_expect(p, '(')) return false;
  if (!mlir_accept(p, ')')) {
    do {
      type_id type;
      const char *type_from = (mlir_skip(p), p->at);
      if (types < count) {
        mlir_operand operand = p->stacks.operands.items[op->operands + types];
        type_id likely = operand.value == VALUE_NONE ? TYPE_NONE : p->g->values[operand.value].type;
        if (!mlir_type_like(p, likely, &type)) return false;
        if (type != likely) mlir_check_use(p, operand, type);
      } else if (!mlir_type(p, &type)) {
        return false;
      }
      if (p->uses) mlir_use_listed(p, op, types, type_from);
      types++;
    } while (mlir_accept(p, ','));
    if (!mlir_expect(p, ')')) return false;
  }
  const char *to = p->at;
  if (!mlir_accept_arrow(p)) return mlir_expected(p, "'->'");
  if (!mlir_results_of(p, op, op->entry->likely)) return false;
  if (p->stacks.types.count > op->types) op->entry->likely = p->stacks.types.items[op->types];
  if (types != count) {
    mlir_wrong(p, from, to, "expected %u operand types but had %u", count, types);
  }
  return true;
}

// "name"(operands)[successors] <{properties}> ({regions}) {attributes} : (types) -> types
static bool generic(mlir_parser *p, mlir_op *op) {
  if (!mlir_expect(p, '(') || !mlir_operand_list(p, ')')) return false;
  if (!mlir_successors(p, op)) return false;
  if (mlir_accept(p, '<')) {
    if (mlir_peek(p) != '{') return mlir_expected(p, "'{'");
    if (!mlir_attr_dict(p) || !mlir_expect(p, '>')) return false;
    if (p->uses) mlir_use_properties(p, op->id, p->stacks.entries.count - op->entries);
  }
  if (mlir_accept(p, '(')) {
    do {
      if (mlir_peek(p) != '{') return mlir_expected(p, "'{' to begin a region");
      if (!mlir_region_here(p)) return false;
    } while (mlir_accept(p, ','));
    if (!mlir_expect(p, ')')) return false;
  }
  if (mlir_peek(p) == '{' && !mlir_attr_dict(p)) return false;
  mlir_finish_successors(p, op);
  return mlir_expect(p, ':') && mlir_signature(p, op);
}

// Results that have no name on the left are added now, when their number is known.
static void bind_results(mlir_parser *p, const mlir_op *op, const char *begin, bool ok) {
  shape_graph *g = p->g;
  uint32_t count = p->stacks.types.count - op->types;
  if (!op->name_count && count) graph_add_results(g, op->id, count);
  if (ok && op->name_count && count != op->bound) {
    mlir_wrong(p, begin, p->text + g->ops[op->id].name_span.begin,
               "the operation defines %u results but was provided %u to bind", count, op->bound);
  }
  uint32_t results = g->ops[op->id].result_count;
  value_id value = g->ops[op->id].results;
  for (uint32_t i = 0; i < results && i < count; i++) {
    g->values[value + i].type = p->stacks.types.items[op->types + i];
  }
  for (uint32_t i = 0; i < op->name_count; i++) {
    mlir_result result = p->stacks.results.items[op->first_name + i];
    // An operation with an error may have lost what was in front of a name.
    if (!ok && mlir_is_visible(p, result.name)) {
      value += result.count;
      continue;
    }
    mlir_define(p, result.name, value, result.count);
    value += result.count;
  }
}

static void set_operands(mlir_parser *p, const mlir_op *op) {
  uint32_t count = p->stacks.operands.count - op->operands;
  if (count > p->stacks.scratch_capacity) {
    p->stacks.scratch = arena_grow(p->g->arena, p->stacks.scratch, 0, count,
                                   &p->stacks.scratch_capacity, sizeof *p->stacks.scratch);
  }
  for (uint32_t i = 0; i < count; i++) {
    mlir_operand operand = p->stacks.operands.items[op->operands + i];
    p->stacks.scratch[i] = operand.value;
    if (operand.value == VALUE_NONE && p->g->diags.errors) p->g->ops[op->id].unread = true;
    if (!operand.missed) continue;
    p->scope.missing.items[operand.missed - 1].op = op->id;
    p->scope.missing.items[operand.missed - 1].index = i;
  }
  graph_set_operands(p->g, op->id, p->stacks.scratch, count);
  if (p->uses) mlir_use_operands(p, op->id, p->stacks.operands.items + op->operands, count);
}

// What was read goes into the graph, also when the rest of the operation could not be read: its results are then known
// by name and their types unknown, so that the uses below do not all report.
static void finish(mlir_parser *p, const mlir_op *op, const char *begin, bool ok) {
  shape_graph *g = p->g;
  set_operands(p, op);
  graph_set_attrs(g, op->id, p->stacks.entries.items + op->entries,
                  p->stacks.entries.count - op->entries);
  uint32_t regions = p->stacks.regions.count - op->regions;
  if (regions) {
    region_id first = graph_add_regions(g, op->id, p->func, regions);
    mlir_pop_regions(p, first, op->regions);
  }
  bind_results(p, op, begin, ok);
  // What it defines is not known then: one error is not to be reported at each use.
  if (!ok || (!regions && g->diags.errors > p->recovery.errors)) {
    g->ops[op->id].unread = true;
    for (uint32_t i = 0; i < g->ops[op->id].result_count; i++)
      g->values[g->ops[op->id].results + i].type = TYPE_NONE;
  }
  g->ops[op->id].span.end = mlir_last_offset(p, begin);
}

static void add_op(mlir_parser *p, mlir_op *op, block_id block, const char *begin, mlir_word name) {
  op->id = graph_add_op(p->g, op->name, block, mlir_span(p, begin, name.text + name.length));
  p->g->ops[op->id].name_span = mlir_span(p, name.text, name.text + name.length);
  if (op->bound) {
    value_id first = graph_add_results(p->g, op->id, op->bound);
    for (uint32_t i = 0; i < op->bound; i++) p->g->values[first + i].at = mlir_offset(p, begin);
  }
}

static bool location(mlir_parser *p, const mlir_op *op, const char *begin) {
  if (p->uses) mlir_use_end(p, op->id, begin);
  return mlir_location(p);
}

static bool operation(mlir_parser *p, mlir_op *op, block_id block, const char *begin) {
  if (mlir_peek(p) == '"') {
    const char *from = p->at;
    name_id name;
    if (!mlir_string(p, &name)) return false;
    mlir_word word = {intern_text(&p->g->names, name), intern_length(&p->g->names, name)};
    if (!word.length) return mlir_syntax(p, from, "expected the name of an operation");
    set_name(op, mlir_op_name(p, word));
    add_op(p, op, block, begin, (mlir_word){from, (uint32_t)(p->at - from)});
    return generic(p, op) && location(p, op, begin);
  }
  mlir_word word;
  if (!predicted_name(p, op, &word) && !looked_up_name(p, op, &word)) return false;
  add_op(p, op, block, begin, word);
  return mlir_pretty(p, op) && location(p, op, begin);
}

// Of results that are named, and nothing more: what they are is not known.
static void add_nameless(mlir_parser *p, mlir_op *op, block_id block, const char *begin) {
  op->name = intern_add(&p->g->names, "", 0);
  add_op(p, op, block, begin, (mlir_word){begin, 0});
}

bool mlir_statement(mlir_parser *p, block_id block) {
  const char *begin = (mlir_skip(p), p->at);
  const bool kept = p->templates.by_text != NULL && (!p->recovery.lines || mlir_has_line(p));
  const bool printed = p->models.by_kind != NULL;
  if (printed && mlir_add_printed(p, block)) return true;
  if (kept && mlir_peek(p) == '%' && mlir_repeats(p, block)) return true;
  const mlir_before before = {p->until_poll, p->polls, p->g->attributes.count, p->g->diags.count,
                              p->uses ? p->uses->count : 0};
  mlir_bound outer = mlir_bind(p);
  mlir_op op = {.id = ID_NONE,
                .operands = p->stacks.operands.count,
                .entries = p->stacks.entries.count,
                .types = p->stacks.types.count,
                .regions = p->stacks.regions.count,
                .first_name = p->stacks.results.count};
  bool ok = mlir_peek(p) != '%' || result_names(p, &op);
  ok = ok && operation(p, &op, block, begin) && mlir_ends_line(p);
  if (!ok && op.id == ID_NONE) mlir_lose(p, mlir_offset(p, begin));
  if (!ok && op.id == ID_NONE && op.bound) add_nameless(p, &op, block, begin);
  if (op.id != ID_NONE) {
    finish(p, &op, begin, ok);
    if (ok && op.row && op.row->declares_symbol) mlir_declare_symbolic_dim(p, op.id);
    if (op.row && op.row->form == FORM_TORCH) mlir_torch_declare(p, op.id);
  }
  mlir_unbind(p, outer);
  if (kept) mlir_note_statement(p, &op, begin, &before);
  if (printed) mlir_note_printed(p, &op, begin, &before);
  p->stacks.operands.count = op.operands;
  p->stacks.entries.count = op.entries;
  p->stacks.types.count = op.types;
  p->stacks.results.count = op.first_name;
  return ok;
}
