"""The Raise club: dealer manual and cash rules. An id is a section and a place in it."""

from typing import Final

from tablebridge.rulebooks.clause import Clause
from tablebridge.rulebooks.clauses import games

_DECK: Final = (
    Clause(
        "CHECK",
        "detects",
        "The deck is spread and shown, faces and then backs, at opening, closing and every change of "
        "dealer; a defective one is changed without comment.",
    ),
    Clause(
        "SPREAD",
        "detects",
        "The spread lies in order: hearts, clubs, diamonds, spades, each from the ace up.",
    ),
    Clause("SHUFFLE", "detects", "Every hand, and every deal after a misdeal, begins with a whole shuffle."),
    Clause("CUT", "detects", "Every hand is cut by the dealer, one-handed, onto the cut card."),
    Clause("STRIP", "detects", "A strip has exactly four equal packets."),
    Clause(
        "WASH",
        "detects",
        "The cards are washed when dealer or cards change, when they run out and when an error replaces "
        "cards, not between hands.",
    ),
    Clause(
        "EXTRA", "nothing", "An extra shuffle is of the stub alone, face down; then comes the whole cycle."
    ),
    Clause("PUSH", "detects", "A dealer hands over only when no hand is under way."),
    Clause(
        "NOTES",
        "prompts",
        "The next dealer hears the game, the least buy-in, the players, the structure, the fee, lammers and "
        "who is absent.",
    ),
    Clause("TEST", "nothing", "Burn cards lie face down and are shown to nobody."),
    Clause("STUB", "detects", "The stub may be counted at any time."),
    Clause(
        "DEFECT",
        "rules",
        "A deck is defective with a wrong number of cards, doubles, jokers, other backs, marks or five "
        "boxed cards; found before the pot is awarded, all bets go back.",
    ),
    Clause("SA", "rules", "Action is significant when two players have acted, folds and checks included."),
)

_DEAL: Final = (
    Clause("MISDEAL-1", "rules", "Cards opened while shuffling or cutting are a misdeal."),
    Clause("MISDEAL-2", "rules", "A deck not shuffled or not cut is a misdeal until significant action."),
    Clause(
        "MISDEAL-3",
        "prompts",
        "Cards dealt out of order are put right; if they cannot be, they are a misdeal until "
        "significant action.",
    ),
    Clause(
        "MISDEAL-4",
        "prompts",
        "A player left out, or cards at an empty seat, is put right; if it cannot be, it is a misdeal "
        "until significant action.",
    ),
    Clause("MISDEAL-5", "rules", "In flop games more than one card opened in the initial deal is a misdeal."),
    Clause(
        "MISDEAL-6", "rules", "In stud three open cards before one player in the initial deal are a misdeal."
    ),
    Clause("MISDEAL-7", "rules", "Too few cards at a seat are a misdeal until significant action."),
    Clause("MISDEAL-8", "rules", "A wrong number of cards at a seat is a misdeal until significant action."),
    Clause(
        "MISDEAL-9",
        "rules",
        "A new player dealt in where none may enter is a misdeal until significant action.",
    ),
    Clause(
        "NOMISDEAL-1",
        "rules",
        "A wrong number of cards found after its player has acted: the hand is dead and its bets stay.",
    ),
    Clause(
        "NOMISDEAL-2",
        "rules",
        "Found before its player has acted, others having done so: dead, and its bets and blinds go back.",
    ),
    Clause("NOMISDEAL-3", "rules", "Found with the last player: all bets go back."),
    Clause("NOMISDEAL-4", "rules", "A defective deck found before the pot is awarded: all bets go back."),
    Clause(
        "FLOP-1",
        "rules",
        "One downcard opened by the dealer is exchanged, after the deal, with the card that would have "
        "been the burn.",
    ),
    Clause(
        "FLOP-2",
        "rules",
        "A flop without a burn, with no significant action since, goes back: shuffle, cut, burn, a new flop.",
    ),
    Clause("FLOP-3", "rules", "Too many flop cards go back with the burn: shuffle, cut, burn, a new flop."),
    Clause(
        "FLOP-4", "rules", "A flop before its time goes back with the burn: shuffle, cut, burn, a new flop."
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
        "A second card with a street is the next burn or goes to the muck; several are shuffled in and cut.",
    ),
    Clause(
        "STUD-1",
        "rules",
        "Players who are all-in do not act; for an all-in low card the next lowest brings in.",
    ),
    Clause(
        "STUD-2",
        "rules",
        "A stud card opened before the round is over plays, and nobody bets more than was bet.",
    ),
    Clause(
        "STUD-3",
        "rules",
        "Who folds after the bring-in or after checks goes on being dealt cards until the next bet.",
    ),
    Clause("STUD-4", "rules", "With a community card the best hand without it opens."),
    Clause(
        "STUD-5",
        "rules",
        "When the first card of seventh street comes face up, all come so, and the last opener opens.",
    ),
    Clause(
        "STUD-6",
        "rules",
        "When a later one does, its player is treated as all-in, before significant action by choice.",
    ),
    Clause("STUD-7", "rules", "A community card changes nothing in who opens."),
)

_BASIC: Final = (
    Clause("BASIC-2", "rules", "On demand a player has one minute, the last ten seconds announced."),
    Clause("BASIC-4", "prompts", "Cards once taken in are not given back."),
    Clause(
        "BASIC-6",
        "rules",
        "In a cash game only players at the table are dealt cards, and the hand of who leaves is taken in "
        "turn.",
    ),
    Clause("BASIC-7", "rules", "In a tournament the cards of an absent player are taken in first."),
    Clause("BASIC-8", "rules", "A winner that the dealer mucked is live only if all its cards lay open."),
    Clause("BASIC-9", "rules", "What is shown to one is shown to all."),
    Clause("BASIC-10", "prompts", "Whether a hand may be seen is the manager's to say."),
    Clause(
        "BASIC-11",
        "prompts",
        "A hand given up in the last round may be seen and is dead, unless a player asks who has a "
        "claim: then it is live.",
    ),
    Clause("BASIC-12", "rules", "A card dropped or turned over by accident stays in play."),
    Clause("BASIC-15", "rules", "A boxed card is void: it is mucked and the next card replaces it."),
    Clause(
        "BASIC-16",
        "rules",
        "A missing or second burn is put right until significant action; then the hand goes on as it is.",
    ),
    Clause(
        "BASIC-17",
        "prompts",
        "A card that fell off the table stays in play: in flop games it becomes the burn, in stud it "
        "is played face up.",
    ),
    Clause("DEAD-1", "records", "A hand that the dealer took in is dead."),
    Clause("DEAD-2", "rules", "A hand with a wrong number of cards is dead, also at the showdown."),
    Clause(
        "DEAD-3",
        "rules",
        "A hand laid open where it may influence somebody is dead; with more than two players always.",
    ),
    Clause("DEAD-4", "prompts", "Cards mixed with others are not told apart again: the hand is dead."),
    Clause("DEAD-5", "rules", "In stud, turning down the upcards facing a bet kills the hand."),
    Clause("DEAD-6", "rules", "When the time has run out the hand is dead, bet or no bet."),
    Clause("RETRIEVE", "records", "The manager may give a hand back from the muck."),
)

_SEATS: Final = (
    Clause("STAKES-1", "detects", "Only chips on the table play; none are added during a hand."),
    Clause("STAKES-2", "records", "Chips are added between hands, said aloud."),
    Clause("STAKES-3", "rules", "Without chips there are no cards."),
    Clause("STAKES-4", "detects", "Chips leave the table only with their player."),
    Clause("STAKES-5", "detects", "Chips are not passed from player to player."),
    Clause(
        "REBUY",
        "rules",
        "Who lost everything buys in, or says how much plays, before the next hand; else there are no cards.",
    ),
    Clause("ABSENT-1", "nothing", "A long absence is reported to the pit boss."),
    Clause(
        "ABSENT-2",
        "rules",
        "Who comes back within an hour brings what he left with, and the least buy-in in any case.",
    ),
    Clause(
        "ABSENT-3",
        "prompts",
        "After an hour away with people waiting the pit boss takes the chips to the cage.",
    ),
    Clause("ABSENT-4", "rules", "Blinds that were missed are posted on return."),
    Clause("ABSENT-5", "rules", "Who missed blinds comes back when the button has passed."),
    Clause(
        "ARRIVE-1",
        "rules",
        "A new player gets no cards on the button, on the small blind and between them.",
    ),
    Clause("ARRIVE-2", "rules", "A new player posts a guest blind or waits for the big blind."),
    Clause("MUSTMOVE", "rules", "Who is moved by force or from a broken game posts no guest blind."),
    Clause("CHANGE-1", "rules", "A player has one seat and one hand."),
    Clause("CHANGE-2", "nothing", "Table changes go through the pit boss."),
    Clause(
        "CHANGE-3",
        "prompts",
        "A seat is changed for an empty one that the big blind reaches no later.",
    ),
    Clause("BUTTONS", "prompts", "Markers show the dealer, missed blinds, absence and reserved seats."),
    Clause("SHOW-6", "rules", "Who is away when hands are shown has a dead hand."),
)

_BETTING: Final = (
    Clause("RABBIT", "detects", "Cards that would have come are not turned up."),
    Clause("STRADDLE", "rules", "A blind raise has no option behind it; there is no straddle."),
    Clause(
        "NOLOOK",
        "rules",
        "The first seat after the big blind may raise before the cards, to twice the big blind. It has "
        "acted then, and the big blind keeps the last word. How many such raises there are is the house's.",
    ),
    Clause("FEE", "detects", "The house takes a percentage of the pot, up to a cap."),
    Clause("TIMECHARGE", "prompts", "Time is charged at its times, between hands."),
    Clause(
        "OOT",
        "rules",
        "A player skipped by calls or checks may answer, and they stand, or raise, and they go back.",
    ),
    Clause("CHIPS-1", "rules", "One bigger chip is a call."),
    Clause("CHIPS-2", "rules", "Several bigger chips are a raise."),
    Clause("CHIPS-3", "rules", "From half the step on, chips above the call are completed to a raise."),
    Clause("CHIPS-4", "rules", "Below half the step the surplus goes back, and it is a call."),
    Clause(
        "ALLIN-1",
        "rules",
        "In limit an all-in is a raise from half the step on and counts towards the cap of a bet and "
        "three raises.",
    ),
    Clause("ALLIN-2", "rules", "In no-limit and pot-limit an all-in is a raise only if it is a full one."),
    Clause("ALLIN-3", "rules", "Short forced bets leave the step as it is."),
    Clause("ALLIN-4", "rules", "A first bet that is all-in below the minimum may be called as it is."),
    Clause(
        "POT",
        "rules",
        "A pot-limit bet on a wrong count stands after two actions if it was too low, and is cut to the pot "
        "if too high.",
    ),
    Clause(
        "HALFPOT",
        "rules",
        "In half-pot a bet is at most half the pot; a raise adds at most half of the pot with the call.",
    ),
    Clause("LIMIT", "rules", "A wrong amount in limit stands for the round after two actions."),
    Clause(
        "SHOW-1",
        "rules",
        "To win, all cards lie open; an absent player's hand is mucked, and a hand face up in the muck "
        "lives while it can be told from it.",
    ),
    Clause("ODD-1", "rules", "In flop games the odd chip goes to the first seat behind the button."),
    Clause("ODD-2", "rules", "In stud the odd chip goes to the highest suit."),
    Clause("ODD-3", "rules", "In high-low games the odd chip goes to the high hand first."),
    Clause("ODD-4", "rules", "Nobody gets two odd chips over successive pots: the second moves on."),
    Clause("PAYERR", "detects", "A wrong payout is put right if it is pointed out at once."),
    Clause(
        "CHOP", "records", "Prizes may be shared if all owners of paid places agree; a single pot never is."
    ),
)

CLAUSES: Final = _DECK + _DEAL + _BASIC + _SEATS + _BETTING + games.CLAUSES
