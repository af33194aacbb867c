"""The entrance of the fold: entries as the hand may know them, with names in place of faces that only
antennas know.

| a face | as what it enters |
| --- | --- |
| read where cards lie open: board, dealt up, tabled | itself; if it had a name, it has its face now |
| read anywhere else | its name, unless it was read open before |
| read, new at a seat or the burns with a typed face that nothing read | that face, which is its label now |
| typed, known to the hand: it lies open or was typed before | itself |
| typed for a seat (dealt, exposed, tabled) or burn with unlabelled cards | itself, the first one's label |
| typed anywhere else | itself: another card, which never meets the one that was read |

A label is given in order and never by the truth. If its face turns up elsewhere, it is taken off.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from tablebridge.engine.hand import Hand
from tablebridge.engine.hidden.claims import Claim, Claims
from tablebridge.model import events as ev
from tablebridge.model import house_events as house
from tablebridge.model.cards import UNKNOWN, Card, face
from tablebridge.model.places import BOARD, BURN, STUB, Place, seat_of, seat_place

_FIELDS: Final[dict[type[Any], str]] = {
    ev.Cut: "exposed",
    ev.Deal: "card",
    ev.Dealt: "up",
    ev.Boxed: "card",
    ev.Burn: "card",
    ev.Street: "cards",
    ev.BoardExposed: "card",
    ev.Draw: "cards",
    ev.Expose: "card",
    ev.Tabled: "cards",
    house.SetHand: "cards",
    ev.Seen: "card",
    ev.Marked: "card",
    ev.Back: "card",
    ev.Ruling: "card",
}
"""Where the events of a hand hold cards."""
_OTHER_FIELDS: Final[dict[type[Any], str]] = {
    ev.Shuffler: "cards",
    ev.DeckCheck: "cards",
    ev.Doubt: "card",
    ev.ClonedTag: "card",
}
_BESIDE: Final[dict[type[Any], str]] = {ev.Doubt: "card", ev.ClonedTag: "card", ev.DeviceState: "silent"}
"""Where events beside the hand hold a card of it; what shuffler and deck check say is of the whole deck."""
_NOWHERE: Final = Place("")
_OPEN: Final = (ev.Cut, ev.Dealt, ev.Boxed, ev.Street, ev.BoardExposed, ev.Expose, ev.Tabled, ev.Ruling)


def entered(hand: Hand, entry: ev.Entry, claims: Claims) -> ev.TableEvent:
    """The event of an entry as it is folded."""
    event = entry.event
    field = _FIELDS.get(type(event))
    if field is None:
        return event
    if entry.basis not in ev.TYPED:
        return _changed(event, field, lambda card: _read(hand, event, card, entry.basis))
    if not hand.veil.names:
        return event
    typed: list[Claim] = []
    changed = _changed(event, field, lambda card: _typed(hand, event, card, typed))
    if typed:
        claims.add(entry.id, typed)
    return changed


def known(hand: Hand | None, entry: ev.Entry) -> ev.TableEvent:
    """The event of an entry as people may know it: what machines read is called as the hand calls it now, or
    not at all.
    """
    event = entry.event
    if isinstance(event, ev.Amend):
        return msgspec.structs.replace(
            event, instead=known(hand, msgspec.structs.replace(entry, event=event.instead))
        )
    if isinstance(event, ev.Insert):
        return msgspec.structs.replace(
            event, inserted=known(hand, msgspec.structs.replace(entry, event=event.inserted))
        )
    field = _FIELDS.get(type(event)) or _OTHER_FIELDS.get(type(event))
    if field is None:
        return event
    typed = entry.basis in ev.TYPED

    def shown(card: Card) -> Card:
        if hand is None:
            return UNKNOWN
        called = card if typed else hand.veil.identity(card)
        return UNKNOWN if called is None or called not in hand.felt.open_cards else called

    return _changed(event, field, shown)


def names_hidden(hand: Hand, entry: ev.Entry) -> bool:
    """Whether somebody typed a face that no machine has read in the open, while machines know hidden ones."""
    field = _FIELDS.get(type(entry.event))
    if field is None or entry.basis not in ev.TYPED or not hand.veil.names:
        return False
    return any(
        hand.veil.veils(card) and face(card) not in hand.veil.opened for card in _cards(entry.event, field)
    )


def turned_up(hand: Hand, card: Card) -> Card:
    """A card of the fold lies open, by where it lies: what it is called from now on."""
    veil = hand.veil
    return _opened(hand, veil.truth(card)) if card in veil.truths or card in veil.bearers else card


def _read(hand: Hand, event: Any, card: Card, basis: ev.Basis) -> Card:
    veil, place = hand.veil, _place(event)
    if card == UNKNOWN or not veil.veils(card):
        return card
    printed = face(card)
    veil.been.setdefault(printed, set()).add(place)
    if lies_open(event):
        return _opened(hand, card)
    if printed in veil.opened:
        return card
    new = printed not in veil.names
    name = veil.name(card)
    if not new:
        return veil.labels.get(name, name)
    for typed in _unread(hand, event, basis):
        veil.label(name, typed)
        return typed
    return name


def _typed(hand: Hand, event: Any, card: Card, claims: list[Claim]) -> Card:
    veil = hand.veil
    if card == UNKNOWN or not veil.veils(card) or face(card) in veil.opened:
        return card
    claims.append((card, _place(event)))
    if face(card) in hand.felt.faces:
        return card
    for name in _unlabelled(hand, event):
        veil.label(name, card)
        _rename(hand, name, card)
        break
    return card


def _opened(hand: Hand, card: Card) -> Card:
    """A face was read where cards lie open. A card that was typed as this one, and is another, has its name
    again.
    """
    veil, printed = hand.veil, face(card)
    if printed in veil.opened or not veil.veils(card):
        return card
    veil.opened.add(printed)
    name = veil.names.pop(printed, None)
    bearer = veil.bearers.get(printed)
    if bearer is not None and bearer != name:
        veil.unlabel(printed)
        _rename(hand, printed, bearer)
    if name is not None:
        called = veil.labels.get(name, name)
        veil.unlabel(called)
        del veil.truths[name]
        _rename(hand, called, printed)
        if called != name and called != printed and bearer is not None and _together(hand, printed, bearer):
            # The two were typed in the other order.
            veil.label(bearer, called)
            _rename(hand, bearer, called)
    if bearer is not None:
        hand.felt.cover(bearer)
    return card


def _together(hand: Hand, card: Card, other: Card) -> bool:
    return any(card in held and other in held for held in hand.felt.cards.values())


def _unlabelled(hand: Hand, event: Any) -> Iterable[Card]:
    """Names of the cards that lie where the typed event has its card, if it may be one of them."""
    lying: Iterable[Card | None] = ()
    if isinstance(event, (ev.Expose, ev.Tabled)) or (
        isinstance(event, ev.Deal) and not event.up and not event.boxed
    ):
        lying = hand.felt.cards.get(event.seat, ())
    elif isinstance(event, ev.Burn) and hand.burns.burned:
        lying = (hand.burns.card,)
    return [card for card in lying if card is not None and card in hand.veil.truths]


def _unread(hand: Hand, event: Any, basis: ev.Basis) -> Iterable[Card]:
    """Typed faces that stand where a card was read now for the first time, and that nothing read."""
    veil = hand.veil
    lying: Iterable[Card | None] = ()
    seat = seat_of(_place(event))
    if seat is not None:
        lying = hand.felt.cards.get(seat, ())
    elif isinstance(event, ev.Burn) and hand.burns.burned and hand.burns.basis != basis:
        lying = (hand.burns.card,)
    return [card for card in lying if card is not None and veil.veils(card) and not veil.read((card,))]


def with_faces(event: ev.TableEvent, change: Callable[[Card], Card]) -> ev.TableEvent:
    """The event with each of its cards, of the hand or beside it, changed."""
    field = _FIELDS.get(type(event)) or _BESIDE.get(type(event))
    return event if field is None else _changed(event, field, change)


def hides(event: ev.TableEvent) -> bool:
    """Whether the event names a card that does not lie open by it."""
    if isinstance(event, ev.Amend):
        return hides(event.instead)
    if isinstance(event, ev.Insert):
        return hides(event.inserted)
    kind = type(event)
    field = _FIELDS.get(kind) or _OTHER_FIELDS.get(kind) or _BESIDE.get(kind)
    return field is not None and not lies_open(event) and any(_cards(event, field))


def opens(event: ev.TableEvent) -> tuple[Card, ...]:
    """The cards that lie open by this event."""
    field = _FIELDS.get(type(event))
    return _cards(event, field) if field is not None and lies_open(event) else ()


def lies_open(event: Any) -> bool:
    if isinstance(event, ev.Deal):
        return event.up or event.exposed or event.boxed
    return isinstance(event, _OPEN) or (isinstance(event, ev.Seen) and event.place == BOARD)


def _place(event: Any) -> Place:
    """Where an event has its cards; empty if it does not say."""
    if isinstance(event, (ev.Deal, ev.Draw, ev.Expose, ev.Tabled, house.SetHand)):
        return seat_place(event.seat)
    if isinstance(event, ev.Seen):
        return event.place
    if isinstance(event, (ev.Street, ev.BoardExposed, ev.Ruling)):
        return BOARD
    return BURN if isinstance(event, ev.Burn) else STUB if isinstance(event, (ev.Boxed, ev.Cut)) else _NOWHERE


def _cards(event: Any, field: str) -> tuple[Card, ...]:
    held = getattr(event, field)
    return held if isinstance(held, tuple) else () if held is None else (held,)


def _changed(event: ev.TableEvent, field: str, change: Callable[[Card], Card]) -> ev.TableEvent:
    held = getattr(event, field)
    if held is None or held == ():
        return event
    changed = tuple(map(change, held)) if isinstance(held, tuple) else change(held)
    return event if changed == held else msgspec.structs.replace(event, **{field: changed})


def _rename(hand: Hand, old: Card, new: Card) -> None:
    """The hand calls a card otherwise from now on. If it knows another one by that, they are one card, which
    lies where this one does.
    """
    second = {old: new, Card(old + "*"): Card(new + "*")}

    def named(card: Card) -> Card:
        return second.get(card, card)

    hand.felt.rename(named, old, new)
    hand.showdown.rename(named)
    hand.deal.rename(named)
    hand.burns.rename(named)
