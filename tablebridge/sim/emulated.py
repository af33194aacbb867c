"""An emulated table at a site that runs: the rig with its devices, a console and a dealer."""

import contextlib
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Final, Self

from tablebridge.model.errors import BrokerError, LinkError
from tablebridge.model.views import TableView
from tablebridge.sim.console import Console
from tablebridge.sim.dealer import Dealer
from tablebridge.sim.pace import Pace
from tablebridge.sim.rig import NAMES, TABLE, Rig

READY_WITHIN_S: Final = 30.0
_LOOK_S: Final = 0.1
BLINDS: Final = (50, 100)
BUY_IN: Final = 10_000
SEATED: Final = tuple(range(1, 10))
"""Nine players; seat 10 stays empty, so that a card can go where nobody sits."""


class EmulatedTable:
    """A context manager: while it is entered, drivers can open the ports. After `connect` it has a `console`
    and a `dealer`.

    `game`: an invented one. `speed`: how many times faster than life, None for as fast as possible.
    `stopped`: asked between moves; a true answer makes the dealer raise pace.Stopped. `name`: the table's;
    `prefix`: how the names of its devices begin, at a site with several tables.
    """

    def __init__(
        self,
        folder: Path,
        *,
        level: str,
        speed: float | None,
        seed: int,
        bets: bool = False,
        game: str = "nlhe",
        stopped: Callable[[], bool] = lambda: False,
        name: str = TABLE,
        prefix: str = "",
    ) -> None:
        rng = Random(seed)
        self.game = game
        self.rig = Rig(folder, level, speed, rng.randrange(1 << 32), bets=bets, name=name, prefix=prefix)
        self._pace = Pace(speed, Random(rng.randrange(1 << 32)), stopped, self.rig.worked_s)
        self._rng = Random(rng.randrange(1 << 32))
        self._open = ExitStack()
        self._stage = "the devices are plugged in"
        self._connected = False

    @property
    def doing(self) -> str:
        """What goes on, in a few words, for who waits."""
        return (self._connected and self.dealer.doing) or self._stage

    @property
    def dealing(self) -> bool:
        """Whether hands are dealt, so that the table is to be followed."""
        return self._connected and bool(self.dealer.doing)

    def section(self) -> str:
        """Write decks and chips; the table's section of the site file."""
        return self.rig.section(
            game=self.game,
            seats=f"{SEATED[0]}-{SEATED[-1]}",
            stakes=f"{BLINDS[0]}/{BLINDS[1]}",
            stacks=BUY_IN,
            names={seat: NAMES[seat - 1] for seat in SEATED},
        )

    def __enter__(self) -> Self:
        self._open.enter_context(self.rig)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connected = False
        self._stage = "the processes are ended"
        self._open.close()

    def connect(self, url: str, token: str) -> None:
        """Make the console, with an operator's token for the pages at this address, and the dealer."""
        self.console = Console(url, token, self.rig.name, self._pace)
        self._open.callback(self.console.close)
        self.dealer = Dealer(
            self.rig.table,
            self.rig.bench,
            self.rig,
            self.console,
            self._pace,
            self.rig.deck,
            self._rng,
            self._rng.choice(list(self.rig.other_deck.values())),
            self.rig.chips,
        )
        self._connected = True

    def wait_table(self) -> TableView:
        """The table as it stands, as soon as its engine has spoken and all devices are live. Raises
        LinkError, Stopped.
        """
        passed_s = self._pace.stopwatch()
        while True:
            with contextlib.suppress(LinkError):
                view = self.console.view()
                if view.seats and self._live() == len(self.rig.devices):
                    return view
            if passed_s() > READY_WITHIN_S:
                raise LinkError(
                    f"not all of the emulated table is live within {READY_WITHIN_S:.0f} s; this computer may "
                    "be too busy: try again when it is not"
                )
            self._pace.pause(0)
            time.sleep(_LOOK_S)

    def restart_broker(self) -> None:
        """End the broker as a crash would, and start it again. Raises BrokerError: it is not ours here."""
        raise BrokerError(f"The broker of {self.rig.name} is not this program's to restart.")

    def _live(self) -> int:
        """How many of its devices are live."""
        states = self.console.devices()
        live = sum(states.get(device) == "live" for device in self.rig.devices)
        self._stage = f"{live} of {len(self.rig.devices)} devices are live"
        return live
