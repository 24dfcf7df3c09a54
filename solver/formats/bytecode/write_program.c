// SPDX-License-Identifier: Apache-2.0
// Operations as bytes, and the whole of a file. Format: MLIR Bytecode Format, "IR Section".
//
// Values are numbered region by region: the names of a region are bound when it begins, so a use may come before the
// definition. Regions of operations that see nothing around them begin anew.
#include "solver/formats/bytecode/writer.h"

typedef struct outer {
  uint32_t scope;   // of the values
  uint32_t values;  // reserved so far in it
  uint32_t labels;  // scope of the labels of the region; 0: none
  uint32_t depth;
} outer;

static void put_op(bytecode_writer *w, uint32_t index, const outer *o, shape_strbuf *out);

// --- names

static void bind(bytecode_writer *w, name_id name, uint32_t scope, uint32_t first, uint32_t count) {
  assert(name < w->program.names.count);
  BW_PUSH(w, scope.undo, (bw_undo){name, w->scope.values[name]});
  w->scope.values[name] = (bw_value){scope, first, count};
}

static void unbind(bytecode_writer *w, uint32_t mark) {
  assert(mark <= w->scope.undo.count);
  while (w->scope.undo.count > mark) {
    const bw_undo *u = &w->scope.undo.items[--w->scope.undo.count];
    w->scope.values[u->name] = u->was;
  }
}

static uint32_t number_of(bytecode_writer *w, bw_use use, const outer *o) {
  assert(use.name < w->program.names.count && o->scope <= w->scope.count);
  const bw_value *v = &w->scope.values[use.name];
  if (v->scope == o->scope && use.index < v->count) return v->first + use.index;
  bw_fail(w, w->text.text + w->op->at, "use of undeclared value '%%%.60s'",
          intern_text(&w->program.names, use.name));
  return 0;
}

// --- attributes

static bool is_isolated(bc_slice name) {
  static const char *const NAMES[] = {"builtin.module", "func.func", "shape.func",
                                      "shape.function_library"};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (bc_is(name, NAMES[i])) return true;
  }
  return false;
}

// What is written of the attributes of an operation.
typedef struct written {
  uint32_t name, dictionary, blob;
} written;

static uint32_t field_attr(bytecode_writer *w, bw_entry entry) {
  uint32_t attr;
  if (w->vhlo && bc_is(entry.key, "api_version") && bw_api_version(w, entry.value, &attr))
    return attr;
  return bw_attr(w, entry.value);
}

static uint32_t keep_blob(bytecode_writer *w, const shape_strbuf *blob) {
  return intern_add(&w->blobs, blob->data ? blob->data : "", blob->length);
}

static void write_vhlo(bytecode_writer *w, const bw_op *op, written *out) {
  bw_vhlo_op made;
  if (!bw_to_vhlo(w, op, &made)) return;
  out->name = bw_op_name(w, made.name, true);
  if (w->version < 5) {
    uint32_t count = made.entry_count + made.other_count;
    bw_entry *all = arena_alloc(w->arena, ((size_t)count + 1) * sizeof *all);
    if (made.entry_count) memcpy(all, made.entries, made.entry_count * sizeof *all);
    if (made.other_count)
      memcpy(all + made.entry_count, made.others, made.other_count * sizeof *all);
    if (count) out->dictionary = bw_dictionary(w, all, count, field_attr);
    return;
  }
  shape_strbuf blob;
  strbuf_init(&blob, w->arena);
  for (uint32_t i = 0; i < made.entry_count && !w->failed; i++)
    bw_varint(&blob, field_attr(w, made.entries[i]));
  if (made.entry_count) out->blob = keep_blob(w, &blob);
  if (made.other_count)
    out->dictionary = bw_dictionary(w, made.others, made.other_count, field_attr);
}

typedef struct attributes {
  bw_entry *items;
  uint32_t count;
} attributes;

static attributes attributes_of(bytecode_writer *w, const bw_op *op) {
  const bw_entry *all = w->program.entries.items;
  attributes a = {arena_alloc(w->arena, ((size_t)op->properties.count + op->attributes.count + 1) *
                                            sizeof *a.items),
                  0};
  for (uint32_t i = 0; i < op->properties.count; i++)
    a.items[a.count++] = all[op->properties.first + i];
  for (uint32_t i = 0; i < op->attributes.count; i++)
    a.items[a.count++] = all[op->attributes.first + i];
  return a;
}

static const bw_entry *named(const attributes *a, bc_slice name) {
  for (uint32_t i = 0; i < a->count; i++) {
    if (bc_same(a->items[i].key, name)) return &a->items[i];
  }
  return NULL;
}

static bool is_field(const bc_fields *rows, uint32_t count, bc_slice key) {
  for (uint32_t i = 0; i < count; i++) {
    if (bc_has_field(rows[i].fields, key)) return true;
  }
  return false;
}

// A row that has room for all attributes that any row names, and no field that must be there and is not.
static const bc_fields *fitting_row(const bc_fields *rows, uint32_t count, const attributes *a) {
  for (uint32_t i = 0; i < count; i++) {
    bool fits = true;
    bc_slice field;
    char mark;
    for (uint32_t k = 0; k < a->count && fits; k++) {
      bc_slice key = a->items[k].key;
      fits = !is_field(rows, count, key) || bc_has_field(rows[i].fields, key);
    }
    for (const char *at = rows[i].fields; fits && bc_next_field(&at, &field, &mark);)
      fits = mark == '?' || named(a, field);
    if (fits) return &rows[i];
  }
  return NULL;
}

// array<i32: 1, 0> as numbers of operands; false: it is something else.
static bool put_segments(bc_slice text, shape_strbuf *out, shape_arena *arena) {
  static const char HEAD[] = "array<i32";
  shape_strbuf sizes;
  uint32_t count = 0;
  int64_t size;
  if (!bc_begins(text, HEAD)) return false;
  bw_cursor c = bw_open(bw_inside(text, sizeof HEAD - 1));
  strbuf_init(&sizes, arena);
  if (bw_accept(&c, ":")) {
    for (; bw_peek(&c); count++) {
      if (!bw_int(bw_word(&c), &size) || size < 0) return false;
      bw_varint(&sizes, (uint64_t)size);
      if (!bw_accept(&c, ",") && bw_peek(&c)) return false;
    }
  }
  bw_flagged(out, count, false);
  strbuf_add(out, sizes.data, sizes.length);
  return true;
}

static bool put_fields(bytecode_writer *w, const bc_fields *row, const attributes *a,
                       shape_strbuf *blob) {
  bc_slice field, segments = {"", 0};
  bool segmented = false;
  char mark;
  for (const char *at = row->fields; bc_next_field(&at, &field, &mark) && !w->failed;) {
    const bw_entry *entry = named(a, field);
    if (mark == '*') {
      segmented = true;
      segments = bw_expand(w, entry->value);
    } else if (mark == '?') {
      if (entry) {
        bw_flagged(blob, bw_attr(w, entry->value), true);
      } else {
        bw_varint(blob, 0);
      }
    } else {
      bw_varint(blob, bw_attr(w, entry->value));
    }
  }
  // A key without a value has none that could be written here.
  return !segmented || put_segments(segments, blob, w->arena);
}

// An operation that is known has its fields in their order, any other its properties as a dictionary.
static void write_plain(bytecode_writer *w, const bw_op *op, written *out) {
  // Readers take what has the name of that dialect for an artifact of a release.
  if (bc_begins(op->name, "vhlo.")) {
    bw_refuse(w, "operations of VHLO are written from those of StableHLO, by --emit vhlo");
    return;
  }
  attributes a = attributes_of(w, op);
  const bw_entry *kept_as_is = named(&a, (bc_slice){BC_KEPT_KEY, sizeof BC_KEPT_KEY - 1});
  uint32_t rows, inherent = 0, kept = 0;
  const bc_fields *fields = bc_fields_of(op->name, &rows);
  bool apart = w->version >= 5;  // properties from attributes
  const bc_fields *row = apart ? fitting_row(fields, rows, &a) : NULL;
  shape_strbuf blob;
  strbuf_init(&blob, w->arena);
  bool registered = row && put_fields(w, row, &a, &blob);
  if (kept_as_is) {
    if (!bw_kept_blob(w, kept_as_is->value, &blob)) {
      bw_refuse(w, "its properties cannot be kept as they are");
      return;
    }
    out->name = bw_op_name(w, op->name, true);
    out->blob = keep_blob(w, &blob);
    if (op->attributes.count)
      out->dictionary =
          bw_dictionary(w, a.items + op->properties.count, op->attributes.count, NULL);
    return;
  }
  out->name = bw_op_name(w, op->name, registered);
  if (registered) {
    if (row->fields[0]) out->blob = keep_blob(w, &blob);
  } else {
    inherent = apart ? op->properties.count : 0;
    blob.length = 0;
    if (inherent) {
      bw_varint(&blob, bw_dictionary(w, a.items, inherent, NULL));
      out->blob = keep_blob(w, &blob);
    }
  }
  for (uint32_t i = inherent; i < a.count; i++) {
    if (!registered || !bc_has_field(row->fields, a.items[i].key)) a.items[kept++] = a.items[i];
  }
  if (kept) out->dictionary = bw_dictionary(w, a.items, kept, NULL);
}

// --- regions

static uint32_t values_in(const bytecode_writer *w, const bw_region *region) {
  const bw_program *p = &w->program;
  uint32_t count = 0;
  assert((region->first_block == BW_NONE) == !region->block_count);
  for (uint32_t b = region->first_block; b != BW_NONE; b = p->blocks.items[b].next) {
    count += p->blocks.items[b].arguments.count;
    for (uint32_t i = p->blocks.items[b].first_op; i != BW_NONE; i = p->ops.items[i].next)
      count += p->ops.items[i].types.count;
  }
  return count;
}

static uint32_t bind_results(bytecode_writer *w, const bw_op *op, uint32_t scope, uint32_t number) {
  uint32_t next = number;
  assert(op->results.first + op->results.count <= w->program.results.count);
  for (uint32_t i = 0; i < op->results.count; i++) {
    const bw_result *r = &w->program.results.items[op->results.first + i];
    bind(w, r->name, scope, next, r->count);
    next += r->count;
  }
  if (op->results.count && next - number != op->types.count)
    bw_fail(w, w->text.text + op->at, "%u names for %u results", next - number, op->types.count);
  return number + op->types.count;
}

static void bind_region(bytecode_writer *w, const bw_region *region, const outer *o,
                        uint32_t number) {
  const bw_program *p = &w->program;
  uint32_t index = 0;
  for (uint32_t b = region->first_block; b != BW_NONE; b = p->blocks.items[b].next, index++) {
    const bw_block *block = &p->blocks.items[b];
    if (block->label != NAME_NONE) bind(w, block->label, o->labels, index, 1);
    for (uint32_t i = 0; i < block->arguments.count; i++)
      bind(w, p->arguments.items[block->arguments.first + i].name, o->scope, number++, 1);
    for (uint32_t i = block->first_op; i != BW_NONE; i = p->ops.items[i].next)
      number = bind_results(w, &p->ops.items[i], o->scope, number);
  }
}

static void put_arguments(bytecode_writer *w, const bw_block *block, shape_strbuf *out) {
  bw_varint(out, block->arguments.count);
  for (uint32_t i = 0; i < block->arguments.count && !w->failed; i++) {
    const bw_argument *a = &w->program.arguments.items[block->arguments.first + i];
    uint32_t type = bw_type(w, a->type);
    bool located = w->version < 4 || a->location.length;
    if (w->version >= 4) {
      bw_flagged(out, type, located);
    } else {
      bw_varint(out, type);
    }
    if (located) bw_varint(out, bw_location(w, a->location));
  }
  if (w->version >= 3) strbuf_putc(out, 0);
}

// The aliases of the next part of the file mean something else.
static void next_part(bytecode_writer *w) {
  w->aliases.part++;
  imap_clear(&w->encoded);
}

static void put_region(bytecode_writer *w, const bw_region *region, const outer *around, bool vhlo,
                       shape_strbuf *out) {
  const bw_program *p = &w->program;
  outer o = {.scope = around->scope, .labels = ++w->scope.count, .depth = around->depth + 1};
  assert(around->scope && w->scope.count >= around->scope);
  uint32_t mark = w->scope.undo.count, values = values_in(w, region);
  bw_varint(out, region->block_count);
  if (!region->block_count) return;
  bw_varint(out, values);
  o.values = around->values + values;
  bind_region(w, region, &o, around->values);
  for (uint32_t b = region->first_block; b != BW_NONE && !w->failed; b = p->blocks.items[b].next) {
    const bw_block *block = &p->blocks.items[b];
    bw_flagged(out, block->op_count, block->arguments.count > 0);
    w->vhlo = vhlo;
    if (block->arguments.count) put_arguments(w, block, out);
    for (uint32_t i = block->first_op; i != BW_NONE && !w->failed; i = p->ops.items[i].next) {
      put_op(w, i, &o, out);
      if (o.depth == 1 && p->parts.count > 1) next_part(w);
    }
  }
  unbind(w, mark);
  assert(o.depth > around->depth && w->scope.undo.count == mark);
}

static void put_regions(bytecode_writer *w, const bw_op *op, const outer *o, bool vhlo,
                        shape_strbuf *out) {
  bool isolated = is_isolated(op->name), nested = isolated && w->version >= 2;
  outer inner = *o;
  shape_strbuf section;
  shape_strbuf *to = nested ? &section : out;
  strbuf_init(&section, w->arena);
  if (op->region_count && o->depth >= BC_REGIONS_MAX)
    bw_fail(w, w->text.text + op->at, "regions are nested deeper than %d", BC_REGIONS_MAX);
  if (isolated) {
    inner.scope = ++w->scope.count;
    inner.values = 0;
  }
  bw_flagged(out, op->region_count, isolated);
  for (uint32_t r = op->first_region; r != BW_NONE && !w->failed;
       r = w->program.regions.items[r].next)
    put_region(w, &w->program.regions.items[r], &inner, vhlo, to);
  if (nested) bw_section(out, SECTION_IR, &section);
}

// --- operations

static void put_successors(bytecode_writer *w, const bw_op *op, const outer *o, shape_strbuf *out) {
  bw_varint(out, op->successors.count);
  for (uint32_t i = 0; i < op->successors.count; i++) {
    name_id label = w->program.successors.items[op->successors.first + i];
    if (w->scope.values[label].scope != o->labels)
      bw_fail(w, w->text.text + op->at, "there is no block '%.60s'",
              intern_text(&w->program.names, label));
    bw_varint(out, w->scope.values[label].first);
  }
}

static void put_op(bytecode_writer *w, uint32_t index, const outer *o, shape_strbuf *out) {
  const bw_op *op = &w->program.ops.items[index];
  bool vhlo = w->options->release && !bc_is(op->name, "builtin.module");
  written made = {BW_NONE, BW_NONE, BW_NONE};
  w->op = op;
  w->vhlo = vhlo;
  budget_take(w->budget, 1);
  if (vhlo) {
    write_vhlo(w, op, &made);
  } else {
    write_plain(w, op, &made);
  }
  if (w->failed) return;
  unsigned mask =
      (made.dictionary != BW_NONE ? MASK_ATTRS : 0) | (op->types.count ? MASK_RESULTS : 0) |
      (op->operands.count ? MASK_OPERANDS : 0) | (op->successors.count ? MASK_SUCCESSORS : 0) |
      (op->region_count ? MASK_REGIONS : 0) | (made.blob != BW_NONE ? MASK_PROPERTIES : 0);
  assert(made.name < w->names.list.count && (mask & ~(unsigned)MASK_ALL) == 0);
  assert(w->version >= 5 || made.blob == BW_NONE);
  bw_varint(out, made.name);
  strbuf_putc(out, (char)mask);
  bw_varint(out, bw_location(w, op->location));
  if (mask & MASK_ATTRS) bw_varint(out, made.dictionary);
  if (mask & MASK_PROPERTIES) bw_varint(out, made.blob);
  if (mask & MASK_RESULTS) bw_varint(out, op->types.count);
  for (uint32_t i = 0; i < op->types.count; i++)
    bw_varint(out, bw_type(w, w->program.types.items[op->types.first + i]));
  if (mask & MASK_OPERANDS) bw_varint(out, op->operands.count);
  for (uint32_t i = 0; i < op->operands.count; i++)
    bw_varint(out, number_of(w, w->program.uses.items[op->operands.first + i], o));
  if (mask & MASK_SUCCESSORS) put_successors(w, op, o, out);
  if (mask & MASK_REGIONS) put_regions(w, op, o, vhlo, out);
}

// --- the program

// A module around operations that follow one another.
static uint32_t wrap(bytecode_writer *w, uint32_t first) {
  bw_program *p = &w->program;
  assert(first == BW_NONE || first < p->ops.count);
  bw_block block = {.label = NAME_NONE, .first_op = first, .next = BW_NONE};
  for (uint32_t i = first; i != BW_NONE; i = p->ops.items[i].next) block.op_count++;
  BW_PUSH(p, blocks, block);
  BW_PUSH(p, regions,
          (bw_region){.first_block = p->blocks.count - 1, .block_count = 1, .next = BW_NONE});
  BW_PUSH(p, ops,
          (bw_op){.name = {"builtin.module", 14},
                  .location = {"", 0},
                  .first_region = p->regions.count - 1,
                  .region_count = 1,
                  .next = BW_NONE});
  return p->ops.count - 1;
}

static bool is_module(const bw_program *p, uint32_t op) {
  return op != BW_NONE && p->ops.items[op].next == BW_NONE &&
         bc_is(p->ops.items[op].name, "builtin.module");
}

// Each part as a module; several of them in a module around.
static uint32_t outermost(bytecode_writer *w) {
  bw_program *p = &w->program;
  uint32_t first = BW_NONE, last = BW_NONE;
  assert(p->parts.count > 0);
  for (uint32_t i = 0; i < p->parts.count; i++) {
    uint32_t part = p->parts.items[i];
    if (!is_module(p, part)) part = wrap(w, part);
    *(last == BW_NONE ? &first : &p->ops.items[last].next) = part;
    last = part;
  }
  return p->parts.count > 1 ? wrap(w, first) : first;
}

static bool put_program(bytecode_writer *w, shape_strbuf *ir) {
  outer top = {.scope = ++w->scope.count, .depth = 0};
  uint32_t first = outermost(w);
  w->scope.values =
      arena_zalloc(w->arena, ((size_t)w->program.names.count + 1) * sizeof *w->scope.values);
  w->aliases.part = 0;
  bw_flagged(ir, 1, false);
  put_op(w, first, &top, ir);
  return !w->failed;
}

// --- the way in

bool bytecode_release_parse(const char *text, bytecode_release *out) {
  uint16_t *const parts[] = {&out->major, &out->minor, &out->patch};
  for (int i = 0; i < 3; i++) {
    uint32_t value = 0;
    if (i && *text++ != '.') return false;
    if (*text < '0' || *text > '9' || (*text == '0' && text[1] >= '0' && text[1] <= '9'))
      return false;
    for (; *text >= '0' && *text <= '9' && value < 1000; text++)
      value = value * 10 + (uint32_t)(*text - '0');
    if (value >= 1000) return false;
    *parts[i] = (uint16_t)value;
  }
  uint32_t release = 100u * out->major + out->minor;
  return !*text && out->minor < 100 && release >= RELEASE_FIRST && release <= RELEASE_NEWEST &&
         (release != RELEASE_NEWEST || !out->patch) && (out->major || out->minor <= 20);
}

// The version of the format that goes with a release.
static uint32_t format_of(uint32_t release) {
  static const struct { uint16_t below, version; } ROWS[] = {{10, 0}, {12, 1}, {14, 3}, {15, 4}};
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (release < ROWS[i].below) return ROWS[i].version;
  }
  return BC_VERSION_MAX;
}

bytecode_written bytecode_write(shape_arena *arena, struct shape_budget *budget, const char *text,
                                size_t length, const bytecode_write_options *options,
                                const bytecode_sink *sink, bytecode_refusal *refusal) {
  bytecode_writer *w = arena_zalloc(arena, sizeof *w);
  shape_strbuf ir;
  w->arena = arena;
  w->budget = budget;
  w->options = options;
  w->refusal = refusal;
  *refusal = (bytecode_refusal){0};
  const bytecode_release *r = options->release;
  w->release = r ? 100u * r->major + r->minor : RELEASE_NEWEST;
  w->version = r ? format_of(w->release) : BC_VERSION_MAX;
  if (length >= UINT32_MAX / 4) arena_fail(arena, SHAPE_SIZE);
  w->text = (bc_slice){text, (uint32_t)length};
  shape_intern *const tables[] = {&w->program.names, &w->aliases.names, &w->strings,
                                  &w->dialects,      &w->spellings,     &w->attrs.keys,
                                  &w->types.keys,    &w->blobs};
  for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++) intern_init(tables[i], arena);
  strbuf_init(&ir, arena);
  if (bw_parse(w, w->text) && bw_read_source(w) && put_program(w, &ir)) {
    bw_write_file(w, &ir, sink);
    return BYTECODE_WRITTEN;
  }
  assert(w->failed);
  return w->pretty ? BYTECODE_NOT_GENERIC : BYTECODE_REFUSED;
}
