"""What is shown of texts: without the signs that nobody sees, and with counts in sentences.

Stored texts may hold signs that nobody sees, or that change what is seen. Controls move the cursor of a terminal or set
its title. Bidirectional signs turn words around. Signs without width hide a text from people that a model reads, and
make two names look the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

# Controls but tab and the ends of lines; lone surrogates; signs of formatting, among them those of direction; fillers,
# selectors of variants and tags. Arabic signs of numbers are of the category of formatting, but are seen.
_ALWAYS = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Persian words and emoji are joined and parted by these, each between two signs that are not ASCII.
_JOINS = "\u200c\u200d"
_OF_EMOJI = "\ufe0e\ufe0f"  # whether a sign is shown as an emoji
_SEEN_FOREIGN = rf"[^\x00-\x7f\s{_ALWAYS}{_JOINS}]"
HIDDEN = re.compile(
    rf"[{_ALWAYS}]"
    rf"|(?<!{_SEEN_FOREIGN})[{_JOINS}]|[{_JOINS}](?!{_SEEN_FOREIGN})"
    rf"|(?<![^\x00-\x7f\s{_ALWAYS}{_JOINS}{_OF_EMOJI}])(?<![0-9#*])[{_OF_EMOJI}]"
    r"|\r(?!\n)"
)


def without_hidden(text: str, shown: Callable[[str], str]) -> str:
    """Return a text with something else in the place of each hidden sign.

    Args:
        shown: Returns what is shown for a sign.
    """
    return HIDDEN.sub(lambda found: shown(found[0]), text)


def visible(text: str) -> str:
    r"""Return a text as a terminal may show it: hidden signs as JSON spells them out. Tabs and ends of lines stay.

    >>> visible("a\x1b[2Jb\u202ec\n")
    'a\\u001b[2Jb\\u202ec\n'
    """
    return without_hidden(text, lambda sign: json.dumps(sign)[1:-1])


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, which is plural unless the number is 1.

    >>> counted(1, "lesson"), counted(0, "lesson"), counted(2, "box", "boxes")
    ('1 lesson', '0 lessons', '2 boxes')
    """
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"
