# SPDX-License-Identifier: Apache-2.0
"""The dialects beside StableHLO for the random programs: arith, tensor, shape, disc_shape, on `index` values.

A kind that begins with `=` is a plain scalar type: "=index" is `index`, "index" is an element type. What is undefined
behaviour in those dialects, and facts of disc_shape that a run does not keep, end the run without a judgement.
"""
import math

import generate
import model
from generate import type_text
from model import Assumed, ShapeError, Tensor, need


def assumed(condition):
    if not condition:
        raise Assumed


# --- what they do
def arithmetic(attrs, a, b):
    name, x, y = attrs["name"], a.data[0], b.data[0]
    assumed(not name.endswith("ui") or min(x, y) >= 0)
    assumed(y > 0 or "div" not in name and "rem" not in name)
    q = model.truncating_divide(x, y) if y else 0
    out = {"addi": x + y, "subi": x - y, "muli": x * y, "maxsi": max(x, y), "minsi": min(x, y), "maxui": max(x, y),
           "minui": min(x, y), "divsi": q, "divui": q, "remsi": x - y * q, "remui": x - y * q, "floordivsi": x // y if y else 0,
           "ceildivsi": -(-x // y) if y else 0, "ceildivui": -(-x // y) if y else 0}[name]
    assumed(-2**63 <= out < 2**63)
    return Tensor((), [out])


def pick_of(attrs, test, a, b):
    return Tensor((), a.data if test.data[0] else b.data)


def compared(attrs, a, b):
    assumed(not attrs["unsigned"] or min(a.data[0], b.data[0]) >= 0)
    return Tensor((), [int(model.COMPARE[attrs["direction"]](a.data[0], b.data[0]))])


def cast(attrs, a):
    assumed(-2**31 <= a.data[0] < 2**31)
    return Tensor((), a.data)


def extract(attrs, a):
    return Tensor((), [a.data[attrs["at"]]])


def from_elements(attrs, *parts):
    return Tensor([len(parts)], [p.data[0] for p in parts])


def dim(attrs, a):
    return Tensor((), [a.shape[attrs["axis"]]])


def shape_of(attrs, a):
    return Tensor([len(a.shape)], list(a.shape))


def extent_product(attrs, a):
    return Tensor((), [math.prod(a.data)])


def shape_broadcast(attrs, a, b):
    rank = max(len(a.data), len(b.data))
    x, y = ([1] * (rank - len(t.data)) + t.data for t in (a, b))
    assumed(all(m == n or 1 in (m, n) for m, n in zip(x, y)))
    return Tensor([rank], [n if m == 1 else m for m, n in zip(x, y)])


def witness(attrs, a, b, out):
    try:
        shape_broadcast(attrs, a, b)
    except Assumed:
        need(False, "a witness fails")
    return Tensor(out.shape)


def empty(attrs, *dims):
    assumed(all(s.data[0] >= 0 for s in dims))
    return Tensor([s.data[0] for s in dims])


def collapse(attrs, a):
    return Tensor([math.prod(a.shape[k] for k in group) for group in attrs["groups"]])


def expand(attrs, a, size):
    """One axis becomes `size` and a number."""
    axis, n = attrs["axis"], attrs["number"]
    assumed(size.data[0] >= 0 and size.data[0] * n == a.shape[axis])
    return Tensor(a.shape[:axis] + (size.data[0], n) + a.shape[axis + 1:])


def extract_slice(attrs, a, size):
    starts, steps = attrs["starts"], attrs["steps"]
    dims = [size.data[0]] + attrs["sizes"]
    for lo, k, s, n in zip(starts, dims, steps, a.shape):
        # As MLIR's verification at run time has it: an empty slice may begin at the operand's end, not beyond it.
        if k < 0 or (lo > n if k == 0 else lo + (k - 1) * s >= n):
            raise ShapeError("extract_slice")
    return Tensor(dims)


def tie_shape(attrs, a, *dims):
    assumed(tuple(s.data[0] for s in dims) == a.shape)
    return Tensor(a.shape)


def tie(attrs, *parts):
    x, rest = parts[0].data[0], [p.data[0] for p in parts[1:]]
    holds = {"predicate_eq": x == rest[0], "predicate_lt": x < rest[0], "predicate_mul_eq": x == math.prod(rest),
             "predicate_divisible": rest[0] != 0 and x % (rest[0] or 1) == 0,
             "product_equal": x * rest[0] == math.prod(rest[1:]), "predicate_group_mul_eq": x * rest[0] == math.prod(rest[1:])}
    assumed(holds[attrs["what"]])
    return Tensor(())


def linearize(attrs, i, j, m, n):
    return Tensor((), [i.data[0] * n.data[0] + j.data[0]])


model.RULES.update({
    "arith": arithmetic, "arith_select": pick_of, "arith_cmpi": compared, "index_cast": cast, "extract": extract, "dim": dim,
    "from_elements": from_elements, "shape_of": shape_of, "num_elements": extent_product, "shape_broadcast": shape_broadcast,
    "witness": witness, "empty": empty, "collapse": collapse, "expand": expand, "extract_slice": extract_slice, "tie": tie,
    "tie_shape": tie_shape, "linearize": linearize})


# --- makers
def index(p, wanted=None):
    """An `index`: any, or one that is `wanted` in this run."""
    found = p.pick(lambda v: v.kind == "=index" and wanted in (None, v.tensor.data[0]))
    if found and p.rng.random() < 0.7:
        return found
    sized = p.pick(lambda v: v.kind == "f32" and v.declared and (wanted is None or wanted in v.tensor.shape))
    if sized and p.rng.random() < 0.8:
        axis = p.rng.randrange(len(sized.declared)) if wanted is None else sized.tensor.shape.index(wanted)
        name = "k%d" % len(p.ops)
        return p.add("dim", {"axis": axis}, [sized], "=index", [], "tensor.dim %%%s, %%%s : %s" % (sized.name, name, sized.type()),
                     before=["%%%s = arith.constant %d : index" % (name, axis)])
    n = p.rng.randint(0, 6) if wanted is None else wanted
    return p.add("constant", {"shape": [], "data": [n]}, [], "=index", [], "arith.constant %d : index" % n)


def make_index(p):
    index(p)


def make_arithmetic(p):
    a, b = index(p), index(p)
    names = ["addi", "addi", "subi", "muli", "maxsi", "minsi", "maxui", "minui"]
    if p.rng.random() < 0.4:
        names = ["divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"]
        n = p.rng.randint(1, 4)
        b = p.add("constant", {"shape": [], "data": [n]}, [], "=index", [], "arith.constant %d : index" % n)
    name = p.rng.choice(names)
    if abs(a.tensor.data[0] * b.tensor.data[0]) <= 10**6:
        p.add("arith", {"name": name}, [a, b], "=index", [], "arith.%s %%%s, %%%s : index" % (name, a.name, b.name))


def make_select(p):
    a, b = index(p), index(p)
    direction = p.rng.choice(sorted(model.COMPARE))
    unsigned = direction not in ("EQ", "NE") and p.rng.random() < 0.3
    word = direction.lower() if direction in ("EQ", "NE") else ("u" if unsigned else "s") + direction.lower()
    test = p.add("arith_cmpi", {"direction": direction, "unsigned": unsigned}, [a, b], "=i1", [],
                 "arith.cmpi %s, %%%s, %%%s : index" % (word, a.name, b.name))
    if test:
        p.add("arith_select", {}, [test, a, b], "=index", [], "arith.select %%%s, %%%s, %%%s : index" % (test.name, a.name, b.name))


def make_cast(p):
    """An index as an i32 in a tensor, which StableHLO's operations take."""
    a = index(p)
    a = p.add("index_cast", {}, [a], "=i32", [], "arith.index_cast %%%s : index to i32" % a.name)
    if a:
        t = p.add("from_elements", {}, [a], "i32", [1], "tensor.from_elements %%%s : tensor<1xi32>" % a.name)
        p.add("reshape", {"shape": []}, [t], "i32", [], "stablehlo.reshape %%%s : {types}" % t.name)


def vector(p, dims):
    """A tensor<Nxindex> that is `dims` in this run."""
    parts = [index(p, n) for n in dims]
    return p.add("from_elements", {}, parts, "index", [len(parts)], "tensor.from_elements %s : tensor<%dxindex>" %
                 (", ".join("%" + v.name for v in parts), len(parts)))


def make_extents(p):
    a, choice = p.pick_float(), p.rng.randrange(4)
    if choice == 0 and a:
        p.add("shape_of", {}, [a], "index", [len(a.declared)], "shape.shape_of %%%s : %s -> tensor<%dxindex>" %
              (a.name, a.type(), len(a.declared)))
        return
    s = p.pick(lambda v: v.kind == "index" and v.declared and v.declared[0])
    if not s:
        return
    if choice == 1:
        p.add("num_elements", {}, [s], "=index", [], "shape.num_elements %%%s : %s -> index" % (s.name, s.type()))
    elif choice == 2:
        k, name = p.rng.randrange(s.declared[0]), "k%d" % len(p.ops)
        text = p.rng.choice(["tensor.extract %%%s[%%%s] : %s" % (s.name, name, s.type()),
                             "shape.get_extent %%%s, %%%s : %s, index -> index" % (s.name, name, s.type())])
        p.add("extract", {"at": k}, [s], "=index", [], text, before=["%%%s = arith.constant %d : index" % (name, k)])
    else:
        t = p.pick(lambda v: v.kind == "index" and v.declared)
        rank = max(s.declared[0], t.declared[0])
        p.add("shape_broadcast", {}, [s, t], "index", [rank], "shape.broadcast %%%s, %%%s : %s, %s -> tensor<%dxindex>" %
              (s.name, t.name, s.type(), t.type(), rank))


def number(attrs):
    return Tensor((), [attrs["number"]], True)


def delinearize(attrs, i, m, n):
    assumed(n.data[0] >= 1)
    return Tensor((), [i.data[0] % n.data[0]])


model.RULES.update({"number": number, "delinearize": delinearize})
generate.PART["delinearize"] = ("#1", 2)


def make_size(p):
    """!shape.size arithmetic is that of index; ranks are numbers."""
    a, x, y, choice = p.pick_float(), index(p), index(p), p.rng.randrange(5)
    if choice == 0 and a:
        text = p.rng.choice(["tensor.rank %%%s : %s", "shape.rank %%%s : %s -> index"])
        if text[0] == "s":
            a = p.add("shape_of", {}, [a], "index", [len(a.declared)], "shape.shape_of %%%s : %s -> tensor<%dxindex>" %
                      (a.name, a.type(), len(a.declared)))
            p.add("number", {"number": a.declared[0]}, [], "=index", [], text % (a.name, a.type()))
        else:
            p.add("number", {"number": len(a.declared)}, [], "=index", [], text % (a.name, a.type()))
    elif choice == 1 and a:
        axis, name = p.rng.randrange(len(a.declared)), "k%d" % len(p.ops)
        p.add("dim", {"axis": axis}, [a], "=index", [], "shape.dim %%%s, %%%s : %s, index -> index" % (a.name, name, a.type()),
              before=["%%%s = arith.constant %d : index" % (name, axis)])
    elif choice == 2:
        shape = [p.rng.randint(0, 4) for _ in range(p.rng.randint(1, 3))]
        p.add("constant", {"shape": [len(shape)], "data": shape}, [], "index", [len(shape)],
              "shape.const_shape %s : {result}" % shape)
    elif choice == 3 and abs(x.tensor.data[0] * y.tensor.data[0]) < 10**6:
        name, rule = p.rng.choice([("add", "addi"), ("mul", "muli"), ("max", "maxsi"), ("min", "minsi")])
        p.add("arith", {"name": rule}, [x, y], "=index", [], "shape.%s %%%s, %%%s : index, index -> index" % (name, x.name, y.name))
    elif choice == 4:
        p.add("delinearize", {}, [x, y, y], "=index", [], '"disc_shape.delinearize"(%%%s, %%%s, %%%s) : (index, index, index) -> '
              '(index, index)' % (x.name, y.name, y.name))


def make_assuming(p):
    s, t = (p.pick(lambda v: v.kind == "index" and v.declared) for _ in range(2))
    a = p.pick_float()
    if not s or not a:
        return
    name, kind = "w%d" % len(p.ops), type_text([None] * len(a.declared), "f32")
    p.add("witness", {}, [s, t, a], "f32", [None] * len(a.declared),
          "shape.assuming %%%s -> (%s) {{\n      %%%sx = stablehlo.tanh %%%s : (%s) -> %s\n      shape.assuming_yield %%%sx : %s\n    }}" %
          (name, kind, name, a.name, a.type(), kind, name, kind),
          before=["%%%s = shape.cstr_broadcastable %%%s, %%%s : %s, %s" % (name, s.name, t.name, s.type(), t.type())])


def equal_shapes(attrs, a, b, *rest):
    need(a.data == b.data, "shapes are not equal")
    return Tensor(rest[0].shape) if rest else Tensor(a.shape, a.data)


def split_shape(attrs, a):
    return Tensor([len(a.data[attrs["at"]:])], a.data[attrs["at"]:])


def joined(attrs, a, b):
    return Tensor([len(a.data) + len(b.data)], a.data + b.data)


def reduced(attrs, a, init):
    data = [math.prod(a.data, start=init.data[0]) if attrs["name"] == "mul" else sum(a.data, init.data[0])]
    return Tensor([], data)


def same_value(attrs, a):
    return Tensor(a.shape)


model.RULES.update({"reduced": reduced, "same_value": same_value, "equal_shapes": equal_shapes, "split_shape": split_shape, "joined": joined})


def make_shapes(p):
    """!shape.shape, !shape.size and witnesses, which end where a vector of indices or an index is made of them."""
    s, t = (p.pick(lambda v: v.kind == "index" and v.declared and v.declared[0]) for _ in range(2))
    a, name, choice = p.pick_float(), "w%d" % len(p.ops), p.rng.randrange(8)
    if not s or not a:
        return
    both, length = "%%%s, %%%s : %s, %s" % (s.name, t.name, s.type(), t.type()), s.declared[0]
    back = "shape.to_extent_tensor %%%s : !shape.shape -> tensor<%dxindex>"
    if choice == 0:
        p.add("joined", {}, [s, t], "index", [length + t.declared[0]], back % (name, length + t.declared[0]),
              before=["%%%s = shape.concat %s -> !shape.shape" % (name, both)])
    elif choice == 1:
        at = p.rng.randint(-length, length)
        rest = len(s.tensor.data[at:])
        p.add("split_shape", {"at": at}, [s], "index", [rest], back % (name + "l", rest), before=[
            "%%%sk = arith.constant %d : index" % (name, at), "%%%ss = shape.from_extent_tensor %%%s : %s" % (name, s.name, s.type()),
            '%%%sh, %%%sl = "shape.split_at"(%%%ss, %%%sk) : (!shape.shape, index) -> (!shape.shape, !shape.shape)' % ((name,) * 4)])
    elif choice == 2:
        p.add("equal_shapes", {}, [s, t], "index", [length], back % (name, length),
              before=["%%%s = shape.meet %s -> !shape.shape" % (name, both)])
    elif choice == 3:
        x, y = index(p), p.rng.randint(1, 3)
        by = p.add("constant", {"shape": [], "data": [y]}, [], "=index", [], "arith.constant %d : index" % y)
        p.add("arith", {"name": "floordivsi"}, [x, by], "=index", [], "shape.size_to_index %%%sd : !shape.size" % name, before=[
            "%%%sx = shape.index_to_size %%%s" % (name, x.name), "%%%sy = shape.const_size %d" % (name, y),
            "%%%sd = shape.div %%%sx, %%%sy : !shape.size, !shape.size -> !shape.size" % ((name,) * 3)])
    elif choice == 4:
        # A trip for each extent: their product or their sum.
        carried, inner = p.rng.choice([("mul", "shape.mul %%%sa, %%%se : index, index -> index"),
                                       ("add", "arith.addi %%%sa, %%%se : index")]), index(p, 1)
        shape = p.rng.choice([s.type(), "!shape.shape"])
        made = [] if shape != "!shape.shape" else ["%%%ss = shape.from_extent_tensor %%%s : %s" % (name, s.name, s.type())]
        body = "^bb0(%%%si: index, %%%se: index, %%%sa: index):\n      %%%sm = %s\n      shape.yield %%%sm : index" % (
            (name,) * 4 + (carried[1] % (name, name), name))
        p.add("reduced", {"name": carried[0]}, [s, inner], "=index", [], "shape.reduce(%%%s, %%%s) : %s -> index {{\n    %s\n    }}" %
              (name + "s" if made else s.name, inner.name, shape, body), before=made)
    elif choice == 5:
        value = ["%%%sv = shape.from_extent_tensor %%%s : %s" % (name, t.name, t.type()),
                 "%%%sw = shape.with_shape %%%s, %%%sv : %s, !shape.shape" % (name, a.name, name, a.type())]
        if p.rng.random() < 0.5:
            kind = type_text(a.declared, "f32")
            p.add("same_value", {}, [a], "f32", a.declared, "shape.value_of %%%sw : %s" % (name, kind), before=value)
        else:
            p.add("split_shape", {"at": 0}, [t], "index", [t.declared[0]], back % (name, t.declared[0]),
                  before=value + ["%%%s = shape.shape_of %%%sw : !shape.value_shape -> !shape.shape" % (name, name)])
    else:
        rule, test = ("witness", "is_broadcastable") if choice == 6 else ("equal_shapes", "shape_eq")
        kind = type_text([None] * len(a.declared), "f32")
        made = ["%%%se = shape.%s %s" % (name, test, both), '%%%sr = shape.cstr_require %%%se, "the shapes fit"' % (name, name)]
        if p.rng.random() < 0.5:
            made = ["%%%sr = shape.cstr_%s %s" % (name, test.replace("is_", "").replace("shape_", ""), both)]
        p.add(rule, {}, [s, t, a], "f32", [None] * len(a.declared),
              "shape.assuming %%%s -> (%s) {{\n      %%x = stablehlo.tanh %%%s : (%s) -> %s\n      shape.assuming_yield %%x : %s\n    }}" %
              (name, kind, a.name, a.type(), kind, kind),
              before=made + ["%%%st = shape.const_witness true" % name, "%%%s = shape.assuming_all %%%sr, %%%st" % ((name,) * 3)])


def make_reshape(p):
    a = p.pick_float(1, 3)
    if not a:
        return
    shape = generate.factorings(p.rng, math.prod(a.tensor.shape), p.rng.randint(1, 3))
    v = vector(p, shape)
    kind = type_text([None] * len(shape), "f32")
    if p.rng.random() < 0.5:
        p.add("dynamic_reshape", {}, [a, v], "f32", [None] * len(shape), "stablehlo.dynamic_reshape %%%s, %%%s : {types}" % (a.name, v.name))
    else:
        p.add("tensor_reshape", {}, [a, v], "f32", [None] * len(shape), "tensor.reshape %%%s(%%%s) : (%s, %s) -> %s" %
              (a.name, v.name, a.type(), v.type(), kind))


def tensor_reshape(attrs, a, shape):
    assumed(all(n >= 0 for n in shape.data) and math.prod(shape.data) == math.prod(a.shape))
    return Tensor(shape.data)


def same(attrs, a):
    return Tensor(a.shape)


model.RULES.update({"tensor_reshape": tensor_reshape, "tensor_cast": same})


def make_broadcast(p):
    a = p.pick_float(1, 2)
    s = a and p.pick(lambda v: v.kind == "index" and v.declared and len(a.declared) <= v.declared[0] <= 3 and
                     all(0 <= n <= 12 for n in v.tensor.data))
    if s:
        rank = s.declared[0]
        axes = sorted(p.rng.sample(range(rank), len(a.declared)))
        p.add("dynamic_broadcast_in_dim", {"axes": axes}, [a, s], "f32", [None] * rank,
              "stablehlo.dynamic_broadcast_in_dim %%%s, %%%s, dims = %s : {types}" % (a.name, s.name, axes))


def make_tensor_cast(p):
    a = p.pick_float()
    if a:
        declared = [p.rng.choice([n, d]) if p.rng.random() < 0.3 else (d if p.rng.random() < 0.5 else None)
                    for n, d in zip(a.tensor.shape, a.declared)]
        p.add("tensor_cast", {}, [a], "f32", declared, "tensor.cast %%%s : %s to %s" % (a.name, a.type(), type_text(declared, "f32")))


def make_tensor(p):
    a, choice = p.pick_float(1, 3), p.rng.randrange(4)
    if not a:
        return
    rank = len(a.declared)
    if choice == 0:
        dims = [index(p, p.rng.randint(0, 4)) for _ in range(p.rng.randint(1, 2))]
        p.add("empty", {}, dims, "f32", [None] * len(dims), "tensor.empty(%s) : %s" %
              (", ".join("%" + s.name for s in dims), type_text([None] * len(dims), "f32")))
    elif choice == 1:
        cut = p.rng.randint(1, rank)
        groups = [g for g in ([list(range(cut))] + [[k] for k in range(cut, rank)]) if g]
        declared = [a.declared[g[0]] if len(g) == 1 else (None if any(a.declared[k] is None for k in g) else 0) for g in groups]
        dims = [math.prod(a.tensor.shape[k] for k in g) if d is not None else None for g, d in zip(groups, declared)]
        p.add("collapse", {"groups": groups}, [a], "f32", declared, "tensor.collapse_shape %%%s %s : %s into %s" %
              (a.name, groups, a.type(), type_text(dims, "f32")))
    elif choice == 2 and a.declared[0] is None:
        number = p.rng.choice([n for n in (1, 2, 3, 4, 6) if a.tensor.shape[0] % n == 0])
        size = index(p, a.tensor.shape[0] // number)
        kept = [None, number] + list(a.declared[1:])
        groups = [[0, 1]] + [[k + 1] for k in range(1, rank)]
        if any(d is None for d in a.declared[1:]):
            return
        p.add("expand", {"axis": 0, "number": number}, [a, size], "f32", kept, "tensor.expand_shape %%%s %s output_shape [%s] : %s into %s" %
              (a.name, groups, ", ".join(["%" + size.name] + [str(n) for n in kept[1:]]), a.type(), type_text(kept, "f32")))
    elif choice == 3:
        starts = [p.rng.randint(0, n) for n in a.tensor.shape]
        if any(d is not None and lo >= d for lo, d in zip(starts, a.declared)):
            return  # the verifier refuses it
        steps = [p.rng.choice([1, 1, 2]) for _ in starts]
        most = [max(0, -(-(n - lo) // s)) for n, lo, s in zip(a.tensor.shape, starts, steps)]
        size, rest = index(p, p.rng.randint(0, most[0])), [p.rng.randint(0, m) for m in most[1:]]
        p.add("extract_slice", {"starts": starts, "steps": steps, "sizes": rest}, [a, size], "f32", [None] + rest,
              "tensor.extract_slice %%%s%s [%s] %s : %s to %s" % (a.name, starts, ", ".join(["%" + size.name] + [str(n) for n in rest]),
                                                                steps, a.type(), type_text([None] + rest, "f32")))


def make_tie(p):
    a, choice = p.pick_float(), p.rng.randrange(3)
    if choice == 0 and a:
        dims = [index(p, n) for n in a.tensor.shape]
        kind = type_text([None] * len(dims), "f32")
        p.add("tie_shape", {}, [a] + dims, "f32", [None] * len(dims), '"disc_shape.tie_shape"(%s) : (%s%s) -> %s' %
              (", ".join("%" + v.name for v in [a] + dims), a.type(), ", index" * len(dims), kind))
        return
    x, y, z = index(p), index(p), index(p)
    if choice == 1:
        p.add("linearize", {}, [x, y, y, z], "=index", [], '"disc_shape.linearize"(%%%s, %%%s, %%%s, %%%s) {{operand_segment_sizes = '
              'array<i32: 2, 2>}} : (index, index, index, index) -> index' % (x.name, y.name, y.name, z.name))
        return
    product = index(p, y.tensor.data[0] * z.tensor.data[0])
    facts = [("predicate_lt", [x, y]), ("predicate_eq", [x, y]), ("predicate_divisible", [x, y]), ("predicate_mul_eq", [product, y, z]),
             ("product_equal", [y, z, product]), ("predicate_group_mul_eq", [y, z, product, index(p, 1)])]
    p.rng.shuffle(facts)
    for what, parts in facts:
        try:
            tie({"what": what}, *(v.tensor for v in parts))
        except Assumed:
            continue
        attrs = " {{operand_segment_sizes = array<i32: 2, %d>}}" % (len(parts) - 2) if what[-5:] in ("equal", "ul_eq") and parts[0] is y else ""
        p.effect("tie", {"what": what}, parts, '"disc_shape.tie_%s"(%s)%s : (%s) -> ()' %
                 (what, ", ".join("%" + v.name for v in parts), attrs, ", ".join(["index"] * len(parts))))
        return


MAKERS = [make_index, make_size, make_size, make_arithmetic, make_arithmetic, make_select, make_cast, make_extents, make_extents, make_assuming, make_shapes, make_reshape,
          make_reshape, make_broadcast, make_tensor_cast, make_tensor, make_tensor, make_tensor, make_tie]
