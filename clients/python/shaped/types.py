# SPDX-License-Identifier: Apache-2.0
"""Results with types. `from_dict` keeps keys that a class does not know in `extra`."""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Type, TypeVar, Union

Dim = Union[int, str]
R = TypeVar('R', bound='Record')


def _many(kind: Any) -> Any:
    return field(default_factory=list, metadata={'items': kind})


@dataclass
class Record:
    extra: Dict[str, Any] = field(default_factory=dict, init=False)

    @classmethod
    def from_dict(cls: Type[R], data: Mapping[str, Any]) -> R:
        known: Dict[str, Any] = {}
        for f in dataclasses.fields(cls):
            if f.name == 'extra' or f.name not in data:
                continue
            value = data[f.name]
            if 'items' in f.metadata and value is not None:
                value = [f.metadata['items'].from_dict(item) for item in value]
            known[f.name] = value
        made = cls(**known)
        made.extra = {k: v for k, v in data.items() if k not in known}
        return made


@dataclass
class Reason(Record):
    line: Optional[int] = None
    column: Optional[int] = None
    rule: str = ''
    message: str = ''


@dataclass
class Constraint(Record):
    kind: str = ''
    lhs: List[str] = field(default_factory=list)
    rhs: List[str] = field(default_factory=list)
    expr: str = ''
    scope: str = ''
    because: List[Reason] = _many(Reason)


@dataclass
class Symbol(Record):
    name: str = ''
    origin: Optional[Dict[str, Any]] = None
    min: Union[int, str, None] = None
    max: Union[int, str, None] = None
    ranges: List[Any] = field(default_factory=list)
    divisible_by: Union[int, str] = 1
    likely: List[Any] = field(default_factory=list)


@dataclass
class Diagnostic(Record):
    severity: str = ''
    code: str = ''
    message: str = ''
    line: Optional[int] = None  # of a program that is text
    column: Optional[int] = None


@dataclass
class Function(Record):
    name: str = ''
    arguments: List[str] = field(default_factory=list)
    results: List[str] = field(default_factory=list)
    argument_dims: List[Optional[List[Dim]]] = field(default_factory=list)
    result_dims: List[Optional[List[Dim]]] = field(default_factory=list)
    ops: List[Dict[str, Any]] = field(default_factory=list)


@dataclass
class ProfileAnswer(Record):
    """Whether a program runs at every point of a profile: `legal`, `illegal` or `unknown`."""
    profile: str = ''
    verdict: str = ''
    counterexample: Optional[Dict[str, int]] = None
    breaks: Optional[Dict[str, Any]] = None
    box: Optional[Dict[str, List[int]]] = None
    maximal: bool = False
    ranges: List[Dict[str, Any]] = field(default_factory=list)


@dataclass
class FunctionCost(Record):
    """Memory and work of a function; a number, an expression over symbols of the answer, or None where it is not known."""
    name: str = ''
    argument_dims: List[Optional[List[Optional[Dim]]]] = field(default_factory=list)
    argument_bytes: Optional[Dim] = None
    result_bytes: Optional[Dim] = None
    constant_bytes: Optional[Dim] = None
    peak_bytes: Optional[Dim] = None
    flops: Optional[Dim] = None
    transcendentals: Optional[Dim] = None
    int_ops: Optional[Dim] = None
    moved_bytes: Optional[Dim] = None
    at: Optional[Dict[str, Any]] = None
    bounds: Optional[Dict[str, Any]] = None
    peak: List[Dict[str, Any]] = field(default_factory=list)
    uncounted: List[str] = field(default_factory=list)
    ops: List[Dict[str, Any]] = field(default_factory=list)


@dataclass
class Checked(Record):
    """What is known of a program that is analysed, valid or not."""
    status: str = ''
    diagnostics: List[Diagnostic] = _many(Diagnostic)


@dataclass
class Report(Checked):
    """The answer of `analyze`; a program with errors has status `error` and says why in `diagnostics`."""
    functions: List[Function] = _many(Function)
    symbols: List[Symbol] = _many(Symbol)
    constraints: List[Constraint] = _many(Constraint)
    guards: List[Constraint] = _many(Constraint)
    unchecked: List[Dict[str, Any]] = field(default_factory=list)
    assumptions: List[Any] = field(default_factory=list)
    profiles: List[ProfileAnswer] = _many(ProfileAnswer)
    stats: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Costs(Checked):
    """The answer of `cost`: the functions that the entry reaches, the entry first."""
    symbols: List[Symbol] = _many(Symbol)
    functions: List[FunctionCost] = _many(FunctionCost)
    legal: Optional[bool] = None


@dataclass
class Refined(Record):
    """The answer of `refine`: `text` is the program, or the diagnostics where it has errors."""
    status: str = ''
    errors: int = 0
    message: str = ''
    text: str = ''


@dataclass
class Explanation(Record):
    """The answer of `explain`: yes, no or unknown, because of facts; `run` refutes what does not follow."""
    that: str = ''
    answer: str = ''
    because: List[Reason] = _many(Reason)
    run: Optional[Dict[str, Any]] = None


@dataclass
class Answer(Record):
    """One answer of `query`; which fields are set depends on the query."""
    answer: Optional[str] = None
    simplified: Optional[str] = None
    min: Union[int, str, None] = None
    max: Union[int, str, None] = None
    conflict: bool = False
    error: Optional[Dict[str, Any]] = None


@dataclass
class ServerInfo(Record):
    protocolVersion: str = ''
    server: Dict[str, str] = field(default_factory=dict)
    methods: List[str] = field(default_factory=list)
    formats: List[str] = field(default_factory=list)
    dialects: List[str] = field(default_factory=list)
    limits: Dict[str, int] = field(default_factory=dict)


@dataclass
class Op(Record):
    name: str = ''
    rule: str = ''
    source: str = ''
