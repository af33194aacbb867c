"""What sensing assumes of people, cards and chips, beside how antennas read (`cards/rates.py`): every
probability, time and bound that is no part of the method itself, by name, in one place.

A field says its unit by its type: `Probability` and `Share` lie between 0 and 1, `PerVisit` is the
probability that something happens between two visits of an antenna, `Seconds` are a mean time or a wait,
`Visits` and `Reads` are numbers of visits of one antenna. Its source stands beside it: *assumed* is a guess
that was made before any data, from how poker is dealt and played; *set* is a choice of the method that trades
being sure against being late, and was made on emulated hands; *derived* says from what. Nobody has published
measurements of any of them.

The parts are frozen and are passed in: `Sensor(..., dynamics=Dynamics(seat=SeatTimes(look_s=6.0)))`. What
cannot be, a probability of 1.2 or a wait below zero, raises ValueError.
"""

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

Probability = Annotated[float, Meta(gt=0, lt=1)]
Share = Probability
PerVisit = Probability
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Visits = Annotated[int, Meta(ge=1, le=100_000)]
Reads = Visits
Number = Annotated[float, Meta(gt=0, le=1e6)]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some of the assumptions. A value out of its range raises ValueError."""

    def __post_init__(self) -> None:
        for field in msgspec.structs.fields(self):
            value: Any = getattr(self, field.name)
            try:
                msgspec.convert(value, field.type)
            except msgspec.ValidationError as error:
                raise ValueError(f"{type(self).__name__}.{field.name} is {value!r}: {error}") from None


class DealOdds(Part, frozen=True):
    """Where the card went that left the stub just now, before anything is read of it (`cards/prior.py`).

    The probabilities need not sum to one: each is held against the stub alone.
    """

    given_card: Probability = 1 / 40
    """A given card of the stub is the one that leaves it: assumed, of some forty cards."""
    next_seat: Probability = 0.6
    """To the seat that is due: assumed."""
    later_seat: Probability = 0.001
    """To a seat that is due later, since cards before it were not read or the order is wrong: assumed."""
    full_seat: Probability = 1e-4
    """To a seat that has all its cards: assumed, one card of some hundred deals."""
    lacking_seat: Probability = 0.3
    """To a live seat that has fewer cards than others and is not due, or not any more: assumed."""
    deal_board: Probability = 0.0005
    deal_burn: Probability = 0.03
    deal_muck: Probability = 0.0003
    """To board, burns or muck while seats are due; to the burns once all of them may have their cards:
    assumed.
    """
    burn: Probability = 0.03
    """To the burns when one is due, or was due before the last street and was not read: assumed. Small, since
    a card is burned beside the muck and the stub.
    """
    board: Probability = 0.5
    """To the board when a street is due: assumed."""
    board_before_burn: Probability = 0.1
    """To the board when a burn is due and was not read: assumed; times `Rates.unread`."""
    undue: Probability = 0.001
    """To the board or the burns when nothing is due there: assumed."""
    muck: Probability = 0.0005
    """To the muck when no seat is due: assumed."""
    unforeseen: Probability = 1e-6
    """To a place about which nothing is known: assumed."""


class LeaveOdds(Part, frozen=True):
    """Where a card goes that left its place, which is not the stub (`cards/prior.py`); all assumed."""

    leaves: PerVisit = 0.003
    """A card of a seat, the board or the burns leaves its place."""
    leaves_muck: PerVisit = 0.0005
    """A card of the muck leaves it."""
    covers_muck: PerVisit = 0.02
    """A card that is not known yet comes to lie on the muck, so that those below are read otherwise."""
    back_in_muck: Probability = 0.5
    """A card of the muck that lies nowhere else and is read there again was put back."""
    muck_to_stub: Probability = 1e-9
    muck_to_other: Probability = 0.001
    shared_to_muck: Probability = 0.05
    shared_to_stub: Probability = 1e-4
    shared_to_other: Probability = 1e-7
    """From the board or the burns."""
    seat_to_muck: Probability = 0.45
    seat_to_stub: Probability = 1e-9
    seat_to_other: Probability = 1e-8
    dealt_to_muck: Probability = 0.02
    dealt_to_other: Probability = 5e-5
    """From a seat while cards are dealt."""
    air_read_at_home: Probability = 0.02
    air_read_elsewhere: Probability = 0.001
    """A card that lies nowhere is read at the place that it left, or at another."""


class FoldTimes(Part, frozen=True):
    """Mean times until a seat's cards are pushed to the muck, all assumed: from where they lie, from when
    they are taken up, and from when they are held for longer.
    """

    lying_s: Seconds
    held_s: Seconds
    longer_s: Seconds


class SeatTimes(Part, frozen=True):
    """How a seat's cards are handled (`cards/seat.py`): mean times in each state, all assumed."""

    look_s: Seconds = 8.0
    """Until cards that lie are looked at."""
    held_s: Seconds = 0.9
    """Each of the two stages of a look: together they last 0.8 to 3 s mostly."""
    way_s: Seconds = 0.7
    """On the way to the muck: pushed cards arrive within 0.5 to 1.5 s."""
    alone_up_s: Seconds = 60.0
    """Until a given card is taken up alone."""
    alone_back_s: Seconds = 20.0
    alone_joined_s: Seconds = 20.0
    """Until a card that is held up alone is put back, or the others are taken up as well."""
    folds_per_alone: Number = 500.0
    """One fold in this many leaves a given card alone in the muck: an irregularity."""
    follow_s: Seconds = 10.0
    """Until the others follow a card that lies in the muck alone."""
    dealing: FoldTimes = FoldTimes(4000.0, 1500.0, 800.0)
    playing: FoldTimes = FoldTimes(40.0, 15.0, 8.0)
    drawing: FoldTimes = FoldTimes(15.0, 4.0, 4.0)
    ending: FoldTimes = FoldTimes(8.0, 3.0, 3.0)
    """While cards are dealt, while the hand is played, while cards are exchanged, and when it ends: everybody
    folds then.
    """
    folds_together: Share = 0.9
    """When a card of a seat is concluded to lie in the muck, those of its seat that are not looked at with it
    went there too in this share of cases.
    """
    near_muck: Probability = 0.01
    """A card under way is read in one visit by an antenna at or beside the muck."""
    still_over: Probability = 0.3
    """It is read again in one visit by the antenna that read it last."""
    far_over: Number = 10.0
    """It is read by any other antenna this many times as often as a ghost (`Rates.ghost`)."""
    covered: Share = 0.5
    """When a further card comes to lie here, the others lie differently in this share of cases."""
    same_edge: Share = 0.3
    """A card that was near the edge of another field is near it again after a look in this share of cases:
    assumed.
    """
    step_s: Seconds = 0.2
    """Time passes in steps of at most this: set; the error of a step is small against `held_s`."""
    longest_s: Seconds = 4.0
    """Of a longer time without a visit nothing more is concluded: set."""

    def __post_init__(self) -> None:
        Part.__post_init__(self)
        per_s = [1 / self.way_s, 1 / self.follow_s, 1 / self.alone_back_s + 1 / self.alone_joined_s]
        for fold in (self.dealing, self.playing, self.drawing, self.ending):
            per_s.append(1 / self.held_s + 1 / min(fold.held_s, fold.longer_s))
            per_s.append(1 / self.look_s + 1 / fold.lying_s + 4 / self.alone_up_s)
        if self.step_s * max(per_s) > 1:
            raise ValueError(f"SeatTimes.step_s is {self.step_s!r}: cards leave some state faster than that")


class PlacementOdds(Part, frozen=True):
    """How a card that lies somewhere is read, beside its quality (`cards/placement.py`)."""

    lifted: PerVisit = 0.02
    """A card that has just come to a seat is taken up again: assumed."""
    put_back: PerVisit = 0.15
    """It is put back, and lies there with another quality: assumed."""
    lifted_read: Probability = 0.03
    """A card that is held up is read in one visit: assumed."""
    shared_missed: Probability = 0.85
    """One of several antennas of a place misses a card that lies there: assumed."""
    landing_visits: Visits = 4
    """A card that was visited no more often may still have been on its way: assumed."""
    most_edge: Probability = 0.995
    """That a card lies near an edge is never surer than this, so that it can be unlearnt: set."""


class FilterBounds(Part, frozen=True):
    """When the card filter believes what, and how much it takes from one report (`cards/bayes_filter.py`);
    all set.
    """

    report_visits: Visits = 12
    """One report proves no more than this many visits do: what it says may be wrong as a whole."""
    certain: Probability = 1 - 1e-6
    """Nothing is reported surer than this."""
    in_stub: Probability = 0.9999
    """This sure to lie in the stub, a card is no longer followed."""
    landed: Probability = 0.9
    """A card that is concluded to lie at a place lies there at least as surely as this at first."""
    elsewhere_factor: Number = 10.0
    """A move about which the rules know nothing must be surer than others: its doubt is smaller by this
    factor.
    """
    elsewhere_place: Probability = 0.95
    """The share of one place among those to which such a card may have gone."""
    gone_at_end: Probability = 0.5
    """A card that is rather gone than not went to the muck, once the hand is over."""
    strange_harsh: Share = 1 / 3
    """Of tables about which nothing is known yet, this share is as noisy as the harshest level: assumed. It
    says how long a card may be unread before its seat counts as passed over.
    """
    rather: Probability = 0.5
    """Cards that are likelier than this to lie still are taken to do so, if a report is too old to say it."""
    dropped: Probability = 1e-12
    """A placement that is less likely than this is dropped. Small: a placement that comes back after it was
    dropped has lost what spoke against it.
    """
    smallest_odds: Probability = 0.001
    """Less likely places are left out of the odds that people see."""
    still_misses: Visits = 3
    """Between two reads of a card that lies still there are no more misses than this."""
    dealing_s: Seconds = 4.0
    """While seats are due the deal is under way for this long after a card came to a seat."""
    leftover_visits: Visits = 30
    """After this many visits a card of the hand before is one of this hand, wherever it is read."""
    leftover_weight: Probability = 0.01
    """Where a card of the hand before lay with at least this probability, it may still be read."""
    silent_visits: Visits = 8
    """An antenna that missed a card in this many visits does not read it any more."""
    last_reads: Reads = 8
    still_read: Reads = 2
    """Of the first number of last reads of a card the second may be of the place that it left."""
    flight_s: Seconds = 0.2
    """A card on its way to another seat is read over a seat that is not the next for no longer than this:
    assumed.
    """
    shown: Reads = 3
    """This often a card was read elsewhere since its place read it last."""


class StubOdds(Part, frozen=True):
    """What the silence of a card in the stub says (`cards/unread.py`)."""

    alpha: Number = 0.5
    beta: Number = 2.5
    """The beta distribution of how often the stub's antenna reads one card in a visit: assumed; few cards
    are read often, most of them hardly ever.
    """
    falls_silent: PerVisit = 1e-5
    """A card falls silent in the stub by itself: assumed."""
    nothing_came: Probability = 1e-3
    """Nothing went to a place that lacks a card: assumed."""
    fewest_cards: Number = 20.0
    """The stub holds at least this many cards that may each be the missing one: assumed."""
    concluded: Probability = 0.99
    """A card is concluded to lie at a place when it is this sure: set."""
    mostly: Probability = 0.9
    """A card that was read elsewhere, too, must have been read mostly at that place: set."""
    deal_s: Seconds = 4.0
    street_s: Seconds = 4.0
    """This long after the last card of a deal, or after the first of a street, a card is missed: assumed."""
    turn_s: Seconds = 6.0
    """This long after its burn a turn or river is missed: assumed."""
    before_street_s: Seconds = 5.0
    """The burn left the stub no earlier than this before its street was read: assumed."""
    flop_before_s: Seconds = 3.0
    flop_after_s: Seconds = 1.0
    """A card of the flop left the stub at most this long before and after the first one was read: assumed."""
    turn_before_s: Seconds = 1.0
    turn_after_s: Seconds = 3.0
    """The same of a turn or river and its burn: assumed."""
    card_before_s: Seconds = 3.0
    card_after_s: Seconds = 2.0
    """A card of the deal left the stub at most this long before the one after it was read; if it is the last,
    before and after the last one that was read: assumed.
    """


class CrossOdds(Part, frozen=True):
    """What is assumed of cards that other antennas read, before it is learned (`cards/cross_reads.py`)."""

    loud_near: Probability = 0.02
    loud_far: Probability = 0.001
    """The far rate of a pair of neighbours, of another pair, is higher than the level of noise makes it:
    assumed.
    """
    loud_shape: Number = 0.5
    loud_visits: Number = 50.0
    """The gamma distribution of such a rate: assumed; a percent, give or take a factor of ten."""
    pool_pairs: Number = 30.0
    """The weight of the assumed share of loud pairs, in pairs: set."""
    most_far: Probability = 0.2
    """No far rate is higher: set. Where it is, two antennas are one."""
    strange_edge: Probability = 0.01
    """A read by an antenna whose field is not known to touch is this much rarer for a card at its edge than
    for any card: assumed.
    """
    edge_learned: Probability = 0.002
    """The share of edges by which a stay is judged, at least: set."""
    edge_stays: Number = 30.0
    """The weight of the assumed share of edges, in stays: set."""
    most_edge: Probability = 0.3
    """No more placements are near one edge than this share: set."""
    notable: Probability = 1e-3
    """From this far rate or share of edges on, a card that is read at one place may well lie at the other:
    set.
    """
    reported: Probability = 0.01
    reported_reads: Number = 20.0
    """A pair whose far rate is at least this, after this many cross-reads, is reported, until it is half of
    this: set.
    """
    kept: Probability = 0.98
    """The weight of what was counted after each hand: set; fifty hands count."""
    lifted: Probability = 1e-4
    longest_gap: Visits = 200
    """A gap that is less likely than this, or longer than this, is no chance: the card was lifted; set."""
    sure: Probability = 0.99
    """A card lies where it is read, for what was read of it elsewhere to count: set."""


class ExcessOdds(Part, frozen=True):
    """When the antennas of a table read each other's cards more than the filter can hold
    (`cards/excess.py`).
    """

    edge: Share = 0.2
    """At most this share of stays is near a given edge: set, twice the harshest level of noise."""
    far: PerVisit = 0.01
    """At most this often other antennas together read a card that lies well: set, for two neighbours half a
    percent each.
    """
    before: Number = 0.3
    """Cards that are counted by mistake, in a hand: assumed."""
    fewest: Number = 5.0
    """Of fewer cards nothing is concluded: set."""
    chance: Probability = 1e-4
    """A table that the filter can hold is doubted with this probability at most: set."""
    antennas: Visits = 4
    """If this number of a table's antennas are known to read cards of other places, at half of
    `CrossOdds.reported` or more, the table is doubted as a hand begins: set.
    """


class PlaceOdds(Part, frozen=True):
    """How much the antennas of one table differ from each other (`cards/rates.py`)."""

    spread: Number = 0.5
    """The standard deviation of the places of a table, logits: assumed."""
    most: Number = 2.5
    """No place differs by more than this, logits: set."""
    fewest_stays: Number = 3.0
    """Of a place with fewer stays nothing is concluded: set."""
    unlike_play: Number = 0.4
    """A card that lies alone differs by so much from those in play at the same place, logits: assumed."""
    measured_stays: Number = 6.0
    """What was measured with one card counts like this number of stays at most: set."""
    measured_kept: Probability = 0.85
    """The weight of what was measured after each hand: set; after a dozen hands it counts next to nothing."""
    judged_stays: Number = 10.0
    beyond: Number = 0.6
    """An antenna that misses more than at the harshest level of noise by this many logits, after this many
    stays, is reported, until it is half of this: set.
    """


class EventWaits(Part, frozen=True):
    """What events wait for (`events/`): visits count, and time only if an antenna falls silent; all set on
    emulated hands unless they say otherwise.
    """

    passed_visits: Visits = 8
    """A seat whose antenna reads nothing new for this many visits was passed over in the deal."""
    partner_visits: Visits = 20
    """A card in the muck waits this long for the other cards of its seat."""
    left_visits: Visits = 4
    """A card has left its place once the antenna there missed it this often in a row."""
    passed_over: Probability = 2e-4
    """The share of a deal's cards that a dealer forgets: one in three hundred hands, assumed."""
    dealt_unread: Probability = 0.9
    """A card that was not read is reported as dealt when it is as likely as this."""
    first_unread: Probability = 0.006
    """If a card of the first seat would be unread for so long with no more than this probability, the deal
    began elsewhere: a misdeal.
    """
    most_doubted: Probability = 0.98
    """What is surer is no doubt."""
    street_quiet_visits: Visits = 3
    """The cards of a street are complete after this many visits of the board that read nothing new."""
    street_short_visits: Visits = 12
    """The longest wait for what a street lacks: cards of a flop, or a burn."""
    landed_reads: Reads = 4
    """A card that was read this often at the board or the burns lies there,"""
    flight_s: Seconds = 0.4
    """as does one that is read there again after the time of a flight."""
    hold_s: Seconds = 3.0
    """What is held waits no longer than this; cards that were read this soon after a street came with it."""
    begin_s: Seconds = 20.0
    """A deal that cannot begin, or end, since a seat's antenna says nothing sure waits no longer than this,
    even if nobody acts: set.
    """
    burn_s: Seconds = 2.0
    """A street waits this long for its burn."""
    settle_s: Seconds = 1.5
    """An antenna that is not visited for this long has fallen silent."""


class PresenceBounds(Part, frozen=True):
    """When a card before a seat counts as lifted (`events/presence.py`); all set."""

    lifted: Probability = 0.9
    back: Probability = 0.3
    """It is gone with at least the one probability; it is back when that falls below the other."""
    long_visits: Visits = 150
    """Nobody looks at a card for longer: eleven seconds with four readers, fifty with one; looks last three
    at most (assumed).
    """

    def __post_init__(self) -> None:
        Part.__post_init__(self)
        if self.back >= self.lifted:
            raise ValueError(f"PresenceBounds.back is {self.back!r}: it must be less than lifted")


class CloneBounds(Part, frozen=True):
    """When a tag that answers at two places is a copy or a doubt (`events/clones.py`); all set."""

    visits: Visits = 24
    copy_rate: Probability = 0.6
    doubt_rate: Probability = 0.3
    doubt_ratio: Number = 1.5
    """After this many visits of both places: both read it at least at this rate, or neither this many times
    as often as the other.
    """
    settled: Probability = 0.95
    """If the filter is this sure where the card lies, that is no doubt."""
    taken_back: Probability = 0.95
    """A card of the board that is this likely gone and is read there again came from the stub."""


class TagBounds(Part, frozen=True):
    """When a tag that does not belong here is reported (`tags/strays.py`); all set."""

    foreign_reads: Reads = 3
    """One read may be a ghost; this many are a tag."""
    most_chips: Visits = 8
    """Foreign chips per hand: of a whole rack that nobody enrolled some are reported."""


class ChipBounds(Part, frozen=True):
    """When chips have come, gone, or are counted (`chips/`); all set."""

    reads: Reads = 2
    """A chip is there from this answer on."""
    quiet_visits: Visits = 5
    most_quiet_visits: Visits = 40
    missed: Probability = 0.05
    """Chips came in one motion if none further was met until the rarest of them would have kept silent with
    this probability: after at least the first, at most the second number of visits.
    """
    gone_visits: Visits = 20
    most_silent_visits: Visits = 400
    chance: Probability = 1e-4
    """A chip is gone if it would be silent for that long with less than this chance: after at least the
    first, at most the second number of visits.
    """
    few_reads: Number = 5.0
    """The weight of "rarely" against few answers in a row."""
    rarest: Probability = 0.01
    """No chip is expected to answer more rarely than this per visit: a bound of the waits."""
    report_visits: Visits = 4
    """One report proves the silence of no more visits than this many."""
    settle_s: Seconds = 1.5
    """An antenna that is not visited for this long has fallen silent."""
    further_s: Seconds = 4.0
    """Chips wait no longer than this for further ones."""
    counted_s: Seconds = 4.0
    """A count of the tray or the pot is reported when it has stood for this long: hands are in the tray."""
    stack_visits: Visits = 20
    """A stack is counted after at least this many visits in which no chip came or went."""
    stack_error: Probability = 1e-3
    """A stack is worth less or more than its count allows with about this probability each."""
    never_read: Probability = 0.003
    """The share of chips in a stack that never answer where they lie: assumed."""
    most_unread: Probability = 0.05
    """If a chip of a stack would be unread so far with a higher probability, it is not counted yet."""
    shared_ratio: Number = 2.0
    """A chip that two antennas read is surely of one that reads it more often by this factor."""
    silent_chance: Probability = 0.01
    """A chip that would be silent for so long with less than this chance may have left the stack."""
    clone_visits: Visits = 100
    clone_rate: Probability = 0.5
    """A chip that answers at two places that do not touch, at this rate after this many visits, is two chips.
    """


class CameraOdds(Part, frozen=True):
    """What is assumed of a camera beside its own odds (`camera/looks.py`)."""

    exposed: Probability = 0.01
    """A card that was dealt and is looked at was exposed: assumed."""
    boxed: Probability = 0.01
    """A placement that is looked at shows a boxed card: assumed."""
    concluded: Probability = 0.95
    """It is reported when it is this sure: set. A camera has to say some two thousand to one."""


class Dynamics(Part, frozen=True):
    """Everything that sensing assumes beside `Rates`."""

    deal: DealOdds = DealOdds()
    leave: LeaveOdds = LeaveOdds()
    seat: SeatTimes = SeatTimes()
    placement: PlacementOdds = PlacementOdds()
    filter: FilterBounds = FilterBounds()
    stub: StubOdds = StubOdds()
    cross: CrossOdds = CrossOdds()
    excess: ExcessOdds = ExcessOdds()
    place: PlaceOdds = PlaceOdds()
    events: EventWaits = EventWaits()
    presence: PresenceBounds = PresenceBounds()
    clones: CloneBounds = CloneBounds()
    tags: TagBounds = TagBounds()
    chips: ChipBounds = ChipBounds()
    camera: CameraOdds = CameraOdds()


ASSUMED: Final = Dynamics()
"""What is assumed of a table before anything was learnt from it."""


def to_ns(seconds: float) -> int:
    """Seconds as whole nanoseconds."""
    return round(seconds * 1e9)


def earliest(*waits: int | None) -> int | None:
    """When the first of these waits ends, in monotonic ns; None if there is none."""
    first = None
    for wait in waits:
        if wait is not None and (first is None or wait < first):
            first = wait
    return first
