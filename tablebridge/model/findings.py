"""Findings: what the engine noticed, with the rule that applies. Their names are part of the public
interface.
"""

from typing import Annotated, Final, Literal

import msgspec

from tablebridge.model.bounds import (
    Amount,
    Count,
    Faces,
    Line,
    Numbers,
    Seat,
    SeatAmounts,
    Sentence,
    Steps,
    Word,
    Words,
)
from tablebridge.model.conduct_events import OFFENCES

Severity = Literal["info", "notice", "warning", "critical"]
SEVERITIES: Final[tuple[Severity, ...]] = ("info", "notice", "warning", "critical")

_MISDEAL_CAUSES: Final = (
    "boxed-cards",
    "first-card-wrong-seat",
    "unentitled-seat",
    "seat-skipped",
    "wrong-card-count",
    "nonstandard-card",
    "exposed-first-two",
    "exposed-downcards",
    "out-of-order",
    "not-shuffled",
    "not-cut",
    "exposed-in-cut",
    "marked-card",
)


class Kind(msgspec.Struct, frozen=True):
    """One kind of finding: its severity (by cause if it differs), what it means, its causes, and what to
    do if no rulebook says it.

    `cases`: distinctions that rulebooks make beyond the cause, each with what it means. A finding does not
    name its case, but rule and remedy may be given for it, by a house as well.
    """

    severity: Severity
    meaning: str
    causes: tuple[str, ...] = ()
    by_cause: dict[str, Severity] = {}
    remedy: tuple[str, ...] = ()
    cases: dict[str, str] = {}


KINDS: Final[dict[str, Kind]] = {
    # the deck
    "fouled-deck": Kind(
        "critical",
        "what the rulebook calls a fouled deck",
        (
            "duplicate-card",
            "wrong-count",
            "mixed-backs",
            "marked-card",
            "nonstandard-card",
            "boxed-cards",
            "foreign-card",
        ),
    ),
    "deck-check-passed": Kind("info", "the spread deck is complete"),
    "deck-check-failed": Kind(
        "warning",
        "the spread deck is not what it should be",
        ("missing-card", "duplicate-card", "foreign-card", "out-of-order", "unreadable-tag"),
    ),
    "deck-unchecked": Kind("notice", "a hand began on a deck not checked since it came to the table"),
    "deck-swapped": Kind("critical", "the cards in play are another deck's than the one checked"),
    "not-shuffled": Kind("warning", "the deck was not shuffled before the deal"),
    "not-cut": Kind("warning", "the deck was not cut before the deal"),
    "shuffle-wrong": Kind(
        "notice",
        "the dealer's shuffle by hand is not as the book wants it",
        ("step-missing", "step-order", "strip-packets", "wash-missing", "wash-not-due", "cut-twice"),
    ),
    "push-in-hand": Kind("notice", "a dealer is relieved in the middle of a hand"),
    "handover": Kind("info", "what the next dealer is to know"),
    "shuffle-suspect": Kind(
        "warning",
        "the order dealt is not believable as a shuffle",
        ("order-kept", "order-repeated", "biased"),
    ),
    "shuffler-fault": Kind(
        "warning",
        "the shuffler reports a fault",
        ("jam", "door", "count", "missing-card", "extra-card", "offline"),
    ),
    "shuffler-opened": Kind(
        "warning", "the shuffler's lid was opened after it had a deck ready and before the first card"
    ),
    "shuffler-contradicted": Kind(
        "warning", "the cards are not as the shuffler said of the deck", ("missing-card", "duplicate-card")
    ),
    "boxed-card": Kind("notice", "one card came face up out of the deck"),
    "nonstandard-card": Kind("warning", "a card that the game does not use"),
    "stub-wrong": Kind("warning", "the stub does not hold what it must", ("count", "disordered", "mixed")),
    # the deal
    "misdeal": Kind(
        "warning",
        "the rulebook calls for a new deal and it is in time",
        _MISDEAL_CAUSES,
        cases={
            "stud": "too many exposed cards of a player in stud",
            "new-player": "a card to a player who waits for another hand",
        },
    ),
    "deal-order": Kind(
        "warning",
        "a card of the deal went to another seat than the next",
        cases=dict.fromkeys(_MISDEAL_CAUSES, "the cause of the misdeal that it is if it cannot be put right"),
    ),
    "misdeal-too-late": Kind(
        "warning",
        "cause for a misdeal, but substantial action has occurred",
        _MISDEAL_CAUSES,
        cases={
            "marked-board": "the marked card is on the board",
            "new-player": "a card to a player who waits for another hand",
        },
    ),
    "exposed-card": Kind(
        "notice",
        "a card is seen that should not be",
        ("dealer", "player", "boxed"),
        cases={
            "house": "a game without a board, for which the house decides",
            "stud": "a downcard of stud's initial deal",
            "stud-second": "a further downcard of a seat that has its upcard from an exposed card",
            "last-replaced": "the last card of stud, which is replaced",
            "last-plays": "the last card of stud, which stays because no betting remains",
            "last-up": "the last card of stud; the other last cards come face up too",
            "last-as-all-in": "the last card of stud; its seat is treated as all-in",
            "which": "the dealer's key was pressed and no card came face down just now",
        },
    ),
    "short-hand": Kind("notice", "a hand on the button has too few cards and may be completed"),
    "dead-hand": Kind(
        "notice",
        "a hand dies",
        (
            "wrong-card-count",
            "absent",
            "penalty",
            "clock",
            "mixed",
            "exposed",
            "acted-short",
            "picked-up",
            "ruling",
            "left",
        ),
        cases={
            "left-showdown": "the player is away when hands are shown",
            "count-not-acted": "a wrong number of cards; the seat has not acted",
            "count-last": "a wrong number of cards at the only seat that is left",
            "clock-tournament": "time ran out in a tournament, if the book has a rule of its own for it",
            "bettor": "the bettor threw its hand away before the bet was answered",
            "not-tabled": "a hand that was shown in part is thrown away at the showdown",
        },
    ),
    "burn-missing": Kind(
        "warning",
        "a street was dealt without its burn card",
        cases={"flop": "the flop", "turn": "the turn", "river": "the river"},
    ),
    "burn-extra": Kind("warning", "a second card was burned for a street"),
    "flop-count": Kind("warning", "the flop has not three cards", ("four-cards", "too-many", "too-few")),
    "premature-street": Kind(
        "warning", "cards of a street came before the betting was over", ("flop", "turn", "river", "stud")
    ),
    "rabbit-hunt": Kind(
        "notice",
        "cards of a street were turned up when the hand was decided",
        remedy=("stop-dealing", "to-muck"),
    ),
    "extra-board-card": Kind(
        "warning",
        "a further card was turned up with a street",
        cases={
            "river": "with the river, after which no street comes",
            "several": "more than one further card",
        },
    ),
    "card-out-of-place": Kind(
        "warning",
        "a card is where no event put it",
        cases={
            "floor": "on the floor, in a game with a board",
            "floor-stud": "on the floor, in a game without a board",
            "dead-hand": "a card of the street at a seat without a live hand",
        },
    ),
    "stub-short": Kind(
        "notice",
        "too few cards for what is to come",
        cases={
            "burns": "the last street of stud, for which stub and burns suffice",
            "community": "the last street of stud, for which there is one card for all",
            "few": "the last street of stud, and hardly a card is left",
            "draw": "the draw",
            "players": "more players than the game has cards for",
        },
    ),
    # the betting
    "bet-ruled": Kind(
        "info",
        "how chips or words were taken",
        (
            "overchip",
            "multi-chip-call",
            "multi-chip-raise",
            "half-raise",
            "under-half",
            "declared",
            "prior-chips",
            "unclear-amount",
            "stands",
        ),
        cases={
            "declared-raise": "a raise that was said",
            "prior-chips-sum": "chips that count together with those that lay in front",
        },
    ),
    "underbet": Kind(
        "notice",
        "a bet below the minimum, made good",
        ("choice",),
        cases={"pot-count": "a bet of the pot, which was announced too low", "limit": "in limit"},
    ),
    "underraise": Kind(
        "notice", "a raise below the minimum, made good", ("choice",), cases={"limit": "in limit"}
    ),
    "undercall": Kind("notice", "less than the call", ("must-call", "choice", "floor"), {"floor": "warning"}),
    "overbet": Kind(
        "notice",
        "above the maximum, cut down",
        ("pot-limit", "limit"),
        cases={
            "open-pair": "the big bet on an open pair on fourth street, which the book does not allow",
            "half-pot": "more than half of the pot in half-pot",
        },
    ),
    "string-bet": Kind("notice", "a second motion"),
    "out-of-turn": Kind("warning", "an action out of turn", ("pending", "binding", "released")),
    "skipped-player": Kind(
        "warning",
        "substantial action out of turn went past a silent seat",
        cases={"answers": "the seat answers as if it had not been skipped"},
    ),
    "not-reopened": Kind(
        "notice",
        "a raise by a seat to which the betting is not open",
        cases={"limit": "in limit"},
    ),
    "pot-count-wrong": Kind("notice", "the announced count is not the pot"),
    "raise-cap": Kind(
        "notice",
        "one raise too many",
        cases={"closed": "a premature card closed the round at what was bet"},
    ),
    "invalid-declaration": Kind(
        "notice",
        "words that cannot mean what they say",
        (
            "call-without-bet",
            "raise-without-bet",
            "check-facing-bet",
            "pot-in-no-limit",
            "conditional",
            "before-amount",
        ),
    ),
    "fold-without-bet": Kind("notice", "a fold with no bet to face"),
    "short-all-in": Kind("info", "an all-in below a full bet or raise"),
    "uncalled-bet": Kind("info", "an uncalled bet goes back"),
    "all-in-unmarked": Kind("notice", "chips say all-in and the button is missing"),
    "all-in-not-all-in": Kind("notice", "the all-in button lies before a seat that is not all-in"),
    "clock": Kind(
        "info",
        "the clock",
        ("called", "countdown", "expired", "refused"),
        {"expired": "notice", "refused": "notice"},
        cases={"tournament": "in a tournament, if the book has a rule of its own for it"},
    ),
    "time-bank": Kind(
        "info", "a player's own time, after that of everybody", ("begun", "spent"), {"spent": "notice"}
    ),
    "bet-before-draw": Kind("notice", "an action before all have drawn", remedy=("hold-chips",)),
    "draw-wrong": Kind(
        "notice",
        "the exchange of cards in a draw game is not as it must be",
        ("order", "too-many", "own-discard", "twice"),
        {"own-discard": "warning"},
    ),
    "stands-pat": Kind("info", "time ran out on a draw", ("clock",), remedy=("stand-pat",)),
    # levels
    "old-level": Kind("warning", "a hand began at the stakes of the level before"),
    "late-push": Kind(
        "notice",
        "a dealer is pushed in the last 90 seconds before a level or a break",
        remedy=("hold-push",),
    ),
    "hand-for-hand": Kind(
        "notice",
        "hand-for-hand play: an all-in and a call wait for the word to go on",
        ("hold", "dealt-on", "over"),
        {"dealt-on": "warning", "over": "info"},
    ),
    # showdown and pots
    "must-be-face-up": Kind(
        "notice", "all-in and no more betting: a hand is still down", ("mucked",), {"mucked": "warning"}
    ),
    "not-all-tabled": Kind(
        "notice",
        "a seat shows some of its cards only",
        cases={"hand": "of its hand", "board": "to play the board"},
    ),
    "winner-mucked": Kind("warning", "a tabled hand that wins goes to the muck"),
    "show-order": Kind("info", "the order in which hands must be shown"),
    "see-hand": Kind("notice", "a seat asks to see a hand", ("right", "floor", "none")),
    "odd-chip": Kind(
        "info",
        "who got the odd chip",
        cases={
            "high-low": "the high side of a pot that is halved",
            "stud": "the highest card by suit, in stud",
            "moved-on": "the next seat, because the one before had an odd chip already",
        },
    ),
    "pot-mismatch": Kind("warning", "chips paid or counted differ from the pot"),
    # what players ask for
    "pot-asked": Kind(
        "info", "somebody asks for the pot: it is counted, spread, neither", ("count", "spread", "none")
    ),
    "contradictory-bet": Kind(
        "warning",
        "words and chips of one bet contradict",
        remedy=("call-floor",),
        cases={"words": "words of which none says how much"},
    ),
    "token-bet": Kind("warning", "a thing without value is pushed as a bet", remedy=("call-floor",)),
    "dispute": Kind(
        "notice",
        "whether the last hand can still be disputed",
        ("open", "closed"),
        cases={"reading": "how a tabled hand was read", "payment": "what was paid", "deck": "its deck"},
    ),
    # conduct
    "infraction": Kind("notice", "an offence was noted; the book's step is in its remedy", OFFENCES),
    "penalty": Kind("info", "a penalty counted in hands", ("begins", "counts", "over")),
    "left-table": Kind(
        "notice", "a player with a live hand left", ("live-hand", "showdown"), remedy=("warn",)
    ),
    # who is dealt in, and for what
    "entry": Kind(
        "info",
        "a player who took a seat may play this hand, must wait, or plays and posts; or tries to be dealt in "
        "where nobody may",
        ("dealt-in", "must-wait", "posts", "illegal-seat"),
        by_cause={"must-wait": "notice", "illegal-seat": "warning"},
        cases={
            "new": "a tournament's player, also of a broken table",
            "late": "a late player, an alternate, or one who enters again",
            "balanced": "a player who was moved to balance tables",
            "moved": "cash: a player who was moved is dealt in",
            "arrives-posts": "cash: a new player is dealt in",
            "arrives-waits": "cash: a new player waits",
            "returns-posts": "cash: a player who was away is dealt in again",
            "returns-waits": "cash: a player who was away waits",
        },
    ),
    "blind-missed": Kind(
        "notice",
        "a blind passed a seat whose player is away",
        ("small", "big"),
        remedy=("place-missed-button",),
    ),
    "post-due": Kind(
        "notice",
        "a player has to choose: to post, or to wait for the big blind",
        ("missed-blind", "guest-blind", "first-post"),
        cases={"missed-small": "the small blind alone was missed"},
        remedy=("ask-choice",),
    ),
    "post-wrong": Kind(
        "notice",
        "chips that were posted are not what is due",
        ("too-small", "too-big", "not-due"),
        cases={
            "missed-blind": "of a player who missed the big blind, or both",
            "missed-small": "of a player who missed the small blind alone",
        },
        remedy=("return-excess",),
    ),
    "buy-in-short": Kind(
        "warning",
        "a player sits down, or comes back, with less than the game or the hour demands",
        remedy=("make-good",),
    ),
    "absent-long": Kind("notice", "away for an hour while people wait for a seat", remedy=("chips-to-cage",)),
    "blinds-dodged": Kind(
        "warning",
        "a move let the big blind pass: the floor judges it",
        remedy=("call-floor",),
    ),
    "chips-moved": Kind(
        "warning",
        "chips came to or left a stack against table stakes",
        ("added", "removed", "passed"),
        by_cause={"added": "notice"},
        remedy=("call-floor",),
    ),
    "rebuy-due": Kind("notice", "a player owes a rebuy, or has no chips to play", ("declared", "lost-all")),
    "table-full": Kind("warning", "more seats than the game has", remedy=("call-floor",)),
    # games against the house
    "house-bet": Kind(
        "notice",
        "a box of a game against the house holds what it may not",
        ("too-small", "too-big", "not-allowed", "must-equal"),
    ),
    "set-foul": Kind(
        "warning", "pai gow: the two-card hand outranks the five-card hand", remedy=("set-again",)
    ),
    "jackpot": Kind("info", "a jackpot is won, with its share"),
    # chips and tray
    "tray-mismatch": Kind("warning", "the tray gained or lost what no event explains"),
    "stack-mismatch": Kind("warning", "a stack as antennas counted it differs from the record"),
    "foreign-chip": Kind("warning", "a chip that is not in the inventory", ("unknown-tag", "two-places")),
    "wrong-denomination": Kind("notice", "a chip of a denomination that is out of play"),
    "race": Kind(
        "notice",
        "chips of a denomination leave play",
        ("exchanged", "draw-due", "award", "kept-in", "too-many", "removed"),
        {"exchanged": "info", "award": "info", "too-many": "warning"},
        cases={"found": "chips that were found after the race"},
    ),
    "rake-wrong": Kind("notice", "the rake of a pot is not what the house takes", ("over-cap", "percent")),
    "time-charge": Kind("notice", "a charge for time is due, or less than it was taken", ("due", "short")),
    # blind bets
    "straddle": Kind(
        "notice",
        "a straddle that is not allowed",
        cases={"house": "the house allows straddles, but not this one"},
    ),
    "no-look": Kind("notice", "a raise without looking that is not allowed", ("amount", "count", "seat")),
    # devices and trust
    "floor-called": Kind(
        "warning", "the dealer calls the floor", ("rule", "cards", "chips", "player", "device", "other")
    ),
    "device-offline": Kind("warning", "a device is lost"),
    "device-degraded": Kind(
        "notice",
        "a device works badly",
        ("stale", "gap", "tag", "degraded", "failed", "overload"),
        {"failed": "warning", "overload": "warning"},
    ),
    "too-many-tags": Kind("warning", "an antenna reports more tags than are taken"),
    "set-aside": Kind(
        "warning",
        "a message could not be taken or shown, and was set aside",
        ("undecodable", "unforeseen", "too-long"),
    ),
    "device-unknown": Kind("warning", "a device that the site file does not name is plugged in"),
    "sensing-doubt": Kind("notice", "the readings do not settle where a card is"),
    "cloned-tag": Kind("critical", "one tag identity at two places at once"),
    "journal-broken": Kind("critical", "the record fails its own verification"),
    "journal-restored": Kind("critical", "the record was restored from a backup"),
    "notification-failed": Kind("warning", "a way to notify a person fails"),
    "second-engine": Kind("critical", "two engines serve one table"),
    "hole-card-access": Kind("info", "who was given hole cards, and when"),
    "disclosure-changed": Kind(
        "warning", "whether, when or how late the overlay shows hole cards was changed"
    ),
    "typed-face-contradicted": Kind(
        "warning",
        "a card that a person typed is not what machines read; said when the hand is over, undo does not "
        "clear it",
        remedy=("review-hand",),
    ),
    "faces-probed": Kind(
        "critical",
        "lines that name hidden cards were taken back three times in a hand; undo does not clear it",
        remedy=("call-floor", "review-hand"),
    ),
    "hand-incomplete": Kind("notice", "a hand was closed without its end being known"),
    # several tables
    "balance": Kind(
        "notice", "a player is to move, so that the tables are balanced", remedy=("move-player",)
    ),
    "halt": Kind(
        "notice",
        "play stops at a short table, or the director decides, or it may go on",
        ("blinds", "floor", "over"),
        {"blinds": "warning", "over": "info"},
        ("halt-table",),
    ),
    "break": Kind("info", "a table is broken", remedy=("draw-seats",)),
    "final-table": Kind("notice", "as many are left as the final table seats", remedy=("draw-seats",)),
    "eliminated": Kind(
        "info",
        "the place of a player who is out",
        cases={"equal": "with equal stacks in one hand", "hand-for-hand": "in one hand of hand-for-hand"},
    ),
    "deal-offer": Kind("info", "the prizes as the table proposes to share them"),
}

REMEDIES: Final[dict[str, str]] = {
    "return-bets": "Return all bets of the hand.",
    "reshuffle": "Reshuffle the whole deck.",
    "cut": "Cut.",
    "redeal-same-button": "Deal again: same button, same players, same blinds.",
    "replace-deck": "Replace the deck.",
    "replace-card": "Replace the card by the next card off the deck.",
    "replace-with-burn": "After the deal the exposed card becomes the burn; the card that would have been "
    "burned replaces it.",
    "to-muck": "Put the card in the muck.",
    "to-upcard": "The exposed card is the seat's upcard; third street comes down.",
    "complete-hand": "Deal the missing card.",
    "kill-hand": "Kill the hand.",
    "forfeit-bets": "The dead hand's bets stay in the pot.",
    "return-seat-bets": "Return the dead hand's bets to its seat.",
    "call-floor": "Call the floor.",
    "advise-table": "Advise the player to table all cards; call the floor if the player refuses.",
    "go-to-table": "Go to the table.",
    "scramble-board": "Scramble the street's cards face down.",
    "floor-picks-burn": "The floor picks one of them as the burn card.",
    "keep-burn": "Keep the burn card.",
    "return-to-stub": "Put the cards back into the stub.",
    "reshuffle-stub": "Reshuffle the stub, face down.",
    "burn-one": "Burn one card.",
    "redeal-street": "Deal the street again.",
    "no-new-burn": "No new burn card.",
    "set-aside": "Set the card aside, beside the board.",
    "finish-betting": "Finish the betting round.",
    "next-burn": "The card is the next burn card.",
    "restore-order": "Put the cards, and the burns if there are any, into their right order.",
    "play-on": "Play on as it is.",
    "one-burn-per-street": "One burn a street, never two.",
    "back-up-action": "Back up: the action is on the first skipped seat.",
    "hold-chips": "The chips out of turn stay in front.",
    "complete-cycle": "Complete the shuffle: riffle, strip, riffle, riffle, cut.",
    "ask-choice": "Ask the player to choose, once.",
    "make-good": "Complete the amount to the minimum.",
    "return-excess": "Return what is too much.",
    "deal-community": "Deal one community card for all.",
    "reveal-all": "Turn all live hands face up.",
    "finish-hand-then-replace": "Play the hand out, then replace the card or deck.",
    "complete-street": "The next card off the stub completes the street.",
    "merge-burns": "Put the burns (and what else mixed with it) into the stub.",
    "merge-folded": "Shuffle the folded hands into the stub, too.",
    "deal-rest": "Deal the cards that are left.",
    "deal-up": "Deal the rest of the street face up.",
    "as-all-in": "Treat the seat as all-in (before any action: if it so chooses).",
    "warn": "Warn the player: a penalty may follow.",
    "stop-broadcast": "Stop the broadcast until it is known who changed this and why.",
    "move-player": "Move the player, with the chips, to that seat.",
    "halt-table": "Halt the table until its seats are filled.",
    "draw-seats": "Draw the new seats: seat cards for the highest playing card first, the others clockwise.",
    "miss-hands": "The player misses the hands, away from the table: dealt in, posted, killed.",
    "miss-rounds": "The player misses the rounds, away from the table: dealt in, posted, killed.",
    "disqualify": "Disqualify the player.",
    "remove-from-play": "Take the player's chips out of play.",
    "stop-dealing": "Deal no further card.",
    "race-award": "Push one chip to each winner, and take all chips of the denomination that leaves.",
    "give-one-chip": "Give the player one chip of the lowest denomination that stays.",
    "exchange-equal": "Change the chips at equal value.",
    "remove-chips": "Take the chips out of play; nothing is given for them.",
    "stand-pat": "The seat stands pat, and may only check, call or fold in the next round.",
    "hold-push": "Hold the push until the new level, or the break, has begun.",
    "wait-instruction": "Deal nothing more until the floor says so.",
    "correct-level": "Put the blinds right: the stakes of the new level.",
    "set-again": "Set the hand again: the five-card hand is the higher one.",
    "wait-button": "The player waits until the button has passed.",
    "wait-big-blind": "The player waits for the big blind.",
    "post-live": "The player posts a live blind: it is the bet of the seat.",
    "post-dead": "The player posts a dead blind into the pot.",
    "place-missed-button": "Put the missed-blind button before the seat.",
    "remove-missed-button": "Take the missed-blind button away.",
    "chips-to-cage": "The pit boss counts the chips and takes them to the cage.",
    "review-hand": "Look at the lines of the hand and who wrote them, and at the cameras.",
}


def check_word(finding: str, word: str) -> None:
    """Raises ValueError for a word that is neither a cause nor a case of the finding; the empty word is."""
    kind = KINDS.get(finding)
    if kind is None:
        raise ValueError(f"there is no finding {finding!r}: add it to KINDS in model/findings.py")
    if word and word not in kind.causes and word not in kind.cases:
        raise ValueError(
            f"{finding} has no cause and no case {word!r}: add it to causes or cases in model/findings.py"
        )


def check_declared(finding: str, cause: str | None, case: str, remedy: tuple[str, ...]) -> None:
    """Raises ValueError for a cause that is not among the causes of the finding, a case that is not among its
    cases, and a step that is not among the remedies.
    """
    check_word(finding, "")
    kind = KINDS[finding]
    if cause and cause not in kind.causes:
        raise ValueError(f"{finding} has no cause {cause!r}: add it to its causes in model/findings.py")
    if case and case not in kind.cases:
        raise ValueError(f"{finding} has no case {case!r}: add it to its cases in model/findings.py")
    for step in remedy:
        if step not in REMEDIES:
            raise ValueError(f"there is no step {step!r}: add it to REMEDIES in model/findings.py")


def severity_of(finding: str, cause: str | None) -> Severity:
    """The severity of a finding with this cause. Raises KeyError for an unknown finding."""
    kind = KINDS[finding]
    return kind.by_cause.get(cause, kind.severity) if cause else kind.severity


class Counted(msgspec.Struct, frozen=True):
    """How many chips of a denomination were expected and found."""

    denomination: Amount
    expected: Amount
    found: Amount


_Name = Annotated[str, msgspec.Meta(max_length=16)]
Member = Annotated[dict[_Name, Amount | _Name], msgspec.Meta(max_length=3)]
Arg = Amount | Line | Annotated[tuple[Member, ...], msgspec.Meta(max_length=5)]
"""What is put into a sentence: a number, a name, or a list."""
Args = Annotated[dict[_Name, Arg], msgspec.Meta(max_length=5)]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that the engine noticed.

    `id` is the entry that raised it and its number there, `812.0` (of what was typed, `812.typed`), so a
    replay gives the same. `cards` may hold faces that few may see: `public_cards` are those that lie open.
    `text` and `args` are the id of its sentence and what is put into it (`sentences.sentence_of`), never a
    face; a record of an earlier version has the `sentence` itself. `device`: its name, if the finding is
    about a device. `chips`: if chips are missing or too many, the denominations whose number is not the
    expected one, the lowest first. `refunds`: the chips that go back to each seat, if the entry gives chips
    back and this is its most severe finding. `gives`: what the book gives for an offence, words of `STEPS`
    in `model/conduct_events.py`.
    """

    id: Word
    finding: Word
    severity: Severity
    rulebook: Word
    table: Word
    hand: Count
    street: Word
    sentence: Sentence = ""
    text: Word = ""
    args: Args = {}
    cause: Word | None = None
    rule: Word | None = None
    seat: Seat | None = None
    cards: Faces = ()
    public_cards: Faces = ()
    evidence: Numbers = ()
    remedy: Words = ()
    device: Word = ""
    chips: Annotated[tuple[Counted, ...], msgspec.Meta(max_length=100)] = ()
    refunds: SeatAmounts = {}
    gives: Steps = ()
