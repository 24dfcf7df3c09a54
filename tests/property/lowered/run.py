#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what is said of programs below StableHLO against runs of random ones: linalg, tensor, affine, scf, arith.

    tests/property/lowered/run.py                  2,000 programs (or $PROPERTY_LOWERED), seeds from 1
    tests/property/lowered/run.py --count 200000   the long run
    tests/property/lowered/run.py --seed 4711      one program again: its text, the answer, what is wrong
    tests/property/lowered/run.py --valid          only whether mlir-opt-22 takes the programs

tests/property/programs/run.py has what `wrong`, `refused` and `uncaught` mean.
The last line is `N passed, N failed`, over programs.
"""
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import dialects  # noqa: E402
import generate  # noqa: E402
import model  # noqa: E402
import run as programs  # noqa: E402
import movement  # noqa: E402
import structured  # noqa: E402

generate.FAMILIES[:] = [structured.MAKERS, movement.MAKERS, movement.CONTROL,
                        [dialects.make_index, dialects.make_arithmetic, dialects.make_select, dialects.make_tensor_cast, dialects.make_tensor,
                         structured.make_unknown]]
programs.SCOPED += movement.SCOPED
MADE = ("affine.apply affine.min affine.max affine.for affine.delinearize_index affine.linearize_index arith.select linalg.generic linalg.fill "
        "linalg.transpose linalg.broadcast linalg.reduce linalg.map scf.for scf.while scf.if scf.forall tensor.dim tensor.cast tensor.pad "
        "tensor.expand_shape tensor.collapse_shape tensor.extract_slice tensor.insert_slice tensor.concat "
        "tensor.generate linalg.pack linalg.unpack memref.alloc memref.dim memref.copy memref.cast bufferization.to_buffer scf.index_switch "
        "unknown.op unknown.run").split()


class Program(generate.Program):
    """Arguments are tensors and indices."""

    def argument(self):
        name, rng = "a%d" % len(self.arguments), self.rng
        if rng.random() < 0.3:
            value = generate.Value(name, [], "=index", model.Tensor((), [rng.choice([0, 1, 2, 3, 4])]))
        else:
            shape = [rng.choice([0, 1, 1, 2, 2, 3, 4, 6]) for _ in range(rng.choice([1, 1, 2, 3]))]
            value = generate.Value(name, [None if rng.random() < 0.8 else n for n in shape], "f32", model.Tensor(shape))
        self.arguments.append(value)
        self.values.append(value)

    def other_arguments(self):
        out = []
        for a in self.arguments:
            keep = self.rng.random() < 0.4
            if a.kind == "=index":
                out.append(a.tensor if keep else model.Tensor((), [self.rng.choice([-1, 0, 1, 2, 3, 4])]))
            else:
                out.append(model.Tensor([n if keep or d is not None else self.rng.choice([0, 1, 1, 2, 2, 3, 4, 6])
                                         for n, d in zip(a.tensor.shape, a.declared)]))
        return out


def make(seed):
    rng = random.Random(seed)
    program = Program(rng, rng.randint(2, 14))
    return program, [[a.tensor for a in program.arguments]] + [program.other_arguments() for _ in range(programs.RUNS)]


def missed(_, names):
    return sorted(set(MADE) - names)


def valid(count):
    """Whether MLIR's own verifier takes the programs."""
    failed = 0
    for seed in range(1, count + 1):
        text = make(seed)[0].text()
        done = subprocess.run(["mlir-opt-22", "--allow-unregistered-dialect"], input=text.encode(), capture_output=True)
        if done.returncode and "unknown.op" not in text:
            failed += 1
            print("seed %d: %s" % (seed, done.stderr.decode().split("\n")[0]))
    print("%d passed, %d failed" % (count - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--valid"]:
        sys.exit(valid(int((sys.argv[2:] or [300])[0])))
    sys.exit(programs.main(__doc__, "PROPERTY_LOWERED", 2000, make, missed))
