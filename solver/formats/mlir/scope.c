// SPDX-License-Identifier: Apache-2.0
// What value names mean. A region sees the names around it, a function sees only its own (MLIR LangRef, "Value
// scoping"). Numbered names index an array; others an array by interned name. What a definition hides is kept on a
// stack and put back when its region ends.
#include <assert.h>

#include "solver/formats/mlir/edit.h"
#include "solver/formats/mlir/pretty.h"

static mlir_slot *extend(mlir_parser *p, mlir_slot **slots, uint32_t *count, uint32_t *capacity,
                         uint32_t index) {
  if (index >= *count) {
    *slots = arena_grow(p->g->arena, *slots, *count, (size_t)index + 1, capacity, sizeof **slots);
    memset(*slots + *count, 0, (*capacity - *count) * sizeof **slots);
    *count = *capacity;
  }
  return *slots + index;
}

// %17 but not %017: the number of a name that the array can serve. A text of n bytes defines fewer than n/4 values.
static bool numbered(const mlir_parser *p, mlir_word name, uint32_t *number) {
  const char *at = name.text, *end = at + name.length;
  if (!mlir_is_digit(*at) || name.length > 9 || (*at == '0' && name.length > 1)) return false;
  uint32_t value = 0;
  while (at < end) value = value * 10 + (uint32_t)(*at++ - '0');
  *number = value;
  return value < p->scope.numbered_limit;
}

static mlir_slot *slot_at(mlir_parser *p, uint32_t index) {
  return index & SLOT_NAMED ? &p->scope.named[index & ~(uint32_t)SLOT_NAMED]
                            : &p->scope.numbered[index];
}

static mlir_slot *slot_to_define(mlir_parser *p, mlir_word name, uint32_t *index, name_id *id) {
  *id = NAME_NONE;
  if (numbered(p, name, index)) {
    return extend(p, &p->scope.numbered, &p->scope.numbered_count, &p->scope.numbered_capacity,
                  *index);
  }
  *id = intern_add(&p->g->names, name.text, name.length);
  *index = *id | SLOT_NAMED;
  return extend(p, &p->scope.named, &p->scope.named_count, &p->scope.named_capacity, *id);
}

static const mlir_slot *slot_to_use(const mlir_parser *p, mlir_word name) {
  uint32_t index;
  if (numbered(p, name, &index))
    return index < p->scope.numbered_count ? &p->scope.numbered[index] : NULL;
  index = intern_find(&p->g->names, name.text, name.length);
  return index < p->scope.named_count ? &p->scope.named[index] : NULL;
}

bool mlir_is_visible(const mlir_parser *p, mlir_word name) {
  const mlir_slot *slot = slot_to_use(p, name);
  return slot && slot->level == p->scope.level;
}

static uint32_t miss(mlir_parser *p, mlir_word name, uint32_t at, int64_t number) {
  uint32_t index;
  if (!numbered(p, name, &index))
    index = intern_add(&p->g->names, name.text, name.length) | SLOT_NAMED;
  return mlir_miss(p, name, index, at, number);
}

// At the outer level of a function nothing has to be put back: its level ends with it, and what is hidden are values
// of functions that are over. Only values of the module itself come back.
static void log_hidden(mlir_parser *p, uint32_t index, const mlir_slot *slot) {
  p->scope.module_values |= !p->scope.in_function;
  if (p->scope.in_function && p->scope.depth == 1 && !p->scope.module_values) return;
  if (p->scope.undo_count == p->scope.undo_capacity) {
    p->scope.undo =
        arena_grow(p->g->arena, p->scope.undo, p->scope.undo_count, (size_t)p->scope.undo_count + 1,
                   &p->scope.undo_capacity, sizeof *p->scope.undo);
  }
  p->scope.undo[p->scope.undo_count++] = (mlir_undo){index, slot->first, slot->count, slot->level};
}

// In the order of the text: a value is defined after those of the statements in front.
static void note_seen(mlir_parser *p, uint32_t slot, value_id first, uint32_t count) {
  mlir_points *all = p->points;
  if (!p->scope.in_function || p->scope.depth != 1) return;
  all->seen = arena_grow(p->g->arena, all->seen, all->seen_count, (size_t)all->seen_count + 1,
                         &all->seen_capacity, sizeof *all->seen);
  all->seen[all->seen_count++] = (mlir_seen){first, count, slot};
}

void mlir_define(mlir_parser *p, mlir_word name, value_id first, uint32_t count) {
  uint32_t index;
  name_id id;
  mlir_slot *slot = slot_to_define(p, name, &index, &id);
  uint32_t at = mlir_offset(p, name.text) - 1;
  assert(first + count <= p->g->value_count);
  for (uint32_t i = 0; i < count; i++) {
    p->g->values[first + i].name = id;
    p->g->values[first + i].at = at;
  }
  if (slot->level == p->scope.level && !p->errors.lenient && !mlir_is_lost(p, p->scope.level, at)) {
    mlir_fail(p, name.text - 1, name.text + name.length, "redefinition",
              "redefinition of value '%%%.*s'", (int)name.length, name.text);
  }
  mlir_found(p, name, index, first, count);
  log_hidden(p, index, slot);
  if (p->points) note_seen(p, index, first, count);
  *slot = (mlir_slot){first, count, p->scope.level};
}

void mlir_see(mlir_parser *p, const mlir_seen *seen, uint32_t by) {
  mlir_scope *scope = &p->scope;
  uint32_t index = seen->slot & ~(uint32_t)SLOT_NAMED;
  mlir_slot *slot =
      seen->slot & SLOT_NAMED
          ? extend(p, &scope->named, &scope->named_count, &scope->named_capacity, index)
          : extend(p, &scope->numbered, &scope->numbered_count, &scope->numbered_capacity, index);
  *slot = (mlir_slot){seen->first + by, seen->count, scope->level};
}

bool mlir_meaning(const mlir_parser *p, mlir_word name, value_id *first, uint32_t *count) {
  const mlir_slot *slot = slot_to_use(p, name);
  if (!slot || slot->level != p->scope.level) return false;
  *first = slot->first;
  *count = slot->count;
  return true;
}

void mlir_define_number(mlir_parser *p, uint32_t number, value_id value, uint32_t at) {
  mlir_slot *slot =
      extend(p, &p->scope.numbered, &p->scope.numbered_count, &p->scope.numbered_capacity, number);
  assert(slot->level != p->scope.level && value < p->g->value_count);
  p->g->values[value].at = at;
  log_hidden(p, number, slot);
  *slot = (mlir_slot){value, 1, p->scope.level};
}

void mlir_scope_close(mlir_parser *p, uint32_t mark) {
  assert(mark <= p->scope.undo_count);
  while (p->scope.undo_count > mark) {
    const mlir_undo *undo = &p->scope.undo[--p->scope.undo_count];
    mlir_slot *slot = slot_at(p, undo->slot);
    *slot = (mlir_slot){undo->first, undo->count, undo->level};
  }
}

void mlir_scope_end(mlir_parser *p) {
  mlir_scope *s = &p->scope;
  arena_release(p->g->arena, s->numbered, s->numbered_capacity, sizeof *s->numbered);
  arena_release(p->g->arena, s->named, s->named_capacity, sizeof *s->named);
  s->numbered = s->named = NULL;
  s->numbered_count = s->numbered_capacity = s->named_count = s->named_capacity = 0;
}

// numbered() of the name at the cursor, in one pass. Moves after it where it is one.
static bool numbered_here(mlir_parser *p, uint32_t *number) {
  enum { LONGEST = 9 };
  const char *from = p->at, *at = from,
             *end = p->end - from > LONGEST + 1 ? from + LONGEST + 1 : p->end;
  uint32_t value = 0;
  while (at < end && mlir_is_digit(*at)) value = value * 10 + (uint32_t)(*at++ - '0');
  bool plain = at > from && at - from <= LONGEST && (*from != '0' || at - from == 1);
  if (!plain || value >= p->scope.numbered_limit) return false;
  p->at = at;
  *number = value;
  return true;
}

static bool mlir_use(mlir_parser *p, mlir_operand *out) {
  const char *from = p->at++;  // '%'
  mlir_word name;
  int64_t number = 0;
  uint32_t index;
  const mlir_slot *slot;
  *out = (mlir_operand){VALUE_NONE, mlir_offset(p, from), 0};
  if (numbered_here(p, &index)) {
    slot = index < p->scope.numbered_count ? &p->scope.numbered[index] : NULL;
    name = (mlir_word){from + 1, (uint32_t)(p->at - from - 1)};
  } else if (mlir_suffix_id(p, &name)) {
    slot = slot_to_use(p, name);
  } else {
    return mlir_expected(p, "a value name after '%'");
  }
  if (mlir_char(p, 0) == '#' && mlir_is_digit(mlir_char(p, 1))) {
    p->at++;
    if (!mlir_int(p, &number)) return false;
  }
  if (!slot || slot->level != p->scope.level) {
    out->missed = miss(p, name, out->at, number);
    return true;
  }
  if (number >= slot->count) {
    const graph_value *first = slot->count ? &p->g->values[slot->first] : NULL;
    if (first && !first->is_argument && p->g->ops[first->def].unread) return true;
    mlir_fail(p, from, p->at, "undeclared-value", "value '%%%.*s' has no result number %lld",
              (int)name.length, name.text, (long long)number);
    return true;
  }
  out->value = slot->first + (value_id)number;
  return true;
}

bool mlir_known_operand(mlir_parser *p, value_id *out) {
  uint32_t index;
  mlir_word name;
  const mlir_slot *slot;
  if (mlir_char(p, 0) != '%') return false;
  p->at++;
  if (numbered_here(p, &index)) {
    slot = index < p->scope.numbered_count ? &p->scope.numbered[index] : NULL;
  } else if (mlir_suffix_id(p, &name)) {
    slot = slot_to_use(p, name);
  } else {
    return false;
  }
  if (!slot || slot->level != p->scope.level || !slot->count || mlir_char(p, 0) == '#')
    return false;
  *out = slot->first;
  return true;
}

bool mlir_push_operand(mlir_parser *p) {
  mlir_operand operand;
  if (!mlir_use(p, &operand)) return false;
  MLIR_ROOM(p, operands);
  p->stacks.operands.items[p->stacks.operands.count++] = operand;
  return true;
}

bool mlir_push_bare_operand(mlir_parser *p) {
  const char *from = p->at;
  mlir_word name;
  if (!mlir_word_here(p, &name)) return mlir_expected(p, "an operand such as %0");
  const mlir_slot *slot = slot_to_use(p, name);
  mlir_word number = {name.text + 1, name.length - 1};
  bool counts = name.length > 1 && name.text[0] == 'd' && mlir_is_digit(name.text[1]);
  bool known = slot && slot->level == p->scope.level;
  if (!known && counts) slot = slot_to_use(p, number);
  MLIR_ROOM(p, operands);
  mlir_operand operand = {VALUE_NONE, mlir_offset(p, from), 0};
  if (slot && slot->level == p->scope.level) {
    operand.value = slot->first;
  } else {
    operand.missed = miss(p, name, operand.at, 0);
  }
  p->stacks.operands.items[p->stacks.operands.count++] = operand;
  return true;
}

bool mlir_operand_list(mlir_parser *p, char close) {
  if (mlir_accept(p, close)) return true;
  do {
    if (mlir_peek(p) != '%' || mlir_begins_next(p))
      return mlir_expected(p, "an operand such as %0");
    if (!mlir_push_operand(p)) return false;
  } while (mlir_accept(p, ','));
  return mlir_expect(p, close);
}

// Types kept as text differ in ways that mean nothing, such as 1.0 and 1.000000e+00.
static bool may_be_same(const mlir_parser *p, type_id a, type_id b) {
  const graph_type *x = type_get(&p->g->types, a), *y = type_get(&p->g->types, b);
  bool x_text = x->text != NAME_NONE || x->encoding != NAME_NONE;
  bool y_text = y->text != NAME_NONE || y->encoding != NAME_NONE;
  return x->kind == y->kind && x->rank == y->rank && x_text && y_text;
}

static source_span use_span(const mlir_parser *p, uint32_t at) {
  mlir_parser scan = *p;
  scan.at = p->text + at + 1;
  mlir_word name;
  mlir_suffix_id(&scan, &name);
  if (mlir_char(&scan, 0) == '#') {
    scan.at++;
    mlir_suffix_id(&scan, &name);
  }
  return (source_span){at, mlir_offset(&scan, scan.at)};
}

// Types that differ in their symbols only are alike where symbols are not written.
static const char *with_symbols(mlir_parser *p, type_id type) {
  shape_strbuf text;
  strbuf_init(&text, p->g->arena);
  mlir_put_type(&text, p->g, type);
  return strbuf_text(&text);
}

// The number of a constant whose type is not written, and so the default one; NULL: the value is no such constant.
static const graph_attr *untyped_constant(const mlir_parser *p, const graph_value *value) {
  if (value->is_argument) return NULL;
  const graph_op *op = &p->g->ops[value->def];
  bool quoted = p->text[op->name_span.begin] == '"';
  if (quoted || op->operand_count || op->result_count != 1) return NULL;
  const mlir_pretty_row *row = mlir_pretty_find(
      (mlir_word){intern_text(&p->g->names, op->name), intern_length(&p->g->names, op->name)});
  if (!row || row->form != FORM_CONSTANT) return NULL;
  const graph_attr *attr = graph_attr_get(p->g, graph_attr_named(p->g, value->def, "value"));
  bool number = attr && (attr->kind == ATTR_INT || attr->kind == ATTR_FLOAT);
  return number && attr->type == TYPE_NONE ? attr : NULL;
}

// Nothing is known of the syntax of what defines it: its type was made out from that.
static bool is_made_out(const mlir_parser *p, const graph_value *value) {
  if (value->is_argument) return false;
  const graph_op *op = &p->g->ops[value->def];
  const char *name = intern_text(&p->g->names, op->name);
  return p->text[op->name_span.begin] != '"' &&
         !mlir_pretty_find((mlir_word){name, intern_length(&p->g->names, op->name)});
}

// That it is used with another type is an error of the constant, once: its uses say which one it should have.
static void report_untyped(mlir_parser *p, mlir_operand operand, const graph_attr *number,
                           type_id written) {
  graph_value *value = &p->g->values[operand.value];
  const char *is = mlir_type_text(p, value->type), *says = mlir_type_text(p, written);
  diag *error = diag_add(&p->g->diags, DIAG_ERROR, "type-mismatch", number->span,
                         "the type of this constant is not written, so it is '%s', and it is "
                         "used as '%s'",
                         is, says);
  diag_relate(&p->g->diags, error, use_span(p, operand.at), "used here with type '%s'", says);
  p->g->ops[value->def].unread = true;
  value->type = written;
  p->recovery.errors++;  // none of the statement that is read
}

// Of a value whose syntax is not known the first use that is read says what it is. *is: its type so far; false where it has
// none to compare with.
static bool made_out_type(mlir_parser *p, mlir_operand operand, type_id written, type_id *is) {
  graph_value *value = &p->g->values[operand.value];
  if (imap_get(&p->scope.made_out, operand.value, is)) return true;
  if (value->type != TYPE_NONE && !is_made_out(p, value)) return true;
  if (!p->recovery.trying) imap_put(&p->scope.made_out, p->g->arena, operand.value, written);
  if (value->type != TYPE_NONE) value->type = written;
  return false;
}

void mlir_check_use(mlir_parser *p, mlir_operand operand, type_id written) {
  if (operand.missed) p->scope.missing.items[operand.missed - 1].type = written;
  if (operand.value == VALUE_NONE || written == TYPE_NONE) return;
  assert(operand.value < p->g->value_count);
  const graph_value *value = &p->g->values[operand.value];
  type_id type = value->type;
  if (type == written || p->errors.quiet || p->errors.stop ||
      p->g->diags.errors > p->recovery.errors ||
      (type != TYPE_NONE && may_be_same(p, type, written)))
    return;
  graph_text(p->g);
  if (!made_out_type(p, operand, written, &type) || type == written ||
      may_be_same(p, type, written))
    return;
  const graph_attr *number = untyped_constant(p, value);
  if (p->g->diags.count + 1 >= p->g->diags.limit) p->errors.stop = true;
  if (number) {
    report_untyped(p, operand, number, written);
    return;
  }
  source_span span = use_span(p, operand.at);
  const char *is = mlir_type_text(p, type), *says = mlir_type_text(p, written);
  if (strcmp(is, says) == 0) {
    is = with_symbols(p, type);
    says = with_symbols(p, written);
  }
  diag *error = diag_add(&p->g->diags, DIAG_ERROR, "type-mismatch", span,
                         "use of value '%.*s' expects different type than prior uses: '%s' vs '%s'",
                         (int)(span.end - span.begin), p->text + span.begin, says, is);
  if (value->at != UINT32_MAX) {
    diag_relate(&p->g->diags, error, use_span(p, value->at), "defined here with type '%s'", is);
  }
}
