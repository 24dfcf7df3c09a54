#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how many lines and branches of the sources in a folder were reached, by gcov.

    tests/coverage.py build/coverage solver proto                 a table, worst first, and the total of each folder
    tests/coverage.py build/coverage solver --missing             and the lines that were not reached
    tests/coverage.py build/coverage solver --floor 90 --branches 75
                                                                  exit status 1 when a total is below

The two ways out of an `assert` are no branches: one of them ends the program. `make coverage` builds and runs what is
counted here.
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
    asserts = {n for n, text in enumerate((ROOT / source).read_text().split("\n"), 1) if text.lstrip().startswith("assert(")}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["gcov", "--branch-probabilities", "--json-format", str(notes)], cwd=folder, check=True,
                       capture_output=True)
        for path in pathlib.Path(folder).glob("*.gcov.json.gz"):
            for file in json.load(gzip.open(path))["files"]:
                if file["file"].endswith(str(source)):
                    for line in file["lines"]:
                        at = line["line_number"]
                        counts[at] = max(counts.get(at, 0), line["count"])
                        for n, branch in enumerate(line["branches"] if at not in asserts else []):
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


def print_folder(build, folder, missing):
    """Prints the table of a folder; the shares of its lines and branches that were reached, in percent."""
    rows = []
    for path in sorted((ROOT / folder).rglob("*.c")):
        counts, branches = reached(build, path.relative_to(ROOT))
        if counts:
            left = sorted(n for n, times in counts.items() if not times)
            taken = sum(times > 0 for times in branches.values())
            rows.append((1 - len(left) / len(counts), path.relative_to(ROOT / folder), len(counts), left, taken, len(branches)))
    rows.sort()
    for share, path, count, left, taken, ways in rows:
        print("%-28s %6.1f %%  %4d of %4d lines, %4d of %4d branches" % (path, 100 * share, count - len(left), count, taken, ways))
        if missing and left:
            print("    not reached: " + ranges(left))
    total, missed = sum(row[2] for row in rows), sum(len(row[3]) for row in rows)
    taken, ways = sum(row[4] for row in rows), sum(row[5] for row in rows)
    lines, branches = 100 * (total - missed) / max(total, 1), 100 * taken / max(ways, 1)
    print("%-28s %6.1f %%  %4d of %4d lines, %.1f %% of %d branches" % (
        "total of " + folder, lines, total - missed, total, branches, ways))
    return lines, branches


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--missing", action="store_true", help="the lines that were not reached, too")
    parser.add_argument("--floor", type=float, default=0.0, help="percent of the lines")
    parser.add_argument("--branches", type=float, default=0.0, help="percent of the branches")
    options = parser.parse_args()
    shares = [print_folder(options.build, folder, options.missing) for folder in options.folder]
    return int(any(lines < options.floor or branches < options.branches for lines, branches in shares))


if __name__ == "__main__":
    sys.exit(main())
