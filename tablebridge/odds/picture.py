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
from tablebridge.odds.equity import Equities, Faces, covered, equities, outs
from tablebridge.odds.made import made

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
    """The equities over all boards of the hand, each of which is worth the same."""
    holes = _holes(form, live)
    if holes is None:
        return None
    dead = _folded(view)
    boards = _boards(form, view)
    taken: list[Equities] = []
    for at, board in enumerate(boards):
        others = tuple(card for other in boards[:at] + boards[at + 1 :] for card in other)
        shares = equities(form.rankings[0], holes, board, dead + tuple(c for c in others if c not in board))
        if shares is None:
            return None
        taken.append(shares)
    averages = zip(*(shares.shares for shares in taken), strict=True)
    return Equities(
        tuple(round(sum(each) / len(taken), 4) for each in averages),
        max(shares.boards for shares in taken),
        max(shares.error for shares in taken),
    )


def _outs(form: Form, live: list[OverlaySeat], view: OverlayView) -> tuple[Faces, ...]:
    """The outs on a single board: of two nobody counts them."""
    holes, boards = _holes(form, live), _boards(form, view)
    if holes is None or len(boards) > 1:
        return ((),) * len(live)
    return outs(form.rankings[0], holes, boards[0], _folded(view))


def _boards(form: Form, view: OverlayView) -> list[Faces]:
    """The boards of the hand, those still to be begun too."""
    board, first = view.board, view.first_board
    if first:
        return [first, board]
    return [board, ()] if form.boards == 2 else [board]


def _holes(form: Form, live: list[OverlaySeat]) -> tuple[Faces, ...] | None:
    """The hands of all seats that are live; None if one is not known as a whole, or cannot be ranked."""
    whole = all(len(seat.faces) == seat.cards == form.hole for seat in live)
    if len(live) < 2 or len(form.rankings) > 1 or not covered(form.rankings[0]) or not whole:
        return None
    return tuple(seat.faces for seat in live)


def _folded(view: OverlayView) -> Faces:
    return tuple(face for seat in view.seats if seat.state == "folded" for face in seat.faces)
