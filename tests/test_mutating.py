"""What `python -m benchmarks.drawn` tries: which mutations a source has, and that a seed names them."""

from pathlib import Path

import pytest

from benchmarks.drawn import FOLDERS, WATCHES, Record, Seen, Watch, equivalents, watched
from benchmarks.mutants import ROOT
from benchmarks.mutating import drawn, sites

SOURCE = '''"""At most 2 words: a < b."""
from typing import Final, Literal

__all__ = ["one", "two"]
Kind = Literal["more", "less"]
RULES: Final = {"late": "35-D", "fouled": "35-E"}


@cache(maxsize=3)
def one(seat: int = 1) -> bool:
    """Whether 1 < 2."""
    assert seat < 10
    if seat == 3 and RULES:
        find("misdeal", "late")
        raise ValueError(f"not {seat + 1}")
    return False
'''


def changes(source: str) -> list[tuple[int, str, str, str]]:
    return [(one.line, one.kind, one.before, one.after) for one in sites(source, "one.py")]


def test_the_mutations_of_a_source_leave_out_types_sentences_assertions_and_messages() -> None:
    assert sorted(changes(SOURCE)) == [
        (6, "member", '"late": "35-D", ', ""),
        (6, "member", ', "fouled": "35-E"', ""),
        (6, "word", '"35-D"', '"35-E"'),
        (6, "word", '"35-E"', '"35-D"'),
        (6, "word", '"fouled"', '"late"'),
        (6, "word", '"late"', '"fouled"'),
        (10, "number", "1", "0"),
        (10, "number", "1", "2"),
        (13, "comparison", "==", "!="),
        (13, "condition", "seat == 3 and RULES", "(not (seat == 3 and RULES))"),
        (13, "logic", "seat == 3 and RULES", "seat == 3 or RULES"),
        (13, "number", "3", "2"),
        (13, "number", "3", "4"),
        (13, "part", "seat == 3 and RULES", "(RULES)"),
        (13, "part", "seat == 3 and RULES", "(seat == 3)"),
        (14, "arguments", '"misdeal", "late"', '"late", "misdeal"'),
        (14, "statement", 'find("misdeal", "late")', "pass"),
        (14, "word", '"late"', '""'),
        (14, "word", '"misdeal"', '""'),
        (16, "truth", "False", "True"),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return a <= b", ("boundary", "<=", "<")),
        ("return a not in b", ("comparison", "not in", "in")),
        ("return 2 * a  # é", ("arithmetic", "*", "//")),
        ("return 'é' + (a) - (b)", ("arithmetic", "-", "+")),
        ("a += b", ("arithmetic", "+", "-")),
        ("return a & b", ("arithmetic", "&", "|")),
        ("return min(a, b)", ("extreme", "min", "max")),
        ("return all(a)", ("extreme", "all", "any")),
        ("return a if b else None", ("condition", "b", "(not (b))")),
        ("return [a for a in b if not a]", ("condition", "not a", "(a)")),
        ("return a in (1, 2)", ("member", ", 2", "")),
        ("return f(a, b)", ("arguments", "a, b", "b, a")),
        ("a.b = 1", ("statement", "a.b = 1", "pass")),
        ("if a: return a\n    return b", ("return", "a", "(b)")),
    ],
)
def test_each_kind_of_mutation(line: str, expected: tuple[str, str, str]) -> None:
    source = f"def f(a, b):\n    {line}\n"
    found = [one for one in sites(source, "one.py") if (one.kind, one.before, one.after) == expected]
    assert len(found) == 1
    changed = found[0].applied(source)
    assert len(changed) - len(source) == len(expected[2]) - len(expected[1])
    compile(changed, "one.py", "exec")


def test_a_name_says_where_a_mutation_is_and_tells_it_from_others_of_its_kind() -> None:
    source = "class A:\n    def f(self):\n        return x < y, x < y\n"
    names = [one.name for one in sites(source, "one.py")]
    assert names == ["one.py A.f: boundary: < -> <=", "one.py A.f: boundary: < -> <= #2"]
    assert [one.name for one in sites("\n\n" + source, "one.py")] == names


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "long.py").write_text(
        "".join(f"def f{n}(a, b):\n    return a < b\n" for n in range(90))
    )
    (tmp_path / "code" / "short.py").write_text(
        "".join(f"def g{n}(a, b):\n    return a < b\n" for n in range(10))
    )
    return tmp_path


def test_a_seed_draws_the_same_and_another_one_others(tree: Path) -> None:
    one, again, other = (drawn(tree, ["code"], seed, 20) for seed in (1, 1, 2))
    assert one == again != other
    assert len(one) == 20 == len({(site.file, site.line) for site in one})
    assert len(drawn(tree, ["code"], 1, 1000)) == 100


def test_a_file_is_drawn_as_often_as_it_has_lines(tree: Path) -> None:
    files = [site.file for seed in range(20) for site in drawn(tree, ["code"], seed, 10)]
    assert 0.04 < files.count("code/short.py") / len(files) < 0.16


def test_what_a_watch_says_is_recorded_and_the_file_as_it_was(tree: Path) -> None:
    site = drawn(tree, ["code"], 1, 1)[0]
    sound = (tree / site.file).read_text()
    name = site.file.removeprefix("code/").removesuffix(".py")
    sums = f"sum(f(1, 1) for name, f in vars({name}).items() if name[1:].isdigit())"
    numbers = f"import sys; sys.path.insert(0, 'code'); import {name}; sys.exit({sums})"
    notices, sleeps = Watch("notices", lambda _: ("-c", numbers), 60), Watch("sleeps", lambda _: (), 60)
    file = tree / "seen.jsonl"
    record = Record(file)
    for watch in (notices, sleeps):
        record.add(watched(site, watch, tree))
    assert (tree / site.file).read_text() == sound
    for found in (record, Record(file)):
        assert found.of(site, notices) == Seen(site, "notices", True)
        assert found.of(site, sleeps) == Seen(site, "sleeps", False)


def test_each_mutation_that_is_said_to_change_nothing_can_still_be_drawn() -> None:
    files = {name.partition(" ")[0] for name in equivalents()}
    there = {site.name for file in files for site in sites((ROOT / file).read_text(encoding="utf-8"), file)}
    assert set(equivalents()) - there == set()
    assert all(file.startswith(FOLDERS) for file in files) and all(equivalents().values())


def test_the_tests_that_watch_exist() -> None:
    table, book = (
        next(sites((ROOT / file).read_text(encoding="utf-8"), file))
        for file in ("tablebridge/engine/corrections.py", "tablebridge/rulebooks/fspr.py")
    )
    words = [word for watch in WATCHES for site in (table, book) for word in watch.arguments(site)]
    named = [word for word in words if word.startswith(("tests/", "--ignore="))]
    assert named and all((ROOT / word.removeprefix("--ignore=")).exists() for word in named)
    assert "tests/rulebooks/test_clauses.py" in WATCHES[2].arguments(book)
    assert WATCHES[2].arguments(table) == WATCHES[1].arguments(book) == ()
