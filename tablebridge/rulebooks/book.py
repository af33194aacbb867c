"""What a rulebook is to the engine: rules and remedies by finding, and how the book decides where books
differ.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from tablebridge.model.findings import check_word
from tablebridge.rulebooks.clause import Clause

Key = tuple[str, str]
"""A finding, and one of its causes or cases; the cause `""` stands for any."""


class Ladder(NamedTuple):
    """What a book gives for an offence: the first time, and each further time."""

    first: tuple[str, ...]
    again: tuple[str, ...]


Burned = Literal["stays", "either", "again", "again-then-none"]
"""What becomes of the burn of a street that came before the betting was over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """How a rulebook decides where books differ.

    Each field is a choice of house rulebooks too: it has its question, and what each answer means, in
    `choices.CHOICES`. Its type says the answers: a `Literal` of words, true and false, or a whole number. The
    default is what the TDA's books decide, if nothing else is written there.
    """

    misdeal_until: Literal["substantial-action", "first-action", "two-acted"] = "substantial-action"
    # A wrong count found too late: the hand is dead and its bets stay; or what becomes of them depends on who
    # has acted.
    late_count: Literal["forfeit", "by-action"] = "forfeit"
    # A boxed card does not play and is replaced; this number of them fouls the deck (0: no number does).
    boxed_replaced: bool = False
    boxed_fouls: int = 0
    # Too many flop cards, or a flop without a burn, go back into the stub instead of being scrambled on the
    # table.
    flop_goes_back: bool = False
    # A card of stud's next street that came before the betting was over goes back and the burn with it or
    # not; or it plays, and the round is closed at what was bet.
    premature_stud: Literal["stays", "again-then-none", "plays"] = "stays"
    # Stud: a downcard exposed in the initial deal becomes the upcard, or two or three open cards of one
    # player are a misdeal.
    stud_exposed: Literal["upcard", "two", "three"] = "upcard"
    # Stud: the last card, exposed by the dealer, is replaced while betting remains; or the others come face
    # up too: heads-up only, or if it is the first of them.
    last_card_exposed: Literal["replaced", "heads-up-up", "first-up"] = "replaced"
    # Stud: who posts the bring-in when the low card is all-in for its ante.
    bring_in_all_in: Literal["next-seat", "next-card"] = "next-seat"
    # Stud: whether a pair that lies open on fourth street may bet the big bet.
    open_pair: Literal["no", "big-bet"] = "no"
    # Stud: too few cards for the last street are made up by one card for all if the burns do not suffice,
    # by one card for all in any case, or by the burns.
    short_stud: Literal["community", "always-community", "burns"] = "community"
    # Draw games: a stub too short for a draw is shuffled with what comes back, or is dealt before that; or
    # nothing comes back, and the floor rules.
    short_draw: Literal["shuffled", "dealt-first", "floor"] = "shuffled"
    # What comes back beside the discards of the others: those of the seat that draws, folded hands, burns.
    draw_own: bool = False
    draw_folded: bool = False
    draw_burns: bool = False
    # Draw games: whether the last card of the stub is dealt as any other.
    draw_last_card: bool = True
    # Seven-card stud: who folds to the bring-in or behind checks goes on being dealt cards until the next
    # bet.
    folded_gets_cards: bool = False
    # Stud: who gets odd chips; and whether seats that win both ways divide the whole pot instead of each
    # half.
    odd_chip_stud: Literal["suit", "order"] = "suit"
    both_ways: Literal["each-half", "whole-pot"] = "each-half"
    # A player who shows one card, or the whole hand, before the betting is over has a dead hand.
    expose_kills: Literal["never", "card", "hand"] = "never"
    # What running out of time does to a hand that faces no bet.
    clock_without_bet: Literal["check", "dead", "dead-in-cash"] = "check"
    # The seconds of a clock that is called, those of the countdown after it, and whether the floor may change
    # them or only make them shorter.
    clock_s: int = 25
    countdown_s: int = 5
    clock_change: Literal["any", "shorter"] = "any"
    # Less than the call: binding or the floor's, or the player's choice between completing and folding, as
    # with less than a least bet or raise, which all other books make good.
    undercall: Literal["floor", "choice"] = "floor"
    # "Raise", the call pushed forward, then the raise in a motion of its own: allowed, or the first motion
    # stands.
    two_motions: bool = False
    # Several chips, when one can be spared, are a raise from half a raise, or always; or half a raise is
    # asked of all chips, whether any can be spared or not.
    several_chips: Literal["half", "raise", "half-of-all"] = "half"
    # What opens the betting again to a seat that has acted: short all-ins whose sum is a full raise, or only
    # a full raise.
    reopened_by: Literal["sum", "full-raise"] = "sum"
    # Over a short all-in the least raise adds a full one to it, or completes it to a full one.
    over_short_all_in: Literal["adds", "completes"] = "adds"
    # A bet out of turn whose action changed goes back, or stays in the pot.
    released_chips: Literal["back", "stay"] = "back"
    # What a seat did that the dealer asked to act before its turn: as any action out of turn, or its own to
    # change until the next seat acts.
    called_too_early: Literal["binds", "may-change"] = "binds"
    # A seat that calls and checks out of turn went past: the floor's to rule on, or it answers as if it had
    # not been skipped.
    skipped_seat: Literal["floor", "answers"] = "floor"
    # A wrong amount in limit: put right whenever it is noticed; or it stands for the round when two seats
    # have acted on it.
    wrong_limit_bet: Literal["put-right", "stands"] = "put-right"
    # The most raises of a round in limit, after the bet (0: the house's cap); and whether it holds if two
    # began the round.
    raise_cap: int = 0
    cap_heads_up: bool = True
    # Nobody gets two odd chips over successive pots.
    odd_chip_once: bool = False
    # Asking to see a hand is a right of who called on the last street, or the floor's in every case.
    asking: Literal["right", "floor"] = "right"
    # Who tabled the winning hand wins although it was mucked; or only when the floor rules so.
    mucked_winner: Literal["wins", "floor"] = "wins"
    # Until when what was paid for a hand may be disputed; how a hand was read, until the next one begins.
    disputes: Literal["substantial-action", "next-hand", "always"] = "substantial-action"
    # Until when a fouled deck voids the hand.
    fouled_until: Literal["award", "next-hand"] = "award"
    # Marked cards are dealt with by when they are found, instead of as a fouled deck.
    marked_by_time: bool = False
    # A big blind that cannot pay both blind and its ante for all: which of them its chips fill first.
    short_big_blind: Literal["blind-first", "ante-first"] = "blind-first"
    # Bets of the pot before the flop count the small blind of an empty seat, as they always count short ones
    # in full.
    dead_blind_counts: bool = False
    # A button that is set elsewhere during a hand is for the next hand, or puts right this one until
    # substantial action.
    button_error: Literal["next-hand", "put-right"] = "next-hand"
    # The dealer's push begins the next hand, so that a level announced during it is for the hand after.
    push_begins_hand: bool = False
    # Who was absent when a hand was dealt that is dealt again: killed there too, or free to play it if
    # present.
    redeal_absent: Literal["killed", "may-play"] = "may-play"
    # How many players may raise without looking before the cards; 0: there is no such raise.
    no_look_raises: int = 0
    # How many players two tables are combined to a final table of: nine of tables of eight or nine and seven
    # of smaller ones; or one more than a table has seats.
    final_table: Literal["none", "nine-or-seven", "one-more"] = "none"
    # Whether decks are made ready in the last minute of a break.
    decks_ready: bool = False
    # What is played if the house does not say it.
    format: Literal["tournament", "cash"] = "tournament"
    # Cash: what a player who comes to the table posts before it is dealt in.
    first_post: Literal["none", "small", "big"] = "none"
    # Cash: what a missed small blind alone is posted as.
    missed_small: Literal["dead", "live-big"] = "dead"
    # Cash: whether who comes to the table, or comes back, may be dealt in on the button and the small blind.
    enter_on_button: bool = True
    # A player with a live hand who leaves the table: the hand lives, or dies when its turn comes (in cash
    # games), or at once.
    leaving: Literal["lives", "dies-in-turn", "dies"] = "lives"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook(Decisions):
    """One rulebook as data. `rules` and `remedies` are keyed by finding and cause, or case; the cause `""`
    stands for any. An empty rule says that there is no clause for this cause. `parent`: the book whose
    changes this book is. `ladders`: by offence, what it gives.

    `misdeals`: the causes for which the book has the cards dealt again while it is in time, which is until
    `misdeal_until`. `mendable`: those of them that are first reported as `deal-order`, for the floor to rule
    whether the deal can be put right. `voiding`: the causes of a fouled deck that stop the hand by
    themselves, whenever found; others are the floor's. `premature`: by street, what becomes of its burn if it
    came before the betting was over.
    """

    name: str
    title: str
    rules: Mapping[Key, str]
    remedies: Mapping[Key, tuple[str, ...]]
    misdeals: frozenset[str]
    voiding: frozenset[str]
    clauses: tuple[Clause, ...] = ()
    parent: str = ""
    ladders: Mapping[str, Ladder] = field(default_factory=dict)
    mendable: frozenset[str] = frozenset()
    premature: Mapping[str, Burned] = field(
        default_factory=lambda: {"flop": "stays", "turn": "stays", "river": "stays"}
    )

    def rule(self, finding: str, word: str = "") -> str | None:
        """The book's own number for this finding, or None if it has no clause. `word`: a cause or a case of
        the finding; a word that the book does not name has the rule of the finding. Raises ValueError for
        a word that the finding does not declare.
        """
        check_word(finding, word)
        number = self.rules.get((finding, word))
        return (self.rules.get((finding, "")) if number is None else number) or None

    def remedy(self, finding: str, word: str = "") -> tuple[str, ...]:
        """The steps that the book prescribes, in its order; empty if there is nothing to do. `word` as for
        `rule`, errors too.
        """
        check_word(finding, word)
        steps = self.remedies.get((finding, word))
        return self.remedies.get((finding, ""), ()) if steps is None else steps

    def findings(self, number: str) -> tuple[str, ...]:
        """What names this clause: `misdeal boxed-cards`; a finding alone if it does so whatever the cause."""
        return tuple(" ".join(filter(None, key)) for key, rule in self.rules.items() if rule == number)
