// SPDX-License-Identifier: Apache-2.0
// Operators of ai.onnx.ml: classical models on feature vectors.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

static uint32_t list_length(rule_context *c, const char *name) {
  const graph_attr *attr = graph_attr_get(c->graph, rule_attr(c, name));
  if (!attr) return 0;
  if (attr->kind == ATTR_DENSE) {
    const graph_type *t = type_get(&c->graph->types, attr->type);
    return t->rank == 1 ? (uint32_t)t->dims[0] : attr->count;
  }
  return attr->count;
}

static bool has(rule_context *c, const char *name) { return rule_attr(c, name) != ATTR_NONE; }

// The batch: the first axis of a matrix; a vector is one sample.
static term_id batch_of(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) return TERM_NONE;
  return in->rank > 1 ? in->dims[0] : TERM_ONE;
}

static void require_features(rule_context *c, int64_t count) {
  const value_info *in = rule_operand(c, 0);
  if (in->ranked && in->rank)
    rule_require_eq(c, in->dims[in->rank - 1], rule_int_term(c, count),
                    "there are as many features as the model has");
}

// Scaler: an offset and a factor for all features, or for each. Of more than two axes, some take the second one for that of
// the features.
rule_status rule_onnx_scaler(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  uint32_t scales = list_length(c, "scale"), offsets = list_length(c, "offset");
  const value_info *in = rule_operand(c, 0);
  bool plain = !in->ranked || in->rank <= 2;
  if (plain && scales > 1) require_features(c, scales);
  if (plain && offsets > 1) require_features(c, offsets);
  if (!plain && (scales > 1 || offsets > 1))
    rule_unchecked(c, "the model has all of the features", "which axis they are along varies");
  rule_set_dims_like(c, 0, in);
  return in->ranked ? RULE_DONE : RULE_AGAIN;
}

// What the attributes of a linear model, a support vector machine or trees need of the features. Of the others than
// support vectors, models with attributes that are too short count as legal.
static void check_features(rule_context *c) {
  uint32_t vectors = list_length(c, "support_vectors");
  int64_t supports = onnx_int(c, "n_supports", 0);
  if (vectors && supports > 0)
    require_features(c, vectors / supports);
  else if (rule_operand(c, 0)->ranked)
    rule_unchecked(c, "the model has all of the features", "the rule does not compare them");
}

// ArrayFeatureExtractor: columns of the last axis by their indices.
rule_status rule_onnx_feature_extractor(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  if (!in->ranked || !at->ranked || !in->rank) return onnx_unknown(c);
  uint32_t rank = in->rank == 1 ? 2 : in->rank;
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof *dims);
  dims[0] = TERM_ONE;
  for (uint32_t i = 0; in->rank > 1 && i < in->rank; i++) dims[i] = in->dims[i];
  term_id count = TERM_ONE, last = in->dims[in->rank - 1];
  for (uint32_t i = 0; i < at->rank; i++) count = term_mul(c->terms, count, at->dims[i]);
  dims[rank - 1] = count;
  onnx_require_indices(c, at, 0, 1, last, "the index is within the axis");
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// CategoryMapper: strings to integers and back.
rule_status rule_onnx_category_mapper(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  shape_dtype in = rule_operand_dtype(c, 0);
  if (list_length(c, "cats_int64s") != list_length(c, "cats_strings"))
    rule_error(c, "attribute-length", "cats_int64s and cats_strings differ in length");
  onnx_set_dtype(c, 0,
                 in == DTYPE_STRING ? DTYPE_I64
                 : in == DTYPE_I64  ? DTYPE_STRING
                                    : DTYPE_OTHER);
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

// LabelEncoder: the type of the values that the keys map to.
rule_status rule_onnx_label_encoder(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  static const struct {
    const char *name;
    shape_dtype dtype;
  } VALUES[] = {
      {"values_strings", DTYPE_STRING}, {"values_int64s", DTYPE_I64}, {"values_floats", DTYPE_F32}};
  static const char *const KEYS[] = {"keys_strings", "keys_int64s", "keys_floats", "keys_tensor"};
  shape_dtype dtype = DTYPE_OTHER;
  uint32_t keys = 0, values = 0, key_lists = 0, value_lists = 0;
  for (unsigned i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
    if (!has(c, VALUES[i].name)) continue;
    dtype = VALUES[i].dtype;
    values = list_length(c, VALUES[i].name);
    value_lists++;
  }
  const graph_attr *tensor = graph_attr_get(c->graph, rule_attr(c, "values_tensor"));
  if (tensor && tensor->kind == ATTR_DENSE) {
    dtype = (shape_dtype)type_get(&c->graph->types, tensor->type)->dtype;
    values = list_length(c, "values_tensor");
    value_lists++;
  }
  for (unsigned i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
    if (!has(c, KEYS[i])) continue;
    keys = list_length(c, KEYS[i]);
    key_lists++;
  }
  if (key_lists > 1 || value_lists > 1)
    rule_error(
        c, "attribute",
        "keys and values must be given in one form each, such as keys_int64s and values_floats");
  if (key_lists == 1 && value_lists == 1 && keys != values)
    rule_error(c, "attribute-length", "there are %u keys and %u values", keys, values);
  const graph_attr *other = graph_attr_get(c->graph, rule_attr(c, "default_tensor"));
  if (other && other->kind == ATTR_DENSE) {
    const graph_type *t = type_get(&c->graph->types, other->type);
    if (t->rank != 1 || t->dims[0] != 1)
      rule_error(c, "attribute", "default_tensor must be a vector of one element");
  }
  if (has(c, "classes_strings"))  // version 1
    dtype = rule_operand_dtype(c, 0) == DTYPE_STRING ? DTYPE_I64 : DTYPE_STRING;
  onnx_set_dtype(c, 0, dtype);
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

// LinearClassifier, SVMClassifier, TreeEnsembleClassifier: a label and its scores for each sample.
rule_status rule_onnx_classifier(rule_context *c) {
  static const char *const STRINGS[] = {"classlabels_strings"};
  static const char *const INTS[] = {"classlabels_ints", "classlabels_int64s"};
  uint32_t classes = list_length(c, STRINGS[0]);
  bool text = classes > 0;
  for (unsigned i = 0; i < 2 && !text; i++) {
    if (has(c, INTS[i])) classes = list_length(c, INTS[i]);
  }
  onnx_set_dtype(c, 0, text ? DTYPE_STRING : DTYPE_I64);
  onnx_set_dtype(c, 1, DTYPE_F32);
  term_id batch = batch_of(c);
  if (batch == TERM_NONE) return onnx_unknown(c);
  check_features(c);
  rule_set_dims(c, 0, &batch, 1);
  bool trees = has(c, "nodes_modes") || has(c, "class_ids");
  if (!classes) classes = list_length(c, "intercepts");
  term_id columns = classes && !trees ? rule_int_term(c, classes == 1 ? 2 : classes)
                    : classes         ? rule_int_term(c, classes)
                                      : onnx_kept_size(c, 1, 2, 1);
  term_id dims[2] = {batch, columns};
  rule_set_dims(c, 1, dims, 2);
  return RULE_DONE;
}

// LinearRegressor, SVMRegressor, TreeEnsembleRegressor, TreeEnsemble: a row of targets for each sample.
rule_status rule_onnx_regressor(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  term_id batch = batch_of(c);
  int64_t targets = onnx_int(c, "n_targets", onnx_int(c, "targets", 1));
  if (has(c, "nodes_truenodeids")) {
    uint32_t nodes = list_length(c, "nodes_truenodeids");
    if (nodes != list_length(c, "nodes_featureids") ||
        nodes != list_length(c, "nodes_falsenodeids") ||
        (has(c, "nodes_splits") && nodes != list_length(c, "nodes_splits")) ||
        (has(c, "leaf_weights") &&
         list_length(c, "leaf_weights") != list_length(c, "leaf_targetids")))
      rule_error(c, "attribute-length", "the lists of the trees differ in length");
    const graph_attr *splits = graph_attr_get(c->graph, rule_attr(c, "nodes_splits"));
    shape_dtype in = rule_operand_dtype(c, 0);
    if (splits && splits->kind == ATTR_DENSE && in != DTYPE_OTHER &&
        type_get(&c->graph->types, splits->type)->dtype != in)
      rule_error(c, "element-type", "nodes_splits has another element type than the operand");
  }
  if (batch == TERM_NONE) return onnx_unknown(c);
  check_features(c);
  term_id dims[2] = {batch, rule_int_term(c, targets)};
  rule_set_dims(c, 0, dims, 2);
  return RULE_DONE;
}

// OneHotEncoder: an axis of as many categories after the others.
rule_status rule_onnx_one_hot_encoder(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  bool ints = has(c, "cats_int64s"), strings = has(c, "cats_strings");
  if (ints == strings) rule_error(c, "attribute", "either cats_int64s or cats_strings is needed");
  if (!in->ranked || ints == strings) return onnx_unknown(c);
  term_id *dims = arena_alloc(c->arena, ((size_t)in->rank + 2) * sizeof *dims);
  for (uint32_t i = 0; i < in->rank; i++) dims[i] = in->dims[i];
  dims[in->rank] = rule_int_term(c, list_length(c, ints ? "cats_int64s" : "cats_strings"));
  rule_set_dims(c, 0, dims, in->rank + 1);
  return RULE_DONE;
}

// ZipMap: a sequence of maps from class to score.
rule_status rule_onnx_zip_map(rule_context *c) {
  bool text = has(c, "classlabels_strings");
  const value_info *in = rule_operand(c, 0);
  uint32_t labels = list_length(c, text ? "classlabels_strings" : "classlabels_int64s");
  if (in->ranked && in->rank != 1 && in->rank != 2)
    rule_error(c, "rank", "the operand has rank %u, 1 or 2 is needed", in->rank);
  else if (in->ranked)
    rule_require_eq(c, in->dims[in->rank - 1], rule_int_term(c, labels),
                    "there is a label for each column");
  type_id params[2] = {type_scalar(&c->graph->types, text ? DTYPE_STRING : DTYPE_I64),
                       type_tensor(&c->graph->types, DTYPE_F32, NULL, 0)};
  graph_type map = {.kind = TYPE_MAP,
                    .dtype = DTYPE_NONE,
                    .params = params,
                    .param_count = 2,
                    .text = NAME_NONE,
                    .encoding = NAME_NONE};
  onnx_set_type(c, 0, onnx_wrap_type(c, TYPE_SEQUENCE, type_intern(&c->graph->types, &map)));
  rule_set_unknown(c, 0);
  return RULE_DONE;
}

// FeatureVectorizer: rows of all inputs one after the other, as many columns of each as inputdimensions says.
rule_status rule_onnx_feature_vectorizer(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  const int64_t *columns;
  uint32_t count;
  if (!in->ranked || in->rank != 2 || !rule_ints(c, "inputdimensions", &columns, &count) ||
      count != rule_operand_count(c))
    return onnx_unknown(c);
  term_id all = TERM_ZERO;
  for (uint32_t i = 0; i < count; i++) {
    if (columns[i] < 0) return onnx_unknown(c);
    const value_info *v = rule_operand(c, i);
    if (v->ranked && v->rank == 2)
      rule_require_eq(c, v->dims[0], in->dims[0], "the batches are equal");
    all = term_add(c->terms, all, rule_int_term(c, columns[i]));
  }
  term_id dims[2] = {in->dims[0], all};
  rule_set_dims(c, 0, dims, 2);
  return RULE_DONE;
}

// Operators of which the dims of the results are not followed.
rule_status rule_onnx_ml_unknown(rule_context *c) {
  onnx_unknown(c);
  return RULE_DONE;
}
