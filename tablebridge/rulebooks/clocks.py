"""What books say of time: the clock on a player, levels, hand-for-hand play."""

from typing import Final

from tablebridge.rulebooks.book import Key

TDA: Final[dict[Key, str]] = {
    ("clock", ""): "29",
    ("old-level", ""): "23",
    ("late-push", ""): "RP-7",
    ("hand-for-hand", "hold"): "RP-8-F",
    ("hand-for-hand", "dealt-on"): "RP-8-F",
}
"""The same numbers in all editions."""
FSPR: Final[dict[Key, str]] = {("clock", ""): "DISC-5"}
RAISE_CLUB: Final[dict[Key, str]] = {("clock", ""): "BASIC-2"}
ONLINE_ROOM: Final[dict[Key, str]] = {
    ("clock", ""): "TIME-1",
    ("clock", "tournament"): "TIME-3",
    ("dead-hand", "clock"): "TIME-1",
    ("dead-hand", "clock-tournament"): "TIME-3",
    ("time-bank", ""): "TIME-2",
}
