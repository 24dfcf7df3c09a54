// SPDX-License-Identifier: Apache-2.0
// A function of the answer. Operations are by far the most of it, so their types and dims are copied from texts that
// are made once for each shape of the report.
#include <assert.h>

#include "solver/emit/encoder.h"
#include "solver/formats/json/quote.h"

// Of most texts that are made here.
enum { TEXT_ROOM = 128 };

static const char between[] = "], \"dims\": [", ending[] = "]}";

// Text that JSON has as it is.
static bool is_plain(const char *text, uint32_t length) {
  const char *end = text + length, *at = text;
  while (end - at >= 16 && !special_near(at, end)) at += end - at < QUOTE_NEAR ? 16 : QUOTE_NEAR;
  for (; at < end; at++)
    if (*at < ' ' || *at > '~' || *at == '"' || *at == '\\') return false;
  return true;
}

static void begin_json(const encoder *e, json_writer *w, shape_strbuf *out) {
  json_writer_init(w, out);
  w->big_as_text = e->w->big_as_text;
}

// What is made is copied by text_put_pieces.
static inline void end_text(shape_strbuf *buf) {
  if (buf->capacity - buf->length < TEXT_SLACK) strbuf_reserve(buf, TEXT_SLACK);
}

// A type as a string, which is printed between its quotes: most need no escape.
static void type_json(encoder *e, shape_strbuf *buf, type_id type) {
  uint32_t begin = buf->length;
  strbuf_putc(buf, '"');
  type_print(&e->graph->types, buf, type);
  strbuf_putc(buf, '"');
  const char *text = buf->data + begin + 1;
  uint32_t length = buf->length - begin - 2;
  if (is_plain(text, length)) return;
  json_writer w;
  begin_json(e, &w, buf);
  buf->length = begin;
  json_text(&w, arena_strndup(e->arena, text, length), length);
}

static void make_json(encoder *e, uint32_t index) {
  assert(index < e->report->shape_count);
  const report_shape *s = &e->report->shapes[index];
  shape_json *made = &e->shapes[index];
  shape_strbuf buf;
  json_writer w;
  strbuf_init_room(&buf, e->arena, 2 * TEXT_ROOM);
  if (s->type == TYPE_NONE) {
    strbuf_puts(&buf, "null");
  } else {
    type_json(e, &buf, s->type);
  }
  made->type_length = buf.length;
  strbuf_add(&buf, between, sizeof between - 1);
  uint32_t dims = buf.length;
  begin_json(e, &w, &buf);
  if (s->ranked) {
    json_begin_array(&w);
    for (uint32_t i = 0; i < s->rank; i++) encode_size(e, &w, s->dims[i]);
    json_end_array(&w);
  } else {
    json_null(&w);
  }
  made->dims_length = buf.length - dims;
  strbuf_add(&buf, ending, sizeof ending - 1);
  end_text(&buf);
  made->type = buf.data;
  made->dims = buf.data + dims;
  made->whole_length = buf.length;
}

static inline const shape_json *json_of(encoder *e, uint32_t shape) {
  if (!e->shapes[shape].type) make_json(e, shape);
  return &e->shapes[shape];
}

static void encode_type(encoder *e, uint32_t shape) {
  const shape_json *j = json_of(e, shape);
  json_raw(e->w, j->type, j->type_length);
}

static void encode_dims(encoder *e, uint32_t shape) {
  const shape_json *j = json_of(e, shape);
  json_raw(e->w, j->dims, j->dims_length);
}

// Elements as nested lists by the dims of the value; *at counts through them in row-major order.
static void encode_nested(encoder *e, const report_shape *s, report_elements values, uint32_t axis,
                          uint32_t *at) {
  assert(axis <= s->rank);
  if (axis == s->rank) {
    assert(*at < values.count);
    encode_size(e, e->w, values.items[(*at)++]);
    return;
  }
  int64_t size;
  term_int_value(e->report->infer->terms, s->dims[axis], &size);
  json_begin_array(e->w);
  for (int64_t i = 0; i < size; i++) encode_nested(e, s, values, axis + 1, at);
  json_end_array(e->w);
}

static void encode_elements(encoder *e, const report_shape *s, report_elements values) {
  bool nested = values.items && s->ranked;
  uint64_t product = 1;
  for (uint32_t i = 0; nested && i < s->rank; i++) {
    int64_t size;
    nested = s->dims[i] != TERM_NONE &&
             term_int_value(e->report->infer->terms, s->dims[i], &size) && size >= 0 &&
             !__builtin_mul_overflow(product, (uint64_t)size, &product);
  }
  uint32_t at = 0;
  if (nested && product == values.count) {
    encode_nested(e, s, values, 0, &at);
  } else if (values.items && s->rank == 1) {
    json_begin_array(e->w);
    for (; at < values.count; at++) encode_size(e, e->w, values.items[at]);
    json_end_array(e->w);
  } else {
    json_null(e->w);
  }
}

static uint32_t argument_shape(const encoder *e, const report_function *f, uint32_t i) {
  return e->report->value_shapes[f->arguments + i];
}

typedef void encode_one(encoder *e, uint32_t shape);

// Of each argument or result what `one` writes of its shape; NULL: its elements.
static void encode_signature(encoder *e, const report_function *f, bool results, encode_one *one) {
  uint32_t count = results ? f->result_count : f->argument_count;
  const report_elements *values = results ? f->result_values : f->argument_values;
  json_begin_array(e->w);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t shape = results ? f->result_shapes[i] : argument_shape(e, f, i);
    if (shape == ID_NONE) {
      json_null(e->w);
    } else if (one) {
      one(e, shape);
    } else {
      encode_elements(e, &e->report->shapes[shape], values[i]);
    }
  }
  json_end_array(e->w);
}

// Operations come in the order of their bytes, so the line of the last one is where to look for the next.
static uint32_t line_of(encoder *e, uint32_t offset) {
  const source_text *source = &e->graph->source;
  if (!source->line_starts || !source->line_count) return 1;
  while (e->line < source->line_count && source->line_starts[e->line] <= offset) e->line++;
  return e->line;
}

static const char before_name[] = ", \"name\": ", before_results[] = ", \"results\": [";

static void name_json(encoder *e, name_id name) {
  const char *text = intern_text(&e->graph->names, name);
  uint32_t length = intern_length(&e->graph->names, name);
  shape_strbuf buf;
  strbuf_init_room(&buf, e->arena, TEXT_ROOM + length);
  char *at = text_put(buf.data, before_name, sizeof before_name - 1), *end;
  end = json_put_plain(at, text, length);
  buf.length = (uint32_t)((end ? end : at) - buf.data);
  if (!end) {
    json_writer w;
    json_writer_init(&w, &buf);
    json_text(&w, text, length);
  }
  strbuf_add(&buf, before_results, sizeof before_results - 1);
  end_text(&buf);
  e->names[name] = (report_text){buf.data, buf.length};
}

static const char line_opening[] = ", {\"line\": ", node_opening[] = "{\"node\": \"";

// Of an operation with any number of results, after its name. O(bytes written).
static char *put_results(encoder *e, const graph_op *op, char *at) {
  const uint32_t *shapes = e->report->value_shapes + op->results;
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (i) at = text_put(at, ", ", JSON_GAP);
    at = text_put(at, e->shapes[shapes[i]].type, e->shapes[shapes[i]].type_length);
  }
  at = text_put(at, between, sizeof between - 1);
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (i) at = text_put(at, ", ", JSON_GAP);
    at = text_put(at, e->shapes[shapes[i]].dims, e->shapes[shapes[i]].dims_length);
  }
  return text_put(at, ending, sizeof ending - 1);
}

static void encode_op(encoder *e, const graph_op *op) {
  json_writer *w = e->w;
  const uint32_t *shapes = e->report->value_shapes + op->results;
  const shape_intern *names = &e->graph->names;
  json_begin_object(w);
  uint32_t length = 0;
  const char *node = graph_node_name(e->graph, (op_id)(op - e->graph->ops), &length);
  if (graph_is_text(e->graph)) {
    json_put_int(w, "line", line_of(e, op->span.begin));
  } else if (length) {
    json_key(w, "node");
    json_text(w, node, length);
  }
  json_key(w, "name");
  json_text(w, intern_text(names, op->name), intern_length(names, op->name));
  json_key_array(w, "results");
  for (uint32_t i = 0; i < op->result_count; i++) encode_type(e, shapes[i]);
  json_end_array(w);
  json_key_array(w, "dims");
  for (uint32_t i = 0; i < op->result_count; i++) encode_dims(e, shapes[i]);
  json_end_array(w);
  json_end_object(w);
}

static inline const report_text *name_of(encoder *e, const graph_op *op) {
  report_text *name = &e->names[op->name];
  if (!name->length) name_json(e, op->name);
  return name;
}

// How many bytes the results of an operation take, after its name; makes their texts.
static size_t results_room(encoder *e, const graph_op *op) {
  const uint32_t *shapes = e->report->value_shapes + op->results;
  size_t need = 0;
  for (uint32_t i = 0; i < op->result_count; i++)
    need += (size_t)json_of(e, shapes[i])->whole_length + 2 * JSON_GAP;
  return need;
}

// The same bytes as encode_op, from texts that are there already: of a node of a model.
static void encode_node_op(encoder *e, const graph_op *op) {
  const report_text *name = name_of(e, op);
  uint32_t length = 0;
  const char *node = graph_node_name(e->graph, (op_id)(op - e->graph->ops), &length);
  if (!is_plain(node, length)) {
    encode_op(e, op);
    return;
  }
  char *at = json_open(e->w, sizeof node_opening + length + name->length + results_room(e, op));
  if (length) {
    at = text_put(at, node_opening, sizeof node_opening - 1);
    at = text_put(at, node, length);
    *at++ = '"';
    at = text_put(at, name->text, name->length);
  } else {
    *at++ = '{';
    at =
        text_put(at, name->text + JSON_GAP, name->length - JSON_GAP);  // without the comma in front
  }
  json_close(e->w, put_results(e, op, at));
}

// The same of operations of a text. What they begin with is copied as long as the line is the same.
static void encode_text_ops(encoder *e, const report_function *f) {
  enum { HEAD = 2 * 16 };
  _Static_assert(sizeof line_opening + TEXT_INT <= HEAD, "a line has room");
  json_writer *w = e->w;
  const uint32_t *value_shapes = e->report->value_shapes,
                 *line_starts = e->graph->source.line_starts;
  const uint32_t lines = line_starts ? e->graph->source.line_count : 0;
  char head[HEAD + JSON_GAP], *at = json_end_of(w);
  memcpy(head, line_opening, sizeof line_opening);
  uint32_t line = lines ? e->line : 1, head_line = 0, head_length = 0, skip = JSON_GAP - w->gap;
  const graph_op *op = e->graph->ops + f->first_op, *end = e->graph->ops + f->end_op;
  for (; op < end; op++) {
    if (!op->result_count) continue;
    const report_text *name = name_of(e, op);
    const shape_json *j = json_of(e, value_shapes[op->results]);
    bool single = op->result_count == 1;
    at = json_room(
        w, at, HEAD + name->length + (single ? j->whole_length : results_room(e, op)) + TEXT_SLACK);
    while (line < lines && line_starts[line] <= op->span.begin) line++;
    if (line != head_line) {
      head_line = line;
      head_length = (uint32_t)(text_put_int(head + sizeof line_opening - 1, line) - head);
    }
    memcpy(at, head + skip, HEAD);
    at = text_put_pieces(at + head_length - skip, name->text, name->length);
    at = single ? text_put_pieces(at, j->type, j->whole_length) : put_results(e, op, at);
    assert(at <= w->out->data + w->out->capacity);
    w->gap = JSON_GAP;
    skip = 0;
  }
  json_close(w, at);
}

static void encode_ops(encoder *e, const report_function *f) {
  json_key_array(e->w, "ops");
  e->line = 1;
  if (f->first_op < f->end_op && e->graph->source.line_starts) {
    e->line = graph_position(e->graph, e->graph->ops[f->first_op].span).line;
  }
  if (graph_is_text(e->graph) && !e->w->pretty) {
    encode_text_ops(e, f);
  } else {
    for (op_id i = f->first_op; i < f->end_op; i++) {
      const graph_op *op = &e->graph->ops[i];
      if (!op->result_count) continue;
      if (e->w->pretty) {
        encode_op(e, op);
      } else {
        encode_node_op(e, op);
      }
    }
  }
  json_end_array(e->w);
}

// Dims of an element of a sequence, as its type declares them.
static void encode_declared_sizes(encoder *e, json_writer *w, const graph_type *type) {
  json_begin_array(w);
  for (uint32_t i = 0; i < type->rank; i++) {
    int64_t dim = type->dims[i];
    if (dim_is_static(dim)) {
      json_int(w, dim);
    } else if (dim_is_symbol(dim) && dim_symbol(dim) < e->graph->declared.symbol_count) {
      name_id name = e->graph->declared.symbols[dim_symbol(dim)].name;
      json_text(w, intern_text(&e->graph->names, name), intern_length(&e->graph->names, name));
    } else {
      json_null(w);
    }
  }
  json_end_array(w);
}

// A type in the words of ONNX: {"type": "float32", "dims": [...]}, or a sequence, an optional or a map of such.
// Of elements nothing is known but the type: shape is ID_NONE there.
static void encode_value_type(encoder *e, json_writer *w, type_id id, uint32_t shape) {
  assert(shape == ID_NONE || shape < e->report->shape_count);
  const report_shape *s = shape == ID_NONE ? NULL : &e->report->shapes[shape];
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&e->graph->types, id);
  json_begin_object(w);
  json_key(w, "type");
  if (type && (type->kind == TYPE_SEQUENCE || type->kind == TYPE_OPTIONAL)) {
    json_string(w, type->kind == TYPE_SEQUENCE ? "sequence" : "optional");
    json_key(w, "elem");
    encode_value_type(e, w, type->param_count ? type->params[0] : TYPE_NONE, ID_NONE);
  } else if (type && type->kind == TYPE_MAP && type->param_count == 2) {
    json_string(w, "map");
    const graph_type *key = type_get(&e->graph->types, type->params[0]);
    json_put_string(w, "key", dtype_onnx_name((shape_dtype)key->dtype));
    json_key(w, "value");
    encode_value_type(e, w, type->params[1], ID_NONE);
  } else {
    json_string(w, type && type->kind <= TYPE_UNRANKED ? dtype_onnx_name((shape_dtype)type->dtype)
                                                       : NULL);
    if (type && type->sparse) {
      json_put_bool(w, "sparse", true);
    }
    json_key(w, "dims");
    if (s && !w->pretty) {
      const shape_json *j = json_of(e, shape);
      json_raw(w, j->dims, j->dims_length);
    } else if (s && s->ranked) {
      json_begin_array(w);
      for (uint32_t i = 0; i < s->rank; i++) encode_size(e, w, s->dims[i]);
      json_end_array(w);
    } else if (!s && type && type->kind == TYPE_TENSOR) {
      encode_declared_sizes(e, w, type);
    } else {
      json_null(w);
    }
  }
  json_end_object(w);
}

static const char after_name[] = "\": ";

static void make_value_json(encoder *e, uint32_t index) {
  assert(index < e->report->shape_count);
  shape_json *j = &e->shapes[index];
  type_id id = e->report->shapes[index].type;
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&e->graph->types, id);
  bool tensor = type && type->kind <= TYPE_UNRANKED && !type->sparse;
  const char *name = tensor ? dtype_onnx_name((shape_dtype)type->dtype) : NULL;
  shape_strbuf buf;
  strbuf_init_room(&buf, e->arena, TEXT_ROOM + (name ? json_of(e, index)->dims_length : 0));
  if (name) {
    strbuf_puts(&buf, "\": {\"type\": \"");
    strbuf_puts(&buf, name);
    strbuf_puts(&buf, "\", \"dims\": ");
    strbuf_add(&buf, j->dims, j->dims_length);
    strbuf_putc(&buf, '}');
  } else {
    json_writer w;
    strbuf_add(&buf, after_name, sizeof after_name - 1);
    begin_json(e, &w, &buf);
    encode_value_type(e, &w, id, index);
  }
  end_text(&buf);
  j->value = buf.data;
  j->value_length = buf.length;
}

// What is written for programs has it, with what is between a name and it, as one text for all values of one shape.
static inline const shape_json *value_json(encoder *e, uint32_t index) {
  assert(index < e->report->shape_count);
  if (!e->shapes[index].value) make_value_json(e, index);
  return &e->shapes[index];
}

// A value whose name is a number, after a few letters or none, and has no name_id: it is in the source, as it is written.
// Returns the end of what is written; NULL: nothing is.
static inline char *put_numbered(encoder *e, value_id value, char *at) {
  const graph_value *v = &e->graph->values[value];
  const source_text *source = &e->graph->source;
  if (v->name != NAME_NONE || !v->at || (uint64_t)v->at + QUOTE_NEAR > source->length) return NULL;
  const char *name = source->text + v->at, *stop = quote_near(name, name + QUOTE_NEAR);
  if (!stop || *stop != '"' || stop == name || name[-1] != '"') return NULL;
  size_t length = (size_t)(stop - name);
  assert(length < QUOTE_NEAR && is_plain(name, (uint32_t)length));
  const shape_json *j = value_json(e, e->report->value_shapes[value]);
  at = json_room(e->w, at, JSON_GAP + 1 + QUOTE_NEAR + j->value_length + TEXT_SLACK);
  assert(e->w->gap == JSON_GAP && !e->w->pretty);
  memcpy(at, ", \"", JSON_GAP + 1);
  at = text_put_pieces(at + JSON_GAP + 1, name, length);
  return text_put_pieces(at, j->value, j->value_length);
}

static __attribute__((noinline)) void encode_named(encoder *e, const report_function *f,
                                                   value_id value) {
  assert(value < e->graph->value_count);
  uint32_t length, shape = e->report->value_shapes[value];
  const char *name = graph_value_text(e->graph, value, &length);
  if (!length) return;
  if (f->integers && f->integers[value] != TERM_NONE) {
    json_key_text(e->w, name, length);
    json_begin_object(e->w);
    json_key(e->w, "value");
    encode_size(e, e->w, f->integers[value]);
    json_end_object(e->w);
    return;
  }
  if (e->w->pretty) {  // indented by where it is
    json_key_text(e->w, name, length);
    encode_value_type(e, e->w, e->report->shapes[shape].type, shape);
    return;
  }
  const shape_json *j = value_json(e, shape);
  uint8_t gap = e->w->gap;
  char *at = json_open(e->w, (size_t)length + 2 + j->value_length + TEXT_SLACK);
  char *end = json_put_plain(at, name, length);
  if (end) {  // what is between name and value begins with its quote
    json_close(e->w, text_put_pieces(end - 1, j->value, j->value_length));
    return;
  }
  e->w->gap = gap;
  json_key_text(e->w, name, length);
  json_raw(e->w, j->value + sizeof after_name - 1, j->value_length - (sizeof after_name - 1));
}

static bool is_top_level(const encoder *e, const graph_op *op) {
  return e->graph->regions[e->graph->blocks[op->parent].region].op == ID_NONE;
}

// A value after those before it, at their end; returns its own. numbered: it may be written as put_numbered does.
static inline char *put_named(encoder *e, const report_function *f, value_id value, bool numbered,
                              char *at) {
  char *end = numbered && e->w->gap ? put_numbered(e, value, at) : NULL;
  if (end) return end;
  json_close(e->w, at);
  encode_named(e, f, value);
  return json_end_of(e->w);
}

// Values by name, for formats where names are the way to speak of them.
static void encode_named_values(encoder *e, const report_function *f) {
  const shape_graph *g = e->graph;
  const bool numbered = g->format == GRAPH_JSON && !e->w->pretty && !f->integers;
  bool top = false;
  block_id parent = ID_NONE;
  json_key_object(e->w, "values");
  for (uint32_t i = 0; i < f->argument_count; i++) encode_named(e, f, f->arguments + i);
  char *at = json_end_of(e->w);
  const graph_op *op = g->ops + f->first_op, *end = g->ops + f->end_op;
  for (; op < end; op++) {
    if (op->parent != parent) {
      parent = op->parent;
      top = is_top_level(e, op);
    }
    value_id v = op->results;
    for (uint32_t left = top ? op->result_count : 0; left; left--, v++)
      at = put_named(e, f, v, numbered, at);
  }
  json_close(e->w, at);
  json_end_object(e->w);
}

void encode_function(encoder *e, const report_function *f) {
  json_begin_object(e->w);
  json_key(e->w, "name");
  encode_report_text(e->w, report_function_name(e->report, f->id));
  json_key(e->w, "arguments");
  encode_signature(e, f, false, encode_type);
  json_key(e->w, "results");
  encode_signature(e, f, true, encode_type);
  json_key(e->w, "argument_dims");
  encode_signature(e, f, false, encode_dims);
  json_key(e->w, "result_dims");
  encode_signature(e, f, true, encode_dims);
  json_key(e->w, "argument_values");
  encode_signature(e, f, false, NULL);
  json_key(e->w, "result_values");
  encode_signature(e, f, true, NULL);
  if (!e->without_ops) encode_ops(e, f);
  if (!e->without_ops && e->graph->format != GRAPH_MLIR) encode_named_values(e, f);
  json_end_object(e->w);
}
