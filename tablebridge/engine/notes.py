"""What one entry leads to, gathered while it is folded: findings with their rule and remedy, rulings, chips
that go back.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

import msgspec

from tablebridge.engine.outcome import Outcome, Returned, Ruled
from tablebridge.model.cards import Card
from tablebridge.model.events import Basis
from tablebridge.model.findings import (
    KINDS,
    SEVERITIES,
    Arg,
    Counted,
    Finding,
    Severity,
    check_declared,
    severity_of,
)
from tablebridge.model.instant import START, Instant
from tablebridge.model.sentences import fields_of, usual
from tablebridge.rulebooks import Rulebook

Kind = Literal["check", "call", "bet", "raise", "allin", "fold"]


class Notes(msgspec.Struct, gc=False):
    """The outcome of one entry in the making. A finding's id is the entry's with its number there: `812.0`.

    `first`: the number of the first finding. `overruled`: the floor ruled to play on, so the entry makes no
    hand void. `at`: when it happened. `lasting`: findings that no correction takes back; they have no number.
    """

    entry: int
    basis: Basis
    table: str
    hand: int
    street: str
    first: int = 0
    overruled: bool = False
    at: Instant = START
    findings: tuple[Finding, ...] = ()
    lasting: tuple[Finding, ...] = ()
    ruled: tuple[Ruled, ...] = ()
    returned: tuple[Returned, ...] = ()
    ignored: str = ""

    def find(
        self,
        book: Rulebook,
        finding: str,
        text: str = "",
        *,
        args: Mapping[str, Arg] | None = None,
        cause: str | None = None,
        seat: int | None = None,
        cards: Iterable[Card] = (),
        public_cards: Iterable[Card] = (),
        rule: str | None = None,
        case: str = "",
        remedy: tuple[str, ...] | None = None,
        severity: Severity | None = None,
        device: str = "",
        chips: tuple[Counted, ...] = (),
        gives: tuple[str, ...] = (),
    ) -> None:
        """Raise a finding. `text`: the id of its sentence, that of its cause if it is not given, else the
        plain one; `args`: what is put into it beside the seat, no face. The rulebook gives rule and remedy
        unless they are given, its kind the severity; `case` picks among its rules if the cause does not.
        `public_cards`: those of `cards` that lie open. Raises ValueError for a cause, a case or a step that
        `model/findings.py` does not declare, and a sentence that is unknown or wants other arguments.
        """
        text, usual_severity, wanted = _declared(finding, text, cause, case, remedy or ())
        word = case or cause or ""
        raised = Finding(
            id=f"{self.entry}.{self.first + len(self.findings)}",
            finding=finding,
            severity=severity or usual_severity,
            rulebook=book.name,
            table=self.table,
            hand=self.hand,
            street=self.street,
            text=text,
            args=_arguments(finding, text, wanted, seat, args or {}),
            cause=cause,
            rule=book.rule(finding, word) if rule is None else rule,
            seat=seat,
            cards=tuple(cards),
            public_cards=tuple(public_cards),
            evidence=(self.entry,),
            remedy=_steps(book, finding, word) if remedy is None else remedy,
            device=device,
            chips=chips,
            gives=gives,
        )
        self.findings += (raised,)

    def rule(self, seat: int, kind: Kind, amount: int) -> None:
        """The action of a seat was taken as `kind`; `amount` is its total for the round."""
        self.ruled += (Ruled(seat, kind, amount),)

    def give_back(self, seat: int, amount: int) -> None:
        """Chips go back to a seat."""
        self.returned += (Returned(seat, amount),)

    def name_refunds(self) -> None:
        """What goes back to each seat stands on the most severe finding, the first of several."""
        if not self.returned or not self.findings:
            return
        amounts: dict[int, int] = {}
        for back in self.returned:
            amounts[back.seat] = amounts.get(back.seat, 0) + back.amount
        gravest = max(self.findings, key=lambda finding: SEVERITIES.index(finding.severity))
        if gravest.refunds == amounts and sum(bool(finding.refunds) for finding in self.findings) == 1:
            return
        self.findings = tuple(
            msgspec.structs.replace(finding, refunds=amounts if finding is gravest else {})
            for finding in self.findings
        )

    def outcome(self) -> Outcome:
        return Outcome(self.findings + self.lasting, self.ruled, self.returned, self.ignored)


@lru_cache(maxsize=2048)
def _declared(
    finding: str, text: str, cause: str | None, case: str, remedy: tuple[str, ...]
) -> tuple[str, Severity, frozenset[str]]:
    """What the catalogue has for such a finding, which never changes: the id of its sentence, its severity,
    and the fields of the sentence. Raises ValueError for what it does not declare.
    """
    check_declared(finding, cause, case, remedy)
    text = text or usual(finding, cause)
    return text, severity_of(finding, cause), fields_of(finding, text)


def _arguments(
    finding: str, text: str, wanted: frozenset[str], seat: int | None, args: Mapping[str, Arg]
) -> dict[str, Arg]:
    """What is put into the sentence: the arguments, and the seat if the sentence names it. `wanted`: its
    fields.
    """
    given = dict(args)
    if seat is not None and "seat" in wanted:
        given["seat"] = seat
    if not wanted <= given.keys():
        missing = ", ".join(sorted(wanted - given.keys()))
        raise ValueError(f"the sentence {text!r} of {finding} wants {missing}: give it in args")
    return given


def _steps(book: Rulebook, finding: str, word: str) -> tuple[str, ...]:
    """The steps that the book prescribes, or the usual ones. `word`: the case or the cause."""
    return book.remedy(finding, word) or KINDS[finding].remedy
