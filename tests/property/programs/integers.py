# SPDX-License-Identifier: Apache-2.0
"""Integer tensors for the random programs: every operation that computes elements, at all widths and signs.

Elements wrap as their type does. What the specification leaves open (a divisor 0, a shift beyond the width, a negative
exponent) ends the run without a judgement, and so does an overflow of computed 32 and 64 bit numbers: that those do not
overflow is an assumption that answers list.
"""
import math

import model
from model import Assumed, Tensor, need

BITS = {"i1": 1, "i2": 2, "i4": 4, "ui2": 2, "ui4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "ui8": 8, "ui16": 16, "ui32": 32, "ui64": 64}
KINDS = [k for k in BITS if k != "i1"]
LARGEST = 24  # elements of a value


def limits(kind):
    bits = BITS[kind]
    if kind[0] == "u" or bits == 1:
        return 0, 2 ** bits - 1
    return -2 ** (bits - 1), 2 ** (bits - 1) - 1


def wrap(kind, x):
    low, high = limits(kind)
    return x if low <= x <= high else (x - low) % (high - low + 1) + low


def raw(kind, x):
    return x % 2 ** BITS[kind]


def as_signed(kind, x):
    x = raw(kind, x)
    return x - 2 ** BITS[kind] if x >= 2 ** (BITS[kind] - 1) else x


# --- elements
def open_case(condition):
    if condition:
        raise Assumed


def divide(kind, a, b):
    open_case(b == 0)
    q = model.truncating_divide(a, b)
    open_case(wrap(kind, q) != q)
    return q


def remainder(kind, a, b):
    return a - b * divide(kind, a, b)


def power(kind, a, b):
    open_case(b < 0 or b > 64)
    return a ** b


def shift(compute):
    def apply(kind, a, b):
        open_case(not 0 <= b < BITS[kind])
        return compute(kind, a, b)
    return apply


UNARY = {"abs": lambda k, a: abs(a), "negate": lambda k, a: -a, "sign": lambda k, a: (a > 0) - (a < 0),
         "not": lambda k, a: wrap(k, ~raw(k, a) % 2 ** BITS[k]), "popcnt": lambda k, a: bin(raw(k, a)).count("1"),
         "count_leading_zeros": lambda k, a: BITS[k] - raw(k, a).bit_length()}
BINARY = {"add": lambda k, a, b: a + b, "subtract": lambda k, a, b: a - b, "multiply": lambda k, a, b: a * b,
          "maximum": lambda k, a, b: max(a, b), "minimum": lambda k, a, b: min(a, b), "divide": divide,
          "remainder": remainder, "power": power, "and": lambda k, a, b: wrap(k, raw(k, a) & raw(k, b)),
          "or": lambda k, a, b: wrap(k, raw(k, a) | raw(k, b)), "xor": lambda k, a, b: wrap(k, raw(k, a) ^ raw(k, b)),
          "shift_left": shift(lambda k, a, b: a << b), "shift_right_arithmetic": shift(lambda k, a, b: wrap(k, as_signed(k, a) >> b)),
          "shift_right_logical": shift(lambda k, a, b: wrap(k, raw(k, a) >> b))}
TRUTH = {"and": min, "or": max, "xor": lambda a, b: int(a != b), "add": max, "multiply": min, "maximum": max, "minimum": min}
REDUCE = {"add": (lambda a, b: a + b, lambda k: 0), "multiply": (lambda a, b: a * b, lambda k: 1),
          "maximum": (max, lambda k: limits(k)[0]), "minimum": (min, lambda k: limits(k)[1])}


def fitted(kind, x, fixed):
    """What a type makes of an exact result."""
    out = wrap(kind, x)
    open_case(out != x and not fixed and BITS[kind] >= 32)
    return out


# --- operations
def known(*parts):
    return all(p.data is not None for p in parts)


def unary(attrs, a):
    kind = attrs["from"]
    return Tensor(a.shape, [fitted(kind, UNARY[attrs["name"]](kind, x), a.fixed) for x in a.data])


def binary(attrs, a, b):
    need(a.shape == b.shape, "operand shapes differ")
    kind, name = attrs["from"], attrs["name"]
    if kind == "i1":
        return Tensor(a.shape, [TRUTH[name](x, y) for x, y in zip(a.data, b.data)])
    return Tensor(a.shape, [fitted(kind, BINARY[name](kind, x, y), a.fixed and b.fixed) for x, y in zip(a.data, b.data)])


def convert(attrs, a):
    if attrs["kind"] == "i1":
        return Tensor(a.shape, [int(x != 0) for x in a.data])
    return Tensor(a.shape, [fitted(attrs["kind"], x, a.fixed) for x in a.data])


def bitcast(attrs, a):
    return Tensor(a.shape, [wrap(attrs["kind"], raw(attrs["from"], x)) for x in a.data])


def clamp(attrs, low, a, high):
    need(low.shape in ((), a.shape) and high.shape in ((), a.shape), "operand shapes differ")
    lows, highs = (t.data * len(a.data) if t.shape == () and a.shape != () else t.data for t in (low, high))
    return Tensor(a.shape, [min(max(x, lo), hi) for x, lo, hi in zip(a.data, lows, highs)])


def reverse(attrs, a):
    return Tensor(a.shape, model.gathered(a, a.shape, lambda i: [n - 1 - k if d in attrs["axes"] else k for d, (k, n) in
                                                              enumerate(zip(i, a.shape))]))


def concatenate(attrs, *parts):
    axis, shape = attrs["axis"], list(parts[0].shape)
    shape[axis] = sum(p.shape[axis] for p in parts)
    data = []
    for index in model.indices(shape):
        k = index[axis]
        for p in parts:
            if k < p.shape[axis]:
                at = index[:axis] + (k,) + index[axis + 1:]
                data.append(p.data[sum(i * s for i, s in zip(at, model.strides_of(p.shape)))])
                break
            k -= p.shape[axis]
    return Tensor(shape, data)


def pad(attrs, a, value):
    rows = list(zip(attrs["low"], attrs["high"], attrs["interior"]))
    shape = model.padded(a, attrs["low"], attrs["high"], attrs["interior"]).shape

    def element(index):
        at = []
        for k, n, (low, _, gap) in zip(index, a.shape, rows):
            q, r = divmod(k - low, gap + 1)
            if r or not 0 <= q < n:
                return value.data[0]
            at.append(q)
        return a.data[sum(i * s for i, s in zip(at, model.strides_of(a.shape)))]
    return Tensor(shape, [element(i) for i in model.indices(shape)])


def iota(attrs):
    return Tensor(attrs["shape"], [wrap(attrs["kind"], i[attrs["axis"]]) for i in
                                   model.indices(attrs["shape"])])


def broadcast_in_dim(attrs, a):
    at, shape = attrs["axes"], attrs["shape"]
    return Tensor(shape, model.gathered(a, shape, lambda i: [0 if a.shape[k] == 1 else i[to] for k, to in enumerate(at)]))


def reduce_(attrs, a, start):
    fold, _ = REDUCE[attrs["name"]]
    shape = [n for k, n in enumerate(a.shape) if k not in attrs["axes"]]
    cells = {i: start.data[0] for i in model.indices(shape)}
    for i, x in zip(model.indices(a.shape), a.data):
        to = tuple(k for d, k in enumerate(i) if d not in attrs["axes"])
        cells[to] = fitted(attrs["kind"], fold(cells[to], x), a.fixed)
    return Tensor(shape, list(cells.values()))


def sort(attrs, a):
    return Tensor(a.shape, sorted(a.data, reverse=attrs["down"]))


def clamped(start, size, n):
    return max(0, min(start, n - size))


def dynamic_slice(attrs, a, *starts):
    at = [clamped(s.data[0], k, n) for s, k, n in zip(starts, attrs["sizes"], a.shape)]
    return Tensor(attrs["sizes"], model.gathered(a, attrs["sizes"], lambda i: [k + s for k, s in zip(i, at)]))


def dynamic_update_slice(attrs, a, update, *starts):
    at = [clamped(s.data[0], k, n) for s, k, n in zip(starts, update.shape, a.shape)]
    data, steps = list(a.data), model.strides_of(a.shape)
    for i, x in zip(model.indices(update.shape), update.data):
        data[sum((k + s) * step for k, s, step in zip(i, at, steps))] = x
    return Tensor(a.shape, data)


def take(attrs, a, indices):
    """A gather of single elements of a vector."""
    return Tensor(indices.shape[:1], [a.data[clamped(k, 1, a.shape[0])] for k in indices.data])


OPERATIONS = {"unary": unary, "binary": binary, "convert": convert, "bitcast": bitcast, "clamp": clamp, "reverse": reverse,
              "concatenate": concatenate, "pad": pad, "iota": iota, "broadcast_in_dim": broadcast_in_dim, "reduce": reduce_,
              "sort": sort, "dynamic_slice": dynamic_slice, "dynamic_update_slice": dynamic_update_slice, "take": take,
              "compare": model.compare, "select": model.select, "reshape": model.reshape, "transpose": model.transpose,
              "slice": model.slice_}


def integer(attrs, *operands):
    out = OPERATIONS[attrs["op"]](attrs, *operands)
    need(len(out.data) <= LARGEST, "too large for the test")
    out.fixed = all(o.fixed for o in operands)
    return out


model.RULES["integer"] = integer


# --- makers
def put(p, op, attrs, operands, kind, shape, text):
    attrs = dict(attrs, op=op, kind=kind)
    attrs["from"] = operands[0].kind if operands else kind
    return p.add("integer", attrs, operands, kind, shape, text)


def pick(p, fits=lambda v: True, kinds=None):
    return p.pick(lambda v: v.kind in (kinds or BITS) and v.tensor.data is not None and None not in v.declared and fits(v))


def pick_like(p, a):
    return pick(p, lambda v: v.declared == a.declared, (a.kind,))


def number(p, kind):
    low, high = limits(kind)
    x = p.rng.choice([0, 1, 1, 2, 3, 4, 5, 7, 10, -1, -2, -3, low, high, high - 1, p.rng.randint(low, high)])
    return x if low <= x <= high else 1


def constant(p, kind, shape):
    data = [number(p, kind) for _ in range(math.prod(shape))]
    return write(p, kind, shape, data)


def write(p, kind, shape, data):
    def nested(shape, data):
        if not shape:
            return str(data[0]) if kind != "i1" else ("true" if data[0] else "false")
        step = len(data) // shape[0]
        return "[%s]" % ", ".join(nested(shape[1:], data[k * step:(k + 1) * step]) for k in range(shape[0]))
    body = "" if 0 in shape else nested(shape, data)
    return p.add("constant", {"shape": shape, "data": data}, [], kind, shape, "stablehlo.constant dense<%s> : {result}" % body)


def make_constant(p):
    shape = p.rng.choice([[], [], [1], [2], [3], [4], [2, 2], [3, 2], [0]])
    constant(p, p.rng.choice(KINDS + ["i1"]), shape)


def make_unary(p):
    a = pick(p)
    names = ["not"] if a and a.kind == "i1" else ["negate", "not", "popcnt", "count_leading_zeros"]
    if a and a.kind[0] == "i" and a.kind != "i1":
        names += ["abs", "sign"]
    name = p.rng.choice(names)
    if a:
        put(p, "unary", {"name": name}, [a], a.kind, a.declared, "stablehlo.%s %%%s : {types}" % (name, a.name))


def make_binary(p):
    a = pick(p)
    b = a and pick_like(p, a)
    if not b:
        return
    if p.rng.random() < 0.4:
        b = constant(p, a.kind, a.declared)
    name = p.rng.choice(sorted(TRUTH if a.kind == "i1" else BINARY))
    put(p, "binary", {"name": name}, [a, b], a.kind, a.declared, "stablehlo.%s %%%s, %%%s : {types}" % (name, a.name, b.name))


def make_convert(p):
    a, kind = pick(p), p.rng.choice(list(BITS) + ["i32"])
    if a:
        put(p, "convert", {}, [a], kind, a.declared, "stablehlo.convert %%%s : {types}" % a.name)


def make_bitcast(p):
    a = pick(p, kinds=KINDS)
    if a:
        kind = p.rng.choice([k for k in KINDS if BITS[k] == BITS[a.kind]])
        put(p, "bitcast", {}, [a], kind, a.declared, "stablehlo.bitcast_convert %%%s : {types}" % a.name)


def make_compare(p):
    a = pick(p)
    b = a and pick_like(p, a)
    if b:
        direction = p.rng.choice(sorted(model.COMPARE))
        put(p, "compare", {"direction": direction}, [a, b], "i1", a.declared,
            "stablehlo.compare %s, %%%s, %%%s : {types}" % (direction, a.name, b.name))


def make_select(p):
    a = pick(p)
    b = a and pick_like(p, a)
    test = b and pick(p, lambda v: v.declared in ([], a.declared), ("i1",))
    if test:
        put(p, "select", {}, [test, a, b], a.kind, a.declared,
            "stablehlo.select %%%s, %%%s, %%%s : {types}" % (test.name, a.name, b.name))


def make_clamp(p):
    a = pick(p, kinds=KINDS)
    if a:
        low, high = (pick(p, lambda v: v.declared in ([], a.declared), (a.kind,)) or a for _ in range(2))
        put(p, "clamp", {}, [low, a, high], a.kind, a.declared,
            "stablehlo.clamp %%%s, %%%s, %%%s : {types}" % (low.name, a.name, high.name))


def make_movement(p):
    a = pick(p, lambda v: v.declared)
    if not a:
        return
    rank, axes = len(a.declared), list(range(len(a.declared)))
    choice = p.rng.randrange(5)
    if choice == 0:
        p.rng.shuffle(axes)
        put(p, "transpose", {"order": axes}, [a], a.kind, [a.declared[k] for k in axes],
            "stablehlo.transpose %%%s, dims = %s : {types}" % (a.name, axes))
    elif choice == 1:
        axes = sorted(p.rng.sample(axes, p.rng.randint(0, rank)))
        put(p, "reverse", {"axes": axes}, [a], a.kind, a.declared, "stablehlo.reverse %%%s, dims = %s : {types}" % (a.name, axes))
    elif choice == 2:
        starts = [p.rng.randint(0, n) for n in a.declared]
        ends = [p.rng.randint(lo, n) for lo, n in zip(starts, a.declared)]
        steps = [p.rng.choice([1, 1, 2]) for _ in a.declared]
        put(p, "slice", {"starts": starts, "limits": ends, "steps": steps}, [a], a.kind, [0] * rank,
            "stablehlo.slice %%%s [%s] : {types}" % (a.name, ", ".join("%d:%d:%d" % x for x in zip(starts, ends, steps))))
    elif choice == 3:
        value = pick(p, lambda v: not v.declared, (a.kind,)) or constant(p, a.kind, [])
        rows = [[p.rng.choice([0, 0, 1, -1, 2]) for _ in axes] for _ in range(2)] + [[p.rng.choice([0, 0, 1]) for _ in axes]]
        put(p, "pad", dict(zip(("low", "high", "interior"), rows)), [a, value], a.kind, [0] * rank,
            "stablehlo.pad %%%s, %%%s, low = %s, high = %s, interior = %s : {types}" % (a.name, value.name, *rows))
    else:
        axis = p.rng.randrange(rank)
        b = pick(p, lambda v: len(v.declared) == rank and all(x == y for k, (x, y) in enumerate(zip(v.declared, a.declared))
                                                              if k != axis), (a.kind,))
        put(p, "concatenate", {"axis": axis}, [a, b], a.kind, [0] * rank,
            "stablehlo.concatenate %%%s, %%%s, dim = %d : {types}" % (a.name, b.name, axis))


def make_reshape(p):
    a = pick(p)
    if not a:
        return
    count = math.prod(a.declared)
    shapes = [[count], [1, count], [count, 1]] + [[2, count // 2]] * (count % 2 == 0) + [[]] * (count == 1)
    shape = p.rng.choice(shapes)
    put(p, "reshape", {"shape": shape}, [a], a.kind, shape, "stablehlo.reshape %%%s : {types}" % a.name)


def make_spread(p):
    if p.rng.random() < 0.3:
        shape, kind = [p.rng.randint(1, 4) for _ in range(p.rng.randint(1, 2))], p.rng.choice(KINDS)
        axis = p.rng.randrange(len(shape))
        put(p, "iota", {"axis": axis, "shape": shape}, [], kind, shape, "stablehlo.iota dim = %d : {result}" % axis)
        return
    a = pick(p, lambda v: len(v.declared) <= 1)
    if a:
        shape = [p.rng.randint(1, 3) for _ in range(p.rng.randint(len(a.declared), 2))]
        axes = p.rng.sample(range(len(shape)), len(a.declared))
        for k, to in enumerate(axes):
            if a.declared[k] != 1:
                shape[to] = a.declared[k]
        put(p, "broadcast_in_dim", {"axes": axes, "shape": shape}, [a], a.kind, shape,
            "stablehlo.broadcast_in_dim %%%s, dims = %s : {types}" % (a.name, axes))


def make_reduce(p):
    a = pick(p, lambda v: v.declared, KINDS)
    if a:
        name = p.rng.choice(sorted(REDUCE))
        start = write(p, a.kind, [], [REDUCE[name][1](a.kind)])
        axes = sorted(p.rng.sample(range(len(a.declared)), p.rng.randint(1, len(a.declared))))
        put(p, "reduce", {"name": name, "axes": axes}, [a, start], a.kind, [n for k, n in enumerate(a.declared) if k not in axes],
            "stablehlo.reduce(%%%s init: %%%s) applies stablehlo.%s across dimensions = %s : {types}" %
            (a.name, start.name, name, axes))


def make_sort(p):
    a = pick(p, lambda v: len(v.declared) == 1, KINDS)
    if a:
        down = p.rng.random() < 0.5
        put(p, "sort", {"down": down}, [a], a.kind, a.declared,
            '"stablehlo.sort"(%%%s) ({{\n    ^bb0(%%x: tensor<%s>, %%y: tensor<%s>):\n      %%z = stablehlo.compare %s, %%x, %%y : '
            '(tensor<%s>, tensor<%s>) -> tensor<i1>\n      stablehlo.return %%z : tensor<i1>\n    }}) {{dimension = 0 : i64, '
            'is_stable = true}} : {types}' % (a.name, a.kind, a.kind, "GT" if down else "LT", a.kind, a.kind))


def make_dynamic(p):
    a = pick(p, lambda v: v.declared and 0 not in v.declared)
    if not a:
        return
    starts = [pick(p, lambda v: not v.declared, ("i32",)) or constant(p, "i32", []) for _ in a.declared]
    dims = [p.rng.randint(0, n) for n in a.declared]
    names = ", ".join("%" + s.name for s in starts)
    if p.rng.random() < 0.5:
        put(p, "dynamic_slice", {"sizes": dims}, [a] + starts, a.kind, dims,
            "stablehlo.dynamic_slice %%%s, %s, sizes = %s : {types}" % (a.name, names, dims))
        return
    update = pick(p, lambda v: len(v.declared) == len(a.declared) and all(k <= n for k, n in zip(v.declared, a.declared)), (a.kind,))
    if update:
        put(p, "dynamic_update_slice", {}, [a, update] + starts, a.kind, a.declared,
            "stablehlo.dynamic_update_slice %%%s, %%%s, %s : {types}" % (a.name, update.name, names))


def make_take(p):
    a = pick(p, lambda v: len(v.declared) == 1 and v.declared[0])
    at = a and pick(p, lambda v: len(v.declared) == 2 and v.declared[1] == 1, ("i32", "i64"))
    if at is None:
        at = a and write(p, "i32", [2, 1], [p.rng.randint(-1, a.declared[0]) for _ in range(2)])
    if at:
        put(p, "take", {}, [a, at], a.kind, at.declared[:1],
            '"stablehlo.gather"(%%%s, %%%s) {{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], '
            'index_vector_dim = 1>, slice_sizes = array<i64: 1>}} : {types}' % (a.name, at.name))


def make_scalar(p):
    """One element, as an i32 that later operations may use as a size."""
    a = pick(p, lambda v: math.prod(v.declared) > 0)
    if not a:
        return
    at = [p.rng.randrange(n) for n in a.declared]
    one = [1] * len(at)
    if at:
        a = put(p, "slice", {"starts": at, "limits": [k + 1 for k in at], "steps": one}, [a], a.kind, one,
                "stablehlo.slice %%%s [%s] : {types}" % (a.name, ", ".join("%d:%d:1" % (k, k + 1) for k in at)))
        a = put(p, "reshape", {"shape": []}, [a], a.kind, [], "stablehlo.reshape %%%s : {types}" % a.name)
    if a.kind != "i32":
        put(p, "convert", {}, [a], "i32", [], "stablehlo.convert %%%s : {types}" % a.name)


MAKERS = [make_constant, make_unary, make_binary, make_binary, make_convert, make_bitcast, make_compare, make_select, make_clamp,
          make_movement, make_movement, make_reshape, make_spread, make_reduce, make_sort, make_dynamic, make_take, make_scalar,
          make_scalar]
