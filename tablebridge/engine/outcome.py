"""What one entry led to: findings, and how actions and chips were taken.

These are made for every entry, and nothing in them can refer back to them: the garbage collector need not
know of them.
"""

from typing import Literal

import msgspec

from tablebridge.model.events import Payments
from tablebridge.model.findings import Finding


class Ruled(msgspec.Struct, frozen=True, gc=False):
    """The action of a seat was taken as `action`; `amount` is its total for the round now."""

    seat: int
    action: Literal["check", "call", "bet", "raise", "allin", "fold"]
    amount: int


class Returned(msgspec.Struct, frozen=True, gc=False):
    """Chips go back to a seat."""

    seat: int
    amount: int


class Settled(msgspec.Struct, frozen=True, gc=False):
    """A hand that can no longer be corrected. `began`: the entry with which it began; `number`: of the hand;
    `paid`: how its pots were paid.
    """

    began: int
    number: int
    paid: Payments


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What one entry led to. `ignored`: why the entry changed nothing, if that is worth a word to the person
    who entered it. `settled`: the hands that the entry has put out of reach of corrections. `asked`: the ids
    of the findings on which the floor is to rule now; `floor.questions` gives the choices of each.
    """

    findings: tuple[Finding, ...] = ()
    ruled: tuple[Ruled, ...] = ()
    returned: tuple[Returned, ...] = ()
    ignored: str = ""
    settled: tuple[Settled, ...] = ()
    asked: tuple[str, ...] = ()


NOTHING = Outcome()
