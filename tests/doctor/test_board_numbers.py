"""The set-up page's devices: a reader that is chosen says its own number, one that replaces it another."""

import time
from collections.abc import Callable
from pathlib import Path

from rig.feig import Feig
from rig.pty import Pty
from rig.wait import wait_for

from tablebridge.doctor.setup_process.bench import Bench

Plug = Callable[..., Pty]


def test_a_chosen_reader_gets_its_number_and_its_replacement_another(plugged: Plug, tmp_path: Path) -> None:
    plugged(Feig(), "one")
    plugged(Feig(number=b"\0\0\0\7"), "two")
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    bench = Bench([], [one, two], [], [], lambda device, reading: None)

    def board() -> object:
        bench.tick(time.monotonic())
        return bench.parts[0].options.get("board") if bench.parts else None

    try:
        bench.adopting.open(time.monotonic())
        bench.tick(time.monotonic())
        bench.adopt(one, "feig", "quiet_ms = 6", time.monotonic())
        wait_for(lambda: board() == "0BA75E01", "the reader has said its number")
        bench.replace(bench.parts[0].name, two, time.monotonic())
        wait_for(lambda: board() == "00000007", "the other reader has said its number")
        assert bench.parts[0].options["quiet_ms"] == 6 and bench.parts[0].port == two
    finally:
        bench.pause()


def test_a_device_of_the_site_file_keeps_the_options_that_it_has(plugged: Plug, tmp_path: Path) -> None:
    from tablebridge.steps.site_text import Part

    plugged(Feig(), "one")
    bench = Bench([Part("left", "feig", str(tmp_path / "one"))], [], [], [], lambda device, reading: None)
    try:
        bench.resume()
        wait_for(lambda: not bench.tick(time.monotonic()) and not bench.lost(), "the reader works")
        assert bench.parts[0].options == {}
    finally:
        bench.pause()
