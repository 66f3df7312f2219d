"""The Helm chart fits the settings, the routes and the image. `make chart` renders it too, which takes helm."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from copy import deepcopy
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from pydantic import SecretStr
from scripts.make_chart_schema import PATH as SCHEMA_FILE
from scripts.make_chart_schema import settings_schema

from graphpalace import __version__
from graphpalace.serve.http.app import create_app
from graphpalace.serve.http.process import server
from graphpalace.settings.load import Settings

CHART = SCHEMA_FILE.parent
SCHEMA: dict[str, Any] = json.loads(SCHEMA_FILE.read_text("utf-8"))
VALUES: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
TEMPLATES = {path.name: path.read_text("utf-8") for path in sorted((CHART / "templates").iterdir())}
GIVEN = {path.name.removesuffix("-values.yaml"): path for path in sorted((CHART / "ci").glob("*-values.yaml"))}
DOCKERFILE = (CHART.parents[1] / "Dockerfile").read_text("utf-8")
HELM = os.environ.get("HELM") or shutil.which("helm")
_NEEDS_HELM = pytest.mark.skipif(HELM is None, reason="helm is not installed (CONTRIBUTING.md, `make chart`)")


def merged(values: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Return values as helm makes them of the chart's and of those that are given."""
    found = deepcopy(values)
    for key, value in more.items():
        both = isinstance(value, dict) and isinstance(found.get(key), dict)
        found[key] = merged(found[key], value) if both else value
    return found


def complaints(values: dict[str, Any]) -> list[str]:
    """Return the places of the values that the schema does not allow."""
    found = Draft7Validator(SCHEMA).iter_errors(merged(VALUES, values))
    return sorted({".".join(map(str, error.absolute_path)) for error in found})


def given(name: str) -> dict[str, Any]:
    return yaml.safe_load(GIVEN[name].read_text("utf-8"))


def test_chart_and_app_have_the_version_of_graphpalace() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))
    assert (chart["version"], chart["appVersion"]) == (__version__, __version__)


def test_the_schema_knows_the_settings() -> None:
    assert SCHEMA["properties"]["settings"] == settings_schema(), "run python -m scripts.make_chart_schema"
    assert not Draft7Validator.check_schema(SCHEMA)


def test_no_setting_that_is_a_secret_can_be_written_into_values() -> None:
    allowed = SCHEMA["properties"]["settings"]["properties"]
    secrets = [
        (section, key)
        for section in Settings.model_fields
        for key, value in getattr(Settings(), section)
        if isinstance(value, SecretStr)
    ]
    assert len(secrets) == 5
    assert not [f"{section}.{key}" for section, key in secrets if key in allowed[section]["properties"]]


def test_values_and_schema_have_the_same_keys() -> None:
    def check(values: dict[str, Any], schema: dict[str, Any], at: str) -> None:
        schema = SCHEMA["definitions"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        if schema.get("additionalProperties") is False and at != "settings":
            optional = {"global", "claims"}
            assert values.keys() == schema["properties"].keys() - optional, at
            for key, value in values.items():
                if isinstance(value, dict):
                    check(value, schema["properties"][key], key)

    check(VALUES, SCHEMA, "values")


def test_templates_use_each_value_and_no_other() -> None:
    used = set(re.findall(r"\.Values\.([A-Za-z0-9.]+)", "".join(TEMPLATES.values())))
    for path in used:
        value: Any = VALUES
        for key in path.split("."):
            assert key in value, path
            value = value[key]
    leaves = {f"{key}.{name}" for key, value in VALUES.items() if isinstance(value, dict) for name in value}
    whole = {path for path in used if "." not in path}
    deep = {".".join(path.split(".")[:2]) for path in used}
    assert {leaf for leaf in leaves if leaf.split(".")[0] not in whole} <= deep
    assert VALUES.keys() <= {path.split(".")[0] for path in used}


def test_what_is_required_is_asked_for() -> None:
    assert complaints({}) == ["apiKeySecret.name", "neo4j.passwordSecret.name", "neo4j.uri"]


@pytest.mark.parametrize("name", sorted(GIVEN))
def test_examples_are_valid(name: str) -> None:
    assert complaints(given(name)) == []


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"replicas": "two"}, "replicas"),
        ({"replica": 2}, ""),
        ({"neo4j": {"uri": "https://db.example"}}, "neo4j.uri"),
        ({"neo4j": {"password": "secret"}}, "neo4j"),
        ({"settings": {"palaces": {"name": "a"}}}, "settings"),
        ({"settings": {"palace": {"nam": "a"}}}, "settings.palace"),
        ({"settings": {"service": {"searches_at_once": "many"}}}, "settings.service.searches_at_once"),
        ({"settings": {"service": {"api_key": "k"}}}, "settings.service"),
        ({"settings": {"service": {"port": 80}}}, "settings.service"),
        ({"settings": {"backup": {"schedule": "0 3 * * *"}}}, "settings.backup"),
        ({"secretSettings": {"API_KEY": {"name": "a", "key": "b"}}}, "secretSettings"),
        ({"backup": {"schedule": "0 3 * * *"}}, "backup.claim"),
        ({"ingress": {"enabled": True}}, "ingress.host"),
        ({"serviceMonitor": {"interval": 15}}, "serviceMonitor.interval"),
    ],
)
def test_a_wrong_value_is_named(wrong: dict[str, Any], place: str) -> None:
    assert complaints(merged(given("small"), wrong)) == [place]


def test_variables_of_the_templates_are_settings_that_are_secret() -> None:
    named = set(re.findall(r"GRAPHPALACE_([A-Z0-9]+)__([A-Z0-9_]+)", "".join(TEMPLATES.values())))
    assert named == {("NEO4J", "PASSWORD"), ("SERVICE", "API_KEY")}
    assert all(isinstance(getattr(getattr(Settings(), a.lower()), b.lower()), SecretStr) for a, b in named)


def test_probes_ask_routes_that_exist_at_the_port_of_the_image() -> None:
    deployment = TEMPLATES["deployment.yaml"]
    probes = dict(re.findall(r"(\w+)Probe:\n\s+httpGet: {path: (\S+), port: http, (?=.*localhost)", deployment))
    assert probes == {"startup": "/health/live", "liveness": "/health/live", "readiness": "/health/ready"}
    assert {*probes.values(), "/metrics"} <= create_app(Settings()).openapi()["paths"].keys()
    (port,) = re.findall(r"containerPort: (\d+)", deployment)
    assert f"EXPOSE {port}\n" in DOCKERFILE


def test_pods_run_as_the_user_of_the_image() -> None:
    (user,) = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    named = re.findall(r"(runAsUser|runAsGroup|fsGroup): (\d+)", TEMPLATES["_helpers.tpl"])
    assert dict(named) == {"runAsUser": user, "runAsGroup": user, "fsGroup": user}


def test_a_pod_has_the_time_to_end_its_requests() -> None:
    deployment = TEMPLATES["deployment.yaml"]
    (given_s,) = map(int, re.findall(r"terminationGracePeriodSeconds: (\d+)", deployment))
    (waits_s,) = map(int, re.findall(r'command: \[sleep, "(\d+)"\]', deployment))
    assert given_s >= waits_s + server._GRACE_S + 10


def test_the_chart_makes_no_secret() -> None:
    assert not re.findall(r"^kind: Secret$", "".join(TEMPLATES.values()), re.MULTILINE)


def rendered(name: str, *options: str) -> list[dict[str, Any]]:
    """Return what helm makes of the chart and the values."""
    command = [str(HELM), "template", "demo", str(CHART), "--kube-version", "1.33.0", "-f", str(GIVEN[name]), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def settings_of(objects: list[dict[str, Any]]) -> Settings:
    (text,) = [one["data"]["graphpalace.toml"] for one in objects if one["kind"] == "ConfigMap"]
    return Settings.model_validate(tomllib.loads(text))


@_NEEDS_HELM
def test_optional_parts_appear_when_they_are_asked_for() -> None:
    always = {"ConfigMap", "Deployment", "PodDisruptionBudget", "Service"}
    assert {one["kind"] for one in rendered("small")} == always
    more = {"CronJob", "Ingress", "NetworkPolicy", "ServiceMonitor"}
    assert {one["kind"] for one in rendered("all")} == always | more


@_NEEDS_HELM
def test_the_settings_file_says_what_the_values_say() -> None:
    small, everything = settings_of(rendered("small")), settings_of(rendered("all"))
    assert (small.neo4j.uri, small.neo4j.user) == ("neo4j://neo4j.databases.svc", "neo4j")
    assert (small.neo4j.data_dir, small.neo4j.cache_dir, small.backup.folder) == ("/data", "/cache", "/backups")
    for section, keys in given("all")["settings"].items():
        found = getattr(everything, section).model_dump(mode="json")
        for key, value in keys.items():
            if isinstance(value, dict):
                assert merged(found[key], value) == found[key], (section, key)
            else:
                assert found[key] == value, (section, key)


@_NEEDS_HELM
def test_each_volume_that_is_mounted_exists_and_the_folders_of_the_settings_are_mounted() -> None:
    for one in rendered("all"):
        if one["kind"] not in {"Deployment", "CronJob"}:
            continue
        spec = one["spec"] if one["kind"] == "Deployment" else one["spec"]["jobTemplate"]["spec"]
        pod = spec["template"]["spec"]
        mounts = {mount["mountPath"]: mount["name"] for mount in pod["containers"][0]["volumeMounts"]}
        assert {*mounts.values()} <= {volume["name"] for volume in pod["volumes"]}
        assert {"/data", "/cache", "/tmp", "/etc/graphpalace"} <= mounts.keys()
        assert ("/backups" in mounts) == (one["kind"] == "CronJob")
        assert pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"]


@_NEEDS_HELM
def test_a_change_of_the_settings_replaces_the_pods() -> None:
    def mark(*options: str) -> str:
        (one,) = [one for one in rendered("small", *options) if one["kind"] == "Deployment"]
        return one["spec"]["template"]["metadata"]["annotations"]["checksum/settings"]

    assert mark() == mark()
    assert mark() != mark("--set", "settings.palace.name=team")


@_NEEDS_HELM
def test_helm_names_a_wrong_value_too() -> None:
    command = [str(HELM), "template", "demo", str(CHART), "-f", str(GIVEN["small"]), "--set", "settings.palace.nam=a"]
    done = subprocess.run([*command, "--kube-version", "1.33.0"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "/settings/palace" in done.stderr and "nam" in done.stderr
