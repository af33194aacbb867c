"""Whether the tests notice a line that is wrong: single mutations of the code, each with the tests that have
to fail for it.

`python -m benchmarks.mutants [AREA or ID ...] [--json]`. The mutations are data:
`benchmarks/mutations/AREA.toml`, one table per mutation with its `id`, the `file`, the text `before` and
`after`, the `tests` that must notice it, and `shows`: what a user would see. Each is applied alone in a
temporary copy of the tree and its tests are run there.

| outcome | meaning |
| --- | --- |
| killed | a test failed, or did not end in time |
| survived | all of its tests passed: nothing guards the line |
| stale | the text does not occur exactly once any more: the mutation has to be written anew |
| broken | the tests could not be run with it: the file no longer compiles, or a test is missing |

The exit status is 0 only if every mutation that was asked for is killed.
"""

import argparse
import ast
import os
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path
from shutil import copy2
from typing import Final, Literal

import msgspec

from benchmarks.figures import Figure, Options, Say

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "benchmarks" / "mutations"
LONGEST_S: Final = 600.0
"""How long the tests of one mutation may take."""

Outcome = Literal["killed", "survived", "stale", "broken"]


class Mutation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`before` occurs exactly once in `file` and is replaced by `after`. `tests`: node ids of pytest."""

    id: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]
    shows: str


class Result(msgspec.Struct, frozen=True):
    """`output`: the end of what pytest said, if the mutation was not killed."""

    area: str
    id: str
    outcome: Outcome
    shows: str
    output: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mutation: tuple[Mutation, ...]


def mutations(folder: Path = FOLDER) -> dict[str, tuple[Mutation, ...]]:
    """All mutations by area. Raises msgspec.ValidationError with the place in the file."""
    return {
        path.stem: msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File).mutation
        for path in sorted(folder.glob("*.toml"))
    }


def occurrences(mutation: Mutation, root: Path = ROOT) -> int:
    """How often the text to be replaced stands in its file; 0 if there is no such file."""
    path = root / mutation.file
    return path.read_text(encoding="utf-8").count(mutation.before) if path.is_file() else 0


def missing_tests(mutation: Mutation, root: Path = ROOT) -> list[str]:
    """Those of its tests that do not exist: FILE, FILE::function or FILE::Class::method, with any
    [parameters].
    """
    missing = []
    for test in mutation.tests:
        file, *names = test.partition("[")[0].split("::")
        path = root / file
        body: list[ast.stmt] = ast.parse(path.read_text(encoding="utf-8")).body if path.is_file() else []
        there = path.is_file()
        for name in names:
            found = [
                node
                for node in body
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
            ]
            there, body = bool(found), found[0].body if found else []
        if not there:
            missing.append(test)
    return missing


def copied(root: Path, to: Path) -> None:
    """The files that git knows or would add, as they are now."""
    listed = (
        subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root,
            check=True,
            capture_output=True,
        )
        .stdout.decode()
        .split("\0")
    )
    for name in filter(None, listed):
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            copy2(root / name, to / name)


def ended(command: list[str], copy: Path, longest_s: float = LONGEST_S) -> tuple[int | None, str]:
    """Run Python with these arguments in the copy: its exit status, None if it did not end, and the end of
    what it said.
    """
    environ = os.environ | {
        "PYTHONPATH": f"{copy}:{copy / 'drivers'}:{copy / 'tests'}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=copy,
            env=environ,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status: int | None = process.wait(longest_s)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        said.seek(0)
        return status, said.read()[-2000:]


def tested(copy: Path, tests: tuple[str, ...], longest_s: float = LONGEST_S) -> tuple[int | None, str]:
    """Run tests in the copy, as `ended` does."""
    return ended(["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests], copy, longest_s)


def tried(area: str, mutation: Mutation, copy: Path) -> Result:
    """Apply one mutation in the copy, run its tests, and take it back."""
    if occurrences(mutation, copy) != 1:
        return Result(area, mutation.id, "stale", mutation.shows)
    path = copy / mutation.file
    sound = path.read_text(encoding="utf-8")
    path.write_text(sound.replace(mutation.before, mutation.after), encoding="utf-8")
    try:
        status, said = tested(copy, mutation.tests)
    finally:
        path.write_text(sound, encoding="utf-8")
    if status in (1, None):
        return Result(area, mutation.id, "killed", mutation.shows)
    return Result(area, mutation.id, "survived" if status == 0 else "broken", mutation.shows, said)


def measure(wanted: list[str], say: Say) -> list[Result]:
    """The mutations of these areas or with these ids, all without any. Raises SystemExit if a word names
    nothing or the tests fail without a mutation.
    """
    every = [(area, one) for area, these in mutations().items() for one in these]
    if unknown := set(wanted) - {area for area, _ in every} - {one.id for _, one in every}:
        sys.exit(f"no area and no mutation is called {sorted(unknown)[0]!r}")
    chosen = [(area, one) for area, one in every if not wanted or area in wanted or one.id in wanted]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder)
        copied(ROOT, copy)
        say("mutants: the tests without a mutation")
        status, said = tested(copy, tuple(dict.fromkeys(test for _, one in chosen for test in one.tests)))
        if status != 0:
            sys.exit(f"the tests fail without a mutation:\n{said}")
        results = []
        for number, (area, one) in enumerate(chosen, 1):
            say(f"mutants: {one.id}, {number} of {len(chosen)}")
            results.append(tried(area, one, copy))
    return results


def run(options: Options, say: Say) -> list[Figure]:
    """The share of mutations that are killed, by area."""
    results = measure([], say)
    counts = Counter((one.area, one.outcome) for one in results)
    totals = Counter(one.area for one in results)
    return [
        Figure(
            f"{area}: {total} mutations, killed",
            100 * counts[area, "killed"] / total,
            "%",
            limit=100,
            better="higher",
        )
        for area, total in totals.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mutants", description="Do the tests notice wrong lines?"
    )
    parser.add_argument(
        "wanted", nargs="*", metavar="AREA or ID", help=f"by default all; areas: {', '.join(mutations())}"
    )
    parser.add_argument("--json", action="store_true", help="the results as JSON on standard output")
    asked = parser.parse_args()
    results = measure(asked.wanted, lambda text: print(text, file=sys.stderr))
    counts = Counter(one.outcome for one in results)
    if asked.json:
        print(msgspec.json.format(msgspec.json.encode({"counts": counts, "results": results})).decode())
    else:
        for one in results:
            print(f"{one.outcome:9}{one.area:10}{one.id:12} {one.shows}")
            if one.outcome == "broken":
                print(one.output)
        print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()) + f", of {len(results)}")
    return 0 if counts["killed"] == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
