from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from client.child import ChildServer
from client.connection import Connection
from client.errors import ClientError


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def script(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_server_of_ones_own_is_ready_takes_a_player_and_ends_with_us(tmp_path: Path) -> None:
    async def main() -> int:
        async with ChildServer(str(tmp_path)) as child:
            assert child.host == "127.0.0.1"
            async with await Connection.open(child.host, child.port, "Anna") as connection:
                assert "greedy" in connection.welcome.bots
            assert child.pid is not None
            assert alive(child.pid)
            return child.pid

    assert not alive(asyncio.run(main()))


def test_the_server_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    parent = """
import asyncio, sys
from client.child import ChildServer
async def main():
    async with ChildServer(sys.argv[1]) as child:
        print(child.port, flush=True)
        await asyncio.sleep(1000)
asyncio.run(main())
"""

    async def main() -> None:
        process = await asyncio.create_subprocess_exec(
            *script(parent), str(tmp_path), stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        async with await Connection.open("127.0.0.1", port, "Anna") as connection:
            process.kill()
            await process.wait()
            with pytest.raises(ClientError):  # the connection ends because the server does
                await connection.next()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("raise SystemExit('no port\\x1b[2J is free')", r"did not start\. It said: no port"),
        ("print('hello')", "did not start"),
        ("print('ready nowhere')", "did not start"),
        ("print('ready 127.0.0.1 123456')", "did not start"),
        ("print('x' * 1_000_000)", "endless"),
    ],
)
def test_a_server_that_does_not_start_is_told_of_with_its_last_words(code: str, says: str) -> None:
    async def main() -> None:
        with pytest.raises(ClientError, match=says) as caught:
            async with ChildServer(command=script(code)):
                pytest.fail("it cannot have started")
        assert "\x1b" not in str(caught.value)

    asyncio.run(main())


def test_a_server_that_never_gets_ready_is_given_up_and_gone() -> None:
    code = "import sys; sys.stderr.write('thinking\\n'); sys.stderr.flush(); sys.stdin.read()"

    async def main() -> None:
        child = ChildServer(command=script(code), ready_seconds=0.2)
        with pytest.raises(ClientError, match=r"not get ready within 0\.2 seconds"):
            await child.__aenter__()
        assert child.pid is not None
        assert not alive(child.pid)

    asyncio.run(main())


def test_a_server_that_does_not_go_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.child.END_SECONDS", 0.05)
    code = "import signal; print('ready 127.0.0.1 1', flush=True); signal.pause()"

    async def main() -> None:
        async with ChildServer(command=script(code)) as child:
            pass
        assert child.pid is not None
        assert not alive(child.pid)

    asyncio.run(main())


def test_a_program_that_is_not_there_is_one_clear_line() -> None:
    async def main() -> None:
        with pytest.raises(ClientError, match="Cannot start a server"):
            await ChildServer(command=["/nowhere/senro"]).__aenter__()

    asyncio.run(main())
