# SPDX-License-Identifier: Apache-2.0
"""Shaped from Python: what is known about the tensor shapes in a program."""
from .aio import AsyncClient
from .client import Client
from .errors import (BusyError, CancelledError, ConnectionLost, DeadlineError, InvalidError, LimitError,
                     RequestTimeout, ServerError, ShapedError, UnauthorizedError)
from .local import LocalSession, open  # noqa: A004
from .session import Changes, RemoteSession, Session, Shape
from .types import (Answer, Constraint, Costs, Diagnostic, Explanation, Function, FunctionCost, Op, ProfileAnswer, Reason,
                    Refined, Report, ServerInfo, Symbol)

__all__ = ['AsyncClient', 'Client', 'BusyError', 'CancelledError', 'ConnectionLost', 'DeadlineError', 'InvalidError',
           'LimitError', 'RequestTimeout', 'ServerError', 'ShapedError', 'UnauthorizedError', 'Answer', 'Constraint',
           'Costs', 'Diagnostic', 'Explanation', 'Function', 'FunctionCost', 'Op', 'ProfileAnswer', 'Reason', 'Refined',
           'Report', 'ServerInfo', 'Symbol', 'Changes', 'LocalSession', 'RemoteSession', 'Session', 'Shape', 'open']
