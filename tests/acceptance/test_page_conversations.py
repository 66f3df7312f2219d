"""Conversations on the page, in a real browser: a time line, one of them, what was forgotten, and hooks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from selenium.webdriver.common.keys import Keys

from graphpalace.app import GraphPalace
from graphpalace.hook import notes
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, in_data_folder
from tests.acceptance.web_page import Page
from tests.spare_palaces import spare_name

pytestmark = [
    pytest.mark.browser,
]

TODAY = datetime.now(UTC).replace(microsecond=0)
SAID = [  # with a tag, a call of a tool and a secret
    (
        "user",
        "The valve opens <script>document.title = 'run'</script> at noon, and postgres://ann:" + "hunter2" + "@db/a",
    ),
    ("assistant", "Let me look.\n[Bash: make test]\n[Read]\nYes, at  noon."),
]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the service."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home of the service's user, who has installed one hook."""
    folder = tmp_path_factory.mktemp("user")
    (folder / ".claude").mkdir()
    hook = {"type": "command", "command": "/bin/graphpalace-hook claude-code Stop"}
    (folder / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
            patch.delenv(name, raising=False)
        yield folder


@pytest.fixture(scope="module")
def own(settings: Settings, home: Path, data_dir: Path) -> Settings:
    """Settings whose palace and data folder are used by these tests alone."""
    section = in_data_folder(settings, data_dir)
    palace = {"name": spare_name()}
    return changed(settings, neo4j=section, palace=palace, decay={"enabled": False})


@pytest.fixture(scope="module")
async def filled(app: GraphPalace, own: Settings) -> str:
    """The palace of these tests."""
    await app.create_palace(own.palace.name)
    return own.palace.name


def _file(http: httpx.Client, name: str, said: list[tuple[str, str]], *, days: int, project: str) -> None:
    began = TODAY - timedelta(days=days)
    messages = [
        {
            "id": f"{name} {number}",
            "speaker": speaker,
            "text": text,
            "time": (began + timedelta(minutes=number)).isoformat(),
        }
        for number, (speaker, text) in enumerate(said)
    ]
    sent = {"host": "bot", "conversation": name, "project": project, "messages": messages}
    http.post("/v1/messages", json=sent).raise_for_status()


def test_an_empty_palace_says_what_to_do_and_an_unknown_conversation_says_so(page: Page) -> None:
    page.open("conversations")
    page.says(".empty", "No conversations yet.")
    page.says(".empty", "graphpalace install claude-code")
    page.says("[aria-label=Forgotten]", "Nothing was forgotten yet.")
    for address in ("bot%2Fnobody", "bot", "%2F"):
        page.open(f"conversations?conversation={address}")
        page.says(".empty", "This palace has no such conversation.")
    page.open("conversations?project=none")
    page.says(".empty", "No such conversations.")
    assert all("404" in error for error in page.errors())  # the browser itself reports the answer


def test_conversations_stand_on_a_time_line_open_word_for_word_and_are_gone_when_forgotten(
    http: httpx.Client, page: Page
) -> None:
    _file(http, "valves/1", SAID, days=40, project="greenhouse")
    _file(http, "jars", [("user", "Count the jars.")], days=1, project="cellar")
    page.open("conversations")
    page.wait(lambda: len(page.all(".said-in")) == 2)
    assert [one.text.split()[0] for one in page.all(".lane-name")] == ["cellar", "greenhouse"]
    left = {str(one.get_attribute("aria-label")): one.location["x"] for one in page.all(".said-in")}
    jars, valve = (next(left[name] for name in left if words in name) for words in ("jars", "valve"))
    assert jars - valve > 300
    assert page.one(".conversation-list a").text == "Count the jars."

    page.choose("select[name=project]", "greenhouse")
    page.wait(lambda: len(page.all(".said-in")) == 1)
    assert "project=greenhouse" in page.driver.current_url
    page.choose("select[name=days]", "the last week")
    page.says(".empty", "No such conversations.")
    page.click(".empty a", "Show all")
    page.wait(lambda: len(page.all(".said-in")) == 2)

    page.js("document.querySelector('.said-in').focus()")
    page.press(Keys.ARROW_DOWN, Keys.ENTER)
    page.says("h1", "The valve opens")
    assert "conversation=bot%2Fvalves%2F1" in page.driver.current_url
    user, assistant = page.all(".turn")
    assert "<script>document.title = 'run'</script> at noon" in user.text
    assert page.driver.title != "run"
    assert "hunter2" not in page.driver.page_source
    page.says(".facts", "1 masked: password in a URL")
    page.says(".facts", "greenhouse \u203a conversations")
    assert "2 calls of tools" in assistant.text
    assert "make test" not in assistant.text
    folded = page.js("return [...document.querySelectorAll('.turn:last-child pre')].map(one => one.textContent)")
    assert "\n".join(folded) == SAID[1][1]
    page.click(".turn button", "Open")
    page.says("dialog pre", "The valve opens <script>")
    page.press(Keys.ESCAPE)

    http.post("/v1/forget", json={"conversation": "bot/valves/1", "by": "Ann"}).raise_for_status()
    page.click(".conversation a", "All conversations")
    page.says(".receipts", "By a conversation: 2 drawers")
    page.says(".receipts", "Ann")
    page.wait(lambda: len(page.all(".said-in")) == 1)
    assert "valve" not in page.text("main")


def test_the_table_of_hooks_says_what_is_installed_what_ran_and_what_failed_also_if_the_list_fails(
    page: Page, data_dir: Path
) -> None:
    notes.noted(str(data_dir), "claude-code", "Stop", took_s=0.057, did="files")
    notes.noted(str(data_dir), "codex", "SessionStart", took_s=1.0, did="failed", error="no service <b>runs</b>")
    page.open("names")
    page.js(
        "const real = fetch; window.fetch = (url, ...more) => String(url).includes('/v1/conversations')"
        " ? Promise.reject(new Error('cut off')) : real(url, ...more); location.hash = '#/conversations'"
    )
    page.says(".problem", "The service does not answer.")
    page.says(".hooks", "1 of 5 hooks are installed")
    rows = {one.text.split(" ")[0]: one.text for one in page.all(".table-frame:first-child tbody tr")}
    assert "yes" in rows["Stop"]
    assert "files in 57 ms" in rows["Stop"]
    assert "never" in rows["PreCompact"]
    page.says(".hooks .wrong", "failed: no service <b>runs</b>")
    page.says(".failures", "no service <b>runs</b>")
    page.says("[aria-label=Hooks]", "Not installed for the user of the service: cursor, gemini.")


def test_conversations_fit_a_narrow_window_and_are_readable_in_both_schemes(http: httpx.Client, page: Page) -> None:
    _file(http, "shed", [("user", "Rename the shed."), ("assistant", "Done.")], days=3, project="greenhouse")
    for view, there in (("conversations", ".said-in"), ("conversations?conversation=bot%2Fshed", ".turn")):
        page.open(view)
        page.one(there)
        page.wait(lambda: page.js("return document.documentElement.scrollWidth <= innerWidth"))
        for scheme in ("light", "dark"):
            page.scheme(scheme)
            assert page.least_contrast()[0] >= 4.5, (view, scheme, page.least_contrast())
        page.narrow(360)
        page.wait(lambda: page.js("return document.documentElement.scrollWidth <= innerWidth"))
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_earlier_conversations_come_when_they_are_asked_for(http: httpx.Client, page: Page) -> None:
    for number in range(102):
        _file(http, f"many {number}", [("user", f"Water bed {number}.")], days=200 + number, project="beds")
    page.open("conversations?project=beds")
    page.says(".summary", "the latest 100 conversations")
    page.click("button", "Show earlier ones")
    page.wait(lambda: len(page.all(".said-in")) == 102)
    page.says(".summary", "102 conversations")
    assert [one.text for one in page.all(".conversation-list a")] == [f"Water bed {n}." for n in range(102)]
    assert not page.all(".conversation-parts button:not(.link)")
    page.click(".tick")  # only what was said in its period
    page.wait(lambda: 0 < len(page.all(".said-in")) < 102)
    page.click("p a", "Show all times")
    page.wait(lambda: len(page.all(".said-in")) == 100)


_TICKS = """return (async () => {
const { TimeScale } = await import('/web/js/time_scale.js');
const wrong = [];
const check = (from, hours, most) => {
  const ticks = new TimeScale(Date.parse(from), Date.parse(from) + hours * 3600000).ticks(most);
  const join = ticks.every(({ since, until }, at) => until > since && (at === 0 || +since === +ticks[at - 1].until));
  const inside = ticks.every(({ at, label }) => at >= 0 && at <= 1 && label !== '');
  const whole = ticks.every(({ since }) => since.getSeconds() === 0 && since.getMinutes() % 10 === 0);
  if (join && inside && whole && ticks.length > 0 && ticks.length <= most + 1) return;
  wrong.push([from, hours, most, ticks.map((tick) => tick.label)]);
};
for (const from of ['2026-03-08T03:10:00Z', '2026-03-28T20:00:00Z', '2026-10-31T23:00:00Z', '1999-12-30T12:00:00Z'])
  for (const hours of [0, 1, 5, 30, 100, 500, 2000, 9000, 90000, 900000])
    for (const most of [3, 7, 20]) check(from, hours, most);
return wrong;
})()"""


def test_ticks_stand_at_whole_times_of_the_viewers_zone_also_where_clocks_change(page: Page) -> None:
    page.open("conversations")
    for zone in ("UTC", "America/New_York", "Europe/Berlin", "Australia/Adelaide", "Australia/Lord_Howe"):
        page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
        assert page.js("return Intl.DateTimeFormat().resolvedOptions().timeZone") == zone
        assert page.js(_TICKS) == [], zone
