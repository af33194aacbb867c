"""The state folder: its parts, who writes each and what is in it. The units and docs/deployment.md say the
same.

Each part belongs to one writer and nobody else may open it: what another process needs to know goes over the
bus. The folder itself belongs to nobody who runs here, so that no process can put a file where another would
read it.
"""

from pathlib import Path
from typing import Final, Literal

import msgspec

from tablebridge import private
from tablebridge.model.errors import ConfigError

Writer = Literal["broker", "driver", "engine", "web", "run"]


class Part(msgspec.Struct, frozen=True):
    """A folder of the state folder. `holds`: its files and what they mean."""

    name: str
    writer: Writer
    holds: str


BROKER: Final = Part(
    "broker", "broker", "the embedded broker's store; accounts/ACCOUNT.password, made at first start"
)
OUTBOX: Final = Part(
    "outbox", "driver", "DEVICE.sqlite: what a device said; DEVICE.aside/ what its driver could not take"
)
JOURNAL: Final = Part(
    "journal", "engine", "TABLE.sqlite: the record; broken-TIME/ older ones; aside/ what was not taken"
)
DECKS: Final = Part("decks", "engine", "NAME.toml: tag -> card; NAME.reads.json: how often each tag was read")
CHIPS: Final = Part("chips", "engine", "chips.toml: tag -> denomination")
CALIBRATION: Final = Part("calibration", "engine", "TABLE.json: what was counted of the antennas; no tags")
TOKENS: Final = Part("tokens", "web", "tokens.json: who may see which page (hashes); tokens-used.json")
ASIDE: Final = Part("aside", "web", "what the pages could not take")
LOG: Final = Part("log", "run", "PROCESS.log: what each process of `tablebridge run` said")

PARTS: Final = (BROKER, OUTBOX, JOURNAL, DECKS, CHIPS, CALIBRATION, TOKENS, ASIDE, LOG)


def part_of(state_dir: Path, part: Part) -> Path:
    """Where the part is."""
    return state_dir / part.name


def write_private(path: Path, text: str) -> None:
    """Write a private file, whole or not at all. Raises ConfigError if it cannot be written."""
    try:
        private.folder(path.parent)
        private.write(path, text.encode())
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be written ({error.strerror}); check the path and its permissions."
        ) from None
