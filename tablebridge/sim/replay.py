"""Recorded hands through the whole chain, and what the record says of them afterwards."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from tablebridge.export.hands import hands_of
from tablebridge.export.phh import PhhHand, read_phh, same_hand, write_phh
from tablebridge.journal.read import entries
from tablebridge.model.errors import ConfigError
from tablebridge.sim.hands import Hand
from tablebridge.sim.recorded import Skipped, hand_of
from tablebridge.sim.rig import TABLE
from tablebridge.sim.session import Session

SUFFIX: Final = ".phh"


class Recording(msgspec.Struct):
    """One file: the hand in it, or why it is skipped; once it was played, its number at the table."""

    path: Path
    out: Path
    record: PhhHand | None = None
    hand: Hand | None = None
    skipped: str = ""
    number: int = 0


class Compared(msgspec.Struct, frozen=True):
    """A file and how the hand that came out differs from the one that went in; nothing if they are the
    same.
    """

    path: Path
    differences: tuple[str, ...]


def hand_files(paths: Sequence[Path]) -> list[Path]:
    """The files, and for folders all PHH files in them. Raises ConfigError if a path is none."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(path.rglob(f"*{SUFFIX}"))
        elif path.exists():
            files.append(path)
        else:
            raise ConfigError(f"{path}: there is no such file; give PHH files or folders that hold some")
    return list(dict.fromkeys(file.resolve() for file in files))


def read_all(paths: Sequence[Path], out: Path, rng: Random) -> list[Recording]:
    """All recorded hands of these files and folders. Raises ConfigError if a path is none.

    A name that occurs once goes straight into `out`; names that clash keep their folders.
    """
    files = hand_files(paths)
    names = [file.name for file in files]
    common = _common(files)
    recordings = []
    for file in files:
        clash = names.count(file.name) > 1
        recording = Recording(file, out / (file.relative_to(common) if clash else file.name))
        try:
            recording.hand, recording.record = hand_of(read_phh(file), rng)
        except Skipped as reason:
            recording.skipped = str(reason)
        except ConfigError as fault:
            recording.skipped = str(fault).removeprefix(f"{file}: ")
        recordings.append(recording)
    return recordings


def play_all(session: Session, recordings: Sequence[Recording]) -> Iterator[Recording]:
    """Plays what is not skipped; gives each when it is over. A hand that the table calls a misdeal is dealt
    once more.
    """
    session.wait_table()
    for recording in recordings:
        if recording.hand is None:
            continue
        setup = setup_lines(recording.hand)
        played = session.dealer.play(recording.hand, setup)
        if played.void:
            played = session.dealer.play(recording.hand, setup)
        recording.number = played.view.hand
        yield recording


def setup_lines(hand: Hand) -> tuple[str, ...]:
    """The table's setup for a hand, entered before it."""
    small, big = hand.blinds
    stacks = " ".join(f"{seat}:{stack}" for seat, stack in hand.stacks.items())
    stakes = f"{hand.bets[0]}/{hand.bets[1]} blinds {small}/{big}" if hand.bets else f"{small}/{big}"
    return (
        f"game {hand.game} {stakes}",
        f"ante {hand.ante}",
        f"bb-ante {hand.bb_ante}",
        f"seats {hand.order[0]}-{hand.order[-1]}",
        f"button {hand.button}",
        f"stacks {stacks}",
    )


def write_all(session: Session, recordings: Sequence[Recording]) -> list[Compared]:
    """Writes what the journal says of each hand, and compares. Raises ConfigError if a file cannot be
    written.
    """
    with closing(session.journal()) as journal:
        came = {hand.other.get("hand"): hand for hand in hands_of(entries(journal), TABLE)}
    compared = []
    for recording in recordings:
        if recording.record is None or not recording.number:
            continue
        hand = came.get(recording.number)
        if hand is None:
            compared.append(Compared(recording.path, ("The record holds no such hand.",)))
            continue
        try:
            recording.out.parent.mkdir(parents=True, exist_ok=True)
            recording.out.write_text(write_phh(hand), encoding="utf-8")
        except OSError as error:
            raise ConfigError(
                f"{recording.out}: cannot be written ({error.strerror}); give another folder with --out"
            ) from None
        compared.append(Compared(recording.path, tuple(same_hand(recording.record, hand))))
    return compared


def _common(files: Sequence[Path]) -> Path:
    """The deepest folder that holds all files."""
    parents = [set(file.parents) for file in files]
    return max(set.intersection(*parents), key=lambda path: len(path.parts)) if parents else Path("/")
