#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that are written as bytecode and read back are the same: `shape refine --emit bytecode` and `--emit vhlo`.

    tests/property/bytecode/run.py              60 programs (or $PROPERTY_BYTECODE), seeds from 1, and the golden programs
    tests/property/bytecode/run.py --seed 4711  one random program again: its text, what is wrong

    other     the answer about the bytes is not the answer about the refined text
    changed   writing the bytes that were read writes other operations than the text has
    unstable  a second run writes other bytes
    refused   --emit bytecode refuses what refine prints; or --emit vhlo refuses for the newest release a program that has
              nothing but operations of StableHLO and functions
    accepted  --emit vhlo writes a program with operations of other dialects, or leaves a file after a refusal
The last line is `N passed, N failed`, over programs.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent / "programs"))
import run as programs  # noqa: E402
from seeds import over_seeds  # noqa: E402

RELEASES = ["0.9.0", "0.11.0", "0.13.5", "0.14.1", "0.17.0", "1.0.0", "1.5.0", "1.9.3", "1.13.0", "1.20.0"]
NEWEST = RELEASES[-1]
OTHERS = re.compile(r'"(?!stablehlo\.|func\.func|func\.call|func\.return|builtin\.module)[\w.]+"\(')
NAME = re.compile(r"%[A-Za-z0-9_$.-]+(?::\d+)?(?:#\d+)?")
FLOAT = re.compile(r"(?<![\w.])-?\d+\.\d*(?:[eE][-+]?\d+)?(?![\w.])")
LOCATED = {"line", "column", "end_line", "end_column", "location", "locations", "steps"}


def shape(tool, *arguments):
    done = subprocess.run([tool, *arguments], capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def plain(x):
    """An answer without what bytes cannot have: names of values, lines, how floats are spelled."""
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items() if k not in LOCATED}
    if isinstance(x, list):
        return [plain(v) for v in x]
    if isinstance(x, str):
        return FLOAT.sub(lambda m: repr(float(m.group())), re.sub(r"@\d+\.", "@.", NAME.sub("%", x)))
    return x


def answer(tool, path):
    said = plain(json.loads(shape(tool, "check", "--json", path)[1]))
    said["diagnostics"].sort(key=lambda d: json.dumps(d, sort_keys=True))
    return said


def operations(tool, path):
    """The operations of a program in their order, with their attributes in any."""
    text = shape(tool, "refine", "--generic", path)[1].decode("utf-8", "replace")
    text = re.sub(r"^#loc\d+ = .*\n| loc\(#loc\d+\)", "", text, flags=re.M)
    return [sorted(re.split(r"[ ,<>{}()=]+", NAME.sub("%", line))) for line in text.split("\n") if line.strip()]


def compare(tool, folder, refined, form, source):
    """One form: what is wrong."""
    out = os.path.join(folder, "out.mlirbc")
    if os.path.exists(out):
        os.remove(out)
    status, _, said = shape(tool, "refine", "--emit", *form, source, "-o", out)
    what = " ".join(form)
    if status:
        return status, ["accepted: %s leaves a file" % what] if os.path.exists(out) else [], said
    data = pathlib.Path(out).read_bytes()
    shape(tool, "refine", "--emit", *form, source, "-o", out)
    found = ["unstable: " + what] if pathlib.Path(out).read_bytes() != data else []
    if answer(tool, out) != answer(tool, refined):
        found.append("other: " + what)
    return status, found, out


def check_file(tool, source, folder):
    """(how many files were written, what is wrong) of one program; (0, []) where refine refuses it."""
    refined = os.path.join(folder, "refined.mlir")
    status, text, _ = shape(tool, "refine", source)
    if status:
        return 0, []
    pathlib.Path(refined).write_bytes(text)
    status, generic, _ = shape(tool, "refine", "--generic", source)
    if status:  # an operation whose syntax is not known
        return 0, []
    status, found, out = compare(tool, folder, refined, ["bytecode"], source)
    if status:
        return 0, found + ["refused: " + out.strip()]
    written = 1
    again = os.path.join(folder, "again.mlirbc")
    shape(tool, "refine", "--emit", "bytecode", out, "-o", again)
    if operations(tool, again) != operations(tool, out):
        found.append("changed: from bytes")
    foreign = OTHERS.search(generic.decode("utf-8", "replace"))
    for release in RELEASES:
        status, wrong, said = compare(tool, folder, refined, ["vhlo", "--target", release], source)
        found += wrong
        written += not status
        if not status and foreign:
            found.append("accepted: %s for %s" % (foreign.group(), release))
        if status and not foreign and release == NEWEST and not re.search("no form for the|no such operation", said):
            found.append("refused: " + said.strip())
    return written, found


def check(tool, seed, folder):
    program, _ = programs.make(seed)
    path = os.path.join(folder, "p.mlir")
    pathlib.Path(path).write_text(program.text(), encoding="utf-8")
    written, found = check_file(tool, path, folder)
    if seed == 1:
        for case in sorted(ROOT.glob("tests/golden/*/*/*.mlir")):
            more, wrong = check_file(tool, str(case), folder)
            written += more
            found += ["%s: %s" % (case.relative_to(ROOT), w) for w in wrong]
    return (written,), found, program.text()


if __name__ == "__main__":
    sys.exit(over_seeds(__doc__, "PROPERTY_BYTECODE", 60, check, ["files"], 1))
