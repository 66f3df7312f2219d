"""The command line, as people and scripts use it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer
from click import Command, Group

from graphpalace.error_codes import EXIT
from graphpalace.settings.sections.embeddings import DEFAULT_MODEL
from tests.acceptance.commands import Ran, apart, environ_of, printed
from tests.command_line import every_command
from tests.spare_palaces import spare_name


@pytest.fixture(scope="module")
def environ(neo4j_settings: dict[str, object], commands_palace: str) -> dict[str, str]:
    """The tests' server, and a palace of its own: the one of other tests was made with another model."""
    return environ_of(neo4j_settings, commands_palace)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "garden").mkdir()
    (folder / "kitchen").mkdir()
    (folder / "garden" / "roses.md").write_text("# Roses\n\nPrune the roses in late winter.\n")
    (folder / "kitchen" / "bread.md").write_text("# Bread\n\nFeed the sourdough starter [daily] at 8.\n")
    (folder / "kitchen" / "soup.md").write_text("# Soup\n\nSimmer lentils for half an hour.\n")
    return folder


@pytest.fixture(scope="module")
def cli(environ: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Ran]:
    """Run `graphpalace` as a process of its own."""
    return partial(apart, environ, tmp_path_factory.mktemp("cwd"))


@pytest.fixture(scope="module")
def ingested(cli: Callable[..., Ran], folder: Path) -> dict[str, Any]:
    """The report of a first ingest."""
    return printed(cli("ingest", folder, "--wing", "home", "--json"))


def test_help_names_every_command(cli: Callable[..., Ran]) -> None:
    ran = cli("--help")
    assert ran.code == 0
    for command in ("up", "down", "status", "doctor", "migrate", "palace", "ingest", "search", "serve"):
        assert f" {command} " in ran.out


@pytest.mark.parametrize(
    ("shell", "asked"),
    [
        ("bash", {"COMP_WORDS": "graphpalace se", "COMP_CWORD": "1"}),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "graphpalace se"}),
        ("fish", {"_TYPER_COMPLETE_ARGS": "graphpalace se", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}),
    ],
)
def test_a_shell_completes_commands(environ: dict[str, str], tmp_path: Path, shell: str, asked: dict[str, str]) -> None:
    script = apart(environ | {"_GRAPHPALACE_COMPLETE": f"source_{shell}"}, tmp_path)
    assert f"complete_{shell}" in script.out
    found = apart(environ | asked | {"_GRAPHPALACE_COMPLETE": f"complete_{shell}"}, tmp_path)
    assert set(re.findall(r"\bse\w+", found.out)) >= {"search", "serve", "service"}, found


def _commands(command: Command, name: str) -> Iterator[tuple[str, Command]]:
    yield name, command
    if isinstance(command, Group):
        for word, inner in command.commands.items():
            yield from _commands(inner, f"{name} {word}")


def test_every_command_option_and_argument_is_described() -> None:
    for name, command in _commands(typer.main.get_command(every_command()), "graphpalace"):
        assert command.help, f"{name} is not described"
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{name}: {parameter.name} is not described"


def test_what_was_ingested_is_found(cli: Callable[..., Ran], ingested: dict[str, Any], folder: Path) -> None:
    assert (ingested["documents_stored"], ingested["drawers_created"]) == (3, 3)
    answer = printed(cli("search", "when do I prune roses", "--wing", "home", "--top-k", "2", "--json"))
    assert answer["count"] == 2
    best = answer["hits"][0]
    assert "Prune the roses in late winter." in best["text"]
    assert best["source"]["uri"] == (folder / "garden" / "roses.md").as_uri()
    assert [step["name"] for step in best["path"]][1:3] == ["home", "garden"]


def test_an_answer_for_people_shows_text_path_and_place(
    here: Callable[..., Ran], ingested: dict[str, Any], folder: Path
) -> None:
    ran = here("search", "sourdough starter", "--room", "kitchen")
    assert ran.code == 0, ran.err
    assert "Feed the sourdough starter [daily] at 8." in ran.out
    assert "home > kitchen > Bread" in ran.out
    assert str(folder / "kitchen" / "bread.md") in ran.out


def test_the_same_again_changes_nothing_and_prune_removes_what_is_gone(
    here: Callable[..., Ran], ingested: dict[str, Any], folder: Path
) -> None:
    report = printed(here("ingest", folder, "--wing", "home", "--json"))
    assert (report["documents_stored"], report["documents_unchanged"], report["drawers_created"]) == (0, 3, 0)

    soup = folder / "kitchen" / "soup.md"
    text = soup.read_text()
    soup.unlink()
    told = here("ingest", folder, "--wing", "home")
    assert told.code == 0
    assert "sources that no longer exist: 1 (--prune removes them)" in told.out
    assert str(soup) in told.out
    pruned = here("ingest", folder, "--wing", "home", "--prune", "--yes", "--json")
    assert json.loads(pruned.out)["gone"] == [soup.as_uri()]
    assert "pruned sources: 1, drawers: 1" in pruned.err
    assert json.loads(here("ingest", folder, "--wing", "home", "--json").out)["gone"] == []
    soup.write_text(text)


def test_a_mistake_is_one_message_with_the_exit_code_of_its_kind(
    here: Callable[..., Ran], ingested: dict[str, Any], folder: Path
) -> None:
    for words, code, said in (
        (("search", "x", "--wing", "nowhere"), "NOT_FOUND", "wing 'nowhere' is not in palace"),
        (("search", "x", "--room", "nowhere"), "NOT_FOUND", "room 'nowhere' is not in palace"),
        (("search", ""), "EMPTY_QUERY", "query is empty"),
        (("search", "x", "--top-k", "201"), "VALIDATION_ERROR", "top_k is 201"),
        (("search", "x", "--since", "soon"), "VALIDATION_ERROR", "since is 'soon'; it must be a time, for example"),
        (("search", "x", "--since", "today", "--until", "yesterday"), "VALIDATION_ERROR", "since is "),
        (("search", "x", "--palace", "No"), "VALIDATION_ERROR", "palace is 'No'"),
        (("search", "x", "--palace", "nosuch"), "NOT_FOUND", "there is no palace 'nosuch'"),
        (("ingest", str(folder), "--wing", "w", "--rooms", "some"), "VALIDATION_ERROR", "--rooms is 'some'"),
        (("ingest", str(folder), "--wing", "w", "--windows", "a"), "VALIDATION_ERROR", "--windows is 'a'"),
        (("ingest", str(folder / "none"), "--wing", "w"), "NOT_FOUND", str(folder / "none")),
        (("palace", "drop", "nosuch", "--yes"), "NOT_FOUND", "nosuch"),
        (("--config", "none.toml", "status"), "SETTINGS_INVALID", "none.toml"),
    ):
        ran = here(*words)
        assert (ran.code, ran.out) == (EXIT[code], ""), f"{words}: {ran}"
        assert f"error {code} " in ran.err, f"{words}: {ran}"
        assert said in ran.err, f"{words}: {ran}"
        assert "Traceback" not in ran.err


def test_names_and_questions_that_cannot_be_are_refused_before_the_libraries_of_an_operation_are_loaded(
    here: Callable[..., Ran], ingested: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(*_args: object, **_options: object) -> None:
        raise AssertionError("an operation was wired, which imports torch")

    monkeypatch.setattr("graphpalace.app.operations.wire", loaded)
    for words, code, said in (
        (("ingest", folder, "--wing", ""), "VALIDATION_ERROR", "wing is ''"),
        (("ingest", folder, "--wing", "a\nb"), "VALIDATION_ERROR", r"wing is 'a\nb'"),
        (("ingest", folder, "--wing", "w", "--palace", "nosuch"), "NOT_FOUND", "nosuch"),
        (("search", " "), "EMPTY_QUERY", "query is empty"),
        (("search", "x", "--top-k", "0"), "VALIDATION_ERROR", "top_k is 0"),
        (("search", "x", "--wing", "nowhere"), "NOT_FOUND", "wing 'nowhere'"),
        (("search", "x", "--room", "nowhere"), "NOT_FOUND", "room 'nowhere'"),
        (("search", "x", "--palace", "nosuch"), "NOT_FOUND", "nosuch"),
        (("explore", "--query", ""), "EMPTY_QUERY", "query is empty"),
        (("explore", "--query", "x", "--wing", "nowhere"), "NOT_FOUND", "wing 'nowhere'"),
        (("simulate", "x", "--wing", "nowhere"), "NOT_FOUND", "wing 'nowhere'"),
        (("learned", "--wing", "nowhere"), "NOT_FOUND", "wing 'nowhere'"),
        (("learned", "--wing", "nowhere", "--reset"), "NOT_FOUND", "wing 'nowhere'"),
        (("feedback", "--list", "--wing", "nowhere"), "NOT_FOUND", "wing 'nowhere'"),
        (("feedback", "--question", "", "--useful", "x"), "EMPTY_QUERY", "query is empty"),
        (("wing", "drop", "nowhere"), "NOT_FOUND", "wing 'nowhere'"),
        (("palace", "create", "No"), "VALIDATION_ERROR", "palace is 'No'"),
        (("palace", "drop", "nosuch"), "NOT_FOUND", "nosuch"),
    ):
        ran = here(*words)
        assert (ran.code, ran.out) == (EXIT[code], ""), f"{words}: {ran}"
        assert said in ran.err, f"{words}: {ran}"


def test_a_wing_is_listed_and_dropped_and_asked_for_before(
    here: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    (tmp_path / "a.md").write_text("# A\n\nto be dropped\n")
    assert here("ingest", tmp_path / "a.md", "--wing", "short lived").code == 0
    listed = {row["name"]: row for row in json.loads(here("wing", "list", "--json").out)}
    assert listed["short lived"]["drawers"] == 1
    assert "short lived" in here("wing", "list").out
    asked = here("wing", "drop", "short lived")
    assert asked.code == 1
    assert "and everything in it?" in asked.err
    dropped = here("wing", "drop", "short lived", "--yes")
    assert dropped.out == "wing 'short lived' dropped, 1 drawer removed\n"
    assert "short lived" not in here("wing", "list").out


def test_drawers_and_places_are_listed_in_words(here: Callable[..., Ran], ingested: dict[str, Any]) -> None:
    listed = here("list", "--wing", "home", "--room", "kitchen").out.splitlines()
    assert listed[0].split() == ["id", "place", "title", "text"]
    assert ["home/kitchen" in listed[1], listed[-1]] == [True, "1 drawer"]
    assert here("list", "--limit", "1").out.endswith("1 drawer; there are more: give a higher --limit\n")
    found = printed(here("list", "--limit", "1", "--json"))
    assert (len(found["drawers"]), found["more"]) == (1, True)
    assert here("list", "--wing", "nowhere").code == EXIT["NOT_FOUND"]
    for command, field in (("wing", "wing_type"), ("room", "hall_type")):
        assert field in printed(here(command, "list", "--json"))[0]
        assert "type" not in here(command, "list").out
        head = here(command, "list", "--types").out.splitlines()[0].split()
        assert "type" in head
        assert not {field, "created_at"} & set(head)


def test_a_palace_that_the_environment_names_must_exist_as_one_that_an_option_names(
    here: Callable[..., Ran], ingested: dict[str, Any]
) -> None:
    name = spare_name()
    for words in (["add", "a text", "--wing", "w"], ["search", "text"], ["wing", "list"], ["list"], ["kg", "list"]):
        by_option = here(*words, "--palace", name)
        by_environment = here(*words, GRAPHPALACE_PALACE__NAME=name)
        assert by_option == by_environment
        assert by_option.code == EXIT["NOT_FOUND"], words
        assert f"graphpalace palace create {name}" in by_option.err
    assert name not in here("palace", "list", GRAPHPALACE_PALACE__NAME=name).out
    assert here("palace", "create", name, GRAPHPALACE_PALACE__NAME=name).out == f"palace {name} created\n"
    assert here("wing", "list", GRAPHPALACE_PALACE__NAME=name).code == 0
    assert here("palace", "drop", name, "--yes").code == 0


def test_times_may_be_words(here: Callable[..., Ran], ingested: dict[str, Any]) -> None:
    found = [
        json.loads(here("search", "sourdough", option, when, "--json").out)["count"]
        for option, when in (("--since", "yesterday"), ("--until", "yesterday"), ("--since", "2 days ago"))
    ]
    assert found[0] == found[2] > found[1] == 0


def test_a_search_of_an_empty_palace_says_what_to_do(here: Callable[..., Ran], ingested: dict[str, Any]) -> None:
    name = spare_name()
    assert here("palace", "create", name).code == 0
    ran = here("search", "roses", "--palace", name)
    assert here("palace", "drop", name, "--yes").code == 0
    assert ran.code == 0
    assert ran.out.startswith("nothing found\n")
    assert f"palace {name} is empty: store files in it with `graphpalace ingest FOLDER --wing NAME`" in ran.err
    assert "is empty" not in here("search", "sourdough", "--until", "2020-01-01").err


def test_ctrl_c_in_an_ingest_says_that_the_same_command_finishes_it(
    here: Callable[..., Ran], ingested: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("graphpalace.client.synchronous.palace.Palace.ingest", interrupted)
    ran = here("ingest", folder, "--wing", "home")
    assert ran.code == 130
    assert "stopped: what is already stored is kept; run the same command again to store the rest" in ran.err
    assert "Traceback" not in ran.err


def test_a_palace_is_made_listed_and_dropped(here: Callable[..., Ran]) -> None:
    name = spare_name()
    assert here("palace", "create", name).out == f"palace {name} created\n"
    assert here("palace", "create", name).out == f"palace {name} already exists\n"
    listed = {row["name"]: row for row in json.loads(here("palace", "list", "--json").out)}
    assert (listed[name]["drawers"], listed[name]["model"]) == (0, DEFAULT_MODEL)
    assert name in here("palace", "list").out
    assert f"palace {name} dropped" in here("palace", "drop", name, "--yes").out
    assert name not in here("palace", "list").out


def test_up_migrate_status_and_doctor_find_a_server_that_runs(
    cli: Callable[..., Ran], neo4j_settings: dict[str, object], environ: dict[str, str]
) -> None:
    up = cli("up", "--no-service")
    assert up.code == 0, up.err
    assert "schema   current" in up.out or "schema   migrated" in up.out
    if "data_dir" in neo4j_settings:
        assert "already running" in up.out
        assert "/browser/?dbms=bolt://neo4j@127.0.0.1:" in up.out
        password = (Path(str(neo4j_settings["data_dir"])) / "neo4j" / "password").read_text().strip()
        assert password not in up.out + up.err
    assert cli("migrate").out.endswith("the schema is current\n")  # an index of a spare palace may be renewed before
    status = json.loads(cli("status", "--json").out)
    assert (status["database"], status["schema"]) == ("up", "current")
    assert environ["GRAPHPALACE_PALACE__NAME"] in [palace["name"] for palace in status["palaces"]]
    doctor = cli("doctor", "--json")
    checks = json.loads(doctor.out)
    bad = [check for check in checks if check["state"] == "bad"]
    assert doctor.code == int(bool(bad))
    assert all("has vectors of words" in check["found"] for check in bad), bad  # palaces of the tests' own embedder
    assert any("checksums match" in check["found"] for check in checks)


def test_without_a_server_status_and_search_say_so_by_their_exit_codes(
    here: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHPALACE_NEO4J__URI", "bolt://127.0.0.1:9")
    monkeypatch.setenv("GRAPHPALACE_NEO4J__PASSWORD", "none")
    status = here("status")
    assert status.code == EXIT["DATABASE_UNAVAILABLE"]
    assert "bolt://127.0.0.1:9 cannot be reached" in status.out
    search = here("search", "x")
    assert search.code == EXIT["DATABASE_UNAVAILABLE"]
    assert "bolt://127.0.0.1:9 cannot be reached" in search.err
    doctor = here("doctor")
    assert doctor.code == 1
    assert "[neo4j]" in doctor.out


def test_a_broken_settings_file_is_named_with_the_line(here: Callable[..., Ran], tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    for text, said in (
        ("[service]\nport = \n", f"{file} line 2: "),
        ("[service]\n\nprot = 1\n", f"{file} line 3: service.prot is not a setting"),
        ("[service]\nport = 70000\n", f"{file} line 2: service.port is 70000"),
        ('[service]\nhost = "0.0.0.0"\n', "set [service] api_key"),
    ):
        file.write_text(text)
        ran = here("--config", file, "serve")
        assert ran.code == EXIT["SETTINGS_INVALID"], ran
        assert said in ran.err


def test_one_text_is_added_found_shown_and_forgotten(here: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    added = here("add", "The [spare] key lies under the third pot.", "--wing", "porch", "--room", "keys")
    drawer = added.out.split()[0]
    assert added.out == f"{drawer} stored in porch > keys\n"
    assert (
        "was stored already"
        in here("add", "The [spare] key lies under the third pot.", "--wing", "porch", "--room", "keys").out
    )
    for text, said in (("the spare key LIES under the third pot", "same"), ("The spare key lies under a pot.", "near")):
        near = here("add", text, "--wing", "porch", "--unless-similar", "0.7")
        assert (near.code, drawer in near.out, said in near.out) == (0, True, True), near
    keyed = ("add", "The gate creaks.", "--wing", "porch", "--key", "gate-1")
    assert here(*keyed).out == here(*keyed).out
    assert here("add", "Another text.", *keyed[2:]).code == EXIT["KEY_REUSED"]
    monkeypatch.setattr("sys.stdin", io.StringIO("The bell rings twice."))
    assert json.loads(here("add", "-", "--wing", "porch", "--author", "Ann", "--json").out)["author"] == "Ann"

    def language() -> str:
        return next(wing for wing in json.loads(here("wing", "list", "--json").out) if wing["name"] == "satz")[
            "language"
        ]

    with monkeypatch.context() as patch:
        patch.setenv("GRAPHPALACE_INGEST__LANGUAGE", "de")
        here("add", "Noch ein Satz.", "--wing", "satz")
    assert language() == "de"
    here("add", "One more sentence.", "--wing", "satz", "--language", "en")
    assert language() == "en"
    assert "language" in here("add", "x", "--wing", "satz", "--language", "xx").err

    found = here("search", "spare key", "--wing", "porch")
    assert "The [spare] key lies under the third pot." in found.out
    shown = here("show", "1")
    assert shown.out.splitlines()[-1] == "The [spare] key lies under the third pot."
    assert drawer in shown.out
    assert json.loads(here("show", drawer, "--json").out)["id"] == drawer
    assert "hit is 99; the last answer has the hits 1 to" in here("show", "99").err
    assert [row["name"] for row in json.loads(here("room", "list", "--wing", "porch", "--json").out)] == [
        "general",
        "keys",
    ]

    other = here("add", "The key is now with the neighbour.", "--wing", "porch").out.split()[0]
    assert f"replaced by {other}" in here("supersede", drawer, other).out
    assert f"replaced by {other}" in here("search", "spare key", "--wing", "porch").out
    assert here("supersede", other, drawer).code == EXIT["CONFLICT"]
    assert here("supersede", drawer).code == EXIT["VALIDATION_ERROR"]
    assert here("supersede", drawer, "--undo").out == f"{drawer} is valid again\n"
    assert here("supersede", drawer, "--undo").code == EXIT["NOT_FOUND"]
    assert printed(here("show", drawer, "--history", "--json"))["history"] == []
    planned = here("forget", drawer, "--dry-run").out.splitlines()
    assert planned[0].startswith("  porch > ") and planned[-1] == "1 drawer would be deleted"
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert "Delete 1 drawer?" in here("forget", drawer).err
    assert here("forget", drawer, "--yes", "--by", "Ann").out.startswith("1 drawer deleted; receipt forgotten-")
    assert here("forget", "--receipts").out.endswith("1 drawer, chosen by drawers by Ann\n")
    assert [one["by"] for one in printed(here("forget", "--receipts", "--json"))["receipts"]] == ["Ann"]
    assert here("forget", "--receipts", "--wing", "porch").code == EXIT["VALIDATION_ERROR"]
    assert here("forget", "--pattern", "a(", "--regex").code == EXIT["VALIDATION_ERROR"]
    assert here("forget", "--name", "Nobody Known", "--yes").out == "0 drawers deleted\n"
    assert here("show", drawer).code == EXIT["NOT_FOUND"]
    assert here("forget").code == EXIT["VALIDATION_ERROR"]
    assert json.loads(here("forget", "--wing", "porch", "--yes", "--json").out)["drawers"]
    assert "porch" not in here("wing", "list").out


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a text on standard input."""

    def put(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))

    return put


def test_a_document_from_standard_input_is_read_by_its_suffix_and_replaced_under_its_name(
    here: Callable[..., Ran], piped: Callable[[str], None]
) -> None:
    words = ("ingest", "-", "--wing", "piped", "--name", "night watch.html", "--json")
    piped("<p>The gates are <b>shut</b> at ten.</p>")
    first = printed(here(*words))
    piped("<p>The gates are <b>shut</b> at eleven.</p>")
    second = printed(here(*words))
    assert (first["documents_stored"], first["drawers_created"], first["gone"]) == (1, 1, [])
    assert (second["documents_stored"], second["drawers_created"], second["drawers_removed"]) == (1, 1, 1)
    found = printed(here("search", "when are the gates shut", "--wing", "piped", "--json"))["hits"][0]
    assert found["text"] == "The gates are shut at eleven."
    assert printed(here("show", found["id"], "--json"))["source_uri"] == "stdin:night%20watch.html"


def test_unnamed_documents_from_standard_input_do_not_replace_each_other_and_are_stored_once(
    here: Callable[..., Ran], piped: Callable[[str], None]
) -> None:
    new = []
    for text in ("The bell has two tones.", "The well has no bottom.", "The bell has two tones."):
        piped(text)
        report = printed(here("ingest", "-", "--wing", "unnamed", "--json"))
        new.append((report["drawers_created"], report["drawers_removed"]))
    assert new == [(1, 0), (1, 0), (0, 0)]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", None, "standard input is empty"),
        ("  \n", None, "standard input is empty"),
        ("words", "a/b.md", "--name is 'a/b.md'"),
        ("words", "é" * 128, "at most 255 bytes"),
        ("words", "", "name is ''"),
    ],
)
def test_a_document_from_standard_input_needs_a_text_and_the_name_of_a_file(
    here: Callable[..., Ran], piped: Callable[[str], None], text: str, name: str | None, message: str
) -> None:
    piped(text)
    ran = here("ingest", "-", "--wing", "refused", *(() if name is None else ("--name", name)))
    assert ran.code != 0
    assert message in ran.err


def test_a_name_without_standard_input_is_refused(here: Callable[..., Ran], folder: Path) -> None:
    ran = here("ingest", folder, "--wing", "refused", "--name", "a.md")
    assert ran.code != 0
    assert "no path is -" in ran.err
