"""The site file as models: one box, its broker and pages, its tables and their devices. Unknown keys are
refused.
"""

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from tablebridge import __version__
from tablebridge.languages import Language
from tablebridge.model.contacts import Contact, parse_contact
from tablebridge.model.disclosure import Reveal
from tablebridge.model.instant import Instant
from tablebridge.model.places import SEATS, Place, parse_place
from tablebridge.model.site_event import EVENT_NAMES, EventName

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
Number = Annotated[int, Field(ge=0)]


def shown(text: str) -> str:
    """A text that people are shown, as it is. Raises ValueError for control characters and marks that turn
    the direction.
    """
    if text.isprintable():
        return text
    raise ValueError(
        "a character stands here that cannot be seen, such as a control character; type the text again"
    )


Shown = Annotated[str, Field(max_length=40), AfterValidator(shown)]


def parse_stakes(text: str) -> tuple[int, int]:
    """`50/100` -> (50, 100). Raises ValueError for anything else."""
    low, _, high = text.partition("/")
    if all(part.isascii() and part.isdigit() and int(part) > 0 for part in (low, high)) and int(low) <= int(
        high
    ):
        return int(low), int(high)
    raise ValueError(f"{text!r} are no stakes; write the small and the big amount, such as 50/100")


def parse_seats(text: str) -> tuple[int, ...]:
    """`1-9` or `1 2 4 7` -> the seats, ascending. Raises ValueError for anything else."""
    seats: list[int] = []
    for part in text.split():
        first, dash, last = part.partition("-")
        ends = (first, last) if dash else (first, first)
        if not all(end.isascii() and end.isdigit() and int(end) in SEATS for end in ends):
            raise ValueError(f"{text!r} are no seats; write 1-9, or 1 2 4 7; seats are 1 to 10")
        seats.extend(range(int(ends[0]), int(ends[1]) + 1))
    if len(seats) < 2 or sorted(set(seats)) != seats:
        raise ValueError(
            f"{text!r} are no seats; write two or more, each once, from the lowest to the highest"
        )
    return tuple(seats)


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Broker(_Section):
    """Which MQTT broker. `embedded`: tablebridge starts its own on loopback (`run` and `demo`). `batch_ms`:
    how long readings that repeat what is known may wait, so that they go out together.
    """

    embedded: bool = True
    host: str = "127.0.0.1"
    port: int = Field(default=18830, ge=1, le=65535)
    batch_ms: int = Field(default=100, ge=0, le=1000)
    cafile: Path | None = None
    certfile: Path | None = None
    keyfile: Path | None = None


class Web(_Section):
    """Where the pages listen, and how long hole cards and the whole overlay picture are held back.
    `language`: of the pages for a person who has chosen none and whose browser asks for none of theirs.

    The pages speak plain HTTP. `allow_plain_http`: tokens and pictures may cross a network without
    encryption. `players`: a folder with pictures of players and what the broadcast says of them, empty
    for none.
    """

    allow_plain_http: bool = False
    listen: str = "127.0.0.1"
    port: int = Field(default=8090, ge=0, le=65535)
    language: Language = "en"
    overlay_delay_s: float = Field(default=300.0, ge=0, le=86_400)
    overlay_reveal: Reveal = "hand-over"
    overlay_hole_cards: bool = True
    overlay_frame_ancestors: str = "'none'"
    players: str = ""

    @field_validator("listen")
    @classmethod
    def _address(cls, value: str, info: ValidationInfo) -> str:
        try:
            loopback = ip_address(value).is_loopback
        except ValueError:
            raise ValueError(
                f"{value!r} is no IP address; write 127.0.0.1 for this machine only, "
                "0.0.0.0 for all networks it is in"
            ) from None
        if not loopback and not info.data.get("allow_plain_http"):
            raise ValueError(
                f"at {value} tokens and hole cards would cross the network in plain HTTP; write 127.0.0.1 "
                "and put "
                "a reverse proxy with TLS on this machine, or set allow_plain_http = true if nobody can "
                "listen in"
            )
        return value

    @field_validator("overlay_frame_ancestors")
    @classmethod
    def _sources(cls, value: str) -> str:
        # It goes into a header as it is: either of these would end the directive and begin another directive.
        if any(sign in value for sign in ";,") or not (value.isascii() and value.isprintable()):
            raise ValueError(
                "a ; or , has no place here, nor a letter that is not ASCII; write 'none', 'self' or "
                "addresses, "
                "with spaces between them"
            )
        return value

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can open the pages."""
        return ip_address(self.listen).is_loopback


class Device(_Section):
    """One device on one port: which antenna looks at which place, what each contact means. `group`: which
    devices it shares a process with, as `Table.group` says; None for what the table says.
    """

    name: Name
    driver: str
    port: str
    group: Name | None = None
    antennas: dict[Number, Annotated[Place, AfterValidator(parse_place)]] = {}
    contacts: dict[Number, Annotated[Contact, AfterValidator(parse_contact)]] = {}
    options: dict[str, bool | int | float | str] = {}


class Group(NamedTuple):
    """Devices of one table that share a process, an outbox, an account and a connection to the broker."""

    name: str
    table: str
    devices: tuple[str, ...]


class Table(_Section):
    """One table: what is played on it when it opens, and the devices under it.

    `group`: which of its devices share a process. `table`: all of them. `alone`: each has its own. Any other
    name: those that have it, such as the devices of one bus. `public_names`: of `names` those that may be
    shown in public, all of them if nothing is said.
    """

    name: Name
    group: Name = "table"
    rulebook: str = "tda-2022"
    game: str = "nlhe"
    stakes: str = "50/100"
    ante: int = Field(default=0, ge=0)
    bring_in: int = Field(default=0, ge=0)
    seats: str = "1-9"
    button: int | None = Field(default=None, ge=1, le=10)
    stacks: int = Field(default=10000, ge=0)
    chips: tuple[int, ...] = ()
    betting: Literal["told", "untold"] = "told"
    names: dict[Annotated[int, Field(ge=1, le=10)], Shown] = {}
    public_names: Annotated[tuple[Shown, ...], Field(max_length=100)] | None = None
    deck: Path | None = None
    decks: Annotated[tuple[Path, ...], Field(max_length=2)] = ()
    devices: tuple[Device, ...] = Field(default=(), alias="device")

    @field_validator("stakes")
    @classmethod
    def _stakes(cls, value: str) -> str:
        parse_stakes(value)
        return value

    @field_validator("seats")
    @classmethod
    def _seats(cls, value: str) -> str:
        parse_seats(value)
        return value

    @field_validator("chips")
    @classmethod
    def _denominations(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if any(low >= high for low, high in zip((0, *value), value, strict=False)):
            raise ValueError("denominations are whole numbers above 0, each higher than the one before")
        return value

    def group_of(self, device: Device) -> str:
        """The name of the group that a device of this table belongs to."""
        group = device.group or self.group
        return {"table": self.name, "alone": device.name}.get(group, group)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of its devices, in the order of the site file."""
        members: dict[str, list[str]] = {}
        for device in self.devices:
            members.setdefault(self.group_of(device), []).append(device.name)
        return tuple(Group(name, self.name, tuple(devices)) for name, devices in members.items())

    @property
    def antenna_places(self) -> dict[tuple[str, int], Place]:
        """By device and antenna: the place at which the antenna looks."""
        return {
            (device.name, antenna): place
            for device in self.devices
            for antenna, place in device.antennas.items()
        }

    @property
    def contact_meanings(self) -> dict[tuple[str, int], str]:
        """By device and contact: what the contact means."""
        return {
            (device.name, number): str(meaning)
            for device in self.devices
            for number, meaning in device.contacts.items()
        }

    @property
    def deck_files(self) -> tuple[Path, ...]:
        """The decks that belong on the table; none if any deck may be used."""
        return self.decks if self.deck is None else tuple(dict.fromkeys((self.deck, *self.decks)))

    @property
    def seat_numbers(self) -> tuple[int, ...]:
        """Seats entitled to a hand, ascending."""
        return parse_seats(self.seats)

    @property
    def stakes_pair(self) -> tuple[int, int]:
        """Small and big blind, or small and big bet."""
        return parse_stakes(self.stakes)


MOST_HANDS_KEPT: Final = 1000
"""The number of hands whose readings may be kept."""


_AGE: Final = re.compile(r"([1-9]\d{0,4}) (day|week|month|year)s?")
_DAYS: Final = {"day": 1, "week": 7, "month": 30, "year": 365}
_MOST_DAYS: Final = 100 * 365
_DAY_NS: Final = 86_400 * 1_000_000_000


def parse_age(text: str) -> int:
    """`90 days`, `1 year` -> days. Raises ValueError for anything else, and beyond a hundred years."""
    found = _AGE.fullmatch(text)
    days = int(found[1]) * _DAYS[found[2]] if found else 0
    if 0 < days <= _MOST_DAYS:
        return days
    raise ValueError(
        f"{text[:40]!r} is no time to keep anything; write a number of days, weeks, months or years, such as "
        "30 days, at most 100 years"
    )


def _age(text: str) -> str:
    parse_age(text)
    return text


Age = Annotated[
    str,
    AfterValidator(_age),
    WithJsonSchema({"type": "string", "pattern": f"^{_AGE.pattern}$"}),
]


class Retention(_Section):
    """How long the record keeps readings, faces that never lay open, and names that are no longer in force;
    as long as the record itself if nothing is said.
    """

    readings: Age | None = None
    hole_cards: Age | None = None
    names: Age | None = None

    @property
    def any(self) -> bool:
        """Whether there is any rule."""
        return any(rule is not None for rule in (self.readings, self.hole_cards, self.names))

    def before_ns(self, rule: Literal["readings", "hole_cards", "names"], now: Instant) -> int | None:
        """By the wall clock the time before which this rule deletes; None if there is no such rule."""
        age: str | None = getattr(self, rule)
        return None if age is None else now.wall_ns - parse_age(age) * _DAY_NS


Seconds = Annotated[float, Field(gt=0, le=3600)]


class Ringing(_Section):
    """After how many seconds an alert rings again, and for whom. `warning_all_s`, `warning_manager_s`,
    `critical_manager_s`: since it was raised and nobody has seen it. `not_taken_s`: since it was seen and
    nobody has taken it; `not_ruled_s`: since it was taken and not ruled on. `again_s`: between rings when all
    have been rung.
    """

    warning_all_s: Seconds = 30.0
    warning_manager_s: Seconds = 90.0
    critical_manager_s: Seconds = 45.0
    not_taken_s: Seconds = 60.0
    not_ruled_s: Seconds = 300.0
    again_s: Seconds = 300.0

    @field_validator("warning_manager_s")
    @classmethod
    def _later(cls, value: float, info: ValidationInfo) -> float:
        if value <= info.data.get("warning_all_s", 0):
            raise ValueError("the managers are rung after all others; write more seconds than warning_all_s")
        return value


class Webhook(_Section):
    """Who is sent events by HTTP. `events` and `tables`: which; all tables if none is named.
    `allow_loopback`: the address may lead to this machine itself.
    """

    name: Name
    url: Annotated[str, Field(max_length=500)]
    events: tuple[EventName, ...] = EVENT_NAMES
    tables: tuple[Name, ...] = ()
    allow_loopback: bool = False

    @field_validator("url")
    @classmethod
    def _address(cls, value: str) -> str:
        try:
            parts = urlsplit(value)
            fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
            fits = fits and value.isascii() and value.isprintable() and " " not in value
        except ValueError:
            fits = False
        if not fits or parts.username or parts.fragment:
            raise ValueError(
                "this is no address for events; write http://HOST:PORT/PATH or https://HOST/PATH, without a "
                "user and without spaces"
            )
        return value


class Video(_Section):
    """A video system of the house, in which moments of tables are marked. `adapter`: how it is spoken to;
    `host` and `port`: where it listens; `cameras`: by table what it calls the camera, no table without one is
    marked there, unless none is named; `before_s`, `after_s`: how much of the video around the moment;
    `options`: what a plug-in needs.
    """

    adapter: Name = "milestone"
    host: Annotated[str, Field(max_length=200)] = "127.0.0.1"
    port: int = Field(default=1234, ge=1, le=65535)
    cameras: dict[Name, Shown] = {}
    before_s: float = Field(default=10.0, ge=0, le=600)
    after_s: float = Field(default=20.0, ge=0, le=600)
    options: dict[str, bool | int | float | str] = {}

    def covers(self, table: str) -> bool:
        """Whether moments of this table are marked there."""
        return not self.cameras or table in self.cameras


class Site(_Section):
    """The whole site file. `written_for`: the version of tablebridge for which it was written. `state_dir`
    holds journal, outboxes, tokens and the embedded broker's store. `commit_within_s`: how long readings from
    which nothing follows may wait for a commit of the journal. `device_engine_share`: seconds of the engine's
    time that one device may take per second; what is beyond waits.
    `people`: the file of those who are notified; nobody is without it. `tournament`: the tables are one
    tournament, which `tablebridge room` follows.
    """

    written_for: Annotated[str, Field(pattern=r"^\d{1,4}(\.\d{1,4}){0,3}$")] = __version__
    name: Name = "site"
    state_dir: Path = Path("/var/lib/tablebridge")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["text", "json"] = "text"
    keep_readings_hands: int = Field(default=20, ge=1, le=MOST_HANDS_KEPT)
    commit_within_s: float = Field(default=0.5, ge=0, le=2)
    device_engine_share: float = Field(default=0.25, ge=0.01, le=1)
    people: Path | None = None
    tournament: bool = False
    broker: Broker = Broker()
    web: Web = Web()
    retention: Retention = Retention()
    ringing: Ringing = Ringing()
    webhooks: Annotated[tuple[Webhook, ...], Field(max_length=8)] = Field(default=(), alias="webhook")
    videos: Annotated[tuple[Video, ...], Field(max_length=8)] = Field(default=(), alias="video")
    tables: tuple[Table, ...] = Field(default=(), alias="table")

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of all tables. Each is one driver process."""
        return tuple(group for table in self.tables for group in table.groups)
