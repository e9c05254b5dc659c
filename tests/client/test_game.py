"""The room of a game, in one process with a real server and a bot."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from client.child import ChildServer
from client.plain.answers import harmless_default
from protocol.messages import FromServer, Update
from tests.client.test_session import Person, person


def against_a_bot(
    tmp_path: Path, visit: Callable[[Person], Awaitable[None]], level: str = "random"
) -> None:
    """Anna's first question has been asked; the seed makes her game the same every time."""

    async def main() -> None:
        async with (
            asyncio.timeout(90),
            ChildServer(str(tmp_path)) as child,
            person(child.port, "Anna") as anna,
        ):
            await anna.see("create opens a table")
            await anna.type("create seed=7")
            await anna.type(f"add-bot {level}")
            await anna.type("start")
            await anna.see("Where do you start?")
            await visit(anna)

    asyncio.run(main())


async def next_question(anna: Person) -> None:
    game = anna.session.game
    await anna.console.until(
        lambda: game.decision is not None or bool(anna.session.model and anna.session.model.over)
    )


def test_every_command_shows_what_it_says(tmp_path: Path) -> None:
    async def visit(anna: Person) -> None:
        await anna.type("shinj")
        await anna.see("Anna starts at Shinjuku-Shibuya (D6).")
        await anna.see("You have 0 money and 0 rail points.")
        for line, shown in (
            ("help", "  card NAME       One card in full."),
            ("?", "  trains          Play all cards that only bring money."),
            ("help", "New here? help rules says how to play."),
            ("help rules", "How to play"),
            ("help scoring", "0, 2, 4 or 8 points"),
            ("help yourself", "! Help knows rules and scoring, not “yourself”."),
            ("stations", "+1 number of stations free"),
            ("cards", "Place 1 station in any"),
            ("/board", "(you)  blank sea  heavy line barrier"),
            ("rails", "You can lay no rail now"),
            ("places", "Barriers: B3|C3, "),
            ("hand", "Hand (5): "),
            ("supply", "card NAME tells what a card does"),
            ("scores", "Your victory cards: none yet. Those of others stay unknown"),
            ("card", "card NAME tells more about one."),
            ("card tower", "Tower - victory, costs 5, 2 VP"),
            ("log 3", "Anna"),
            ("log", "── Turn "),
            ("log 0", "! Log wants a number from 1 to 2000, not “0”."),
            ("options", "You have 0 money and 0 rail points."),
            ("say hello", "<Anna> hello"),
            ("say", "! A chat line needs something printable"),
        ):
            await anna.type(line)
            await anna.see(shown)
        assert anna.session.prompt() == "0 money, 0 rail points > "
        found = dict(anna.session.completions("play n"))
        assert found == {"play normal-train": "Play Normal Train (+1 money)"}
        found = dict(anna.session.completions("lay-r"))
        assert found["plain lay-rails"] == "Play Lay Rails without its effect"
        assert set(found) >= {"play lay-rails", "plain lay-rails"}
        assert "end" in dict(anna.session.completions("e"))
        assert "board" in dict(anna.session.completions("bo"))
        assert dict(anna.session.completions("card exp")) == {
            "card Express Train": "train, costs 3",
            "card Limited Express Train": "train, costs 6",
            "card Station Expansion": "station, costs 3",
        }
        assert dict(anna.session.completions("help s")) == {"help scoring": "What counts."}
        assert len(anna.session.completions("card ")) == 17
        assert anna.session.completions("card zeppelin") == []
        assert "D9" not in anna.session.completions("card ")

    against_a_bot(tmp_path, visit)


def test_a_turn_is_played_and_a_refused_answer_leaves_the_question_open(tmp_path: Path) -> None:
    async def visit(anna: Person) -> None:
        await anna.type("")
        await anna.see("! An empty line answers nothing")
        await anna.type("E9")  # sea
        await anna.see("! “E9” is none of the options: E9 is sea.")
        assert anna.console.bells == 1
        await anna.type("shinj")
        await anna.see("You have 0 money")
        for line in ("trains now", "board 2", "hand over", "quit now"):
            await anna.type(line)
            await anna.see(f"! {line.split()[0].capitalize()} takes no words after it.")
        await anna.type("trains", serial=-1)  # it answers the game, so it has to be meant for now
        await anna.see("! “trains” was begun before this question")
        await anna.type("trains")
        await anna.see("Anna plays Normal Train for 1 money (×3).")
        await anna.see("You have 3 money and 0 rail points.")
        await anna.type("trains")
        await anna.see("You can play no card that only brings money.")
        await anna.type("C6")
        await anna.see("! “C6” is none of the options: play a rail card first")
        await anna.type("play lay-rails")
        await anna.see("You have 3 money and 1 rail point.")
        await anna.type("tower")
        await anna.see("! “tower” is none of the options: Tower costs 5, you have 3.")
        await anna.type("end")
        await anna.see("! You still have 1 rail point and 3 money that can buy something. Type")
        await anna.type("No")
        await anna.see("Then nothing is done.")
        await anna.type("end")
        await anna.see("! You still have 1 rail point and 3 money that can buy something. Type")
        await anna.type("yes")
        await anna.see("! Type end once more if you mean it.")
        await anna.type("scores")  # something else takes it back
        await anna.type("end")
        await anna.see("! You still have 1 rail point")
        await anna.type("rails")
        await anna.see("$2 price of a rail there")
        await anna.type("C6")
        await anna.see("Anna lays a rail on C6")
        await anna.type("buy exp")
        await anna.see("Anna buys Express Train for 3.")
        game = anna.session.game
        await next_question(anna)
        decision = game.decision
        assert decision is not None
        assert not await game._send(decision, ("buy:unobtainium",))
        assert "unobtainium" not in await anna.see("! The server does not take that answer")
        assert game.decision == decision
        await anna.type("end")
        await anna.see("Turn 4: Anna - Your turn (a 0  B 0)")
        await next_question(anna)
        assert anna.console.bells == 3  # the start and two turns

    against_a_bot(tmp_path, visit)


def test_a_whole_game_ends_with_the_final_account(tmp_path: Path) -> None:
    async def visit(anna: Person) -> None:
        await anna.type("shinj")
        await next_question(anna)
        assert anna.session.game.shortest_text("end-turn") == "end"
        while anna.session.game.decision is not None:
            await anna.type("end")
            await next_question(anna)
        await anna.see("Final scores")
        await anna.see("board, scores and log still work")
        assert anna.session.prompt() == "game over > "
        assert anna.session.game.wants_line
        await anna.type("1")
        await anna.see("! The game is over")
        await anna.type("leave")
        await anna.see("There are no tables yet.")  # nobody is left at the finished one
        assert anna.session.prompt() == "lobby > "

    against_a_bot(tmp_path, visit, "greedy")


def test_an_empty_line_declines_only_where_that_was_said(tmp_path: Path) -> None:
    async def visit(anna: Person) -> None:
        await anna.type("shinj")
        await next_question(anna)
        decision = anna.session.game.decision
        assert decision is not None
        assert harmless_default(decision) is None
        await anna.type("")
        await anna.see("! An empty line answers nothing")
        assert anna.session.game.decision == decision

    against_a_bot(tmp_path, visit)


def test_on_a_small_terminal_places_are_listed_and_that_is_said_once(tmp_path: Path) -> None:
    async def visit(anna: Person) -> None:
        for size, torn in (((60, 24), True), ((80, 19), True), ((80, 24), False)):
            anna.console.size = size
            before = len(anna.console.shown)
            await anna.type("board")
            shown = "\n".join(anna.console.shown[before:])
            assert ("│" not in shown) == torn
            assert ("Rails of A Anna" in shown or "Rails of B Anna" in shown) == torn
        assert anna.console.text.count("needs a terminal of 80x24") == 1

    against_a_bot(tmp_path, visit)


def test_what_was_lost_on_the_way_is_fetched_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit(anna: Person) -> None:
        await anna.type("shinj")
        await anna.see("You have 0 money")
        deliver = anna.session.connection.next
        lost: list[FromServer] = []

        async def lossy() -> FromServer:
            message = await deliver()
            if isinstance(message, Update) and message.events and not lost:
                lost.append(message)
                return await deliver()
            return message

        await anna.type("trains")
        await anna.see("You have 3 money")
        monkeypatch.setattr(anna.session.connection, "next", lossy)
        await anna.type("say the receiver waits in the old function until this line is through")
        await anna.see("<Anna> the receiver")
        await anna.type("end")
        await anna.see("Type end again")
        await anna.type("end")  # its first update is lost
        await next_question(anna)
        assert len(lost) == 1
        await anna.see("You have 0 money")
        model = anna.session.model
        assert model is not None
        assert model.view is not None
        assert not model.waiting_for_snapshot
        assert model.view.turn.number == model.turn
        assert model.next_event == len(model.log)
        numbers = [one.event.count for one in model.log if one.event.type == "turn"]
        assert numbers == list(range(1, model.turn + 1))

    against_a_bot(tmp_path, visit)
