# SPDX-License-Identifier: Apache-2.0
"""The rest of StableHLO and CHLO for the random programs: operations whose results have shapes and no elements."""
import math

import generate
import model
from generate import type_text
from operations import integers
from model import Tensor, need


# --- what they do
def same(attrs, *parts):
    need(all(p.shape == parts[0].shape for p in parts), "operand shapes differ")
    return Tensor(parts[0].shape)


def clamp(attrs, low, a, high):
    need(low.shape in ((), a.shape) and high.shape in ((), a.shape), "operand shapes differ")
    return Tensor(a.shape)


def batch_norm(attrs, a, *features):
    need(all(f.shape == (a.shape[attrs["axis"]],) for f in features), "not one number per feature")
    return Tensor(a.shape)


def batch_norm_grad(attrs, a, scale, mean, variance, gradient):
    need(a.shape == gradient.shape, "operand shapes differ")
    return batch_norm(attrs, a, scale, mean, variance)


def fft(attrs, a):
    kind, lengths = attrs["type"], attrs["lengths"]
    last, n = a.shape[-1], lengths[-1]
    if kind == "RFFT":
        need(list(a.shape[-len(lengths):]) == lengths, "not the length of the transform")
        last = last // 2 + 1 if last else 0
    elif kind == "IRFFT":
        need(list(a.shape[-len(lengths):-1]) == lengths[:-1] and last == (n // 2 + 1 if n else 0), "not the length of the transform")
        last = n
    return Tensor(a.shape[:-1] + (last,))


def cholesky(attrs, a):
    need(a.shape[-1] == a.shape[-2], "not square")
    return Tensor(a.shape)


def triangular_solve(attrs, a, b):
    need(a.shape[-1] == a.shape[-2] and a.shape[:-2] == b.shape[:-2], "not square, or other batches")
    need(a.shape[-1] == b.shape[-2 if attrs["left"] else -1], "the system does not fit")
    return Tensor(b.shape)


def dot(attrs, a, b):
    need(a.shape[-1] == b.shape[0], "contracted dims differ")
    return Tensor(a.shape[:-1] + b.shape[1:])


def einsum(attrs, *parts):
    dims, (left, right) = {}, attrs["config"].split("->")
    for letters, p in zip(left.split(","), parts):
        for letter, n in zip(letters, p.shape):
            need(dims.setdefault(letter, n) == n, "dims differ")
    return Tensor([dims[letter] for letter in right])


def torch_index_select(attrs, a, index):
    dim, batch = attrs["dim"], attrs["batch"]
    need(a.shape[:batch] == index.shape[:batch], "batches differ")
    return Tensor(a.shape[:dim] + index.shape[batch:] + a.shape[dim + 1:])


def top_k(attrs, a):
    need(a.shape[-1] >= attrs["k"], "fewer than k")
    return Tensor(a.shape[:-1] + (attrs["k"],))


def ragged_dot(attrs, a, b, groups):
    need(a.shape[1] == b.shape[1] and groups.shape[0] == b.shape[0], "contracted dims or groups differ")
    return Tensor([a.shape[0], b.shape[2]])


def broadcast_select(attrs, test, a, b):
    shape = model.RULES["broadcasting"]({}, a, b).shape
    return model.RULES["broadcasting"]({}, Tensor(shape), test)


def collective(attrs, a):
    shape = list(a.shape)
    if not all(shape[k] for k in (attrs["split"], attrs["join"]) if k is not None):
        raise model.Assumed  # verifiers refuse a size 0 here, the specification does not
    if attrs["split"] is not None:
        need(shape[attrs["split"]] % 2 == 0, "does not split")
        shape[attrs["split"]] //= 2
    if attrs["join"] is not None:
        shape[attrs["join"]] *= 2
    return Tensor(shape)


def set_dimension_size(attrs, a, size):
    need(size.data[0] >= 0 and (attrs["limit"] is None or size.data[0] <= attrs["limit"]), "not a size within the old one")
    if size.data[0] > a.shape[attrs["axis"]]:
        raise model.Assumed  # a size without a declared bound: no specification says how far it may grow
    shape = list(a.shape)
    shape[attrs["axis"]] = size.data[0]
    return Tensor(shape)


def dynamic_convolution(attrs, a, b, padding):
    stride, _, _, base, dilate = attrs["window"]
    return model.RULES["grouped_convolution"](dict(attrs, window=(stride, *padding.data, base, dilate)), a, b)


def opaque(attrs, *parts):
    """Dims that only the run determines: the same for the same operands."""
    seed = sum(n * (k + 2) for p in parts for k, n in enumerate(p.shape, len(p.shape)))
    return Tensor([(seed * (k + attrs["salt"]) + attrs["salt"]) % 5 for k in range(attrs["rank"])])


def given_shape(attrs, a, shape):
    need(all(n >= 0 for n in shape.data), "negative size")
    return Tensor(shape.data)


def reshapable(attrs, count, shape):
    """compute_reshape_shape: one -1 is what is left."""
    known = math.prod(n for n in shape.data if n != -1)
    left = -1 not in shape.data or known and count.data[0] % known == 0
    if shape.data.count(-1) > 1 or not left:
        raise model.Assumed  # the result is not specified
    return Tensor(shape.shape, [count.data[0] // known if n == -1 else n for n in shape.data])


def dequantized(attrs, a):
    need(attrs["axis"] is None or a.shape[attrs["axis"]] == 2, "not one scale per slice")
    return Tensor(a.shape)


def broadcast(attrs, a):
    return Tensor(tuple(attrs["sizes"]) + a.shape)


model.RULES.update({
    "same": same, "clamp": clamp, "batch_norm": batch_norm, "batch_norm_training": batch_norm, "batch_norm_grad": batch_norm_grad,
    "fft": fft, "cholesky": cholesky, "triangular_solve": triangular_solve, "dot": dot, "einsum": einsum, "opaque": opaque,
    "torch_index_select": torch_index_select, "top_k": top_k, "ragged_dot": ragged_dot, "broadcast_select": broadcast_select,
    "collective": collective, "set_dimension_size": set_dimension_size, "dynamic_convolution": dynamic_convolution,
    "given_shape": given_shape, "reshapable": reshapable, "dequantized": dequantized, "sort_pair": same, "broadcast": broadcast})
generate.PART.update({"batch_norm_training": ("#0", 3), "batch_norm_grad": ("#0", 3), "top_k": ("#0", 2), "sort_pair": ("#0", 2), "bits": ("#1", 2)})


# --- makers
def floats(p, low=1, high=4):
    return p.pick_float(low, high)


def like(p, a, kind="f32"):
    return p.pick(lambda v: v.kind == kind and v.tensor.shape == a.tensor.shape and len(v.declared) == len(a.declared))


def open_type(rank, kind="f32"):
    return type_text([None] * rank, kind)


UNARY = ["abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log", "log_plus_one", "logistic",
         "round_nearest_afz", "round_nearest_even", "rsqrt", "sign", "sqrt", "tan"]
CHLO_UNARY = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "conj", "cosh", "digamma", "erf", "erf_inv", "erfc",
              "lgamma", "sinh", "square", "tan"]
BINARY = ["atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract"]
CHLO_BINARY = ["next_after", "polygamma", "zeta"]


def make_unary(p):
    a = floats(p)
    if not a:
        return
    name = p.rng.choice(["stablehlo." + n for n in UNARY] + ["chlo." + n for n in CHLO_UNARY] + ["reduce_precision", "constant_like"])
    text = {"reduce_precision": "stablehlo.reduce_precision %%%s, format = e5m10 : {types}",
            "constant_like": '"chlo.constant_like"(%%%s) {{value = 1.0 : f32}} : {types}'}.get(name, name + " %%%s : {types}")
    if name.startswith("chlo.") and name in ("chlo.conj", "chlo.square", "chlo.tan"):
        text = '"%s"(%%%%%%s) : {types}' % name
    p.add("same", {}, [a], "f32", a.declared, text % a.name)


def merged(a, b):
    return [x if x is not None else y for x, y in zip(a.declared, b.declared)]


def make_binary(p):
    a = floats(p)
    b = a and like(p, a)
    if b:
        name = p.rng.choice(["stablehlo." + n for n in BINARY] + ["chlo." + n for n in CHLO_BINARY])
        p.add("same", {}, [a, b], "f32", merged(a, b), "%s %%%s, %%%s : {types}" % (name, a.name, b.name))


def make_truth(p):
    a = floats(p)
    b = a and like(p, a)
    if not b:
        return
    text = p.rng.choice(["stablehlo.compare LT, %%%s, %%%s : {types}" % (a.name, b.name), None])
    if text:
        p.add("same", {}, [a, b], "i1", merged(a, b), text)
    else:
        name = p.rng.choice(["stablehlo.is_finite", "chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf"])
        p.add("same", {}, [a], "i1", a.declared, "%s %%%s : {types}" % (name, a.name))


def make_choice(p):
    a = floats(p)
    b = a and like(p, a)
    if not b:
        return
    test = p.pick(lambda v: v.kind == "i1" and v.tensor.shape == a.tensor.shape and v.declared)
    if test and p.rng.random() < 0.6:
        p.add("same", {}, [test, a, b], "f32", merged(a, b), "stablehlo.select %%%s, %%%s, %%%s : {types}" % (test.name, a.name, b.name))
        return
    low = p.rng.choice([b, p.constant([0], [], "f32")])
    p.add("clamp", {}, [low, a, b], "f32", a.declared, "stablehlo.clamp %%%s, %%%s, %%%s : {types}" % (low.name, a.name, b.name))


def make_map(p):
    a = floats(p)
    b = a and like(p, a)
    if b:
        p.add("same", {}, [a, b], "f32", merged(a, b),
              '"stablehlo.map"(%%%s, %%%s) ({{\n    ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):\n      %%z = stablehlo.add %%x, %%y : '
              'tensor<f32>\n      stablehlo.return %%z : tensor<f32>\n    }}) {{dimensions = %s}} : {types}' %
              (a.name, b.name, integers(range(len(a.declared)))))


def make_complex(p):
    c = p.pick(lambda v: v.kind == "complex<f32>")
    if c and p.rng.random() < 0.7:
        p.add("same", {}, [c], "f32", c.declared, "stablehlo.%s %%%s : {types}" % (p.rng.choice(["real", "imag", "abs"]), c.name))
        return
    a = floats(p)
    b = a and like(p, a)
    if b:
        p.add("same", {}, [a, b], "complex<f32>", merged(a, b), "stablehlo.complex %%%s, %%%s : {types}" % (a.name, b.name))


def make_batch_norm(p):
    a = floats(p)
    if not a:
        return
    axis = p.rng.randrange(len(a.declared))
    f = [p.pick(lambda v: v.kind == "f32" and v.tensor.shape == (a.tensor.shape[axis],)) for _ in range(4)]
    if None in f:
        return
    attrs = "{{epsilon = 1.0e-3 : f32, feature_index = %d : i64}}" % axis
    choice = p.rng.randrange(3)
    if choice == 0:
        p.add("batch_norm", {"axis": axis}, [a] + f, "f32", a.declared, '"stablehlo.batch_norm_inference"(%s) %s : {types}' %
              (", ".join("%" + v.name for v in [a] + f), attrs))
        return
    more = " -> (%s, %s, %s)" % (type_text(a.declared, "f32"), open_type(1), open_type(1))
    if choice == 1:
        operands, name, rule = [a] + f[:2], "training", "batch_norm_training"
    else:
        g = like(p, a)
        operands, name, rule = [a] + f[:3] + [g], "grad", "batch_norm_grad"
    p.add(rule, {"axis": axis}, operands, "f32", a.declared, '"stablehlo.batch_norm_%s"(%s) %s : (%s)%s' %
          (name, ", ".join("%" + v.name for v in operands), attrs, ", ".join(v.type() for v in operands), more))


def make_fft(p):
    a = p.pick(lambda v: v.kind in ("f32", "complex<f32>") and v.declared)
    if not a:
        return
    count = p.rng.randint(1, min(3, len(a.declared)))
    lengths, kind = list(a.tensor.shape[-count:]), "RFFT"
    if a.kind != "f32":
        kind = p.rng.choice(["FFT", "IFFT", "IRFFT"])
        if kind == "IRFFT":
            lengths[-1] = p.rng.choice([max(2 * lengths[-1] - 2, 1), 2 * lengths[-1] - 1]) if lengths[-1] else 0
    p.add("fft", {"type": kind, "lengths": lengths}, [a], "f32" if kind == "IRFFT" else "complex<f32>", [None] * len(a.declared),
          '"stablehlo.fft"(%%%s) {{fft_type = #stablehlo<fft_type %s>, fft_length = %s}} : {types}' % (a.name, kind, integers(lengths)))


def make_solve(p):
    a = p.pick(lambda v: v.kind == "f32" and len(v.declared) >= 2 and v.tensor.shape[-1] == v.tensor.shape[-2])
    if not a:
        return
    left = p.rng.random() < 0.5
    b = p.pick(lambda v: v.kind == "f32" and len(v.declared) == len(a.declared) and v.tensor.shape[:-2] == a.tensor.shape[:-2] and
               v.tensor.shape[-2 if left else -1] == a.tensor.shape[-1])
    if not b or p.rng.random() < 0.4:
        p.add("cholesky", {}, [a], "f32", a.declared, '"stablehlo.cholesky"(%%%s) {{lower = true}} : {types}' % a.name)
        return
    p.add("triangular_solve", {"left": left}, [a, b], "f32", b.declared,
          '"stablehlo.triangular_solve"(%%%s, %%%s) {{left_side = %s, lower = true, unit_diagonal = false, '
          'transpose_a = #stablehlo<transpose NO_TRANSPOSE>}} : {types}' % (a.name, b.name, "true" if left else "false"))


def make_dot(p):
    a = floats(p, 1, 2)
    b = a and p.pick(lambda v: v.kind == "f32" and len(v.declared) in (1, 2) and v.tensor.shape[0] == a.tensor.shape[-1])
    if not b:
        return
    if p.rng.random() < 0.5:
        p.add("dot", {}, [a, b], "f32", a.declared[:-1] + b.declared[1:], "stablehlo.dot %%%s, %%%s : {types}" % (a.name, b.name))
        return
    config = {(1, 1): "a,a->", (1, 2): "a,ab->b", (2, 1): "ab,b->a", (2, 2): "ab,bc->ca"}[len(a.declared), len(b.declared)]
    p.add("einsum", {"config": config}, [a, b], "f32", [None] * len(config.split("->")[1]),
          '"stablehlo.einsum"(%%%s, %%%s) {{einsum_config = "%s"}} : {types}' % (a.name, b.name, config))


def make_unary_einsum(p):
    a = floats(p, 2, 2)
    if a:
        config = p.rng.choice(["ab->ba", "ab->a", "ab->"])
        p.add("einsum", {"config": config}, [a], "f32", [None] * len(config.split("->")[1]),
              '"stablehlo.unary_einsum"(%%%s) {{einsum_config = "%s"}} : {types}' % (a.name, config))


def make_index_tensor(p):
    a = floats(p)
    if a:
        p.add("same", {}, [a], "i32", a.declared, "stablehlo.convert %%%s : {types}" % a.name)


def make_index_select(p):
    a = floats(p, 1, 3)
    index = a and p.pick(lambda v: v.kind == "i32" and v.declared and v.tensor.data is None and len(v.declared) <= 2)
    if not index:
        return
    most = min(len(a.declared) - 1, len(index.declared))
    batch = 0
    while batch < most and a.tensor.shape[batch] == index.tensor.shape[batch] and p.rng.random() < 0.5:
        batch += 1
    dim = p.rng.randint(batch, len(a.declared) - 1)
    p.add("torch_index_select", {"dim": dim, "batch": batch}, [a, index], "f32",
          [None] * (len(a.declared) - 1 + len(index.declared) - batch),
          '"stablehlo.torch_index_select"(%%%s, %%%s) {{dim = %d : i64, batch_dims = %d : i64}} : {types}' %
          (a.name, index.name, dim, batch))


def make_top_k(p):
    a = floats(p)
    if a:
        k, rank = p.rng.randint(0, a.tensor.shape[-1]), len(a.declared)
        kept = a.declared[:-1] + [k]
        p.add("top_k", {"k": k}, [a], "f32", kept, "chlo.top_k(%%%s, k = %d) : %s -> (%s, %s)" %
              (a.name, k, a.type(), type_text(kept, "f32"), type_text(kept, "i32")))


def make_ragged_dot(p):
    a = floats(p, 2, 2)
    b = a and p.pick(lambda v: v.kind == "f32" and len(v.declared) == 3 and v.tensor.shape[1] == a.tensor.shape[1])
    groups = b and p.pick(lambda v: v.kind == "i32" and len(v.declared) == 1 and v.tensor.shape[0] == b.tensor.shape[0])
    if groups:
        p.add("ragged_dot", {}, [a, b, groups], "f32", [None, None],
              '"chlo.ragged_dot"(%%%s, %%%s, %%%s) {{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], '
              'rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], '
              'lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}} : {types}' % (a.name, b.name, groups.name))


BROADCAST = ["atan2", "complex", "divide", "maximum", "minimum", "power", "remainder", "next_after", "polygamma", "zeta"]


def make_broadcasting(p):
    a, b = floats(p), floats(p)
    if not a:
        return
    rank, choice = max(len(a.declared), len(b.declared)), p.rng.randrange(3)
    if choice == 0:
        name = p.rng.choice(BROADCAST)
        p.add("broadcasting", {}, [a, b], "complex<f32>" if name == "complex" else "f32", [None] * rank,
              "chlo.broadcast_%s %%%s, %%%s : {types}" % (name, a.name, b.name))
    elif choice == 1:
        p.add("broadcasting", {}, [a, b], "i1", [None] * rank,
              '"chlo.broadcast_compare"(%%%s, %%%s) {{comparison_direction = #chlo<comparison_direction LT>}} : {types}' % (a.name, b.name))
    else:
        test = p.pick(lambda v: v.kind == "i1" and 1 <= len(v.declared) <= 4)
        if test:
            p.add("broadcast_select", {}, [test, a, b], "f32", [None] * max(rank, len(test.declared)),
                  "chlo.broadcast_select %%%s, %%%s, %%%s : {types}" % (test.name, a.name, b.name))


def make_collective(p):
    a = floats(p)
    if not a:
        return
    rank, groups = len(a.declared), "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
    split, join = (p.rng.randrange(rank) for _ in range(2))
    choice = p.rng.randrange(7)
    region = ('({{\n    ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n      %z = stablehlo.add %x, %y : tensor<f32>\n'
              '      stablehlo.return %z : tensor<f32>\n    }}) ')
    head, tail = [
        ('"stablehlo.all_gather"', "{{all_gather_dim = %d : i64, %s}}" % (join, groups)),
        ('"stablehlo.reduce_scatter"', region + "{{scatter_dimension = %d : i64, %s}}" % (split, groups)),
        ('"stablehlo.all_to_all"', "{{split_dimension = %d : i64, concat_dimension = %d : i64, split_count = 2 : i64, %s}}" %
         (split, join, groups)),
        ('"stablehlo.all_reduce"', region + "{{%s}}" % groups),
        ('"stablehlo.collective_permute"', "{{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}}"),
        ('"stablehlo.collective_broadcast"', "{{%s}}" % groups),
        ('"stablehlo.collective_reduce"', region + "{{%s}}" % groups)][choice]
    p.add("collective", {"split": split if choice in (1, 2) else None, "join": join if choice in (0, 2) else None}, [a], "f32",
          [None] * rank, "%s(%%%s) %s : {types}" % (head, a.name, tail))


def make_set_size(p):
    a = floats(p)
    size = a and p.pick(lambda v: v.kind == "i32" and not v.declared and v.tensor.data is not None and
                        0 <= v.tensor.data[0] <= 6)
    if size:
        axis = p.rng.randrange(len(a.declared))
        declared = list(a.declared)
        declared[axis] = None
        p.add("set_dimension_size", {"axis": axis, "limit": a.declared[axis]}, [a, size], "f32", declared,
              "stablehlo.set_dimension_size %%%s, %%%s, dim = %d : {types}" % (a.name, size.name, axis))


def make_dynamic_convolution(p):
    a = p.pick(lambda v: v.kind == "f32" and len(v.declared) == 3)
    b = a and p.pick(lambda v: v.kind == "f32" and len(v.declared) == 3 and v.tensor.shape[0] >= 1)
    if not b:
        return
    window = (p.rng.randint(1, 3), 0, 0, p.rng.randint(1, 2), p.rng.randint(1, 2))
    row = p.vector([p.scalar(p.rng.randint(0, 2)) for _ in range(2)])
    padding = p.add("reshape", {"shape": [1, 2]}, [row], "i32", [1, 2], "reshape %%%s : {types}" % row.name)
    p.add("dynamic_convolution", {"window": window, "groups": (1, 1)}, [a, b, padding], "f32", [None] * 3,
          '"stablehlo.dynamic_conv"(%%%s, %%%s, %%%s) {{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x'
          '[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, window_strides = array<i64: %d>, lhs_dilation = array<i64: %d>, '
          'rhs_dilation = array<i64: %d>}} : {types}' % (a.name, b.name, padding.name, window[0], window[3], window[4]))


def make_custom_call(p):
    a = floats(p)
    if not a:
        return
    choice = p.rng.randrange(4)
    if choice <= 1:
        b = p.pick(lambda v: v.kind == "f32")
        rank = p.rng.randint(1, 2)
        p.add("opaque", {"rank": rank, "salt": p.rng.randint(1, 4)}, [a, b], "f32", [None] * rank,
              "stablehlo.custom_call @opaque(%%%s, %%%s) : {types}" % (a.name, b.name))
    elif choice == 2:
        p.add("same", {}, [a], "f32", [None] * len(a.declared), "stablehlo.custom_call @Sharding(%%%s) : {types}" % a.name)
    else:
        parts = [p.scalar(p.rng.randint(0, 4)) for _ in range(p.rng.randint(1, 2))]
        v = p.vector(parts)
        p.add("given_shape", {}, [a, v], "f32", [None] * len(parts),
              "stablehlo.custom_call @shaped(%%%s, %%%s) {{indices_of_shape_operands = dense<[1]> : tensor<1xi64>}} : {types}" %
              (a.name, v.name))


def make_computed_reshape(p):
    a = floats(p, 1, 3)
    if not a:
        return
    count = 1
    dims = [p.size(a, k) for k in range(len(a.declared))]
    total = dims[0]
    for size in dims[1:]:
        count = total.tensor.data[0] * size.tensor.data[0]
        total = p.add("multiply", {"name": "multiply"}, [total, size], "i32", [], "multiply %%%s, %%%s : {types}" % (total.name, size.name))
    count = math.prod(a.tensor.shape)
    shape = generate.factorings(p.rng, count, p.rng.randint(1, 3))
    if count and p.rng.random() < 0.6:
        shape[p.rng.randrange(len(shape))] = -1
    parts = [n if n == -1 else p.scalar(n) for n in shape]
    wanted = p.vector(parts)
    kind = wanted.type()
    # A number that may be -1, or 0 beside one, makes the result one that no expression need say.
    dialect = ("chlo", "stablehlo")[len(shape) % 2]
    given = p.add("reshapable", {}, [total, wanted], "i32", [len(shape)], "%s.compute_reshape_shape %%%s, %%%s : (tensor<i32>, %s) -> %s" %
                  (dialect, total.name, wanted.name, kind, kind))
    if given:
        p.add("dynamic_reshape", {}, [a, given], "f32", [None] * len(shape),
              p.rng.choice(["chlo", "stablehlo"]) + ".dynamic_reshape %%%s, %%%s : {types}" % (a.name, given.name))


def make_quantized(p):
    a = floats(p)
    if not a:
        return
    axis = next((k for k, n in enumerate(a.tensor.shape) if n == 2), None)
    per_axis = axis is not None and p.rng.random() < 0.7
    kind = "!quant.uniform<i8:f32:%d, {0.5:0, 0.25:1}>" % axis if per_axis else "!quant.uniform<i8:f32, 0.5>"
    axis = axis if per_axis else None
    declared = [2 if k == axis else n for k, n in enumerate(a.declared)]
    kind = kind.replace("{", "{{").replace("}", "}}")
    q = p.add("dequantized", {"axis": axis}, [a], kind.replace("{{", "{").replace("}}", "}"), declared,
              "stablehlo.uniform_quantize %%%s : {types}" % a.name)
    if not q:
        return
    if axis is None and p.rng.random() < 0.5:
        q = p.add("same", {}, [q], q.kind, q.declared, "stablehlo.%s %%%s : {types}" % (p.rng.choice(["abs", "negate"]), q.name))
    p.add("same", {}, [q], "f32", q.declared, "stablehlo.uniform_dequantize %%%s : {types}" % q.name)


def make_sort_pair(p):
    a = floats(p)
    b = a and like(p, a)
    if b:
        kinds = merged(a, b)
        p.add("sort_pair", {}, [a, b], "f32", kinds,
              '"stablehlo.sort"(%%%s, %%%s) ({{\n    ^bb0(%%x: tensor<f32>, %%y: tensor<f32>, %%u: tensor<f32>, %%v: tensor<f32>):\n'
              '      %%z = stablehlo.compare LT, %%x, %%y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n'
              '      stablehlo.return %%z : tensor<i1>\n    }}) {{dimension = 0 : i64}} : (%s, %s) -> (%s, %s)' %
              (a.name, b.name, a.type(), b.type(), type_text(kinds, "f32"), type_text(kinds, "f32")))


def make_random(p):
    parts = [p.scalar(p.rng.randint(0, 4)) for _ in range(p.rng.randint(1, 2))]
    v, zero = p.vector(parts), p.constant([0], [], "f32")
    p.add("given_shape", {}, [zero, v], "f32", [None] * len(parts),
          '"stablehlo.rng"(%%%s, %%%s, %%%s) {{rng_distribution = #stablehlo<rng_distribution UNIFORM>}} : (tensor<f32>, tensor<f32>, '
          '%s) -> %s' % (zero.name, zero.name, v.name, v.type(), open_type(len(parts))))


def make_broadcast(p):
    a = floats(p, 1, 2)
    if a:
        dims = [p.rng.randint(0, 3) for _ in range(p.rng.randint(1, 2))]
        p.add("broadcast", {"sizes": dims}, [a], "f32", dims + a.declared,
              '"stablehlo.broadcast"(%%%s) {{broadcast_sizes = %s}} : {types}' % (a.name, integers(dims)))


def make_barrier(p):
    a = floats(p)
    if not a:
        return
    if p.rng.random() < 0.5:
        p.add("same", {}, [a], "f32", a.declared, '"stablehlo.optimization_barrier"(%%%s) : {types}' % a.name)
        return
    b, tag = p.pick(lambda v: v.declared and "{" not in v.kind), "t%d" % len(p.ops)
    before = ["%%%s = stablehlo.tuple %%%s, %%%s : tuple<%s, %s>" % (tag, a.name, b.name, a.type(), b.type())]
    p.add("same", {}, [a], "f32", a.declared, "stablehlo.get_tuple_element %%%s[0] : (tuple<%s, %s>) -> {result}" %
          (tag, a.type(), b.type()), before=before)


def make_bitcast(p):
    c = p.pick(lambda v: v.kind == "i8" and v.tensor.data is None and v.declared and v.tensor.shape[-1] == 4)
    if c and p.rng.random() < 0.5:
        p.add("bytes", {"wide": True}, [c], "f32", c.declared[:-1], "stablehlo.bitcast_convert %%%s : {types}" % c.name)
        return
    a = floats(p, 1, 3)
    if a:
        p.add("bytes", {"wide": False}, [a], "i8", a.declared + [4], "stablehlo.bitcast_convert %%%s : {types}" % a.name)


def make_plain(p):
    """Operations that the dims of nothing depend on, and one that runs its body once."""
    a, tag = p.pick_float(), "f%d" % len(p.ops)
    if not a:
        return
    rank = len(a.declared)
    kind, choice = open_type(rank), p.rng.randrange(3)
    if choice == 0:
        before = ['%%%s = "stablehlo.async_start"(%%%s) ({' % (tag, a.name), "^bb0(%%x: %s):" % a.type(),
                  "  %%y = stablehlo.tanh %%x : (%s) -> %s" % (a.type(), kind), "  stablehlo.return %%y : %s" % kind,
                  "}) : (%s) -> !stablehlo.future<%s>" % (a.type(), kind)]
        p.add("same", {}, [a], "f32", [None] * rank, '"stablehlo.async_done"(%%%s) : (!stablehlo.future<%s>) -> %s' % (tag, kind, kind),
              before=before)
    elif choice == 1:
        before = ["%%%s = stablehlo.create_token : !stablehlo.token" % tag,
                  "%%%sa = stablehlo.after_all %%%s, %%%s : !stablehlo.token" % (tag, tag, tag),
                  "%%%sp = stablehlo.partition_id : tensor<ui32>" % tag, "%%%sr = stablehlo.replica_id : tensor<ui32>" % tag]
        p.add("same", {}, [a], "f32", [None] * rank, '"stablehlo.cross-replica-sum"(%%%s) {{replica_groups = dense<[[0, 1]]> : '
              'tensor<1x2xi64>}} : {types}' % a.name, before=before)
    else:
        shape = [p.rng.randint(0, 3) for _ in range(p.rng.randint(1, 2))]
        state = p.add("constant", {"shape": [2], "data": [1, 2]}, [], "ui64", [2], "constant dense<[1, 2]> : {result}")
        made = type_text(shape, "f32")
        p.add("bits", {"shape": shape}, [state], "f32", shape, '"stablehlo.rng_bit_generator"(%%%s) {{rng_algorithm = '
              '#stablehlo<rng_algorithm THREE_FRY>}} : (tensor<2xui64>) -> (tensor<2xui64>, %s)' % (state.name, made))


def bits(attrs, state):
    return Tensor(attrs["shape"])


def bytes_(attrs, a):
    if not attrs["wide"]:
        return Tensor(a.shape + (4,))
    need(a.shape[-1] == 4, "not four bytes")
    return Tensor(a.shape[:-1])


model.RULES.update({"bytes": bytes_, "bits": bits})

MAKERS = [make_unary, make_binary, make_truth, make_choice, make_map, make_complex, make_complex, make_batch_norm, make_fft, make_solve,
          make_dot, make_unary_einsum, make_index_tensor, make_index_select, make_top_k, make_ragged_dot, make_broadcasting,
          make_collective, make_set_size, make_dynamic_convolution, make_custom_call, make_custom_call, make_computed_reshape,
          make_quantized, make_sort_pair, make_random, make_broadcast, make_barrier, make_bitcast, make_plain]
