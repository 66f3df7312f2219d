"""The palace that a command is about: of the service of this machine, or else opened in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.serve.cli.context import context, named

if TYPE_CHECKING:
    from graphpalace.client.synchronous.palace import Palace
    from graphpalace.settings.load import Settings

InProcess = Annotated[
    bool,
    typer.Option("--in-process", help="Do the work in this process instead of the service. Neo4j must be running."),
]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Let the workers of a Ray cluster compute, and do the rest in this process: auto for the cluster of this "
        "machine, or HOST:PORT of its head.",
    ),
]


@contextmanager
def reached(
    name: str | None = None,
    *,
    wing: str | None = None,
    room: str | None = None,
    may_be_missing: bool = False,
    in_process: bool = False,
    ray: str | None = None,
    sent: tuple[str, ...] = (),
    compared: tuple[str, ...] = (),
    check: Callable[[Settings], object] = lambda _settings: None,
) -> Iterator[Palace]:
    """Yield the palace of this name, or the configured one. The service is started if `[service] autostart` says so.

    Without a service, what the command was given is checked before the operations are loaded, which takes longer.

    Args:
        wing, room: A wing and a room that must exist.
        may_be_missing: Whether the command creates the palace if there is none.
        in_process: Whether to leave the service alone and do the work in this process.
        ray: Address of a Ray cluster whose workers compute for this process; the service is left alone then, too.
        sent: Settings that the command sends with its request, as `section.key`.
        compared: Settings that must be those of the service also where the settings file names them.
        check: Raises an error if the settings show that the command cannot succeed.

    Raises:
        NotFound: If the palace, the wing or the room does not exist.
        InvalidInput: If the address is not one, or Ray is not installed.
        SettingsInvalid: If the environment names a setting that the service has another value of.
    """
    from graphpalace.client.ensure_service import current, ensure_service  # a help page and a shell need no client
    from graphpalace.client.service_file import check_environment
    from graphpalace.client.synchronous.palace import Palace
    from graphpalace.domain.identity import palace_name
    from graphpalace.settings.home import setting_text

    if name is None:
        name = setting_text("palace", "name", context.config)
    if name is not None:
        palace_name(name)
    if ray is not None:
        from graphpalace.cluster.ray_cluster import check_address

        check_address(ray)
    home = context.home()
    service = None if in_process or ray is not None else ensure_service(home) if home.autostart else current(home)
    if service is not None:
        check_environment(service.settings, context.config, sent=sent, compared=compared)
        with Palace.connect(
            service.url, service.key or None, name=name, timeout_s=None, proof=service.proof or None
        ) as palace:
            yield palace
        return
    import asyncio

    from graphpalace.serve.cli.in_process import check_place, own_settings

    settings = own_settings()
    check(settings)
    if not may_be_missing:
        asyncio.run(check_place(settings, named(name, settings), wing=wing, room=room))
    with Palace.open(name, settings, ray=ray) as palace:
        yield palace
