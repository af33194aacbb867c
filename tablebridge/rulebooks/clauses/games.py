"""What a game says itself, the same under every book: draws, Americana, games against the house."""

from typing import Final

from tablebridge.rulebooks.clause import Clause

_DRAWS: Final = (
    Clause("DRAW-1", "rules", "After the first round each player changes up to five cards, once."),
    Clause("DRAW-2", "rules", "The first live seat left of the button draws first, each before the next."),
    Clause(
        "DRAW-3",
        "rules",
        "There are 30 seconds to discard; who lets them pass stands pat and may not bet or raise in the "
        "round after the draw.",
    ),
    Clause("DRAW-4", "rules", "Betting begins when all have drawn."),
    Clause(
        "DRAW-5", "prompts", "When cards run out the discards are shuffled; nobody gets an own discard back."
    ),
    Clause("DRAW-6", "detects", "A card that comes back to the seat that discarded it is replaced."),
    Clause("AMERICANA", "detects", "Americana is for six players at most; the bring-in is two antes."),
)

_AGAINST_THE_HOUSE: Final = (
    Clause(
        "3C-1",
        "rules",
        "Three-card poker: before the deal an ante, a pair-plus, or both, of any sizes; a pair-plus "
        "alone has no decision.",
    ),
    Clause(
        "3C-2",
        "rules",
        "Three cards each, the house too. Then a bet of the ante, or a fold, which loses the ante.",
    ),
    Clause("3C-3", "rules", "The house plays with queen high or better."),
    Clause("3C-4", "rules", "If the house does not play, the ante is paid 1 to 1 and the play goes back."),
    Clause(
        "3C-5",
        "rules",
        "If it plays, a better hand is paid 1 to 1 on both, a worse one loses both, and with equal "
        "hands both go back.",
    ),
    Clause(
        "3C-6",
        "rules",
        "The ante bonus is paid whatever the house has, but not after a fold: straight flush 4, three "
        "3, straight 1 to 1.",
    ),
    Clause(
        "3C-7",
        "rules",
        "Pair-plus: straight flush 40, three 20, straight 5, flush 4, pair 1 to 1, whatever the house "
        "has; a fold loses it.",
    ),
    Clause("3C-8", "rules", "What is paid has no limit of the table."),
    Clause(
        "CAR-1",
        "rules",
        "Caribbean poker: an ante, and a jackpot bet if wanted; five cards each, one of the house's face up.",
    ),
    Clause(
        "CAR-2",
        "rules",
        "Then the raise, of one ante or as many as the house says, or a fold, which loses the ante.",
    ),
    Clause("CAR-3", "rules", "The house plays with ace and king or better."),
    Clause(
        "CAR-4",
        "rules",
        "If the house does not play, the ante is paid 1 to 1 and the raise goes back, whatever the "
        "player holds.",
    ),
    Clause(
        "CAR-5",
        "rules",
        "If it plays, a better hand is paid 1 to 1 on the ante, and on the raise by the table of hands.",
    ),
    Clause("CAR-6", "rules", "A worse hand loses both; with hands that differ by suits only both go back."),
    Clause(
        "CAR-7",
        "rules",
        "The jackpot bet is paid by the hand, whatever the house has: fixed amounts from a flush on, "
        "shares of the jackpot from a straight flush on; it never goes back.",
    ),
    Clause(
        "CAR-8",
        "rules",
        "Of two shares in one deal the first, from the players' right, is of the jackpot, and the "
        "next of the one it starts from again.",
    ),
    Clause(
        "CAR-9", "rules", "Where there is no raise, a better hand is paid on the ante by the table of hands."
    ),
    Clause(
        "PG-1",
        "rules",
        "Pai gow: of seven cards a hand of five and one of two, the five higher than the two; a foul "
        "set is set again, and lost at the end.",
    ),
    Clause("PG-2", "records", "The house sets its hands in its own way."),
    Clause(
        "PG-3",
        "rules",
        "Both hands higher are paid 1 to 1, both lower lose; all else is a draw, and a copy is no win.",
    ),
    Clause("PG-4", "rules", "A joker completes straights and flushes, and is an ace otherwise."),
    Clause("PG-5", "rules", "A bonus box is paid by a table that was agreed before."),
    Clause("UTH-1", "rules", "Ultimate hold'em: an ante and an equal blind, and trips if wanted."),
    Clause(
        "UTH-2",
        "rules",
        "One play a hand: three or four antes before the flop, two after it, one after the river, or a fold.",
    ),
    Clause("UTH-3", "rules", "Turn and river come together, or one by one."),
    Clause(
        "UTH-4",
        "rules",
        "The house needs a pair; without one the ante goes back, and play and blind are compared all "
        "the same.",
    ),
    Clause(
        "UTH-5",
        "rules",
        "A better hand is paid 1 to 1 on ante and play, and on the blind by its table, which gives "
        "back what it does not name.",
    ),
    Clause("UTH-6", "rules", "A worse hand loses ante, play and blind; with equal hands all go back."),
    Clause(
        "UTH-7", "rules", "Trips is paid from three of a kind on, whatever the house has, and lost below."
    ),
    Clause(
        "UTH-8",
        "rules",
        "The bonus is paid by the table of the blind if the hand is better than the house's.",
    ),
    Clause(
        "VP-1",
        "rules",
        "Video poker: one to five coins, five cards of which any number is changed once; jacks or "
        "better give the bet back, higher hands pay by the table.",
    ),
    Clause("VP-2", "rules", "With deuces wild they stand for any card, and all pairs lose."),
    Clause("VP-3", "rules", "With jokers wild they are added to the deck, and stand for any card."),
)

CLAUSES: Final = (*_DRAWS, *_AGAINST_THE_HOUSE)
