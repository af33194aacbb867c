"""The federation of sport poker. Its rules are not numbered: an id is a section and a place in it."""

from typing import Final

from tablebridge.rulebooks.clause import Clause
from tablebridge.rulebooks.clauses import games

_GAME: Final = (
    Clause("DECK", "rules", "Fifty-two cards, the ace high or low."),
    Clause(
        "HANDS",
        "rules",
        "Five-card hands in the usual order; suits do not count and equal hands divide the pot.",
    ),
    Clause(
        "SUITS",
        "rules",
        "Spades, hearts, diamonds, clubs rank in this order for the button's draw, a tied bring-in and "
        "the chip race only.",
    ),
    Clause("LIM-1", "rules", "In no-limit a bet may be as large as the stack."),
    Clause(
        "LIM-2",
        "rules",
        "In pot-limit a bet may be the pot; a raise is the call and then the pot as it is after it.",
    ),
    Clause(
        "LIM-3", "rules", "In limit the small bet holds for the first two rounds, the big bet afterwards."
    ),
    Clause(
        "LIM-4", "rules", "A limit round has a bet and three raises; without a cap only where two began it."
    ),
    Clause("LIM-5", "rules", "An all-in above the call is a raise by the share that its limit asks for."),
    Clause("ALLIN-1", "rules", "In limit an all-in is a raise from half a bet on."),
    Clause(
        "ALLIN-2",
        "rules",
        "In no-limit and pot-limit an all-in is a raise only if it is a full one; otherwise who has bet "
        "may only call, and who has not may complete.",
    ),
    Clause(
        "ALLIN-3",
        "rules",
        "After a short big blind the next puts in the full one, and raises and the pot are reckoned as "
        "if it were whole.",
    ),
    Clause("SEATS", "nothing", "Seats and tables are drawn by cards before the start."),
    Clause("BUTTON", "rules", "The button is drawn by high card and moves one seat a hand."),
    Clause("BLINDS", "rules", "Blinds and antes are posted before the cut."),
    Clause(
        "DEAL", "detects", "Only the dealer deals, after a shuffle and a one-handed cut onto the cut card."
    ),
    Clause(
        "STREETS",
        "detects",
        "The first card is the small blind's; each street of the board, and each of stud from the "
        "fourth, has a burn before it.",
    ),
    Clause(
        "STUD-PLAY",
        "rules",
        "The low upcard brings in half the small bet, then the high hand starts; an open pair on "
        "fourth street lets anybody bet the big bet.",
    ),
)

_BETTING: Final = (
    Clause("ACT", "rules", "What is said in turn binds."),
    Clause("PASS-1", "rules", "A hand is folded by the word."),
    Clause("PASS-2", "nothing", "A hand is folded when its cards pass the line."),
    Clause("PASS-3", "rules", "A hand is folded when its cards are thrown towards the muck."),
    Clause("PASS-4", "rules", "A hand is folded when its cards touch the muck."),
    Clause(
        "PASS-5",
        "prompts",
        "A hand whose cards touch those of another is folded; the chief referee may return it to a "
        "player who was told wrong.",
    ),
    Clause("PASS-6", "rules", "When the time has run out the hand is folded, bet or no bet."),
    Clause("PASS-7", "rules", "A hand with a wrong number of cards is folded once somebody has bet."),
    Clause("PASS-8", "rules", "Who shows a card before answering a bet has folded."),
    Clause("BET", "rules", "The least bet is the big blind; in limit it is exactly the bet."),
    Clause("CALL", "rules", "A call matches the bet, as far as the stack goes."),
    Clause("RAISE", "rules", "The least raise doubles the bet."),
    Clause("RERAISE", "rules", "A further raise adds at least the last one."),
    Clause(
        "OOT",
        "rules",
        "A bet out of turn cannot be taken back: if a bet or raise comes before it, the player may call, "
        "raise or fold and the chips stay. A check out of turn binds if all before it check.",
    ),
    Clause("STRING", "rules", "A bet comes in one motion, or its amount is said first."),
    Clause(
        "OVERCHIP",
        "rules",
        "One bigger chip facing a bet is a call; first in, it is a bet of the chip, in pot-limit of the pot.",
    ),
    Clause(
        "UNDER",
        "prompts",
        "Who puts in less than the bet, call or raise completes it to the least or folds and loses the "
        "chips.",
    ),
    Clause(
        "OVER-1", "rules", "Chips above the call are no raise by themselves when none of them can be spared."
    ),
    Clause("OVER-2", "rules", "Several chips above the call are a raise, in pot-limit up to the pot."),
    Clause(
        "SHOW",
        "rules",
        "The last aggressor shows first, then the others clockwise; after checks the seat behind the button.",
    ),
    Clause(
        "SPLIT",
        "rules",
        "The odd chip, of the smallest in play, goes to the seat behind the button in every game.",
    ),
)

_DECK: Final = (
    Clause(
        "DEFECT-1",
        "rules",
        "A marked card seen while shuffling stops the game; the referee brings a new deck.",
    ),
    Clause(
        "DEFECT-2",
        "rules",
        "A marked hole card found before the betting: all cards go back and a new deck is dealt.",
    ),
    Clause("DEFECT-3", "rules", "Found after the betting began, the hand is played out with it."),
    Clause("DEFECT-4", "rules", "A marked card that lies face up is replaced after the hand."),
    Clause(
        "DEFECT-5",
        "prompts",
        "A deck with a wrong number of cards, doubles, other backs or damage is defective; what "
        "follows is not said.",
    ),
    Clause("REDEAL-1", "rules", "A card that opens in the cut: the cards are dealt again."),
    Clause(
        "REDEAL-2",
        "rules",
        "A deck that was not shuffled or not cut: dealt again before the first betting round, played "
        "out after it.",
    ),
    Clause(
        "REDEAL-3",
        "prompts",
        "Cards dealt out of order that cannot be put right before the first round: dealt again.",
    ),
    Clause(
        "REDEAL-4",
        "rules",
        "A player without cards, or cards at an empty seat, before the first round: dealt again.",
    ),
    Clause("REDEAL-5", "rules", "A wrong number of cards before the first round: dealt again."),
    Clause("REDEAL-6", "rules", "More than one downcard opened by the dealer: dealt again."),
    Clause(
        "NOREDEAL-1",
        "rules",
        "A wrong number of cards found after its player has acted: the hand is folded and its bets stay.",
    ),
    Clause(
        "NOREDEAL-2",
        "rules",
        "Found before its player has acted and after others have: the hand is mucked and its forced "
        "bets go back.",
    ),
    Clause(
        "NOREDEAL-3", "rules", "Found with the only player left: there was no hand, and all bets go back."
    ),
)

_GENERAL: Final = (
    Clause(
        "GEN-3",
        "rules",
        "The cards of an absent player are mucked when the deal is over, and of one who leaves at once.",
    ),
    Clause(
        "GEN-4",
        "rules",
        "The dealer posts blind, ante and bring-in of an absent player, and they stay in the pot.",
    ),
    Clause("GEN-5", "rules", "A boxed card does not play: it is mucked and the next card replaces it."),
    Clause(
        "GEN-6",
        "rules",
        "A missing or second burn is put right if the round has not begun; otherwise the hand goes on as "
        "it is.",
    ),
    Clause(
        "GEN-7", "rules", "Who shows a card before the round is over has a dead hand, and the chips stay."
    ),
    Clause("GEN-8", "rules", "A card dropped or turned over by accident stays in play."),
    Clause("GEN-10", "detects", "A new deck comes with another dealer or a new level; no player may ask."),
    Clause("STUD-1", "rules", "When one of the first two stud cards comes face up, the third comes down."),
    Clause(
        "STUD-2",
        "prompts",
        "When both do, the second is exchanged, face down, for the card that would have been the burn.",
    ),
    Clause(
        "STUD-3",
        "rules",
        "When cards run out for the last street, what is left is dealt and then the shuffled burns.",
    ),
    Clause(
        "STUD-4",
        "rules",
        "An all-in player who should open is passed over; for an all-in low card the next lowest brings in.",
    ),
    Clause(
        "STUD-5",
        "rules",
        "When the first card of seventh street comes face up, all come so, and the last opener opens.",
    ),
    Clause("STUD-6", "prompts", "When a later one does, its player may choose to be treated as all-in."),
    Clause("STUD-7", "prompts", "After any bet of seventh street that player is treated as all-in."),
    Clause(
        "FLOP-1",
        "rules",
        "One downcard opened by the dealer becomes the first burn after the deal, and the card that "
        "would have been burned replaces it.",
    ),
    Clause(
        "FLOP-2",
        "rules",
        "A flop without a burn, with no bet since, goes back: shuffle, cut, burn, a new flop.",
    ),
    Clause(
        "FLOP-3",
        "rules",
        "A flop of more than three cards goes back with its burn: shuffle, cut, burn, a new flop.",
    ),
    Clause(
        "FLOP-4", "rules", "A flop before its time goes back with its burn: shuffle, cut, burn, a new flop."
    ),
    Clause(
        "FLOP-5",
        "rules",
        "A turn before its time waits beside the board; after the betting burn and turn follow, and then "
        "it is shuffled in.",
    ),
    Clause(
        "FLOP-6",
        "rules",
        "A river before its time waits beside the board; after the betting it is shuffled in and the "
        "next card is the river.",
    ),
    Clause(
        "FLOP-7",
        "rules",
        "A further card opened with a street is the next burn, or goes to the muck if there is none to come.",
    ),
    Clause(
        "DISC-0",
        "rules",
        "A round that is missed is one hand for each player at the table when it is given.",
    ),
    Clause("DISC-1", "prompts", "Cards kept after a fold: a warning, then a round."),
    Clause("DISC-2", "prompts", "Acting out of turn on purpose: a warning, then a round."),
    Clause("DISC-3", "prompts", "Collusion: two rounds, then disqualification."),
    Clause(
        "DISC-4",
        "prompts",
        "Cards shown or named before the round is over: a warning or a round, then two rounds or "
        "disqualification.",
    ),
    Clause("DISC-5", "prompts", "Delay: a warning, then a round."),
    Clause(
        "DISC-6",
        "prompts",
        "Touching the muck, the burns or cards of others: a warning or a round, then two or three rounds.",
    ),
    Clause("DISC-7", "prompts", "Cards thrown into another hand: a warning, then a round."),
    Clause("DISC-8", "prompts", "Talk during the hand: a warning or a round, then two to four rounds."),
    Clause("DISC-9", "prompts", "Chips in the way of dealing or sight: a warning."),
    Clause("DISC-10", "prompts", "Insult: one to four rounds, or disqualification."),
    Clause(
        "PROTEST",
        "nothing",
        "Who was punished may protest in writing, through the chief referee, until the event is over.",
    ),
    Clause(
        "JUSTICE",
        "prompts",
        "The chief referee may depart from the rules for fairness, as when the dealer mucked the winner.",
    ),
)

CLAUSES: Final = _GAME + _BETTING + _DECK + _GENERAL + games.CLAUSES
