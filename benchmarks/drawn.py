"""Whether scripts and tests notice mutations that nobody chose: a draw from the engine, the books, the
tournament's desk and the awards.

`python -m benchmarks.drawn [--seed S] [--count N] [--jobs N] [--results FILE] [--slow] [--list] [--json]`.
`mutating.py` says what a mutation is. Each is applied alone in a temporary copy of the tree. The table
scripts are played first, then tests of the engine that take little time and those that name the mutated
module, with --slow in the end all tests of engine, books and scripts. All mutations go through one watch
before those that it did not notice go on to the next one.

| outcome | meaning |
| --- | --- |
| killed | a script or a test failed, or did not end in time |
| equivalent | nothing noticed it, and nobody could: `equivalents.toml` says why |
| survived | nothing noticed it: a test is missing, or the code is not needed |

With --results what each watch said goes into a file, one line of JSON each: the same command goes on where it
was interrupted. The exit status is 0 only if none survived.
"""

import argparse
import compileall
import os
import re
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Literal, NamedTuple

import msgspec

from benchmarks.figures import Say
from benchmarks.mutants import ROOT, copied, ended
from benchmarks.mutating import Site, drawn

FOLDERS: Final = tuple(f"tablebridge/{name}" for name in ("engine", "rulebooks", "tournament", "awards"))
EQUIVALENTS: Final = ROOT / "benchmarks" / "equivalents.toml"
_SCRIPTS: Final = """
import random, sys
from hands.suite import pending, reason, scripts
names = sorted(set(scripts()) - set(pending()))
random.Random(1).shuffle(names)
sys.exit(next((f"{name}: {said}" for name in names if (said := reason(name))), 0))
"""
"""Play all table scripts in one process, in an order that mixes their subjects, until one does not hold."""
_PYTEST: Final = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider")
_TESTS: Final = ("tests/rulebooks", "tests/awards", "tests/tournament", "tests/engine")
_QUICK: Final = tuple(
    f"tests/engine/test_{name}.py"
    for name in (
        "answers",
        "consequences",
        "corrections",
        "counting",
        "decks",
        "endings",
        "games",
        "hidden_faces",
        "on_air",
        "script",
        "sensed",
        "sentences",
        "shuffler_and_muck",
    )
)
_LONG: Final = "test_nothing_that_staff_and_public_get_depends_on_a_hidden_face"
_VOLUME: Final = "tests/engine/test_any_event_volume.py"

Outcome = Literal["killed", "survived", "equivalent"]


class Watch(NamedTuple):
    """What is run with a mutation: the arguments of Python, none if nothing of it is about the mutation; and
    how long it may take.
    """

    name: str
    arguments: Callable[[Site], tuple[str, ...]]
    longest_s: float


def _near(site: Site) -> tuple[str, ...]:
    """The tests that name the module, and those of the books for a book."""
    package, _, module = (
        site.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".").rpartition(".")
    )
    named = re.compile(rf"{re.escape(package)}\.{module}\b|from {re.escape(package)} import .*\b{module}\b")
    tests = [
        path.relative_to(ROOT).as_posix()
        for folder in _TESTS
        for path in sorted((ROOT / folder).glob("test_*.py"))
        if (site.file.startswith(folder.replace("tests", "tablebridge") + "/") and folder != "tests/engine")
        or named.search(path.read_text(encoding="utf-8"))
    ]
    near = [test for test in tests if test != _VOLUME]
    return (*_PYTEST, *near) if near else ()


def _quick(site: Site) -> tuple[str, ...]:
    """Tests of the engine that take little time."""
    return (*_PYTEST, *_QUICK, "-k", f"not {_LONG}") if site.file.startswith(FOLDERS[0]) else ()


WATCHES: Final = (
    Watch("scripts", lambda _: ("-c", _SCRIPTS), 180),
    Watch("quick tests", _quick, 600),
    Watch("nearest tests", _near, 600),
)
SLOW: Final = Watch("slow tests", lambda _: (*_PYTEST, *_TESTS, "tests/hands"), 3600)


class Seen(msgspec.Struct, frozen=True):
    """What a watch said to a mutation. `output`: the end of it, if it noticed something."""

    site: Site
    watch: str
    noticed: bool
    output: str = ""


class Result(msgspec.Struct, frozen=True):
    """`by`: the watch that noticed it; `reason`: why nobody could."""

    site: Site
    outcome: Outcome
    by: str = ""
    reason: str = ""


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mutation by its name, and why the program does the same with it."""

    name: str
    reason: str


class _Equivalents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    equivalent: tuple[Equivalent, ...] = ()


def equivalents(path: Path = EQUIVALENTS) -> dict[str, str]:
    """By name why a mutation changes nothing. Raises msgspec.ValidationError with the place in the file."""
    listed = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Equivalents).equivalent
    return {one.name: one.reason for one in listed}


class Record:
    """What was seen, in a file if one is given, so that an interrupted run can go on."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_bytes().splitlines() if path is not None and path.is_file() else []
        seen = (msgspec.json.decode(line, type=Seen) for line in lines)
        self._seen = {(one.site.name, one.watch): one for one in seen}

    def of(self, site: Site, watch: Watch) -> Seen | None:
        return self._seen.get((site.name, watch.name))

    def add(self, seen: Seen) -> None:
        self._seen[seen.site.name, seen.watch] = seen
        if self._path is not None:
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode(seen) + b"\n")


def watched(site: Site, watch: Watch, copy: Path) -> Seen:
    """Apply a mutation in the copy, run the watch, and take it back."""
    arguments = watch.arguments(site)
    if not arguments:
        return Seen(site, watch.name, False)
    path = copy / site.file
    sound, times = path.read_text(encoding="utf-8"), path.stat()
    path.write_text(site.applied(sound), encoding="utf-8")
    try:
        status, said = ended(list(arguments), copy, watch.longest_s)
    finally:
        path.write_text(sound, encoding="utf-8")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return Seen(site, watch.name, status != 0, said[-300:] if status else "")


class _Copies:
    """Copies of the tree, each in use by one worker at a time."""

    def __init__(self, folder: Path, count: int) -> None:
        self._free: SimpleQueue[Path] = SimpleQueue()
        for number in range(count):
            copied(ROOT, folder / str(number))
            # What each run would compile again.
            compileall.compile_dir(folder / str(number) / "tablebridge", quiet=2)
            self._free.put(folder / str(number))

    def watched(self, site: Site, watch: Watch) -> Seen:
        copy = self._free.get()
        try:
            return watched(site, watch, copy)
        finally:
            self._free.put(copy)

    def sound(self, watch: Watch, sites: Iterable[Site]) -> None:
        """Raises SystemExit if the watch of these mutations notices something without any."""
        copy = self._free.get()
        every = dict.fromkeys(word for site in sites for word in watch.arguments(site))
        status, said = ended(list(every), copy, watch.longest_s) if every else (0, "")
        self._free.put(copy)
        if status != 0:
            sys.exit(f"the {watch.name} fail without a mutation:\n{said}")


def measure(
    sites: Iterable[Site], watches: Iterable[Watch], record: Record, jobs: int, say: Say
) -> list[Result]:
    """What becomes of each mutation. Raises SystemExit if scripts or tests fail without one."""
    left, killed, known = list(sites), {}, equivalents()
    every = tuple(left)
    left = [site for site in left if site.name not in known]
    with tempfile.TemporaryDirectory(prefix="drawn-") as folder, ThreadPoolExecutor(jobs) as workers:
        copies = _Copies(Path(folder), jobs)
        for watch in watches:
            if new := [site for site in left if record.of(site, watch) is None]:
                say(f"the {watch.name} without a mutation")
                copies.sound(watch, new)

            def seen(site: Site, watch: Watch = watch) -> Seen:
                return record.of(site, watch) or copies.watched(site, watch)

            for number, one in enumerate(workers.map(seen, left), 1):
                if record.of(one.site, watch) is None:
                    record.add(one)
                if one.noticed:
                    killed[one.site] = watch.name
                else:
                    say(f"{number} of {len(left)}: not noticed by the {watch.name}: {one.site.name}")
            left = [site for site in left if site not in killed]
    return list(_results(every, killed, known))


def _results(sites: Iterable[Site], killed: dict[Site, str], known: dict[str, str]) -> Iterator[Result]:
    for site in sites:
        if site.name in known:
            yield Result(site, "equivalent", reason=known[site.name])
        elif site in killed:
            yield Result(site, "killed", by=killed[site])
        else:
            yield Result(site, "survived")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.drawn",
        description="Do scripts and tests notice mutations drawn by chance?",
    )
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other mutations (1)")
    parser.add_argument("--count", type=int, default=200, help="how many are drawn (200)")
    parser.add_argument("--jobs", type=int, default=1, help="how many are tried at the same time (1)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="go on with what this file has, and add")
    parser.add_argument("--slow", action="store_true", help="all tests for those that the quick ones miss")
    parser.add_argument("--list", action="store_true", help="only list the mutations")
    parser.add_argument("--json", action="store_true", help="the results as JSON on standard output")
    asked = parser.parse_args()
    sites = drawn(ROOT, FOLDERS, asked.seed, asked.count)
    if asked.list:
        print("\n".join(f"{site.line:5} {site.name}" for site in sites))
        return 0
    watches = (*WATCHES, SLOW) if asked.slow else WATCHES
    results = measure(
        sites,
        watches,
        Record(asked.results),
        asked.jobs,
        lambda text: print(text, file=sys.stderr, flush=True),
    )
    counts = Counter(one.outcome for one in results)
    if asked.json:
        print(msgspec.json.format(msgspec.json.encode({"counts": counts, "results": results})).decode())
    else:
        for one in results:
            if one.outcome != "killed":
                print(f"{one.outcome:11}line {one.site.line} of {one.site.name}  {one.reason}")
        noticed = Counter(one.by for one in results if one.by)
        print(", ".join(f"{count} killed by the {watch}" for watch, count in noticed.items()))
        print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()) + f", of {len(results)}")
    return 0 if not counts["survived"] else 1


if __name__ == "__main__":
    sys.exit(main())
