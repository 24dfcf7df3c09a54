#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random ONNX models are analysed and run: what is claimed holds in each run, and no requirement gets lost.

    tests/property/onnx/run.py              400 models (or $PROPERTY_ONNX), seeds from 1
    tests/property/onnx/run.py --seed 4711  one model again: its text, its answer, what is wrong

Each model runs at the dims that it was made with and at others, also illegal ones:
    wrong      a run has other dims or elements than are claimed, or breaks a constraint
    refused    the model is an error, or a guard refuses the arguments, and it runs
    lost       a run breaks a requirement, no guard is false there, and nothing is listed as unchecked
    crash      no answer
    unsafe     the function that `refine --guards` writes accepts the arguments, calls itself complete, and the run breaks
    strict     it refuses a legal run, for more than what a branch or loop requires
    invalid    `refine` with the dims of a run writes a model that has errors; or --cleanup does
    cleaned    after `refine --cleanup` a run has other results, or ends where it did not, or the other way round
The runs are those of evaluate.py. Where Python's onnx has a reference evaluator (1.13 or later), it runs the models as well:
what both run must have the same sizes. The last line is `N passed, N failed`, over models.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "programs")]
import cleaned  # noqa: E402
import expressions  # noqa: E402
import generate  # noqa: E402
from evaluate import Violation, Tensor, Undecided, run_graph  # noqa: E402

RUNS = 10


def known(expression, env):
    try:
        return expressions.evaluate(expression, env)
    except expressions.Unbound:
        return None


def flat(values):
    return [v for x in values for v in flat(x)] if isinstance(values, list) else [values]


def bind(claim, value, env, names):
    """None, or what is wrong with a claim; a symbol that nothing binds as yet is bound to what it is here."""
    if claim is None:
        return None
    said = known(claim, env)
    if said is None and claim in names:
        env[claim] = said = value
    return None if said in (None, value) else "%s is %s, the run has %s" % (claim, said, value)


def environment(answer, arguments):
    """What the arguments give, and whether they are such as the answer says."""
    f, env, wrong, said = answer["functions"][0], {}, [], []
    names = {s["name"] for s in answer["symbols"]}
    for dims, values, t in zip(f["argument_dims"], f["argument_values"], arguments):
        if dims is not None and len(dims) != t.rank:
            wrong.append("rank")
            continue
        pairs = list(zip(dims or [], t.shape))
        if values is not None and t.kind != "f" and len(flat(values)) == len(t.data):
            pairs += zip(flat(values), t.data)
        said += pairs
    for claim, n in said:  # names first: an expression may have names of later arguments
        if claim in names:
            env.setdefault(claim, n)
    wrong += filter(None, (bind(claim, n, env, names) for claim, n in said))
    for _ in range(4):
        for s in answer["symbols"]:
            if s.get("def") and s["name"] not in env:
                value = known(s["def"], env)
                env.update({} if value is None else {s["name"]: value})
    for s in answer["symbols"]:
        n = env.get(s["name"])
        inside = n is None or ((s["min"] is None or n >= int(s["min"])) and (s["max"] is None or n <= int(s["max"])) and
                               n % int(s["divisible_by"] or 1) == 0)
        wrong += [] if inside else ["%s is %d" % (s["name"], n)]
    return env, wrong


def claims_wrong(model, answer, env, values):
    f = answer["functions"][0]
    names = {s["name"] for s in answer["symbols"]}
    for name, dims, elements in zip(model.graph.outputs, f["result_dims"], f["result_values"]):
        t = values[name]
        if not isinstance(t, Tensor) or dims is None:
            continue
        if len(dims) != t.rank:
            return "%s has rank %d, claimed is %s" % (name, t.rank, dims)
        for claim, n in zip(dims, t.shape):
            said = bind(claim, n, env, names)
            if said:
                return "%s: %s" % (name, said)
        if elements is not None and t.kind != "f":
            if len(flat(elements)) != len(t.data):
                return "%s has %d elements, claimed are %s" % (name, len(t.data), elements)
            for claim, n in zip(flat(elements), t.data):
                said = bind(claim, n, env, names)
                if said:
                    return "%s: element: %s" % (name, said)
    for claim in answer["constraints"]:
        if claim["scope"] == "main" and expressions.holds(claim, env) is False:
            return "the constraint %s" % claim["expr"]
    return None


def operators_inside(graph):
    bodies = [b for node in graph.nodes for b in node.attrs.values() if isinstance(b, generate.Graph)]
    return {node.op for b in bodies for node in b.nodes}.union(*map(operators_inside, bodies))


def judge(model, answer):
    """What is wrong with the answer, over all runs."""
    out = []
    first = next((d["message"].split(":")[0] for d in answer["diagnostics"] if d["severity"] == "error"), "")
    inside = first[5:] in operators_inside(model.graph)  # an error of a branch that may not run
    for k in range(RUNS):
        arguments = model.arguments(k)
        values = {}
        try:
            run_graph(model.graph, arguments, values=values)
            violated = None
        except Violation as error:
            violated = str(error)
        except Undecided:
            continue
        at = [(t.shape, t.data) if t.kind != "f" else t.shape for t in arguments]
        if answer["status"] != "ok":
            if violated is None and not inside:
                out.append("refused: %s at %s" % (answer["diagnostics"][:1], at))
            continue
        env, outside = environment(answer, arguments)
        false = [g["expr"] for g in answer["guards"] if expressions.holds(g, env) is False]
        if violated is None:
            strict = outside + [g["expr"] for g in answer["guards"]
                                if g["scope"] == "main" and expressions.holds(g, env) is False]
            said = claims_wrong(model, answer, env, values)
            if said:
                out.append("wrong: %s at %s" % (said, at))
            elif strict:
                out.append("refused: %s at %s" % (strict, at))
        elif not false and not outside and not answer.get("unchecked"):
            out.append("lost: %s at %s" % (violated, at))
    return out


def guards_wrong(model, answer, text):
    """What the checking function in Python says of each run."""
    space = {}
    exec(compile(text, "guards", "exec"), space)  # pylint: disable=exec-used
    main = {g["expr"] for g in answer["guards"] if g["scope"] == "main"} == {g["expr"] for g in answer["guards"]}
    for k in range(RUNS):
        arguments = model.arguments(k)
        try:
            run_graph(model.graph, arguments, values={})
            violated = None
        except Violation as error:
            violated = str(error)
        except Undecided:
            continue
        said = space["check_main"]([t.shape for t in arguments], [None if t.kind == "f" else t.data for t in arguments])
        at = [(t.shape, t.data) if t.kind != "f" else t.shape for t in arguments]
        if said is None and violated is not None and space["COMPLETE"]:
            return ["unsafe: accepts %s: %s" % (at, violated)]
        if said is not None and violated is None and main:
            return ["strict: %s at %s" % (said, at)]
    return []


def refined_wrong(tool, model, path):
    """The model written back with the dims of its first run."""
    options = []
    for i, t in enumerate(model.arguments(0)):
        options += ["--bind=arg%d.%d=%d" % (i, axis, n) for axis, n in enumerate(t.shape)]
    for form in (["-o", path + ".refined"], ["--emit", "json", "-o", path + ".refined"]):
        done = subprocess.run([tool, "refine", *options, *form, path], capture_output=True, timeout=60)
        if done.returncode not in (0, 1):
            return ["crash: refine ends with status %d" % done.returncode]
        if done.returncode:
            continue
        check = subprocess.run([tool, "check", "--json", path + ".refined"], capture_output=True, timeout=60)
        if check.returncode:
            return ["invalid: %s: %s" % (form[1], json.loads(check.stdout)["diagnostics"][:1])]
    return []


def reference():
    """A function that runs a model, or None; why not is printed."""
    try:
        from onnx.reference import ReferenceEvaluator
        import numpy
    except ImportError as error:
        print("skipped: the reference evaluator of Python's onnx: %s" % error)
        return None
    kinds = {"f": numpy.float32, "i": numpy.int64, "b": numpy.bool_}

    def run(model, arguments):
        feeds = {name: numpy.array(t.data, kinds[t.kind]).reshape(t.shape)
                 for (name, _, _), t in zip(model.graph.inputs, arguments)}
        return ReferenceEvaluator(model.encode()).run(None, feeds)
    return run


def differs(model, run):
    """Where the reference evaluator has other dims than evaluate.py."""
    for k in range(RUNS):
        values, arguments = {}, model.arguments(k)
        try:
            run_graph(model.graph, arguments, values=values)
            out = run(model, arguments)
        except Exception:  # what one of the two does not run is not compared
            continue
        for name, mine in zip(model.graph.outputs, out):
            t = values[name]
            if isinstance(t, Tensor) and tuple(mine.shape) != t.shape:
                return ["evaluate.py: %s is %s, the reference has %s" % (name, t.shape, mine.shape)]
    return []


def one(tool, seed, folder):
    model = generate.Model(seed)
    path = os.path.join(folder, "%d.onnx" % seed)
    pathlib.Path(path).write_bytes(model.encode())
    done = subprocess.run([tool, "check", "--json", path], capture_output=True, timeout=60)
    if done.returncode not in (0, 1):
        return model, None, ["crash: status %d: %s" % (done.returncode, done.stderr.decode()[:200])]
    answer = json.loads(done.stdout)
    wrong = judge(model, answer)
    if not wrong and answer["status"] == "ok":
        done = subprocess.run([tool, "refine", "--guards", "python", path], capture_output=True, timeout=60)
        wrong = ["crash: refine --guards ends with status %d" % done.returncode] if done.returncode else \
            guards_wrong(model, answer, done.stdout.decode())
    wrong = wrong or refined_wrong(tool, model, path)
    if not wrong:
        scaffolded = cleaned.Scaffolded(seed)
        wrong = cleaned.cleaned_wrong(tool, scaffolded, path)[2]
        model = scaffolded if wrong else model
    return model, answer, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=os.environ.get("SHAPE", str(HERE.parents[2] / "build" / "shape")))
    parser.add_argument("--count", type=int, default=int(os.environ.get("PROPERTY_ONNX", 400)))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    run = reference()
    passed = failed = errors = unchecked = 0
    with tempfile.TemporaryDirectory() as folder:
        if args.seed is not None:
            model, answer, wrong = one(args.tool, args.seed, folder)
            print(model.text(), json.dumps(answer, indent=1)[:6000], *wrong, sep="\n")
            return 1 if wrong else 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            seeds = range(args.first, args.first + args.count)
            for seed, (model, answer, wrong) in zip(seeds, pool.map(lambda s: one(args.tool, s, folder), seeds)):
                wrong = wrong or (differs(model, run) if run else [])
                errors += bool(answer) and answer["status"] != "ok"
                unchecked += bool(answer and answer.get("unchecked"))
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print("seed %d: %s" % (seed, wrong[0]))
    print("%d models: %d are errors, %d have unchecked requirements" % (passed + failed, errors, unchecked))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
