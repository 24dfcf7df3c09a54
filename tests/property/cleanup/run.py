#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cleaned programs do what they did: `shape refine --cleanup` against runs of the program at concrete sizes.

    tests/property/cleanup/run.py              400 programs (or $PROPERTY_CLEANUP), seeds from 1
    tests/property/cleanup/run.py --seed 4711  one program again: its text, what is wrong

Each random program is specialised for the dims (and scalars) of its runs, with --cleanup and without.
    refused   a legal run, and the cleaned program is refused
    other     the cleaned text says other dims or elements of the results than the run has
    lost      the program is refused without --cleanup, and accepted with it; or fewer requirements are left to be checked;
              or cleaned as it is, for any dims, it does not catch an illegal run that it caught
    unstable  cleaning the cleaned text once more changes it
The last line is `N passed, N failed`, over programs.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import model  # noqa: E402
import run as programs  # noqa: E402
from seeds import over_seeds  # noqa: E402

RUNS = 2  # of each program


def shape(tool, *arguments):
    done = subprocess.run([tool, *arguments], capture_output=True, timeout=60)
    return done.returncode, done.stdout


def request(program, arguments):
    """The options that fix the arguments; None: --bind gives scalars their values, not elements of vectors."""
    if any(t.data is not None and t.shape for t in arguments):
        return None
    options = ["--arg-types", ",".join("tensor<%s%s>" % ("".join("%dx" % n for n in t.shape), "f32" if a.kind[0] == "=" else a.kind)
                                       for t, a in zip(arguments, program.arguments))]
    for k, t in enumerate(arguments):
        if t.data is not None:
            options += ["--bind", "arg%d=%d" % (k, t.data[0])]
    return options


def outcome(program, arguments):
    """(values of the run, or None where it has a shape error); None: an assumption leaves the run out, or it is too large."""
    try:
        return (model.run(program, arguments),)
    except model.ShapeError:
        return (None,)
    except (model.Assumed, ZeroDivisionError):
        return None


def answer_of(tool, path):
    return json.loads(shape(tool, "check", "--json", path)[1])


def requirements(answer):
    return len(answer["guards"]) + len(answer["unchecked"]) + len(answer["scoped_constraints"])


def differs(program, main, values):
    for k, value in enumerate(program.returned()):
        run = values[value.name]
        for said, size in zip(main["result_dims"][k] or [], run.shape):
            if isinstance(said, int) and said != size:
                yield "other: result %d has the dims %s, not %s" % (k, main["result_dims"][k], run.shape)
        for said, x in zip(programs.flat(main["result_values"][k]), run.data or ()):
            if isinstance(said, int) and said != x:
                yield "other: result %d is %s, not %s" % (k, main["result_values"][k], run.data)


def in_region(program, tool, options, path):
    """Numbers that conflict in a region, or in a function, are an error where it does not run as well, cleaned or not."""
    said = subprocess.run([tool, "refine", *options, path], capture_output=True, timeout=60).stderr.decode("utf-8", "replace")
    at = re.search(r"^[^:\n]*:(\d+):\d+: error: ", said, re.M)
    return bool(at) and programs.in_region(program, int(at.group(1)))


def check_run(tool, program, arguments, path, cleaned):
    options, ran = request(program, arguments), outcome(program, arguments)
    if options is None or ran is None:
        return
    at = ["%s" % (list(t.shape) if t.data is None else t.data) for t in arguments]
    status, text = shape(tool, "refine", "--cleanup", *options, path)
    plain = shape(tool, "refine", *options, path)[0]
    if status and ran[0] is not None and not (plain and in_region(program, tool, options, path)):
        yield "refused: at %s" % at
    if plain and not status:
        yield "lost: it is refused without --cleanup, at %s" % at
    if status:
        return
    pathlib.Path(cleaned).write_bytes(text)
    answer = answer_of(tool, cleaned)
    if answer["status"] != "ok":
        yield "refused: the cleaned text has errors, at %s" % at
        return
    if ran[0] is not None:
        for problem in differs(program, answer["functions"][0], ran[0]):
            yield problem + ", at %s" % at
    elif not requirements(answer):
        # The run ends with a shape error: what is left still has to say so of the program.
        static = os.path.join(os.path.dirname(cleaned), "static.mlir")
        pathlib.Path(static).write_bytes(shape(tool, "refine", *options, path)[1])
        if requirements(answer_of(tool, static)):
            yield "lost: nothing is left to be checked, at %s" % at
    again, twice = shape(tool, "refine", "--cleanup", cleaned)
    if again or twice != text:
        yield "unstable: cleaned once more it changes, at %s" % at


def check_any(tool, program, runs, path, cleaned):
    """Cleaned for any dims: what nothing needs may be what a run ends in."""
    status, text = shape(tool, "refine", "--cleanup", path)
    illegal = [r for r in runs if outcome(program, r) == (None,)]
    if status or not illegal:
        return
    pathlib.Path(cleaned).write_bytes(text)
    # A type that is refined may say what a custom call has to return, cleaned or not.
    plain = os.path.join(os.path.dirname(cleaned), "plain.mlir")
    pathlib.Path(plain).write_bytes(shape(tool, "refine", path)[1])
    before, after = answer_of(tool, plain), answer_of(tool, cleaned)
    for arguments in illegal:
        if after["status"] == "ok" and programs.is_caught(before, arguments) and not programs.is_caught(after, arguments):
            yield "lost: cleaned for any dims it runs with %s" % [list(t.shape) if t.data is None else t.data for t in arguments]


def check(tool, seed, folder):
    program, runs = programs.make(seed)
    path = os.path.join(folder, "p.mlir")
    pathlib.Path(path).write_text(program.text(), encoding="utf-8")
    tried = [r for r in runs if request(program, r) is not None and outcome(program, r) is not None][:RUNS]
    found = []
    for arguments in tried:
        found += check_run(tool, program, arguments, path, os.path.join(folder, "c.mlir"))
    found += check_any(tool, program, runs, path, os.path.join(folder, "c.mlir"))
    return (len(tried),), found, program.text()


if __name__ == "__main__":
    sys.exit(over_seeds(__doc__, "PROPERTY_CLEANUP", 400, check, ["runs"], 1))
