#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Guards suffice: a generated checking function that accepts means that the concrete run has no shape error.

    tests/property/guards/run.py              1,000 programs (or $PROPERTY_GUARDS), seeds from 1
    tests/property/guards/run.py --seed 4711  one program again: its text, its checks, what is wrong

For each random program `shape refine --guards` writes its checks in Python, C and MLIR; they are asked about the dims at
which the program was made and about others, legal or not.
    unsafe     a function accepts, and says that it is complete, and the run has a shape error
    strict     a function refuses a legal run, for more than what is in a branch or loop
    languages  the function in C answers otherwise than the one in Python
    assertion  the text with assertions, at these dims, is an error where Python accepts, or none where it refuses
The last line is `N passed, N failed`, over programs. Without a C compiler that part is left out.
"""
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import model  # noqa: E402
import run as programs  # noqa: E402
from seeds import options_of, verdict  # noqa: E402

MLIR_EVERY = 10  # programs whose assertions are tried too
FOUND = re.compile(r", has \d+$")  # the rank that was found: messages in C are constants


def written(tool, path, language):
    done = subprocess.run([tool, "refine", "--guards", language, path], capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode()


def load_python(text):
    space = {}
    exec(compile(text, "guards", "exec"), space)
    return space["check_main"], space["COMPLETE"]


def compile_c(texts, folder):
    """One library with the function of every program."""
    compiler = os.environ.get("CC_PLAIN") or shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if not compiler:
        return None
    parts = []
    for k, text in sorted(texts.items()):
        head, body = re.split(r"(?=\n// NULL where)", text, maxsplit=1)
        parts.append((head if not parts else "") + body.replace("check_main", "check_%d" % k))
    source = os.path.join(folder, "guards.c")
    pathlib.Path(source).write_text("".join(parts), encoding="utf-8")
    library = os.path.join(folder, "guards.so")
    subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-o", library, source],
                   check=True, timeout=300)
    return ctypes.CDLL(library)


def call_c(library, k, arguments):
    function = getattr(library, "check_%d" % k)
    function.restype = ctypes.c_char_p
    count, longs = len(arguments), ctypes.POINTER(ctypes.c_int64)
    array = lambda xs: (ctypes.c_int64 * max(1, len(xs)))(*xs)  # noqa: E731
    dims = [array(t.shape) for t in arguments]
    values = [array(t.data or []) for t in arguments]
    as_list = lambda xs: (longs * count)(*(ctypes.cast(x, longs) for x in xs))  # noqa: E731
    ranks = (ctypes.c_size_t * count)(*(len(t.shape) for t in arguments))
    said = function(as_list(dims), ranks, as_list(values))
    return None if said is None else said.decode()


def concrete(program, arguments, path, tool):
    """The exit status of the program with assertions when its arguments are these; None: that cannot be said."""
    if any(t.data is not None and t.shape for t in arguments):
        return None  # --bind gives scalars their values, not elements of vectors
    types = ",".join("tensor<%s%s>" % ("".join("%dx" % n for n in t.shape), "f32" if a.kind[0] == "=" else a.kind)
                     for t, a in zip(arguments, program.arguments))
    command = [tool, "check", "--arg-types", types]
    for k, t in enumerate(arguments):
        if t.data is not None:
            command += ["--bind", "arg%d=%d" % (k, t.data[0])]
    return subprocess.run(command + [path], capture_output=True, timeout=60).returncode


OUTSIDE = object()  # a run that an assumption of the answer leaves out, or that is too large


def run_of(program, arguments):
    try:
        model.run(program, arguments)
    except model.ShapeError as error:
        return error
    except (model.Assumed, ZeroDivisionError):
        return OUTSIDE
    return None


def check(program, runs, check_main, complete, call, mlir):
    for arguments in runs:
        shapes, values = [t.shape for t in arguments], [t.data for t in arguments]
        at = ["%s" % (list(t.shape) if t.data is None else t.data) for t in arguments]
        said, error = check_main(shapes, values), run_of(program, arguments)
        if error is OUTSIDE:
            continue
        if said is None and error is not None and complete:
            yield "unsafe: accepts %s, and %s at %s" % (at, error, error.op.text.split("\n")[0])
        if said is not None and error is None and not any(op.rule in programs.WITH_REGIONS for op in program.ops):
            yield "strict: refuses %s: %s" % (at, said)
        if call and (call(arguments) or None) != (said and FOUND.sub("", said)):
            yield "languages: C says %s, Python %s, at %s" % (call(arguments), said, at)
        if mlir:
            status = mlir(arguments)
            if status is not None and (status == 1) != (said is not None) and not (status == 1 and error is not None):
                yield "assertion: status %d, Python says %s, at %s" % (status, said, at)


def prepare(tool, seed, folder):
    program, runs = programs.make(seed)
    path = os.path.join(folder, "p%d.mlir" % seed)
    pathlib.Path(path).write_text(program.text(), encoding="utf-8")
    status, python = written(tool, path, "python")
    return (program, runs, path, python) if status == 0 else None


def mlir_of(tool, made, folder, seed):
    program, _, path, _ = made
    status, text = written(tool, path, "mlir")
    guarded = os.path.join(folder, "g%d.mlir" % seed)
    pathlib.Path(guarded).write_text(text, encoding="utf-8")
    if status:
        raise SystemExit("seed %d: the text with assertions was not written, status %d" % (seed, status))
    return lambda arguments: concrete(program, arguments, guarded, tool)


def one(tool, seed):
    with tempfile.TemporaryDirectory() as folder:
        made = prepare(tool, seed, folder)
        if made is None:
            print("the program has errors")
            return 0
        program, runs, path, python = made
        print(program.text() + python)
        found = list(check(program, runs, *load_python(python), None, mlir_of(tool, made, folder, seed)))
    print("\n".join(found) or "nothing is wrong")
    return 1 if found else 0


def main():
    tool, seeds, only = options_of(__doc__, "PROPERTY_GUARDS", 1000)
    if only is not None:
        return one(tool, only)
    failed = complete_count = accepted = 0
    with tempfile.TemporaryDirectory() as folder:
        made = {}
        for seed in seeds:
            ready = prepare(tool, seed, folder)
            if ready:
                made[seed] = ready
        library = compile_c({seed: written(tool, m[2], "c")[1] for seed, m in made.items()}, folder)
        for seed, (program, runs, path, python) in made.items():
            function, complete = load_python(python)
            complete_count += complete
            accepted += sum(function([t.shape for t in r], [t.data for t in r]) is None for r in runs)
            call = (lambda arguments, k=seed: call_c(library, k, arguments)) if library else None
            mlir = mlir_of(tool, made[seed], folder, seed) if seed % MLIR_EVERY == 0 else None
            found = list(check(program, runs, function, complete, call, mlir))
            failed += bool(found)
            if found and failed <= 10:
                print("seed %d: %s" % (seed, found[0]))
    print("programs %d without errors, %d with complete checks, %d accepted runs%s" %
          (len(made), complete_count, accepted, "" if library else "; no C compiler"))
    if complete_count * 2 < len(made) or accepted < len(made):
        print("too few complete checks or accepted runs: this test has tested little")
        failed += 1
    return verdict(len(made), failed)


if __name__ == "__main__":
    sys.exit(main())
