"""The house rules of an online room: a child of the TDA book of 2022, which holds where it is silent."""

from dataclasses import replace
from typing import Final

from tablebridge.rulebooks import clocks, tda_2022
from tablebridge.rulebooks.clause import amended
from tablebridge.rulebooks.clauses import online_room as clauses

BOOK: Final = replace(
    tda_2022.BOOK,
    name="online-room",
    title="House rules of an online room",
    parent="tda-2022",
    rules={
        **tda_2022.BOOK.rules,
        **clocks.ONLINE_ROOM,
        ("balance", ""): "BALANCE",
        ("entry", "moved"): "JOIN-1",
        **{("entry", f"{who}-posts"): "JOIN-1" for who in ("arrives", "returns")},
        **{("entry", f"{who}-waits"): "JOIN-2" for who in ("arrives", "returns")},
        ("blind-missed", "small"): "MISSED-1",
        ("blind-missed", "big"): "MISSED-2",
        ("post-due", ""): "JOIN-1",
        ("post-wrong", ""): "JOIN-1",
        ("post-wrong", "not-due"): "",
        **{(finding, "missed-small"): "MISSED-1" for finding in ("post-due", "post-wrong")},
        **{(finding, "missed-blind"): "MISSED-2" for finding in ("post-due", "post-wrong")},
        ("pot-asked", "count"): "",
        ("pot-asked", "none"): "",
        ("break", ""): "BREAK",
        ("eliminated", ""): "BUST-1",
        ("eliminated", "equal"): "BUST-2",
        ("deal-offer", ""): "DEAL",
        ("rake-wrong", ""): "RAKE",
    },
    format="cash",
    first_post="small",
    missed_small="live-big",
    clock_without_bet="dead-in-cash",
    clauses=amended(tda_2022.BOOK.clauses, clauses.CLAUSES),
)
