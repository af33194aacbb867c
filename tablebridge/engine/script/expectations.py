"""Expectations: what a script says that the engine must say, one row for each form.

An expectation is read into a check: a function of the table and of the outcome of the event above it, which
gives the empty text if it holds and what the engine said if it does not.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from tablebridge.engine import times
from tablebridge.engine.floor import handover
from tablebridge.engine.games import FORMS as GAMES
from tablebridge.engine.outcome import Outcome
from tablebridge.engine.script.statements import unknown
from tablebridge.engine.script.tokens import Tokens, split
from tablebridge.engine.seating.asked import Players
from tablebridge.engine.table import Table
from tablebridge.model.cards import Card
from tablebridge.model.conduct_events import OFFENCES, STEPS
from tablebridge.model.errors import ScriptError
from tablebridge.model.findings import KINDS, REMEDIES, SEVERITIES, Finding
from tablebridge.model.house_events import BoxName
from tablebridge.model.seat_events import MISSED

Check = Callable[[Any, Outcome], str]
"""Asks the table, or the room, and the outcome."""

Forms = Mapping[str, tuple[str, Callable[[Tokens], Check]]]
"""Questions by their first word: the form, and how the rest becomes a check."""

ACTIONS: Final = ("check", "call", "bet", "raise", "allin", "fold")
CHOICES: Final = ("fold", "check", "call", "bet", "raise")
STREETS: Final = (
    *dict.fromkeys(street.name for game in GAMES.values() for street in game.streets),
    "showdown",
    "over",
    "void",
)
_SETTLED_BOXES: Final = (*get_args(BoxName), "play", "ante-bonus")
_PARTICULARS: Final = ("seat", "card", "cause", "rule")
_SILENT: Final = frozenset(SEVERITIES[: SEVERITIES.index("warning")])


@dataclass(frozen=True, slots=True)
class Particulars:
    """What an expected finding must at least have."""

    finding: str
    seat: int | None = None
    card: Card | None = None
    cause: str | None = None
    rule: str | None = None

    def among(self, outcome: Outcome) -> list[Finding]:
        """The findings of the outcome that have all of these."""
        return [
            finding
            for finding in outcome.findings
            if finding.finding == self.finding
            and (self.seat is None or finding.seat == self.seat)
            and (self.card is None or self.card in finding.cards)
            and (self.cause is None or finding.cause == self.cause)
            and (self.rule is None or finding.rule == self.rule)
        ]


@dataclass(frozen=True, slots=True)
class Expectation:
    """One expectation. `check`: whether it holds; `finding`: what it asserts, if it asserts a finding."""

    check: Check
    finding: Particulars | None = None


def parse_expectation(line: str, above: Sequence[Expectation], forms: Forms | None = None) -> Expectation:
    """The expectation that a line beginning with `!` holds. `above`: those before it that belong to the same
    event; `forms`: of the questions, those of a table if not given.

    Raises ScriptError with a sentence saying what was expected.
    """
    forms = FORMS if forms is None else forms
    tokens, quoted = split(line.removeprefix("!"))
    if not tokens:
        raise ScriptError("expected an expectation after !")
    name = tokens[0]
    # `show-order` is a finding, and with seats after it a question.
    if name in KINDS and (name not in forms or tokens[1:2] == [] or tokens[1] in _PARTICULARS):
        cause = " [cause CAUSE]" if KINDS[name].causes else ""
        rest = Tokens(f"! {name} [seat SEAT] [card CARD]{cause} [rule RULE]", tokens[1:], quoted)
        expectation = _finding(name, rest)
    elif name == "remedy":
        rest = Tokens("! remedy STEP ...", tokens[1:], quoted)
        asserted = next((before.finding for before in reversed(above) if before.finding is not None), None)
        if asserted is None:
            raise rest.error("an expectation of the finding above its remedy")
        expectation = Expectation(_remedy(asserted, rest))
    elif name in forms:
        form, parse = forms[name]
        rest = Tokens(f"! {form}", tokens[1:], quoted)
        expectation = Expectation(parse(rest))
    else:
        raise unknown("expectation", name, [*forms, "remedy", *KINDS])
    rest.end()
    return expectation


def text_of(finding: Finding) -> str:
    """A finding as a script writes it."""
    parts = [finding.finding]
    if finding.seat is not None:
        parts.append(f"seat {finding.seat}")
    parts.extend(f"card {card}" for card in finding.cards)
    if finding.cause is not None:
        parts.append(f"cause {finding.cause}")
    if finding.rule is not None:
        parts.append(f"rule {finding.rule}")
    return " ".join(parts)


def _finding(name: str, tokens: Tokens) -> Expectation:
    seat: int | None = None
    card: Card | None = None
    cause: str | None = None
    rule: str | None = None
    left = [each for each in _PARTICULARS if each != "cause" or KINDS[name].causes]
    while tokens:
        particular = tokens.choice("the end of the line or one of", left)
        left.remove(particular)
        match particular:
            case "seat":
                seat = tokens.seat()
            case "card":
                card = tokens.card()
            case "cause":
                cause = tokens.choice(f"a cause of {name}", KINDS[name].causes)
            case _:
                rule = tokens.word("the rule's number")
    particulars = Particulars(name, seat, card, cause, rule)

    def check(table: Table, outcome: Outcome) -> str:
        if particulars.among(outcome):
            return ""
        return _findings(outcome) + (f" ({outcome.ignored})" if outcome.ignored else "")

    return Expectation(check, particulars)


def _remedy(asserted: Particulars, tokens: Tokens) -> Check:
    steps = [tokens.choice("a remedy step", REMEDIES)]
    while tokens:
        steps.append(tokens.choice("a remedy step", REMEDIES))

    def check(table: Table, outcome: Outcome) -> str:
        found = asserted.among(outcome)
        if any(_in_order(steps, finding.remedy) for finding in found):
            return ""
        remedies = "; ".join(f"remedy {' '.join(finding.remedy) or 'none'}" for finding in found)
        return remedies or _findings(outcome)

    return check


def _in_order(steps: Sequence[str], prescribed: Sequence[str]) -> bool:
    """Whether the steps stand in the remedy in this order; others may stand between them."""
    rest = iter(prescribed)
    return all(step in rest for step in steps)


def _findings(outcome: Outcome) -> str:
    return "; ".join(map(text_of, outcome.findings)) or "no finding"


def _quiet(tokens: Tokens) -> Check:
    def check(table: Table, outcome: Outcome) -> str:
        return "; ".join(text_of(finding) for finding in outcome.findings if finding.severity not in _SILENT)

    return check


def _ruled(tokens: Tokens) -> Check:
    wanted = tokens.seat(), tokens.choice("how the action was taken", ACTIONS), tokens.amount()

    def check(table: Table, outcome: Outcome) -> str:
        given = [(ruling.seat, ruling.action, ruling.amount) for ruling in outcome.ruled]
        said = "; ".join(f"ruled {seat} {action} {amount}" for seat, action, amount in given)
        return "" if wanted in given else said or "no ruling"

    return check


def _returned(tokens: Tokens) -> Check:
    wanted = tokens.seat(), tokens.amount()

    def check(table: Table, outcome: Outcome) -> str:
        given = [(chips.seat, chips.amount) for chips in outcome.returned]
        said = "; ".join(f"returned {seat} {amount}" for seat, amount in given)
        return "" if wanted in given else said or "nothing returned"

    return check


def _to_act(tokens: Tokens) -> Check:
    wanted = None if tokens.took("none") else tokens.seat()
    return lambda table, outcome: _same(wanted, table.to_act, "to-act")


def _may(tokens: Tokens) -> Check:
    seat, kinds = tokens.seat(), _kinds(tokens)
    return lambda table, outcome: "" if kinds <= table.may(seat) else _choices(table, seat)


def _may_not(tokens: Tokens) -> Check:
    seat, kinds = tokens.seat(), _kinds(tokens)
    return lambda table, outcome: _choices(table, seat) if kinds & table.may(seat) else ""


def _kinds(tokens: Tokens) -> set[str]:
    kinds = {tokens.choice("a choice", CHOICES)}
    while tokens:
        kinds.add(tokens.choice("a choice", CHOICES))
    return kinds


def _choices(table: Table, seat: int) -> str:
    return f"may {seat} {' '.join(kind for kind in CHOICES if kind in table.may(seat)) or 'nothing'}"


def _of_seat(name: str, ask: Callable[[Table, int], int | None]) -> Callable[[Tokens], Check]:
    """`NAME SEAT AMOUNT`: a number that the table gives for a seat."""

    def parse(tokens: Tokens) -> Check:
        seat, amount = tokens.seat(), tokens.amount()
        return lambda table, outcome: _same(amount, ask(table, seat), f"{name} {seat}")

    return parse


def _odd_chips(table: Table, seat: int) -> int | None:
    """The chips with which the seat races, or raced last; None without a race."""
    race = table.setup.race
    return None if race is None else race.odd.get(seat, 0)


def _race_won(table: Table, seat: int) -> int | None:
    """The chips that the seat won in the last race; None while none is decided."""
    race = table.setup.race
    return None if race is None or not race.over else int(seat in race.won)


def _substantial(tokens: Tokens) -> Check:
    wanted = tokens.choice("yes or no", ("yes", "no"))
    return lambda table, outcome: _same(
        wanted, "yes" if table.substantial_action else "no", "substantial-action"
    )


def _called(tokens: Tokens) -> Check:
    wanted = tokens.choice("yes or no", ("yes", "no"))
    return lambda table, outcome: _same(wanted, "yes" if table.floor_called else "no", "called")


def _live(tokens: Tokens) -> Check:
    seats = tokens.seats()
    return lambda table, outcome: "" if set(seats) <= set(table.live) else _listed("live", table.live)


def _dead(tokens: Tokens) -> Check:
    seats = tokens.seats()
    return lambda table, outcome: "" if set(seats) <= set(table.dead) else _listed("dead", table.dead)


def _second_board(table: Table) -> tuple[Card, ...]:
    boards = () if table.hand is None else table.hand.felt.boards
    return tuple(boards[1]) if len(boards) > 1 else ()


def _board(name: str, of: Callable[[Table], tuple[Card, ...]]) -> Callable[[Tokens], Check]:
    def parse(tokens: Tokens) -> Check:
        cards = tokens.cards()

        def check(table: Table, outcome: Outcome) -> str:
            board = of(table)
            same = Counter(board[:3]) == Counter(cards[:3]) and board[3:] == cards[3:]
            return "" if same else _listed(name, board)

        return check

    return parse


def _pot(tokens: Tokens) -> Check:
    amount = tokens.amount()
    return lambda table, outcome: _same(amount, table.pot, "pot")


def _pots(tokens: Tokens) -> Check:
    wanted = [tokens.amount()]
    while tokens:
        wanted.append(tokens.amount())
    return lambda table, outcome: "" if table.pots == tuple(wanted) else _listed("pots", table.pots)


def _street(tokens: Tokens) -> Check:
    street = tokens.choice("a street", STREETS)
    return lambda table, outcome: _same(street, table.street, "street")


def _face(up: bool) -> Callable[[Tokens], Check]:
    return lambda tokens: (
        lambda table, outcome: "" if table.face_up is up else f"face-{'down' if up else 'up'}"
    )


def _show_order(tokens: Tokens) -> Check:
    seats = tokens.seats()
    return lambda table, outcome: "" if table.show_order == seats else _listed("show-order", table.show_order)


def _next_button(tokens: Tokens) -> Check:
    seat = tokens.seat()
    return lambda table, outcome: _same(seat, table.next_button, "next-button")


def _same(wanted: object, given: object, name: str) -> str:
    return "" if wanted == given else f"{name} {'none' if given is None else given}"


def _listed(name: str, given: Sequence[object]) -> str:
    return f"{name} {' '.join(map(str, given)) or 'none'}"


def _ladder(tokens: Tokens) -> Check:
    seat, offence = tokens.seat(), tokens.choice("a kind of offence", OFFENCES)
    steps = [tokens.choice("a step", STEPS)]
    while tokens:
        steps.append(tokens.choice("a step", STEPS))

    def check(table: Table, outcome: Outcome) -> str:
        given = table.ladder(seat, offence)
        return "" if given == tuple(steps) else _listed(f"ladder {seat} {offence}", given)

    return check


def _entitled(*, dealt: bool) -> Callable[[Tokens], Check]:
    """`dealt-in SEAT ...` and `dealt-out`: who is entitled to cards in the hand under way."""

    def parse(tokens: Tokens) -> Check:
        seats = tokens.seats()

        def check(table: Table, outcome: Outcome) -> str:
            order = () if table.hand is None else tuple(sorted(table.hand.order))
            return "" if all((seat in order) is dealt for seat in seats) else _listed("dealt-in", order)

        return check

    return parse


def _seconds(name: str, ask: Callable[[Table], int | None]) -> Callable[[Tokens], Check]:
    """`NAME SECONDS`: what a clock of the table shows."""

    def parse(tokens: Tokens) -> Check:
        seconds = tokens.number("seconds")
        return lambda table, outcome: _same(seconds, ask(table), name)

    return parse


def _to_draw(tokens: Tokens) -> Check:
    wanted = None if tokens.took("none") else tokens.seat()
    return lambda table, outcome: _same(wanted, times.to_draw(table), "to-draw")


def _place(tokens: Tokens) -> int | None:
    return None if tokens.took("-") else tokens.seat()


def _taken(table: Table, seat: int) -> int | None:
    """The place, if somebody sits there."""
    return seat if table.hand is not None and seat in table.hand.order else None


def _button(tokens: Tokens) -> Check:
    wanted = _place(tokens)

    def check(table: Table, outcome: Outcome) -> str:
        given = None if table.hand is None else _taken(table, table.hand.positions.button)
        return _same(wanted, given, "button")

    return check


def _blinds(tokens: Tokens) -> Check:
    wanted = _place(tokens), _place(tokens)

    def check(table: Table, outcome: Outcome) -> str:
        stands = None if table.hand is None else table.hand.positions
        given = (None, None) if stands is None else (_taken(table, stands.small), _taken(table, stands.big))
        return "" if wanted == given else _listed("blinds", ["-" if seat is None else seat for seat in given])

    return check


def _post_of(name: str, ask: Callable[[Players, int], tuple[int, int]]) -> Callable[[Tokens], Check]:
    """`NAME SEAT LIVE [DEAD]`: what a seat posted, or owes."""

    def parse(tokens: Tokens) -> Check:
        seat, live, dead = tokens.seat(), tokens.amount(), tokens.amount() if tokens else 0

        def check(table: Table, outcome: Outcome) -> str:
            given = ask(table.players, seat)
            return "" if given == (live, dead) else _listed(f"{name} {seat}", given)

        return check

    return parse


def _missed(tokens: Tokens) -> Check:
    seat, wanted = tokens.seat(), tokens.choice("a blind", (*MISSED, "none"))
    return lambda table, outcome: _same(wanted, table.players.missed(seat), f"missed {seat}")


def _waits(tokens: Tokens) -> Check:
    seats = tokens.seats()
    return lambda table, outcome: (
        "" if set(seats) <= set(table.players.waiting) else _listed("waits", table.players.waiting)
    )


def _handover(tokens: Tokens) -> Check:
    key, text = tokens.choice("what is handed over", handover.KEYS), tokens.word("what is said of it")
    while tokens:
        text += " " + tokens.word("")

    def check(table: Table, outcome: Outcome) -> str:
        return _same(text, handover.said(table.setup, key), f"handover {key}")

    return check


def _settled(result: str, *, amount: bool) -> Callable[[Tokens], Check]:
    """`pays SEAT BOX AMOUNT` and its like: how the house settled a box."""

    def parse(tokens: Tokens) -> Check:
        wanted = tokens.seat(), tokens.choice("a box", _SETTLED_BOXES), tokens.amount() if amount else 0

        def check(table: Table, outcome: Outcome) -> str:
            settled = table.settlement
            lines = () if settled is None else settled.lines
            given = [(line.seat, line.box, line.amount) for line in lines if line.result == result]
            said = "; ".join(f"{line.result} {line.seat} {line.box} {line.amount}" for line in lines)
            return "" if wanted in given else said or "nothing settled"

        return check

    return parse


def _net(table: Table, seat: int) -> int | None:
    return None if table.settlement is None else table.settlement.net.get(seat)


def _net_of(tokens: Tokens) -> Check:
    seat, gained = tokens.seat(), tokens.gain()
    return lambda table, outcome: _same(gained, _net(table, seat), f"net {seat}")


def _dealer_plays(tokens: Tokens) -> Check:
    wanted = tokens.choice("yes or no", ("yes", "no"))

    def check(table: Table, outcome: Outcome) -> str:
        plays = None if table.settlement is None else table.settlement.plays
        return _same(wanted, None if plays is None else "yes" if plays else "no", "dealer-plays")

    return check


def _settles(tokens: Tokens) -> Check:
    seats = tokens.seats()

    def check(table: Table, outcome: Outcome) -> str:
        lines = () if table.settlement is None else table.settlement.lines
        order = tuple(dict.fromkeys(line.seat for line in lines))
        return "" if order == seats else _listed("settles", order)

    return check


FORMS: Final[Forms] = {
    form.split()[0]: (form, parse)
    for form, parse in (
        ("quiet", _quiet),
        ("ruled SEAT KIND AMOUNT", _ruled),
        ("returned SEAT AMOUNT", _returned),
        ("to-act SEAT | none", _to_act),
        ("may SEAT KIND ...", _may),
        ("may-not SEAT KIND ...", _may_not),
        ("call SEAT AMOUNT", _of_seat("call", Table.to_call)),
        ("min-raise SEAT AMOUNT", _of_seat("min-raise", Table.min_raise)),
        ("max-raise SEAT AMOUNT", _of_seat("max-raise", Table.max_raise)),
        ("substantial-action yes | no", _substantial),
        ("called yes | no", _called),
        ("live SEAT ...", _live),
        ("dead SEAT ...", _dead),
        ("board CARD ...", _board("board", lambda table: table.board)),
        ("first-board CARD ...", _board("first board", lambda table: table.first_board)),
        ("second-board CARD ...", _board("second board", _second_board)),
        ("pot AMOUNT", _pot),
        ("pots AMOUNT ...", _pots),
        ("street STREET", _street),
        ("face-up", _face(True)),
        ("face-down", _face(False)),
        ("show-order SEAT ...", _show_order),
        ("wins SEAT AMOUNT", _of_seat("wins", Table.won)),
        ("stack SEAT AMOUNT", _of_seat("stack", Table.stack)),
        ("next-button SEAT", _next_button),
        ("ladder SEAT OFFENCE STEP ...", _ladder),
        ("penalty-left SEAT HANDS", _of_seat("penalty-left", lambda table, seat: table.penalty_left(seat))),
        ("odd-chips SEAT NUMBER", _of_seat("odd-chips", _odd_chips)),
        ("race-won SEAT NUMBER", _of_seat("race-won", _race_won)),
        ("dealt-in SEAT ...", _entitled(dealt=True)),
        ("dealt-out SEAT ...", _entitled(dealt=False)),
        ("button SEAT | -", _button),
        ("blinds SEAT | - SEAT", _blinds),
        ("posted SEAT LIVE [DEAD]", _post_of("posted", Players.posted)),
        ("owes SEAT LIVE [DEAD]", _post_of("owes", Players.owes)),
        ("missed SEAT small | big | both | none", _missed),
        ("waits SEAT ...", _waits),
        ("buy-in SEAT AMOUNT", _of_seat("buy-in", lambda table, seat: table.players.buy_in(seat))),
        ("clock-left SECONDS", _seconds("clock-left", times.clock_left)),
        ("level-left SECONDS", _seconds("level-left", times.level_left)),
        ("to-draw SEAT | none", _to_draw),
        ("handover KEY WORD ...", _handover),
        ("dealer-plays yes | no", _dealer_plays),
        ("pays SEAT BOX AMOUNT", _settled("pays", amount=True)),
        ("takes SEAT BOX AMOUNT", _settled("takes", amount=True)),
        ("pushes SEAT BOX", _settled("pushes", amount=False)),
        ("net SEAT AMOUNT", _net_of),
        ("settles SEAT ...", _settles),
    )
}
