"""Serialise the state of a simulation to bytes, so that it can continue later or in another process."""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import numpy as np

from graphpalace.arrays import Array, array_namespace, like, to_numpy
from graphpalace.simulate.convergence import Checkpoint, Convergence
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.swarm import Agents, RandomStream, Swarm, Trails

_AGENTS = [field.name for field in fields(Agents)]
_TRAILS = ("trails_keys", "trails_strength")
_COLUMNS = ("visits", "last_visited", "relevance")
_LISTS = ("present", "top")


def packed(swarm: Swarm, convergence: Convergence, ids: Sequence[str]) -> bytes:
    """Serialise a simulation as an uncompressed NumPy archive (`.npz`).

    The result contains all that the next step depends on, except the documents' embeddings and the settings.

    Args:
        ids: Ids of the documents, in the order of the corpus, without line breaks.
    """
    arrays: dict[str, np.ndarray] = {name: to_numpy(getattr(swarm.agents, name)) for name in _AGENTS}
    arrays["step"] = np.array(swarm.step)
    arrays["ids"] = np.frombuffer("\n".join(ids).encode(), np.uint8)
    arrays["random"] = np.array([swarm.random.seed, swarm.random.draws], np.uint64)
    for name in _COLUMNS:
        arrays[name] = to_numpy(getattr(swarm, name))
    arrays["trails_keys"], arrays["trails_strength"] = to_numpy(swarm.trails.keys), to_numpy(swarm.trails.strength)
    checkpoints = convergence.checkpoints
    arrays["held"] = np.array([convergence.trails_held, convergence.relevance_held])
    figures = [[checkpoint.trail_mass, checkpoint.avg_rel, checkpoint.avg_speed] for checkpoint in checkpoints]
    arrays["moments"] = np.array(figures).reshape(-1, 3)
    arrays["range"] = np.array([convergence.least, convergence.most])
    for name in _LISTS:
        lists = [to_numpy(getattr(checkpoint, name)) for checkpoint in checkpoints]
        arrays[name] = np.concatenate([np.empty(0, np.int64), *lists])
        arrays[f"{name}_sizes"] = np.array([len(one) for one in lists], np.int64)
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def unpacked(data: bytes, documents: Documents, ids: Sequence[str]) -> tuple[Swarm, Convergence]:
    """Restore a simulation from the result of `packed`.

    If the corpus is unchanged, the restored state equals the packed one exactly. Otherwise removed documents and their
    trails are dropped, new documents count as never visited, and the convergence rules start again.

    Args:
        documents: The current corpus.
        ids: Ids of its documents, in the same order.
    """
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        known = {name: arrays[name] for name in arrays.files}
    old = known["ids"].tobytes().decode().split("\n") if known["ids"].size else []
    there = {name: like(known[name], documents.vectors) for name in (*_AGENTS, *_TRAILS, *_COLUMNS)}
    swarm = Swarm(
        int(known["step"]),
        Agents(**{name: there[name] for name in _AGENTS}),
        Trails(len(old), *(there[name] for name in _TRAILS)),
        random=_random(known["random"]),
        **{name: there[name] for name in _COLUMNS},
    )
    convergence = _convergence(known, documents)
    if list(ids) == old:
        return swarm, convergence
    return _moved(swarm, documents, old, ids), Convergence()


def _random(state: np.ndarray) -> RandomStream:
    if state.dtype == np.uint8:  # packed by a version that kept the generator of PyTorch: go on with other numbers
        return RandomStream(zlib.crc32(state.tobytes()))
    seed, draws = state.tolist()
    return RandomStream(seed, draws)


def _convergence(known: Mapping[str, np.ndarray], documents: Documents) -> Convergence:
    figures = known["moments"]
    if figures.shape[1] == 2:  # packed by a version without the limits relative to the run
        means = figures[:, 1]
        known = {
            **known,
            "top": np.empty(0, np.int64),
            "top_sizes": np.zeros(len(figures), np.int64),
            "range": np.array([means.min(initial=np.inf), means.max(initial=-np.inf)]),
        }
        figures = np.pad(figures, ((0, 0), (0, 1)))

    def lists(name: str) -> list[Array]:
        parts = np.split(known[name], np.cumsum(known[f"{name}_sizes"])[:-1]) if len(figures) else []
        return [like(part, documents.vectors) for part in parts]

    checkpoints = tuple(
        Checkpoint(present, float(mass), float(mean), float(speed), top)
        for present, (mass, mean, speed), top in zip(lists("present"), figures, lists("top"), strict=True)
    )
    return Convergence(checkpoints, *map(int, known["held"]), *map(float, known["range"]))


def _moved(swarm: Swarm, documents: Documents, old: Sequence[str], ids: Sequence[str]) -> Swarm:
    """Transfer a simulation to another corpus, matching documents by id."""
    row = {document: at for at, document in enumerate(ids)}
    xp, beside = array_namespace(documents.vectors), documents.vectors
    now = like(np.array([row.get(document, -1) for document in old], np.int64), beside)

    def spread(values: Array, default: float) -> Array:
        column = xp.full(len(ids), default, dtype=values.dtype, device=beside.device)
        column[now[now >= 0]] = values[now >= 0]
        return column

    lower, higher = (now[end] for end in swarm.trails.ends)
    kept = (lower >= 0) & (higher >= 0)
    trails = Trails.none(len(ids), beside=beside).with_deposits(lower[kept], higher[kept], swarm.trails.strength[kept])
    near, cosines = documents.nearest(swarm.agents.positions)
    recent = swarm.agents.recent
    recent = xp.where(recent >= 0, now[xp.maximum(recent, 0)], recent)
    # Close the gaps that removed documents leave.
    behind = xp.argsort(xp.astype(recent < 0, xp.int8), axis=1)
    return replace(
        swarm,
        agents=replace(swarm.agents, near=near, cosines=cosines, recent=xp.take_along_axis(recent, behind, axis=1)),
        trails=trails,
        visits=spread(swarm.visits, 0),
        last_visited=spread(swarm.last_visited, -np.inf),
        relevance=spread(swarm.relevance, 0.0),
    )
