# SPDX-License-Identifier: Apache-2.0
"""Loops that count, and branches that choose numbers, for the random programs."""
import generate
import model
from model import Tensor


def counting(attrs, count, start, *outer):
    """i from 0 while i < count: acc = acc (op) i or a constant."""
    acc, i, trips = start.data[0], attrs["from"], 0
    while i < count.data[0]:
        if trips == 50:
            raise model.Assumed
        acc = model.BINARY[attrs["name"]](acc, i if attrs["by"] is None else attrs["by"])
        i, trips = i + attrs["step"], trips + 1
        if abs(acc) > 10**6:
            raise model.Assumed
    return Tensor((), [acc if attrs["part"] else i])


def counting_down(attrs, count, start, *outer):
    """The last i from `start` while i > count: i = i - step."""
    i = start.data[0]
    if (i - count.data[0]) > 50 * attrs["step"]:
        raise model.Assumed
    while i > count.data[0]:
        i -= attrs["step"]
    return Tensor((), [i])


def chosen(attrs, test, *numbers):
    k = test.data[0]
    if attrs["if"]:
        return Tensor((), numbers[0 if k else 1].data)
    return Tensor((), numbers[k if 0 <= k < len(numbers) else -1].data)


model.RULES.update({"counting": counting, "counter": counting, "counting_down": counting_down, "chosen": chosen})


def make_counting(p):
    count = p.pick(lambda v: v.kind == "i32" and not v.declared and v.tensor.data[0] <= 8)
    start = p.pick(lambda v: v.kind == "i32" and not v.declared)
    if not start or not count:
        return
    if p.rng.random() < 0.4:
        count = p.constant([p.rng.randint(0, 6)], [])
    tag, name, step = "w%d_" % len(p.ops), p.rng.choice(["add", "subtract", "maximum", "minimum"]), p.rng.choice([1, 1, 2])
    by, first = p.rng.choice([None, 1, 2, 3]), p.rng.choice([0, 0, 1, -1])
    one, begin = p.constant([step], []), p.constant([first], [])
    number = p.constant([by], []).name if by is not None else tag + "i"
    text = ("stablehlo.while(%%%si = %%%s, %%%sa = %%%s) : tensor<i32>, tensor<i32>\n    cond {{\n      %%%sc = stablehlo.compare LT, "
            "%%%si, %%%s : (tensor<i32>, tensor<i32>) -> tensor<i1>\n      stablehlo.return %%%sc : tensor<i1>\n    }} do {{\n"
            "      %%%sb = stablehlo.%s %%%sa, %%%s : tensor<i32>\n      %%%sn = stablehlo.add %%%si, %%%s : tensor<i32>\n"
            "      stablehlo.return %%%sn, %%%sb : tensor<i32>, tensor<i32>\n    }}" %
            (tag, begin.name, tag, start.name, tag, tag, count.name, tag, tag, name, tag, number, tag, tag, one.name, tag, tag))
    part = p.rng.randrange(2)
    p.add("counting" if part else "counter", {"name": name, "by": by, "from": first, "step": step, "part": part},
          [count, start], "i32", [], text)


def make_counting_down(p):
    count, start = (p.pick(lambda v: v.kind == "i32" and not v.declared) for _ in range(2))
    if not start or not count:
        return
    tag, step = "w%d_" % len(p.ops), p.rng.choice([1, 1, 2, 3])
    one = p.constant([step], [])
    p.add("counting_down", {"step": step}, [count, start], "i32", [],
          "stablehlo.while(%%%si = %%%s) : tensor<i32>\n    cond {{\n      %%%sc = stablehlo.compare GT, %%%si, %%%s : (tensor<i32>, "
          "tensor<i32>) -> tensor<i1>\n      stablehlo.return %%%sc : tensor<i1>\n    }} do {{\n      %%%sn = stablehlo.subtract %%%si, "
          "%%%s : tensor<i32>\n      stablehlo.return %%%sn : tensor<i32>\n    }}" %
          (tag, start.name, tag, tag, count.name, tag, tag, tag, one.name, tag))


def make_chosen(p):
    def number(v):
        return v.kind == "i32" and not v.declared and v.tensor.data is not None
    numbers = [p.pick(number) for _ in range(3)]
    if None in numbers:
        return
    is_if = p.rng.random() < 0.5
    test = p.pick(lambda v: v.kind == ("i1" if is_if else "i32") and not v.declared and v.tensor.data is not None)
    if not test:
        return
    numbers = numbers[:2] if is_if else numbers
    regions = ", ".join("{{\n      stablehlo.return %%%s : tensor<i32>\n    }}" % n.name for n in numbers)
    p.add("chosen", {"if": is_if}, [test] + numbers, "i32", [], '"stablehlo.%s"(%%%s) (%s) : (%s) -> tensor<i32>' %
          ("if" if is_if else "case", test.name, regions, test.type()))


MAKERS = [make_counting, make_counting_down, make_chosen]


# --- regions that may never run, with what would be invalid there

def turning(attrs, count, *carried):
    """count.data[0] times: what is carried changes its order."""
    carried = list(carried)
    if count.data[0] > 50:
        raise model.Assumed
    for _ in range(count.data[0]):
        carried = [carried[k] for k in attrs["order"]]
    return Tensor(carried[0].shape)


def guarded(attrs, test, size, a, b):
    """Where the test holds, an operation that needs it; else the first value."""
    if not test.data[0]:
        return Tensor(a.shape)
    m, n = a.shape[0], b.shape[0]
    kind, k = attrs["kind"], attrs["k"]
    if kind == "iota":
        model.need(m - k >= 0, "negative size")
        return Tensor((m - k,))
    if kind == "add":
        model.need(m == n, "operand shapes differ")
        return Tensor((m,))
    if kind == "slice":
        model.need(0 <= m <= k <= n, "slice out of range")
        return Tensor((k - m,))
    if kind == "quotient":
        model.need(m // 2 * 2 == m, "element counts differ")
        return Tensor((m // 2,))
    raise AssertionError(kind)


model.RULES.update({"turning2": turning, "turning3": turning, "guarded": guarded})
generate.PART.update({"turning2": ("#1", 3), "turning3": ("#1", 4)})
VECTOR = "tensor<?xf32>"


def vectors(p, count):
    """Vectors of type tensor<?xf32>, or None."""
    found = [v for v in p.values if v.kind == "f32" and v.declared == [None] and not v.bounds]
    return [p.rng.choice(found) for _ in range(count)] if found else None


def make_turning(p):
    """A loop of a number of trips that data may give, which hands its values on in another order."""
    values = vectors(p, p.rng.choice([2, 2, 3]))
    count = p.pick(lambda v: v.kind == "i32" and not v.declared and v.tensor.data is not None and v.tensor.data[0] <= 4)
    if not values or not count:
        return
    tag, n = "t%d_" % len(p.ops), len(values)
    order = [p.rng.randrange(n) for _ in range(n)]
    zero, one = p.constant([0], []), p.constant([1], [])
    carried = ", ".join("%%%sx%d = %%%s" % (tag, k, v.name) for k, v in enumerate(values))
    back = ", ".join("%%%sx%d" % (tag, k) for k in order)
    kinds = ", ".join([VECTOR] * n)
    text = ("stablehlo.while(%%%si = %%%s, %s) : tensor<i32>, %s\n    cond {{\n      %%%sc = stablehlo.compare GT, %%%si, %%%s : (tensor<i32>, "
            "tensor<i32>) -> tensor<i1>\n      stablehlo.return %%%sc : tensor<i1>\n    }} do {{\n      %%%sn = stablehlo.subtract %%%si, %%%s : "
            "tensor<i32>\n      stablehlo.return %%%sn, %s : tensor<i32>, %s\n    }}" %
            (tag, count.name, carried, kinds, tag, tag, zero.name, tag, tag, tag, one.name, tag, back, kinds))
    p.add("turning%d" % n, {"order": order}, [count] + values, "f32", [None], text)


GUARDED = {
    "iota": ("%(t)sd = stablehlo.subtract %(size)s, %(k)s : tensor<i32>\n      %(t)sv = stablehlo.reshape %(t)sd : (tensor<i32>) -> tensor<1xi32>\n"
             "      %(t)sr = stablehlo.dynamic_iota %(t)sv, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>"),
    "add": "%(t)sr = stablehlo.add %(a)s, %(b)s : tensor<?xf32>",
    "slice": ("%(t)sv = stablehlo.reshape %(size)s : (tensor<i32>) -> tensor<1xi32>\n      %(t)sk = stablehlo.reshape %(k)s : (tensor<i32>) -> tensor<1xi32>\n"
              "      %(t)so = stablehlo.constant dense<1> : tensor<1xi32>\n      %(t)sr = stablehlo.real_dynamic_slice %(b)s, %(t)sv, %(t)sk, %(t)so : "
              "(tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>"),
    "quotient": ("%(t)s2 = stablehlo.constant dense<2> : tensor<i32>\n      %(t)sq = stablehlo.divide %(size)s, %(t)s2 : tensor<i32>\n"
                 "      %(t)s3 = stablehlo.constant dense<2> : tensor<1xi32>\n      %(t)sv = stablehlo.reshape %(t)sq : (tensor<i32>) -> tensor<1xi32>\n"
                 "      %(t)sw = stablehlo.concatenate %(t)sv, %(t)s3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n"
                 "      %(t)sm = stablehlo.dynamic_reshape %(a)s, %(t)sw : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>\n"
                 "      %(t)sz = stablehlo.constant dense<0.0> : tensor<f32>\n"
                 "      %(t)sr = stablehlo.reduce(%(t)sm init: %(t)sz) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>"),
}


def make_guarded(p):
    """A branch, by `if` or `case`, with an operation that only some dims allow; the test is of them, or of anything."""
    pair = vectors(p, 2)
    if not pair:
        return
    a, b = pair
    kind, tag = p.rng.choice(sorted(GUARDED)), "%%g%d_" % len(p.ops)
    size, k = p.size(a, 0), p.rng.choice([1, 2, 3, 5])
    number = p.constant([k], [])
    direction = p.rng.choice({"iota": ["GE", "GT"], "slice": ["LE", "LT"]}.get(kind, ["EQ", "LE", "GE"]))
    other = p.size(b, 0) if kind == "add" else number
    test = p.add("compare", {"direction": direction}, [size, other], "i1", [],
                 "compare %s, %%%s, %%%s : {types}" % (direction, size.name, other.name))
    body = GUARDED[kind] % {"t": tag, "a": "%" + a.name, "b": "%" + b.name, "size": "%" + size.name, "k": "%" + number.name}
    ends = "stablehlo.return %s : tensor<?xf32>"
    regions = "({{\n      %s\n      %s\n    }}, {{\n      %s\n    }})" % (body, ends % (tag + "r"), ends % ("%" + a.name))
    p.add("guarded", {"kind": kind, "k": k}, [test, size, a, b], "f32", [None],
          '"stablehlo.if"(%%%s) %s : (tensor<i1>) -> tensor<?xf32>' % (test.name, regions))


NEVER_RUNS = [make_turning, make_guarded, make_guarded]
