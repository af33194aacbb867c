"""The house rules of an online room: what they say beside TDA 2022."""

from typing import Final

from tablebridge.rulebooks.clause import Clause

CLAUSES: Final = (
    Clause("JOIN-1", "rules", "Who comes to a table posts a small blind, live, for the first cards."),
    Clause("JOIN-2", "rules", "Or waits for the big blind without cards."),
    Clause("MISSED-1", "rules", "A small blind that was missed alone is posted as a live big blind."),
    Clause("MISSED-2", "rules", "Both blinds missed: a live big blind and a dead small blind."),
    Clause("SITOUT", "rules", "In tournaments who sits out is dealt in, posts and folds."),
    Clause(
        "TIME-1",
        "rules",
        "Who does not act in time, the time bank included, loses hand and bets, with nothing to call too.",
    ),
    Clause("TIME-2", "rules", "Where there is a time bank, it follows the time of the table."),
    Clause("TIME-3", "rules", "In a tournament time that runs out is a check with nothing to call."),
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
    Clause("BOUNTY-3", "nothing", "Who is left when the money is reached gets the bounty on the own head."),
    Clause("BACK", "nothing", "Shares sold by a player who withdraws before the start are paid back."),
    Clause("LATE", "nothing", "Late registration closes when the money is reached or the event is full."),
    Clause("CENT", "rules", "Amounts are cut down to the whole unit."),
    Clause("RAKE", "detects", "The fee of a pot has a cap."),
    Clause("DEAL", "rules", "Prizes may be shared if all who are left agree."),
    Clause("CRASH-1", "rules", "If the room goes down in a cash game, the hand is cancelled."),
    Clause("CRASH-2", "nothing", "If it goes down before the start, buy-in and fee are paid back."),
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
