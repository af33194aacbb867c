"""Hold'em: two cards down, a board of five, the best five of seven."""

from typing import Final

from tablebridge.engine.games.form import BOARD, Form, Street

_STREETS: Final = (Street("preflop", down=2), *BOARD)

GAMES: Final = (
    Form("nlhe", "no-limit hold'em", "no-limit", _STREETS, ("high",)),
    Form("plhe", "pot-limit hold'em", "pot-limit", _STREETS, ("high",)),
    Form("hplhe", "half-pot hold'em", "half-pot", _STREETS, ("high",)),
    Form("flhe", "limit hold'em", "limit", _STREETS, ("high",)),
    Form(
        "nlhe36",
        "short-deck hold'em",
        "no-limit",
        _STREETS,
        ("short-deck-high",),
        forced="button-blind",
        deck="36",
    ),
    Form("nlhe-2b", "no-limit hold'em with two boards", "no-limit", _STREETS, ("high",), boards=2),
)
