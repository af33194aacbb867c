"""Stud: cards to each seat, most of them up; a bring-in instead of blinds, and no button."""

from typing import Final

from tablebridge.engine.games.form import Form, Street

_SEVEN: Final = (
    Street("third", down=2, up=1),
    Street("fourth", up=1, burn=True, pair_bet=True),
    Street("fifth", up=1, burn=True, big_bet=True),
    Street("sixth", up=1, burn=True, big_bet=True),
    Street("seventh", down=1, burn=True, big_bet=True),
)
_AMERICANA: Final = (
    Street("second", down=1, up=1),
    Street("third", up=1),
    Street("fourth", up=1, big_bet=True),
    Street("fifth", up=1, big_bet=True),
)

GAMES: Final = (
    Form("stud", "seven-card stud", "limit", _SEVEN, ("high",), forced="low-card", opens="high", odd="suit"),
    Form(
        "stud8",
        "seven-card stud hi-lo",
        "limit",
        _SEVEN,
        ("high", "low8"),
        forced="low-card",
        opens="high",
        odd="suit",
    ),
    Form(
        "razz",
        "razz",
        "limit",
        _SEVEN,
        ("low-a5",),
        forced="high-card",
        opens="low",
        low_ace=True,
        odd="suit",
    ),
    Form(
        "americana",
        "Americana",
        "limit",
        _AMERICANA,
        ("americana-high",),
        forced="high-card",
        opens="high",
        shows="order",
        deck="32",
        antes_to_bring_in=2,
        table_seats=6,
    ),
)
