// SPDX-License-Identifier: Apache-2.0
// convolution and dynamic_conv: StableHLO spec, convolution (C1..C27); dynamic_conv takes its padding from an operand.
#include <assert.h>

#include "solver/ops/rules/stablehlo/window.h"

typedef struct conv_numbers {
  int64_t input_batch, input_feature, kernel_input, kernel_output, output_batch, output_feature;
  axis_list input_spatial, kernel_spatial, output_spatial;
} conv_numbers;

// All axes of one tensor in one list: batch (or input feature), feature (or output feature), then the spatial ones.
static axis_list all_axes(rule_context *c, int64_t first, int64_t second, axis_list spatial) {
  int64_t *axes = arena_alloc(c->arena, ((size_t)spatial.count + 2) * sizeof(int64_t));
  axes[0] = first;
  axes[1] = second;
  for (uint32_t i = 0; i < spatial.count; i++) axes[i + 2] = spatial.axes[i];
  return (axis_list){axes, spatial.count + 2};
}

static bool read_numbers(rule_context *c, conv_numbers *n) {
  attr_id dict = rule_attr(c, "dimension_numbers");
  if (dict == ATTR_NONE) return false;
  struct {
    const char *name;
    int64_t *value;
  } singles[] = {{"input_batch_dimension", &n->input_batch},
                 {"input_feature_dimension", &n->input_feature},
                 {"kernel_input_feature_dimension", &n->kernel_input},
                 {"kernel_output_feature_dimension", &n->kernel_output},
                 {"output_batch_dimension", &n->output_batch},
                 {"output_feature_dimension", &n->output_feature}};
  for (uint32_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++) {
    *singles[i].value = 0;
    if (verify_dict_int(c, dict, singles[i].name, singles[i].value)) continue;
    // MLIR leaves out numbers that are 0 only in the generic form of old programs.
    if (c->graph->attributes.items[dict].kind != ATTR_DICT) {
      rule_error(c, "attribute", "dimension_numbers is no set of dimension numbers");
      return false;
    }
  }
  n->input_spatial = verify_dict_axes(c, dict, "input_spatial_dimensions");
  n->kernel_spatial = verify_dict_axes(c, dict, "kernel_spatial_dimensions");
  n->output_spatial = verify_dict_axes(c, dict, "output_spatial_dimensions");
  return true;
}

// (C12), (C13), (C17..C20).
static bool check_numbers(rule_context *c, const conv_numbers *n, uint32_t rank) {
  uint32_t spatial = n->input_spatial.count;
  bool fine = true;
  if (n->kernel_spatial.count != spatial || n->output_spatial.count != spatial) {
    rule_error(c, "attribute", "input, kernel and output have %u, %u and %u spatial axes", spatial,
               n->kernel_spatial.count, n->output_spatial.count);
    fine = false;
  }
  if (spatial + 2 != rank) {
    rule_error(c, "rank", "the operands have rank %u, %u spatial axes need rank %u", rank, spatial,
               spatial + 2);
    fine = false;
  }
  axis_list lists[3] = {all_axes(c, n->input_batch, n->input_feature, n->input_spatial),
                        all_axes(c, n->kernel_input, n->kernel_output, n->kernel_spatial),
                        all_axes(c, n->output_batch, n->output_feature, n->output_spatial)};
  static const char *const what[] = {"the input's axes", "the kernel's axes", "the output's axes"};
  for (uint32_t i = 0; i < 3; i++) {
    fine = verify_in_range(c, what[i], lists[i], rank) && fine;
    fine = verify_distinct(c, what[i], lists[i]) && fine;
  }
  return fine;
}

static void check_elements(rule_context *c) {
  type_id a = verify_operand_type(c, 0), b = verify_operand_type(c, 1);
  quant_type q;
  if (a == TYPE_NONE || b == TYPE_NONE || verify_read_quant(c, a, &q) ||
      verify_read_quant(c, b, &q))
    return;
  if (!type_same_element(&c->graph->types, a, b))  // (C27)
    rule_error(c, "element-type", "the operands are %s and %s: their element types differ",
               verify_type_text(c, a), verify_type_text(c, b));
}

static bool positive(rule_context *c, const char *name, int64_t *value) {
  *value = 1;
  rule_int(c, name, value);
  return *value >= 1;  // else reported with the signature
}

// The shape of the padding: {spatial, 2} (dynamic_conv, C4), or where the form takes pairs one vector of all (MHLO, as
// BladeDISC writes it).
static bool padding_shape(rule_context *c, uint32_t spatial) {
  const value_info *p = rule_operand(c, 2);
  if (c->row->param == FORM_PAIRS && !p->ranked) {
    rule_unchecked(c, "the padding has a pair per spatial axis", "its rank is not known");
    return true;
  }
  if (c->row->param == FORM_PAIRS && p->rank == 1)
    return rule_require_eq(c, p->dims[0], rule_int_term(c, 2 * (int64_t)spatial),
                           "the padding has a pair per spatial axis");
  if (!rule_assume_rank(c, 2, 2)) {
    rule_error(c, "rank", "the padding has rank %u, rank 2 is needed", p->rank);
    return false;
  }
  p = rule_operand(c, 2);
  bool fine = rule_require_eq(c, p->dims[0], rule_int_term(c, spatial),
                              "the padding has a row per spatial axis");
  return rule_require_eq(c, p->dims[1], rule_int_term(c, 2), "the padding has two columns") && fine;
}

// The elements of the padding are low and high of each spatial axis in turn, in either shape.
static bool padding_operand(rule_context *c, window *w) {
  bool fine = padding_shape(c, w->rank);
  uint32_t count;
  const term_id *given = rule_elements(c, 2, &count);
  term_id *padding = arena_alloc(c->arena, ((size_t)w->rank + 1) * 2 * sizeof(term_id));
  for (uint32_t i = 0; i < 2 * w->rank; i++) {
    bool known = given && i < count && given[i] != TERM_NONE;
    padding[i] = known ? given[i] : rule_fresh_element(c, DTYPE_I64);
  }
  w->padding = padding;
  return fine;
}

// (C10), (C11), (C14..C16), (C21..C23): groups divide the batch, or the features.
static bool check_groups(rule_context *c, const conv_numbers *n, int64_t features,
                         int64_t batches) {
  const value_info *in = rule_operand(c, 0), *kernel = rule_operand(c, 1);
  term_id feature_groups = rule_int_term(c, features), batch_groups = rule_int_term(c, batches);
  bool fine = true;
  if (features > 1 && batches > 1) {
    rule_error(c, "attribute",
               "feature_group_count is %lld and batch_group_count %lld: one of them must be 1",
               (long long)features, (long long)batches);
    fine = false;
  }
  term_id in_features = in->dims[n->input_feature], out_features = kernel->dims[n->kernel_output];
  if (batches > 1) {
    fine = rule_require(c, predicate_make(REL_DIVISIBLE, in->dims[n->input_batch], batch_groups),
                        "batch_group_count divides the input's batch") &&
           fine;
    fine = rule_require(c, predicate_make(REL_DIVISIBLE, out_features, batch_groups),
                        "batch_group_count divides the output's features") &&
           fine;
  }
  if (features > 1) {
    fine = rule_require(c, predicate_make(REL_DIVISIBLE, in_features, feature_groups),
                        "feature_group_count divides the input's features") &&
           fine;
    fine = rule_require(c, predicate_make(REL_DIVISIBLE, out_features, feature_groups),
                        "feature_group_count divides the output's features") &&
           fine;
  }
  return rule_require_eq(c, in_features,
                         term_mul(c->terms, kernel->dims[n->kernel_input], feature_groups),
                         "the input has the features of the kernel, for each group") &&
         fine;
}

static bool read_window(rule_context *c, const conv_numbers *n, window *w) {
  window_names names = {"window_strides", "lhs_dilation", "rhs_dilation", "padding"};
  bool dynamic = c->row->param != FORM_STATIC;
  if (dynamic) names.padding = NULL;
  uint32_t spatial = n->input_spatial.count;
  bool fine = window_read(c, spatial, &names, w);
  const int64_t *reversal;
  uint32_t count;
  if (rule_ints(c, "window_reversal", &reversal, &count) && count)
    fine = verify_length(c, "window_reversal", count, spatial) && fine;
  return (!dynamic || padding_operand(c, w)) && fine;
}

rule_status rule_convolution(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  conv_numbers n;
  window w;
  int64_t features, batches;
  check_elements(c);
  verify_precision(c);
  // Both are read, so that both are reported.
  bool fine = positive(c, "feature_group_count", &features);
  fine = positive(c, "batch_group_count", &batches) && fine;
  const value_info *in = rule_operand(c, 0), *kernel = rule_operand(c, 1);
  if (in->ranked && kernel->ranked && in->rank != kernel->rank) {  // (C1)
    rule_error(c, "rank", "the input has rank %u, the kernel has rank %u", in->rank, kernel->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (!read_numbers(c, &n)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  uint32_t rank = in->ranked ? in->rank : kernel->ranked ? kernel->rank : n.input_spatial.count + 2;
  if (rank < 2 || rank > VALUE_MAX_RANK) {
    rule_error(c, "rank", "the operands have rank %u, at least 2 is needed", rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  rule_assume_rank(c, 0, rank);
  rule_assume_rank(c, 1, rank);
  bool read = read_window(c, &n, &w);
  if (!check_numbers(c, &n, rank)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  in = rule_operand(c, 0);
  kernel = rule_operand(c, 1);
  fine = check_groups(c, &n, features, batches) && fine && read;
  term_id *dims = arena_alloc(c->arena, rank * sizeof(term_id));
  if (!fine) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  dims[n.output_batch] =
      batches == 1 ? in->dims[n.input_batch]
                   : term_floordiv(c->terms, in->dims[n.input_batch], rule_int_term(c, batches));
  dims[n.output_feature] = kernel->dims[n.kernel_output];
  for (uint32_t i = 0; i < n.input_spatial.count; i++)  // (C25)
    dims[n.output_spatial.axes[i]] = window_output(
        c, &w, i, in->dims[n.input_spatial.axes[i]], kernel->dims[n.kernel_spatial.axes[i]],
        window_declared(c, rank, (uint32_t)n.output_spatial.axes[i]));
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}
