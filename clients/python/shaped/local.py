# SPDX-License-Identifier: Apache-2.0
"""Sessions in this process, over libshape.so.1 by ctypes: `shaped.open(program)` needs no daemon.

The library is that of SHAPED_LIBRARY, else what the system finds.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import functools
import json
import os
from ctypes import POINTER, Structure, byref, c_bool, c_char, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, List, Optional, Tuple, Union

from . import requests
from .errors import InvalidError, ShapedError
from .session import Changes, Edit, Session, Shape, Value

_NONE = 0xffffffff
_KINDS = ('insert', 'remove', 'replace', 'retype', 'rewire', 'symbol', 'remove_symbol', 'insert_argument', 'remove_argument',
          'assume', 'retract')
_WORDS = {0: 'false', 1: 'true', 2: 'unknown', 3: 'unknown'}


class _Error(Structure):
    _fields_ = [('status', c_int), ('line', c_uint32), ('column', c_uint32), ('message', c_char * 256)]


class _Dim(Structure):
    _fields_ = [('value', c_uint32), ('axis', c_uint32)]


class _Shape(Structure):
    _fields_ = [('type', c_char_p), ('ranked', c_bool), ('rank', c_uint32), ('dims', POINTER(c_char_p))]


class _Bounds(Structure):
    _fields_ = [('min', c_char_p), ('max', c_char_p), ('contradiction', c_bool)]


class _Edit(Structure):
    _fields_ = [('kind', c_int), ('op', c_uint32), ('after', c_bool), ('value', c_uint32), ('with_', c_uint32),
                ('text', c_char_p), ('name', c_char_p)]


class _Change(Structure):
    _fields_ = [('value', c_uint32), ('was_there', c_bool), ('is_there', c_bool), ('before', _Shape), ('after', _Shape)]


class _Counts(Structure):
    _fields_ = [('values', c_uint32), ('appeared', c_uint32), ('vanished', c_uint32), ('edits', c_uint32),
                ('visited', c_uint32), ('whole', c_bool)]


class _Inserted(Structure):
    _fields_ = [('op', c_uint32), ('value', c_uint32), ('value_count', c_uint32)]


class _Stats(Structure):
    _fields_ = [('version', c_uint64), ('depth', c_uint32), ('ops', c_uint32), ('edits', c_uint64), ('visited', c_uint64),
                ('updates', c_uint64), ('whole', c_uint64), ('bytes', c_size_t)]


@functools.lru_cache(maxsize=None)
def _library(path: Optional[str]) -> Any:
    name = path or ctypes.util.find_library('shape') or 'libshape.so.1'
    try:
        lib = ctypes.CDLL(name)
    except OSError as error:
        raise ShapedError('libshape is not there (%s): install it, or set SHAPED_LIBRARY' % error) from error
    program, session, text = c_void_p, c_void_p, c_char_p
    rows: Dict[str, Tuple[Any, List[Any]]] = {
        'shape_program_new': (program, [c_void_p]), 'shape_program_free': (None, [program]),
        'shape_program_load': (c_int, [program, text, c_size_t, text]),
        'shape_session_open': (session, [program, c_void_p]), 'shape_session_free': (None, [session]),
        'shape_session_error': (POINTER(_Error), [session]),
        'shape_session_address': (c_int, [session, text, POINTER(_Dim)]),
        'shape_session_address_op': (c_uint32, [session, text]),
        'shape_session_shape_of': (c_bool, [session, c_uint32, POINTER(_Shape)]),
        'shape_session_prove_text': (c_int, [session, text, POINTER(c_int)]),
        'shape_session_bounds_text': (c_int, [session, text, POINTER(_Bounds)]),
        'shape_session_simplify_text': (c_int, [session, text, POINTER(c_char_p)]),
        'shape_session_same_shape': (c_int, [session, c_uint32, c_uint32, POINTER(c_int)]),
        'shape_session_same_element_count': (c_int, [session, c_uint32, c_uint32, POINTER(c_int)]),
        'shape_session_edit': (c_int, [session, POINTER(_Edit), c_uint32]),
        'shape_session_push': (c_int, [session, POINTER(c_char_p), c_uint32]),
        'shape_session_pop': (c_int, [session]),
        'shape_session_changes': (POINTER(_Counts), [session]),
        'shape_session_changed': (c_bool, [session, c_uint32, POINTER(_Change)]),
        'shape_session_inserted': (c_bool, [session, c_uint32, POINTER(_Inserted)]),
        'shape_session_get_stats': (_Stats, [session]),
    }
    for function, (result, arguments) in rows.items():
        getattr(lib, function).restype = result
        getattr(lib, function).argtypes = arguments
    return lib


def _number(text: bytes) -> Union[int, str]:
    plain = text.decode()
    return int(plain) if plain.isdigit() else plain


def _shape(s: _Shape) -> Optional[Shape]:
    if not s.type:
        return None
    dims = tuple(None if s.dims[i] is None else _number(s.dims[i]) for i in range(s.rank)) if s.ranked else None
    return Shape(s.type.decode(), dims)


class LocalSession(Session):
    """In this process. Use it in one thread at a time."""

    def __init__(self, program: Any, assume: Tuple[str, ...] = ()) -> None:
        params = requests.program_params(program, None, {})
        if 'blob' in params:
            raise InvalidError(-32602, 'a session takes MLIR or a graph', {'code': 'unsupported'})
        text = params['text'] if 'text' in params else json.dumps(params['graph'])
        self._session: Optional[int] = None
        self._lib = _library(os.environ.get('SHAPED_LIBRARY'))
        data = text.encode()
        loaded = self._lib.shape_program_new(None)
        if not loaded:
            raise MemoryError('libshape has no memory')
        try:
            self._lib.shape_program_load(loaded, data, len(data), b'program')
            self._session = self._lib.shape_session_open(loaded, None)
        finally:
            self._lib.shape_program_free(loaded)
        if not self._session:
            raise MemoryError('libshape has no memory')
        try:
            self._expect(self._lib.shape_session_error(self._session)[0].status)
            if assume:
                self.edit(*({'assume': a} for a in assume))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._session:
            self._lib.shape_session_free(self._session)
        self._session = None

    def __del__(self) -> None:
        if getattr(self, '_session', None):
            self.close()

    def _open(self) -> int:
        if not self._session:
            raise InvalidError(-32602, 'the session is closed', {'code': 'session-unknown'})
        return self._session

    def _expect(self, status: int) -> None:
        if status:
            error = self._lib.shape_session_error(self._session)[0]
            raise InvalidError(-32602, error.message.decode(errors='replace'), {'code': 'invalid'})

    def _id(self, value: Value) -> int:
        if isinstance(value, int):
            return value if 0 <= value < _NONE else _NONE
        found = _Dim()
        self._expect(self._lib.shape_session_address(self._open(), value.encode(), byref(found)))
        if found.axis != _NONE:
            raise InvalidError(-32602, '%s is a dim, not a value' % value, {'code': 'invalid'})
        return int(found.value)

    def _op(self, op: Value) -> int:
        found = op if isinstance(op, int) else self._lib.shape_session_address_op(self._open(), op.encode())
        if not 0 <= found < _NONE:
            raise InvalidError(-32602, 'there is no operation %s' % op, {'code': 'invalid'})
        return int(found)

    def _ask(self, query: Dict[str, Any]) -> Dict[str, Any]:
        session, lib = self._open(), self._lib
        (kind, what), = query.items()
        answer = c_int(2)
        if kind == 'value':
            shape, value = _Shape(), self._id(what)
            if not lib.shape_session_shape_of(session, value, byref(shape)):
                raise InvalidError(-32602, 'there is no such value', {'code': 'invalid'})
            found = _shape(shape)
            return {'shape': None if found is None else {'type': found.type, 'dims': found.dims}}
        if kind in ('same_shape', 'same_elements'):
            a, b = (self._id(v) for v in what)
            call = lib.shape_session_same_shape if kind == 'same_shape' else lib.shape_session_same_element_count
            self._expect(call(session, a, b, byref(answer)))
            return {'answer': _WORDS[answer.value]}
        if kind == 'query':
            self._expect(lib.shape_session_prove_text(session, what.encode(), byref(answer)))
            return {'answer': _WORDS[answer.value]}
        if kind == 'bounds':
            bounds = _Bounds()
            self._expect(lib.shape_session_bounds_text(session, what.encode(), byref(bounds)))
            return {'min': bounds.min, 'max': bounds.max}
        simple = c_char_p()
        self._expect(lib.shape_session_simplify_text(session, what.encode(), byref(simple)))
        return {'simplified': _number(simple.value) if simple.value is not None else what}

    def _edit(self, edit: Edit) -> _Edit:
        kinds = [k for k in _KINDS if k in edit]
        if len(kinds) != 1:
            raise InvalidError(-32602, 'one thing at a time: %s' % ', '.join(_KINDS), {'code': 'invalid'})
        kind, what = kinds[0], edit[kinds[0]]
        e = _Edit(_KINDS.index(kind), _NONE, 'after' in edit, _NONE, _NONE, None, None)
        beside = edit.get('after', edit.get('before'))
        if beside is not None and kind == 'insert_argument':
            e.value = self._id(beside)
        elif beside is not None:
            e.op = self._op(beside)
        if kind in ('remove', 'replace'):
            e.op = self._op(what)
        elif kind in ('retype', 'rewire', 'remove_argument'):
            e.value = self._id(what)
        if kind == 'rewire':
            e.with_ = self._id(edit['with'])
        elif kind in ('replace', 'retype'):
            e.text = json.dumps(edit['with']).encode()
        elif kind in ('remove_symbol', 'assume', 'retract'):
            e.text = str(what).encode()
        elif kind in ('insert', 'symbol', 'insert_argument'):
            e.text = json.dumps(what).encode()
        if 'name' in edit:
            e.name = str(edit['name']).encode()
        return e

    def _changes(self) -> Changes:
        session, lib = self._open(), self._lib
        counts = lib.shape_session_changes(session)[0]
        change, made = _Change(), _Inserted()
        values = {}
        for i in range(counts.values):
            lib.shape_session_changed(session, i, byref(change))
            values[int(change.value)] = (_shape(change.before) if change.was_there else None,
                                         _shape(change.after) if change.is_there else None)
        inserted: List[Optional[Dict[str, Any]]] = []
        for i in range(counts.edits):
            lib.shape_session_inserted(session, i, byref(made))
            there = made.op != _NONE or made.value != _NONE
            inserted.append({'op': None if made.op == _NONE else made.op,
                             'values': [made.value + k for k in range(made.value_count)]} if there else None)
        return Changes(lib.shape_session_get_stats(session).version, values, inserted, counts.visited)

    def edit(self, *edits: Edit) -> Changes:
        array = (_Edit * max(1, len(edits)))(*(self._edit(e) for e in edits))
        self._expect(self._lib.shape_session_edit(self._open(), array, len(edits)))
        return self._changes()

    def push(self, *predicates: str) -> Changes:
        array = (c_char_p * max(1, len(predicates)))(*(p.encode() for p in predicates))
        self._expect(self._lib.shape_session_push(self._open(), array, len(predicates)))
        return self._changes()

    def pop(self) -> Changes:
        self._expect(self._lib.shape_session_pop(self._open()))
        return self._changes()


def open(program: Any, *, assume: Tuple[str, ...] = ()) -> LocalSession:  # noqa: A001: shaped.open
    """A session in this process: program as Client.analyze takes it (MLIR or a graph)."""
    return LocalSession(program, tuple(assume))
