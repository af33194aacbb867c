"""Signal lights: the bytes of the notes, what is shown for which alert; a dead engine never looks like "all
is well".
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig import lights
from rig.usb import Reported

from tablebridge.sdk import ButtonPress, Driver, Reason, Rejected, Signal
from tablebridge.sdk.lights import Colour
from tablebridge.sdk.testing import MS, Heard, at, defaults
from tablebridge_drivers import blink1, delcom, luxafor, patlite

LIGHTS: list[Any] = [
    (blink1.DRIVER, lights.Blink1, {}),
    (luxafor.DRIVER, lights.Luxafor, {}),
    (delcom.DRIVER, lights.Delcom, {}),
    (delcom.DRIVER, lights.Delcom, {"button": True}),
    (patlite.DRIVER, lights.PatliteLr6, {}),
    (patlite.DRIVER, lights.PatliteNe, {"model": "ne"}),
]
every_light = pytest.mark.parametrize(("driver", "model", "options"), LIGHTS)


def test_blink1_bytes() -> None:
    assert blink1.fade(Colour.RED, 100) == bytes.fromhex("0163FF000000640000")
    assert blink1.fade(Colour.WHITE, 10) == bytes.fromhex("0163FFFFFF000A0000")


def test_luxafor_bytes() -> None:
    assert luxafor.paint(Colour.GREEN) == bytes.fromhex("01FF00FF00") + bytes(3)
    assert luxafor.paint(Colour.WHITE) == bytes.fromhex("01FFFFFFFF") + bytes(3)
    assert luxafor.decode(bytes.fromhex("8300000000000000 8301000000000000 4200000000000000")) == (
        ButtonPress(1),
        ButtonPress(1, False),
    )


def test_delcom_bytes() -> None:
    assert delcom.paint(Colour.RED, "blue") == bytes.fromhex("650C02FF") + bytes(4)
    assert delcom.paint(Colour.WHITE, "blue") == bytes.fromhex("650C07FF") + bytes(4)
    assert delcom.paint(Colour.YELLOW, "yellow")[2] == 4 and delcom.paint(Colour.YELLOW, "blue")[2] == 3
    assert delcom.paint(Colour.BLUE, "yellow")[2] == 0, "dark where it has no blue"
    assert delcom.decode(b"\xfe" + bytes(7) + b"\xff" + bytes(7)) == (ButtonPress(1), ButtonPress(1, False))


def test_patlite_bytes() -> None:
    assert patlite.paint_lr6(Colour.RED) == bytes.fromhex("000008FF10000000")
    assert (
        patlite.paint_ne(Colour.DARK)[:4] == bytes.fromhex("0000080F")
        and patlite.paint_ne(Colour.GREEN)[4] == 0x21
    )
    assert patlite.paint_lr6(Colour.WHITE, clear=True) == bytes.fromhex("000008FF00001000")
    assert patlite.paint_lr6(Colour.WHITE) == bytes.fromhex("000008FF11111000"), "a tower without white"
    assert patlite.paint_ne(Colour.WHITE) == bytes.fromhex("0000080F71000000")
    assert bytes.fromhex("0080000000000000") == patlite.ASK
    # Two bytes, bit 0 of the second: the vendor's sample program; 11 as PatliteNode saw it.
    assert patlite.decode(bytes.fromhex("FF01 0011 0000")) == (
        ButtonPress(1),
        ButtonPress(1),
        ButtonPress(1, False),
    )


def play(
    driver: Driver, device: Reported, seconds: float, signals: dict[int, Signal], **options: Any
) -> Heard:
    """The session of a light in virtual time; `signals`: from which ms on what is to be shown."""
    session: Any = driver.session(defaults(driver, **options))
    heard, now_ns, waiting = Heard(), 0, sorted(signals.items())
    turn, answers = session.start(at(0)), []
    while now_ns < seconds * 1e9:
        heard.add(turn, now_ns)
        if turn.send:
            answers.append((now_ns + 3 * MS, device(turn.send)))
        nexts = [(turn.wake_ns, 2, b"")] if turn.wake_ns is not None else []
        nexts += [(when, 0, said) for when, said in answers[:1]] + [
            (ms * MS, 1, b"") for ms, _ in waiting[:1]
        ]
        when, kind, said = min(nexts)
        now_ns = max(now_ns, when)
        if kind == 0:
            answers.pop(0)
            turn = session.received(said, at(now_ns))
        elif kind == 1:
            turn = session.show(waiting.pop(0)[1], at(now_ns))
        else:
            turn = session.due(at(now_ns))
    return heard


def order(shown: list[str]) -> list[str]:
    return [colour for before, colour in zip(["", *shown], shown, strict=False) if colour != before]


@every_light
def test_what_is_shown(driver: Driver, model: Any, options: Any) -> None:
    light = model()
    heard = play(
        driver,
        Reported(light, driver.usb.numbered),
        12.0,
        {  # type: ignore[union-attr]
            1000: Signal("clear"),
            2000: Signal("warning"),
            5000: Signal("warning", True),
            6000: Signal("critical"),
            9000: Signal("critical", True),
            9800: Signal("called"),
            10900: Signal("clear"),
            11500: Signal(),
        },
        **options,
    )
    seen = order(light.shown)
    assert seen[:2] == ["blue", "dark"], "no alert is open"
    assert {"yellow", "red"} <= set(seen) and seen.count("dark") >= 6, "alerts nobody has seen blink"
    assert seen[-4:] == ["red", "white", "dark", "blue"], "acknowledged, called, closed, without an engine"
    assert heard.rejected == [] and len(heard.alive_ns) > 10
    assert light.shown.count("white") >= 2, "painted again, for the light may be another one by now"


@every_light
def test_what_nobody_has_acknowledged_blinks_once_per_second(
    driver: Driver, model: Any, options: Any
) -> None:
    light = model()
    play(driver, Reported(light, driver.usb.numbered), 10.6, {500: Signal("critical")}, **options)  # type: ignore[union-attr]
    assert order(light.shown).count("red") == 10


@every_light
def test_a_light_that_breathes_shows_that_the_box_lives(driver: Driver, model: Any, options: Any) -> None:
    light = model()
    signals = {0: Signal("clear"), 12_100: Signal("called")}
    usb = Reported(light, driver.usb.numbered)  # type: ignore[union-attr]
    play(driver, usb, 13.0, signals, **options, breathes=True)
    assert order(light.shown)[1:] == ["green", "dark"] * 3 + ["green", "white"]


@every_light
def test_without_an_engine_it_never_looks_as_if_all_were_well(
    driver: Driver, model: Any, options: Any
) -> None:
    light = model()
    play(driver, Reported(light, driver.usb.numbered), 5.0, {}, **options)  # type: ignore[union-attr]
    assert set(light.shown) == {"blue"}


@every_light
def test_a_light_that_refuses_is_not_alive(driver: Driver, model: Any, options: Any) -> None:
    from rig.usb import UsbModel

    heard = play(driver, Reported(UsbModel()), 5.0, {}, **options)
    assert heard.alive_ns == [] and {item.reason for item in heard.rejected} == {Reason.UNEXPECTED}


@pytest.mark.parametrize(("driver", "model", "options"), [LIGHTS[3], LIGHTS[5]])
def test_its_button_is_asked_for(driver: Driver, model: Any, options: Any) -> None:
    light = model()
    light.pressed = True
    heard = play(driver, Reported(light, driver.usb.numbered), 2.0, {500: Signal("clear")}, **options)  # type: ignore[union-attr]
    assert heard.readings == [ButtonPress(1)]
    assert order(light.shown) == ["blue", "dark"]


@given(st.binary(max_size=100))
def test_no_bytes_raise(data: bytes) -> None:
    for decode in (luxafor.decode, delcom.decode, patlite.decode):
        assert all(isinstance(told, ButtonPress | Rejected) for told in decode(data))
