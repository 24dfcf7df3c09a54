#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every chain of operations after a size is enough, and none of it can be left out.

    tests/property/locations/run.py              120 programs (or $PROPERTY_LOCATIONS), seeds from 1
    tests/property/locations/run.py --seed 4711  one program again

Of random programs the dims of some values are explained by their location (`shape explain --at`). Then the text is changed:
operations that are no steps become `"test.opaque"`, of which nothing is known, and the size is asked for again.
    open        it does not follow from the steps alone
    reducible   it still follows where a step is made opaque, too
Operations with regions keep their text where they are no steps. The last line is `N passed, N failed`.
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
import run as programs  # noqa: E402
from seeds import over_seeds  # noqa: E402

OP = re.compile(r"^(\s*)(%\w+(?::\d+)?) = \"?\w")
NOTHING = re.compile(r"^(\s*)\"?stablehlo\.custom_call\b.*-> \(\)$")


def ask(tool, arguments):
    done = subprocess.run([tool] + arguments, capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode()


def result_type(line):
    if " = arith.cmpi " in line:
        return "i1"
    if re.search(r" = tensor\.(dim|rank) ", line):
        return "index"
    if " = shape." in line and "->" not in line:
        return None
    """The type after the last arrow, colon or "to" outside of brackets; None where there are several."""
    depth = 0
    for k in range(len(line) - 1, 0, -1):
        c = line[k]
        if c in ">)]}" and line[k - 1] != "-":
            depth += 1
        depth -= c in "<([{"
        if depth == 0 and (line[k - 1:k + 1] == "->" or line[k - 1:k + 2] == " : "
                           or line[k - 2:k + 2] == " to " or line[k - 3:k + 3] == " into "):
            found = line[k + 1:].removeprefix("o ").strip()
            several = "," in re.sub(r"<[^<>]*(<[^<>]*>[^<>]*)*>", "", found) and not found.startswith("(")
            return "(%s)" % found if several else found
    return None


def opaque(line):
    """The line with its operation made opaque, at the same column; None where that is not so simple."""
    found = OP.match(line)
    if NOTHING.match(line):
        return NOTHING.match(line).group(1) + '"test.opaque"() : () -> ()'
    if not found or line.rstrip().endswith("{") or line.count("{") != line.count("}") or " while(" in line \
            or ".while(" in line:
        return None
    type_text = result_type(line)
    return '%s%s = "test.opaque"() : () -> %s' % (found.group(1), found.group(2), type_text) if type_text else None


def explain(tool, path, line, column):
    status, text = ask(tool, ["explain", "--at", "%d:%d" % (line, column), "--json", path])
    return json.loads(text) if status == 0 else None


def size_at(tool, path, line, column, wanted):
    found = explain(tool, path, line, column)
    for size in (found or {}).get("dims", []):
        if size["what"] == wanted["what"]:
            return size.get("dim")
    return None


def still(tool, folder, lines, hidden, location, wanted):
    """Whether the size follows with these lines made opaque; None: it is over names that no query can be asked of."""
    path = os.path.join(folder, "q.mlir")
    changed = [opaque(text) if k + 1 in hidden else text for k, text in enumerate(lines)]
    pathlib.Path(path).write_text("\n".join(changed) + "\n", encoding="utf-8")
    size = size_at(tool, path, location[0], location[1], wanted)
    if size is None or size == wanted["dim"]:
        return size is not None
    if re.search(r"%|\b_", size + wanted["dim"]):
        return None
    return ask(tool, ["explain", "--that", "%s == %s" % (size, wanted["dim"]), path])[0] == 0


def check_size(tool, folder, lines, location, size):
    steps = {step["line"] for step in size["because"]}
    others = {k + 1 for k, text in enumerate(lines) if k + 1 not in steps and opaque(text)}
    # What cannot be hidden may be a reason, too.
    left = any(k + 1 not in steps | others and (OP.match(text) or "stablehlo." in text) and "return" not in text
               for k, text in enumerate(lines))
    if still(tool, folder, lines, others, location, size) is False:
        yield "open: %s is %s because of lines %s alone" % (size["what"], size["dim"], sorted(steps))
    for step in sorted(steps if not left else ()):
        if opaque(lines[step - 1]) and still(tool, folder, lines, others | {step}, location, size):
            yield "reducible: %s is %s without line %d of %s" % (size["what"], size["dim"], step, sorted(steps))


def check(tool, seed, folder):
    program, _ = programs.make(seed)
    path = os.path.join(folder, "p.mlir")
    text = program.text()
    pathlib.Path(path).write_text(text, encoding="utf-8")
    lines, rng, steps, found = text.rstrip("\n").split("\n"), random.Random(seed), 0, []
    locations = [(k + 1, len(OP.match(line).group(1)) + 1) for k, line in enumerate(lines) if OP.match(line)]
    for location in rng.sample(locations, min(2, len(locations))):
        explained = explain(tool, path, *location)
        for size in (explained or {}).get("dims", [])[:3]:
            if size["kind"] not in ("derived", "data") or not size["irreducible"]:
                continue
            if size["kind"] == "data" and len(size["because"]) == 1:
                continue  # the operation that makes it has no other reason
            steps += len(size["because"])
            found += check_size(tool, folder, lines, location, size)
    return (steps,), found, text


if __name__ == "__main__":
    sys.exit(over_seeds(__doc__, "PROPERTY_LOCATIONS", 120, check, ["steps"], 1))
