"""The rule file of a room for high hands and bad beats: what counts, and how a jackpot is divided.

A hand is named by five cards, so that no word of it can be misread: `least = "Th Td Tc Js Jd"` is tens full
of jacks. All rules are of hands that came to the table's record; no chip is moved by them.
"""

from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from tablebridge.engine.games import FORMS
from tablebridge.engine.showdown.ranking import rank
from tablebridge.model.cards import deck_of
from tablebridge.settings.load import explained
from tablebridge.settings.site import Shown
from tablebridge.settings.toml import Fault, read_toml

_CARDS: Final = frozenset(deck_of("52"))
GAMES: Final = tuple(
    name
    for name, form in FORMS.items()
    if form.rankings[:1] in (("high",), ("omaha-high",)) and not form.banked
)
"""The games in which a hand is five cards of the usual order."""


def _five(value: str) -> str:
    cards = value.split()
    if len(cards) != 5 or len(set(cards)) != 5 or not _CARDS.issuperset(cards):
        raise ValueError('this is no hand of five cards; write them with their suits, as in "Th Td Tc Js Jd"')
    return value


def _known(value: tuple[str, ...]) -> tuple[str, ...]:
    for name in value:
        if name not in GAMES:
            raise ValueError(f"no high hand is made in {name!r}; the games are {', '.join(GAMES)}")
    return value


Five = Annotated[str, AfterValidator(_five)]
Games = Annotated[tuple[str, ...], Field(min_length=1, max_length=len(GAMES)), AfterValidator(_known)]
Amount = Annotated[int, Field(ge=0, le=10**12)]
Percent = Annotated[int, Field(ge=0, le=100)]


class _Rule(BaseModel):
    """What both kinds of rules ask. `least_pot`: before the house takes its part; `least_seats`: players who
    were dealt in; `both_cards`: in hold'em the hand plays both own cards and cannot be made as well with
    fewer; `pair_for_four`: four of a kind count with a pair in the hand only; `run_twice`: hands with two
    boards count.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Shown
    games: Games = ("nlhe",)
    both_cards: bool = True
    pair_for_four: bool = False
    least_pot: Amount = 0
    least_seats: Annotated[int, Field(ge=2, le=10)] = 2
    run_twice: bool = False


class HighHand(_Rule):
    """The best hand of a time. `least`: the lowest that counts; `showdown`: the pot was won at a showdown and
    not by the last bet.
    """

    least: Five
    showdown: bool = True


class BadBeat(_Rule):
    """A high hand that loses. `beaten`: the lowest that counts. The jackpot is divided in per cent: to the
    `loser`, the `winner`, and the others who were dealt in, equally (`table`).
    """

    beaten: Five
    loser: Percent = 50
    winner: Percent = 25
    table: Percent = 25

    @model_validator(mode="after")
    def _whole(self) -> "BadBeat":
        if self.loser + self.winner + self.table != 100:
            raise ValueError(
                f"loser, winner and table get {self.loser + self.winner + self.table} per cent together; "
                "write shares that make 100"
            )
        return self


class AwardRules(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    high_hands: Annotated[tuple[HighHand, ...], Field(max_length=20)] = Field(default=(), alias="high_hand")
    bad_beats: Annotated[tuple[BadBeat, ...], Field(max_length=20)] = Field(default=(), alias="bad_beat")


SECTIONS: Final[dict[tuple[str, ...], type[BaseModel]]] = {
    (): AwardRules,
    ("high_hand",): HighHand,
    ("bad_beat",): BadBeat,
}


def load_award_rules(path: Path) -> AwardRules:
    """The rule file. Raises ConfigError with one line per fault."""
    document = read_toml(path)
    faults: list[Fault] = []
    try:
        rules = AwardRules.model_validate(document.data)
    except ValidationError as invalid:
        faults += explained(document, invalid, SECTIONS)
    else:
        names = [rule.name for rule in (*rules.high_hands, *rules.bad_beats)]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            faults.append(Fault(1, f"two rules are called {twice!r}; a name is used once"))
        if not names:
            faults.append(Fault(1, "there is no rule; write a [[high_hand]] or a [[bad_beat]]"))
    if faults:
        raise document.refuse(faults)
    return rules


def value_of(five: str) -> int:
    """The rank of a hand that a rule names; lower is better."""
    value = rank("high", five.split())
    if value is None:
        raise ValueError(f"{five}: every five cards have a rank")
    return value
