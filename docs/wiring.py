"""Draws the wiring of the example boards from their configurations: `python docs/wiring.py`."""

import json
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
BOARDS: Final = {
    "board-pico": "Raspberry Pi Pico",
    "board-esp32": "ESP32",
    "board-esp32s3": "ESP32-S3",
    "board-esp32c3": "ESP32-C3",
    "board-pn5180": "Raspberry Pi Pico",
    "board-shuffler": "Raspberry Pi Pico",
}
_TITLES: Final = {"rc522": "RC522", "pn532": "PN532", "pn5180": "PN5180"}
_SELECT: Final = {"rc522": "SDA", "pn532": "SS", "pn5180": "NSS"}
_WIDTH: Final = 640
_ROW: Final = 18
_COLOURS: Final = ("#0f766e", "#b45309", "#1d4ed8", "#be123c", "#6d28d9", "#4d7c0f", "#0e7490", "#a21caf")

Part = tuple[str, list[tuple[str, str]]]
"""A part's title, and its pins: the part's name of each, and the board's."""


def parts(board: dict[str, Any]) -> list[Part]:
    """Everything that is wired to the board."""
    found: list[Part] = []
    for chip in board.get("chips", []):
        kind = chip["chip"]
        if "spi" in chip:
            bus = board["spi"][str(chip["spi"])]
            pins = [("SCK", f"GP{bus['sck']}"), ("MOSI", f"GP{bus['mosi']}"), ("MISO", f"GP{bus['miso']}")]
            pins.append((_SELECT[kind], f"GP{chip['cs']}"))
        else:
            bus = board["i2c"][str(chip["i2c"])]
            pins = [("SCL", f"GP{bus['scl']}"), ("SDA", f"GP{bus['sda']}")]
        pins += [(name.upper(), f"GP{chip[name]}") for name in ("busy", "reset") if name in chip]
        power = [("3.3 V", "3V3"), ("GND", "GND")]
        power += [("5 V", "5V")] if kind == "pn5180" else []
        power += [("RST", "3V3")] if kind == "rc522" and "reset" not in chip else []
        found.append((f"{_TITLES[kind]}, antenna {chip['antenna']}", pins + power))
    for contact in board.get("contacts", []):
        found.append(
            (f"contact {contact['number']}", [("one side", f"GP{contact['pin']}"), ("other side", "GND")])
        )
    return found + _watching(board.get("shuffler", {}))


def _watching(shuffler: dict[str, Any]) -> list[Part]:
    found: list[Part] = []
    for name, lamp in shuffler.get("lamps", {}).items():
        pins = [("cathode", "3V3"), ("anode", f"GP{lamp['pin']}"), ("anode by 47 kOhm", "GND")]
        found.append((f"photodiode on the {name} lamp", pins))
    if "motor" in shuffler:
        pins = [("one lead", f"GP{shuffler['motor']['pin']}")]
        pins += [("other lead by 10 kOhm", "3V3"), ("other lead by 10 kOhm", "GND")]
        found.append(("current clamp", pins))
    if "tray" in shuffler:
        found.append(
            ("switch under the tray", [("one side", f"GP{shuffler['tray']['pin']}"), ("other side", "GND")])
        )
    return found


def draw(title: str, board: dict[str, Any]) -> str:
    """An SVG: the board on the left with each pin once, the parts on the right, a line per wire."""
    wired = parts(board)
    named = {pin for _, pins in wired for _, pin in pins}
    used = sorted(named, key=lambda pin: (not pin[2:].isdigit(), pin.zfill(5)))
    right = sum((len(pins) + 2) * _ROW for _, pins in wired) + 20
    height = max(right, (len(used) + 3) * _ROW + 20)
    step = (height - 60) / max(1, len(used))
    at = {pin: 50 + step * (place + 0.5) for place, pin in enumerate(used)}
    colour = {pin: _COLOURS[place % len(_COLOURS)] for place, pin in enumerate(used)}
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{title}: what is wired to which pin</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<rect x="10" y="10" width="150" height="{height - 20}" rx="8" fill="#f1f5f3" stroke="#64748b"/>',
        f'<text x="85" y="32" text-anchor="middle" font-weight="bold">{title}</text>',
    ]
    y = 10.0
    for name, pins in wired:
        box = (len(pins) + 1.4) * _ROW
        drawn.append(
            f'<rect x="400" y="{y}" width="230" height="{box}" rx="8" fill="#f8fafc" stroke="#64748b"/>'
        )
        drawn.append(f'<text x="410" y="{y + 15}" font-weight="bold">{name}</text>')
        for place, (own, pin) in enumerate(pins):
            end = y + 15 + (place + 1) * _ROW
            drawn.append(
                f'<path d="M160 {at[pin]:.0f}C270 {at[pin]:.0f} 290 {end - 4:.0f} 400 {end - 4:.0f}" '
                f'fill="none" stroke="{colour[pin]}" stroke-width="1.5"/>'
            )
            drawn.append(f'<text x="410" y="{end}">{own} – {pin}</text>')
        y += (len(pins) + 2) * _ROW
    drawn += [
        f'<text x="150" y="{at[pin] + 4:.0f}" text-anchor="end" fill="{colour[pin]}">{pin}</text>'
        for pin in used
    ]
    return "\n".join([*drawn, "</svg>", ""])


def picture(name: str) -> str:
    """The drawing of one example."""
    board = json.loads((HERE / "examples" / f"{name}.json").read_text())
    drawn = draw(BOARDS[name], board)
    return drawn.replace("GP", "IO") if BOARDS[name].startswith("ESP32") else drawn


def main() -> None:
    """Write all of them."""
    for name in BOARDS:
        (HERE / "images" / f"{name}.svg").write_text(picture(name))


if __name__ == "__main__":
    main()
