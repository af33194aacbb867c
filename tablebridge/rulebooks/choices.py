"""The choices where rulebooks decide differently: for each field of `Decisions` its question and its answers.

This is what a house rulebook may choose from, what `tablebridge rulebook` prints, and what the comparison of
the books in the documents is made of.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tablebridge.rulebooks.book import Key

Value = str | int
"""A word, a number, or true and false, which are numbers here as they are in Python."""


@dataclass(frozen=True, slots=True)
class Choice:
    """`answers`: each value and what it means. `many`: the meaning of a number above those, with `{}` for it.
    `steps`: the remedies that come of the answer, by finding and cause: a house that answers as another book
    does, does also as that book prescribes.
    """

    question: str
    answers: Mapping[Value, str]
    many: str = ""
    steps: tuple[Key, ...] = ()

    @property
    def values(self) -> str:
        """What may be chosen, as it is written in a house rulebook."""
        if self.many:
            return "a whole number, 0 or more"
        known = (
            "true" if value is True else "false" if value is False else f'"{value}"' for value in self.answers
        )
        return f"one of {', '.join(known)}"

    def allows(self, value: object) -> bool:
        """Whether this can be chosen."""
        if self.many:
            return type(value) is int and value >= 0
        return any(value == known and type(value) is type(known) for known in self.answers)

    def answer(self, value: Value) -> str:
        """What a value that can be chosen means."""
        return self.answers[value] if value in self.answers else self.many.format(value)


CHOICES: Final[Mapping[str, Choice]] = {
    "misdeal_until": Choice(
        "A misdeal can be called",
        {
            "substantial-action": "until substantial action",
            "first-action": "until the first action",
            "two-acted": "until two players have acted, folds included",
        },
    ),
    "disputes": Choice(
        "What was paid may be disputed",
        {
            "substantial-action": "until substantial action in the next hand; the reading of a hand, and its "
            "deck, until that hand begins",
            "next-hand": "until the next hand begins, as all else of a hand",
            "always": "at any time, as all else of a hand",
        },
    ),
    "redeal_absent": Choice(
        "Who was absent for a misdeal",
        {"killed": "is dealt in again and killed", "may-play": "may play the re-deal if present for it"},
    ),
    "final_table": Choice(
        "A final table",
        {
            "none": "is not prescribed",
            "nine-or-seven": "has nine seats in events of eight and nine a table, seven in smaller ones",
            "one-more": "has one seat more than the tables of the event, ten at most",
        },
        steps=(("final-table", ""),),
    ),
    "no_look_raises": Choice(
        "Raises without looking, after the big blind and before the cards,",
        {0: "are not known", 1: "are one, by the first seat after the big blind"},
        "are {} at most, the first by the seat after the big blind",
    ),
    "late_count": Choice(
        "A wrong number of cards, found too late",
        {
            "forfeit": "kills the hand; its bets stay",
            "by-action": "kills the hand; its bets stay if it has acted and go back if not",
        },
        steps=(("dead-hand", "count-not-acted"), ("dead-hand", "count-last")),
    ),
    "button_error": Choice(
        "A button that is set elsewhere during a hand",
        {
            "next-hand": "is where it stands for the next hand",
            "put-right": "is put right with the blinds until substantial action, after that not at all",
        },
    ),
    "push_begins_hand": Choice(
        "A new level announced during a dealer's push",
        {False: "is of the next hand", True: "is of the hand after it, which the push began"},
    ),
    "boxed_replaced": Choice(
        "A boxed card",
        {False: "plays", True: "goes to the muck and is replaced"},
        steps=(("boxed-card", ""),),
    ),
    "boxed_fouls": Choice("Boxed cards that foul the deck", {0: "no number"}, "{}"),
    "fouled_until": Choice(
        "A fouled deck stops the hand when it is found",
        {"award": "before the pot is awarded", "next-hand": "before the next hand begins"},
    ),
    "marked_by_time": Choice(
        "A marked card in play",
        {False: "is a matter of the deck", True: "is a misdeal in time; later the hand is played out"},
        steps=(
            ("misdeal", "marked-card"),
            ("misdeal-too-late", "marked-card"),
            ("misdeal-too-late", "marked-board"),
        ),
    ),
    "flop_goes_back": Choice(
        "A flop of too many cards, or without a burn",
        {False: "is scrambled on the table", True: "goes back into the stub"},
        steps=(
            ("burn-missing", "flop"),
            ("flop-count", ""),
            ("flop-count", "four-cards"),
            ("flop-count", "too-few"),
        ),
    ),
    "expose_kills": Choice(
        "A player who shows cards before the betting is over",
        {
            "never": "may be penalised; the hand lives",
            "card": "has a dead hand",
            "hand": "has a dead hand when all its cards show",
        },
    ),
    "clock_without_bet": Choice(
        "Time that runs out with no bet to face",
        {
            "check": "is a check",
            "dead": "kills the hand",
            "dead-in-cash": "kills the hand in cash games, and is a check in tournaments",
        },
    ),
    "clock_s": Choice("Seconds of a clock that is called, before the countdown", {}, "{}"),
    "countdown_s": Choice("Seconds of its countdown", {}, "{}"),
    "clock_change": Choice(
        "The times of the clock are the floor's",
        {"any": "to change", "shorter": "to make shorter, not longer"},
    ),
    "short_big_blind": Choice(
        "A big blind too short for the blind and the ante of all pays",
        {"blind-first": "the blind first", "ante-first": "the ante first"},
    ),
    "dead_blind_counts": Choice(
        "A dead small blind, in pot-limit bets before the flop,",
        {False: "does not count", True: "counts in full"},
    ),
    "undercall": Choice(
        "Less than the call",
        {
            "floor": "is a full call heads-up or against the opening bet, else the floor's",
            "choice": (
                "is completed, or forfeited with a fold, as the player chooses; less than a least bet or "
                "raise, too"
            ),
        },
        steps=(
            ("undercall", "choice"),
            ("underbet", "choice"),
            ("underraise", "choice"),
            ("undercall", "floor"),
            ("undercall", "must-call"),
        ),
    ),
    "two_motions": Choice(
        "After the word raise, the chips of the call",
        {
            False: "are all there is: it is a least raise",
            True: "may be followed by those of the raise in one motion",
        },
    ),
    "several_chips": Choice(
        "Several chips over the call",
        {
            "half": "are a raise from half a raise on, if one can be spared",
            "raise": "are a raise, if one can be spared",
            "half-of-all": "are a raise from half a raise on",
        },
    ),
    "reopened_by": Choice(
        "The betting is opened again by",
        {"sum": "short all-ins that come to a full raise together", "full-raise": "a full raise only"},
    ),
    "over_short_all_in": Choice(
        "The least raise over a short all-in",
        {"adds": "adds a full raise to it", "completes": "completes it to a full raise"},
    ),
    "released_chips": Choice(
        "A bet out of turn whose action changed", {"back": "goes back", "stay": "stays in the pot"}
    ),
    "called_too_early": Choice(
        "What a seat does that the dealer asked to act before its turn",
        {
            "binds": "is an action out of turn like any other",
            "may-change": "may be changed until the next seat acts",
        },
    ),
    "skipped_seat": Choice(
        "A seat past which others called and checked out of turn",
        {
            "floor": "is the floor's to rule on",
            "answers": "answers, and they stand, or raises, and they go back",
        },
        steps=(("skipped-player", "answers"),),
    ),
    "wrong_limit_bet": Choice(
        "A bet of a wrong amount in limit",
        {"put-right": "is put right", "stands": "stands for the round when two seats have acted on it"},
    ),
    "raise_cap": Choice("Raises of a limit round after the bet", {0: "as many as the house says"}, "{}"),
    "cap_heads_up": Choice(
        "The book's own cap, if two began the round,", {True: "holds", False: "is lifted"}
    ),
    "odd_chip_once": Choice(
        "A second odd chip over successive pots", {False: "is no matter", True: "goes to the next winner"}
    ),
    "both_ways": Choice(
        "Seats that win high and low alike divide",
        {"each-half": "each half with its own odd chip", "whole-pot": "the whole pot"},
    ),
    "premature_stud": Choice(
        "A stud card before the betting was over",
        {
            "stays": "goes back; the burn stays",
            "again-then-none": "waits aside; another is burned, the last street has none",
            "plays": "plays, and the round is closed at what was bet",
        },
        steps=(("premature-street", "stud"),),
    ),
    "stud_exposed": Choice(
        "A stud downcard that the dealer exposed",
        {
            "upcard": "becomes the upcard",
            "two": "stays; two of one player are a misdeal",
            "three": "stays; three open cards of one player are a misdeal",
        },
        steps=(("exposed-card", "stud"), ("exposed-card", "stud-second")),
    ),
    "last_card_exposed": Choice(
        "A last stud card that the dealer exposed",
        {
            "replaced": "is replaced while betting remains",
            "heads-up-up": "has the other's come up heads-up",
            "first-up": "has the others come up if it is the first",
        },
        steps=(
            ("exposed-card", "last-replaced"),
            ("exposed-card", "last-plays"),
            ("exposed-card", "last-up"),
            ("exposed-card", "last-as-all-in"),
        ),
    ),
    "bring_in_all_in": Choice(
        "When the bring-in's card is all-in for the ante, it falls to",
        {"next-seat": "the seat to its left, which may fold", "next-card": "the next card"},
    ),
    "open_pair": Choice(
        "An open pair on fourth street", {"no": "changes no bet", "big-bet": "allows the big bet"}
    ),
    "short_stud": Choice(
        "Too few cards for stud's last street",
        {
            "community": "are one card for all if the burns do not suffice",
            "always-community": "are one card for all",
            "burns": "are what is left, then the burns",
        },
        steps=(("stub-short", "burns"), ("stub-short", "community"), ("stub-short", "few")),
    ),
    "short_draw": Choice(
        "A stub too short for a draw",
        {
            "shuffled": "is shuffled with the discards",
            "dealt-first": "is dealt, and then the discards are shuffled",
            "floor": "is the floor's to rule on; no discard comes back",
        },
    ),
    "draw_own": Choice(
        "The discards of the seat that draws, if others are shuffled in,",
        {False: "stay out", True: "are shuffled in, too"},
    ),
    "draw_folded": Choice(
        "Folded hands, if discards are shuffled in,", {False: "stay out", True: "are shuffled in, too"}
    ),
    "draw_burns": Choice(
        "Burns, if discards are shuffled in,", {False: "stay out", True: "are shuffled in, too"}
    ),
    "draw_last_card": Choice(
        "The last card of the stub, in a draw,", {True: "is dealt", False: "is never dealt"}
    ),
    "folded_gets_cards": Choice(
        "Who folds in seven-card stud before anybody has bet in the round",
        {False: "gets no more cards", True: "is dealt cards until the next bet"},
    ),
    "odd_chip_stud": Choice(
        "The odd chip in stud goes", {"suit": "to the high card by suit", "order": "by the order of play"}
    ),
    "asking": Choice(
        "To see a hand at the showdown",
        {"right": "is the right of who called on the last street", "floor": "is the floor's to allow"},
    ),
    "mucked_winner": Choice(
        "A tabled winner that the dealer mucks", {"wins": "wins", "floor": "wins if the floor says so"}
    ),
    "decks_ready": Choice(
        "In the last minute of a break decks",
        {False: "wait for the hand", True: "are washed and squared where two players sit"},
    ),
    "format": Choice(
        "Unless the house says otherwise, its games are", {"tournament": "tournaments", "cash": "cash games"}
    ),
    "first_post": Choice(
        "Who comes to a cash game posts, before the first cards,",
        {"none": "nothing", "small": "a small blind", "big": "a big blind"},
    ),
    "missed_small": Choice(
        "A missed small blind alone is posted",
        {"dead": "as a dead small blind", "live-big": "as a live big blind"},
    ),
    "enter_on_button": Choice(
        "Who comes to a cash game on the button or the small blind",
        {True: "is dealt in", False: "waits until the button has passed"},
    ),
    "leaving": Choice(
        "The live hand of a player who leaves the table",
        {"lives": "lives", "dies-in-turn": "dies when its turn comes, in cash games", "dies": "dies at once"},
    ),
}

STREETS: Final = ("flop", "turn", "river")
BURNS: Final[Mapping[str, str]] = {
    "stays": "the burn stays, and there is no other",
    "either": "the burn stays, and another is no error",
    "again": "another card is burned",
    "again-then-none": "another card is burned, and the street after it has none",
}
"""What becomes of the burn of a street that came too soon: the values of `Rulebook.premature`."""
