"""The route /metrics, and the state of the service that is looked up when somebody asks for it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST, disable_created_metrics, generate_latest

from graphpalace import __version__
from graphpalace.app import GraphPalace
from graphpalace.errors import DatabaseUnavailable
from graphpalace.telemetry import metrics

disable_created_metrics()  # a third of all lines, which nobody draws
router = APIRouter()


@router.get("/metrics", tags=["health"], response_class=PlainTextResponse)
async def metrics_now(request: Request) -> Response:
    """Return the metrics of this process in the text format of Prometheus."""
    try:
        look_up(request.app.state.supervisor.operations())
    except DatabaseUnavailable:
        look_up(None)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def look_up(app: GraphPalace | None) -> None:
    """Set the gauges that show a state, without asking the database.

    Args:
        app: None before the database was reached.
    """
    metrics.BUILD.info({"version": __version__})
    metrics.DATABASE_REACHED.set(app is not None)
    if app is None:
        return
    for state, count in app.database.connections().items():
        metrics.NEO4J_CONNECTIONS.labels(state).set(count)
    for gauge in (metrics.REPLICA_DRAWERS, metrics.REPLICA_BYTES, metrics.REPLICA_LAG, metrics.DECAY_LAST_RUN):
        gauge.clear()  # of palaces that are gone
    for held in app.replica.indexes.held:
        metrics.REPLICA_DRAWERS.labels(held.palace).set(held.drawers)
        metrics.REPLICA_BYTES.labels(held.palace).set(held.size_bytes)
        metrics.REPLICA_LAG.labels(held.palace).set(held.behind)
    for palace, unix_s in app.pheromones.decay.last_runs.items():
        metrics.DECAY_LAST_RUN.labels(palace).set(unix_s)
    metrics.SETTLE_WAITING.set(len(app.settler.waiting))
    metrics.NAMES_WAITING.set(len(app.knowledge.names.waiting))
    metrics.JOBS_UNDER_WAY.set(app.jobs.under_way)
    metrics.SIMULATIONS_RUNNING.set(app.simulations.running)
