// SPDX-License-Identifier: Apache-2.0
// Which bytes of an ONNX file the reader of this folder inspects: all but the payloads of large tensors. A caller that brings
// the bytes (from a file of gigabytes, say) is notified in time, in ascending order, and need not bring the rest.
#ifndef SHAPE_FORMATS_ONNX_SCAN_H
#define SHAPE_FORMATS_ONNX_SCAN_H

#include <stdbool.h>
#include <stddef.h>

// Payloads from this size on are stepped over. Tensors whose values are tracked take at most 10 bytes for each of
// DENSE_TRACKED elements, so theirs are smaller by far.
enum { ONNX_SKIP = 1 << 16 };

// The bytes [begin, end) are inspected next. False: they cannot be had.
typedef bool onnx_need(void *data, size_t begin, size_t end);

// True: every byte outside the parts that were needed may hold anything, and onnx_read answers the same. False: need
// said so. Works on files that are not well-formed too. O(fields), not O(length).
bool onnx_scan(const char *bytes, size_t length, onnx_need *need, void *data);

#endif
