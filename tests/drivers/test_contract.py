"""Every driver that comes with tablebridge keeps the contract, on noise, on damaged traffic and in silence."""

import pytest

from tablebridge.sdk import Driver
from tablebridge.sdk.testing import check_driver
from tablebridge_drivers import feig, line, template
from tablebridge_drivers.line.lines import Contact, DeadAntenna, Health, Hello, Line, Shuffler, TrayTags, Visits, encode_line

TAGS = ("E004010000000001", "E004010000000002")
BOARD = b"".join(encode_line(Line(seq, 10 * seq, message)) for seq, message in enumerate((
    Hello("board/1", 2, 2, "power"), Visits(1, "+", 2, TAGS), Visits(1, "-", 1, TAGS[:1]), Visits(2, "=", 3, TAGS),
    Visits(2, "~", 1), DeadAntenna(2, "version 00"), Contact(1, True, 1), Contact(1, False, 2), Shuffler(1, "ok", 52),
    TrayTags(1, 2, TAGS[:1]), TrayTags(2, 2, TAGS[1:]), Health("degraded", "supply"))))
READER = bytes.fromhex("0600520052AB0600B0015C63 1100B000010300E01680FF080050248075 06006300 8607")


@pytest.mark.parametrize(("driver", "stream"), [
    (feig.DRIVER, READER), (line.DRIVER, BOARD), (template.DRIVER, bytes.fromhex("AA0C54E004010000000001") + b"\x16")],
    ids=lambda value: value.name if isinstance(value, Driver) else "")
def test_driver_keeps_the_contract(driver: Driver, stream: bytes) -> None:
    check_driver(driver, streams=[stream], rounds=15)
