"""Names by spaCy's small English pipeline, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.entities.mention import Mention, ReadableText
from graphpalace.entities.process_recogniser import AutoRecogniser, ProcessRecogniser
from graphpalace.entities.rules import RuleRecogniser

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def recogniser() -> Iterator[ProcessRecogniser]:
    made = ProcessRecogniser()
    yield made
    made.close()


def test_it_finds_people_and_places_but_no_dates_and_numbers(recogniser: ProcessRecogniser) -> None:
    (names,) = recogniser.names([ReadableText("Ada Lovelace paid 300 dollars in London on 5 May 1843.")])
    assert names == [Mention("Ada Lovelace", EntityType.PERSON), Mention("London", EntityType.PLACE)]


def test_a_text_in_capitals_has_no_names(recogniser: ProcessRecogniser) -> None:
    shouted = ReadableText("THE LIFE OF ADA LOVELACE IN LONDON, BY A FRIEND. From: Bob Roe")
    assert recogniser.names([shouted]) == [[]]


def test_texts_without_anything_have_no_names(recogniser: ProcessRecogniser) -> None:
    assert recogniser.names([ReadableText(""), ReadableText(" \n")]) == [[], []]
    assert recogniser.names([]) == []


def test_code_and_other_languages_are_read_by_rules(recogniser: ProcessRecogniser) -> None:
    texts = [
        ReadableText("class Parser:\n    pass", "text/x-python"),
        ReadableText("Die Katze und der Hund sind bei Frau Müller"),
        ReadableText("The cat of Ada Lovelace is here."),
    ]
    found = AutoRecogniser(recogniser, RuleRecogniser()).names(texts)
    assert [[name.name for name in names] for names in found] == [["Parser"], ["Müller"], ["Ada Lovelace"]]


def test_a_process_that_ended_is_started_again(recogniser: ProcessRecogniser) -> None:
    text = ReadableText("Ada Lovelace lived in London.")
    first = recogniser.names([text])
    recogniser.close()
    assert recogniser.names([text]) == first


def test_a_long_text_is_read_to_its_end(recogniser: ProcessRecogniser) -> None:
    (names,) = recogniser.names([ReadableText("nothing here\n" * 2000 + "Ada Lovelace lived in London.")])
    assert Mention("Ada Lovelace", EntityType.PERSON) in names


def test_no_command_pays_for_spacy() -> None:
    code = "import sys, graphpalace.app.knowledge; print('spacy' in sys.modules, 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
