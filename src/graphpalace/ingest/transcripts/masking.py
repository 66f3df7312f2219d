"""Masks secrets in texts before they are stored, and counts those that were masked.

The forms of secrets are those of the package detect-secrets that are fixed, and some that it does not know. Rules that
judge by randomness, or by a word such as `password` beside a value, are left out: they would mask hashes, ids and
code. A form matches only what stands alone, not a part of a longer word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

_MODULES = {
    "aws": "AWSKeyDetector",
    "azure_storage_key": "AzureStorageKeyDetector",
    "basic_auth": "BasicAuthDetector",
    "discord": "DiscordBotTokenDetector",
    "github_token": "GitHubTokenDetector",
    "gitlab_token": "GitLabTokenDetector",
    "mailchimp": "MailchimpDetector",
    "pypi_token": "PypiTokenDetector",
    "sendgrid": "SendGridDetector",
    "slack": "SlackDetector",
    "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector",
    "telegram_token": "TelegramBotTokenDetector",
}
_KINDS = {
    "AWS Access Key": "AWS key",
    "Azure Storage Account access key": "Azure Storage key",
    "Basic Auth Credentials": "password in a URL",
    "Discord Bot Token": "Discord token",
    "Mailchimp Access Key": "Mailchimp key",
    "SendGrid API Key": "SendGrid key",
    "Slack Token": "Slack token",
    "Square OAuth Secret": "Square secret",
    "Stripe Access Key": "Stripe key",
    "Telegram Bot Token": "Telegram token",
    "GitHub Token": "GitHub token",
    "GitLab Token": "GitLab token",
    "PyPI Token": "PyPI token",
}
_PREFIX_IN_GROUP = frozenset({"github_token", "gitlab_token"})  # their only group is a prefix of the token
# What the package does not know, as their makers document it.
_OWN = (
    # whole, or cut off after some of its lines
    (
        "private key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-(?!----BEGIN )){0,20000}?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|"
        r"(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,}…?)+)",
    ),
    ("private key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("JSON Web Token", r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}"),
    ("Anthropic key", r"sk-ant-[A-Za-z0-9_-]{24,}"),
    ("OpenAI key", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}"),
    # bounded, as that of the package reads the rest of a long word again for each `sk-` in it
    ("OpenAI key", r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{0,100}?[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    ("AI key", r"sk-(?:or-v1-[0-9a-f]{64}|lf-[0-9a-f-]{36})"),
    ("Google key", r"AIza[0-9A-Za-z_-]{35}"),
    ("Google secret", r"GOCSPX-[0-9A-Za-z_-]{28}"),
    ("Google token", r"ya29\.[0-9A-Za-z_-]{30,}"),
    ("GitHub token", r"github_pat_[0-9A-Za-z_]{60,}"),
    ("Hugging Face token", r"hf_[A-Za-z0-9]{30,}"),
    ("npm token", r"npm_[A-Za-z0-9]{36}"),
    ("npm token", r"_authToken\s*=\s*([^\s\"'$]{16,})"),
    ("Slack token", r"xapp-\d-[A-Z0-9]+-\d+-[0-9a-f]{32,}"),
    ("Stripe key", r"[sr]k_(?:test|live)_[0-9A-Za-z]{24,}"),
    ("webhook secret", r"whsec_[0-9A-Za-z+/=]{32,}"),
    ("DigitalOcean token", r"do[opr]_v1_[0-9a-f]{64}"),
    ("Databricks token", r"dapi[0-9a-f]{32}(?:-\d)?"),
    ("Shopify token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("Docker token", r"dckr_pat_[0-9A-Za-z_-]{27,}"),
    ("HashiCorp Vault token", r"hv[sb]\.[0-9A-Za-z_-]{24,}"),
    ("Grafana token", r"gl(?:sa_[0-9A-Za-z]{32}_[0-9a-f]{8}|c_[0-9A-Za-z+/=]{32,})"),
    ("Twilio key", r"SK[0-9a-f]{32}"),
    ("Linear key", r"lin_api_[0-9A-Za-z]{40}"),
    ("Notion token", r"(?:ntn_[0-9A-Za-z]{40,}|secret_[0-9A-Za-z]{43})"),
    (
        "authorization header",
        r"(?i:\bauthorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+)([A-Za-z0-9._~+/=-]{16,})",
    ),
    # DB_PASSWORD=… as in a file of environment variables; the value has a letter and a digit, and is no expression
    (
        "value of a secret variable",
        r"\b(?:[A-Z0-9]+_)*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|APIKEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS)"
        r"=[\"']?((?=[^\s\"'0-9]{0,200}[0-9])(?=[^\s\"'A-Za-z]{0,200}[A-Za-z])[^\s\"'$<>{}()\[\],;`]{8,})",
    ),
)
MARK = "[masked: "  # how a mark begins; the kind of the secret and a bracket follow


def masked(text: str) -> tuple[str, Counter[str]]:
    """Return a text with each secret replaced by what it was, and how many there were of each kind.

    >>> masked("postgres://ann:" + "hunter2" + "@db/main")
    ('postgres://ann:[masked: password in a URL]@db/main', Counter({'password in a URL': 1}))
    """
    found: list[tuple[int, int, str]] = []
    for form in secret_forms():
        found += [(start, end, form.kind) for start, end in form.spans(text)]
    counts: Counter[str] = Counter()
    parts: list[str] = []
    done = 0
    for start, end, kind in sorted(found, key=lambda one: (one[0], -one[1])):
        if end <= done:  # inside of one that is masked already
            continue
        if start >= done:
            parts += [text[done:start], f"{MARK}{kind}]"]
            counts[kind] += 1
        done = end  # two that overlap are masked as one
    return "".join([*parts, text[done:]]), counts


def count_marks(marks: Iterable[str]) -> Counter[str]:
    """Return how many marks there are of each kind of secret.

    Args:
        marks: What stands in each mark after its beginning. What only looks like a mark is not counted.

    >>> count_marks(["password in a URL", "my name"])
    Counter({'password in a URL': 1})
    """
    kinds = {form.kind for form in secret_forms()}
    return Counter(mark for mark in marks if mark in kinds)


@dataclass(frozen=True, slots=True)
class SecretForm:
    """The form of one kind of secret.

    Attributes:
        pattern: What is looked for.
        whole: Whether all that matches is the secret; else its first group is.
    """

    kind: str
    pattern: re.Pattern[str]
    whole: bool

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where a text has such secrets."""
        for match in self.pattern.finditer(text):
            start, end = match.span(0 if self.whole else 1)
            alone = not (_is_word(text[start - 1 : start]) and _is_word(text[start : start + 1])) and not (
                _is_word(text[end - 1 : end]) and _is_word(text[end : end + 1])
            )
            if end > start and alone:
                yield start, end


@lru_cache(maxsize=1)
def secret_forms() -> tuple[SecretForm, ...]:
    """Return all forms. What is longer in a text, such as a whole block of a key, comes first."""
    return (*_own(), *_known())


def _own() -> Iterator[SecretForm]:
    for kind, form in _OWN:
        pattern = re.compile(form, re.DOTALL)
        yield SecretForm(kind, pattern, not pattern.groups)


def _known() -> Iterator[SecretForm]:
    from importlib import import_module

    for module, name in _MODULES.items():
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        kind = _KINDS.get(str(detector.secret_type), str(detector.secret_type))
        for pattern in detector.denylist:
            whole = not pattern.groups or module in _PREFIX_IN_GROUP
            yield SecretForm(kind, pattern, whole)


def _is_word(character: str) -> bool:
    return character.isalnum()
