"""The state machine of a connection: this file is the only place that decides what may come when.

Theory of operation
===================

Both ends keep the same machine and feed it the same steps, those they send and those they
receive, so neither can apply rules to its peer that it does not keep itself.  The machine does not
know which end it is.  A step names its sender where that matters: only a client can say ``HELLO``,
only a server ``WELCOME``.

A connection is a line with one exit::

    START --MAGIC--> GREETING --HELLO--> ANSWERING --WELCOME--> OPEN
                                                                 |
      from everywhere: BYE, a FAULT, LAST_ERROR  --> CLOSING --> CLOSED

START      Nothing was said.  Whoever says anything but the magic is no client: the server leaves
           without a word (FAULT leads to CLOSED, where nothing can be sent).
GREETING   The client's magic is through; ``hello`` is due.  The server's own magic is the first
           thing in its first reply, so a stranger never learns what listens here.  Only who begins
           with TLS, where none is spoken, is answered (TLS leads to CLOSING): a player has mixed
           something up.
ANSWERING  ``hello`` is through and ``welcome`` is due, or an error.  The client may go on without
           waiting for it: were it made to wait, the meaning of a stream would depend on how it
           was cut into pieces.
OPEN       Requests and replies, and messages about tables.
CLOSING    One side will say no more, or a peer broke the rules: nothing more is read, what is
           still to be sent may be sent.
CLOSED     The last word was an error about the connection: nothing is read or sent.

A step that the table does not have is a LocalError for who tries to send it and the fatal fault
``unexpected-message`` for who receives it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from msgspec import UNSET

from protocol.messages import Bye, Error, Hello, Welcome


class State(Enum):
    """Where a connection is in its life."""

    __hash__ = object.__hash__  # as there is only one of each; Enum's own is slow

    START = "start"
    GREETING = "greeting"
    ANSWERING = "answering"
    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"


class Step(Enum):
    """What moves a connection on."""

    __hash__ = object.__hash__

    MAGIC = "magic"  # the client's
    TLS = "tls"  # the client begins with TLS, and not with the magic
    HELLO = "hello"
    REQUEST = "request"  # whatever else a client says
    BYE = "bye"
    WELCOME = "welcome"
    REPLY = "reply"  # whatever else a server says
    LAST_ERROR = "last error"  # an error about the connection, from the server
    FAULT = "fault"  # this end found that the other broke the rules


TRANSITIONS: Mapping[State, Mapping[Step, State]] = MappingProxyType(
    {
        State.START: {
            Step.MAGIC: State.GREETING,
            Step.TLS: State.CLOSING,
            Step.FAULT: State.CLOSED,
        },
        State.GREETING: {
            Step.HELLO: State.ANSWERING,
            Step.BYE: State.CLOSING,
            Step.LAST_ERROR: State.CLOSED,
            Step.FAULT: State.CLOSING,
        },
        State.ANSWERING: {
            Step.WELCOME: State.OPEN,
            Step.REQUEST: State.ANSWERING,
            Step.BYE: State.CLOSING,
            Step.LAST_ERROR: State.CLOSED,
            Step.FAULT: State.CLOSING,
        },
        State.OPEN: {
            Step.REQUEST: State.OPEN,
            Step.REPLY: State.OPEN,
            Step.BYE: State.CLOSING,
            Step.LAST_ERROR: State.CLOSED,
            Step.FAULT: State.CLOSING,
        },
        State.CLOSING: {
            Step.WELCOME: State.CLOSING,
            Step.REPLY: State.CLOSING,
            Step.BYE: State.CLOSING,
            Step.LAST_ERROR: State.CLOSED,
        },
        State.CLOSED: {},
    }
)
"""State and step to the next state; what is missing is not allowed."""


def step_of(message: object, state: State) -> Step | None:
    """The step that a message is; None where that is neither special nor depends on the sender."""
    if isinstance(message, Error):
        return Step.LAST_ERROR if is_last(message, state) else Step.REPLY
    if isinstance(message, Hello):
        return Step.HELLO
    if isinstance(message, Welcome):
        return Step.WELCOME
    if isinstance(message, Bye):
        return Step.BYE
    return None


def is_last(error: Error, state: State) -> bool:
    """Whether the connection ends with this error.

    One without ``re`` is about the connection.  Only a message that is wrong and has no usable id
    is refused without ``re`` and without ending a connection that is open.
    """
    if error.re is not UNSET:
        return False
    return error.code != "bad-message" or state is not State.OPEN
