"""Create the API: the HTTP service with its middleware, and the same routes for callers of this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Annotated, Literal, Protocol, Self

from fastapi import FastAPI, Query
from fastapi.responses import JSONResponse
from fastapi_offline import FastAPIOffline
from starlette.applications import Starlette
from starlette.routing import Route

from graphpalace import __version__
from graphpalace.app import GraphPalace, opened
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import DatabaseUnavailable, SettingsInvalid
from graphpalace.serve.http import errors
from graphpalace.serve.http.access.key_routes import router as key_router
from graphpalace.serve.http.api_key import ApiKeyCheck
from graphpalace.serve.http.conversations.routes import router as conversation_router
from graphpalace.serve.http.drawers.diary_routes import router as diary_router
from graphpalace.serve.http.drawers.ingest_routes import router as ingest_router
from graphpalace.serve.http.drawers.routes import router as drawer_router
from graphpalace.serve.http.forgetting import router as forget_router
from graphpalace.serve.http.hooks import router as hook_router
from graphpalace.serve.http.knowledge import router as knowledge_router
from graphpalace.serve.http.learning import router as feedback_router
from graphpalace.serve.http.limits.admission import Admission, RateLimit
from graphpalace.serve.http.limits.deadlines import Deadlines
from graphpalace.serve.http.limits.whole_body import WholeBody
from graphpalace.serve.http.metrics_route import router as metrics_router
from graphpalace.serve.http.pages.own_pages import AnswerHeaders, OwnPages, is_loopback
from graphpalace.serve.http.pages.page_links import PageLinks
from graphpalace.serve.http.pages.page_links import router as link_router
from graphpalace.serve.http.pages.web_routes import router as docs_router
from graphpalace.serve.http.pages.web_routes import router as web_router
from graphpalace.serve.http.palaces import router as palace_router
from graphpalace.serve.http.pheromones import router as pheromone_router
from graphpalace.serve.http.process.door_on_demand import DoorOnDemand
from graphpalace.serve.http.process.idle import ClockedRequests, RequestClock
from graphpalace.serve.http.process.supervisor import Supervisor
from graphpalace.serve.http.request_log import RequestIds, RequestLog
from graphpalace.serve.http.rerank import router as rerank_router
from graphpalace.serve.http.runs import router as run_router
from graphpalace.serve.http.search import router as search_router
from graphpalace.serve.http.simulation.routes import router as simulation_router
from graphpalace.serve.http.simulation.socket import router as simulation_socket
from graphpalace.serve.http.transfer import router as transfer_router
from graphpalace.serve.http.wake_up import router as wake_up_router
from graphpalace.serve.http.walking import router as walk_router
from graphpalace.serve.timetable import Timetable
from graphpalace.settings.load import Settings
from graphpalace.telemetry.otlp import tracing

Operations = Callable[[], GraphPalace]  # raises DatabaseUnavailable until the database is reached
Door = Callable[[Operations], Starlette]
_NO_DOORS: Mapping[str, Door] = {}
_API = (
    search_router,
    ingest_router,
    drawer_router,
    forget_router,
    conversation_router,
    hook_router,
    diary_router,
    knowledge_router,
    palace_router,
    wake_up_router,
    walk_router,
    pheromone_router,
    run_router,
    rerank_router,
    feedback_router,
    simulation_router,
    transfer_router,
    key_router,
    simulation_socket,
)


class Companion(Protocol):
    """A part that runs as long as the service runs."""

    def start(self) -> None:
        """Start, on the running event loop."""

    async def stop(self) -> None:
        """Stop."""


def create_app(
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    companions: Sequence[Callable[[Operations], Companion]] = (),
    doors: Mapping[str, Door] = _NO_DOORS,
    clock: RequestClock | None = None,
) -> FastAPI:
    """Return the application. It starts even if the database cannot be reached. Without `[service] api_key` it is open.

    Args:
        companions: Each returns, for given operations, a part that is started and stopped with the service.
        doors: Further applications by path; each function is called, with the operations, at the first request.
        clock: Is told of every request.

    Raises:
        SettingsInvalid: If the service would listen on an address other than loopback without an API key, or traces
            are asked for without their packages.
    """
    check_exposure(settings)
    traced = tracing(settings.telemetry)
    supervisor = Supervisor(settings, embedder=embedder)
    others = {path: DoorOnDemand(partial(make, supervisor.operations)) for path, make in doors.items()}
    working = [make(supervisor.operations) for make in companions]

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        with traced:
            for one in (supervisor, *working):
                one.start()
            yield
            for other in others.values():
                await other.close()
            for one in (*working, supervisor):
                await one.stop()

    app = FastAPIOffline(
        docs_url=None,  # replaced by docs_route, which sets a content security policy
        redoc_url=None,  # it loads fonts from another host
        title="GraphPalace",
        version=__version__,
        summary="A memory palace for people and agents, kept as a graph in Neo4j.",
        lifespan=lifespan,
    )
    app.state.supervisor = supervisor
    add_routes(app, settings)
    app.include_router(web_router)
    app.include_router(docs_router)
    app.include_router(link_router)
    app.state.page_links = PageLinks()
    app.router.routes.extend(Route(path, other) for path, other in others.items())

    @app.get("/health/live", tags=["health"])
    async def live() -> dict[str, str]:
        """Report that the process runs, without any I/O."""
        return {"status": "live"}

    @app.get(
        "/health/ready",
        tags=["health"],
        responses={503: {"description": "not ready; `reason` says why"}, 422: {"model": errors.ErrorEnvelope}},
    )
    async def ready(
        lenient: Annotated[
            Literal["", "true", "false"],
            Query(
                description="`?lenient`: 200 as soon as full-text search works, while the embedding model still loads"
            ),
        ] = "false",
    ) -> JSONResponse:
        """Report whether requests can be answered at full speed: database, schema, indexes, memory and model."""
        is_ready, report = await supervisor.readiness(lenient=lenient != "false")
        status = {"status": "ready" if is_ready else "not ready"}
        headers = {} if is_ready else {"Retry-After": "1"}
        return JSONResponse(status | report, 200 if is_ready else 503, headers=headers)

    app.include_router(metrics_router)

    # A request passes the middleware in the reverse order: the last one first.
    service = settings.service
    app.add_middleware(Admission, at_once=service.at_once(), most_waiting=service.most_waiting, wait_s=service.wait_s)
    app.add_middleware(Deadlines, seconds=service.deadlines_s())
    app.add_middleware(WholeBody, most_bytes=service.max_body_mb * 2**20, timeout_s=service.body_timeout_s)
    if clock is not None:
        app.add_middleware(ClockedRequests, clock=clock)
    app.add_middleware(
        ApiKeyCheck,
        key=service.api_key.get_secret_value(),
        links=app.state.page_links,
        operations=supervisor.operations,
    )
    app.add_middleware(OwnPages, loopback_only=is_loopback(service.host), hosts=service.allowed_hosts)
    app.add_middleware(RequestLog)
    app.add_middleware(RequestIds)
    app.add_middleware(AnswerHeaders)
    return app


def add_routes(app: FastAPI, settings: Settings) -> None:
    """Add the API under /v1, whose errors all have one shape. It calls the operations of `app.state.supervisor`."""
    app.state.ingest_folders = settings.ingest.folders
    app.state.conversation_folders = settings.conversations.folders
    app.state.owner_proof = ""  # without one, nobody can prove to be the user of this process
    app.state.rerank_limit = RateLimit(settings.rerank.rate_limit_per_minute)
    errors.install(app)
    for router in _API:
        app.include_router(router)


def check_exposure(settings: Settings) -> None:
    """Raise `SettingsInvalid` if the service would listen beyond loopback without an API key."""
    host = settings.service.host
    if not is_loopback(host) and not settings.service.api_key.get_secret_value():
        raise SettingsInvalid(
            f"service.host is {host!r}, which other machines can reach: set [service] api_key "
            "(or GRAPHPALACE_SERVICE__API_KEY), or listen on 127.0.0.1",
            field="service.api_key",
        )


class Supervised(Protocol):
    """What has the operations, once the database is reached."""

    def operations(self) -> GraphPalace:
        """Return the operations.

        Raises:
            DatabaseUnavailable: If there are none now.
        """
        ...


def local_api(settings: Settings, supervised: Supervised) -> FastAPI:
    """Return the routes of the API alone, for callers in this process that pass no guard."""
    application = FastAPI(openapi_url=None)
    application.state.supervisor = supervised
    add_routes(application, settings)
    return application


class LocalService:
    """The operations on one database, behind the routes of the service.

    Attributes:
        application: Answers requests, as ASGI defines them, after `start` and before `stop`.
    """

    def __init__(self, settings: Settings, *, embedder: Embedder | None = None, ray: str | None = None) -> None:
        """Wire it; nothing is reached yet.

        Args:
            embedder: Another embedding model than the configured one.
            ray: Address of a Ray cluster whose workers compute; None: this process.
        """
        self._settings = settings
        self._embedder = embedder
        self._ray = ray
        self._resources = AsyncExitStack()
        self._operations: GraphPalace | None = None
        self.application = local_api(settings, self)
        self.application.state.ingest_folders = None  # the caller may read what this process may read
        self.application.state.conversation_folders = None

    def operations(self) -> GraphPalace:
        """Return the operations.

        Raises:
            DatabaseUnavailable: Before `start` and after `stop`.
        """
        if self._operations is None:
            raise DatabaseUnavailable("the palace is closed")
        return self._operations

    async def start(self) -> Self:
        """Connect to the database, and follow the changes of other processes from now on.

        Raises:
            DatabaseUnavailable: If Neo4j does not run.
            ClusterFailed: If the Ray cluster cannot be joined.
            SettingsInvalid: If traces are asked for without their packages.
        """
        async with AsyncExitStack() as started:
            started.enter_context(tracing(self._settings.telemetry))
            operations = await started.enter_async_context(
                opened(self._settings, embedder=self._embedder, any_model=True, ray=self._ray)
            )
            timetable = Timetable()
            timetable.every(self._settings.service.refresh_s, operations.follow)
            timetable.start()
            started.push_async_callback(timetable.stop)
            self._resources = started.pop_all()
        self._operations = operations
        return self

    async def stop(self) -> None:
        """End what is under way, and close the database."""
        self._operations = None
        await self._resources.aclose()
