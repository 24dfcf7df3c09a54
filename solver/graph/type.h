// SPDX-License-Identifier: Apache-2.0
// Types as interned indices: equal types have equal ids.
//
// A size in a type is one int64: >= 0 is itself, DIM_DYNAMIC is `?`, and other negative numbers name a symbol of the
// graph (ONNX dim_param, disc_shape encoding, JSON symbol): dim_symbol / dim_of_symbol convert.
#ifndef SHAPE_GRAPH_TYPE_H
#define SHAPE_GRAPH_TYPE_H

#include <assert.h>
#include <stdbool.h>

#include "solver/base/imap.h"
#include "solver/base/intern.h"
#include "solver/base/strbuf.h"

typedef enum shape_dtype {
#define X(name, mlir, onnx, bits, class) DTYPE_##name,
#include "solver/graph/dtype.def"
#undef X
  DTYPE_QUANTIZED,  // !quant.uniform<...>: `text` holds it whole; storage and expressed types in params
  DTYPE_OTHER,      // any other element type, kept as text
  DTYPE_COUNT
} shape_dtype;

const char *dtype_name(shape_dtype dtype);  // MLIR spelling
const char *dtype_onnx_name(shape_dtype dtype);
uint32_t dtype_bits(shape_dtype dtype);    // 0: no fixed width
bool dtype_is_integer(shape_dtype dtype);  // signed, unsigned, boolean and index
bool dtype_is_signed(shape_dtype dtype);
bool dtype_is_float(shape_dtype dtype);
bool dtype_is_complex(shape_dtype dtype);
bool dtype_from_name(const char *text, size_t length, shape_dtype *out);  // MLIR spelling
bool dtype_from_onnx_name(const char *text, size_t length, shape_dtype *out);
bool dtype_from_onnx(uint64_t number, shape_dtype *out);  // TensorProto.DataType; 0 is none

#define DIM_DYNAMIC INT64_MIN
static inline bool dim_is_static(int64_t dim) { return dim >= 0; }
static inline bool dim_is_symbol(int64_t dim) { return dim < 0 && dim != DIM_DYNAMIC; }
static inline uint32_t dim_symbol(int64_t dim) { return (uint32_t)(-1 - dim); }
static inline int64_t dim_of_symbol(uint32_t symbol) { return -1 - (int64_t)symbol; }

typedef uint32_t type_id;
#define TYPE_NONE UINT32_MAX  // not known

typedef enum type_kind {
  TYPE_SCALAR,    // an element type on its own: f32, index, !stablehlo.token, !quant.uniform<...>
  TYPE_TENSOR,    // ranked
  TYPE_UNRANKED,  // tensor<*xf32>
  TYPE_TUPLE,     // params
  TYPE_FUNCTION,  // params: inputs, then results; `split` inputs
  TYPE_SEQUENCE,  // ONNX; params[0]; also !stablehlo.future<...> is a TUPLE-like OPAQUE with params
  TYPE_OPTIONAL,  // ONNX; params[0]
  TYPE_MAP,       // ONNX; params[0] key, params[1] value
  TYPE_SHAPE,     // !shape.shape
  TYPE_SIZE,      // !shape.size
  TYPE_OPAQUE     // any other, kept as text
} type_kind;

// How a tensor is written.
typedef enum torch_kind { TORCH_NOT, TORCH_VTENSOR, TORCH_TENSOR } torch_kind;

// What holds the elements. A memref is a buffer: its dims never change, its elements may, so they are never tracked.
// `encoding` of a memref is its layout and its memory space, as they are written.
typedef enum type_container { CONTAINER_TENSOR, CONTAINER_MEMREF, CONTAINER_VECTOR } type_container;

typedef struct graph_type {
  uint8_t kind;       // type_kind
  uint8_t dtype;      // SCALAR, TENSOR, UNRANKED: shape_dtype of the element; others: 0
  uint8_t torch;      // TENSOR, UNRANKED: torch_kind
  uint8_t container;  // TENSOR, UNRANKED: type_container
  bool sparse;        // ONNX sparse tensor
  bool has_bounds;
  uint32_t rank;  // TENSOR
  uint32_t param_count, split;
  const int64_t *dims;  // rank of them
  const int64_t
      *bounds;  // rank of them where has_bounds: DIM_DYNAMIC is no bound (#stablehlo.bounds)
  const type_id *params;
  name_id text;      // QUANTIZED, OTHER, OPAQUE: spelling of the element or type; else NAME_NONE
  name_id encoding;  // spelling of an encoding that is neither bounds nor symbols; else NAME_NONE
} graph_type;

typedef struct type_table {
  shape_arena *arena;
  shape_intern *names;
  const graph_type *
      *types;  // each stays where it is, so that it may be held while others are interned
  uint32_t count, capacity;
  shape_imap by_hash;
  uint32_t *chain;
  uint32_t chain_capacity;
  type_id unranked[DTYPE_COUNT];  // by element type; TYPE_NONE: not interned as yet
} type_table;

void type_table_init(type_table *table, shape_arena *arena, shape_intern *names);
type_id type_intern(type_table *table, const graph_type *type);  // copies dims, bounds and params
static inline const graph_type *type_get(const type_table *table, type_id id) {
  assert(id < table->count);
  return table->types[id];
}
type_id type_scalar(type_table *table, shape_dtype dtype);
type_id type_tensor(type_table *table, shape_dtype dtype, const int64_t *dims, uint32_t rank);
type_id type_unranked(type_table *table, shape_dtype dtype);
// `params` has the inputs, then the results.
type_id type_function(type_table *table, const type_id *params, uint32_t inputs, uint32_t results);
type_id type_tuple(type_table *table, const type_id *params, uint32_t count);
// The same element type and encoding with other dims (and bounds; NULL: none). Works on SCALAR, TENSOR and UNRANKED.
type_id type_with_dims(type_table *table, type_id like, const int64_t *dims, const int64_t *bounds,
                       uint32_t rank);
bool type_same_element(const type_table *table, type_id a,
                       type_id b);  // element types (quantisation included) agree
bool type_is_tensor(const type_table *table, type_id id);  // TENSOR or UNRANKED
// Whether its elements never change, so that they may be tracked; NULL: yes.
static inline bool type_holds_values(const graph_type *type) {
  return !type || type->container != CONTAINER_MEMREF;
}

// MLIR spelling.
typedef bool type_symbol_writer(void *data, shape_strbuf *out, uint32_t symbol);
void type_print(const type_table *table, shape_strbuf *out, type_id id);  // symbols as `?`
// With symbols as an encoding after `?`: tensor<?x4xf32, [@S0, @C4]>; `symbol` writes the name with its @. A type has
// an encoding where it returns true of one of its symbols; then `out` may be NULL.
void type_print_encoded(const type_table *table, shape_strbuf *out, type_id id,
                        type_symbol_writer *symbol, void *data);

#endif
