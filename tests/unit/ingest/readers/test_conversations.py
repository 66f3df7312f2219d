import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from graphpalace.domain.split_options import SplitOptions
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
    assert [p.occurred_at for p in document.passages] == [NOON, NOON + timedelta(seconds=1, microseconds=200), None]
    assert list(read(tmp_path / "users.json", options=OPTIONS)) == []
    assert list(read(tmp_path / "channels.json", options=OPTIONS)) == []


def test_slack_without_users_json_keeps_the_ids():
    (document,) = documents("general/2024-03-01.json", [{"type": "message", "user": "U1", "text": "Hi", "ts": "1.0"}])
    assert document.passages[0].author == "U1"


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
        ("Eve", "Three", None, 3, 3),
    ]
    assert (second.uri.split("#")[1], second.passages[0].occurred_at) == ("7", NOON)
    assert ("#" in rest.uri, rest.passages[0].author, rest.passages[0].occurred_at) == (False, "Zed", NOON)


def test_jsonl_that_holds_no_messages_is_plain_text():
    (document,) = documents("data.jsonl", b'{"x": 1}\n{"x": 2}\n')
    assert document.passages[0].text == '{"x": 1}\n{"x": 2}'


def test_a_broken_line_of_messages_is_named():
    data = jsonl({"role": "user", "content": "Hi"}) + b"\n{broken\n"
    with pytest.raises(UnreadableDocument, match=r"chat\.jsonl, line 3 is not a JSON object"):
        documents("chat.jsonl", data)


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
        *((value, None) for value in (None, True, "soon", "", "nan", float("inf"), 1e300, 10**400, -1e20, [], {})),
    ],
)
def test_times_are_timezone_aware_or_none(value, expected):
    assert moment(value) == expected
