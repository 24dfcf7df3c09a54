# SPDX-License-Identifier: Apache-2.0
"""Makes random small programs that are legal at one set of concrete dims, with most dims written as `?`."""
import model

MAX_SIZE, MAX_RANK = 6, 4
PART = {"while": ("#1", 2), "counting": ("#1", 2), "counter": ("#0", 2), "same_shapes": ("#0", 2)}  # by rule: which of how many results is the value


class Op:
    def __init__(self, name, rule, attrs, operands, text, kind):
        self.name, self.rule, self.attrs, self.operands = name, rule, attrs, operands
        self.text, self.kind, self.declared, self.before = text, kind, None, []


class Value:
    """A value of the program: its declared dims (None is `?`), its element type, and what it is in the first run."""

    def __init__(self, name, declared, kind, tensor, bounds=None):
        self.name, self.declared, self.kind, self.tensor, self.bounds = name, declared, kind, tensor, bounds

    def type(self):
        text = type_text(self.declared, self.kind)
        if not self.bounds:
            return text
        return "%s, #stablehlo.bounds<%s>>" % (text[:-1], ", ".join("?" if b is None else str(b) for b in self.bounds))


def type_text(declared, kind):
    if kind and kind[0] == "=":  # no tensor
        return kind[1:]
    return "tensor<%s%s>" % ("".join("%sx" % ("?" if d is None else d) for d in declared), kind)


class Program:
    def __init__(self, rng, operations):
        self.rng, self.arguments, self.ops, self.values, self.functions = rng, [], [], [], []
        for _ in range(rng.randint(1, 3)):
            self.argument()
        tries = 0
        while len(self.ops) < operations and tries < 20 * operations:
            tries += 1
            rng.choice(rng.choice(FAMILIES))(self)

    # --- arguments
    def argument(self):
        rng, name = self.rng, "a%d" % len(self.arguments)
        choice = rng.random()
        if choice < 0.2:
            value = Value(name, [], "i32", model.Tensor([], [rng.choice([0, 1, 2, 3, 4])]))
        elif choice < 0.3:
            kind, shape = rng.choice(["i8", "i64", "ui8", "ui32", "i32"]), rng.choice([[], [1], [2], [3]])
            count = shape[0] if shape else 1
            value = Value(name, shape, kind, model.Tensor(shape, [rng.choice([0, 1, 2, 3, 4]) for _ in range(count)]))
        else:
            shape = [rng.choice([0, 1, 1, 2, 2, 3, 4, 6]) for _ in range(rng.randint(1, 3))]
            declared = [None if rng.random() < 0.75 else n for n in shape]
            bounds = None
            if None in declared and rng.random() < 0.15:
                axis = rng.choice([k for k, d in enumerate(declared) if d is None])
                bounds = [shape[k] + rng.randint(0, 2) if k == axis else None for k in range(len(shape))]
            value = Value(name, declared, "f32", model.Tensor(shape), bounds)
        self.arguments.append(value)
        self.values.append(value)

    def other_arguments(self):
        """Arguments of another run, that fit the declared types."""
        out, pool = [], [0, 1, 1, 2, 2, 3, 4, 6]
        for a in self.arguments:
            keep = self.rng.random() < 0.5
            if a.kind[0] == "=":  # of unknown rank
                shape = [self.rng.choice([0, 1, 2, 2, 3]) for _ in range(self.rng.randint(0, 3))]
                out.append(model.Tensor(a.tensor.shape if keep else shape))
            elif a.kind != "f32":
                numbers = [-1, 0, 1, 2, 3, 4][a.kind[0] == "u":]
                out.append(model.Tensor(a.tensor.shape, a.tensor.data if keep else [self.rng.choice(numbers) for _ in a.tensor.data]))
            else:
                most = [MAX_SIZE if b is None else b for b in a.bounds or [None] * len(a.declared)]
                out.append(model.Tensor([n if keep or d is not None else min(b, self.rng.choice(pool))
                                         for n, d, b in zip(a.tensor.shape, a.declared, most)]))
        return out

    # --- choosing
    def pick(self, fits):
        found = [v for v in self.values if fits(v)]
        return self.rng.choice(found) if found else None

    def pick_float(self, low=1, high=MAX_RANK):
        return self.pick(lambda v: v.kind == "f32" and low <= len(v.declared) <= high)

    # --- adding
    def add(self, rule, attrs, operands, kind, declared, text, strict=True, before=()):
        """text: the operation with {types} for its signature and %names for operands; `before`: lines in front of it."""
        tensors = [o.tensor for o in operands]
        try:
            result = model.RULES[rule](attrs, *tensors)
        except (model.ShapeError, model.Assumed, ZeroDivisionError):
            return None
        if any(n > 40 for n in result.shape):
            return None
        if kind == "i32" and not result.fixed and any(abs(x) > 10**6 for x in result.data or ()):
            return None
        name = "v%d%s" % (len(self.ops), PART.get(rule, ("", 1))[0])
        declared = [n if d is not None else None for d, n in zip(declared, result.shape)]
        if not strict and self.rng.random() < 0.05 and None in declared:
            k = declared.index(None)
            declared[k] = result.shape[k]  # a size that only this run has: a requirement
        value = Value(name, declared, kind, result)
        op = Op(name, rule, attrs, [o.name for o in operands], text, kind)
        op.declared, op.before = declared, list(before)
        op.signature = "(%s) -> %s" % (", ".join(o.type() for o in operands), value.type())
        self.ops.append(op)
        self.values.append(value)
        return value

    def effect(self, rule, attrs, operands, text):
        """An operation without a result: nothing refers to it, but a run may end in it."""
        op = Op("v%d" % len(self.ops), rule, attrs, [o.name for o in operands], text, None)
        op.declared, op.signature = [], ""
        self.ops.append(op)

    def constant(self, data, shape, kind="i32"):
        body = str(list(data)) if shape and len(set(data)) > 1 else str(data[0])
        if kind == "f32":
            return self.add("constant", {"shape": shape, "data": None}, [], kind, shape, "constant dense<0.0> : {result}")
        return self.add("constant", {"shape": shape, "data": data}, [], kind, shape, "constant dense<%s> : {result}" % body)

    def vector(self, parts):
        """A tensor<Nxi32> of scalars and numbers."""
        pieces = []
        for p in parts:
            if isinstance(p, int):
                pieces.append(self.constant([p], [1]))
            else:
                pieces.append(self.add("reshape", {"shape": [1]}, [p], "i32", [1], "reshape %%%s : {types}" % p.name))
        names = ", ".join("%" + p.name for p in pieces)
        return self.add("concatenate", {"axis": 0}, pieces, "i32", [len(parts)], "concatenate %s, dim = 0 : {types}" % names)

    def size(self, value, axis):
        return self.add("get_dimension_size", {"axis": axis}, [value], "i32", [],
                        "get_dimension_size %%%s, dim = %d : {types}" % (value.name, axis))

    def scalar(self, wanted):
        """A scalar that is `wanted` in this run: an argument, a computed size, or None for a plain number."""
        found = self.pick(lambda v: v.kind == "i32" and not v.declared and v.tensor.data == [wanted])
        if found and self.rng.random() < 0.8:
            return found
        sized = self.pick(lambda v: wanted in v.tensor.shape and v.kind != "index")
        if sized and self.rng.random() < 0.7:
            return self.size(sized, list(sized.tensor.shape).index(wanted))
        return wanted

    def lines(self):
        for op in self.ops:
            text = op.text.format(types=op.signature, result=type_text(op.declared, op.kind))
            prefix = '"stablehlo.%s"' % op.rule if text.startswith("(") else "stablehlo."
            if op.rule == "call" or text[0] == '"' or "." in text.split(" ")[0].split("(")[0]:
                prefix = ""
            count = PART.get(op.rule, ("", 1))[1]
            name = "" if op.kind is None else "%%%s%s = " % (op.name.split("#")[0], ":%d" % count if count > 1 else "")
            yield from ("    " + line for line in op.before)
            yield "    %s%s%s" % (name, prefix, text)

    def returned(self):
        """The last value, and the last two integer values."""
        numbers = [v for v in self.values[:-1] if v.tensor.data is not None]
        return [self.values[-1]] + numbers[-2:]

    def text(self):
        out = self.returned()
        head = ", ".join("%%%s: %s" % (a.name, a.type()) for a in self.arguments)
        types = ", ".join(v.type() for v in out)
        return "\n".join(["module {", "  func.func @main(%s) -> (%s) {" % (head, types)] + list(self.lines()) +
                         ["    return %s : %s" % (", ".join("%" + v.name for v in out), types), "  }"] + self.functions + ["}", ""])


# --- makers: each adds one operation (and the constants and shapes it needs), or nothing
def make_arithmetic(p):
    a = p.pick(lambda v: v.kind == "i32" and not v.declared)
    b = p.pick(lambda v: v.kind == "i32" and not v.declared)
    name = p.rng.choice(sorted(model.BINARY))
    if a is None:
        return
    if name in ("divide", "remainder") or b is None:
        b = p.constant([p.rng.choice([1, 2, 3, 4, -2])], [])
    p.add(name, {"name": name}, [a, b], "i32", [], "%s %%%s, %%%s : {types}" % (name, a.name, b.name))


def make_select(p):
    a = p.pick(lambda v: v.kind == "i32" and not v.declared)
    b = p.pick(lambda v: v.kind == "i32" and not v.declared)
    if a is None:
        return
    direction = p.rng.choice(sorted(model.COMPARE))
    test = p.add("compare", {"direction": direction}, [a, b], "i1", [],
                 "compare %s, %%%s, %%%s : {types}" % (direction, a.name, b.name))
    p.add("select", {}, [test, a, b], "i32", [], "select %%%s, %%%s, %%%s : {types}" % (test.name, a.name, b.name))


def make_size(p):
    a = p.pick_float()
    if a is not None:
        p.size(a, p.rng.randrange(len(a.declared)))


def make_unary(p):
    a = p.pick_float()
    if a is not None:
        p.add("unary", {}, [a], "f32", a.declared, "%s %%%s : {types}" % (p.rng.choice(["tanh", "negate", "sine"]), a.name), False)


def make_binary(p):
    a = p.pick_float()
    b = a and p.pick(lambda v: v.kind == "f32" and v.tensor.shape == a.tensor.shape)
    if b:
        # StableHLO's verifier wants operand types that agree up to `?`; the result takes what either knows.
        declared = [x if x is not None else y for x, y in zip(a.declared, b.declared)]
        p.add("add", {"name": "add"}, [a, b], "f32", declared, "add %%%s, %%%s : {types}" % (a.name, b.name), False)


def parts_to_join(p, a):
    """An axis, this value and others that differ from it there alone, and the dims that their types know."""
    axis = p.rng.randrange(len(a.declared))
    same = [v for v in p.values if v.kind == "f32" and len(v.declared) == len(a.declared) and all(
        x == y for k, (x, y) in enumerate(zip(v.tensor.shape, a.tensor.shape)) if k != axis)]
    parts = [a] + [p.rng.choice(same) for _ in range(p.rng.randint(1, 2))]
    return axis, parts, [next((v.declared[k] for v in parts if v.declared[k] is not None), None) for k in range(len(a.declared))]


def make_concatenate(p):
    a = p.pick_float()
    if a is None:
        return
    axis, parts, declared = parts_to_join(p, a)
    if any(v.declared[axis] is None for v in parts):
        declared[axis] = None
    p.add("concatenate", {"axis": axis}, parts, "f32", declared,
          "concatenate %s, dim = %d : {types}" % (", ".join("%" + v.name for v in parts), axis), False)


def make_transpose(p):
    a = p.pick_float(2)
    if a is None:
        return
    order = list(range(len(a.declared)))
    p.rng.shuffle(order)
    p.add("transpose", {"order": order}, [a], "f32", [a.declared[k] for k in order],
          "transpose %%%s, dims = %s : {types}" % (a.name, order), False)


def factorings(rng, count, rank):
    """A random shape of `rank` dims with `count` elements."""
    shape = []
    for _ in range(rank - 1):
        dims = [n for n in range(1, MAX_SIZE + 1) if count == 0 or count % n == 0]
        shape.append(rng.choice(dims))
        count = count // shape[-1]
    shape.insert(rng.randrange(len(shape) + 1), count)
    return shape


def make_dynamic_reshape(p):
    a = p.pick_float(1, 3)
    if a is None:
        return
    count = 1
    for n in a.tensor.shape:
        count *= n
    shape = factorings(p.rng, count, p.rng.randint(1, 3))
    parts = [p.scalar(n) for n in shape]
    v = p.vector(parts)
    p.add("dynamic_reshape", {}, [a, v], "f32", [x if isinstance(x, int) else None for x in parts],
          "dynamic_reshape %%%s, %%%s : {types}" % (a.name, v.name), False)


def make_dynamic_broadcast(p):
    a = p.pick_float(1, 2)
    if a is None:
        return
    rank = p.rng.randint(len(a.declared), 3)
    axes = sorted(p.rng.sample(range(rank), len(a.declared)))
    shape = [p.rng.choice([0, 1, 2, 3]) for _ in range(rank)]
    for k, to in enumerate(axes):
        if a.tensor.shape[k] != 1 or p.rng.random() < 0.5:
            shape[to] = a.tensor.shape[k]
    parts = [p.scalar(n) for n in shape]
    v = p.vector(parts)
    p.add("dynamic_broadcast_in_dim", {"axes": axes}, [a, v], "f32", [x if isinstance(x, int) else None for x in parts],
          "dynamic_broadcast_in_dim %%%s, %%%s, dims = %s : {types}" % (a.name, v.name, axes), False)


def make_dynamic_iota(p):
    shape = [p.rng.choice([0, 1, 2, 3, 4]) for _ in range(p.rng.randint(1, 2))]
    parts = [p.scalar(n) for n in shape]
    v, axis = p.vector(parts), p.rng.randrange(len(shape))
    p.add("dynamic_iota", {"axis": axis}, [v], "f32", [x if isinstance(x, int) else None for x in parts],
          "dynamic_iota %%%s, dim = %d : {types}" % (v.name, axis), False)


def make_slice(p):
    a = p.pick_float()
    if a is None:
        return
    starts, limits, steps, declared = [], [], [], []
    for n in a.tensor.shape:
        lo = p.rng.randint(0, n)
        starts.append(lo)
        limits.append(p.rng.randint(lo, n))
        steps.append(p.rng.choice([1, 1, 2, 3]))
    declared = [0] * len(starts)
    text = ", ".join("%d:%d:%d" % x for x in zip(starts, limits, steps))
    p.add("slice", {"starts": starts, "limits": limits, "steps": steps}, [a], "f32", declared,
          "slice %%%s [%s] : {types}" % (a.name, text), False)


def make_real_dynamic_slice(p):
    a = p.pick_float(1, 2)
    if a is None:
        return
    lows = [p.rng.randint(0, n) for n in a.tensor.shape]
    highs = [p.rng.randint(lo, n) for lo, n in zip(lows, a.tensor.shape)]
    vectors = [p.vector([p.scalar(n) for n in row]) for row in (lows, highs)]
    vectors.append(p.constant([p.rng.choice([1, 1, 2]) for _ in lows], [len(lows)]))
    names = ", ".join("%" + v.name for v in [a] + vectors)
    p.add("real_dynamic_slice", {}, [a] + vectors, "f32", [None] * len(lows), "real_dynamic_slice %s : {types}" % names, False)


def make_pad(p):
    a = p.pick_float()
    if a is None:
        return
    low, high = ([p.rng.choice([0, 0, 1, 2, -1]) for _ in a.declared] for _ in range(2))
    interior = [p.rng.choice([0, 0, 0, 1, 2]) for _ in a.declared]
    zero = p.constant([0], [], "f32")
    p.add("pad", {"low": low, "high": high, "interior": interior}, [a, zero], "f32", a.declared,
          "pad %%%s, %%%s, low = %s, high = %s, interior = %s : {types}" % (a.name, zero.name, low, high, interior), False)


def make_dynamic_pad(p):
    a = p.pick_float(1, 2)
    if a is None:
        return
    rows = [[p.rng.choice([0, 1, 2]) for _ in a.declared] for _ in range(3)]
    vectors = [p.vector([p.scalar(n) for n in row]) for row in rows]
    zero = p.constant([0], [], "f32")
    names = ", ".join("%" + v.name for v in [a, zero] + vectors)
    p.add("dynamic_pad", {}, [a, zero] + vectors, "f32", [None] * len(a.declared), "dynamic_pad %s : {types}" % names, False)


def make_reduce(p):
    a = p.pick_float()
    if a is None:
        return
    axes = sorted(p.rng.sample(range(len(a.declared)), p.rng.randint(0, len(a.declared))))
    zero = p.constant([0], [], "f32")
    p.add("reduce", {"axes": axes}, [a, zero], "f32", [d for k, d in enumerate(a.declared) if k not in axes],
          "reduce(%%%s init: %%%s) applies stablehlo.add across dimensions = %s : {types}" % (a.name, zero.name, axes), False)


def make_dot_general(p):
    a = p.pick_float(1, 3)
    b = a and p.pick_float(1, 3)
    if not b:
        return
    pairs = [(x, y) for x in range(len(a.declared)) for y in range(len(b.declared)) if a.tensor.shape[x] == b.tensor.shape[y]]
    p.rng.shuffle(pairs)
    used, chosen = (set(), set()), []
    for x, y in pairs:
        if x not in used[0] and y not in used[1] and len(chosen) < 2:
            chosen.append((x, y))
            used[0].add(x)
            used[1].add(y)
    cut = p.rng.randint(0, len(chosen))
    batch, contract = ([[x for x, _ in part], [y for _, y in part]] for part in (chosen[:cut], chosen[cut:]))
    rest = [v.declared[k] for side, v in enumerate((a, b)) for k in range(len(v.declared)) if k not in batch[side] + contract[side]]
    lead = [x if x is not None else y for x, y in ((a.declared[i], b.declared[j]) for i, j in zip(*batch))]
    text = "".join(", %s = %s x %s" % (name, x, y) for name, (x, y) in
                   (("batching_dims", batch), ("contracting_dims", contract)) if x)
    p.add("dot_general", {"batch": batch, "contract": contract}, [a, b], "f32", lead + rest,
          "dot_general %%%s, %%%s%s : {types}" % (a.name, b.name, text or ", contracting_dims = [] x []"), False)


def make_reduce_window(p):
    a = p.pick_float()
    if a is None:
        return
    rows = [(p.rng.randint(1, 3), p.rng.randint(1, 2), p.rng.randint(0, 2), p.rng.randint(0, 2), p.rng.choice([1, 1, 2]))
            for _ in a.declared]
    zero = p.constant([0], [], "f32")
    attrs = "window_dimensions = array<i64: %s>, window_strides = array<i64: %s>, window_dilations = array<i64: %s>" % tuple(
        ", ".join(str(r[k]) for r in rows) for k in (0, 1, 4))
    padding = "dense<%s> : tensor<%dx2xi64>" % ([[r[2], r[3]] for r in rows], len(rows))
    p.add("reduce_window", {"windows": rows}, [a, zero], "f32", a.declared,
          '(%%%s, %%%s) ({{\n    ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):\n      %%z = stablehlo.add %%x, %%y : tensor<f32>\n'
          '      stablehlo.return %%z : tensor<f32>\n    }}) {{%s, padding = %s}} : {types}' % (a.name, zero.name, attrs, padding), False)


def make_convolution(p):
    a = p.pick_float(3, 4)
    b = a and p.pick(lambda v: v.kind == "f32" and len(v.declared) == len(a.declared) and v.tensor.shape[-2] == a.tensor.shape[-1]
                     and all(n >= 1 for n in v.tensor.shape))
    if not b:
        return
    rows = [(p.rng.randint(1, 2), p.rng.randint(0, 2), p.rng.randint(0, 2), p.rng.choice([1, 1, 2])) for _ in a.declared[2:]]
    space = ", ".join(str(k) for k in range(len(rows)))
    text = "convolution(%%%s, %%%s) dim_numbers = [b, %s, f]x[%s, i, o]->[b, %s, f], window = {{stride = %s, pad = %s, rhs_dilate = %s}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : {types}" % (
        a.name, b.name, space, space, space, [r[0] for r in rows], [[r[1], r[2]] for r in rows], [r[3] for r in rows])
    p.add("convolution", {"windows": rows}, [a, b], "f32", [a.declared[0]] + [None] * len(rows) + [b.declared[-1]], text, False)


def make_gather(p):
    a = p.pick_float(2)
    if a is None or 0 in a.tensor.shape:
        return
    indices = p.constant([0] * 4, p.rng.choice([[4, 1], [2, 2, 1]]))
    dims = [1] + [n if d is not None and p.rng.random() < 0.6 else p.rng.randint(0, n) for n, d in
                   zip(a.tensor.shape[1:], a.declared[1:])]
    lead = len(indices.declared) - 1
    offsets = list(range(lead, lead + len(dims) - 1))
    text = ('(%%%s, %%%s) {{dimension_numbers = #stablehlo.gather<offset_dims = %s, collapsed_slice_dims = [0], start_index_map = [0], '
            'index_vector_dim = %d>, slice_sizes = array<i64: %s>}} : {types}' %
            (a.name, indices.name, offsets, lead, ", ".join(map(str, dims))))
    p.add("gather", {"sizes": dims}, [a, indices], "f32", indices.declared[:-1] + dims[1:], text, False)


def make_dynamic_slice(p):
    a = p.pick_float()
    if a is None:
        return
    zero = p.constant([0], [])
    starts = [zero] * len(a.declared)
    names = ", ".join("%" + v.name for v in [a] + starts)
    dims = [p.rng.randint(0, n) for n in a.tensor.shape]
    p.add("dynamic_slice", {"sizes": dims}, [a] + starts, "f32", dims, "dynamic_slice %s, sizes = %s : {types}" % (names, dims))


def make_dynamic_update_slice(p):
    a = p.pick_float()
    b = a and p.pick(lambda v: v.kind == "f32" and len(v.declared) == len(a.declared) and
                     all(k <= n for k, n in zip(v.tensor.shape, a.tensor.shape)))
    if not b:
        return
    zero = p.constant([0], [])
    starts = [zero] * len(a.declared)
    names = ", ".join("%" + v.name for v in [a, b] + starts)
    p.add("dynamic_update_slice", {}, [a, b] + starts, "f32", a.declared, "dynamic_update_slice %s : {types}" % names, False)


class Body:
    """The text and the steps of a region or function over outer values, ending in a value of all-dynamic type."""

    def __init__(self, rng, prefix, outer):
        self.rng, self.prefix, self.steps, self.lines = rng, prefix, [], []
        self.names = [(v.name, v.type()) for v in outer]
        self.rank = len(outer[0].declared)

    def step(self, rule, attrs, operands, text, kind):
        name = "%s%d" % (self.prefix, len(self.steps))
        types = ", ".join(self.names[k][1] for k in operands)
        names = ", ".join("%" + self.names[k][0] for k in operands)
        self.steps.append((rule, attrs, operands))
        self.lines.append("%%%s = stablehlo.%s" % (name, text % (names, "(%s) -> %s" % (types, kind))))
        self.names.append((name, kind))
        return len(self.names) - 1

    def random(self, first, second):
        """One operation over the values number `first` and `second`; its result is `?` throughout."""
        kind = type_text([None] * self.rank, "f32")
        choice = self.rng.randrange(5)
        axis = self.rng.randrange(self.rank)
        if choice == 3:  # something that an empty operand does not allow
            return self.step("slice", {"starts": [0] * self.rank, "limits": [1] * self.rank, "steps": [1] * self.rank}, [first],
                             "slice %%s [%s] : %%s" % ", ".join(["0:1:1"] * self.rank), kind)
        if choice == 4:
            high = [int(k == axis) for k in range(self.rank)]
            self.lines.append("%%%sz%d = stablehlo.constant dense<0.0> : tensor<f32>" % (self.prefix, len(self.steps)))
            self.steps.append(("constant", {"shape": [], "data": None}, []))
            self.names.append(("%sz%d" % (self.prefix, len(self.steps) - 1), "tensor<f32>"))
            none = [0] * self.rank
            return self.step("pad", {"low": none, "high": high, "interior": none}, [first, len(self.names) - 1],
                             "pad %%s, low = %s, high = %s, interior = %s : %%s" % (none, high, none), kind)
        if choice == 0:
            return self.step("unary", {}, [first], "tanh %s : %s", kind)
        if choice == 1:
            return self.step("concatenate", {"axis": axis}, [first, second], "concatenate %%s, dim = %d : %%s" % axis, kind)
        return self.step("add", {"name": "add"}, [first, second], "add %s : %s", kind)


def pick_pair(p):
    a = p.pick_float(1, 2)
    b = a and p.pick(lambda v: v.kind == "f32" and len(v.declared) == len(a.declared))
    return (a, b) if b else None


def make_if(p):
    pair, test = pick_pair(p), p.pick(lambda v: v.kind == "i32" and not v.declared)
    if not pair or test is None:
        return
    other = p.constant([p.rng.randint(0, 3)], [])
    test = p.add("compare", {"direction": "LT"}, [test, other], "i1", [], "compare LT, %%%s, %%%s : {types}" % (test.name, other.name))
    rank, regions, branches = len(pair[0].declared), [], []
    for k in range(2):
        body = Body(p.rng, "b%d_%d_" % (len(p.ops), k), pair)
        last = body.random(0, 1)
        if p.rng.random() < 0.5:
            last = body.random(last, p.rng.randrange(2))
        kind = type_text([None] * rank, "f32")
        branches.append(body.steps)
        regions.append("{{\n      %s\n      stablehlo.return %%%s : %s\n    }}" % ("\n      ".join(body.lines), body.names[last][0], kind))
    kind = type_text([None] * rank, "f32")
    text = "(%%%s) (%s) : (tensor<i1>) -> %s" % (test.name, ", ".join(regions), kind)
    p.add("if", {"branches": branches}, [test] + list(pair), "f32", [None] * rank, text)


def make_while(p):
    pair, count = pick_pair(p), p.pick(lambda v: v.kind == "i32" and not v.declared and abs(v.tensor.data[0]) <= 4)
    if not pair or count is None:
        return
    rank, tag = len(pair[0].declared), "w%d_" % len(p.ops)
    kind = type_text([None] * rank, "f32")
    start = p.add("unary", {}, [pair[0]], "f32", [None] * rank, "tanh %%%s : (%s) -> %s" % (pair[0].name, pair[0].type(), kind))
    zero, one = p.constant([0], []), p.constant([1], [])
    body = Body(p.rng, tag, [Value(tag + "x", [None] * rank, "f32", None), pair[1]])
    last = body.random(0, 1)
    text = ("while(%%%si = %%%s, %%%sx = %%%s) : tensor<i32>, %s\n    cond {{\n      %%%sc = stablehlo.compare LT, %%%si, %%%s : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            "      stablehlo.return %%%sc : tensor<i1>\n    }} do {{\n      %s\n      %%%sn = stablehlo.add %%%si, %%%s : tensor<i32>\n"
            "      stablehlo.return %%%sn, %%%s : tensor<i32>, %s\n    }}" %
            (tag, zero.name, tag, start.name, kind, tag, tag, count.name, tag, "\n      ".join(body.lines), tag, tag, one.name, tag,
             body.names[last][0], kind))
    p.add("while", {"body": body.steps}, [count, start, pair[1]], "f32", [None] * rank, text)


def make_call(p):
    pair = pick_pair(p)
    if not pair:
        return
    rank, name = len(pair[0].declared), "f%d" % len(p.functions)
    kind = type_text([None] * rank, "f32")
    body = Body(p.rng, "s", [Value("x", [None] * rank, "f32", None), Value("y", [None] * rank, "f32", None)])
    last = body.random(0, 1)
    if p.rng.random() < 0.5:
        last = body.random(last, 1)
    p.functions.append("  func.func private @%s(%%x: %s, %%y: %s) -> %s {\n    %s\n    return %%%s : %s\n  }" % (
        name, kind, kind, kind, "\n    ".join(body.lines), body.names[last][0], kind))
    for pair in [pair] + [q for q in [pick_pair(p)] if q and len(q[0].declared) == rank and p.rng.random() < 0.5]:
        cast = [p.add("unary", {}, [v], "f32", [None] * rank, "tanh %%%s : (%s) -> %s" % (v.name, v.type(), kind)) for v in pair]
        text = p.rng.choice(["call @%s(%%%s, %%%s) : {types}" % (name, cast[0].name, cast[1].name),
                             'stablehlo.composite "test.%s" %%%s, %%%s {{decomposition = @%s}} : {types}' % (name, cast[0].name, cast[1].name, name)])
        p.add("call", {"body": body.steps}, cast, "f32", [None] * rank, text)


def make_reverse(p):
    a = p.pick_float()
    if a is not None:
        p.add("reverse", {}, [a], "f32", a.declared, "reverse %%%s, dims = [0] : {types}" % a.name)


MAKERS = [make_arithmetic, make_arithmetic, make_select, make_size, make_size, make_unary, make_binary, make_binary,
          make_concatenate, make_concatenate, make_transpose, make_dynamic_reshape, make_dynamic_reshape,
          make_dynamic_broadcast, make_dynamic_broadcast, make_dynamic_iota, make_slice, make_real_dynamic_slice,
          make_real_dynamic_slice, make_pad, make_dynamic_pad, make_reduce, make_dot_general, make_dot_general,
          make_reduce_window, make_reverse, make_convolution, make_gather, make_dynamic_slice, make_dynamic_update_slice, make_if,
          make_while, make_call]
FAMILIES = [MAKERS, MAKERS, MAKERS]  # each as likely as the others; further files add theirs
