#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers to profiles against enumeration: random programs, random boxes round the dims that they were made at.

    tests/property/profiles/run.py              400 programs (or $PROPERTY_PROFILES), seeds from 1
    tests/property/profiles/run.py --count 2000 the long run
    tests/property/profiles/run.py --seed 4711  one program again

Each point of a box is run by the interpreter of tests/property/programs, with the values that the program was made with.
    verdict     `legal`, and a point is not; or `illegal`, and the counterexample runs
    outside     the counterexample is no point of the profile
    minimal     a dim of the counterexample is not needed
    holds       what the counterexample breaks holds there
    box         a point of the box is illegal, or the typical one is outside
    maximal     the box can grow, and says that it cannot
    ranges      a range of an argument is not that of the box
Points at which the specification leaves open what happens say nothing. `unknown` is never wrong, but most programs have to be
decided. The last line is `N passed, N failed`, over programs.
"""
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import expressions  # noqa: E402
import model  # noqa: E402
import run as programs  # noqa: E402
from seeds import options_of, verdict  # noqa: E402

POINTS = 150
LEGAL, ILLEGAL, OPEN = "legal", "illegal", "open"


class Box:
    """The dims of a program's arguments that are not declared, with a range each round those it was made at."""

    def __init__(self, program, rng):
        self.program = program
        self.dims = [(k, axis) for k, a in enumerate(program.arguments) for axis, d in enumerate(a.declared) if d is None]
        self.names = ["arg%d.%d" % d for d in self.dims]
        self.typical = [program.arguments[k].tensor.shape[axis] for k, axis in self.dims]
        self.ranges = [(t, t) for t in self.typical]
        for i in rng.sample(range(len(self.dims)), len(self.dims)):
            t, before = self.typical[i], self.ranges[i]
            self.ranges[i] = (max(0, t - rng.choice([0, 1, 2, 4])), t + rng.choice([0, 1, 2, 4, 6]))
            if self.points() > POINTS:
                self.ranges[i] = before
        self.known = {}

    def points(self):
        count = 1
        for low, high in self.ranges:
            count *= high - low + 1
        return count

    def text(self):
        return ",".join("%s=%d:%d:%d" % (n, r[0], t, r[1]) for n, t, r in zip(self.names, self.typical, self.ranges))

    def at(self, point):
        point = tuple(point)
        if point not in self.known:
            shapes = [list(a.tensor.shape) for a in self.program.arguments]
            for (k, axis), size in zip(self.dims, point):
                shapes[k][axis] = size
            arguments = [model.Tensor(s, a.tensor.data) for s, a in zip(shapes, self.program.arguments)]
            fits = all(b is None or n <= b for s, a in zip(shapes, self.program.arguments)
                       for n, b in zip(s, a.bounds or []))
            self.known[point] = self.run(arguments) if fits else OPEN
        return self.known[point]

    def run(self, arguments):
        try:
            model.run(self.program, arguments)
        except model.ShapeError:
            return ILLEGAL
        except (model.Assumed, ZeroDivisionError):
            return OPEN
        return LEGAL


def all_points(ranges):
    return itertools.product(*(range(low, high + 1) for low, high in ranges))


COMPARE = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
           ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def predicate_holds(text, point):
    """The names of points are no words of the grammar of expressions.py: arg0.1 is arg0_1 there."""
    env = {name.replace(".", "_"): size for name, size in point.items()}
    left, relation, right = re.fullmatch(r"(.*?) (==|!=|<=|>=|<|>) (.*)", re.sub(r"(arg\d+)\.", r"\1_", text)).groups()
    return COMPARE[relation](expressions.evaluate(left, env), expressions.evaluate(right, env))


def check_counterexample(box, answer):
    point = answer["counterexample"]
    if sorted(point) != sorted(box.names):
        yield "outside: it names %s" % sorted(point)
        return
    q = [point[n] for n in box.names]
    if not all(low <= x <= high for x, (low, high) in zip(q, box.ranges)):
        yield "outside: %s" % point
    if box.at(q) == LEGAL:
        yield "verdict: %s runs" % point
    for i, typical in enumerate(box.typical):
        back = q[:i] + [typical] + q[i + 1:]
        if q[i] != typical and box.at(back) == ILLEGAL:
            yield "minimal: %s may be %d at %s" % (box.names[i], typical, point)
    expression = answer["breaks"]["expr"]
    try:
        if expression and predicate_holds(expression, point):
            yield "holds: %s at %s" % (expression, point)
    except expressions.Unbound as error:
        yield "holds: %s speaks of %s" % (expression, error)
    if not expression and not answer["breaks"]["message"]:
        yield "holds: nothing is said of %s" % point


def check_box(box, answer):
    inside = answer["box"]
    if inside is None:
        return
    ranges = [tuple(inside[n]) for n in box.names]
    if not all(l <= a <= t <= b <= h for (a, b), t, (l, h) in zip(ranges, box.typical, box.ranges)):
        yield "box: %s leaves the profile or the typical point" % inside
        return
    for point in all_points(ranges):
        if box.at(point) == ILLEGAL:
            yield "box: %s is illegal" % list(point)
            break
    for i, (low, high) in enumerate(box.ranges):
        for at in (ranges[i][0] - 1, ranges[i][1] + 1):
            beyond = ranges[:i] + [(at, at)] + ranges[i + 1:]
            if answer["maximal"] and low <= at <= high and all(box.at(p) == LEGAL for p in all_points(beyond)):
                yield "maximal: %s = %d" % (box.names[i], at)


def check(box, answer):
    verdict = answer["verdict"]
    if verdict == "legal":
        for point in all_points(box.ranges):
            if box.at(point) == ILLEGAL:
                yield "verdict: %s is illegal" % list(point)
                break
    if (answer["counterexample"] is None) != (verdict != "illegal"):
        yield "verdict: %s with counterexample %s" % (verdict, answer["counterexample"])
    elif verdict == "illegal":
        yield from check_counterexample(box, answer)
    yield from check_box(box, answer)
    of_value = {r["value"]: r for r in answer["ranges"]}
    for (k, axis), name in zip(box.dims, box.names):
        said = of_value.get("%a" + str(k)) if answer["box"] else None
        if said and said["dims"][axis] != answer["box"][name]:
            yield "ranges: %s is %s in the box %s" % (name, said["dims"][axis], answer["box"][name])


def ask(tool, seed, folder):
    """(box, answer); the answer is None where there is nothing to ask."""
    program, _ = programs.make(seed)
    if any(a.kind[0] == "=" for a in program.arguments):
        return None, None  # of unknown rank
    box = Box(program, random.Random(-seed))
    path = os.path.join(folder, "p.mlir")
    pathlib.Path(path).write_text(program.text(), encoding="utf-8")
    done = subprocess.run([tool, "check", "--json", "--profile", box.text(), path], capture_output=True, timeout=60)
    if done.returncode not in (0, 1, 4):
        return box, "exit status %d: %s" % (done.returncode, done.stderr.decode()[-200:])
    profiles = json.loads(done.stdout)["profiles"]
    return box, profiles[0] if profiles else None


def main():
    tool, seeds, only = options_of(__doc__, "PROPERTY_PROFILES", 400)
    failed = asked = 0
    verdicts = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            box, answer = ask(tool, seed, folder)
            if answer is None:
                continue
            asked += 1
            found = [answer] if isinstance(answer, str) else list(check(box, answer))
            if not isinstance(answer, str):
                verdicts[answer["verdict"]] = verdicts.get(answer["verdict"], 0) + 1
            failed += bool(found)
            if only is not None:
                print(box.program.text() + box.text())
            if found and failed <= 10:
                print("seed %d: %s" % (seed, found[0]))
    print("profiles %d: %s" % (asked, ", ".join("%s %d" % v for v in sorted(verdicts.items()))))
    if only is None and (verdicts.get("unknown", 0) * 2 > asked or verdicts.get("illegal", 0) * 10 < asked):
        print("too few are decided, or illegal: this test has tested little")
        failed += 1
    return verdict(asked, failed)


if __name__ == "__main__":
    sys.exit(main())
