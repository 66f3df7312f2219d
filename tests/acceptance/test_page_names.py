"""Names and facts on the page, in a real browser: on answers, on a list, and on the page of a name."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from graphpalace.app import GraphPalace, opened
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.knowledge.fact_requests import Invalidation, NewFact, Supersession
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed
from tests.acceptance.web_page import Page
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

pytestmark = [
    pytest.mark.browser,
]

TEXTS = {
    "desk": "The desk of Elin Marsh is at the Harbour Board of Tarrow.",
    "letter": "A letter says that Elin Marsh has a desk at Brightwater Institute now.",
    "town": "Elin Marsh said which town has a desk like hers.",
    "lab": "Here Brightwater Institute stands in old Utrecht.",
    "rain": "it rained all day and nobody came",
}


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by these tests alone, and whose names are found by rules."""
    names = {"recogniser": "rules", "read_after_s": 3600}
    name = spare_name()
    return changed(settings, palace={"name": name}, decay={"enabled": False}, entities=names)


@pytest.fixture(scope="module")
async def filled(app: GraphPalace, own: Settings) -> str:
    """A palace with names, and with facts that changed."""
    palace = own.palace.name
    async with opened(own, embedder=WordEmbedder()) as reading:
        await reading.create_palace(palace)
        ids = {}
        for room, text in TEXTS.items():
            added = await reading.drawers.add(palace, NewDrawer(text=text, wing="people", room=room))
            ids[room] = added.drawer.id
        await reading.knowledge.names.build(palace)
        await reading.knowledge.facts.add(
            palace, NewFact("Elin Marsh", "works_at", "Harbour Board", valid_from="2001", drawers=[ids["desk"]])
        )
        moved = Supersession("Elin Marsh", "works_at", "Brightwater Institute", at="2023-04", drawers=[ids["letter"]])
        await reading.knowledge.facts.supersede(palace, moved)
        await reading.knowledge.facts.add(palace, NewFact("Elin Marsh", "born_in", "Paris", confidence=0.6))
        await reading.knowledge.facts.invalidate(
            palace, Invalidation(subject="Elin Marsh", predicate="born_in", object="Paris")
        )
    return palace


def card(page: Page, words: str) -> int:
    """Return the number of the answer with these words, counted from 1."""
    return page.wait(lambda: next((at for at, hit in enumerate(page.all(".hit"), start=1) if words in hit.text), None))


def test_an_answer_shows_its_names_and_the_name_that_led_to_it(page: Page) -> None:
    page.open("search?q=which+town+has+the+desk+of+Elin+Marsh")
    lab = card(page, "stands in old Utrecht")
    page.says(f".hit:nth-of-type({lab}) .names", "Brightwater Institute")
    page.click(f".hit:nth-of-type({lab}) h2")  # the current answer shows its names
    named = [one.text for one in page.all(f".hit:nth-of-type({lab}) .names a")]
    assert set(named) == {"Brightwater Institute", "Utrecht"}
    letter = card(page, "A letter says")
    assert page.text(f".hit:nth-of-type({lab}) .way") == (
        f"Found by the name Brightwater Institute, which answer {letter} mentions too."
    )
    page.click(f".hit:nth-of-type({lab}) .way button")
    assert page.focused().startswith(f"Answer {letter}:")
    shown = page.js("return document.querySelectorAll('.hit .names:not([hidden])').length")
    assert shown == sum("rained" not in hit.text for hit in page.all(".hit"))
    page.click(f".hit:nth-of-type({lab}) h2")
    page.click(f".hit:nth-of-type({lab}) .names a", "Utrecht")
    page.says("h1", "Utrecht")


def test_an_outdated_answer_says_since_when_and_what_holds_instead(page: Page) -> None:
    page.open("search?q=where+is+the+desk+of+Elin+Marsh")
    desk = card(page, "is at the Harbour Board")
    said = page.text(f".hit:nth-of-type({desk}) .outdated")
    assert said.startswith("Outdated since 1 April 2023")
    assert "Now: Elin Marsh works at Brightwater Institute since 1 April 2023" in said
    assert len(page.all(".outdated")) == 1
    assert "Elin Marsh works at Brightwater Institute" in page.text(".current")
    page.click(".current .texts button")
    page.says("dialog pre", "A letter says")
    page.press(Keys.ESCAPE)
    page.click(".current a", "Brightwater Institute")
    page.says("h1", "Brightwater Institute")


def test_without_names_in_the_question_nothing_stands_beside_the_answers(page: Page) -> None:
    page.open("search?q=rained+all+day")
    page.one(".hit")
    assert not page.all(".current")


def test_names_are_listed_chosen_and_open_their_page(page: Page) -> None:
    page.open("names")
    page.wait(lambda: len(page.all(".name-list li")) >= 5)
    names = [one.text for one in page.all(".name-list a")]
    assert set(names[:2]) == {"Elin Marsh", "Brightwater Institute"}
    assert "Paris" in names
    page.says(".name-list", "only in facts")
    page.press("/")
    page.press(*"marsh", Keys.ENTER)
    page.wait(lambda: [one.text for one in page.all(".name-list a")] == ["Elin Marsh"])
    assert "query=marsh" in page.driver.current_url
    page.choose("select[name=entity_type]", "code")
    page.says(".empty", "No such name.")
    page.choose("select[name=entity_type]", "any")
    page.click(".name-list a", "Elin Marsh")
    page.says("h1", "Elin Marsh")
    assert page.driver.title == "Elin Marsh \u2013 GraphPalace"
    page.driver.back()
    page.wait(lambda: page.all(".name-list a"))
    assert page.driver.title == "Names \u2013 GraphPalace"


def test_a_name_has_its_facts_on_a_line_of_time_its_drawers_and_its_neighbours(page: Page) -> None:
    page.open("names?name=elin+marsh")
    page.wait(lambda: len(page.all(".fact")) == 2)
    assert [one.get_attribute("class") for one in page.all(".fact")] == ["fact ended", "fact holds"]
    first, second = (one.text for one in page.all(".fact"))
    assert "works at Harbour Board\n1 January 2001 to 1 April 2023 · ended" in first
    assert "works at Brightwater Institute\nsince 1 April 2023 · holds" in second
    ended, holds = page.js(
        "return [...document.querySelectorAll('.track .span')]"
        ".map(one => [one.offsetLeft, one.offsetLeft + one.offsetWidth])"
    )
    assert ended[0] < ended[1] == pytest.approx(holds[0], abs=2)
    assert holds[1] == pytest.approx(page.one(".track").size["width"], abs=2)
    page.click("input[name=unlearned]")
    page.wait(lambda: len(page.all(".fact.unlearned")) >= 2)
    assert any("born in Paris" in one.text and "60 % certain" in one.text for one in page.all(".fact.unlearned"))
    assert len(page.all(".name-drawers li")) == 3
    page.click(".name-drawers button", TEXTS["letter"])
    page.says("dialog pre", "A letter says")
    page.press(Keys.ESCAPE)
    page.click(".neighbours a", "Brightwater Institute")
    page.says("h1", "Brightwater Institute")
    page.says(".name-head", "2 drawers, 1 fact")
    page.says(".fact", "Elin Marsh works at Brightwater Institute")
    page.click(".fact a", "Elin Marsh")
    page.says("h1", "Elin Marsh")


def test_a_name_that_only_facts_know_and_one_that_nobody_knows_say_so(page: Page) -> None:
    page.open("names?name=Paris")
    page.says(".name-parts", "No drawer mentions it; only facts do.")
    page.says(".name-parts", "No facts are known about it.")
    page.click("input[name=unlearned]")
    page.says(".fact.unlearned", "Elin Marsh born in Paris")
    page.open("names?name=Nobody")
    page.says(".empty", "This palace has no such name.")
    assert all("404" in error for error in page.errors())  # the browser itself reports the answer


def test_a_failure_is_shown_and_can_be_tried_again(page: Page) -> None:
    page.open("names")
    page.one(".name-list a")
    page.js("window.real = window.fetch; window.fetch = () => Promise.reject(new Error('cut off'))")
    page.js("location.hash = '#/names?name=Utrecht'")
    page.says(".problem", "The service does not answer.")
    page.js("window.fetch = window.real")
    page.click(".problem button", "Try again")
    page.says("h1", "Utrecht")
    page.wait(lambda: page.text("#connection") == "connected")


def test_names_fit_a_narrow_window_and_are_readable_in_both_schemes(page: Page) -> None:
    for view, there in (
        ("search?q=where+is+the+desk+of+Elin+Marsh", ".outdated"),
        ("names", ".name-list a"),
        ("names?name=elin+marsh", ".fact"),
    ):
        page.open(view)
        page.one(there)
        for scheme in ("light", "dark"):
            page.scheme(scheme)
            assert page.least_contrast()[0] >= 4.5, (view, scheme, page.least_contrast())
        page.narrow(360)
        page.wait(lambda: page.js("return document.documentElement.scrollWidth <= innerWidth"))
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
