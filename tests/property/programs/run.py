#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks symbolic answers against what random programs really do at concrete sizes.

    tests/property/programs/run.py                   20,000 programs (or $PROPERTY_PROGRAMS), seeds from 1
    tests/property/programs/run.py --count 2000000   the long run
    tests/property/programs/run.py --seed 4711       one program again: its text, the answer, what is wrong

Each program is legal at the dims it was made at; it is also tried at other dims, legal or not.
    wrong     a size of a legal run differs from the answer's expression, or a legal run breaks a claim
    refused   the answer calls a program an error that has a legal run
    uncaught  an illegal run breaks no guard, no declared size, and no argument equality, and nothing is unchecked
The last line is `N passed, N failed`, over programs.
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import expressions  # noqa: E402
import dialects  # noqa: E402
import generate  # noqa: E402
import integers  # noqa: E402
import model  # noqa: E402
import operations  # noqa: E402
import regions  # noqa: E402
import shapes  # noqa: E402
import structures  # noqa: E402
import unranked  # noqa: E402

generate.FAMILIES += [operations.MAKERS, integers.MAKERS, shapes.MAKERS, shapes.MAKERS, dialects.MAKERS,
                      generate.MAKERS[-3:] + structures.MAKERS, regions.MAKERS, unranked.MAKERS]

BATCH = 400
RUNS = 6


def make(seed):
    rng = random.Random(seed)
    program = generate.Program(rng, rng.randint(2, 14))
    runs = [[a.tensor for a in program.arguments]] + [program.other_arguments() for _ in range(RUNS)]
    return program, runs


def bind(answer, arguments):
    """Values of the symbols that have their origin in an argument."""
    env = {}
    for symbol in answer["symbols"]:
        origin = symbol.get("origin") or {}
        if origin.get("function") != "main":
            continue
        if origin.get("kind") == "argument_size":
            shape = arguments[origin["argument"]].shape
            if origin["axis"] < len(shape):  # else the run has another rank than the answer says
                env[symbol["name"]] = shape[origin["axis"]]
        elif origin.get("kind") == "argument_value":
            env[symbol["name"]] = arguments[origin["argument"]].data[origin.get("axis") or 0]
    defined = [s for s in answer["symbols"] if s["name"] not in env and s.get("def")]
    for _ in defined:  # a definition may use symbols that come after it
        for symbol in defined:
            try:
                env.setdefault(symbol["name"], expressions.evaluate(symbol["def"], env))
            except (expressions.Unbound, KeyError, SyntaxError):
                pass
        if all(s["name"] in env for s in defined):
            break
    return env


def merged(main, arguments, env):
    """Whether each argument size and value is what the answer says; None where it is not known."""
    said = True
    for tensor, dims, values in zip(arguments, main["argument_dims"], main["argument_values"]):
        if dims is not None and len(dims) != len(tensor.shape):
            return False
        pairs = list(zip(dims or [], tensor.shape))
        if tensor.data is not None and values is not None:
            pairs += list(zip(values if isinstance(values, list) else [values], tensor.data))
        for expression, size in pairs:
            if expression is None or expression == size:
                continue
            try:
                if expressions.evaluate(expression, env) != size:
                    return False
            except expressions.Unbound:
                said = None
    return said


def in_range(answer, env):
    for symbol in answer["symbols"]:
        value = env.get(symbol["name"])
        if value is None:
            continue
        low, high = symbol.get("min"), symbol.get("max")
        if (low is not None and value < int(low)) or (high is not None and value > int(high)):
            return False
        if value % int(symbol.get("divisible_by") or 1):
            return False
    return True


def said_of(expression, size, env):
    """What is wrong with an expression of a run's number, or None. A symbol that no argument binds is what it is first."""
    if expression is None or expression == size:
        return None
    if isinstance(expression, str) and expression.isidentifier():
        env.setdefault(expression, size)
    try:
        value = expressions.evaluate(expression, env)
    except expressions.Unbound:
        return None
    return None if value == size else "%s is not %d at %s" % (expression, size, env)


def claims(answer, env):
    if not in_range(answer, env):
        yield "wrong: a symbol's range excludes %s" % env
    for claim in answer["constraints"] + answer["guards"]:
        # What a region requires is checked where the arguments do not determine whether it runs, too.
        if "/" not in claim["scope"] and expressions.holds(claim, env) is False:
            yield "wrong: %s is false at %s" % (claim["expr"], env)


def check_legal(program, answer, main, env, arguments, values):
    if merged(main, arguments, env) is False:
        yield "wrong: the arguments cannot be %s" % [t.shape for t in arguments]
    yield from claims(answer, env)
    ops = {op["line"]: op for op in main["ops"]}
    line, bound = 2, len(env)
    for op in program.ops:
        line += 1 + len(op.before)
        part = int((op.name + "#0").split("#")[1])
        said = ops[line]["dims"][part] if line in ops and ops[line]["dims"] else []
        if said and len(said) != len(values[op.name].shape):
            yield "wrong: line %d: rank %d is not %d" % (line, len(said), len(values[op.name].shape))
        for expression, size in zip(said or [], values[op.name].shape):
            wrong = said_of(expression, size, env)
            if wrong:
                yield "wrong: line %d: %s" % (line, wrong)
        line += op.text.count("\n")
    for k, value in enumerate(program.returned()):
        said = flat(main["result_values"][k])
        if values[value.name].fixed and value.kind != "f32" and said != values[value.name].data:
            yield "unfolded: result %d is %s, not %s" % (k, said, values[value.name].data)
        for expression, x in zip(said, values[value.name].data or ()):
            wrong = said_of(expression, x, env)
            if wrong:
                yield "wrong: result %d: %s" % (k, wrong)
    if len(env) > bound:
        yield from claims(answer, env)


def flat(items):
    if not isinstance(items, list):
        return [items]
    return [x for item in items for x in flat(item)]


SCOPED = ("if", "while", "case", "guarded", "turning2", "turning3")  # what is in their regions need not run
WITH_REGIONS = SCOPED + ("statements",)


def in_region(program, line):
    """Whether a line of the program's text is in a region that need not run."""
    at = 2
    for op in program.ops:
        end = at + 1 + len(op.before) + op.text.count("\n")
        if at < line <= end:
            return op.rule in SCOPED or op.before[line - at - 1:line - at] != [] and op.before[line - at - 1].startswith(" ")
        at = end
    return True  # a function that is called from anywhere


def is_caught(answer, arguments):
    """Whether the answer refuses the arguments, or says that it does not know."""
    main, env = next(f for f in answer["functions"] if f["name"] == "main"), bind(answer, arguments)
    return bool(merged(main, arguments, env) is False or not in_range(answer, env) or answer["unchecked"] or
                False in [expressions.holds(c, env) for c in answer["guards"]])


def check(program, runs, answer):
    """Yields what is wrong with an answer."""
    if answer["status"] == "error":
        # Numbers that conflict in a branch are an error even where the branch does not run.
        errors = [d for d in answer["diagnostics"] if d["severity"] == "error" and not in_region(program, d["line"])]
        if errors:
            yield "refused: %s" % errors[0]["message"]
        return
    main = next(f for f in answer["functions"] if f["name"] == "main")
    for arguments in runs:
        env = bind(answer, arguments)
        try:
            values = model.run(program, arguments)
        except model.Assumed:
            continue
        except model.ShapeError as error:
            if not is_caught(answer, arguments):
                yield "uncaught: %s at %s" % (error, [t.shape if t.data is None else t.data for t in arguments])
            continue
        yield from check_legal(program, answer, main, env, arguments, values)


def answers(tool, texts, folder):
    paths = []
    for k, text in enumerate(texts):
        paths.append(os.path.join(folder, "p%d.mlir" % k))
        with open(paths[-1], "w", encoding="utf-8") as handle:
            handle.write(text)
    done = subprocess.run([tool, "check", "--json"] + paths, capture_output=True, timeout=300)
    lines = done.stdout.decode().strip().split("\n")
    if done.returncode not in (0, 1) or len(lines) != len(texts):
        raise SystemExit("the tool ended with status %d and %d answers for %d programs: %s" %
                         (done.returncode, len(lines), len(texts), done.stderr.decode()[-400:]))
    return [json.loads(line) for line in lines]


# Operations that no program has, and why. What the other dialects lack is in README.md.
NOT_MADE = {"infeed": "its dims are declared, nothing checks them", "outfeed": "no result",
            "recv": "its dims are declared, nothing checks them", "send": "no result",
            "cstr_reshapable": "a witness of what compute_reshape_shape and dynamic_reshape require"}


def not_made(tool, names):
    """The operations of StableHLO's table that are not among those names."""
    listed = subprocess.run([tool, "ops"], capture_output=True, check=True).stdout.decode()
    rows = set(re.findall(r"^stablehlo\.([\w-]+)", listed, re.M))
    return sorted(rows - set(NOT_MADE) - {name.partition(".")[2] for name in names})


def one(tool, make, seed):
    program, runs = make(seed)
    text = program.text()
    print(text)
    with tempfile.TemporaryDirectory() as folder:
        answer = answers(tool, [text], folder)[0]
    print(json.dumps(answer, indent=1))
    found = list(check(program, runs, answer))
    print("\n".join(found) or "nothing is wrong")
    return 1 if found else 0


def main(doc, variable, most, make, missed):
    """doc: of --help; variable: of the environment, how many programs, else `most`; make(seed): a program and runs;
    missed(tool, texts): operations that a large number of programs should have and have not, of all their texts"""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=int(os.environ.get(variable, most)))
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seed", type=int, help="only this program, with its text and answer")
    parser.add_argument("--show", type=int, default=10, help="failures to list")
    options = parser.parse_args()
    tool = os.environ.get("SHAPE") or str(HERE.parents[2] / "build" / "shape")
    if options.seed is not None:
        return one(tool, make, options.seed)
    failed, kinds, last, seen = 0, {}, options.first + options.count, set()
    with tempfile.TemporaryDirectory() as folder:
        for start in range(options.first, last, BATCH):
            seeds = range(start, min(start + BATCH, last))
            made = [make(seed) for seed in seeds]
            texts = [p.text() for p, _ in made]
            seen.update(*(re.findall(r"\b[a-z]+\.[\w-]+", text) for text in texts))
            for seed, (program, runs), answer in zip(seeds, made, answers(tool, texts, folder)):
                found = list(check(program, runs, answer))
                failed += bool(found)
                for text in found[:1]:
                    kinds[text.split(":")[0]] = kinds.get(text.split(":")[0], 0) + 1
                    if failed <= options.show:
                        print("seed %d: %s" % (seed, text))
    print("programs %d, seeds %d to %d: %s" % (options.count, options.first, last - 1,
                                                ", ".join("%s %d" % k for k in sorted(kinds.items())) or "nothing wrong"))
    missing = missed(tool, seen) if options.count >= most else []
    if missing:
        print("in none of the programs: " + ", ".join(missing))
        failed += 1
    print("%d passed, %d failed" % (options.count - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(__doc__, "PROPERTY_PROGRAMS", 20000, make, not_made))
