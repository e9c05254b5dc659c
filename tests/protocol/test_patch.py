from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given

from protocol.patch import apply, diff, merge
from tests.protocol.strategies import PLAIN

APPENDIX_A: list[tuple[Any, Any, Any]] = [  # of RFC 7396: original, patch, result
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


@pytest.mark.parametrize(("original", "patch", "result"), APPENDIX_A)
def test_the_examples_of_the_rfc(original: Any, patch: Any, result: Any) -> None:
    before = copy.deepcopy((original, patch))
    assert merge(original, patch) == result
    assert (original, patch) == before


@given(PLAIN, PLAIN)
def test_a_diff_leads_from_old_to_new(old: dict[str, Any], new: dict[str, Any]) -> None:
    before = copy.deepcopy((old, new))
    assert apply(old, diff(old, new)) == new
    assert (old, new) == before


@given(PLAIN)
def test_nothing_changed_is_an_empty_patch(data: dict[str, Any]) -> None:
    assert diff(data, copy.deepcopy(data)) == {}
    assert apply(data, {}) == data


def test_a_diff_says_only_what_changed() -> None:
    old = {"seats": {"0": {"hand": 5, "play": {}}, "1": {"hand": 5}}, "asked": [0], "gone": 1}
    new = {"seats": {"0": {"hand": 4, "play": {"x": 1}}, "1": {"hand": 5}}, "asked": [1]}
    assert diff(old, new) == {
        "seats": {"0": {"hand": 4, "play": {"x": 1}}},
        "asked": [1],
        "gone": None,
    }
