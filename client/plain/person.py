"""Who can be asked about a server: somebody at a terminal, or nobody at all."""

from __future__ import annotations

import getpass
import sys

from client.entrance import Person
from client.errors import ClientError
from client.plain.console import is_terminal
from client.trust import NewCertificateError


class AtTerminal:
    """Asks with plain prints and reads; passwords are not shown."""

    def trusts(self, new: NewCertificateError) -> bool:
        print(new)
        print("Its host sees the same fingerprint where the server was started.")
        while True:
            answer = _line("Is it the same? (yes or no) ").strip().lower()
            if answer in ("yes", "no", "n", ""):  # trust is given by a whole word
                return answer == "yes"

    def password(self, place: str) -> str:
        try:
            return getpass.getpass(f"Password of {place}: ")
        except EOFError:
            return ""

    def tell(self, text: str) -> None:
        print(text)


class Nobody:
    """For pipes: a server that is met for the first time is taken as it is, and nobody knows a
    password."""

    def trusts(self, new: NewCertificateError) -> bool:
        self.tell(f"{new}\nIt is remembered: another one will be refused.")
        return True

    def password(self, place: str) -> str:
        raise ClientError(f"{place} has a password: give it with --password-file FILE.")

    def tell(self, text: str) -> None:
        print(f"senro: {text}", file=sys.stderr)


def _line(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        return ""


def whoever_is_there() -> Person:
    """Somebody at the terminal, if this is one."""
    return AtTerminal() if is_terminal() else Nobody()
