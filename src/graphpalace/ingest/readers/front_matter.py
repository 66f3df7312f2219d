"""Reads the front matter of a note: blocks of YAML or TOML above its text, with title, date, tags and aliases.

PyYAML parses YAML with its base loader, which resolves nothing: every scalar stays the text that was written, and no
tag, date or merge key is ever evaluated. What cannot be parsed is read line by line, as far as its lines tell a value.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:[T-]?(\d\d)(\d\d)(\d\d)?)?")
_SLASHES = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})(.*)", re.DOTALL)
_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(.*)", re.DOTALL)
_PARTS = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d\d?(?::?\d\d)?)?"
)
_LINK = re.compile(r"\[\[(?:[^\]|]*/)?([^\]|/]*)(?:\|[^\]]*)?\]\]")  # a daily note
_EPOCH = re.compile(r"\d{10}(?:\d{3})?")
_IN_WORDS = ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y")
_WEEKDAY = re.compile(r"^[^\W\d_]{3,9}day,?\s+|^(?:mon|tue|wed|thu|fri|sat|sun),?\s+", re.IGNORECASE)
_MOST_CHARS = 65_536  # of a block
_MOST_EVENTS, _MOST_DEPTH = 20_000, 20
_MOST_BLOCKS = 4
_MOST_LABELS, _LABELS_CHARS = 50, 2000  # of tags and of aliases, as each passage is found by all of them
_OPENING = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*(---|\+\+\+)[ \t]*(?:\r\n|\n|\r)")
_CLOSING = {
    "---": re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)"),
    "+++": re.compile(r"(?<=[\r\n])\+\+\+[ \t]*(?=[\r\n]|\Z)"),
}
_HASH_TAGS = re.compile(r"^((?:tags?:|[ \t]*-)[ \t]+)(#[^\s#\"][^\"\n]*)$", re.MULTILINE | re.IGNORECASE)
_NEWLINE = re.compile(r"\r\n|\r")
_KEY = re.compile(r"[\"']?([^\W\d_][\w .@/-]{0,60}?)[\"']?[ \t]*[:=](?:[ \t]+(.*)|$)")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(.*)|$)")
_OTHER = re.compile(r"[ \t]+\S|[ \t]*[#\]})]|\[")  # of a value over several lines; a comment; a table of TOML
_TITLE = ("title",)
_TIMES = ("date", "created", "createdat", "datecreated", "creationdate", "published", "publishedat", "publishdate")
_CHANGED = ("updated", "updatedat", "modified", "datemodified", "lastmod", "lastmodified")
_TAGS = ("tags", "tag", "keywords", "categories", "category")
_ALIASES = ("aliases", "alias")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands above the text of a note.

    Attributes:
        end: Offset of its text.
        title: None if it has none.
        time: With time zone; None if it has none.
        tags: Without `#`, such as `garden/herbs`.
        aliases: Other names of the note.
        kept: From the first block that says more than this to the last; None if none does.
    """

    end: int
    title: str | None = None
    time: datetime | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    kept: tuple[int, int] | None = None


def front_matter(text: str) -> FrontMatter:
    """Return the front matter of a note; one that ends at 0 if it has none.

    A rule, with prose between it and the next one, is no front matter. A second block that follows at once is a part of
    it; what the first one says counts.
    """
    end = 0
    values: dict[str, Any] = {}
    kept: tuple[int, int] | None = None
    for number in range(_MOST_BLOCKS):
        opening = _OPENING.match(text, end)
        closing = opening and _CLOSING[opening[1]].search(text, opening.end(), opening.end() + _MOST_CHARS)
        if not opening or not closing:
            break
        block = _NEWLINE.sub("\n", text[opening.end() : closing.start()])
        if number and not block.strip():
            break
        read = _toml(block) if opening[1] == "+++" else _yaml(block)
        found = _lines(block) if read is None else read
        if found is None:
            break
        end = closing.end()
        told = {_plain(key): value for key, value in found.items()}
        if read is None or not all(_is_told(key, value) for key, value in told.items()):
            kept = (kept[0] if kept else opening.end(), closing.start())
        values = told | values
    labels = {name: tuple(_labels(values, keys)) for name, keys in (("tags", _TAGS), ("aliases", _ALIASES))}
    return FrontMatter(
        end,
        next((title for key in _TITLE if (title := _scalar(values.get(key)))), None),
        next((time for key in _TIMES if (time := note_date(_scalar(values.get(key))))), None),
        kept=kept,
        **labels,
    )


def _yaml(block: str) -> dict[str, Any] | None:
    """Return the mapping of a block; None if it is no mapping, or larger or deeper than front matter is."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    depth = 0
    block = _HASH_TAGS.sub(r'\1"\2"', block)  # `- #boats` would be a comment
    try:
        for number, event in enumerate(yaml.parse(block, Loader=loader)):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _MOST_DEPTH or number > _MOST_EVENTS or isinstance(event, yaml.AliasEvent):
                return None
        value = yaml.load(block, Loader=loader)  # noqa: S506  the base loader makes texts, lists and mappings only
    except (yaml.YAMLError, ValueError):
        return None
    return {} if value is None or value == "" else value if isinstance(value, dict) else None


def _toml(block: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(block)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _lines(block: str) -> dict[str, Any] | None:
    """Return what the lines of a damaged block tell; None if a line of it is prose."""
    found: dict[str, Any] = {}
    last = ""
    for line in block.split("\n"):
        if (item := _ITEM.fullmatch(line)) and isinstance(found.get(last, []), list):
            found.setdefault(last, []).append(item[1] or "")
        elif key := _KEY.fullmatch(line):
            last = key[1]
            if key[2]:
                found[last] = _value(key[2])
        elif line.strip() and not _OTHER.match(line):
            return None
    found.pop("", None)
    return found or None


def _value(written: str) -> Any:
    """Return a value of a damaged block: a text, or the items of a list in brackets that may not be closed."""
    written = written.strip()
    if written.startswith("["):
        return [part.strip().strip("\"'") for part in written.strip("[]").split(",")]
    return written


def _plain(key: Any) -> str:
    return re.sub(r"[ _-]", "", str(key)).casefold()


def _is_told(key: str, value: Any) -> bool:
    """Return whether a value is told as title, time, tags or aliases, so that the block need not be kept for it."""
    if key in _TITLE:
        return _scalar(value) != "" or value in (None, "")
    if key in _TIMES:
        return note_date(_scalar(value)) is not None or value in (None, "")
    if key in _TAGS + _ALIASES:
        items = [] if value in (None, "") else _items(value)
        fits = len(items) <= _MOST_LABELS and sum(len(_scalar(item)) for item in items) <= _LABELS_CHARS
        return fits and all(_scalar(item) or item in (None, "") for item in items)
    return key in _CHANGED and _scalar(value) != ""


def _labels(values: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the tags or aliases under some keys, each once. A text may have several tags, apart by commas or blanks."""
    seen: set[str] = set()
    for key in keys:
        value = values.get(key)
        parts: list[Any] = _items(value)
        if isinstance(value, str):
            parts = re.split(r"," if "," in value or key not in ("tags", "tag") else r"\s+", value)
        for part in parts:
            label = " ".join(_scalar(part).split())
            label = label.lstrip("#") if key in _TAGS else label
            fits = len(seen) < _MOST_LABELS and sum(map(len, seen)) + len(label) <= _LABELS_CHARS
            if label and label not in seen and fits:
                seen.add(label)
                yield label


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _scalar(value: Any) -> str:
    """Return a value as it was written; "" if it is none, a list or a mapping."""
    if isinstance(value, str):
        return value.strip().strip("\"'") if value.strip()[:1] in "\"'" else value.strip()
    if isinstance(value, datetime | date):  # of TOML
        return value.isoformat()
    return "" if value is None or isinstance(value, list | Mapping) else str(value)


def note_date(written: str) -> datetime | None:
    """Return the moment that a date means; None if it is none, or may mean two days, as 3/4/2025 does.

    A date without a time is its first moment, and a time without a zone is in UTC, as everywhere.

    >>> note_date("2025-03-02").isoformat(), note_date("March 2, 2025") == note_date("2.3.2025")
    ('2025-03-02T00:00:00+00:00', True)
    """
    written = _LINK.sub(r"\1", written.strip())
    if found := _EPOCH.fullmatch(written):
        return datetime.fromtimestamp(int(written) / (1000 if len(found[0]) == 13 else 1), UTC)
    if found := _COMPACT.fullmatch(written):
        written = "{}-{}-{}".format(*found.groups()) + (f" {found[4]}:{found[5]}" if found[4] else "")
    elif found := _SLASHES.fullmatch(written):
        written = "{}-{}-{}{}".format(*found.groups())
    elif found := _DOTS.fullmatch(written):
        written = f"{found[3]}-{found[2]}-{found[1]}{found[4]}"
    return _numeric(written) or _in_words(written)


def _numeric(written: str) -> datetime | None:
    found = _PARTS.fullmatch(written)
    if not found:
        return None
    day = f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"
    time = found[4] and found[4].zfill(len(found[4]) + (found[4].index(":") == 1))
    zone = found[5] or ""
    if zone[:1] in ("+", "-"):
        digits = zone[1:].replace(":", "")
        hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "00")
        zone = f"{zone[0]}{hours.zfill(2)}:{minutes}"
    try:
        read = datetime.fromisoformat(f"{day}T{time or '00:00'}{'+00:00' if zone in ('', 'Z', 'UTC') else zone}")
    except ValueError:
        return None
    return read.astimezone(UTC) if 1 < read.year < 9999 else None


def _in_words(written: str) -> datetime | None:
    plain = " ".join(re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|[,.]", " ", _WEEKDAY.sub("", written)).split())
    for form in _IN_WORDS:
        try:
            return datetime.strptime(plain, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
