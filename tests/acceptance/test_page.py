"""The page in a real browser, on a real service: search and feedback, the map, and what a page has to bear."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator

import httpx
import pytest
from pydantic import SecretStr
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

from graphpalace.app import GraphPalace
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, served, until
from tests.acceptance.web_page import Page, served_at
from tests.spare_palaces import spare_name
from tests.walks import furnish, way_to

pytestmark = [
    pytest.mark.browser,
]

BREAD = "knead the dough for ten minutes"
MARKUP = "<img src=x onerror=alert(1)> <b>bold</b> shelves"


@pytest.fixture(scope="module")
async def filled(app: GraphPalace, own: Settings) -> str:
    """A palace with a rewarded way, a tunnel, and three samples of its pheromones."""
    name = own.palace.name
    await app.create_palace(name)
    drawers = await furnish(app, name)
    await app.drawers.add(name, NewDrawer(text=MARKUP, wing="cellar", room="shelves"))
    rooms = {(room.wing, room.name): room.id for room in await app.drawers.rooms(name)}
    ends = sorted([rooms["garden", "tools"], rooms["kitchen", "tools"]])
    edges = [{"from": ends[0], "to": ends[1]}]
    await app.database.write(name, "rooms/write_tunnels", edges=edges, base_cost=0.7)
    for number, cycles in enumerate((0, 10, 10)):
        await app.database.write(name, "tests/advance_clock", cycles=cycles)
        trail = way_to(await app.replica.snapshots.get(name), drawers[BREAD])
        await app.pheromones.deposits.path_success(name, trail, deposit_id=str(number))
        await app.pheromones.decay.apply(name)
    return name


def given(http: httpx.Client) -> list[tuple[str, list[str], list[str]]]:
    """Return the feedback that is stored, the newest first: query, useful and useless drawers."""
    rows = http.get("/v1/feedback").json()
    return [
        (row["query"], [one["drawer"] for one in row["useful"]], [one["drawer"] for one in row["useless"]])
        for row in rows
        if row["source"] == "given"
    ]


def test_an_answer_shows_its_path_and_its_reasons_and_what_was_asked_is_marked(page: Page) -> None:
    page.open("search")
    page.says(".empty", "9 drawers in 5 rooms of 3 wings")
    page.fill("#query", "knead dough")
    page.press(Keys.ENTER)
    page.says(".summary", "by fulltext and semantic")
    assert "q=knead+dough" in page.driver.current_url
    first = page.one(".hit")
    assert [one.text for one in page.all(".hit:first-of-type .chain-name")][:2] == ["kitchen", "bread"]
    assert len(page.all(".hit:first-of-type .chain svg.glyph")) == 2
    assert {one.text for one in page.all(".hit:first-of-type mark")} == {"knead", "dough"}
    assert page.one(".hit:first-of-type .reasons summary").text.startswith("Why it was found: ")
    assert not page.one(".hit:first-of-type .reasons dl").is_displayed()
    page.click(".hit:first-of-type .reasons summary")
    reasons = {row.text.partition("\n")[0]: row.text for row in page.all(".hit:first-of-type .reasons dl > div")}
    assert set(reasons) == {"full text", "meaning"}
    assert "rank 1 · BM25" in reasons["full text"]
    widths = page.js(
        "return [...arguments[0].querySelectorAll('.bar')].map(bar => bar.firstChild.offsetWidth / bar.offsetWidth)",
        first,
    )
    assert sum(widths) == pytest.approx(1, abs=0.05)


def test_useful_and_not_useful_are_stored_changed_and_taken_back(page: Page, http: httpx.Client) -> None:
    page.open("search?q=sharp+knife")
    page.says(".summary", "answers")
    before = given(http)
    page.click(".hit:nth-of-type(1) .verdict.useful")
    page.says(".hit:nth-of-type(1) .said", "Saved.")
    page.click(".hit:nth-of-type(2) .verdict.useless")
    page.says(".hit:nth-of-type(2) .said", "Saved.")
    (query, useful, useless), *rest = given(http)
    assert (query, len(useful), len(useless), rest) == ("sharp knife", 1, 1, before)
    assert page.one(".hit:nth-of-type(1) .verdict.useful").get_attribute("aria-pressed") == "true"
    page.click(".hit:nth-of-type(1) .verdict.useless")
    page.wait(lambda: [(one, sorted(others)) for _, one, others in given(http)[:1]] == [([], sorted(useful + useless))])
    page.click(".hit:nth-of-type(1) .verdict.useless")
    page.says(".hit:nth-of-type(1) .said", "Taken back.")
    page.click(".hit:nth-of-type(2) .verdict.useless")
    page.says(".hit:nth-of-type(2) .said", "Taken back.")
    assert given(http) == before


def test_answers_come_while_somebody_types_and_only_what_is_asked_or_judged_is_kept(
    page: Page, http: httpx.Client
) -> None:
    page.open("search")
    page.one(".empty")
    before = given(http)
    page.js(
        "window.asked = []; const real = fetch;window.fetch = (url, more) => (asked.push(more.body), real(url, more))"
    )
    page.fill("#query", "sharp knife")
    page.says(".summary", "answers")
    assert page.js("return document.activeElement.id") == "query"
    assert "q=" not in page.driver.current_url
    assert page.js("return asked.filter(one => one?.includes('\"kept\":false')).length") >= 1
    assert page.js("return asked.filter(one => one?.includes('\"kept\":true')).length") == 0
    page.click(".hit:nth-of-type(1) .verdict.useful")
    page.says(".hit:nth-of-type(1) .said", "Saved.")
    (query, useful, _useless), *rest = given(http)
    assert (query, len(useful), rest) == ("sharp knife", 1, before)
    page.click(".hit:nth-of-type(1) .verdict.useful")
    page.says(".hit:nth-of-type(1) .said", "Taken back.")


def test_what_is_pressed_is_shown_at_once_and_as_it_was_if_it_could_not_be_saved(page: Page) -> None:
    page.open("search?q=sharp+knife")
    page.one(".hit")
    page.js("window.real = window.fetch; window.fetch = () => new Promise((_, fail) => (window.fail = fail))")
    page.click(".hit:first-of-type .verdict.useless")
    button = page.one(".hit:first-of-type .verdict.useless")
    assert button.get_attribute("aria-pressed") == "true"
    assert page.text(".hit:first-of-type .said") == "Saving…"
    page.js("window.fetch = window.real; window.fail(new Error('cut off'))")
    page.says(".hit:first-of-type .said", "Not saved: The service does not answer.")
    assert button.get_attribute("aria-pressed") == "false"
    page.wait(lambda: page.text("#connection") == "connected")


def test_a_text_that_is_open_closes_when_another_view_comes(page: Page) -> None:
    page.open("search?q=sourdough")
    page.click(".hit .open")
    page.says("dialog pre", "sourdough needs time")
    page.js("location.hash = '#/palace'")
    page.one(".map .room")
    assert not page.all("dialog")


def test_opening_an_answer_shows_the_text_and_counts_weakly(page: Page) -> None:
    page.open("search?q=sourdough")
    page.click(".hit .open")
    page.says("dialog pre", "sourdough needs time and a warm place")
    page.says("dialog", "Opening an answer counts as a weak sign")
    page.press(Keys.ESCAPE)
    page.wait(lambda: not page.all("dialog"))


def test_a_question_can_be_kept_to_a_room_and_to_fewer_answers(page: Page) -> None:
    page.open("search?q=sharp")
    page.choose("select[name=wing]", "garden")
    page.choose("select[name=room]", "tools")
    page.wait(lambda: {one.text for one in page.all(".hit .chain li:nth-child(2) .chain-name")} == {"tools"})
    assert {one.text for one in page.all(".hit .chain li:nth-child(1) .chain-name")} == {"garden"}
    page.choose("select[name=top_k]", "5")
    page.wait(lambda: "top_k=5" in page.driver.current_url)
    while "wing=" in page.driver.current_url:
        page.driver.back()
    page.wait(lambda: len(page.all(".hit")) > 2)


def test_the_graph_is_walked_too_if_it_is_wanted_and_a_walk_is_drawn_to_its_end(page: Page) -> None:
    page.open("search?q=sharp+knife")
    page.one(".hit")
    page.click("input[name=walk]")
    page.says(".summary", "fulltext and semantic and path")
    page.says(".hit .reasons", "graph walk")
    drawn = page.driver.execute_async_script(
        """
        const done = arguments[0], {chain, walked} = await import('/web/js/chain.js');
        const trail = [{type: 'TUNNEL', source: 'b', target: 'a'}, {type: 'SIMILAR_TO', source: 'b', target: 'hit'}];
        const names = new Map([['hit', {kind: 'Drawer', name: 'the hit'}], ['a', {kind: 'Room', name: 'a room'}]]);
        const steps = chain('Walked', walked(trail, 'hit', names)).querySelectorAll('.chain-name, .by');
        done([...steps].map(step => step.textContent));
        """
    )
    assert drawn == ["a room", "TUNNEL", "another drawer", "SIMILAR_TO", "the hit"]


def test_texts_of_drawers_are_shown_as_they_are_and_never_run(page: Page) -> None:
    page.open("search?q=bold+shelves")
    page.says(".hit .text", MARKUP)
    assert not page.all(".hit img, .hit b")
    page.click(".hit .open")
    page.says("dialog pre", MARKUP)
    assert not page.all("dialog img, dialog b")


def test_the_map_shows_where_it_is_warm_with_numbers_and_bars_beside_the_tint(page: Page, http: httpx.Client) -> None:
    page.open("palace")
    page.one(".map .room")
    rooms = [(wing["name"], room) for wing in http.get("/v1/map").json()["wings"] for room in wing["rooms"]]
    assert {one.get_attribute("aria-label") for one in page.all(".map .room")} == {
        f"{room['name']}, wing {wing}, {room['drawers']} drawer{'s' if room['drawers'] > 1 else ''}, "
        f"exploitation {room['strength']['exploitation']:.2f}".replace(" 0.00", " 0")
        for wing, room in rooms
    }
    gauges = page.js("return [...document.querySelectorAll('.map .gauge')].map(one => one.parentNode.dataset.room)")
    assert set(gauges) == {room["id"] for _, room in rooms if room["strength"]["exploitation"] > 0}
    page.choose("select[name=pheromone]", "exploration")
    page.wait(lambda: not page.all(".map .gauge"))
    assert [one.text for one in page.all(".hot .kind")][:2] == ["HAS_ROOM", "HAS_CLOSET"]
    page.click("summary")
    page.says(".table-frame tbody tr:first-child th", "bread")


def test_a_room_shows_its_pheromones_its_tunnels_and_what_is_in_it(page: Page) -> None:
    page.open("palace")
    page.one(".map .room")
    page.js(
        "[...document.querySelectorAll('.room')].find(room => room.ariaLabel.startsWith('tools, wing garden'))"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    page.says(".room-panel h2", "tools")
    page.says(".room-panel .doors", "kitchen \u203a tools")
    assert len(page.all(".map .passages .tunnel")) == 1
    page.click(".room-panel .drawers button", "oil the shears in autumn")
    page.says("dialog pre", "oil the shears in autumn")
    page.press(Keys.ESCAPE)
    page.click(".room-panel .doors button")
    page.says(".room-panel .quiet", "wing kitchen")
    page.click(".room-panel a")
    page.wait(lambda: page.one("select[name=room]").get_property("value") == "tools")


def test_the_pheromones_over_time_are_drawn_and_the_decay_is_run_by_hand(page: Page, http: httpx.Client) -> None:
    page.open("palace")
    page.wait(lambda: len(page.all(".plot .scatterlayer .trace")) == 5)
    lines = page.js("return document.querySelector('.plot').data.map(line => [line.name, line.x, line.line.dash])")
    assert [name for name, _, _ in lines] == ["exploitation", "exploration", "success", "traversal", "recency"]
    assert all(cycles[:2] == [0, 10] for _, cycles, _ in lines)
    assert len({dash for _, _, dash in lines}) == 5
    page.says(".decay", "On time.")
    page.click(".decay button")
    page.wait(lambda: http.get("/v1/decay").json()["last_run"]["nodes"] == 0)


def test_everything_can_be_reached_with_the_keyboard_alone(page: Page, http: httpx.Client) -> None:
    page.open("search")
    page.says(".empty", "Ask in your own words.")
    page.press("/", *"starter", Keys.BACKSPACE, Keys.ENTER)
    page.says(".summary", "answer")
    page.press(Keys.ARROW_DOWN, "j", "k", "u")
    page.says(".hit:first-of-type .said", "Saved.")
    assert given(http)[0][0] == "starte"
    page.press("o")
    page.one("dialog pre")
    page.press(Keys.ESCAPE)
    page.wait(lambda: not page.all("dialog"))
    page.js("document.activeElement.blur(); document.querySelector('.brand').focus()")
    page.wait(lambda: page.press(Keys.TAB) or page.focused() == "Palace", seconds=10)
    page.press(Keys.ENTER)
    page.one(".map .room")
    for _ in range(12):
        if page.js("return document.activeElement.classList.contains('room')"):
            break
        page.press(Keys.TAB)
    first = page.focused()
    page.press(Keys.ARROW_RIGHT)
    page.wait(lambda: page.focused() != first)
    name = page.focused().partition(",")[0]
    page.press(Keys.ENTER)
    page.says(".room-panel h2", name)


@pytest.mark.parametrize("view", ["search?q=sharp", "palace", "swarm"])
def test_a_narrow_screen_needs_no_sideways_scrolling(page: Page, view: str) -> None:
    page.narrow(390)
    page.open(view)
    page.one({"s": ".hit", "p": ".map .room", "w": ".settings .field"}["w" if view == "swarm" else view[0]])
    if view == "palace":
        page.js("document.querySelector('.room').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        page.one(".room-panel .doors, .room-panel .drawers")
        page.wait(lambda: len(page.all(".plot .scatterlayer .trace")) == 5)
    page.js("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.js("return document.documentElement.scrollWidth") <= 390


NOTES = """```bash
npm install shelves
```

# Putting up shelves

Use **long** screws and a `level`, *not* guesswork: [a guide](https://shelves.example/guide) or <b>this</b>.

- first the wall
- then the board
"""


@pytest.fixture(scope="module")
async def notes(app: GraphPalace, own: Settings, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A palace of Markdown, and of names and lines that are too long for a narrow screen."""
    name = f"{own.palace.name}_notes"
    await app.create_palace(name)
    folder = tmp_path_factory.mktemp("notes")
    (folder / "shelves.md").write_text(NOTES)
    await app.ingesting.files([folder], palace=name, wing="house")
    for room in ("lounge", "attic"):
        await app.drawers.add(name, NewDrawer(text="the lamp stands on a shelf of oak", wing="twins", room=room))
    long = "shelves_" * 30
    await app.drawers.add(name, NewDrawer(text=long, wing="wing" * 30, room="room" * 30, title=long))
    yield name
    await app.drop_palace(name)


def test_markdown_is_shown_as_it_reads_and_on_demand_as_it_was_written(page: Page, notes: str) -> None:
    page.open("search")
    page.choose("#palace", notes)
    page.fill("#query", "screws level")
    page.press(Keys.ENTER)
    page.says(".hit .markdown .heading", "Putting up shelves")
    assert [one.text for one in page.all(".hit .markdown strong")] == ["long"]
    assert [one.text for one in page.all(".hit .markdown code")] == ["level"]
    assert {one.text for one in page.all(".hit .markdown mark")} == {"screws", "level"}
    page.says(".hit .markdown", "<b>this</b>")
    page.click(".hit .open")
    page.says("dialog .markdown pre", "npm install shelves")
    assert [one.text for one in page.all("dialog .markdown li")] == ["first the wall", "then the board"]
    link = page.one("dialog .markdown a")
    assert (link.get_attribute("href"), link.get_attribute("rel")) == (
        "https://shelves.example/guide",
        "noopener noreferrer",
    )
    page.click("dialog button.more")
    page.says("dialog pre.text", "**long** screws")
    page.js("location.hash = '#/palace'")
    page.js(
        "const at = setInterval(() => { const room = [...document.querySelectorAll('.room')]"
        ".find(one => one.ariaLabel.includes('wing house')); if (room) { clearInterval(at);"
        " room.dispatchEvent(new MouseEvent('click', {bubbles: true})); } }, 50)"
    )
    page.says(".room-panel .drawers button", "npm install shelves")


def test_an_answer_names_the_other_places_of_its_text_and_opens_them(page: Page, notes: str) -> None:
    page.open("search")
    page.choose("#palace", notes)
    page.fill("#query", "lamp oak")
    page.press(Keys.ENTER)
    page.says(".hit:first-of-type .text", "the lamp stands")
    page.says(".hit:first-of-type .also", "Also at")
    rooms = [chip.text for chip in page.all(".hit:first-of-type .chain-name")][1], page.one(".also button").text
    assert {"lounge" in rooms[0], "lounge" in rooms[1]} == {True, False}
    page.click(".also button")
    page.says("dialog", "the lamp stands on a shelf of oak")


def test_long_names_and_lines_fit_a_narrow_screen(page: Page, notes: str) -> None:
    page.narrow(390)
    page.open("search")
    page.choose("#palace", notes)
    page.fill("#query", "shelves")
    page.press(Keys.ENTER)
    page.wait(lambda: len(page.all(".hit")) == 3)
    page.js("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.js("return document.documentElement.scrollWidth") <= 390
    outside = """
        return [...document.querySelectorAll('main *')]
          .filter(one => one.getBoundingClientRect().right > 390.5 && !one.closest('.chain-name, .visually-hidden'))
          .map(one => one.outerHTML)
    """
    assert page.js(outside) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_in_dark(page: Page, scheme: str) -> None:
    page.scheme(scheme)
    for view, there in (("search?q=sharp", ".hit"), ("palace", ".hot li"), ("swarm", ".settings .field")):
        page.open(view)
        page.one(there)
        page.js("document.querySelectorAll('details').forEach(one => one.open = true)")
        contrast, text = page.least_contrast()
        assert contrast >= 4.5, text
    ground = page.js("return getComputedStyle(document.body).backgroundColor")
    assert (int(ground[4:].partition(",")[0]) < 60) == (scheme == "dark")


@pytest.mark.parametrize("width", [390, 800, 1280])
@pytest.mark.parametrize(
    ("view", "there"),
    [
        ("search?q=sharp", ".hit"),
        ("add", ".drop"),
        ("names", ".names-view form"),
        ("conversations", ".conversations form, .column form"),
        ("graph", ".graph-view tbody tr"),
        ("diaries", ".diaries form"),
        ("palace", ".hot li"),
        ("swarm", ".settings .field"),
        ("service", ".settings-table tr"),
    ],
)
def test_each_view_has_one_heading_and_nothing_that_keeps_people_from_using_it(
    page: Page, view: str, there: str, width: int
) -> None:
    page.narrow(width)
    page.open(view)
    page.one(there)
    assert [one.get_property("textContent") for one in page.all("h1")] == [view.partition("?")[0].title()]
    assert page.barriers() == []


def test_a_service_that_is_away_is_said_and_its_return_is_noticed(own: Settings, filled: str, tab: WebDriver) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    page = Page(tab, f"http://127.0.0.1:{port}")
    with served_at(own, port):
        ready = f"http://127.0.0.1:{port}/health/ready"
        until(lambda: httpx.get(ready, timeout=30).status_code == 200, seconds=60)
        page.remember(filled)
        page.open("search?q=sharp")
        page.one(".hit")
    page.fill("#query", "dough")
    page.press(Keys.ENTER)
    page.says("#connection", "the service cannot be reached")
    page.wait(lambda: "trying again in" in page.text("#connection"))
    page.says(".problem", "The service does not answer.")
    with served_at(own, port):
        page.wait(lambda: page.text("#connection") == "connected")
        page.says(".hit .text", "dough")
        assert not page.all(".problem")


def test_the_key_is_asked_for_until_it_is_right_and_kept_for_the_tab(
    own: Settings, filled: str, tab: WebDriver
) -> None:
    locked = changed(own, service={"api_key": SecretStr("sesame")})
    with served(locked) as client:
        page = Page(tab, str(client.base_url))
        page.remember(filled)
        page.open("search?q=sharp")
        page.fill("#api-key", "open")
        page.click("dialog button.primary")
        page.says("dialog .problem", "did not accept this key")
        page.fill("#api-key", "sesame")
        page.click("dialog button.primary")
        page.one(".hit")
        tab.refresh()
        page.one(".hit")
        assert not page.all("dialog")
        page.open("swarm")
        page.one(".settings .field")  # they come by the WebSocket
        assert page.js("return localStorage.getItem('graphpalace.key')") is None


def test_a_palace_without_anything_says_what_to_do(page: Page, http: httpx.Client) -> None:
    name = spare_name()
    http.post("/v1/palaces", json={"name": name}).raise_for_status()
    page.open("search")
    page.choose("#palace", name)
    page.says(".empty", "This palace is empty.")
    page.click("nav a[data-view=palace]")
    page.says(".map-frame", "No rooms yet.")
    page.says(".plot", "No history yet.")
    page.says(".hot-card", "No trails yet.")
    http.delete(f"/v1/palaces/{name}?confirm={name}").raise_for_status()


def test_a_newer_text_is_named_unless_the_question_quotes_the_older_one(page: Page, http: httpx.Client) -> None:
    for day, pier in ((1, "four"), (2, "nine now")):
        text = f"The ferry to the island leaves from pier {pier}."
        drawer = {"text": text, "wing": "harbour", "occurred_at": f"2026-03-0{day}T10:00:00Z"}
        http.post("/v1/drawers", json=drawer).raise_for_status()
    page.open("search?q=does+the+ferry+to+the+island+still+leave+from+four")
    page.says(".hit .newer", "Probably outdated by: answer 1")
    assert http.post("/v1/search", json={"query": "pier four"}).json()["hits"][0]["newer"]["change"] == 0.0
    page.open("search?q=pier+four")
    page.says(".hit:first-of-type mark", "pier")
    page.says(".hit:first-of-type .text", "from pier four.")
    assert page.all(".hit:first-of-type .newer") == []
    parts = (
        "return [...document.querySelectorAll('.hit')].flatMap(hit => [...hit.childNodes]).map(node => node.nodeType)"
    )
    assert set(page.driver.execute_script(parts)) == {1}  # elements, and no stray text
