"""Errors against latency as a picture: SVG by hand, one panel per level, both axes logarithmic.

Methods of one family have one colour, named in the legend, and are joined; beside each point stands its
parameter.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

WIDTH, HEIGHT = 330, 400
_LEFT, _TOP, _RIGHT, _BOTTOM = 52, 70, 16, 46
_OWN: Final = "tablebridge"
_FAMILIES: Final = {
    _OWN: ("#c2185b", "tablebridge"),
    "naive": ("#6b7280", "last read"),
    "window": ("#b45309", "K of the last W visits"),
    "smurf": ("#047857", "SMURF, epoch of E visits"),
    "hmm": ("#1d4ed8", "HMM per card, at probability P"),
    "read": ("#111827", "knows where: 1st, 2nd read"),
}
_LEAST: Final = 0.01
"""No error in all hands is drawn here."""
_ACROSS: Final = (50, 100, 200, 500, 1000, 2000, 5000)


class Point(msgspec.Struct, frozen=True):
    """A method: its family, its parameter; ms and errors per hand."""

    family: str
    label: str
    wait_ms: float
    errors: float


class Panel(msgspec.Struct, frozen=True):
    title: str
    points: tuple[Point, ...]


def draw(panels: Sequence[Panel]) -> str:
    """The picture of all panels, beside each other, on the same scales."""
    most = max(point.errors for panel in panels for point in panel.points)
    top = 10.0 ** math.ceil(math.log10(most))
    parts = [_panel(panel, WIDTH * number, top) for number, panel in enumerate(panels)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * len(panels)} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="11">\n'
        "<title>Errors per hand against median latency, by method and level of noise</title>\n"
        f'<rect width="100%" height="100%" fill="#fff"/>\n{_legend()}{"".join(parts)}</svg>\n'
    )


def _legend() -> str:
    out, left = [], 16.0
    for colour, name in _FAMILIES.values():
        out.append(
            f'<circle cx="{left:.0f}" cy="18" r="4" fill="{colour}"/>'
            f'<text x="{left + 9:.0f}" y="22" fill="{colour}">{name}</text>\n'
        )
        left += 30 + 6.2 * len(name)
    return "".join(out)


def _panel(panel: Panel, left: float, top: float) -> str:
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM

    def x(value: float) -> float:
        return _LEFT + math.log(value / _ACROSS[0]) / math.log(_ACROSS[-1] / _ACROSS[0]) * (right - _LEFT)

    def y(value: float) -> float:
        return (
            bottom
            - 14
            - math.log(max(value, _LEAST) / _LEAST) / math.log(top / _LEAST) * (bottom - 14 - _TOP)
        )

    out = [
        f'<g transform="translate({left} 0)">\n',
        _axes(panel.title, x, y, top),
    ]
    for family, (colour, _) in _FAMILIES.items():
        mine = [
            (x(point.wait_ms), y(point.errors), point.label)
            for point in panel.points
            if point.family == family
        ]
        line = " ".join(f"{at:.1f},{up:.1f}" for at, up, _ in mine)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-opacity="0.5"/>\n')
        for at, up, label in mine:
            out.append(
                f'<circle cx="{at:.1f}" cy="{up:.1f}" r="{6 if family == _OWN else 3.5}" fill="{colour}"/>'
                f'<text x="{at + 6:.1f}" y="{up - 5:.1f}" fill="{colour}">{label}</text>\n'
            )
    return "".join([*out, "</g>\n"])


def _axes(title: str, x: Callable[[float], float], y: Callable[[float], float], top: float) -> str:
    """Title, grid and scales of a panel whose highest decade is `top`."""
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM
    out = [
        f'<text x="{_LEFT}" y="{_TOP - 14}" font-size="14" font-weight="600">{title}</text>\n',
    ]
    for tick in _ACROSS:
        out.append(
            f'<path d="M{x(tick):.0f} {_TOP}V{bottom}" stroke="#e5e7eb"/>'
            f'<text x="{x(tick):.0f}" y="{bottom + 16}" text-anchor="middle" fill="#4b5563">{tick}</text>\n'
        )
    for decade in range(round(math.log10(_LEAST)), round(math.log10(top)) + 1):
        value = 10.0**decade
        name = f"≤ {value:g}" if value == _LEAST else f"{value:g}"
        out.append(
            f'<path d="M{_LEFT} {y(value):.0f}H{right}" stroke="#e5e7eb"/>'
            f'<text x="{_LEFT - 6}" y="{y(value) + 4:.0f}" text-anchor="end" fill="#4b5563">{name}</text>\n'
        )
    out.append(
        f'<text x="{(_LEFT + right) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">'
        "median latency, ms</text>\n"
        f'<text transform="translate(12 {(_TOP + bottom) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        "errors per hand</text>\n"
    )
    return "".join(out)
