// SPDX-License-Identifier: Apache-2.0
// Rules that a table names already and nobody has written yet: their operations are treated as unknown ones. Whoever
// writes a rule deletes its line here.
#ifndef SHAPE_OPS_RULES_PENDING_H
#define SHAPE_OPS_RULES_PENDING_H

#define rule_reduce             rule_unknown
#define rule_reduce_window      rule_unknown
#define rule_select_and_scatter rule_unknown
#define rule_dot                rule_unknown
#define rule_dot_general        rule_unknown
#define rule_convolution        rule_unknown
#define rule_gather             rule_unknown
#define rule_scatter            rule_unknown
#define rule_sort               rule_unknown
#define rule_reverse            rule_unknown
#define rule_map                rule_unknown
#define rule_rng                rule_unknown
#define rule_rng_bit_generator  rule_unknown
#define rule_fft                rule_unknown
#define rule_cholesky           rule_unknown
#define rule_triangular_solve   rule_unknown
#define rule_batch_norm         rule_unknown
#define rule_collective         rule_unknown
#define rule_send_recv          rule_unknown
#define rule_infeed_outfeed     rule_unknown
#define rule_einsum             rule_unknown
#define rule_torch_index_select rule_unknown
#define rule_top_k              rule_unknown
#define rule_bitcast_convert    rule_unknown
#define rule_uniform_quantize   rule_unknown
#define rule_ragged_dot         rule_unknown

#endif
