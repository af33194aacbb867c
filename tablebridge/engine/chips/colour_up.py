"""The lines of a chip race (`race.py`), between hands."""

from typing import Final

from tablebridge.engine.chips import race as racing
from tablebridge.engine.chips.inventory import counts, worth
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import UNKNOWN_STACK, Setup
from tablebridge.model.cards import DECK_52, face
from tablebridge.model.chip_events import ChipsOf, Exchange, Race, RaceCard, RaceOver

_BETWEEN: Final = "Chips are counted and changed between hands."
_STEPS: Final = {
    "exchanged": ("exchange-equal",),
    "award": ("race-award",),
    "kept-in": ("give-one-chip",),
    "removed": ("remove-chips",),
}
_NO_RACE: Final = "There is no chip race to decide."


def chips_of(setup: Setup, hand: Hand | None, notes: Notes, event: ChipsOf) -> None:
    """The chips of a seat were counted: its stack, unless a race is decided that says otherwise."""
    if _not_now(setup, hand, notes, event.seat):
        return
    chips, seat, race = counts(event.chips), event.seat, setup.race
    if race is not None and not race.over:
        notes.ignored = "A chip race is on: its chips are counted already."
        return
    value, stack = worth(chips), setup.stack(event.seat)
    known = seat in setup.chips_of and worth(setup.chips_of[seat]) == stack
    if known and value > stack and race is not None and race.over and seat in race.odd:
        notes.find(
            setup.book,
            "race",
            cause="too-many",
            seat=seat,
            args={"more": value - stack},
            remedy=("return-excess",),
        )
        return
    if known and value != stack:
        notes.find(setup.book, "pot-mismatch", "stack", args={"amount": value, "stack": stack}, seat=seat)
    setup.chips_of = {**setup.chips_of, seat: chips}
    setup.stacks[seat] = value


def race(setup: Setup, hand: Hand | None, notes: Notes, event: Race) -> None:
    """Chips leave play: each seat changes them, and what is left over is raced for (24-A)."""
    if _not_now(setup, hand, notes):
        return
    leaving, staying = event.leaving, event.staying
    if wrong := _wrong(setup, leaving, staying):
        notes.ignored = wrong
        return
    stacks = {
        seat: (setup.stack(seat), _number_of(setup, seat, leaving, staying))
        for seat in setup.seats
        if 0 < setup.stack(seat) < UNKNOWN_STACK
    }
    setup.race = begun = racing.begun(leaving, staying, stacks, setup.house.get("race-remainder", "half"))
    for seat, (_, number) in stacks.items():
        if number > begun.odd[seat]:
            changed = (number - begun.odd[seat]) * leaving
            notes.find(
                setup.book,
                "race",
                cause="exchanged",
                seat=seat,
                args={"amount": changed, "leaving": leaving, "staying": staying},
                remedy=_STEPS["exchanged"],
            )
    if begun.racing:
        notes.find(
            setup.book,
            "race",
            cause="draw-due",
            args={"prizes": begun.prizes, "staying": staying, "seats": racing.draws(begun)},
        )


def race_card(setup: Setup, hand: Hand | None, notes: Notes, event: RaceCard) -> None:
    """A seat was dealt its cards."""
    race, cards = setup.race, tuple(event.cards)
    if race is None or race.over:
        notes.ignored = _NO_RACE
        return
    odd = race.odd.get(event.seat, 0) if race.prizes else 0
    dealt = {face(card) for seat, held in race.cards.items() if seat != event.seat for card in held}
    faces = [face(card) for card in cards]
    if len(faces) != odd:
        notes.ignored = f"Seat {event.seat} races with {odd} odd chips: a card is due for each."
    elif not set(faces) <= set(DECK_52) or len({*faces}) < odd or not dealt.isdisjoint(faces):
        notes.ignored = "A card of a race is one of the deck that was not dealt in it yet."
    else:
        setup.race = race.dealt(event.seat, cards)


def race_over(setup: Setup, hand: Hand | None, notes: Notes, event: RaceOver) -> None:
    """The race is decided: the highest cards have won, and the chips of the denomination are gone."""
    race = setup.race
    if race is None or race.over:
        notes.ignored = _NO_RACE
        return
    missing = [seat for seat in race.racing if seat not in race.cards]
    if missing:
        notes.ignored = f"The cards of seat {missing[0]} are not known: the race is not decided."
        return
    setup.race = race = race.decided()
    for seat in sorted(race.won):
        _given(setup, notes, "award", seat, race.staying)
    for seat in race.kept_in:
        _given(setup, notes, "kept-in", seat, race.staying)
    counted = {seat: chips for seat, chips in setup.chips_of.items() if seat in race.odd}
    setup.chips_of = {seat: racing.without(race, seat, chips) for seat, chips in counted.items()}
    setup.stacks.update({seat: race.stack(seat) for seat in race.odd})
    setup.chips = tuple(value for value in setup.chips if value != race.leaving)
    setup.raced = {**setup.raced, race.leaving: race.staying}


def exchange(setup: Setup, hand: Hand | None, notes: Notes, event: Exchange) -> None:
    """Chips of a denomination that has left play were found: they are changed at equal value, and what does
    not reach a chip that plays leaves play (24-C).
    """
    if _not_now(setup, hand, notes, event.seat):
        return
    chips, seat = counts(event.chips), event.seat
    strange = [value for value in chips if value not in setup.raced]
    if strange or not chips or setup.stack(seat) >= UNKNOWN_STACK:
        notes.ignored = (
            f"Chips of {strange[0]} have not left play: there is nothing to change."
            if strange
            else f"The stack of seat {seat} is not known: count its chips first."
        )
        return
    gained = 0
    for value, number in sorted(chips.items()):
        staying = setup.raced[value]
        whole, rest = divmod(value * number, staying)
        about = {"leaving": value, "staying": staying}
        for cause, amount in (("exchanged", whole * staying), ("removed", rest)):
            if amount:
                args = {"amount": amount, **about}
                steps = _STEPS[cause]
                notes.find(setup.book, "race", cause=cause, seat=seat, case="found", args=args, remedy=steps)
        gained += whole * staying
    setup.stacks[seat] = setup.stack(seat) + gained
    setup.chips_of = {other: held for other, held in setup.chips_of.items() if other != seat}


def _given(setup: Setup, notes: Notes, cause: str, seat: int, staying: int) -> None:
    """The seat has won a chip, or is given one."""
    notes.find(setup.book, "race", cause=cause, seat=seat, args={"staying": staying}, remedy=_STEPS[cause])


def _not_now(setup: Setup, hand: Hand | None, notes: Notes, seat: int | None = None) -> bool:
    """Whether nothing can be counted now, said in the notes."""
    if hand is not None and not hand.over:
        notes.ignored = _BETWEEN
    elif seat is not None and seat not in setup.seats:
        notes.ignored = f"Nobody sits at seat {seat}."
    return bool(notes.ignored)


def _wrong(setup: Setup, leaving: int, staying: int) -> str:
    """Why there can be no such race; empty if there can."""
    if setup.race is not None and not setup.race.over:
        return "A chip race is on: it is decided first, with race-over."
    if leaving <= 0 or staying <= leaving or staying % leaving:
        return f"Chips of {leaving} cannot be changed for chips of {staying}."
    for value in (leaving, staying):
        if setup.chips and value not in setup.chips:
            return f"Chips of {value} are not in play."
    lower = [value for value in setup.chips if value < staying and value != leaving]
    if lower:
        return f"Chips of {lower[0]} stay in play: they are lower than those of {staying}."
    if not any(0 < setup.stack(seat) < UNKNOWN_STACK for seat in setup.seats):
        return "No stack is known: count the chips of each seat first."
    return ""


def _number_of(setup: Setup, seat: int, leaving: int, staying: int) -> int:
    """How many chips the seat has of the denomination that leaves; if they were not counted since its stack
    last changed, those that its stack has beyond the other denomination.
    """
    chips = setup.chips_of.get(seat)
    if chips is not None and worth(chips) == setup.stack(seat):
        return chips.get(leaving, 0)
    return setup.stack(seat) % staying // leaving
