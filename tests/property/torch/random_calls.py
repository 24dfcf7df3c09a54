# SPDX-License-Identifier: Apache-2.0
"""Random calls of PyTorch's operators, run by PyTorch: for each row of torch.def that the installed PyTorch has.

    random_calls.py SEED CASES     operators as torch.def names them, one a line, on standard input

Writes a JSON line for each call: {"op", "text": an FX graph, "points": [{"dims", "results" or "error"}]}. The arguments
are made from the schema of the operator; points give the tensors other dims, legal and illegal. Run by PyTorch's Python.
"""
import json
import random
import re
import sys
import warnings

import torch

warnings.simplefilter('ignore')
torch.set_num_threads(1)
DTYPES = {'f32': torch.float32, 'i64': torch.int64, 'b8': torch.bool, 'c64': torch.complex64}
# What an operator refuses for another reason than dims.
OTHER = re.compile(r'not implemented for|dtype|scalar type|data type|type Long|type Float|must be (?:a )?(?:bool|float|int|Long)|floating|integral|'
                   r'complex|Boolean|boolean|index out of range|out of bounds|unsupported|not support|alpha must|Integer|'
                   r'indices should|indices must|tensors used as|deprecated|Expected reduction|layout|backend|quantiz|'
                   r'named|singular|positive-definite|probability|Could not run|not currently|weights? tensor|overflow|'
                   r'can.t be converted|DefaultCPUAllocator|Only zero batch|internal|INTERNAL|generator|strides?\b|storage|'
                   r'contiguous|at least one of its strides|Invalid argument|mode|string|bins|padding_idx|'
                   r'multinomial|momentum|Expected more than 1 value|mkldn|p must|dropout|cannot be cast|result type|'
                   r'to be a single|must be a Long|inplace|in-place|more than one element|Mask tensor can take|desired output type|look up dimensions by name|single memory location|output with shape|p to be in|primitive descriptor')
# 1.13 does not compare the other dims of index_add and index_reduce, which later versions do, takes any dims in
# native_batch_norm, which its caller checks, and skips the checks of batch_norm and pixel_unshuffle of nothing. The buffer of
# log_sigmoid_backward has elements on the CPU alone.
SKIP = re.compile(r'index_add|log_sigmoid_backward|index_reduce|native_batch_norm|batch_norm|pixel_unshuffle|_assert|resize|pin_memory|cuda|to_sparse|quantize|'
                  r'fake_quant|_cudnn|nccl|set_|_set|storage|_fft_|\.out$|record_stream|requires_grad|_pack|allclose|equal$|'
                  r'_flash_|_efficient_|cpu$|_version|item|_local_scalar')


class Give(Exception):
    pass


class Call:
    """One call: its text with tensors t0, t1, ..., their ranks and types."""

    def __init__(self, schema, rng):
        self.rng = rng
        self.tensors = []  # (rank, dtype)
        self.pool = [rng.choice([1, 2, 3, 4, 6, 8]) for _ in range(3)]
        self.args = []
        self.rank = rng.choice([1, 2, 2, 3, 3, 4, 4, 5])
        self.name = schema.name.split('::')[1]
        if '3d' in self.name:
            self.rank = rng.choice([4, 5, 5])
        elif '2d' in self.name or 'pixel' in self.name or 'shuffle' in self.name:
            self.rank = rng.choice([3, 4, 4])
        elif '1d' in self.name:
            self.rank = rng.choice([2, 3, 3])
        elif re.match(r'bmm|baddbmm|addbmm|cdist|im2col|col2im', self.name):
            self.rank = 3
        elif re.match(r'mm$|addmm|mv|addmv|t$|linear|trace|trapz', self.name):
            self.rank = 2
        self.int_rank = None
        for a in schema.arguments:
            if a.is_out:
                raise Give
            leave = a.has_default_value() and rng.random() < 0.5
            if leave and a.kwarg_only:
                continue
            if leave and all(b.has_default_value() for b in schema.arguments[schema.arguments.index(a):]):
                break
            self.args.append((a, self.value(a, str(a.type))))

    def tensor(self, dtype=None, rank=None):
        self.tensors.append((self.rank if rank is None else rank, dtype or self.dtype_of()))
        return ('t', len(self.tensors) - 1)

    def dtype_of(self):
        if re.search(r'logical_|bitwise_|__and__|__or__|__xor__', self.name) and self.rng.random() < 0.6:
            return self.rng.choice(['b8', 'i64'])
        if 'view_as_real' in self.name or ('fft' in self.name and 'rfft' not in self.name and self.rng.random() < 0.5):
            return 'c64'
        return 'f32'

    def value(self, a, kind):
        rng, n = self.rng, self.rank
        name = a.name
        if kind.startswith('Optional['):
            inner = kind[9:-1]
            if rng.random() < 0.4 or inner in ('Layout', 'Device', 'Generator', 'MemoryFormat', 'ScalarType'):
                return None
            return self.value(a, inner)
        if kind == 'Tensor':
            return self.one_tensor(name)
        if kind == 'List[Tensor]':
            if name == 'indices':
                return [self.tensor('i64', rng.choice([1, 1, 2])) for _ in range(rng.randint(1, 2))]
            return [self.tensor() for _ in range(rng.randint(1, 3))]
        if kind == 'List[Optional[Tensor]]':
            return [None if rng.random() < 0.4 else self.tensor('b8', rng.choice([1, 2])) if rng.random() < 0.2
                    else self.tensor('i64', rng.choice([0, 1, 1, 2])) for _ in range(rng.randint(1, 3))]
        if kind in ('int', 'SymInt'):
            return self.integer(name)
        if kind in ('List[int]', 'List[SymInt]'):
            return self.integers(a, name)
        if kind == 'bool':
            return rng.random() < 0.5
        if kind in ('float', 'Scalar', 'number'):
            if name in ('end', 'start'):
                return rng.choice([0, 1, 5, 7, 2.5, -3])
            if name == 'step':
                return rng.choice([1, 2, 0.5, -1, 3])
            return rng.choice([1, 2, 0.5, 3.0])
        if kind == 'str':
            if name == 'indexing':
                return rng.choice(['ij', 'xy'])
            if name == 'reduce':
                return rng.choice(['sum', 'prod', 'mean', 'amax', 'amin'])
            if name == 'mode':
                return rng.choice(['constant', 'reflect', 'replicate', 'circular'])
            if name == 'padding':
                return rng.choice(['same', 'valid'])
            return 'mean'
        if kind == 'List[float]' and name == 'scale_factors':
            return [rng.choice([1.0, 2.0, 0.5, 1.5]) for _ in range(max(1, n - 2))]
        if kind == 'List[bool]':
            return [rng.random() < 0.5 for _ in range(3)]
        if a.has_default_value():
            return a.default_value
        raise Give

    def one_tensor(self, name):
        rng, n = self.rng, self.rank
        if name in ('index', 'indices', 'boundaries') and self.name != 'put':
            same = re.match(r'gather|scatter|take_along', self.name)
            return self.tensor('i64', n if same else rng.choice([0, 1, 1, 2]))
        if name in ('mask', 'condition'):
            return self.tensor('b8', rng.randint(0, n))
        if name == 'target' and 'nll' in self.name:
            return self.tensor('i64', max(0, n - 1))
        if name in ('repeats',):
            return self.tensor('i64', 1)
        if name == 'bias' or name in ('running_mean', 'running_var'):
            return self.tensor('f32', 1)
        if name == 'weight' and 'conv' in self.name:
            spatial = int(re.search(r'(\d)d', self.name).group(1)) if re.search(r'(\d)d', self.name) else n - 2
            return self.tensor('f32', spatial + 2)
        if name == 'weight' and ('norm' in self.name or 'loss' in self.name):
            return self.tensor('f32', rng.choice([1, 1, min(n, 2)]))
        if name in ('vec', 'vec1', 'vec2') or re.match(r'dot|vdot|outer|ger|inner$', self.name):
            return self.tensor('f32', 1)
        if not self.tensors:
            return self.tensor()
        return self.tensor(None, n if rng.random() < 0.6 else rng.randint(0, n))

    def integer(self, name):
        rng, n = self.rng, self.rank
        if 'dim' in name or name == 'axis':
            return rng.randint(-n - 1, n) if rng.random() < 0.15 else rng.randint(-n, n - 1) if n else 0
        if name in ('groups', 'group', 'num_groups'):
            return rng.choice([1, 1, 2, 3])
        if name == 'reduction':
            return rng.choice([0, 1, 2])
        if name in ('step', 'kernel_size', 'stride', 'dilation', 'upscale_factor', 'downscale_factor', 'chunks', 'sections',
                    'split_size', 'num_classes', 'correction'):
            return rng.choice([1, 2, 2, 3])
        if name == 'end':
            return rng.choice([1, 2, 3, -1, 100, 0, 9223372036854775807])
        if name in ('steps', 'window_length', 'bins', 'k', 'n', 'm', 'row', 'col', 'high', 'length'):
            return rng.choice([1, 2, 3, 5])
        return rng.choice([0, 0, 1, 2, -1])

    def integers(self, a, name):
        rng, n = self.rng, self.rank
        if name in ('dim', 'dims', 'axis', 'source', 'destination', 'dim_self', 'dim_other'):
            if self.name in ('permute', 'permute_copy'):
                order = list(range(n))
                rng.shuffle(order)
                return [d - n if rng.random() < 0.2 else d for d in order]
            count = rng.randint(1, max(1, min(2, n)))
            if name in ('source', 'destination'):
                self.int_rank = self.int_rank or count
                count = self.int_rank
            found = rng.sample(range(n), min(count, n)) if n else [0]
            return [d - n if rng.random() < 0.3 else d for d in found]
        if name in ('kernel_size', 'stride', 'dilation', 'padding', 'output_padding', 'output_size'):
            digit = re.search(r'(\d)d', self.name)
            count = int(digit.group(1)) if digit else 2 if 'col' in self.name else max(1, n - 2)
            low = {'padding': [0, 0, 1, 2], 'output_padding': [0, 0, 1], 'output_size': [1, 2, 3, 5]}
            if name == 'stride' and rng.random() < 0.2 and 'pool' in self.name:
                return []
            return [rng.choice(low.get(name, [1, 2, 2, 3])) for _ in range(1 if rng.random() < 0.2 and 'pad' not in self.name else count)]
        if name == 'pad' or (name == 'padding' and 'pad' in self.name):
            digit = re.search(r'(\d)d', self.name)
            count = int(digit.group(1)) if digit else rng.randint(1, max(1, n - (0 if 'constant' in self.name else 1)))
            return [rng.choice([0, 1, 1, 2, -1]) for _ in range(2 * count)]
        if name == 'repeats' or (name == 'dims' and self.name == 'tile'):
            return [rng.choice([1, 2, 3, 0]) for _ in range(n + rng.randint(0, 1))]
        if name in ('split_sizes', 'indices', 'sections'):
            return [rng.choice([1, 2, 3]) for _ in range(rng.randint(1, 3))]
        if name == 'normalized_shape':
            return [rng.choice(self.pool) for _ in range(rng.randint(1, min(2, max(1, n))))]
        if name == 'shifts':
            return [rng.choice([1, 2, -1])]
        if name in ('size', 'shape', 'sizes'):
            if 'expand' in self.name or 'broadcast' in self.name:
                return [rng.choice([-1, -1, rng.choice(self.pool)]) for _ in range(n)]
            if self.name in ('view', 'reshape', '_unsafe_view', 'unflatten', 'view_copy'):
                out = [rng.choice(self.pool + [1]) for _ in range(rng.randint(1, 3))]
                if rng.random() < 0.7:
                    out[rng.randrange(len(out))] = -1
                return out
            return [rng.choice(self.pool) for _ in range(rng.randint(0, 3))]
        if name == 's':
            return [rng.choice([2, 3]) for _ in range(min(n, 1))]
        return [rng.choice(self.pool) for _ in range(rng.randint(1, 2))]

    # --- points

    def dims(self):
        out = []
        for rank, _ in self.tensors:
            row = [self.rng.choice(self.pool + self.pool + [1, 2, 0]) if self.rng.random() < 0.5 else self.rng.choice(self.pool)
                   for _ in range(rank)]
            if out and self.rng.random() < 0.5:  # like another one, from the end
                other = self.rng.choice(out)
                for i in range(1, min(rank, len(other)) + 1):
                    row[-i] = other[-i]
            out.append(row)
        return out

    def run(self, op, dims):
        made = []
        for row, (_, dtype) in zip(dims, self.tensors):
            made.append(torch.zeros(row, dtype=DTYPES[dtype]) if dtype != 'b8' else torch.ones(row, dtype=torch.bool))

        def real(v):
            if isinstance(v, tuple):
                return made[v[1]]
            return [real(x) for x in v] if isinstance(v, list) else v
        args = [real(v) for a, v in self.args if not a.kwarg_only]
        kwargs = {a.name: real(v) for a, v in self.args if a.kwarg_only and v is not None}
        return op(*args, **kwargs)

    def text(self, name, results):
        def shown(v):
            if isinstance(v, tuple):
                return 't%d' % v[1]
            if isinstance(v, list):
                return '[%s]' % ', '.join(shown(x) for x in v)
            return repr(v)
        params, at = [], 0
        for i, (rank, dtype) in enumerate(self.tensors):
            params.append('t%d: "%s[%s]"' % (i, dtype, ', '.join('s%d' % (at + k) for k in range(rank))))
            at += rank
        call = ', '.join([shown(v) for a, v in self.args if not a.kwarg_only] +
                         ['%s=%s' % (a.name, shown(v)) for a, v in self.args if a.kwarg_only and v is not None])
        return ('import torch\ndef forward(self, %s):\n    r = torch.ops.aten.%s(%s)\n%s    return (%s)\n' % (
            ', '.join(params), name, call, ''.join('    r%d = r[%d]\n' % (i, i) for i in range(results or 0)),
            'r,' if results is None else ''.join('r%d, ' % i for i in range(results))))


def results_of(out):
    if isinstance(out, torch.Tensor):
        return None, [list(out.shape)]
    if isinstance(out, (list, tuple)) and all(isinstance(x, torch.Tensor) for x in out):
        return len(out), [list(x.shape) for x in out]
    raise Give


def one_case(name, op, schema, rng, points, left):
    call = Call(schema, rng)
    found, kinds = [], set()
    if len(call.tensors) > 5 or not call.tensors and rng.random() < 0.9:
        points = 1
    for _ in range(points * 3):
        dims = call.dims()
        if len(found) >= points or left[0] <= 0 or (len(found) >= 3 and not any('results' in p for p in found)):
            break
        try:
            kind, results = results_of(call.run(op, dims))
            kinds.add(kind)
            found.append({'dims': dims, 'results': results})
        except Give:
            raise
        except Exception as error:  # noqa: BLE001  whatever PyTorch raises
            message = str(error)
            left[0] -= 1  # an exception of PyTorch takes milliseconds
            if OTHER.search(message):
                if not found:
                    return None  # the types are wrong at every point
                continue
            found.append({'dims': dims, 'error': message[:160]})
    legal = [p for p in found if 'results' in p]
    if not legal:
        return None
    # A list of as many results as there are axes: those of the first point.
    kind = None if 'results' not in legal[0] else (None if None in kinds else min(kinds))
    for p in found:
        if kind is not None and 'results' in p:
            p['results'] = p['results'][:kind]
    return {'op': name, 'text': call.text(name, kind), 'points': found}


def main():
    operators = sys.stdin.read().split()
    seed, cases = int(sys.argv[1]), int(sys.argv[2])
    for full in operators:
        name = full[len('torch.aten.'):]
        base, _, overload = name.partition('.')
        if SKIP.search(name) or not hasattr(torch.ops.aten, base):
            continue
        packet = getattr(torch.ops.aten, base)
        overload = overload or 'default'
        if overload not in packet.overloads():
            continue
        op = getattr(packet, overload)
        rng = random.Random('%s %d' % (full, seed))
        made = 0
        print(json.dumps({'begin': full}), flush=True)
        left = [16 * cases]
        for _ in range(40 * cases):
            if made == cases or left[0] <= 0:
                break
            try:
                case = one_case(name if overload != 'default' else base + '.default', op, op._schema, rng, 6, left)
            except Give:
                continue
            if case:
                made += 1
                print(json.dumps(case), flush=True)


if __name__ == '__main__':
    main()
