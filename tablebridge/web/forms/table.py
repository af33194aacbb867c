"""The forms of what the table expects next and of what the floor may rule."""

from typing import Final

EXPECTED: Final = (
    "Start the next hand",
    "Stop: replace the deck, then deal the hand again from the same button",
    "Stop: deal the hand again from the same button",
    "Stop: the floor must rule",
    "Deal the next card to seat {seat}",
    "Exchange the exposed card of seat {seat} for the first burn card",
    "Seat {seat} to act: {amount} to call",
    "Seat {seat} to act: to bring it in",
    "Seat {seat} to act: nothing to call",
    "Push the pot and end the hand",
    "Push the pots and end the hand",
    "Seat {seat} to draw",
    "Show the hands, then end the hand",
    "Burn, then 1 card for all",
    "Burn, then a card to each seat",
    "Burn, then 1 card",
    "Burn, then {count:n} cards",
    "Deal the {street:street} of the second board: 1 card",
    "Deal the {street:street} of the second board: {count:n} cards",
    "Deal the {street:street}: 1 card",
    "Deal the {street:street}: {count:n} cards",
    "Deal {street:stud street due}: 1 card for all",
    "Deal {street:stud street due}: a card to each seat",
)
"""What the table expects next (`engine/expect.py`)."""

RULINGS: Final = (
    "The misdeal stands",
    "No misdeal: play on",
    "The {card:card} is the burn",
    "Seat {seat} must make it a full call",
    "Seat {seat} folds and forfeits the chips",
    "Play on as it is",
    "Seat {seat} may call or fold, not raise",
    "Seat {seat}'s hand is dead",
    "Seat {seat}'s hand is live",
    "Misdeal",
    "Seat {seat} calls",
    "Seat {seat} has put in {amount}",
    "The chips behind seat {seat} are no part of its all-in",
    "Seat {seat} is all-in with what lay behind",
    "pot {amount} → {then}",
    "all bets are back",
    "seat {seat} is out",
)
"""What the floor may rule, and what follows from it (`engine/floor/questions.py`)."""
