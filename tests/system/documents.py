#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command that the documents show and compares what it prints; checks the links between them, and that
commands, options and make targets that they only name are there.

    tests/system/documents.py              all *.md files of the project
    tests/system/documents.py README.md    one of them
    tests/system/documents.py --update     write what the commands print now into the documents

In a block ```console a line `$ COMMAND` is run, with the built programs on the PATH, and the lines up to the next
command are what it must print (standard output and error). A line `...` matches any lines, `...` within one
any text. The commands of a document share one shell, in a folder of their own that holds what the root of the project
holds, so that a daemon may run beside (`shaped &`) and files be written. Commands that begin with `make` or `sudo` are
for the reader and are not run; a block with a command that this machine does not have is skipped.

Other blocks hold what needs more than one machine (clusters, containers, editors): their commands of ours are held
against the tables of options, and those in ```sh against the shell's grammar. Nothing is asked of the network: a link
to outside must be https and lead to a host of the list.

The last line is `N passed, N failed[, N skipped]`.
"""
import argparse
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.path.join(ROOT, os.environ.get("BUILD_DIR") or "build")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.S | re.M)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)#?([^)\s]*)\)")
OUTSIDE = ("github.com", "openxla.org", "onnx.ai", "docs.jax.dev", "jsonrpc.org", "microsoft.github.io", "debian.org")
NOT_RUN = ("make", "sudo", "git clone", "cd ")


def documents(names):
    if names:
        return [ROOT / n for n in names]
    tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    return [ROOT / n for n in sorted(tracked)]


def steps(block):
    """(command, lines it should print) of a block. A command that ends in a backslash goes on in a line with `> `."""
    out = []
    for line in block.splitlines():
        if line.startswith("$ "):
            out.append((line[2:], []))
        elif out and line.startswith("> ") and out[-1][0].endswith("\\") and not out[-1][1]:
            out[-1] = (out[-1][0] + "\n" + line[2:], [])
        elif out:
            out[-1][1].append(line)
    return out


class Shell:
    """One shell for the commands of a document, in a folder that holds links to what the project holds."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="shaped-doc-")
        for path in ROOT.iterdir():
            if path.name not in (".git", "build"):
                os.symlink(path, os.path.join(self.folder, path.name))
        env = dict(os.environ, PATH=BUILD + ":" + os.environ["PATH"], NO_COLOR="1", COLUMNS="80",
                   LC_ALL="C.UTF-8", HOME=self.folder, XDG_RUNTIME_DIR=self.folder, PYTHONDONTWRITEBYTECODE="1")
        env.pop("SHAPED_SOCKET", None)
        os.symlink(BUILD, os.path.join(self.folder, "build"))
        self.process = subprocess.Popen(["bash"], cwd=self.folder, env=env, start_new_session=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command, seconds=60):
        """The lines that the command prints; what is still running beside it may print later."""
        end = b"\0done\n"
        self.process.stdin.write(command.encode() + b"\nprintf '\\0done\\n'\n")
        self.process.stdin.flush()
        said, until = b"", time.monotonic() + seconds
        while not said.endswith(end):
            ready = select.select([self.process.stdout], [], [], max(until - time.monotonic(), 0))[0]
            piece = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not piece:
                return (said.decode("utf-8", "replace") + "\n(no end in %d s)" % seconds).splitlines()
            said += piece
        return said[:-len(end)].decode("utf-8", "replace").splitlines()


def matches(wanted, got):
    """Whether the lines agree, with `...` for any number of lines, or for any text of a line."""
    pattern = "".join("(?:.*\n)*" if w.strip() == "..." else
                      ".*".join(re.escape(part) for part in w.rstrip().split("...")) + "\n" for w in wanted)
    return re.fullmatch(pattern, "".join(g.rstrip() + "\n" for g in got)) is not None


def missing(commands):
    """The first program that a block needs and this machine does not have."""
    ours = {"shape", "shaped"}
    for command in commands:
        command = re.sub(r"'[^']*'|\"[^\"]*\"|\\\n|[a-z]+=\S+", " ", command)
        for word in re.findall(r"(?:^|[|;&(] *|\bdo |\bif |! )(?:[A-Z_]+=\S+ )*([a-z][\w./-]*)", command):
            if word not in ours and "/" not in word and subprocess.run(
                    ["bash", "-c", "type -t " + word], env=dict(os.environ, PATH=BUILD + ":" + os.environ["PATH"]),
                    stdout=subprocess.DEVNULL).returncode:
                return word
    return None


def check_block(path, block, update, shell):
    """(new text of the block, failures, count)."""
    lines, failures, count = [], [], 0
    for command, wanted in steps(block):
        lines.append("$ " + command.replace("\n", "\n> "))
        if command.startswith(NOT_RUN):
            lines.extend(wanted)
            continue
        count += 1
        got = shell.run(command)
        if matches(wanted, got):
            lines.extend(wanted)
        elif update:
            lines.extend(g.rstrip() for g in got)
        else:
            failures.append("%s: `%s` prints\n  %s" % (path.relative_to(ROOT), command, "\n  ".join(got[:40])))
            lines.extend(wanted)
    return "\n".join(lines) + "\n", failures, count


def check_commits(path, text):
    """What names a commit (`## Add an operation: 63f0b3c`, or `2cd420d` as code) names one of this history, if any."""
    if subprocess.run(["git", "rev-parse", "-q", "--verify", "HEAD~20"], cwd=ROOT, capture_output=True).returncode:
        return  # an archive, or a shallow clone
    for commit in re.findall(r"^#+ .*: ([0-9a-f]{7})$", text, re.M) + re.findall(r"`([0-9a-f]{7})`", text):
        if subprocess.run(["git", "cat-file", "-e", commit + "^{commit}"], cwd=ROOT, capture_output=True).returncode:
            yield "%s: there is no commit %s" % (path.relative_to(ROOT), commit)


def check_scripts(path, text):
    for script in re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M):
        done = subprocess.run(["bash", "-n"], input=script.encode(), stderr=subprocess.PIPE)
        if done.returncode:
            yield "%s: not a script: %s" % (path.relative_to(ROOT), done.stderr.decode().strip())


def anchors(path):
    """What a link may name after #: the headings of a document, as GitHub spells them."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    headings = re.findall(r"^#+ +(.*?) *$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def check_widths(path, text):
    """Lines have 120 columns at most, but for rows of tables, which have no other form, and what programs print."""
    printed = False
    for number, line in enumerate(text.split("\n"), 1):
        printed = line == "```console" or printed and line != "```"
        if len(line) > 120 and not line.startswith("|") and not (printed and not line.startswith(("$ ", "> "))):
            yield "%s:%d: %d columns, 120 at most" % (path.relative_to(ROOT), number, len(line))


def check_links(path, text):
    for target, anchor in LINK.findall(re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)):
        if "://" in target:
            if not re.fullmatch(r"https://(?:%s)(?:/[\w./~%%-]*)?" % "|".join(map(re.escape, OUTSIDE)), target):
                yield "%s: the link to %s is not https to one of %s" % (path.relative_to(ROOT), target, " ".join(OUTSIDE))
            continue
        leads_to = path.parent / target if target else path
        if (ROOT / "deploy/manual") in path.parents and re.search(r"(?:^|/)(?:reference|pictures|files)/", target):
            continue  # pages and pictures that `make manual` makes; manual.py follows these
        if not leads_to.exists() or (anchor and anchor not in anchors(leads_to)):
            yield "%s: the link to %s%s leads nowhere" % (path.relative_to(ROOT), target, anchor and "#" + anchor)


def table(path, pattern):
    return set(re.findall(pattern, (ROOT / path).read_text(encoding="utf-8"), re.M))


def check_words(path, text):
    """Commands that are in a document without being run (in code, in a sentence) have to exist, too."""
    commands = table("clients/cli/commands.def", r'^X\("(\w+)"')
    options = table("clients/cli/options.def", r'^X\("(\w*)", "([\w-]+)"')
    daemon = table("server/options.def", r'^X\(\w+, "([\w-]+)"') | {"config", "check-config", "help", "version"}
    targets = table("Makefile", r"^([a-z][a-z0-9-]*):")
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
        for rest in re.findall(r"(?:^|[$;&|(] ?)shaped (--[^;&|#]*)", line):
            for option in re.findall(r"(?:^|\s)--([a-z][\w-]*)", rest):
                if option not in daemon:
                    yield "%s: `shaped` has no option --%s" % (where, option)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="*")
    parser.add_argument("--update", action="store_true", help="write what the commands print into the documents")
    options = parser.parse_args()
    passed, failed, skipped = 0, [], 0
    for path in documents(options.documents):
        text = path.read_text(encoding="utf-8")
        checks = (check_links, check_words, check_widths, check_commits, check_scripts)
        problems = [problem for check in checks for problem in check(path, text)]
        failed += problems
        passed += not problems
        new = text
        with Shell() as shell:
            for match in BLOCK.finditer(text):
                commands = [c for c, _ in steps(match.group(1)) if not c.startswith(NOT_RUN)]
                if missing(commands):
                    skipped += 1
                    print("skipped: %s: there is no %s" % (path.relative_to(ROOT), missing(commands)))
                    continue
                body, failures, count = check_block(path, match.group(1), options.update, shell)
                failed += failures
                passed += count - len(failures)
                new = new.replace(match.group(0), "```console\n" + body + "```")
        if options.update and new != text:
            path.write_text(new, encoding="utf-8")
    for failure in failed:
        print("FAILED " + failure)
    print("%d passed, %d failed%s" % (passed, len(failed), ", %d skipped" % skipped if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
