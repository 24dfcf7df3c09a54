# SPDX-License-Identifier: Apache-2.0
"""Operands of unknown rank, for the random programs: an argument of type tensor<*xf32>, whose runs have any rank, and
operations of StableHLO that ask for a rank, or for that of another operand."""
import generate
import model
from generate import Value
from model import Tensor, need

ANY = "=tensor<*xf32>"  # a kind: the type as it is written


def with_ranks(attrs, *operands):
    """Another rule, once the operands have the ranks that it asks for; None: any."""
    for rank, t in zip(attrs["ranks"], operands):
        need(rank is None or len(t.shape) == rank, "an operand has another rank")
    return model.RULES[attrs["rule"]](attrs, *operands)


model.RULES["with_ranks"] = with_ranks


def random_shape(rng):
    return [rng.choice([0, 1, 2, 2, 3, 4]) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]


def some(p):
    """A value of unknown rank; an argument where there is none."""
    found = p.pick(lambda v: v.kind == ANY)
    if found:
        return found
    value = Value("a%d" % len(p.arguments), [], ANY, Tensor(random_shape(p.rng)))
    p.arguments.append(value)
    p.values.append(value)
    return value


def add(p, rule, attrs, ranks, operands, rank, text):
    """rank: of the result, with `?` dims; None: not known either."""
    attrs = dict(attrs, rule=rule, ranks=ranks)
    kind, declared = (ANY, []) if rank is None else ("f32", [None] * rank)
    p.add("with_ranks", attrs, operands, kind, declared, "stablehlo." + text)


def make_unary(p):
    a = some(p)
    known = p.rng.random() < 0.3
    add(p, "unary", {}, [None], [a], len(a.tensor.shape) if known else None, "tanh %%%s : {types}" % a.name)


def make_add(p):
    a = some(p)
    b = p.pick(lambda v: v.kind in ("f32", ANY) and v is not a and v.tensor.shape == a.tensor.shape and not v.bounds)
    if b:
        rank = None if b.kind == ANY else len(b.declared)
        add(p, "add", {"name": "add"}, [rank, rank], [a, b], rank, "add %%%s, %%%s : {types}" % (a.name, b.name))


def make_reshape(p):
    a, count = some(p), 1
    for n in a.tensor.shape:
        count *= n
    parts = [p.scalar(n) for n in generate.factorings(p.rng, count, p.rng.randint(1, 2))]
    v = p.vector(parts)
    add(p, "dynamic_reshape", {}, [None, 1], [a, v], len(parts), "dynamic_reshape %%%s, %%%s : {types}" % (a.name, v.name))


def make_concatenate(p):
    a = some(p)
    b = p.pick(lambda v: v.kind == "f32" and v.declared and len(v.declared) == len(a.tensor.shape) and not v.bounds)
    if b:
        rank, axis = len(b.declared), p.rng.randrange(len(b.declared))
        add(p, "concatenate", {"axis": axis}, [rank, rank], [a, b], rank,
            "concatenate %%%s, %%%s, dim = %d : {types}" % (a.name, b.name, axis))


def make_transpose(p):
    a = some(p)
    rank = len(a.tensor.shape)
    order = p.rng.sample(range(rank), rank)
    if rank:
        add(p, "transpose", {"order": order}, [rank], [a], rank, "transpose %%%s, dims = %s : {types}" % (a.name, order))


def make_reduce(p):
    a = some(p)
    rank = len(a.tensor.shape)
    if rank:
        axis, zero = p.rng.randrange(rank), p.constant([0], [], "f32")
        add(p, "reduce", {"axes": [axis]}, [rank, 0], [a, zero], rank - 1,
            "reduce(%%%s init: %%%s) applies stablehlo.add across dimensions = [%d] : {types}" % (a.name, zero.name, axis))


MAKERS = [make_unary, make_add, make_add, make_reshape, make_concatenate, make_transpose, make_reduce]
