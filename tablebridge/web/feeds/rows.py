"""A picture as rows of text. Every row and column is always there, empty if there is nothing to say, so that
nothing shifts in a program that maps rows and columns to fields.
"""

from collections.abc import Callable, Iterable
from typing import Final

from tablebridge.languages.texts import Texts
from tablebridge.model.cards import FACES
from tablebridge.model.overlay import OverlayPicture, OverlaySeat, Verb
from tablebridge.web.formatting import chips
from tablebridge.web.wording import term

SEATS: Final = 10
_BOARD: Final = 5
_HAND: Final = 7
_ENDED: Final = ("over", "void")
Row = dict[str, str]
Show = Callable[[str], str]
"""How a card is written: `Ah`, or the address of its picture. `back` is one that lies face down, an empty
text none.
"""


def seat_rows(picture: OverlayPicture | None, show: Show, texts: Texts) -> list[Row]:
    """Ten rows, seat 1 first; those of vacant seats are empty but for the number. `texts`: in the language in
    which acts are said.
    """
    seats = {seat.seat: seat for seat in (picture.seats if picture else ()) if seat.state != "empty"}
    return [_seat_row(number, seats.get(number), picture, show, texts) for number in range(1, SEATS + 1)]


def table_row(picture: OverlayPicture | None, show: Show) -> Row:
    """The table in one row; all of it empty without a picture. A second board is that of a hand with two."""
    boards = ((), ()) if picture is None else (picture.board, picture.first_board)
    row = {f"Board{at}": card for at, card in enumerate(_cards(boards[0], _BOARD, show), 1)}
    shown = picture is not None and picture.hand > 0
    low, high = picture.stakes if picture is not None else (0, 0)
    row |= {
        "Pot": chips(picture.pot) if picture is not None and shown and picture.street not in _ENDED else "",
        "Blinds": f"{chips(low)} / {chips(high)}" if high else "",
        "Hand": str(picture.hand) if picture is not None and shown else "",
        "ToAct": str(picture.to_act or "") if picture is not None else "",
        "InDoubt": "1" if picture is not None and picture.in_doubt else "",
        "Street": picture.street if picture is not None and shown else "",
        "Ante": chips(picture.ante) if picture is not None and picture.ante else "",
    }
    return row | {f"FirstBoard{at}": card for at, card in enumerate(_cards(boards[1], _BOARD, show), 1)}


def _seat_row(
    number: int, seat: OverlaySeat | None, picture: OverlayPicture | None, show: Show, texts: Texts
) -> Row:
    cards: tuple[str, ...] = ("",) * _HAND
    odds = None
    if seat is not None and picture is not None:
        over = picture.street in _ENDED
        down = 0 if over or seat.state == "folded" else max(0, seat.cards - len(seat.faces))
        faces = () if seat.state == "folded" else seat.faces
        cards = _cards((*faces, *("back",) * down), _HAND, show)
        odds = next((hand for hand in picture.hands if hand.seat == number), None)
    share = "" if odds is None or odds.equity is None else f"{round(100 * odds.equity)} %"
    row = {
        "Seat": str(number),
        "Name": (seat.name or texts.gettext("Seat %(seat)s", seat=number)) if seat else "",
        "Stack": chips(seat.stack) if seat else "",
        "Bet": chips(seat.bet) if seat and seat.bet else "",
        "Action": _act(texts, seat.act) if seat else "",
        "Card1": cards[0],
        "Card2": cards[1],
        "Equity": share,
        "Button": "D" if seat and picture and picture.button == number else "",
        "AllIn": _act(texts, "allin") if seat and seat.state == "all-in" else "",
        "State": seat.state if seat else "",
        "Position": seat.position if seat else "",
        "Won": chips(seat.won) if seat and seat.won else "",
    }
    row |= {f"Card{at}": card for at, card in enumerate(cards[2:], 3)}
    return row | {"Hands": str(seat.hands) if seat and seat.hands else ""}


def _act(texts: Texts, verb: Verb) -> str:
    said = term(texts, "action", verb) if verb else ""
    return said[:1].upper() + said[1:]


def _cards(faces: Iterable[str], room: int, show: Show) -> tuple[str, ...]:
    """As many cards as there is room for; what has no face lies face down."""
    shown = [show(face if face.rstrip("*") in FACES else "back") for face in list(faces)[:room]]
    return (*shown, *("",) * (room - len(shown)))
