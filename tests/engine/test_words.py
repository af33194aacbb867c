"""Declarations in players' words."""

import pytest

from tablebridge.engine.words import Said, readings, understand


@pytest.mark.parametrize(("words", "said"), [
    ("Call", Said("call")), ("I call.", Said("call")), ("check", Said("check")), ("All-in!", Said("allin")),
    ("I'm folding, no wait", Said("none")), ("fold", Said("fold")), ("raise", Said("raise")), ("pot", Said("pot")),
    ("raise 8000", Said("raise", 8000)), ("raise to 8,000", Said("raise", 8000)), ("bet five hundred", Said("bet", 500)),
    ("I make it 1200", Said("amount", 1200)), ("1400", Said("amount", 1400)), ("five", Said("amount", 5, bare=True)),
    ("twenty-five hundred", Said("amount", 2500)), ("raise, eight thousand", Said("raise", 8000)), ("2k", Said("amount", 2000)),
    ("two thousand five hundred", Said("amount", 2500)), ("fifty", Said("amount", 50, bare=True)),
    ("if you bet, I will raise", Said("conditional")), ("I play the board", Said("board")), ("flush", Said("none")),
    ("", Said("none")), ("call me a cab", Said("none")),
])
def test_words_mean(words: str, said: Said) -> None:
    assert understand(words) == said


def test_a_bare_number_can_mean_hundreds_and_thousands() -> None:
    assert readings(5) == (5, 500, 5_000, 500_000, 5_000_000)
