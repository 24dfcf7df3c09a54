# SPDX-License-Identifier: Apache-2.0
"""A zoo of models over the workers of Dask Distributed, results in one SQLite database.

    from distributed import Client
    from shaped.dask import analyse_zoo
    with Client('tcp://scheduler:8786') as client:
        counts = analyse_zoo(client, ['/data/zoo'], 'zoo.sqlite', timeout=30, memory=1500)

or from a shell: python3 -m shaped.dask --scheduler tcp://scheduler:8786 --db zoo.sqlite /data/zoo

A task is one model (or `per_task` of them): the worker runs `shape batch` on it, which has its limits and ends with one
record per model whatever the model does. A task whose worker dies runs again on another one; a model that takes its
workers with it `retries` times over gets a record that says so. Every model has exactly one record: they are kept by path,
and a record that comes twice replaces itself. Only the caller writes the database, through `shape batch merge`, as records
come in. Workers need the program `shape` and the models under the same paths as the caller; of this module they need
nothing (its functions travel with the tasks).
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

ENDINGS = ('.onnx', '.mlir', '.json')
WRITE_EVERY = 5.0  # seconds
WRITE_AFTER = 500  # records


def list_models(paths):
    """The models that `shape batch` would take: files as they are, folders with all that is below them."""
    found = set()
    for path in paths:
        path = os.fspath(path)
        if not os.path.isdir(path):
            found.add(path)
            continue
        for folder, _, names in os.walk(path):
            found.update(os.path.join(folder, n) for n in names if n.endswith(ENDINGS))
    return sorted(found)


def make_task(options):
    """What a worker runs: a function that needs nothing but the standard library and the program."""
    def analyse(models):
        import subprocess as processes  # of the worker
        command = [options['shape'], 'batch', '--quiet', '--isolate', '--jobs', '1', '--jsonl', '-', '--timeout', str(options['timeout']),
                   '--memory', str(options['memory']), *options['extra'], '--files-from', '-']
        # Twice what the limits allow: after that it is the machine that hangs, and another worker may do better.
        limit = 60 + 2 * options['timeout'] * len(models)
        run = processes.run(command, input='\0'.join(models).encode('utf-8', 'surrogateescape') + b'\0', stdout=processes.PIPE,
                            stderr=processes.PIPE, timeout=limit, check=False)
        records = [line for line in run.stdout.decode('utf-8').split('\n') if line]
        if len(records) != len(models):
            raise RuntimeError('shape batch ended with status %d and %d of %d records: %s' % (
                run.returncode, len(records), len(models), run.stderr.decode('utf-8', 'replace')[-500:]))
        return records
    return analyse


def failed_record(path, problem):
    """The record of a model that no worker could finish."""
    return json.dumps({'path': path, 'status': 'crashed', 'hash': '', 'tool': '', 'options': '', 'format': None, 'bytes': 0,
                       'message': str(problem)[:500] or type(problem).__name__, 'summary': None})


class Database:
    """One writer: records are collected for a few seconds and then put in by `shape batch merge`, in one transaction."""

    def __init__(self, path, shape):
        self.path, self.shape = path, shape
        self.pending, self.written = [], time.monotonic()

    def add(self, record):
        self.pending.append(record)
        if len(self.pending) >= WRITE_AFTER or time.monotonic() - self.written >= WRITE_EVERY:
            self.flush()

    def flush(self):
        if self.pending:
            with tempfile.NamedTemporaryFile('w', suffix='.jsonl', encoding='utf-8') as lines:
                lines.writelines(r + '\n' for r in self.pending)
                lines.flush()
                subprocess.run([self.shape, 'batch', 'merge', lines.name, '--db', self.path], stdout=subprocess.DEVNULL, check=True)
        self.pending, self.written = [], time.monotonic()


def analyse_zoo(client, paths, database, *, shape='shape', timeout=60, memory=2048, retries=3, per_task=1, extra=(), progress=None):
    """Analyses all models below `paths`; returns how many ended with each status.

    timeout (seconds) and memory (MiB) are limits of one model; extra are more options of `shape batch`, such as ['--bind',
    'batch=8']; progress(done, total) is called after each record.
    """
    from distributed import as_completed
    models = list_models(paths)
    tasks = [tuple(models[i:i + per_task]) for i in range(0, len(models), per_task)]
    analyse = make_task({'shape': shape, 'timeout': timeout, 'memory': memory, 'extra': list(extra)})
    out, counts, done = Database(database, shape), {}, set()
    waiting, of = iter(tasks), {}

    def submit():
        task = next(waiting, None)
        if task is None:
            return None
        future = client.submit(analyse, list(task), pure=False, retries=retries)
        of[future.key] = task
        return future

    def take(record):
        fields = json.loads(record)
        if fields['path'] in done:
            return
        done.add(fields['path'])
        counts[fields['status']] = counts.get(fields['status'], 0) + 1
        out.add(record)
        if progress:
            progress(len(done), len(models))

    # Enough at a time that no worker waits; the rest costs the scheduler nothing.
    window = max(32, 4 * sum(client.nthreads().values()))
    futures = as_completed([f for f in (submit() for _ in range(window)) if f])
    for future in futures:
        task = of.pop(future.key)
        try:
            records = future.result()  # waits again where the worker died with the result
        except Exception as problem:  # whatever the task raised, or KilledWorker
            records = [failed_record(m, problem) for m in task]
        for record in records:
            take(record)
        more = submit()
        if more:
            futures.add(more)
        del future  # lets the scheduler forget it
    out.flush()
    return counts


def main():
    parser = argparse.ArgumentParser(prog='python3 -m shaped.dask', description='A zoo of models over the workers of Dask Distributed.')
    parser.add_argument('paths', nargs='+', help='models and folders')
    parser.add_argument('--scheduler', required=True, help='address, such as tcp://host:8786')
    parser.add_argument('--db', required=True, help='SQLite database for the results')
    parser.add_argument('--shape', default='shape', help='the program, as workers find it')
    parser.add_argument('--timeout', type=float, default=60, help='seconds for one model')
    parser.add_argument('--memory', type=int, default=2048, help='MiB for one model')
    parser.add_argument('--retries', type=int, default=3)
    parser.add_argument('--per-task', type=int, default=1, help='models in one task')
    options = parser.parse_args()
    from distributed import Client
    with Client(options.scheduler) as client:
        counts = analyse_zoo(client, options.paths, options.db, shape=options.shape, timeout=options.timeout, memory=options.memory,
                             retries=options.retries, per_task=options.per_task,
                             progress=lambda done, total: print('%d of %d' % (done, total), file=sys.stderr) if done % 1000 == 0 else None)
    print(', '.join('%d %s' % (n, s) for s, n in sorted(counts.items())))


if __name__ == '__main__':
    main()
