#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A pass of a compiler that decides which operations share a loop, by what the daemon knows of their sizes.

    shape refine --emit json PROGRAM.mlir > PROGRAM.json
    fusion.py PROGRAM.json [SOCKET]

The program is the graph that a compiler sends (proto/PROTOCOL.md, "The graph"). It is opened as a session, so that
queries name its values. An elementwise operation joins the loop of an operand

    where both have the same shape: one nest of loops, an index per axis, or
    where both have the same number of elements: one flat loop, an index for all,

and where no value would be needed before it is made: nothing outside the group may lie between its members. A loop
runs in vectors of as many elements as are known to divide their number. What is not known to hold is not done:
`unknown` counts as no. clients/c/examples/fusion.c is the same pass in C.
"""
import json
import sys

from shaped import Client

ELEMENTWISE = frozenset('stablehlo.' + name for name in (
    'abs add and atan2 cbrt ceil clamp compare complex convert cosine count_leading_zeros divide exponential '
    'exponential_minus_one floor imag is_finite log log_plus_one logistic maximum minimum multiply negate not or '
    'popcnt power real reduce_precision remainder round_nearest_afz round_nearest_even rsqrt select shift_left '
    'shift_right_arithmetic shift_right_logical sign sine sqrt subtract tan tanh xor').split())
RESHAPES = frozenset(('stablehlo.reshape', 'stablehlo.dynamic_reshape'))  # the same elements in the same order
VECTORS = (16, 8, 4, 2)


class Op:
    def __init__(self, name, written, captured, results):
        self.name, self.operands, self.results = name, written + captured, results  # ids of values
        self.fusible = len(results) == 1 and name in ELEMENTWISE | RESHAPES
        self.reads = written[:1] if name in RESHAPES else written  # not the shape that a reshape is given


def names_of(values):
    """The names in a list of values with types, in any of its three forms."""
    items = iter(values)
    for item in items:
        if isinstance(item, str):
            next(items)  # its type
            yield item
        else:
            yield item['name'] if isinstance(item, dict) else item[0]


def parts_of(row):
    """(name, operands, results, regions) of an operation, which is an object or a list."""
    if isinstance(row, dict):
        return row.get('name', ''), row.get('operands', []), row.get('results', []), row.get('regions', [])
    row = list(row) + [[]] * 5
    return row[0], row[1], row[2], row[4]


class Graph:
    """The operations of the entry, here the first function, with values by the ids of sessions: counted in the order of
    the text, arguments of a function or region before its operations, results of one before what is in its regions."""

    def __init__(self, graph):
        self.names, self.ops, self.ids = [], [], {}
        for function in graph['functions']:
            self.define(function.get('arguments', []))
            for row in function.get('ops', []):
                op = self.read(row)
                if function is graph['functions'][0]:
                    self.ops.append(op)

    def define(self, values):
        first = len(self.names)
        for name in names_of(values):
            self.ids[name] = len(self.names)
            self.names.append(name)
        return list(range(first, len(self.names)))

    def read(self, row):
        name, operands, results, regions = parts_of(row)
        used = [self.ids[operand] for operand in operands if operand is not None]
        results = self.define(results)
        written = len(used)
        for region in regions:
            self.region(region, used, len(self.names))
        return Op(name, used[:written], used[written:], results)

    def region(self, region, used, before):
        """Adds what a region uses of outside: values that are older than its own."""
        for block in region.get('blocks', [region]) if isinstance(region, dict) else [region]:
            arguments, rows, returns = (block[0], block[1:], []) if isinstance(block, list) else \
                (block.get('arguments', []), block.get('ops', []), block.get('returns', []))
            self.define(arguments)
            uses = []
            for row in rows:
                op = self.read(row)
                uses += op.operands
            used += [v for v in uses + [self.ids[r] for r in returns] if v < before]


class Plan:
    """Groups of operations: groups[i] is that of operation i, named by the first of its members."""

    def __init__(self, ops):
        self.ops = ops
        self.maker = {value: i for i, op in enumerate(ops) for value in op.results}
        self.groups = list(range(len(ops)))
        self.members = [[i] for i in self.groups]
        self.flat = set()  # groups of one flat loop

    def producers(self, values):
        return [self.maker[v] for v in values if v in self.maker]

    def candidates(self):
        """(operation, one that makes an operand of it), where both could be in one loop."""
        return [(i, p) for i, op in enumerate(self.ops) if op.fusible
                for p in dict.fromkeys(self.producers(op.reads)) if self.ops[p].fusible]

    def needs(self, start, group):
        """Whether an operation, with the whole of its group, waits for something of another group: visits each once."""
        seen, todo = set(), [self.groups[start]]
        while todo:
            at = todo.pop()
            if at == group:
                return True
            if at not in seen:
                seen.add(at)
                todo += [self.groups[p] for i in self.members[at] for p in self.producers(self.ops[i].operands)]
        return False

    def join(self, i, p, flat):
        group = self.groups[p]
        if any(self.groups[q] != group and self.needs(q, group) for q in self.producers(self.ops[i].operands)):
            return  # it would wait for itself
        self.groups[i] = group
        self.members[group].append(i)
        if flat:
            self.flat.add(group)


def plan_of(client, graph):
    """(plan, shapes by value, width of vectors by group)"""
    opened = client.call('session/open', {'graph': graph, 'all': True})
    session = opened['session']

    def ask(queries):
        return client.call('session/query', {'session': session, 'queries': queries})['answers'] if queries else []

    try:
        shapes = {row['value']: row['after']['dims'] for row in opened['values']}
        read = Graph(graph)
        plan = Plan(read.ops)
        pairs = plan.candidates()
        values = [[read.ops[p].results[0], read.ops[i].results[0]] for i, p in pairs]
        # A query about a value of another function is an error of its own: not known.
        same = ask([{kind: pair} for kind in ('same_shape', 'same_elements') for pair in values])
        for (i, p), shape, elements in zip(pairs, same, same[len(pairs):]):
            if plan.groups[i] == i and elements.get('answer') == 'true':
                plan.join(i, p, shape.get('answer') != 'true')
        heads = [(g, read.ops[g].results[0]) for g in sorted(set(plan.groups)) if read.ops[g].fusible]
        heads = [(g, v) for g, v in heads if shapes.get(v)]
        product = {v: '*'.join('v%d.%d' % (v, axis) for axis in range(len(shapes[v]))) for _, v in heads}
        wide = ask([{'query': 'mod(%s, %d) == 0' % (product[v], width)} for _, v in heads for width in VECTORS])
        widths = {g: 1 for g, _ in heads}
        for at, answer in reversed(list(enumerate(wide))):
            if answer.get('answer') == 'true':
                widths[heads[at // len(VECTORS)][0]] = VECTORS[at % len(VECTORS)]
        return read, plan, shapes, widths
    finally:
        client.call('session/close', {'session': session})


def show(read, plan, shapes, widths):
    for group in sorted(set(plan.groups)):
        head = read.ops[group]
        if not head.fusible or all(plan.ops[i].name in RESHAPES for i in plan.members[group]):
            continue  # a reshape alone moves nothing
        dims = shapes.get(head.results[0])
        shape = '?' if dims is None else '[%s]' % ', '.join(map(str, dims))
        kind = 'flat loop' if group in plan.flat else 'loops'
        print('%s over %s, vectors of %d' % (kind, shape, widths.get(group, 1)))
        for i in plan.members[group]:
            print('  %%%s = %s' % (read.names[read.ops[i].results[0]], read.ops[i].name))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: fusion.py PROGRAM.json [SOCKET]')
    with open(sys.argv[1], encoding='utf-8') as file:
        graph = json.load(file)
    with Client(sys.argv[2] if len(sys.argv) > 2 else None, timeout=10) as client:
        show(*plan_of(client, graph))


if __name__ == '__main__':
    main()
