# SPDX-License-Identifier: Apache-2.0
"""An independent verifier of refined programs: what StableHLO's specification asks of the dims and constants that are in
the text of one operation. It knows the operations that refining changes, pretty or generic; it shares nothing with the
solver's rules, and no more than one line is read but for constants."""
import math
import re

SHAPED = re.compile(r"tensor<((?:\?x|\d+x)*)[a-z]\w*(?:, [^<>]*(?:<[^<>]*>)?)?>")
LINE = re.compile(r'^\s*(?:(%[\w.$-]+)(?::\d+)? = )?"?(?:stablehlo|mhlo)\.(\w+)"?(.*) : (.*)$')
DENSE = re.compile(r"dense<(-?\d+|\[[-\d, ]*\])>")
SAME = {"add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder", "and", "or", "xor", "compare", "tanh",
        "negate", "sine", "abs", "sign", "not", "convert"}


def shapes(text):
    """Dims of each tensor type in a text; None is `?`."""
    return [[None if d == "?" else int(d) for d in m.group(1).split("x")[:-1]] for m in SHAPED.finditer(text)]


def ints(text, *names):
    """The list after the first of these names that is there."""
    for name in names:
        found = re.search(r"\b%s = (?:array<i64(?::)?|\[|dense<\[?)([-\d, ]*)" % name, text)
        if found:
            return [int(n) for n in found.group(1).replace(" ", "").split(",") if n]
    return None


def known(dim):
    return dim is not None


def fits(a, b):
    return len(a) == len(b) and all(x == y or not known(x) or not known(y) for x, y in zip(a, b))


def slice_ranges(body):
    pretty = re.search(r"\[(-?\d+:[-\d:, ]*)\]", body)
    if pretty:
        rows = [[int(n) for n in part.split(":")] for part in pretty.group(1).split(",")]
        return [(row + [1])[:3] for row in rows]
    lists = [ints(body, name) for name in ("start_indices", "limit_indices", "strides")]
    return None if None in lists else list(zip(*lists))


def verify_slice(body, given, result, _):
    for axis, (start, limit, stride) in enumerate(slice_ranges(body) or []):
        n = given[0][axis]
        yield 0 <= start <= limit and stride >= 1 and (not known(n) or limit <= n), "range %d of the slice" % axis
        yield stride < 1 or result[axis] in (None, -((start - limit) // stride)), "dim %d of the slice" % axis


def verify_pad(body, given, result, _):
    rows = [ints(body, *names) for names in (("low", "edge_padding_low"), ("high", "edge_padding_high"), ("interior", "interior_padding"))]
    if None in rows:
        return
    for axis, (low, high, inner) in enumerate(zip(*rows)):
        n = given[0][axis]
        made = None if not known(n) else low + n + max(n - 1, 0) * inner + high
        yield inner >= 0 and (made is None or made >= 0), "padding of axis %d" % axis
        yield made is None or result[axis] in (None, made), "dim %d of the padded" % axis


def verify_reshape(_, given, result, __):
    yield None in given[0] + result or math.prod(given[0]) == math.prod(result), "count of elements"


def verify_broadcast(body, given, result, _):
    for n, axis in zip(given[0], ints(body, "dims", "broadcast_dimensions") or []):
        yield axis < len(result) and (n in (None, 1) or result[axis] in (None, n)), "dim %d of the broadcast" % axis


def verify_concatenate(body, given, result, _):
    found = re.search(r"\bdim(?:ension)? = (\d+)", body)
    axis = int(found.group(1)) if found else 0
    rest = [s[:axis] + s[axis + 1:] for s in given + [result]]
    yield all(fits(a, b) for a in rest for b in rest), "dims besides axis %d" % axis
    parts = [s[axis] for s in given]
    yield None in parts or result[axis] in (None, sum(parts)), "dim %d of the concatenation" % axis


def verify_window(body, given, result, _):
    dims = ints(body, "sizes", "slice_sizes") or []
    yield all(k >= 0 and (not known(n) or k <= n) for k, n in zip(dims, given[0])), "slice dims %s of %s" % (dims, given[0])


def verify_shape_operand(index):
    def verify(_, __, result, constants):
        shape = constants[index] if index < len(constants) else None
        yield shape is None or (min(shape, default=0) >= 0 and fits(shape, result)), "shape %s of %s" % (shape, result)
    return verify


def verify_dynamic_pad(_, __, ___, constants):
    inner = constants[4] if len(constants) > 4 else None
    yield inner is None or min(inner, default=0) >= 0, "interior padding %s" % inner


def verify_same(_, given, result, __):
    everything = given + [result]
    yield all(fits(a, b) for a in everything for b in everything), "dims of operands and result"


RULES = {"slice": verify_slice, "pad": verify_pad, "reshape": verify_reshape, "broadcast_in_dim": verify_broadcast,
         "concatenate": verify_concatenate, "dynamic_slice": verify_window, "gather": verify_window,
         "dynamic_reshape": verify_shape_operand(1), "dynamic_broadcast_in_dim": verify_shape_operand(1),
         "dynamic_iota": verify_shape_operand(0), "dynamic_pad": verify_dynamic_pad}
RULES.update({name: verify_same for name in SAME})


def constant_of(body, kind):
    value, shape = DENSE.search(body), shapes(kind)
    if not value or len(shape) != 1 or len(shape[0]) != 1 or "i" not in kind:
        return None
    items = [int(n) for n in value.group(1).strip("[]").split(",") if n.strip()]
    return items if value.group(1).startswith("[") else items * shape[0][0]


def violations(text):
    """What is invalid in a program's text: `line N: operation: what`."""
    constants = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("func.func", "func ", "\"func.func\"")):
            constants.clear()
        found = LINE.match(line)
        if not found:
            continue
        result, name, body, kinds = found.groups()
        if name == "constant":
            constants[result] = constant_of(body, kinds)
            continue
        left, arrow, right = kinds.partition("->")
        given, made = shapes(left), shapes(right if arrow else left)[:1]
        if name not in RULES or not given or not made:
            continue
        operands = [constants.get(o) for o in re.findall(r"%[\w.$-]+", body.split("{")[0])]
        for fine, what in RULES[name](body, given, made[0], operands):
            if not fine:
                yield "line %d: %s: %s: %s" % (number, name, what, line.strip()[:160])
