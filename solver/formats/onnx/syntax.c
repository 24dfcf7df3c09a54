// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/syntax.h"

#include <assert.h>

#include "solver/formats/onnx/fields.h"
#include "solver/formats/onnx/syntax_scan.h"

// AttributeProto.AttributeType, of one value.
typedef enum attribute_type {
  ANY,
  IS_FLOAT,
  IS_INT,
  IS_STRING,
  IS_TENSOR,
  IS_GRAPH,
  IS_SPARSE = 11,
  IS_TYPE = 13
} attribute_type;

typedef struct attribute_row {
  const char *name;
  attribute_type type;
  uint32_t list_type;
  uint32_t field, list_field;  // of AttributeProto; 0: there is no such value in the syntax
} attribute_row;

enum { ATTRIBUTE_TENSORS = 10, ATTRIBUTE_GRAPHS = 11, ATTRIBUTE_TYPE_PROTOS = 15 };

static const attribute_row ATTRIBUTES[] = {
    {"float", IS_FLOAT, 6, ATTRIBUTE_F, ATTRIBUTE_FLOATS},
    {"int", IS_INT, 7, ATTRIBUTE_I, ATTRIBUTE_INTS},
    {"string", IS_STRING, 8, ATTRIBUTE_S, ATTRIBUTE_STRINGS},
    {"tensor", IS_TENSOR, 9, ATTRIBUTE_T, ATTRIBUTE_TENSORS},
    {"graph", IS_GRAPH, 10, ATTRIBUTE_G, ATTRIBUTE_GRAPHS},
    {"sparse_tensor", IS_SPARSE, 12, 0, 0},
    {"type_proto", IS_TYPE, 14, ATTRIBUTE_TP, ATTRIBUTE_TYPE_PROTOS}};

// The properties in front of a model or a function.
typedef enum property_kind { INTEGER, STRING, OPSETS, ENTRIES } property_kind;
typedef struct property_row {
  const char *name;
  uint32_t model, function;  // fields; 0: none
  property_kind kind;
} property_row;

static const property_row PROPERTIES[] = {{"ir_version", MODEL_IR_VERSION, 0, INTEGER},
                                          {"opset_import", MODEL_OPSET_IMPORT, 9, OPSETS},
                                          {"producer_name", 2, 0, STRING},
                                          {"producer_version", 3, 0, STRING},
                                          {"domain", 4, FUNCTION_DOMAIN, STRING},
                                          {"model_version", 5, 0, INTEGER},
                                          {"doc_string", 6, 8, STRING},
                                          {"metadata_props", 14, 14, ENTRIES},
                                          {"overload", 0, FUNCTION_OVERLOAD, STRING}};

enum { FUNCTION_ATTRIBUTE = 6, FUNCTION_VALUE_INFO = 12, ENTRY_KEY = 1, ENTRY_VALUE = 2 };

static bool graph(text_reader *r);

// --- tensors

// The field of TensorProto that has the values of a type of elements.
static uint32_t data_field(uint32_t element) {
  switch (element) {
  case 1:                              // float
  case 14: return TENSOR_FLOAT_DATA;   // complex64
  case 7: return TENSOR_INT64_DATA;    // int64
  case 8: return TENSOR_STRING_DATA;   // string
  case 11:                             // double
  case 15: return TENSOR_DOUBLE_DATA;  // complex128
  case 12:                             // uint32
  case 13: return TENSOR_UINT64_DATA;  // uint64
  default: return TENSOR_INT32_DATA;
  }
}

static bool datum(text_reader *r, uint32_t field) {
  text_word text;
  uint64_t bits;
  double value;
  budget_take(r->budget, 1);
  if (field == TENSOR_STRING_DATA) return syntax_string(r, field);
  bool is_float = field == TENSOR_FLOAT_DATA || field == TENSOR_DOUBLE_DATA;
  syntax_number kind = syntax_number_next(r, &text);
  if (kind == NUMBER_NONE || (kind == NUMBER_FLOAT && !is_float)) {
    r->at = text.text;
    return text_fail(r, is_float ? "expected a number" : "expected an integer");
  }
  if (is_float) {
    if (!syntax_double(r, text, &value)) return false;
    (field == TENSOR_DOUBLE_DATA ? encode_double : encode_float)(r->out, field, value);
    return true;
  }
  if (!syntax_integer(r, text, &bits)) return false;
  encode_integer(r->out, field, bits);
  return true;
}

static bool entry(text_reader *r, uint32_t field) {
  uint32_t from = encode_open(r->out, field);
  if (!syntax_string(r, ENTRY_KEY) || !syntax_expect(r, ':') || !syntax_string(r, ENTRY_VALUE))
    return false;
  encode_close(r->out, from);
  return true;
}

// The values of a tensor: {1, 2}, or the file that has them: ["location": "weights.bin"], or `...`.
static bool tensor_data(text_reader *r, uint32_t element) {
  enum { IN_A_FILE = 1 };
  assert(element && data_field(element));
  if (text_accept(r, '{')) {
    if (text_accept(r, '}')) return true;
    do {
      if (!datum(r, data_field(element))) return false;
    } while (text_accept(r, ','));
    return syntax_expect(r, '}');
  }
  bool is_list = text_accept(r, '[');
  if (!is_list && (r->end - r->at < 3 || memcmp(r->at, "...", 3) != 0))
    return text_fail(r, "expected '{' or '['");
  encode_integer(r->out, TENSOR_DATA_LOCATION, IN_A_FILE);
  if (!is_list) {
    r->at += 3;
    return true;
  }
  do {
    budget_take(r->budget, 1);
    if (!entry(r, TENSOR_EXTERNAL_DATA)) return false;
  } while (text_accept(r, ','));
  return syntax_expect(r, ']');
}

// The type of a tensor whose values are given: each dim is a number.
static bool tensor_head(text_reader *r, uint32_t *element) {
  text_word name = syntax_identifier(r), text;
  uint64_t dim;
  *element = syntax_element(name);
  if (!*element) {
    r->at = name.text;
    return text_fail(r, "expected an element type such as float: only a tensor has values");
  }
  encode_integer(r->out, TENSOR_DATA_TYPE, *element);
  if (!text_accept(r, '[')) return true;
  do {
    budget_take(r->budget, 1);
    if (syntax_number_next(r, &text) != NUMBER_INTEGER)
      return text_fail(r, "expected a number: dims of a tensor with values are known");
    if (!syntax_integer(r, text, &dim)) return false;
    encode_integer(r->out, TENSOR_DIMS, dim);
  } while (text_accept(r, ','));
  return syntax_expect(r, ']');
}

// `type name = values`, without its key. The name may be missing in an attribute, and so may the equals sign.
static bool tensor(text_reader *r, bool is_attribute) {
  uint32_t element;
  if (!tensor_head(r, &element)) return false;
  bool named = !is_attribute || text_peek(r) == '"' || syntax_peek_identifier(r).length;
  if (named && !syntax_name(r, TENSOR_NAME)) return false;
  if (is_attribute) {
    (void)text_accept(r, '=');
  } else if (!syntax_expect(r, '=')) {
    return false;
  }
  text_peek(r);
  return tensor_data(r, element);
}

// --- values

static bool optional_type(text_reader *r) {
  if (!syntax_is_type(syntax_peek_identifier(r))) return true;
  uint32_t from = encode_open(r->out, VALUE_INFO_TYPE);
  if (!syntax_type(r)) return false;
  encode_close(r->out, from);
  return true;
}

static bool value_info(text_reader *r, uint32_t field) {
  uint32_t from = encode_open(r->out, field);
  budget_take(r->budget, 1);
  if (!optional_type(r) || !syntax_name(r, VALUE_INFO_NAME)) return false;
  encode_close(r->out, from);
  return true;
}

// A value, or a tensor where values follow it; an input is both then.
static bool value_or_initializer(text_reader *r, uint32_t field) {
  text_peek(r);
  const char *begin = r->at;
  uint32_t length = r->out->length;
  if (!value_info(r, field)) return false;
  if (text_peek(r) != '=') return true;
  r->at = begin;
  if (field != GRAPH_INPUT) r->out->length = length;
  uint32_t from = encode_open(r->out, GRAPH_INITIALIZER);
  if (!tensor(r, false)) return false;
  encode_close(r->out, from);
  return true;
}

typedef bool list_item(text_reader *r, uint32_t field);

// Items between two characters, or nothing between them.
static bool list(text_reader *r, const char *ends, list_item *item, uint32_t field) {
  assert(ends[0] && ends[1] && !ends[2]);
  if (!syntax_expect(r, ends[0])) return false;
  if (text_accept(r, ends[1])) return true;
  do {
    if (!item(r, field)) return false;
  } while (text_accept(r, ','));
  return syntax_expect(r, ends[1]);
}

// Names, of which some may be missing: `(, x)` has two, `(x,)` one.
static bool names(text_reader *r, uint32_t field) {
  do {
    budget_take(r->budget, 1);
    if (text_peek(r) == ',') {
      encode_bytes(r->out, field, "", 0);
    } else if (text_peek(r) == '"' || syntax_peek_identifier(r).length) {
      if (!syntax_name(r, field)) return false;
    } else {
      return true;
    }
  } while (text_accept(r, ','));
  return true;
}

// --- attributes

static const attribute_row *row_of(attribute_type type) {
  for (size_t i = 0; i < sizeof ATTRIBUTES / sizeof *ATTRIBUTES; i++)
    if (ATTRIBUTES[i].type == type) return &ATTRIBUTES[i];
  return NULL;
}

// Past the bracket that closes dims; there may be one in the name of a dim, and in a comment.
static void skip_dims(text_reader *r) {
  for (char c = text_peek(r); c && c != ']'; c = text_peek(r)) {
    r->at++;
    if (c != '"') continue;
    while (r->at < r->end && *r->at != '"') r->at += *r->at == '\\' && r->end - r->at > 1 ? 2 : 1;
    if (r->at < r->end) r->at++;
  }
  (void)text_accept(r, ']');
}

// What the value that comes next is; ANY: nothing that is known.
static attribute_type type_ahead(const text_reader *r, attribute_type expected) {
  text_reader look = *r;
  text_word text;
  char c = text_peek(&look);
  if (c == '"') return expected == IS_GRAPH ? IS_GRAPH : IS_STRING;
  switch (syntax_number_next(&look, &text)) {
  case NUMBER_INTEGER: return expected == IS_FLOAT ? IS_FLOAT : IS_INT;
  case NUMBER_FLOAT: return IS_FLOAT;
  case NUMBER_NONE: break;
  }
  text_word name = syntax_identifier(&look);
  if (!name.length) return ANY;
  if (!syntax_is_type(name)) return IS_GRAPH;
  if (!syntax_element(name)) return IS_TYPE;
  // A type of tensors, or a tensor.
  if (text_accept(&look, '[')) skip_dims(&look);
  c = text_peek(&look);
  bool values = c == '{' || c == '=' || c == '"' || c == '.' || syntax_identifier(&look).length;
  return values ? IS_TENSOR : IS_TYPE;
}

static bool message_value(text_reader *r, attribute_type type, uint32_t field) {
  uint32_t from = encode_open(r->out, field);
  bool ok = type == IS_TENSOR ? tensor(r, true) : type == IS_TYPE ? syntax_type(r) : graph(r);
  if (ok) encode_close(r->out, from);
  return ok;
}

static bool attribute_value(text_reader *r, attribute_type type, uint32_t field) {
  text_word text;
  uint64_t bits;
  double value;
  assert(type != ANY && field);
  budget_take(r->budget, 1);
  switch (type) {
  case IS_STRING: return syntax_string(r, field);
  case IS_INT:
    syntax_number_next(r, &text);
    if (!syntax_integer(r, text, &bits)) return false;
    encode_integer(r->out, field, bits);
    return true;
  case IS_FLOAT:
    syntax_number_next(r, &text);
    if (!syntax_double(r, text, &value)) return false;
    encode_float(r->out, field, value);
    return true;
  default: return message_value(r, type, field);
  }
}

// After '['. The type of its values is that of the first.
static bool attribute_list(text_reader *r, attribute_type expected, uint32_t list_type) {
  if (text_accept(r, ']')) {
    if (!list_type) {
      r->at--;
      return text_fail(r, "expected a value: an empty list has no type");
    }
    encode_integer(r->out, ATTRIBUTE_TYPE, list_type);
    return true;
  }
  attribute_type type = type_ahead(r, expected);
  const attribute_row *row = row_of(type);
  do {
    text_peek(r);
    if (!row || (expected && type != expected))
      return text_fail(r, "expected a value of the type that is named");
    if (type_ahead(r, type) != type)
      return text_fail(r, "expected a value of the type of the first");
    if (!attribute_value(r, type, row->list_field)) return false;
  } while (text_accept(r, ','));
  encode_integer(r->out, ATTRIBUTE_TYPE, row->list_type);
  return syntax_expect(r, ']');
}

// `: ints`. The type of one value, and that of a list of such (0: one value was named).
static bool attribute_kind(text_reader *r, attribute_type *single, uint32_t *list_type) {
  text_word name = syntax_identifier(r);
  for (size_t i = 0; i < sizeof ATTRIBUTES / sizeof *ATTRIBUTES; i++) {
    const attribute_row *row = &ATTRIBUTES[i];
    size_t length = strlen(row->name);
    *single = row->type;
    *list_type = 0;
    if (text_is(name, row->name)) return true;
    *list_type = row->list_type;
    if (name.length == length + 1 && name.text[length] == 's' &&
        memcmp(name.text, row->name, length) == 0)
      return true;
  }
  r->at = name.text;
  return text_fail(r, "expected a type of attributes, such as int or floats");
}

// After the name: `: type = value`, without its key.
static bool attribute_rest(text_reader *r) {
  attribute_type expected = ANY;
  uint32_t list_type = 0;
  if (text_accept(r, ':') && !attribute_kind(r, &expected, &list_type)) return false;
  if (!syntax_expect(r, '=')) return false;
  if (text_accept(r, '@')) {
    uint32_t type = list_type ? list_type : (uint32_t)expected;
    if (type) encode_integer(r->out, ATTRIBUTE_TYPE, type);
    return syntax_name(r, ATTRIBUTE_REF_NAME);
  }
  if (text_accept(r, '[')) {
    if (expected && !list_type) return text_fail(r, "expected one value, not a list");
    return attribute_list(r, expected, list_type);
  }
  if (list_type) return text_fail(r, "expected '['");
  attribute_type type = type_ahead(r, expected);
  const attribute_row *row = row_of(type);
  if (!row || (expected && type != expected))
    return text_fail(r,
                     expected ? "expected a value of the type that is named" : "expected a value");
  encode_integer(r->out, ATTRIBUTE_TYPE, type);
  return attribute_value(r, type, row->field);
}

static bool attribute(text_reader *r, uint32_t field) {
  uint32_t from = encode_open(r->out, field);
  if (!syntax_name(r, ATTRIBUTE_NAME) || !attribute_rest(r)) return false;
  encode_close(r->out, from);
  return true;
}

// --- nodes and graphs

// `domain.of.two.Op:overload`
static bool op_type(text_reader *r) {
  shape_strbuf domain;
  text_word name = syntax_identifier(r);
  strbuf_init(&domain, r->out->arena);
  while (name.length && text_accept(r, '.')) {
    if (domain.length) strbuf_putc(&domain, '.');
    strbuf_add(&domain, name.text, name.length);
    name = syntax_identifier(r);
  }
  if (!name.length) return text_fail(r, "expected an operator such as Relu");
  if (domain.length) encode_bytes(r->out, NODE_DOMAIN, domain.data, domain.length);
  encode_bytes(r->out, NODE_OP_TYPE, name.text, name.length);
  return !text_accept(r, ':') || syntax_name(r, NODE_OVERLOAD);
}

static bool node(text_reader *r, uint32_t field) {
  uint32_t from = encode_open(r->out, field);
  budget_take(r->budget, 1);
  if (text_accept(r, '[')) {
    if (text_peek(r) != ']' && !syntax_name(r, NODE_NAME)) return false;
    if (!syntax_expect(r, ']')) return false;
  }
  if (!names(r, NODE_OUTPUT) || !syntax_expect(r, '=') || !op_type(r)) return false;
  bool attributes = text_peek(r) == '<';
  if (attributes && !list(r, "<>", attribute, NODE_ATTRIBUTE)) return false;
  if (!syntax_expect(r, '(') || !names(r, NODE_INPUT) || !syntax_expect(r, ')')) return false;
  if (!attributes && text_peek(r) == '<' && !list(r, "<>", attribute, NODE_ATTRIBUTE)) return false;
  encode_close(r->out, from);
  return true;
}

static bool nodes(text_reader *r, uint32_t field) {
  if (!syntax_expect(r, '{')) return false;
  while (text_peek(r) && text_peek(r) != '}')
    if (!node(r, field)) return false;
  return syntax_expect(r, '}');
}

// Without its key.
static bool graph(text_reader *r) {
  assert(r->depth <= SYNTAX_DEPTH);
  if (r->depth == SYNTAX_DEPTH)
    return text_fail(r, "expected graphs to be nested at most 100 deep, found more");
  r->depth++;
  if (!syntax_name(r, GRAPH_NAME) || !list(r, "()", value_or_initializer, GRAPH_INPUT) ||
      !syntax_expect_arrow(r) || !list(r, "()", value_info, GRAPH_OUTPUT))
    return false;
  if (text_peek(r) == '<' && !list(r, "<>", value_or_initializer, GRAPH_VALUE_INFO)) return false;
  if (!nodes(r, GRAPH_NODE)) return false;
  r->depth--;
  return true;
}

// --- models and functions

static bool opset(text_reader *r, uint32_t field) {
  text_word text;
  uint64_t version;
  uint32_t from = encode_open(r->out, field);
  if (!syntax_string(r, OPSET_DOMAIN) || !syntax_expect(r, ':')) return false;
  if (syntax_number_next(r, &text) != NUMBER_INTEGER) return text_fail(r, "expected a version");
  if (!syntax_integer(r, text, &version)) return false;
  encode_integer(r->out, OPSET_VERSION, version);
  encode_close(r->out, from);
  return true;
}

static bool property(text_reader *r, uint32_t is_function) {
  text_word name = syntax_identifier(r), text;
  const property_row *row = NULL;
  uint64_t value;
  for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES && !row; i++)
    if (text_is(name, PROPERTIES[i].name)) row = &PROPERTIES[i];
  uint32_t field = !row ? 0 : is_function ? row->function : row->model;
  if (!field) {
    r->at = name.text;
    return text_fail(r, is_function ? "expected a property of a function, such as domain"
                                    : "expected a property of a model, such as ir_version");
  }
  if (!syntax_expect(r, ':')) return false;
  switch (row->kind) {
  case STRING: return syntax_string(r, field);
  case OPSETS: return list(r, "[]", opset, field);
  case ENTRIES: return list(r, "[]", entry, field);
  case INTEGER: break;
  }
  if (syntax_number_next(r, &text) != NUMBER_INTEGER) return text_fail(r, "expected an integer");
  if (!syntax_integer(r, text, &value)) return false;
  encode_integer(r->out, field, value);
  return true;
}

// A name, or one with a default value: the two have fields of their own.
static bool function_attribute(text_reader *r, uint32_t field) {
  text_reader look;
  uint32_t length = r->out->length;
  text_peek(r);
  look = *r;
  if (!syntax_name(r, field)) return false;
  if (text_peek(r) != ':' && text_peek(r) != '=') return true;
  r->at = look.at;
  r->out->length = length;
  return attribute(r, FUNCTION_ATTRIBUTE_PROTO);
}

// An input or output: a name, or a type and a name, which is declared then.
static bool function_value(text_reader *r, uint32_t field) {
  text_peek(r);
  const char *begin = r->at;
  uint32_t length = r->out->length;
  bool typed = syntax_is_type(syntax_peek_identifier(r));
  if (typed) {
    if (!value_info(r, FUNCTION_VALUE_INFO)) return false;
    length = r->out->length;
    r->at = begin;  // the type once more, for the name after it
    if (!syntax_type(r)) return false;
    r->out->length = length;
  }
  return syntax_name(r, field);
}

static bool function(text_reader *r) {
  uint32_t from = encode_open(r->out, MODEL_FUNCTIONS);
  if (text_peek(r) == '<' && !list(r, "<>", property, true)) return false;
  if (!syntax_name(r, FUNCTION_NAME)) return false;
  if (text_peek(r) == '<' && !list(r, "<>", function_attribute, FUNCTION_ATTRIBUTE)) return false;
  if (!list(r, "()", function_value, FUNCTION_INPUT) || !syntax_expect_arrow(r) ||
      !list(r, "()", function_value, FUNCTION_OUTPUT))
    return false;
  if (text_peek(r) == '<' && !list(r, "<>", value_info, FUNCTION_VALUE_INFO)) return false;
  if (!nodes(r, FUNCTION_NODE)) return false;
  encode_close(r->out, from);
  return true;
}

bool onnx_syntax_recognise(const char *text, size_t length) {
  text_error error;
  text_reader r = text_open(text, length, NULL, NULL, &error);
  if (text_accept(&r, '<')) {
    text_word name = syntax_identifier(&r);
    for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES; i++)
      if (PROPERTIES[i].model && text_is(name, PROPERTIES[i].name)) return text_accept(&r, ':');
    return false;
  }
  if (text_accept(&r, '"')) {
    const char *end = memchr(r.at, '"', (size_t)(r.end - r.at));
    if (!end) return false;
    r.at = end + 1;
  } else if (!syntax_identifier(&r).length) {
    return false;
  }
  if (!text_accept(&r, '(')) return false;
  if (text_accept(&r, ')')) return text_peek(&r) == '=' && syntax_expect_arrow(&r);
  return syntax_is_type(syntax_identifier(&r));
}

bool onnx_syntax_read(const char *text, size_t length, shape_budget *budget, shape_strbuf *out,
                      text_error *error) {
  text_reader r = text_open(text, length, budget, out, error);
  if (text_peek(&r) == '<' && !list(&r, "<>", property, false)) return false;
  uint32_t from = encode_open(out, MODEL_GRAPH);
  if (!graph(&r)) return false;
  encode_close(out, from);
  while (text_peek(&r) || r.at < r.end)
    if (!function(&r)) return false;
  return true;
}
