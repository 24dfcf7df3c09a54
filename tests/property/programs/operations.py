# SPDX-License-Identifier: Apache-2.0
"""More operations for the random programs: each with what it does at concrete dims, and a maker that adds it."""
import generate
import model
from model import Tensor, need


# --- what they do
def broadcasting(attrs, a, b):
    """numpy's broadcasting, as CHLO has it: trailing axes face each other, a size of 1 gives way."""
    rank = max(len(a.shape), len(b.shape))
    x, y = ((1,) * (rank - len(t.shape)) + t.shape for t in (a, b))
    need(all(m == n or 1 in (m, n) for m, n in zip(x, y)), "not broadcastable")
    return Tensor([n if m == 1 else m for m, n in zip(x, y)])


def broadcast_in_dim(attrs, a):
    for axis, to in enumerate(attrs["axes"]):
        need(a.shape[axis] in (1, attrs["shape"][to]), "not broadcastable")
    return Tensor(attrs["shape"])


def assertion(attrs, test, *_):
    need(test.data[0], "an assertion does not hold")
    return Tensor(())


def dilated(n, step):
    return (n - 1) * step + 1 if n else 0


def dilated_window(attrs, a, _):
    shape = []
    for n, (window, stride, low, high, dilate, base) in zip(a.shape, attrs["windows"]):
        shape.append(model.windows(dilated(n, base), window, stride, low, high, dilate))
    return Tensor(shape)


def grouped_convolution(attrs, a, b):
    """Layout [b, 0, f] x [0, i, o] -> [b, 0, f]."""
    stride, low, high, base, dilate = attrs["window"]
    features, batches = attrs["groups"]
    need(b.shape[0] >= 1, "an empty window")
    need(a.shape[0] % batches == 0 and a.shape[2] % features == 0 and b.shape[2] % (features * batches) == 0, "no groups")
    need(a.shape[2] // features == b.shape[1], "feature counts differ")
    return Tensor([a.shape[0] // batches, model.windows(dilated(a.shape[1], base), b.shape[0], stride, low, high, dilate),
                   b.shape[2]])


def select_and_scatter(attrs, a, source, _):
    need(source.shape == tuple(model.windows(n, *w) for n, w in zip(a.shape, attrs["windows"])), "not one source per window")
    return Tensor(a.shape)


def dynamic_gather(attrs, a, indices, dims):
    need(all(0 <= k <= n for n, k in zip(a.shape, dims.data)), "slice dims do not fit")
    need(dims.data[0] <= 1, "a collapsed size is above 1")
    return Tensor(indices.shape[:-1] + tuple(dims.data[1:]))


def scatter_rows(attrs, a, indices, updates):
    need(updates.shape[:1] == indices.shape[:1], "not one update per index")
    need(all(k <= n for k, n in zip(updates.shape[1:], a.shape[1:])), "the update does not fit")
    return Tensor(a.shape)


def case(attrs, index, *outer):
    k, branches = index.data[0], attrs["branches"]
    return model.steps(branches[k if 0 <= k < len(branches) else -1], outer)


def same_shapes(attrs, *parts):
    need(all(p.shape == parts[0].shape for p in parts), "operand shapes differ")
    return Tensor([n for k, n in enumerate(parts[0].shape) if k not in attrs["axes"]])


model.RULES.update({"broadcasting": broadcasting, "broadcast_in_dim": broadcast_in_dim, "assertion": assertion,
                    "dilated_window": dilated_window, "grouped_convolution": grouped_convolution, "case": case,
                    "select_and_scatter": select_and_scatter, "dynamic_gather": dynamic_gather,
                    "scatter": scatter_rows, "same_shapes": same_shapes})


# --- makers
def make_broadcasting(p):
    a, b = p.pick_float(), p.pick_float()
    if a is None:
        return
    rank = max(len(a.declared), len(b.declared))
    name = p.rng.choice(["add", "subtract", "multiply"])
    p.add("broadcasting", {}, [a, b], "f32", [None] * rank, "chlo.broadcast_%s %%%s, %%%s : {types}" % (name, a.name, b.name))


def make_broadcast_in_dim(p):
    a = p.pick_float(1, 2)
    if a is None:
        return
    rank = p.rng.randint(len(a.declared), 3)
    axes = p.rng.sample(range(rank), len(a.declared))
    shape = [p.rng.choice([0, 1, 2, 3]) for _ in range(rank)]
    for k, to in enumerate(axes):
        if a.tensor.shape[k] != 1 or p.rng.random() < 0.5:
            shape[to] = a.tensor.shape[k]
    p.add("broadcast_in_dim", {"axes": axes, "shape": shape}, [a], "f32", shape,
          "broadcast_in_dim %%%s, dims = %s : {types}" % (a.name, axes))


def make_assertion(p):
    scalars = [v for v in p.values if v.kind == "i32" and not v.declared]
    if not scalars:
        return
    a, b = p.rng.choice(scalars), p.rng.choice(scalars)
    if p.rng.random() < 0.3:
        b = p.constant([p.rng.randint(0, 4)], [])
    holding = [d for d in sorted(model.COMPARE) if model.COMPARE[d](a.tensor.data[0], b.tensor.data[0])]
    direction = p.rng.choice(holding)
    test = p.add("compare", {"direction": direction}, [a, b], "i1", [],
                 "compare %s, %%%s, %%%s : {types}" % (direction, a.name, b.name))
    p.effect("assertion", {}, [test], 'stablehlo.custom_call @shape_assertion(%%%s) {{api_version = 2 : i32, '
             'error_message = "no", has_side_effect = true}} : (tensor<i1>) -> ()' % test.name)


WINDOW = ('(%%%s, %%%s) ({{\n    ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):\n      %%z = stablehlo.add %%x, %%y : tensor<f32>\n'
          '      stablehlo.return %%z : tensor<f32>\n    }}) {{%s}} : {types}')


def integers(values):
    return "array<i64: %s>" % ", ".join(map(str, values))


def pairs(rows):
    return "dense<%s> : tensor<%dx2xi64>" % ([list(r) for r in rows], len(rows))


def make_dilated_window(p):
    a = p.pick_float()
    if a is None:
        return
    rows = [(p.rng.randint(1, 4), p.rng.randint(1, 3), p.rng.randint(-2, 2), p.rng.randint(-2, 2), p.rng.choice([1, 1, 2]),
             p.rng.choice([1, 1, 2, 3])) for _ in a.declared]
    zero = p.constant([0], [], "f32")
    columns = list(zip(*rows))
    text = ", ".join("%s = %s" % (name, integers(columns[k])) for name, k in (
        ("base_dilations", 5), ("window_dilations", 4), ("window_dimensions", 0), ("window_strides", 1)))
    text += ", padding = " + pairs(list(zip(columns[2], columns[3])))
    p.add("dilated_window", {"windows": rows}, [a, zero], "f32", [None] * len(rows),
          '"stablehlo.reduce_window"' + WINDOW % (a.name, zero.name, text))


def make_grouped_convolution(p):
    a = p.pick(lambda v: v.kind == "f32" and len(v.declared) == 3)
    b = a and p.pick(lambda v: v.kind == "f32" and len(v.declared) == 3 and v.tensor.shape[0] >= 1)
    if not b:
        return
    window = (p.rng.randint(1, 3), p.rng.randint(-1, 2), p.rng.randint(-1, 2), p.rng.randint(1, 3), p.rng.randint(1, 2))
    groups = p.rng.choice([(1, 1), (2, 1), (1, 2), (3, 1), (1, 3)])
    text = ("convolution(%%%s, %%%s) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{stride = [%d], pad = [[%d, %d]], "
            "lhs_dilate = [%d], rhs_dilate = [%d]}} {{batch_group_count = %d : i64, feature_group_count = %d : i64}} : {types}" %
            (a.name, b.name, *window, groups[1], groups[0]))
    p.add("grouped_convolution", {"window": window, "groups": groups}, [a, b], "f32", [None, None, None], text)


def make_select_and_scatter(p):
    a = p.pick_float()
    if a is None:
        return
    rows = [(p.rng.randint(1, 3), p.rng.randint(1, 2), p.rng.randint(0, 1), p.rng.randint(0, 1), 1) for _ in a.declared]
    shape = tuple(model.windows(n, *w) for n, w in zip(a.tensor.shape, rows))
    source = p.pick(lambda v: v.kind == "f32" and v.tensor.shape == shape)
    if source is None:
        return
    zero = p.constant([0], [], "f32")
    columns = list(zip(*rows))
    text = ('"stablehlo.select_and_scatter"(%%%s, %%%s, %%%s) ({{\n    ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):\n'
            '      %%z = stablehlo.compare GE, %%x, %%y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n'
            '      stablehlo.return %%z : tensor<i1>\n    }}, {{\n    ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):\n'
            '      %%z = stablehlo.add %%x, %%y : tensor<f32>\n      stablehlo.return %%z : tensor<f32>\n    }}) '
            '{{window_dimensions = %s, window_strides = %s, padding = %s}} : {types}' %
            (a.name, source.name, zero.name, integers(columns[0]), integers(columns[1]),
             pairs(list(zip(columns[2], columns[3])))))
    p.add("select_and_scatter", {"windows": rows}, [a, source, zero], "f32", a.declared, text)


def make_dynamic_gather(p):
    a = p.pick_float(2, 3)
    indices = a and p.pick(lambda v: v.kind == "f32" and len(v.declared) == 1)
    if not indices or 0 in a.tensor.shape:
        return
    rows = p.size(indices, 0)
    shape = p.vector([rows, 1])
    at = p.add("dynamic_iota", {"axis": 1}, [shape], "i32", [None, 1], "dynamic_iota %%%s, dim = 1 : {types}" % shape.name)
    dims = at and p.vector([1] + [p.scalar(p.rng.randint(0, n)) for n in a.tensor.shape[1:]])
    if not dims:
        return
    offsets = list(range(1, len(a.declared)))
    p.add("dynamic_gather", {}, [a, at, dims], "f32", [None] * len(a.declared),
          '"stablehlo.dynamic_gather"(%%%s, %%%s, %%%s) {{dimension_numbers = #stablehlo.gather<offset_dims = %s, '
          'collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}} : {types}' %
          (a.name, at.name, dims.name, offsets))


def make_scatter(p):
    a = p.pick_float(2, 3)
    updates = a and p.pick(lambda v: v.kind == "f32" and len(v.declared) == len(a.declared) and
                           all(k <= n for k, n in zip(v.tensor.shape[1:], a.tensor.shape[1:])))
    if not updates:
        return
    other = p.pick(lambda v: v.kind == "f32" and v.declared and v.tensor.shape[0] == updates.tensor.shape[0])
    shape = p.vector([p.size(other, 0), 1])
    at = p.add("dynamic_iota", {"axis": 1}, [shape], "i32", [None, 1], "dynamic_iota %%%s, dim = 1 : {types}" % shape.name)
    if at is None:
        return
    text = ('"stablehlo.scatter"(%%%s, %%%s, %%%s) ({{\n    ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):\n'
            '      stablehlo.return %%y : tensor<f32>\n    }}) {{scatter_dimension_numbers = #stablehlo.scatter<'
            'update_window_dims = %s, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} '
            ': {types}' % (a.name, at.name, updates.name, list(range(1, len(a.declared)))))
    p.add("scatter", {}, [a, at, updates], "f32", a.declared, text)


def make_case(p):
    pair, index = generate.pick_pair(p), p.pick(lambda v: v.kind == "i32" and not v.declared)
    if not pair or index is None:
        return
    kind, regions, branches = generate.type_text([None] * len(pair[0].declared), "f32"), [], []
    for k in range(3):
        body = generate.Body(p.rng, "c%d_%d_" % (len(p.ops), k), pair)
        last = body.random(0, p.rng.randrange(2))
        branches.append(body.steps)
        regions.append("{{\n      %s\n      stablehlo.return %%%s : %s\n    }}" % ("\n      ".join(body.lines),
                                                                                  body.names[last][0], kind))
    p.add("case", {"branches": branches}, [index] + list(pair), "f32", [None] * len(pair[0].declared),
          '"stablehlo.case"(%%%s) (%s) : (tensor<i32>) -> %s' % (index.name, ", ".join(regions), kind))


def make_reduce_pair(p):
    pair = generate.pick_pair(p)
    if not pair or pair[0].tensor.shape != pair[1].tensor.shape:
        return
    zero, axes = p.constant([0], [], "f32"), [p.rng.randrange(len(pair[0].declared))]
    keep = [None for k in range(len(pair[0].declared)) if k not in axes]
    kind = generate.type_text(keep, "f32")
    text = ('"stablehlo.reduce"(%%%s, %%%s, %%%s, %%%s) ({{\n    ^bb0(%%x: tensor<f32>, %%y: tensor<f32>, %%u: tensor<f32>, %%v: '
            'tensor<f32>):\n      stablehlo.return %%x, %%y : tensor<f32>, tensor<f32>\n    }}) {{dimensions = %s}} : '
            '(%s, %s, tensor<f32>, tensor<f32>) -> (%s, %s)' %
            (pair[0].name, pair[1].name, zero.name, zero.name, integers(axes), pair[0].type(), pair[1].type(), kind, kind))
    p.add("same_shapes", {"axes": axes}, list(pair), "f32", keep, text)


MAKERS = [make_broadcasting, make_broadcasting, make_broadcast_in_dim, make_assertion, make_assertion, make_dilated_window,
          make_grouped_convolution, make_grouped_convolution, make_select_and_scatter, make_dynamic_gather, make_scatter,
          make_case, make_reduce_pair]
