"""Draw games: cards down, and one or three draws."""

from typing import Final

from tablebridge.engine.games.form import Form, Street

_FIVE: Final = Street("preflop", down=5)
_SINGLE: Final = (Street("draw1", draw=True),)
_TRIPLE: Final = (
    *_SINGLE,
    Street("draw2", draw=True, big_bet=True),
    Street("draw3", draw=True, big_bet=True),
)

GAMES: Final = (
    Form("draw5", "five-card draw", "no-limit", (_FIVE, *_SINGLE), ("high",)),
    Form("draw27", "no-limit 2-7 single draw", "no-limit", (_FIVE, *_SINGLE), ("low-27",)),
    Form("td27", "limit 2-7 triple draw", "limit", (_FIVE, *_TRIPLE), ("low-27",)),
    Form("nltd27", "no-limit 2-7 triple draw", "no-limit", (_FIVE, *_TRIPLE), ("low-27",)),
    Form("badugi", "badugi", "limit", (Street("preflop", down=4), *_TRIPLE), ("badugi",)),
)
