# SPDX-License-Identifier: Apache-2.0
"""Parameters of requests, and where the daemon is: what both clients share."""
from __future__ import annotations

import base64
import json
import os
import re
import socket
import ssl
import stat
import struct
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .errors import ConnectionLost

Address = Union[str, Tuple[str, int]]


class Target(NamedTuple):
    """What a connection is made with."""
    socket: Address  # the path of a Unix socket, or host and port
    tls: Optional[ssl.SSLContext]
    token: Optional[str]


def repeatable(method: str) -> bool:
    """Whether asking twice changes nothing in the daemon."""
    return not method.startswith('session/') and method != 'profile/observe'


SYSTEM = '/run/shaped/shaped.sock'


def default_address() -> str:
    """Where the command line looks too."""
    given, folder = os.environ.get('SHAPED_SOCKET'), os.environ.get('XDG_RUNTIME_DIR')
    if given:
        return given
    own = (folder or '/tmp/shaped-%d' % os.geteuid()) + '/shaped.sock'
    found = os.path.exists(own) and not _distrust_of_folder(own)
    return SYSTEM if not found and os.path.exists(SYSTEM) else own


def is_default(address: Optional[Address]) -> bool:
    """Whether nothing names the daemon, so that it is to be seen whose it is."""
    return address is None and not os.environ.get('SHAPED_SOCKET')


def _distrust_of_folder(path: str) -> str:
    folder = os.path.dirname(path)
    try:
        info = os.lstat(folder)
    except OSError:
        return ''  # connecting says why
    if not stat.S_ISDIR(info.st_mode):
        return 'the folder %s is not a folder' % folder
    if info.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return 'the folder %s can be written to by others' % folder
    return '' if path == SYSTEM or info.st_uid == os.geteuid() else 'the folder %s belongs to another user' % folder


def trust_folder(path: str) -> None:
    """Before connecting to a default socket: others must not be able to put one of theirs there."""
    wrong = _distrust_of_folder(path)
    if wrong:
        raise ConnectionLost('%s: %s' % (path, wrong))


def trust_daemon(path: str, opened: Any) -> None:
    """Before anything is sent to a default socket: it has to be the user's own, or the service's."""
    data = opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    uid = struct.unpack('3i', data)[1] & 0xffffffff
    trusted = (0, os.stat(os.path.dirname(SYSTEM)).st_uid) if path == SYSTEM else (os.geteuid(),)
    if uid not in trusted:
        raise ConnectionLost('%s: it belongs to another user, %d' % (path, uid))


def target_of(address: Optional[Address], tls: Optional[ssl.SSLContext], token: Optional[str]) -> Target:
    """Addresses are those of the command line: a path, 127.0.0.1:PORT, [::1]:PORT or tls://HOST:PORT.

    What the last needs and is not given comes from SHAPED_TLS_CA, SHAPED_TLS_CERT, SHAPED_TLS_KEY and SHAPED_TOKEN_FILE.
    """
    where = default_address() if address is None else address
    if not isinstance(where, str):
        return Target(where, tls, token)
    sealed = where.startswith('tls://')
    match = re.fullmatch(r'(?:\[([^][/]+)\]|([^][/:]+)):(\d{1,5})', where[6:] if sealed else where)
    if not match:
        if sealed:
            raise ValueError('an address of TLS is tls://HOST:PORT, not %r' % where)
        return Target(where, tls, token)
    target = (match.group(1) or match.group(2), int(match.group(3)))
    if not sealed:
        return Target(target, tls, token)
    return Target(target, tls or _context_of_environment(), _token_of_environment() if token is None else token)


def _context_of_environment() -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=os.environ.get('SHAPED_TLS_CA') or None)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    certificate, key = os.environ.get('SHAPED_TLS_CERT'), os.environ.get('SHAPED_TLS_KEY')
    if bool(certificate) != bool(key):
        raise ValueError('SHAPED_TLS_CERT and SHAPED_TLS_KEY go together')
    if certificate:
        context.load_cert_chain(certificate, key, password=lambda: '')  # never ask for a pass phrase
    return context


def _token_of_environment() -> Optional[str]:
    """The first line that is neither empty nor a comment."""
    path = os.environ.get('SHAPED_TOKEN_FILE')
    if not path:
        return None
    with open(path, encoding='utf-8') as file:
        for line in file:
            if line.strip() and not line.startswith('#'):
                return line.rstrip('\r\n')
    raise ValueError('there is no token in %r' % path)


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
    """An observation is {"dims": {"B": 8, "arg0.1": 128}, "count": 10}; without a program it is not checked."""
    params = {} if program is None else program_params(program, None, options)
    return dict(params, profile=profile, observations=[dict(o) for o in observations])


def query_params(queries: Sequence[Union[str, Mapping[str, Any]]], symbols: Optional[Mapping[str, Any]],
                 assume: Sequence[str]) -> Dict[str, Any]:
    """A query that is a text is a predicate."""
    asked = [{'query': q} if isinstance(q, str) else dict(q) for q in queries]
    return {'symbols': dict(symbols or {}), 'assume': list(assume), 'queries': asked}


def encode(method: str, params: Any, ident: Optional[int] = None) -> bytes:
    message: Dict[str, Any] = {'jsonrpc': '2.0', 'method': method}
    if ident is not None:
        message['id'] = ident
    if params is not None:
        message['params'] = params
    return json.dumps(message, allow_nan=False).encode() + b'\n'
