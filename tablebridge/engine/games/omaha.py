"""Omaha: four, five or six cards down, two of them played with three of the board; hi-lo with eight or better
for low.
"""

from typing import Final

from tablebridge.engine.games.form import BOARD, Form, Street

_STREETS: Final = (Street("preflop", down=4), *BOARD)
_FIVE, _SIX = (Street("preflop", down=5), *BOARD), (Street("preflop", down=6), *BOARD)
_HIGH, _BOTH = ("omaha-high",), ("omaha-high", "omaha-low8")

GAMES: Final = (
    Form("plo", "pot-limit Omaha", "pot-limit", _STREETS, _HIGH),
    Form("hplo", "half-pot Omaha", "half-pot", _STREETS, _HIGH),
    Form("flo", "limit Omaha", "limit", _STREETS, _HIGH),
    Form("plo8", "pot-limit Omaha hi-lo", "pot-limit", _STREETS, _BOTH),
    Form("flo8", "limit Omaha hi-lo", "limit", _STREETS, _BOTH),
    Form("plo5", "pot-limit Omaha with five cards", "pot-limit", _FIVE, _HIGH, most_seats=8),
    Form("plo5-8", "pot-limit Omaha hi-lo with five cards", "pot-limit", _FIVE, _BOTH, most_seats=8),
    Form("plo6", "pot-limit Omaha with six cards", "pot-limit", _SIX, _HIGH, most_seats=7),
    Form("plo6-8", "pot-limit Omaha hi-lo with six cards", "pot-limit", _SIX, _BOTH, most_seats=7),
    Form("plo-2b", "pot-limit Omaha with two boards", "pot-limit", _STREETS, _HIGH, boards=2),
    Form("plo8-2b", "pot-limit Omaha hi-lo with two boards", "pot-limit", _STREETS, _BOTH, boards=2),
    Form(
        "plo5-2b",
        "pot-limit Omaha with five cards and two boards",
        "pot-limit",
        _FIVE,
        _HIGH,
        most_seats=7,
        boards=2,
    ),
)
