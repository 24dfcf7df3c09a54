#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how many lines and branches of the sources in a folder were reached, by gcov.

    tests/coverage.py build/coverage solver/ops/rules             a table, worst first, and the total
    tests/coverage.py build/coverage solver/ops/rules --missing   and the lines that were not reached
    tests/coverage.py build/coverage solver/ops/rules --floor 95  exit status 1 when the total is below

`make coverage` builds and runs what is counted here.
"""
import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def reached(build, source):
    """{line: times} and {(line, n): times} of lines and branches of a source; empty where it was not built."""
    notes = (ROOT / build / "obj" / source).with_suffix(".gcno")
    counts, branches = {}, {}
    if not notes.exists():
        return counts, branches
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["gcov", "--branch-probabilities", "--json-format", str(notes)], cwd=folder, check=True,
                       capture_output=True)
        for path in pathlib.Path(folder).glob("*.gcov.json.gz"):
            for file in json.load(gzip.open(path))["files"]:
                if file["file"].endswith(str(source)):
                    for line in file["lines"]:
                        at = line["line_number"]
                        counts[at] = max(counts.get(at, 0), line["count"])
                        for n, branch in enumerate(line["branches"]):
                            branches[at, n] = max(branches.get((at, n), 0), branch["count"])
    return counts, branches


def ranges(numbers):
    out = []
    for n in numbers:
        if out and n == out[-1][1] + 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return ", ".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--floor", type=float, default=0.0)
    options = parser.parse_args()
    rows = []
    for path in sorted((ROOT / options.folder).rglob("*.c")):
        counts, branches = reached(options.build, path.relative_to(ROOT))
        if counts:
            missing = sorted(n for n, times in counts.items() if not times)
            taken = sum(times > 0 for times in branches.values())
            rows.append((1 - len(missing) / len(counts), path.relative_to(ROOT / options.folder), len(counts), missing,
                         taken, len(branches)))
    rows.sort()
    for share, path, count, missing, taken, ways in rows:
        print("%-28s %6.1f %%  %4d of %4d lines, %4d of %4d branches" % (
            path, 100 * share, count - len(missing), count, taken, ways))
        if options.missing and missing:
            print("    not reached: " + ranges(missing))
    total, missed = sum(row[2] for row in rows), sum(len(row[3]) for row in rows)
    share = (total - missed) / total if total else 0.0
    taken, ways = sum(row[4] for row in rows), sum(row[5] for row in rows)
    print("%-28s %6.1f %%  %4d of %4d lines, %.1f %% of %d branches" % (
        "total", 100 * share, total - missed, total,
        100 * taken / ways if ways else 0.0, ways))
    return 1 if 100 * share < options.floor else 0


if __name__ == "__main__":
    sys.exit(main())
