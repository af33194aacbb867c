"""The house rules of an online room: a child of the TDA book of 2022, which holds where it is silent."""

from dataclasses import replace
from typing import Final

from tablebridge.rulebooks import tda_2022
from tablebridge.rulebooks.clause import amended
from tablebridge.rulebooks.clauses import online_room as clauses

BOOK: Final = replace(
    tda_2022.BOOK,
    name="online-room",
    title="House rules of an online room",
    parent="tda-2022",
    rules={
        **tda_2022.BOOK.rules,
        ("balance", ""): "BALANCE",
        ("pot-asked", "count"): "",
        ("pot-asked", "none"): "",
        ("break", ""): "BREAK",
        ("eliminated", ""): "BUST-1",
        ("eliminated", "equal"): "BUST-2",
        ("deal-offer", ""): "DEAL",
    },
    clauses=amended(tda_2022.BOOK.clauses, clauses.CLAUSES),
)
