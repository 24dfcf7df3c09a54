# SPDX-License-Identifier: Apache-2.0
"""Random calls of PyTorch's recurrent networks (lstm, gru, rnn_tanh, rnn_relu), run by PyTorch, as random_calls.py has them.

    random_recurrent.py SEED CASES    calls of each operator

Their arguments depend on each other, so that none is legal by chance: they are made to fit, and dims are changed then.
Run by PyTorch's Python.
"""
import json
import random
import sys

import torch

BLOCKS = {'gru': 3, 'rnn_tanh': 1, 'rnn_relu': 1, 'lstm': 4}
POINTS = 6


class Network:
    def __init__(self, op, rng):
        self.op, self.rng = op, rng
        self.layers, self.directions = rng.choice([1, 1, 2]), rng.choice([1, 2])
        self.biases, self.first = rng.random() < 0.7, rng.random() < 0.5
        self.projects = op == 'lstm' and rng.random() < 0.3

    def dims(self):
        """The dims of input, states and weights, which fit."""
        length, batch, width, hidden = (self.rng.choice([1, 2, 3, 5]) for _ in range(4))
        own = self.rng.choice([2, 3]) if self.projects else hidden
        if self.projects:
            hidden = 7
        both, blocks = self.directions, BLOCKS[self.op] * hidden
        out = [[batch, length, width] if self.first else [length, batch, width], [both * self.layers, batch, own]]
        if self.op == 'lstm':
            out.append([both * self.layers, batch, hidden])
        for layer in range(self.layers):
            for _ in range(both):
                out += [[blocks, both * own if layer else width], [blocks, own]]
                out += [[blocks], [blocks]] if self.biases else []
                out += [[own, hidden]] if self.projects else []
        return out

    def changed(self, dims):
        """A dim of the input or of a state is another; 1.13 reads beyond the states where a layer or direction has none."""
        at = self.rng.randrange(len(dims))
        axis = self.rng.choice([0, 1, 2] if not at else [1, 2] if self.directions == 2 or self.op == 'lstm' else [0, 1, 2])
        dims[at][axis] = self.rng.choice([n for n in (0, 1, 2, 3, 4) if n != dims[at][axis]])

    def args(self, tensors, one):
        states = 2 if self.op == 'lstm' else 1
        hx = one(tensors[1:3]) if states == 2 else tensors[1]
        return [tensors[0], hx, one(tensors[1 + states:]), self.biases, self.layers, 0.0, False, self.directions == 2, self.first]

    def text(self, dims):
        names, states = ['t%d' % i for i in range(len(dims))], 3 if self.op == 'lstm' else 2
        params = ', '.join('%s: "f32[%s]"' % (n, ', '.join('s%d_%d' % (i, k) if i < states else str(d) for k, d in enumerate(row)))
                           for i, (n, row) in enumerate(zip(names, dims)))
        results = 3 if self.op == 'lstm' else 2
        call = ', '.join(str(a) for a in self.args(names, lambda some: '[%s]' % ', '.join(some)))
        return ('import torch\ndef forward(self, %s):\n    r = torch.ops.aten.%s.input(%s)\n%s    return (%s)\n' % (
            params, self.op, call, ''.join('    r%d = r[%d]\n' % (i, i) for i in range(results)),
            ''.join('r%d, ' % i for i in range(results))))


def case_of(network):
    packet = getattr(torch.ops.aten, network.op).input
    fits, points = network.dims(), []
    for k in range(POINTS):
        # The text has the dims of the weights: they stay.
        dims = [list(row) for row in fits]
        if k:
            network.changed(dims[:3 if network.op == 'lstm' else 2])
        try:
            out = packet(*network.args([torch.zeros(row) for row in dims], list))
            points.append({'dims': dims, 'results': [list(t.shape) for t in out]})
        except Exception as error:  # whatever PyTorch raises
            points.append({'dims': dims, 'error': str(error)[:160]})
    return {'op': network.op, 'text': network.text(fits), 'points': points}


def main():
    for op in BLOCKS:
        rng = random.Random('%s %s' % (op, sys.argv[1]))
        for _ in range(int(sys.argv[2])):
            print(json.dumps(case_of(Network(op, rng))), flush=True)


if __name__ == '__main__':
    main()
