"""The reader of each memory that a palace can take in; that of MemPalace has a module of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from graphpalace.client.moving_in.mempalace import read_mempalace
from graphpalace.client.moving_in.records import Blank, Foreign, ForeignConversation, ForeignText, read_json, text_or
from graphpalace.domain.conversations import ASSISTANT, USER
from graphpalace.domain.identity import place_name
from graphpalace.errors import InvalidInput, NotFound


def read_mem0(path: Path, *, wing: str | None) -> Iterator[Foreign]:
    """Yield a drawer for each memory: in the wing of its user, and in the room of its agent or its first category.

    Args:
        path: A file with `{"results": [{"memory": ..., "user_id": ...}]}`, or the list alone.
        wing: Put everything into this wing.

    Raises:
        NotFound: If there is no such file.
        InvalidInput: If it is not JSON of this form.
    """
    found = read_json(path)
    listed = found.get("results", found.get("memories")) if isinstance(found, dict) else found
    if not isinstance(listed, list):
        raise InvalidInput(f"{path} has no list `results` with memories of mem0", field="path")
    for memory in listed:
        if not isinstance(memory, dict):
            yield Blank()
            continue
        owners = [text_or(memory.get(name)) for name in ("user_id", "agent_id", "app_id")]
        own = [owner for owner in owners if owner]
        yield ForeignText(
            text_or(memory.get("memory"), text_or(memory.get("text"))),
            wing or (own[0] if own else "mem0"),
            _room(memory, own),
            uri=f"mem0:{memory['id']}" if text_or(memory.get("id")) else "",
            occurred_at=memory.get("created_at"),
            key=text_or(memory.get("id")) or None,
        ).record()


def _room(memory: dict[str, Any], owners: list[str]) -> str:
    if len(owners) > 1:
        return owners[1]
    metadata = memory.get("metadata")
    category = metadata.get("category") if isinstance(metadata, dict) else None
    categories = memory.get("categories")
    first = categories[0] if isinstance(categories, list) and categories else None
    return text_or(first, text_or(category, "memories"))


_FILES = ("projects.json", "memories.json", "conversations.json")
_SPEAKERS = {"human": USER, "assistant": ASSISTANT}


def read_claude_export(path: Path, *, wing: str | None) -> Iterator[Foreign]:
    """Yield conversations, and drawers for memories, instructions and documents of projects.

    Args:
        path: The folder of the export, or one of its files.
        wing: Where to put what belongs to no project; None: into the wing `claude`.

    Raises:
        NotFound: If there is no such file.
        InvalidInput: If a file is not JSON of this form.
    """
    paths = [path] if path.is_file() else [path / name for name in _FILES if (path / name).is_file()]
    if not paths:
        raise NotFound(f"{path} has none of {', '.join(_FILES)} of an export of Claude", path=str(path))
    names: dict[str, str] = {}
    for file in paths:
        found = read_json(file)
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise InvalidInput(f"{file} is not a list of objects, as an export of Claude has it", field="path")
        for one in found:
            if "chat_messages" in one:
                yield _conversation(one)
            elif "conversations_memory" in one or "project_memories" in one:
                yield from _memories(one, wing or "claude", names)
            else:
                names[text_or(one.get("uuid"))] = text_or(one.get("name"), "claude")
                yield from _project(one)


def _conversation(one: dict[str, Any]) -> ForeignConversation | Blank:
    from graphpalace.ingest.readers.chats.messages import moment, text_of

    messages: list[dict[str, Any]] = []
    said = one.get("chat_messages")
    for message in said if isinstance(said, list) else []:
        if not isinstance(message, dict):
            continue
        texts = [text_of(message.get("content")) or text_of(message.get("text"))]
        attached = message.get("attachments")
        texts += [text_of(file.get("extracted_content")) for file in attached or [] if isinstance(file, dict)]
        speaker = text_or(message.get("sender"), "unknown")
        for number, text in enumerate(texts):
            if text.strip():
                given = {
                    "speaker": _SPEAKERS.get(speaker, speaker),
                    "text": text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
                    "time": moment(message.get("created_at")),
                    "id": f"{message['uuid']}{f'/{number}' if number else ''}" if message.get("uuid") else None,
                }
                messages.append({name: value for name, value in given.items() if value is not None})
    return ForeignConversation(text_or(one.get("uuid"), text_or(one.get("name"), "unnamed")), messages)


def _memories(one: dict[str, Any], wing: str, names: dict[str, str]) -> Iterator[Foreign]:
    yield from _pieces(text_or(one.get("conversations_memory")), wing, "memories", "claude:memories", None)
    projects = one.get("project_memories")
    for project, text in (projects if isinstance(projects, dict) else {}).items():
        name = names.get(project, f"claude project {project}")
        yield from _pieces(text_or(text), name, "memories", f"claude:memories/{project}", None)


def _project(one: dict[str, Any]) -> Iterator[Foreign]:
    name, uri = text_or(one.get("name"), "claude"), f"claude:projects/{one.get('uuid')}"
    made = one.get("created_at")
    for part in ("description", "prompt_template"):
        yield from _pieces(text_or(one.get(part)), name, "instructions", f"{uri}/{part}", made)
    documents = one.get("docs")
    for document in documents if isinstance(documents, list) else []:
        if isinstance(document, dict):
            title = text_or(document.get("filename"), "document")
            place = f"{uri}/{document.get('uuid') or title}"
            made = document.get("created_at") or one.get("created_at")
            yield from _pieces(text_or(document.get("content")), name, "documents", place, made, title=title)


def _pieces(text: str, wing: str, room: str, uri: str, made: Any, *, title: str = "") -> Iterator[Foreign]:
    """Yield a drawer for each passage of a text, as an ingest splits it."""
    from graphpalace.domain.drawers.files import SplitOptions
    from graphpalace.ingest.split import split_section

    for passage in split_section(text, 1, (), SplitOptions(), kind="markdown"):
        yield ForeignText(passage.text, wing, room, title=title, uri=uri, occurred_at=made).record()


ORIGINS: Mapping[str, Callable[..., Iterator[Foreign]]] = {
    "mempalace": read_mempalace,
    "mem0": read_mem0,
    "claude": read_claude_export,
}


def read_origin(path: Path, origin: str, *, wing: str | None = None) -> Iterator[Foreign]:
    """Return what another memory keeps.

    Raises:
        InvalidInput: If the origin is not known, or the name of the wing is not valid.
        NotFound: If the path does not exist.
    """
    if origin not in ORIGINS:
        raise InvalidInput(f"origin is {origin!r}; it must be one of {', '.join(ORIGINS)}", field="origin")
    if wing is not None:
        place_name("wing", wing)
    found = path.expanduser()
    if not found.exists():
        raise NotFound(f"{path} does not exist", path=str(path))
    return ORIGINS[origin](found, wing=wing)
