"""Who is known to the server: sessions by the keys of their names and by the hashes of their
tokens.  What becomes of their tables is :mod:`server.hall`'s."""

from __future__ import annotations

import trio

from protocol.names import TextError, clean_name
from server.meter import Meters
from server.oplog import Log
from server.order import Order
from server.refusal import Refusal
from server.session import Session, token_hash
from server.settings import Settings


class People:
    """All sessions, connected or away; ``sessions`` has them by the keys of their names."""

    def __init__(self, settings: Settings, order: Order, log: Log) -> None:
        self.sessions: dict[str, Session] = {}
        self._settings = settings
        self._order = order
        self._log = log
        self._by_token: dict[bytes, Session] = {}  # by the hash of the token
        self._wrong = Meters(settings.resumes, settings.resumes_every)  # by address

    def of_token(self, token: str, address: str) -> Session:
        """The session with this token.  Raises Refusal, and then nothing has changed."""
        digest = token_hash(token)
        session = self._by_token.get(digest)
        if session is not None and session.known_by(digest):
            self._order.check_name(session.key)
            return session
        settings = self._settings
        if not self._wrong.try_take(address, trio.current_time()):
            raise Refusal(
                "too-many",
                f"at most {settings.resumes} wrong tokens may come from one address in "
                f"{settings.resumes_every:g} seconds; try again later",
            )
        self._log.info("wrong token", address=address)
        raise Refusal("no-such-session", "that session is not kept here (any more)")

    def admit(self, wanted: str, digest: bytes) -> Session:
        """A session of that name, not yet connected.  Raises Refusal."""
        try:
            name = clean_name(wanted)
        except TextError as wrong:
            raise Refusal("bad-name", str(wrong)) from None
        session = Session(name, digest, self._settings)
        self._order.check_name(session.key)
        other = self.sessions.get(session.key)
        if other is not None:
            text = f"somebody here is called {name}, or nearly so"
            if not other.connected:
                text = f"{text}, and may come back"
            raise Refusal("name-taken", text)
        if len(self.sessions) >= self._settings.sessions:
            raise Refusal("too-many", "there are too many players here; try again later")
        self._note(session)
        return session

    def admit_again(self, name: str, digest: bytes) -> tuple[Session | None, bool]:
        """The session of an earlier run, and whether it is new here; None if another one has its
        name."""
        session = self._by_token.get(digest)
        if session is not None:
            return session, False
        session = Session(name, digest, self._settings)
        session.asked = True  # for the seat that it comes back to
        if session.key in self.sessions:
            return None, False
        self._note(session)
        return session, True

    def _note(self, session: Session) -> None:
        self.sessions[session.key] = self._by_token[session.token_hash] = session

    def knows(self, session: Session) -> bool:
        """Whether it has not ended."""
        return self.sessions.get(session.key) is session

    def forget(self, session: Session) -> None:
        """A session has ended."""
        if self.knows(session):
            del self.sessions[session.key]
            del self._by_token[session.token_hash]

    def idle(self, address: str) -> list[Session]:
        """Those of an address who are away and at no table, beyond the number that may be
        connected from there: names are not to be had by coming and going."""
        idle = [
            session
            for session in self.sessions.values()
            if not session.connected and not session.tables and session.address == address
        ]
        return idle[: -self._settings.per_address]
