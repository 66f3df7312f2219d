"""The page's swarm, in a real browser on a real simulation."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from tests.acceptance.web_page import Page
from tests.walks import furnish

pytestmark = [
    pytest.mark.browser,
]


@pytest.fixture(scope="module")
async def filled(app: GraphPalace, own: Settings) -> str:
    await app.create_palace(own.palace.name)
    await furnish(app, own.palace.name)
    return own.palace.name


@pytest.fixture
def page(page: Page, http: httpx.Client) -> Iterator[Page]:
    """The swarm's view of a simulation of this test's own."""
    page.open("swarm")
    name = f"s{uuid.uuid4().hex[:8]}"
    page.fill("#simulation", name)
    page.press(Keys.TAB)
    page.one(".settings .field")
    yield page
    http.post("/v1/mcmp/stop", params={"simulation": name})
    http.post("/v1/mcmp/reset", params={"simulation": name})


def state(page: Page, http: httpx.Client) -> dict[str, object]:
    """Return what the service says of the page's simulation."""
    name = str(page.one("#simulation").get_property("value"))
    return http.get("/v1/mcmp/status", params={"simulation": name}).json()


def set_to(page: Page, setting: str, value: str) -> None:
    """Fill in a setting, wherever it is folded away."""
    page.js("document.querySelectorAll('.settings details').forEach(one => one.open = true)")
    if page.one(f"#setting-{setting}").get_attribute("type") == "checkbox":
        if page.one(f"#setting-{setting}").is_selected() != (value == "on"):
            page.click(f"#setting-{setting}")
    else:
        page.fill(f"#setting-{setting}", value)


def started(page: Page, query: str = "bread dough") -> None:
    """Start a simulation that goes on until it is told otherwise, and wait for its picture."""
    set_to(page, "stop_on_convergence", "off")
    set_to(page, "max_iterations", "5000")
    page.fill("#swarm-query", query)
    page.click("[data-act=start]")
    page.says(".swarm-state", "running")
    page.says(".scene-card", "8 of 8 documents")
    page.wait(lambda: page.all(".scene.js-plotly-plot"))


def test_a_simulation_is_drawn_with_results_and_metrics_and_a_click_shows_the_text(page: Page) -> None:
    started(page)
    names = "return document.querySelector('.scene').data.map(trace => trace.name)"
    page.wait(lambda: {"documents", "agents", "trails"} <= set(page.js(names)))
    page.says(".results-card", "for \u201cbread dough\u201d")
    assert len(page.all(".results > li")) == 8
    page.wait(lambda: len(page.all(".metrics-plot .scatterlayer .trace")) == 3)
    page.click("[data-act=pause]")
    page.says(".swarm-state", "paused")
    sizes = page.js("return document.querySelector('.scene').data.find(one => one.name === 'documents').marker.size")
    assert max(sizes) > 2 * min(sizes)
    page.js("arguments[0].scrollIntoView({block: 'center'})", page.one(".scene"))
    x, y, wanted = page.js(
        """
        const scene = document.querySelector('.scene'), box = scene.getBoundingClientRect();
        const {xaxis, yaxis} = scene._fullLayout;
        const {x, y, customdata, marker} = scene.data.find(one => one.name === 'documents');
        const at = marker.size.indexOf(Math.max(...marker.size));
        return [box.x + xaxis._offset + xaxis.l2p(x[at]), box.y + yaxis._offset + yaxis.l2p(y[at]), customdata[at]];
        """
    )
    mouse = webdriver.ActionChains(page.driver)
    mouse.w3c_actions.pointer_action.move_to_location(round(x), round(y))
    mouse.perform()
    page.wait(lambda: page.all(".scene .hoverlayer .hovertext"))
    webdriver.ActionChains(page.driver).click().perform()
    best = page.wait(lambda: page.text("dialog pre"))
    page.press(Keys.ESCAPE)
    page.click(f'.results button[data-id="{wanted}"]')
    page.wait(lambda: page.text("dialog pre") == best)


def test_a_run_is_watched_step_by_step_and_at_another_speed(page: Page, http: httpx.Client) -> None:
    started(page)
    page.click("[data-act=pause]")
    page.says(".swarm-state", "paused")
    step = int(str(state(page, http)["step"]))
    for number in (1, 2):
        page.click("[data-act=step]")
        page.says(".swarm-state", f"step {step + number} ")
        page.says(".swarm-state", "paused")
    page.says(".scene-card", f"step {step + 2}. Click")
    page.says(".scene-card", "200 agents at ")
    page.choose("select[name=pace]", "as fast as possible")
    page.wait(lambda: page.one("#setting-max_steps_per_s").get_property("value") == "0")
    page.click("[data-act=resume]")
    page.wait(lambda: int(str(state(page, http)["step"])) > step + 20)


def test_a_simulation_is_paused_resumed_stopped_and_reset(page: Page, http: httpx.Client) -> None:
    started(page)
    page.click("[data-act=pause]")
    page.says(".swarm-state", "paused")
    step = state(page, http)["step"]
    page.driver.refresh()
    page.says(".swarm-state", "paused")
    assert state(page, http)["step"] == step
    page.click("[data-act=resume]")
    page.wait(lambda: int(str(state(page, http)["step"])) > int(str(step)))
    page.click("[data-act=stop]")
    page.says(".swarm-state", "stopped by hand")
    page.click("[data-act=reset]")
    page.says(".scene", "No simulation is running.")
    assert state(page, http)["state"] == "idle"


def test_agents_are_set_and_added_while_it_runs(page: Page, http: httpx.Client) -> None:
    started(page)
    page.fill("input[name=agents]", "30")
    page.click(".agents-choice button", "Set")
    page.wait(lambda: state(page, http)["agents"] == 30)
    page.click(".agents-choice button", "Add")
    page.wait(lambda: state(page, http)["agents"] == 60)
    page.says(".swarm-state", "60 agents")


def test_settings_have_their_ranges_and_a_wrong_one_is_told_at_its_field(page: Page, http: httpx.Client) -> None:
    usage = http.get("/v1/mcmp/settings").json()["usage"]
    named = {one.get_attribute("name") for one in page.all(".settings [name]")}
    assert named == set(usage) - {"query", "viz_dims"}
    decay = page.one("#setting-pheromone_decay")
    assert (decay.get_attribute("min"), decay.get_attribute("max")) == ("0.5", "0.999")
    set_to(page, "pheromone_decay", "2")
    page.click(".settings > .actions button")
    page.says("#setting-pheromone_decay-problem", "pheromone_decay is 2; it must be 0.5 to 0.999")
    assert page.one("#setting-pheromone_decay").get_attribute("aria-invalid") == "true"
    set_to(page, "pheromone_decay", "0.9")
    set_to(page, "relevance_high", "0.9")
    set_to(page, "relevance_low", "4")  # above its upper end, which only the service knows to be wrong
    page.click(".settings > .actions button")
    page.says("#setting-relevance_low-problem", "must not be above relevance_high")
    assert len(page.errors()) == 1  # the browser notes what was refused
    set_to(page, "relevance_low", "0.5")
    page.click(".settings > .actions button")
    page.says(".log", "settings applied: pheromone_decay, relevance_low, relevance_high")


def test_a_running_simulation_takes_what_may_change_and_the_third_dimension(page: Page, http: httpx.Client) -> None:
    started(page)
    assert not page.one("#setting-seed").is_enabled()
    set_to(page, "exploration_bonus", "0.5")
    page.click(".settings > .actions button")
    page.says(".log", "settings applied: exploration_bonus")
    page.choose("select[name=viz_dims]", "3-D")
    page.wait(lambda: page.js("return document.querySelector('.scene').data.some(one => one.type === 'scatter3d')"))


def test_a_job_runs_to_its_end_beside_the_page(page: Page) -> None:
    set_to(page, "max_iterations", "20")
    page.fill("#swarm-query", "roses")
    page.click(".job button", "Run as a job")
    page.says(".job", "done", seconds=60)
    assert page.one(".job progress").get_property("value") == 1
    page.wait(lambda: "roses" in page.text(".job .results li"))


def test_a_report_is_shown_with_what_it_says_of_each_finding(page: Page) -> None:
    set_to(page, "report_enabled", "on")
    set_to(page, "report_every", "2")
    started(page)
    page.says(".column", "written from the structure of the documents alone")
    page.wait(lambda: page.all(".report-item"))


def test_a_simulation_over_a_folder_that_is_not_there_says_so(page: Page) -> None:
    page.choose("select[name=corpus]", "a folder")
    page.fill("input[name=root]", "/no/such/folder")
    set_to(page, "windows", "100")
    page.click("[data-act=start]")
    page.says(".swarm-ask", "/no/such/folder")
    assert len(page.errors()) == 1
