"""A link opens the page once, for the browser that comes first."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.serve.http.pages.page_links import LINK_S, PageLinks, session_of


@pytest.fixture
def now() -> list[float]:
    return [1000.0]


@pytest.fixture
def links(now: list[float]) -> PageLinks:
    return PageLinks(lambda: now[0])


def test_a_link_gives_one_session(links: PageLinks) -> None:
    session = links.enter(links.new_link(), known="")
    assert session
    assert links.knows(session)
    assert not links.knows("")
    assert not links.knows(session[:-1])


def test_the_browser_that_has_the_session_may_follow_its_link_again(links: PageLinks) -> None:
    token = links.new_link()
    session = links.enter(token, known="")
    assert links.enter(token, known=session or "") == session


def test_another_browser_with_the_same_link_gets_nothing_and_ends_the_session(links: PageLinks) -> None:
    token = links.new_link()
    session = links.enter(token, known="")
    other = links.enter(links.new_link(), known="")
    assert links.enter(token, known="") is None
    assert not links.knows(session or "")
    assert links.enter(token, known=session or "") is None
    assert links.knows(other or "")


def test_a_link_is_valid_for_ten_minutes_and_unknown_ones_never_are(links: PageLinks, now: list[float]) -> None:
    early, late = links.new_link(), links.new_link()
    now[0] += LINK_S
    assert links.enter(early, known="")
    now[0] += 1
    assert links.enter(late, known="") is None
    assert links.enter("", known="") is None


def test_old_links_and_sessions_make_room_for_new_ones(links: PageLinks) -> None:
    first = links.new_link()
    for _ in range(100):
        links.new_link()
    assert links.enter(first, known="") is None
    sessions = [links.enter(links.new_link(), known="") or "" for _ in range(1001)]
    assert not links.knows(sessions[0])
    assert all(map(links.knows, sessions[1:]))


@pytest.mark.parametrize(
    ("cookie", "session"),
    [
        (b"graphpalace-8600=abc", "abc"),
        (b"a=1; graphpalace-8600=abc; b=2", "abc"),
        (b"graphpalace-8601=abc", ""),
        (b"xgraphpalace-8600=abc", ""),
        (b"", ""),
    ],
)
def test_the_session_is_read_from_the_cookie_of_this_port(cookie: bytes, session: str) -> None:
    scope: dict[str, Any] = {"server": ("127.0.0.1", 8600), "headers": [(b"cookie", cookie)]}
    assert session_of(scope) == session
