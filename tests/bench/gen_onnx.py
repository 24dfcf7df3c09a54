#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chains of ONNX layers over symbolic dims, made so that each layer's dims are expressions over those of the last.

    tests/bench/gen_onnx.py KIND LAYERS > model.onnx        one model
    tests/bench/gen_onnx.py --list                          the kinds

Each kind is a pattern of real models taken to any depth: what grows is the expression of a size, not just the graph.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from zoo_models import graph, ints, integer, model, node, num, sub, tensor  # noqa: E402


class Chain:
    """A model under construction: fresh names, i64 constants, shape arithmetic."""

    def __init__(self):
        self.nodes, self.extra, self.count, self.known = [], b"", 0, {}

    def name(self):
        self.count += 1
        return "t%d" % self.count

    def add(self, op, inputs, attributes=b"", outputs=1):
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(node(op, inputs, names, attributes))
        return names[0] if outputs == 1 else names

    def const(self, values, scalar=False):
        key = (tuple(values), scalar)
        if key not in self.known:
            self.known[key] = "c%d" % len(self.known)
            self.extra += sub(5, tensor(self.known[key], [] if scalar else [len(values)], values))
        return self.known[key]

    def weight(self, dims):
        key = ("w",) + tuple(dims)
        if key not in self.known:
            self.known[key] = "w%d" % len(self.known)
            count = 1
            for d in dims:
                count *= d
            self.extra += sub(5, tensor(self.known[key], dims, raw=b"\0" * (4 * count), dtype=1))
        return self.known[key]

    def dim(self, x, axis):
        """Size `axis` of x, as a tensor of one element."""
        return self.add("Gather", [self.add("Shape", [x]), self.const([axis])])

    def concat(self, parts, axis):
        return self.add("Concat", parts, integer("axis", axis))

    def conv(self, x, kernel=3, stride=1, pad=1):
        return self.add("Conv", [x, self.weight([4, 4, kernel, kernel])], ints("pads", [pad] * 4) + ints("strides", [stride] * 2))

    def slice(self, x, start, end, axis, step=1):
        ends = end if isinstance(end, str) else self.const([end])
        starts = start if isinstance(start, str) else self.const([start])
        return self.add("Slice", [x, starts, ends, self.const([axis]), self.const([step])])

    def resize(self, x, factor):
        """By 3/2 or so: the scales are in a float tensor."""
        key = ("scales", factor)
        if key not in self.known:
            import struct
            self.known[key] = "s%d" % len(self.known)
            self.extra += sub(5, tensor(self.known[key], [4], raw=struct.pack("<4f", 1, 1, factor, factor), dtype=1))
        return self.add("Resize", [x, "", self.known[key]])


def strides(c, x, layers):
    """Convolutions with stride 2 and odd paddings: floordiv of floordiv of ..."""
    for i in range(layers):
        x = c.conv(x, 3 if i % 2 else 5, 2 if i % 3 else 3, i % 3)
    return x


def grow_shrink(c, x, layers):
    """Resize by 3/2, then a strided convolution: floordiv(3*floordiv(...), 2)."""
    for _ in range(layers):
        x = c.conv(c.resize(x, 1.5), 3, 2, 0)
    return x


def dense(c, x, layers):
    """Concatenation along a symbolic axis of x and its pooled half: each size is a sum over all the dims before it."""
    for _ in range(layers):
        x = c.concat([x, c.slice(x, 0, 1 << 40, 2, 2)], 2)
    return x


def densenet(c, x, layers):
    """Blocks that concatenate all of their features along the channels, with pooling between them."""
    for i in range(layers):
        y = c.add("Conv", [x, c.weight([4, 4, 3, 3])], ints("pads", [1] * 4))
        y = c.concat([x, y], 1)
        y = c.slice(y, 0, 4, 1)
        x = c.add("AveragePool", [y], ints("kernel_shape", [2, 2]) + ints("strides", [2, 2])) if i % 4 == 3 else y
    return x


def windows(c, x, layers):
    """Swin: pads H and W to multiples of 7, splits into windows, merges them, crops, adds; merges patches now and then."""
    seven = c.const([7])
    for i in range(layers):
        h, w, b = c.dim(x, 2), c.dim(x, 3), c.dim(x, 0)
        padh = c.add("Mod", [c.add("Sub", [seven, c.add("Mod", [h, seven])]), seven])
        padw = c.add("Mod", [c.add("Sub", [seven, c.add("Mod", [w, seven])]), seven])
        zero = c.const([0])
        p = c.add("Pad", [x, c.concat([zero, zero, zero, zero, zero, zero, padh, padw], 0)])
        ph, pw = c.dim(p, 2), c.dim(p, 3)
        nh, nw = c.add("Div", [ph, seven]), c.add("Div", [pw, seven])
        four = c.const([4])
        r = c.add("Reshape", [p, c.concat([b, four, nh, seven, nw, seven], 0)])
        r = c.add("Transpose", [r], ints("perm", [0, 2, 4, 3, 5, 1]))
        r = c.add("Reshape", [r, c.concat([c.add("Mul", [c.add("Mul", [b, nh]), nw]), c.const([49]), four], 0)])
        r = c.add("Softmax", [r])
        r = c.add("Reshape", [r, c.concat([b, nh, nw, seven, seven, four], 0)])
        r = c.add("Transpose", [r], ints("perm", [0, 5, 1, 3, 2, 4]))
        r = c.add("Reshape", [r, c.concat([b, four, ph, pw], 0)])
        r = c.slice(c.slice(r, 0, h, 2), 0, w, 3)
        x = c.add("Add", [x, r])
        if i % 2:
            x = c.conv(x, 2, 2, 0)
    return x


def unet(c, x, layers):
    """Down by strided convolutions, then up to the dims of the skipped values: equal dims found again at each step."""
    skips = []
    for _ in range(layers):
        skips.append(x)
        x = c.conv(x, 3, 2, 1)
    for skip in reversed(skips):
        s = c.concat([c.slice(c.add("Shape", [x]), 0, 2, 0), c.slice(c.add("Shape", [skip]), 2, 4, 0)], 0)
        x = c.add("Add", [c.add("Resize", [x, "", "", s]), skip])
    return x


def unet_scales(c, x, layers):
    """Up by a factor of 2 and added to the skipped value: each step requires that the size was even."""
    skips = []
    for _ in range(layers):
        skips.append(x)
        x = c.add("MaxPool", [x], ints("kernel_shape", [2, 2]) + ints("strides", [2, 2]))
    for skip in reversed(skips):
        x = c.add("Add", [c.resize(x, 2.0), skip])
    return x


def crop_pad(c, x, layers):
    """Cuts to a third and pads by a quarter: dims by shape arithmetic."""
    for _ in range(layers):
        h = c.dim(x, 2)
        x = c.slice(x, c.add("Div", [h, c.const([3])]), h, 2)
        zero = c.const([0])
        x = c.add("Pad", [x, c.concat([zero] * 6 + [c.add("Div", [h, c.const([4])]), zero], 0)])
    return x


def broadcasts(c, x, layers):
    """Adds inputs of unknown dims: bcast of bcast of ..."""
    for i in range(layers):
        x = c.add("Add", [x, "y%d" % i])
    return x


def sums(c, x, layers):
    """Concatenates inputs of unknown length: sums of many symbols."""
    for i in range(layers):
        x = c.concat([x, "y%d" % i], 2)
    return x


def flatten(c, x, layers):
    """Products of sums: concatenates a fresh input, flattens, splits again."""
    for i in range(layers):
        x = c.concat([x, "y%d" % i], 2)
        flat = c.add("Flatten", [x], integer("axis", 1))
        x = c.add("Add", [x, c.add("Reshape", [flat, c.add("Shape", [x])])])
    return x


def squares(c, x, layers):
    """x times itself: degrees double with each layer."""
    for _ in range(layers):
        h = c.dim(x, 2)
        x = c.add("Expand", [c.slice(x, 0, 1, 2), c.concat([c.const([1]), c.const([1]), c.add("Mul", [h, h]), c.const([1])], 0)])
    return x


def minima(c, x, layers):
    """Slices to the shortest of all lengths so far: min of min of ..."""
    for i in range(layers):
        x = c.slice(x, 0, c.add("Add", [c.dim("y%d" % i, 2), c.const([i % 5])]), 2)
    return x


def tiles(c, x, layers):
    """Repeats along H as often as there are rows of a fresh input: long products."""
    for i in range(layers):
        one = c.const([1])
        x = c.add("Tile", [x, c.concat([one, one, c.dim("y%d" % i, 2), one], 0)])
    return x


def doubles(c, x, layers):
    """x beside itself: coefficients double."""
    for _ in range(layers):
        x = c.concat([x, x], 2)
    return x


def strided_sums(c, x, layers):
    """Concatenates a fresh input and takes every second row: floordiv of sums of floordiv of sums."""
    for i in range(layers):
        x = c.slice(c.concat([x, "y%d" % i], 2), 0, 1 << 40, 2, 2)
    return x


FRESH = {"broadcasts", "sums", "flatten", "minima", "tiles", "strided_sums"}
KINDS = {f.__name__: f for f in (strides, grow_shrink, dense, densenet, windows, unet, unet_scales, crop_pad, broadcasts, sums,
                                 flatten, squares, minima, tiles, doubles, strided_sums)}


def chain(kind, layers):
    """(bytes of the model, number of its nodes)"""
    c = Chain()
    inputs = [("x", ["N", 4, "H", "W"])]
    if kind in FRESH:
        shape = (lambda i: ["N", 4, "H%d" % i, "W%d" % i]) if kind == "broadcasts" else (lambda i: ["N", 4, "H%d" % i, "W"])
        inputs += [("y%d" % i, shape(i)) for i in range(layers)]
    result = KINDS[kind](c, "x", layers)
    return model(c.nodes, inputs, [result], extra=c.extra), len(c.nodes)


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(KINDS))
        return 0
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    sys.stdout.buffer.write(chain(sys.argv[1], int(sys.argv[2]))[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
