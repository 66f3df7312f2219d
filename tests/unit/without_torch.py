"""Search, link and simulate, and print what was found. A test runs it where PyTorch cannot be imported."""

from __future__ import annotations

import numpy as np

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.vectors import unit_rows
from graphpalace.errors import SettingsInvalid
from graphpalace.ingest.link import nearest_before
from graphpalace.operations.search.lanes.path import McmpLane
from graphpalace.operations.simulation.jobs.shards import Shard, make_slice
from graphpalace.operations.simulation.session import SwarmSession, Target
from graphpalace.vectors.device import device_of
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows, DrawerVectors

_COUNT = 20_000  # more than one tile, and more than a search does on the event loop

ids = [f"d{row:05}" for row in range(_COUNT)]
vectors = unit_rows(np.random.default_rng(1).standard_normal((_COUNT, 384)).astype(np.float32))
matrix = DrawerMatrix(384, device=device_of("auto"), many_neighbours=True)
matrix.put(DrawerRows(ids, ["w"] * _COUNT, ["r"] * _COUNT, np.arange(_COUNT), vectors))
print("search", matrix.nearest(vectors[7], limit=1).ids[0], matrix.nearest_of_each(vectors[7:9], limit=1)[1].ids[0])
print("older", matrix.nearest_older(vectors[9:10], wing="w", before_ms=[100], limit=1)[0][0][0])
print("neighbours", *matrix.neighbours(vectors[5000:5002], k=1, threshold=0.5)[0].ravel())
print("rooms", *matrix.room_means())
print("links", nearest_before(vectors[[3, 3]], np.empty((2, 0), np.float32), k=1, threshold=0.9)[1][0][0])

candidates = DrawerVectors(ids[:60], vectors[:60])
scores = McmpLane(None, agents=20, steps=5)._simulated(candidates, vectors[11])  # pyright: ignore[reportArgumentType]
print("lane", ids[int(np.argmax(scores))])
settings, nothing = SimulationSettings(num_agents=20, max_iterations=30), np.zeros(60, np.float32)
session = SwarmSession(candidates, settings, Target(vectors[11], nothing))
session.spawn(seed=1)
session.step(now=1.0)
print("swarm", session.best(1).rows[0], session.picture().shown["agents"])
print("job", make_slice(Shard(ids[:60], vectors[:60], nothing, vectors[11], settings, seed=1), b"", 0.0).best.rows[0])
try:
    device_of("cuda")
except SettingsInvalid as error:
    print("cuda", error.message)
