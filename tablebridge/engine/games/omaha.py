"""Omaha: four cards down, two of them played with three of the board; hi-lo with eight or better for low."""

from typing import Final

from tablebridge.engine.games.form import BOARD, Form, Street

_STREETS: Final = (Street("preflop", down=4), *BOARD)
_HIGH, _BOTH = ("omaha-high",), ("omaha-high", "omaha-low8")

GAMES: Final = (
    Form("plo", "pot-limit Omaha", "pot-limit", _STREETS, _HIGH),
    Form("flo", "limit Omaha", "limit", _STREETS, _HIGH),
    Form("plo8", "pot-limit Omaha hi-lo", "pot-limit", _STREETS, _BOTH),
    Form("flo8", "limit Omaha hi-lo", "limit", _STREETS, _BOTH),
    Form("plo-2b", "pot-limit Omaha with two boards", "pot-limit", _STREETS, _HIGH, boards=2),
    Form("plo8-2b", "pot-limit Omaha hi-lo with two boards", "pot-limit", _STREETS, _BOTH, boards=2),
)
