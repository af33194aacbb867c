"""Findings that belong to no hand: devices, tags, the record, and what was given out."""

from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup
from tablebridge.model.cards import UNKNOWN
from tablebridge.model.events import (
    Access,
    BrokenJournal,
    ClonedTag,
    DeviceState,
    Disclosure,
    Doubt,
    ForeignTag,
    RestoredJournal,
)
from tablebridge.model.fault import Fault
from tablebridge.model.places import seat_place


def foreign_tag(setup: Setup, notes: Notes, event: ForeignTag) -> None:
    """A tag that is no card of the deck in play. Of another deck: fouled; of none: something lies where it
    should not.
    """
    if event.deck is not None:
        notes.find(
            setup.book,
            "fouled-deck",
            f"A card of another deck ({event.deck}) is at {event.place}.",
            cause="foreign-card",
        )
    else:
        notes.find(setup.book, "card-out-of-place", f"A tag that belongs to no deck is at {event.place}.")


def cloned_tag(setup: Setup, notes: Notes, event: ClonedTag) -> None:
    first, second = event.places
    notes.find(
        setup.book,
        "cloned-tag",
        f"One tag answers at two places at once: {first} and {second}.",
        cards=(event.card,),
    )


def doubt(setup: Setup, notes: Notes, event: Doubt) -> None:
    """The readings do not settle where a card is. The doubt stands until the hand is over or one place is
    nearly sure.
    """
    odds = sorted(event.odds.items(), key=lambda item: (-item[1], item[0]))
    if odds and odds[0][1] >= 0.99:
        setup.doubts.pop(event.card, None)
        return
    nowhere = 1 - sum(event.odds.values())
    places = ", ".join(
        [
            *(f"{place} {probability:.0%}" for place, probability in odds),
            *([f"out of every field {nowhere:.0%}"] if nowhere >= 0.005 else []),
        ]
    )
    notes.find(
        setup.book,
        "sensing-doubt",
        f"The readings do not settle where a card is: {places}.",
        cards=() if event.card == UNKNOWN else (event.card,),
    )
    setup.doubts[event.card] = notes.findings[-1]


def device(setup: Setup, hand: Hand | None, notes: Notes, event: DeviceState) -> None:
    """A device is lost, stale or live again, readings of it can never come, a card's tag fell silent under
    it, or it says of itself how it does.
    """
    if event.health:
        _health(setup, notes, event)
    else:
        _state(setup, hand, notes, event)
    if hand is not None and not hand.deal.over:
        hand.deal.not_missed_at(unwatched(setup, hand.order))


def _state(setup: Setup, hand: Hand | None, notes: Notes, event: DeviceState) -> None:
    setup.device_findings.pop(event.device, None)
    if event.state == "live":
        setup.lost.pop(event.device, None)
    else:
        # What it reported of itself is forgotten: when it is back, its driver reports it again.
        for known in (setup.lost, setup.device_findings):
            for key in [key for key in known if key.startswith(f"{event.device} ")]:
                del known[key]
        setup.lost[event.device] = frozenset(event.places)
    if event.state == "lost":
        unread = f" {', '.join(event.places)} cannot be read." if event.places else ""
        _of_device(setup, notes, event, "device-offline", f"The device {event.device} is lost.{unread}")
        setup.device_findings[event.device] = notes.findings[-1]
    elif event.state == "stale":
        _degraded(setup, notes, event, "stale", f"The device {event.device} has stopped answering.")
        setup.device_findings[event.device] = notes.findings[-1]
    if event.gap:
        _degraded(setup, notes, event, "gap", f"{event.gap} readings of {event.device} are lost for good.")
    if event.silent is not None:
        notes.find(
            setup.book,
            "device-degraded",
            "The tag of a card on the board has stopped answering.",
            cause="tag",
            device=event.device,
            cards=(event.silent,),
            public_cards=(event.silent,) if hand is not None and event.silent in hand.felt.open_cards else (),
            remedy=("finish-hand-then-replace",),
        )
    if event.unknown:
        sentence = f"A device that the site file does not name is plugged in: {event.unknown}."
        _of_device(setup, notes, event, "device-unknown", sentence)


def _degraded(setup: Setup, notes: Notes, event: DeviceState, cause: str, sentence: str) -> None:
    notes.find(setup.book, "device-degraded", sentence, cause=cause, remedy=(), device=event.device)


def _of_device(setup: Setup, notes: Notes, event: DeviceState, finding: str, sentence: str) -> None:
    notes.find(setup.book, finding, sentence, remedy=(), device=event.device)


def _health(setup: Setup, notes: Notes, event: DeviceState) -> None:
    """What does not work at all hides its places, as a lost device does."""
    key = f"{event.device} {event.antenna}"
    setup.device_findings.pop(key, None)
    setup.lost.pop(key, None)
    if event.health == "ok":
        return
    failed = event.health == "failed"
    who = (
        f"The device {event.device}"
        if event.antenna is None
        else " ".join(
            (f"Antenna {event.antenna} of {event.device}", *(f"({place})" for place in event.places))
        )
    )
    how = "does not work" if failed else "works badly"
    _degraded(setup, notes, event, event.health, f"{who} {how}: {event.detail or 'no reason told'}.")
    setup.device_findings[key] = notes.findings[-1]
    if failed:
        setup.lost[key] = frozenset(event.places)


_FAULT_FINDINGS = {
    "too-many-tags": (
        "too-many-tags",
        None,
        (
            "An antenna of {device} reports more than 64 tags; {count} were left out. Take foreign tags away "
            "from it; if there are none, the reader is broken or is not ours."
        ),
    ),
    "overload": (
        "device-degraded",
        "overload",
        (
            "{device} sends more than the engine may spend on it; {count} of its readings have to wait, "
            "and all else goes on. Look at the device, or unplug it."
        ),
    ),
    "undecodable": (
        "set-aside",
        "undecodable",
        (
            "{count} messages of {device} could not be read and were set aside. Look at the device's "
            "driver, and at who may publish on its topics."
        ),
    ),
    "unforeseen": (
        "set-aside",
        "unforeseen",
        (
            "{count} messages of {device} met an error of the engine and were set aside; all else goes "
            "on. Report it: the log says where."
        ),
    ),
    "second-engine": (
        "second-engine",
        None,
        (
            "Another engine serves this table on the same broker, from another box or a copy of this one. "
            "It was started later and has to stop: find it, or two records of one table are written."
        ),
    ),
    "too-long": (
        "set-aside",
        "too-long",
        ("{count} pictures of this table are too long and could not be shown; the record has everything."),
    ),
}
"""Finding, cause and sentence of each fault."""


def fault(setup: Setup, notes: Notes, event: Fault) -> None:
    """Something was left out or set aside so that the table goes on."""
    finding, cause, sentence = _FAULT_FINDINGS[event.fault]
    notes.find(
        setup.book,
        finding,
        sentence.format(device=event.device or "another process", count=event.count),
        cause=cause,
        remedy=(),
        device=event.device,
    )


def broken_journal(setup: Setup, notes: Notes, event: BrokenJournal) -> None:
    """The record of what was before could not be verified; this one begins without it."""
    notes.find(
        setup.book,
        "journal-broken",
        f"The record of this table fails its own verification. It is kept as {event.file} "
        "and a new one begins here: tell the seats, button and stacks of the hand anew.",
        remedy=("call-floor",),
    )


def restored_journal(setup: Setup, notes: Notes, event: RestoredJournal) -> None:
    """The record before this one came from a backup, whose twin may have gone on."""
    notes.find(
        setup.book,
        "journal-restored",
        f"The record of this table was restored from the backup {event.backup}. Hands that were played after "
        "it was made are not in it: tell the seats, button and stacks, and see that the box from which the "
        "backup came plays this table no more.",
        remedy=("call-floor",),
    )


def access(setup: Setup, notes: Notes, event: Access) -> None:
    """Hole cards were given to somebody."""
    whom = f" to token {event.token}" if event.token else ""
    late = "" if event.delay_s is None else f", {event.delay_s:g} s late"
    notes.find(
        setup.book,
        "hole-card-access",
        f"Hole cards were given out through {event.feed}{whom}{late}.",
        remedy=(),
    )


def disclosure(setup: Setup, notes: Notes, event: Disclosure) -> None:
    """Hole cards are shown on other terms than before, which is for the floor to know."""
    notes.find(
        setup.book,
        "disclosure-changed",
        "The site file says something else of when hole cards are shown. "
        f"Before: {event.before}. Now: {event.terms}.",
        remedy=("stop-broadcast",),
    )


def unwatched(setup: Setup, seats: tuple[int, ...]) -> frozenset[int]:
    """Seats whose cards a dead device hides."""
    if not setup.lost:
        return frozenset()
    places = frozenset().union(*setup.lost.values())
    return frozenset(seat for seat in seats if seat_place(seat) in places)
