#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs commands of the command line under valgrind's memcheck: an uninitialised or invalid read is a failure.

AddressSanitizer sees no read of memory that nothing has set. The commands are those of the golden cases, random programs
(tests/property/programs) with random options, and where ../shared is, every so-many-th program of its corpora. All run in a
few processes of build/commands, which ends no process between two commands. Property tests run with few cases. Without
valgrind everything is skipped.

    tests/memcheck/run.py                       as in continuous integration: under three minutes
    tests/memcheck/run.py --programs 20000 --corpus 1 --golden 1    the long run
Each command is one test; the last line is `N passed, N failed, N skipped`.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "property" / "programs"))
import run as programs  # noqa: E402
import options as refine  # noqa: E402

NONE = "/dev/null"
IN_PROCESS = ("check", "decide", "diff", "explain", "graph", "ops", "refine")  # batch starts programs of its own
COMPLAINT = re.compile(r"^==\d+== ")
FORMS = [["refine"], ["refine", "--cleanup"], ["refine", "--emit", "json"], ["refine", "--emit", "smt2"], ["refine", "--emit", "disc-shape"],
         ["refine", "--guards", "c"], ["refine", "--guards", "python"], ["refine", "--guards", "mlir"], ["graph"],
         ["graph", "--format", "svg"], ["graph", "--format", "html"], ["check", "-v"], ["check", "--certify", "--json"],
         ["explain", "--that", "arg0.0 >= 1"]]


def golden_commands(every):
    for case in sorted((ROOT / "tests" / "golden").glob("*/*/options"))[::every]:
        arguments = shlex.split(case.read_text(encoding="utf-8"))
        stdin = case.parent / "stdin"
        if arguments and arguments[0] in IN_PROCESS and not any("\t" in a or "\n" in a for a in arguments):
            yield [str(case.parent), str(stdin) if stdin.exists() else NONE] + arguments


def random_commands(count, first, folder):
    for seed in range(first, first + count):
        program, runs = programs.make(seed)
        rng, path = random.Random(seed), os.path.join(folder, "p%d.mlir" % seed)
        pathlib.Path(path).write_text(program.text(), encoding="utf-8")
        yield [folder, NONE, "check", "--json", path]
        for arguments in (runs[0], rng.choice(runs)):
            yield [folder, NONE, "refine"] + refine.refine_options(rng, program, arguments) + [path]
        yield [folder, NONE] + rng.choice(FORMS) + [path]
        if seed % 10 == 0:
            yield [folder, NONE, "diff", path, path if seed % 20 else os.path.join(folder, "p%d.mlir" % first)]


def corpus_commands(every):
    corpus = ROOT.parent / "shared" / "corpus"
    files = sorted(p for p in corpus.glob("**/*") if p.suffix in (".mlir", ".onnx", ".mlirbc", ".json") and p.stat().st_size < 200000)
    rng = random.Random(every)
    for path in files[::every] if every else []:
        yield [str(path.parent), NONE, "check", "--json", str(path)]
        yield [str(path.parent), NONE] + rng.choice(FORMS) + [str(path)]


def run_chunk(tool, commands):
    """(number of commands that ran, complaints: the command and the first lines of the report)."""
    text = "".join("\t".join(c) + "\n" for c in commands)
    done = subprocess.run(["valgrind", "-q", "--error-limit=no", tool], input=text.encode(), stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False)
    ran, found = 0, {}
    for line in done.stderr.decode("utf-8", "replace").split("\n"):
        if line.startswith("command: "):
            ran += 1
        elif COMPLAINT.match(line):
            found.setdefault(ran - 1, []).append(line)
    if done.returncode or ran != len(commands):
        found.setdefault(ran - 1, []).append("ended with status %d after %d of %d commands" % (done.returncode, ran, len(commands)))
    return len(commands), [(commands[max(k, 0)], lines) for k, lines in sorted(found.items())]


def property_tests(build, cases):
    """Command lines of the property tests: where the number of cases is no argument, it is in the environment."""
    arguments = {"session_property": [str(cases)], "store_property": [str(cases)], "graph_json": [str(ROOT / "tests" / "golden" / "check")]}
    for path in sorted((ROOT / "tests" / "property").glob("*.c")):
        tool = os.path.join(build, "property", path.stem)
        if path.stem != "cancel_property" and os.path.exists(tool):  # it counts allocations, and takes long
            yield [tool] + arguments.get(path.stem, [])


def run_property(command, cases):
    env = dict(os.environ, PROPERTY_CASES=str(cases), PROPERTY_Z3="0", PROPERTY_Z3_BOUNDS="2")
    done = subprocess.run(["valgrind", "-q", "--error-exitcode=99"] + command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    lines = done.stdout.decode("utf-8", "replace").rstrip().split("\n")
    return command, [] if not done.returncode else lines[:12] + ["status %d" % done.returncode]


def chunks(commands, size):
    it = iter(commands)
    while part := list(itertools.islice(it, size)):
        yield part


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--programs", type=int, default=int(os.environ.get("MEMCHECK_PROGRAMS", 150)), help="random programs (150)")
    ap.add_argument("--first", type=int, default=1, help="the first seed")
    ap.add_argument("--corpus", type=int, default=int(os.environ.get("MEMCHECK_CORPUS", 40)), metavar="N",
                    help="every N-th program of the corpora; 0: none (40)")
    ap.add_argument("--golden", type=int, default=1, metavar="N", help="every N-th golden case (1)")
    ap.add_argument("--chunk", type=int, default=200, help="commands of one process, which takes seconds to start (200)")
    ap.add_argument("--property", type=int, default=int(os.environ.get("MEMCHECK_PROPERTY", 10)), metavar="N",
                    help="cases of each property test; 0: none (10)")
    ap.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    opt = ap.parse_args()
    tool = os.path.join(os.path.abspath(os.environ.get("BUILD_DIR", str(ROOT / "build"))), "commands")
    sanitized = os.path.basename(os.path.dirname(tool)) in ("asan", "tsan")
    for missing, why in ((not shutil.which("valgrind"), "valgrind is not installed"),
                         (sanitized, "programs with sanitizers do not run under valgrind"),
                         (not os.path.exists(tool), "%s is not built" % os.path.relpath(tool, ROOT))):
        if missing:
            print("skipped: " + why)
            print("0 passed, 0 failed, 1 skipped")
            return 0
    total, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(opt.jobs) as pool:
        commands = itertools.chain(golden_commands(opt.golden), corpus_commands(opt.corpus),
                                   random_commands(opt.programs, opt.first, folder))
        for batch in chunks(chunks(commands, opt.chunk), 4 * opt.jobs):  # files of programs are made as they are needed
            for ran, found in pool.map(lambda part: run_chunk(tool, part), batch):
                total += ran
                failed += len(found)
                for command, lines in found[:3]:
                    print("FAIL shape %s (in %s)" % (shlex.join(command[2:]), command[0]))
                    print("\n".join("     | " + line for line in lines[:12]), flush=True)
        tests = list(property_tests(os.path.dirname(tool), opt.property)) if opt.property else []
        for command, found in pool.map(lambda c: run_property(c, opt.property), tests):
            total += 1
            failed += bool(found)
            if found:
                print("FAIL %s\n" % " ".join(command) + "\n".join("     | " + line for line in found), flush=True)
    print("%d passed, %d failed" % (total - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
