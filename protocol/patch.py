"""JSON Merge Patch (RFC 7396) on plain data: maps merge, everything else is replaced whole.

``None`` in a patch deletes, so the views that are patched contain no nulls.  Nothing is changed in
place; what did not change is shared between old, new and patch, so none of them may be changed by
others either.
"""

from __future__ import annotations

from typing import Any


def diff(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The smallest patch with ``apply(old, diff(old, new)) == new``, for data without nulls."""
    patch: dict[str, Any] = {}
    known = 0  # keys of the new that the old has too
    for key, value in new.items():
        before = old.get(key)
        if before is None:
            patch[key] = value
            continue
        known += 1
        if before is value:
            continue
        if type(before) is dict and type(value) is dict:
            inner = diff(before, value)
            if inner:
                patch[key] = inner
        elif before != value:
            patch[key] = value
    if known < len(old):
        for key in old:
            if key not in new:
                patch[key] = None
    return patch


def apply(old: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """``old`` brought up to date by ``patch``, as a new map."""
    new = dict(old)
    for key, change in patch.items():
        if change is None:
            new.pop(key, None)
        elif type(change) is dict:
            before = new.get(key)
            # Also where there was no map: the nulls in a patch never become part of the result.
            new[key] = apply(before if type(before) is dict else {}, change)
        else:
            new[key] = change
    return new


def merge(target: Any, patch: Any) -> Any:
    """RFC 7396, section 2, in full: neither side has to be a map."""
    if type(patch) is not dict:
        return patch
    return apply(target if type(target) is dict else {}, patch)
