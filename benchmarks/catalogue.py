"""The benchmarks: what each tells, in a sentence, and how its figures stand on docs/performance.md."""

from collections.abc import Callable
from typing import Final

import msgspec

Cell = tuple[str, str, str]
"""Where a figure stands: the table's title, the row, the column."""


FIRST: Final = "Noticed in the first hand of a table"
EACH: Final = "Noticed; with the right cause, if that is less; median delay of those whose moment is known"


class Benchmark(msgspec.Struct, frozen=True):
    """One benchmark, `python -m benchmarks NAME`.

    `meaning`: one plain sentence. `long`: it takes many minutes and is left out if no name is given. `cell`:
    where a figure stands, from its name, if the figures make tables of several columns; otherwise each figure
    has a row. `picture`: a file that it draws into docs/images, with what it shows.
    """

    name: str
    meaning: str
    long: bool = False
    cell: Callable[[str], Cell] | None = None
    picture: str = ""
    shows: str = ""


def by_level(name: str) -> Cell:
    """A table per level: "harsh, smurf 3: errors"."""
    of, _, column = name.rpartition(": ")
    level, _, row = of.partition(", ")
    return f"Level {level}", row, column


def by_readers(name: str) -> Cell:
    """A table per level and number of readers: "harsh, 2 readers, rounds: deal p50"."""
    of, _, column = name.rpartition(": ")
    table, _, row = of.rpartition(", ")
    return f"Level {table}", row, column


def by_hands(name: str) -> Cell:
    """A row per length of the journal: "after 1000 hands: start"."""
    row, _, column = name.rpartition(": ")
    return "", row or "any", column


def by_table(name: str) -> Cell:
    """A row per table, a column per method: "far cross-reading x100: window 3/5"."""
    row, _, column = name.partition(": ")
    return "Errors per hand", row, column


def by_tables(name: str) -> Cell:
    """A row per measure, a column per number of tables: "8 tables: processor, all"."""
    column, _, row = name.partition(": ")
    return "", row, column


def across_levels(name: str) -> Cell:
    """A column per level: "harsh, boxed-cards: noticed"; of all together: "harsh: noticed"."""
    of, _, measure = name.partition(": ")
    level, _, irregularity = of.partition(", ")
    if irregularity:
        return FIRST if measure.endswith("in the first hand") else EACH, irregularity, level
    alarms, _, finding = measure.partition(", ")
    if finding:
        return f"{alarms.capitalize()} by finding", finding, level
    return "All irregularities, and regular hands", measure, level


def by_driver(name: str) -> Cell:
    """A row per driver: "feig: whole frames"."""
    row, _, column = name.partition(": ")
    return "", row, column


BENCHMARKS: Final = (
    Benchmark(
        "latency",
        "How long the floor waits for an alert after a device has sent its last byte: the whole site "
        "(driver, broker, sensing, engine, journal on disk) beside two processes that only hand the bytes "
        "on.",
    ),
    Benchmark(
        "engine",
        "How many hands per second the hand engine takes, beside pokerkit on the same hands, and whether "
        "both end with the same stacks.",
    ),
    Benchmark(
        "night",
        "Whether a hand or a finding costs more after 10,000 hands than after 100: it must not, since the "
        "box is not restarted.",
    ),
    Benchmark(
        "rooms",
        "How many events per second a room of 200 tables takes, from 1,500 players to the last one, and "
        "whether it keeps every player and chip, and the big blind passes nobody.",
    ),
    Benchmark(
        "simulate",
        "How many hands come out of the whole chain, emulated readers included, as they went in, and in "
        "what time.",
    ),
    Benchmark(
        "footprint",
        "The memory and processor time of each process at an idle table and at one that is being dealt, "
        "beside a Python process that has only imported the same libraries.",
    ),
    Benchmark(
        "box",
        "What dealing tables cost a box of two cores: processor time and memory of all its processes, bytes "
        "written to disk, messages on the bus; and whether an alert waits longer if there are more tables. "
        "Goals for one table: 8 % of a core, 150 MB, 60 kB/s, 25 messages per s; for eight: a p99 under "
        "twice that of one.",
        cell=by_tables,
    ),
    Benchmark(
        "start",
        "How long a newcomer waits between the command `tablebridge demo` and the first hand on each page. "
        "All are opened at once; the overlay shows everything late, as it is meant to.",
    ),
    Benchmark(
        "restart",
        "How much processor time a table needs to be back after a crash, by the length of its journal, "
        "beside a start that checks and folds all of it.",
        long=True,
        cell=by_hands,
    ),
    Benchmark(
        "codec", "What it costs to encode and decode one reading with msgspec, beside pydantic and json."
    ),
    Benchmark(
        "odds",
        "How much processor time the equities of a picture take, by game and street, beside a plain loop of "
        "phevaluator over as many boards.",
    ),
    Benchmark(
        "overlay",
        "How many frames per second the overlay shows while it moves, in headless Chromium that draws "
        "without a graphics processor, and the processor time of the page itself per frame: script, style, "
        "layout and paint.",
    ),
    Benchmark(
        "screen",
        "How long an alert takes from the bus to the floor's screen with 40 tables on one page, each with a "
        "change per second and 50 closed alerts; in headless Chromium that draws without a graphics "
        "processor.",
    ),
    Benchmark(
        "bus",
        "What it costs that no reading is lost: outbox on disk, sender, inbox and acknowledgement by hand "
        "beside plain paho with the same payload.",
    ),
    Benchmark(
        "drivers",
        "How many frames per second each driver decodes, beside other packages for the same device if there "
        "are any, and what the host adds between port and reading.",
    ),
    Benchmark(
        "fuzz",
        "Whether any of a million damaged frames raises an exception in a driver, and whether each driver "
        "keeps up with the fastest serial line.",
        long=True,
        cell=by_driver,
    ),
    Benchmark(
        "faces",
        "Whether anything that staff or public can see changes when the hidden faces of a hand are "
        "exchanged for others: not one byte may.",
        long=True,
    ),
    Benchmark(
        "sensing",
        "How often sensing is wrong about a card and how late it is right, beside other methods on the same "
        "emulated readings, at four assumed levels of noise.",
        long=True,
        cell=by_level,
        picture="sensing.svg",
        shows="Errors per hand against median latency, by method and level of noise",
    ),
    Benchmark(
        "games",
        "How often sensing is wrong about a card in Omaha, on two boards, in stud and in draw games, beside "
        "hold'em at the same level of noise; sensing stands before the engine, bets are typed.",
        long=True,
        cell=by_level,
    ),
    Benchmark(
        "tables",
        "How often sensing is wrong at tables that differ from those it was set on, in noise, cross-reading, "
        "geometry, readers, rhythm and players, beside other methods on the same readings.",
        long=True,
        cell=by_table,
        picture="tables.svg",
        shows="Share of drawn tables with at most so many errors per hand, by method",
    ),
    Benchmark(
        "irregular",
        "How surely and how soon each irregularity of the deal is noticed, how often an alarm is false, and "
        "how late the record is in regular hands.",
        long=True,
        cell=across_levels,
    ),
    Benchmark(
        "calibration",
        "How near a table's own estimates of its antennas come to the truth of the generator after 1 to 100 "
        "hands, and what a measurement with one card is worth to sensing in the first hands.",
        long=True,
        cell=by_level,
        picture="antennas.svg",
        shows="Antennas with their hit rates, and which read cards of others, learnt at level typical",
    ),
    Benchmark(
        "schedule",
        "What is gained if a reader visits an antenna more often while something happens there, beside "
        "visits in rounds.",
        long=True,
        cell=by_readers,
    ),
    Benchmark(
        "site",
        "How late a record of a room of many tables is in the database at the speed of life, and how many "
        "records per second go from the journals through three nats-servers into PostgreSQL: all on this "
        "machine.",
        long=True,
    ),
    Benchmark(
        "faults",
        "What is lost while each nats-server, the database, archive workers and links fail in a room of many "
        "tables, and how soon all records are in the database again.",
        long=True,
    ),
    Benchmark(
        "growth",
        "What a table costs in a room of 1, 10, 100 and 1,000: processor time of each part, memory, bytes "
        "per night.",
        long=True,
        cell=by_tables,
    ),
    Benchmark(
        "questions",
        "How long the questions of a room's pages take in a database of a million hands, and whether each "
        "finds its rows by an index and leaves out the days that it does not need.",
        long=True,
    ),
    Benchmark(
        "hall",
        "How long the pages of a room of many tables take to come, and how long after a table's step the "
        "open floor page of a browser has it: real engines, brokers, uplinks, servers and two processes of "
        "pages, all on this machine.",
        long=True,
        cell=by_tables,
    ),
    Benchmark(
        "mutants",
        "Whether the tests notice a line that is wrong: the share of single wrong lines that make a test "
        "fail.",
        long=True,
    ),
)
NAMES: Final = {benchmark.name: benchmark for benchmark in BENCHMARKS}
