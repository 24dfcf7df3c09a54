#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs and queries that a careless tool is slow on, of any size, for the bench.

    gen_hard.py loops 32          a program: loops inside loops, each of which changes the size that it carries
    gen_hard.py products 400      one line for `shape decide --jsonl`
"""
import json
import sys

T = "tensor<?xf32>"


def function(lines, result):
    head = "func.func @main(%%x: %s, %%n: tensor<i32>, %%p: tensor<i1>) -> %s {" % (T, T)
    return "\n".join([head] + lines + ["return %s : %s }" % (result, T), ""])


def loops(depth):
    """depth loops inside one another; the innermost doubles what all carry."""
    lines, ends = [], []
    for k in range(depth):
        inner = "%%y%d%s" % (k + 1, "#1" if k + 1 < depth else "")
        source = "%%x%d" % k if k else "%x"
        lines += ["%%y%d:2 = stablehlo.while(%%j%d = %%n, %%x%d = %s) : tensor<i32>, %s" % (k, k, k + 1, source, T),
                  "cond { stablehlo.return %p : tensor<i1> } do {"]
        ends.append("stablehlo.return %%j%d, %s : tensor<i32>, %s }" % (k, inner, T))
    lines.append("%%y%d = stablehlo.concatenate %%x%d, %%x%d, dim = 0 : (%s, %s) -> %s" % (depth, depth, depth, T, T, T))
    return function(lines + ends[::-1], "%y0#1")


def branches(depth):
    """depth conditionals inside one another, whose two sides disagree about the size."""
    lines, ends = [], []
    for k in range(depth):
        lines.append('%%y%d = "stablehlo.if"(%%p) ({' % k)
        ends += ["stablehlo.return %%z%d : %s }) : (tensor<i1>) -> %s" % (k, T, T),
                 "%%z%d = stablehlo.concatenate %%x, %%x, %%x, dim = 0 : (%s, %s, %s) -> %s" % (k, T, T, T, T),
                 "stablehlo.return %%y%d : %s }, {" % (k + 1, T)]
    lines.append("%%y%d = stablehlo.concatenate %%x, %%x, dim = 0 : (%s, %s) -> %s" % (depth, T, T, T))
    return function(lines + ends[::-1], "%y0")


def elements(count):
    """A shape value of count elements, reshaped, transposed, reshaped again; its last element becomes a size."""
    rows, one, flat = count // 10, "tensor<1xi32>", "tensor<%dxi32>" % (count // 10 * 10)
    wide, tall = "tensor<%dx10xi32>" % rows, "tensor<10x%dxi32>" % rows
    lines = ["%d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>",
             "%e = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>"]
    for k in range(rows * 10):
        lines += ["%%c%d = stablehlo.constant dense<%d> : %s" % (k, k, one), "%%s%d = stablehlo.add %%e, %%c%d : %s" % (k, k, one)]
    lines += ["%%v = stablehlo.concatenate %s, dim = 0 : (%s) -> %s"
              % (", ".join("%%s%d" % k for k in range(rows * 10)), ", ".join([one] * (rows * 10)), flat),
              "%%m = stablehlo.reshape %%v : (%s) -> %s" % (flat, wide),
              "%%t = stablehlo.transpose %%m, dims = [1, 0] : (%s) -> %s" % (wide, tall),
              "%%l = stablehlo.reshape %%t : (%s) -> %s" % (tall, flat),
              "%%o = stablehlo.slice %%l [%d:%d] : (%s) -> %s" % (rows * 10 - 1, rows * 10, flat, one),
              "%%r = stablehlo.dynamic_broadcast_in_dim %%x, %%o, dims = [0] : (%s, %s) -> %s" % (T, one, T)]
    return function(lines, "%r")


def query(names, assume, query):
    symbols = {name: {"min": 0, "max": None, "multiple_of": None} for name in names}
    return json.dumps({"id": "hard", "symbols": symbols, "assume": assume, "query": query}) + "\n"


def unions(count):
    """x1 == x0, x2 == x1, ...: unions, the last first and every second one later."""
    links = ["x%d == x%d" % (k + 1, k) for k in range(count)]
    return query(["x%d" % k for k in range(count + 1)], links[::-2] + links[-2::-2], "x0 == x%d" % count)


def products(count):
    """count names for the products of all pairs of about sqrt(2*count) symbols."""
    side = max(3, int((2 * count)**0.5))
    pairs = [(i, j) for i in range(side) for j in range(i)]
    last = side - 1
    return query(["x%d" % k for k in range(side)] + ["p%d_%d" % p for p in pairs],
                    ["p%d_%d == x%d*x%d" % (i, j, i, j) for i, j in pairs], "p%d_0*x1 == p%d_1*x0" % (last, last))


def total(count):
    """count symbols in one sum."""
    names = ["x%d" % k for k in range(count)]
    return query(names + ["s"], ["s == " + " + ".join(names)], "s >= x%d" % (count // 2))


def band(count):
    """Inequalities between overlapping sums: many ways to combine them, and no answer in them."""
    return query(["x%d" % k for k in range(count + 3)],
                    ["x%d + x%d <= x%d + x%d" % (k, k + 1, k + 2, k + 3) for k in range(count)],
                    "x0 + x1 <= x%d + x%d" % (count, count + 2))


PROGRAMS = {"loops": loops, "branches": branches, "elements": elements}
QUERIES = {"unions": unions, "products": products, "total": total, "band": band}


def main():
    kinds = dict(PROGRAMS, **QUERIES)
    if len(sys.argv) != 3 or sys.argv[1] not in kinds:
        raise SystemExit(__doc__ + "\nkinds: " + ", ".join(kinds))
    sys.stdout.write(kinds[sys.argv[1]](int(sys.argv[2])))


if __name__ == "__main__":
    main()
