#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command that the documents show and compares what it prints; checks the links between them.

    tests/system/documents.py              all *.md files of the project
    tests/system/documents.py README.md    one of them
    tests/system/documents.py --update     write what the commands print now into the documents

In a block ```console a line `$ COMMAND` is run from the root of the project, with the built programs on the PATH, and the
lines up to the next command are what it must print (standard output and error). A line `...` stands for any lines.
Commands that begin with `make` or `sudo` are for the reader and are not run here. The last line is `N passed, N failed`.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.S | re.M)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
NOT_RUN = ("make", "sudo", "git clone", "cd ")


def documents(names):
    if names:
        return [ROOT / n for n in names]
    tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    return [ROOT / n for n in sorted(tracked)]


def steps(block):
    """(command, lines it should print) of a block."""
    out = []
    for line in block.splitlines():
        if line.startswith("$ "):
            out.append((line[2:], []))
        elif out:
            out[-1][1].append(line)
    return out


def run(command):
    build = os.environ.get("BUILD_DIR") or str(ROOT / "build")
    env = dict(os.environ, PATH=os.path.join(ROOT, build) + ":" + os.environ["PATH"], NO_COLOR="1", COLUMNS="80")
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, capture_output=True, timeout=60, text=True)
    return (done.stdout + done.stderr).splitlines()


def matches(wanted, got):
    """Whether the lines agree, with `...` for any number of lines."""
    pattern = "".join("(?:.*\n)*" if w.strip() == "..." else re.escape(w.rstrip()) + "\n" for w in wanted)
    return re.fullmatch(pattern, "".join(g.rstrip() + "\n" for g in got)) is not None


def check_block(path, block, update):
    """(new text of the block, failures, count)."""
    lines, failures, count = [], [], 0
    for command, wanted in steps(block):
        lines.append("$ " + command)
        if command.startswith(NOT_RUN):
            lines.extend(wanted)
            continue
        count += 1
        got = run(command)
        if matches(wanted, got):
            lines.extend(wanted)
        elif update:
            lines.extend(g.rstrip() for g in got)
        else:
            failures.append("%s: `%s` prints\n  %s" % (path.relative_to(ROOT), command, "\n  ".join(got[:40])))
            lines.extend(wanted)
    return "\n".join(lines) + "\n", failures, count


def check_links(path, text):
    for target in LINK.findall(text):
        if "://" not in target and not (path.parent / target).exists():
            yield "%s: the link to %s leads nowhere" % (path.relative_to(ROOT), target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="*")
    parser.add_argument("--update", action="store_true", help="write what the commands print into the documents")
    options = parser.parse_args()
    passed, failed = 0, []
    for path in documents(options.documents):
        text = path.read_text(encoding="utf-8")
        links = list(check_links(path, text))
        failed += links
        passed += not links
        new = text
        for match in BLOCK.finditer(text):
            body, failures, count = check_block(path, match.group(1), options.update)
            failed += failures
            passed += count - len(failures)
            new = new.replace(match.group(0), "```console\n" + body + "```")
        if options.update and new != text:
            path.write_text(new, encoding="utf-8")
    for failure in failed:
        print("FAILED " + failure)
    print("%d passed, %d failed" % (passed, len(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
