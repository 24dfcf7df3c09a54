# SPDX-License-Identifier: Apache-2.0
"""tensor, affine and scf for the random programs: dims that are computed, slices and paddings, loops and branches.

Written from the documentation of the dialects. What is undefined behaviour there ends a run without a judgement; what the
verification at run time of MLIR refuses is a shape error.
"""
import math

import dialects
import generate
import model
from dialects import assumed, index
from generate import type_text
from model import Tensor, need


def number(n):
    assumed(abs(n) < 10**6)
    return Tensor((), [n])


# --- lists of numbers and values, such as [%i, 2]
def mixed(p, numbers, declared=None):
    """(text, values, attribute): each number as a value, or written; declared: where a number has to be written."""
    texts, values, kept = [], [], []
    for k, n in enumerate(numbers):
        if declared[k] is None if declared else p.rng.random() < 0.5:
            v = index(p, n)
            texts.append("%" + v.name)
            values.append(v)
            kept.append(None)
        else:
            texts.append(str(n))
            kept.append(n)
    return "[%s]" % ", ".join(texts), values, kept


def read(kept, values):
    return [values.pop(0).data[0] if n is None else n for n in kept]


def inside(shape, offsets, dims, steps):
    assumed(all(s >= 1 for s in steps))
    for n, lo, k, s in zip(shape, offsets, dims, steps):
        need(k >= 0 and lo >= 0, "a slice with negative numbers")
        need(lo <= n if k == 0 else lo + (k - 1) * s < n, "a slice is inside")


def extract(attrs, a, *values):
    left = list(values)
    offsets, dims, steps = (read(kept, left) for kept in attrs["lists"])
    inside(a.shape, offsets, dims, steps)
    return Tensor(dims)


def insert(attrs, a, b, *values):
    left = list(values)
    offsets, dims, steps = (read(kept, left) for kept in attrs["lists"])
    need(tuple(dims) == a.shape, "what is inserted has the dims of the slice")
    if 0 not in dims:  # where nothing is written nothing is required
        inside(b.shape, offsets, dims, steps)
    return Tensor(b.shape)


def padded(attrs, a, *values):
    left = list(values)
    low, high = (read(kept, left) for kept in attrs["lists"])
    shape = [lo + n + hi for lo, n, hi in zip(low, a.shape, high)]
    assumed(all(n >= 0 for n in low + high + shape))
    return Tensor(shape)


def concat(attrs, *parts):
    return Tensor(model.joined(attrs["axis"], parts))


def written(a, offsets):
    """None where an offset is a value: MLIR's verifier refuses one at the end of an axis, which is legal at run time."""
    return [None if (d is not None and lo >= d) or (lo + k) % 2 else lo for k, (d, lo) in enumerate(zip(a.declared, offsets))]


def make_extract(p):
    a = p.pick_float(1, 3)
    if not a:
        return
    steps = [p.rng.choice([1, 1, 2]) for _ in a.declared]
    offsets = [p.rng.randint(0, n) for n in a.tensor.shape]
    dims = [p.rng.randint(0, max(0, -(-(n - lo) // s))) for n, lo, s in zip(a.tensor.shape, offsets, steps)]
    lists = [mixed(p, offsets, written(a, offsets)), mixed(p, dims), mixed(p, steps, steps)]
    p.add("extract_of", {"lists": [kept for _, _, kept in lists]}, [a] + [v for _, vs, _ in lists for v in vs], "f32", lists[1][2],
          "tensor.extract_slice %%%s%s %s %s : %s to %s" % (a.name, lists[0][0], lists[1][0], lists[2][0], a.type(),
                                                          type_text(lists[1][2], "f32")))


def make_insert(p):
    b = p.pick_float(1, 3)
    a = b and p.pick(lambda v: v.kind == "f32" and len(v.declared) == len(b.declared) and
                     all(m <= n for m, n in zip(v.tensor.shape, b.tensor.shape)))
    if not a:
        return
    offsets = [p.rng.randint(0, n - m) for m, n in zip(a.tensor.shape, b.tensor.shape)]
    ones = [1] * len(offsets)
    lists = [mixed(p, offsets, written(b, offsets)), mixed(p, a.tensor.shape, a.declared), mixed(p, ones, ones)]
    p.add("insert_of", {"lists": [kept for _, _, kept in lists]}, [a, b] + [v for _, vs, _ in lists for v in vs], "f32", b.declared,
          "tensor.insert_slice %%%s into %%%s%s %s %s : %s into %s" % (a.name, b.name, lists[0][0], lists[1][0], lists[2][0], a.type(),
                                                                    b.type()))


def make_pad(p):
    a = p.pick_float(1, 3)
    if not a:
        return
    lists = [mixed(p, [p.rng.choice([0, 0, 1, 2]) for _ in a.declared]) for _ in range(2)]
    declared = [None if None in (d, lo, hi) else 0 for d, lo, hi in zip(a.declared, lists[0][2], lists[1][2])]
    values = [v for _, vs, _ in lists for v in vs]
    try:
        shape = padded({"lists": [kept for _, _, kept in lists]}, a.tensor, *(v.tensor for v in values)).shape
    except model.Assumed:
        return
    name = "z%d" % len(p.ops)
    indices = ", ".join("%%%si%d: index" % (name, k) for k in range(len(a.declared)))
    kind = type_text([n if d is not None else None for d, n in zip(declared, shape)], "f32")
    p.add("padded_of", {"lists": [kept for _, _, kept in lists]}, [a] + values, "f32", declared,
          "tensor.pad %%%s low%s high%s {{\n    ^bb0(%s):\n      %%%s = arith.constant 0.0 : f32\n      tensor.yield %%%s : f32\n    }} : %s to %s" %
          (a.name, lists[0][0], lists[1][0], indices, name, name, a.type(), kind))


def make_concat(p):
    a = p.pick_float(1, 3)
    if not a:
        return
    axis, parts, declared = generate.parts_to_join(p, a)
    declared[axis] = None if any(v.declared[axis] is None for v in parts) else 0
    try:
        shape = concat({"axis": axis}, *(v.tensor for v in parts)).shape
    except model.ShapeError:
        return
    kind = type_text([n if d is not None else None for d, n in zip(declared, shape)], "f32")
    p.add("concat_of", {"axis": axis}, parts, "f32", declared, "tensor.concat dim(%d) %s : (%s) -> %s" %
          (axis, ", ".join("%" + v.name for v in parts), ", ".join(v.type() for v in parts), kind))


def packed_shape(shape, axis, tile):
    return shape[:axis] + (-(-shape[axis] // tile),) + shape[axis + 1:] + (tile,)


def packed(attrs, a, out, *tile):
    t = attrs["tile"] if attrs["tile"] else tile[0].data[0]
    assumed(t > 0)
    assumed(attrs["pads"] or a.shape[attrs["axis"]] % t == 0)
    need(out.shape == packed_shape(a.shape, attrs["axis"], t), "the destination has the dims of the packed operand")
    return Tensor(out.shape)


def unpacked(attrs, a, out, *tile):
    t = attrs["tile"] if attrs["tile"] else tile[0].data[0]
    assumed(t > 0)
    need(a.shape == packed_shape(out.shape, attrs["axis"], t), "the source has the dims of the packed destination")
    return Tensor(out.shape)


def make_pack(p):
    """One axis in tiles; there and back."""
    a = p.pick_float(1, 3)
    if not a:
        return
    axis, n = p.rng.randrange(len(a.declared)), p.rng.choice([1, 2, 2, 3])
    size = None if p.rng.random() < 0.5 else index(p, n)
    shape = packed_shape(a.tensor.shape, axis, n)
    parts = [index(p, k) for k in shape[:-1]] + [size] * (size is not None)
    declared = [None] * (len(shape) - 1) + [None if size else n]
    name = "z%d" % len(p.ops)
    out = p.add("empty_of", {"declared": declared}, parts, "f32", declared, "tensor.empty(%s) : %s" %
                (", ".join("%" + v.name for v in parts), type_text(declared, "f32")))
    if not out:
        return
    pads, tiles = p.rng.random() < 0.5, "inner_dims_pos = [%d] inner_tiles = [%s]" % (axis, "%" + size.name if size else n)
    attrs, more = {"axis": axis, "tile": None if size else n, "pads": pads}, [size] * (size is not None)
    if not pads and a.declared[axis] is not None and not size and a.declared[axis] % n:
        return  # the verifier refuses it
    p.add("packed", attrs, [a, out] + more, "f32", declared, "linalg.pack %%%s %s%s into %%%s : %s -> %s" %
          (a.name, "padding_value(%%%s : f32) " % name if pads else "", tiles, out.name, a.type(), out.type()),
          before=["%%%s = arith.constant 0.0 : f32" % name])
    if p.rng.random() < 0.5:
        p.add("unpacked", attrs, [out, a] + more, "f32", a.declared, "linalg.unpack %%%s %s into %%%s : %s -> %s" %
              (out.name, tiles, a.name, out.type(), a.type()))


def generated(attrs, *parts):
    assumed(all(v.data[0] >= 0 for v in parts))
    return Tensor([v.data[0] for v in parts])


def make_generate(p):
    parts, name = [index(p, p.rng.randint(0, 4)) for _ in range(p.rng.randint(1, 2))], "g%d" % len(p.ops)
    p.add("generated", {}, parts, "f32", [None] * len(parts),
          "tensor.generate %s {{\n    ^bb0(%s):\n      %%%sz = arith.constant 0.0 : f32\n      tensor.yield %%%sz : f32\n    }} : %s" %
          (", ".join("%" + v.name for v in parts), ", ".join("%%%s%d: index" % (name, k) for k in range(len(parts))), name, name,
           type_text([None] * len(parts), "f32")))


# --- buffers: kinds that begin with "=memref"
def buffer_kind(declared):
    return "=memref<%sf32>" % "".join("%sx" % ("?" if d is None else d) for d in declared)


def pick_buffer(p):
    return p.pick(lambda v: v.kind.startswith("=memref"))


def copied(attrs, a, b):
    need(a.shape == b.shape, "both have one shape")
    return Tensor(())


def make_buffer(p):
    a, m, choice = p.pick_float(1, 3), pick_buffer(p), p.rng.randrange(5)
    if choice == 0 or not m:
        parts = [index(p, p.rng.randint(0, 4)) for _ in range(p.rng.randint(1, 2))]
        declared = [None] * len(parts)
        p.add("generated", {}, parts, buffer_kind(declared), declared, "memref.alloc(%s) : %s" %
              (", ".join("%" + v.name for v in parts), buffer_kind(declared)[1:]))
    elif choice == 1 and a:
        p.add("tensor_cast", {}, [a], buffer_kind(a.declared), a.declared, "bufferization.to_buffer %%%s : %s to %s" %
              (a.name, a.type(), buffer_kind(a.declared)[1:]))
    elif choice == 2:
        axis, name = p.rng.randrange(len(m.declared)), "k%d" % len(p.ops)
        p.add("dim", {"axis": axis}, [m], "=index", [], "memref.dim %%%s, %%%s : %s" % (m.name, name, m.type()),
              before=["%%%s = arith.constant %d : index" % (name, axis)])
    elif choice == 3:
        other = p.pick(lambda v: v.kind.startswith("=memref") and v.tensor.shape == m.tensor.shape)
        p.effect("copied", {}, [m, other], "memref.copy %%%s, %%%s : %s to %s" % (m.name, other.name, m.type(), other.type()))
    else:
        declared = [None] * len(m.declared)
        p.add("tensor_cast", {}, [m], buffer_kind(declared), declared, "memref.cast %%%s : %s to %s" %
              (m.name, m.type(), buffer_kind(declared)[1:]))


def switched(attrs, at, *numbers):
    return number(numbers[at.data[0] if 0 <= at.data[0] < len(numbers) - 1 else -1].data[0])


def make_switch(p):
    """Cases 0, 1, ..., and the default."""
    at, numbers = index(p), [index(p) for _ in range(p.rng.randint(2, 3))]
    cases = "".join("\n    case %d {{\n      scf.yield %%%s : index\n    }}" % (k, v.name) for k, v in enumerate(numbers[:-1]))
    p.add("switched", {}, [at] + numbers, "=index", [], "scf.index_switch %%%s -> index%s\n    default {{\n      scf.yield %%%s : index\n    }}" %
          (at.name, cases, numbers[-1].name))


# --- affine maps of d0 and s0
OPERATORS = {"floordiv": lambda a, c: a // c, "ceildiv": lambda a, c: -(-a // c), "mod": lambda a, c: a % c}


class Affine:
    """x*d0 + y*s0 + k, and that divided by a number."""

    def __init__(self, rng):
        self.x, self.y, self.k = rng.choice([0, 1, 1, 2, 3, -1]), rng.choice([0, 0, 1, 1, 2, -1]), rng.choice([0, 0, 1, 2, -1, 5])
        self.name = rng.choice([None, None, "floordiv", "ceildiv", "mod"])
        self.by = rng.choice([2, 3, 4])

    def value(self, d, s):
        n = self.x * d + self.y * s + self.k
        return OPERATORS[self.name](n, self.by) if self.name else n

    def text(self):
        n = "d0 * %d + s0 * %d + %d" % (self.x, self.y, self.k)
        return "(%s) %s %d" % (n, self.name, self.by) if self.name else n


def affine(attrs, d, s):
    return number(attrs["pick"](e.value(d.data[0], s.data[0]) for e in attrs["maps"]))


def delinearized(attrs, i, m, n):
    assumed(m.data[0] > 0 and n.data[0] > 0 and 0 <= i.data[0] < m.data[0] * n.data[0])
    return number(i.data[0] % n.data[0] if attrs["part"] else i.data[0] // n.data[0])


def linearized(attrs, i, j, n):
    return number(i.data[0] * n.data[0] + j.data[0])


def make_affine(p):
    d, s = index(p), index(p)
    name = p.rng.choice(["apply", "apply", "min", "max"])
    maps = [Affine(p.rng) for _ in range(1 if name == "apply" else p.rng.randint(1, 3))]
    p.add("affine", {"maps": maps, "pick": {"apply": max, "min": min, "max": max}[name]}, [d, s], "=index", [],
          "affine.%s affine_map<(d0)[s0] -> (%s)>(%%%s)[%%%s]" % (name, ", ".join(e.text() for e in maps), d.name, s.name))


def make_linear(p):
    i, m, n = index(p), index(p), index(p)
    if p.rng.random() < 0.4:
        p.add("linearized", {}, [i, m, n], "=index", [], "affine.linearize_index [%%%s, %%%s] by (%%%s) : index" % (i.name, m.name, n.name))
        return
    part = p.rng.randrange(2)
    p.add("delinearized%d" % part, {"part": part}, [i, m, n], "=index", [],
          "affine.delinearize_index %%%s into (%%%s, %%%s) : index, index" % (i.name, m.name, n.name))


# --- loops: what they carry is an index or a vector
def trips_of(low, high, step):
    assumed(step > 0)
    count = max(0, -(-(high - low) // step))
    assumed(count <= 50)
    return [low + k * step for k in range(count)]


STEPS = {"addi": lambda a, i: a + i, "subi": lambda a, i: a - i, "maxsi": max, "minsi": min}


def summed(attrs, low, high, step, start):
    acc = start.data[0]
    for i in trips_of(low.data[0], high.data[0], step.data[0]):
        acc = STEPS[attrs["name"]](acc, i if attrs["by"] is None else attrs["by"])
        assumed(abs(acc) < 10**6)
    return number(acc)


def grown(attrs, low, high, step, x, y):
    for _ in trips_of(low.data[0], high.data[0], step.data[0]):
        x, y = carried(attrs["kind"], attrs["k"], x, y)
    return x


def grown_by_one(attrs, high, x, y):
    return grown(attrs, number(0), high, number(1), x, y)


def carried(kind, k, x, y):
    """One trip with two vectors."""
    m, n = x.shape[0], y.shape[0]
    if kind == "pad":
        assumed(m + k < 1000)
        return Tensor((m + k,)), y
    if kind == "cut":
        need(k <= m, "a slice is inside")
        return Tensor((m - k,)), y
    if kind == "swap":
        return y, x
    if kind == "join":
        assumed(m + n < 1000)
        return Tensor((m + n,)), y
    need(m == n, "operands have the extent of the loop that they share")
    return x, y


V = "tensor<?xf32>"


def trip_text(kind, k, tag, x, y):
    """(lines, name of the first, name of the second) of one trip."""
    if kind == "pad":
        return ["%{t}r = tensor.pad %{x} low[0] high[" + str(k) + "] {{", "^bb0(%{t}e: index):", "  %{t}z = arith.constant 0.0 : f32",
                "  tensor.yield %{t}z : f32", "}} : V to V"], tag + "r", y
    if kind == "cut":
        return ["%{t}c0 = arith.constant 0 : index", "%{t}k = arith.constant " + str(k) + " : index", "%{t}d = tensor.dim %{x}, %{t}c0 : V",
                "%{t}m = arith.subi %{t}d, %{t}k : index", "%{t}r = tensor.extract_slice %{x}[%{t}k] [%{t}m] [1] : V to V"], tag + "r", y
    if kind == "swap":
        return [], y, x
    if kind == "join":
        return ["%{t}r = tensor.concat dim(0) %{x}, %{y} : (V, V) -> V"], tag + "r", y
    return ["%{t}r = linalg.add ins(%{x}, %{y} : V, V) outs(%{x} : V) -> V"], tag + "r", y


def trip_lines(kind, k, tag, x, y):
    lines, first, second = trip_text(kind, k, tag, x, y)
    for name, value in (("t", tag), ("x", x), ("y", y)):
        lines = [line.replace("{%s}" % name, value) for line in lines]
    return [line.replace(" V", " " + V).replace("(V", "(" + V) for line in lines], first, second


KINDS = ["pad", "cut", "swap", "join", "add"]


def vector(p):
    """A value of type tensor<?xf32>."""
    a = p.pick(lambda v: v.kind == "f32" and len(v.declared) == 1)
    if a and a.declared != [None]:
        a = p.add("tensor_cast", {}, [a], "f32", [None], "tensor.cast %%%s : %s to %s" % (a.name, a.type(), V))
    return a


def bounds(p):
    low, step = index(p, p.rng.choice([0, 0, 0, 1])), index(p, p.rng.choice([1, 1, 1, 2]))
    high = index(p)
    return (low, high, step) if low and high and step and high.tensor.data[0] <= 8 else None


def make_summed(p):
    limits, start = bounds(p), index(p)
    if not limits or not start:
        return
    tag, name, by = "s%d_" % len(p.ops), p.rng.choice(sorted(STEPS)), p.rng.choice([None, 1, 2])
    lines = ["%%%sk = arith.constant %d : index" % (tag, by)] if by else []
    lines += ["%%%sr = arith.%s %%%sa, %%%s : index" % (tag, name, tag, tag + "k" if by else tag + "i"), "scf.yield %%%sr : index" % tag]
    p.add("summed", {"name": name, "by": by}, list(limits) + [start], "=index", [],
          "scf.for %%%si = %%%s to %%%s step %%%s iter_args(%%%sa = %%%s) -> (index) {{\n      %s\n    }}" %
          ((tag,) + tuple(v.name for v in limits) + (tag, start.name, "\n      ".join(lines))))


def make_for(p):
    limits, x, y = bounds(p), vector(p), vector(p)
    if not limits or not x or not y:
        return
    tag, kind, k = "f%d_" % len(p.ops), p.rng.choice(KINDS), p.rng.choice([1, 1, 2])
    lines, first, second = trip_lines(kind, k, tag, tag + "x", tag + "y")
    carries = "iter_args(%%%sx = %%%s, %%%sy = %%%s) -> (%s, %s)" % (tag, x.name, tag, y.name, V, V)
    if p.rng.random() < 0.3:
        p.add("grown_by_one", {"kind": kind, "k": k}, [limits[1], x, y], "f32", [None],
              "affine.for %%%si = 0 to %%%s %s {{\n      %s\n    }}" %
              (tag, limits[1].name, carries, "\n      ".join(lines + ["affine.yield %%%s, %%%s : %s, %s" % (first, second, V, V)])))
        return
    p.add("grown", {"kind": kind, "k": k}, list(limits) + [x, y], "f32", [None],
          "scf.for %%%si = %%%s to %%%s step %%%s %s {{\n      %s\n    }}" %
          ((tag,) + tuple(v.name for v in limits) + (carries, "\n      ".join(lines + ["scf.yield %%%s, %%%s : %s, %s" % (first, second, V, V)]))))


def while_of(attrs, high, step, start, x, y):
    """What counts (part 0), or what the condition hands on: x, or what `gives` makes of x and y there."""
    i, trips = start.data[0], 0
    assumed(step.data[0] > 0)
    while True:
        given = carried(attrs["gives"], 1, x, y)[0] if attrs["gives"] else x
        if i >= high.data[0]:
            return number(i) if attrs["part"] == 0 else given
        x, y = carried(attrs["kind"], attrs["k"], given, y)
        i, trips = i + step.data[0], trips + 1
        assumed(trips <= 50)


def make_while(p):
    limits, x, y = bounds(p), vector(p), vector(p)
    if not limits or not x or not y:
        return
    tag, kind, k, part = "w%d_" % len(p.ops), p.rng.choice(KINDS), p.rng.choice([1, 2]), p.rng.randrange(2)
    lines, first, second = trip_lines(kind, k, tag, tag + "p", tag + "q")
    low, high, step = limits
    gives = p.rng.choice([None, None] + KINDS)
    before, given = (trip_lines(gives, 1, tag + "b", tag + "x", tag + "y")[:2] if gives else ([], tag + "x"))
    types = "index, %s, %s" % (V, V)
    head = before + ["%%%sc = arith.cmpi slt, %%%si, %%%s : index" % (tag, tag, high.name),
                     "scf.condition(%%%sc) %%%si, %%%s, %%%sy : %s" % (tag, tag, given, tag, types)]
    body = lines + ["%%%sn = arith.addi %%%sj, %%%s : index" % (tag, tag, step.name),
                    "scf.yield %%%sn, %%%s, %%%s : %s" % (tag, first, second, types)]
    text = ("scf.while (%%%si = %%%s, %%%sx = %%%s, %%%sy = %%%s) : (%s) -> (%s) {{\n      %s\n    }} do {{\n    ^bb0(%%%sj: index, %%%sp: %s, "
            "%%%sq: %s):\n      %s\n    }}" %
            (tag, low.name, tag, x.name, tag, y.name, types, types, "\n      ".join(head), tag, tag, V, tag, V, "\n      ".join(body)))
    p.add("while_of%d" % part, {"kind": kind, "k": k, "part": part, "gives": gives}, [high, step, low, x, y], "f32" if part else "=index",
          [None] if part else [], text)


# --- branches, and regions of which nothing is known
def ran(attrs, x, y):
    return Tensor(carried(attrs["kind"], attrs["k"], x, y)[0].shape)


def make_unknown(p):
    """An operation that no table has, with a region that it runs."""
    x, y = vector(p), vector(p)
    if x and y:
        tag, kind, k = "u%d_" % len(p.ops), p.rng.choice(KINDS), p.rng.choice([1, 2])
        lines, first, _ = trip_lines(kind, k, tag, x.name, y.name)
        p.add("ran", {"kind": kind, "k": k}, [x, y], "f32", [None], '"unknown.run"() ({{\n      %s\n    }}) : () -> %s' %
              ("\n      ".join(lines + ['"unknown.end"(%%%s) : (%s) -> ()' % (first, V)]), V))


def either(attrs, a, b, x, y):
    test = model.COMPARE[attrs["direction"]](a.data[0], b.data[0])
    return carried(attrs["kinds"][0 if test else 1], attrs["k"], x, y)[0]


def chosen(attrs, a, b, m, n):
    return number((m if model.COMPARE[attrs["direction"]](a.data[0], b.data[0]) else n).data[0])


def test_of(p):
    """(direction, its operands, the line that compares)"""
    a, b = index(p), index(p)
    direction = p.rng.choice(sorted(model.COMPARE))
    word = direction.lower() if direction in ("EQ", "NE") else "s" + direction.lower()
    name = "t%d" % len(p.ops)
    return direction, a, b, name, "%%%s = arith.cmpi %s, %%%s, %%%s : index" % (name, word, a.name, b.name)


def make_if(p):
    x, y = vector(p), vector(p)
    if not x or not y:
        return
    direction, a, b, name, line = test_of(p)
    kinds, k, sides = [p.rng.choice(KINDS) for _ in range(2)], p.rng.choice([1, 2]), []
    for number_of, kind in enumerate(kinds):
        lines, first, _ = trip_lines(kind, k, "%s_%d" % (name, number_of), x.name, y.name)
        sides.append("{{\n      %s\n    }}" % "\n      ".join(lines + ["scf.yield %%%s : %s" % (first, V)]))
    p.add("either", {"direction": direction, "kinds": kinds, "k": k}, [a, b, x, y], "f32", [None],
          "scf.if %%%s -> (%s) %s else %s" % (name, V, sides[0], sides[1]), before=[line])


def make_if_index(p):
    direction, a, b, name, line = test_of(p)
    m, n = index(p), index(p)
    p.add("chosen_of", {"direction": direction}, [a, b, m, n], "=index", [],
          "scf.if %%%s -> (index) {{\n      scf.yield %%%s : index\n    }} else {{\n      scf.yield %%%s : index\n    }}" % (name, m.name, n.name),
          before=[line])


def tiled(attrs, count, x):
    """Tile i of `tile` elements of x is written."""
    n, tile = max(0, count.data[0]), attrs["tile"]
    assumed(n <= 50)
    need(n == 0 or n * tile <= x.shape[0], "a slice is inside")
    return Tensor(x.shape)


def make_forall(p):
    x, count = vector(p), index(p)
    if not x or not count or count.tensor.data[0] < 0:
        return
    tag, tile = "p%d_" % len(p.ops), p.rng.choice([1, 1, 2])
    kind = "tensor<%dxf32>" % tile
    lines = ["%%%so = affine.apply affine_map<(d0) -> (d0 * %d)>(%%%si)" % (tag, tile, tag),
             "%%%sv = tensor.empty() : %s" % (tag, kind), "scf.forall.in_parallel {{",
             "  tensor.parallel_insert_slice %%%sv into %%%sx[%%%so] [%d] [1] : %s into %s" % (tag, tag, tag, tile, kind, V), "}}"]
    p.add("tiled", {"tile": tile}, [count, x], "f32", [None], "scf.forall (%%%si) in (%%%s) shared_outs(%%%sx = %%%s) -> (%s) {{\n      %s\n    }}" %
          (tag, count.name, tag, x.name, V, "\n      ".join(lines)))


model.RULES.update({
    "extract_of": extract, "insert_of": insert, "padded_of": padded, "concat_of": concat, "affine": affine, "linearized": linearized,
    "delinearized0": delinearized, "delinearized1": delinearized, "summed": summed, "grown": grown, "grown_by_one": grown_by_one, "while_of0": while_of,
    "while_of1": while_of, "either": either, "chosen_of": chosen, "tiled": tiled, "ran": ran, "packed": packed,
    "unpacked": unpacked, "generated": generated, "copied": copied, "switched": switched})
generate.PART.update({"delinearized0": ("#0", 2), "delinearized1": ("#1", 2), "grown": ("#0", 2), "grown_by_one": ("#0", 2), "while_of0": ("#0", 3),
                      "while_of1": ("#1", 3)})
SCOPED = ("summed", "grown", "grown_by_one", "while_of0", "while_of1", "either", "chosen_of", "tiled", "ran", "switched")

MAKERS = [make_extract, make_extract, make_insert, make_insert, make_pad, make_pad, make_concat, make_pack, make_generate, make_buffer, make_buffer,
          make_affine, make_affine, make_linear]
CONTROL = [make_summed, make_summed, make_for, make_for, make_while, make_if, make_if, make_if_index, make_switch, make_forall, make_unknown]
