#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs do what they did after each pass on dims: `shape refine --passes NAME` against runs of the program.

    tests/property/passes/run.py              300 programs (or $PROPERTY_PASSES), seeds from 1
    tests/property/passes/run.py --seed 4711  one program again: its text, what is wrong

Each random program is written by each pass, and what is written is specialised for the dims (and scalars) of its runs.
    invalid   what is written has errors, or the pass ends with one
    refused   a legal run, and what is written is refused for its dims, where the program is not
    other     what is written says other dims or elements of the results than the run has
    lost      an illegal run that the program catches, and what is written does not
The last line is `N passed, N failed`, over programs.
"""
import importlib.util
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
SPEC = importlib.util.spec_from_file_location("cleaning", HERE.parent / "cleanup" / "run.py")
cleaning = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(cleaning)
programs, shape, answer_of = cleaning.programs, cleaning.shape, cleaning.answer_of

PASSES = ["shape-legalize-to-stablehlo", "tie-shape", "materialize-dims", "scalarize-shapes", "merge-dims", "broadcast-hints"]
ALL = ",".join(["materialize-dims", "scalarize-shapes", "merge-dims", "broadcast-hints", "tie-shape"])


def check_run(tool, program, arguments, path, written):
    options, ran = cleaning.request(program, arguments), cleaning.outcome(program, arguments)
    if options is None or ran is None or ran[0] is None:
        return
    at = ["%s" % (list(t.shape) if t.data is None else t.data) for t in arguments]
    status, text = shape(tool, "refine", *options, written)
    if status:
        if not shape(tool, "refine", *options, path)[0]:
            yield "refused: at %s" % at
        return
    static = written + ".static"
    pathlib.Path(static).write_bytes(text)
    answer = answer_of(tool, static)
    if answer["status"] != "ok":
        yield "refused: what is specialised has errors, at %s" % at
        return
    for problem in cleaning.differs(program, answer["functions"][0], ran[0]):
        yield problem + ", at %s" % at


def check_pass(tool, name, program, runs, path, written):
    status, text = shape(tool, "refine", "--passes", name, path)
    before = answer_of(tool, path)
    if before["status"] != "ok":
        return
    if status:
        yield "invalid: it ends with status %d" % status
        return
    pathlib.Path(written).write_bytes(text)
    if text == pathlib.Path(path).read_bytes():
        return
    after = answer_of(tool, written)
    if after["status"] != "ok":
        yield "invalid: %s" % after["diagnostics"][:1]
        return
    tried = 0
    for arguments in runs:
        if cleaning.outcome(program, arguments) == (None,):
            if programs.is_caught(before, arguments) and not programs.is_caught(after, arguments):
                yield "lost: %s" % [list(t.shape) if t.data is None else t.data for t in arguments]
        elif tried < 1:
            tried += 1
            yield from check_run(tool, program, arguments, path, written)


def check(tool, seed, folder):
    program, runs = programs.make(seed)
    path = os.path.join(folder, "p.mlir")
    pathlib.Path(path).write_text(program.text(), encoding="utf-8")
    found = []
    for name in PASSES + [ALL]:
        found += ["%s: %s" % (name, problem)
                  for problem in check_pass(tool, name, program, runs, path, os.path.join(folder, "w.mlir"))]
    return (len(runs),), found, program.text()


if __name__ == "__main__":
    sys.exit(cleaning.over_seeds(__doc__, "PROPERTY_PASSES", 300, check, ["runs"], 1))
