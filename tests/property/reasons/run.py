#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the reasons that programs are given to what they say: they are enough, and none of them is needless.

    tests/property/reasons/run.py                    400 random programs (or $PROPERTY_REASONS; with CI=true 1,500)
    tests/property/reasons/run.py --first 4711       other seeds
    tests/property/reasons/run.py --seed 4711        one program: its text and everything that was asked

Each program is checked under --certify: what the independent checker confirms is counted, and at least 99 % must be.
Then `explain` is asked for each constraint and for each pair of argument dims that the answer calls equal; the facts that
it names are given to `decide`, which knows nothing of the program: the claim must follow from them, and not from the others
when one is left out. Claims about dims that the program computes are left out, as decide does not get their ranges.
The last line is `N passed, N failed`, over explanations and programs.
"""
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import generate  # noqa: E402
from seeds import options_of  # noqa: E402

NAME = re.compile(r"\barg\d+(?:\.\d+)?\b")
MADE = re.compile(r"\b_\d+\b")  # a size that the program computes
BATCH = 200
MIN_CONFIRMED = 0.99


def text_of(seed):
    rng = random.Random(seed)
    return generate.Program(rng, rng.randint(2, 12)).text()


def check(tool, paths):
    done = subprocess.run([tool, "check", "--json", "--certify"] + paths, capture_output=True, timeout=600)
    return [json.loads(line) for line in done.stdout.decode().strip().split("\n")]


def explain(tool, path, that):
    done = subprocess.run([tool, "explain", "--json", "--that", that, path], capture_output=True, timeout=60)
    return json.loads(done.stdout.decode()) if done.stdout else {}


def queries(answer):
    """What is worth explaining: constraints as they are, and argument dims that have one name."""
    yield from (c["expr"] for c in answer["constraints"])
    main = next(f for f in answer["functions"] if f["name"] == "main")
    extents = {}
    for k, dims in enumerate(main["argument_dims"]):
        for axis, dim in enumerate(dims or []):
            extents.setdefault(dim, []).append("arg%d.%d" % (k, axis))
    for dim, names in extents.items():
        if isinstance(dim, str):
            yield from ("%s == %s" % pair for pair in itertools.combinations(names[:4], 2))


def line_of(claim, facts, number):
    """A request to decide. Dims are at least 0; numbers may be any."""
    names = sorted(set(NAME.findall(" ".join(facts + [claim]))))
    symbols = {name: {"min": 0 if "." in name else None, "max": None, "multiple_of": None} for name in names}
    return json.dumps({"id": number, "symbols": symbols, "assume": facts, "query": claim})


def decide(tool, lines):
    done = subprocess.run([tool, "decide", "--jsonl"], input="\n".join(lines).encode(), capture_output=True, timeout=600)
    return [json.loads(line) for line in done.stdout.decode().strip().split("\n")] if lines else []


def follows(reply):
    return reply.get("conflict") or reply.get("answer") == "true"


def judge(reason, replies):
    """What is wrong with one explanation: the first reply is to all facts, the others are each without one."""
    if "error" in replies[0]:
        return None
    if not follows(replies[0]):
        return None if "bounds" in reason["text"] else "what is named is not enough"
    for fact, reply in zip(reason["facts"], replies[1:]):
        if follows(reply):
            return "needless: " + fact
    return None


class Tally:
    def __init__(self):
        self.passed = self.failed = self.claims = self.confirmed = self.members = 0

    def note(self, wrong, where):
        self.passed += wrong is None
        self.failed += wrong is not None
        if wrong is not None and self.failed <= 10:
            print("%s: %s" % (where, wrong))


def run_batch(tool, seeds, folder, tally, verbose):
    texts, paths = [text_of(seed) for seed in seeds], []
    for k, text in enumerate(texts):
        paths.append(os.path.join(folder, "p%d.mlir" % k))
        pathlib.Path(paths[-1]).write_text(text, encoding="utf-8")
    reasons, lines = [], []
    for seed, text, path, answer in zip(seeds, texts, paths, check(tool, paths)):
        sums = answer.get("certificate") or {}
        tally.note("contradicted by a point" if sums.get("contradicted") else None, "seed %d" % seed)
        tally.claims += sums.get("constraints", 0) + sums.get("implications", 0)
        tally.confirmed += sums.get("confirmed", 0) + sums.get("implied", 0)
        if answer["status"] != "ok":
            continue
        for that in queries(answer):
            said = explain(tool, path, that)
            facts = [step["fact"] for step in said.get("because", [])]
            if said.get("answer") != "yes" or MADE.search(" ".join(facts + [said["claim"]])):
                continue
            reasons.append({"seed": seed, "text": text, "that": that, "claim": said["claim"], "facts": facts,
                            "first": len(lines)})
            for less in [facts] + [facts[:i] + facts[i + 1:] for i in range(len(facts))]:
                lines.append(line_of(said["claim"], less, len(lines)))
    replies = decide(tool, lines)
    for reason in reasons:
        first, count = reason["first"], 1 + len(reason["facts"])
        tally.members += count - 1
        wrong = judge(reason, replies[first:first + count])
        tally.note(wrong, "seed %d, %s, from %s" % (reason["seed"], reason["claim"], reason["facts"]))
        if verbose:
            print(reason["claim"], reason["facts"], replies[first:first + count])


def main():
    tool, seeds, only = options_of(__doc__, "PROPERTY_REASONS", 1500 if os.environ.get("CI") == "true" else 400)
    if only is not None:
        print(text_of(only))
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for low in range(seeds.start, seeds.stop, BATCH):
            run_batch(tool, range(low, min(low + BATCH, seeds.stop)), folder, tally, only is not None)
    share = tally.confirmed / max(1, tally.claims)
    tally.note(None if share >= MIN_CONFIRMED else "%.2f %% of the claims are confirmed" % (100 * share), "all")
    print("seeds %d to %d: %d of %d claims confirmed; %d members of explanations left out" %
          (seeds.start, seeds.stop - 1, tally.confirmed, tally.claims, tally.members))
    print("%d passed, %d failed" % (tally.passed, tally.failed))
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
