"""`tablebridge simulate`: recorded hands through the whole chain, and how what came out differs from what
went in.
"""

import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tablebridge.cli.demo import Speed, until_interrupted
from tablebridge.export.phh import read_phh
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.pace import Stopped
from tablebridge.sim.phh_hands import GAMES, fold
from tablebridge.sim.replay import Compared, Recording, hand_files, play_all, read_all, write_all
from tablebridge.sim.session import Session


@click.command(epilog="Example: tablebridge simulate --phh hands/ --out played/ --level typical")
@click.option(
    "--phh",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    help="A PHH file, or a folder of them; may be given again, and further files may follow.",
)
@click.argument("more", type=click.Path(path_type=Path), nargs=-1)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for what came out.")
@click.option(
    "--engine",
    "engine_only",
    is_flag=True,
    help="Only through the hand engine, without a table: any game, nothing written.",
)
@click.option(
    "--level",
    type=click.Choice(list(LEVELS)),
    default="clean",
    show_default=True,
    help="How badly the antennas read.",
)
@click.option(
    "--bets",
    type=click.Choice(["console", "chips"]),
    default="console",
    show_default=True,
    help="Whether bets are typed, or pushed forward as tagged chips.",
)
@click.option(
    "--speed", type=Speed(), default="max", show_default=True, help="live, max, or times faster than life."
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same.")
def command(
    files: tuple[Path, ...],
    more: tuple[Path, ...],
    out: Path | None,
    engine_only: bool,
    level: str,
    bets: str,
    speed: float,
    seed: int,
) -> None:
    """Play recorded hands through the whole chain and write what came out.

    Each hand is dealt on an emulated table under the real drivers, broker, sensing and engine; what the
    journal then says is written as PHH under the same name. Hold'em and Omaha are played so; other games are
    listed. With --engine hands of every game are folded, and the stacks at the end compared.
    """
    if engine_only:
        _fold([*files, *more])
        return
    if out is None:
        raise click.UsageError("--out FOLDER says where to write what came out; or --engine writes nothing.")
    rng = Random(seed)
    screen = Console(soft_wrap=True, highlight=False)
    recordings = read_all([*files, *more], out, rng)
    if (due := _due(recordings, screen)) == 0:
        screen.print("No hand is left to play.")
        return
    with (
        tempfile.TemporaryDirectory(prefix="tablebridge-simulate-") as folder,
        until_interrupted() as stopped,
    ):
        session = Session(
            Path(folder),
            level=level,
            speed=speed or None,
            seed=rng.randrange(1 << 32),
            bets=bets == "chips",
            stopped=lambda: stopped[0],
        )
        _played(session, recordings, due, out, screen)


def _played(session: Session, recordings: list[Recording], due: int, out: Path, screen: Console) -> None:
    """Play the hands, write what came of them and print how they differ from the recordings."""
    with session:
        took = _play(session, recordings, due, screen)
    compared, lost = write_all(session, recordings), session.readings_lost()
    for sentence in session.endings():
        click.echo(sentence, err=True)
    _compare(compared, took, lost, out, screen)


def _compare(compared: list[Compared], took_s: float, lost: int, out: Path, screen: Console) -> None:
    """Print which hands came out otherwise than they were recorded."""
    same = sum(not hand.differences for hand in compared)
    for hand in compared:
        for difference in hand.differences:
            screen.print(f"{hand.path}: {difference}", markup=False)
    screen.print(
        f"identical {same} of {len(compared)}; {took_s:.0f} s, {took_s / max(1, len(compared)):.2f} s a "
        "hand; "
        f"{lost} readings lost; written to {out}",
        markup=False,
    )


def _due(recordings: list[Recording], screen: Console) -> int:
    """How many hands are to be played; the others are named."""
    for recording in recordings:
        if recording.skipped:
            screen.print(f"skipped {recording.path.name}: {recording.skipped}", markup=False)
    return sum(recording.hand is not None for recording in recordings)


def _play(session: Session, recordings: list[Recording], due: int, screen: Console) -> float:
    """Play the hands; how long it took (seconds)."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=screen,
    )
    with bar:
        task = bar.add_task("hands", total=due)
        began = time.monotonic()
        try:
            for _ in play_all(session, recordings):
                bar.advance(task)
        except Stopped:
            screen.print("Stopped; what was played so far is written.")
        return time.monotonic() - began


def _fold(paths: list[Path]) -> None:
    """Fold all hands and say which differ."""
    same: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    for path in hand_files(paths):
        record = read_phh(path)
        hands[record.variant] += 1
        difference = fold(record).differs(record)
        same[record.variant] += not difference
        if difference:
            click.echo(f"{path}: {difference}")
    for variant, count in sorted(hands.items()):
        click.echo(f"{variant:6} {GAMES.get(variant, ''):7} identical {same[variant]} of {count}")
    click.echo(f"identical {same.total()} of {hands.total()}")
