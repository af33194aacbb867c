"""More than 20,000 random legal hands end with the same stacks as in pokerkit, in games that both know."""

import warnings
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Final

import pytest

from tests.engine.faults import FAULTS
from tests.engine.oracle import GAMES, Both, Known, invented

CHUNK: Final = 250
# How many chunks of hands a game is played for: more where a hand is quick, or the game common.
CHUNKS: Final = {
    "nlhe": 16,
    "nlhe36": 4,
    "plhe": 6,
    "flhe": 8,
    "plo": 6,
    "flo": 4,
    "plo8": 3,
    "flo8": 2,
    "plo5": 1,
    "plo5-8": 1,
    "plo6": 1,
    "plo6-8": 1,
    "stud": 5,
    "stud8": 4,
    "razz": 5,
    "draw5": 5,
    "draw27": 3,
    "td27": 4,
    "nltd27": 3,
    "badugi": 5,
}


def played(game: str, number: int, seen: Counter[str]) -> None:
    """The hand of this number, the same in every run."""
    rng = Random(f"{game} {number}")
    with warnings.catch_warnings():
        # A card that is dealt twice or is not of the deck is a warning of pokerkit's.
        warnings.simplefilter("error")
        Both(rng, invented(rng, game), seen).play()


def test_the_games_are_all_that_both_know() -> None:
    assert set(CHUNKS) == set(GAMES)
    assert sum(CHUNKS.values()) * CHUNK >= 20_000


@pytest.mark.parametrize(
    ("game", "chunk"), [(game, chunk) for game, chunks in CHUNKS.items() for chunk in range(chunks)]
)
def test_random_hands_are_played_as_at_pokerkit(game: str, chunk: int) -> None:
    seen: Counter[str] = Counter()
    ended = 0
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        try:
            played(game, number, seen)
        except Known:
            ended += 1
    assert seen["hands"] + ended == CHUNK
    for fault in FAULTS:
        assert seen[fault.name] <= fault.share * CHUNK, f"{fault.name} was seen {seen[fault.name]} times"


# A hand in which each fault is seen: its game and its number.
SEEN_IN: Final = {
    "reopened": ("nlhe", 98),
    "half-bet": ("flhe", 23),
    "under-half": ("flhe", 29),
    "short-blind-pot": ("plhe", 1395),
    "short-forced-bet": ("nlhe", 122),
    "idle-check": ("nlhe", 286),
    "tied-boards": ("stud", 82),
    "low-of-a-side-pot": ("plo8", 81),
    "odd-chips": ("nlhe", 2155),
    "merged-pots": ("nlhe", 100),
}


@pytest.mark.parametrize("fault", sorted({fault.name for fault in FAULTS}))
def test_what_is_excused_is_still_so(fault: str) -> None:
    """A fault that pokerkit has no more need not be excused."""
    seen: Counter[str] = Counter()
    with suppress(Known):
        played(*SEEN_IN[fault], seen)
    assert seen[fault]
