"""TDA 2024: what it says otherwise than TDA 2022, number by number. 54-D took the number of what 54-C was."""

from typing import Final

from tablebridge.rulebooks.clause import Clause

CLAUSES: Final = (
    Clause("5", "records", "Devices do not disturb the game, and are not used by a player with a live hand."),
    Clause(
        "23",
        "rules",
        "A new level is of the next hand. A hand begins with the first riffle, the shuffler's button or the "
        "dealer's push: a level that starts during the push is of the hand after. A wrong level is kept "
        "after substantial action.",
    ),
    Clause(
        "34-A",
        "rules",
        "A button that was moved wrongly is put right, and the blinds with it, until substantial action; "
        "after that the error stands and the button is not moved back for the next hand.",
    ),
    Clause(
        "34-B",
        "rules",
        "Heads-up the button is the small blind, first to act before the flop and last after it; nobody is "
        "big blind twice in a row when it comes to that.",
    ),
    Clause(
        "35-C",
        "rules",
        "A re-deal repeats the deal exactly: same button, players and limits. Who was dealt in but absent "
        "may play the re-deal if present for it (30); who was on penalty is dealt in again and killed, "
        "and both deals are "
        "one hand of the penalty.",
    ),
    Clause(
        "54-B",
        "rules",
        "Before the flop a dead or short all-in blind changes no pot-limit bet: every bet of the pot "
        "counts full blinds.",
    ),
    Clause("54-C", "rules", "After the flop the real pot counts."),
    Clause("54-D", "rules", "Pot, said in no-limit, binds to a valid bet, or to a valid raise."),
    Clause("RP-8-B", "rules", "Hand-for-hand takes at most three minutes a hand off the clock."),
    Clause(
        "RP-20",
        "prompts",
        "In the last minute before play begins or goes on, decks are washed and squared where two players "
        "sit.",
    ),
    Clause(
        "RP-21", "detects", "The pot is counted in pot-limit only; it may be spread for a player who asks."
    ),
    Clause(
        "RP-22",
        "prompts",
        "Bounty chips and other things without value are of another size than chips. One that is pushed "
        "forward as an action is ruled by the house's policy or for fairness: a call or all-in, at the "
        "director's discretion.",
    ),
    Clause(
        "RP-11",
        "rules",
        "Where one player pays the ante for all, that is the big blind, whose chips fill the blind first "
        "and then the ante. Antes are not reduced in the course of an event.",
    ),
)

# Numbers of TDA 2022 that are no clause here.
GONE: Final = frozenset({"34"})
