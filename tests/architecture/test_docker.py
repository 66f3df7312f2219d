"""The files in docker/ fit the settings and the package; no engine is needed to see that."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from graphpalace.managed_neo4j.launch import BROWSER_POLICY
from graphpalace.managed_neo4j.server import DEFAULT_VERSION
from graphpalace.settings.load import Settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker" / "compose.yml").read_text())


def _variables() -> list[str]:
    named = COMPOSE["services"]["service"]["environment"].keys()
    return sorted({*named, *re.findall(r"GRAPHPALACE_[A-Z0-9]+__[A-Z0-9_]+", DOCKERFILE)})


@pytest.mark.parametrize("variable", _variables())
def test_each_variable_is_a_setting(variable: str) -> None:
    section, _, key = variable.removeprefix("GRAPHPALACE_").lower().partition("__")
    assert key in type(getattr(Settings(), section)).model_fields


def test_neo4j_is_the_version_that_is_tested() -> None:
    assert COMPOSE["services"]["neo4j"]["image"] == f"neo4j:{DEFAULT_VERSION}-community"


def test_all_ports_are_bound_to_loopback() -> None:
    ports = [port for service in COMPOSE["services"].values() for port in service["ports"]]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_neo4j_browser_asks_nobody_outside_as_with_the_managed_server() -> None:
    policy = COMPOSE["services"]["neo4j"]["environment"][
        "NEO4J_dbms_security_http__static__content__security__policy__header"
    ]
    assert policy == BROWSER_POLICY


def test_secrets_are_required_from_the_environment() -> None:
    secrets = [
        COMPOSE["services"]["neo4j"]["environment"]["NEO4J_AUTH"].removeprefix("neo4j/"),
        COMPOSE["services"]["service"]["environment"]["GRAPHPALACE_NEO4J__PASSWORD"],
        COMPOSE["services"]["service"]["environment"]["GRAPHPALACE_SERVICE__API_KEY"],
    ]
    assert all(re.fullmatch(r"\$\{[A-Z_0-9]+:\?[^}]+\}", secret) for secret in secrets)


def _copied() -> set[str]:
    return {word for line in re.findall(r"^COPY (.+)$", DOCKERFILE, re.MULTILINE) for word in line.split()[:-1]}


def test_the_image_has_no_torch_unless_it_is_built_for_a_gpu() -> None:
    (ordinary,) = re.findall(r"^ARG REQUIREMENTS=(\S+)$", DOCKERFILE, re.MULTILINE)
    (gpu,) = re.findall(r"--build-arg REQUIREMENTS=(\S+) -t graphpalace:gpu", DOCKERFILE)
    assert ordinary in _copied() and gpu in _copied()
    assert "\ntorch==" not in (ROOT / ordinary).read_text()
    assert "\ntorch==" in (ROOT / gpu).read_text()


def test_what_the_wheel_is_built_from_is_copied() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = build["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {
        "pyproject.toml",
        "requirements-runtime.lock",
        "requirements-torch.lock",
        "src",
        *wheel["force-include"],
        *build["project"]["license-files"],
    }
    assert needed | {build["project"]["readme"]} <= _copied()
    assert all((ROOT / path).exists() for path in _copied())


def test_nothing_but_what_is_copied_is_sent_to_the_engine() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    first, *others = [line for line in lines if line and not line.startswith("#")]
    assert first == "*"
    assert {line.removeprefix("!") for line in others if line.startswith("!")} == _copied()


def test_compose_builds_this_dockerfile_from_the_root() -> None:
    build = COMPOSE["services"]["service"]["build"]
    folder = (ROOT / "docker" / build["context"]).resolve()
    assert (folder, folder / build["dockerfile"]) == (ROOT, ROOT / "docker" / "Dockerfile")


def test_the_service_runs_without_root_and_is_checked() -> None:
    assert re.search(r"^USER [1-9][0-9]*$", DOCKERFILE, re.MULTILINE)  # a name tells Kubernetes nothing
    assert "/health/ready'" in DOCKERFILE
    assert f"EXPOSE {Settings().service.port}" in DOCKERFILE
