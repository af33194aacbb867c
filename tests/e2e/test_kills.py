"""Processes are killed and cables pulled in the middle of hands: the hand is played out and its record is the
hand.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial

import httpx
import pytest
from rig.ports import free_port
from rig.wait import wait_for

from tablebridge.model.errors import LinkError
from tablebridge.model.events import Stacks
from tablebridge.sim.dealer import Dealer, Manner
from tablebridge.sim.hands import Step
from tablebridge.sim.rig import TABLE
from tablebridge.sim.session import Session

from .dealing import Deals, Dealt, faults_of, findings_since, recorded

pytestmark = pytest.mark.slow


class At(Manner):
    """Something happens at one card of the deal and before one step of the hand, while the dealer goes on."""

    def __init__(self, happens: Callable[[], object], card: int = -1, step: int = -1) -> None:
        self._happens = happens
        self._card = card
        self._step = step

    def pitch(self, dealer: Dealer, number: int, seat: int) -> None:
        if number == self._card:
            self._happens()
        dealer.pitch(seat)

    def before(self, dealer: Dealer, number: int, step: Step) -> bool:
        if number == self._step:
            self._happens()
        return True


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with Session(
        tmp_path_factory.mktemp("kills"), level="clean", speed=None, seed=41, web_port=free_port()
    ) as session:
        yield session
    assert session.readings_lost() == 0


@pytest.fixture(scope="module")
def deals(session: Session) -> Deals:
    return Deals(session, 41)


def kill(session: Session, name: str) -> None:
    os.kill(session.runner.processes[name], signal.SIGKILL)


def killed_and_back(session: Session, name: str) -> None:
    """Kill a process and wait until the runner has started another."""
    before = session.runner.processes[name]
    os.kill(before, signal.SIGKILL)
    wait_for(lambda: session.runner.processes.get(name, before) != before, f"{name} is started again")


def assert_as_dealt(session: Session, dealt: Dealt) -> None:
    assert dealt.played is not None and not dealt.played.void
    assert dealt.played.view.street == "over" and dealt.played.refused == ()
    assert faults_of(session, dealt) == []


def assert_regular(session: Session, deals: Deals) -> None:
    """The next hand is like any other."""
    view = session.wait_table()
    dealt = deals.play()
    assert_as_dealt(session, dealt)
    assert findings_since(session, view.rev) == []


def test_the_broker_is_killed(session: Session, deals: Deals) -> None:
    manner = At(session.runner.restart_broker, card=7, step=2)
    assert_as_dealt(session, deals.play(deals.draw("flop"), manner))
    assert_regular(session, deals)


def test_the_engine_is_killed_in_the_betting(session: Session, deals: Deals) -> None:
    assert_as_dealt(session, deals.play(deals.draw("flop"), At(lambda: kill(session, "engine"), step=1)))
    assert_regular(session, deals)


def test_the_engine_is_killed_in_the_deal(session: Session, deals: Deals) -> None:
    assert_as_dealt(session, deals.play(deals.draw("flop"), At(lambda: kill(session, "engine"), card=5)))
    assert_regular(session, deals)


def test_a_driver_is_killed(session: Session, deals: Deals) -> None:
    for name, card, step in (("seat-4", 9, -1), ("board", -1, 1)):
        manner = At(partial(killed_and_back, session, name), card, step)
        assert_as_dealt(session, deals.play(deals.draw("flop"), manner))
    assert_regular(session, deals)


def test_a_reader_is_pulled_out_in_mid_frame(session: Session, deals: Deals) -> None:
    bench, console, since = session.rig.bench, session.console, session.console.view().rev

    def alerts(cleared: bool) -> bool:
        return any(
            alert.finding == "device-offline" and alert.device == "board" and alert.cleared is cleared
            for alert in console.alerts()
        )

    def pull() -> None:
        bench.damage("board", "drop", "drop", "flip")
        bench.unplug("board")
        wait_for(lambda: alerts(cleared=False), "the floor is told that the board is away")
        assert console.devices()["board"] == "lost"
        bench.plug("board")
        wait_for(lambda: console.devices()["board"] == "live", "the board is back")

    assert_as_dealt(session, deals.play(deals.draw("turn"), At(pull, step=1)))
    wait_for(lambda: alerts(cleared=True), "the alert is cleared by itself")
    assert {finding.finding for finding in findings_since(session, since)} == {"device-offline"}
    assert_regular(session, deals)


def test_the_pages_are_killed(session: Session, deals: Deals) -> None:
    def answers() -> bool:
        try:
            return bool(session.console.view().seats)
        except LinkError:
            return False

    def pull() -> None:
        killed_and_back(session, "web")
        wait_for(answers, "the pages answer")
        wait_for(lambda: set(session.console.devices().values()) == {"live"}, "the pages know all devices")

    assert_as_dealt(session, deals.play(deals.draw("flop"), At(pull, card=4, step=2)))
    assert_regular(session, deals)


def test_a_command_is_done_once_across_a_kill(session: Session) -> None:
    """The same id, before the kill, while nobody answers, and after: one reply, one effect."""
    url = f"{session.runner.web_url}/api/tables/{TABLE}"
    headers = {"Authorization": f"Bearer {session.runner.tokens['operator']}"}

    def post(number: int) -> httpx.Response:
        return httpx.post(
            f"{url}/lines",
            headers=headers,
            timeout=60,
            json={"id": f"once-only-{number}", "lines": [f"stacks 1:{number}"]},
        )

    first = post(4001)
    assert first.status_code == 200 and len(first.json()["entries"]) == 1
    assert post(4001).json() == first.json()
    kill(session, "engine")
    answers = [post(4001), post(4002)]

    def both() -> bool:
        answers[:] = [post(4001), post(4002)]
        return all(answer.status_code == 200 for answer in answers)

    wait_for(both, "the engine answers again", 60)
    assert answers[0].json() == first.json()
    assert post(4002).json() == answers[1].json()
    of_hand, _, _ = recorded(session, session.console.view().hand)
    effects = [entry.event.by_seat for entry in of_hand if isinstance(entry.event, Stacks)]
    assert [effects.count({1: number}) for number in (4001, 4002)] == [1, 1]


def test_the_record_is_sound_and_says_the_same_again(session: Session) -> None:
    path = session.folder / "journal" / f"{TABLE}.sqlite"
    for command in ("verify", "replay"):
        done = subprocess.run(
            [sys.executable, "-m", "tablebridge", "journal", command, str(path)],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "identical" in done.stdout
