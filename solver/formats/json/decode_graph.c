// SPDX-License-Identifier: Apache-2.0
// Functions, regions, operations.
#include <assert.h>

#include "solver/ops/absent.h"
#include "solver/formats/json/decoder.h"

// --- names in scope. A function sees nothing of another; what a region defines is forgotten at its end.
static inline bool is_numbered(const graph_decoder *d, json_slice text, numbered_name *out) {
  const char *end = text.text + text.length;
  return text.length && decode_numbered(d, text.text, end, out) == end;
}

// The name of a definition: those with the letters of the first few are numbers in a series.
value_name decode_number_of(graph_decoder *d, numbered_name name) {
  assert(name.number < NUMBERS);
  uint32_t series = decode_series(d, name.letters);
  if (series == SERIES) {
    if (d->of.series_count == SERIES) return NAME_NONE;
    series = d->of.series_count++;
    d->of.series[series].letters = name.letters;
  }
  return NAME_NUMBERED | series << SERIES_SHIFT | name.number;
}

value_name decode_name_of(graph_decoder *d, json_slice text) {
  numbered_name numbered;
  value_name name = is_numbered(d, text, &numbered) ? decode_number_of(d, numbered) : NAME_NONE;
  return name != NAME_NONE ? name : intern_add(&d->g->names, text.text, text.length);
}

bool decode_value_name(graph_decoder *d, value_name *out) {
  json_slice text;
  uint32_t begin = cursor_offset(&d->c);
  if (!decode_string(d, &text)) return false;
  d->of.escaped |= text.text != d->c.base + begin + 1;
  *out = decode_name_of(d, text);
  return true;
}

static name_series *series_in(graph_decoder *d, value_name name) {
  assert(name & NAME_NUMBERED && (name >> SERIES_SHIFT & (SERIES - 1)) < d->of.series_count);
  return &d->of.series[name >> SERIES_SHIFT & (SERIES - 1)];
}
static uint32_t number_in(value_name name) { return name & NUMBERS; }

static value_id *defined_as(graph_decoder *d, value_name name) {
  return name & NAME_NUMBERED ? &series_in(d, name)->values[number_in(name)] : &d->of.values[name];
}

static void redefined(graph_decoder *d, value_id value) {
  uint32_t length, at = d->g->values[value].at;
  const char *text = graph_value_text(d->g, value, &length);
  source_span span = {at, at + length};
  if (span.end > d->g->source.length) span.end = span.begin;
  decode_error(d, span, "redefinition", "value \"%.*s\" is defined already", (int)length, text);
}

// A number that is spelled with escapes is not in the text for graph_value_text to find.
static void keep_escaped(graph_decoder *d, value_id value, value_name name) {
  assert(value < d->g->value_count);
  shape_graph *g = d->g;
  uint32_t length;
  graph_value_text(g, value, &length);
  if (g->source.text[g->values[value].at + length] == '"') return;
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  uint64_t letters = series_in(d, name)->letters;
  for (int i = NAME_LETTERS; i-- > 0;) {
    if (letters >> 8 * i & 0xff) strbuf_putc(&text, (char)(letters >> 8 * i));
  }
  strbuf_int(&text, number_in(name));
  g->values[value].name = intern_add(&g->names, text.data, text.length);
}

void decode_define(graph_decoder *d, value_name name, value_id value, uint32_t at) {
  assert(value < d->g->value_count);
  shape_graph *g = d->g;
  bool numbered = name & NAME_NUMBERED && name != NAME_NONE;
  g->values[value].name = numbered ? NAME_NONE : name;
  g->values[value].at = at;
  if (numbered) {
    if (d->of.escaped) keep_escaped(d, value, name);
    name_series *series = series_in(d, name);
    series->values = decode_table(d, series->values, &series->capacity, number_in(name));
  } else if (name == NAME_NONE || !intern_length(&g->names, name)) {
    return;
  } else {
    d->of.values = decode_table(d, d->of.values, &d->of.value_cap, name);
  }
  value_id *slot = defined_as(d, name);
  assert(*slot == VALUE_NONE || *slot < g->value_count);
  if (*slot != VALUE_NONE) redefined(d, value);
  if (d->undo_count == d->undo_cap) {
    d->undo = arena_grow(g->arena, d->undo, d->undo_count, (size_t)d->undo_count + 1, &d->undo_cap,
                         sizeof *d->undo);
  }
  d->undo[d->undo_count++] = (scope_undo){name, *slot};
  *slot = value;
}

static void leave_scope(graph_decoder *d, uint32_t mark) {
  assert(mark <= d->undo_count);
  while (d->undo_count > mark) {
    scope_undo undo = d->undo[--d->undo_count];
    *defined_as(d, undo.name) = undo.before;
  }
}

value_id decode_find_value(const graph_decoder *d, json_slice text) {
  numbered_name numbered;
  uint32_t series;
  if (is_numbered(d, text, &numbered) && (series = decode_series(d, numbered.letters)) < SERIES)
    return decode_find_number(d, series, numbered.number);
  name_id name = intern_find(&d->g->names, text.text, text.length);
  return name != NAME_NONE && name < d->of.value_cap ? d->of.values[name] : VALUE_NONE;
}

static value_id use_value(graph_decoder *d) {
  uint32_t begin = cursor_offset(&d->c);
  json_slice text;
  if (!cursor_string(&d->c, &text)) {
    if (cursor_word(&d->c, "null")) return VALUE_NONE;
    decode_expected(d, "the name of a value, or null");
    return VALUE_NONE;
  }
  if (!text.length) return VALUE_NONE;
  value_id value = decode_find_value(d, text);
  if (value != VALUE_NONE) return value;
  value_id outer = d->outer ? d->outer(d->outer_data, text.text, text.length) : VALUE_NONE;
  if (outer != VALUE_NONE) return outer;
  decode_error(d, decode_span(d, begin), "undefined",
               "value \"%.*s\" is not defined here (a value is defined before it is used)",
               (int)(text.length < 60 ? text.length : 60), text.text);
  return VALUE_NONE;
}

static void decode_operands(graph_decoder *d, op_id op) {
  if (cursor_word(&d->c, "null") || !decode_array(d)) return;
  while (decode_item(d)) graph_add_operand(d->g, op, use_value(d));
}

static void define_slots(graph_decoder *d, uint32_t mark, value_id first, uint32_t count) {
  assert(mark + (size_t)count * SLOTS <= d->stack_count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t *slot = d->stack + mark + (size_t)i * SLOTS;
    d->g->values[first + i].type = slot[SLOT_TYPE];
    decode_define(d, slot[SLOT_NAME], first + i, slot[SLOT_AT]);
  }
}

// --- operations
static void swap_name(graph_decoder *d, scope_undo *undo) {
  value_id *slot = defined_as(d, undo->name), value = *slot;
  *slot = undo->before;
  undo->before = value;
}

// The results of an operation, whose names are those from `names` on, are not for its operands and its regions.
static uint32_t hide_names(graph_decoder *d, uint32_t names) {
  for (uint32_t i = d->undo_count; i-- > names;) swap_name(d, &d->undo[i]);
  return d->undo_count;
}

static void show_names(graph_decoder *d, uint32_t names, uint32_t end) {
  assert(d->undo_count == end);
  for (; names < end; names++) swap_name(d, &d->undo[names]);
}

static uint32_t decode_region(graph_decoder *d);

// Regions of an operation are consecutive, and so are blocks of a region, but they are read one in another: they are
// numbered when all are there. On the stack: per region its blocks.
static void decode_regions(graph_decoder *d, op_id op) {
  uint32_t mark = d->stack_count, count = 0;
  uint32_t *block_counts = NULL, capacity = 0;
  if (cursor_word(&d->c, "null") || !decode_array(d)) return;
  bool unknown = d->g->ops[op].name != NAME_NONE && op_is_unknown(d->g, op);
  d->in_unknown += unknown;
  while (decode_item(d)) {
    block_counts = arena_grow(d->g->arena, block_counts, count, (size_t)count + 1, &capacity,
                              sizeof *block_counts);
    block_counts[count++] = decode_region(d);
  }
  assert(d->in_unknown >= unknown);
  d->in_unknown -= unknown;
  region_id region = graph_add_regions(d->g, op, d->func, count);
  const uint32_t *blocks = d->stack + mark;
  for (uint32_t i = 0; i < count; i++) {
    graph_set_region_blocks(d->g, region + i, blocks, block_counts[i]);
    blocks += block_counts[i];
  }
  assert(blocks == d->stack + d->stack_count);
  d->stack_count = mark;
}

typedef enum op_part {
  PART_NAME,
  PART_OPERANDS,
  PART_RESULTS,
  PART_ATTRS,
  PART_REGIONS,
  PART_SUCCESSORS,
  PARTS
} op_part;

static void decode_op_part(graph_decoder *d, op_id op, op_part part) {
  uint32_t begin = cursor_offset(&d->c), mark = d->stack_count, count;
  json_slice name;
  switch (part) {
  case PART_NAME:
    if (!decode_string(d, &name)) return;
    d->g->ops[op].name = decode_seen(d, name)->name;
    d->g->ops[op].name_span = decode_span(d, begin);
    return;
  case PART_OPERANDS: decode_operands(d, op); return;
  case PART_RESULTS:
    count = decode_slots(d, true);
    define_slots(d, mark, graph_add_results(d->g, op, count), count);
    d->stack_count = mark;
    return;
  case PART_ATTRS: decode_op_attrs(d, op); return;
  case PART_REGIONS: decode_regions(d, op); return;
  case PART_SUCCESSORS: decode_successors(d, op); return;
  case PARTS: cursor_skip(&d->c); return;
  }
}

// "unread" is the name of an operation whose own syntax its reader did not understand.
static op_part part_of(graph_decoder *d, op_id op, json_slice key) {
  static const char *const KEYS[PARTS] = {"name",       "operands", "results",
                                          "attributes", "regions",  "successors"};
  for (unsigned i = 0; i < PARTS; i++) {
    if (slice_is(key, KEYS[i])) return (op_part)i;
  }
  if (!slice_is(key, "unread")) return PARTS;
  d->g->ops[op].unread = true;
  return PART_NAME;
}

// The parts of an operation, by their position in an array or by key. names: in scope before those of its results.
static void decode_op_parts(graph_decoder *d, op_id op, bool is_list, uint32_t names,
                            bool has_results) {
  const char *regions = NULL;
  json_slice key = {0};
  while (is_list ? decode_item(d) : decode_key(d, &key)) {
    uint32_t part = is_list ? decode_index(d) : part_of(d, op, key);
    // Values count in the order of the text, an operation's before those in its regions: regions that precede the
    // results wait for them, and for the name, which says what is legal inside.
    if (part == PART_REGIONS && (!has_results || d->g->ops[op].name == NAME_NONE)) {
      cursor_peek(&d->c);
      regions = d->c.at;
      part = PARTS;
    }
    has_results |= part == PART_RESULTS;
    bool hides = d->undo_count > names && (part == PART_OPERANDS || part == PART_REGIONS);
    uint32_t end = hides ? hide_names(d, names) : 0;
    decode_op_part(d, op, part < PARTS ? (op_part)part : PARTS);
    if (hides) show_names(d, names, end);
  }
  if (!regions || d->c.failed) return;
  const char *after = d->c.at;
  d->path[d->depth++] = (path_step){.key = {"regions", 7}};
  assert(d->depth <= GRAPH_JSON_DEPTH);
  d->c.at = regions;
  uint32_t end = hide_names(d, names);
  decode_regions(d, op);
  show_names(d, names, end);
  if (!d->c.failed) d->c.at = after;
  d->depth--;
}

static void decode_op(graph_decoder *d, block_id block) {
  assert(block < d->g->block_count);
  shape_graph *g = d->g;
  char first = cursor_peek(&d->c);
  uint32_t begin = cursor_offset(&d->c);
  if (first != '[' && first != '{') {
    decode_expected(d, "an operation (an object or an array)");
    return;
  }
  uint32_t errors = g->diags.errors, names = d->undo_count;
  if (first == '[') {
    graph_pattern pattern;
    if (decode_patterned(d, block)) return;
    op_id op = decode_head(d, block, &pattern);
    if (op != ID_NONE) {
      decode_op_parts(d, op, true, names, true);
      g->ops[op].span.end = cursor_offset(&d->c);
      decode_note_pattern(d, op, &pattern, errors);
      return;
    }
  }
  op_id op = graph_add_op(g, NAME_NONE, block, (source_span){begin, begin});
  if (first == '[' ? decode_array(d) : decode_object(d))
    decode_op_parts(d, op, first == '[', names, false);
  g->ops[op].span.end = cursor_offset(&d->c);
  if (g->ops[op].name == NAME_NONE || !intern_length(&g->names, g->ops[op].name)) {
    if (g->ops[op].name == NAME_NONE) g->ops[op].name = intern_add(&g->names, "", 0);
    decode_error(d, g->ops[op].span, "json", "an operation needs a \"name\"");
  }
  decode_check_operands(d, op, errors);
}

// "returns": the operands of a terminator that is not written as an operation.
static void add_return(graph_decoder *d, block_id block, const char *name, const char *returns) {
  const char *after = d->c.at;
  uint32_t end = cursor_offset(&d->c), errors = d->g->diags.errors;
  op_id op = graph_add_op(d->g, intern_add(&d->g->names, name, strlen(name)), block,
                          (source_span){end, end});
  assert(d->c.base <= returns && returns <= d->c.end);
  d->c.at = returns;
  decode_operands(d, op);
  if (!d->c.failed) d->c.at = after;
  decode_check_operands(d, op, errors);
}

static void decode_ops(graph_decoder *d, block_id block) {
  if (!decode_array(d)) return;
  while (decode_item(d)) decode_op(d, block);
}

// A block: {"arguments", "ops", "returns"} or [arguments, op, op, ...].
static void decode_block(graph_decoder *d, block_id block) {
  uint32_t mark = d->stack_count;
  const char *ops = NULL, *returns = NULL;
  json_slice key;
  if (cursor_peek(&d->c) == '[') {
    if (!decode_array(d)) return;
    while (decode_item(d)) {
      if (decode_index(d)) {
        decode_op(d, block);
        continue;
      }
      uint32_t count = decode_slots(d, true);
      define_slots(d, mark, graph_add_block_arguments(d->g, block, count), count);
      d->stack_count = mark;
    }
  } else if (decode_object(d)) {
    bool has_arguments = false;
    while (decode_key(d, &key)) {
      cursor_peek(&d->c);
      if (slice_is(key, "arguments")) {
        uint32_t count = decode_slots(d, true);
        define_slots(d, mark, graph_add_block_arguments(d->g, block, count), count);
        d->stack_count = mark;
        has_arguments = true;
      } else if (slice_is(key, "ops") && has_arguments) {
        decode_ops(d, block);
      } else {
        if (slice_is(key, "ops")) ops = d->c.at;
        if (slice_is(key, "returns")) returns = d->c.at;
        cursor_skip(&d->c);
      }
    }
    const char *after = d->c.at;
    if (ops && !d->c.failed) {
      d->path[d->depth++] = (path_step){.key = {"ops", 3}};
      d->c.at = ops;
      decode_ops(d, block);
      if (!d->c.failed) d->c.at = after;
      d->depth--;
    }
    if (returns && !d->c.failed) {
      d->path[d->depth++] = (path_step){.key = {"returns", 7}};
      add_return(d, block, "stablehlo.return", returns);
      d->depth--;
    }
  }
}

static void new_block(graph_decoder *d) {
  block_id block = graph_add_block(d->g, ID_NONE);
  graph_add_block_arguments(d->g, block, 0);
  decode_push(d, block);
  decode_block(d, block);
}

// A region is its only block, or {"blocks": [...]}, which see the names of those before. Pushes the blocks; returns how
// many.
static uint32_t decode_region(graph_decoder *d) {
  uint32_t mark = d->stack_count, scope = d->undo_count;
  json_cursor c = d->c;
  json_slice key;
  char first = cursor_peek(&d->c);
  if (first != '[' && first != '{') {
    decode_expected(d, "a region (an object or an array)");
    return 0;
  }
  bool has_blocks = first == '{' && cursor_enter(&c, '{') && cursor_next_key(&c, true, &key) &&
                    slice_is(key, "blocks");
  if (!has_blocks) {
    new_block(d);
    leave_scope(d, scope);
    return 1;
  }
  if (!decode_object(d)) return 0;
  while (decode_key(d, &key)) {
    if (!slice_is(key, "blocks")) {
      cursor_skip(&d->c);
    } else if (decode_array(d)) {
      while (decode_item(d)) new_block(d);
    }
  }
  leave_scope(d, scope);
  return d->stack_count - mark;
}

// --- functions
typedef struct func_parts {
  uint32_t arguments, argument_count;  // on the stack
  uint32_t results, result_count;
  bool has_arguments, has_results, is_private;
  block_id block;                      // of the body, once it was begun
  const char *ops, *blocks, *returns;  // to be read when the rest was
} func_parts;

static void begin_body(graph_decoder *d, func_parts *p) {
  region_id body = graph_add_body(d->g, d->func);
  p->block = graph_add_block(d->g, body);
  value_id first = graph_add_block_arguments(d->g, p->block, p->argument_count);
  define_slots(d, p->arguments, first, p->argument_count);
}

static void name_func(graph_decoder *d) {
  shape_graph *g = d->g;
  uint32_t begin = decode_here(d).begin;
  name_id name;
  if (cursor_word(&d->c, "null") || !decode_name(d, &name)) return;
  g->funcs[d->func].name_span = decode_span(d, begin);
  const char *text = intern_text(&g->names, name);
  if (graph_find_func(g, d->module, text, intern_length(&g->names, name)) != ID_NONE) {
    decode_error(d, decode_span(d, begin), "redefinition", "function \"%s\" is defined already",
                 text);
  }
  graph_name_func(g, d->func, name);
}

static void decode_func_attrs(graph_decoder *d) {
  shape_graph *g = d->g;
  uint32_t count = decode_attrs(d);
  d->entry_count -= count;
  g->attributes.entries = arena_grow(g->arena, g->attributes.entries, g->attributes.entry_count,
                                     (size_t)g->attributes.entry_count + count,
                                     &g->attributes.entry_capacity, sizeof *g->attributes.entries);
  if (count) {
    memcpy(g->attributes.entries + g->attributes.entry_count, d->entries + d->entry_count,
           count * sizeof *d->entries);
  }
  g->funcs[d->func].attrs = g->attributes.entry_count;
  g->funcs[d->func].attr_count = count;
  g->attributes.entry_count += count;
}

static void decode_func_key(graph_decoder *d, json_slice key, func_parts *p) {
  cursor_peek(&d->c);
  if (slice_is(key, "name")) {
    name_func(d);
  } else if (slice_is(key, "arguments")) {
    p->has_arguments = true;
    p->arguments = d->stack_count;
    p->argument_count = decode_slots(d, true);
  } else if (slice_is(key, "results")) {
    p->has_results = cursor_peek(&d->c) != 'n';
    p->results = d->stack_count;
    p->result_count = decode_slots(d, false);
  } else if (slice_is(key, "private")) {
    decode_bool(d, &p->is_private);
  } else if (slice_is(key, "attributes")) {
    decode_func_attrs(d);
  } else if (slice_is(key, "ops") && p->has_arguments) {
    begin_body(d, p);
    decode_ops(d, p->block);
  } else if (slice_is(key, "module")) {
    // Functions of one module see one another; the number comes before the name.
    int64_t module = 0;
    if (decode_int(d, &module)) d->module = d->g->funcs[d->func].module = (uint32_t)module;
  } else {
    if (slice_is(key, "ops")) p->ops = d->c.at;
    if (slice_is(key, "blocks")) p->blocks = d->c.at;
    if (slice_is(key, "returns")) p->returns = d->c.at;
    cursor_skip(&d->c);
  }
}

static void check_argument_types(graph_decoder *d, const func_parts *p) {
  for (uint32_t i = 0; i < p->argument_count; i++) {
    const uint32_t *slot = d->stack + p->arguments + (size_t)i * SLOTS;
    if (slot[SLOT_TYPE] == TYPE_NONE && !d->g->diags.errors) {
      decode_error(d, d->g->funcs[d->func].span, "json", "arguments[%u] needs a \"type\"", i);
    }
  }
}

// A body of several blocks; the first one has the function's arguments.
static void decode_func_blocks(graph_decoder *d, func_parts *p) {
  region_id body = graph_add_body(d->g, d->func);
  uint32_t scope = d->undo_count, mark = d->stack_count;
  const char *after = d->c.at;
  d->path[d->depth++] = (path_step){.key = {"blocks", 6}};
  assert(d->depth <= GRAPH_JSON_DEPTH);
  d->c.at = p->blocks;
  if (decode_array(d)) {
    while (decode_item(d)) new_block(d);
  }
  if (!d->c.failed) d->c.at = after;
  d->depth--;
  uint32_t count = d->stack_count - mark;
  graph_set_region_blocks(d->g, body, d->stack + mark, count);
  if (!count || d->g->blocks[d->g->regions[body].first_block].argument_count != p->argument_count) {
    decode_error(d, d->g->funcs[d->func].span, "json",
                 "the first of \"blocks\" has other arguments than the function");
  }
  d->stack_count = mark;
  leave_scope(d, scope);
}

// What had to wait for the arguments, and the return.
static void finish_body(graph_decoder *d, func_parts *p) {
  if (p->blocks && p->block == ID_NONE) {
    decode_func_blocks(d, p);
    return;
  }
  if (p->block == ID_NONE) begin_body(d, p);
  const char *after = d->c.at;
  if (p->ops) {
    d->path[d->depth++] = (path_step){.key = {"ops", 3}};
    d->c.at = p->ops;
    decode_ops(d, p->block);
    d->depth--;
  }
  if (!d->c.failed) d->c.at = after;
  if (p->returns && !d->c.failed) {
    d->path[d->depth++] = (path_step){.key = {"returns", 7}};
    add_return(d, p->block, "func.return", p->returns);
    d->depth--;
  }
}

// The function's type from its arguments and results, the latter from what it returns where they are not given.
static void set_func_type(graph_decoder *d, const func_parts *p, graph_func *f) {
  shape_graph *g = d->g;
  uint32_t mark = d->stack_count, results = p->result_count;
  bool whole = true;
  source_span *spans = NULL;
  for (uint32_t i = 0; i < p->argument_count; i++) {
    decode_push(d, d->stack[p->arguments + (size_t)i * SLOTS + SLOT_TYPE]);
  }
  if (p->has_results) {
    spans = arena_alloc(g->arena, results * sizeof *spans + 1);
    for (uint32_t i = 0; i < results; i++) {
      size_t slot = p->results + (size_t)i * SLOTS;
      spans[i] = (source_span){d->stack[slot + SLOT_TYPE_BEGIN], d->stack[slot + SLOT_TYPE_END]};
      decode_push(d, d->stack[slot + SLOT_TYPE]);
    }
  } else if (f->body != ID_NONE && g->regions[f->body].block_count) {
    op_id last = graph_terminator(g, g->regions[f->body].first_block);
    results = last == ID_NONE ? 0 : g->ops[last].operand_count;
    for (uint32_t i = 0; i < results; i++) {
      value_id v = graph_operand(g, last, i);
      decode_push(d, v == VALUE_NONE ? TYPE_NONE : g->values[v].type);
    }
  }
  uint32_t count = p->argument_count + results;
  assert(count == d->stack_count - mark);
  for (uint32_t i = 0; i < count; i++) whole &= d->stack[mark + i] != TYPE_NONE;
  // Operations of the module itself are in a function without a name, which has no type either.
  if (whole && f->name != NAME_NONE)
    f->type = type_function(&g->types, d->stack + mark, p->argument_count, results);
  f->result_spans = spans;
  d->stack_count = mark;
}

static const attr_id *slot_attrs(graph_decoder *d, uint32_t first, uint32_t count) {
  assert(first + (size_t)count * SLOTS <= d->stack_count);
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    any |= d->stack[first + (size_t)i * SLOTS + SLOT_ATTR] != ATTR_NONE;
  }
  if (!any) return NULL;
  attr_id *attrs = arena_alloc(d->g->arena, count * sizeof *attrs);
  for (uint32_t i = 0; i < count; i++) {
    attrs[i] = d->stack[first + (size_t)i * SLOTS + SLOT_ATTR];
  }
  return attrs;
}

static void decode_func(graph_decoder *d) {
  shape_graph *g = d->g;
  uint32_t begin = decode_here(d).begin, scope = d->undo_count, mark = d->stack_count;
  func_parts p = {.block = ID_NONE};
  json_slice key;
  if (!decode_object(d)) return;
  d->module = 0;
  func_id func = graph_add_func(g, NAME_NONE, d->module, (source_span){begin, begin});
  d->func = func;
  while (decode_key(d, &key)) decode_func_key(d, key, &p);
  g->funcs[func].span = decode_span(d, begin);
  if (d->c.failed) return;
  check_argument_types(d, &p);
  g->funcs[func].is_private = p.is_private;
  g->funcs[func].is_declaration = p.block == ID_NONE && !p.ops && !p.blocks && !p.returns;
  if (!g->funcs[func].is_declaration) finish_body(d, &p);
  set_func_type(d, &p, &g->funcs[func]);
  g->funcs[func].argument_attrs = slot_attrs(d, p.arguments, p.argument_count);
  g->funcs[func].result_attrs = slot_attrs(d, p.results, p.result_count);
  leave_scope(d, scope);
  d->stack_count = mark;
}

static void decode_functions(graph_decoder *d) {
  if (!decode_array(d)) return;
  while (decode_item(d)) decode_func(d);
}

// Some 96 bytes of text make an operation; large arrays grow well enough by themselves.
static uint32_t reserve_for(uint32_t length) {
  enum { TEXT_OF_AN_OPERATION = 96, MAX_RESERVED = 1 << 12 };
  uint32_t guess = length / TEXT_OF_AN_OPERATION;
  return guess < MAX_RESERVED ? guess : MAX_RESERVED;
}

static graph_decoder *decoder_new(shape_graph *g, shape_budget *budget) {
  graph_decoder *d = arena_alloc(g->arena, sizeof *d);
  memset(d, 0, offsetof(graph_decoder, path));
  uint32_t slots = SEEN_MIN;
  while (slots < SEEN_MAX && slots < reserve_for(g->source.length)) slots *= 2;
  d->texts.seen = arena_zalloc(g->arena, slots * sizeof *d->texts.seen);
  d->texts.seen_mask = slots - 1;
  d->repeats.op_max = reserve_for(g->source.length);
  if (d->repeats.op_max < PATTERNS_MIN) d->repeats.op_max = PATTERNS_MIN;
  if (d->repeats.op_max > PATTERNS_MAX) d->repeats.op_max = PATTERNS_MAX;
  d->repeats.ops = arena_alloc(g->arena, d->repeats.op_max * sizeof *d->repeats.ops);
  assert((slots & d->texts.seen_mask) == 0);
  d->g = g;
  d->budget = budget;
  d->until_poll = BUDGET_POLL_EVERY;
  cursor_init(&d->c, g->arena, g->source.text, g->source.length);
  // Room from the start: pointers into the stacks are taken also when nothing is on them.
  d->stack = arena_grow(g->arena, NULL, 0, 64, &d->stack_cap, sizeof *d->stack);
  d->entries = arena_grow(g->arena, NULL, 0, 16, &d->entry_cap, sizeof *d->entries);
  return d;
}

// json_validate lets no invalid text through; should one come here all the same, it must not look like a program.
static void report_invalid(graph_decoder *d) {
  budget_take(d->budget, BUDGET_POLL_EVERY - d->until_poll);
  if (d->c.failed && !d->g->diags.errors) {
    diag_add(&d->g->diags, DIAG_ERROR, "syntax", (source_span){0, 0}, "the text is not JSON");
  }
}

void graph_json_decode_fragment(shape_graph *g, shape_budget *budget, graph_fragment kind,
                                graph_outer_value *outer, void *data) {
  graph_decoder *d = decoder_new(g, budget);
  d->outer = outer;
  d->outer_data = data;
  if (kind == GRAPH_FRAGMENT_SYMBOL) {
    decode_one_symbol(d);
  } else {
    d->func = graph_add_func(g, intern_add(&g->names, "fragment", 8), 0, (source_span){0, 0});
    block_id block = graph_add_block(g, graph_add_body(g, d->func));
    if (kind == GRAPH_FRAGMENT_OP) {
      decode_op(d, block);
      if (g->successors.count)
        decode_error(d, (source_span){0, 0}, "json", "an operation with blocks is not repeated");
      g->successors.count = 0;
    } else {
      value_id value = graph_add_block_arguments(g, block, 1);
      type_id type = decode_type(d);
      g->values[value].type = type;
    }
  }
  report_invalid(d);
}

// Which version of the operators of ONNX the operations are of.
static void decode_opset(graph_decoder *d) {
  uint32_t begin = cursor_offset(&d->c);
  int64_t version;
  if (!decode_int(d, &version)) return;
  if (version < 1 || version > UINT16_MAX) {
    decode_error(d, (source_span){begin, begin}, "json", "\"opset\" is a version, from 1 on");
    return;
  }
  d->g->onnx_opset = (uint32_t)version;
}

void graph_json_decode(shape_graph *g, shape_budget *budget) {
  graph_decoder *d = decoder_new(g, budget);
  // A text of n bytes defines fewer than n/4 values.
  d->of.numbered_limit = g->source.length / 4 + 16;
  if (d->of.numbered_limit > NUMBERS) d->of.numbered_limit = NUMBERS;
  graph_reserve(g, reserve_for(g->source.length));
  bool has_functions = false;
  json_slice key;
  if (decode_object(d)) {
    while (decode_key(d, &key)) {
      if (slice_is(key, "functions")) {
        has_functions = true;
        decode_functions(d);
      } else if (slice_is(key, "opset")) {
        decode_opset(d);
      } else if (slice_is(key, "symbols")) {
        decode_symbols(d);
      } else if (slice_is(key, "constraints")) {
        decode_constraints(d);
      } else {
        cursor_skip(&d->c);
      }
    }
    assert(!d->depth && !d->in_unknown && !d->entry_count);
    check_successors(d);
    source_span whole = {0, g->source.length};
    if (!has_functions) decode_error(d, whole, "json", "a graph needs \"functions\"");
  }
  report_invalid(d);
}
