"""What is special about a hand stands in every view of it: straddles, killed pots, bomb pots, two boards."""

import pytest

from tablebridge.engine.script.reader import read
from tablebridge.engine.script.runner import play
from tablebridge.engine.table import Table
from tablebridge.engine.views import overlay_view, staff_view
from tablebridge.model.instant import START
from tablebridge.model.views import SpecialView

BEGIN = """\
rules tda-2022
game {game} 50/100
seats 1-6
button 6
stacks 10000
"""


def specials(game: str, *lines: str) -> tuple[SpecialView, ...]:
    table = Table("special")
    for _ in play(read(BEGIN.format(game=game) + "\n".join(lines) + "\n", "special"), table):
        pass
    assert staff_view(table, START).specials == overlay_view(table, START).specials
    return staff_view(table, START).specials


@pytest.mark.parametrize(
    ("game", "lines", "found"),
    [
        ("nlhe", ("hand",), ()),
        (
            "nlhe",
            ("house straddle under-the-gun", "house straddles 2", "hand", "straddle 3 200", "straddle 4 400"),
            (SpecialView("straddle", 3, 200), SpecialView("straddle", 4, 400)),
        ),
        ("nlhe", ("house no-look 1", "hand", "no-look 3 200"), (SpecialView("no-look", 3, 200),)),
        ("flhe", ("house kill full", "kill 4", "hand"), (SpecialView("kill", 4, 100),)),
        ("flhe", ("house kill half", "kill 4", "hand"), (SpecialView("half-kill", 4, 75),)),
        ("plo", ("bomb 500", "hand"), (SpecialView("bomb", amount=500),)),
        (
            "plo",
            ("bomb 500 two-boards", "hand"),
            (SpecialView("bomb", amount=500), SpecialView("two-boards")),
        ),
        ("plo-2b", ("hand",), (SpecialView("two-boards"),)),
        ("plo", ("bomb 500", "hand", "end"), ()),
    ],
)
def test_what_is_special_about_a_hand_is_shown(
    game: str, lines: tuple[str, ...], found: tuple[SpecialView, ...]
) -> None:
    assert specials(game, *lines) == found
