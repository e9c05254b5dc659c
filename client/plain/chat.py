"""Saying something at a table, from the lobby or from a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.plain.lines import safe
from protocol.messages import Chat, ChatLine
from protocol.names import TextError, clean_text

if TYPE_CHECKING:
    from client.session import Session

CHAT_COLUMNS = 300
SERVER = "*"
"""The name under which a server speaks; nobody can be called so."""


def spoken(line: ChatLine) -> str:
    """What somebody said, with who it was."""
    words = safe(line.text, 400)
    return f"* {words}" if line.name == SERVER else f"<{safe(line.name, 20)}> {words}"


async def say(session: Session, words: str) -> None:
    """Chat at the table, if the text is fit for it."""
    if session.model is None:
        session.warn("You are at no table yet; there is nobody to talk to.")
        return
    try:
        line = clean_text(words, CHAT_COLUMNS, "chat line")
    except TextError as error:
        session.warn(f"{error}: say TEXT.")
        return
    await session.demand(Chat(session.connection.next_id(), session.model.table, line))
