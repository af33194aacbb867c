"""The site file as models: one box, its broker and pages, its tables and their devices. Unknown keys are refused."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from tablebridge.model.places import Place, parse_place

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Broker(_Section):
    """Which MQTT broker. `embedded`: tablebridge starts its own on loopback (`run` and `demo`)."""

    embedded: bool = True
    host: str = "127.0.0.1"
    port: int = Field(default=18830, ge=1, le=65535)
    cafile: Path | None = None
    certfile: Path | None = None
    keyfile: Path | None = None


class Web(_Section):
    """Where the pages listen, and how long hole cards and the whole overlay picture are held back."""

    listen: str = "127.0.0.1"
    port: int = Field(default=8090, ge=0, le=65535)
    overlay_delay_s: float = Field(default=300.0, ge=0)
    overlay_hole_cards: bool = True
    overlay_frame_ancestors: str = "'none'"


class Device(_Section):
    """One device on one port: which antenna looks at which place, what each contact means."""

    name: Name
    driver: str
    port: str
    antennas: dict[int, Place] = {}
    contacts: dict[int, str] = {}
    options: dict[str, bool | int | float | str] = {}

    @field_validator("antennas", mode="after")
    @classmethod
    def _places(cls, value: dict[int, Place]) -> dict[int, Place]:
        return {antenna: parse_place(place) for antenna, place in value.items()}


class Table(_Section):
    """One table: what is played on it when it opens, and what stands under it."""

    name: Name
    rulebook: str = "tda-2022"
    game: str = "nlhe"
    stakes: str = "50/100"
    seats: str = "1-9"
    button: int | None = Field(default=None, ge=1, le=10)
    stacks: int = Field(default=10000, ge=0)
    chips: tuple[int, ...] = ()
    names: dict[int, str] = {}
    deck: Path | None = None
    devices: tuple[Device, ...] = Field(default=(), alias="device")


class Site(_Section):
    """The whole site file. `state_dir` holds journal, outboxes, tokens and the embedded broker's store."""

    name: Name = "site"
    state_dir: Path = Path("/var/lib/tablebridge")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    keep_readings_hands: int = Field(default=20, ge=1)
    broker: Broker = Broker()
    web: Web = Web()
    tables: tuple[Table, ...] = Field(default=(), alias="table")
