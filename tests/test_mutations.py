"""The list of mutations is up to date: `python -m benchmarks.mutants` runs them, which takes minutes; this
takes none.
"""

from pathlib import Path

import pytest
from hands.suite import scripts

from benchmarks.mutants import Mutation, missing_tests, mutations, occurrences, tried

EVERY = {one.id: one for these in mutations().values() for one in these}
every_mutation = pytest.mark.parametrize("mutation", EVERY.values(), ids=EVERY)


def test_no_name_is_given_twice() -> None:
    assert len(EVERY) == sum(map(len, mutations().values())) > 0


@every_mutation
def test_what_it_changes_stands_in_its_file_exactly_once(mutation: Mutation) -> None:
    assert occurrences(mutation) == 1
    assert mutation.before != mutation.after


@every_mutation
def test_the_tests_that_it_names_exist(mutation: Mutation) -> None:
    assert mutation.tests and missing_tests(mutation) == []


def test_the_table_scripts_that_they_name_exist() -> None:
    named = {
        test.partition("test_script_holds[")[2].rstrip("]") for one in EVERY.values() for test in one.tests
    }
    assert named - {"", *scripts()} == set()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one line of code, a test that guards it and one that does not."""
    (tmp_path / "half.py").write_text("def half(number):\n    return number // 2\n")
    (tmp_path / "test_half.py").write_text(
        "from half import half\n\n\ndef test_four() -> None:\n    assert half(4) == 2\n\n\n"
        "def test_nothing() -> None:\n    assert half(0) == 0\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    return tmp_path


@pytest.mark.parametrize(
    ("before", "after", "test", "outcome"),
    [
        ("// 2", "// 3", "test_half.py::test_four", "killed"),
        ("// 2", "// 3", "test_half.py::test_nothing", "survived"),
        ("// 4", "// 3", "test_half.py::test_four", "stale"),
        ("number", "other", "test_half.py::test_four", "stale"),
        ("// 2", "//", "test_half.py::test_four", "broken"),
        ("// 2", "// 3", "test_half.py::test_five", "broken"),
    ],
)
def test_the_outcome_of_a_mutation(tree: Path, before: str, after: str, test: str, outcome: str) -> None:
    sound = (tree / "half.py").read_text()
    assert tried("area", Mutation("one", "half.py", before, after, (test,), ""), tree).outcome == outcome
    assert (tree / "half.py").read_text() == sound


def test_a_test_that_is_not_there_is_named(tree: Path) -> None:
    there = ("test_half.py", "test_half.py::test_four[1]")
    missing = ("test_half.py::test_five", "test_whole.py", "test_half.py::Half::test")
    assert missing_tests(Mutation("one", "half.py", "2", "3", (*there, *missing), ""), tree) == list(missing)
