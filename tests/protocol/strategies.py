"""Strategies for whatever travels on the wire, built from the message types themselves."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, get_args

import msgspec
from hypothesis import strategies as st

from protocol import messages

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LEAVES = st.one_of(st.booleans(), st.integers(-(2**63), 2**63 - 1), TEXT)
PLAIN = st.dictionaries(
    TEXT,
    st.recursive(
        LEAVES,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)
        ),
        max_leaves=6,
    ),
    max_size=4,
)


def _strategy(kind: msgspec.inspect.Type) -> st.SearchStrategy[Any]:
    """A strategy for a type as msgspec sees it, with its bounds."""
    inspect = msgspec.inspect
    match kind:
        case inspect.StructType():
            return struct(kind.cls)
        case inspect.StrType(min_length=low, max_length=high, pattern=pattern):
            if pattern is not None:
                return st.sampled_from(pattern.strip("^$()").split("|"))
            most = 12 if high is None else min(high, 12)
            return st.text(
                st.characters(exclude_categories=["Cs"]), min_size=low or 0, max_size=most
            )
        case inspect.IntType(ge=low, le=high):
            return st.integers(
                -(2**63) if low is None else low, 2**63 - 1 if high is None else high
            )
        case inspect.BoolType():
            return st.booleans()
        case inspect.AnyType():
            return LEAVES
        case inspect.ListType(item_type=item):
            return st.lists(_strategy(item), max_size=3)
        case inspect.VarTupleType(item_type=item, min_length=low):
            return st.lists(_strategy(item), min_size=low or 0, max_size=3).map(tuple)
        case inspect.TupleType(item_types=items):
            return st.tuples(*map(_strategy, items))
        case inspect.DictType(value_type=inspect.AnyType()):
            return PLAIN
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_strategy(key), _strategy(value), max_size=3)
        case inspect.UnionType(types=types):
            return st.one_of([_strategy(t) for t in types])
        case inspect.Metadata(type=inner):
            return _strategy(inner)
    raise NotImplementedError(kind)


def struct(cls: type[Any]) -> st.SearchStrategy[Any]:
    """Instances of a struct: required fields always, optional ones now and then."""
    info = msgspec.inspect.type_info(cls)
    assert isinstance(info, msgspec.inspect.StructType)
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for field in info.fields:
        (required if field.required else optional)[field.name] = _strategy(field.type)
    return st.fixed_dictionaries(required, optional=optional).map(lambda given: cls(**given))


FROM_CLIENT: st.SearchStrategy[messages.ClientMessage] = st.one_of(
    [struct(cls) for cls in get_args(messages.ClientMessage)]
)
FROM_SERVER: st.SearchStrategy[messages.ServerMessage] = st.one_of(
    [struct(cls) for cls in get_args(messages.ServerMessage)]
)
REQUESTS: st.SearchStrategy[messages.ClientMessage] = st.one_of(
    [
        struct(cls)
        for cls in get_args(messages.ClientMessage)
        if cls not in (messages.Hello, messages.Bye)
    ]
)
"""What a client may say in an open connection without ending it."""

TIDINGS: st.SearchStrategy[messages.ServerMessage] = st.one_of(
    [
        struct(cls)
        for cls in get_args(messages.ServerMessage)
        if cls not in (messages.Welcome, messages.Error)
    ]
)
"""What a server may say in an open connection without ending it."""


def cut(data: bytes, places: list[int]) -> list[bytes]:
    """The data in pieces, cut at the given places."""
    edges = [0, *sorted(min(place, len(data)) for place in places), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]
