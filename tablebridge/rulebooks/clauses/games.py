"""What a game says itself, the same under every book: five-card draw, Americana."""

from typing import Final

from tablebridge.rulebooks.clause import Clause

CLAUSES: Final = (
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
