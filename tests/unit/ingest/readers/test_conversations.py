import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.chats.messages import moment
from graphpalace.ingest.readers.registry import read

OPTIONS = SplitOptions()
NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def documents(name, value, **given):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return list(read(Path(name), options=given.get("options", OPTIONS), data=data))


def node(own_id, parent, text, *, role="user", children=(), **message):
    content = {"content_type": "text", "parts": [text]}
    body = {"author": {"role": role}, "create_time": NOON.timestamp(), "content": content, **message}
    return {own_id: {"id": own_id, "parent": parent, "children": list(children), "message": body}}


def chatgpt(**extra):
    mapping = {
        "root": {"id": "root", "parent": None, "children": ["s"], "message": None},
        **node("s", "root", "", role="system", children=["q"]),
        # The order of the mapping is not that of the conversation.
        **node("new", "q", "The branch shown.", role="assistant"),
        **node("old", "q", "A discarded answer.", role="assistant"),
        **node("q", "s", "A question?", children=["old", "new"]),
    }
    return {"id": "c/1", "title": "Tea", "create_time": 1.0, "current_node": "new", "mapping": mapping, **extra}


def test_chatgpt_gives_the_branch_from_the_root_to_the_current_node():
    (document,) = documents("conversations.json", [chatgpt()])
    assert document.title == "Tea"
    assert document.uri == Path("conversations.json").absolute().as_uri() + "#c%2F1"
    assert [(p.author, p.text, p.occurred_at, p.start_line) for p in document.passages] == [
        ("user", "A question?", NOON, 2),
        ("assistant", "The branch shown.", NOON, 3),
    ]


def test_chatgpt_without_a_current_node_gives_the_last_leaf():
    (document,) = documents("conversations.json", [chatgpt(current_node=None)])
    assert document.passages[-1].text == "A discarded answer."


def test_a_chatgpt_conversation_in_a_circle_ends():
    conversation = chatgpt()
    conversation["mapping"]["q"]["parent"] = "new"
    assert len(documents("x.json", [conversation])[0].passages) == 2


def test_parts_of_a_chatgpt_message_that_are_no_text_are_left_out():
    conversation = chatgpt()
    message = conversation["mapping"]["new"]["message"]
    message["content"]["parts"] = [{"content_type": "image_asset_pointer"}, "Seen.", {"text": "Heard."}]
    conversation["mapping"]["q"]["message"]["metadata"] = {"is_visually_hidden_from_conversation": True}
    assert [p.text for p in documents("x.json", [conversation])[0].passages] == ["Seen.\nHeard."]


def test_a_chatgpt_message_without_a_time_has_that_of_the_one_before_it():
    later = NOON + timedelta(minutes=5)
    mapping = {
        **node("greeting", None, "Good day.", role="assistant", create_time=None, children=["ask"]),
        **node("ask", "greeting", "When is it ready?", create_time=later.timestamp(), children=["wait"]),
        **node("wait", "ask", "In an hour.", role="assistant", create_time=0, children=["more"]),
        **node("more", "wait", "Or two.", role="assistant", create_time=None),
    }
    for began, first in ((NOON, NOON), (later + timedelta(days=1), later)):
        conversation = chatgpt(create_time=began.timestamp(), current_node="more", mapping=mapping)
        (document,) = documents("conversations.json", [conversation])
        assert [p.occurred_at for p in document.passages] == [first, later, later, later]


def cite(*parts):
    return "\ue200" + "\ue202".join(parts) + "\ue201"


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (f"Rye rests{cite('cite', 'turn0search1', 'turn2news0')}. Wheat does not.", "Rye rests. Wheat does not."),
        (f"See the plan {cite('filecite', 'turn0file3', 'L4-L9')}", "See the plan"),
        (f"{cite('i', 'turn0image0', 'turn0image4')}\nA mill.", "A mill."),
        ("\ue203The mill burned\ue204" + cite("cite", "turn1view2") + " in May.", "The mill burned in May."),
        (f"In {cite('entity', json.dumps(['city', 'Ghent', 'Belgium']))} it rains.", "In Ghent it rains."),
        (f"Read {cite('url', 'the almanac', 'https://a.example')}!", "Read the almanac!"),
        ("It was stopped here \ue200cite\ue202turn0sea", "It was stopped here"),
        ("Tar\u301012\u2020harbour.pdf\u3011 and rope\u30104:1\u2020source\u3011.", "Tar and rope."),
        ("The keys \u3010A\u3011 and a dagger \u2020 stay.", "The keys \u3010A\u3011 and a dagger \u2020 stay."),
    ],
)  # fmt: skip
def test_the_marks_of_citations_are_no_part_of_an_answer(answer, kept):
    conversation = chatgpt()
    conversation["mapping"]["new"]["message"]["content"]["parts"] = [answer]
    assert documents("conversations.json", [conversation])[0].passages[-1].text == kept


def test_each_conversation_has_its_own_hash():
    first, second = documents("conversations.json", [chatgpt(), chatgpt(id="c2", title="Coffee")])
    assert first.content_hash != second.content_hash
    assert documents("moved.json", [chatgpt(id="c2", title="Coffee")])[0].content_hash == second.content_hash


CLAUDE = {
    "uuid": "u1",
    "name": "Soup",
    "chat_messages": [
        {"uuid": "m1", "sender": "human", "text": "Hi", "created_at": "2024-03-01T12:00:00.000000Z"},
        {
            "uuid": "m2",
            "sender": "assistant",
            "text": "placeholder",
            "content": [{"type": "text", "text": "Hello."}, {"type": "tool_use", "input": {}}],
            "created_at": "2024-03-01T13:00:00+01:00",
            "attachments": [{"file_name": "a.txt", "extracted_content": "Pasted."}],
        },
    ],
}


def test_claude_gives_every_message_its_author_and_time():
    (document,) = documents("conversations.json", [CLAUDE])
    assert (document.title, document.uri.split("#")[1]) == ("Soup", "u1")
    assert [(p.author, p.text, p.occurred_at) for p in document.passages] == [
        ("human", "Hi", NOON),
        ("assistant", "Hello.", NOON),
        ("assistant", "Pasted.", NOON),
    ]


def test_claude_gives_the_branch_that_was_shown_last():
    def said(own_id, parent, text, **more):
        return {"uuid": own_id, "parent_message_uuid": parent, "sender": "human", "text": text, **more}

    messages = [
        said("a", "00000000-0000-4000-8000-000000000000", "Where is the spade?", created_at="2024-03-01T12:00:00Z"),
        said("b", "a", "In the barn."),
        said("c", "a", "In the shed."),
        said("d", "b", "Which barn?"),
    ]
    for leaf, texts in (
        ("c", ["Where is the spade?", "In the shed."]),
        (None, ["Where is the spade?", "In the barn.", "Which barn?"]),
    ):
        (document,) = documents("x.json", [{"chat_messages": messages, "current_leaf_message_uuid": leaf}])
        assert [p.text for p in document.passages] == texts
        assert {p.occurred_at for p in document.passages} == {NOON}


def test_what_claude_writes_in_place_of_a_tool_is_left_out():
    calls = {
        "sender": "assistant",
        "text": "This block is not supported.",
        "content": [{"type": "tool_use", "input": {}}],
    }
    plain = {"sender": "assistant", "text": "Only here.", "content": []}
    (document,) = documents("x.json", [{"chat_messages": [calls, plain], "created_at": "2024-03-01T12:00:00Z"}])
    assert [(p.text, p.occurred_at) for p in document.passages] == [("Only here.", NOON)]


def open_webui(**history):
    def message(own_id, parent, role, text, **more):
        return {own_id: {"id": own_id, "parentId": parent, "role": role, "content": text, **more}}

    start = int(NOON.timestamp())
    tree = {
        **message("1", None, "user", "How deep do I plant bulbs?", timestamp=start),
        **message("2", "1", "assistant", "As deep as a cellar.", timestamp=start + 4),
        **message("3", "1", "assistant", '<details type="reasoning" done="true">\n> hm\n</details>\nA hand deep.'),
        **message("4", "3", "user", f"And garlic?{cite('cite', 'turn0search0')}", timestamp=start + 60),
        **message("5", "4", "assistant", ""),
    }
    kept = {"title": "Bulbs", "history": {"messages": tree, "currentId": "5", **history}}
    return {"id": "w1", "title": "Bulbs", "chat": kept, "created_at": start}


def test_open_webui_gives_the_branch_that_was_shown_with_speakers_and_times():
    (document,) = documents("chats.json", [open_webui()])
    assert (document.title, document.uri.rpartition("#")[2]) == ("Bulbs", "w1")
    assert [(p.author, p.text, p.occurred_at) for p in document.passages] == [
        ("user", "How deep do I plant bulbs?", NOON),
        ("assistant", "A hand deep.", NOON),
        ("user", "And garlic?", NOON + timedelta(minutes=1)),
    ]


def test_open_webui_without_a_tree_or_a_current_message():
    (other,) = documents("chats.json", [open_webui(currentId="2")])
    assert other.passages[-1].text == "As deep as a cellar."
    (lost,) = documents("chats.json", [open_webui(currentId="gone")])
    assert lost.passages[-1].text == "And garlic?"
    old = {"id": "w2", "chat": {"title": "Old", "messages": [{"role": "user", "content": "Alone."}]}, "created_at": 0}
    assert [(d.title, d.passages[0].text) for d in documents("chats.json", [old])] == [("Old", "Alone.")]
    empty = open_webui(messages={}, currentId=None)
    assert documents("chats.json", [empty])[0].passages == ()


def test_slack_days_have_the_names_of_users_json(tmp_path):
    (tmp_path / "general").mkdir()
    (tmp_path / "users.json").write_text(json.dumps([{"id": "U1", "profile": {"real_name": "Ada"}}]))
    (tmp_path / "channels.json").write_text(json.dumps([{"id": "C1", "name": "general"}]))
    day = [
        {"type": "message", "user": "U1", "text": "Morning", "ts": f"{NOON.timestamp()}00"},
        {"type": "message", "user": "U2", "text": "Hi", "ts": "1709294401.000200"},
        {"type": "message", "subtype": "bot_message", "username": "bot", "text": "Beep", "ts": "x"},
        {"type": "message", "user": "U2", "text": "", "ts": "1709294403.0"},
    ]
    path = tmp_path / "general/2024-03-01.json"
    path.write_text(json.dumps(day))
    (document,) = read(path, options=OPTIONS, folders=("general",))
    assert (document.title, document.uri) == ("#general 2024-03-01", path.as_uri())
    assert [(p.author, p.text) for p in document.passages] == [("Ada", "Morning"), ("U2", "Hi"), ("bot", "Beep")]
    second = NOON + timedelta(seconds=1, microseconds=200)
    assert [p.occurred_at for p in document.passages] == [NOON, second, second]
    assert list(read(tmp_path / "users.json", options=OPTIONS)) == []
    assert list(read(tmp_path / "channels.json", options=OPTIONS)) == []


def test_slack_without_users_json_keeps_the_ids():
    (document,) = documents("general/2024-03-01.json", [{"type": "message", "user": "U1", "text": "Hi", "ts": "1.0"}])
    assert document.passages[0].author == "U1"


def slack(tmp_path, *texts, **entry):
    (tmp_path / "yard").mkdir(exist_ok=True)
    (tmp_path / "users.json").write_text(json.dumps([{"id": "U7", "name": "cleo", "real_name": "Cleo Park"}]))
    (tmp_path / "channels.json").write_text(json.dumps([{"id": "C7", "name": "harvest"}]))
    day = [{"type": "message", "user": "U7", "text": text, "ts": "1.5", **entry} for text in texts]
    path = tmp_path / "yard/2024-03-01.json"
    path.write_text(json.dumps(day))
    (document,) = read(path, options=OPTIONS)
    return [passage.text for passage in document.passages]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<@U7>, <@U9|deb> and <@U8>", "@Cleo Park, @deb and @U8"),
        ("<#C7> <#C7|> <#C9|weeds> <#C8>", "#harvest #harvest #weeds #C8"),
        ("<!here> <!channel> <!everyone|@everyone> <!subteam^S1|@crew>", "@here @channel @everyone @crew"),
        ("5 &lt; 7 &amp;&amp; 7 &gt; 5, &amp;lt; stays", "5 < 7 && 7 > 5, &lt; stays"),
        ("<https://a.example/x?b=1&amp;c=2>", "https://a.example/x?b=1&c=2"),
        ("<https://a.example|the &lt;plan&gt;>", "[the <plan>](https://a.example)"),
        ("<http://a.example|a.example> <mailto:c@a.example|c@a.example> <tel:+491|+491>", "a.example c@a.example +491"),
        ("<!date^1709294400^{date}|1 March> <!date^1709294400^{date}>", "1 March 2024-03-01 12:00 UTC"),
    ],
)  # fmt: skip
def test_slack_messages_read_as_slack_shows_them(tmp_path, written, shown):
    assert slack(tmp_path, written) == [shown]


@pytest.mark.parametrize(
    "event", ["channel_join", "channel_topic", "group_leave", "pinned_item", "bot_add", "tombstone"]
)
def test_what_slack_writes_itself_is_left_out(tmp_path, event):
    assert slack(tmp_path, "<@U7> did it", subtype=event) == []
    assert slack(tmp_path, "hoes", subtype="thread_broadcast") == slack(tmp_path, "hoes") == ["hoes"]


def test_slack_messages_of_programs_that_are_only_attached(tmp_path):
    attached = [{"fallback": "x", "title": "Build 7", "text": "It &amp; its tests pass."}, {"fallback": "Deployed."}]
    said = slack(tmp_path, "", subtype="bot_message", attachments=attached)
    assert said == ["Build 7\nIt & its tests pass.\nDeployed."]


def test_slack_messages_whose_text_is_in_blocks_or_that_are_only_files(tmp_path):
    line = [{"type": "text", "text": "Oats at "}, {"type": "user", "user_id": "U7"}, {"type": "emoji", "name": "tea"}]
    line += [{"type": "link", "url": "https://a.example", "text": "field"}, {"type": "channel", "channel_id": "C7"}]
    items = [{"type": "rich_text_section", "elements": [{"type": "text", "text": text}]} for text in ("rye", "1 < 2")]
    rich = [{"type": "rich_text_section", "elements": line}, {"type": "rich_text_list", "elements": items}]
    blocks = [
        {"type": "rich_text", "elements": rich},
        {"type": "section", "text": {"type": "mrkdwn", "text": "<@U7> &amp; co"}, "fields": [{"text": "Barn: 3"}]},
        {"type": "header", "text": {"type": "plain_text", "text": "Sowing"}},
        {"type": "divider"},
    ]
    said = "Oats at @Cleo Park:tea:[field](https://a.example)#harvest\nrye\n1 < 2\n@Cleo Park & co\nBarn: 3\nSowing"
    assert slack(tmp_path, "", blocks=blocks) == [said]
    assert slack(tmp_path, "as it is", blocks=blocks) == ["as it is"]
    files = [{"name": "a.pdf", "title": "Plan of the yard"}, {"name": "b.png"}, {"mode": "tombstone"}]
    assert slack(tmp_path, "", files=files) == ["Plan of the yard\nb.png"]


def jsonl(*records):
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\r\n" for record in records)


def test_jsonl_gives_one_document_a_conversation_with_the_lines_of_the_file():
    data = jsonl(
        {"role": "user", "content": "One\u2028line", "conversation_id": "a", "timestamp": NOON.timestamp()},
        {"speaker": "Bob", "text": "Two", "session_id": 7, "time": "2024-03-01 12:00"},
        {"author": {"name": "Eve"}, "message": [{"type": "text", "text": "Three"}], "conversation_id": "a"},
        {"sender": "Zed", "content": "Alone", "created_at": int(NOON.timestamp() * 1000)},
    )
    first, second, rest = documents("chat.jsonl", data)
    assert [(p.author, p.text, p.occurred_at, p.start_line, p.end_line) for p in first.passages] == [
        ("user", "One\u2028line", NOON, 1, 1),
        ("Eve", "Three", NOON, 3, 3),
    ]
    assert (second.uri.split("#")[1], second.passages[0].occurred_at) == ("7", NOON)
    assert ("#" in rest.uri, rest.passages[0].author, rest.passages[0].occurred_at) == (False, "Zed", NOON)


def test_jsonl_that_holds_no_messages_is_plain_text():
    (document,) = documents("data.jsonl", b'{"x": 1}\n{"x": 2}\n')
    assert document.passages[0].text == '{"x": 1}\n{"x": 2}'


@pytest.mark.parametrize(
    ("broken", "count"),
    [
        ((b"{broken", b'{"role": "user", "content": "cut o'), 2),
        ((b"plain words", b'["a list"]', b"null"), 3),
        ((b"", b"   "), 0),
    ],
)
def test_broken_lines_of_messages_are_left_out_and_counted(broken, count):
    good = jsonl({"role": "user", "content": "First"}, {"role": "bot", "content": "Second", "session_id": "s"})
    first, last = good.splitlines(keepends=True)
    junk = b"\n".join(broken) + b"\n"
    for data in (first + junk + last, junk + good, good + junk):
        read = documents("chat.jsonl", data)
        assert [document.passages[0].text for document in read] == ["First", "Second"]
        assert [document.broken_lines for document in read] == [count, 0]


def test_a_first_message_without_a_text_does_not_hide_the_others():
    data = jsonl({"role": "assistant", "content": None, "tool_calls": []}, {"role": "user", "content": "Still here."})
    assert [p.text for p in documents("chat.jsonl", data)[0].passages] == ["Still here."]


def test_a_long_message_is_split_and_no_passage_spans_two_messages():
    long = "A sentence of the long message. " * 20
    data = jsonl({"role": "user", "content": long}, {"role": "bot", "content": "ok"}, {"role": "user", "content": "so"})
    (document,) = documents("chat.jsonl", data, options=SplitOptions(max_chars=200))
    authors = [p.author for p in document.passages]
    assert authors == ["user"] * (len(authors) - 2) + ["bot", "user"]
    assert len(authors) > 4
    assert all(len(p.text) <= 200 for p in document.passages)


def test_thousands_of_messages_are_read():
    data = jsonl(*({"role": "user", "content": f"Message {n}", "conversation_id": "a"} for n in range(5000)))
    (document,) = documents("chat.jsonl", data)
    assert len(document.passages) == 5000


def test_half_a_surrogate_pair_in_a_message_is_replaced():
    (document,) = documents("chat.jsonl", b'{"role": "user", "content": "ab\\ud83d cd \\ud83d\\ude00"}')
    assert document.passages[0].text == "ab\ufffd cd 😀"


@pytest.mark.parametrize("value", [[], {}, [1, 2], {"mapping": 1}, "text", [{"a": 1}]])
def test_other_json_is_plain_text(value):
    (document,) = documents("conversations.json", value)
    assert document.media_type == "application/json"
    assert document.passages[0].text == json.dumps(value)


def test_json_with_comments_is_plain_text():
    assert documents("tsconfig.json", b"{ // c\n}")[0].passages[0].text == "{ // c\n}"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b'[{"mapping": {}', "not valid JSON"),
        ([{"mapping": []}], "conversation 0 has no mapping"),
        ([{"mapping": {}}, 5], "conversation 1 has no mapping"),
        ([{"chat_messages": None}], "conversation 0 has no chat_messages"),
        ([{"chat_messages": [3]}], "conversation 0 has no chat_messages"),
        ([{"type": "message", "ts": "1"}, None], "every message must be an object"),
        ([{"chat": {"messages": None}}], "chat 0 has no messages"),
        ([{"chat": {"messages": []}}, {"chat": 3}], "chat 1 has no messages"),
    ],
)
def test_a_malformed_export_is_refused(value, message):
    with pytest.raises(UnreadableDocument, match=message):
        documents("conversations.json", value)


def test_conversations_before_a_malformed_one_are_given():
    stream = read(Path("a.json"), options=OPTIONS, data=json.dumps([CLAUDE, {}]).encode())
    assert next(stream).title == "Soup"
    with pytest.raises(UnreadableDocument):
        next(stream)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-03-01T12:00:00Z", NOON),
        ("2024-03-01T12:00:00", NOON),
        ("2024-03-01T14:00:00+02:00", NOON.astimezone(timezone(timedelta(hours=2)))),
        (NOON.timestamp(), NOON),
        (str(NOON.timestamp()), NOON),
        (int(NOON.timestamp() * 1000), NOON),
        (int(NOON.timestamp() * 10**6), NOON),
        (int(NOON.timestamp() * 10**9), NOON),
        *(
            (value, None)
            for value in (None, True, 0, "0", "soon", "", "nan", float("inf"), 1e300, 10**400, -1e20, [], {})
        ),
    ],
)
def test_times_are_timezone_aware_or_none(value, expected):
    assert moment(value) == expected
