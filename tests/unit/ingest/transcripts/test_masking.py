"""Secrets are masked, and nothing else is. The tokens here are made up, and joined so that no scanner finds them."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.ingest.transcripts.masking import masked, secret_forms

_ALNUM = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5kL7nP9rS1tV3xY5zA7cE9gI1kM3oQ5"
_HEX = "0123456789abcdef" * 4


def _part(value: dict[str, str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


_BEGIN, _END = "-----BEGIN " + "RSA PRIVATE KEY-----", "-----END " + "RSA PRIVATE KEY-----"
_SECRETS = {
    "AWS key": "AKIA" + "IOSFODNN7EXAMPLQ",
    "GitHub token": "ghp" + "_" + _ALNUM[:36],
    "GitLab token": "glpat" + "-" + _ALNUM[:20],
    "Anthropic key": "sk-" + "ant-api03-" + _ALNUM,
    "OpenAI key": "sk-" + "proj-" + _ALNUM,
    "Google key": "AI" + "za" + _ALNUM[:35],
    "Hugging Face token": "hf" + "_" + _ALNUM[:34],
    "Slack token": "xo" + "xb-" + "123456789012-123456789012-" + _ALNUM[:24],
    "Stripe key": "sk" + "_live_" + _ALNUM[:24],
    "npm token": "npm" + "_" + _ALNUM[:36],
    "SendGrid key": "SG" + "." + _ALNUM[:22] + "." + _ALNUM[:43],
    "DigitalOcean token": "dop" + "_v1_" + _HEX,
    "JSON Web Token": ".".join([_part({"alg": "HS256"}), _part({"sub": "ann"}), _ALNUM[:43]]),
    "private key": f"{_BEGIN}\nMIIEowIBAAKCAQEA{_ALNUM}\n{_ALNUM}\n{_END}",
}


@pytest.mark.parametrize("begin", ["sk-", "sk-garden-", "sk-" + "a_b-C9" * 4])
def test_an_older_key_of_openai_is_masked_with_and_without_a_name(begin: str) -> None:
    key = begin + _ALNUM[:20] + "T3Blbk" + "FJ" + _ALNUM[20:40]
    assert masked(f"use {key}.") == ("use [masked: OpenAI key].", {"OpenAI key": 1})


@pytest.mark.parametrize("kind", _SECRETS)
def test_a_secret_of_a_known_form_is_masked_and_the_words_around_it_stay(kind: str) -> None:
    for before, after in (("use ", " for it."), ('key = "', '"\n'), ("(", ")"), ("", "")):
        assert masked(before + _SECRETS[kind] + after) == (f"{before}[masked: {kind}]{after}", {kind: 1})


def test_only_the_secret_part_of_a_line_is_masked() -> None:
    assert masked("postgres://ann:" + "hunter2" + "@db/x")[0] == "postgres://ann:[masked: password in a URL]@db/x"
    header = "Authorization: Bearer " + _ALNUM[:40]
    assert masked(f"curl -H '{header}' u")[0] == "curl -H 'Authorization: Bearer [masked: authorization header]' u"
    assert masked("export DB_PASSWORD=" + "correct9horse" + "\nnext")[0] == (
        "export DB_PASSWORD=[masked: value of a secret variable]\nnext"
    )


def test_a_private_key_that_is_cut_off_is_masked_and_the_words_that_follow_stay() -> None:
    assert masked(f"{_BEGIN}\nMIIEowIBAAKCAQEA{_ALNUM}\n\nWhat is it?")[0] == "[masked: private key]\n\nWhat is it?"
    named = f"A file that begins with {_BEGIN} is a key."
    assert masked(named) == (named, {})


@pytest.mark.parametrize(
    "plain",
    [
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "uuid 0f8fad5b-d9cb-469f-a165-70867728950e",
        'password = getpass("password: ")',
        "MAX_TOKENS=100000",
        "API_KEY=os.environ['API_KEY']",
        "API_KEY=<your key>",
        "token: str | None = None",
        "the skeleton key of hf_hub_download",
        "https://example.com:8080/a@b",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "eyJhbGciOiJ and so on",
    ],
)
def test_hashes_ids_and_code_stay_as_they_are(plain: str) -> None:
    assert masked(plain) == (plain, {})


def test_several_secrets_are_counted_by_kind() -> None:
    text = f"{_SECRETS['AWS key']} {_SECRETS['GitHub token']} {_SECRETS['AWS key']}"
    assert masked(text)[1] == {"AWS key": 2, "GitHub token": 1}


@given(st.text(), st.sampled_from(sorted(_SECRETS)), st.text())
def test_whatever_stands_around_a_secret_it_is_never_stored(before: str, kind: str, after: str) -> None:
    text, counts = masked(f"{before} {_SECRETS[kind]} {after}")
    assert _SECRETS[kind] not in text
    assert sum(counts.values()) >= 1


@given(st.text())
def test_what_is_masked_once_is_not_changed_by_masking_it_again(text: str) -> None:
    once = masked(text)[0]
    assert masked(once)[0] == once


def test_every_form_has_a_kind_that_people_can_read() -> None:
    assert all(form.kind and form.kind == form.kind.strip() for form in secret_forms())
