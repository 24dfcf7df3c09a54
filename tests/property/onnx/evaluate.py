# SPDX-License-Identifier: Apache-2.0
"""Runs small ONNX models on lists of numbers, as the pages of the operators say (operator set 17).

A run that violates a requirement of an operator raises Violation. What the pages leave open, and what would be large, raises
Undecided: such a run says nothing.
"""
import itertools
import math

LARGE = 4000
FAR = 1 << 40


class Violation(Exception):
    """A requirement of an operator does not hold."""


class Undecided(Exception):
    """The specification does not say what the result is, or it is too large to be made here."""


def need(condition, what):
    if not condition:
        raise Violation(what)


class Tensor:
    """kind: f, i or b; data in row-major order."""

    def __init__(self, kind, shape, data):
        self.kind, self.shape, self.data = kind, tuple(shape), list(data)
        if len(self.data) > LARGE:
            raise Undecided("large")
        assert math.prod(self.shape) == len(self.data), (self.shape, len(self.data))

    @property
    def rank(self):
        return len(self.shape)


def ints(*values):
    return Tensor("i", (len(values),), values)


def scalar(value, kind="i"):
    return Tensor(kind, (), [value])


def indices(shape):
    return itertools.product(*map(range, shape))


def strides(shape):
    out, step = [], 1
    for n in reversed(shape):
        out.append(step)
        step *= n
    return out[::-1]


def offset_of(shape, index):
    return sum(i * s for i, s in zip(index, strides(shape)))


def make(kind, shape, at):
    if math.prod(shape) > LARGE:
        raise Undecided("large")
    return Tensor(kind, shape, [at(i) for i in indices(shape)])


def axis_of(axis, rank):
    need(-rank <= axis < rank, "axis %d of rank %d" % (axis, rank))
    return axis % rank


def axes_of(axes, rank):
    out = [axis_of(a, rank) for a in axes]
    need(len(set(out)) == len(out), "an axis is given twice")
    return out


def vector(t):
    need(t.rank == 1, "a vector is needed")
    return t.data


def one(t):
    need(len(t.data) == 1, "one number is needed")
    return t.data[0]


def broadcast_shape(shapes):
    rank = max(map(len, shapes))
    out = []
    for dims in zip(*[(1,) * (rank - len(s)) + tuple(s) for s in shapes]):
        others = {n for n in dims if n != 1}
        need(len(others) <= 1, "shapes do not broadcast")
        out.append(others.pop() if others else 1)
    return tuple(out)


def spread(t, shape):
    lead = len(shape) - t.rank
    return lambda i: t.data[offset_of(t.shape, [0 if n == 1 else k for k, n in zip(i[lead:], t.shape)])]


def elementwise(function, kind=None):
    def op(inputs, attrs):
        shape = broadcast_shape([t.shape for t in inputs])
        at = [spread(t, shape) for t in inputs]
        return [make(kind or inputs[-1].kind, shape, lambda i: small(function(*[a(i) for a in at])))]
    return op


def small(value):
    if abs(value) > FAR:
        raise Undecided("far")
    return value


def shape_of(inputs, attrs):
    rank = inputs[0].rank
    clip = lambda n: min(max(n + rank if n < 0 else n, 0), rank)  # noqa: E731
    return [ints(*inputs[0].shape[clip(attrs.get("start", 0)):clip(attrs.get("end", rank))])]


def cast(inputs, attrs):
    kind = {1: "f", 7: "i", 9: "b"}[attrs["to"]]
    return [Tensor(kind, inputs[0].shape, [int(v != 0) if kind == "b" else int(v) for v in inputs[0].data])]


def concat(inputs, attrs):
    axis = axis_of(attrs["axis"], inputs[0].rank)
    for t in inputs:
        need(t.rank == inputs[0].rank and all(a == b for k, (a, b) in enumerate(zip(t.shape, inputs[0].shape)) if k != axis),
             "the operands differ along another axis")
    shape = list(inputs[0].shape)
    shape[axis] = sum(t.shape[axis] for t in inputs)
    starts = list(itertools.accumulate([0] + [t.shape[axis] for t in inputs]))

    def at(index):
        k = max(j for j in range(len(inputs)) if starts[j] <= index[axis] < starts[j + 1])
        return inputs[k].data[offset_of(inputs[k].shape, index[:axis] + (index[axis] - starts[k],) + index[axis + 1:])]
    return [make(inputs[0].kind, shape, at)]


def slice_(inputs, attrs):
    x, starts, ends = inputs[0], vector(inputs[1]), vector(inputs[2])
    axes = vector(inputs[3]) if len(inputs) > 3 and inputs[3] else list(range(len(starts)))
    steps = vector(inputs[4]) if len(inputs) > 4 and inputs[4] else [1] * len(starts)
    need(len(starts) == len(ends) == len(axes) == len(steps), "starts, ends, axes and steps differ in length")
    ranges = [range(n) for n in x.shape]
    for start, end, axis, step in zip(starts, ends, axes_of(axes, x.rank), steps):
        need(step != 0, "a step is 0")
        n = x.shape[axis]
        start, end = (v + n if v < 0 else v for v in (start, end))
        low, high = (0, n) if step > 0 else (-1, n - 1)
        ranges[axis] = range(min(max(start, max(low, 0)), high), min(max(end, low), high), step)
    return [make(x.kind, [len(r) for r in ranges], lambda i: x.data[offset_of(x.shape, [r[k] for r, k in zip(ranges, i)])])]


def wrapped(index, n):
    need(-n <= index < n, "index %d of %d" % (index, n))
    return index % n


def gather(inputs, attrs):
    x, at = inputs
    axis = axis_of(attrs.get("axis", 0), x.rank)
    where = [wrapped(i, x.shape[axis]) for i in at.data]
    shape = x.shape[:axis] + at.shape + x.shape[axis + 1:]

    def value(index):
        middle = index[axis:axis + at.rank]
        return x.data[offset_of(x.shape, index[:axis] + (where[offset_of(at.shape, middle)],) + index[axis + at.rank:])]
    return [make(x.kind, shape, value)]


def gather_elements(inputs, attrs):
    x, at = inputs
    need(x.rank == at.rank, "the ranks differ")
    axis = axis_of(attrs.get("axis", 0), x.rank)
    need(all(a <= b for k, (a, b) in enumerate(zip(at.shape, x.shape)) if k != axis), "indices beyond the operand")
    where = [wrapped(i, x.shape[axis]) for i in at.data]
    return [make(x.kind, at.shape, lambda i: x.data[offset_of(x.shape, i[:axis] + (where[offset_of(at.shape, i)],) + i[axis + 1:])])]


def gather_nd(inputs, attrs):
    x, at = inputs
    need(x.rank >= 1 and at.rank >= 1 and 1 <= at.shape[-1] <= x.rank, "index tuples do not fit")
    n = at.shape[-1]
    tuples = [tuple(wrapped(i, x.shape[k]) for k, i in enumerate(at.data[p:p + n])) for p in range(0, len(at.data), n)]
    lead = at.shape[:-1]
    return [make(x.kind, lead + x.shape[n:],
                 lambda i: x.data[offset_of(x.shape, tuples[offset_of(lead, i[:len(lead)])] + i[len(lead):])])]


def scatter_nd(inputs, attrs):
    x, at, updates = inputs
    need(x.rank >= 1 and at.rank >= 1 and at.shape[-1] <= x.rank, "index tuples do not fit")
    n = at.shape[-1]
    need(updates.shape == at.shape[:-1] + x.shape[n:], "the updates have another shape")
    if n:
        for p in range(0, len(at.data), n):
            for k, i in enumerate(at.data[p:p + n]):
                wrapped(i, x.shape[k])
    if x.kind != "f":
        raise Undecided("values of a scatter")
    return [x]


def reshape(inputs, attrs):
    x, wanted = inputs[0], list(vector(inputs[1]))
    for k, n in enumerate(wanted):
        need(n >= -1, "a size is %d" % n)
        if n == 0 and not attrs.get("allowzero"):
            need(k < x.rank, "a 0 copies no axis")
            wanted[k] = x.shape[k]
    need(wanted.count(-1) <= 1, "two -1")
    if -1 in wanted:
        rest = math.prod(n for n in wanted if n != -1)
        need(rest > 0 and len(x.data) % rest == 0, "the elements do not fill the dims")
        wanted[wanted.index(-1)] = len(x.data) // rest
    need(math.prod(wanted) == len(x.data), "another number of elements")
    return [Tensor(x.kind, wanted, x.data)]


def sizes_in(t):
    need(all(n >= 0 for n in vector(t)), "a size is negative")
    return t.data


def expand(inputs, attrs):
    shape = broadcast_shape([inputs[0].shape, sizes_in(inputs[1])])
    return [make(inputs[0].kind, shape, spread(inputs[0], shape))]


def tile(inputs, attrs):
    x, repeats = inputs[0], sizes_in(inputs[1])
    need(len(repeats) == x.rank, "a repeat for each axis is needed")
    return [make(x.kind, [n * r for n, r in zip(x.shape, repeats)],
                 lambda i: x.data[offset_of(x.shape, [k % n for k, n in zip(i, x.shape)])])]


def squeeze(inputs, attrs):
    x = inputs[0]
    if len(inputs) > 1 and inputs[1]:
        axes = axes_of(vector(inputs[1]), x.rank)
        need(all(x.shape[a] == 1 for a in axes), "a squeezed axis is not 1")
    else:
        axes = [k for k, n in enumerate(x.shape) if n == 1]
    return [Tensor(x.kind, [n for k, n in enumerate(x.shape) if k not in axes], x.data)]


def unsqueeze(inputs, attrs):
    x, given = inputs[0], vector(inputs[1])
    axes = axes_of(given, x.rank + len(given))
    rest = iter(x.shape)
    return [Tensor(x.kind, [1 if k in axes else next(rest) for k in range(x.rank + len(given))], x.data)]


def transpose(inputs, attrs):
    x = inputs[0]
    perm = attrs.get("perm", list(range(x.rank))[::-1])
    need(len(perm) == x.rank, "perm has another length")
    return [make(x.kind, [x.shape[p] for p in perm],
                 lambda i: x.data[offset_of(x.shape, [i[perm.index(k)] for k in range(x.rank)])])]


def matmul(inputs, attrs):
    a, b = inputs
    need(a.rank and b.rank, "a scalar is no matrix")
    left, right = (a.shape if a.rank > 1 else (1,) + a.shape), (b.shape if b.rank > 1 else b.shape + (1,))
    need(left[-1] == right[-2], "the contracted dims differ")
    shape = broadcast_shape([left[:-2], right[:-2]]) + left[-2:-1] * (a.rank > 1) + right[-1:] * (b.rank > 1)
    return [make("f", shape, lambda i: 1)]


def gemm(inputs, attrs):
    a, b = inputs[:2]
    need(a.rank == 2 and b.rank == 2, "matrices are needed")
    left = a.shape[::-1] if attrs.get("transA") else a.shape
    right = b.shape[::-1] if attrs.get("transB") else b.shape
    need(left[1] == right[0], "the contracted dims differ")
    shape = (left[0], right[1])
    if len(inputs) > 2:
        need(broadcast_shape([inputs[2].shape, shape]) == shape, "C does not broadcast")
    return [make("f", shape, lambda i: 1)]


def constant_of_shape(inputs, attrs):
    return [make("f", sizes_in(inputs[0]), lambda i: 0)]


def range_(inputs, attrs):
    start, limit, delta = map(one, inputs)
    need(delta != 0, "the delta is 0")
    return [ints(*range(start, limit, delta))]


def reduce_(function):
    def op(inputs, attrs):
        x = inputs[0]
        axes = axes_of(vector(inputs[1]), x.rank) if len(inputs) > 1 and inputs[1] else []
        axes = axes or list(range(x.rank))
        keep = attrs.get("keepdims", 1)
        shape = [1 if k in axes else n for k, n in enumerate(x.shape) if keep or k not in axes]
        out = [[] for _ in range(math.prod(shape))]
        for value, i in zip(x.data, indices(x.shape)):
            out[offset_of(shape, [0 if k in axes else n for k, n in enumerate(i) if keep or k not in axes])].append(value)
        return [Tensor(x.kind, shape, [small(function(v)) for v in out])]
    return op


def cum_sum(inputs, attrs):
    axis_of(one(inputs[1]), inputs[0].rank)
    if inputs[0].kind != "f":
        raise Undecided("values of a sum")
    return [inputs[0]]


def pad(inputs, attrs):
    x, pads = inputs[0], vector(inputs[1])
    axes = axes_of(vector(inputs[3]), x.rank) if len(inputs) > 3 else list(range(x.rank))
    need(len(pads) == 2 * len(axes), "two pads for each axis are needed")
    shape = list(x.shape)
    for k, axis in enumerate(axes):
        shape[axis] += pads[k] + pads[len(axes) + k]
        need(shape[axis] >= 0, "a padded size is negative")
    if x.kind != "f":
        raise Undecided("values of a pad")
    return [make(x.kind, shape, lambda i: 1)]


def split(inputs, attrs):
    x = inputs[0]
    axis = axis_of(attrs.get("axis", 0), x.rank)
    if len(inputs) > 1:
        parts = sizes_in(inputs[1])
        need(len(parts) == attrs["outputs"], "a size for each part is needed")
    else:
        need(x.shape[axis] % attrs["outputs"] == 0, "the parts are not equal")
        parts = [x.shape[axis] // attrs["outputs"]] * attrs["outputs"]
    return pieces(x, axis, parts)


def pieces(x, axis, parts):
    need(sum(parts) == x.shape[axis], "the parts do not make up the operand")
    out, start = [], 0
    for n in parts:
        shape = x.shape[:axis] + (n,) + x.shape[axis + 1:]
        out.append(make(x.kind, shape, lambda i: x.data[offset_of(x.shape, i[:axis] + (i[axis] + start,) + i[axis + 1:])]))
        start += n
    return out


def top_k(inputs, attrs):
    x, k = inputs[0], one(inputs[1])
    axis = axis_of(attrs.get("axis", -1), x.rank)
    need(0 <= k <= x.shape[axis], "k is not within the axis")
    shape = x.shape[:axis] + (k,) + x.shape[axis + 1:]
    return [make("f", shape, lambda i: 1), make("i", shape, lambda i: i[axis])]


def compress(inputs, attrs):
    x, keep = inputs[0], vector(inputs[1])
    if "axis" not in attrs:
        need(len(keep) <= len(x.data), "the condition is too long")
        data = [v for v, k in zip(x.data, keep) if k]
        return [Tensor(x.kind, (len(data),), data)]
    axis = axis_of(attrs["axis"], x.rank)
    need(len(keep) <= x.shape[axis], "the condition is too long")
    rows = [k for k, kept in enumerate(keep) if kept]
    shape = x.shape[:axis] + (len(rows),) + x.shape[axis + 1:]
    return [make(x.kind, shape, lambda i: x.data[offset_of(x.shape, i[:axis] + (rows[i[axis]],) + i[axis + 1:])])]


def one_hot(inputs, attrs):
    at, depth = inputs[0], one(inputs[1])
    need(inputs[1].rank <= 1 and inputs[2].shape == (2,) and depth >= 0, "depth or values do not fit")
    axis = axis_of(attrs.get("axis", -1), at.rank + 1)
    return [make("f", at.shape[:axis] + (depth,) + at.shape[axis:], lambda i: 1)]


def non_zero(inputs, attrs):
    x = inputs[0]
    if not x.rank:
        raise Undecided("NonZero of a scalar")
    hits = [i for i in indices(x.shape) if x.data[offset_of(x.shape, i)]]
    return [make("i", (x.rank, len(hits)), lambda i: hits[i[1]][i[0]])]


def flatten(inputs, attrs):
    x, axis = inputs[0], attrs.get("axis", 1)
    need(-x.rank <= axis <= x.rank, "axis %d" % axis)
    axis += x.rank if axis < 0 else 0
    return [Tensor(x.kind, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])), x.data)]


def position(t, n, most):
    at = one(t)
    need(-n <= at <= most, "position %d of %d" % (at, n))
    return at + n if at < 0 else at


def sequence_insert(inputs, attrs):
    s = inputs[0]
    at = position(inputs[2], len(s), len(s)) if len(inputs) > 2 else len(s)
    return [s[:at] + [inputs[1]] + s[at:]]


def sequence_erase(inputs, attrs):
    s = inputs[0]
    need(s, "the sequence is empty")
    at = position(inputs[1], len(s), len(s) - 1) if len(inputs) > 1 else len(s) - 1
    return [s[:at] + s[at + 1:]]


def split_to_sequence(inputs, attrs):
    x = inputs[0]
    axis = axis_of(attrs.get("axis", 0), x.rank)
    if len(inputs) < 2:
        return [pieces(x, axis, [1] * x.shape[axis])]
    if inputs[1].rank == 1:
        return [pieces(x, axis, sizes_in(inputs[1]))]
    size, n = one(inputs[1]), x.shape[axis]
    need(size >= 1, "the size of a part is %d" % size)
    return [pieces(x, axis, [min(size, n - k) for k in range(0, n, size)])]


def concat_from_sequence(inputs, attrs):
    s = inputs[0]
    need(s, "the sequence is empty")
    if attrs.get("new_axis"):
        axis = axis_of(attrs["axis"], s[0].rank + 1)
        s = [Tensor(t.kind, t.shape[:axis] + (1,) + t.shape[axis:], t.data) for t in s if need(t.rank == s[0].rank, "ranks") is None]
    return concat(s, {"axis": attrs["axis"]})


def unary(inputs, attrs):
    return [inputs[0]] if inputs[0].kind == "f" else [Tensor(inputs[0].kind, inputs[0].shape, [-v for v in inputs[0].data])]


OPERATORS = {
    "Shape": shape_of, "Size": lambda i, a: [scalar(len(i[0].data))], "Relu": unary, "Neg": unary, "Cast": cast,
    "Identity": lambda i, a: [i[0]], "Concat": concat, "Slice": slice_, "Gather": gather, "GatherElements": gather_elements,
    "Add": elementwise(lambda a, b: a + b), "Sub": elementwise(lambda a, b: a - b), "Mul": elementwise(lambda a, b: a * b),
    "Max": elementwise(max), "Min": elementwise(min), "Equal": elementwise(lambda a, b: int(a == b), "b"),
    "Less": elementwise(lambda a, b: int(a < b), "b"), "Where": elementwise(lambda c, a, b: a if c else b),
    "GatherND": gather_nd, "ScatterND": scatter_nd, "Reshape": reshape, "Expand": expand, "Tile": tile, "Squeeze": squeeze,
    "Unsqueeze": unsqueeze, "Transpose": transpose, "MatMul": matmul, "Gemm": gemm, "ConstantOfShape": constant_of_shape,
    "Range": range_, "ReduceSum": reduce_(sum), "CumSum": cum_sum, "Pad": pad, "Split": split, "TopK": top_k,
    "Compress": compress, "OneHot": one_hot, "NonZero": non_zero, "Flatten": flatten,
    "SequenceConstruct": lambda i, a: [list(i)], "SequenceEmpty": lambda i, a: [[]], "SequenceInsert": sequence_insert,
    "SequenceErase": sequence_erase, "SequenceAt": lambda i, a: [i[0][position(i[1], len(i[0]), len(i[0]) - 1)]],
    "SequenceLength": lambda i, a: [scalar(len(i[0]))], "SplitToSequence": split_to_sequence,
    "ConcatFromSequence": concat_from_sequence,
}


def stack(rows, axis=0):
    if not rows:
        raise Undecided("the shape of what no trip made")
    need(all(t.shape == rows[0].shape for t in rows), "what trips made has several shapes")
    return concat([Tensor(t.kind, (1,) + t.shape, t.data) for t in rows], {"axis": axis})[0]


def run_loop(node, env):
    most, condition = (env[n] if n else None for n in node.inputs[:2])
    states = [env[n] for n in node.inputs[2:]]
    body, rows, trip = node.attrs["body"], [], 0
    go = condition is None or one(condition)
    while go and (most is None or trip < one(most)):
        if trip > 20:
            raise Undecided("many trips")
        back = run_graph(body, [scalar(trip), scalar(1, "b")] + states, env)
        go, states = one(back[0]), back[1:1 + len(states)]
        rows.append(back[1 + len(states):])
        trip += 1
    stacked = len(node.outputs) - len(states)
    return states + [stack([r[k] for r in rows]) for k in range(stacked)]


def run_scan(node, env):
    scans = node.attrs["num_scan_inputs"]
    states, given = [env[n] for n in node.inputs[:-scans]], [env[n] for n in node.inputs[-scans:]]
    need(all(t.rank for t in given) and len({t.shape[0] for t in given}) == 1, "scan inputs of several lengths")
    rows = []
    for trip in range(given[0].shape[0]):
        back = run_graph(node.attrs["body"], states + [gather([t, scalar(trip)], {})[0] for t in given], env)
        need(all(a.shape == b.shape for a, b in zip(states, back)), "a state changes its shape")
        rows.append(back[len(states):])
        states = back[:len(states)]
    return states + [stack([r[k] for r in rows]) for k in range(len(node.outputs) - len(states))]


def run_node(node, env):
    if node.op == "Loop":
        return run_loop(node, env)
    if node.op == "Scan":
        return run_scan(node, env)
    if node.op == "If":
        return run_graph(node.attrs["then_branch" if one(env[node.inputs[0]]) else "else_branch"], [], env)
    inputs = [env[n] if n else None for n in node.inputs]
    return OPERATORS[node.op](inputs, dict(node.attrs, outputs=len(node.outputs)))


def run_graph(graph, arguments, outer=None, values=None):
    """The results; `values` is filled with every value of the graph."""
    env = dict(outer or {})
    env.update(graph.constants)
    env.update(zip((name for name, _, _ in graph.inputs), arguments))
    for node in graph.nodes:
        out = run_node(node, env)
        env.update(zip(node.outputs, out))
        if values is not None:
            values.update(zip(node.outputs, out))
    return [env[n] for n in graph.outputs]
