"""The antennas of a table as a picture: how well each reads, and which reads a card that is placed at
another. It is an SVG without tags.

Seats are around the table with the dealer at the top; board, burns, muck and stub are in the middle. The
colour of an antenna shows its hit rate; a line from one antenna to another shows how often the second reads
cards of the first.
"""

import math
from html import escape
from typing import Final

from tablebridge.bus.messages import AntennaMap
from tablebridge.model.places import BOARD, BURN, MUCK, SEATS, STUB, Place, seat_place

WIDTH, HEIGHT = 760, 470
_LEAST: Final = 0.001
_R: Final = 26


def _spots() -> dict[Place, tuple[float, float]]:
    spots = {BOARD: (380.0, 250.0), BURN: (265.0, 175.0), STUB: (380.0, 120.0), MUCK: (495.0, 175.0)}
    for number, seat in enumerate(SEATS):
        angle = math.radians(-58 + 296 * (number + 0.5) / len(SEATS))
        spots[seat_place(seat)] = (380 + 310 * math.cos(angle), 235 + 175 * math.sin(angle))
    return spots


SPOTS: Final = _spots()


def draw(learnt: AntennaMap) -> str:
    """The picture of what a table has learnt of its antennas."""
    spots = {antenna.antenna: SPOTS[antenna.place] for antenna in learnt.antennas if antenna.place in SPOTS}
    lines, labels = [], []
    for cross in learnt.cross:
        at, by = spots.get(cross.at), spots.get(cross.by)
        if cross.rate >= _LEAST and at is not None and by is not None and at != by:
            line, label = _line(at, by, cross.rate)
            lines.append(line)
            labels.append(label)
    antennas = [
        _antenna(*spots[antenna.antenna], antenna.place, antenna.hit, antenna.stays)
        for antenna in learnt.antennas
        if antenna.antenna in spots
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="11" text-anchor="middle">\n'
        "<title>Antennas: how often each reads a card that lies there, and which others read it</title>\n"
        '<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<ellipse cx="380" cy="235" rx="310" ry="175" fill="#f1f5f3" stroke="#cbd5d1"/>\n'
        f"{''.join([*lines, *antennas, *labels])}</svg>\n"
    )


def _antenna(x: float, y: float, place: Place, hit: float, stays: int) -> str:
    colour = "#15803d" if hit >= 0.9 else "#b45309" if hit >= 0.75 else "#b91c1c"
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{_R}" fill="#fff" stroke="{colour}" stroke-width="4"/>'
        f'<text x="{x:.0f}" y="{y - 3:.0f}">{escape(place)}</text>'
        f'<text x="{x:.0f}" y="{y + 12:.0f}" font-weight="600" fill="{colour}">{hit:.0%}</text>'
        f"<title>{escape(place)}: {stays} {'stay' if stays == 1 else 'stays'}</title>\n"
    )


def _line(begin: tuple[float, float], end: tuple[float, float], rate: float) -> tuple[str, str]:
    """A line with its label, beside the straight way, so that both directions can be seen."""
    (x, y), (to_x, to_y) = begin, end
    length = math.hypot(to_x - x, to_y - y)
    across, up = (to_x - x) / length, (to_y - y) / length
    x, y = x + _R * across - 5 * up, y + _R * up + 5 * across
    to_x, to_y = to_x - (_R + 7) * across - 5 * up, to_y - (_R + 7) * up + 5 * across
    wide = min(7.0, 1.0 + 40 * rate)
    colour = "#b91c1c" if rate >= 0.03 else "#64748b"
    line = (
        f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{colour}" stroke-width="{wide:.1f}" '
        f'stroke-opacity="0.7"/><circle cx="{to_x:.1f}" cy="{to_y:.1f}" r="{1.5 + wide / 2:.1f}" '
        f'fill="{colour}"/>\n'
    )
    label = (
        f'<text x="{(x + to_x) / 2 - 15 * up:.1f}" y="{(y + to_y) / 2 + 15 * across + 4:.1f}" font-size="10" '
        f'fill="{colour}">{100 * rate:.2g} %</text>\n'
    )
    return line, label


__all__ = ["draw"]
