"""`token add` prints addresses that a phone can open, and a picture of the first."""

import ipaddress
import re
import socket
from pathlib import Path

import pytest
from rig.command import tablebridge

from tablebridge.settings.site import Web
from tablebridge.web.addresses import addresses_of, qr_code

LINK = "http://192.168.107.120:8090/login?token=" + "x" * 43


@pytest.mark.parametrize("listen", ["0.0.0.0", "::"])
def test_an_address_for_all_is_printed_as_one_of_this_machine(listen: str) -> None:
    for address in addresses_of(Web(listen=listen, allow_plain_http=True)):
        if address == "localhost":
            continue
        assert not ipaddress.ip_address(address).is_unspecified
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as bound:
            bound.bind((address, 0))


def test_an_address_that_is_stated_is_printed() -> None:
    assert addresses_of(Web(listen="192.168.7.20", allow_plain_http=True)) == ["192.168.7.20"]
    assert addresses_of(Web()) == ["127.0.0.1"]


def test_the_picture_fits_on_a_terminal_and_differs_by_link() -> None:
    lines = re.sub(r"\x1b\[[0-9;]*m", "", qr_code(LINK)).splitlines()
    assert len(lines) <= 24 and {len(line) for line in lines} == {len(lines[0])} and len(lines[0]) <= 80
    assert qr_code(LINK) != qr_code(LINK[:-1] + "y")


@pytest.mark.parametrize(("listen", "pictured"), [("192.168.7.20", True), ("127.0.0.1", False)])
def test_a_picture_is_shown_only_of_what_a_phone_can_open(
    tmp_path: Path, listen: str, pictured: bool
) -> None:
    site = tmp_path / "site.toml"
    site.write_text(
        f'name = "club"\nstate_dir = "{tmp_path}/state"\n[web]\nlisten = "{listen}"\n'
        'allow_plain_http = true\n[[table]]\nname = "t1"\n'
    )
    said = tablebridge("token", "add", "floor", "Anna", "--site", site)
    assert said.returncode == 0, said.stderr
    assert f"http://{listen}:8090/login?token=" in said.stdout
    assert ("▀" in said.stdout) == pictured
    assert ("listen on this machine only" in said.stdout) != pictured
