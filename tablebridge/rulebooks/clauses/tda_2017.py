"""TDA 2017: mostly what TDA 2022 says, under numbers of its own."""

from typing import Final

from tablebridge.rulebooks.clause import Clause, renumbered
from tablebridge.rulebooks.clauses import games, tda_2022

# This book's number for a clause of TDA 2022.
SAME: Final = {
    **{
        number: number
        for number in (
            "1",
            "2",
            "3",
            "12",
            "13-A",
            "13-B",
            "13-C",
            "14",
            "15-A",
            "15-B",
            "16",
            "17-A",
            "17-B",
            "18-A",
            "18-B",
            "19",
            "20-A",
            "20-B",
            "21",
            "22",
            "24-A",
            "24-B",
            "24-C",
            "25",
            "25-B",
            "26",
            "27",
            "28",
            "29",
            "30",
            "31",
            "32",
            "33",
            "34",
            "35-A(1)",
            "35-A(2)",
            "35-A(3)",
            "35-A(4)",
            "35-B",
            "35-C",
            "36",
            "37",
            "38",
            "54-A",
            "54-B",
            "54-C",
            "55",
            "55-A",
            "55-B",
            "56",
            "57",
            "58",
            "59-A",
            "59-B",
            "60",
            "61",
            "62",
            "65-A",
            "65-B",
            "66",
            "68",
            "63",
            "67",
            "69",
            "70",
            "71-A",
            "71-B",
            "71-C",
            "71-D",
            "RP-1",
            "RP-2",
            "RP-3",
            "RP-4",
            "RP-6",
            "RP-8-C",
            "RP-8-D",
            "RP-5-A",
            "RP-5-C",
            "RP-7",
            "RP-8-B",
            "RP-8-F",
            "RP-15",
        )
    },
    "35-A(6)": "35-A(7)",
    "40-A": "40-A",
    "40-B": "40-B",
    "40-C": "40-C",
    "41-A": "50-A",
    "10-B": "11-B",
    "41-B": "50-B",
    "42-A": "51-A",
    "42-B": "51-B",
    "42-C": "51-C",
    "43-A": "52-A",
    "43-B": "52-B",
    "44-A": "53-A",
    "44-B": "53-B",
    "45": "41",
    "47-A": "43-A",
    "47-B": "43-B",
    "49": "44",
    "50-A": "45-A",
    "51-B": "46-B",
    "52": "48",
    "53": "49",
    "4": "5",
    "5": "6",
    "8": "9",
    "RP-9-B": "RP-10-C",
    "RP-9-C": "RP-10-D",
    "RP-9-D": "RP-10-E",
}

_OWN: Final = (
    Clause(
        "7-A",
        "rules",
        "Late players, alternates and re-entries have a full stack and are dealt in at once, but between "
        "button and small blind.",
    ),
    Clause("7-B", "records", "Chips that are given up for a new stack leave play."),
    Clause(
        "9",
        "rules",
        "Seats of a broken table are drawn in two random steps; who comes from it is dealt in at once, but "
        "between button and small blind.",
    ),
    Clause("10-A", "rules", "To balance tables, the next big blind moves to the worst seat."),
    Clause(
        "10-D",
        "rules",
        "Nine- and eight-handed, a table three players short or more halts when the blinds are touched.",
    ),
    Clause(
        "11",
        "rules",
        "A final table has one seat more than the tables of the event, and never more than ten.",
    ),
    Clause("20-C", "rules", "The odd chip of a high-low pot goes to the high side."),
    Clause(
        "20-D",
        "rules",
        "Hands that are the same both ways split the whole pot as evenly as can be, without an odd chip "
        "for each half.",
    ),
    Clause(
        "23",
        "rules",
        "A new level is of the next hand, which begins with the first riffle or the shuffler's button.",
    ),
    Clause("35-A(5)", "rules", "In stud two downcards of one player exposed by the dealer are a misdeal."),
    Clause("35-D", "rules", "After substantial action there is no misdeal any more."),
    Clause(
        "39",
        "rules",
        "A flop with four cards is covered and scrambled, and the floor takes one blindly for the burn; the "
        "other three are the flop.",
    ),
    Clause(
        "46",
        "rules",
        "A raise comes in one motion, or its amount is said first, or the word raise comes first and then "
        "one motion.",
    ),
    Clause(
        "48",
        "rules",
        "All-ins short of a full raise, or in limit of half a bet, open the betting again only to who faces "
        "that much in sum.",
    ),
    Clause(
        "50-B",
        "rules",
        "When one of several chips can be spared, half a raise decides between raise and call; last chips "
        "are all-in.",
    ),
    Clause(
        "51-A",
        "rules and prompts",
        "Chips before earlier ones that were not pulled in are weighed together with them; the "
        "floor decides what remains unclear.",
    ),
    Clause("64", "nothing", "Chips that were found and belong to nobody leave the event."),
    Clause(
        "RP-5-B",
        "rules",
        "A turn before its time is set aside and its burn stays; after the betting another card is "
        "burned and the next is the turn. The one set aside is shuffled in before the river, which has no "
        "burn.",
    ),
    Clause(
        "RP-5-D",
        "rules",
        "Stud cards before their time are set aside, the street is dealt again with a burn, and they are "
        "shuffled in before the last street, which has none.",
    ),
    Clause("RP-8-A", "rules", "Who go out in one hand of hand-for-hand share what is paid for their places."),
    Clause(
        "RP-9-A",
        "rules and prompts",
        "When the last stud card comes face up, heads-up the other comes up too; with more "
        "players theirs come down, and the seat may declare itself all-in before the first bet.",
    ),
)


def _order(clause: Clause) -> tuple[bool, int, str]:
    """Rules by number, recommended procedures after them."""
    head = clause.number.removeprefix("RP-").split("-")[0].split("(")[0]
    return clause.number.startswith("RP-"), int(head), clause.number


CLAUSES: Final = (*sorted(renumbered(tda_2022.CLAUSES, SAME) + _OWN, key=_order), *games.CLAUSES)
