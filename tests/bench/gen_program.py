#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a StableHLO program of any size for the bench: a stack of feed-forward (GLU) and attention blocks.

    gen_program.py --ops 10000 -o program.mlir
    gen_program.py --ops 1000 --kind chain          one size handed through many reshapes
    gen_program.py --ops 1000 --kind concat         one wide concatenate per thousand operations
    gen_program.py --ops 1000 --kind arguments      a thousand arguments, added in pairs

Batch and sequence length are dynamic, and every block computes its shapes from get_dimension_size, the way exporters
do. As many whole blocks are written as fit in --ops operations (at least one); the exact count goes to stderr. The
output depends on the arguments only.
"""
import argparse
import sys

WIDTH, HEADS = 96, 6
HEAD = WIDTH // HEADS


def tensor(*dims):
    return "tensor<%sf32>" % "".join("%sx" % d for d in dims)


X, R = tensor("?", "?", WIDTH), tensor("?", "?")
SPLIT, MOVED = tensor("?", "?", HEADS, HEAD), tensor("?", HEADS, "?", HEAD)
SCORES = tensor("?", HEADS, "?", "?")
WEIGHT = tensor(WIDTH, WIDTH)


class Body:
    """The operations of one function, numbered in order."""

    def __init__(self):
        self.lines, self.count = [], 0

    def op(self, text, extra=()):
        name = "%%%d" % self.count
        self.count += 1
        self.lines.append("    %s = stablehlo.%s" % (name, text))
        self.lines.extend("    " + line for line in extra)
        return name

    def size(self, value, kind, axis):
        size = self.op("get_dimension_size %s, dim = %d : (%s) -> tensor<i32>" % (value, axis, kind))
        return self.op("reshape %s : (tensor<i32>) -> tensor<1xi32>" % size)

    def number(self, value):
        return self.op("constant dense<%d> : tensor<1xi32>" % value)

    def shape(self, parts):
        kinds = ", ".join(["tensor<1xi32>"] * len(parts))
        return self.op("concatenate %s, dim = 0 : (%s) -> tensor<%dxi32>" % (", ".join(parts), kinds, len(parts)))

    def total(self, value, kind, result, axis):
        zero = self.op("constant dense<0.000000e+00> : tensor<f32>")
        return self.op("reduce(%s init: %s) applies stablehlo.add across dimensions = [%d] : (%s, tensor<f32>) -> %s"
                       % (value, zero, axis, kind, result))

    def heads(self, x, weight, batch, length):
        y = self.op("dot_general %s, %s, contracting_dims = [2] x [0] : (%s, %s) -> %s" % (x, weight, X, WEIGHT, X))
        shape = self.shape([batch, length, self.number(HEADS), self.number(HEAD)])
        y = self.op("dynamic_reshape %s, %s : (%s, tensor<4xi32>) -> %s" % (y, shape, X, SPLIT))
        return self.op("transpose %s, dims = [0, 2, 1, 3] : (%s) -> %s" % (y, SPLIT, MOVED))

    def attention(self, x):
        batch, length = self.size(x, X, 0), self.size(x, X, 1)
        q, k, v = (self.heads(x, "%w" + name, batch, length) for name in "qkv")
        scores = self.op("dot_general %s, %s, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (%s, %s) -> %s"
                         % (q, k, MOVED, MOVED, SCORES))
        mixed = self.op("dot_general %s, %s, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (%s, %s) -> %s"
                        % (scores, v, SCORES, MOVED, MOVED))
        back = self.op("transpose %s, dims = [0, 2, 1, 3] : (%s) -> %s" % (mixed, MOVED, SPLIT))
        shape = self.shape([batch, length, self.number(WIDTH)])
        flat = self.op("dynamic_reshape %s, %s : (%s, tensor<3xi32>) -> %s" % (back, shape, SPLIT, X))
        return self.op("add %s, %s : %s" % (x, flat, X))

    def glu(self, x):
        batch, length = self.size(x, X, 0), self.size(x, X, 1)
        sums = self.total(x, X, R, 2)
        shape = self.shape([batch, length, self.number(WIDTH)])
        spread = self.op("dynamic_broadcast_in_dim %s, %s, dims = [0, 1] : (%s, tensor<3xi32>) -> %s" % (sums, shape, R, X))
        soft = self.op("logistic %s : %s" % (spread, X))
        y = self.op("multiply %s, %s : %s" % (x, soft, X))
        y = self.op("dot_general %s, %%wo, contracting_dims = [2] x [0] : (%s, %s) -> %s" % (y, X, WEIGHT, X))
        y = self.op("tanh %s : %s" % (y, X))
        return self.op("add %s, %s : %s" % (x, y, X))


def blocks(count):
    body, x = Body(), "%x"
    while True:
        mark = len(body.lines), body.count, x
        x = body.glu(body.attention(x))
        if body.count > count and mark[1]:
            del body.lines[mark[0]:]
            body.count, x = mark[1], mark[2]
            break
        if body.count >= count:
            break
    head = ["  func.func public @main(%%x: %s, %s) -> %s {" % (X, ", ".join("%%w%s: %s" % (n, WEIGHT) for n in "qkvo"), X)]
    return head + body.lines + ["    return %s : %s" % (x, X), "  }"], body.count


def chain(count):
    body, x, kind = Body(), "%x", tensor("?", 8)
    while body.count < count:
        size = body.size(x, kind, 0)
        flat = body.op("dynamic_reshape %s, %s : (%s, tensor<2xi32>) -> %s"
                       % (x, body.shape([size, body.number(8)]), kind, kind))
        x = body.op("add %s, %s : %s" % (x, flat, kind))
    return ["  func.func public @main(%%x: %s) -> %s {" % (kind, kind)] + body.lines + [
        "    return %s : %s" % (x, kind), "  }"], body.count


def concat(count):
    body, x, kind = Body(), "%x", tensor("?", 4)
    while body.count < count:
        parts = [x] + [body.op("tanh %s : %s" % (x, kind)) for _ in range(min(999, count))]
        x = body.op("concatenate %s, dim = 0 : (%s) -> %s" % (", ".join(parts), ", ".join([kind] * len(parts)), kind))
    return ["  func.func public @main(%%x: %s) -> %s {" % (kind, kind)] + body.lines + [
        "    return %s : %s" % (x, kind), "  }"], body.count


def arguments(count):
    """As many arguments of two dims each, added in pairs: symbols and constraints without number."""
    body, kind = Body(), tensor("?", "?")
    for k in range(0, count - 1, 2):
        body.op("add %%a%d, %%a%d : %s" % (k, k + 1, kind))
    head = "  func.func public @main(%s) -> %s {" % (", ".join("%%a%d: %s" % (k, kind) for k in range(count)), kind)
    return [head] + body.lines + ["    return %%0 : %s" % kind, "  }"], count


KINDS = {"blocks": blocks, "chain": chain, "concat": concat, "arguments": arguments}


def program(kind, count):
    lines, written = KINDS[kind](count)
    return "\n".join(["module @bench {"] + lines + ["}", ""]), written


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", type=int, default=1000)
    parser.add_argument("--kind", choices=sorted(KINDS), default="blocks")
    parser.add_argument("-o", "--output", help="file to write (default: standard output)")
    options = parser.parse_args()
    text, written = program(options.kind, options.ops)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as handle:
            handle.write(text)
    else:
        sys.stdout.write(text)
    print("%d operations" % written, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
