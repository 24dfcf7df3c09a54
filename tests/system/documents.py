#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command that the documents show and compares what it prints; checks the links between them, and that
commands, options and make targets that they only name are there.

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
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)#?([^)\s]*)\)")
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


def anchors(path):
    """What a link may name after #: the headings of a document, as GitHub spells them."""
    headings = re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def check_widths(path, text):
    """Lines have 120 columns at most, but for rows of tables, which have no other form."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > 120 and not line.startswith("|"):
            yield "%s:%d: %d columns, 120 at most" % (path.relative_to(ROOT), number, len(line))


def check_links(path, text):
    for target, anchor in LINK.findall(re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)):
        if "://" in target:
            continue
        leads_to = path.parent / target if target else path
        if not leads_to.exists() or (anchor and anchor not in anchors(leads_to)):
            yield "%s: the link to %s%s leads nowhere" % (path.relative_to(ROOT), target, anchor and "#" + anchor)


def table(path, pattern):
    return set(re.findall(pattern, (ROOT / path).read_text(encoding="utf-8"), re.M))


def check_words(path, text):
    """Commands that stand in a document without being run (in code, in a sentence) have to exist, too."""
    commands = table("clients/cli/commands.def", r'^X\("(\w+)"')
    options = table("clients/cli/options.def", r'^X\("(\w*)", "([\w-]+)"')
    daemon = table("server/options.def", r'^X\(\w+, "([\w-]+)"') | {"config", "check-config", "help", "version"}
    targets = table("Makefile", r"^([a-z][a-z-]*):")
    code = "\n".join(re.findall(r"^```\w*\n(.*?)^```$", text, re.S | re.M) + re.findall(r"`([^`\n]+)`", text)
                     + re.findall(r"^    (\S.*)$", text, re.M))
    code = code.replace("\\\n", " ")
    where = path.relative_to(ROOT)
    for line in code.splitlines():
        for words in re.findall(r"(?:^|[$;&|(] ?|exec )make ((?:[\w=/.'-]+ ?)+)", line):
            target = next((w for w in words.split() if "=" not in w and not w.startswith("-")), None)
            if target and target not in targets and not target.startswith("build/"):
                yield "%s: there is no `make %s`" % (where, target)
        for command, rest in re.findall(r"(?:^|[$;&|(] ?|exec )shape ([a-z]+)\b([^;|#]*)", line):
            if command not in commands:
                yield "%s: there is no `shape %s`" % (where, command)
            for option in re.findall(r"(?:^|\s)--([a-z][\w-]*)", rest.split(" -- ")[0]):
                if (command, option) not in options and ("", option) not in options:
                    yield "%s: `shape %s` has no option --%s" % (where, command, option)
        for rest in re.findall(r"(?:^|[$;&|(] ?)shaped (--[^;|#]*)", line):
            for option in re.findall(r"(?:^|\s)--([a-z][\w-]*)", rest):
                if option not in daemon:
                    yield "%s: `shaped` has no option --%s" % (where, option)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="*")
    parser.add_argument("--update", action="store_true", help="write what the commands print into the documents")
    options = parser.parse_args()
    passed, failed = 0, []
    for path in documents(options.documents):
        text = path.read_text(encoding="utf-8")
        links = list(check_links(path, text)) + list(check_words(path, text)) + list(check_widths(path, text))
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
