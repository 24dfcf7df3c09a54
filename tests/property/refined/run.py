#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refined programs are valid, and say what runs have: `shape refine` with random options against runs at concrete sizes.

    tests/property/refined/run.py              300 programs (or $PROPERTY_REFINED), seeds from 1
    tests/property/refined/run.py --seed 4711  one program again: its text, what is wrong

Each random program is refined with options (--arg-types, --bind, --bound, --assume, --cleanup, --dynamism, --generic) that the
arguments of a run fulfil.
    refused   the run is legal, and refine refuses the program
    invalid   the refined text is refused by `shape check`, or an operation in it breaks the specification
    other     the refined text says other dims of the results than the run has
The last line is `N passed, N failed`, over programs.
"""
import os
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import expressions  # noqa: E402
import generate  # noqa: E402
import options as refine  # noqa: E402
import run as programs  # noqa: E402
import structures  # noqa: E402
from seeds import over_seeds  # noqa: E402
from stablehlo_text import violations  # noqa: E402

generate.FAMILIES += [structures.NEVER_RUNS, structures.NEVER_RUNS]
RUNS = 3  # of each program


def runs_of(program, arguments):
    """The values of a run; None where it is illegal, or nothing can be judged."""
    try:
        return programs.model.run(program, arguments)
    except (programs.model.ShapeError, programs.model.Assumed, ZeroDivisionError):
        return None


def differs(program, answer, arguments, values):
    """Dims of results that the refined program says and the run does not have."""
    main = next(f for f in answer["functions"] if f["name"] == "main")
    env = programs.bind(answer, arguments)
    for k, value in enumerate(program.returned()):
        for said, size in zip(main["result_dims"][k] or [], values[value.name].shape):
            try:
                if said is not None and expressions.evaluate(said, env) != size:
                    yield "other: result %d has %s, and %s in the run" % (k, main["result_dims"][k], list(values[value.name].shape))
            except expressions.Unbound:
                pass


def check_run(tool, program, arguments, options, folder):
    path, refined = os.path.join(folder, "p.mlir"), os.path.join(folder, "refined.mlir")
    status, text = shape(tool, "refine", *options, path)
    values, said = runs_of(program, arguments), " with " + " ".join(options)
    if status not in (0, 1):
        yield "invalid: it ends with status %d" % status + said
    elif status:
        # --dynamism has no equal of every operation, the syntax of some has no generic form, and numbers that conflict in a
        # region are an error where it does not run as well.
        lines = [line for line in text.split("\n") if "error: " in line] or [text[:200]]
        excused = "--dynamism" in options or "in the generic form" in lines[0]
        at = re.match(r"[^:]*:(\d+):", lines[0])
        if values is not None and not excused and not (at and programs.in_region(program, int(at.group(1)))):
            yield "refused: " + lines[0] + said
    else:
        pathlib.Path(refined).write_text(text, encoding="utf-8")
        answer = programs.answers(tool, [text], folder)[0]
        if answer["status"] != "ok":
            yield "invalid: %s" % [d["message"] for d in answer["diagnostics"] if d["severity"] == "error"][:1] + said
            return
        # What is invalid in the source already stays so.
        for problem in [] if any(violations(program.text())) else violations(text):
            yield "invalid: " + problem + said
        if values is not None:
            for problem in differs(program, answer, arguments, values):
                yield problem + said


def shape(tool, *arguments):
    done = programs.subprocess.run([tool, *arguments], capture_output=True, timeout=60)
    return done.returncode, (done.stdout or done.stderr).decode("utf-8", "replace")


def check(tool, seed, folder):
    program, runs = programs.make(seed)
    rng = random.Random(seed)
    pathlib.Path(folder, "p.mlir").write_text(program.text(), encoding="utf-8")
    found = []
    for arguments in runs[:RUNS]:
        found += check_run(tool, program, arguments, refine.refine_options(rng, program, arguments), folder)
    return (RUNS,), found, program.text()


if __name__ == "__main__":
    sys.exit(over_seeds(__doc__, "PROPERTY_REFINED", 300, check, ["refined texts"], 1))
