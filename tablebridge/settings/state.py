"""Everything that tablebridge leaves on the disk of a box: the register of the state folder.

A row of `FILES` is a kind of file: its name, who writes it, who reads it, what it means and how long it is
kept. No other module builds a path of the state folder by itself; the units, docs/deployment.md and
docs/architecture.md are held against the register by tests.

Each folder in the state folder belongs to one writer and no other process may open it: what another process
needs to know goes over the bus. The folder itself belongs to nobody who runs here, so that no process can put
a file where another would read it. Folders have mode 0700 and files 0600 from their first moment
(`private.py`).
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from tablebridge import private
from tablebridge.model.errors import ConfigError

SCHEMA: Final = 3
"""The layout of the state folder as a whole: one more whenever an older tablebridge could not read a file of
it any more. An older one refuses to be installed over a newer layout.
"""

_NAMED: Final = re.compile("[A-Z]+")
_A_NAME: Final = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}"
"""What a file may be called: nothing that leads to another folder, nothing hidden."""

Writer = Literal["broker", "driver", "engine", "web", "notify", "room", "run", "setup", "uplink"]


class Part(msgspec.Struct, frozen=True):
    """A folder of the state folder. `writer`: whose it is."""

    name: str
    writer: Writer

    def folder(self, state_dir: Path) -> Path:
        """The path of the folder."""
        return state_dir / self.name


class StateFile(msgspec.Struct, frozen=True):
    """A kind of file. `name`: within its part; a word in capitals stands for a name, `*` for what its owner
    chooses. `readers`: who opens it beside the writer; commands run as the writer's user. `meaning`; `kept`:
    how long; `saved`: whether a backup has it.
    """

    part: Part
    name: str
    readers: str
    meaning: str
    kept: str
    saved: bool = False

    def path(self, state_dir: Path, named: str = "") -> Path:
        """The path of the file of this name; of its folder if the files in it have names of their owner's."""
        return self.part.folder(state_dir) / _NAMED.sub(lambda _: named, self.name.removesuffix("*"))

    def paths(self, state_dir: Path) -> Iterator[Path]:
        """Those that are there, by name."""
        yield from sorted(self.part.folder(state_dir).glob(_NAMED.sub("*", self.name)))

    def matches(self, path: str) -> bool:
        """Whether `PART/NAME` is a file of this kind."""
        named = re.escape(f"{self.part.name}/{_NAMED.sub('*', self.name)}").replace(r"\*", _A_NAME)
        return re.fullmatch(named, path) is not None


BROKER: Final = Part("broker", "broker")
OUTBOX: Final = Part("outbox", "driver")
JOURNAL: Final = Part("journal", "engine")
DECKS: Final = Part("decks", "engine")
CHIPS: Final = Part("chips", "engine")
CALIBRATION: Final = Part("calibration", "engine")
TOKENS: Final = Part("tokens", "web")
WEBHOOKS: Final = Part("webhooks", "web")
DIRECTOR: Final = Part("director", "web")
ASIDE: Final = Part("aside", "web")
NOTIFY: Final = Part("notify", "notify")
ROOM: Final = Part("room", "room")
LOG: Final = Part("log", "run")
SETUP: Final = Part("setup", "setup")
UPLINK: Final = Part("uplink", "uplink")

PARTS: Final = (
    BROKER,
    OUTBOX,
    JOURNAL,
    DECKS,
    CHIPS,
    CALIBRATION,
    TOKENS,
    WEBHOOKS,
    DIRECTOR,
    ASIDE,
    NOTIFY,
    ROOM,
    LOG,
    SETUP,
    UPLINK,
)

PASSWORD: Final = StateFile(
    BROKER,
    "accounts/ACCOUNT.password",
    "each process its own",
    "password of an account of the embedded broker",
    "until deleted; made at the first start",
)
BROKER_LOG: Final = StateFile(
    BROKER, "broker.log", "a person", "what the embedded broker logs", "until deleted"
)
BROKER_CONFIG: Final = StateFile(
    BROKER,
    "*",
    "",
    "store, users and configuration of the embedded broker",
    "configuration: made again at each start; store: until deleted",
)
OUTBOX_FILES: Final = StateFile(
    OUTBOX,
    "GROUP/*",
    "",
    "readings of a group of devices in `NUMBER.log`; which device its process served last",
    "unacknowledged readings until acknowledged or 512 MiB are full, and the newest 8 MiB after that",
)
DAMAGED_OUTBOX: Final = StateFile(
    OUTBOX,
    "GROUP/NUMBER.log.damaged-TIME",
    "a person",
    "a file of the outbox that could not be read",
    "the newest 3",
)
OUTBOX_ASIDE: Final = StateFile(
    OUTBOX, "GROUP/aside/*", "a person", "messages that a driver process could not take", "the newest 50"
)
JOURNAL_FILE: Final = StateFile(
    JOURNAL,
    "TABLE.sqlite",
    "the commands journal, export, sense, calibrate, chips, deck, doctor",
    "the record of a table",
    "until deleted; readings for keep_readings_hands; parts of it as [retention] says",
    saved=True,
)
BROKEN_JOURNAL: Final = StateFile(
    JOURNAL,
    "broken-TIME/TABLE.sqlite",
    "the same",
    "a record that failed its check",
    "until deleted",
    saved=True,
)
RESTORED: Final = StateFile(
    JOURNAL,
    "restored.json",
    "the command restore",
    "which backup was restored here, and whether that was finished",
    "until the next restore",
)
PSEUDONYM_KEY: Final = StateFile(
    JOURNAL,
    "pseudonyms.key",
    "",
    "the secret from which pseudonyms of players are made",
    "until deleted; made when it is needed",
    saved=True,
)
SIGNING_KEY: Final = StateFile(
    JOURNAL,
    "signing.key",
    "the command journal",
    "the key with which the box signs the chains of its records, and slices that are taken out of it",
    "until deleted; made when it is needed",
    saved=True,
)
SAVING: Final = StateFile(
    JOURNAL, ".backup-*", "", "copies of journals while a backup is being made", "until it is made"
)
RESTORING: Final = StateFile(
    JOURNAL, ".restore-*", "", "what a backup unpacks to while it is being restored", "until it is restored"
)
JOURNAL_ASIDE: Final = StateFile(
    JOURNAL, "aside/*", "a person", "messages that the engine could not take", "the newest 50"
)
DECK_FILE: Final = StateFile(
    DECKS,
    "NAME.toml",
    "the commands enrol, deck, setup, sense, doctor",
    "tag -> card",
    "until deleted",
    saved=True,
)
DECK_READS: Final = StateFile(
    DECKS,
    "NAME.reads.json",
    "the command deck",
    "how often each tag was read, per night",
    "60 nights",
    saved=True,
)
CHIP_FILE: Final = StateFile(
    CHIPS,
    "chips.toml",
    "the commands chips, sense, doctor",
    "tag -> denomination",
    "until deleted",
    saved=True,
)
CALIBRATION_FILE: Final = StateFile(
    CALIBRATION,
    "TABLE.json",
    "the command calibrate",
    "what was counted of the antennas; no tags",
    "until deleted; old counts fade",
    saved=True,
)
CALIBRATION_MEASURED: Final = StateFile(
    CALIBRATION,
    "measured/*",
    "the commands calibrate and setup, which write it",
    "what was measured with one card and waits for the engine",
    "until the engine takes it between two hands",
)
TOKENS_FILE: Final = StateFile(
    TOKENS,
    "tokens.json",
    "the command token",
    "who may see which page; hashes",
    "until revoked",
    saved=True,
)
TOKENS_USED: Final = StateFile(
    TOKENS,
    "tokens-used.json",
    "the command token",
    "when each token was used last",
    "as long as its token",
    saved=True,
)
TOKENS_GIVEN: Final = StateFile(
    TOKENS,
    "given.jsonl",
    "a person",
    "who gave which token to whom, and when it was opened and revoked; no secrets",
    "until deleted",
    saved=True,
)
TOKENS_LOCK: Final = StateFile(
    TOKENS, "tokens.lock", "the command token", "empty; locked by whoever changes the tokens", "until deleted"
)
WEBHOOK_SECRET: Final = StateFile(
    TOKENS,
    "NAME.webhook",
    "the command webhook",
    "the secret with which the events for a webhook are signed",
    "until deleted; made when it is needed",
    saved=True,
)
WEBHOOK_EVENTS: Final = StateFile(
    WEBHOOKS,
    "events.sqlite",
    "",
    "events that wait for the receivers of webhooks; no secrets, cards and names",
    "until delivered, 1 h, or 5,000 of each webhook",
)
DAMAGED_EVENTS: Final = StateFile(
    WEBHOOKS, "events.sqlite.damaged", "a person", "the same, if it could not be read", "the newest"
)
DIRECTIONS: Final = StateFile(
    DIRECTOR,
    "directions.json",
    "",
    "what the director's orders come to, per table",
    "until deleted; hole cards are hidden if it cannot be read",
)
WEB_ASIDE: Final = StateFile(
    ASIDE, "*", "a person", "messages that the pages could not take", "the newest 50"
)
NOTICES: Final = StateFile(
    NOTIFY,
    "notices.sqlite",
    "",
    "notices that wait for people's phones; no card and no player",
    "until delivered, 10 min, or 500 of each person",
)
DAMAGED_NOTICES: Final = StateFile(
    NOTIFY, "notices.sqlite.damaged", "a person", "the same, if it could not be read", "the newest"
)
CALLED: Final = StateFile(
    NOTIFY,
    "called.json",
    "",
    "who was notified of which open alert, so that nobody is twice",
    "as long as the alert is open",
)
ROOM_FILE: Final = StateFile(
    ROOM,
    "room.sqlite",
    "the command journal",
    "the record of the room of tables: who sat where, moved, went out",
    "until deleted",
    saved=True,
)
PROCESS_LOG: Final = StateFile(
    LOG, "PROCESS.log", "a person", "what a process of `tablebridge run` logs", "until deleted"
)
SETUP_PROGRESS: Final = StateFile(
    SETUP,
    "progress.json",
    "the command doctor",
    "how far a set-up in the browser is; why steps were skipped; no tags",
    "until deleted",
)
SETUP_SOCKET: Final = StateFile(
    SETUP,
    "socket",
    "web",
    "the socket through which the pages reach the set-up process",
    "while that runs",
)
UPLINK_JOINED: Final = StateFile(
    UPLINK,
    "joined.json",
    "",
    "which room this box has joined, and for whose key hidden faces are sealed; public",
    "until the box joins again",
)
UPLINK_CREDENTIALS: Final = StateFile(
    UPLINK,
    "box.creds",
    "",
    "with what the uplink is known to the room: a certificate and the key of this box",
    "until revoked; made when the box joins",
)
UPLINK_AUTHORITY: Final = StateFile(
    UPLINK, "ca.pem", "", "the certificates of the room's authority", "until the box joins again"
)
UPLINK_POSITION: Final = StateFile(
    UPLINK,
    "TABLE.position",
    "",
    "the last record of a table that the room has acknowledged",
    "made again if it is missing",
)
UPLINK_VERSION: Final = StateFile(
    UPLINK,
    "versions/NUMBER/*",
    "the command site take",
    "configurations that the room has made for this box, signed",
    "the newest 8",
)

FILES: Final = (
    PASSWORD,
    BROKER_LOG,
    BROKER_CONFIG,
    OUTBOX_FILES,
    DAMAGED_OUTBOX,
    OUTBOX_ASIDE,
    JOURNAL_FILE,
    BROKEN_JOURNAL,
    RESTORED,
    PSEUDONYM_KEY,
    SIGNING_KEY,
    SAVING,
    RESTORING,
    JOURNAL_ASIDE,
    DECK_FILE,
    DECK_READS,
    CHIP_FILE,
    CALIBRATION_FILE,
    CALIBRATION_MEASURED,
    TOKENS_FILE,
    TOKENS_USED,
    TOKENS_GIVEN,
    TOKENS_LOCK,
    WEBHOOK_SECRET,
    WEBHOOK_EVENTS,
    DAMAGED_EVENTS,
    DIRECTIONS,
    WEB_ASIDE,
    NOTICES,
    DAMAGED_NOTICES,
    CALLED,
    ROOM_FILE,
    PROCESS_LOG,
    SETUP_PROGRESS,
    SETUP_SOCKET,
    UPLINK_JOINED,
    UPLINK_CREDENTIALS,
    UPLINK_AUTHORITY,
    UPLINK_POSITION,
    UPLINK_VERSION,
)


def write_private(path: Path, text: str) -> None:
    """Write a private file, whole or not at all. Raises ConfigError if it cannot be written."""
    try:
        private.folder(path.parent)
        private.write(path, text.encode())
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be written ({error.strerror}); check the path and its permissions."
        ) from None


def register() -> str:
    """The register as a table in Markdown."""
    lines = [
        "| file | written by | read by | what it is | kept | in a backup |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| `state_dir/{file.part.name}/{file.name}` | {file.part.writer} | {file.readers or 'nobody else'} "
        f"| {file.meaning} | {file.kept} | {'yes' if file.saved else 'no'} |"
        for file in FILES
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(register())
