"""How badly an antenna reads: four levels, from a bench in a laboratory to a table full of phones and metal.

One visit of an antenna misses a card that lies under others more often than one that lies alone. How a card
lies is drawn once for each placement and stays until it is touched: some placements are frail, a few are
dead, and some lie so near the edge that a neighbour reads them too. So misses are not independent, which is
what makes sensing hard. The figures are assumptions, between what builders of such tables report and the
arithmetic of the air interface; nobody has published measurements.
"""

import math
from random import Random
from typing import Final

import msgspec


class Noise(msgspec.Struct, frozen=True):
    """One level. All are probabilities unless said otherwise.

    `single`: a lone card is missed. `stack`: how fast misses grow with each further card on the pile.
    `frailty`: standard deviation of a placement's quality on the logit scale. `dead`: a placement is never
    read. `edge`: a placement lies near a neighbour, who then reads it with `edge_read`. `far`: a neighbour
    reads a card that lies well. `ghost`: a visit reports some tag of the table at random. `pass_over`: a
    moving card is read on its way. `burst_per_s`, `burst_s`: rate and mean length of times in which an
    antenna reads nothing. `lifted`: a peek takes the card out of the field rather than bending it. `chip`:
    what a chip on the cards adds to the miss logit. `anywhere`: an antenna reads a given card of any other
    place.
    """

    single: float = 0.0
    stack: float = 0.0
    frailty: float = 0.0
    dead: float = 0.0
    edge: float = 0.0
    edge_read: float = 0.0
    far: float = 0.0
    ghost: float = 0.0
    pass_over: float = 0.0
    burst_per_s: float = 0.0
    burst_s: float = 0.0
    lifted: float = 1.0
    chip: float = 0.0
    anywhere: float = 0.0


LEVELS: Final[dict[str, Noise]] = {
    "clean": Noise(),
    "mild": Noise(0.02, 0.05, 0.5, 0.0, 0.01, 0.05, 1e-5, 1e-6, 0.05, 0.0, 0.5, 0.3, 0.3),
    "typical": Noise(0.08, 0.15, 1.0, 0.003, 0.05, 0.20, 1e-4, 1e-5, 0.15, 1 / 120, 0.5, 0.5, 0.7),
    "harsh": Noise(0.20, 0.25, 1.3, 0.01, 0.10, 0.40, 5e-4, 1e-4, 0.30, 1 / 40, 1.0, 0.7, 1.2),
}

BENT: Final = 1.5
"""What lifting one end of a card adds to its miss logit."""
LIFTED_READ: Final = 0.03
"""A card held up out of the field is still read with this probability (above level clean)."""


class Placement(msgspec.Struct):
    """How a card came to lie: `quality` is added to its miss logit, `edge` asks whether a neighbour reads it
    too.
    """

    quality: float = 0.0
    dead: bool = False
    edge: bool = False


def draw_placement(noise: Noise, rng: Random, *, chip_on_top: bool = False) -> Placement:
    """A new placement. `chip_on_top`: the player protects the cards with a chip."""
    if noise.single == 0:
        return Placement()
    return Placement(
        rng.gauss(0, noise.frailty) + (noise.chip if chip_on_top else 0.0),
        rng.random() < noise.dead,
        rng.random() < noise.edge,
    )


def miss(noise: Noise, overlap: int, logit: float) -> float:
    """The probability that a card is missed in one visit, with `overlap` cards on one pile and what its
    placement adds.
    """
    if noise.single == 0:
        return 0.0
    plain = 1 - (1 - noise.single) * math.exp(-noise.stack * (overlap - 1))
    return 1 / (1 + math.exp(-(math.log(plain / (1 - plain)) + logit)))
