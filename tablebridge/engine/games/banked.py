"""Table games against the house, as far as their cards go: the deal, the deck and the ranks of the hands, not
the bets.
"""

from typing import Final

from tablebridge.engine.games.form import Form, Street

GAMES: Final = (
    Form(
        "three-card",
        "three card poker",
        "none",
        (Street("deal", down=3),),
        ("three-card",),
        forced="none",
        banked=True,
    ),
    Form(
        "caribbean",
        "Caribbean stud poker",
        "none",
        (Street("deal", down=5),),
        ("high",),
        forced="none",
        banked=True,
    ),
    Form(
        "pai-gow",
        "pai gow poker",
        "none",
        (Street("deal", down=7),),
        ("pai-gow-high", "pai-gow-low"),
        forced="none",
        banked=True,
        deck="52+joker",
    ),
    Form(
        "uth",
        "ultimate Texas hold'em",
        "none",
        (Street("preflop", down=2), Street("flop", board=3), Street("river", board=2)),
        ("high",),
        forced="none",
        banked=True,
    ),
)
