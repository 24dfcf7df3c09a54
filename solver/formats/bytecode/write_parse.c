// SPDX-License-Identifier: Apache-2.0
// The generic form taken apart: operations, blocks and regions as lists, attributes and types as slices of the text.
// Grammar: MLIR LangRef, "Operations", "Blocks", "Regions".
#include <stdio.h>

#include "solver/formats/bytecode/writer.h"

static bool parse_region(bytecode_writer *w, bw_cursor *c, uint32_t *region, uint32_t depth);

static bool expect(bytecode_writer *w, bw_cursor *c, const char *token) {
  return bw_accept(c, token) || bw_fail(w, c->at, "expected '%s'", token);
}

// --- names

static bool value_name(bytecode_writer *w, bw_cursor *c, name_id *out) {
  if (!expect(w, c, "%")) return false;
  bc_slice name = bw_word(c);
  *out = intern_add(&w->program.names, name.text, name.length);
  return name.length || bw_fail(w, c->at, "expected the name of a value");
}

static bool number(bytecode_writer *w, bw_cursor *c, uint32_t *out) {
  enum { MOST = 1 << 24 };
  bw_skip(c);
  const char *from = c->at;
  uint64_t value = 0;
  for (; c->at < c->end && *c->at >= '0' && *c->at <= '9' && value <= MOST; c->at++)
    value = value * 10 + (uint64_t)(*c->at - '0');
  *out = (uint32_t)value;
  return (c->at > from && value <= MOST) || bw_fail(w, from, "expected a number");
}

static bool result_names(bytecode_writer *w, bw_cursor *c, bw_op *op) {
  bw_program *p = &w->program;
  op->results.first = p->results.count;
  if (bw_peek(c) != '%') return true;
  do {
    bw_result r = {.count = 1};
    if (!value_name(w, c, &r.name) || (bw_accept(c, ":") && !number(w, c, &r.count))) return false;
    BW_PUSH(p, results, r);
  } while (bw_accept(c, ","));
  op->results.count = p->results.count - op->results.first;
  return expect(w, c, "=");
}

static bool operands(bytecode_writer *w, bw_cursor *c, bw_op *op) {
  bw_program *p = &w->program;
  op->operands.first = p->uses.count;
  if (!expect(w, c, "(")) return false;
  while (bw_peek(c) != ')') {
    bw_use use = {.index = 0};
    if (!value_name(w, c, &use.name)) return false;
    if (c->at < c->end && *c->at == '#') {
      c->at++;
      if (!number(w, c, &use.index)) return false;
    }
    BW_PUSH(p, uses, use);
    if (!bw_accept(c, ",") && bw_peek(c) != ')') return bw_fail(w, c->at, "expected ')'");
  }
  op->operands.count = p->uses.count - op->operands.first;
  return expect(w, c, ")");
}

static name_id label_name(bytecode_writer *w, bc_slice word) {
  // Blocks have names of their own.
  bc_slice text = bw_text(w->arena, "^%.*s", (int)word.length, word.text);
  return intern_add(&w->program.names, text.text, text.length);
}

static bool successors(bytecode_writer *w, bw_cursor *c, bw_op *op) {
  bw_program *p = &w->program;
  op->successors.first = p->successors.count;
  if (!bw_accept(c, "[")) return true;
  do {
    if (!expect(w, c, "^")) return false;
    BW_PUSH(p, successors, label_name(w, bw_word(c)));
  } while (bw_accept(c, ","));
  op->successors.count = p->successors.count - op->successors.first;
  return expect(w, c, "]");
}

// --- attributes, types, locations

static bool dictionary(bytecode_writer *w, bw_cursor *c, bw_range *out) {
  bw_program *p = &w->program;
  bw_entry entry;
  out->first = p->entries.count;
  if (!expect(w, c, "{")) return false;
  while (bw_next_entry(w, c, &entry)) {
    BW_PUSH(p, entries, entry);
    p->keeps |= bc_is(entry.key, BC_KEPT_KEY);
    budget_take(w->budget, 1);
  }
  out->count = p->entries.count - out->first;
  return !w->failed && expect(w, c, "}");
}

static bool type_list(bytecode_writer *w, bw_cursor *c, bw_range *out) {
  bw_program *p = &w->program;
  out->first = p->types.count;
  if (!expect(w, c, "(")) return false;
  while (bw_peek(c) != ')') {
    bc_slice type = bw_scan_type(c);
    if (!type.length) return bw_fail(w, c->at, "expected a type");
    BW_PUSH(p, types, type);
    if (!bw_accept(c, ",") && bw_peek(c) != ')') return bw_fail(w, c->at, "expected ')'");
  }
  out->count = p->types.count - out->first;
  return expect(w, c, ")");
}

static bool signature(bytecode_writer *w, bw_cursor *c, bw_op *op) {
  bw_program *p = &w->program;
  if (!expect(w, c, ":") || !type_list(w, c, &op->operand_types) || !expect(w, c, "->"))
    return false;
  if (bw_peek(c) == '(') return type_list(w, c, &op->types);
  bc_slice type = bw_scan_type(c);
  op->types = (bw_range){p->types.count, 1};
  BW_PUSH(p, types, type);
  return type.length || bw_fail(w, c->at, "expected a type");
}

static bool location(bytecode_writer *w, bw_cursor *c, bc_slice *out) {
  *out = (bc_slice){"", 0};
  if (bw_peek(c) != 'l') return true;
  const char *from = c->at;
  if (!bw_accept(c, "loc") || bw_peek(c) != '(') {
    c->at = from;
    return true;
  }
  return bw_brackets(c, out) || bw_fail(w, from, "expected ')' after a location");
}

// --- operations

static bool regions(bytecode_writer *w, bw_cursor *c, bw_op *op, uint32_t depth) {
  uint32_t last = BW_NONE;
  op->first_region = BW_NONE;
  if (!bw_accept(c, "(")) return true;
  do {
    uint32_t region = BW_NONE;
    if (!parse_region(w, c, &region, depth + 1)) return false;
    *(last == BW_NONE ? &op->first_region : &w->program.regions.items[last].next) = region;
    last = region;
    op->region_count++;
  } while (bw_accept(c, ","));
  return expect(w, c, ")");
}

static bool parse_op(bytecode_writer *w, bw_cursor *c, uint32_t *out, uint32_t depth) {
  bw_op op = {.next = BW_NONE};
  bw_skip(c);
  op.at = (uint32_t)(c->at - w->text.text);
  budget_take(w->budget, 1);
  if (!result_names(w, c, &op)) return false;
  if (bw_peek(c) != '"') {
    w->pretty = true;
    return bw_fail(w, c->at, "expected an operation in the generic form");
  }
  const char *from = c->at;
  bw_skip_one(c);
  op.name = bw_unquote(w->arena, (bc_slice){from, (uint32_t)(c->at - from)});
  if (!op.name.length) return bw_fail(w, from, "expected the name of an operation");
  if (!operands(w, c, &op) || !successors(w, c, &op)) return false;
  if (bw_accept(c, "<") && (!dictionary(w, c, &op.properties) || !expect(w, c, ">"))) return false;
  if (!regions(w, c, &op, depth)) return false;
  if (bw_peek(c) == '{' && !dictionary(w, c, &op.attributes)) return false;
  if (!signature(w, c, &op)) return false;
  if (!location(w, c, &op.location)) return false;
  *out = w->program.ops.count;
  BW_PUSH(&w->program, ops, op);
  return true;
}

// --- blocks

static bool arguments(bytecode_writer *w, bw_cursor *c, bw_block *block) {
  bw_program *p = &w->program;
  block->arguments.first = p->arguments.count;
  if (!bw_accept(c, "(")) return true;
  do {
    bw_argument argument;
    if (!value_name(w, c, &argument.name) || !expect(w, c, ":")) return false;
    argument.type = bw_scan_type(c);
    if (!argument.type.length) return bw_fail(w, c->at, "expected a type");
    if (!location(w, c, &argument.location)) return false;
    BW_PUSH(p, arguments, argument);
  } while (bw_accept(c, ","));
  block->arguments.count = p->arguments.count - block->arguments.first;
  return expect(w, c, ")");
}

// The operations up to the next label or the end of the region.
static bool parse_block(bytecode_writer *w, bw_cursor *c, uint32_t *out, uint32_t depth) {
  bw_program *p = &w->program;
  bw_block block = {.label = NAME_NONE, .first_op = BW_NONE, .next = BW_NONE};
  uint32_t last = BW_NONE;
  if (bw_accept(c, "^")) {
    block.label = label_name(w, bw_word(c));
    if (!arguments(w, c, &block) || !expect(w, c, ":")) return false;
  }
  while (bw_peek(c) != '}' && bw_peek(c) != '^') {
    uint32_t op = BW_NONE;
    if (!bw_peek(c)) return bw_fail(w, c->at, "expected '}'");
    if (!parse_op(w, c, &op, depth)) return false;
    *(last == BW_NONE ? &block.first_op : &p->ops.items[last].next) = op;
    last = op;
    block.op_count++;
  }
  assert((block.first_op == BW_NONE) == !block.op_count);
  *out = p->blocks.count;
  BW_PUSH(p, blocks, block);
  return true;
}

static bool parse_region(bytecode_writer *w, bw_cursor *c, uint32_t *out, uint32_t depth) {
  bw_program *p = &w->program;
  bw_region region = {.first_block = BW_NONE, .next = BW_NONE};
  uint32_t last = BW_NONE;
  if (depth >= BW_DEPTH) return bw_fail(w, c->at, "regions are nested deeper than %d", BW_DEPTH);
  if (!expect(w, c, "{")) return false;
  while (bw_peek(c) != '}') {
    uint32_t block = BW_NONE;
    if (!parse_block(w, c, &block, depth)) return false;
    *(last == BW_NONE ? &region.first_block : &p->blocks.items[last].next) = block;
    last = block;
    region.block_count++;
  }
  assert((region.first_block == BW_NONE) == !region.block_count);
  *out = p->regions.count;
  BW_PUSH(p, regions, region);
  return expect(w, c, "}");
}

// --- the file

// Each part of a file has aliases of its own.
static bc_slice alias_key(bytecode_writer *w, bc_slice name, char *room, size_t size) {
  size_t length =
      (size_t)snprintf(room, size, "%u%.*s", w->aliases.part, (int)name.length, name.text);
  return length < size ? (bc_slice){room, (uint32_t)length}
                       : bw_text(w->arena, "%u%.*s", w->aliases.part, (int)name.length, name.text);
}

bool bw_find_alias(bytecode_writer *w, bc_slice name, bc_slice *text) {
  char room[64];
  if (!w->aliases.texts.count) return false;
  bc_slice key = alias_key(w, name, room, sizeof room);
  name_id id = intern_find(&w->aliases.names, key.text, key.length);
  if (id == NAME_NONE) return false;
  *text = w->aliases.texts.items[id];
  return true;
}

// #name = attribute, or !name = type, up to the end of its line.
static bool alias(bytecode_writer *w, bw_cursor *c) {
  const char *from = c->at++;
  bc_slice name = bw_word(c);
  name = (bc_slice){from, name.length + 1};
  if (!expect(w, c, "=")) return false;
  bw_skip(c);
  const char *value = c->at;
  while (c->at < c->end && *c->at != '\n') bw_skip_one(c);
  char room[64];
  bc_slice key = alias_key(w, name, room, sizeof room);
  name_id id = intern_add(&w->aliases.names, key.text, key.length);
  bc_slice text = bw_trim((bc_slice){value, (uint32_t)(c->at - value)});
  assert(id <= w->aliases.texts.count);
  if (id == w->aliases.texts.count) BW_PUSH(w, aliases.texts, text);
  w->aliases.texts.items[id] = text;
  return true;
}

// {-# dialect_resources: {builtin: {...}}, external_resources: {...} #-}
static bool metadata(bytecode_writer *w, bw_cursor *c) {
  const char *from = c->at;
  c->at += 3;
  while (c->at < c->end && !(c->end - c->at >= 3 && memcmp(c->at, "#-}", 3) == 0)) bw_skip_one(c);
  if (c->at == c->end) return bw_fail(w, from, "expected '#-}'");
  w->program.resources = (bc_slice){from + 3, (uint32_t)(c->at - from - 3)};
  c->at += 3;
  return true;
}

static bool is_at(const bw_cursor *c, const char *text) {
  size_t length = strlen(text);
  return (size_t)(c->end - c->at) >= length && memcmp(c->at, text, length) == 0;
}

bool bw_parse(bytecode_writer *w, bc_slice text) {
  bw_program *p = &w->program;
  bw_cursor c = bw_open(text);
  uint32_t last = BW_NONE;
  p->arena = w->arena;
  p->resources = (bc_slice){"", 0};
  BW_PUSH(p, parts, BW_NONE);
  while (!w->failed) {
    while (c.at < c.end && (*c.at == ' ' || *c.at == '\n' || *c.at == '\t' || *c.at == '\r'))
      c.at++;
    if (c.at == c.end) break;
    if (is_at(&c, "//")) {
      bool begins = c.at == text.text || c.at[-1] == '\n';
      if (begins && bw_is_mark(&c) && p->parts.items[p->parts.count - 1] != BW_NONE) {
        BW_PUSH(p, parts, BW_NONE);
        last = BW_NONE;
        w->aliases.part++;
      }
      while (c.at < c.end && *c.at != '\n') c.at++;
    } else if (*c.at == '#' || *c.at == '!') {
      alias(w, &c);
    } else if (is_at(&c, "{-#")) {
      metadata(w, &c);
    } else {
      uint32_t op = BW_NONE;
      if (!parse_op(w, &c, &op, 0)) return false;
      *(last == BW_NONE ? &p->parts.items[p->parts.count - 1] : &p->ops.items[last].next) = op;
      last = op;
    }
  }
  if (p->parts.count > 1 && p->parts.items[p->parts.count - 1] == BW_NONE) p->parts.count--;
  return !w->failed;
}
