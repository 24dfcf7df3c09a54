# SPDX-License-Identifier: Apache-2.0
"""ONNX models for the bench, and onnx's own inference as what `shape batch` is held against.

zoo()       exported models without weights, of ../shared where it is beside the checkout
testdata()  small models with weights, of Debian's libonnx-testdata where it is installed
PEER        run by a Python that has onnx: loads each model and infers its shapes; it gives no expressions
"""
import glob
import gzip
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ZOO = ROOT.parent / "shared" / "corpus" / "onnx" / "zoo"
TESTDATA = pathlib.Path("/usr/share/libonnx-testdata/data")

PEER = """
import sys
import onnx
for path in sys.argv[1:]:
    model = onnx.load(path, load_external_data=False)
    try:
        onnx.shape_inference.infer_shapes(model)
    except Exception as error:
        print(path, error, file=sys.stderr)
"""


def python():
    """A Python with onnx, that of Debian before the one that runs this; None: there is none."""
    for path in ("/usr/bin/python3", sys.executable):
        if subprocess.run([path, "-c", "import onnx"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return path
    return None


def zoo(folder):
    """Writes the models of the zoo there; how many."""
    packed = sorted(ZOO.glob("*.onnx.gz"))
    for path in packed:
        with open(os.path.join(folder, path.stem), "wb") as handle:
            handle.write(gzip.decompress(path.read_bytes()))
    return len(packed)


def testdata(folder):
    """Links all models of the package there; how many."""
    found = sorted(TESTDATA.rglob("*.onnx"))
    for path in found:
        os.symlink(path.resolve(), os.path.join(folder, "-".join(path.relative_to(TESTDATA).parts)))
    return len(found)


def models(folder):
    return sorted(glob.glob(os.path.join(folder, "*.onnx")))


def cpu(commands):
    """CPU seconds of processes that run together, and of theirs."""
    started = [subprocess.Popen(c, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for c in commands]
    seconds = 0.0
    for child in started:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1):
            raise SystemExit("%s ended with status %d" % (child.args[:3], child.returncode))
        seconds += usage.ru_utime + usage.ru_stime
    return seconds


def pair(tool, peer, folder, processes):
    """(CPU seconds of one batch, of as many processes of the peer), one after the other."""
    paths = models(folder)
    mine = cpu([[tool, "batch", "-j", str(processes), "--quiet", folder]])
    return mine, cpu([[peer, "-c", PEER] + paths[i::processes] for i in range(processes)])
