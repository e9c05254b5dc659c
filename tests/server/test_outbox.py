"""The outgoing queue: order, collapse, back-pressure."""

from __future__ import annotations

import trio
from trio.testing import wait_all_tasks_blocked

from server.outbox import HOPELESS, Outbox


def test_everything_comes_out_once_and_in_order() -> None:
    box = Outbox(8)
    box.put(b"a")
    box.update("view", b"b", lambda: b"!")
    box.put(b"c")
    assert box.take() == b"abc"
    assert box.take() == b""


def test_a_single_frame_is_handed_out_as_it_is() -> None:
    box = Outbox(8)
    frame = b"frame"
    box.put(frame)
    assert box.take() is frame
    box.update("view", b"b", lambda: b"!")
    assert box.take() == b"b"


def test_updates_of_a_full_queue_give_way_to_one_fresh_frame_a_topic() -> None:
    box, state = Outbox(4), {"one": 0, "two": 0}
    for n in range(1, 100):
        for topic in ("one", "two"):
            state[topic] = n
            box.update(topic, b"%d;" % n, lambda topic=topic: f"<{topic} {state[topic]}>".encode())
    assert len(box) <= 4
    state["one"] = 1000  # the fresh frame is made when it is taken
    assert box.take() == b"<one 1000><two 99>"
    box.update("one", b"after", lambda: b"!")
    assert box.take() == b"after"


def test_a_collapse_keeps_replies_and_their_place() -> None:
    box = Outbox(4)
    box.update("view", b"1", lambda: b"S")
    box.put(b"x")
    box.update("view", b"2", lambda: b"S")
    box.put(b"y")
    box.update("view", b"3", lambda: b"S")
    assert box.take() == b"Sxy"


def test_an_update_to_a_queue_full_of_replies_waits_for_its_turn() -> None:
    box = Outbox(2)
    box.put(b"x")
    box.put(b"y")
    box.update("view", b"1", lambda: b"S")
    box.update("view", b"2", lambda: b"S")
    assert box.take() == b"xyS"


def test_a_topic_with_nothing_left_to_say_says_nothing() -> None:
    box = Outbox(1)
    box.update("view", b"1", lambda: b"")
    box.update("view", b"2", lambda: b"")
    assert box.take() == b""


def test_a_reader_who_never_reads_is_given_up() -> None:
    box = Outbox(2)
    for _ in range(2 * HOPELESS):
        assert not box.hopeless
        box.put(b"chat")
    box.put(b"chat")
    assert box.hopeless
    assert box.finished
    box.put(b"more")
    assert len(box) == 2 * HOPELESS


async def test_the_writer_waits_for_a_frame_and_the_reader_for_room() -> None:
    box = Outbox(1)
    order: list[str] = []

    async def writer() -> None:
        await box.wait()
        order.append("frame")

    async def reader() -> None:
        await box.room()
        order.append("room")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(writer)
        await wait_all_tasks_blocked()
        assert order == []
        box.put(b"x")
        nursery.start_soon(reader)
        await wait_all_tasks_blocked()
        assert order == ["frame"]
        box.take()
    assert order == ["frame", "room"]


async def test_a_finished_queue_lets_both_go() -> None:
    box = Outbox(1)
    box.put(b"x")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(box.room)
        await wait_all_tasks_blocked()
        box.finish()
    assert box.take() == b"x"
    await box.wait()


def test_a_queue_is_full_with_few_frames_that_are_long() -> None:
    box = Outbox(64, space=1_000)
    box.put(b"x" * 600)
    assert not box.full
    box.update("view", b"u" * 600, lambda: b"S")
    assert box.full
    box.update("view", b"v" * 600, lambda: b"S")  # gives way, and so there is room again
    assert not box.full
    assert box.take() == b"x" * 600 + b"S"
    box.put(b"y" * 999)
    assert not box.full


def test_what_was_not_sent_at_once_takes_its_space() -> None:
    box = Outbox(64, lambda data: 100, space=1_000)
    sent: list[bytes] = []

    async def write() -> None:
        await box.wait()
        sent.append(box.take())

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(write)
            await wait_all_tasks_blocked()
            box.put(b"x" * 1_200, later=True)
            box.flush()
            assert box.full
            assert box.taken == 0
            await wait_all_tasks_blocked()

    trio.run(main)
    assert [len(data) for data in sent] == [1_100]
    assert not box.full
    assert box.taken == 1


def test_a_reader_for_whom_too_many_bytes_wait_is_given_up() -> None:
    box = Outbox(64, space=1_000)
    for _ in range(HOPELESS):
        box.put(b"x" * 1_000)
    assert not box.finished
    box.put(b"one more")
    assert box.finished
    assert box.hopeless
