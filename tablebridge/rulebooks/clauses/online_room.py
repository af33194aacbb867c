"""The house rules of an online room: what they say beside TDA 2022."""

from typing import Final

from tablebridge.rulebooks.clause import Clause

CLAUSES: Final = (
    Clause("BALANCE", "rules", "Tables have as equal a number of players as possible."),
    Clause("BREAK", "rules", "The seats of a broken table are drawn at random."),
    Clause(
        "BUST-1",
        "rules",
        "Of players who go out in one hand, who began it with more chips has the better place.",
    ),
    Clause("BUST-2", "rules", "Equal stacks share the places that they take, and the prizes equally."),
    Clause("END", "rules", "An event with several equal prizes is over when as many are left."),
    Clause("BOUNTY-1", "rules", "The bounty on a player goes to who puts him out, beside the own."),
    Clause("BOUNTY-2", "rules", "Equal winning hands share a bounty equally."),
    Clause("CENT", "rules", "Amounts are cut down to the whole unit."),
    Clause("DEAL", "rules", "Prizes may be shared if all who are left agree."),
    Clause(
        "CRASH-3",
        "rules",
        "If the room goes down before the money, half of the pool is paid equally and half by chips.",
    ),
    Clause(
        "CRASH-4",
        "rules",
        "If it goes down in the money, everybody gets the next prize to be paid, and the rest by chips.",
    ),
)
