# SPDX-License-Identifier: Apache-2.0
"""What can go wrong. Codes of the daemon are texts, those of the table of errors in PROTOCOL.md."""
from __future__ import annotations

from typing import Any, Mapping, Optional

class ShapedError(Exception):
    """Anything that this package raises."""


class ConnectionLost(ShapedError, ConnectionError):
    """No daemon answers, or the connection broke."""


class RequestTimeout(ShapedError, TimeoutError):
    """The client's own time is over; the request was cancelled."""


class ServerError(ShapedError):
    """The daemon answered with an error. `code` is the name to test for."""

    def __init__(self, number: int, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.number = number
        self.message = message
        self.data = dict(data)
        self.code: str = str(data.get('code', ''))
        self.path: Optional[str] = data.get('path')
        self.diagnostic: Optional[str] = data.get('diagnostic')  # the code of an error in a program that is opened
        self.line: Optional[int] = data.get('line')
        self.column: Optional[int] = data.get('column')
        self.retryable = bool(data.get('retryable', False))


class InvalidError(ServerError):
    """A parameter is wrong; `path` names it."""


class LimitError(ServerError):
    """A limit of the daemon or of the request was hit."""


class BusyError(ServerError):
    """The daemon has too much to do, or is about to end: try again later."""


class UnauthorizedError(ServerError):
    """The token is missing or wrong."""


class CancelledError(ServerError):
    """The request was cancelled."""


class DeadlineError(ServerError):
    """The daemon's deadline for the request passed."""


_CLASSES = {
    'invalid': InvalidError, 'invalid-request': InvalidError, 'method-not-found': InvalidError,
    'memory': LimitError, 'budget': LimitError, 'bits': LimitError, 'depth': LimitError, 'size': LimitError,
    'reply-too-large': LimitError, 'too-many-in-flight': BusyError, 'queue-full': BusyError, 'draining': BusyError,
    'too-many-connections': BusyError, 'unauthorized': UnauthorizedError, 'cancelled': CancelledError, 'deadline': DeadlineError,
}


def server_error(error: Mapping[str, Any]) -> ServerError:
    data = error.get('data') or {}
    kind = _CLASSES.get(data.get('code', ''), ServerError)
    return kind(int(error.get('code', 0)), str(error.get('message', '')), data)
