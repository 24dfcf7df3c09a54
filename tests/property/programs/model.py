# SPDX-License-Identifier: Apache-2.0
"""Runs small StableHLO programs at concrete dims, by the rules of the specification, to check symbolic answers.

A tensor is a shape and, for i32 and i1, its elements in row-major order. Whatever the specification does not allow
raises ShapeError: that run ends with a shape error. Written from the specification alone; it shares nothing with the
rules under test.
"""
import itertools
import math


class ShapeError(Exception):
    """The run ends with a shape error; `op` is the outermost operation that it came from."""

    op = None


class Assumed(Exception):
    """The run does what the specification leaves open, or what the answer assumes not to happen."""


class Tensor:
    """fixed: computed from constants alone."""
    __slots__ = ("shape", "data", "fixed")

    def __init__(self, shape, data=None, fixed=False):
        self.shape, self.data, self.fixed = tuple(shape), data, fixed


def need(condition, text):
    if not condition:
        raise ShapeError(text)


def indices(shape):
    """All indices of a shape, the last axis fastest."""
    if math.prod(shape) > 10**4:
        raise Assumed  # legal, and too large for the test
    return itertools.product(*(range(n) for n in shape))


def strides_of(shape):
    out, step = [], 1
    for size in reversed(shape):
        out.append(step)
        step *= size
    return out[::-1]


def gathered(source, shape, index_of):
    """The elements of a result whose element at `index` is that of `source` at index_of(index)."""
    if source.data is None:
        return None
    steps = strides_of(source.shape)
    return [source.data[sum(i * s for i, s in zip(index_of(index), steps))]
            for index in indices(shape)]


def truncating_divide(a, b):
    q = abs(a) // abs(b)
    return q if (a >= 0) == (b >= 0) else -q


BINARY = {"add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b, "maximum": max,
          "minimum": min, "divide": truncating_divide,
          "remainder": lambda a, b: a - b * truncating_divide(a, b)}
COMPARE = {"EQ": lambda a, b: a == b, "NE": lambda a, b: a != b, "LT": lambda a, b: a < b, "LE": lambda a, b: a <= b,
           "GT": lambda a, b: a > b, "GE": lambda a, b: a >= b}


def constant(attrs):
    return Tensor(attrs["shape"], list(attrs["data"]) if attrs["data"] is not None else None, True)


def binary(attrs, a, b):
    need(a.shape == b.shape, "operand shapes differ")
    if a.data is None or b.data is None:
        return Tensor(a.shape)
    data = [BINARY[attrs["name"]](x, y) for x, y in zip(a.data, b.data)]
    if any(not -2**31 <= x < 2**31 for x in data):
        raise Assumed
    return Tensor(a.shape, data)


def unary(attrs, a):
    return Tensor(a.shape, None)


def compare(attrs, a, b):
    need(a.shape == b.shape, "operand shapes differ")
    known = a.data is not None and b.data is not None
    test = COMPARE[attrs["direction"]]
    return Tensor(a.shape, [int(test(x, y)) for x, y in zip(a.data, b.data)] if known else None)


def select(attrs, p, a, b):
    need(a.shape == b.shape and p.shape in ((), a.shape), "operand shapes differ")
    if p.data is None or a.data is None or b.data is None:
        return Tensor(a.shape)
    picks = p.data * len(a.data) if p.shape == () and a.shape != () else p.data
    return Tensor(a.shape, [x if c else y for c, x, y in zip(picks, a.data, b.data)])


def get_dimension_size(attrs, a):
    need(attrs["axis"] < len(a.shape), "there is no such axis")
    return Tensor((), [a.shape[attrs["axis"]]])


def reshape(attrs, a):
    need(math.prod(attrs["shape"]) == math.prod(a.shape), "element counts differ")
    return Tensor(attrs["shape"], a.data)


def dynamic_reshape(attrs, a, shape):
    need(all(n >= 0 for n in shape.data), "negative size")
    need(math.prod(shape.data) == math.prod(a.shape), "element counts differ")
    return Tensor(shape.data, a.data)


def dynamic_broadcast_in_dim(attrs, a, shape):
    need(all(n >= 0 for n in shape.data), "negative size")
    for axis, to in enumerate(attrs["axes"]):
        need(a.shape[axis] in (1, shape.data[to]), "not broadcastable")
    at = attrs["axes"]
    return Tensor(shape.data, gathered(a, shape.data, lambda i: [0 if a.shape[k] == 1 else i[at[k]] for k in range(len(at))]))


def dynamic_iota(attrs, shape):
    need(all(n >= 0 for n in shape.data), "negative size")
    return Tensor(shape.data, [i[attrs["axis"]] for i in indices(shape.data)])


def joined(axis, parts):
    for p in parts:
        need(all(x == y for k, (x, y) in enumerate(zip(p.shape, parts[0].shape)) if k != axis), "dims differ")
    shape = list(parts[0].shape)
    shape[axis] = sum(p.shape[axis] for p in parts)
    return shape


def concatenate(attrs, *parts):
    shape = joined(attrs["axis"], parts)
    if len(shape) == 1 and all(p.data is not None for p in parts):
        return Tensor(shape, [x for p in parts for x in p.data])
    return Tensor(shape)


def transpose(attrs, a):
    order = attrs["order"]
    shape = [a.shape[k] for k in order]
    back = [order.index(k) for k in range(len(order))]
    return Tensor(shape, gathered(a, shape, lambda i: [i[k] for k in back]))


def sliced(a, starts, limits, steps):
    for n, lo, hi, step in zip(a.shape, starts, limits, steps):
        need(0 <= lo <= hi <= n and step >= 1, "slice out of range")
    shape = [-(-(hi - lo) // step) for lo, hi, step in zip(starts, limits, steps)]
    return Tensor(shape, gathered(a, shape, lambda i: [lo + k * s for k, lo, s in zip(i, starts, steps)]))


def slice_(attrs, a):
    return sliced(a, attrs["starts"], attrs["limits"], attrs["steps"])


def real_dynamic_slice(attrs, a, starts, limits, steps):
    return sliced(a, starts.data, limits.data, steps.data)


def padded(a, low, high, interior):
    need(all(k >= 0 for k in interior), "negative interior padding")
    shape = [lo + n + max(n - 1, 0) * k + hi for n, lo, hi, k in zip(a.shape, low, high, interior)]
    need(all(n >= 0 for n in shape), "negative size")
    return Tensor(shape)


def pad(attrs, a, _):
    return padded(a, attrs["low"], attrs["high"], attrs["interior"])


def dynamic_pad(attrs, a, _, low, high, interior):
    return padded(a, low.data, high.data, interior.data)


def reduce_(attrs, a, _):
    return Tensor([n for k, n in enumerate(a.shape) if k not in attrs["axes"]])


def dot_general(attrs, a, b):
    for x, y in list(zip(*attrs["batch"])) + list(zip(*attrs["contract"])):
        need(a.shape[x] == b.shape[y], "contracted dims differ")
    rest = [[n for k, n in enumerate(t.shape) if k not in attrs["batch"][side] + attrs["contract"][side]]
            for side, t in enumerate((a, b))]
    return Tensor([a.shape[k] for k in attrs["batch"][0]] + rest[0] + rest[1])


def windows(n, window, stride, low, high, dilate):
    total, reach = low + n + high, (window - 1) * dilate + 1
    return 0 if total < reach else (total - reach) // stride + 1


def reduce_window(attrs, a, _):
    shape = [windows(n, *w) for n, w in zip(a.shape, attrs["windows"])]
    for n, w in zip(a.shape, attrs["windows"]):
        need(w[2] + n + w[3] >= 0, "negative padded size")
    return Tensor(shape)


def reverse(attrs, a):
    return Tensor(a.shape, None)


def convolution(attrs, a, b):
    """Layout [b, 0.., f] x [0.., i, o] -> [b, 0.., f], one feature group."""
    need(all(k >= 1 for k in b.shape[:-2]), "an empty window")
    need(a.shape[-1] == b.shape[-2], "feature counts differ")
    spatial = [windows(n, k, stride, low, high, dilate) for n, k, (stride, low, high, dilate) in
               zip(a.shape[1:-1], b.shape[:-2], attrs["windows"])]
    return Tensor([a.shape[0]] + spatial + [b.shape[-1]])


def gather_rows(attrs, a, indices):
    """Whole rows of axis 0 (or `rows` of them) at scalar indices along the last axis of `indices`."""
    for n, k in zip(a.shape, attrs["sizes"]):
        need(0 <= k <= n, "slice dims do not fit")
    return Tensor(indices.shape[:-1] + tuple(attrs["sizes"][1:]))


def dynamic_slice(attrs, a, *_):
    for n, k in zip(a.shape, attrs["sizes"]):
        need(0 <= k <= n, "slice dims do not fit")
    return Tensor(attrs["sizes"])


def dynamic_update_slice(attrs, a, update, *_):
    for n, k in zip(a.shape, update.shape):
        need(k <= n, "the update does not fit")
    return Tensor(a.shape)


def steps(program, outer):
    """Runs (rule, attrs, operand indices) one after the other; indices count outer values first, then results."""
    values = list(outer)
    for rule, attrs, operands in program:
        values.append(RULES[rule](attrs, *(values[k] for k in operands)))
    return values[-1]


def if_(attrs, test, *outer):
    return steps(attrs["branches"][0 if test.data[0] else 1], outer)


def while_(attrs, count, start, *outer):
    """count.data[0] times: x = body(x, outer...)."""
    x = start
    if count.data[0] > 50:
        raise Assumed  # legal, and too long for the test
    for _ in range(max(count.data[0], 0)):
        x = steps(attrs["body"], [x] + list(outer))
    return x


def call(attrs, *outer):
    return steps(attrs["body"], outer)


RULES = {"constant": constant, "unary": unary, "compare": compare, "select": select, "reshape": reshape,
         "get_dimension_size": get_dimension_size, "dynamic_reshape": dynamic_reshape, "reverse": reverse,
         "dynamic_broadcast_in_dim": dynamic_broadcast_in_dim, "dynamic_iota": dynamic_iota, "concatenate": concatenate,
         "transpose": transpose, "slice": slice_, "real_dynamic_slice": real_dynamic_slice, "pad": pad,
         "dynamic_pad": dynamic_pad, "reduce": reduce_, "dot_general": dot_general, "reduce_window": reduce_window,
         "sort": reverse, "convolution": convolution, "gather": gather_rows, "dynamic_slice": dynamic_slice,
         "dynamic_update_slice": dynamic_update_slice, "if": if_, "while": while_, "call": call}
RULES.update({name: binary for name in BINARY})


FACTS = {"tie", "tie_shape"}  # what the program says of its values, wherever that is


def value_of(op, values):
    out = RULES[op.rule](op.attrs, *(values[o] for o in op.operands))
    ranked = not (op.kind or "").startswith("=tensor<*")
    need(not ranked or len(out.shape) == len(op.declared), "the declared type does not fit")
    for declared, size in zip(op.declared, out.shape):
        need(declared is None or declared == size, "the declared type does not fit")
    return out


def check_facts(ops, values):
    """Raises Assumed where a fact about what was computed before a run ended is not kept."""
    for op in ops:
        try:
            if all(o in values for o in op.operands):
                values[op.name] = value_of(op, values)
        except Assumed:
            if op.rule in FACTS:
                raise
        except (ShapeError, ZeroDivisionError):
            pass


def run(program, arguments):
    """Shapes of all values of a run, by name. Raises ShapeError where the run is illegal."""
    values = dict(zip((a.name for a in program.arguments), arguments))
    for k, op in enumerate(program.ops):
        try:
            values[op.name] = value_of(op, values)
        except ShapeError as error:
            error.op = op
            check_facts(program.ops[k + 1:], values)
            raise
    return values
