"""What would come of a line is answered without anything that only antennas know, whoever asks how often."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from benchmarks.faces import Made, exchanged
from tablebridge.app.preview import preview
from tablebridge.bus.messages import Command
from tablebridge.engine.table import Table
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.preview import Preview

HANDS, EXCHANGES, PARTS = 24, 3, 4


def questions(rng: Random, table: Table, held: list[Card]) -> Iterator[Command]:
    """What somebody asks who wants to know: faces that may be there or not, ends, corrections."""
    last = table.next_entry() - 1
    entry = max(1, last - rng.choice((0, 0, 1, 2, 5)))
    seat, card = rng.choice((1, 2, 3)), rng.choice([*held, *rng.sample(DECK_52, 3)])
    other = rng.choice(DECK_52)
    for line in (
        f"table {seat} {card} {other}",
        f"seen {card} {rng.choice(('muck', 'board', 'burn', 'seat 2'))}",
        f"deal {seat} {card}",
        f"expose {seat} {card}",
        f"burn {card}",
        rng.choice(("end", "hand", "ruling misdeal", "ruling play-on")),
    ):
        yield asked(lines=(line,))
        yield asked(lines=(line,), **{rng.choice(("change", "before")): entry}, note="to know")
    yield asked(undo=entry, note="to know")


def asked(**what: object) -> Command:
    return Command("question-1", "Eve", "operator", 2**62, **what)  # type: ignore[arg-type]


@pytest.mark.parametrize("part", range(PARTS))
def test_no_answer_depends_on_a_hidden_face(part: int) -> None:
    answers = 0
    for seed in range(part, HANDS, PARTS):
        made = Made(seed)
        faces = {card for entry in made.entries if (card := getattr(entry.event, "card", None)) in DECK_52}
        for exchange, until in made.others(EXCHANGES):
            table, twin = Table("table"), Table("table")
            rng = Random(f"{seed} {until}")
            for entry in made.entries[:until]:
                table.apply(entry)
                twin.apply(exchanged(entry, exchange))
                for command in questions(rng, table, sorted(faces)) if rng.random() < 0.2 else ():
                    found: Preview = preview(command, table, 0)
                    assert found == preview(command, twin, 0), f"seed {seed}, entry {entry.id}: {command}"
                    answers += msgspec.structs.replace(found, sentence="").ok
    assert answers > 100, "most of what was asked was tried"
