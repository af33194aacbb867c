"""A box with readers on pseudo-terminals, `tablebridge setup --browser` on it, and who sits at its page."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect
from rig.feig import Feig
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.model.decks import Deck, spread_order
from tablebridge.settings.decks import load_deck, save_deck

CARD = "E004010000000001"
DECK = [f"E00401000001{number:04X}" for number in range(52)]


class Bench:
    """The readers by name, and the set-up process."""

    def __init__(self, folder: Path, *readers: str) -> None:
        self.ports: list[str] = []
        """Ports of what is no reader."""
        self.folder = folder
        self.state = folder / "state"
        self.out = folder / "site.toml"
        self.readers = {name: Feig() for name in readers}
        self.ptys = {name: Pty(folder / name, reader) for name, reader in self.readers.items()}
        self.process: subprocess.Popen[str] | None = None

    def port(self, name: str) -> str:
        return str(self.folder / name)

    def start(self) -> str:
        """Start the set-up. Returns the link."""
        named = [*map(self.port, self.readers), *self.ports]
        ports = [part for port in named for part in ("--port", port)]
        arguments = ["--out", str(self.out), "--state-dir", str(self.state), "--page-port", "0", *ports]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tablebridge", "setup", "--browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said == "Open on this box; the link is good once:\n", said + self.process.stdout.read()
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        """The power is cut."""
        assert self.process is not None and self.process.stdout is not None
        self.process.kill()
        self.process.wait(60)
        self.process.stdout.close()
        self.process = None

    def end(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            assert self.process.wait(60) == 0 or self.out.exists() is False
            assert self.process.stdout is not None
            self.process.stdout.close()
        for pty in self.ptys.values():
            if pty.plugged:
                pty.unplug()

    def seen(self, name: str, times: int = 4) -> None:
        """The reader was asked so often since."""
        reader = self.readers[name]
        before = reader.inventories
        wait_for(lambda: reader.inventories >= before + times, f"{name} is asked on")

    def deck(self, name: str, tags: list[str], kind: str = "52") -> None:
        """A deck that was enrolled before, in part or whole."""
        order = spread_order(kind)
        save_deck(
            self.state / "decks" / f"{name}.toml", Deck(name, dict(zip(tags, order, strict=False)), kind)
        )

    def cards(self, name: str) -> int:
        path = self.state / "decks" / f"{name}.toml"
        return len(load_deck(path).cards) if path.exists() else 0


@contextmanager
def bench_in(folder: Path, *readers: str) -> Iterator[Bench]:
    bench = Bench(folder, *readers)
    try:
        yield bench
    finally:
        bench.end()


class AtTheBox:
    """A person at the page of the set-up. `complaints`: what the console said."""

    def __init__(self, browser: Browser, link: str, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None,
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.url = link.partition("/login")[0]
        self.page.goto(link)
        self.page.wait_for_url("**/setup")
        self.live()

    def open(self, step: str) -> Page:
        self.page.goto(f"{self.url}/setup/{step}")
        self.live()
        return self.page

    def live(self) -> None:
        expect(self.page.locator("body")).to_have_attribute("data-state", "live")

    def choose(self, port: str, name: str, driver: str = "feig") -> None:
        """Choose the device at a port, as a FEIG reader or with another driver."""
        page = self.page
        if page.locator("#open-adopting").count():
            page.click("#open-adopting")
        row = page.locator(f"[data-device='{port}']")
        row.locator("select").select_option(driver)
        row.get_by_role("button", name="Choose this device").click()
        expect(row.locator(".state")).to_have_text("live")
        expect(row).to_contain_text(name)
