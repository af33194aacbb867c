"""A picture with what follows from its faces: `with_odds` is a function of the picture alone.

| | needs the faces of |
| --- | --- |
| made hands | the seat itself |
| equities and outs | every live hand, whole; folded hands that are known cannot come any more |

Nothing is given where something is missing, unknown or there twice: no equity rather than a wrong one.
"""

from typing import Any, Final

from tablebridge.engine.games import FORMS, Form
from tablebridge.model.overlay import HandOdds, MadeHand, OverlayPicture, OverlaySeat, OverlayView
from tablebridge.odds.draws import draw_equities
from tablebridge.odds.equity import covered, equities, outs
from tablebridge.odds.made import made
from tablebridge.odds.shares import Equities, Faces
from tablebridge.odds.stud import WHOLE, stud_equities

_LIVE: Final = ("in", "all-in", "won")
_ENDED: Final = ("over", "void")


def with_odds(view: OverlayView) -> OverlayPicture:
    """The picture with made hands, and with equities and outs while the hand is under way; without lines."""
    fields: dict[str, Any] = {name: getattr(view, name) for name in OverlayView.__struct_fields__}
    fields["lines"] = ()
    form = FORMS.get(view.game)
    if form is None or form.banked or view.street == "void":
        return OverlayPicture(**fields)
    live = [seat for seat in view.seats if seat.state in _LIVE and seat.cards]
    names = {seat.seat: _made(form, seat, view) for seat in live}
    shares = None if view.street in _ENDED else _equities(form, live, view)
    coming = _outs(form, live, view) if shares is not None else ((),) * len(live)
    hands = tuple(
        HandOdds(seat.seat, names[seat.seat], shares.shares[at] if shares else None, coming[at])
        for at, seat in enumerate(live)
        if names[seat.seat] or shares
    )
    if shares is None:
        return OverlayPicture(**fields, hands=hands)
    return OverlayPicture(**fields, hands=hands, boards=shares.boards, error=shares.error)


def _made(form: Form, seat: OverlaySeat, view: OverlayView) -> tuple[MadeHand, ...]:
    if len(seat.faces) != seat.cards:
        return ()
    hole = seat.faces
    boards = [(view.board, 1)] if not view.first_board else [(view.first_board, 2), (view.board, 1)]
    return tuple(
        hand
        for board, which in boards
        for ranking in form.rankings
        if (hand := made(ranking, hole, board, which)) is not None
    )


def _equities(form: Form, live: list[OverlaySeat], view: OverlayView) -> Equities | None:
    """The equities of the live hands, all of which must be known as far as they are dealt."""
    if len(live) < 2 or not all(len(seat.faces) == seat.cards for seat in live):
        return None
    holes = tuple(seat.faces for seat in live)
    if form.board:
        return _over_boards(form, holes, view) if covered(form.rankings) else None
    if any(street.draw for street in form.streets):
        draws = _draws_to_come(form, view)
        return None if draws is None else draw_equities(form.rankings[0], holes, _folded(view), draws)
    return stud_equities(form.rankings, holes, _folded(view)) if form.hole == WHOLE else None


def _over_boards(form: Form, holes: tuple[Faces, ...], view: OverlayView) -> Equities | None:
    """The equities over all boards of the hand, each of which is worth the same."""
    dead = _folded(view)
    boards = _boards(form, view)
    taken: list[Equities] = []
    for at, board in enumerate(boards):
        others = tuple(card for other in boards[:at] + boards[at + 1 :] for card in other)
        shares = equities(form.rankings, holes, board, dead + tuple(c for c in others if c not in board))
        if shares is None:
            return None
        taken.append(shares)
    averages = zip(*(shares.shares for shares in taken), strict=True)
    return Equities(
        tuple(round(sum(each) / len(taken), 4) for each in averages),
        max(shares.boards for shares in taken),
        max(shares.error for shares in taken),
    )


def _draws_to_come(form: Form, view: OverlayView) -> int | None:
    """How many draws are still to come. None while it may be that a seat has not drawn yet: only in a betting
    round, and at the showdown, all have.
    """
    if view.street == "showdown":
        return 0
    names = [street.name for street in form.streets]
    if view.to_act is None or view.street not in names:
        return None
    return len(names) - 1 - names.index(view.street)


def _outs(form: Form, live: list[OverlaySeat], view: OverlayView) -> tuple[Faces, ...]:
    """The outs on a single board: of two nobody counts them."""
    boards = _boards(form, view)
    if len(boards) > 1 or not form.board or len(form.rankings) > 1:
        return ((),) * len(live)
    return outs(form.rankings[0], tuple(seat.faces for seat in live), boards[0], _folded(view))


def _boards(form: Form, view: OverlayView) -> list[Faces]:
    """The boards of the hand, those still to be begun too."""
    board, first = view.board, view.first_board
    if first:
        return [first, *view.between_boards, board]
    return [board, ()] if form.boards == 2 else [board]


def _folded(view: OverlayView) -> Faces:
    return tuple(face for seat in view.seats if seat.state == "folded" for face in seat.faces)
