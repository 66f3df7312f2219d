"""What people do every day, on the page in a real browser: add, change, forget, state, write, and look after a service.

Each change is followed by its undo, where there is one."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from pydantic import SecretStr
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.keys import Keys

from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, served
from tests.acceptance.web_page import Page
from tests.spare_palaces import spare_name
from tests.unit.ingest.readers.test_rich_formats import pdf_of

pytestmark = [
    pytest.mark.browser,
]

MARKUP = "<img src=x onerror=alert(1)> <b>bold</b> lanterns"
GUIDE = "# Boats\n\nThe blue boat needs tar.\n\n## Sails\n\n" + "Dry every sail before winter. " * 60
LETTER = "A letter says that Elin Marsh met Brightwater Institute in Utrecht."


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by these tests alone, and whose names are read when somebody asks for it."""
    names = {"recogniser": "rules", "read_after_s": 3600}
    secret = {"extractor_api_key": SecretStr("hush")}
    return changed(settings, palace={"name": spare_name()}, decay={"enabled": False}, entities=names, knowledge=secret)


@pytest.fixture(scope="module")
async def filled(app: GraphPalace, own: Settings) -> str:
    """The palace of these tests, which is empty at first."""
    await app.create_palace(own.palace.name)
    return own.palace.name


def store(http: httpx.Client, text: str, wing: str = "shed", **more: object) -> str:
    """Store a text and return its id."""
    answer = http.post("/v1/drawers", json={"text": text, "wing": wing, **more}).raise_for_status()
    return answer.json()["id"]


def text_of(http: httpx.Client, drawer: str) -> str:
    """Return the text of a drawer, empty if it is gone."""
    answer = http.get(f"/v1/drawers/{drawer}")
    return answer.json()["text"] if answer.status_code == 200 else ""


def open_drawer(page: Page, drawer: str) -> None:
    """Open a drawer by its link, and wait until its tools are complete."""
    page.open(f"drawer?id={drawer}")
    page.one(".drawer-tools button")
    page.one(".beside-drawer details")


def given(http: httpx.Client) -> list[str]:
    """Return the questions on which somebody gave feedback, the newest first."""
    return [one["query"] for one in http.get("/v1/feedback").json() if one["source"] == "given"]


def test_an_empty_palace_says_what_to_do_and_leads_there(page: Page) -> None:
    page.open("search")
    page.says(".empty", "This palace is empty.")
    page.says(".empty", "graphpalace ingest FOLDER --wing NAME")
    page.click(".empty a", "Add a note")
    page.says("h1", "Add")


def test_a_note_is_stored_and_shown_and_a_second_one_of_its_words_is_the_same(page: Page, http: httpx.Client) -> None:
    page.open("add")
    page.fill("textarea[name=text]", MARKUP)
    page.click("[aria-label='A note'] button.primary")
    page.says(".field-problem", "Name a wing")
    assert page.one("input[name=wing]").get_attribute("aria-invalid") == "true"
    page.fill("input[name=wing]", "shed")
    page.fill("input[name=room]", "lights")
    page.click("[aria-label='A note'] summary")
    page.fill("input[name=title]", "Lanterns")
    page.click("[aria-label='A note'] button.primary")
    page.says(".done", "Stored in shed \u203a lights \u203a Lanterns.")
    page.says(".done", MARKUP)
    assert not page.all(".done img, .done b")
    assert page.one("textarea[name=text]").get_property("value") == ""
    page.wait(lambda: page.js("return [...document.querySelectorAll('datalist option')].some(o => o.value === 'shed')"))
    page.fill("textarea[name=text]", MARKUP)
    page.click("[aria-label='A note'] button.primary")
    page.says(".done", "This text was there already, in shed \u203a lights")
    page.click(".done a")
    page.says("pre.text", MARKUP)
    assert len(http.get("/v1/drawers", params={"wing": "shed"}).json()["drawers"]) == 1


def test_what_the_service_refuses_stands_at_its_field(page: Page) -> None:
    page.open("add")
    page.fill("textarea[name=text]", "a text")
    page.fill("input[name=wing]", "\u200b")
    page.click("[aria-label='A note'] button.primary")
    page.says(".form-field:has([name=wing]) .field-problem", "which has no visible character")
    assert page.js("return document.activeElement.name") == "wing"
    assert page.one("textarea[name=text]").get_property("value") == "a text"
    page.errors()  # the browser itself reports the answer


def test_a_note_that_is_news_offers_to_replace_the_older_one_and_takes_that_back(
    page: Page, http: httpx.Client
) -> None:
    old = store(http, "The ferry to the island leaves from pier four.", "harbour", occurred_at="2026-03-01T10:00:00Z")
    page.open("add?wing=harbour")
    page.fill("textarea[name=text]", "The ferry to the island leaves from pier nine now.")
    page.click("[aria-label='A note'] button.primary")
    page.says(".done", "It may outdate what you stored before")
    page.click(".done .rows button", "The new text replaces it")
    page.says(".done .notice", "the new text replaces it")
    assert http.get(f"/v1/drawers/{old}/beside").json()["replaced_by"]
    page.click(".done .notice button", "Undo")
    page.says(".done .notice", "It counts again.")
    assert http.get(f"/v1/drawers/{old}/beside").json()["replaced_by"] is None


def test_good_and_bad_files_are_told_apart_and_the_good_ones_are_unchanged_the_second_time(
    page: Page, http: httpx.Client, tmp_path: Path
) -> None:
    (tmp_path / "guide.md").write_text(GUIDE)
    (tmp_path / "report.pdf").write_bytes(pdf_of([[(72, 700, "The harbour freezes in January.")]]))
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.7\n")
    (tmp_path / "photo.txt").write_bytes(b"\xff\xfe\xfa\x00\x81\x82\x83")
    (tmp_path / "blank.md").write_text("\n\n")
    (tmp_path / "<b>odd.txt").write_text("the oar is odd")
    chosen = "\n".join(str(path) for path in sorted(tmp_path.iterdir()))
    page.open("add?files")
    page.one("#chosen-files").send_keys(chosen)
    page.wait(lambda: len(page.all(".file-list li")) == 6)
    page.click("[aria-label=Files] button.primary")
    page.says("[aria-label=Files] .field-problem", "Name a wing")
    page.fill("[aria-label=Files] input[name=wing]", "boats")
    page.click(".file-list [aria-label='Leave out blank.md']")
    page.wait(lambda: len(page.all(".file-list li")) == 5)
    page.click("[aria-label=Files] button.primary")
    page.says("[aria-label=Files] [role=status]", "3 stored, 0 unchanged, 2 refused.")
    said = {one.text.split("\n")[0]: one.text for one in page.all(".file-list li")}
    assert "stored, 1 passage" in said["<b>odd.txt"]
    assert "stored, 1 passage" in said["report.pdf"]
    assert "torn.pdf" in said["torn.pdf"].partition("refused:")[2]
    assert "not text in any known encoding" in said["photo.txt"]
    assert not page.all(".file-list b")
    drawers = http.get("/v1/drawers", params={"wing": "boats"}).json()["drawers"]
    assert {one["closet"] for one in drawers} == {"Boats", "<b>odd.txt", "report.pdf"}
    guide = sorted((one for one in drawers if one["closet"] == "Boats"), key=lambda one: one["position"])
    assert all(one["text"] in GUIDE for one in guide)
    assert len(guide) >= 2
    assert guide[0]["headings"][0] == "Boats"
    assert guide[-1]["headings"] == ["Boats", "Sails"]
    page.one("#chosen-files").send_keys(chosen)
    page.wait(lambda: len(page.all(".file-list li")) == 6)
    page.click("[aria-label=Files] button.primary")
    page.says("[aria-label=Files] [role=status]", "0 stored, 3 unchanged, 3 refused.")
    page.says(".file-list", "It has no text.")
    page.click("[aria-label=Files] [role=status] a")
    page.wait(lambda: page.one("select[name=wing]").get_property("value") == "boats")


def test_a_file_can_be_dropped(page: Page, http: httpx.Client) -> None:
    page.open("add")
    page.one(".drop")
    page.js(
        "const data = new DataTransfer(); data.items.add(new File(['the anchor is rusty'], 'anchor.md'));"
        "document.querySelector('.drop').dispatchEvent("
        "new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data}))"
    )
    page.says(".file-list", "anchor.md")
    page.fill("[aria-label=Files] input[name=wing]", "boats")
    page.click("[aria-label=Files] button.primary")
    page.says("[aria-label=Files] [role=status]", "1 stored")
    assert "the anchor is rusty" in http.get("/v1/drawers", params={"wing": "boats"}).text


def test_a_text_is_edited_keeps_its_history_and_is_as_before_when_that_is_undone(
    page: Page, http: httpx.Client
) -> None:
    drawer = store(http, "The kettle is on the third shelf.")
    open_drawer(page, drawer)
    page.click(".drawer-tools button", "Edit")
    page.fill(".task textarea", "")
    page.click(".task button.primary")
    page.says(".task .field-problem", "A drawer needs a text.")
    page.fill(".task textarea", "The kettle is on the fourth shelf.")
    page.fill(".task input[name=importance]", "7")
    page.click(".task button.primary")
    page.wait(lambda: page.text(".task .form-field:has([name=importance]) .field-problem") != "")
    page.errors()  # the browser itself reports the answer
    page.fill(".task input[name=importance]", "0.75")
    page.click(".task button.primary")
    page.says(".notice", "Saved.")
    page.says("pre.text", "on the fourth shelf")
    assert http.get(f"/v1/drawers/{drawer}").json()["importance"] == 0.75
    page.click(".history summary")
    page.says(".history .earlier", "on the third shelf")
    page.click(".notice button", "Undo")
    page.says(".notice", "It is as it was before.")
    page.says("pre.text", "on the third shelf")
    assert text_of(http, drawer) == "The kettle is on the third shelf."


def test_the_drawers_of_a_document_follow_each_other_here_and_in_a_new_tab(page: Page, http: httpx.Client) -> None:
    ids = [store(http, f"Step {number} of the recipe.", "kitchen", source_uri="notes:recipe") for number in range(3)]
    open_drawer(page, ids[0])
    page.says(".drawer-tools", "1 of 3")
    assert not page.one(".drawer-tools button").is_enabled()
    page.click(".drawer-tools button", "Next")
    page.says("pre.text", "Step 1")
    assert ids[1] in page.driver.current_url
    address = str(page.one(".own-link").get_property("href"))
    page.driver.back()
    page.says("pre.text", "Step 0")
    page.driver.get("about:blank")
    page.driver.get(address)
    page.says("pre.text", "Step 1")
    page.open("search?q=step+of+the+recipe")
    page.click(".hit .open")
    page.says("dialog .drawer-tools", "of 3")
    before = page.text("dialog pre.text")
    page.click("dialog .drawer-tools button", "Next" if "0" in before else "Previous")
    page.wait(lambda: page.text("dialog pre.text") not in ("", before))


def test_a_text_shows_what_goes_with_it_before_it_is_forgotten_and_a_receipt_after(
    page: Page, http: httpx.Client
) -> None:
    ids = [store(http, f"Secret {number} of the cellar.", "cellar", source_uri="notes:secrets") for number in range(3)]
    open_drawer(page, ids[0])
    page.says(".drawer-tools", "1 of 3")
    page.click(".drawer-tools button", "Forget")
    page.says(".forget", "1 text would be deleted")
    page.says(".forget", "cellar > general")
    page.click(".forget .actions button", "Cancel")
    page.wait(lambda: not page.all(".forget"))
    assert text_of(http, ids[0])
    page.click(".drawer-tools button", "Forget")
    page.click(".forget button.danger", "Forget 1 text")
    page.says(".reading", "1 text deleted.")
    page.says(".reading", "The receipt is")
    assert text_of(http, ids[0]) == ""
    open_drawer(page, ids[1])
    page.click(".drawer-tools button", "Forget")
    page.click(".forget input[type=radio]:not(:checked)")
    page.click(".forget button.danger", "Forget 2 texts")
    page.says(".reading", "2 texts deleted.")
    page.open(f"drawer?id={ids[1]}")
    page.says(".empty", "This palace has no such text.")
    assert all("404" in error for error in page.errors())  # the browser itself reports the answer


def test_a_text_is_replaced_by_a_new_one_or_by_another_and_counts_again(page: Page, http: httpx.Client) -> None:
    old, other = store(http, "The newsletter goes out on Mondays."), store(http, "The newsletter goes out on Fridays.")
    open_drawer(page, old)
    page.click(".drawer-tools button", "Replace")
    page.click(".task button.primary")
    page.says(".task .field-problem", "Write what holds now")
    page.fill(".task textarea", "The newsletter goes out on Sundays.")
    page.click(".task button.primary")
    page.says(".notice", "Answers now mark this text as outdated.")
    page.says(".outdated", "replaced by another text")
    page.click(".notice button", "Undo")
    page.says(".notice", "It counts again.")
    page.wait(lambda: not page.all(".outdated"))
    page.click(".drawer-tools button", "Replace")
    page.fill(".task input[name=new]", f"{page.driver.current_url.split('#')[0]}#/drawer?id={other}&palace=x")
    page.click(".task button.primary")
    page.says(".outdated", "replaced by another text")
    assert http.get(f"/v1/drawers/{old}/beside").json()["replaced_by"] == other
    page.click(".outdated button", "It still holds")
    page.wait(lambda: not page.all(".outdated"))
    assert http.get(f"/v1/drawers/{old}/beside").json()["replaced_by"] is None


def test_an_open_answer_of_a_search_is_judged_and_its_card_follows(page: Page, http: httpx.Client) -> None:
    store(http, "The heron stands in the reeds.")
    page.open("search?q=heron+reeds")
    page.click(".hit .open")
    page.click("dialog .judged button", "It helped")
    page.says("dialog .judged", "Saved.")
    page.press(Keys.ESCAPE)
    assert page.one(".hit .verdict.useful").get_attribute("aria-pressed") == "true"
    page.click(".hit .open")
    page.click("dialog .judged button", "It helped")
    page.says("dialog .judged", "Taken back.")
    assert given(http) == []


def facts(http: httpx.Client, name: str) -> list[tuple[str, str, str, bool]]:
    """Return the known facts on a name: subject, predicate, object, and whether it has an end."""
    answer = http.get("/v1/facts/timeline", params={"name": name})
    known = answer.json()["facts"] if answer.status_code == 200 else []
    return [(one["subject"], one["predicate"], one["object"], one["valid_to"] is not None) for one in known]


def test_a_fact_is_stated_ended_and_taken_back_and_each_is_undone(page: Page, http: httpx.Client) -> None:
    drawer = store(http, LETTER, "people")
    open_drawer(page, drawer)
    page.click(".beside-drawer summary")
    page.fill(".fact-form input[name=subject]", "Elin Marsh")
    page.fill(".fact-form input[name=predicate]", "works at")
    page.click(".fact-form button.primary")
    page.says(".fact-form .field-problem", "Say the other name.")
    page.fill(".fact-form input[name=object]", "Harbour Board")
    page.fill(".fact-form input[name=valid_from]", "soon")
    page.click(".fact-form button.primary")
    page.wait(lambda: page.text(".fact-form .form-field:has([name=valid_from]) .field-problem") != "")
    page.errors()  # the browser itself reports the answer
    page.fill(".fact-form input[name=valid_from]", "2001")
    page.click(".fact-form button.primary")
    page.says(".notice", "Stated: Elin Marsh works at Harbour Board.")
    page.says(".beside-drawer .rows", "Elin Marsh works at Harbour Board")
    holds, ended = [("Elin Marsh", "works_at", "Harbour Board", one) for one in (False, True)]
    assert facts(http, "Elin Marsh") == [holds]
    page.click(".fact-actions button", "It has ended")
    page.fill(".fact-actions input[name=ended]", "1999")
    page.click(".fact-actions button.primary")
    page.wait(lambda: page.text(".fact-actions .field-problem") != "")
    page.errors()  # the browser itself reports the answer
    page.fill(".fact-actions input[name=ended]", "2023-04")
    page.click(".fact-actions button.primary")
    page.says(".notice", "Ended: Elin Marsh works at Harbour Board.")
    assert facts(http, "Elin Marsh") == [ended]
    page.click(".notice button", "Undo")
    page.says(".notice", "It holds again.")
    assert facts(http, "Elin Marsh") == [holds]
    page.wait(lambda: len(page.all(".fact-actions button")) == 2)
    page.click(".fact-actions button", "It was never true")
    page.says(".notice", "Taken back: Elin Marsh works at Harbour Board.")
    assert facts(http, "Elin Marsh") == []
    page.click(".notice button", "Undo")
    page.says(".notice", "It holds again.")
    assert facts(http, "Elin Marsh") == [holds]
    page.open("names?name=Elin+Marsh")
    page.click("[aria-label=Facts] summary")
    page.fill(".fact-form input[name=predicate]", "works at")
    page.fill(".fact-form input[name=object]", "Brightwater Institute")
    page.fill(".fact-form input[name=valid_from]", "2023-04")
    page.click(".fact-form input[name=replaces]")
    page.click(".fact-form button.primary")
    page.says(".notice", "Stated: Elin Marsh works at Brightwater Institute.")
    page.wait(lambda: len(page.all(".fact")) == 2)
    assert facts(http, "Elin Marsh") == [ended, ("Elin Marsh", "works_at", "Brightwater Institute", False)]
    page.click(".notice button", "Undo")
    page.says(".notice", "Taken back.")
    assert facts(http, "Elin Marsh") == [holds]


def test_names_are_merged_and_split_and_each_is_undone(page: Page, http: httpx.Client) -> None:
    for text in ("Ada Quill paints in Tarrow.", "A. B. Quillon is Ada Quill of Tarrow.", "Ada Quill baked bread."):
        store(http, text, "people")
    page.open("service")
    page.click("[aria-label=Work] button", "Read them now")
    page.says("[aria-label=Work]", "All drawers are read.")
    page.open("names?name=Ada+Quill")
    page.says("h1", "Ada Quill")
    drawers = http.get("/v1/names/Ada Quill").json()["entity"]["drawer_count"]
    page.click("[aria-label=Merge] button", "Merge it into this name")
    page.says("[aria-label=Merge] .field-problem", "Name the other one.")
    page.fill("[aria-label=Merge] input", "Nobody at all")
    page.click("[aria-label=Merge] button", "Merge it into this name")
    page.wait(lambda: page.text("[aria-label=Merge] .field-problem") or page.text("[aria-label=Merge] .wrong"))
    page.errors()  # the browser itself reports the answer
    page.fill("[aria-label=Merge] input", "Tarrow")
    page.click("[aria-label=Merge] button", "Merge it into this name")
    page.says(".notice", "\u201cTarrow\u201d is now another name of \u201cAda Quill\u201d.")
    page.says("[aria-label='Change the name']", "Merged by hand")
    page.click(".notice button", "Undo")
    page.says(".notice", "They are two names again.")
    page.wait(lambda: "Merged by hand" not in page.text("[aria-label='Change the name']"))
    assert http.get("/v1/names/Tarrow").json()["entity"]["name"] == "Tarrow"
    page.click(".mentions summary")
    page.click(".mentions button", "Split them off")
    page.says(".mentions .wrong", "Choose drawers in the list first.")
    page.click(".name-drawers input")
    page.fill(".mentions input[name=alias]", "Ada Quill the baker")
    page.click(".mentions button", "Split them off")
    page.says(".notice", "1 drawer now means Ada Quill the baker.")
    assert http.get("/v1/names/Ada Quill the baker").json()["entity"]["drawer_count"] == 1
    page.click(".notice button", "Undo")
    page.says(".notice", "They are one name again.")
    assert http.get("/v1/names/Ada Quill").json()["entity"]["drawer_count"] == drawers
    page.fill("[aria-label=Merge] input", "Tarrow")
    page.click("[aria-label=Merge] button", "Merge this name into it")
    page.says("h1", "Tarrow")
    page.says(".notice", "is now another name of")
    page.click("[aria-label='Change the name'] .rows button", "Split it off")
    page.says(".notice", "is a name of its own again.")


def test_a_diary_is_written_read_and_listed(page: Page, http: httpx.Client) -> None:
    page.open("diaries")
    page.says(".empty", "No diaries yet.")
    page.click(".diaries button.primary")
    page.says(".field-problem", "Say whose diary it is.")
    page.says(".field-problem", "Write something first.")
    page.fill("input[name=agent]", "team/Ann <b>")
    page.fill("input[name=topic]", "tests")
    page.fill("textarea[name=text]", MARKUP)
    page.click("input[name=searchable]")
    page.click(".diaries button.primary")
    page.says(".entry", MARKUP)
    page.says(".entry", "not found by searches")
    page.says("[aria-label=Agents]", "1 entry")
    assert not page.all(".diaries b, .diaries img")
    assert "agent=team%2FAnn" in page.driver.current_url
    page.click("input[name=searchable]")
    page.fill("textarea[name=text]", "The doors pass again.")
    page.click(".diaries button.primary")
    page.wait(lambda: len(page.all(".entry")) == 2)
    page.click(".entry a", "Open")
    page.says("pre.text", "The doors pass again.")
    page.open(f"diaries?agent={quote('nobody', safe='')}")
    page.says(".empty", "nobody has no diary yet.")


def test_the_service_shows_its_state_its_settings_and_takes_feedback_back(page: Page, http: httpx.Client) -> None:
    store(http, "The walnut tree is old.")
    run = http.post("/v1/search", json={"query": "walnut tree"}).json()
    http.post("/v1/feedback", json={"run": run["run"], "useful": [run["hits"][0]["id"]]}).raise_for_status()
    page.open("service")
    page.says("[aria-label=Status]", "Ready: everything works at full speed.")
    page.says("[aria-label=Status] tbody", run["palace"])
    page.says("[aria-label=Work]", "On time.")
    page.says("[aria-label=Work]", "Simulations and jobs")
    page.says("[aria-label=Feedback]", "\u201cwalnut tree\u201d")
    page.click("[aria-label=Feedback] button", "Take it back")
    page.says(".notice", "is taken back.")
    assert given(http) == []
    page.click("[aria-label=Feedback] .notice button", "Undo")
    page.says(".notice", "It is given again.")
    assert given(http) == ["walnut tree"]
    page.fill("input[name=setting]", "knowledge.extractor_api_key")
    page.wait(lambda: len(page.all(".settings-table tbody tr")) == 1)
    page.says(".settings-table", "(hidden)")
    assert "hush" not in page.driver.page_source
    page.fill("input[name=setting]", "entities.read_after_s")
    page.says(".settings-table tbody", "3600")


def test_the_settings_are_for_those_who_may_administer_everything(own: Settings, filled: str, tab: WebDriver) -> None:
    locked = changed(own, service={"api_key": SecretStr("sesame")})
    with served(locked) as client:
        asked = {"name": "Ann", "grants": [f"write:{filled}"]}
        secret = client.post("/v1/keys", json=asked).raise_for_status().json()["key"]
        assert "sesame" not in client.get("/v1/settings").raise_for_status().text
        page = Page(tab, str(client.base_url))
        page.remember(filled)
        page.open("service")
        page.fill("#api-key", secret)
        page.click("dialog button.primary")
        page.says("[aria-label=Settings]", "Only a key that may administer everything")
        page.says("[aria-label=Status]", "Ready")


VIEWS = [
    ("add", ".drop"),
    ("diaries", ".diaries form"),
    ("service", ".settings-table tr"),
]


def forms(page: Page, http: httpx.Client) -> None:
    """Open a drawer with everything that can be unfolded."""
    open_drawer(page, store(http, "A long gate stands at the orchard.", "farm"))
    page.click(".drawer-tools button", "Forget")
    page.one(".forget button.danger")
    page.js("document.querySelectorAll('details').forEach(one => one.open = true)")


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_forms_fit_every_width_and_keep_nobody_from_using_them(page: Page, http: httpx.Client, width: int) -> None:
    page.narrow(width)
    for view, there in [*VIEWS, ("drawer", "")]:
        if view == "drawer":
            forms(page, http)
        else:
            page.open(view)
            page.one(there)
            page.js("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert [one.get_property("textContent") for one in page.all("h1")] == [view.title()]
        assert page.js("return document.documentElement.scrollWidth") <= width, view
        assert page.barriers() == [], view


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forms_can_be_read_in_light_and_in_dark(page: Page, http: httpx.Client, scheme: str) -> None:
    page.scheme(scheme)
    for view, there in VIEWS:
        page.open(view)
        page.one(there)
        contrast, text = page.least_contrast()
        assert contrast >= 4.5, (view, text)
    forms(page, http)
    contrast, text = page.least_contrast()
    assert contrast >= 4.5, text


def test_a_note_can_be_stored_with_the_keyboard_alone(page: Page) -> None:
    page.open("add")
    page.one("textarea[name=text]")
    page.js("document.querySelector('textarea[name=text]').focus()")
    page.press(*"keyboards work", Keys.TAB, *"desk", Keys.TAB, *"drawer", Keys.ENTER)
    page.says(".done", "Stored in desk \u203a drawer")
    assert page.js("return document.activeElement.name") == "text"
