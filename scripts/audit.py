"""Write what GraphPalace is made of: an SBOM in CycloneDX, and the page of licences; look for known weaknesses.

    python -m scripts.audit                        writes build/sbom.json and docs/reference/licences.md
    python -m scripts.audit --osv pypi.zip         also compares the runtime lock with an export of OSV

The export is `all.zip` of the ecosystem PyPI, from https://osv.dev, or a folder or file of such entries. Nothing is
sent or downloaded. A package with a known weakness is named, and the command ends with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from graphpalace import __version__

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements-runtime.lock"
PAGE = ROOT / "docs" / "reference" / "licences.md"
SBOM = ROOT / "build" / "sbom.json"

# The names that packages use, by what they mean.
_SAME = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Apache": "Apache-2.0",
    "3-Clause BSD License": "BSD-3-Clause",
    "GNU General Public License (GPL)": "GPL",
    "GNU General Public License v2 (GPLv2)": "GPL-2.0",
    "BSD License": "BSD",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}
_CLASSIFIER = "License :: OSI Approved :: "
_TEXTS = (
    ("Apache License", "Apache-2.0"),
    ("Permission is hereby granted, free of charge", "MIT"),
    ("Redistribution and use in source and binary forms", "BSD"),
)


@dataclass(frozen=True, slots=True)
class LockedPackage:
    """A package of the runtime lock.

    Attributes:
        hashes: SHA-256 of its files, in hexadecimal digits.
    """

    name: str
    version: str
    hashes: tuple[str, ...]


def locked_packages(lock: str) -> list[LockedPackage]:
    """Return the packages of a lock, in its order, those of other systems too."""
    found = []
    for entry in re.split(r"^(?=[A-Za-z0-9])", lock, flags=re.MULTILINE):
        if pinned := re.match(r"[A-Za-z0-9][^\s\\]*(?: *;[^\\\n]*)?", entry):
            need = Requirement(pinned[0].strip())
            (version,) = (one.version for one in need.specifier)
            found.append(LockedPackage(need.name, version, tuple(re.findall(r"sha256:([0-9a-f]{64})", entry))))
    return found


def licence_of(name: str) -> str | None:
    """Return the licence of an installed package, as SPDX names it where that is known; None if it is not installed."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return None
    if expression := told.json.get("license_expression"):
        return str(expression)
    classified = [
        one.removeprefix(_CLASSIFIER) for one in told.get_all("Classifier", ()) if one.startswith(_CLASSIFIER)
    ]
    said = str(told.json.get("license") or "").strip()
    if "\n" in said or len(said) > 60:  # the whole text
        said = next((licence for words, licence in _TEXTS if words in said), "")
    # "BSD License" does not say which; the field may.
    names = [said] if said and classified in ([], ["BSD License"]) else classified
    return " AND ".join(_SAME.get(one, one) for one in names) or "unknown"


def sbom(packages: Sequence[LockedPackage]) -> dict[str, Any]:
    """Return a bill of materials in CycloneDX 1.6. The same lock gives the same bill."""
    own = {"type": "application", "name": "graphpalace", "version": __version__, "bom-ref": "graphpalace"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [
            {
                "type": "library",
                "bom-ref": (url := f"pkg:pypi/{canonicalize_name(one.name)}@{one.version}"),
                "name": one.name,
                "version": one.version,
                "purl": url,
                **({"licenses": [{"license": {"name": licence}}]} if (licence := licence_of(one.name)) else {}),
                # a component has one file; the lock has one for each system
                "properties": [{"name": "graphpalace:sha256", "value": value} for value in one.hashes],
            }
            for one in packages
        ],
    }


def licences_page(packages: Sequence[LockedPackage]) -> str:
    """Return the page of licences, of those packages of the lock that are installed here."""
    rows = [f"| {one.name} | {licence} |" for one in packages if (licence := licence_of(one.name)) is not None]
    return "\n".join(
        [
            "# Licences of the packages",
            "",
            "GraphPalace is under the Apache License 2.0. `pip install graphpalace` installs these packages on Linux.",
            "Each has the licence that it states. `make audit` writes this page, and a test compares the licences",
            "with a list of those that are allowed. Neo4j Community Edition, which GraphPalace downloads and runs as",
            "a separate program, is under the GPL, version 3. The web page has copies of",
            "cytoscape, layout-base, cose-base and cytoscape-fcose, all under the MIT licence and with it beside them.",
            "",
            "| package | licence |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def weaknesses(packages: Sequence[LockedPackage], entries: Iterator[Mapping[str, Any]]) -> list[str]:
    """Return a line for each known weakness of a locked version, sorted.

    Args:
        entries: As OSV exports them. Those that were withdrawn, and those of other ecosystems, are left out.
    """
    versions = {canonicalize_name(one.name): one.version for one in packages}
    found = set()
    for entry in entries:
        for affected in () if entry.get("withdrawn") else entry.get("affected", ()):
            package = affected.get("package", {})
            name = canonicalize_name(str(package.get("name", "")))
            if package.get("ecosystem") == "PyPI" and name in versions and _is_affected(versions[name], affected):
                found.add(f"{name} {versions[name]}: {entry.get('id')} {entry.get('summary', '')}".rstrip())
    return sorted(found)


def _is_affected(version: str, affected: Mapping[str, Any]) -> bool:
    if version in affected.get("versions", ()):
        return True
    ranges = [one for one in affected.get("ranges", ()) if one.get("type") == "ECOSYSTEM"]
    return any(_is_in(Version(version), one.get("events", ())) for one in ranges)


def _is_in(version: Version, events: Sequence[Mapping[str, str]]) -> bool:
    """Return whether a version lies in a range, whose events say where it begins and ends."""
    inside = False
    for event in sorted(events, key=lambda one: _version(next(iter(one.values())))):
        for kind, written in event.items():
            at = _version(written)
            if kind == "introduced" and at <= version:
                inside = True
            elif (kind == "fixed" and at <= version) or (kind == "last_affected" and at < version):
                inside = False
    return inside


def _version(written: str) -> Version:
    try:
        return Version(written)
    except InvalidVersion:  # an entry that is not of Python's form cannot be compared: count it from the beginning
        return Version("0")


def osv_entries(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of an export of OSV: a zip file, a folder, or a file with one entry or a list of them."""
    if path.is_dir():
        for file in sorted(path.rglob("*.json")):
            yield from osv_entries(file)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                yield json.loads(archive.read(name))
    else:
        read = json.loads(path.read_bytes())
        yield from read if isinstance(read, list) else [read]


def main() -> int:
    """Write the bill and the page, and return 1 if a package has a known weakness."""
    parser = argparse.ArgumentParser(description="Write the SBOM and the page of licences.")
    parser.add_argument("--osv", type=Path, help="an export of OSV: a zip file, a folder or a JSON file")
    given = parser.parse_args()
    packages = locked_packages(LOCK.read_text("utf-8"))
    SBOM.parent.mkdir(exist_ok=True)
    SBOM.write_text(json.dumps(sbom(packages), indent=1) + "\n", "utf-8")
    PAGE.write_text(licences_page(packages), "utf-8")
    print(f"{len(packages)} packages: {SBOM.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")
    if given.osv is None:
        print("Known weaknesses were not looked for: give an export of OSV with --osv (make audit OSV=pypi.zip).")
        return 0
    found = weaknesses(packages, osv_entries(given.osv))
    print("\n".join(found) or "No package has a known weakness.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
