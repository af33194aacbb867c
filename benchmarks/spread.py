"""How errors are spread over many tables, as a picture: SVG by hand, a line per method.

Across, on a logarithmic scale, the errors a hand; up, the share of the tables that have at most so many. What
is further left is better, and the upper end of a line is the worst of its tables.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

WIDTH, HEIGHT = 640, 360
_LEFT, _TOP, _RIGHT, _BOTTOM = 60, 64, 20, 46
_LEAST: Final = 0.1
"""Fewer errors a hand are drawn here: with few hands a table these are none."""
_COLOURS: Final = ("#c2185b", "#1d4ed8", "#b45309", "#047857")


def draw(errors: Mapping[str, Sequence[float]]) -> str:
    """The picture. `errors`: by method, the errors a hand at each table."""
    decades = max(2, math.ceil(math.log10(max(max(of) for of in errors.values()) / _LEAST)))
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM

    def x(value: float) -> float:
        return _LEFT + math.log10(max(value, _LEAST) / _LEAST) / decades * (right - _LEFT)

    def y(share: float) -> float:
        return bottom - share * (bottom - _TOP)

    lines = [
        _line(name, sorted(of), colour, x, y)
        for (name, of), colour in zip(errors.items(), _COLOURS, strict=False)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="11">\n'
        "<title>Share of drawn tables with at most so many errors per hand, by method</title>\n"
        f'<rect width="100%" height="100%" fill="#fff"/>\n{_legend(list(errors))}{_axes(decades, x, y)}'
        f"{''.join(lines)}</svg>\n"
    )


def _legend(names: Sequence[str]) -> str:
    out, left = [], 16.0
    for name, colour in zip(names, _COLOURS, strict=False):
        out.append(
            f'<circle cx="{left:.0f}" cy="18" r="4" fill="{colour}"/>'
            f'<text x="{left + 9:.0f}" y="22" fill="{colour}">{name}</text>\n'
        )
        left += 34 + 6.2 * len(name)
    return "".join(out)


def _axes(decades: int, x: Callable[[float], float], y: Callable[[float], float]) -> str:
    out = []
    for decade in range(decades + 1):
        value = _LEAST * 10**decade
        name = f"{'≤ ' if not decade else ''}{value:g}"
        across = f"{x(value):.0f}"
        out.append(
            f'<path d="M{across} {y(1):.0f}V{y(0):.0f}" stroke="#e5e7eb"/>'
            f'<text x="{across}" y="{y(0) + 16:.0f}" text-anchor="middle" fill="#4b5563">{name}</text>\n'
        )
    for percent in range(0, 101, 25):
        up = y(percent / 100)
        out.append(
            f'<path d="M{x(0):.0f} {up:.0f}H{WIDTH - _RIGHT}" stroke="#e5e7eb"/>'
            f'<text x="{_LEFT - 6}" y="{up + 4:.0f}" text-anchor="end" fill="#4b5563">{percent} %</text>\n'
        )
    out.append(
        f'<text x="{(_LEFT + WIDTH - _RIGHT) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">'
        "errors per hand</text>\n"
        f'<text transform="translate(14 {(y(0) + y(1)) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        "share of tables</text>\n"
    )
    return "".join(out)


def _line(
    name: str,
    errors: Sequence[float],
    colour: str,
    x: Callable[[float], float],
    y: Callable[[float], float],
) -> str:
    """The steps of one method; `errors` in order."""
    steps = [f"M{x(0):.1f} {y(0):.1f}"]
    for number, value in enumerate(errors, 1):
        steps.append(f"H{x(value):.1f}V{y(number / len(errors)):.1f}")
    return (
        f'<path d="{"".join(steps)}" fill="none" stroke="{colour}" stroke-width="2"><title>{name}</title>'
        "</path>\n"
    )
