"""An emulated table under the real service: a site of its own in a folder, its processes, a console and a
dealer.
"""

import shutil
import socket
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Final

from tablebridge.app.runner import Runner
from tablebridge.journal.read import entries, findings
from tablebridge.journal.store import Journal
from tablebridge.model.errors import LinkError
from tablebridge.model.events import DeviceState
from tablebridge.model.views import TableView
from tablebridge.sim.console import Console
from tablebridge.sim.dealer import Dealer
from tablebridge.sim.pace import Pace
from tablebridge.sim.rig import NAMES, TABLE, Rig

READY_WITHIN_S: Final = 30.0
OVERLAY_DELAY_S: Final = 15.0
BLINDS: Final = (50, 100)
BUY_IN: Final = 10_000
SEATED: Final = tuple(range(1, 10))
"""Nine players; seat 10 stays empty, so that a card can go where nobody sits."""


class Session:
    """Everything for hands at an emulated table. A context manager; `folder` holds all files of the site.

    `game`: an invented one. `speed`: how many times faster than life, None for as fast as possible.
    `stopped`: asked between moves; a true answer makes the dealer raise pace.Stopped.

    `folder` may be deleted at the end. If a process ended by itself or the table could not be reached, the
    logs are copied to a folder of their own before, `kept_logs`.
    """

    def __init__(
        self,
        folder: Path,
        *,
        level: str,
        speed: float | None,
        seed: int,
        web_port: int = 0,
        bets: bool = False,
        game: str = "nlhe",
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        rng = Random(seed)
        self.folder = folder
        self.game = game
        self.rig = Rig(folder, level, speed, rng.randrange(1 << 32), bets=bets)
        site = self.rig.write_site(
            game=game,
            seats=f"{SEATED[0]}-{SEATED[-1]}",
            stakes=f"{BLINDS[0]}/{BLINDS[1]}",
            stacks=BUY_IN,
            # A port of its own also for pages that are started again: their links stay true.
            web_port=web_port or _free_port(),
            broker_port=_free_port(),
            overlay_delay_s=OVERLAY_DELAY_S,
            names={seat: NAMES[seat - 1] for seat in SEATED},
        )
        self.runner = Runner(site, folder / "log")
        self._pace = Pace(speed, Random(rng.randrange(1 << 32)), stopped)
        self._rng = Random(rng.randrange(1 << 32))
        self._open = ExitStack()
        self.kept_logs: Path | None = None

    def __enter__(self) -> "Session":
        try:
            self._open = self._opened()
        except LinkError as error:
            raise self._with_logs(error) from error
        return self

    def _opened(self) -> ExitStack:
        """Everything started, and what ends it. Raises LinkError."""
        with ExitStack() as opening:
            opening.enter_context(self.rig)
            opening.enter_context(self.runner)
            self.runner.start()
            self.runner.wait_ready(READY_WITHIN_S)
            self.console = Console(self.runner.web_url, self.runner.tokens["operator"], TABLE)
            opening.callback(self.console.close)
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
            return opening.pop_all()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()
        if isinstance(error, LinkError):
            raise self._with_logs(error) from error
        if self.runner.ended:
            self._keep_logs()

    def _with_logs(self, error: LinkError) -> LinkError:
        return LinkError(f"{str(error).rstrip('.')}. The logs are kept in {self._keep_logs()}.")

    def _keep_logs(self) -> Path:
        if self.kept_logs is None:
            self.kept_logs = Path(tempfile.mkdtemp(prefix="tablebridge-log-"))
            for log in self.runner.log_dir.iterdir():
                shutil.copyfile(log, self.kept_logs / log.name)
        return self.kept_logs

    def endings(self) -> list[str]:
        """A sentence for each process that ended by itself, which says where its log is."""
        return [
            f"The process {name} ended by itself {count} time{'s' * (count != 1)} and was started again; "
            "its log is "
            f"{self.kept_logs}/{name}.log"
            for name, count in sorted(self.runner.ended.items())
        ]

    def wait_table(self) -> TableView:
        """The table as it stands, as soon as its engine has spoken and all devices are live. Raises
        LinkError, Stopped.
        """
        view = self.console.until(self._all_live, READY_WITHIN_S)
        if view is None:
            raise LinkError(
                f"not all of the emulated table is live within {READY_WITHIN_S:.0f} s; this computer may be "
                "too "
                "busy: try again when it is not"
            )
        return view

    def _all_live(self, view: TableView) -> bool:
        self._pace.wait(0, 0)
        return bool(view.seats) and set(self.console.devices().values()) == {"live"}

    def link(self, page: str, role: str) -> str:
        """The address that opens a page with this run's token of a role."""
        token = self.runner.tokens[role]
        if page == "overlay":
            return f"{self.runner.web_url}/overlay/{TABLE}?key={token}"
        following = page if page == "floor" else f"{page}/{TABLE}"
        return f"{self.runner.web_url}/login?token={token}&next=/{following}"

    def findings(self, last: int) -> Counter[str]:
        """What the engine noticed of severity warning and above up to record number `last`, counted by word.

        What comes after the last hand is that the devices are switched off.
        """
        with closing(self.journal()) as journal:
            return Counter(
                " ".join(filter(None, (finding.finding, finding.cause)))
                for finding in findings(journal)
                if finding.severity in ("warning", "critical") and int(finding.id.partition(".")[0]) <= last
            )

    def readings_lost(self) -> int:
        """Readings that never came, from the record after the end."""
        with closing(self.journal()) as journal:
            return sum(entry.event.gap for entry in entries(journal) if isinstance(entry.event, DeviceState))

    def journal(self) -> Journal:
        """The table's record, to be read and closed again."""
        return Journal(self.folder / "journal" / f"{TABLE}.sqlite", TABLE, readonly=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
