# SPDX-License-Identifier: Apache-2.0
"""The command line and the loop of the tests that try one claim on random programs, a seed at a time."""
import argparse
import os
import pathlib
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def options_of(doc, variable, most):
    """(the program under test, the seeds, the only one of them or None) from the command line; as over_seeds."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=int(os.environ.get(variable, most)))
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seed", type=int, help="only this program, with its text")
    options = parser.parse_args()
    tool = os.environ.get("SHAPE") or str(ROOT / "build" / "shape")
    first, count = (options.first, options.count) if options.seed is None else (options.seed, 1)
    return tool, range(first, first + count), options.seed


def verdict(count, failed):
    """Prints the last line of a test of that number of cases; the exit status."""
    print("%d passed, %d failed" % (count - min(failed, count), failed))
    return 1 if failed else 0


def over_seeds(doc, variable, most, check, counted, least):
    """Runs check(tool, seed, folder) -> (counts, what is wrong, text of the program) over seeds; returns the exit status.

    doc       the text of --help
    variable  names the environment's number of programs, `most` where it is not set
    counted   what each of the counts is of, for the line before the last
    least     each count is at least this number per program, or the test has tested little and fails
    """
    tool, seeds, only = options_of(doc, variable, most)
    totals, failed = [0] * len(counted), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            counts, found, text = check(tool, seed, folder)
            totals = [total + count for total, count in zip(totals, counts)]
            failed += bool(found)
            if found and failed <= 10:
                print("seed %d: %s" % (seed, found[0]))
            if only is not None:
                print(text, *found, sep="\n")
    print(", ".join(["%d programs" % len(seeds)] + ["%d %s" % pair for pair in zip(totals, counted)]))
    if only is None and min(totals) < int(least * len(seeds)):
        print("too few of them: this test has tested little")
        failed += 1
    return verdict(len(seeds), failed)
