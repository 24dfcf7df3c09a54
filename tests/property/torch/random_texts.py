# SPDX-License-Identifier: Apache-2.0
"""Random FX graphs as Python text, run by Python: what its grammar and PyTorch's arguments mean.

    random_texts.py SEED FIRST END

Writes a JSON line for each program, as random_calls.py does: {"op", "text", "points": [{"dims", "results" or "error"}]}.
Statements are of templates, such as an index with booleans, None and slices, arguments by keyword and in any order, and
results that are written to `out=`; those that Python refuses stay as the last one now and then. Run by PyTorch's Python.
"""
import ast
import json
import math
import operator
import random
import re
import resource
import sys
import warnings

import torch

from random_calls import DTYPES, OTHER

warnings.simplefilter('ignore')
torch.set_num_threads(1)
NUMEL_MAX = 100000


class Text:
    def __init__(self, rng):
        self.rng, self.lines, self.inputs, self.names = rng, [], [], 0
        self.pool = [rng.choice([1, 2, 3, 4, 6]) for _ in range(2)]
        for i in range(rng.randint(1, 3)):
            self.inputs.append(('t%d' % i, rng.choice(['f32', 'f32', 'f32', 'i64', 'b8']), rng.choice([0, 1, 2, 2, 3, 4])))

    def values(self, dims):
        env = {'torch': torch, 'math': math, 'operator': operator, 'slice': slice, 'getattr': getattr}
        for (name, dtype, _), row in zip(self.inputs, dims):
            made = torch.ones(row, dtype=DTYPES[dtype])
            env[name] = made * 0 if dtype == 'i64' else made
        return env

    def dims(self):
        rng = self.rng
        return [[rng.choice(self.pool * 3 + [0, 1, 2, 5]) for _ in range(rank)] for _, _, rank in self.inputs]

    # --- expressions

    def name(self, env, kind):
        have = [n for n, v in env.items() if isinstance(v, kind) and not (kind is int and isinstance(v, bool))]
        return self.rng.choice(have) if have else None

    def tensor(self, env):
        return self.name(env, torch.Tensor)

    def others(self, env, x):
        """Two tensors that share nothing with x: an operator that writes to what it reads does anything."""
        have = [n for n, v in env.items() if isinstance(v, torch.Tensor) and v.storage().data_ptr() != env[x].storage().data_ptr()]
        self.rng.shuffle(have)
        return (have + ['torch.empty(0)', 'torch.empty(0)'])[:2]

    def integer(self, env):
        rng, x = self.rng, self.tensor(env)
        known = self.name(env, int)
        kind = rng.random()
        if kind < 0.45:
            return str(rng.choice([0, 1, 2, -1, 3, -2]))
        if kind < 0.6 and known:
            return known
        if kind < 0.8 and env[x].dim():
            return rng.choice(['%s.size(%d)', '%s.shape[%d]']) % (x, rng.randrange(-env[x].dim(), env[x].dim()))
        if kind < 0.85:
            return '(%s %s %s)' % (self.integer(env), rng.choice(['+', '-', '*', '//', '%']), self.integer(env))
        if kind < 0.88:
            return '%s(%s, %s)' % (rng.choice(['max', 'min', 'torch.sym_max', 'pow']), self.integer(env), self.integer(env))
        return rng.choice(['len(%s)', '%s.dim()', '%s.ndim', '%s.numel()', '-%s.dim()', 'int(%s.numel() / 2)', 'math.ceil(%s.numel() / 2)',
                           '(%s.dim() and 2)', '(%s.numel() or 3)', 'int(%s.dim() == 2)', '(not %s.dim())', 'bool(%s.numel())',
                           '(%s.dim() > 1)', '(1 < %s.dim() < 3)', '(%s.dim() is None)', 'True', 'False', '2.0', '-(-%s.numel() // 2)',
                           '0x2', '1_0', '9223372036854775808', '(2 ** %s.dim())', '(~%s.dim())', 'abs(-%s.dim())',
                           '%s.size()[-1]', '%s.shape[True]', 'sum(%s.shape)', 'math.prod(%s.shape)', '(%s.dim() << 1)',
                           '(True + %s.dim())', '-True', '%s.size(True)', '%s.size(dim=0)', '(%s.numel() / 1)']).replace('%s', x)

    def index_item(self, env):
        rng = self.rng
        kind = rng.random()
        if kind < 0.2:
            return self.integer(env)
        if kind < 0.45:
            parts = [rng.choice(['', '', self.integer(env)]) for _ in range(rng.choice([2, 2, 3]))]
            return ':'.join(parts)
        if kind < 0.55:
            return rng.choice(['None', '...', ':', 'Ellipsis', 'slice(None)', 'slice(1, None, None)', 'slice(0, 2)'])
        if kind < 0.65:
            return rng.choice(['True', 'False', 'None'])
        if kind < 0.75:
            return '[%s]' % ', '.join(rng.choice(['0', '0', '1', '-1', self.integer(env)]) for _ in range(rng.randint(0, 3)))
        if kind < 0.8:
            return '[%s]' % ', '.join(rng.choice(['True', 'False']) for _ in range(rng.randint(1, 3)))
        if kind < 0.85:
            return rng.choice(['torch.tensor([True, False])', 'torch.tensor(True)', 'torch.tensor(0)', 'torch.tensor([0, 1])', '[[0, 1], [0, 0]]',
                               'torch.tensor([0, True])', '[[True]]', 'torch.zeros(2, dtype=torch.long)', 'torch.ones(2, dtype=torch.uint8)',
                               'torch.tensor([])', '(0, 1)', '1.0', '[1.0]'])
        return self.tensor(env)

    def index(self, env):
        return ', '.join(self.index_item(env) for _ in range(self.rng.choice([1, 1, 2, 2, 3]))) + self.rng.choice(['', '', '', ','])

    def sizes(self, env, count=None):
        return [self.integer(env) for _ in range(count if count is not None else self.rng.randint(0, 3))]

    def listed(self, env, items):
        rng = self.rng
        return rng.choice(['[%s]' % ', '.join(items), '(%s)' % ''.join(i + ', ' for i in items), '[%s]' % ', '.join(items),
                           '%s.shape' % self.tensor(env)])

    def call(self, head, params, leave=0.3):
        """A call with arguments by position or keyword, in any order, now and then one too many."""
        rng = self.rng
        position, keyword, named = [], [], False
        for name, value, required in params:
            if not required and rng.random() < leave:
                named = True
                continue
            named = named or rng.random() < 0.3
            (keyword if named else position).append('%s=%s' % (name, value) if named else value)
        rng.shuffle(keyword)
        if keyword and rng.random() < 0.02:
            keyword.append(rng.choice(keyword))
        if rng.random() < 0.02:
            position.append(rng.choice(['0', 'None', 'True']))
        return '%s(%s)' % (head, ', '.join(position + keyword))

    def reduction(self, env):
        rng, x = self.rng, self.tensor(env)
        one = rng.choice(['argmax', 'argmin', 'max', 'min', 'prod', 'cumsum', 'softmax', 'log_softmax', 'median', 'sort', 'argsort', 'topk',
                          'squeeze', 'unsqueeze', 'any', 'all', 'unbind', 'logcumsumexp', 'kthvalue', 'mode', 'cummax', 'diff'])
        many = rng.choice(['sum', 'mean', 'amax', 'amin', 'logsumexp', 'std', 'var', 'norm', 'flip', 'count_nonzero', 'nansum', 'std_mean'])
        if rng.random() < 0.5:
            dim = rng.choice([self.integer(env), '0', '-1', '1', 'True', 'None'])
            params = [('dim', dim, one not in ('argmax', 'sort', 'squeeze'))]
            if one in ('topk', 'kthvalue'):
                params = [('k', self.integer(env), True)] + params
            name = one
        else:
            dim = rng.choice([self.integer(env), '0', '-1', self.listed(env, self.sizes(env)), '[]', '()', 'None', '[0, -1]', '(0, 1)'])
            params = [('dims' if many == 'flip' else 'dim', dim, rng.random() < 0.6)]
            if many == 'norm':
                params = [('p', rng.choice(['2', '"fro"', 'None', '1.0']), False)] + params
            if many in ('std', 'var', 'std_mean') and rng.random() < 0.5:
                params.append(('unbiased', rng.choice(['True', 'False']), True))
            name = many
        if rng.random() < 0.4 and name not in ('flip', 'diff', 'cumsum', 'softmax'):
            params.append(('keepdim', rng.choice(['True', 'False', '1', '0']), False))
        if rng.random() < 0.3:
            return self.call('torch.' + name, [('input', x, True)] + params)
        return self.call('%s.%s' % (x, name), params)

    def creation(self, env):
        rng, items = self.rng, self.sizes(env)
        x = self.tensor(env)
        name = rng.choice(['zeros', 'ones', 'empty', 'rand', 'full', 'arange', 'tensor', 'new_zeros', 'new_full', 'zeros_like', 'eye', 'linspace'])
        dtype = rng.choice(['', '', '', ', dtype=torch.bool', ', dtype=torch.int64', ', dtype=None', ', dtype=%s.dtype' % x])
        if name == 'full':
            return 'torch.full(%s%s)' % (rng.choice(['%s, %s', 'fill_value=%s, size=%s', 'size=%s, fill_value=%s']) % (
                (self.listed(env, items), rng.choice(['0', 'True', '1.5', x])) if rng.random() < 0.8 else (self.integer(env), '0')), dtype)
        if name == 'arange':
            return 'torch.arange(%s%s)' % (rng.choice(['%s', '%s, %s', '%s, %s, %s', 'end=%s', '%s, end=%s', 'start=%s, end=%s', '%s, step=%s, end=%s']).replace(
                '%s', '{}').format(*[self.integer(env) for _ in range(3)]), dtype)
        if name == 'tensor':
            return 'torch.tensor(%s%s)' % (rng.choice(['True', '[True, False]', '[1, True]', '[[1, 2], [3, 4]]', '[]', '[[]]', '1.0', '[%s]' % ', '.join(items),
                                                       self.integer(env), '[1, 2.5]', '[[True]]', '(1, 2)', '[(1,), [2]]']), dtype)
        if name == 'zeros_like':
            return 'torch.zeros_like(%s%s)' % (x, dtype)
        if name in ('eye', 'linspace'):
            return 'torch.%s(%s)' % (name, ', '.join(self.integer(env) for _ in range(rng.choice([1, 2, 3]))))
        spelled = rng.choice([', '.join(items), self.listed(env, items), 'size=' + self.listed(env, items)])
        if name == 'new_zeros':
            return '%s.new_zeros(%s%s)' % (x, spelled, dtype)
        if name == 'new_full':
            return '%s.new_full(%s, %s%s)' % (x, self.listed(env, items), rng.choice(['0', 'True', '1.5']), dtype)
        return 'torch.%s(%s%s)' % (name, spelled, dtype)

    def view(self, env):
        rng, x = self.rng, self.tensor(env)
        items = self.sizes(env)
        if items and rng.random() < 0.5:
            items[rng.randrange(len(items))] = '-1'
        n = env[x].dim()
        order = list(range(n))
        rng.shuffle(order)
        order = [str(d - n if rng.random() < 0.2 else d) for d in order]
        name = rng.choice(['view', 'reshape', 'expand', 'permute', 'repeat', 'tile', 'transpose', 'flatten', 'unflatten', 'narrow', 'select', 'movedim',
                           'squeeze', 'unsqueeze', 'broadcast_to', 'roll', 'swapaxes', 't', 'T', 'index_select', 'gather', 'chunk', 'split', 'unfold',
                           'tensor_split', 'repeat_interleave', 'diagonal', 'masked_fill', 'masked_select', 'where', 'expand_as', 'view_as', 'ravel', 'take'])
        i, j, k = (self.integer(env) for _ in range(3))
        y = self.tensor(env)
        given = {'permute': order, 'transpose': [i, j], 'swapaxes': [i, j], 't': [], 'ravel': [], 'flatten': rng.choice([[], [i], [i, j]]),
                 'unflatten': [i, self.listed(env, items)], 'narrow': [i, j, k], 'select': [i, j], 'squeeze': rng.choice([[], [i]]),
                 'movedim': [i, j], 'unsqueeze': [i], 'roll': rng.choice([[i], [i, j]]), 'index_select': [i, rng.choice([y, 'torch.tensor([0, 0])'])],
                 'gather': [i, y], 'chunk': rng.choice([[i], [i, j]]), 'split': rng.choice([[i], [i, j], [self.listed(env, items)]]),
                 'unfold': [i, j, k], 'tensor_split': rng.choice([[i], [i, j], [self.listed(env, items)]]), 'repeat_interleave': rng.choice([[i], [i, j]]),
                 'diagonal': rng.choice([[], [i], [i, j, k]]), 'masked_fill': [y, '0'], 'masked_select': [y], 'where': [y, '0'],
                 'expand_as': [y], 'view_as': [y], 'take': [y], 'broadcast_to': [self.listed(env, items)]}.get(name)
        if name == 'T':
            return '%s.T' % x
        names = {'transpose': ['dim0', 'dim1'], 'flatten': ['start_dim', 'end_dim'], 'narrow': ['dim', 'start', 'length'], 'select': ['dim', 'index'],
                 'unsqueeze': ['dim'], 'squeeze': ['dim'], 'roll': ['shifts', 'dims'], 'index_select': ['dim', 'index'], 'gather': ['dim', 'index'],
                 'chunk': ['chunks', 'dim'], 'split': ['split_size', 'dim'], 'unfold': ['dimension', 'size', 'step'], 'repeat_interleave': ['repeats', 'dim'],
                 'diagonal': ['offset', 'dim1', 'dim2'], 'movedim': ['source', 'destination'], 'masked_fill': ['mask', 'value']}.get(name)
        if given is None:
            spelled = rng.choice([', '.join(items), self.listed(env, items)])
            return '%s.%s(%s)' % (x, name, spelled)
        if names and rng.random() < 0.5:
            return self.call('%s.%s' % (x, name), [(n, v, True) for n, v in zip(names, given)])
        if name == 'permute':
            return '%s.permute(%s)' % (x, rng.choice([', '.join(order), '[%s]' % ', '.join(order), 'dims=(%s)' % ''.join(o + ', ' for o in order)]))
        if rng.random() < 0.3 and name not in ('view', 'where', 'expand_as', 'view_as', 'unfold'):
            return 'torch.%s(%s)' % (name, ', '.join([x] + given))
        return '%s.%s(%s)' % (x, name, ', '.join(given))

    def several(self, env):
        rng = self.rng
        x, y, z = self.tensor(env), self.tensor(env), self.tensor(env)
        i = self.integer(env)
        return rng.choice([
            'torch.cat([{x}, {y}], {i})', 'torch.cat(({x}, {y}), dim={i})', 'torch.cat(dim=0, tensors=[{x}, {y}])', 'torch.stack([{x}, {y}], {i})',
            'torch.stack([{x}, {x}])', 'torch.cat([{x}] * 2)', 'torch.cat([{x}] + [{y}], 0)', '{x} + {y}', '{x} * {i}', '{i} - {x}', '{x} @ {y}', '{x} == {y}',
            '{x} < {i}', '-{x}', '~{x}', '{x} ** 2', '{x} / {y}', '{x} // {i}', 'torch.matmul({x}, other={y})', 'torch.where({x}, {y}, {i})',
            'torch.where({x} > 0, {y}, {z})', 'torch.maximum({x}, {y})', 'torch.einsum("ij,jk->ik", {x}, {y})', 'torch.einsum("...i,i", [{x}, {y}])',
            'torch.broadcast_tensors({x}, {y})[{i}]', 'torch.meshgrid({x}, {y}, indexing="ij")[0]', 'torch.meshgrid([{x}, {y}])[1]', '{x}.to({y})', '{x}.to(torch.bool)',
            '{x}.bool()', '{x}.long()', '{x}.float()', '{x}.type_as({y})', 'torch.add({x}, {y}, alpha=2)', 'torch.add(other={y}, input={x})',
            'torch.nn.functional.pad({x}, (1, {i}))', 'torch.nn.functional.pad({x}, pad=[{i}, 0], value=1.0)', 'torch.nn.functional.softmax({x}, {i})',
            'torch.nn.functional.layer_norm({x}, ({x}.size(-1),))', 'torch.nn.functional.one_hot({x}, 5)', 'torch.nn.functional.dropout({x}, 0.1, False)',
            'torch.nn.functional.linear({x}, {y})', 'torch.nn.functional.interpolate({x}, scale_factor=2)', 'torch.nn.functional.embedding({x}, {y})',
            'torch.bmm({x}, {y})', 'torch.outer({x}, {y})', 'torch.clamp({x}, {i})', 'torch.clamp({x}, max={i})', 'torch.scatter({x}, 0, {y}, 1)',
            '{x}.scatter(dim={i}, index={y}, src={z})', 'torch.tril({x})', 'torch.triu({x}, {i})', 'torch.nonzero({x})', 'torch.nonzero({x}, as_tuple=True)[0]',
            'getattr({x}, "shape")', 'operator.add({x}, {y})', 'operator.getitem({x}, {i})', 'operator.getitem({x}, (None, {i}))', '{x}.__getitem__({i})',
            '{x}.size()', '{x}.shape', '({x}.shape[:{i}] + ({i},))', '{x}.shape[{i}:]', '[{i}, {i}]', '({x}, {y})', '{x}.shape[::-1]', '{x}.real', '{x}.data',
            '{x}.sum() > 0', '{x}.squeeze().unsqueeze({i})', 'torch.squeeze({x}, dim={i})', 'torch.numel({x})', '{x}.detach().clone()', '{x}.new_tensor([1, 2])',
            'torch.split({x}, split_size_or_sections={i}, dim=-1)[0]', 'torch.chunk(input={x}, chunks=2)[-1]', '{x}.masked_fill({x} > 0, 1)[{y}]',
            'torch.full_like({x}, True)', '{x}.logical_not()', '{x}.item()', 'torch.as_tensor({i})', 'torch.sum({x}, dtype=torch.float32)',
            'torch.mean({x}.float(), dim=({i},), keepdim=True)', 'torch.max({x}, {y})', 'torch.max({x}, dim={i})[0]', 'torch.max({x}, {i}).values',
            'torch.any({x}, {i})', '{x}.index_select(0, {y})', 'torch.tensordot({x}, {y}, dims={i})', 'torch.concat([{x}, {y}])', 'torch.hstack([{x}, {y}])',
        ]).format(x=x, y=y, z=z, i=i)

    def statement(self, env):
        rng, x, y = self.rng, self.tensor(env), self.tensor(env)
        kind = rng.random()
        target = rng.choice(['v%d' % self.names] * 8 + [x])
        if kind < 0.3:
            return '%s = %s[%s]' % (target, x, self.index(env))
        if kind < 0.45:
            return '%s = %s' % (target, self.view(env))
        if kind < 0.57:
            return '%s = %s' % (target, self.reduction(env))
        if kind < 0.68:
            return '%s = %s' % (target, self.creation(env))
        if kind < 0.75:
            return 'v%d = %s' % (self.names, self.integer(env))
        if kind < 0.9:
            return '%s = %s' % (target, self.several(env))
        return rng.choice(['%s[%s] = %s' % (x, self.index(env), rng.choice([y, '0', 'True'])), '%s += %s' % (x, y), '%s.add_(%s)' % (x, y),
                           '%s *= %s' % (x, self.integer(env)), '%s.unsqueeze_(%s)' % (x, self.integer(env)), '%s.squeeze_()' % x, '%s.t_()' % x,
                           '%s.transpose_(0, 1)' % x, 'torch.add(%s, %s, out=%s)' % (x, x, self.others(env, x)[0]), '%s.resize_(2, 3)' % x,
                           'torch.sum(%s, 0, out=%s)' % (x, self.others(env, x)[0]), 'torch.cat([%s, %s], out=%s)' % (x, x, self.others(env, x)[1]), '%s.data = %s' % (x, y),
                           '%s.copy_(%s)' % (x, y), '%s.fill_(0)' % x, '%s.zero_()' % x, '%s.masked_fill_(%s, 0)' % (x, y), '%s.set_(%s)' % (x, y),
                           'torch.relu_(%s)' % x, '%s, w%d = %s.shape' % (target, self.names, x), 'v%d, *w%d = %s.shape' % (self.names, self.names, x),
                           '(v%d, w%d) = %s.max(%s)' % (self.names, self.names, x, self.integer(env)), 'v%d = w%d = %s' % (self.names, self.names, x),
                           'v%d, w%d = %s, %s' % (self.names, self.names, x, y), '%s, %s = %s, %s' % (x, y, y, x), '[v%d] = %s.split(%s)' % (self.names, x, y),
                           'torch.max(%s, 0, out=(%s, %s))' % (x, *self.others(env, x)), '%s.swapdims_(0, 1)' % x, '%s.squeeze_(0)' % x, '%s |= %s' % (x, y), '%s //= 2' % x])

    # --- programs

    def build(self):
        rng = self.rng
        dims = self.dims()
        env = self.values(dims)
        for _ in range(40):
            if len(self.lines) >= rng.choice([1, 2, 3, 4]) or not self.tensor(env):
                break
            text = self.statement(env)
            self.names += 1
            saved = self.lines + [text]
            again = self.values(dims)
            try:
                ast.parse(text)
                run('\n'.join(saved), again)
            except SyntaxError:
                continue
            except Exception:  # noqa: BLE001  whatever PyTorch raises
                if rng.random() < 0.06:
                    self.lines = saved
                    return dims
                continue
            self.lines, env = saved, again
        return dims

    def returned(self, env):
        """Names of the tensors, and integers as dims of a tensor."""
        out = [n for n, v in env.items() if isinstance(v, torch.Tensor)]
        return out[:3] + out[max(3, len(out) - 3):]

    def text(self, names):
        params, at = [], 0
        for name, dtype, rank in self.inputs:
            params.append('%s: "%s[%s]"' % (name, dtype, ', '.join('s%d' % (at + k) for k in range(rank))))
            at += rank
        return 'import torch\ndef forward(self, %s):\n%s    return (%s)\n' % (
            ', '.join(params), ''.join('    %s\n' % t for t in self.lines), ''.join(n + ', ' for n in names))


def run(text, env):
    exec(compile(text, 'program', 'exec'), env)  # a program of our own generator
    env.pop('__builtins__', None)
    for value in env.values():
        if isinstance(value, torch.Tensor) and (value.numel() > NUMEL_MAX or any(d < 0 for d in value.shape)):
            raise MemoryError
        if isinstance(value, int) and abs(value) > 1 << 62:
            raise MemoryError


def one_case(rng):
    t = Text(rng)
    first = t.build()
    points, names = [], None
    for dims in [first] + [t.dims() for _ in range(5)]:
        env = t.values(dims)
        try:
            run('\n'.join(t.lines), env)
            names = names or t.returned(env)
            if any(not isinstance(env.get(n), torch.Tensor) for n in names):
                return None  # names that are tensors in some runs
            points.append({'dims': dims, 'results': [list(env[n].shape) for n in names]})
        except MemoryError:
            continue
        except Exception as error:  # noqa: BLE001
            message = '%s: %s' % (type(error).__name__, str(error)[:160])
            if isinstance(error, (TypeError, AttributeError, NotImplementedError, ValueError, ZeroDivisionError)):
                continue  # whatever the dims are
            if not OTHER.search(message):
                points.append({'dims': dims, 'error': message})
    if not points:
        return None
    if names is None:
        names = [i[0] for i in t.inputs]
    return {'is_text': True, 'op': re.sub(r'\W+', ' ', t.lines[-1] if t.lines else '')[:40], 'text': t.text(names), 'points': points}


def main():
    seed, first, end = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    for i in range(first, end):
        print(json.dumps({'begin': i}), flush=True)
        case = one_case(random.Random('%d %d' % (seed, i)))
        if case:
            print(json.dumps(case), flush=True)


if __name__ == '__main__':
    main()
