"""A language model behind an OpenAI-compatible endpoint, and the JSON in what it answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from graphpalace.errors import GraphPalaceError, SettingsInvalid
from graphpalace.telemetry.model_calls import model_call

_REFUSED = (400, 422)


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """How an endpoint is reached.

    Attributes:
        named: What the names of these settings begin with, for messages, such as "reports.".
        url_named: The name of the setting of the address, for messages.
    """

    base_url: str
    api_key: str
    model: str
    timeout_s: float
    max_output_tokens: int
    named: str
    url_named: str


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a model wrote.

    Attributes:
        content: None if the answer is not in the form of the protocol.
        cut_off: Whether it ended because it became too long.
        status: The HTTP status.
    """

    content: str | None
    cut_off: bool
    status: int


class ChatEndpoint:
    """Asks a language model for JSON. Several callers can use one endpoint at the same time."""

    def __init__(self, settings: ChatSettings, *, what: str, failed: type[GraphPalaceError], retries: int = 2) -> None:
        """Set up the endpoint; nothing is sent yet.

        Args:
            what: What the endpoint is for, for messages, such as "report".
            failed: The error of an endpoint that fails.
            retries: How often to retry a failed connection.

        Raises:
            SettingsInvalid: If the address is not a URL, or the key cannot be sent in a header.
        """
        self._settings = settings
        self._what = what
        self._error = failed
        self._options: dict[str, Any] = {
            "response_format": {"type": "json_object"},
            "max_tokens": settings.max_output_tokens,
        }
        key = settings.api_key
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise SettingsInvalid(
                f"{settings.named}api_key has a character that a header cannot contain; it must be printable ASCII, no "
                "spaces",
                field=f"{settings.named}api_key",
            )
        try:
            self._client = httpx.AsyncClient(
                base_url=settings.base_url.rstrip("/") + "/",
                headers={"Authorization": f"Bearer {key}"} if key else {},
                timeout=settings.timeout_s,
                transport=httpx.AsyncHTTPTransport(retries=retries),
            )
        except httpx.InvalidURL as error:
            raise SettingsInvalid(f"{settings.url_named} is not a URL: {error}", field=settings.url_named) from None
        self._url = str(self._client.base_url.copy_with(userinfo=b"").join("chat/completions"))

    async def ask(self, messages: Sequence[Mapping[str, str]]) -> ChatAnswer:
        """Return what the model answers.

        Raises:
            GraphPalaceError: The error of this endpoint, if it cannot be reached, does not answer in time, or refuses.
        """
        timeout_s = self._settings.timeout_s
        try:
            with model_call(self._settings.model, self._what, texts=len(messages)):
                answer = await asyncio.wait_for(self._asked(messages), timeout_s)
        except (TimeoutError, httpx.TimeoutException):
            raise self.failed(
                f"gave no answer in {timeout_s:g} s ({self._settings.named}timeout_s)", timed_out=True
            ) from None
        except httpx.HTTPError as error:  # only its type: its text may contain headers, and so the key
            raise self.failed(f"failed: {type(error).__name__}") from None
        try:
            choice = answer.json()["choices"][0]
            content, ended = choice["message"]["content"], choice.get("finish_reason")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            return ChatAnswer(None, False, answer.status_code)
        return ChatAnswer(content if isinstance(content, str) else None, ended == "length", answer.status_code)

    def failed(self, what: str, **detail: Any) -> GraphPalaceError:
        """Return the error that says what went wrong. It has the address, but never the key."""
        return self._error(f"the {self._what} endpoint {self._url} {what}", url=self._url, **detail)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def _asked(self, messages: Sequence[Mapping[str, str]]) -> httpx.Response:
        """Return the endpoint's answer. An option that the endpoint refuses is not sent again."""
        while True:
            asked = {"model": self._settings.model, "messages": list(messages), **self._options}
            answer = await self._client.post("chat/completions", json=asked)
            if answer.status_code not in _REFUSED or not self._gave_up_option(asked, answer.text):
                break
        if not answer.is_success:
            raise self.failed(f"answered with status {answer.status_code}", status=answer.status_code)
        return answer

    def _gave_up_option(self, asked: dict[str, Any], refusal: str) -> bool:
        if "max_tokens" in asked and "max_completion_tokens" in refusal:  # the newer name of the same limit
            name, instead = "max_tokens", {"max_completion_tokens": asked["max_tokens"]}
        elif "response_format" in asked and "response_format" in refusal:
            name, instead = "response_format", {}
        else:
            return False
        self._options = {option: value for option, value in self._options.items() if option != name} | instead
        return True


def first_object(
    answer: str, wanted: Callable[[dict[str, Any]], bool], *, chars: int, tries: int
) -> dict[str, Any] | None:
    """Return the first JSON object of an answer that is wanted; None if there is none.

    Args:
        chars: How much of the answer is read.
        tries: How many opening braces are tried.

    >>> first_object('Yes: {} and {"facts": []}.', lambda found: "facts" in found, chars=100, tries=10)
    {'facts': []}
    """
    answer, decoder, start = answer[:chars], json.JSONDecoder(), -1
    for _ in range(tries):
        start = answer.find("{", start + 1)
        if start < 0:
            return None
        try:
            found, _end = decoder.raw_decode(answer, start)
        except (ValueError, RecursionError):
            continue
        if wanted(found):
            return found
    return None
