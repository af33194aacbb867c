"""Findings about records that somebody has looked into: who has settled which, when and why.

A finding that is settled stays, and so does what it names; `settlement` has who did it. Settled findings no
longer hold back what retention deletes. What is found again after that is open again. A hole settles itself.
"""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection, Engine, func, insert, select, update

from tablebridge.archive.findings import KINDS
from tablebridge.archive.schema import PLAYED, SETTLEMENT, SITE_FINDING
from tablebridge.archive.signatures import trust
from tablebridge.model.errors import Refused

MOST: Final = 1000
"""Findings of one list."""
LONGEST_WHY: Final = 500
LONGEST_NAME: Final = 60
_LARGEST: Final = 2**63 - 1


class SiteFinding(NamedTuple):
    """A finding. `settled`, `by`, `why`: when, by whom and why it was settled last, if it was and is."""

    id: int
    at: datetime
    site: str
    box: str
    table: str
    finding: str
    number: int
    severity: str
    sentence: str
    settled: datetime | None = None
    by: str = ""
    why: str = ""

    @property
    def todo(self) -> str:
        """What is to be done before it is settled."""
        kind = KINDS.get(self.finding)
        return "" if kind is None else kind.todo


class SiteFindings:
    """The findings about records in the database behind `engine`. `site`: of this one; empty: of all."""

    def __init__(self, engine: Engine, site: str = "") -> None:
        self._engine = engine
        self._site = site

    def listed(self, *, settled: bool = False) -> list[SiteFinding]:
        """Those that nobody has settled, the newest last, at most `MOST`; `settled`: those, too. Raises
        SQLAlchemyError.
        """
        last = (
            select(SETTLEMENT.c.by, SETTLEMENT.c.why)
            .where(SETTLEMENT.c.finding_id == SITE_FINDING.c.id)
            .order_by(SETTLEMENT.c.number.desc())
            .limit(1)
            .lateral()
        )
        columns = [column for column in SITE_FINDING.c if column.name != "settled"]
        by_name = {column.name: column for column in columns}
        names = [name if name != "table" else "table_name" for name in SiteFinding._fields[:9]]
        wanted = select(*(by_name[name] for name in names), SITE_FINDING.c.settled, last.c.by, last.c.why)
        wanted = wanted.outerjoin(last, SITE_FINDING.c.settled.is_not(None))
        if self._site:
            wanted = wanted.where(SITE_FINDING.c.site == self._site)
        if not settled:
            wanted = wanted.where(SITE_FINDING.c.settled.is_(None))
        newest = wanted.order_by(SITE_FINDING.c.at.desc(), SITE_FINDING.c.id.desc()).limit(MOST)
        with self._engine.connect() as db:
            rows = db.execute(newest).all()
        return [SiteFinding._make((*row[:10], row[10] or "", row[11] or "")) for row in reversed(rows)]

    def settle(self, id: int, by: str, why: str, *, is_right: bool = False) -> SiteFinding:
        """Settle a finding in the name of `by`. `is_right`: what was found is as it should be, and holds from
        now on. Raises Refused, SQLAlchemyError; then nothing has changed.
        """
        by, why = _line(by, LONGEST_NAME, "a name"), _line(why, LONGEST_WHY, "a reason")
        with self._engine.begin() as db:
            found = self._locked(db, id)
            if is_right:
                _accept(db, found)
            db.execute(update(SITE_FINDING).where(SITE_FINDING.c.id == id).values(settled=func.now()))
            db.execute(insert(SETTLEMENT).values(finding_id=id, by=by, why=why, is_right=is_right))
        return found

    def _locked(self, db: Connection, id: int) -> SiteFinding:
        """The finding, which nobody else settles meanwhile. Raises Refused."""
        row = None
        if 0 < id <= _LARGEST:
            wanted = select(SITE_FINDING).where(SITE_FINDING.c.id == id).with_for_update()
            row = db.execute(wanted).mappings().one_or_none()
        if row is None or (self._site and row["site"] != self._site):
            raise Refused(f"There is no finding {id}.")
        if row["settled"] is not None:
            last = select(SETTLEMENT.c.by).where(SETTLEMENT.c.finding_id == id)
            who = db.execute(last.order_by(SETTLEMENT.c.number.desc()).limit(1)).scalar_one_or_none()
            raise Refused(f"Finding {id} is settled already, by {who or 'the records that came'}.")
        return SiteFinding(
            row["id"],
            row["at"],
            row["site"],
            row["box"],
            row["table_name"],
            row["finding"],
            row["number"],
            row["severity"],
            row["sentence"],
        )


def _accept(db: Connection, found: SiteFinding) -> None:
    """What was found holds from now on. Raises Refused for what cannot be right."""
    if found.finding == "other-key" and trust(db, found.site, found.box, found.number):
        return
    if found.finding != "two-boxes":
        raise Refused(f"A finding {found.finding} cannot be right: settle it without --is-right.")
    db.execute(
        update(PLAYED).where(PLAYED.c.site == found.site, PLAYED.c.name == found.table).values(box=found.box)
    )


def _line(text: str, longest: int, what: str) -> str:
    """The text without spaces around it. Raises Refused."""
    text = text.strip()
    if not text or len(text) > longest or not text.isprintable():
        raise Refused(f"Give {what} of 1 to {longest} letters, on one line.")
    return text
