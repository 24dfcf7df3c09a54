#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A guard against slow changes: instruction counts of six fixed workloads against the recorded ones.

    python3 tests/bench/check.py --build build             fails where a workload needs 5 % more than recorded
    python3 tests/bench/check.py --build build --record    writes what it counts to counts.json

callgrind counts instructions, so that the machine and what else runs on it do not matter. The compiler does: counts of
another compiler than the recorded one are shown, and fail nothing. Without valgrind there is nothing to do.
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = HERE / "counts.json"
sys.path.insert(0, str(HERE))
import bench  # noqa: E402
import gen_program  # noqa: E402

MOST = 1.05


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def queries():
    """Every kind of small query 40 times."""
    lines = []
    for k in range(40 * len(bench.QUERIES)):
        assume, query = bench.QUERIES[k % len(bench.QUERIES)]
        symbols = {s: {"min": 1, "max": None, "multiple_of": None} for s in "abc"}
        lines.append(json.dumps({"id": str(k), "symbols": symbols, "assume": assume, "query": query}))
    return "\n".join(lines) + "\n"


def chains():
    rng = random.Random(1)
    return "\n".join(bench.chain_line(kind, 200, "shuffled", rng) for kind in ("eq", "le", "mul")) + "\n"


def workloads(build, folder):
    """name: (command, file for standard input or None)"""
    tool, program = build / "shape", gen_program.program
    blocks = write(folder / "blocks.mlir", program("blocks", 2000)[0])
    concat = write(folder / "concat.mlir", program("concat", 2000)[0])
    small = write(folder / "small.mlir", program("chain", 20)[0])
    graph = folder / "blocks.json"
    subprocess.run([build / "bench" / "phases", "--graph", graph, blocks], check=True)
    return {
        "check blocks": ([tool, "check", "--json", blocks], None),
        "check blocks, JSON": ([tool, "check", "--json", graph], None),
        "check concat": ([tool, "check", "--json", concat], None),
        "check 100 small": ([tool, "check", "--json"] + 100 * [small], None),
        "decide queries": ([tool, "decide", "--jsonl"], write(folder / "queries.jsonl", queries())),
        "decide chains": ([tool, "decide", "--jsonl"], write(folder / "chains.jsonl", chains())),
    }


def count(command, stdin):
    """Instructions of one run."""
    with open(stdin or "/dev/null", "rb") as source:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] + command,
                              stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        raise SystemExit("%s ended with status %d:\n%s" % (command[:3], done.returncode, done.stderr[-1000:]))
    return int(found[1])


def compiler(tool):
    comment = subprocess.run(["readelf", "-p", ".comment", tool], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.sub(r"\s+", " ", " ".join(re.findall(r"\]\s+(.*)", comment))).strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("bench-check: skipped, valgrind is not installed\n0 passed, 0 failed, 1 skipped")
        return 0
    recorded = json.loads(COUNTS.read_text(encoding="utf-8")) if COUNTS.exists() else {"compiler": "", "counts": {}}
    made_by, counts, slower = compiler(options.build / "shape"), {}, []
    print("%-20s %14s %14s %8s" % ("workload", "instructions", "recorded", "ratio"))
    with tempfile.TemporaryDirectory() as folder:
        for name, (command, stdin) in workloads(options.build, pathlib.Path(folder)).items():
            counts[name] = count(command, stdin)
            before = recorded["counts"].get(name)
            ratio = counts[name] / before if before else 0
            print("%-20s %14d %14s %8.3f" % (name, counts[name], before or "-", ratio), flush=True)
            if ratio > MOST:
                slower.append(name)
    if options.record:
        COUNTS.write_text(json.dumps({"compiler": made_by, "counts": counts}, indent=2) + "\n", encoding="utf-8")
        print("recorded in %s" % COUNTS.name)
        return 0
    if made_by != recorded["compiler"]:
        print("bench-check: not compared, this is %s and the counts are of %s" % (made_by, recorded["compiler"]))
        print("0 passed, 0 failed, %d skipped" % len(counts))
        return 0
    for name in slower:
        print("bench-check: %s needs more than %.0f %% more than recorded" % (name, (MOST - 1) * 100))
    print("%d passed, %d failed" % (len(counts) - len(slower), len(slower)))
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
