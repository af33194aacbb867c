"""Table games against the house, by their cards: the deal, the deck and the ranks of the hands. Their bets
are in `engine/house`.
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
        (
            Street("preflop", down=2),
            Street("flop", board=3),
            Street("turn", board=1),
            Street("river", board=1),
        ),
        ("high",),
        forced="none",
        banked=True,
    ),
    Form(
        "video-poker",
        "video poker",
        "none",
        (Street("deal", down=5), Street("draw1", draw=True)),
        ("high",),
        forced="none",
        banked=True,
        least_seats=1,
        most_seats=1,
    ),
)
