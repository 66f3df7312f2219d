"""The graph on the page, in a real browser: it begins somewhere, grows, shows trails, ways and time."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from graphpalace.app import GraphPalace
from graphpalace.domain.knowledge.entity import entity_id
from graphpalace.domain.knowledge.fact_requests import NewFact
from graphpalace.settings.load import Settings
from tests.acceptance.web_page import Page
from tests.walks import furnish, way_to

pytestmark = [
    pytest.mark.browser,
]

BREAD = "knead the dough for ten minutes"


@pytest.fixture(scope="module")
async def filled(app: GraphPalace, own: Settings) -> str:
    """A palace with a rewarded way and a fact."""
    name = own.palace.name
    await app.create_palace(name)
    drawers = await furnish(app, name)
    trail = way_to(await app.replica.snapshots.get(name), drawers[BREAD])
    await app.pheromones.deposits.path_success(name, trail, deposit_id="1")
    await app.knowledge.facts.add(name, NewFact("Ana", "works for", "Harbour Ltd"))
    return name


def rows(page: Page) -> list[list[str]]:
    """Return the edges that are shown, the strongest first: from, edge, to, trail and cost."""
    script = (
        "return [...document.querySelectorAll('.graph-view tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    )
    return page.js(script)


def shown(page: Page, nodes: int) -> None:
    """Wait until so many nodes are shown."""
    page.says(".graph-view [role=status]", f"{nodes} nodes")


def test_it_begins_at_the_palace_and_draws_it(page: Page, filled: str) -> None:
    page.open("graph")
    shown(page, 3)
    assert page.text(".graph-panel h2") == filled
    assert sorted(row[2] for row in rows(page)) == ["garden", "kitchen"]
    drawn = page.js(
        "const some = document.querySelectorAll('.graph-canvas canvas');"
        "return [...some].some(c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 0))"
    )
    assert drawn


def test_it_grows_from_a_node_and_a_hidden_node_goes(page: Page) -> None:
    page.open("graph?of=kitchen")
    shown(page, 4)
    page.click(".graph-panel button", "Hide")
    shown(page, 3)
    page.open("graph?of=kitchen/bread")
    page.says(".graph-panel h2", "bread")
    before = len(rows(page))
    page.js("document.querySelector('.graph-view details').open = true")
    page.click(".graph-view td button", "kitchen")
    page.says(".graph-panel h2", "kitchen")
    page.click(".graph-panel button", "Grow")
    page.wait(lambda: len(rows(page)) > before)
    assert {"garden", "kitchen"} & {row[0] for row in rows(page)}


def test_the_trail_fades_when_the_slider_moves(page: Page) -> None:
    page.open("graph?of=kitchen/bread")
    page.says(".graph-panel h2", "bread")
    strongest = rows(page)[0]
    assert strongest[:3] == ["kitchen", "HAS_ROOM", "bread"]
    assert float(strongest[3]) == pytest.approx(0.5 * 1 + 0.3 * 1 + 0.2 * 0.1, abs=0.005)
    page.js(
        "const slider = document.querySelector('input[name=cycles]'); slider.value = 20;"
        "slider.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    page.says(".graph-view output", "after 20 cycles")
    # .99, .97 and .9 to the power of 20.
    assert float(rows(page)[0][3]) == pytest.approx(0.5 * 0.8179 + 0.3 * 0.1216 + 0.2 * 0.1 * 0.5438, abs=0.006)


def test_the_cheapest_way_is_drawn_and_forgotten(page: Page) -> None:
    page.open("graph?of=kitchen")
    shown(page, 4)
    page.click(".graph-panel button", "Way from here")
    page.says(".graph-view [role=status]", "choose where the way ends")
    page.js("document.querySelector('.graph-view details').open = true")
    page.click(".graph-view td button", "bread")
    page.click(".graph-panel button", "Way to here")
    page.says(".graph-panel h2", "Cheapest way")
    assert [one.text.split(" ")[-1] for one in page.all(".route-steps li")] == ["kitchen", "bread"]
    page.click(".graph-panel button", "Forget this way")
    page.wait(lambda: not page.all(".route-steps"))


def test_a_name_is_found_by_its_name_and_its_facts_are_edges(page: Page, filled: str) -> None:
    page.open("graph")
    shown(page, 3)
    page.fill("#graph-start", "Ana")
    page.press(Keys.ENTER)
    page.says(".graph-panel h2", "Ana")
    assert len(page.errors()) == 1  # it is the name of no place
    assert [row[:3] for row in rows(page)] == [["Ana", "works_for", "Harbour Ltd"]]
    page.open(f"names?name={entity_id(filled, 'ana')}")
    page.click(".name-head a", "Show in the graph")
    page.says(".graph-panel h2", "Ana")


def test_an_answer_leads_to_the_graph(page: Page) -> None:
    page.open("search?q=knead+dough")
    page.click(".hit a[href^='#/graph']")
    page.says(".graph-panel h2", BREAD)
    page.click(".graph-panel button", "Read the text")
    page.says("dialog", BREAD)


def test_what_is_not_there_is_said(page: Page) -> None:
    page.open("graph?of=the+cellar")
    page.says(".problem", "the cellar")
    assert len(page.errors()) == 2  # neither of a place nor of a name
    page.fill("#graph-start", "kitchen")
    page.press(Keys.ENTER)
    shown(page, 4)
