"""What acceptance tests share: a service for a module, and commands in this process beside a palace of the user's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphpalace.app import GraphPalace
from graphpalace.errors import NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.embeddings import BUNDLED_MODEL
from tests.acceptance.commands import Ran, environ_of, in_process
from tests.acceptance.served import changed, served
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by the tests of a module alone; a module that needs more has its own."""
    return changed(settings, palace={"name": spare_name()}, decay={"enabled": False})


@pytest.fixture(scope="module")
def http(own: Settings, filled: str) -> Iterator[httpx.Client]:
    """A client of a service of `own` settings, those of a test module whose palace is `filled` and dropped at last."""
    with served(own) as client:
        yield client
        client.delete(f"/v1/palaces/{filled}?confirm={filled}").raise_for_status()


@pytest.fixture(scope="session")
def _browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from tests.acceptance import neo4j_browser as browser  # only tests of pages need Selenium

    if not (browser.CHROMIUM and browser.DRIVER):
        pytest.skip("no Chromium with its chromedriver is installed")
    with browser.started(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def tab(_browser: Any) -> Iterator[Any]:
    """A tab of a Chromium, which knows nothing of what tabs before it were shown."""
    from tests.acceptance import neo4j_browser as browser

    with browser.fresh_tab(_browser):
        yield _browser


@pytest.fixture
def page(http: httpx.Client, filled: str, tab: Any) -> Iterator[Any]:
    """The page, which remembers the tests' palace; the console must have nothing to complain of in the end."""
    from tests.acceptance.web_page import Page

    shown = Page(tab, str(http.base_url))
    shown.remember(filled)
    yield shown
    assert shown.errors() == []
    assert shown.hosts() == {"127.0.0.1"}


@pytest.fixture(scope="module")
async def commands_palace(app: GraphPalace) -> AsyncIterator[str]:
    """A name for the palace that the commands of a module make; it is dropped in the end."""
    name = spare_name()
    yield name
    with suppress(NotFound):
        await app.drop_palace(name)


@pytest.fixture
async def users_palace(app: GraphPalace, palace: str) -> str:
    """A palace of the user's, with something in it."""
    await app.drawers.add(palace, NewDrawer(text="apples are mine", wing="a"))
    return palace


@pytest.fixture
async def untouched(app: GraphPalace, users_palace: str) -> AsyncIterator[None]:
    """Whatever the test does, all palaces are afterwards as they were before."""

    async def state() -> Any:
        return (
            await app.list_palaces(),
            await nodes_of(app.database, users_palace),
            await edges_of(app.database, users_palace),
        )

    before = await state()
    yield
    assert await state() == before


@pytest.fixture
def environ(neo4j_settings: dict[str, object], users_palace: str) -> dict[str, str]:
    """The tests' server and the user's palace; a test module may have a palace of its own instead."""
    return environ_of(neo4j_settings, users_palace)


@pytest.fixture
def here(
    environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Run `graphpalace` in this process."""
    return in_process(environ, tmp_path, monkeypatch, capsys)


@pytest.fixture
def evaluate(here: Callable[..., Ran], untouched: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run `graphpalace eval` in this process, with an embedder that knows only words."""
    monkeypatch.setattr("graphpalace.app.models.make_embedder", _words)
    monkeypatch.setattr("graphpalace.evaluation.evaluate.temporary_palace", lambda _: spare_name())
    return partial(here, "eval", GRAPHPALACE_EMBEDDINGS__MODEL=BUNDLED_MODEL)  # as many numbers as the embedder has


def _words(settings: Settings) -> WordEmbedder:
    embedder = WordEmbedder()
    embedder.dimension = settings.embeddings.dimension
    return embedder
