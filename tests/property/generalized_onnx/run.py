#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Points that the conditions of `shape generalize` allow are not refused by ONNX's own strict shape inference.

    tests/property/generalized_onnx/run.py              3 points (or $PROPERTY_STRICT) of every 7th ONNX case of the corpus
    tests/property/generalized_onnx/run.py --only zoo   cases whose id contains "zoo"

The model that `shape generalize --write` writes gets the dims of the point at its inputs; python3-onnx infers its shapes
in strict mode. Its inference of ONNX 1.12 loses track of computed shapes, so it refuses less than a run does.
    refused  it refuses the model at a point that it allows, and not the model as it was
Without python3-onnx, or the corpus, nothing is tested. The last line is `N passed, N failed[, N skipped]`, over models.
"""
import argparse
import base64
import gzip
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parents[3] / "shared" / "corpus" / "questions" / "generalize.jsonl.gz"
BYTES_MAX = 4 << 20
SPEC = importlib.util.spec_from_file_location("generalized", HERE.parent / "generalize" / "run.py")  # `run` is that of the programs
run = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run)


def cases(only):
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            if case["format"] == "onnx" and only in case["id"]:
                yield case["id"], gzip.decompress(base64.b64decode(case["onnx_gz"]))


def infer(onnx, model):
    """None, or why strict inference refuses the model."""
    try:
        onnx.shape_inference.infer_shapes(model, strict_mode=True)
        return None
    except Exception as error:  # of several kinds
        return str(error).strip().splitlines()[-1][:200]


def at_point(onnx, data, shapes):
    model = onnx.ModelProto()
    model.ParseFromString(data)
    weights = {t.name for t in model.graph.initializer}
    inputs = [v for v in model.graph.input if v.name not in weights]
    for value, shape in zip(inputs, shapes):
        for dim, n in zip(value.type.tensor_type.shape.dim, shape):
            dim.Clear()
            dim.dim_value = n
    del model.graph.value_info[:]
    for value in model.graph.output:  # declared dims are expressions, which no inference evaluates
        value.type.tensor_type.ClearField("shape")
    return model


def is_refused(done):
    """Whether the command says that the conditions are too long to be of use: an answer, and no file is written."""
    return done.returncode == 4 and any(d["code"] == "budget" for d in json.loads(done.stdout)["diagnostics"])


def check(onnx, tool, data, rng, count, folder):
    source, written = os.path.join(folder, "model.onnx"), os.path.join(folder, "free.onnx")
    pathlib.Path(source).write_bytes(data)
    done = subprocess.run([tool, "generalize", "--json", "--write", written, source], capture_output=True, timeout=300)
    if is_refused(done):
        return [], 0
    if done.returncode:
        return ["exit status %d: %s" % (done.returncode, done.stderr[:200])], 0
    answer, free = json.loads(done.stdout), pathlib.Path(written).read_bytes()
    if infer(onnx, at_point(onnx, data, [])) or any(s["was"] is None for s in answer["symbols"] if not s.get("def")):
        return [], 0
    found, tried = [], 0
    for _ in range(40):
        for point in run.points(answer, rng):
            env = run.environment(answer, point)
            shapes = run.shapes_at(answer, env)
            if tried >= count or not run.is_allowed(answer, env) or shapes is None:
                continue
            tried += 1
            refused = infer(onnx, at_point(onnx, free, shapes))
            if refused:
                found.append("refused: at %s: %s" % (shapes, refused))
        if tried >= count:
            break
    return found, tried


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=int(os.environ.get("PROPERTY_STRICT", 3)), help="points of a model")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=7, help="one of this number of cases; 1: all")
    options = parser.parse_args()
    try:
        import onnx
        import onnx.shape_inference
    except ImportError:
        if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/lib/python3/dist-packages/onnx"):
            return subprocess.run(["/usr/bin/python3"] + sys.argv).returncode
        print("skipped: no python3-onnx here\n0 passed, 0 failed")
        return 0
    if not CORPUS.exists():
        print("skipped: no corpus here\n0 passed, 0 failed")
        return 0
    tool = os.environ.get("SHAPE") or str(HERE.parents[2] / "build" / "shape")
    passed = failed = skipped = points = 0
    for number, (name, data) in enumerate(cases(options.only)):
        if number % options.every:
            continue
        if len(data) > BYTES_MAX:
            skipped += 1
            continue
        with tempfile.TemporaryDirectory() as folder:
            wrong, tried = check(onnx, tool, data, random.Random(name), options.count, folder)
        points += tried
        failed += bool(wrong)
        passed += not wrong
        for text in wrong[:3]:
            print("%s: %s" % (name, text), flush=True)
    print("%d points" % points)
    print("%d passed, %d failed%s" % (passed, failed, ", %d skipped" % skipped if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
