from __future__ import annotations

import pytest

from protocol.errors import error
from protocol.messages import Bye, Hello, Ok, Ping, Welcome
from protocol.state import TRANSITIONS, State, Step, step_of

HELLO = Hello(versions=(1, 1), name="ann")
WELCOME = Welcome(version=1, name="ann", server="x", frame_limit=8192, bots=[], boards=[])


def test_every_state_has_its_row() -> None:
    assert set(TRANSITIONS) == set(State)


def test_every_state_is_reached_and_every_step_leads_somewhere() -> None:
    reached = {State.START}
    while more := {to for at in reached for to in TRANSITIONS[at].values()} - reached:
        reached |= more
    assert reached == set(State)
    assert {step for row in TRANSITIONS.values() for step in row} == set(Step)


def test_no_step_leads_back() -> None:
    order = list(State)
    for at, row in TRANSITIONS.items():
        for step, to in row.items():
            assert order.index(to) >= order.index(at), (at, step, to)


@pytest.mark.parametrize("at", [State.GREETING, State.ANSWERING, State.OPEN, State.CLOSING])
def test_a_connection_can_end_at_any_time(at: State) -> None:
    assert TRANSITIONS[at][Step.LAST_ERROR] is State.CLOSED


def test_a_stranger_is_left_without_a_word() -> None:
    assert TRANSITIONS[State.START] == {
        Step.MAGIC: State.GREETING,
        Step.TLS: State.CLOSING,
        Step.FAULT: State.CLOSED,
    }
    assert TRANSITIONS[State.CLOSED] == {}


def test_messages_are_steps() -> None:
    assert step_of(HELLO, State.GREETING) is Step.HELLO
    assert step_of(WELCOME, State.ANSWERING) is Step.WELCOME
    assert step_of(Bye(), State.OPEN) is Step.BYE
    assert step_of(Ping(id=1), State.OPEN) is None
    assert step_of(Ok(re=1), State.OPEN) is None


def test_an_error_ends_the_connection_unless_it_refers_to_a_message() -> None:
    assert step_of(error("version"), State.ANSWERING) is Step.LAST_ERROR
    assert step_of(error("too-slow"), State.OPEN) is Step.LAST_ERROR
    assert step_of(error("not-host", re=3), State.OPEN) is Step.REPLY
    assert step_of(error("bad-message"), State.OPEN) is Step.REPLY
    assert step_of(error("bad-message"), State.GREETING) is Step.LAST_ERROR
