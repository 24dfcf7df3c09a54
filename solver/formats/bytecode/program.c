// SPDX-License-Identifier: Apache-2.0
// The operations, written in the generic form as they come. Format: MLIR Bytecode Format, "IR Section".
//
// A value is named by its number in the scope that it belongs to. Its type may be known only after the last use: what is
// written for a use in front of the definition is completed at the end of the program.
#include <assert.h>

#include "solver/formats/bytecode/reader.h"

enum {
  REGIONS_DEEP = BC_REGIONS_MAX,  // a reader of the text has a limit of its own
  MANY_VALUES = 4096
};

// Where an operation is.
typedef struct outer {
  bool in_function;  // directly in the body of a function
  bool numbered;     // its results have numbers; at the top they have none
  uint32_t blocks;   // of the region
  uint32_t first;    // value of the region
  uint32_t values;   // of the region
  uint32_t next;     // value to be defined
  uint32_t depth;
  bc_around around;
} outer;

static const char SPACES[] = "                                ";

static uint32_t indentation(uint32_t depth) {
  uint32_t length = 2 * depth;
  return length < sizeof SPACES - 1 ? length : (uint32_t)sizeof SPACES - 1;
}

static void indent(bc_reader *r, uint32_t depth) {
  strbuf_add(&r->out, SPACES, indentation(depth));
}

// --- names of operations

static bc_slice quoted(bc_reader *r, bc_slice name) {
  shape_strbuf out;
  strbuf_init(&out, r->arena);
  bc_put_quoted(&out, name);
  return (bc_slice){strbuf_text(&out), out.length};
}

static bool resolve(bc_reader *r, bc_name *name, size_t at) {
  bc_slice dialect = r->dialects.items[name->dialect], own = r->strings.items[name->string];
  assert(!name->resolved);
  name->resolved = true;
  if (bc_is(dialect, "vhlo")) {
    name->vhlo = vhlo_find(own);
    if (!name->vhlo)
      return bc_fail(
          r, at,
          "the operation 'vhlo.%.*s' is not known: write the program for a release of StableHLO "
          "up to 1.20.0 (stablehlo-translate --serialize --target=1.20.0)",
          (int)(own.length < 64 ? own.length : 64), own.text);
    name->text = vhlo_plain_name(r, name->vhlo);
    name->quoted = quoted(r, name->text);
    name->is_function = bc_is(name->text, "func.func");
    return true;
  }
  char *text = arena_alloc(r->arena, (size_t)dialect.length + own.length + 2);
  memcpy(text, dialect.text, dialect.length);
  text[dialect.length] = '.';
  memcpy(text + dialect.length + 1, own.text, own.length);
  name->text = (bc_slice){text, dialect.length + (own.length ? own.length + 1 : 0)};
  name->quoted = quoted(r, name->text);
  name->is_function = bc_is(name->text, "func.func");
  name->is_module = bc_is(name->text, "builtin.module");
  name->is_cast = r->has_vhlo && bc_is(name->text, "builtin.unrealized_conversion_cast");
  name->fields = bc_fields_of(name->text, &name->field_rows);
  return true;
}

// --- the parts of an operation

static uint32_t *list_room(bc_reader *r, uint32_t count) {
  return arena_alloc(r->arena, ((size_t)count + 1) * sizeof(uint32_t));
}

static void skip_use_lists(bc_cursor *c, uint64_t values) {
  uint64_t lists = values > 1 ? bc_count(c, "orders of uses") : 1;
  for (uint64_t i = 0; i < lists && !c->r->failed; i++) {
    if (values > 1) bc_index(c, values, "values");
    size_t at = bc_offset(c);
    uint64_t count = bc_varint(c) >> 1;
    if (count > bc_left(c)) {
      bc_fail(c->r, at, "%llu uses are announced, %zu bytes are left", (unsigned long long)count,
              bc_left(c));
      return;
    }
    for (uint64_t k = 0; k < count; k++) bc_varint(c);
  }
}

static bool read_parts(bc_cursor *c, const outer *o, bc_operation *p) {
  bc_reader *r = c->r;
  p->at = bc_offset(c);
  p->depth = o->depth;
  p->in_function = o->in_function;
  p->around = o->around;
  uint32_t name = bc_index(c, r->names.count, "names of operations");
  if (r->failed) return false;
  p->name = &r->names.items[name];
  size_t mask_at = bc_offset(c);
  const unsigned mask = bc_byte(c);
  if (mask & ~(unsigned)MASK_ALL || ((mask & MASK_PROPERTIES) && r->version < 5) ||
      ((mask & MASK_USE_LISTS) && r->version < 3))
    return bc_fail(r, mask_at, "expected an operation with the parts of 0x%02x, found 0x%02x",
                   MASK_ALL, mask);
  if (!p->name->resolved && !resolve(r, p->name, p->at)) return false;
  p->has_regions = mask & MASK_REGIONS;
  p->location = bc_location(c);
  p->dictionary = mask & MASK_ATTRS ? bc_attr(c) : BC_NONE;
  p->blob = mask & MASK_PROPERTIES ? bc_index(c, r->blobs.count, "blobs of properties") : BC_NONE;
  p->result_count = mask & MASK_RESULTS ? bc_count(c, "results") : 0;
  p->results = p->result_count <= BC_RESULTS ? p->few : list_room(r, p->result_count);
  for (uint32_t i = 0; i < p->result_count && !r->failed; i++)
    p->results[i] = bc_index(c, r->types.count, "types");
  p->operand_count = mask & MASK_OPERANDS ? bc_count(c, "operands") : 0;
  p->operands =
      p->operand_count <= BC_OPERANDS ? p->few + BC_RESULTS : list_room(r, p->operand_count);
  for (uint32_t i = 0; i < p->operand_count && !r->failed; i++)
    p->operands[i] = r->values.scope + bc_index(c, r->values.count - r->values.scope, "values");
  p->successor_count = mask & MASK_SUCCESSORS ? bc_count(c, "successors") : 0;
  p->successors = p->successor_count ? list_room(r, p->successor_count) : NULL;
  for (uint32_t i = 0; i < p->successor_count && !r->failed; i++)
    p->successors[i] = bc_index(c, o->blocks, "blocks");
  if (mask & MASK_USE_LISTS) skip_use_lists(c, p->result_count);
  return !r->failed;
}

// --- values

static const bc_value NO_VALUE = {.type = BC_NONE, .name = BC_NONE};

static bool is_defined(const bc_reader *r, uint32_t value) {
  assert(value < r->values.count);
  return r->values.items[value].type != BC_NONE;
}

static bool define(bc_reader *r, outer *o, uint32_t type, bool argument, size_t at) {
  if (o->next == o->first + o->values)
    return bc_fail(r, at, "expected the %u values that the region announces, found more",
                   o->values);
  assert(o->next >= o->first && o->next < r->values.count);
  bc_value *value = &r->values.items[o->next];
  assert(value->type == BC_NONE);
  value->type = type;
  if (value->name == BC_NONE) value->name = (o->next - r->values.named_from) * 2 + argument;
  value->number = r->values.defined++;
  o->next++;
  return true;
}

char *bc_put_name(bc_reader *r, char *to, uint32_t value) {
  assert(value >= r->values.scope && value < r->values.count);
  bc_value *v = &r->values.items[value];
  if (v->name == BC_NONE) v->name = (value - r->values.named_from) * 2;
  memcpy(to, "%arg", 4);
  return text_put_int(v->name & 1 ? to + 4 : to + 1, v->name >> 1);
}

static void put_value(bc_reader *r, uint32_t value) {
  uint32_t from = r->out.length;
  if (BC_NAME_MAX > r->out.capacity - from) strbuf_reserve(&r->out, BC_NAME_MAX);
  r->out.length = (uint32_t)(bc_put_name(r, r->out.data + from, value) - r->out.data);
  if (r->kinds.open) bc_note_name(r->kinds.open, from, r->out.length);
}

static void put_value_type(bc_reader *r, uint32_t value, size_t at) {
  if (is_defined(r, value)) {
    bc_put_type(r, &r->out, r->values.items[value].type);
    return;
  }
  r->patches.items =
      arena_grow(r->arena, r->patches.items, r->patches.count, (size_t)r->patches.count + 1,
                 &r->patches.capacity, sizeof *r->patches.items);
  r->patches.items[r->patches.count++] =
      (bc_patch){.text = r->out.length, .value = value, .at = (uint32_t)at};
}

// The numbers of a region from here on, none of them defined.
static bool reserve(bc_cursor *c, outer *o) {
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  uint64_t count = bc_varint(c);
  if (r->failed) return false;
  // Each is defined by a byte of its own, as are those of the regions around.
  if (count > bc_left(c) || count + r->values.count > r->length)
    return bc_fail(r, at, "%llu values are announced, %zu bytes are left",
                   (unsigned long long)count, bc_left(c));
  uint32_t old = r->values.capacity;
  if (count >= MANY_VALUES) bc_expect(r, (uint32_t)count);
  r->values.items = arena_grow(r->arena, r->values.items, old, (size_t)r->values.count + count + 1,
                               &r->values.capacity, sizeof *r->values.items);
  for (uint32_t i = old; i < r->values.capacity; i++) r->values.items[i] = NO_VALUE;
  assert(r->values.count >= r->values.scope);
  o->first = o->next = r->values.count;
  o->values = (uint32_t)count;
  r->values.count += (uint32_t)count;
  return true;
}

// Uses in front of a definition are completed; the numbers are given back, none of them defined.
static bool release(bc_reader *r, const outer *o, uint32_t patches) {
  for (uint32_t i = patches; i < r->patches.count; i++) {
    bc_patch *p = &r->patches.items[i];
    if (p->done || p->value < o->first) continue;
    if (!is_defined(r, p->value))
      return bc_fail(r, p->at, "value %u is used and never defined", p->value - r->values.scope);
    p->type = bc_type_text(r, r->values.items[p->value].type);
    p->done = true;
  }
  for (uint32_t i = o->first; i < o->next; i++) r->values.items[i] = NO_VALUE;
  assert(r->values.count == o->first + o->values);
  r->values.count = o->first;
  return !r->failed;
}

// --- writing

static void put_location(bc_reader *r, uint32_t attr) {
  uint64_t code;
  bc_cursor c;
  if (!r->whole || attr == BC_NONE) return;
  if (bc_open_attr(r, attr, "builtin", &code, &c) && code == BUILTIN_UNKNOWN_LOC) return;
  if (!r->locations.seen) r->locations.seen = arena_zalloc(r->arena, (size_t)r->attrs.count + 1);
  assert(attr < r->attrs.count);
  if (!r->locations.seen[attr]) {
    r->locations.seen[attr] = 1;
    r->locations.items =
        arena_grow(r->arena, r->locations.items, r->locations.count, (size_t)r->locations.count + 1,
                   &r->locations.capacity, sizeof *r->locations.items);
    r->locations.items[r->locations.count++] = attr;
  }
  strbuf_printf(&r->out, " loc(#loc%u)", attr);
}

static void put_attributes(bc_reader *r, const bc_attributes *list, bool inherent) {
  bool any = false;
  for (uint32_t i = 0; i < list->count && !r->failed; i++) {
    const bc_attribute *item = &list->items[i];
    if (item->inherent != inherent) continue;
    strbuf_puts(&r->out, any ? ", " : inherent ? " <{" : " {");
    any = true;
    bc_put_key(&r->out, item->name);
    strbuf_puts(&r->out, " = ");
    if (item->attr == BC_NONE) {
      strbuf_add(&r->out, item->text.text, item->text.length);
    } else {
      bc_put_attr(r, &r->out, item->attr);
    }
  }
  if (any) strbuf_puts(&r->out, inherent ? "}>" : "}");
}

// The attributes in front of the regions; *all has those for after them. Few properties differ, so their text is kept.
static void put_inherent(bc_reader *r, const bc_operation *p, bc_attributes *all) {
  enum { KEPT = 4096 };
  bc_blob *blob = p->blob == BC_NONE ? NULL : &r->blobs.items[p->blob];
  bool keeps = blob && p->dictionary == BC_NONE;
  if (!blob && p->dictionary == BC_NONE) return;
  if (keeps && blob->name == p->name) {
    strbuf_add(&r->out, blob->text.text, blob->text.length);
    return;
  }
  uint32_t begin = r->out.length;
  if (r->whole && blob && blob->size && p->name->registered && !p->name->vhlo &&
      !p->name->field_rows)
    strbuf_printf(&r->out, " <{" BC_KEPT_KEY " = " BC_KEPT_BLOB "%u>}>", p->blob);
  bc_read_attributes(r, p->name, p->dictionary, p->blob, p->at, all);
  if (p->name->vhlo && !r->failed) vhlo_to_stablehlo(r, p->name->vhlo, all);
  put_attributes(r, all, true);
  uint32_t length = r->out.length - begin;
  if (r->failed || !keeps || length > KEPT) return;
  for (uint32_t i = 0; i < all->count; i++) {
    if (!all->items[i].inherent) return;
  }
  blob->text = (bc_slice){arena_strndup(r->arena, r->out.data + begin, length), length};
  blob->name = p->name;
}

static void put_signature(bc_reader *r, const bc_operation *p) {
  assert(p->operands && p->results);
  strbuf_puts(&r->out, " : (");
  for (uint32_t i = 0; i < p->operand_count; i++) {
    if (i) strbuf_puts(&r->out, ", ");
    put_value_type(r, p->operands[i], p->at);
  }
  strbuf_puts(&r->out, ") -> ");
  bool several = p->result_count != 1 || bc_type_text(r, p->results[0]).text[0] == '(';
  if (several) strbuf_putc(&r->out, '(');
  for (uint32_t i = 0; i < p->result_count; i++) {
    if (i) strbuf_puts(&r->out, ", ");
    bc_put_type(r, &r->out, p->results[i]);
  }
  if (several) strbuf_putc(&r->out, ')');
}

static void put_name(bc_reader *r, const bc_operation *p) {
  bool is_return = p->in_function && p->name->vhlo && bc_is(p->name->text, "stablehlo.return");
  bc_slice name = is_return ? (bc_slice){"\"func.return\"", 13} : p->name->quoted;
  strbuf_add(&r->out, name.text, name.length);
}

// A cast between types that are the same once they are those of StableHLO: its results are its operands.
static bool vanishes(bc_reader *r, const bc_operation *p, const outer *o) {
  if (!p->name->is_cast || !o->numbered || p->operand_count != p->result_count) return false;
  if (o->next + p->result_count > o->first + o->values) return false;
  for (uint32_t i = 0; i < p->operand_count; i++) {
    if (!is_defined(r, p->operands[i]) || r->values.items[o->next + i].name != BC_NONE)
      return false;
    bc_slice from = bc_type_text(r, r->values.items[p->operands[i]].type);
    bc_slice to = bc_type_text(r, p->results[i]);
    if (from.length != to.length || memcmp(from.text, to.text, to.length) != 0) return false;
  }
  for (uint32_t i = 0; i < p->operand_count; i++)
    r->values.items[o->next + i].name = r->values.items[p->operands[i]].name;
  return true;
}

// --- regions

static bool read_region(bc_cursor *c, const bc_operation *p, bc_around around);

static bc_around around_inside(const bc_operation *p, bool isolated) {
  const bc_name *name = p->name;
  if (p->around == BC_IN_MODULE && name->is_module) return BC_IN_MODULE;
  if (p->around == BC_IN_MODULE && name->is_function && isolated) return BC_IN_FUNCTION;
  return p->around == BC_IN_FUNCTION && !name->is_function && !name->is_module ? BC_IN_FUNCTION
                                                                               : BC_ELSEWHERE;
}

// From the operation's count of regions on. The text is that between the parentheses.
static bool read_regions(bc_cursor *c, const bc_operation *p) {
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  uint64_t head = bc_varint(c), count = head >> 1;
  bool isolated = head & 1;
  bc_cursor nested = *c, *from = c;
  unsigned id;
  if (r->failed) return false;
  if (isolated && r->version >= 2) {
    size_t section_at = bc_offset(c);
    nested = bc_section(c, &id);
    if (!r->failed && id != SECTION_IR)
      return bc_fail(r, section_at,
                     "expected section %u, the regions of an operation, found section %u",
                     SECTION_IR, id);
    from = &nested;
  }
  if (r->failed) return false;
  if (count > bc_left(from))
    return bc_fail(r, at, "%llu regions are announced, %zu bytes are left",
                   (unsigned long long)count, bc_left(from));
  uint32_t scope = r->values.scope, named_from = r->values.named_from;
  if (isolated) r->values.scope = r->values.count;
  // Only functions have names of their own in the text.
  if (isolated && p->name->is_function) r->values.named_from = r->values.count;
  strbuf_puts(&r->out, count ? " (" : "");
  for (uint64_t i = 0; i < count; i++) {
    if (i) strbuf_puts(&r->out, ", ");
    if (!read_region(from, p, around_inside(p, isolated))) return false;
  }
  strbuf_puts(&r->out, count ? ")" : "");
  r->values.scope = scope;
  r->values.named_from = named_from;
  if (from == &nested) bc_end(&nested, "the last region of an operation");
  return !r->failed;
}

static void put_list(bc_reader *r, const uint32_t *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(&r->out, ", ");
    put_value(r, values[i]);
  }
}

// What the operation defines, while its regions are written.
static void mark_open(bc_reader *r, uint32_t first, uint32_t count, bool open) {
  for (uint32_t i = 0; i < count; i++) r->values.items[first + i].open = open;
}

// The statement, but for the end of its line. Its regions are read as it is written.
static bool put_statement(bc_cursor *c, const bc_operation *p, uint32_t first, const outer *o) {
  bc_reader *r = c->r;
  indent(r, p->depth);
  for (uint32_t i = 0; i < p->result_count && o->numbered; i++) {
    if (i) strbuf_puts(&r->out, ", ");
    put_value(r, first + i);
  }
  if (p->result_count && o->numbered) strbuf_puts(&r->out, " = ");
  put_name(r, p);
  strbuf_putc(&r->out, '(');
  put_list(r, p->operands, p->operand_count);
  strbuf_putc(&r->out, ')');
  for (uint32_t i = 0; i < p->successor_count; i++)
    strbuf_printf(&r->out, "%s^bb%u", i ? ", " : "[", p->successors[i]);
  if (p->successor_count) strbuf_putc(&r->out, ']');
  bc_attributes attributes = {0};
  put_inherent(r, p, &attributes);
  const uint32_t open = p->has_regions && o->numbered ? p->result_count : 0;
  mark_open(r, first, open, true);
  if (r->failed || (p->has_regions && !read_regions(c, p))) return false;
  mark_open(r, first, open, false);
  put_attributes(r, &attributes, false);
  put_signature(r, p);
  put_location(r, p->location);
  return !r->failed;
}

static bool read_op(bc_cursor *c, outer *o) {
  bc_reader *r = c->r;
  bc_operation p;
  budget_take(r->budget, 1);
  if (!read_parts(c, o, &p)) return false;
  bool gone = vanishes(r, &p, o) && !p.has_regions;
  uint32_t kind = !gone && o->numbered ? bc_kind_of(r, &p) : 0, first = o->next;
  if (!gone) bc_add_statement(r, &p, kind, r->out.length + indentation(p.depth));
  for (uint32_t i = 0; i < p.result_count && o->numbered; i++) {
    if (!define(r, o, p.results[i], false, p.at)) return false;
  }
  if (gone) {
    r->values.defined -= p.result_count;
    for (uint32_t i = 0; i < p.result_count; i++)
      r->values.items[first + i].number = r->values.items[p.operands[i]].number;
    return true;
  }
  if (kind && bc_is_written(r, kind)) {
    bc_put_repeated(r, kind, first, &p);
  } else {
    bc_end_gap(r);
    bc_begin_kind(r, kind, indentation(p.depth));
    if (!put_statement(c, &p, first, o)) return false;
    strbuf_putc(&r->out, '\n');
    bc_end_kind(r, first, &p);
  }
  if (r->out.length > r->text_limit)
    return bc_fail(r, p.at, "the text of the program is longer than %llu bytes",
                   (unsigned long long)r->text_limit);
  return !r->failed;
}

static bool read_arguments(bc_cursor *c, outer *o) {
  bc_reader *r = c->r;
  uint32_t count = bc_count(c, "arguments of a block");
  for (uint32_t i = 0; i < count && !r->failed; i++) {
    size_t at = bc_offset(c);
    uint64_t type = bc_varint(c);
    bool located = r->version < 4 || (type & 1);
    if (r->version >= 4) type >>= 1;
    if (r->failed) return false;
    uint32_t index = bc_index_of(c, at, type, r->types.count, "types");
    uint32_t location = located ? bc_location(c) : BC_NONE;
    if (r->failed || !define(r, o, index, true, at)) return false;
    strbuf_puts(&r->out, i ? ", " : "(");
    put_value(r, o->next - 1);
    strbuf_puts(&r->out, ": ");
    bc_put_type(r, &r->out, index);
    put_location(r, location);
  }
  if (count) strbuf_putc(&r->out, ')');
  if (r->version >= 3 && bc_byte(c)) skip_use_lists(c, count);
  return !r->failed;
}

static bool read_block(bc_cursor *c, outer *o, uint32_t index) {
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  uint64_t head = bc_varint(c), count = head >> 1;
  if (r->failed) return false;
  if (count > bc_left(c))
    return bc_fail(r, at, "%llu operations are announced, %zu bytes are left",
                   (unsigned long long)count, bc_left(c));
  if (index || (head & 1) || !count) {
    bc_end_gap(r);
    indent(r, o->depth - 1);
    strbuf_printf(&r->out, "^bb%u", index);
    if ((head & 1) && !read_arguments(c, o)) return false;
    strbuf_puts(&r->out, ":\n");
  }
  for (uint64_t i = 0; i < count; i++) {
    if (!read_op(c, o)) return false;
  }
  return true;
}

static bool read_region(bc_cursor *c, const bc_operation *p, bc_around around) {
  bc_reader *r = c->r;
  size_t at = bc_offset(c);
  assert(p->name->resolved);
  outer o = {.in_function = p->name->is_function,
             .numbered = true,
             .depth = p->depth + 1,
             .around = around};
  if (p->depth >= REGIONS_DEEP)
    return bc_fail(r, at, "regions are nested deeper than %d", REGIONS_DEEP);
  strbuf_puts(&r->out, "{\n");
  o.blocks = bc_count(c, "blocks");
  if (o.blocks) {
    uint32_t patches = r->patches.count;
    if (!reserve(c, &o)) return false;
    for (uint32_t i = 0; i < o.blocks; i++) {
      if (!read_block(c, &o, i)) return false;
    }
    if (!release(r, &o, patches)) return false;
  }
  bc_end_gap(r);
  indent(r, p->depth);
  strbuf_putc(&r->out, '}');
  return !r->failed;
}

// --- the program

static void put_locations(bc_reader *r) {
  for (uint32_t i = 0; i < r->locations.count && !r->failed; i++) {
    strbuf_printf(&r->out, "#loc%u = ", r->locations.items[i]);
    const bc_entry *entry = &r->attrs.entries[r->locations.items[i]];
    // What a dialect has for a location of its own is no text of one.
    if (entry->own && bc_is(r->dialects.items[entry->dialect], "builtin")) {
      bc_put_attr(r, &r->out, r->locations.items[i]);
    } else {
      strbuf_puts(&r->out, "loc(unknown)");
    }
    strbuf_putc(&r->out, '\n');
  }
}

bool bc_program(bc_reader *r, bc_cursor *c) {
  size_t at = bc_offset(c);
  uint64_t head = bc_varint(c), count = head >> 1;
  outer top = {.blocks = 0};
  if (r->failed) return false;
  if (head & 1)
    return bc_fail(r, at, "expected a program without arguments, found a block with some");
  if (count > bc_left(c))
    return bc_fail(r, at, "%llu operations are announced, %zu bytes are left",
                   (unsigned long long)count, bc_left(c));
  for (uint64_t i = 0; i < count; i++) {
    if (!read_op(c, &top)) return false;
  }
  bc_end(c, "the last operation");
  put_locations(r);
  return !r->failed;
}
