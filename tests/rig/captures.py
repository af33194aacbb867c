"""The recorded conversations: tests/captures/DRIVER/NN-WHAT/ with `capture.jsonl`, `expect.jsonl` and
`README.md`.
"""

from pathlib import Path

from tablebridge import DISTRIBUTION
from tablebridge.host import registry
from tablebridge.sdk import Driver
from tablebridge.sdk.testing import read_capture

FOLDER = Path(__file__).parents[1] / "captures"
FOLDERS = sorted(path.parent for path in FOLDER.glob("*/*/capture.jsonl"))
DRIVERS: dict[str, Driver] = {
    known.name: registry.load(f"{known.distribution}:{known.name}")
    for known in registry.known()
    if known.distribution == DISTRIBUTION
}


def said(driver: str) -> list[bytes]:
    """What the device said in each piece of all captures of a driver."""
    pieces = _said(driver)
    assert pieces, (
        f"the driver {driver} has no capture with a piece that its device said: give one, "
        f"tests/captures/{driver}/01-WHAT/capture.jsonl (docs/captures.md)"
    )
    return pieces


def _said(driver: str) -> list[bytes]:
    return [
        bytes.fromhex(piece.hex)
        for folder in FOLDERS
        if folder.parent.name == driver
        for piece in read_capture((folder / "capture.jsonl").read_text(encoding="utf-8"))
        if piece.direction == "rx"
    ]
