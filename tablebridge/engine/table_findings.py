"""Findings that belong to no hand: devices, tags, the record, and what was given out."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

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
from tablebridge.model.findings import Arg
from tablebridge.model.places import seat_place
from tablebridge.model.sentences import PLAIN, fields_of, listed

_ACCESS: Final = {
    (False, False): "plain",
    (True, False): "token",
    (False, True): "late",
    (True, True): "token-late",
}
"""The sentence about hole cards that were given out, by whether a token and a delay are known."""


def foreign_tag(setup: Setup, notes: Notes, event: ForeignTag) -> None:
    """A tag that is no card of the deck in play. Of another deck: fouled; of none: something lies where it
    should not.
    """
    if event.deck is not None:
        notes.find(
            setup.book,
            "fouled-deck",
            args={"deck": event.deck, "place": event.place},
            cause="foreign-card",
        )
    else:
        notes.find(setup.book, "card-out-of-place", "foreign-tag", args={"place": event.place})


def cloned_tag(setup: Setup, notes: Notes, event: ClonedTag) -> None:
    first, second = event.places
    notes.find(
        setup.book,
        "cloned-tag",
        args={"first": first, "second": second},
        cards=(event.card,),
    )


def doubt(setup: Setup, notes: Notes, event: Doubt) -> None:
    """The readings do not settle where a card is. The doubt stands until the hand is over or one place is
    nearly sure.
    """
    odds: list[tuple[str, float]] = sorted(event.odds.items(), key=lambda item: (-item[1], item[0]))
    if odds and odds[0][1] >= 0.99:
        setup.doubts.pop(event.card, None)
        return
    nowhere = 1 - sum(event.odds.values())
    if nowhere >= 0.005:
        odds.append(("", nowhere))
    notes.find(
        setup.book,
        "sensing-doubt",
        args={"places": listed([{"place": place, "percent": round(100 * odd)} for place, odd in odds])},
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
        unread = listed([{"place": place} for place in event.places])
        args: dict[str, Arg] = {"device": event.device}
        if unread:
            args["places"] = unread
        notes.find(
            setup.book,
            "device-offline",
            "places" if unread else "",
            args=args,
            remedy=(),
            device=event.device,
        )
        setup.device_findings[event.device] = notes.findings[-1]
    elif event.state == "stale":
        _degraded(setup, notes, event, "stale")
        setup.device_findings[event.device] = notes.findings[-1]
    if event.gap:
        _degraded(setup, notes, event, "gap", args={"count": event.gap})
    if event.silent is not None:
        notes.find(
            setup.book,
            "device-degraded",
            cause="tag",
            device=event.device,
            cards=(event.silent,),
            public_cards=(event.silent,) if hand is not None and event.silent in hand.felt.open_cards else (),
            remedy=("finish-hand-then-replace",),
        )
    if event.unknown:
        notes.find(
            setup.book, "device-unknown", args={"found": event.unknown}, remedy=(), device=event.device
        )


def _degraded(
    setup: Setup,
    notes: Notes,
    event: DeviceState,
    cause: str,
    text: str = "",
    args: Mapping[str, Arg] = MappingProxyType({}),
) -> None:
    named = {"device": event.device, **args}
    notes.find(setup.book, "device-degraded", text, args=named, cause=cause, remedy=(), device=event.device)


def _health(setup: Setup, notes: Notes, event: DeviceState) -> None:
    """What does not work at all hides its places, as a lost device does."""
    key = f"{event.device} {event.antenna}"
    setup.device_findings.pop(key, None)
    setup.lost.pop(key, None)
    if event.health == "ok":
        return
    failed = event.health == "failed"
    args: dict[str, Arg] = {"why": event.detail}
    text: str = event.health
    if event.antenna is not None:
        text = f"antenna-{text}"
        args |= {"antenna": event.antenna, "places": "".join(f" ({place})" for place in event.places)}
    _degraded(setup, notes, event, event.health, text, args)
    setup.device_findings[key] = notes.findings[-1]
    if failed:
        setup.lost[key] = frozenset(event.places)


_FAULT_FINDINGS: Final = {
    "too-many-tags": ("too-many-tags", None),
    "overload": ("device-degraded", "overload"),
    "undecodable": ("set-aside", "undecodable"),
    "unforeseen": ("set-aside", "unforeseen"),
    "second-engine": ("second-engine", None),
    "too-long": ("set-aside", "too-long"),
    "unreached": ("notification-failed", None),
}
"""Finding and cause of each fault."""


def fault(setup: Setup, notes: Notes, event: Fault) -> None:
    """Something was left out or set aside so that the table goes on."""
    finding, cause = _FAULT_FINDINGS[event.fault]
    wanted = fields_of(finding, cause or PLAIN)
    known: dict[str, Arg] = {"device": event.device, "count": event.count}
    notes.find(
        setup.book,
        finding,
        args={name: arg for name, arg in known.items() if name in wanted},
        cause=cause,
        remedy=(),
        device=event.device,
    )


def broken_journal(setup: Setup, notes: Notes, event: BrokenJournal) -> None:
    """The record of what was before could not be verified; this one begins without it."""
    notes.find(
        setup.book,
        "journal-broken",
        args={"file": event.file},
        remedy=("call-floor",),
    )


def restored_journal(setup: Setup, notes: Notes, event: RestoredJournal) -> None:
    """The record before this one came from a backup, whose twin may have gone on."""
    notes.find(
        setup.book,
        "journal-restored",
        args={"backup": event.backup},
        remedy=("call-floor",),
    )


def access(setup: Setup, notes: Notes, event: Access) -> None:
    """Hole cards were given to somebody."""
    args: dict[str, Arg] = {"feed": event.feed}
    if event.token:
        args["token"] = event.token
    if event.delay_s is not None:
        args["seconds"] = f"{event.delay_s:g}"
    notes.find(
        setup.book,
        "hole-card-access",
        _ACCESS[bool(event.token), event.delay_s is not None],
        args=args,
        remedy=(),
    )


def disclosure(setup: Setup, notes: Notes, event: Disclosure) -> None:
    """Hole cards are shown on other terms than before, which is for the floor to know."""
    notes.find(
        setup.book,
        "disclosure-changed",
        args={"before": str(event.before), "terms": str(event.terms)},
        remedy=("stop-broadcast",),
    )


def unwatched(setup: Setup, seats: tuple[int, ...]) -> frozenset[int]:
    """Seats whose cards a dead device hides."""
    if not setup.lost:
        return frozenset()
    places = frozenset().union(*setup.lost.values())
    return frozenset(seat for seat in seats if seat_place(seat) in places)
