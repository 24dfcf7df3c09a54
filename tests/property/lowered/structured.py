# SPDX-License-Identifier: Apache-2.0
"""Structured operations for the random programs: linalg, and operations that are unknown but for their destinations.

A map is a list of results, one for each axis of its operand: a loop, or (constant, {loop: coefficient}). What a run does
is written from LinalgInterfaces.td: an axis that is a loop has its extent, and where no loop is empty the largest index
of any other axis is inside. Operations have no elements here.
"""
import dialects
import generate
import model
from generate import type_text
from model import Tensor, need


def structured(attrs, *operands):
    extents = {}
    for tensor, results in zip(operands, attrs["maps"]):
        for n, result in zip(tensor.shape, results):
            if isinstance(result, int):
                need(extents.setdefault(result, n) == n, "operands have the extent of the loop that they share")
    if 0 not in extents.values():
        for tensor, results in zip(operands, attrs["maps"]):
            for n, result in zip(tensor.shape, results):
                if not isinstance(result, int):
                    need(largest(result, extents) < n, "the largest index is inside of the operand")
    return Tensor(operands[-1].shape)


def largest(result, extents):
    return result[0] + sum(k * (extents[loop] - 1) for loop, k in result[1].items())


def like_the_last(attrs, *operands):
    return Tensor(operands[-1].shape)


model.RULES.update({"structured": structured, "destination": like_the_last})


# --- operands
def with_dims(p, dims):
    """A tensor of these dims in this run."""
    found = p.pick(lambda v: v.kind == "f32" and v.tensor.shape == tuple(dims))
    if found and p.rng.random() < 0.7:
        return found
    declared = [None if p.rng.random() < 0.8 else n for n in dims]
    parts = [dialects.index(p, n) for n, d in zip(dims, declared) if d is None]
    return p.add("empty_of", {"declared": declared}, parts, "f32", declared, "tensor.empty(%s) : %s" %
                 (", ".join("%" + v.name for v in parts), type_text(declared, "f32")))


def empty_of(attrs, *parts):
    left = list(parts)
    dialects.assumed(all(v.data[0] >= 0 for v in parts))
    return Tensor([left.pop(0).data[0] if d is None else d for d in attrs["declared"]])


model.RULES["empty_of"] = empty_of


def operands_of(p, maps):
    """A tensor for each map, so that this run is legal; those with other results than loops come last."""
    extents, chosen = {}, [None] * len(maps)
    order = sorted(range(len(maps)), key=lambda k: (any(not isinstance(r, int) for r in maps[k]), p.rng.random()))
    for k in order:
        def fits(v):
            if v.kind != "f32" or len(v.declared) != len(maps[k]):
                return False
            known = dict(extents)
            pairs = list(zip(v.tensor.shape, maps[k]))
            if any(isinstance(r, int) and known.setdefault(r, n) != n for n, r in pairs):
                return False
            others = [(n, r) for n, r in pairs if not isinstance(r, int)]
            return 0 in known.values() or all(set(r[1]) <= set(known) and largest(r, known) < n for n, r in others)
        chosen[k] = p.pick(fits) if p.rng.random() < 0.8 else None
        if not chosen[k]:
            for r in maps[k]:
                for loop in [r] if isinstance(r, int) else r[1]:
                    extents.setdefault(loop, p.rng.choice([0, 1, 2, 2, 3]))
            dims = [extents[r] if isinstance(r, int) else max(0, largest(r, extents) + 1) + p.rng.randint(0, 1) for r in maps[k]]
            if max(dims, default=0) > 20:
                return None
            chosen[k] = with_dims(p, dims)
        if not chosen[k]:
            return None
        for n, r in zip(chosen[k].tensor.shape, maps[k]):
            if isinstance(r, int):
                extents[r] = n
    return chosen


def unknown_dims(p, v):
    """The same with `?` alone: some operations want types that agree in what they leave open."""
    declared = [None] * len(v.declared)
    if v.declared == declared:
        return v
    return p.add("tensor_cast", {}, [v], "f32", declared, "tensor.cast %%%s : %s to %s" % (v.name, v.type(), type_text(declared, "f32")))


def add(p, head, maps, tail="", results=True, agree=False):
    operands = operands_of(p, maps)
    if not operands or any(0 in v.declared for v in operands) and any(not isinstance(r, int) for m in maps for r in m):
        return  # with an empty loop the verifier refuses sums of others
    if agree:
        operands = [unknown_dims(p, v) for v in operands]
    ins, out = operands[:-1], operands[-1]
    text = "%s ins(%s : %s) outs(%%%s : %s)%s" % (head, ", ".join("%" + v.name for v in ins), ", ".join(v.type() for v in ins),
                                                 out.name, out.type(), tail)
    text = text.replace("{", "{{").replace("}", "}}")
    p.add("structured", {"maps": maps}, operands, "f32", out.declared, text + (" -> %s" % out.type() if results else ""))


# --- makers
NAMED = {"matmul": [[0, 2], [2, 1], [0, 1]], "batch_matmul": [[0, 1, 3], [0, 3, 2], [0, 1, 2]], "matvec": [[0, 1], [1], [0]],
         "vecmat": [[1], [1, 0], [0]], "dot": [[0], [0], []], "batch_matvec": [[0, 1, 2], [0, 2], [0, 1]],
         "conv_1d": [[(0, {0: 1, 1: 1})], [1], [0]], "conv_2d": [[(0, {0: 1, 2: 1}), (0, {1: 1, 3: 1})], [2, 3], [0, 1]]}


def make_named(p):
    name = p.rng.choice(sorted(NAMED))
    add(p, "linalg." + name, NAMED[name])


def make_windows(p):
    """Operations with strides and dilations."""
    s, d = p.rng.choice([1, 1, 2]), p.rng.choice([1, 1, 2])
    name = p.rng.choice(["conv_1d_nwc_wcf", "conv_1d_ncw_fcw", "pooling_nwc_max", "depthwise_conv_1d_nwc_wc"])
    window = (0, {1: s, 3: d})
    maps = {"conv_1d_nwc_wcf": [[0, window, 4], [3, 4, 2], [0, 1, 2]], "conv_1d_ncw_fcw": [[0, 4, window], [2, 4, 3], [0, 2, 1]],
            "pooling_nwc_max": [[0, window, 2], [3], [0, 1, 2]], "depthwise_conv_1d_nwc_wc": [[0, window, 2], [3, 2], [0, 1, 2]]}[name]
    add(p, "linalg.%s {dilations = dense<%d> : tensor<1xi64>, strides = dense<%d> : tensor<1xi64>}" % (name, d, s), maps)


def make_elementwise(p):
    rank = p.rng.randint(1, 3)
    name = p.rng.choice(["exp", "abs", "negf", "add", "sub", "mul", "max"])
    add(p, "linalg." + name, [list(range(rank))] * (2 if name in ("exp", "abs", "negf") else 3))


def make_axes(p):
    rank, choice = p.rng.randint(1, 3), p.rng.randrange(4)
    order = list(range(rank))
    kept = sorted(p.rng.sample(order, p.rng.randint(0, rank - 1)))
    left = [k for k in order if k not in kept]
    if choice == 0:
        p.rng.shuffle(order)
        # Axis k of the result is axis order[k] of the operand: loop k is that axis.
        add(p, "linalg.transpose", [[order.index(k) for k in range(rank)], list(range(rank))], " permutation = %s" % order, False, True)
    elif choice == 1:
        add(p, "linalg.broadcast", [kept, order], " dimensions = %s" % left, False, True)
    elif choice == 2:
        add(p, "linalg.reduce {arith.addf}", [order, kept], " dimensions = %s" % left, False, True)
    else:
        add(p, "linalg.map {arith.addf}", [order, order, order], "", False, True)


def make_fill(p):
    out, name = p.pick_float(1, 3), "z%d" % len(p.ops)
    if out:
        p.add("structured", {"maps": [list(range(len(out.declared)))]}, [out], "f32", out.declared,
              "linalg.fill ins(%%%s : f32) outs(%%%s : %s) -> %s" % (name, out.name, out.type(), out.type()),
              before=["%%%s = arith.constant 0.0 : f32" % name])


def result_text(result):
    if isinstance(result, int):
        return "d%d" % result
    parts = ["d%d * %d" % (loop, k) if k > 1 else "d%d" % loop for loop, k in sorted(result[1].items())]
    return " + ".join(parts + ([str(result[0])] if result[0] or not parts else []))


def make_generic(p):
    """Loops are axes of the result or of the first operand; other axes are sums of them."""
    loops = p.rng.randint(1, 3)
    out = p.rng.sample(range(loops), p.rng.randint(0, loops))
    missing = [k for k in range(loops) if k not in out]
    maps = []
    for number in range(p.rng.randint(1, 2)):
        results = list(missing) if number == 0 else []
        for _ in range(p.rng.randint(0 if results else 1, 2)):
            if p.rng.random() < 0.6:
                results.append(p.rng.randrange(loops))
            else:
                used = p.rng.sample(range(loops), p.rng.randint(0, min(2, loops)))
                results.append((p.rng.choice([0, 0, 1, 2]), {k: p.rng.choice([1, 1, 2]) for k in used}))
        p.rng.shuffle(results)
        maps.append([r if isinstance(r, int) or r[0] or list(r[1].values()) != [1] else list(r[1])[0] for r in results])
    maps.append(out)
    names = ", ".join("d%d" % k for k in range(loops))
    texts = ", ".join("affine_map<(%s) -> (%s)>" % (names, ", ".join(map(result_text, m))) for m in maps)
    kinds = ", ".join('"parallel"' if k in out else '"reduction"' for k in range(loops))
    arguments = ", ".join("%%x%d: f32" % k for k in range(len(maps)))
    body = " {\n    ^bb0(%s):\n      linalg.yield %%x0 : f32\n    }" % arguments
    add(p, "linalg.generic {indexing_maps = [%s], iterator_types = [%s]}" % (texts, kinds), maps, body)


def make_unknown(p):
    """No table has it: its syntax says that its result is as its destination."""
    a, out = p.pick_float(), p.pick_float()
    if a and out:
        p.add("destination", {}, [a, out], "f32", out.declared, "unknown.op axis(1) ins(%%%s : %s) outs(%%%s : %s) -> %s" %
              (a.name, a.type(), out.name, out.type(), out.type()))


MAKERS = [make_named, make_named, make_windows, make_elementwise, make_fill, make_axes, make_axes, make_generic, make_generic, make_generic]
