"""The favourites and styles of `cypher/browser/` in Neo4j Browser, loaded as docs/how-to/use-neo4j-browser.md says."""

from __future__ import annotations

import asyncio
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.app.browser_files import write_browser_files
from graphpalace.managed_neo4j.state import Running
from graphpalace.settings.load import Settings
from graphpalace.store.connection.queries import resource_dir
from tests.acceptance import neo4j_browser as browser
from tests.walks import trail_between, way_to

FOLDER = resource_dir("cypher") / "browser"
TEXTS = {
    "garden/roses/pruning.md": "Prune roses in late winter, above a bud that looks outward.\n",
    "garden/roses/soil.md": "Roses like sun, clay soil and a mulch of compost.\n",
    "garden/apples/thinning.md": "Thin the apples in June, one fruit to a cluster.\n",
    "garden/tools/knife.md": "A sharp pruning knife cuts roses and apples cleanly.\n",
    "kitchen/bread/dough.md": "Knead the dough for ten minutes, then let it rest.\n",
    "kitchen/soup/lentils.md": "Simmer the lentils for half an hour.\n",
    "kitchen/tools/knife.md": "A sharp bread knife cuts the crust cleanly.\n",
    "workshop/grinding/stone.md": "Sharpen a knife on a wet stone at twenty degrees.\n",
    "workshop/paint/coats.md": "Two thin coats of paint dry better than a thick one.\n",
    "workshop/bicycle/chain.md": "Oil the chain after every ride in the rain.\n",
}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (browser.CHROMIUM and browser.DRIVER), reason="no Chromium with its chromedriver is installed"
    ),
]


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[webdriver.Chrome]:
    with browser.started(tmp_path / "profile", size="1200,800") as driver:
        yield driver


async def _furnish(app: GraphPalace, palace: str, folder: Path) -> None:
    """Store three wings; one way was used often, one some time ago, and one leads through a tunnel."""
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for wing in sorted({name.partition("/")[0] for name in TEXTS}):
        await app.ingesting.files([folder / wing], palace=palace, wing=wing)
    drawers, _ = await app.drawers.page(palace, limit=200)
    snapshot = await app.replica.snapshots.get(palace)
    ways = {drawer.text.split()[0] + drawer.wing: way_to(snapshot, drawer.id) for drawer in drawers}
    here, there = ([node.id for node in ways[way].nodes] for way in ("Agarden", "Akitchen"))
    await app.pheromones.deposits.path_success(palace, ways["Oilworkshop"], deposit_id="once")
    await app.database.write(palace, "tests/advance_clock", cycles=40)
    through = trail_between(snapshot, *here[:2], *there[1:])
    for trail, times in ((ways["Prunegarden"], 9), (ways["Sharpenworkshop"], 6), (through, 2)):
        for number in range(times):
            await app.pheromones.deposits.path_success(palace, trail, deposit_id=f"{trail.nodes[-1].id} {number}")
    await app.pheromones.decay.apply(palace)


async def test_styles_and_favourites_are_dropped_onto_the_window_and_hot_paths_stand_out(
    app: GraphPalace, palace: str, settings: Settings, chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    if settings.neo4j.uri:
        pytest.skip("the tests use a Neo4j that is not managed; its Browser is not ours")
    server = wiring.managed_server(settings)
    running = server.status()
    assert isinstance(running, Running)
    await _furnish(app, palace, tmp_path / "home")
    hot = [edge for edge in (await app.pheromones.hot_paths.hot(palace, limit=200)).edges if edge.factor >= 0.25]

    chromium.get(f"{running.http_url}/browser/")
    browser.connect(chromium, running.bolt_uri, server.user, server.password)
    browser.when_there(chromium, ".monaco-editor textarea")

    archive, *styles, _perspective = write_browser_files(tmp_path / "files", palace)
    for style, width in zip(styles, ("2px", "20px"), strict=True):
        browser.drop(chromium, style.name, style.read_bytes())
        _until(chromium, lambda width=width: _kept(chromium, "grass")["relationship.HAS_ROOM"]["shaft-width"] == width)
    assert _kept(chromium, "grass")["node.Drawer"]["caption"] == "{text}"

    browser.drop(chromium, archive.name, archive.read_bytes())
    titles = {path.read_text("utf-8").partition("\n")[0] for path in FOLDER.glob("*.cypher")}
    _until(chromium, lambda: titles <= {kept["content"].partition("\n")[0] for kept in _kept(chromium, "documents")})

    browser.run(chromium, ":config autoComplete: false")
    _until(chromium, lambda: _kept(chromium, "settings")["autoComplete"] is False)
    browser.run(chromium, ":clear")
    browser.run(chromium, zipfile.ZipFile(archive).read("hot_paths.cypher").decode())
    _until(chromium, lambda: {"garden", "roses", "grinding"} <= browser.captions(chromium))
    arrows = chromium.find_elements(By.CSS_SELECTOR, "svg g.relationship path.b-outline")
    assert len(arrows) == len(hot)
    assert {arrow.get_attribute("fill") for arrow in arrows} == {"#FF8C42", "#F2668B"}  # the tunnel has its own
    assert not {"apples", "bread", "soup", "paint"} & browser.captions(chromium)

    if picture := os.environ.get("GRAPHPALACE_TEST_HOT_PATHS_PICTURE"):
        for title in ("Fullscreen", "Collapse the node properties display"):
            chromium.find_element(By.CSS_SELECTOR, f'[title="{title}"]').click()
            await asyncio.sleep(4)  # until the drawing has settled
        assert chromium.save_screenshot(picture)


def _until(chromium: webdriver.Chrome, holds: Any) -> None:
    WebDriverWait(chromium, browser.PATIENCE_S, ignored_exceptions=[KeyError, TypeError]).until(lambda _: holds())


def _kept(chromium: webdriver.Chrome, what: str) -> Any:
    """Return what Browser keeps of something."""
    return json.loads(chromium.execute_script("return localStorage.getItem('neo4j.' + arguments[0])", what) or "null")
