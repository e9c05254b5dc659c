from __future__ import annotations

from itertools import product

from client.plain.boxes import HEAVY, LIGHT, Canvas, _characters


def test_every_joint_of_light_and_heavy_strokes_has_a_character_of_its_own() -> None:
    joints = [joint for joint in product((0, LIGHT, HEAVY), repeat=4) if any(joint)]
    assert len({_characters()[joint] for joint in joints}) == len(joints) == 80


def test_strokes_that_meet_are_joined() -> None:
    canvas = Canvas(unicode=True)
    canvas.across(0, 0, 4)
    canvas.down(2, 0, 2)
    canvas.down(2, 0, 1, HEAVY)
    assert [canvas.at(x, 0) for x in range(6)] == ["╶", "─", "┰", "─", "╴", " "]
    assert [canvas.at(2, y) for y in (1, 2)] == ["╿", "╵"]


def test_without_unicode_heavy_strokes_are_another_sign_than_light_ones() -> None:
    canvas = Canvas(unicode=False)
    canvas.across(0, 0, 2)
    canvas.down(0, 0, 2)
    canvas.across(0, 2, 2, HEAVY)
    assert [canvas.at(0, y) for y in range(3)] == ["+", "|", "#"]
    assert canvas.at(1, 0) == "-"
    assert canvas.heavy(1, 2)
    assert not canvas.heavy(1, 0)
