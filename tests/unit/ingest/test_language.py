"""The language of a wing is guessed only from enough clear text."""

from __future__ import annotations

import pytest

from graphpalace.domain.palaces.languages import ANALYZERS, own_analyzer
from graphpalace.ingest.language import language_of

GERMAN = (
    "Die Rosen im Garten werden im Frühling geschnitten, bevor die ersten Blätter austreiben. "
    "Danach gibt man ihnen Kompost und viel Wasser, damit sie im Sommer reich blühen und gesund bleiben. "
    "Im Herbst bekommen sie noch einmal eine Schicht Laub, die sie vor dem Frost schützt."
)
ENGLISH = (
    "Roses in the garden are pruned in spring, before the first leaves come out. After that they are given compost "
    "and a lot of water, so that they flower richly in summer and stay healthy. In autumn they get a layer of leaves, "
    "which protects them from the frost."
)
RUSSIAN = (
    "Розы в саду обрезают весной, до появления первых листьев. Затем их удобряют компостом и обильно поливают, "
    "чтобы летом они пышно цвели и оставались здоровыми. Осенью их укрывают слоем листвы, который защищает от мороза."
)
CHINESE = "花园里的玫瑰在春天长出第一批叶子之前修剪。然后给它们施堆肥并大量浇水，使它们在夏天盛开并保持健康。" * 4  # noqa: RUF001
CODE = """
def neighbours(text):
    words = _words(text)[:_MOST_WORDS]
    return [pair for pair in dict.fromkeys(pairwise(words)) if pair[0] != pair[1]][:_MOST_PAIRS]

for i in range(10):
    x[i] += foo(bar, baz=None) * 2
assert len(x) == 10 and not err, (x, err)
"""


@pytest.mark.parametrize(
    ("text", "language"), [(GERMAN, "de"), (ENGLISH, "en"), (RUSSIAN, "ru"), (CHINESE, "zh"), (CODE * 2, None)]
)
def test_a_text_has_its_language_and_code_has_none(text: str, language: str | None) -> None:
    assert language_of([text]) == language


@pytest.mark.parametrize("texts", [[], [""], ["Die Rosen im Garten"], ["\n \0 123 \ud800"], ["Danke!"] * 100])
def test_little_text_has_no_language(texts: list[str]) -> None:
    assert language_of(texts) is None


SHORT = {
    "de": "Der Zaun ist morsch. Bitte Milch mitbringen. Die Lampe im Keller flackert. Wir treffen uns am Tor.",
    "en": "The fence is rotten. Please bring some milk. The lamp in the cellar flickers. We meet at the gate.",
    "fr": "La haie est trop haute. Merci d'apporter du lait. La lampe de la cave clignote. Rendez-vous à la gare.",
    "nl": "De schutting is verrot. Graag melk meenemen. De lamp in de kelder flikkert. We zien elkaar bij de poort.",
}


@pytest.mark.parametrize("language", SHORT)
def test_short_texts_are_judged_together(language: str) -> None:
    texts = SHORT[language].split(". ")
    assert language_of(texts) == language
    assert language_of(texts[:1]) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("우산은 현관에 있다", "ko"),
        ("傘は玄関にあります", "ja"),
        ("雨伞放在门口了", "zh"),
        ("ร่มอยู่ที่ประตู", "th"),
        ("Στο σπίτι", "el"),
    ],
)
def test_a_script_that_one_language_has_decides_at_once(text: str, language: str) -> None:
    assert language_of([text]) == language


def test_short_lines_of_code_have_no_language() -> None:
    assert (
        language_of(
            ["make -j4 all", "x += f(y)", "cd /srv/www", "SELECT a FROM t", "pip install -e .", "i = i + 1"] * 3
        )
        is None
    )


def test_most_texts_decide_and_a_draw_decides_nothing() -> None:
    assert language_of([GERMAN, GERMAN, ENGLISH]) == "de"
    assert language_of([GERMAN, ENGLISH]) is None
    assert language_of([GERMAN] * 60 + [CODE * 2] * 40) == "de"


def test_a_wing_has_an_analyzer_of_its_own_if_its_language_needs_another_than_the_palace_has() -> None:
    assert own_analyzer("de", palace="english") == "german"
    assert own_analyzer("en", palace="german") == "english"
    assert own_analyzer("ja", palace="cjk") is None
    assert own_analyzer("en", palace="english") is None
    assert own_analyzer(None, palace="english") is None
    assert own_analyzer("de", palace="standard-no-stop-words") is None  # somebody chose it for every language


def test_every_analyzer_is_a_name_that_a_query_can_hold() -> None:
    assert all(name.isascii() and name.isalpha() and name.islower() for name in ANALYZERS.values())
