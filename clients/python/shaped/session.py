# SPDX-License-Identifier: Apache-2.0
"""Programs that stay open: queries by the names that values have in the program, edits, assumptions for a while.

`client.session(program)` opens one in the daemon, `shaped.open(program)` one in this process; both are a Session. Values
are addresses ("%3", "%r#1", "12:7", a tag) or ids, dims are "%3.0". Answers are True, False, or None for unknown.
"""
from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import InvalidError

Value = Union[str, int]
Edit = Mapping[str, Any]
_ANSWERS = {'true': True, 'false': False, 'unknown': None}


@dataclass(frozen=True)
class Shape:
    """A refined type, and its dims: numbers, expressions over names of the session, None where unknown. dims None: no rank."""
    type: str
    dims: Optional[Tuple[Union[int, str, None], ...]]


@dataclass(frozen=True)
class Changes:
    """What a call changed: shapes before and after, by id; operations that were inspected, and those that were inserted."""
    version: int
    values: Dict[int, Tuple[Optional[Shape], Optional[Shape]]]
    inserted: List[Optional[Dict[str, Any]]]
    visited: int


class Session:
    """What both kinds have; they differ in how they ask, edit and close."""

    def __enter__(self) -> 'Session':
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        raise NotImplementedError

    def _ask(self, query: Dict[str, Any]) -> Dict[str, Any]:
        """One query of session/query: its answer."""
        raise NotImplementedError

    def edit(self, *edits: Edit) -> Changes:
        """Edits as session/edit takes them, {"rewire": "%3", "with": "%7"}: all or none."""
        raise NotImplementedError

    def push(self, *predicates: str) -> Changes:
        raise NotImplementedError

    def pop(self) -> Changes:
        raise NotImplementedError

    def _answer(self, query: Dict[str, Any]) -> Dict[str, Any]:
        found = self._ask(query)
        if found.get('error'):
            raise InvalidError(-32602, str(found['error']['message']), {'code': 'invalid', 'path': 'params.queries'})
        return found

    def holds(self, predicate: str) -> Optional[bool]:
        return _ANSWERS[self._answer({'query': predicate})['answer']]

    def bounds(self, expression: str) -> Tuple[Optional[int], Optional[int]]:
        found = self._answer({'bounds': expression})
        low, high = found.get('min'), found.get('max')
        return (None if low is None else int(low)), (None if high is None else int(high))

    def simplify(self, expression: str) -> Union[int, str]:
        simple: Union[int, str] = self._answer({'simplify': expression})['simplified']
        return simple

    def shape(self, value: Value) -> Optional[Shape]:
        return shape_of(self._answer({'value': value})['shape'])

    def same_shape(self, a: Value, b: Value) -> Optional[bool]:
        return _ANSWERS[self._answer({'same_shape': [a, b]})['answer']]

    def same_elements(self, a: Value, b: Value) -> Optional[bool]:
        return _ANSWERS[self._answer({'same_elements': [a, b]})['answer']]

    def same_dim(self, a: str, b: str) -> Optional[bool]:
        return self.holds('%s == %s' % (a, b))

    def divisible(self, dim: str, by: int) -> Optional[bool]:
        return self.holds('divisible(%s, %d)' % (dim, by))

    def at_most(self, dim: str, most: int) -> Optional[bool]:
        return self.holds('%s <= %d' % (dim, most))

    def same_product(self, a: Sequence[str], b: Sequence[str]) -> Optional[bool]:
        return self.holds('%s == %s' % (' * '.join(a) or '1', ' * '.join(b) or '1'))

    @contextlib.contextmanager
    def assuming(self, *predicates: str) -> Iterator['Session']:
        """`with session.assuming("%x.0 % 8 == 0"): ...`"""
        self.push(*predicates)
        try:
            yield self
        finally:
            self.pop()


def shape_of(shape: Optional[Mapping[str, Any]]) -> Optional[Shape]:
    if shape is None:
        return None
    return Shape(shape['type'], None if shape['dims'] is None else tuple(shape['dims']))


def changes_of(result: Mapping[str, Any]) -> Changes:
    values = {c['value']: (shape_of(c['before']), shape_of(c['after'])) for c in result['values']}
    return Changes(result['version'], values, list(result['inserted']), result['visited'])


class RemoteSession(Session):
    """Of a daemon: `client.session(program)`."""

    def __init__(self, client: Any, params: Mapping[str, Any]) -> None:
        self._client = client
        self.opened = changes_of(opened := client.call('session/open', params))
        self.id: Optional[str] = opened['session']
        self.names: List[Dict[str, Any]] = opened.get('names', [])

    def _call(self, method: str, **params: Any) -> Dict[str, Any]:
        if self.id is None:
            raise InvalidError(-32602, 'the session is closed', {'code': 'session-unknown'})
        return dict(self._client.call(method, dict(params, session=self.id)))

    def close(self) -> None:
        if self.id is not None:
            self._call('session/close')
            self.id = None

    def _ask(self, query: Dict[str, Any]) -> Dict[str, Any]:
        return dict(self._call('session/query', queries=[query])['answers'][0])

    def edit(self, *edits: Edit) -> Changes:
        return changes_of(self._call('session/edit', edits=list(edits)))

    def push(self, *predicates: str) -> Changes:
        return changes_of(self._call('session/push', assume=list(predicates)))

    def pop(self) -> Changes:
        return changes_of(self._call('session/pop'))
