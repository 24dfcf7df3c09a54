# SPDX-License-Identifier: Apache-2.0
"""A blocking client: one connection, one request at a time."""
from __future__ import annotations

import json
import socket
import ssl
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import requests
from .errors import ConnectionLost, RequestTimeout, server_error
from .session import RemoteSession
from .types import Answer, Costs, Explanation, Op, Refined, Report, ServerInfo


class Client:
    """`address` is that of the command line, such as a path or "tls://HOST:PORT", or (host, port); `timeout` in seconds is
    for each call, None for none.

    `tls` (an ssl.SSLContext, with the client's certificate if the daemon wants one) and `token` are for daemons elsewhere;
    requests.target_of says where they come from when they are not given.
    """

    def __init__(self, address: Optional[requests.Address] = None, timeout: Optional[float] = 60.0, *,
                 tls: Optional[ssl.SSLContext] = None, token: Optional[str] = None) -> None:
        self.address, self._tls, self._token = requests.target_of(address, tls, token)
        self._found = requests.is_default(address)
        self.timeout = timeout
        self._socket: Optional[socket.socket] = None
        self._data = bytearray()
        self._last = 0

    def __enter__(self) -> 'Client':
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._socket:
            self._socket.close()
        self._socket = None
        self._data.clear()

    def call(self, method: str, params: Any = None, timeout: Optional[float] = None) -> Any:
        """The result of any method as plain JSON."""
        limit = self.timeout if timeout is None else timeout
        end = None if limit is None else time.monotonic() + limit
        fresh = self._socket is None
        try:
            return self._exchange(method, params, end)
        except ConnectionLost:
            if fresh or not requests.repeatable(method):
                raise
        return self._exchange(method, params, end)

    def _credentials(self) -> Optional[Dict[str, str]]:
        return {'token': self._token} if self._token is not None else None

    def _open(self, end: Optional[float]) -> None:
        left = None if end is None else max(end - time.monotonic(), 0.001)
        if isinstance(self.address, str):
            opened = self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            opened.settimeout(left)
            if self._found:
                requests.trust_folder(self.address)
            opened.connect(self.address)
            if self._found:
                requests.trust_daemon(self.address, opened)
        else:
            opened = self._socket = socket.create_connection(self.address, left)
        if self._tls:
            host = 'localhost' if isinstance(self.address, str) else self.address[0]
            self._socket = self._tls.wrap_socket(opened, server_hostname=host)
        if self._token is not None:
            self._exchange('initialize', self._credentials(), end)

    def _wait(self, end: Optional[float]) -> socket.socket:
        assert self._socket
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            raise socket.timeout('the deadline passed')
        self._socket.settimeout(left)
        return self._socket

    def _exchange(self, method: str, params: Any, end: Optional[float]) -> Any:
        try:
            if self._socket is None:
                self._open(end)
            self._last += 1
            message = requests.encode(method, params, self._last)
            try:
                self._wait(end).sendall(message)
            except BrokenPipeError:
                pass  # a daemon that refuses a message may close early; its reply says why
            return self._reply(end)
        except socket.timeout as error:
            self.close()  # cancels the request
            raise RequestTimeout('%s took too long' % method) from error
        except ConnectionLost:
            self.close()
            raise
        except OSError as error:
            self.close()
            raise ConnectionLost('%s: %s' % (self.address, error)) from error

    def _reply(self, end: Optional[float]) -> Any:
        while True:
            reply: Dict[str, Any] = json.loads(self._line(end))
            if reply.get('id') not in (None, self._last):
                continue
            if 'error' in reply:
                raise server_error(reply['error'])
            return reply['result']

    def _line(self, end: Optional[float]) -> bytes:
        scanned = 0
        while True:
            at = self._data.find(b'\n', scanned)
            if at >= 0:
                line = bytes(self._data[:at])
                del self._data[:at + 1]
                return line
            scanned = len(self._data)
            more = self._wait(end).recv(1 << 18)
            if not more:
                raise ConnectionLost('the connection was closed without an answer')
            self._data += more

    def initialize(self) -> ServerInfo:
        return ServerInfo.from_dict(self.call('initialize', self._credentials()))

    def analyze(self, program: Any, *, name: Optional[str] = None, timeout: Optional[float] = None,
                **options: Any) -> Report:
        """Options as in PROTOCOL.md: arg_types, bind, assume, entry, werror, refinable, profile, steps, memory."""
        return Report.from_dict(self.call('analyze', requests.program_params(program, name, options), timeout))

    def refine(self, program: Any, *, name: Optional[str] = None, timeout: Optional[float] = None,
               **options: Any) -> Refined:
        """Options as for analyze, and emit, bound, cleanup, generic, names, require_static."""
        return Refined.from_dict(self.call('refine', requests.program_params(program, name, options), timeout))

    def generalize(self, program: Any, *, name: Optional[str] = None, timeout: Optional[float] = None,
                   **options: Any) -> Dict[str, Any]:
        """Which fixed dims could be free (proto/schema/generalize.json). Options: free, entry, and emit='model'."""
        return dict(self.call('generalize', requests.program_params(program, name, options), timeout))

    def explain(self, program: Any, that: str, *, name: Optional[str] = None, timeout: Optional[float] = None,
                **options: Any) -> Explanation:
        params = requests.program_params(program, name, dict(options, that=that))
        return Explanation.from_dict(self.call('explain', params, timeout))

    def check_profiles(self, program: Any, profiles: Sequence[str], *, name: Optional[str] = None,
                           timeout: Optional[float] = None, **options: Any) -> Report:
        """Whether the program runs at every point of each profile, "B=1:8:64,arg0.1=128": `profiles` of the answer."""
        params = requests.program_params(program, name, dict(options, profiles=list(profiles)))
        return Report.from_dict(self.call('profile/check', params, timeout))

    def cost(self, program: Any, *, name: Optional[str] = None, timeout: Optional[float] = None,
             **options: Any) -> Costs:
        """Options as for analyze, and point, over, reuse, flops_per_byte."""
        return Costs.from_dict(self.call('cost', requests.program_params(program, name, options), timeout))

    def session(self, program: Any, *, name: Optional[str] = None, **options: Any) -> RemoteSession:
        """A program that stays open: `with client.session(text) as s: s.same_elements("%3", "%7")`. `names=True` lists what
        addresses its values; options are entry, bind and assume."""
        names = bool(options.pop('names', False))
        return RemoteSession(self, dict(requests.program_params(program, name, options), names=names))

    def query(self, queries: Sequence[Union[str, Mapping[str, Any]]], *, symbols: Optional[Mapping[str, Any]] = None,
              assume: Sequence[str] = (), timeout: Optional[float] = None) -> List[Answer]:
        result = self.call('query', requests.query_params(queries, symbols, assume), timeout)
        return [Answer.from_dict(answer) for answer in result['answers']]

    def observe(self, profile: str, observations: Sequence[Mapping[str, Any]], *, program: Any = None,
                timeout: Optional[float] = None, **options: Any) -> Dict[str, Any]:
        params = requests.observe_params(profile, observations, program, options)
        return dict(self.call('profile/observe', params, timeout))

    def ops_list(self) -> List[Op]:
        return [Op.from_dict(row) for row in (self.call('ops/list'))['ops']]

    def ping(self, params: Any = None) -> Any:
        return self.call('server/ping', params)

    def stats(self) -> Dict[str, Any]:
        return dict(self.call('server/stats'))
