"""The sentences of findings. A finding carries the id of its sentence and what is put into it, so that the
sentence is made where it is shown.

A sentence has its fields in braces. `{street:street}` puts in the word that `PHRASES` has for it, or what is
given if there is none; `{chips:each counted}` puts in a list, each of its members as that phrase says. In
other languages a sentence takes the plural form of its field `{count:n}`. A `Translation` has sentences,
and in the context of their kind phrases, by their English text.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Any, Final, Protocol

from tablebridge.model.findings import Member

PLAIN: Final = "plain"
"""The id of the sentence of a finding that has only one."""
_FURTHER: Final = "further"
"""What the last member of a long list says: how many it leaves out."""
_MOST_LISTED: Final = 4
"""Members of a list that a sentence names."""

SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    # the deck
    "fouled-deck": {
        "twice": "Two cards of the same rank and suit: the deck is fouled; the floor rules.",
        "twice-void": "Two cards of the same rank and suit: the deck is fouled and all bets go back.",
        "boxed-cards": "{count:n} boxed cards: the deck is fouled and all bets go back.",
        "marked-card": "A card is marked or damaged.",
        "mixed-backs": "A card has another back than the deck.",
        "nonstandard-card": "The deck holds a card that the game does not use.",
        "foreign-card": "A card of another deck ({deck}) is at {place:place}.",
    },
    "deck-check-passed": {PLAIN: "The spread deck is complete and in order."},
    "deck-check-failed": {
        "duplicate-card": "The deck holds a card twice.",
        "foreign-card": "The deck holds a card that does not belong to it.",
        "missing-card": "The deck is not complete.",
        "out-of-order": "The spread deck is complete but not in order.",
        "unreadable-tag": "{unread:n} cards of the deck could not be read.",
    },
    "deck-unchecked": {PLAIN: "The hand begins on a deck that was not checked."},
    "deck-swapped": {PLAIN: "The cards in play are those of the deck {deck}; checked was {checked}."},
    "not-shuffled": {PLAIN: "The deck was not shuffled before the deal."},
    "not-cut": {PLAIN: "The deck was not cut before the deal."},
    "shuffle-wrong": {
        "step-missing": "A step of the shuffle is missing: riffle, strip, riffle, riffle, cut.",
        "step-order": "The shuffle was not done in its order: riffle, strip, riffle, riffle, cut.",
        "strip-packets": "The deck was stripped in {packets:n} packets instead of four.",
        "wash-missing": "A new dealer begins to shuffle without washing the cards.",
        "wash-not-due": "The cards are washed without a reason.",
        "cut-twice": "The deck was cut a second time.",
    },
    "push-in-hand": {PLAIN: "The dealer is relieved in the middle of a hand."},
    "handover": {
        "cash": (
            "For the next dealer: players {players}, least buy-in {buyin}, fee {fee}, lammers {lammers}, "
            "absent {absent}."
        ),
        "tournament": (
            "For the next dealer: players {players}, level {level}, empty seats {empty}, "
            "warnings {warnings}, penalties {penalties}."
        ),
    },
    "shuffle-suspect": {
        "sequences": (
            "The order of the cards is hardly that of a shuffle: {cards:n} cards lie in {count} rising "
            "sequences of the spread deck."
        ),
        "order-kept": (
            "The order of the cards is hardly that of a shuffle: {count:n} pairs of neighbours lay together "
            "in the hand before."
        ),
        "order-repeated": (
            "The order of the cards is hardly that of a shuffle: {count:n} pairs of neighbours followed each "
            "other in the hand before."
        ),
        "biased": (
            "The order of the cards is hardly that of a shuffle: over {hands:n} hands some cards came far "
            "more often than others."
        ),
    },
    "shuffler-fault": {
        "count": "The shuffler counts {count:n} cards.",
        "jam": "The shuffler is jammed.",
        "door": "The shuffler has its door open.",
        "missing-card": "The shuffler misses a card.",
        "extra-card": "The shuffler found a card too many.",
    },
    "shuffler-opened": {
        PLAIN: "The shuffler's lid was opened when it had the deck ready, before the first card."
    },
    "shuffler-contradicted": {
        "missing-card": "A card that the shuffler had reported as missing is there.",
        "duplicate-card": "The shuffler had passed the deck that holds a card twice.",
    },
    "boxed-card": {
        "deck": "A card came face up out of the deck.",
        "alone": "A card came face up out of the deck; one alone is no misdeal.",
        "shuffler": "The shuffler found a card face up in the deck.",
    },
    "nonstandard-card": {
        "scrap": "A card came that the game does not use; it counts as a scrap of paper.",
        "floor": "A card came that the game does not use; the floor rules what becomes of it.",
    },
    "stub-wrong": {
        "count": "The stub holds {count:n} cards instead of {left}.",
        "disordered": "The stub was dropped and is out of order.",
        "mixed": "The stub was dropped and is mixed with the muck or the burns.",
    },
    "stub-short": {
        "last-card": "The stub holds {there:n} cards for {players} players, a burn and the last card.",
        "draw": (
            "The stub holds {left:n} cards, {wanted} are wanted: the discards are shuffled into it, but not "
            "the seat's own."
        ),
        "draw-own": "The stub holds {left:n} cards, {wanted} are wanted: the discards are shuffled into it.",
        "draw-rest": (
            "The stub holds {left:n} cards, {wanted} are wanted: the first {dealt} are dealt, then the "
            "discards are shuffled, but not the seat's own."
        ),
        "draw-rest-own": (
            "The stub holds {left:n} cards, {wanted} are wanted: the first {dealt} are dealt, then the "
            "discards are shuffled."
        ),
        "draw-floor": (
            "The stub holds {left:n} cards, {wanted} are wanted: no discard comes back, and the floor rules."
        ),
        "players": "The deck is too small: this game is for {most:n} players at most, and {players} play.",
    },
    # the deal
    "misdeal": {
        PLAIN: "Misdeal: {what:misdeal}. All bets go back and the hand is dealt again.",
        "open": "The rulebook does not say whether this is a misdeal: {what:misdeal}.",
        "floor": "The floor ruled a misdeal. All bets go back and the hand is dealt again.",
    },
    "deal-order": {PLAIN: "The deal went wrong and is to be put right: {what:misdeal}."},
    "misdeal-too-late": {
        PLAIN: "Cause for a misdeal, but it is too late for one: {what:misdeal}.",
        "played-out": "A card is marked: the hand is played out and the card or deck replaced after it.",
    },
    "exposed-card": {
        "cut": "A card showed while the deck was cut.",
        "downcard": "A downcard of seat {seat} was exposed by the dealer.",
        "alone": "A downcard of seat {seat} was exposed by the dealer; one alone is no misdeal.",
        "last": "The last card of seat {seat} was exposed by the dealer.",
        "which": "The dealer exposed a card, and none came to a seat face down just now: which one?",
        "player": "Seat {seat} showed a card of its live hand before the betting was over.",
    },
    "short-hand": {PLAIN: "Seat {seat} on the button has too few cards; the missing card may be dealt."},
    "dead-hand": {
        "absent": (
            "Seat {seat}'s hand is dead: nobody was at the seat when the last card was dealt. Its blinds and"
            " antes stay in the pot."
        ),
        "penalty": (
            "Seat {seat}'s hand is dead: its player serves a penalty. Its blinds and antes stay in the pot."
        ),
        "wrong-card-count": "Seat {seat}'s hand is dead: it has a wrong number of cards.",
        "count-last": "Seat {seat} is alone and has a wrong number of cards: all bets go back.",
        "count-acted": "Seat {seat} has a wrong number of cards and has acted: dead, its bets stay.",
        "count-not-acted": "Seat {seat} has a wrong number of cards and has not acted: its bets go back.",
        "acted-short": "Seat {seat} acted on the button with too few cards: its hand is dead.",
        "left": "The player of seat {seat} left: the hand is dead, its bets stay in the pot.",
        "left-showdown": "The player of seat {seat} is away when hands are shown: the hand is dead.",
        "picked-up": "Seat {seat} picked up its upcards facing a bet: the hand is dead.",
        "clock": "Seat {seat}'s time has run out: the hand is dead.",
        "ruling": "The floor ruled seat {seat}'s hand dead.",
        "mixed": "Seat {seat}'s cards can no longer be told apart: the hand is dead.",
        "not-tabled": "Seat {seat} mucked a hand that was not fully tabled: it has no claim.",
        "exposed": "Seat {seat} showed its cards before the betting was over: its hand is dead.",
        "bettor": "Seat {seat} threw its hand away with its bet unanswered: the hand is dead.",
    },
    "card-out-of-place": {
        "no-street": "A card came to the board that no street was waiting for.",
        "dead-hand": "Seat {seat} has no live hand and got a card of the street.",
        "second": "Seat {seat} got a second card of the street.",
        "left-out": "Seat {seat} has a live hand and got no card of the street.",
        "unexplained": "A card is at {place:place} where no event put it.",
        "moved": "A card that lay at {before:place} is now at {place:place}.",
        "not-dealt": "Seat {seat} turned up a card that was not dealt to it.",
        "foreign-tag": "A tag that belongs to no deck is at {place:place}.",
    },
    # the board
    "burn-missing": {
        "board": "The {street:street} was dealt without its burn card.",
        "stud": "{street:stud street} street was dealt without its burn card.",
    },
    "burn-extra": {PLAIN: "A second card was burned; there is one burn a street, never two."},
    "flop-count": {PLAIN: "The flop has {count:n} cards instead of three."},
    "extra-board-card": {
        "turned-up": "A further card was turned up with the street.",
        "with-street": "The {street:street} came with a further card.",
    },
    "premature-street": {
        "board": "The {street:street} was dealt before the betting was over.",
        "stud": "A card of the next street was dealt before the betting was over.",
    },
    "rabbit-hunt": {
        PLAIN: "The {street:street} was turned up when the hand was decided: nothing depends on it.",
        "burn": "A card was burned when the hand was decided: no further card is due.",
    },
    # the betting
    "out-of-turn": {
        "taken-back": "The action to seat {seat} changed after it acted out of turn: it is taken back.",
        "chips-stay": (
            "The action to seat {seat} changed after it acted out of turn: its chips stay in the pot."
        ),
        "may-change": (
            "The dealer asked seat {seat} too early: it may change its action until the next seat acts."
        ),
        "binding": "The action to seat {seat} did not change: its action out of turn binds.",
        "fold-binds": "Seat {seat} folded out of turn; the fold binds and the action is on seat {skipped}.",
        "pending": "Seat {seat} acted out of turn; the action is on seat {skipped}.",
        "closed": "Seat {seat} acted while the betting is closed; its chips go back.",
    },
    "skipped-player": {
        "answers": (
            "Substantial action out of turn went past seat {seat}; it answers, and they stand, or raises, "
            "and they go back."
        ),
        "floor": "Substantial action out of turn went past seat {seat}; the floor rules.",
        "skipped-hand": (
            "Substantial action out of turn went past seat {seat}; the floor rules whether its hand is dead, "
            "may only call or fold, or plays."
        ),
    },
    "string-bet": {PLAIN: "Seat {seat} pushed chips in a second motion; the first one stands."},
    "bet-ruled": {
        "action": "Seat {seat}'s action was ruled: {reason:ruled}.",
        "stands": "Two seats acted on seat {seat}'s wrong amount of {amount}: it stands for the round.",
        "declaration": "Seat {seat}'s declaration was ruled: {reason:ruled}.",
    },
    "underbet": {
        PLAIN: "Seat {seat} put in less than the minimum of {least}; it is made good.",
        "choice": "Seat {seat} put in less than the minimum of {least}: completed, or folded and forfeited.",
        "bring-in": "Seat {seat} put in less than the bring-in of {least}; it is made good.",
        "pot-count": "Seat {seat} bet a pot that was announced too low; it is made good.",
    },
    "underraise": {
        PLAIN: "Seat {seat} put in less than the minimum of {least}; it is made good.",
        "choice": "Seat {seat} put in less than the minimum of {least}: completed, or folded and forfeited.",
    },
    "overbet": {
        "most": "Seat {seat} put in more than the maximum of {most}; it is cut down.",
        "between": "Seat {seat} put in neither the small bet nor the big one; it is cut down.",
    },
    "short-all-in": {PLAIN: "Seat {seat} is all-in for {total}, less than a full bet or raise to {least}."},
    "raise-cap": {
        "closed": "A card came before the betting was over: seat {seat} may put in no more than was bet.",
        "all-raises": "The round has all its raises: seat {seat} may only call or fold.",
    },
    "not-reopened": {PLAIN: "The betting is not open to seat {seat}; it may only call or fold."},
    "undercall": {
        "choice": "Seat {seat} put in less than the call: it completes it, or folds and forfeits it.",
        "must-call": "Seat {seat} put in less than the call; it is a full call.",
        "floor": "Seat {seat} put in less than the call; the floor rules: a full call, or a fold.",
        "behind-undercall": (
            "Seat {seat} put in less than the call behind another undercall; action goes back."
        ),
    },
    "contradictory-bet": {
        PLAIN: (
            "Seat {seat} said {said} and put out {chips}, and was called with no more: the floor fixes it."
        ),
        "no-number": "Seat {seat} said an amount that is no number: nothing is bet, and the floor rules.",
    },
    "uncalled-bet": {PLAIN: "Nobody called {excess} of seat {seat}'s bet; it goes back."},
    "fold-without-bet": {PLAIN: "Seat {seat} folded with no bet to face; the fold is binding."},
    "invalid-declaration": {
        "check-facing-bet": "Seat {seat} checked facing a bet; it may call or fold, not raise.",
        "call-without-bet": "Seat {seat} called with no bet to call; it is a check.",
        "raise-without-bet": "Seat {seat} raised with no bet to raise; it is a bet.",
        "said-raise-without-bet": (
            "Seat {seat} said raise with no bet to raise; a least bet at least is due."
        ),
        "before-amount": (
            "Seat {seat} acted before the amount of seat {other}'s bet was known; the floor may hold it to "
            "any amount."
        ),
        "pot-in-no-limit": "Seat {seat} said pot, which is no bet in no-limit; a valid bet is due.",
        "conditional": "Seat {seat} declared on a condition; the floor may hold it to that.",
    },
    "pot-count-wrong": {PLAIN: "The pot was announced as what it is not."},
    "clock": {
        "called": "The clock is called on seat {seat}.",
        "countdown": "The last {seconds:n} seconds of seat {seat} are counted aloud.",
        "expired": "Time has run out for seat {seat}.",
        "refused": "Seat {caller} asked for the clock on seat {seat} and is not at the table: none runs.",
    },
    "time-bank": {
        "begun": "The time of seat {seat} is over: {seconds:n} seconds of its time bank are left.",
        "spent": "The time bank of seat {seat} is spent.",
    },
    "bet-before-draw": {
        PLAIN: "Seat {seat} acted before all have drawn: that waits for its turn, out of turn.",
    },
    "draw-wrong": {
        "order": "Seat {seat} drew before seat {first}: the exchange counts.",
        "too-many": "Seat {seat} may exchange no more cards than it holds, and five at most.",
        "own-discard": "A card that seat {seat} had discarded came back to it.",
        "twice": "Seat {seat} has drawn: a second exchange is not allowed.",
    },
    "stands-pat": {"clock": "The time of seat {seat} to draw has run out: it stands pat."},
    # levels
    "old-level": {
        "began": "The hand began at {stakes}; the level is {level}.",
        "stands": (
            "The hand began at {stakes}; after substantial action it stays there. The level is {level}."
        ),
    },
    "late-push": {
        "level": "A dealer is pushed with {seconds:n} seconds left in the level.",
        "break": "A dealer is pushed just before a break.",
    },
    "hand-for-hand": {
        "hold": "All-in and call in hand-for-hand play: the cards stay down and nothing more is dealt.",
        "board": "A board card came before the floor said to go on.",
        "street": "A card came before the floor said to go on.",
        "over": "Hand-for-hand play is over.",
    },
    # the showdown
    "show-order": {PLAIN: "Seat {seat} shows first."},
    "must-be-face-up": {
        PLAIN: "All-in and no more betting: all live hands must be turned face up.",
        "mucked": "Seat {seat} threw its hand away unseen after an all-in: it must be tabled, and is live.",
    },
    "all-in-not-all-in": {
        "button": "The all-in button stands before seat {seat}, which is not all-in.",
        "chips-behind": "Chips were found behind the all-in of seat {seat}; the floor rules.",
    },
    "all-in-unmarked": {PLAIN: "Seat {seat} is all-in and has no all-in button."},
    "not-all-tabled": {
        "board": "Seat {seat} plays the board: all its cards must be tabled for that.",
        "hand": "Seat {seat} shows some of its cards only; all must be tabled to win.",
    },
    "winner-mucked": {
        "wins": "Seat {seat}'s tabled hand wins and went to the muck; it still wins.",
        "floor": ("Seat {seat}'s tabled hand wins and went to the muck; the floor rules whether it is live."),
    },
    "see-hand": {
        "none": "Seat {seat} has no cards and no right to see the hand of seat {other}.",
        "right": "Seat {seat} called the last bet and may see the hand of seat {other}.",
        "floor": "Whether seat {seat} may see the hand of seat {other} is the floor's to decide.",
    },
    "odd-chip": {PLAIN: "The odd chip of {amount} goes to seat {seat}: {reason:odd chip}."},
    "hand-incomplete": {
        PLAIN: "The hand was closed without its end being known. {reason:hand-incomplete}",
    },
    # what players ask for
    "pot-asked": {
        "count": "Seat {seat} asks for the pot: it is {pot}.",
        "spread": "Seat {seat} asks for the pot: it is not counted, and may be spread.",
        "none": "Seat {seat} asks for the pot: it is neither counted nor spread.",
    },
    "token-bet": {PLAIN: "Seat {seat} pushed {token:token} forward as an action; the floor says what it is."},
    "dispute": {
        "open": "Seat {seat} disputes the last hand, in time.",
        "begun": "Seat {seat} disputes the last hand too late: the next one has begun.",
        "payment": (
            "Seat {seat} disputes the last hand too late: there was substantial action in the next one."
        ),
        "minute": (
            "Seat {seat} disputes the last hand too late: it ended in a break, more than a minute ago."
        ),
    },
    # conduct
    "infraction": {
        "first": "Seat {seat}: {kind:offence}.",
        "again": "Seat {seat}: {kind:offence}, noted {before} times before.",
    },
    "penalty": {
        "begins": "Penalty of seat {seat}: hands to miss, {hands}.",
        "counts": "Penalty of seat {seat}: hands still to miss, {hands}.",
        "over": "The penalty of seat {seat} is over.",
    },
    "left-table": {
        "live-hand": "The player of seat {seat} left the table with a live hand.",
        "showdown": "The player of seat {seat} left the table with a live hand, at the showdown.",
    },
    # who is dealt in, and for what
    "entry": {
        "dealt-in": "Seat {seat} is dealt in from this hand on.",
        "live": "Seat {seat} is dealt in and posts {live}, live.",
        "dead": "Seat {seat} is dealt in and posts {dead}, dead in the pot.",
        "live-and-dead": "Seat {seat} is dealt in and posts {live} live, and {dead} dead in the pot.",
        "waits-button": "Seat {seat} gets no cards in this hand: it waits until the button has passed.",
        "waits-blind": "Seat {seat} gets no cards in this hand: it waits for the big blind.",
        "illegal-seat": "Seat {seat} may not be dealt in where it sits now: its chips go back.",
    },
    "blind-missed": {
        "small": "The small blind passed seat {seat}: its player has missed it.",
        "big": "The big blind passed seat {seat}: its player has missed it.",
    },
    "post-due": {
        "missed-blind": (
            "Seat {seat} missed blinds: it posts {live} live and {dead} dead for cards, or waits for the big "
            "blind."
        ),
        "guest-blind": "Seat {seat} is new: it posts {live} for cards, or waits for the big blind.",
        "first-post": "Seat {seat} is new: it posts {live} for cards, or waits for the big blind.",
    },
    "post-wrong": {
        "too-small": "Seat {seat} posted {amount}, and {due} are due: it is not dealt in for that.",
        "too-big": "Seat {seat} posted {amount}, and {due} are due: the rest goes back.",
        "not-due": "Seat {seat} owes nothing: the {amount} that it posted go back.",
    },
    "buy-in-short": {PLAIN: "The player of seat {seat} has to bring {least}: {amount} are too few."},
    "absent-long": {PLAIN: "The player of seat {seat} is away for an hour, and people wait for a seat."},
    "blinds-dodged": {
        PLAIN: "At seat {seat} the big blind comes {hands} hands later than before the move.",
    },
    "chips-moved": {
        "added": "Seat {seat} added {amount} during the hand: they play from the next hand on.",
        "removed": "Seat {seat} took {amount} off the table and stays.",
        "passed": "Chips went from one stack to another: seat {seat}.",
    },
    "rebuy-due": {
        "declared": "Seat {seat} declared a rebuy and still owes {amount}: they play behind.",
        "lost-all": "Seat {seat} has no chips: no cards before it buys in.",
    },
    "table-full": {PLAIN: "{players} seats, and the game has {most}: the further ones get no cards."},
    # games against the house
    "house-bet": {
        "no-box": "Nothing can be bet in the box {box:box} of seat {seat} now: the chips go back.",
        "no-table": "The box {box:box} of seat {seat} has no pay table: the chips go back.",
        "too-small": (
            "The bet of seat {seat} in the box {box:box} is below {least}: it is void and goes back."
        ),
        "too-big": "The bet of seat {seat} in the box {box:box} is above {most}: it is void and goes back.",
        "must-equal": "The bet of seat {seat} in the box {box:box} has to be {asked}.",
        "no-play": "Seat {seat} has no further bet to make: the chips go back.",
    },
    "set-foul": {PLAIN: "The two cards that seat {seat} set outrank its other five."},
    "jackpot": {
        "share": "Seat {seat} wins {percent} % of the jackpot: {amount}.",
        "fixed": "Seat {seat} wins {amount} with its jackpot bet.",
    },
    # chips
    "wrong-denomination": {
        "race": (
            "Seat {seat} has {odd} in chips that leave play: they are raced off from seat 1 on, one chip a "
            "player at the most, and nobody is raced out."
        ),
        "tray": "The tray holds chips that are out of play: {chips:each denomination}.",
        "pot": "The pot holds chips that are out of play: {chips:each denomination}.",
        "seat": "Seat {seat} put in chips that are out of play: {chips:each denomination}.",
    },
    "tray-mismatch": {
        "less": "The tray holds {by} less than is explained: {chips:each counted}.",
        "more": "The tray holds {by} more than is explained: {chips:each counted}.",
    },
    "race": {
        "exchanged": "Seat {seat}: chips of {leaving} worth {amount} are changed for chips of {staying}.",
        "draw-due": (
            "Chip race for {prizes:n} chips of {staying}: deal cards from seat 1 upwards, one for each odd "
            "chip: {seats:each racing}."
        ),
        "award": "Seat {seat} wins a chip of {staying} in the race.",
        "kept-in": "Seat {seat} would have no chip left and is given one of {staying}.",
        "too-many": "Seat {seat} has {more} more than it has after the race: one chip at most is won.",
        "removed": "Seat {seat}: chips of {leaving} worth {amount} do not reach one of {staying}.",
    },
    "rake-wrong": {
        "over-cap": "The rake of {rake} is above the cap of {cap}.",
        "percent": "The rake is {rake} and not {due}, what the house takes of {pot} at {percent} %.",
    },
    "time-charge": {
        "due": "Seat {seat} owes the time charge of {amount}.",
        "short": "Seat {seat} paid {amount} of the time charge of {due}.",
    },
    # blind bets
    "straddle": {
        "none": "Seat {seat} put up a straddle; there is none: the chips go back.",
        "too-late": "The straddle of seat {seat} came after the first card: the chips go back.",
        "count": "The straddle of seat {seat} is one too many: the chips go back.",
        "seat": "Seat {seat} may put up no straddle: the chips go back.",
        "amount": "A straddle is {twice} here: the chips of seat {seat} go back.",
    },
    "no-look": {
        "none": "Seat {seat} raised without looking, which is not known here: the chips go back.",
        "count": "The blind raise of seat {seat} is one too many, {most} are allowed: the chips go back.",
        "seat": (
            "Seat {seat} may not raise without looking: only the first seat after the big blind may, before "
            "the cards. The chips go back."
        ),
        "amount": "Seat {seat} cannot pay the blind raise: the chips go back.",
        "wrong-amount": "The blind raise of seat {seat} is {total} and not {amount}.",
    },
    "pot-mismatch": {
        "less": "The pot holds {seen}, {by} less than was put in.",
        "more": "The pot holds {seen}, {by} more than was put in.",
        "seat": "Seat {seat} put {amount} before it for a bet of {bet}.",
        "stack": "The chips of seat {seat} are worth {amount}, and were {stack} when counted before.",
    },
    "stack-mismatch": {
        "less": "The stack of seat {seat} holds at least {by} less than the {stack} of the record.",
        "more": "The stack of seat {seat} holds at least {by} more than the {stack} of the record.",
    },
    "foreign-chip": {
        "unknown-tag": "A chip that is not in the inventory is at {place:place}.",
        "two-places": "One chip's tag answers at two places at once, one of them at {place:place}.",
    },
    # the table
    "floor-called": {
        PLAIN: "The dealer calls the floor.",
        "rule": "The dealer calls the floor: a question of the rules.",
        "cards": "The dealer calls the floor: cards or deck.",
        "chips": "The dealer calls the floor: chips.",
        "player": "The dealer calls the floor: a player.",
        "device": "The dealer calls the floor: a device.",
        "other": "The dealer calls the floor: another matter.",
    },
    "typed-face-contradicted": {PLAIN: "A card that was typed in this hand is not what machines read."},
    "faces-probed": {PLAIN: "{count:n} lines that name hidden cards were taken back in this hand."},
    "hole-card-access": {
        PLAIN: "Hole cards were given out through {feed}.",
        "token": "Hole cards were given out through {feed} to token {token}.",
        "late": "Hole cards were given out through {feed}, {seconds} s late.",
        "token-late": "Hole cards were given out through {feed} to token {token}, {seconds} s late.",
    },
    "disclosure-changed": {
        PLAIN: (
            "The site file says something else of when hole cards are shown. Before: {before:terms}. Now: "
            "{terms:terms}."
        ),
    },
    # several tables
    "balance": {
        PLAIN: "The player of seat {seat} of table {table} moves to seat {place} of table {to}.",
        "floor": "A player of table {table} moves to seat {place} of table {to}; the floor chooses which.",
    },
    "halt": {
        "blinds": "Table {table} is three players short, and its big blind would fall on an empty seat.",
        "floor": "Table {table} is three players short: the director decides whether it plays on.",
        "over": "Table {table} may play on.",
    },
    "break": {PLAIN: "Table {table} is broken."},
    "final-table": {PLAIN: "{count:n} players are left: they are combined at the final table."},
    "eliminated": {
        PLAIN: "Seat {seat} of table {table} is out in place {first}.",
        "shared": "Seat {seat} of table {table} is out and shares the places {first} to {last}.",
    },
    "deal-offer": {PLAIN: "The {players:n} players who are left propose to share the prizes."},
    # machines
    "cloned-tag": {PLAIN: "One tag answers at two places at once: {first:place} and {second:place}."},
    "sensing-doubt": {
        PLAIN: "The readings do not settle where a card is: {places:each odds}.",
        "folded": "Seat {seat} is recorded as folded, and {count} of its cards are read before it.",
        "seat": "What is recorded of seat {seat} is in doubt.",
        "hand": "What is recorded of this hand is in doubt.",
    },
    "device-offline": {
        PLAIN: "The device {device} is lost.",
        "places": "The device {device} is lost. {places:each place} cannot be read.",
    },
    "device-unknown": {PLAIN: "A device that the site file does not name is plugged in: {found}."},
    "device-degraded": {
        "stale": "The device {device} has stopped answering.",
        "gap": "{count:n} readings of {device} are lost for good.",
        "tag": "The tag of a card on the board has stopped answering.",
        "degraded": "The device {device} works badly: {why:why}.",
        "failed": "The device {device} does not work: {why:why}.",
        "antenna-degraded": "Antenna {antenna} of {device}{places:places} works badly: {why:why}.",
        "antenna-failed": "Antenna {antenna} of {device}{places:places} does not work: {why:why}.",
        "overload": (
            "{device:device} sends more than the engine may spend on it; {count:n} of its readings have to "
            "wait, and all else goes on. Look at the device, or unplug it."
        ),
    },
    "too-many-tags": {
        PLAIN: (
            "An antenna of {device:device} reports more than 64 tags; {count:n} were left out. Take foreign "
            "tags away from it; if there are none, the reader is broken or is not ours."
        ),
    },
    "set-aside": {
        "undecodable": (
            "{count:n} messages of {device:device} could not be read and were set aside. Look at the "
            "device's driver, and at who may publish on its topics."
        ),
        "unforeseen": (
            "{count:n} messages of {device:device} met an error of the engine and were set aside; all else "
            "goes on. Report it: the log says where."
        ),
        "too-long": (
            "{count:n} pictures of this table are too long and could not be shown; the record has everything."
        ),
    },
    "notification-failed": {
        PLAIN: (
            "Notifications by {device} fail: the next way of that person is taken, if there is one. Look at "
            "the server that they go to, and at its address in the file of people."
        ),
    },
    "second-engine": {
        PLAIN: (
            "Another engine serves this table on the same broker, from another box or a copy of this one. It"
            " was started later and has to stop: find it, or two records of one table are written."
        ),
    },
    "journal-broken": {
        PLAIN: (
            "The record of this table fails its own verification. It is kept as {file} and a new one begins "
            "here: enter the seats, button and stacks of the hand again."
        ),
    },
    "journal-restored": {
        PLAIN: (
            "The record of this table was restored from the backup {backup}. Hands that were played after it"
            " was made are not in it: enter the seats, button and stacks, and see that the box from which the"
            " backup came plays this table no more."
        ),
    },
}
"""By finding and id. No sentence has a place for a face."""

PHRASES: Final[Mapping[str, Mapping[str, str]]] = {
    "token": {"bounty": "a bounty chip", "time": "a time token", "other": "a thing without value"},
    "offence": {
        "kept-cards": "kept cards after folding",
        "out-of-turn": "acted out of turn on purpose",
        "collusion": "collusion",
        "exposed": "showed or named cards with action pending",
        "delay": "delayed the game",
        "touched-cards": "touched cards that are not the player's",
        "mixed-cards": "threw cards into another hand",
        "talking": "talked during the hand",
        "chips-in-way": "chips hinder dealing or sight",
        "insult": "insult",
        "thrown-cards": "threw cards off the table",
        "one-player": "broke the rule of one player to a hand",
        "etiquette": "breach of etiquette",
        "left-table": "left the table with a live hand",
        "fold-without-bet": "folded without a bet to face",
        "tiny-chip": "bet with chips that are too small",
        "pot-in-no-limit": "declared the pot in no-limit",
        "conditional": "made a conditional statement",
        "miscalled-hand": "miscalled a hand on purpose",
        "hidden-chips": "hid chips",
        "devices": "used a device",
        "dodging-blinds": "dodged a blind",
        "soft-play": "soft play",
        "abuse": "abuse",
        "disruption": "disrupted the game",
        "cheating": "cheating",
        "chip-dumping": "chip dumping",
    },
    "misdeal": {
        "first-card-wrong-seat": "the first card went to a wrong seat",
        "unentitled-seat": "a seat not entitled to a hand has cards",
        "seat-skipped": "an entitled seat got no hand",
        "wrong-card-count": "a hand has a wrong number of cards",
        "nonstandard-card": "a card came that the game does not use",
        "boxed-cards": "two cards of the deal were boxed",
        "exposed-first-two": "one of the first two cards was exposed",
        "exposed-downcards": "two downcards were exposed",
        "exposed-in-cut": "a card showed while the deck was cut",
        "out-of-order": "a card went to another seat than the next",
        "marked-card": "a card is marked",
        "not-shuffled": "the deck was not shuffled",
        "not-cut": "the deck was not cut",
    },
    "ruled": {
        "overchip": "one oversized chip is a {action:action}",
        "multi-chip-call": "no chip of these can be spared: a call",
        "multi-chip-raise": "several chips, one of which can be spared, are a raise",
        "half-raise": "half a raise or more, made good to a full raise",
        "under-half": "less than half a raise: a call",
        "prior-chips": "judged together with the chips in front",
        "declared": "taken as declared",
        "within-the-pot": "the highest meaning that is not above the pot",
        "above-the-pot": "the lowest meaning; every one that is enough for a bet or call is above the pot",
    },
    "odd chip": {
        "button": "it is the first winner left of the button",
        "order": "it is the first winner in the order of play",
        "stud": "it has the highest card by suit",
        "high-low": "it is on the high side",
        "moved-on": "the seat before it had one already",
    },
    "hand-incomplete": {
        "no-hand": "No live hand is left.",
        "betting": "The betting was not over: seat {next} had to act.",
        "board": "The board was not complete.",
        "cards": "Cards were still to come.",
        "unread": "The cards of seats {seats} were neither tabled nor read.",
        "untabled": (
            "The cards of seats {seats} were not tabled: table them, or end the hand with the key when "
            "antennas have read every street."
        ),
        "in-doubt": "What is recorded of seats {seats} was in doubt and not settled.",
        "hand-in-doubt": "What is recorded of it was in doubt and not settled.",
    },
    "street": {"flop": "flop", "turn": "turn", "river": "river"},
    "stud street": {
        "third": "Third",
        "fourth": "Fourth",
        "fifth": "Fifth",
        "sixth": "Sixth",
        "seventh": "Seventh",
    },
    "stud street due": {
        f"{street} street": f"{street} street" for street in ("third", "fourth", "fifth", "sixth", "seventh")
    },
    "place": {
        "": "out of every field",
        "board": "board",
        "muck": "muck",
        "burn": "burn",
        "stub": "stub",
        "tray": "tray",
        "pot": "pot",
        "floor": "floor",
        "seat {number}": "seat {number}",
        "up {number}": "up cards of seat {number}",
        "bet {number}": "bet {number}",
        "stack {number}": "stack {number}",
    },
    "action": {"call": "call", "bet": "bet", "raise": "raise", "check": "check", "fold": "fold"},
    "box": {
        box: box
        for box in ("ante", "pair-plus", "jackpot", "blind", "trips", "bonus", "bet", "play", "ante-bonus")
    },
    "terms": {
        text: text
        for text in (
            "{number} s late, no hole cards",
            "{number} s late, hole cards after their hand",
            "{number} s late, hole cards even before the end of their hand",
        )
    },
    "why": {"": "no reason given"},
    "device": {"": "another process"},
    "each": {
        "counted": "{found} of {denomination} instead of {expected}",
        "racing": "seat {seat} ({chips})",
        "denomination": "{denomination}",
        "odds": "{place:place} {percent}%",
        "place": "{place:place}",
        "further": " and {further} more",
    },
}
"""What stands for a word in a sentence, and for one with a number in it; `each`: for a member of a list."""
_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
_BRACKETED: Final = re.compile(r"(?<=\()[^()]+(?=\))")
COMMA: Final = ", "
"""What stands between the members of a list."""


class Worded(Protocol):
    """What has a sentence. `sentence`: the sentence itself, in a record that has no ids."""

    @property
    def finding(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def args(self) -> Mapping[str, Any]: ...
    @property
    def sentence(self) -> str: ...


class Translation(Protocol):
    """The texts of a language, by their English text."""

    def lookup(self, english: str, context: str = "") -> str:
        """The text in this language, as it is meant in the context."""
        ...

    def counted(self, english: str, number: int) -> str:
        """The text in the form of this number."""
        ...


class _English:
    """The language in which the texts are written."""

    def lookup(self, english: str, context: str = "") -> str:
        return english

    def counted(self, english: str, number: int) -> str:
        return english


ENGLISH: Final[Translation] = _English()


def sentence_of(worded: Worded, language: Translation = ENGLISH) -> str:
    """The sentence of a finding or of its alert. What this version does not know is shown as it is."""
    known = SENTENCES.get(worded.finding, {}).get(worded.text)
    if known is None:
        return worded.sentence or f"{worded.finding}: {dict(worded.args)}"
    field = number_of(worded.finding, worded.text)
    if field is None:
        return filled(language.lookup(known), worded.args, language)
    number = worded.args.get(field)
    form = language.counted(known, number if isinstance(number, int) else 0)
    return filled(form, worded.args, language)


def filled(template: str, args: Mapping[str, Any], language: Translation = ENGLISH) -> str:
    """The template with its fields put in; a field that is not given stays as it is named."""
    return _Filler(args, language).vformat(template, (), args)


def phrase(kind: str, key: str, args: Mapping[str, Any], language: Translation = ENGLISH) -> str:
    """A phrase with its fields put in."""
    return filled(language.lookup(PHRASES[kind][key], kind), args, language)


@cache
def usual(finding: str, cause: str | None) -> str:
    """The id of the sentence of this cause, or of the plain one."""
    return cause if cause is not None and cause in SENTENCES.get(finding, {}) else PLAIN


@cache
def fields_of(finding: str, text: str) -> frozenset[str]:
    """The fields of a sentence. Raises ValueError if there is no such sentence."""
    known = SENTENCES.get(finding, {}).get(text)
    if known is None:
        raise ValueError(f"{finding} has no sentence {text!r}: add it to SENTENCES in model/sentences.py")
    return frozenset(name for _, name, _, _ in Formatter().parse(known) if name)


@cache
def number_of(finding: str, text: str) -> str | None:
    """The field whose number decides the plural form of a sentence, if there is such."""
    parsed = Formatter().parse(SENTENCES[finding][text])
    return next((name for _, name, spec, _ in parsed if name and spec == "n"), None)


class _Filler(Formatter):
    def __init__(self, args: Mapping[str, Any], language: Translation) -> None:
        self._args = args
        self._language = language

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return kwargs.get(str(key), f"{{{key}}}")

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("each ") and isinstance(value, (list, tuple)):
            return _listed(value, format_spec.removeprefix("each "), self._language)
        if not format_spec or not isinstance(value, str):
            return str(value)
        if format_spec == "places":
            return _BRACKETED.sub(lambda place: self._worded("place", place[0]), value)
        return self._worded(format_spec, value)

    def _worded(self, kind: str, value: str) -> str:
        """What is said for a value, which may have a number in it."""
        known = PHRASES.get(kind, {})
        if value in known:
            return phrase(kind, value, self._args, self._language)
        number = _NUMBER.search(value)
        key = _NUMBER.sub("{number}", value, count=1)
        if number is None or key not in known:
            return value
        return phrase(kind, key, {"number": number[0]}, self._language)


def listed(members: Sequence[Member]) -> tuple[Member, ...]:
    """A list as an argument: its first members, and how many more there are."""
    further = len(members) - _MOST_LISTED
    return tuple(members) if further <= 0 else (*members[:_MOST_LISTED], {_FURTHER: further})


def _listed(members: Sequence[Any], kind: str, language: Translation) -> str:
    known = [member for member in members if isinstance(member, Mapping)]
    further = known.pop() if known and _FURTHER in known[-1] else None
    named = language.lookup(COMMA, "each").join(phrase("each", kind, member, language) for member in known)
    return named if further is None else named + phrase("each", _FURTHER, further, language)
