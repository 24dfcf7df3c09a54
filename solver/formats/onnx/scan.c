// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/scan.h"

#include <assert.h>

#include "solver/formats/onnx/fields.h"
#include "solver/formats/onnx/reader.h"

_Static_assert(ONNX_SKIP > 10 * DENSE_TRACKED, "a tensor that is read must not be stepped over");

typedef enum message {
  MESSAGE_NONE,  // bytes of which nothing more is known: inspected
  MESSAGE_MODEL,
  MESSAGE_GRAPH,
  MESSAGE_NODE,
  MESSAGE_ATTRIBUTE,
  MESSAGE_TENSOR,
  MESSAGE_SPARSE,
  MESSAGE_FUNCTION,
  MESSAGE_PAYLOAD  // of a tensor
} message;

// Field numbers of AttributeProto that hold lists of tensors and graphs.
enum { ATTRIBUTE_TENSORS = 10, ATTRIBUTE_GRAPHS = 11, ATTRIBUTE_SPARSE_TENSORS = 23 };

enum { FIELDS = 32 };  // above the number of each that is listed

static const uint8_t HELD[][FIELDS] = {
    [MESSAGE_MODEL][MODEL_GRAPH] = MESSAGE_GRAPH,
    [MESSAGE_MODEL][MODEL_FUNCTIONS] = MESSAGE_FUNCTION,
    [MESSAGE_FUNCTION][FUNCTION_NODE] = MESSAGE_NODE,
    [MESSAGE_FUNCTION][FUNCTION_ATTRIBUTE_PROTO] = MESSAGE_ATTRIBUTE,
    [MESSAGE_GRAPH][GRAPH_NODE] = MESSAGE_NODE,
    [MESSAGE_GRAPH][GRAPH_INITIALIZER] = MESSAGE_TENSOR,
    [MESSAGE_GRAPH][GRAPH_SPARSE_INITIALIZER] = MESSAGE_SPARSE,
    [MESSAGE_NODE][NODE_ATTRIBUTE] = MESSAGE_ATTRIBUTE,
    [MESSAGE_ATTRIBUTE][ATTRIBUTE_T] = MESSAGE_TENSOR,
    [MESSAGE_ATTRIBUTE][ATTRIBUTE_G] = MESSAGE_GRAPH,
    [MESSAGE_ATTRIBUTE][ATTRIBUTE_TENSORS] = MESSAGE_TENSOR,
    [MESSAGE_ATTRIBUTE][ATTRIBUTE_GRAPHS] = MESSAGE_GRAPH,
    [MESSAGE_ATTRIBUTE][ATTRIBUTE_SPARSE_TENSOR] = MESSAGE_SPARSE,
    [MESSAGE_ATTRIBUTE][ATTRIBUTE_SPARSE_TENSORS] = MESSAGE_SPARSE,
    [MESSAGE_SPARSE][SPARSE_VALUES] = MESSAGE_TENSOR,
    [MESSAGE_SPARSE][SPARSE_INDICES] = MESSAGE_TENSOR,
    [MESSAGE_TENSOR][TENSOR_FLOAT_DATA] = MESSAGE_PAYLOAD,
    [MESSAGE_TENSOR][TENSOR_INT32_DATA] = MESSAGE_PAYLOAD,
    [MESSAGE_TENSOR][TENSOR_STRING_DATA] = MESSAGE_PAYLOAD,
    [MESSAGE_TENSOR][TENSOR_INT64_DATA] = MESSAGE_PAYLOAD,
    [MESSAGE_TENSOR][TENSOR_RAW_DATA] = MESSAGE_PAYLOAD,
    [MESSAGE_TENSOR][TENSOR_DOUBLE_DATA] = MESSAGE_PAYLOAD,
    [MESSAGE_TENSOR][TENSOR_UINT64_DATA] = MESSAGE_PAYLOAD,
};

static message held(message of, uint64_t field) {
  assert(of < sizeof HELD / sizeof *HELD);
  return field < FIELDS ? (message)HELD[of][field] : MESSAGE_NONE;
}

typedef struct scanner {
  const uint8_t *bytes;
  onnx_need *need;
  void *data;
  size_t known;  // the end of what was needed last
} scanner;

enum { HEAD_MAX = 20, DEEPEST = 4 * ONNX_MAX_DEPTH };  // a key and a length, or a key and a number

// Heads are longer than most fields: what lies in the bytes needed last is needed already.
static inline bool needed(scanner *s, size_t begin, size_t end) {
  if (end <= s->known) return true;
  s->known = end;
  return s->need(s->data, begin, end);
}

static bool scan_message(scanner *s, message kind, size_t at, size_t end, unsigned depth) {
  assert(at <= end);
  assert(depth <= DEEPEST);
  while (at < end) {
    size_t head = end - at < HEAD_MAX ? end : at + HEAD_MAX;
    if (!needed(s, at, head)) return false;
    wire_reader w = {s->bytes + at, s->bytes + head, false};
    uint64_t key, size;
    // What is not well-formed is inspected, so that the reader says what is wrong with it.
    if (!wire_varint(&w, &key)) return needed(s, at, end);
    if ((key & 7) != WIRE_BYTES) {
      w.at = s->bytes + at;
      wire_field field;
      if (!wire_next(&w, &field)) return needed(s, at, end);
      at = (size_t)(w.at - s->bytes);
      continue;
    }
    if (!wire_varint(&w, &size)) return needed(s, at, end);
    at = (size_t)(w.at - s->bytes);
    // A length that lies ends the message for the reader too: nothing after it is inspected.
    if (size > end - at) return true;
    message inner = held(kind, key >> 3);
    size_t stop = at + (size_t)size;
    assert(stop <= end);
    bool skip = inner == MESSAGE_PAYLOAD && size >= ONNX_SKIP;
    // What is smaller than any payload that is stepped over holds none.
    bool plain =
        inner == MESSAGE_NONE || inner == MESSAGE_PAYLOAD || size < ONNX_SKIP || depth >= DEEPEST;
    if (!skip && !(plain ? needed(s, at, stop) : scan_message(s, inner, at, stop, depth + 1)))
      return false;
    at = stop;
  }
  return true;
}

bool onnx_scan(const char *bytes, size_t length, onnx_need *need, void *data) {
  scanner s = {(const uint8_t *)bytes, need, data, 0};
  return scan_message(&s, MESSAGE_MODEL, 0, length, 0);
}
