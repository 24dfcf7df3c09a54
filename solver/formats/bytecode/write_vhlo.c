// SPDX-License-Identifier: Apache-2.0
// An operation of StableHLO or func as the VHLO of a release: the newest version is made, with defaults and with groups of
// attributes taken apart by the tables of vhlo.def, and held against the version that the release has. Sources:
// StablehloLegalizeToVhlo.cpp, VhloToVersion.cpp, VhloOps.cpp (constraints).
#include <stdio.h>
#include <stdlib.h>

#include "solver/formats/bytecode/writer.h"

// --- attributes of the operation as it is

static const bw_entry *find(const bytecode_writer *w, const bw_op *op, const char *key) {
  const bw_entry *all = w->program.entries.items;
  const bw_range ranges[] = {op->properties, op->attributes};
  for (int k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < ranges[k].count; i++) {
      if (bc_is(all[ranges[k].first + i].key, key)) return &all[ranges[k].first + i];
    }
  }
  return NULL;
}

static const char *key_of(bytecode_writer *w, bc_slice key) {
  return arena_strndup(w->arena, key.text, key.length);
}

// The text of an attribute without an alias; empty where it is absent.
static bc_slice text_of(bytecode_writer *w, const bw_op *op, const char *key) {
  const bw_entry *entry = find(w, op, key);
  if (!entry) return (bc_slice){"", 0};
  return entry->value.length ? bw_expand(w, entry->value) : (bc_slice){"true", 4};
}

static bc_slice literal(const char *text) { return (bc_slice){text, (uint32_t)strlen(text)}; }

// --- groups

// The elements of [1, 2] as a tensor, or a number as an i64; types and booleans as they are.
static bc_slice part_text(bytecode_writer *w, bc_slice text) {
  int64_t number;
  if (text.length && text.text[0] == '[') {
    uint32_t count = 0;
    bw_cursor c = bw_open(bw_inside(text, 1));
    for (bc_slice item; bw_next_item(&c, &item);) count++;
    if (!count) return literal("dense<> : tensor<0xi64>");
    return bw_text(w->arena, "dense<%.*s> : tensor<%uxi64>", (int)text.length, text.text, count);
  }
  if (bw_int(text, &number)) return bw_text(w->arena, "%lld : i64", (long long)number);
  return text;
}

static bc_slice conv_part(bytecode_writer *w, bc_slice text, uint32_t part) {
  int64_t roles[3][2];
  const int64_t *spatial[3];
  uint32_t counts[3];
  if (!bw_conv(w, text, roles, spatial, counts)) {
    bw_refuse(w, "its dimension_numbers are not understood");
    return literal("");
  }
  assert(part < 9);
  uint32_t which = part / 3;
  if (part % 3 < 2) return bw_text(w->arena, "%lld : i64", (long long)roles[which][part % 3]);
  shape_strbuf out;
  strbuf_init(&out, w->arena);
  strbuf_putc(&out, '[');
  for (uint32_t i = 0; i < counts[which]; i++) {
    if (i) strbuf_puts(&out, ", ");
    strbuf_int(&out, spatial[which][i]);
  }
  strbuf_putc(&out, ']');
  return part_text(w, (bc_slice){strbuf_text(&out), out.length});
}

// Part `field` of a group; false: it is none of one.
static bool group_part(bytecode_writer *w, const bw_op *op, bc_slice base, bc_slice field,
                       bc_slice *out) {
  unsigned rows;
  const vhlo_group *groups = vhlo_groups(&rows);
  for (unsigned g = 0; g < rows; g++) {
    uint32_t part = 0;
    if (!bc_has_word(groups[g].ops, base)) continue;
    const char *at = groups[g].parts;
    bc_slice word = bc_next_word(&at);
    for (; word.length && !bc_same(word, field); word = bc_next_word(&at)) part++;
    if (!word.length) continue;
    bool channel = strcmp(groups[g].kind, "channel_handle") == 0;
    bc_slice text = text_of(w, op, groups[g].attribute), key = field;
    if (!text.length) {
      bool algorithm = strcmp(groups[g].kind, "dot_algorithm") == 0;
      *out = literal(channel ? "0 : i64" : "none");
      if (!channel && !algorithm) bw_refuse(w, "its attribute %s is missing", groups[g].attribute);
      return true;
    }
    if (strcmp(groups[g].kind, "conv") == 0) {
      *out = conv_part(w, text, part);
      return true;
    }
    if (channel) key = literal(part ? "type" : "handle");
    const char *open = memchr(text.text, '<', text.length);
    bw_entry entry;
    *out = literal(channel || bc_is(field, "index_vector_dim") ? "0 : i64"
                                                               : "dense<> : tensor<0xi64>");
    if (!open) return bw_refuse(w, "its attribute %s is not understood", groups[g].attribute), true;
    bw_cursor c = bw_open(bw_inside(text, (size_t)(open - text.text) + 1));
    while (bw_next_entry(w, &c, &entry)) {
      if (bc_same(entry.key, key)) *out = part_text(w, entry.value);
    }
    return true;
  }
  return false;
}

static bool is_group(bc_slice base, bc_slice key) {
  unsigned rows;
  const vhlo_group *groups = vhlo_groups(&rows);
  for (unsigned g = 0; g < rows; g++) {
    if (bc_has_word(groups[g].ops, base) && bc_is(key, groups[g].attribute)) return true;
  }
  return false;
}

// --- defaults

static bool list_length(bytecode_writer *w, bc_slice text, uint32_t *count) {
  bw_cursor c = bw_open(text);
  *count = 0;
  if (!bc_begins(text, "array<i64") && !bc_begins(text, "dense<")) return false;
  if (text.text[0] == 'd') {
    bc_slice element, type = {text.text, 0};
    int64_t dims[BC_RANK_MAX];
    uint32_t rank;
    uint64_t length;
    while (c.at < c.end && *c.at != ':') bw_skip_one(&c);
    if (!bw_accept(&c, ":")) return false;
    type = bw_expand(w, bw_scan_type(&c));
    if (!bc_shape_of(type, dims, &rank, &length, &element) || rank != 1) return false;
    *count = (uint32_t)length;
    return true;
  }
  while (c.at < c.end && *c.at != ':') c.at++;
  if (!bw_accept(&c, ":")) return true;
  for (bc_slice item; bw_next_item(&c, &item);) ++*count;
  return true;
}

// How many dims a window of the operation has.
static bool window_rank(bytecode_writer *w, const bw_op *op, bc_slice base, uint32_t *rank) {
  int64_t roles[3][2];
  const int64_t *spatial[3];
  uint32_t counts[3];
  if (bc_is(base, "convolution") || bc_is(base, "dynamic_conv")) {
    if (!bw_conv(w, text_of(w, op, "dimension_numbers"), roles, spatial, counts)) return false;
    *rank = counts[0];
    return true;
  }
  return list_length(w, text_of(w, op, "window_dimensions"), rank);
}

static bc_slice window_default(bytecode_writer *w, const bw_op *op, bc_slice base, bc_slice field,
                               int value) {
  uint32_t rank;
  if (!window_rank(w, op, base, &rank)) {
    bw_refuse(w, "the rank of its window is not known");
    return literal("");
  }
  if (bc_is(field, "padding"))
    return bw_text(w->arena, rank ? "dense<0> : tensor<%ux2xi64>" : "dense<> : tensor<%ux2xi64>",
                   rank);
  if (bc_is(field, "window_reversal"))
    return bw_text(w->arena, rank ? "dense<false> : tensor<%uxi1>" : "dense<> : tensor<%uxi1>",
                   rank);
  return rank ? bw_text(w->arena, "dense<%d> : tensor<%uxi64>", value, rank)
              : literal("dense<> : tensor<0xi64>");
}

static bool default_of(bytecode_writer *w, const bw_op *op, bc_slice base, bc_slice field,
                       bc_slice *out) {
  unsigned rows;
  const vhlo_drop *drops = vhlo_drops(&rows);
  // What a typed interface takes is a dictionary.
  if (bc_is(field, "backend_config") && bc_begins(text_of(w, op, "api_version"), "4")) {
    *out = literal("{}");
    return true;
  }
  for (unsigned i = 0; i < rows; i++) {
    if (!bc_is(field, drops[i].attribute) || !bc_has_word(drops[i].ops, base)) continue;
    *out = drops[i].text[0] ? literal(drops[i].text)
                            : window_default(w, op, base, field, drops[i].kind == ALL_1);
    return true;
  }
  const char *filled = vhlo_filled(field);
  if (filled) *out = literal(filled);
  return filled != NULL;
}

// What VHLO has for a field of its operation.
static bc_slice value_of(bytecode_writer *w, const bw_op *op, bc_slice base, bc_slice field) {
  bc_slice text;
  if (group_part(w, op, base, field, &text)) return text;
  text = text_of(w, op, key_of(w, field));
  if (text.length) return vhlo_is_flag(field) && bc_is(text, "unit") ? literal("true") : text;
  if (!default_of(w, op, base, field, &text))
    bw_refuse(w, "its attribute %.*s is missing", (int)field.length, field.text);
  return text;
}

// --- releases

static bool is_accuracy_default(bytecode_writer *w, bc_slice text) {
  static const char HEAD[] = "#stablehlo.result_accuracy<";
  bw_entry entry;
  if (!bc_begins(text, HEAD)) return false;
  bw_cursor c = bw_open(bw_inside(text, sizeof HEAD - 1));
  while (bw_next_entry(w, &c, &entry)) {
    bool mode = bc_is(entry.key, "mode");
    if (mode && !bc_is(entry.value, "#stablehlo.result_accuracy_mode<DEFAULT>")) return false;
    for (uint32_t i = 0; !mode && i < entry.value.length; i++) {
      char x = entry.value.text[i];
      if (x >= '1' && x <= '9') return false;
      if (x == 'e' || x == 'E') break;
    }
  }
  return true;
}

static bool says_nothing(bytecode_writer *w, bc_slice text) {
  static const char *const NOTHING[] = {"[]", "{}", "\"\"", "none", "false"};
  for (unsigned i = 0; i < sizeof NOTHING / sizeof *NOTHING; i++) {
    if (bc_is(text, NOTHING[i])) return true;
  }
  return bc_begins(text, "dense<>") || is_accuracy_default(w, text);
}

// The version of the operation that the release has, and the newest one.
static const vhlo_op *version_of(bytecode_writer *w, bc_slice base, const vhlo_op **newest) {
  enum { VERSIONS = 9 };
  const vhlo_op *found = NULL, *oldest = NULL;
  *newest = NULL;
  for (int version = 1; version <= VERSIONS; version++) {
    char name[64];
    int length = snprintf(name, sizeof name, "%.*s_v%d", (int)base.length, base.text, version);
    if (length >= (int)sizeof name) break;
    const vhlo_op *row = vhlo_find((bc_slice){name, (uint32_t)length});
    if (!row) continue;
    *newest = row;
    if (!oldest) oldest = row;
    if (row->first <= w->release && w->release <= row->last) found = row;
  }
  if (!*newest) {
    bw_refuse(w, "VHLO has no such operation");
  } else if (!found) {
    // Each version is legal up to the next one, and the newest ones are.
    assert(oldest->first > w->release);
    bw_refuse(w, "it came with release %u.%u", oldest->first / 100, oldest->first % 100);
  }
  return found;
}

static bc_slice element_text(bc_slice type) {
  bc_slice in = bc_begins(type, "tensor<") ? bw_inside(type, strlen("tensor<")) : type;
  const char *at = in.text, *end = in.text + in.length;
  while (at < end && (*at == '?' || *at == '*' || *at == 'x' || (*at >= '0' && *at <= '9'))) at++;
  bw_cursor c = {at, end};
  return bw_scan_type(&c);
}

// Reductions to other element types than those of their operands.
static bool widens(const bytecode_writer *w, const bw_op *op) {
  const bc_slice *types = w->program.types.items;
  for (uint32_t i = 0; i < op->types.count && i < op->operand_types.count; i++) {
    bc_slice a = element_text(types[op->types.first + i]);
    if (!bc_same(a, element_text(types[op->operand_types.first + i]))) return true;
  }
  return false;
}

static bool takes_future(const bytecode_writer *w, const bw_op *op) {
  for (uint32_t i = 0; i < op->operand_types.count; i++) {
    if (bc_begins(w->program.types.items[op->operand_types.first + i], "!stablehlo.future"))
      return true;
  }
  return false;
}

// What changed without a new version of the operation, and what an older version cannot say.
static void hold_constraints(bytecode_writer *w, const bw_op *op, bc_slice base, bool older) {
  static const char VARIADIC[] = "all_gather all_reduce all_to_all collective_broadcast";
  static const char REDUCTIONS[] =
      "all_reduce reduce reduce_scatter reduce_window scatter select_and_scatter";
  enum { WIDENING = 17, DICTIONARIES = 103, FUTURES = 117 };
  if (older && bc_has_word(VARIADIC, base) && op->operands.count != 1)
    bw_refuse(w, "that release has it with one operand");
  if (older && bc_is(base, "composite") && op->region_count)
    bw_refuse(w, "that release has it without regions");
  if (w->release < WIDENING && bc_has_word(REDUCTIONS, base) && widens(w, op))
    bw_refuse(w, "its results have other element types than its operands");
  if (!bc_is(base, "custom_call")) return;
  if (w->release < DICTIONARIES && (bc_begins(text_of(w, op, "backend_config"), "{") ||
                                    bc_begins(text_of(w, op, "api_version"), "4")))
    bw_refuse(w, "a dictionary as backend_config came with release 1.3");
  if (w->release < FUTURES && takes_future(w, op))
    bw_refuse(w, "futures as operands came with release 1.17");
}

// --- the operation

// The name without its dialect; false: VHLO has no operations of that dialect.
static bool base_of(bytecode_writer *w, bc_slice name, bc_slice *out) {
  static const char DIALECT[] = "stablehlo.";
  bool func = bc_is(name, "func.func") || bc_is(name, "func.call") || bc_is(name, "func.return");
  uint32_t head = func ? 5 : (uint32_t)sizeof DIALECT - 1;
  if (!func && !bc_begins(name, DIALECT))
    return bw_refuse(w, "only operations of stablehlo and func have a form in VHLO");
  *out = (bc_slice){name.text + head, name.length - head};
  return true;
}

static void add_others(bytecode_writer *w, const bw_op *op, bc_slice base, const vhlo_op *newest,
                       bw_vhlo_op *out) {
  const bw_entry *all = w->program.entries.items;
  const bw_range ranges[] = {op->properties, op->attributes};
  uint32_t most = op->properties.count + op->attributes.count;
  out->others = arena_alloc(w->arena, ((size_t)most + 1) * sizeof *out->others);
  for (int k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < ranges[k].count; i++) {
      const bw_entry *entry = &all[ranges[k].first + i];
      if (bc_has_field(newest->fields, entry->key) || is_group(base, entry->key)) continue;
      out->others[out->other_count++] = *entry;
    }
  }
}

bool bw_to_vhlo(bytecode_writer *w, const bw_op *op, bw_vhlo_op *out) {
  enum { FIELDS_MAX = 32 };
  const vhlo_op *newest, *row;
  bc_slice base;
  *out = (bw_vhlo_op){.entry_count = 0};
  if (!base_of(w, op->name, &base) || !(row = version_of(w, base, &newest))) return false;
  hold_constraints(w, op, base, row != newest);
  for (const char *at = newest->fields; *at && !w->failed;) {
    bc_slice field = bc_next_word(&at);
    if (bc_has_field(row->fields, field)) continue;
    if (!says_nothing(w, value_of(w, op, base, field)))
      bw_refuse(w, "its attribute %.*s came with a later release", (int)field.length, field.text);
  }
  out->name = bw_text(w->arena, "vhlo.%s", row->name);
  out->entries = arena_alloc(w->arena, FIELDS_MAX * sizeof *out->entries);
  for (const char *at = row->fields; *at && !w->failed;) {
    bc_slice field = bc_next_word(&at);
    assert(out->entry_count < FIELDS_MAX);
    out->entries[out->entry_count++] = (bw_entry){field, value_of(w, op, base, field)};
  }
  assert(w->failed || out->entry_count > 0 || !row->fields[0]);
  add_others(w, op, base, newest, out);
  return !w->failed;
}
