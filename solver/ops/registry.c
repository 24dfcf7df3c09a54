// SPDX-License-Identifier: Apache-2.0
// The tables as arrays of rows, one per dialect, each sorted by name.
#include "solver/ops/registry.h"

#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

// clang-format off
// The signature is the last column, and may be left out.
#define SOURCE(source, signature, ...) source, signature
#define X(name, rule, param, structure, least, most, results, ...) \
  {name, rule_##rule, (uint32_t)(param), structure, least, most, results, #rule, SOURCE(__VA_ARGS__, NULL, 0), 0, 0, NULL},
static const op_row stablehlo_rows[] = {
#include "solver/ops/stablehlo.def"
};
static const op_row mhlo_rows[] = {
#include "solver/ops/mhlo.def"
};
static const op_row lmhlo_rows[] = {
#include "solver/ops/lmhlo.def"
};
static const op_row chlo_rows[] = {
#include "solver/ops/chlo.def"
};
static const op_row chlo_legacy_rows[] = {
#include "solver/ops/chlo_legacy.def"
};
static const op_row shape_rows[] = {
#include "solver/ops/shape.def"
};
static const op_row tensor_rows[] = {
#include "solver/ops/tensor.def"
};
static const op_row arith_rows[] = {
#include "solver/ops/arith.def"
};
static const op_row func_rows[] = {
#include "solver/ops/func.def"
};
static const op_row cf_rows[] = {
#include "solver/ops/cf.def"
};
static const op_row disc_rows[] = {
#include "solver/ops/disc_shape.def"
};
static const op_row builtin_rows[] = {
#include "solver/ops/builtin.def"
};
static const op_row linalg_rows[] = {
#include "solver/ops/linalg.def"
};
static const op_row memref_rows[] = {
#include "solver/ops/memref.def"
};
static const op_row affine_rows[] = {
#include "solver/ops/affine.def"
};
static const op_row index_rows[] = {
#include "solver/ops/index.def"
};
static const op_row bufferization_rows[] = {
#include "solver/ops/bufferization.def"
};
static const op_row scf_rows[] = {
#include "solver/ops/scf.def"
};
static const op_row tosa_rows[] = {
#include "solver/ops/tosa.def"
};
static const op_row util_rows[] = {
#include "solver/ops/util.def"
};
static const op_row flow_rows[] = {
#include "solver/ops/flow.def"
};
static const op_row hal_rows[] = {
#include "solver/ops/hal.def"
};
#undef X
// ONNX: the first and the last version of the domain that a row serves (last 0: still).
#define X(name, first, last, rule, param, structure, least, most, results, source, signature) \
  {name, rule_##rule, (uint32_t)(param), structure, least, most, results, #rule, source, signature, first, last, NULL},
static const op_row onnx_rows[] = {
#include "solver/ops/onnx.def"
};
static const op_row microsoft_rows[] = {
#include "solver/ops/onnx_microsoft.def"
};
static const op_row onnx_ml_rows[] = {
#include "solver/ops/onnx_ml.def"
};
static const op_row onnx_training_rows[] = {
#include "solver/ops/onnx_training.def"
};
static const op_row onnx_preview_rows[] = {
#include "solver/ops/onnx_preview.def"
};
#undef X
// PyTorch: operands may be left out; what that means is the rule's to know.
#define X(name, rule, param, structure, results, parameters, source) \
  {name, rule_##rule, (uint32_t)(param), structure, 0, -1, results, #rule, source, NULL, 0, 0, parameters},
static const op_row torch_rows[] = {
#include "solver/ops/torch.def"
};
static const op_row torch_c_rows[] = {
#include "solver/ops/torch_c.def"
};
#undef X
#undef SOURCE
// clang-format on

typedef struct op_dialect {
  const char *prefix;  // with its dot
  uint32_t prefix_length;
  const op_row *rows;
  uint32_t count;
} op_dialect;

#define DIALECT(prefix, rows)                                                                      \
  { prefix, sizeof(prefix) - 1, rows, sizeof(rows) / sizeof(rows[0]) }
// A name is looked for in every dialect of its prefix, in this order: mhlo. has rows of its own before StableHLO's.
static const op_dialect dialects[] = {DIALECT("stablehlo.", stablehlo_rows),
                                      DIALECT("mhlo.", mhlo_rows),
                                      DIALECT("chlo.", chlo_rows),
                                      DIALECT("chlo_legacy.", chlo_legacy_rows),
                                      DIALECT("shape.", shape_rows),
                                      DIALECT("tensor.", tensor_rows),
                                      DIALECT("arith.", arith_rows),
                                      DIALECT("cf.", cf_rows),
                                      DIALECT("func.", func_rows),
                                      DIALECT("disc_shape.", disc_rows),
                                      DIALECT("builtin.", builtin_rows),
                                      DIALECT("onnx.", onnx_rows),
                                      DIALECT("com.microsoft.", microsoft_rows),
                                      DIALECT("ai.onnx.ml.", onnx_ml_rows),
                                      DIALECT("ai.onnx.preview.training.", onnx_training_rows),
                                      DIALECT("ai.onnx.preview.", onnx_preview_rows),
                                      DIALECT("torch.", torch_rows),
                                      DIALECT("torch_c.", torch_c_rows),
                                      DIALECT("linalg.", linalg_rows),
                                      DIALECT("memref.", memref_rows),
                                      DIALECT("lmhlo.", lmhlo_rows),
                                      DIALECT("affine.", affine_rows),
                                      DIALECT("index.", index_rows),
                                      DIALECT("bufferization.", bufferization_rows),
                                      DIALECT("scf.", scf_rows),
                                      DIALECT("tosa.", tosa_rows),
                                      DIALECT("util.", util_rows),
                                      DIALECT("flow.", flow_rows),
                                      DIALECT("hal.", hal_rows)};
enum {
  DIALECT_COUNT = sizeof(dialects) / sizeof(dialects[0]),
  DIALECT_STABLEHLO = 0,
  DIALECT_MHLO = 1,
  DIALECT_ONNX = 11,
  DIALECT_TORCH = 16
};

// Compares a row's name after its dialect with `rest`, as bytes; most differ in their first ones.
static int compare_rest(const op_dialect *d, const op_row *row, const char *rest, size_t length) {
  const char *name = row->name + d->prefix_length;
  for (size_t i = 0; i < length; i++) {
    int order = (unsigned char)name[i] - (unsigned char)rest[i];
    if (order) return order;
    if (!name[i]) return -1;  // `rest` may hold any byte
  }
  return name[length] != 0;
}

// Rows of one name are side by side, oldest first, where there are versions: the one that serves `version`, or NULL. A
// version before the first one has what runtimes ship under that name before the specification had it. 0: the newest.
static const op_row *row_of_version(const op_dialect *d, uint32_t found, uint32_t version) {
  assert(found < d->count);
  const char *name = d->rows[found].name;
  while (found && strcmp(d->rows[found - 1].name, name) == 0) found--;
  if (version && version < d->rows[found].since) return &d->rows[found];
  for (; found < d->count && strcmp(d->rows[found].name, name) == 0; found++) {
    const op_row *row = &d->rows[found];
    if (version ? row->since <= version && (!row->until || version <= row->until) : !row->until)
      return row;
  }
  return NULL;
}

static const op_row *find_rest(const op_dialect *d, const char *rest, size_t length,
                               uint32_t version) {
  uint32_t low = 0, high = d->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = compare_rest(d, &d->rows[middle], rest, length);
    if (order == 0)
      return d->rows[middle].since ? row_of_version(d, middle, version) : &d->rows[middle];
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return NULL;
}

const op_row *registry_find(const char *name, size_t length, uint32_t opset) {
  for (uint32_t i = 0; i < DIALECT_COUNT; i++) {
    const op_dialect *d = &dialects[i];
    if (length <= d->prefix_length || *name != *d->prefix ||
        memcmp(name, d->prefix, d->prefix_length) != 0)
      continue;
    const char *rest = name + d->prefix_length;
    uint32_t version = i == DIALECT_ONNX ? opset : 0;
    const op_row *row = find_rest(d, rest, length - d->prefix_length, version);
    if (!row && i == DIALECT_MHLO)
      row = find_rest(&dialects[DIALECT_STABLEHLO], rest, length - d->prefix_length, version);
    return row;
  }
  return NULL;
}

static bool is_of(const op_dialect *d, const char *name, size_t length) {
  return length > d->prefix_length && memcmp(name, d->prefix, d->prefix_length) == 0;
}

bool registry_is_onnx(const char *name, size_t length) {
  assert(dialects[DIALECT_ONNX].rows == onnx_rows);
  return is_of(&dialects[DIALECT_ONNX], name, length);
}

bool registry_is_torch(const char *name, size_t length) {
  assert(dialects[DIALECT_TORCH].rows == torch_rows);
  return is_of(&dialects[DIALECT_TORCH], name, length);
}

uint32_t registry_count(void) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < DIALECT_COUNT; i++) count += dialects[i].count;
  return count;
}

const op_row *registry_row(uint32_t index) {
  for (uint32_t i = 0; i < DIALECT_COUNT; i++) {
    if (index < dialects[i].count) return &dialects[i].rows[index];
    index -= dialects[i].count;
  }
  return NULL;
}
