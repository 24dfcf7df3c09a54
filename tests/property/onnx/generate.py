# SPDX-License-Identifier: Apache-2.0
"""Random ONNX models that run at the dims that they were made with, and other arguments for them."""
import pathlib
import random
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import zoo_models as wire  # noqa: E402
from evaluate import Violation, Tensor, Undecided, ints, run_node, scalar  # noqa: E402

TYPES = {"f": 1, "i": 7, "b": 9}
NAMES = ["N", "M", "K"]


class Node:
    def __init__(self, op, inputs, outputs, attrs):
        self.op, self.inputs, self.outputs, self.attrs = op, inputs, outputs, attrs

    def text(self, indent=""):
        plain = {k: v for k, v in self.attrs.items() if not isinstance(v, Graph)}
        lines = ["%s%s = %s %s %s" % (indent, ", ".join(self.outputs), self.op, ", ".join(self.inputs), plain or "")]
        for name, body in self.attrs.items():
            if isinstance(body, Graph):
                lines += ["%s  %s:" % (indent, name)] + body.lines(indent + "    ")
        return "\n".join(lines)

    def encode(self):
        out = b""
        for name, v in self.attrs.items():
            if isinstance(v, Graph):
                out += wire.sub(5, wire.sub(1, name) + wire.sub(6, v.encode(name)) + wire.num(20, 5))
            elif isinstance(v, list):
                out += wire.ints(name, v)
            else:
                out += wire.integer(name, v)
        return wire.node(self.op, self.inputs, self.outputs, out)


def constant(name, t):
    if t.kind == "f":
        return wire.tensor(name, t.shape, raw=struct.pack("<%df" % len(t.data), *t.data), dtype=TYPES["f"])
    return wire.tensor(name, t.shape, t.data, dtype=TYPES[t.kind])


class Graph:
    """inputs: (name, kind, dims); dims: None, or numbers, names and "" for what is not known."""

    def __init__(self):
        self.inputs, self.nodes, self.outputs, self.constants = [], [], [], {}

    def lines(self, indent=""):
        return (["%sin %s: %s %s" % (indent, *i) for i in self.inputs] +
                ["%s%s = constant %s %s" % (indent, n, t.shape, t.data) for n, t in self.constants.items()] +
                [n.text(indent) for n in self.nodes] + ["%sout %s" % (indent, ", ".join(self.outputs))])

    def encode(self, name="g"):
        extra = b"".join(wire.sub(5, constant(n, t)) for n, t in self.constants.items())
        for n, kind, dims in self.inputs:  # a sequence takes its type from what it is given
            extra += wire.sub(11, wire.sub(1, n) if kind == "s" else wire.value(n, dims, TYPES[kind]))
        return wire.graph([n.encode() for n in self.nodes], [], self.outputs, extra, name)


class Maker:
    """One graph under construction, beside the values that it has at the dims that it is made with."""

    def __init__(self, rng, names, outer=None):
        self.rng, self.names, self.graph = rng, names, Graph()
        self.env = dict(outer or {})

    def name(self):
        self.names[0] += 1
        return "v%d" % self.names[0]

    def constant(self, tensor):
        name = self.name()
        self.graph.constants[name] = self.env[name] = tensor
        return name

    def vector(self, *values):
        return self.constant(ints(*values))

    def some(self, test):
        found = [n for n, t in self.env.items() if isinstance(t, Tensor) and test(t)]
        return self.rng.choice(found) if found else None

    def floats(self, least=0):
        return self.some(lambda t: t.kind == "f" and t.rank >= least)

    def integers(self, values, otherwise=0.5):
        """A vector of integers: one of the graph, or a constant."""
        found = self.some(lambda t: t.kind == "i" and t.rank == 1 and len(t.data) <= 4)
        return self.vector(*values) if not found or self.rng.random() < otherwise else found

    def number(self, value):
        found = self.some(lambda t: t.kind == "i" and t.rank == 0)
        return self.constant(scalar(value)) if not found or self.rng.random() < 0.4 else found

    def sequence(self):
        found = [n for n, t in self.env.items() if isinstance(t, list)]
        return self.rng.choice(found) if found else None

    def add(self, op, inputs, attrs=None, outputs=1, keep=0.0):
        """The names of the results, or None where the node does not run here (with `keep` it may stay so)."""
        if any(n is None for n in inputs):
            return None
        node = Node(op, list(inputs), [self.name() for _ in range(outputs)], attrs or {})
        self.violating = node
        out = run_node(node, self.env)
        self.graph.nodes.append(node)
        self.env.update(zip(node.outputs, out))
        return node.outputs

    # --- one operation

    def simple(self):
        r = self.rng
        x = self.floats()
        t = self.env.get(x)
        rank = t.rank if t else 0
        axis = r.randrange(-rank, rank) if rank else 0
        pick = r.choice(["shape", "shape", "gather", "reshape", "reshape", "slice", "expand", "tile", "squeeze", "unsqueeze", "add",
                         "add", "concat", "matmul", "gemm", "fill", "range", "reduce", "cumsum", "pad", "split", "topk", "elements",
                         "nd", "scatter", "compress", "onehot", "nonzero", "flatten", "ints", "ints", "size", "cast", "transpose",
                         "where", "relu", "join", "sequence", "sequence", "at", "at", "parts", "stack", "index", "index"])
        small = lambda: r.choice([-2, -1, 0, 0, 1, 1, 2, 3])  # noqa: E731
        if pick == "shape":
            return self.add("Shape", [x], {} if r.random() < 0.6 else {"start": small()})
        if pick == "gather":
            return self.add("Gather", [x, self.integers([small()]) if r.random() < 0.6 else self.number(small())], {"axis": axis})
        if pick == "index":
            return self.add("Gather", [self.some(lambda t: t.kind == "i" and t.rank == 1), self.number(small())])
        if pick == "reshape":
            return self.add("Reshape", [x, self.integers([r.choice([-1, 0, 1, 2, 3]) for _ in range(r.randint(1, 3))], 0.4)])
        if pick == "slice":
            n = r.randint(1, 2)
            more = [self.integers([r.randrange(-2, 2) for _ in range(n)])] if r.random() < 0.6 else []
            more += [self.integers([r.choice([1, 1, 2, -1]) for _ in range(n)])] if more and r.random() < 0.5 else []
            y = x if r.random() < 0.6 else self.some(lambda t: t.kind == "i" and t.rank == 1)
            return self.add("Slice", [y, self.integers([small() for _ in range(n)]), self.integers([small() for _ in range(n)])] + more)
        if pick == "expand":
            return self.add("Expand", [x, self.integers([r.choice([1, 2, 3]) for _ in range(r.randint(1, 3))])])
        if pick == "tile":
            return self.add("Tile", [x, self.integers([r.choice([0, 1, 2]) for _ in range(rank)])])
        if pick == "squeeze":
            return self.add("Squeeze", [x] + ([self.integers([axis])] if r.random() < 0.7 else []))
        if pick == "unsqueeze":
            return self.add("Unsqueeze", [x, self.integers([small()])])
        if pick == "add":
            return self.add(r.choice(["Add", "Mul", "Max"]), [x, self.floats()])
        if pick == "where":
            return self.add("Where", [self.some(lambda t: t.kind == "b"), x, self.floats()])
        if pick == "concat":
            return self.add("Concat", [x, self.floats()], {"axis": axis})
        if pick == "matmul":
            return self.add("MatMul", [x, self.floats()])
        if pick == "gemm":
            return self.add("Gemm", [x, self.floats()], {"transA": r.randint(0, 1), "transB": r.randint(0, 1)})
        if pick == "fill":
            return self.add("ConstantOfShape", [self.integers([1, 2], 0.1)])
        if pick == "range":
            return self.add("Range", [self.number(0), self.number(3), self.number(1)])
        if pick == "reduce":
            y = x if r.random() < 0.7 else self.some(lambda t: t.kind == "i")
            return self.add("ReduceSum", [y] + ([self.integers([axis])] if r.random() < 0.8 else []), {"keepdims": r.randint(0, 1)})
        if pick == "cumsum":
            return self.add("CumSum", [x, self.number(axis)])
        if pick == "pad":
            return self.add("Pad", [x, self.integers([r.choice([-1, 0, 1]) for _ in range(2 * rank)])])
        if pick == "split":
            parts = r.randint(1, 3)
            return self.add("Split", [x] + ([self.integers([1] * parts)] if r.random() < 0.7 else []), {"axis": axis}, parts)
        if pick == "topk":
            return self.add("TopK", [x, self.integers([1])], {"axis": axis}, 2)
        if pick == "elements":
            return self.add("GatherElements", [x, self.some(lambda t: t.kind == "i")], {"axis": axis})
        if pick == "nd":
            return self.add("GatherND", [x, self.some(lambda t: t.kind == "i" and t.rank)])
        if pick == "scatter":
            return self.add("ScatterND", [x, self.some(lambda t: t.kind == "i" and t.rank), self.floats()])
        if pick == "compress":
            return self.add("Compress", [x, self.some(lambda t: t.kind == "b" and t.rank == 1)], {} if r.random() < 0.4 else {"axis": axis})
        if pick == "onehot":
            return self.add("OneHot", [self.some(lambda t: t.kind == "i"), self.integers([2]), self.constant(Tensor("f", (2,), [0, 1]))],
                            {"axis": r.choice([-1, 0])})
        if pick == "nonzero":
            return self.add("NonZero", [x])
        if pick == "flatten":
            return self.add("Flatten", [x], {"axis": axis})
        if pick == "ints":
            both = [self.some(lambda t: t.kind == "i" and t.rank <= 1), self.some(lambda t: t.kind == "i" and t.rank <= 1)]
            return self.add(r.choice(["Add", "Sub", "Mul", "Max", "Min", "Equal", "Less"]), both)
        if pick == "join":
            both = [self.some(lambda t: t.kind == "i" and t.rank == 1), self.integers([small()])]
            return self.add("Concat", both, {"axis": 0})
        if pick == "size":
            return self.add("Size", [x])
        if pick == "cast":
            return self.add("Cast", [x], {"to": r.choice([7, 7, 9])})
        if pick == "transpose":
            return self.add("Transpose", [x], {} if r.random() < 0.5 else {"perm": r.sample(range(rank), rank)})
        if pick == "relu":
            return self.add("Relu", [x])
        return self.sequences(pick, x, axis, small)

    def sequences(self, pick, x, axis, small):
        r, s = self.rng, self.sequence()
        if pick == "sequence":
            kind = r.randrange(5)
            if kind == 0 or s is None:
                return self.add("SequenceConstruct", [x] + ([self.floats()] if r.random() < 0.6 else []))
            if kind == 1:
                return self.add("SequenceInsert", [s, x] + ([self.number(small())] if r.random() < 0.7 else []))
            if kind == 2:
                return self.add("SequenceErase", [s] + ([self.number(small())] if r.random() < 0.7 else []))
            return self.add("SequenceLength", [s]) if kind == 3 else self.add("SequenceEmpty", [])
        if pick == "at":
            return self.add("SequenceAt", [s, self.number(small())])
        if pick == "parts":
            split = [[], [self.integers([1, 1])], [self.number(1)]][r.randrange(3)]
            return self.add("SplitToSequence", [x] + split, {"axis": axis})
        return self.add("ConcatFromSequence", [s], {"axis": r.choice([0, 0, -1]), "new_axis": r.randint(0, 1)})

    # --- operations with bodies

    def body(self, inputs, values, states, steps, extra=0):
        """A graph with these inputs, which has these values; it returns what a state becomes, and `extra` more."""
        inner = Maker(self.rng, self.names, self.env)
        for (name, kind), value in zip(inputs, values):
            inner.graph.inputs.append((name, kind, None))
            inner.env[name] = value
        inner.some_steps(steps)
        mine = [n for node in inner.graph.nodes for n in node.outputs]
        results = []
        for name, like in states:
            fits = [n for n in mine + [name] if n and same_kind(inner.env[n], like)]
            results.append(self.rng.choice(fits) if fits else name)
        tensors = [n for n in mine if isinstance(inner.env[n], Tensor)]
        more = [self.rng.choice(tensors) for _ in range(extra if tensors else 0)]
        # A result is the result of a node of the body, and each has its own name.
        for name in results + more:
            inner.graph.outputs.append(inner.add("Identity", [name])[0])
        return inner.graph, len(more)

    def loop(self):
        r = self.rng
        pool = [n for n, t in self.env.items()]
        states = [r.choice(pool) for _ in range(r.randint(1, 2))]
        trips = self.number(r.choice([0, 1, 2, 3]))
        inputs = [(self.name(), "i"), (self.name(), "b")] + [(self.name(), kind_of(self.env[s])) for s in states]
        values = [scalar(0), scalar(1, "b")] + [self.env[s] for s in states]
        body, extra = self.body(inputs, values, [(n, v) for (n, _), v in zip(inputs[2:], values[2:])], r.randint(1, 3),
                                r.randint(0, 1))
        inside = Maker(r, self.names)
        inside.graph = body
        if r.random() < 0.6:
            go = "go%d" % self.names[0]
            body.nodes.append(Node("Identity", [inputs[1][0]], [go], {}))
        else:
            limit, go = self.name(), self.name()
            body.constants[limit] = scalar(r.randint(0, 2))
            body.nodes.append(Node("Less", [inputs[0][0], limit], [go], {}))
        body.outputs.insert(0, go)
        if any(v is list for v in map(type, values)):
            body.inputs = [(n, k, None) for (n, k), v in zip(inputs, values)]
        return self.add("Loop", [trips, ""] + states, {"body": body}, len(states) + extra)

    def branches(self):
        r = self.rng
        test = self.some(lambda t: t.kind == "b" and len(t.data) == 1)
        if test is None:
            return None
        out = [n for n in self.env if r.random() < 0.5][:2] or [self.floats()]
        if out[0] is None:
            return None
        states = [(n, self.env[n]) for n in out]
        then, _ = self.body([], [], states, r.randint(1, 2))
        other, _ = self.body([], [], states, r.randint(1, 2))
        return self.add("If", [test], {"then_branch": then, "else_branch": other}, len(states))

    def scan(self):
        r = self.rng
        given = self.some(lambda t: t.rank and t.shape[0])
        state = self.floats()
        if given is None or state is None:
            return None
        t = self.env[given]
        inputs = [(self.name(), "f"), (self.name(), t.kind)]
        row = Tensor(t.kind, t.shape[1:], t.data[:len(t.data) // t.shape[0]])
        body, extra = self.body(inputs, [self.env[state], row], [(inputs[0][0], self.env[state])], r.randint(1, 2), 1)
        return self.add("Scan", [state, given], {"body": body, "num_scan_inputs": 1}, 1 + extra)

    def some_steps(self, count, depth=1):
        for _ in range(count):
            for _ in range(6):
                before = len(self.graph.nodes), dict(self.env), dict(self.graph.constants)
                try:
                    pick = self.rng.random()
                    made = (self.loop() if pick < 0.10 else self.branches() if pick < 0.17 else self.scan() if pick < 0.22
                            else self.simple()) if depth == 0 else self.simple()
                except (Violation, Undecided):
                    made = None
                if made:
                    break
                del self.graph.nodes[before[0]:]
                self.env, self.graph.constants = before[1], before[2]


def kind_of(value):
    return value.kind if isinstance(value, Tensor) else "s"


def same_kind(a, b):
    return kind_of(a) == kind_of(b)


class Model:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.sizes = {n: rng.choice([1, 2, 2, 3, 4]) for n in NAMES}
        maker = Maker(rng, [0])
        self.base = []
        for k in range(rng.randint(2, 4)):
            self.declare(maker, "x%d" % k, rng.choice("ffii"))
        self.declare(maker, "b", "b")
        maker.some_steps(rng.randint(2, 7), 0)
        self.graph = maker.graph
        self.graph.outputs = [n for node in self.graph.nodes for n in node.outputs]
        if rng.random() < 0.15:
            self.break_it(maker)

    @staticmethod
    def break_it(maker):
        """Adds an operation that does not run with the arguments that the model was made with."""
        for _ in range(20):
            try:
                maker.simple()
            except Undecided:
                continue
            except Violation:
                return maker.graph.nodes.append(maker.violating)

    def declare(self, maker, name, kind):
        r = self.rng
        if kind == "f":
            dims = None if r.random() < 0.15 else [r.choice(NAMES + ["", 1, 2, 3]) for _ in range(r.randint(0, 3))]
        else:
            dims = [] if r.random() < 0.4 else [r.choice(["", 1, 2, 2, 3])]
        maker.graph.inputs.append((name, kind, dims))
        value = self.argument(r, kind, dims, self.sizes, None)
        self.base.append(value)
        maker.env[name] = value

    @staticmethod
    def argument(r, kind, dims, extents, base):
        """A value of the declared type; near the one that the model was made with."""
        keep = base is not None and r.random() < 0.6
        if dims is None:
            shape = base.shape if keep else tuple(r.choice([0, 1, 2, 3]) for _ in range(r.randint(0, 3)))
        else:
            shape = tuple(d if isinstance(d, int) else extents[d] if d else base.shape[k] if keep else r.choice([0, 1, 2, 3, 4])
                          for k, d in enumerate(dims))
        count = 1
        for n in shape:
            count *= n
        if base is not None and shape == base.shape and r.random() < 0.5:
            return base
        low, high = (0, 1) if kind == "b" else (0, 3) if kind == "f" else (-2, 4)
        return Tensor(kind, shape, [r.randint(low, high) for _ in range(count)])

    def arguments(self, k):
        if k == 0:
            return self.base
        r = random.Random("%s %d" % (self.sizes, k))
        extents = {n: v if r.random() < 0.5 else r.choice([0, 1, 1, 2, 3, 4, 5]) for n, v in self.sizes.items()}
        return [self.argument(r, kind, dims, extents, base) for (_, kind, dims), base in zip(self.graph.inputs, self.base)]

    def encode(self):
        return wire.num(1, 8) + wire.sub(8, wire.num(2, 17)) + wire.sub(7, self.graph.encode("main"))

    def text(self):
        return "\n".join(self.graph.lines())
