# SPDX-License-Identifier: Apache-2.0
"""Loops that count, and branches that choose numbers, for the random programs."""
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
