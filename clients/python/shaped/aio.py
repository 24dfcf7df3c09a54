# SPDX-License-Identifier: Apache-2.0
"""An asyncio client: any number of requests on one connection; a cancelled task cancels its request."""
from __future__ import annotations

import asyncio
import json
import ssl
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import requests
from .errors import ConnectionLost, RequestTimeout, server_error
from .types import Answer, Costs, Explanation, Op, Refined, Report, ServerInfo

LINE = 1 << 30  # bytes of a reply


class AsyncClient:
    """As Client; `in_flight` requests at most wait for their replies, the others for their turn."""

    def __init__(self, address: Optional[requests.Address] = None, timeout: Optional[float] = 60.0, *,
                 in_flight: int = 256, tls: Optional[ssl.SSLContext] = None, token: Optional[str] = None) -> None:
        self.address, self._tls, self._token = requests.target_of(address, tls, token)
        self._found = requests.is_default(address)
        self.timeout = timeout
        self._slots = asyncio.Semaphore(in_flight)  # the daemon refuses more than its max-in-flight
        self._opening = asyncio.Lock()
        self._writer: Optional[asyncio.StreamWriter] = None
        self._reading: Optional['asyncio.Task[None]'] = None
        self._waiting: Dict[int, 'asyncio.Future[Any]'] = {}
        self._last = 0

    async def __aenter__(self) -> 'AsyncClient':
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        reading, self._reading = self._reading, None
        if reading:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        self._drop(ConnectionLost('the client was closed'))

    def _drop(self, error: Exception) -> None:
        if self._writer:
            self._writer.close()
        self._writer = None
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(error)

    def _credentials(self) -> Optional[Dict[str, str]]:
        return {'token': self._token} if self._token is not None else None

    async def _open(self) -> asyncio.StreamWriter:
        async with self._opening:
            if self._writer is None:
                try:
                    if isinstance(self.address, str):
                        if self._found:
                            requests.trust_folder(self.address)
                        reader, writer = await asyncio.open_unix_connection(self.address, limit=LINE)
                        if self._found:
                            self._trust(self.address, writer)
                    else:
                        reader, writer = await asyncio.open_connection(*self.address, limit=LINE, ssl=self._tls)
                except OSError as error:
                    raise ConnectionLost('%s: %s' % (self.address, error)) from error
                self._writer = writer
                self._reading = asyncio.ensure_future(self._read(reader))
                if self._token is not None:
                    await self._log_in(writer)
            return self._writer

    @staticmethod
    def _trust(address: str, writer: asyncio.StreamWriter) -> None:
        try:
            requests.trust_daemon(address, writer.get_extra_info('socket'))
        except ConnectionLost:
            writer.close()
            raise

    async def _log_in(self, writer: asyncio.StreamWriter) -> None:
        """What is not logged in is not a connection: the next call makes a new one."""
        try:
            await self._ask(writer, 'initialize', self._credentials())
        except BaseException:
            await self.close()
            raise

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while True:
                line = await reader.readline()
                if not line:
                    raise ConnectionLost('the connection was closed')
                reply = json.loads(line)
                future = self._waiting.pop(reply.get('id'), None)
                if future is None or future.done():
                    continue
                if 'error' in reply:
                    future.set_exception(server_error(reply['error']))
                else:
                    future.set_result(reply['result'])
        except (OSError, ValueError, ConnectionLost) as error:
            self._drop(ConnectionLost(str(error)))

    async def call(self, method: str, params: Any = None, timeout: Optional[float] = None) -> Any:
        limit = self.timeout if timeout is None else timeout
        try:
            return await asyncio.wait_for(self._call(method, params), limit)
        except asyncio.TimeoutError as error:
            raise RequestTimeout('%s took too long' % method) from error

    async def _call(self, method: str, params: Any) -> Any:
        async with self._slots:
            fresh = self._writer is None
            try:
                return await self._exchange(method, params)
            except ConnectionLost:
                if fresh or not requests.repeatable(method):
                    raise
            return await self._exchange(method, params)

    async def _exchange(self, method: str, params: Any) -> Any:
        return await self._ask(await self._open(), method, params)

    async def _ask(self, writer: asyncio.StreamWriter, method: str, params: Any) -> Any:
        self._last += 1
        ident = self._last
        future: 'asyncio.Future[Any]' = asyncio.get_running_loop().create_future()
        self._waiting[ident] = future
        try:
            writer.write(requests.encode(method, params, ident))
            return await future
        except asyncio.CancelledError:
            if self._waiting.pop(ident, None) is not None and writer is self._writer:
                writer.write(requests.encode('$/cancelRequest', {'id': ident}))
            raise

    async def initialize(self) -> ServerInfo:
        return ServerInfo.from_dict(await self.call('initialize', self._credentials()))

    async def analyze(self, program: Any, *, name: Optional[str] = None, timeout: Optional[float] = None,
                **options: Any) -> Report:
        """Options as in PROTOCOL.md: arg_types, bind, assume, entry, werror, refinable, profile, steps, memory."""
        return Report.from_dict(await self.call('analyze', requests.program_params(program, name, options), timeout))

    async def refine(self, program: Any, *, name: Optional[str] = None, timeout: Optional[float] = None,
               **options: Any) -> Refined:
        """Options as for analyze, and emit, bound, cleanup, generic, names, require_static."""
        return Refined.from_dict(await self.call('refine', requests.program_params(program, name, options), timeout))

    async def generalize(self, program: Any, *, name: Optional[str] = None, timeout: Optional[float] = None,
                         **options: Any) -> Dict[str, Any]:
        return dict(await self.call('generalize', requests.program_params(program, name, options), timeout))

    async def explain(self, program: Any, that: str, *, name: Optional[str] = None, timeout: Optional[float] = None,
                **options: Any) -> Explanation:
        params = requests.program_params(program, name, dict(options, that=that))
        return Explanation.from_dict(await self.call('explain', params, timeout))

    async def check_profiles(self, program: Any, profiles: Sequence[str], *, name: Optional[str] = None,
                       timeout: Optional[float] = None, **options: Any) -> Report:
        """Whether the program runs at every point of each profile, "B=1:8:64,arg0.1=128": `profiles` of the answer."""
        params = requests.program_params(program, name, dict(options, profiles=list(profiles)))
        return Report.from_dict(await self.call('profile/check', params, timeout))

    async def cost(self, program: Any, *, name: Optional[str] = None, timeout: Optional[float] = None,
                  **options: Any) -> Costs:
        """Options as for analyze, and point, over, reuse, flops_per_byte."""
        return Costs.from_dict(await self.call('cost', requests.program_params(program, name, options), timeout))

    async def query(self, queries: Sequence[Union[str, Mapping[str, Any]]], *, symbols: Optional[Mapping[str, Any]] = None,
              assume: Sequence[str] = (), timeout: Optional[float] = None) -> List[Answer]:
        result = await self.call('query', requests.query_params(queries, symbols, assume), timeout)
        return [Answer.from_dict(answer) for answer in result['answers']]

    async def observe(self, profile: str, observations: Sequence[Mapping[str, Any]], *, program: Any = None,
                timeout: Optional[float] = None, **options: Any) -> Dict[str, Any]:
        params = requests.observe_params(profile, observations, program, options)
        return dict(await self.call('profile/observe', params, timeout))

    async def ops_list(self) -> List[Op]:
        return [Op.from_dict(row) for row in (await self.call('ops/list'))['ops']]

    async def ping(self, params: Any = None) -> Any:
        return await self.call('server/ping', params)

    async def stats(self) -> Dict[str, Any]:
        return dict(await self.call('server/stats'))
