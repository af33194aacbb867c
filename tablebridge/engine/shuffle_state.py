"""How far the dealer's shuffle is, which outlives a hand."""

from typing import Literal

import msgspec


class Cycle(msgspec.Struct, frozen=True):
    """The shuffle of the deck that is dealt next. `steps`: riffles and strips since it began, `whole` for one
    that was reported as such; `cut`: it was cut; `reported`: this table reports steps at all. `wash`: a wash
    has a reason, or is due from a new dealer.
    """

    steps: tuple[str, ...] = ()
    cut: bool = False
    reported: bool = False
    wash: Literal["", "allowed", "due"] = "allowed"
