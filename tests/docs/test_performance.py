"""The page of measurements has its form; what it says depends on the machine."""

import platform
import re
from importlib import import_module

import pytest
from rig.documents import DOCS, ROOT

from benchmarks.catalogue import BENCHMARKS, NAMES, Benchmark
from benchmarks.figures import Figure, Machine
from benchmarks.page import UNMEASURED, described, section, unmeasured, written

PAGE = (DOCS / "performance.md").read_text()
SECTIONS = {
    match[1].lower(): match[0]
    for match in re.finditer(r"## (\w+)\n.*?(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
}
MEASURED = re.compile(
    r"\*Measured on \d{4}-\d\d-\d\d with version [\d.]+: [^/]+, \d+ cores, Python [\d.]+; "
    r"other programs took [\d.]+ of the cores\.( Few samples: a look, not a measurement\.)?\*"
)
every_benchmark = pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.name)


def test_every_benchmark_is_in_the_catalogue_and_has_its_section() -> None:
    runs = {
        path.stem
        for path in (ROOT / "benchmarks").glob("*.py")
        if "\ndef run(options: Options" in path.read_text()
    }
    assert runs == set(NAMES) == set(SECTIONS)
    assert list(NAMES) == list(SECTIONS)


@every_benchmark
def test_a_section_says_what_it_means_how_to_run_it_and_where_it_was_measured(benchmark: Benchmark) -> None:
    text = SECTIONS[benchmark.name]
    assert callable(import_module(f"benchmarks.{benchmark.name}").run)
    assert benchmark.meaning.endswith(".") and benchmark.meaning in text.replace("\n", " ")
    assert f"\n    python -m benchmarks {benchmark.name}\n" in text
    if UNMEASURED not in text:
        assert MEASURED.search(text)
        assert re.search(r"^\|.*\|\n\|( --- \|)+\n\|", text, re.MULTILINE), "no table"
        assert not benchmark.picture or f"(images/{benchmark.picture})" in text


def test_a_run_replaces_the_sections_of_what_it_measured_and_no_others() -> None:
    assert written(PAGE, {}) == PAGE
    begun = written("", {})
    assert begun.count(UNMEASURED) == len(BENCHMARKS)
    figures = [Figure("half", 1.0, "s", "double", 2.0)]
    new = section(NAMES["codec"], figures, Machine().description(quick=False))
    assert "| half | 0.50 |  | 1 s | double: 2 s |" in new
    page = written(begun, {"codec": new})
    assert page.count(UNMEASURED) == len(BENCHMARKS) - 1
    assert page.replace(new, unmeasured(NAMES["codec"])) == begun


def test_the_machine_is_described_without_its_name() -> None:
    quick = described(Machine().description(quick=True))
    assert MEASURED.fullmatch(quick) and "Few samples" in quick
    assert platform.node() not in quick
