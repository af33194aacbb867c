"""The games as the engine plays them: cards to a hand, streets, and how much may be bet."""

from dataclasses import dataclass
from typing import Final, Literal

Limit = Literal["no-limit", "pot-limit", "limit"]

BOARD_STREETS: Final = ("flop", "turn", "river")
CARDS_OF: Final = {"flop": 3, "turn": 1, "river": 1}
# What lies on the board when a street has been dealt.
BOARD_AFTER: Final = {"flop": 3, "turn": 4, "river": 5}
NEXT: Final = {"preflop": "flop", "flop": "turn", "turn": "river"}


@dataclass(frozen=True, slots=True)
class Form:
    """One game: `hole` cards to a hand, dealt face down one at a time, and how its betting is limited."""

    name: str
    hole: int
    limit: Limit


FORMS: Final = {
    form.name: form
    for form in (
        Form("nlhe", 2, "no-limit"), Form("plhe", 2, "pot-limit"), Form("flhe", 2, "limit"),
        Form("plo", 4, "pot-limit"), Form("flo", 4, "limit"),
    )
}
