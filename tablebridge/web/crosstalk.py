"""The antennas of a table as a picture: how well each reads, and which reads a card that lies at another.
SVG, no tags.

Seats stand around the table with the dealer at the top; board, burns, muck and stub in the middle. The colour
of an antenna is its hit rate; a line from one to another says how often the second reads cards of the first.
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
    """The picture of what was learnt."""
    here = {one.antenna: SPOTS[one.place] for one in learnt.antennas if one.place in SPOTS}
    lines, labels = [], []
    for one in learnt.cross:
        if one.rate >= _LEAST and one.at in here and one.by in here and here[one.at] != here[one.by]:
            line, label = _line(here[one.at], here[one.by], one.rate)
            lines.append(line)
            labels.append(label)
    antennas = [
        _antenna(*here[one.antenna], one.place, one.hit, one.stays)
        for one in learnt.antennas
        if one.antenna in here
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif" '
        'font-size="11" text-anchor="middle">\n'
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
    """Beside the straight way, so that both directions are seen."""
    (x, y), (to_x, to_y) = begin, end
    length = math.hypot(to_x - x, to_y - y)
    across, up = (to_x - x) / length, (to_y - y) / length
    x, y = x + _R * across - 5 * up, y + _R * up + 5 * across
    to_x, to_y = to_x - (_R + 7) * across - 5 * up, to_y - (_R + 7) * up + 5 * across
    wide = min(7.0, 1.0 + 40 * rate)
    colour = "#b91c1c" if rate >= 0.03 else "#64748b"
    line = (
        f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{colour}" stroke-width="{wide:.1f}" '
        f'stroke-opacity="0.7"/><circle cx="{to_x:.1f}" cy="{to_y:.1f}" r="{1.5 + wide / 2:.1f}" fill="{colour}"/>\n'
    )
    label = (
        f'<text x="{(x + to_x) / 2 - 15 * up:.1f}" y="{(y + to_y) / 2 + 15 * across + 4:.1f}" font-size="10" '
        f'fill="{colour}">{100 * rate:.2g} %</text>\n'
    )
    return line, label


__all__ = ["draw"]
