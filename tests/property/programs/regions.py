# SPDX-License-Identifier: Apache-2.0
"""Statements with requirements anywhere, for the random programs: before, in and after loops whose trip counts are
data, in branches (also the only one of a case), in functions that branches call. Results of branches are used after
them. Loops may never end: a run that gets into one is not judged, but a requirement before it, or in it, is.

A program is a list of statements over an environment of rank-1 tensors (their length) and integers, written as text by
`Writer` and run by `run`.
"""
import itertools

import generate
import model
from model import COMPARE, Tensor, need

FLOATS, TRIPS = "tensor<?xf32>", 30


def run(statements, env):
    for kind, out, *parts in statements:
        value = STEPS[kind](env, *parts)
        if out:
            env[out] = value


def quotient(env, a, k):
    need(env[a] % k == 0, "element counts differ")


def cut(env, a, n):
    need(0 <= env[n] <= env[a], "slice out of range")
    return env[n]


def iota(env, n):
    need(env[n] >= 0, "negative size")
    return env[n]


def add(env, a, b):
    need(env[a] == env[b], "operand shapes differ")
    return env[a]


def number(n):
    """An i32; overflow is not judged."""
    if not -2**31 <= n < 2**31:
        raise model.Assumed
    return n


def asserted(env, direction, n, a):
    need(COMPARE[direction](env[n], env[a]), "assertion")


def block(env, statements, result):
    inside = dict(env)
    run(statements, inside)
    return inside[result]


def case(env, n, blocks):
    k = env[n]
    return block(env, *blocks[k if 0 <= k < len(blocks) else -1])


def branch(env, direction, n, m, blocks):
    return block(env, *blocks[0 if COMPARE[direction](env[n], env[m]) else 1])


def loop(env, i, start, direction, end, step, in_condition, in_body):
    """while i direction end: i += step; both regions have statements of their own."""
    inside = dict(env)
    inside[i] = env[start]
    for _ in range(TRIPS):
        run(in_condition, inside)
        if not COMPARE[direction](inside[i], env[end]):
            return inside[i]
        run(in_body, inside)
        inside[i] = number(inside[i] + env[step])
    raise model.Assumed


def called(env, statements, result, a, n):
    return block({"x": env[a], "n": env[n]}, statements, result)


def recursive(env, direction, limit, first, result, step, last, then, a, n):
    """f(x, n): x where n `direction` limit; else statements, f(result, n + step), and more statements over what that is."""
    def go(x, n, depth):
        if COMPARE[direction](n, limit):
            return x
        if depth == TRIPS:
            raise model.Assumed
        inside = {"x": x, "n": n}
        run(first, inside)
        inside["z"] = go(inside[result], number(n + step), depth + 1)
        run(last, inside)
        return inside[then]
    return go(env[a], env[n], 0)


STEPS = {"quotient": quotient, "cut": cut, "iota": iota, "add": add, "assert": asserted, "case": case, "branch": branch,
         "loop": loop, "call": called, "recur": recursive, "size": lambda env, a: env[a], "number": lambda env, k: k,
         "sum": lambda env, n, m: number(env[n] + env[m])}


def statements_rule(attrs, *outer):
    if any(not t.shape and t.data is None for t in outer):
        raise model.Assumed
    env = {name: t.shape[0] if t.shape else t.data[0] for name, t in zip(attrs["names"], outer)}
    run(attrs["statements"], env)
    return Tensor([env[attrs["result"]]])


model.RULES["statements"] = statements_rule


class Writer:
    """One list of statements with the lines of its text; `floats` and `numbers` are what it may use."""

    def __init__(self, rng, prefix, floats, numbers, depth=0, count=None):
        self.rng, self.prefix, self.depth, self.functions = rng, prefix, depth, []
        self.tags = ("%sf%d" % (prefix, k) for k in itertools.count())  # of its functions, and of those that they call
        self.floats, self.numbers, self.count = list(floats), list(numbers), count or [0]
        self.lines, self.statements = [], []
        self.callees = []  # (tag, kind of the statement, its parts): what may be called once more, from anywhere

    def name(self):
        self.count[0] += 1
        return "%s%d" % (self.prefix, self.count[0])

    def line(self, text, *names):
        self.lines.append("  " * self.depth + text % tuple("%" + n for n in names))

    def say(self, kind, out, *parts):
        self.statements.append((kind, out) + parts)

    def some(self, names):
        return self.rng.choice(names[-4:])

    def vector(self, n):
        v = self.name()
        self.line("%s = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>", v, n)
        return v

    def number(self, k):
        v = self.name()
        self.line("%%s = stablehlo.constant dense<%d> : tensor<i32>" % k, v)
        self.say("number", v, k)
        return v

    def size(self, a):
        v = self.name()
        self.line("%s = stablehlo.get_dimension_size %s, dim = 0 : (" + FLOATS + ") -> tensor<i32>", v, a)
        self.say("size", v, a)
        return v

    def compare(self, direction, n, m):
        v = self.name()
        self.line("%s = stablehlo.compare " + direction + ", %s, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>", v, n, m)
        return v

    # --- statements

    def quotient(self):
        a, k = self.some(self.floats), self.rng.choice([2, 2, 3])
        n, divisor, q = self.size(a), self.number(k), self.name()
        self.line("%s = stablehlo.divide %s, %s : tensor<i32>", q, n, divisor)
        parts = [self.vector(q), self.vector(divisor)]
        self.rng.shuffle(parts)
        shape, out = self.name(), self.name()
        self.line("%s = stablehlo.concatenate %s, %s, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>", shape, *parts)
        self.line("%s = stablehlo.dynamic_reshape %s, %s : (" + FLOATS + ", tensor<2xi32>) -> tensor<?x?xf32>", out, a, shape)
        self.say("quotient", None, a, k)

    def cut(self):
        a, n, zero, one, out = self.some(self.floats), self.some(self.numbers), self.name(), self.name(), self.name()
        end = self.vector(n)
        self.line("%s = stablehlo.constant dense<0> : tensor<1xi32>", zero)
        self.line("%s = stablehlo.constant dense<1> : tensor<1xi32>", one)
        self.line("%s = stablehlo.real_dynamic_slice %s, %s, %s, %s : (" + FLOATS + ", tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> "
                  + FLOATS, out, a, zero, end, one)
        self.say("cut", out, a, n)
        self.floats.append(out)

    def iota(self):
        n, out = self.some(self.numbers), self.name()
        self.line("%s = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> " + FLOATS, out, self.vector(n))
        self.say("iota", out, n)
        self.floats.append(out)

    def add(self):
        a, b, out = self.some(self.floats), self.some(self.floats), self.name()
        self.line("%s = stablehlo.add %s, %s : " + FLOATS, out, a, b)
        self.say("add", out, a, b)
        self.floats.append(out)

    def assertion(self):
        a, n, direction = self.some(self.floats), self.some(self.numbers), self.rng.choice(["LE", "EQ", "NE", "LT"])
        p = self.compare(direction, n, self.size(a))
        self.line('stablehlo.custom_call @shape_assertion(%s) {api_version = 2 : i32, error_message = "asserted", '
                  'has_side_effect = true} : (tensor<i1>) -> ()', p)
        self.say("assert", None, direction, n, self.statements[-1][1])

    def total(self):
        n, m, out = self.some(self.numbers), self.some(self.numbers), self.name()
        m = self.number(self.rng.choice([-1, 1, 2])) if self.rng.random() < 0.5 else m
        self.line("%s = stablehlo.add %s, %s : tensor<i32>", out, n, m)
        self.say("sum", out, n, m)
        self.numbers.append(out)

    def measured(self):
        self.numbers.append(self.size(self.some(self.floats)))

    def region(self, extra=()):
        inner = Writer(self.rng, self.prefix, self.floats, self.numbers + list(extra), self.depth + 1, self.count)
        inner.functions, inner.tags, inner.callees = self.functions, self.tags, self.callees
        for _ in range(self.rng.randint(0, 2)):
            inner.any()
        return inner

    def blocks(self, count):
        out = []
        for k in range(count):
            inner = self.region()
            result = self.rng.choice([self.floats[0], inner.floats[-1], inner.some(inner.floats)])
            inner.line("stablehlo.return %s : " + FLOATS, result)
            self.lines += inner.lines + ["  " * self.depth + ("}, {" if k + 1 < count else "@")]
            out.append((inner.statements, result))
        return out

    def choice(self):
        n, out = self.some(self.numbers), self.name()
        if self.rng.random() < 0.5:
            direction, m = self.rng.choice(["LT", "EQ", "GE"]), self.number(self.rng.randint(0, 2))
            test = self.compare(direction, n, m)
            self.line('%s = "stablehlo.if"(%s) ({', out, test)
            self.say("branch", out, direction, n, m, self.blocks(2))
            self.lines[-1] = "  " * self.depth + "}) : (tensor<i1>) -> " + FLOATS
        else:
            self.line('%s = "stablehlo.case"(%s) ({', out, n)
            self.say("case", out, n, self.blocks(self.rng.choice([1, 1, 2, 3])))
            self.lines[-1] = "  " * self.depth + "}) : (tensor<i32>) -> " + FLOATS
        self.floats.append(out)

    def loop(self):
        start, end, step = (self.some(self.numbers) for _ in range(3))
        if self.rng.random() < 0.5:
            start = self.number(0)
        if self.rng.random() < 0.7:
            step = self.number(self.rng.choice([1, 1, 2, -1, 0]))
        direction, out, i, next_i = self.rng.choice(["LT", "NE", "NE", "GT"]), self.name(), self.name(), self.name()
        before, body = self.region([i]), self.region([i])
        test = before.compare(direction, i, end)
        before.line("stablehlo.return %s : tensor<i1>", test)
        body.line("%s = stablehlo.add %s, %s : tensor<i32>", next_i, i, step)
        body.line("stablehlo.return %s : tensor<i32>", next_i)
        self.line("%s = stablehlo.while(%s = %s) : tensor<i32>", out, i, start)
        pad = "  " * self.depth
        self.lines += [pad + " cond {"] + before.lines + [pad + "} do {"] + body.lines + [pad + "}"]
        self.say("loop", out, i, start, direction, end, step, before.statements, body.statements)
        self.numbers.append(out)

    def function(self, tag, lines, result):
        self.functions.append("  func.func private @%s(%%x: %s, %%n: tensor<i32>) -> %s {\n%s\n    return %%%s : %s\n  }" % (
            tag, FLOATS, FLOATS, "\n".join(lines), result, FLOATS))

    def inside(self, depth, floats=("x",), count=None):
        """The statements of a function, over its arguments."""
        inner = Writer(self.rng, "y", floats, ["n"], depth, count)
        inner.functions, inner.tags, inner.callees = self.functions, self.tags, self.callees
        return inner

    def hand_over(self, tag, kind, parts):
        a, n, out = self.some(self.floats), self.some(self.numbers), self.name()
        self.line("%s = func.call @" + tag + "(%s, %s) : (" + FLOATS + ", tensor<i32>) -> " + FLOATS, out, a, n)
        self.say(kind, out, *parts, a, n)
        self.floats.append(out)

    def call(self):
        tag = next(self.tags)
        inner = self.inside(2)
        for _ in range(self.rng.randint(1, 2)):
            inner.any()
        result = self.rng.choice(inner.floats)
        self.function(tag, inner.lines, result)
        self.callees.append((tag, "call", (inner.statements, result)))
        self.hand_over(*self.callees[-1])

    def again(self):
        """A function that is called already."""
        if self.callees:
            self.hand_over(*self.rng.choice(self.callees))

    def recursion(self):
        """A function that calls itself in the branch of an `if`; it may never end."""
        tag, inner = next(self.tags), self.inside(2)
        step, limit = self.rng.choice([-1, -1, -1, 1, -2]), self.rng.choice([0, 0, 1])
        direction = "LE" if step < 0 or self.rng.random() < 0.2 else "GT"
        test = inner.compare(direction, "n", inner.number(limit))
        body = self.inside(3, ["x"], inner.count)
        for _ in range(self.rng.randint(0, 2)):
            body.any()
        first, result, following, z, y = body.statements, self.rng.choice(body.floats), body.name(), "z", body.name()
        body.line("%%s = stablehlo.constant dense<%d> : tensor<i32>" % step, y)
        body.line("%s = stablehlo.add %s, %s : tensor<i32>", following, "n", y)
        body.line("%s = func.call @" + tag + "(%s, %s) : (" + FLOATS + ", tensor<i32>) -> " + FLOATS, z, result, following)
        body.statements, body.floats = [], body.floats + [z]
        for _ in range(self.rng.randint(0, 1)):
            body.any()
        then = body.rng.choice([z, body.floats[-1]])
        body.line("stablehlo.return %s : " + FLOATS, then)
        out = inner.name()
        lines = inner.lines + ["    %%%s = \"stablehlo.if\"(%%%s) ({" % (out, test), "      stablehlo.return %%x : %s" % FLOATS, "    }, {"]
        self.function(tag, lines + body.lines + ["    }) : (tensor<i1>) -> %s" % FLOATS], out)
        self.callees.append((tag, "recur", (direction, limit, first, result, step, body.statements, then)))
        self.hand_over(*self.callees[-1])

    def any(self):
        kinds = [self.quotient, self.cut, self.iota, self.add, self.assertion, self.total, self.measured]
        if self.depth < 3:
            kinds += [self.choice, self.choice, self.loop, self.loop, self.call, self.again, self.recursion]
        self.rng.choice(kinds)()


def argument(p, shape, data, kind):
    value = generate.Value("a%d" % len(p.arguments), [None] * len(shape), kind, Tensor(shape, data))
    p.arguments.append(value)
    p.values.append(value)
    return value


def make_statements(p):
    floats = [v for v in p.values if v.kind == "f32" and v.declared == [None] and not v.bounds][-3:]
    numbers = [v for v in p.values if v.kind == "i32" and not v.declared and v.tensor.data][-3:]
    while len(floats) < 2:
        floats.append(argument(p, [p.rng.choice([0, 1, 2, 2, 3, 4, 6])], None, "f32"))
    while len(numbers) < 2:
        numbers.append(argument(p, [], [p.rng.choice([0, 1, 2, 3])], "i32"))
    outer = floats + numbers
    for turn in range(12):
        w = Writer(p.rng, "q%d_%d_" % (len(p.ops), turn), [v.name for v in floats], [v.name for v in numbers])
        for _ in range(p.rng.randint(2, 6)):
            w.any()
        result = w.floats[-1]
        made = p.add("statements", {"names": [v.name for v in outer], "statements": w.statements, "result": result}, outer, "f32",
                     [None], "tanh %%%s : %s" % (result, FLOATS), before=w.lines)
        if made:
            p.functions += w.functions
            return


MAKERS = [make_statements]
