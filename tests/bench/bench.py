#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bench: how long the tool takes, how it grows, and what it needs in memory.

    tests/bench/bench.py                     every section, medians of 5 runs
    tests/bench/bench.py programs decide     some sections
    tests/bench/bench.py --large             programs of a million operations too
    tests/bench/bench.py --json              one JSON object per row instead, for machines

BENCH_JSON=FILE adds the JSON lines to that file and keeps the tables, as in all programs of this folder.

Times are CPU time of the whole process, start-up subtracted where the column says so; memory is the peak resident set.
Figures of one machine mean little on another: compare the ratios.
"""
import argparse
import fcntl
import json
import os
import pathlib
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import gen_hard  # noqa: E402
import gen_onnx  # noqa: E402
import gen_program  # noqa: E402
import models  # noqa: E402

PAGE, F_SETPIPE_SZ = 4096, 1031
MEASURED = {}  # what the section of goals compares
TOOL = os.environ.get("SHAPE") or str(HERE.parents[1] / "build" / "shape")


def run(arguments, stdin=None):
    """CPU seconds of one run of the tool; its output is thrown away."""
    with open(stdin or os.devnull, "rb") as source:
        child = subprocess.Popen([TOOL] + arguments, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        complaint = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit("%s ended with status %d: %s" % (arguments, status, complaint.decode()[-300:]))
    return usage.ru_utime + usage.ru_stime


def resident(pid):
    with open("/proc/%d/status" % pid, encoding="utf-8") as status:
        found = re.search(r"VmHWM:\s+(\d+)", status.read())
    return 1024 * int(found[1]) if found else 0


def peak_of(arguments, stdin=None):
    """Peak resident bytes, asked for at each page of the answer: wait4 counts what Python had when it started the tool."""
    out, into = os.pipe()
    fcntl.fcntl(into, F_SETPIPE_SZ, PAGE)
    with open(stdin or os.devnull, "rb") as source, subprocess.Popen(
            [TOOL] + arguments, stdin=source, stdout=into, stderr=subprocess.DEVNULL) as child:
        os.close(into)
        most = 0
        while os.read(out, PAGE):
            most = max(most, resident(child.pid))
    os.close(out)
    return most


def median(arguments, runs, stdin=None):
    """(CPU seconds of the median run, peak resident bytes)"""
    return statistics.median(run(arguments, stdin) for _ in range(runs)), peak_of(arguments, stdin)


class Table:
    """Rows of one section, printed as they come: aligned for people, or JSON lines."""

    def __init__(self, options, section, columns):
        self.options, self.section, self.columns = options, section, columns
        if not options.json:
            print("\n%s\n%s" % (section, "".join("%-26s" % columns[0] + "".join("%14s" % c for c in columns[1:]))))

    def row(self, *values):
        line = json.dumps(dict(section=self.section, **dict(zip(self.columns, values))))
        if self.options.json:
            print(line)
            return
        if os.environ.get("BENCH_JSON"):
            with open(os.environ["BENCH_JSON"], "a", encoding="utf-8") as handle:
                handle.write(line + "\n")
        shown = ["%14s" % ("%.3f" % v if isinstance(v, float) else v) for v in values[1:]]
        print("%-26s%s" % (values[0], "".join(shown)), flush=True)


def startup(folder, runs):
    empty = os.path.join(folder, "empty.mlir")
    with open(empty, "w", encoding="utf-8") as handle:
        handle.write("module {\n}\n")
    seconds = statistics.median(run(["check", "--json", empty]) for _ in range(max(runs, 11)))
    return seconds, peak_of(["check", "--json"] + [empty] * 100)  # more than a page: it waits while it is inspected


def write_program(folder, kind, count):
    path = os.path.join(folder, "%s-%d.mlir" % (kind, count))
    text, written = gen_program.program(kind, count)
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)
    return path, written


def section_programs(options, folder):
    """Stacks of transformer blocks, as MLIR and as JSON graphs: cost per operation must not grow with the program."""
    base, memory = startup(folder, options.runs)
    table = Table(options, "programs: start-up subtracted", ["program", "ops", "us/op", "bytes/op", "to 1k"])
    table.row("(empty module)", 0, base * 1e6, memory, 1.0)
    commands = {"check": ["check", "--json"], "refine": ["refine"]}
    first = {}
    for count in [1000, 10000, 100000] + ([1000000] if options.large else []):
        path, written = write_program(folder, "blocks", count)
        sources = [(k, c, path) for k, c in commands.items()]
        for form in ("json", "bytecode"):
            sources.append((form, commands["check"], os.path.join(folder, "program." + form)))
            with open(sources[-1][2], "wb") as handle:
                subprocess.run([TOOL, "refine", "--emit", form, path], stdout=handle, check=True)
        for name, words, source in sources:
            cpu, peak = median(words + [source], options.runs if count < 10**6 else 1)
            per_op = (cpu - base) * 1e6 / written
            first.setdefault(name, per_op)
            MEASURED[name, count] = per_op
            MEASURED["bytes", name, count] = (peak - memory) / written
            table.row("%s %d" % (name, count), written, per_op, int((peak - memory) / written), per_op / first[name])


GROWTH = (("chain", gen_program.program, (2000, 16000)), ("concat", gen_program.program, (2000, 16000)),
          ("loops", gen_hard.PROGRAMS, (8, 64)), ("branches", gen_hard.PROGRAMS, (8, 64)),
          ("elements", gen_hard.PROGRAMS, (1000, 10000)), ("unions", gen_hard.QUERIES, (1000, 10000)),
          ("products", gen_hard.QUERIES, (1000, 10000)), ("total", gen_hard.QUERIES, (1000, 10000)),
          ("band", gen_hard.QUERIES, (1000, 10000)))


def section_growth(options, folder):
    """Programs and queries made to be slow: a larger one must not cost much more per part of it."""
    base, memory = startup(folder, options.runs)
    table = Table(options, "growth: cost per part as a hard case grows", ["case", "parts", "ms", "us/part", "to first", "peak MB"])
    path = os.path.join(folder, "hard")
    for kind, source, dims in GROWTH:
        first = None
        for size in dims:
            text, parts = source(kind, size) if callable(source) else (source[kind](size), size)
            with open(path, "w", encoding="utf-8") as handle:
                handle.write(text)
            asked = ["decide", "--jsonl"] if source is gen_hard.QUERIES else ["check", "--json", path]
            cpu, peak = median(asked, options.runs, path)
            per_part = max(cpu - base, 0) * 1e6 / parts
            first = first or per_part
            table.row("%s %d" % (kind, size), parts, (cpu - base) * 1e3, per_part, per_part / first if first else 0.0,
                      (peak - memory) / 1e6)


def section_expressions(options, folder):
    """ONNX layers whose dims are made of those of the layer before: the cost per operation must not grow with depth."""
    base, _ = startup(folder, options.runs)
    table = Table(options, "expressions: chains of ONNX layers", ["model", "ops", "us/op", "bytes/op", "to 100"])
    for kind in gen_onnx.KINDS:
        first = None
        for layers in (10, 100, 1000):
            path = os.path.join(folder, "chain.onnx")
            data, ops = gen_onnx.chain(kind, layers)
            with open(path, "wb") as handle:
                handle.write(data)
            cpu, peak = median(["check", "--json", path], options.runs)
            per_op = max(cpu - base, 0) * 1e6 / ops
            first = per_op if layers == 100 else first
            MEASURED[kind, layers] = per_op
            table.row("%s %d" % (kind, layers), ops, per_op, int(peak / ops), per_op / first if first else 0.0)


def chain_line(kind, length, order, rng):
    """A decision about the two ends of a chain of `length` links, given in some order."""
    links = {"eq": ["x%d == x%d + 1" % (i + 1, i) for i in range(length)],
             "le": ["x%d <= x%d" % (i, i + 1) for i in range(length)],
             "mul": ["x%d == 2*x%d" % (i + 1, i) for i in range(length)]}[kind]
    query = {"eq": "x%d == x0 + %d" % (length, length), "le": "x0 <= x%d" % length,
             "mul": "divisible(x%d, 2)" % length}[kind]
    if order == "backward":
        links.reverse()
    elif order == "shuffled":
        rng.shuffle(links)
    symbols = {"x%d" % i: {"min": 0, "max": None, "multiple_of": None} for i in range(length + 1)}
    return json.dumps({"id": kind, "symbols": symbols, "assume": links, "query": query})


def section_chains(options, folder):
    """Chains of assumptions, decided from one end to the other."""
    rng, empty = random.Random(1), os.path.join(folder, "none.jsonl")
    open(empty, "w", encoding="utf-8").close()
    base, _ = median(["decide", "--jsonl"], options.runs, empty)
    table = Table(options, "chains: one decision over N links", ["chain", "links", "ms", "us/link"])
    for kind in ("eq", "le", "mul"):
        for order in ("forward", "backward", "shuffled"):
            for length in (10, 100, 1000, 10000):
                path = os.path.join(folder, "chain.jsonl")
                with open(path, "w", encoding="utf-8") as handle:
                    handle.write(chain_line(kind, length, order, rng) + "\n")
                cpu = median(["decide", "--jsonl"], options.runs, path)[0] - base
                table.row("%s %s" % (kind, order), length, cpu * 1e3, cpu * 1e6 / length)


QUERIES = [
    (["a >= b + 8"], "a >= 9"), (["mod(a, 16) == 0"], "divisible(a*b, 16)"), (["a <= b", "b <= c"], "a <= c"),
    (["2*a == 3*b"], "divisible(a, 3)"), (["a*b == a*c"], "b == c"), (["a == 4*b"], "floordiv(a, 4) == b"),
    ([], "max(a, b) >= a"), ([], "mod(a*(a + 1), 2) == 0"), (["a + b == 10", "a <= b", "a >= b"], "a == 5"),
    (["a < b"], "a + 1 <= b"), ([], "floordiv(a, 2)*2 <= a"), (["b <= 7"], "min(a, b) <= 7")]


def decide(options, table, name, path, count):
    runs = max(options.runs, 11)
    cpu, peak = median(["decide", "--jsonl"], runs, path)
    cpu -= statistics.median(run(["decide", "--jsonl"]) for _ in range(runs))
    MEASURED["decisions"] = int(count / cpu)  # of the last ones
    table.row(name, count, cpu * 1e6 / count, int(count / cpu), peak / 1e6)


ASKED = ("id", "symbols", "assume", "query", "bounds", "simplify")
DECISIONS = HERE.parents[2] / "shared" / "corpus" / "decision" / "cases.jsonl"


def section_decide(options, folder):
    """Many small queries in one process; every line has symbols of its own, so no answer can come from a cache. And those of
    the corpus, where ../shared is beside the checkout."""
    path, count = os.path.join(folder, "queries.jsonl"), 60000
    with open(path, "w", encoding="utf-8") as handle:
        for k in range(count):
            assume, query = QUERIES[k % len(QUERIES)]
            def named(text, k=k):
                return "".join("%s_%d" % (c, k) if c in "abc" and not (text[i - 1:i].isalpha() or text[i + 1:i + 2].isalpha())
                               else c for i, c in enumerate(text))
            symbols = {"%s_%d" % (s, k): {"min": 1, "max": None, "multiple_of": None} for s in "abc"}
            handle.write(json.dumps({"id": str(k), "symbols": symbols, "assume": [named(a) for a in assume],
                                     "query": named(query)}) + "\n")
    table = Table(options, "decide: queries, one process", ["queries", "count", "us each", "per second", "peak MB"])
    decide(options, table, "mixed", path, count)
    if DECISIONS.exists():
        queries = [json.loads(line) for line in DECISIONS.read_text(encoding="utf-8").splitlines()]
        with open(path, "w", encoding="utf-8") as handle:
            handle.writelines(json.dumps({k: v for k, v in q.items() if k in ASKED}) + "\n" for q in queries)
        decide(options, table, "corpus", path, len(queries))


COMMANDS = ("check --json", "check --certify", "refine", "refine --names", "refine --cleanup",
            "refine --emit json", "refine --emit disc-shape", "refine --emit bytecode", "refine --guards function",
            "refine --guards python", "cost", "cost --reuse", "view", "graph --format dot", "diff", "generalize",
            "batch -j 1 --quiet", "explain --at 3:5")


def section_commands(options, folder):
    """Every command with many operations, and with many arguments: ten times as many must cost ten times as much."""
    base, _ = startup(folder, options.runs)
    table = Table(options, "commands: cost per part", ["command", "kind", "us at 1,000", "us at the most", "ratio"])
    for command in COMMANDS:
        for kind, dims in (("blocks", (1000, 10000)), ("arguments", (1000, 10000, 32000))):
            costs = []
            for size in dims:
                path, parts = write_program(folder, kind, size)
                words = command.split() + [path] * (2 if command == "diff" else 1)
                costs.append((median(words, min(options.runs, 3))[0] - base) * 1e6 / parts)
            ratio = costs[-1] / costs[0] if costs[0] > 0 else 0.0
            MEASURED["linear"] = max(MEASURED.get("linear", 0), ratio)
            table.row(command, kind, costs[0], costs[-1], ratio)


def section_models(options, folder):
    """ONNX models: `batch` beside Python processes that load each and call onnx's infer_shapes; and in one process."""
    table = Table(options, "models: CPU of batch to that of onnx", ["models", "count", "processes", "ms", "onnx ms", "times"])
    peer = models.python()
    for name, write, processes in (("without weights", models.zoo, 1), ("with weights", models.testdata, 2)):
        inside = os.path.join(folder, name.replace(" ", "-"))
        os.mkdir(inside)
        count = write(inside)
        if not count or not peer:
            table.row(name + ": skipped", count, processes, "-", "-", "-")
            continue
        pairs = [models.pair(TOOL, peer, inside, processes) for _ in range(options.runs)]
        MEASURED["models", name] = ratio = statistics.median(theirs / mine for mine, theirs in pairs)
        mine, theirs = (statistics.median(column) * 1e3 for column in zip(*pairs))
        table.row(name, count, processes, mine, theirs, ratio)
    files = os.path.join(os.path.dirname(TOOL), "bench", "files")
    paths = models.models(os.path.join(folder, "without-weights"))
    if paths and os.path.exists(files):
        said = subprocess.run([files, "--total"] + paths, stdout=subprocess.PIPE, text=True, check=True).stdout
        MEASURED["zoo"] = float(re.search(r"median ([\d.]+) us", said)[1]) / 1e3
        table.row("each, in one process", len(paths), 1, MEASURED["zoo"], "-", "-")


def recorded(section):
    """The rows of a section that the programs beside this one have written to BENCH_JSON."""
    path = os.environ.get("BENCH_JSON")
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as handle:
        return [row for row in map(json.loads, handle) if row["section"] == section]


def measured_by_others():
    us = {row["method"]: row["median_us"] for row in recorded("request")}
    if {"server/ping", "analyze"} <= us.keys():
        MEASURED["to ping"] = us["analyze"] / us["server/ping"]
    loaded = [r["per_second"] for r in recorded("daemon")
              if (r["workload"], r["connections"], r["depth"], r["asked"]) == ("analyze20", 8, 16, 0)]
    if loaded:
        MEASURED["daemon"] = int(statistics.median(loaded))
    for key, rows, value in (
            ("edit", [r for r in recorded("session") if r["dependants"] == 10000], lambda r: r["p50_ms"]),
            ("query", [r for r in recorded("queries") if r["kind"] in ("same dim", "same shape", "divisible by 8")],
             lambda r: r["median_ns"] / 1e3),
            ("to cJSON", [r for r in recorded("phases") if r["file"] == "json 100000"],
             lambda r: sum(r[p + "_ns"] for p in ("read", "parse", "build", "solve", "report", "write")) / r["cjson_ns"])):
        if rows:
            MEASURED[key] = max(map(value, rows))


GOALS = (("check, MLIR text, us/op", ("check", 100000), 0.45), ("check, bytecode, us/op", ("bytecode", 100000), 0.3),
         ("JSON to cJSON's parse", "to cJSON", 0.7), ("refine, us/op", ("refine", 100000), 0.9),
         ("check, bytes/op", ("bytes", "check", 100000), 200), ("decisions/s", "decisions", 250000),
         ("analysis of 20 ops to ping", "to ping", 2.5), ("daemon, analyses/s", "daemon", 65000),
         ("edit, 10,000 depend, ms", "edit", 2),
         ("ONNX zoo, median ms", "zoo", 0.2), ("batch to onnx, no weights", ("models", "without weights"), 5),
         ("batch to onnx, weights", ("models", "with weights"), 5), ("query in process, us", "query", 1),
         ("dense, us/op", ("dense", 1000), 40), ("broadcasts, us/op", ("broadcasts", 1000), 40),
         ("grow_shrink, us/op", ("grow_shrink", 1000), 40), ("largest ratio of commands", "linear", 2))


def section_goals(options, folder):
    """What the sections before, and the programs that `make bench` runs before them, have measured, beside what is asked."""
    table = Table(options, "goals", ["workload", "today", "goal"])
    measured_by_others()
    for name, key, goal in GOALS:
        table.row(name, MEASURED.get(key, "not measured"), goal)


SECTIONS = {name[8:]: value for name, value in list(globals().items()) if name.startswith("section_")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="of: " + ", ".join(SECTIONS))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="a million operations too")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    unknown = [s for s in options.sections if s not in SECTIONS]
    if unknown:
        parser.error("no section %s; there are: %s" % (unknown[0], ", ".join(SECTIONS)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.sections or SECTIONS:
            SECTIONS[name](options, folder)
    if not options.json:
        print("\n%.0f s in all" % (time.monotonic() - start))
    return 0


if __name__ == "__main__":
    sys.exit(main())
