#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden cases: a folder per case with plain files, as a user could have sent them.

    tests/golden/run.py                     run all cases with ./build/shape (or $SHAPE)
    tests/golden/run.py decide              only cases whose path contains "decide"
    tests/golden/run.py --bless decide/new  write what the tool prints now as expected: read it before you commit it

A case is a folder AREA/NAME with
    options           the arguments, as in a shell; run inside the folder, so that inputs are named plainly
    stdin             optional: what the tool reads from standard input
    expected.out      what it prints on standard output, byte for byte
    expected.err      optional: what it prints on standard error
    expected.status   optional: the exit status (default 0)

refused/FAMILY.mlir holds functions that break one constraint of StableHLO's specification each, and some that break none.
A comment `// refused: MESSAGE` stands before an operation for each error that `shape check` must find in it, in order;
there must be no other error in the file. Each function counts as a case.
The last line is `N passed, N failed`; the exit status is 1 when a case failed.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 30


def cases(filters):
    for options in sorted(HERE.glob("*/*/options")):
        case = options.parent
        if not filters or any(f in str(case.relative_to(HERE)) for f in filters):
            yield case


def run(tool, case):
    arguments = shlex.split((case / "options").read_text(encoding="utf-8"))
    stdin = case / "stdin"
    env = dict(os.environ, NO_COLOR="1", COLUMNS="80")
    done = subprocess.run([tool] + arguments, cwd=case, env=env, timeout=TIMEOUT, capture_output=True,
                          input=stdin.read_bytes() if stdin.exists() else b"")
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def differences(case, status, out, err):
    wanted = case / "expected.status"
    want_status = int(wanted.read_text()) if wanted.exists() else 0
    if status != want_status:
        yield "exit status %d, expected %d: %s" % (status, want_status, err.strip()[:200])
    for name, got in (("expected.out", out), ("expected.err", err)):
        path = case / name
        if not path.exists():
            if name == "expected.out":
                yield "no expected.out: run with --bless and read it"
            continue
        want = path.read_text(encoding="utf-8")
        if want != got:
            yield "\n".join(difflib.unified_diff(want.splitlines(), got.splitlines(), name, "got", lineterm="", n=2))


def bless(case, status, out, err):
    (case / "expected.out").write_text(out, encoding="utf-8")
    if status:
        (case / "expected.status").write_text("%d\n" % status)
    if (case / "expected.err").exists():
        (case / "expected.err").write_text(err, encoding="utf-8")


def expected_errors(lines):
    """{line: messages} of the comments, and {line: function} of all lines."""
    wanted, functions, messages, name = {}, {}, [], None
    for number, line in enumerate(lines, 1):
        name = (re.match(r"func\.func @(\w+)", line) or [None, name])[1]
        functions[number] = name
        comment = re.match(r"\s*// refused: (.*)", line)
        if comment:
            messages.append(comment[1])
        elif messages:
            wanted[number], messages = messages, []
    return wanted, functions


def refused(tool, path):
    """(functions, what is wrong with them) of a file of wrong programs."""
    lines = path.read_text(encoding="utf-8").split("\n")
    wanted, functions = expected_errors(lines)
    done = subprocess.run([tool, "check", "--json", str(path)], timeout=TIMEOUT, capture_output=True)
    found = {}
    for d in json.loads(done.stdout)["diagnostics"]:
        if d["severity"] == "error":
            found.setdefault(d["line"], []).append(d["message"].split(": ", 1)[1])
    wrong = {}
    for line in sorted(set(wanted) | set(found)):
        if wanted.get(line) != found.get(line):
            wrong[functions[line]] = "line %d: %s, expected %s" % (line, found.get(line), wanted.get(line))
    return len(set(functions.values()) - {None}), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filters", nargs="*", help="only cases whose path contains one of these")
    parser.add_argument("--bless", action="store_true", help="write what the tool prints now")
    options = parser.parse_args()
    tool = os.environ.get("SHAPE") or str(HERE.parent.parent / "build" / "shape")
    passed = failed = 0
    for case in cases(options.filters):
        status, out, err = run(tool, case)
        if options.bless:
            bless(case, status, out, err)
            continue
        wrong = list(differences(case, status, out, err))
        passed, failed = passed + (not wrong), failed + bool(wrong)
        for text in wrong:
            print("FAILED %s: %s" % (case.relative_to(HERE), text))
    for path in sorted((HERE / "refused").glob("*.mlir")):
        name = "refused/%s" % path.stem
        if options.bless or (options.filters and not any(f in name for f in options.filters)):
            continue
        count, wrong = refused(tool, path)
        passed, failed = passed + count - len(wrong), failed + len(wrong)
        for function, text in wrong.items():
            print("FAILED %s @%s: %s" % (name, function, text))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
