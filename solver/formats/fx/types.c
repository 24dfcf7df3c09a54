// SPDX-License-Identifier: Apache-2.0
// Element types, and what operators make of them; dims and types that annotations declare.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/fx/fx.h"
#include "solver/ops/op.h"

shape_dtype fx_dtype_named(const char *text, uint32_t length) {
  static const struct {
    const char *name;
    shape_dtype dtype;
  } NAMES[] = {{"float", DTYPE_F32},       {"double", DTYPE_F64},    {"half", DTYPE_F16},
               {"bfloat16", DTYPE_BF16},   {"bool", DTYPE_I1},       {"long", DTYPE_I64},
               {"int", DTYPE_I32},         {"short", DTYPE_I16},     {"uint8", DTYPE_UI8},
               {"int8", DTYPE_I8},         {"int16", DTYPE_I16},     {"int32", DTYPE_I32},
               {"int64", DTYPE_I64},       {"float16", DTYPE_F16},   {"float32", DTYPE_F32},
               {"float64", DTYPE_F64},     {"complex64", DTYPE_C64}, {"cfloat", DTYPE_C64},
               {"complex128", DTYPE_C128}, {"cdouble", DTYPE_C128},  {"u8", DTYPE_UI8},
               {"b8", DTYPE_I1},           {"c64", DTYPE_C64},       {"c128", DTYPE_C128},
               {"si8", DTYPE_I8},          {"si16", DTYPE_I16},      {"si32", DTYPE_I32},
               {"si64", DTYPE_I64}};
  shape_dtype out;
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (fx_is(text, length, NAMES[i].name)) return NAMES[i].dtype;
  }
  return dtype_from_name(text, length, &out) ? out : DTYPE_NONE;
}

// Rules whose results have elements of the first operand.
static const char *const KEEP[] = {
    "torch_same",          "torch_view",       "torch_flatten",       "torch_unflatten",
    "torch_squeeze",       "torch_unsqueeze",  "torch_transpose",     "torch_permute",
    "torch_movedim",       "torch_expand",     "torch_repeat",        "torch_repeat_interleave",
    "torch_atleast",       "torch_slice",      "torch_narrow",        "torch_select",
    "torch_unfold",        "torch_split",      "torch_rot90",         "torch_reverse_axes",
    "torch_as_strided",    "torch_diagonal",   "torch_diag_embed",    "torch_diag",
    "torch_roll",          "torch_pad",        "torch_pixel_shuffle", "torch_copy",
    "torch_index",         "torch_index_put",  "torch_select_index",  "torch_index_add",
    "torch_gather",        "torch_scatter",    "torch_take",          "torch_matrix_transpose",
    "torch_channels",      "torch_embedding",  "torch_masked_select", "torch_scatter_slice",
    "torch_pool",          "torch_upsample",   "torch_im2col",        "torch_col2im",
    "torch_adaptive_pool", "torch_glu",        "torch_grid_sampler",  "torch_batch_norm",
    "torch_layer_norm",    "torch_group_norm", "torch_attention",     "torch_prelu"};
// Those whose results have the promoted type of all.
static const char *const PROMOTE[] = {"torch_broadcast", "torch_join",    "torch_matmul",
                                      "torch_pattern",   "torch_linear",  "torch_einsum",
                                      "torch_conv",      "torch_cross",   "torch_kron",
                                      "torch_inner",     "torch_bilinear"};

static bool listed(const char *const *names, unsigned count, const char *name) {
  for (unsigned i = 0; i < count; i++) {
    if (strcmp(names[i], name) == 0) return true;
  }
  return false;
}

// The part of "torch.aten.eq.Tensor" or "torch.aten.eq_" that names the operation.
static bool op_is(const char *op, const char *const *names, unsigned count) {
  static const char HEAD[] = "torch.aten.";
  if (strncmp(op, HEAD, sizeof HEAD - 1) != 0) return false;
  op += sizeof HEAD - 1;
  size_t length = strcspn(op, ".");
  for (unsigned i = 0; i < count; i++) {
    if (strlen(names[i]) == length && memcmp(names[i], op, length) == 0) return true;
  }
  return false;
}

// What the type of the elements of a result follows from.
typedef enum dtype_source {
  BY_NOTHING,
  BY_FIRST,  // the first operand
  BY_ALL,    // all operands, promoted
  BY_FLOAT,  // the first one where it is a float
  BY_SUM,    // 64 bits of integers, else BY_FLOAT
  BY_TRUTH,
  BY_INDEX
} dtype_source;

static dtype_source source_of(const char *rule, const char *op) {
  assert(rule && op);
  static const char *const TRUTHS[] = {
      "eq",          "ne",         "lt",          "le",          "gt",      "ge",
      "logical_and", "logical_or", "logical_not", "logical_xor", "isnan",   "isinf",
      "isfinite",    "isneginf",   "isposinf",    "isin",        "isclose", "signbit",
      "any",         "all",        "isreal",      "greater",     "less",    "greater_equal",
      "less_equal",  "not_equal",  "equal"};
  static const char *const INDICES[] = {
      "argmax",       "argmin",       "argsort",      "nonzero",       "argwhere",
      "searchsorted", "bucketize",    "bincount",     "one_hot",       "randperm",
      "multinomial",  "tril_indices", "triu_indices", "count_nonzero", "randint"};
  static const char *const ALIKE[] = {
      "abs",        "neg",       "relu",      "clamp",      "clamp_min", "clamp_max", "bitwise_not",
      "zeros_like", "ones_like", "full_like", "empty_like", "sign",      "square",    "flip",
      "triu",       "tril",      "fill_",     "zero_",      "clip",      "cummax",    "cummin",
      "sort",       "max",       "min",       "topk",       "amax",      "amin",      "fliplr",
      "flipud",     "relu_",     "abs_",      "clamp_"};
  // Of integers they count in 64 bits.
  static const char *const SUMS[] = {"sum", "prod", "nansum", "cumsum", "cumprod"};
  if (op_is(op, TRUTHS, sizeof TRUTHS / sizeof *TRUTHS)) return BY_TRUTH;
  if (op_is(op, INDICES, sizeof INDICES / sizeof *INDICES)) return BY_INDEX;
  if (op_is(op, SUMS, sizeof SUMS / sizeof *SUMS)) return BY_SUM;
  if (op_is(op, ALIKE, sizeof ALIKE / sizeof *ALIKE)) return BY_FIRST;
  if (listed(KEEP, sizeof KEEP / sizeof *KEEP, rule)) return BY_FIRST;
  if (listed(PROMOTE, sizeof PROMOTE / sizeof *PROMOTE, rule)) return BY_ALL;
  bool float_stays = strcmp(rule, "torch_like") == 0 || strcmp(rule, "torch_axis_like") == 0 ||
                     strcmp(rule, "torch_reduce") == 0 || strcmp(rule, "torch_loss") == 0;
  return float_stays ? BY_FLOAT : BY_NOTHING;
}

shape_dtype fx_result_dtype(const fx_row_info *row, shape_dtype first, shape_dtype all) {
  assert(row->row);
  if (row->real && dtype_is_integer(all)) return DTYPE_F32;
  bool real = dtype_is_float(first);
  switch ((dtype_source)row->source) {
  case BY_FIRST: return first;
  case BY_ALL: return all;
  case BY_FLOAT: return real ? first : DTYPE_NONE;
  case BY_SUM: return real ? first : dtype_is_integer(first) ? DTYPE_I64 : DTYPE_NONE;
  case BY_TRUTH: return DTYPE_I1;
  case BY_INDEX: return DTYPE_I64;
  default: return DTYPE_NONE;
  }
}

static fx_kind kind_of(const char *rule, uint32_t param, const char *op) {
  assert(rule && op);
  static const char *const PARTS[] = {"torch_split", "torch_meshgrid", "torch_broadcast_tensors"};
  bool list_of_all = strcmp(op, "torch.aten.size") == 0 || strcmp(op, "torch.aten.sym_size") == 0;
  if (strcmp(rule, "torch_integer") == 0)
    return strstr(op, "truediv") || strstr(op, "div.int") == op + sizeof "torch.aten." - 1
               ? FX_NUMBER
               : FX_INT;
  if (strcmp(rule, "torch_size") == 0) return list_of_all ? FX_SIZES : FX_INT;
  if (listed(PARTS, sizeof PARTS / sizeof *PARTS, rule)) return FX_SEQUENCE;
  if (strcmp(rule, "torch_nonzero") == 0 && param) return FX_SEQUENCE;
  if (strcmp(rule, "torch_is") == 0) return FX_INT;
  if (strcmp(rule, "torch_fresh") == 0 || strcmp(rule, "torch_to_scalar") == 0) return FX_NUMBER;
  return FX_TENSOR;
}

static bool second_is_index(const char *op) {
  static const char *const NAMES[] = {"max",      "min",  "median", "nanmedian", "mode",
                                      "kthvalue", "topk", "sort",   "cummax",    "cummin"};
  return op_is(op, NAMES, sizeof NAMES / sizeof *NAMES) || strstr(op, "max_pool") != NULL;
}

// Whether an operator of integers makes a boolean.
static bool makes_truth(const op_row *row) {
  if (strcmp(row->rule_name, "torch_is") == 0 || strstr(row->name, "Bool") != NULL) return true;
  const char *point = strrchr(row->name, '.'), *name = strstr(row->name, "aten.");
  char plain[8];
  if (!name || !point || strcmp(row->rule_name, "torch_integer") != 0) return false;
  if (strcmp(point, ".bool") == 0 || strstr(name, "__not__")) return true;
  snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name + 5, "."), name + 5);
  return fx_compares(plain);
}

const fx_row_info *fx_info(fx_reader *r, const op_row *row) {
  static const char *const REAL[] = {"div",   "true_divide", "atan2",     "arctan2",
                                     "xlogy", "float_power", "logaddexp", "hypot",
                                     "mean",  "std",         "var"};  // of integers too
  uint32_t at;
  if (imap_get(&r->rows.info_of, (uintptr_t)row, &at)) return r->rows.infos[at];
  fx_row_info *made = arena_zalloc(r->build.g->arena, sizeof *made);
  made->row = row;
  made->kind = (uint8_t)kind_of(row->rule_name, row->param, row->name);
  made->source = (uint8_t)source_of(row->rule_name, row->name);
  made->real = op_is(row->name, REAL, sizeof REAL / sizeof *REAL);
  made->truth = makes_truth(row);
  made->is_assert = strcmp(row->rule_name, "torch_assert") == 0;
  made->to_scalar = strcmp(row->rule_name, "torch_to_scalar") == 0;
  made->creates =
      strcmp(row->rule_name, "torch_create") == 0 || strcmp(row->rule_name, "torch_arange") == 0;
  made->embeds = strcmp(row->rule_name, "torch_embedding") == 0;
  made->alike = strstr(row->name, "var_mean") || strstr(row->name, "std_mean") ||
                strstr(row->name, "aminmax");
  made->second_is_index = second_is_index(row->name);
  if (r->rows.info_count == r->rows.info_room) {
    r->rows.info_room = 2 * r->rows.info_room + 30;
    const fx_row_info **grown = arena_alloc(r->build.g->arena, r->rows.info_room * sizeof *grown);
    if (r->rows.info_count) memcpy(grown, r->rows.infos, r->rows.info_count * sizeof *grown);
    r->rows.infos = grown;
  }
  imap_put(&r->rows.info_of, r->build.g->arena, (uintptr_t)row, r->rows.info_count);
  r->rows.infos[r->rows.info_count++] = made;
  return made;
}

// --- annotations

// The parts of a list between brackets, apart at commas that are in no parentheses.
static uint32_t split_dims(fx_reader *r, const char *text, const char *end, const char ***out) {
  assert(text <= end);
  uint32_t count = 0, depth = 0, room = 1;
  for (const char *p = text; p < end; p++) room += *p == ',';
  const char **dims = arena_alloc(r->build.g->arena, (room + 1) * sizeof *dims);
  const char *from = text;
  for (const char *p = text; p <= end; p++) {
    if (p < end && *p == '(') depth++;
    if (p < end && *p == ')' && depth) depth--;
    if (p < end && (*p != ',' || depth)) continue;
    while (from < p && *from == ' ') from++;
    const char *to = p;
    while (to > from && to[-1] == ' ') to--;
    if (to > from) dims[count++] = arena_strndup(r->build.g->arena, from, (size_t)(to - from));
    from = p + 1;
  }
  *out = dims;
  return count;
}

bool fx_whole_number(const char *text, int64_t *out) {
  *out = 0;
  if (!*text) return false;
  for (const char *p = text; *p; p++) {
    if (*p < '0' || *p > '9' || *out > INT64_MAX / 10 - 1) return false;
    *out = *out * 10 + (*p - '0');
  }
  return true;
}

// The expression in the grammar of term/parse.h; "" where it says nothing.
static const char *expression(fx_reader *r, const char *text, size_t length, bool declares) {
  shape_strbuf out;
  bool deep;
  strbuf_init(&out, r->build.g->arena);
  if (!sympy_text(text, length, &out, &deep)) return "";
  const char *written = strbuf_text(&out);
  return build_knows(r->build.g, written, declares) ? written : "";
}

// "s0 > 2", "Eq(s0, 2)", "True"
static bool is_relation(const char *text, uint32_t length) {
  static const char *const HEADS[] = {"Eq(",  "Ne(",  "Lt(", "Le(",  "Gt(",  "Ge(",
                                      "Not(", "And(", "Or(", "True", "False"};
  for (unsigned i = 0; i < sizeof HEADS / sizeof *HEADS; i++) {
    size_t size = strlen(HEADS[i]);
    if (length >= size && memcmp(text, HEADS[i], size) == 0) return true;
  }
  return memchr(text, '<', length) || memchr(text, '>', length) || memchr(text, '=', length);
}

static bool annotate_int(fx_reader *r, value_id value, const char *text, uint32_t length,
                         bool declares, fx_value *out) {
  assert(value != VALUE_NONE);
  const char *said = expression(r, text, length, declares);
  *out = fx_of(r, FX_INT, value, DTYPE_NONE);
  out->truth = is_relation(text, length);
  if (*said && value != VALUE_NONE) build_bind(&r->build, value, &said, 1);
  return true;
}

bool fx_annotate(fx_reader *r, value_id value, const char *text, uint32_t length, bool declares,
                 fx_value *out) {
  assert(text && value < r->build.g->value_count);
  static const char SYM[] = "Sym(";
  const char **dims, *end = text + length;
  const char *open = memchr(text, '[', length);
  shape_graph *g = r->build.g;
  if (length > sizeof SYM && memcmp(text, SYM, sizeof SYM - 1) == 0 && end[-1] == ')')
    return annotate_int(r, value, text + sizeof SYM - 1, length - (uint32_t)sizeof SYM, declares,
                        out);
  shape_dtype dtype = open ? fx_dtype_named(text, (uint32_t)(open - text)) : DTYPE_NONE;
  const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;
  if (dtype == DTYPE_NONE || !close) return false;
  uint32_t count = split_dims(r, open + 1, close, &dims);
  if (count > 64) return false;
  int64_t *sizes = arena_alloc(g->arena, (count + 1) * sizeof *sizes);
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    const char *said = "";
    if (!fx_whole_number(dims[i], &sizes[i])) {
      sizes[i] = DIM_DYNAMIC;
      said = expression(r, dims[i], strlen(dims[i]), declares);
    }
    any |= *said != 0;
    dims[i] = said;
  }
  g->values[value].type = type_tensor(&g->types, dtype, sizes, count);
  if (any) build_bind(&r->build, value, dims, count);
  *out = fx_of(r, FX_TENSOR, value, dtype);
  return true;
}
