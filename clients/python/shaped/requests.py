# SPDX-License-Identifier: Apache-2.0
"""Parameters of requests, and where the daemon is: what both clients share."""
from __future__ import annotations

import base64
import json
import os
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union

Address = Union[str, Tuple[str, int]]


def repeatable(method: str) -> bool:
    """Whether asking twice changes nothing in the daemon."""
    return not method.startswith(('session/', 'profile/'))


def default_address() -> str:
    """Where the command line looks too."""
    given, folder = os.environ.get('SHAPED_SOCKET'), os.environ.get('XDG_RUNTIME_DIR')
    if given:
        return given
    return folder + '/shaped.sock' if folder else '/tmp/shaped-%d.sock' % os.getuid()


def program_params(program: Any, name: Optional[str], options: Mapping[str, Any]) -> Dict[str, Any]:
    """`program`: text, a dict (graph), bytes, the path of a file (os.PathLike), or what has a mlir_module()."""
    params: Dict[str, Any] = {}
    if isinstance(program, str):
        params['text'] = program
    elif isinstance(program, Mapping):
        params['graph'] = program
    elif isinstance(program, os.PathLike):
        with open(program, 'rb') as file:
            params['blob'] = base64.b64encode(file.read()).decode()
        params['name'] = os.path.basename(os.fspath(program))
    elif isinstance(program, (bytes, bytearray, memoryview)):
        params['blob'] = base64.b64encode(program).decode()
    elif hasattr(program, 'mlir_module'):
        params['text'] = str(program.mlir_module())
    else:
        raise TypeError('a program is text, a dict, bytes, a path or has mlir_module(), not ' + type(program).__name__)
    if name is not None:
        params['name'] = name
    if options:
        params['options'] = dict(options)
    return params


def observe_params(profile: str, observations: Sequence[Mapping[str, Any]], program: Any,
                   options: Mapping[str, Any]) -> Dict[str, Any]:
    """An observation is {"sizes": {"B": 8, "arg0.1": 128}, "count": 10}; without a program it is held against nothing."""
    params = {} if program is None else program_params(program, None, options)
    return dict(params, profile=profile, observations=[dict(o) for o in observations])


def query_params(queries: Sequence[Union[str, Mapping[str, Any]]], symbols: Optional[Mapping[str, Any]],
                 assume: Sequence[str]) -> Dict[str, Any]:
    """A question that is a text is a predicate."""
    asked = [{'query': q} if isinstance(q, str) else dict(q) for q in queries]
    return {'symbols': dict(symbols or {}), 'assume': list(assume), 'queries': asked}


def encode(method: str, params: Any, ident: Optional[int] = None) -> bytes:
    message: Dict[str, Any] = {'jsonrpc': '2.0', 'method': method}
    if ident is not None:
        message['id'] = ident
    if params is not None:
        message['params'] = params
    return json.dumps(message, allow_nan=False).encode() + b'\n'
