# SPDX-License-Identifier: Apache-2.0
"""Options of `shape refine` that a run's arguments fulfil: what fixes or bounds them, and how the program is written."""
import generate


def type_list(rng, program, arguments, partly):
    """--arg-types; `partly`: some dimensions stay `?`."""
    texts = []
    for value, tensor in zip(program.arguments, arguments):
        shape = [None if partly and d is None and rng.random() < 0.5 else n for d, n in zip(value.declared, tensor.shape)]
        bounds = [b if d is None else None for d, b in zip(shape, value.bounds or shape)]
        texts.append(generate.Value(value.name, shape, value.kind, None, bounds if any(bounds) and value.bounds else None).type())
    return ["--arg-types", ",".join(texts)]


def names_of(program, arguments):
    """(name of --bind, its number in this run) of every `?` and every scalar of the arguments."""
    for k, (value, tensor) in enumerate(zip(program.arguments, arguments)):
        for axis, (declared, n) in enumerate(zip(value.declared, tensor.shape)):
            if declared is None:
                yield "arg%d.%d" % (k, axis), n
        if tensor.data is not None and not tensor.shape:
            yield "arg%d" % k, tensor.data[0]


def given(rng, program, arguments):
    """What the arguments are, in one of the ways in which that can be said."""
    known = list(names_of(program, arguments))
    way = rng.randrange(6)
    if way == 0:
        return []
    if way in (1, 2):
        options = type_list(rng, program, arguments, way == 2)
        known = [(name, n) for name, n in known if "." not in name]
    else:
        options = []
    for name, n in known:
        chance = rng.random()
        if way != 4 and chance < 0.6:
            options += ["--bind", "%s=%d" % (name, n)]
        elif way in (4, 5) and chance < 0.8 and n >= 0:
            options += ["--bound", "%s=%d" % (name, n + rng.choice([0, 0, 1, 3]))]
    return options


def assumed(rng, program, arguments):
    """--assume of something that holds in this run."""
    dims = [(name, n) for name, n in names_of(program, arguments) if "." in name]
    if not dims or rng.random() < 0.8:
        return []
    (a, m), (b, n) = rng.choice(dims), rng.choice(dims)
    known = ["%s %s %s" % (a, "==" if m == n else "<" if m < n else ">", b), "%s <= %d" % (a, m + rng.randint(0, 2)), "%s >= %d" % (a, m)]
    known += ["%s %% %d == 0" % (a, k) for k in (2, 3) if m % k == 0]
    return ["--assume", rng.choice(known)]


def written(rng):
    """How the program is written back."""
    if rng.random() < 0.25:
        return ["--emit", rng.choice(["json", "disc-shape"])]
    options = rng.choice([[], [], ["--cleanup"], ["--cleanup"], ["--generic"]])
    return options + rng.choice([[], [], [], [], ["--dynamism", "bounded"], ["--dynamism", "unbounded"]])


def refine_options(rng, program, arguments):
    return given(rng, program, arguments) + assumed(rng, program, arguments) + written(rng)
