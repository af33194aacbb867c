"""The board's own serial ports, from a tree as the kernel shows it."""

from pathlib import Path

import pytest

from tablebridge.host.uarts import Uart, missing, uarts


def tree(folder: Path, *ttys: tuple[str, str | None], command: str = "quiet", model: str = "") -> Path:
    """`ttys`: name and type of each; None: its driver gives no type."""
    for name, kind in ttys:
        entry = folder / "sys/class/tty" / name
        (entry / "device").mkdir(parents=True)
        if kind is not None:
            (entry / "type").write_text(f"{kind}\n")
    (folder / "sys/class/tty").mkdir(parents=True, exist_ok=True)
    (folder / "proc/device-tree").mkdir(parents=True)
    (folder / "proc/cmdline").write_text(command)
    (folder / "dev").mkdir()
    if model:
        (folder / "proc/device-tree/model").write_text(f"{model}\0")
    return folder


def test_a_port_without_hardware_behind_it_and_a_usb_adapter_are_left_out(tmp_path: Path) -> None:
    root = tree(tmp_path, ("ttyS0", "4"), ("ttyS1", "0"), ("ttyUSB0", None), ("ttyAMA0", "32"))
    assert uarts(root) == (Uart("/dev/ttyAMA0"), Uart("/dev/ttyS0"))


@pytest.mark.parametrize("console", ["serial0", "ttyAMA0"])
def test_a_raspberrys_port_has_its_lasting_name_and_its_console_is_said(tmp_path: Path, console: str) -> None:
    root = tree(tmp_path, ("ttyAMA0", "32"), command=f"console={console},115200 console=tty1")
    (root / "dev/ttyAMA0").touch()
    (root / "dev/serial0").symlink_to("ttyAMA0")
    (uart,) = uarts(root)
    assert uart == Uart("/dev/serial0", console=True) and "console=" in str(uart)


def test_a_raspberry_whose_port_is_off_says_how_it_is_switched_on(tmp_path: Path) -> None:
    root = tree(tmp_path, model="Raspberry Pi 4 Model B Rev 1.4")
    assert "enable_uart=1" in missing(root)
    assert missing(tree(tmp_path / "other", model="Jetson Nano")) == ""
    assert missing(tree(tmp_path / "on", ("ttyS0", "4"), model="Raspberry Pi 5")) == ""
