#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every explanation is irreducible, and every run that refutes a claim is a run.

    tests/property/explain/run.py              300 programs (or $PROPERTY_EXPLAIN), seeds from 1
    tests/property/explain/run.py --seed 4711  one program again

Of random programs each constraint of the answer is explained, and so is a claim that need not hold.
    open        the claim does not follow from the facts of its explanation
    reducible   it follows without one of them
    no run      a run is shown that ends with a shape error, or at which the claim is true
`shape decide`, which knows nothing of the program, is asked what follows. The last line is `N passed, N failed`.
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import model  # noqa: E402
import run as programs  # noqa: E402
from seeds import over_seeds  # noqa: E402

NAME = re.compile(r"(?<![\w.])(arg\d+(?:\.\d+|\[\d+\])?|_\d+)(?![\w.(\[])")


def ask(tool, arguments, text=None):
    done = subprocess.run([tool] + arguments, capture_output=True, timeout=120, input=text)
    return done.stdout.decode()


def element_range(kind):
    """What an integer of this type can be: `index` has 64 bits, i1 is 0 or 1."""
    bits = {"index": 64, "i1": 1}.get(kind) or int(kind.lstrip("ui"))
    return {"min": 0, "max": 2 ** bits - 1} if kind[0] == "u" or bits == 1 else {"min": -2 ** (bits - 1), "max": 2 ** (bits - 1) - 1}


def symbols_of(program, texts):
    found = {}
    for name in sorted({n for text in texts for n in NAME.findall(text)}):
        if name.startswith("arg") and "." in name:
            found[name] = {"min": 0}
        elif name.startswith("arg"):
            found[name] = element_range(program.arguments[int(re.match(r"arg(\d+)", name)[1])].kind)
        else:
            found[name] = {"min": None}
    return found


def follows(tool, program, queries):
    """For each (facts, claim): whether the claim holds at every point at which the facts do."""
    lines = "".join(json.dumps({"id": k, "symbols": symbols_of(program, facts + [claim]), "assume": facts, "query": claim}) + "\n"
                    for k, (facts, claim) in enumerate(queries))
    answers = [json.loads(line) for line in ask(tool, ["decide", "--jsonl"], lines.encode()).splitlines()]
    return [a.get("answer") in ("true", True, "yes", "contradiction") for a in answers]


def check_yes(tool, program, explained):
    facts, claim = [b["fact"] for b in explained["because"]], explained["claim"]
    if any("_" in text for text in facts + [claim]):
        return  # dims that operations made have ranges of their own
    queries = [(facts, claim)] + [(facts[:k] + facts[k + 1:], claim) for k in range(len(facts))]
    whole, *parts = follows(tool, program, queries)
    if not whole:
        yield "open: %s does not follow from %s" % (claim, facts)
    for k, part in enumerate(parts):
        if part:
            yield "reducible: %s follows without %s of %s" % (claim, facts[k], facts)


def holds(claim, run):
    text = re.sub(r"(?<![\w.])arg\d+(?:\.\d+|\[\d+\])?", lambda m: "(%d)" % run[m.group(0)], claim)
    return eval(text, {"__builtins__": {}}, {"min": min, "max": max, "mod": lambda a, b: a % b,
                                             "floordiv": lambda a, b: a // b, "ceildiv": lambda a, b: -(-a // b),
                                             "bcast": lambda a, b: b if a == 1 else a})


def check_run(program, explained):
    run = {name: int(value) for name, value in explained["run"].items()}
    if holds(explained["claim"], run):
        yield "no run: %s is true at %s" % (explained["claim"], run)
    arguments = []
    for k, a in enumerate(program.arguments):
        shape = [run.get("arg%d.%d" % (k, axis), n) for axis, n in enumerate(a.declared)]
        data = a.tensor.data and [run.get("arg%d" % k, run.get("arg%d[%d]" % (k, i), x)) for i, x in enumerate(a.tensor.data)]
        if None in shape or any(n > 64 for n in shape) or any(abs(x) > 50 for x in data or ()):
            return  # too large for the interpreter
        arguments.append(model.Tensor(shape, data))
    try:
        model.run(program, arguments)
    except (model.Assumed, ZeroDivisionError):
        return  # an assumption of the answer leaves it out
    except model.ShapeError as error:
        yield "no run: %s at %s" % (error, run)


def claims_of(rng, answer, program):
    names = ["arg%d.%d" % (k, axis) for k, a in enumerate(program.arguments) for axis in range(len(a.declared))]
    for c in answer["constraints"]:
        yield c["expr"]
    if len(names) > 1:
        yield "%s == %s" % tuple(rng.sample(names, 2))
    if names:
        yield "%s >= %d" % (rng.choice(names), rng.choice([1, 2, 3]))


def check(tool, seed, folder):
    """(how many steps of explanations and how many runs, what is wrong with them, the program)"""
    program, _ = programs.make(seed)
    path = os.path.join(folder, "p.mlir")
    pathlib.Path(path).write_text(program.text(), encoding="utf-8")
    answer = json.loads(ask(tool, ["check", "--json", path]))
    if answer["status"] != "ok":
        return (0, 0), [], program.text()
    steps = runs = 0
    found = []
    for claim in claims_of(random.Random(seed), answer, program):
        text = ask(tool, ["explain", "--json", "--that", claim, path])
        explained = json.loads(text)
        if explained["answer"] == "yes":
            steps += len(explained["because"])
            found += check_yes(tool, program, explained)
        if "run" in explained:
            runs += 1
            found += check_run(program, explained)
    return (steps, runs), found, program.text()


if __name__ == "__main__":
    sys.exit(over_seeds(__doc__, "PROPERTY_EXPLAIN", 300, check, ["steps of explanations", "runs"], 0.1))
