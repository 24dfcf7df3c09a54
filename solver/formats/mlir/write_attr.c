// SPDX-License-Identifier: Apache-2.0
// Attributes in the spelling of the generic form.
#include <assert.h>
#include <string.h>

#include "solver/formats/mlir/write.h"

static const char *second_of(const char *const rows[][2], size_t count, const char *first) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(rows[i][0], first) == 0) return rows[i][1];
  }
  return NULL;
}

// Words of pretty forms, by the attribute that they are the value of (StablehloEnums.td, IndexEnums.td).
static const char *enum_name(const char *key) {
  static const char *const ROWS[][2] = {{"comparison_direction", "comparison_direction"},
                                        {"compare_type", "comparison_type"},
                                        {"precision_config", "precision"},
                                        {"fft_type", "fft_type"},
                                        {"rng_distribution", "rng_distribution"},
                                        {"rng_algorithm", "rng_algorithm"},
                                        {"pred", "cmp_predicate"}};
  return second_of(ROWS, sizeof ROWS / sizeof *ROWS, key);
}

// The same of TOSA (TosaTypesBase.td, TosaOps.td), which writes them as #tosa.name<WORD>.
static const char *tosa_enum_name(const char *key) {
  static const char *const ROWS[][2] = {{"mode", "resize_mode"},
                                        {"nan_mode", "nan_mode"},
                                        {"rounding_mode", "rounding_mode"},
                                        {"block_size", "block_size"}};
  return second_of(ROWS, sizeof ROWS / sizeof *ROWS, key);
}

static uint32_t dialect_length(const char *name) {
  const char *point = strchr(name, '.');
  return (uint32_t)(point ? (size_t)(point - name) : strlen(name));
}

void mlir_write_quoted(mlir_writer *w, const char *text, uint32_t length) {
  strbuf_putc(w->out, '"');
  for (uint32_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c < 0x20 || c == '"' || c == '\\' || c >= 0x7f) {
      strbuf_printf(w->out, "\\%02X", c);
    } else {
      strbuf_putc(w->out, (char)c);
    }
  }
  strbuf_putc(w->out, '"');
}

// The source without comments, its line breaks as spaces, nothing idle at the end.
static void copy_source(mlir_writer *w, source_span span) {
  const char *at = w->graph->source.text + span.begin, *end = w->graph->source.text + span.end;
  bool gap = false;
  while (at < end) {
    const char *from = at;
    if (*at == '"') {
      for (at++; at < end && *at != '"'; at++) at += *at == '\\' && at + 1 < end;
      at += at < end;
    } else if (*at == '/' && at + 1 < end && at[1] == '/') {
      while (at < end && *at != '\n') at++;
      continue;
    } else if ((unsigned char)*at <= ' ') {
      gap = true;
      at++;
      continue;
    } else {
      at++;
    }
    if (gap) strbuf_putc(w->out, ' ');
    gap = false;
    strbuf_add(w->out, from, (size_t)(at - from));
  }
}

static void write_ints(mlir_writer *w, const graph_attr *attr) {
  uint32_t count;
  const int64_t *ints = attr_held_ints(attr, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(w->out, ", ");
    strbuf_int(w->out, ints[i]);
  }
}

// A list that a pretty form writes as [0, 1]. MHLO keeps such lists as dense elements.
static void write_list(mlir_writer *w, op_id op, const char *key, const graph_attr *attr) {
  if (op != ID_NONE && strncmp(graph_op_name(w->graph, op), "mhlo.", 5) == 0) {
    strbuf_puts(w->out, "dense<[");
    write_ints(w, attr);
    strbuf_printf(w->out, "]> : tensor<%uxi64>", attr->count);
    return;
  }
  bool flags = strcmp(key, "window_reversal") == 0;
  bool branch = op != ID_NONE && strncmp(graph_op_name(w->graph, op), "cf.", 3) == 0;
  bool narrow = branch || strcmp(key, "operandSegmentSizes") == 0;
  strbuf_puts(w->out, flags ? "array<i1" : narrow ? "array<i32" : "array<i64");
  uint32_t count;
  const int64_t *ints = attr_held_ints(attr, &count);
  for (uint32_t i = 0; i < count; i++) {
    strbuf_puts(w->out, i ? ", " : ": ");
    if (flags) {
      strbuf_puts(w->out, ints[i] ? "true" : "false");
    } else {
      strbuf_int(w->out, ints[i]);
    }
  }
  strbuf_putc(w->out, '>');
}

// dense<[[0, 1], [2, 3]]> : type, from the elements.
static void write_dense(mlir_writer *w, const graph_attr *attr) {
  int64_t value;
  if (attr->splat && attr_int_at(attr, 0, &value)) {
    strbuf_printf(w->out, "dense<%lld> : ", (long long)value);
    mlir_write_type(w, attr->type);
    return;
  }
  const graph_type *type = type_get(&w->graph->types, attr->type);
  strbuf_puts(w->out, "dense<");
  bool empty = false;
  for (uint32_t i = 0; i < type->rank; i++) empty |= type->dims[i] == 0;
  uint64_t inner = 1;
  for (uint32_t i = 1; i < type->rank; i++) inner *= (uint64_t)type->dims[i];
  if (!empty && type->rank) strbuf_putc(w->out, '[');
  uint32_t count;
  const int64_t *ints = attr_held_ints(attr, &count);
  for (uint32_t i = 0; !empty && i < count; i++) {
    bool opens = type->rank == 2 && i % inner == 0;
    if (i) strbuf_puts(w->out, opens ? "], " : ", ");
    if (opens) strbuf_putc(w->out, '[');
    strbuf_int(w->out, ints[i]);
  }
  if (!empty && type->rank == 2) strbuf_putc(w->out, ']');
  if (!empty && type->rank) strbuf_putc(w->out, ']');
  strbuf_puts(w->out, "> : ");
  mlir_write_type(w, attr->type);
}

// A structure that the pretty form spells in its own way: convolutions, algorithms, dimension numbers of dot_general.
static void write_struct(mlir_writer *w, const graph_attr *attr, char first) {
  const char *name = attr->text == NAME_NONE ? "" : intern_text(&w->graph->names, attr->text);
  if (first == '[' || first == '<') {
    // The body as it is: [b, f]x[i, o]->[b, f], or <lhs_precision_type = f32, ...>.
    strbuf_printf(w->out, "#%s%s", name, first == '[' ? "<" : "");
    copy_source(w, attr->span);
    if (first == '[') strbuf_putc(w->out, '>');
    return;
  }
  strbuf_printf(w->out, "#%s<", name);
  uint32_t count;
  const attr_entry *entries = attr_entries(attr, &count);
  for (uint32_t i = 0; i < count; i++) {
    attr_entry entry = entries[i];
    const graph_attr *value = &w->graph->attributes.items[entry.value];
    strbuf_printf(w->out, "%s%s = ", i ? ", " : "", intern_text(&w->graph->names, entry.name));
    if (value->kind == ATTR_INTS) {
      strbuf_putc(w->out, '[');
      write_ints(w, value);
      strbuf_putc(w->out, ']');
    } else {
      copy_source(w, value->span);
    }
  }
  strbuf_putc(w->out, '>');
}

static void write_word(mlir_writer *w, op_id op, const char *key, const graph_attr *attr) {
  const char *word = intern_text(&w->graph->names, attr->text);
  const char *name = op == ID_NONE ? "" : graph_op_name(w->graph, op);
  const char *kind = op == ID_NONE ? NULL : enum_name(key), *tosa = NULL;
  if (strncmp(name, "tosa.", 5) == 0) tosa = tosa_enum_name(key);
  if (tosa) {
    strbuf_printf(w->out, "#tosa.%s<%s>", tosa, word);
    return;
  }
  if (!kind) {
    mlir_write_quoted(w, word, intern_length(&w->graph->names, attr->text));
    return;
  }
  strbuf_printf(w->out, "#%.*s<%s %s>", (int)dialect_length(name), name, kind, word);
}

// Lists in a list are arrays of integers.
static void write_items(mlir_writer *w, op_id op, name_id key, const graph_attr *attr) {
  strbuf_putc(w->out, '[');
  for (uint32_t i = 0; i < attr->count; i++) {
    const graph_attr *item = &w->graph->attributes.items[attr_item_at(attr, i)];
    if (i) strbuf_puts(w->out, ", ");
    if (item->kind == ATTR_INTS && w->graph->source.text[item->span.begin] == '[') {
      copy_source(w, item->span);
    } else {
      mlir_write_attr(w, op, key, attr_item_at(attr, i));
    }
  }
  strbuf_putc(w->out, ']');
}

// Of linalg.generic the words are in quotes in its own syntax, and attributes of the dialect in the generic form.
static bool is_iterator_type(const mlir_writer *w, op_id op, const char *key) {
  return op != ID_NONE && strcmp(key, "iterator_types") == 0 &&
         strncmp(graph_op_name(w->graph, op), "linalg.", 7) == 0;
}

// Whether the text of an integer has its type, or needs none: without one it is an i64.
static bool says_type(const mlir_writer *w, const graph_attr *attr) {
  const char *text = w->graph->source.text + attr->span.begin;
  if (attr->type == TYPE_NONE || memchr(text, ':', attr->span.end - attr->span.begin)) return true;
  return type_get(&w->graph->types, attr->type)->dtype == DTYPE_I64;
}

void mlir_write_attr(mlir_writer *w, op_id op, name_id key_name, attr_id id) {
  assert(id < w->graph->attributes.count);
  const graph_attr *attr = &w->graph->attributes.items[id];
  const char *key = key_name == NAME_NONE ? "" : intern_text(&w->graph->names, key_name);
  char first = attr->span.begin < attr->span.end ? w->graph->source.text[attr->span.begin] : 0;
  bool number = (first >= '0' && first <= '9') || first == '-';
  switch ((attr_kind)attr->kind) {
  case ATTR_UNIT: strbuf_puts(w->out, "unit"); return;
  case ATTR_BOOL: strbuf_puts(w->out, attr_one_int(attr) ? "true" : "false"); return;
  case ATTR_INT:
    if (number && says_type(w, attr)) break;
    strbuf_int(w->out, attr_one_int(attr));
    strbuf_puts(w->out, " : ");
    if (attr->type == TYPE_NONE) {
      strbuf_puts(w->out, "i64");
    } else {
      mlir_write_type(w, attr->type);
    }
    return;
  case ATTR_STRING:
    if (is_iterator_type(w, op, key)) {
      strbuf_printf(w->out, "#linalg.iterator_type<%s>", intern_text(&w->graph->names, attr->text));
      return;
    }
    if (first == '"') break;
    mlir_write_quoted(w, intern_text(&w->graph->names, attr->text),
                      intern_length(&w->graph->names, attr->text));
    return;
  case ATTR_ARRAY:
    if (first == '[') {
      write_items(w, op, key_name, attr);
      return;
    }
    break;
  case ATTR_DICT:
    if (first == '#' || first == '{') break;
    write_struct(w, attr, strcmp(key, "dot_dimension_numbers") == 0 ? 0 : first);
    return;
  case ATTR_INTS:
    if (first && first != '[' && first != '(') break;
    write_list(w, op, key, attr);
    return;
  case ATTR_DENSE:
    if (first && first != '[') break;
    write_dense(w, attr);
    return;
  case ATTR_ENUM:
    if (first == '#') break;
    write_word(w, op, key, attr);
    return;
  case ATTR_OPAQUE:
    if (attr->text == NAME_NONE) break;
    strbuf_puts(w->out, intern_text(&w->graph->names, attr->text));
    return;
  case ATTR_FLOAT:
  case ATTR_TYPE:
  case ATTR_SYMBOL: break;
  }
  copy_source(w, attr->span);
}

bool mlir_is_bare_name(const char *name, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) {
    char c = name[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(i && ((c >= '0' && c <= '9') || c == '.' || c == '$'))) return false;
  }
  return length > 0;
}

void mlir_write_entry(mlir_writer *w, op_id op, attr_entry entry) {
  const char *name = intern_text(&w->graph->names, entry.name);
  uint32_t length = intern_length(&w->graph->names, entry.name);
  if (mlir_is_bare_name(name, length)) {
    strbuf_add(w->out, name, length);
  } else {
    mlir_write_quoted(w, name, length);
  }
  if (w->graph->attributes.items[entry.value].kind == ATTR_UNIT) return;
  strbuf_puts(w->out, " = ");
  mlir_write_attr(w, op, entry.name, entry.value);
}
