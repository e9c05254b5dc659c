"""A server of one's own: a child process on a free loopback port that ends with its parent.

The child's stdin is a pipe that only this process holds: whatever becomes of the parent, the pipe
closes and the child goes.  What the child logs is kept in a temporary file and shown only if it
fails.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from client.errors import ClientError
from protocol.names import shorten

READY_SECONDS = 20.0
END_SECONDS = 5.0
SHOWN_LINES = 12
PACKAGES = Path(__file__).resolve().parent.parent
"""The folder that our packages are in, installed or not."""

_READY = re.compile(rb"ready (\S+) ([0-9]{1,5})\s*")


class ChildServer:
    """``async with ChildServer(journals) as child`` gives a running server at ``child.host`` and
    ``child.port``; ``command`` replaces the program in tests."""

    def __init__(
        self,
        journals: str | None = None,
        *,
        command: list[str] | None = None,
        ready_seconds: float = READY_SECONDS,
    ) -> None:
        # -P: a folder called server where the player happens to be is not our server.
        program = [sys.executable, "-P", "-m", "server", "--child", "--port", "0"]
        self._command = command or program
        if journals is not None:
            self._command = [*self._command, "--journals", journals]
        self._ready_seconds = ready_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._log: IO[bytes] | None = None
        self.host = ""
        self.port = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    async def __aenter__(self) -> Self:
        # The file has no name where the system allows that, so nothing can be left behind.
        self._log = tempfile.TemporaryFile(prefix="senro-server-")  # noqa: SIM115
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        root = str(PACKAGES)
        paths = [root, *filter(None, [environment.get("PYTHONPATH", "")])]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=self._log,
                env=environment,
                start_new_session=True,  # Ctrl-C is for the client, which then ends the child
            )
        except OSError as error:
            self._log.close()
            raise ClientError(f"Cannot start a server: {error.strerror or error}.") from None
        try:
            await self._await_ready(self._process)
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def _await_ready(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            async with asyncio.timeout(self._ready_seconds):
                line = await process.stdout.readline()
        except TimeoutError:
            raise ClientError(
                f"The server did not get ready within {self._ready_seconds:g} seconds."
                + self._said()
            ) from None
        except ValueError:
            raise ClientError("The server said something endless instead of ready.") from None
        ready = _READY.fullmatch(line)
        if ready is None:
            if not line:
                await process.wait()
            raise ClientError("The server did not start." + self._said())
        self.host, self.port = ready[1].decode("ascii", "replace"), int(ready[2])

    def _said(self) -> str:
        """The last lines of the child's log, made harmless."""
        assert self._log is not None
        self._log.seek(0)
        read = self._log.read().decode("utf-8", "replace").splitlines()[-SHOWN_LINES:]
        lines = [shorten(line, 200) for line in read if line.strip()]
        if len(lines) == 1:
            return f" It said: {lines[0]}"
        return " It said:" + "".join(f"\n  {line}" for line in lines) if lines else ""

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the child's stdin and wait for its end; a child that stays is killed."""
        process = self._process
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()
            # asyncio sees the end of a process only when all that it said has been read.
            draining = asyncio.create_task(_drain(process))
            try:
                async with asyncio.timeout(END_SECONDS):
                    await process.wait()
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            await draining
        if self._log is not None:
            self._log.close()


async def _drain(process: asyncio.subprocess.Process) -> None:
    """Read and forget."""
    assert process.stdout is not None
    while await process.stdout.read(65536):
        pass
