"""Where at the table an event was: the places whose lanes show it."""

from tablebridge.model import chip_events as chip
from tablebridge.model import events as ev
from tablebridge.model.places import BOARD, BURN, MUCK, STUB, TRAY, Place, seat_place

_FIXED: dict[type[ev.TableEvent], tuple[Place, ...]] = {
    ev.Burn: (BURN,),
    ev.Street: (BOARD,),
    ev.BoardExposed: (BOARD,),
    ev.RunAgain: (BOARD,),
    ev.Stub: (STUB,),
    ev.Boxed: (STUB,),
    ev.Cut: (STUB,),
    chip.Tray: (TRAY,),
    chip.Fill: (TRAY,),
    chip.Credit: (TRAY,),
}


def places_of(event: ev.TableEvent) -> tuple[Place, ...]:
    """The places of an event; none if it is the whole table's."""
    match event:
        case ev.Amend(instead=instead):
            return places_of(instead)
        case ev.Seen(place=place) | ev.ForeignTag(place=place):
            return (place,)
        case ev.ClonedTag(places=places) | ev.DeviceState(places=places):
            return tuple(places)
        case ev.Doubt(odds=odds):
            return tuple(odds)
        case ev.Muck(seat=seat) | ev.Mixed(seat=seat):
            return seat_place(seat), MUCK
        case chip.Pay(seat=seat) | chip.Take(seat=seat):
            return seat_place(seat), TRAY
        case _:
            seat_number: int | None = getattr(event, "seat", None)
            return _FIXED.get(type(event), (seat_place(seat_number),) if seat_number else ())
