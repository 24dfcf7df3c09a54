#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Short requests do not wait for long ones, however few workers there are. Reads SHAPED (default: in build/).

The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run.
"""
import os
import select
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import ADD, GRAPH, Daemon, hard_queries, valid  # noqa: E402

MODES = (('--isolate', 'no'), ('--isolate', 'yes'))


def send(c, ident, count):
    c.send({'jsonrpc': '2.0', 'id': ident, 'method': 'query', 'params': hard_queries(count)})


def busy(d, stats, c, count=400):
    """The one worker has a request that takes seconds, by itself."""
    send(c, 'busy', count)
    d.wait(lambda: stats.result('server/stats')['running'] == 1, 'that it runs')


def waits(stats, count):
    """Whether one request runs, and that many wait."""
    now = stats.result('server/stats')
    return (now['running'], now['queued']) == (1, count)


def has_ended(c):
    """Whether the reply is there."""
    return bool(select.select([c.socket], [], [], 0)[0])


def answered_before_a_long_one(*options):
    """How many of ten short requests are."""
    with Daemon('--workers', '1', *options) as d, d.client() as long, d.client() as c, d.client() as stats:
        busy(d, stats, long, 60)
        before = 0
        for _ in range(10):
            assert c.result('query', {'queries': [{'query': '1 == 1'}]})['answers']
            before += not has_ended(long)
        session = c.result('session/open', {'graph': GRAPH})['session']
        c.result('session/query', {'session': session, 'queries': []})
        c.result('profile/observe', {'profile': 'p', 'text': ADD, 'observations': [{'sizes': {'S0': 2}, 'count': 1}]})
        assert valid(long.read(), 'query')['id'] == 'busy'
        return before


def test_short_requests_are_answered_while_all_workers_are_busy():
    """On a machine with other work one may be stopped for so long that it counts as long, and waits: hence attempts."""
    for mode in MODES:
        assert any(answered_before_a_long_one(*mode) for _ in range(8)), 'each waited for the long one'


def test_long_requests_go_back_and_are_answered():
    for mode in MODES:
        with Daemon('--workers', '1', *mode) as d, d.client() as first, d.client() as c, d.client() as stats:
            c.send({'jsonrpc': '2.0', 'id': 0, 'method': 'query', 'params': hard_queries(6)})
            right = c.read()['result']
            busy(d, stats, first, 20)
            for k in range(3):  # each is tried beside the worker, and waits for it then
                send(c, k, 6)
            assert valid(first.read(), 'query')['id'] == 'busy'
            replies = [valid(c.read(), 'query') for _ in range(3)]
            assert sorted(r['id'] for r in replies) == [0, 1, 2] and all(r['result'] == right for r in replies)


def test_requests_that_go_back_can_be_cancelled_and_have_their_deadlines():
    for mode in MODES:
        with Daemon('--workers', '1', *mode) as d, d.client() as first, d.client() as c, d.client() as stats:
            busy(d, stats, first)
            for k in range(3):
                c.send({'jsonrpc': '2.0', 'id': k, 'method': 'query', 'params': dict(hard_queries(400), deadline=300)})
                send(c, 'cancelled', 400)
                # Its deadline is known from where it was begun, does not start anew, and may be over before both wait.
                d.wait(lambda: waits(stats, 2) or waits(stats, 1) and has_ended(c), 'that both wait again')
                for ident in ('cancelled', k):
                    c.send({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': ident}})
                codes = {r['id']: r['error']['data']['code'] for r in (c.read(), c.read())}
                assert codes['cancelled'] == 'cancelled' and codes[k] in ('cancelled', 'deadline'), codes
            send(c, 'left', 400)
        # Clients that go, and the end of the daemon, end them.


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
