// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/mlir/pretty.h"

#define KEYS(...)                                                                                  \
  (const pretty_key[]) {                                                                           \
    __VA_ARGS__, { NULL, 0, 0 }                                                                    \
  }
#define DIM(key)  KEYS({"dim", KIND_INT, KEY_##key})
#define DIMS(key) KEYS({"dims", KIND_INTS, KEY_##key})

static const pretty_key DOT_KEYS[] = {{"batching_dims", KIND_BATCH, 0},
                                      {"contracting_dims", KIND_CONTRACT, 0},
                                      {"precision", KIND_WORDS, KEY_precision_config},
                                      {"algorithm", KIND_ALGORITHM, KEY_algorithm},
                                      {NULL, 0, 0}};
static const pretty_key CONV_KEYS[] = {
    {"dim_numbers", KIND_CONV, KEY_dimension_numbers}, {"window", KIND_WINDOW, 0}, {NULL, 0, 0}};

// Sorted by name. What is not listed has the row of its dialect below.
static const mlir_pretty_row ROWS[] = {
    {"arith.cmpf", .types = TYPES_COMPARE, .text = TEXT_CMPF, .words = {KEY_predicate},
     .lenient = true},
    {"arith.cmpi", .types = TYPES_COMPARE, .text = TEXT_CMPI, .words = {KEY_predicate},
     .lenient = true},
    {"arith.constant", .form = FORM_CONSTANT},
    {"arith.select", .types = TYPES_SELECT},
    {"cf.assert", .text = TEXT_STRING, .words = {KEY_msg}, .lenient = true},
    {"cf.br", .form = FORM_BRANCH},
    {"cf.cond_br", .form = FORM_BRANCH},
    {"cf.switch", .form = FORM_BRANCH},
    {"chlo.constant", .form = FORM_CONSTANT},
    {"chlo.scan", .lenient = true, .braces_are_regions = true,
     .keys = KEYS({"dimension", KIND_INT, KEY_dimension})},
    {"chlo.top_k", .keys = KEYS({"k", KIND_INT, KEY_k})},
    {"disc_shape.SymbolDim", .form = FORM_DISC, .declares_symbol = true},
    {"disc_shape.SymbolicDim", .form = FORM_DISC, .declares_symbol = true},
    {"disc_shape.tie_shape", .form = FORM_DISC, .types = TYPES_SAME},
    {"func.call", .text = TEXT_SYMBOL, .words = {KEY_callee}},
    {"func.call_indirect", .form = FORM_OPAQUE},
    {"func.constant", .types = TYPES_RESULT, .text = TEXT_SYMBOL, .words = {KEY_value}},
    {"func.return", .types = TYPES_OPERANDS},
    {"scf.if", .form = FORM_REGIONS},
    {"scf.yield", .types = TYPES_OPERANDS},
    {"shape.assuming", .form = FORM_REGIONS},
    {"shape.assuming_all", .types = TYPES_WITNESS},
    {"shape.assuming_yield", .types = TYPES_OPERANDS},
    {"shape.const_shape", .types = TYPES_RESULT, .brackets = BRACKETS_SHAPE},
    {"shape.const_size", .types = TYPES_SIZE, .text = TEXT_VALUE, .words = {KEY_value}},
    {"shape.const_witness", .types = TYPES_WITNESS, .text = TEXT_VALUE, .words = {KEY_passing}},
    {"shape.cstr_broadcastable", .types = TYPES_WITNESS},
    {"shape.cstr_eq", .types = TYPES_WITNESS},
    {"shape.cstr_require", .types = TYPES_WITNESS, .text = TEXT_STRING, .words = {KEY_msg}},
    {"shape.from_extent_tensor", .types = TYPES_SHAPE},
    {"shape.from_extents", .types = TYPES_SHAPE},
    {"shape.index_to_size", .types = TYPES_SIZE},
    {"shape.is_broadcastable", .types = TYPES_TO_I1},
    {"shape.return", .types = TYPES_OPERANDS},
    {"shape.shape_eq", .types = TYPES_TO_I1},
    {"shape.size_to_index", .types = TYPES_TO_INDEX},
    {"shape.value_of", .types = TYPES_RESULT},
    {"shape.with_shape", .types = TYPES_VALUE_SHAPE},
    {"shape.yield", .types = TYPES_OPERANDS},
    {"stablehlo.broadcast", .keys = KEYS({"sizes", KIND_INTS, KEY_broadcast_sizes})},
    {"stablehlo.broadcast_in_dim", .keys = DIMS(broadcast_dimensions)},
    {"stablehlo.compare", .types = TYPES_COMPARE, .text = TEXT_ENUM,
     .words = {KEY_comparison_direction, KEY_compare_type}},
    {"stablehlo.complex", .types = TYPES_COMPLEX},
    {"stablehlo.composite", .text = TEXT_STRING, .words = {KEY_name}},
    {"stablehlo.concatenate", .keys = DIM(dimension)},
    {"stablehlo.constant", .form = FORM_CONSTANT},
    {"stablehlo.convolution", .keys = CONV_KEYS},
    {"stablehlo.create_token", .types = TYPES_RESULT},
    {"stablehlo.custom_call", .text = TEXT_STRING, .words = {KEY_call_target_name}},
    {"stablehlo.dot", .keys = DOT_KEYS},
    {"stablehlo.dot_general", .has_dot_dims = true, .keys = DOT_KEYS},
    {"stablehlo.dynamic_broadcast_in_dim", .keys = DIMS(broadcast_dimensions)},
    {"stablehlo.dynamic_conv", .keys = CONV_KEYS},
    {"stablehlo.dynamic_iota", .keys = DIM(iota_dimension)},
    {"stablehlo.dynamic_slice", .keys = KEYS({"sizes", KIND_INTS, KEY_slice_sizes})},
    {"stablehlo.einsum", .keys = KEYS({"config", KIND_STRING, KEY_einsum_config})},
    {"stablehlo.fft",
     .keys = KEYS({"type", KIND_WORD, KEY_fft_type}, {"length", KIND_INTS, KEY_fft_length})},
    {"stablehlo.get_dimension_size", .keys = DIM(dimension)},
    {"stablehlo.get_tuple_element", .brackets = BRACKETS_INDEX},
    {"stablehlo.iota", .types = TYPES_RESULT, .keys = DIM(iota_dimension)},
    {"stablehlo.optimization_barrier", .types = TYPES_PAIRWISE},
    {"stablehlo.pad", .keys = KEYS({"low", KIND_INTS, KEY_edge_padding_low},
                                   {"high", KIND_INTS, KEY_edge_padding_high},
                                   {"interior", KIND_INTS, KEY_interior_padding})},
    {"stablehlo.partition_id", .types = TYPES_RESULT},
    {"stablehlo.reduce", .form = FORM_REDUCE},
    {"stablehlo.reduce_precision", .keys = KEYS({"format", KIND_FORMAT, 0})},
    {"stablehlo.replica_id", .types = TYPES_RESULT},
    {"stablehlo.return", .types = TYPES_OPERANDS},
    {"stablehlo.reverse", .keys = DIMS(dimensions)},
    {"stablehlo.rng", .keys = KEYS({"distribution", KIND_WORD, KEY_rng_distribution})},
    {"stablehlo.rng_bit_generator", .keys = KEYS({"algorithm", KIND_WORD, KEY_rng_algorithm})},
    {"stablehlo.select", .types = TYPES_SELECT},
    {"stablehlo.set_dimension_size", .keys = DIM(dimension)},
    {"stablehlo.slice", .brackets = BRACKETS_SLICE},
    {"stablehlo.trace", .types = TYPES_OPERANDS, .text = TEXT_STRING, .words = {KEY_tag}},
    {"stablehlo.transpose", .keys = DIMS(permutation)},
    {"stablehlo.tuple", .types = TYPES_RESULT},
    {"stablehlo.unary_einsum", .keys = KEYS({"config", KIND_STRING, KEY_einsum_config})},
    {"stablehlo.while", .form = FORM_WHILE},
    {"tensor.collapse_shape", .brackets = BRACKETS_LISTS, .lenient = true},
    {"tensor.dim", .types = TYPES_INDEX},
    {"tensor.empty", .types = TYPES_RESULT},
    {"tensor.extract", .types = TYPES_ELEMENT, .brackets = BRACKETS_OPERANDS},
    {"tensor.from_elements", .types = TYPES_RESULT},
    {"tensor.generate", .types = TYPES_RESULT, .braces_are_regions = true},
    {"tensor.rank", .types = TYPES_INDEX},
    {"tensor.splat", .types = TYPES_RESULT, .brackets = BRACKETS_OPERANDS},
    {"tensor.yield", .types = TYPES_OPERANDS},
    {"tosa.cond_if", .form = FORM_OPAQUE},
    {"tosa.while_loop", .form = FORM_OPAQUE},
    {"util.call", .text = TEXT_SYMBOL, .words = {KEY_callee}, .guessed = true},
};

// Syntax that a format says, and syntax that a function reads. Sorted by name.
static const mlir_pretty_row FORMATS[] = {
#define X(row_name, row_format) {row_name, .form = FORM_FORMAT, .format = row_format},
#define OWN(row_name, function, is_whole)                                                          \
  {row_name, .form = FORM_OWN, .own = mlir_pretty_##function, .whole = is_whole},
#include "solver/formats/mlir/pretty_formats.def"
#undef X
#undef OWN
};

// By dialect: for operations without a row. Any other dialect is opaque.
static const mlir_pretty_row DIALECTS[] = {
    {"stablehlo", .form = FORM_ITEMS},
    {"mhlo", .form = FORM_ITEMS},
    {"chlo", .lenient = true},
    {"func", .form = FORM_ITEMS},
    {"arith", .lenient = true, .guessed = true},
    {"math", .lenient = true, .guessed = true},
    {"shape", .lenient = true, .guessed = true},
    {"tensor", .lenient = true},
    {"torch", .form = FORM_TORCH},
    {"torch_c", .form = FORM_TORCH},
    {"builtin", .lenient = true},
    {"disc_shape", .form = FORM_DISC, .types = TYPES_RESULT},
    {"tosa", .lenient = true, .guessed = true, .bare_words = true},
    {"linalg", .form = FORM_OWN, .own = mlir_pretty_structured},
};

static const mlir_pretty_row *find_format(mlir_word name) {
  unsigned low = 0, high = sizeof FORMATS / sizeof *FORMATS;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    const char *row = FORMATS[middle].name;
    int order = strncmp(name.text, row, name.length);
    if (order == 0) order = row[name.length] ? -1 : 0;
    if (order == 0) return &FORMATS[middle];
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}

static int compare(const char *dialect, mlir_word name, const char *row) {
  size_t length = strlen(dialect);
  int order = strncmp(dialect, row, length);
  if (order) return order;
  row += length;
  order = strncmp(name.text, row, name.length);
  return order ? order : row[name.length] ? -1 : 0;
}

const mlir_pretty_row *mlir_pretty_find(mlir_word full) {
  const char *point = memchr(full.text, '.', full.length);
  if (!point) return NULL;
  const mlir_pretty_row *format = find_format(full);
  if (format) return format;
  mlir_word dialect = {full.text, (uint32_t)(point - full.text)};
  mlir_word rest = {point, full.length - dialect.length};
  const mlir_pretty_row *by_dialect = NULL;
  for (unsigned i = 0; i < sizeof DIALECTS / sizeof *DIALECTS; i++) {
    if (mlir_word_is(dialect, DIALECTS[i].name)) by_dialect = &DIALECTS[i];
  }
  // mhlo spells its operations like stablehlo, which came from it.
  const char *prefix = by_dialect ? by_dialect->name : NULL;
  if (prefix && strcmp(prefix, "mhlo") == 0) prefix = "stablehlo";
  if (mlir_word_is(dialect, "scf")) prefix = "scf";
  if (mlir_word_is(dialect, "cf")) prefix = "cf";
  if (mlir_word_is(dialect, "util")) prefix = "util";
  unsigned low = 0, high = prefix ? sizeof ROWS / sizeof *ROWS : 0;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    int order = compare(prefix, rest, ROWS[middle].name);
    if (order == 0) return &ROWS[middle];
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return by_dialect;
}
