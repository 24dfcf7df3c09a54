// SPDX-License-Identifier: Apache-2.0
// Programs to start from.
import attention from '../examples/attention.mlir';
import exported from '../examples/exported.mlir';
import feedforward from '../examples/feedforward.mlir';
import fx from '../examples/module.fx';
import heads from '../examples/heads.mlir';
import mismatch from '../examples/mismatch.mlir';
import named from '../examples/named.mlir';

export interface Example {
  title: string;
  name: string;
  text: string;
  assume?: string[];
  input?: string;
  ask?: string;
}

export const EXAMPLES: Example[] = [
  { title: 'Heads: a length taken from the mask', name: 'heads.mlir', text: heads, ask: '%0.1 == %mask.1' },
  { title: 'Named dims, and an assumption', name: 'named.mlir', text: named, assume: ['B <= 64'], ask: '128*B <= 8192' },
  { title: 'Attention', name: 'attention.mlir', text: attention, ask: 'same shape %out %query' },
  { title: 'Feed-forward', name: 'feedforward.mlir', text: feedforward, ask: 'same elements %tokens %x' },
  { title: 'Exported by JAX', name: 'exported.mlir', text: exported },
  { title: 'An error that no type shows', name: 'mismatch.mlir', text: mismatch },
  { title: 'PyTorch: an FX graph', name: 'module.fx', text: fx, input: 'x:f32[B,12]', ask: 'same elements heads x' },
];
