# SPDX-License-Identifier: Apache-2.0
"""Random programs of PyTorch with the dims of one run in them, as a trace writes them: as FX text and as torch-mlir text.

`run` executes FX text with tensors that are their shapes alone, as PyTorch decides them; it knows the operators that
`make` uses, and raises ValueError where PyTorch would refuse.
"""
import math


class Tensor:
    def __init__(self, shape):
        self.shape = tuple(shape)
        if any(n < 0 for n in self.shape):
            raise ValueError("a negative dim in %s" % (self.shape,))

    def size(self, axis):
        return self.shape[axis]

    def __add__(self, other):
        rank = max(len(self.shape), len(other.shape))
        a, b = ((1,) * (rank - len(t.shape)) + t.shape for t in (self, other))
        if any(m != n and 1 not in (m, n) for m, n in zip(a, b)):
            raise ValueError("%s + %s" % (self.shape, other.shape))
        return Tensor([n if m == 1 else m for m, n in zip(a, b)])

    def view(self, *entries):
        entries = list(entries[0] if entries and isinstance(entries[0], (list, tuple)) else entries)
        if -1 in entries:
            rest = math.prod(n for n in entries if n != -1)
            if entries.count(-1) > 1 or rest <= 0 or math.prod(self.shape) % rest:
                raise ValueError("%s as %s" % (self.shape, entries))
            entries[entries.index(-1)] = math.prod(self.shape) // rest
        if math.prod(entries) != math.prod(self.shape):
            raise ValueError("%s as %s" % (self.shape, entries))
        return Tensor(entries)

    reshape = view

    def expand(self, *entries):
        entries = list(entries[0] if entries and isinstance(entries[0], (list, tuple)) else entries)
        own = (None,) * (len(entries) - len(self.shape)) + self.shape
        for i, (n, m) in enumerate(zip(entries, own)):
            entries[i] = m if n == -1 else n
            if m is not None and m not in (1, entries[i]):
                raise ValueError("%s expanded to %s" % (self.shape, entries))
        return Tensor(entries)

    def permute(self, *axes):
        return Tensor([self.shape[i] for i in axes])

    def repeat(self, *entries):
        entries = list(entries[0] if entries and isinstance(entries[0], (list, tuple)) else entries)
        return Tensor([n * m for n, m in zip(self.shape, entries, strict=True)])

    def new_zeros(self, entries):
        return Tensor(entries)

    def mean(self, axis):
        return Tensor([n for i, n in enumerate(self.shape) if i != axis])


def cat(tensors, axis):
    shapes = [list(t.shape) for t in tensors]
    total = sum(s[axis] for s in shapes)
    for s in shapes:
        s[axis] = total
    if any(s != shapes[0] for s in shapes):
        raise ValueError("cat of %s" % (shapes,))
    return Tensor(shapes[0])


def matmul(a, b):
    if a.shape[-1] != b.shape[-2] or a.shape[:-2] != b.shape[:-2]:
        raise ValueError("%s x %s" % (a.shape, b.shape))
    return Tensor(a.shape[:-1] + b.shape[-1:])


class torch:  # what the text of a class and its calls name
    Tensor = Tensor
    cat, matmul = staticmethod(cat), staticmethod(matmul)
    zeros = ones = staticmethod(Tensor)

    class nn:
        Module = object


def run(text, shapes):
    """The shapes of the results of the forward of an FX graph."""
    names = {"torch": torch}
    exec(text, names)  # pylint: disable=exec-used
    results = names["GraphModule"]().forward(*(Tensor(s) for s in shapes))
    return [list(t.shape) for t in results]


class Program:
    """Statements in both forms; `shapes` of the values by name."""

    def __init__(self, rng):
        self.rng = rng
        self.shapes, self.python, self.mlir, self.numbers = {}, [], [], set()
        self.arguments = []
        self.lists = {}  # by entries: name of a list in torch-mlir

    def type(self, name):
        return "!torch.vtensor<[%s],f32>" % ",".join(str(n) for n in self.shapes[name])

    def ints(self, entries):
        """Constants, and a list of them, in torch-mlir; the name of the list, at times of one that others take too."""
        for n in entries:
            self.number(n)
        if tuple(entries) in self.lists and self.rng.random() < 0.5:
            return self.lists[tuple(entries)]
        name = "%%l%d" % len(self.mlir)
        self.mlir.append("%s = torch.prim.ListConstruct %s : (%s) -> !torch.list<int>" % (
            name, ", ".join("%%int%s" % str(n).replace("-", "m") for n in entries), ", ".join(["!torch.int"] * len(entries))))
        self.lists[tuple(entries)] = name
        return name

    def number(self, n):
        self.numbers.add(n)
        return "%%int%s" % str(n).replace("-", "m")

    def add(self, shape, python, op, operands, types):
        name = "v%d" % len(self.python)
        self.shapes[name] = list(shape)
        self.python.append("%s = %s" % (name, python))
        self.mlir.append("%%%s = torch.%s %s : %s -> %s" % (name, op, ", ".join(operands), ", ".join(types), self.type(name)))
        return name

    def sized(self, x, shape, method, op, entries=None):
        entries = list(shape if entries is None else entries)
        words = str(entries) if self.rng.random() < 0.5 else ", ".join(map(str, entries))
        extra, extra_type = [], []
        if op == "aten.expand":
            self.mlir.append("%%f%d = torch.constant.bool false" % len(self.python))
            extra, extra_type = ["%%f%d" % len(self.python)], ["!torch.bool"]
        listed = self.ints(entries)
        return self.add(shape, "%s.%s(%s)" % (x, method, words), op, ["%" + x, listed] + extra,
                        [self.type(x), "!torch.list<int>"] + extra_type)

    def text(self, results):
        lines = ["class GraphModule(torch.nn.Module):",
                 "    def forward(self, %s):" % ", ".join('%s: "f32[%s]"' % (a, ", ".join(map(str, self.shapes[a])))
                                                          for a in self.arguments)]
        lines += ["        " + s for s in self.python]
        return "\n".join(lines + ["        return (%s,)" % ", ".join(results)]) + "\n"

    def mlir_text(self, results):
        types = ", ".join(self.type(r) for r in results)
        lines = ["func.func @main(%s) -> %s {" % (", ".join("%%%s: %s" % (a, self.type(a)) for a in self.arguments),
                                                  types if len(results) == 1 else "(%s)" % types)]
        lines += ["  %s = torch.constant.int %d" % ("%int" + str(n).replace("-", "m"), n) for n in sorted(self.numbers)]
        lines += ["  " + s for s in self.mlir]
        return "\n".join(lines + ["  return %s : %s" % (", ".join("%" + r for r in results), types), "}"]) + "\n"


def groups(rng, shape):
    """Another shape with as many elements: neighbours joined, or a dim taken apart."""
    shape = list(shape)
    if len(shape) > 1 and rng.random() < 0.5:
        i = rng.randrange(len(shape) - 1)
        return shape[:i] + [shape[i] * shape[i + 1]] + shape[i + 2:]
    i = rng.randrange(len(shape))
    divisors = [d for d in range(2, shape[i]) if shape[i] % d == 0]
    if not divisors:
        return [math.prod(shape)]
    d = rng.choice(divisors)
    return shape[:i] + [d, shape[i] // d] + shape[i + 1:]


def step(p, names):
    rng, x = p.rng, p.rng.choice(names[-3:])
    shape = p.shapes[x]
    kind = rng.choice(["view", "view", "view", "hole", "expand", "add", "zeros", "cat", "permute", "mean", "matmul",
                       "repeat", "repeat"])
    if kind == "view":
        return p.sized(x, groups(rng, shape), rng.choice(["view", "reshape"]), "aten.view")
    if kind == "hole":
        to = groups(rng, shape)
        entries = list(to)
        entries[rng.randrange(len(to))] = -1
        return p.sized(x, to, "view", "aten.view", entries)
    if kind == "expand":
        to = [rng.choice([1, 3])] + shape
        return p.sized(x, to, "expand", "aten.expand", [n if rng.random() < 0.8 or not i else -1 for i, n in enumerate(to)])
    if kind == "repeat":
        counts = rng.choice([e for e in p.lists if min(e) > 0] or [[2] * len(shape)])  # what others take as dims
        x = rng.choice([n for n in names if len(p.shapes[n]) == len(counts)] or [x])
        counts = list(counts) if len(p.shapes[x]) == len(counts) else [2] * len(shape)
        return p.sized(x, [n * m for n, m in zip(p.shapes[x], counts)], "repeat", "aten.repeat", counts)
    if kind == "zeros":
        made = p.add(shape, "torch.zeros(%s)" % shape, "aten.zeros", [p.ints(shape)] + ["%none"] * 4,
                     ["!torch.list<int>"] + ["!torch.none"] * 4)
        return add(p, x, made)
    if kind == "add":
        return add(p, x, rng.choice([n for n in names if p.shapes[n] == shape]))
    if kind == "cat":
        axis = rng.randrange(len(shape))
        to = list(shape)
        to[axis] *= 2
        p.mlir.append("%%c%d = torch.prim.ListConstruct %%%s, %%%s : (%s, %s) -> !torch.list<vtensor>"
                      % (len(p.python), x, x, p.type(x), p.type(x)))
        return p.add(to, "torch.cat([%s, %s], %d)" % (x, x, axis), "aten.cat", ["%%c%d" % len(p.python), p.number(axis)],
                     ["!torch.list<vtensor>", "!torch.int"])
    if kind == "matmul" and len(shape) >= 2:
        axes = list(range(len(shape) - 2)) + [len(shape) - 1, len(shape) - 2]
        other = permute(p, x, axes)
        return p.add(shape[:-1] + [shape[-2]], "torch.matmul(%s, %s)" % (x, other), "aten.matmul", ["%" + x, "%" + other],
                     [p.type(x), p.type(other)])
    if kind == "mean" and len(shape) > 1:
        axis = rng.randrange(len(shape))
        p.mlir.append("%%k%d = torch.constant.bool false" % len(p.python))
        listed = p.ints([axis])
        return p.add([n for i, n in enumerate(shape) if i != axis], "%s.mean(%d)" % (x, axis), "aten.mean.dim",
                     ["%" + x, listed, "%%k%d" % len(p.python), "%none"],
                     [p.type(x), "!torch.list<int>", "!torch.bool", "!torch.none"])
    return permute(p, x, rng.sample(range(len(shape)), len(shape)))


def permute(p, x, axes):
    listed = p.ints(axes)
    return p.add([p.shapes[x][i] for i in axes], "%s.permute(%s)" % (x, ", ".join(map(str, axes))), "aten.permute",
                 ["%" + x, listed], [p.type(x), "!torch.list<int>"])


def add(p, x, y):
    return p.add(p.shapes[x], "%s + %s" % (x, y), "aten.add.Tensor", ["%" + x, "%" + y, p.number(1)],
                 [p.type(x), p.type(y), "!torch.int"])


def make(rng):
    """(FX text, torch-mlir text, shapes of the arguments, names of them)."""
    p = Program(rng)
    p.mlir.append("%none = torch.constant.none")
    pool = rng.sample([1, 2, 3, 4, 5, 6, 8, 12], 3)
    for k in range(rng.choice([1, 1, 2])):
        name = "xy"[k]
        p.arguments.append(name)
        p.shapes[name] = [rng.choice(pool) for _ in range(rng.choice([2, 3, 3, 4]))] if not k else list(p.shapes["x"])
    names = list(p.arguments)
    if len(names) == 2:
        names.append(add(p, "x", "y"))
    for _ in range(rng.randrange(2, 9)):
        made = step(p, names)
        if len(p.shapes[made]) < 6 and math.prod(p.shapes[made]) < 100000:
            names.append(made)
    results = names[-2:] if len(names) > 2 else names[-1:]
    return p.text(results), p.mlir_text(results), [p.shapes[a] for a in p.arguments], list(p.arguments)
