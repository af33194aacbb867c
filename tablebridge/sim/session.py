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
from types import TracebackType
from typing import Final, Self

from tablebridge.app.runner import Runner
from tablebridge.journal.read import entries, findings
from tablebridge.journal.store import Journal
from tablebridge.model.errors import LinkError
from tablebridge.model.events import DeviceState
from tablebridge.sim.emulated import EmulatedTable
from tablebridge.sim.lobby import PEOPLE, Lobby
from tablebridge.sim.rig import TABLE, write_site
from tablebridge.web.auth import Tokens

OVERLAY_DELAY_S: Final = 15.0
PAGES_WITHIN_S: Final = 120.0
_PAGES: Final = {
    "console": ("operator", "console"),
    "dealer": ("dealer", "dealer"),
    "technician": ("technician", "devices"),
    "surveillance": ("surveillance", "timeline"),
    "investigator": ("investigator", "timeline"),
    "overlay": ("broadcast", "overlay"),
    "director": ("director", "preview"),
}
"""The short links of a lobby: which role opens which page."""


class Session(EmulatedTable):
    """An emulated table with a site of its own. A context manager; `folder` holds all files of the site.

    `lobby`: its people are notified, and have tokens of the floor. `folder` may be deleted at the end. If a
    process ended by itself or the table could not be reached, the logs are copied to a folder of their own
    before, `kept_logs`.
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
        lobby: Lobby | None = None,
    ) -> None:
        super().__init__(folder, level=level, speed=speed, seed=seed, bets=bets, game=game, stopped=stopped)
        self.folder = folder
        self.overlay_delay_s = OVERLAY_DELAY_S
        site = write_site(
            folder,
            [self.section()],
            # A port of its own also for pages that are started again: their links stay true.
            web_port=web_port or free_port(),
            broker_port=free_port(),
            overlay_delay_s=OVERLAY_DELAY_S,
            people=lobby.people() if lobby is not None else "",
        )
        self._lobby = lobby
        self.runner = Runner(site, folder / "log")
        self.kept_logs: Path | None = None

    def __enter__(self) -> Self:
        try:
            self._start()
        except LinkError as error:
            raise self._with_logs(error) from error
        return self

    def _start(self) -> None:
        """Start everything, or nothing. Raises LinkError."""
        with ExitStack() as opening:
            opening.push(super().__exit__)
            super().__enter__()
            self._open.enter_context(self.runner)
            self._stage = "the broker starts"
            self.runner.start()
            self._stage = f"{len(self.runner.children)} processes start"
            self.runner.wait_ready(PAGES_WITHIN_S)
            self.connect(self.runner.web_url, self.runner.tokens["operator"])
            self._invite()
            opening.pop_all()

    def _invite(self) -> None:
        """Give the people of the lobby their tokens, and the lobby all links."""
        if self._lobby is None:
            return
        tokens, url = Tokens(self.folder), self.runner.web_url
        for name, _, _ in PEOPLE:
            _, secret = tokens.add("floor", name, by="demo")
            self._lobby.links[name.lower()] = f"{url}/login?token={secret}&next=/floor"
        for name, (role, page) in _PAGES.items():
            self._lobby.links[name] = self.link(page, role)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
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

    def restart_broker(self) -> None:
        """End the broker as a crash would, and start it again. Raises BrokerError."""
        self.runner.restart_broker()

    def link(self, page: str, role: str) -> str:
        """The address that opens a page with this run's token of a role."""
        token = self.runner.tokens[f"dealer {TABLE}" if role == "dealer" else role]
        if page in ("overlay", "preview"):
            return f"{self.runner.web_url}/{page}/{TABLE}?key={token}"
        following = page if page in ("floor", "devices") else f"{page}/{TABLE}"
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


def free_port() -> int:
    """A port of this machine at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
