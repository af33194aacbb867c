"""The games as the engine plays them, a file a family, each game a definition."""

from collections.abc import Mapping
from typing import Final

from tablebridge.engine.games import banked, draw, holdem, omaha, stud
from tablebridge.engine.games.form import BOARD, Form, Street

FORMS: Final[Mapping[str, Form]] = {
    form.name: form for family in (holdem, omaha, stud, draw, banked) for form in family.GAMES
}
BOARD_AFTER: Final = {street.name: FORMS["nlhe"].board_after(street.name) for street in BOARD}
"""What lies on the board of a board game when a street has been dealt."""

__all__ = ["BOARD_AFTER", "FORMS", "Form", "Street"]
