# SPDX-License-Identifier: Apache-2.0
"""Models with the scaffolding that exporters leave, cleaned, decoded and run again."""
import os
import pathlib
import random
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402
from evaluate import Tensor, Undecided, Violation, run_graph, scalar  # noqa: E402

RUNS = 8
KINDS = {1: "f", 7: "i", 9: "b"}
COPIES_NO_DIM = b"a computed 0 in the shape of a Reshape does not copy a dim"  # an assumption that answers list


# --- a graph out of bytes

def fields(data):
    """(number, value) of each field; integers are signed, as in all fields that are read here."""
    for number, _, value in generate.wire.fields(data):
        yield number, value - (1 << 64) if isinstance(value, int) and value >> 63 else value


def varints(data):
    return [v for _, v in fields(b"".join(b"\x08" + part for part in split_varints(data)))]


def split_varints(data):
    start = 0
    for k, byte in enumerate(data):
        if byte < 128:
            yield data[start:k + 1]
            start = k + 1


def tensor_of(data):
    dims, kind, items, raw, name = [], 1, None, None, ""
    for number, value in fields(data):
        if number == 1:
            dims += [value] if isinstance(value, int) else varints(value)
        elif number == 2:
            kind = value
        elif number == 7:
            items = (items or []) + ([value] if isinstance(value, int) else varints(value))
        elif number == 8:
            name = value.decode()
        elif number == 9:
            raw = value
    if raw is not None:
        items = list(struct.unpack("<%d%s" % (len(raw) // (8 if kind == 7 else 4), "q" if kind == 7 else "f"), raw))
    return name, Tensor(KINDS[kind], tuple(dims), items or [])


def node_of(data, graph):
    inputs, outputs, attrs, op = [], [], {}, ""
    for number, value in fields(data):
        if number == 1:
            inputs.append(value.decode())
        elif number == 2:
            outputs.append(value.decode())
        elif number == 4:
            op = value.decode()
        elif number == 5:
            name, what = None, None
            for field, part in fields(value):
                if field == 1:
                    name = part.decode()
                elif field == 3:
                    what = part
                elif field == 5:
                    what = tensor_of(part)[1]
                elif field == 6:
                    what = graph_of(part)
                elif field == 8:
                    what = (what or []) + ([part] if isinstance(part, int) else varints(part))
            attrs[name] = [] if what is None else what
    if op == "Constant":
        graph.constants[outputs[0]] = attrs["value"]
    else:
        graph.nodes.append(generate.Node(op, inputs, outputs, attrs))


def declared(data):
    """(name, dims) of an input; a dim that is no number is None, and all of them are where there is no shape."""
    value = dict(fields(data))
    tensor = dict(fields(dict(fields(value.get(2, b""))).get(1, b"")))
    dims = [dict(fields(part)).get(1) for number, part in fields(tensor[2]) if number == 1] if 2 in tensor else None
    return value[1].decode(), dims


def graph_of(data):
    graph = generate.Graph()
    for number, value in fields(data):
        if number == 1:
            node_of(value, graph)
        elif number == 5:
            name, tensor = tensor_of(value)
            graph.constants[name] = tensor
        elif number == 11:
            name, dims = declared(value)
            graph.inputs.append((name, None, dims))
        elif number == 12:
            graph.outputs.append(dict(fields(value))[1].decode())
    return graph


def decode(data):
    return graph_of(dict(fields(data))[7])


# --- models

class Scaffolded(generate.Model):
    """Dims go through Shape, Gather, Unsqueeze and Concat before they are the target of a Reshape or an Expand."""

    def __init__(self, seed):
        rng = self.rng = random.Random("scaffold %d" % seed)
        self.sizes = {n: rng.choice([1, 2, 2, 3, 4]) for n in generate.NAMES}
        maker = generate.Maker(rng, [0])
        self.base = []
        for k in range(rng.randint(1, 3)):
            self.declare(maker, "x%d" % k, "f")
        if rng.random() < 0.3:
            self.declare(maker, "n", "i")
        for _ in range(rng.randint(1, 4)):
            try:
                if rng.random() < 0.8:
                    self.scaffold(maker)
                else:
                    maker.simple()
            except (Violation, Undecided):
                pass
        if rng.random() < 0.3:
            maker.some_steps(1, 0)
        self.graph = maker.graph
        made = [n for node in self.graph.nodes for n in node.outputs if isinstance(maker.env[n], Tensor)]
        self.graph.outputs = made[-1:] + [n for n in made[:-1] if rng.random() < 0.1]

    @staticmethod
    def dim(maker, name, axis):
        """One dim of a value as a vector, in one of the ways that exporters have."""
        r = maker.rng
        shape = maker.add("Shape", [name])[0]
        if r.random() < 0.3:
            return maker.add("Slice", [shape, maker.vector(axis), maker.vector(axis + 1)])[0]
        if r.random() < 0.3:
            shape = maker.add("Cast", [shape], {"to": 7})[0]
        if r.random() < 0.3:
            return maker.add("Gather", [shape, maker.vector(axis)], {"axis": 0})[0]
        one = maker.add("Gather", [shape, maker.constant(scalar(axis))], {"axis": 0})[0]
        return maker.add("Unsqueeze", [one, maker.vector(0)])[0]

    def scaffold(self, maker):
        r = maker.rng
        x = maker.floats(1)
        if x is None:
            return
        t = maker.env[x]
        if r.random() < 0.2:
            x = maker.add("Identity", [x])[0]
        parts, left = [], list(range(t.rank))
        pick = r.random()
        if pick < 0.3:  # back to its own dims, or another value's
            other = x if r.random() < 0.6 else maker.floats(1)
            parts = [self.dim(maker, other, k) for k in range(maker.env[other].rank)]
        elif pick < 0.6:  # the first dims, and the others as one
            keep = r.randint(0, t.rank - 1)
            parts = [self.dim(maker, x, k) for k in left[:keep]]
            last = [self.dim(maker, x, k) for k in left[keep:]]
            while len(last) > 1:
                last[:2] = maker.add("Mul", last[:2])
            parts += last if r.random() < 0.6 else [maker.vector(-1)]
        else:
            parts = [self.dim(maker, x, k) if r.random() < 0.6 else maker.vector(t.shape[k]) for k in left]
            parts.insert(r.randint(0, t.rank), maker.vector(1))
            if r.random() < 0.3:
                parts[r.randrange(len(parts))] = maker.vector(-1)
        target = maker.add("Concat", parts, {"axis": 0})[0] if len(parts) != 1 or r.random() < 0.5 else parts[0]
        if r.random() < 0.4:  # -1 becomes 1 or the like
            same = maker.add("Equal", [target, maker.vector(-1)])[0]
            ones = maker.add("Cast", maker.add("ConstantOfShape", [maker.add("Shape", [target])[0]]), {"to": 7})[0]
            other = maker.add("Add", [ones, maker.vector(r.choice([1, 1, -1]))])[0]
            target = maker.add("Where", [same, other, target])[0]
        op = "Reshape" if r.random() < 0.7 else "Expand"
        maker.add(op, [x, target])


# --- what is wrong

def fits(dims, t):
    return dims is None or len(dims) == t.rank and all(d == n or not isinstance(d, int) for d, n in zip(dims, t.shape))


def outcome(graph, arguments):
    """Results, or why there are none. Dims that a requirement settles are those of the input that is written."""
    for (name, _, dims), t in zip(graph.inputs, arguments):
        if not fits(dims, t):
            return "%s has the dims %s" % (name, t.shape)
    try:
        return run_graph(graph, arguments)
    except Violation as error:
        return str(error)


def agree(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) == isinstance(b, str)
    return all(x.shape == y.shape and x.data == y.data if isinstance(x, Tensor) else True for x, y in zip(a, b))


def clean(tool, path):
    done = subprocess.run([tool, "refine", "--cleanup", "-o", path + ".cleaned", path], capture_output=True, timeout=60)
    return done.returncode


def cleaned_wrong(tool, model, path):
    """(nodes before, after, what is wrong) of a model cleaned for any dims."""
    pathlib.Path(path).write_bytes(model.encode())
    status = clean(tool, path)
    if status not in (0, 1):
        return 0, 0, ["crash: refine --cleanup ends with status %d" % status]
    if status:
        return 0, 0, []
    graph = decode(pathlib.Path(path + ".cleaned").read_bytes())
    nodes = len(model.graph.nodes), len(graph.nodes)
    if subprocess.run([tool, "check", path + ".cleaned"], capture_output=True, timeout=60).returncode:
        return *nodes, ["invalid: the cleaned model has errors"]
    said = subprocess.run([tool, "check", path], capture_output=True, timeout=60).stdout
    assumed = "another number of elements" if COPIES_NO_DIM in said else None
    for k in range(RUNS):
        arguments = model.arguments(k)
        try:
            before = outcome(model.graph, arguments)
            after = outcome(graph, arguments)
        except Undecided:
            continue
        except KeyError as error:
            return *nodes, ["invalid: %s is used and not defined" % error]
        if assumed and before == assumed:
            continue
        if not agree(before, after):
            at = [(t.shape, t.data) if t.kind != "f" else t.shape for t in arguments]
            return *nodes, ["cleaned: %s, before it was %s, at %s" % (
                *(x if isinstance(x, str) else [t.shape for t in x if isinstance(t, Tensor)] for x in (after, before)), at)]
    os.rename(path + ".cleaned", path + ".again")
    if clean(tool, path + ".again") or len(decode(pathlib.Path(path + ".again.cleaned").read_bytes()).nodes) > nodes[1]:
        return *nodes, ["unstable: cleaned once more it is larger, or refused"]
    return *nodes, []
