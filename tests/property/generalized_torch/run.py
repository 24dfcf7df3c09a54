#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of PyTorch that `shape generalize --write` writes run at the points that its conditions allow.

    tests/property/generalized_torch/run.py              40 programs (or $PROPERTY_GENERALIZED_TORCH), seeds from 1
    tests/property/generalized_torch/run.py --seed 4711  one program again: its texts, the answers, what is wrong

Random programs have the dims of one run in them (traced.py), each as FX text and as torch-mlir text.
    excluded  the conditions do not allow the dims that the program has
    refused   they allow a point at which the written FX text does not run, or `shape check` finds an error or a false guard
    other     the written program has other result dims than the answer says, or than the program has at its own dims
The last line is `N passed, N failed`, over programs.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import random
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import traced  # noqa: E402

SPEC = importlib.util.spec_from_file_location("generalized", HERE.parent / "generalize" / "run.py")  # `run` is that of the programs
generalized = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(generalized)
POINTS, CHECKED = 12, 3  # tried by running, and of those by `check`
DIMS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24)


def points(answer, rng):
    free = [s for s in answer["symbols"] if not s.get("def")]
    yield {s["name"]: s["was"] for s in free}
    for _ in range(4 * POINTS):
        point = {s["name"]: s["was"] for s in free}
        for symbol in rng.sample(free, rng.randint(1, len(free))) if free else ():
            step = int(symbol["divisible_by"] or 1)
            point[symbol["name"]] = max(int(symbol["min"] or 0), rng.choice(DIMS) * step)
        yield point


def results_at(answer, env):
    return [[generalized.expressions.evaluate(d, env) for d in r["dims"]] for r in answer["results"]]


def run_at(text, shapes):
    try:
        return traced.run(text, shapes)
    except ValueError as error:
        return str(error)


def check_at(tool, path, names, shapes):
    if path.endswith(".py"):
        given = ["--input=%s:f32[%s]" % (n, ",".join(map(str, s))) for n, s in zip(names, shapes)]
    else:
        given = ["--arg-types", ",".join("!torch.vtensor<[%s],f32>" % ",".join(map(str, s)) for s in shapes)]
    status, text = generalized.call(tool, "check", "--json", *given, path)
    found = json.loads(text)
    if status:
        return found["diagnostics"][0]["message"]
    if any(g["expr"] in ("0 == 1", "1 == 0") for g in found["guards"]) or found.get("unchecked"):
        return "a guard is false, or unchecked"
    return found["functions"][0]["result_dims"]


def judge(tool, path, source, shapes, names, rng):
    written = path + ".free" + pathlib.Path(path).suffix
    pathlib.Path(path).write_text(source, encoding="utf-8")
    status, text = generalized.call(tool, "generalize", "--json", "--write", written, path)
    if status:
        return ["exit status %d: %s" % (status, text[:200])], 0, 0
    answer, wrong, tried = json.loads(text), [], 0
    python = pathlib.Path(written).read_text(encoding="utf-8") if path.endswith(".py") else None
    for k, point in enumerate(points(answer, rng)):
        env = generalized.environment(answer, point)
        at = generalized.shapes_at(answer, env) if generalized.is_allowed(answer, env) else None
        if not k and at != shapes:
            wrong.append("excluded: the program itself")
        if at is None or tried == POINTS:
            continue
        tried += 1
        try:
            results = results_at(answer, env)
        except generalized.expressions.Unbound as error:
            if not answer["unchecked"]:  # of what no condition can express
                wrong.append("other: %s is no dim of an argument" % error)
            break
        found = [run_at(python, at)] if python else []
        found += [check_at(tool, written, names, at)] if tried <= CHECKED else []
        if not k:
            found.append(check_at(tool, path, names, at))
        for f in found:
            if isinstance(f, str) and answer["unchecked"]:
                continue
            if isinstance(f, str):
                wrong.append("refused: at %s: %s" % (at, f))
            elif f != results:
                wrong.append("other: at %s %s, not %s" % (at, f, results))
    return wrong, sum(not isinstance(d, int) for a in answer["arguments"] for d in a["dims"]), tried


def try_one(tool, seed, folder, show):
    rng = random.Random(seed)
    python, mlir, shapes, names = traced.make(rng)
    free = tried = 0
    wrong = []
    for ending, source in ((".py", python), (".mlir", mlir)):
        path = os.path.join(folder, "p%d%s" % (seed, ending))
        if show:
            print(source)
        found, more, points_tried = judge(tool, path, source, shapes, names, rng)
        if show:
            os.system("%s generalize %s; %s generalize --write - %s" % (tool, path, tool, path))
        wrong += ["%s %s" % (ending, f) for f in found]
        free += more
        tried += points_tried
    return wrong, free, tried


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=int(os.environ.get("PROPERTY_GENERALIZED_TORCH", 40)))
    parser.add_argument("--seed", type=int, help="only this program")
    options = parser.parse_args()
    tool = os.environ.get("SHAPE") or str(HERE.parents[2] / "build" / "shape")
    failed = free = tried = 0
    seeds = [options.seed] if options.seed is not None else range(1, options.count + 1)
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            wrong, more, points_tried = try_one(tool, seed, folder, options.seed is not None)
            failed += bool(wrong)
            free += more
            tried += points_tried
            for text in wrong[:3]:
                print("seed %d: %s" % (seed, text))
    print("%d dims of arguments are free, %d points were tried" % (free, tried))
    print("%d passed, %d failed" % (len(seeds) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
