"""The rules of the Poker Tournament Directors Association, edition of 2024: a child of 2022."""

from dataclasses import replace
from typing import Final

from tablebridge.rulebooks import tda_2022
from tablebridge.rulebooks.clause import amended
from tablebridge.rulebooks.clauses import tda_2024 as clauses

BOOK: Final = replace(
    tda_2022.BOOK,
    name="tda-2024",
    title="Tournament Directors Association, 2024",
    parent="tda-2022",
    rules={**tda_2022.BOOK.rules, ("invalid-declaration", "pot-in-no-limit"): "54-D"}
    | {("infraction", "pot-in-no-limit"): "54-D", ("infraction", "devices"): "5"}
    | {("pot-asked", "spread"): "RP-21", ("token-bet", ""): "RP-22"},
    clauses=amended(tda_2022.BOOK.clauses, clauses.CLAUSES, gone=clauses.GONE),
    short_big_blind="blind-first",
    dead_blind_counts=True,
    button_error="put-right",
    redeal_absent="may-play",
    decks_ready=True,
)
