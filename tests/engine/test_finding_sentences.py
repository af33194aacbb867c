"""The sentences of findings: each has one, made from its id and arguments wherever it is shown."""

from string import Formatter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.engine.notes import Notes
from tablebridge.model.findings import KINDS, Finding, Member
from tablebridge.model.sentences import PHRASES, PLAIN, SENTENCES, fields_of, filled, listed, sentence_of
from tablebridge.rulebooks import BOOKS

ALL = [(finding, text) for finding, texts in SENTENCES.items() for text in texts]
FACES = {"card", "cards", "face", "uid", "tag"}


def found(**fields: object) -> Finding:
    return Finding("1.0", "underbet", "notice", "tda-2022", "1", 1, "flop", **fields)  # type: ignore[arg-type]


def test_each_kind_of_finding_has_a_sentence() -> None:
    assert SENTENCES.keys() == KINDS.keys()


@pytest.mark.parametrize(("finding", "text"), ALL)
def test_a_sentence_is_whole(finding: str, text: str) -> None:
    """Each field is filled by a number or a list, and each word that it looks up is there."""
    args: dict[str, object] = {}
    for _, name, spec, _ in Formatter().parse(SENTENCES[finding][text]):
        if name:
            listed = bool(spec) and str(spec).startswith("each ")
            args[name] = [{}] if listed else 3
            if spec and spec not in ("n", "places"):
                assert spec.removeprefix("each ") in (PHRASES["each"] if listed else PHRASES)
    said = filled(SENTENCES[finding][text], args)
    assert said[0].isupper() or said[0] == "3"


@pytest.mark.parametrize(("finding", "text"), ALL)
def test_no_sentence_has_a_place_for_a_face(finding: str, text: str) -> None:
    # This one counts cards.
    counts = {"cards"} if (finding, text) == ("shuffle-suspect", "sequences") else set()
    assert not fields_of(finding, text) & FACES - counts


def test_a_finding_that_lacks_an_argument_of_its_sentence_is_refused() -> None:
    notes = Notes(1, "operator", "1", 1, "flop")
    with pytest.raises(ValueError, match="least"):
        notes.find(BOOKS["tda-2022"], "underbet", seat=3)
    with pytest.raises(ValueError, match="no sentence 'nonsense'"):
        notes.find(BOOKS["tda-2022"], "underbet", "nonsense", seat=3)
    with pytest.raises(ValueError, match="wants seat"):
        notes.find(BOOKS["tda-2022"], "underbet", args={"least": 400})
    notes.find(BOOKS["tda-2022"], "underbet", args={"least": 400}, seat=3)
    assert sentence_of(notes.findings[0]) == "Seat 3 put in less than the minimum of 400; it is made good."


def test_a_record_of_an_earlier_version_keeps_its_sentence() -> None:
    assert sentence_of(found(sentence="As it was said then.")) == "As it was said then."


def test_a_sentence_of_a_later_version_is_shown_as_it_is() -> None:
    assert sentence_of(found(text="of-tomorrow", args={"seat": 3})) == "underbet: {'seat': 3}"
    assert sentence_of(found(text="of-tomorrow", sentence="In English.")) == "In English."


def test_a_long_list_names_the_first_and_counts_the_others() -> None:
    chips: list[Member] = [{"denomination": value} for value in (5, 25, 100, 500, 1000, 5000)]
    assert filled("{chips:each denomination}.", {"chips": listed(chips)}) == "5, 25, 100, 500 and 2 more."
    assert filled("{chips:each denomination}.", {"chips": listed(chips[:4])}) == "5, 25, 100, 500."


_ANYTHING = (
    st.integers() | st.text() | st.lists(st.dictionaries(st.text(max_size=5), st.integers()) | st.none())
)


@pytest.mark.parametrize(("finding", "text"), ALL)
@given(drawn=st.data())
@settings(max_examples=10)
def test_whatever_comes_in_is_shown(finding: str, text: str, drawn: st.DataObject) -> None:
    """What a broken engine, or somebody else on the bus, sends as arguments ends nobody."""
    args = {name: drawn.draw(_ANYTHING) for name in fields_of(finding, text)}
    raised = msgspec.structs.replace(found(text=text, args=args), finding=finding)
    assert isinstance(sentence_of(raised), str)


def test_a_finding_with_one_sentence_need_not_name_it() -> None:
    assert all(
        PLAIN in texts or texts.keys() <= set(KINDS[finding].causes)
        for finding, texts in SENTENCES.items()
        if len(texts) == 1
    )


class Backwards:
    """A language that says everything backwards and has a form for one and for several."""

    def lookup(self, english: str, context: str = "") -> str:
        return f"<{context}:{english}>"

    def counted(self, english: str, number: int) -> str:
        return f"{'one' if number == 1 else 'several'} {english}"


def test_a_sentence_is_made_in_another_language_with_its_phrases_and_places() -> None:
    language = Backwards()
    missing = msgspec.structs.replace(found(text="board", args={"street": "flop"}), finding="burn-missing")
    assert sentence_of(missing, language) == "<:The <street:flop> was dealt without its burn card.>"
    moved = msgspec.structs.replace(
        found(text="moved", args={"before": "seat 3", "place": "board"}), finding="card-out-of-place"
    )
    assert sentence_of(moved, language) == ("<:A card that lay at <place:seat 3> is now at <place:board>.>")
    ruled = found(text="action", args={"reason": "overchip", "action": "call", "seat": 4})
    assert "<ruled:one oversized chip is a <action:call>>" in sentence_of(
        msgspec.structs.replace(ruled, finding="bet-ruled"), language
    )
    antenna = found(
        text="antenna-failed", args={"antenna": 1, "device": "r", "places": " (seat 3) (pot)", "why": ""}
    )
    said = sentence_of(msgspec.structs.replace(antenna, finding="device-degraded"), language)
    assert "(<place:seat 3>) (<place:pot>)" in said and "<why:no reason given>" in said


def test_the_number_of_a_sentence_decides_its_form() -> None:
    for count, form in ((1, "one"), (4, "several"), ("nonsense", "several")):
        flop = msgspec.structs.replace(found(text=PLAIN, args={"count": count}), finding="flop-count")
        assert sentence_of(flop, Backwards()).startswith(f"{form} The flop has {count} cards")


def test_a_list_is_in_another_language_to_its_end() -> None:
    places: list[Member] = [{"place": f"seat {seat}"} for seat in range(1, 8)]
    lost = found(text="places", args={"device": "r", "places": listed(places)})
    said = sentence_of(msgspec.structs.replace(lost, finding="device-offline"), Backwards())
    assert said.count("<place:seat") == 4 and "<each:, >" in said and "<each: and 3 more>" in said
