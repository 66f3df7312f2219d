"""Checks of the settings: the file, the environment, who can read what is secret, and proxies."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import socket
import stat
from collections.abc import Iterator
from urllib import request
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr

from graphpalace.client import service_file
from graphpalace.serve.cli.doctor.check import Check, Installation, run
from graphpalace.serve.http.pages.own_pages import is_loopback
from graphpalace.settings.home import setting_text, settings_file
from graphpalace.settings.load import Settings
from graphpalace.settings.setting import ENVIRONMENT_PREFIX

_OTHER_VARIABLES = {"GRAPHPALACE_CONFIG", "GRAPHPALACE_CACHE_DIR"}
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_PROXY_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}
_CONNECT_S = 2.0


def settings_are_valid(of: Installation) -> Iterator[Check]:
    """Name every mistake in the settings, with its line or its variable."""
    for problem in of.problems:
        variable = re.match(rf"{ENVIRONMENT_PREFIX}_\w+", problem)
        fix = f"correct or unset {variable[0]}" if variable else "correct this line; docs/reference/settings.md has all"
        yield Check("Settings", "bad", problem, fix)
    if not of.problems:
        path = settings_file(of.config)
        yield Check("Settings", "good", str(path.absolute()) if path else "no file, so the defaults")


def variables_are_settings(_of: Installation) -> Iterator[Check]:
    """Find variables that look like settings and are none, which nobody reads."""
    known = {name.upper(): name for name in _variables(Settings)}
    for name in sorted(os.environ):
        section = name.upper().partition("__")[0].removeprefix(f"{ENVIRONMENT_PREFIX}_").lower()
        if not name.upper().startswith(f"{ENVIRONMENT_PREFIX}_") or name.upper() in _OTHER_VARIABLES:
            continue
        if section in Settings.model_fields or name.upper().startswith(f"{ENVIRONMENT_PREFIX}_TEST_"):
            continue  # a wrong key of a section is a mistake that `load` reports
        near = difflib.get_close_matches(name.upper(), [*known, *_OTHER_VARIABLES], n=1)
        fix = f"write {near[0]}, or unset it" if near else "unset it"
        yield Check("Environment", "note", f"{name} is not a setting and has no effect", fix)


def _variables(section: type[BaseModel], prefix: str = ENVIRONMENT_PREFIX + "_") -> Iterator[str]:
    for key, field in section.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _variables(inner, f"{prefix}{key}__")
        else:
            yield f"{prefix}{key}"


def secrets_are_private(of: Installation) -> Iterator[Check]:
    """Check that others cannot read the password of Neo4j, the key of the service, and keys in the settings file."""
    if os.name != "posix":
        return
    path = settings_file(of.config) if not of.problems else None
    wanted = [
        ("Password file", of.home.folder / "neo4j" / "password", "bad"),
        ("Service file", service_file.path_of(of.home.folder), "bad"),
        *([("Settings file", path.absolute(), "note")] if path and _names_secrets(of) else []),
    ]
    for name, file, state in wanted:
        try:
            found = file.stat()
        except FileNotFoundError:
            continue
        if stat.S_IMODE(found.st_mode) & 0o077:
            told = f"other users can read {file}, and so the secret in it"
            yield Check(name, state, told, *run(f"chmod 600 {shlex.quote(str(file))}"))  # pyright: ignore[reportArgumentType]


def _names_secrets(of: Installation) -> bool:
    """Return whether the settings file itself has a password or a key."""
    return any(
        setting_text(section, key, of.config, environment=False)
        for section, values in of.settings
        for key, value in values
        if isinstance(value, SecretStr)
    )


def a_key_is_set(of: Installation) -> Iterator[Check]:
    """Check that a service that other machines can reach has a key."""
    service = of.settings.service
    if not is_loopback(service.host) and not service.api_key.get_secret_value():
        found = f"service.host is {service.host!r}, which other machines can reach, and there is no key"
        fix = "set service.api_key (GRAPHPALACE_SERVICE__API_KEY), or service.host to 127.0.0.1"
        yield Check("Service key", "bad", found, fix)


def proxies_answer(of: Installation) -> Iterator[Check]:
    """Check the proxies of the environment, through which jars and models are downloaded."""
    for name, value in sorted(os.environ.items()):
        if name.upper() not in _PROXIES or not value:
            continue
        try:
            parts = urlsplit(value if "://" in value else f"http://{value}")
            host, port = parts.hostname, parts.port or _PROXY_PORTS.get(parts.scheme, 80)
        except ValueError:
            host, port = None, 0
        fix = f"correct or unset {name}; downloads of Neo4j and of models use it"
        if not host:
            yield Check("Proxy", "note", f"{name} is not the address of a proxy, such as http://host:3128", fix)
            continue
        try:
            socket.create_connection((host, port), timeout=_CONNECT_S).close()
        except OSError as error:
            yield Check("Proxy", "note", f"{name}: {host} port {port} does not answer ({error})", fix)
    if not request.getproxies():
        return
    from jgo.constants import MAVEN_CENTRAL_URL

    repository = urlsplit(of.settings.neo4j.repository_url or MAVEN_CENTRAL_URL).hostname or ""
    if not is_loopback(repository) and request.proxy_bypass(repository):
        fix = f"take {repository} out of NO_PROXY, unless this machine reaches it without the proxy"
        yield Check("Proxy", "note", f"NO_PROXY lets downloads from {repository} go past the proxy", fix)
