#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `shape generalize` allows runs: points that its conditions allow are tried on the program that it writes.

    tests/property/generalize/run.py              200 programs (or $PROPERTY_GENERALIZE), seeds from 1
    tests/property/generalize/run.py --seed 4711  one program again: its text, the answer, what is wrong

Random programs (tests/property/programs) are fixed at the dims at which they were made, by `shape refine`. Of the answer
    excluded  the conditions do not allow the dims that the program has
    refused   they allow a point, and `shape check` finds an error in the written program there, or a guard that is false
    other     the written program has other result dims at the original dims
    moved     a number of an argument is not what it was
The last line is `N passed, N failed`, over programs that could be fixed.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import expressions  # noqa: E402
import run as programs  # noqa: E402
from seeds import options_of  # noqa: E402

POINTS = 8
DIMS = (1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24)
RELATIONS = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<=": lambda a, b: a <= b,
             ">=": lambda a, b: a >= b, "<": lambda a, b: a < b, ">": lambda a, b: a > b}


def call(tool, *arguments):
    done = subprocess.run([tool] + list(arguments), capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def holds(condition, env):
    """False also where it cannot be evaluated: such a point is not tried."""
    for text in (" == ", " != ", " <= ", " >= ", " < ", " > "):
        left, found, right = condition.partition(text)
        if found:
            try:
                a, b = expressions.evaluate(left, env), expressions.evaluate(right, env)
            except (expressions.Unbound, SyntaxError):
                return False
            return RELATIONS[text.strip()](a, b)
    return False


def environment(answer, chosen):
    env = dict(chosen)
    for _ in answer["symbols"]:
        for symbol in answer["symbols"]:
            if symbol.get("def") and symbol["name"] not in chosen:
                try:
                    env[symbol["name"]] = expressions.evaluate(symbol["def"], env)
                except (expressions.Unbound, SyntaxError):
                    pass
    return env


def is_allowed(answer, env):
    if not programs.in_range(answer, env):
        return False
    return all(holds(c["expr"], env) for c in answer["conditions"])


def shapes_at(answer, env):
    """The shapes of the arguments; None where a dim is negative or not known."""
    try:
        shapes = [[expressions.evaluate(d, env) for d in a["dims"]] for a in answer["arguments"]]
    except (expressions.Unbound, SyntaxError, TypeError):
        return None
    return None if any(n < 0 for s in shapes for n in s) else shapes


def types_of(answer, shapes):
    return ",".join("tensor<%s%s>" % ("".join("%dx" % n for n in s), a["type"])
                    for a, s in zip(answer["arguments"], shapes))


def points(answer, rng):
    free = [s for s in answer["symbols"] if not s.get("def")]
    original = {s["name"]: s["was"] for s in free}
    yield original
    for _ in range(POINTS):
        point = dict(original)
        for symbol in rng.sample(free, rng.randint(1, len(free))) if free else ():
            step = int(symbol["divisible_by"] or 1)
            point[symbol["name"]] = max(int(symbol["min"] or 0), rng.choice(DIMS) * step)
        yield point


def judge(tool, answer, written, fixed, rng):
    for k, argument in enumerate(answer["arguments"]):
        for was, dim in zip(argument["was"], argument["dims"]):
            if isinstance(dim, int) and was != dim:
                yield "moved: argument %d has %s, was %s" % (k, argument["dims"], argument["was"])
    if any(s["was"] is None for s in answer["symbols"] if not s.get("def")):
        return
    for k, point in enumerate(points(answer, rng)):
        env = environment(answer, point)
        allowed, shapes = is_allowed(answer, env), shapes_at(answer, env)
        if not k and not allowed:
            yield "excluded: the program itself"
        if not allowed or shapes is None:
            continue
        status, text = call(tool, "check", "--json", "--arg-types", types_of(answer, shapes), written)
        found = json.loads(text)
        if status and not answer["unchecked"]:
            yield "refused: at %s: %s" % (shapes, found["diagnostics"][0]["message"])
        elif not status and any(g["expr"] in ("0 == 1", "1 == 0") for g in found["guards"]):
            yield "refused: at %s a guard is false" % shapes
        elif not k and not status and found["functions"][0]["result_dims"] != fixed:
            yield "other: %s, not %s" % (found["functions"][0]["result_dims"], fixed)


def prepare(tool, seed, folder):
    """A program of numbers, and its result dims; None where it cannot be made."""
    program, runs = programs.make(seed)
    if not runs[0] or any(t.data is not None for t in runs[0]) or any(a.kind[0] == "=" for a in program.arguments):
        return None
    types = ",".join("tensor<%s%s>" % ("".join("%dx" % n for n in t.shape), a.kind)
                     for t, a in zip(runs[0], program.arguments))
    path, fixed = os.path.join(folder, "p%d.mlir" % seed), os.path.join(folder, "f%d.mlir" % seed)
    pathlib.Path(path).write_text(program.text(), encoding="utf-8")
    status, text = call(tool, "refine", "--arg-types", types, "--cleanup", path)
    if status:
        return None
    pathlib.Path(fixed).write_text(text, encoding="utf-8")
    status, text = call(tool, "check", "--json", fixed)
    answer = json.loads(text)
    return None if status else (fixed, answer["functions"][0]["result_dims"])


def try_one(tool, seed, folder, show):
    made = prepare(tool, seed, folder)
    if made is None:
        return None
    written = made[0] + ".out.mlir"
    status, text = call(tool, "generalize", "--json", "--write", written, made[0])
    if show:
        print(pathlib.Path(made[0]).read_text(encoding="utf-8"), text, sep="\n")
    if status:
        return ["exit status %d: %s" % (status, text[:200])]
    answer = json.loads(text)
    free = sum(not isinstance(d, int) for a in answer["arguments"] for d in a["dims"])
    return list(judge(tool, answer, written, made[1], random.Random(seed))) + [free]


def main():
    tool, seeds, only = options_of(__doc__, "PROPERTY_GENERALIZE", 200)
    passed = failed = free = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            found = try_one(tool, seed, folder, only is not None)
            if found is None:
                continue
            wrong = [f for f in found if isinstance(f, str)]
            free += sum(f for f in found if not isinstance(f, str))
            failed += bool(wrong)
            passed += not wrong
            for text in wrong[:3]:
                print("seed %d: %s" % (seed, text))
    print("%d dims of arguments are free" % free)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
