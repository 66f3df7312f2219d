"""Commands made from the declarations in `offers`. What they print is written by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter as Argument
from inspect import Signature
from typing import Annotated, Any, TypeVar, get_args

import typer

from graphpalace.domain.field import TIME
from graphpalace.offers.offer import Offer, Parameter, parameters
from graphpalace.serve.cli import context
from graphpalace.serve.cli.output import print_json
from graphpalace.serve.cli.reached import reached

Q = TypeVar("Q")
A = TypeVar("A")
Show = Callable[[A, Q], None]
_NOTHING: Mapping[str, Any] = {}


def command(
    group: typer.Typer,
    name: str,
    offer: Offer[Q, A],
    *,
    arguments: Sequence[str] = (),
    options: Mapping[str, str] = _NOTHING,
    defaults: Mapping[str, Any] = _NOTHING,
    without: Sequence[str] = (),
    fixed: Mapping[str, Any] = _NOTHING,
    as_value: Callable[[A], Any] = lambda answer: answer,
) -> Callable[[Show[A, Q]], Show[A, Q]]:
    """Register a command that asks for an operation, and shows its answer with the decorated function.

    The docstring of that function is the help; without one, it is what the operation does.

    Args:
        arguments: Fields of the request that are given without the name of an option, in their order.
        options: Names of options that are not the field's name, such as `{"valid_from": "--from"}`.
        defaults: Defaults that differ from those of the other doors.
        without: Fields that the command does not have.
        fixed: Fields that the command does not have, because it always gives these values.
        as_value: Returns what `--json` prints.
    """
    fields = {one.name: one for one in parameters(offer.request) if one.name not in (*without, *fixed)}
    taken = [_taken(fields[one], None, defaults, offer.spelled(one)) for one in arguments]
    taken += [
        _taken(one, options.get(one.name, f"--{one.name.replace('_', '-')}"), defaults)
        for one in fields.values()
        if one.name not in arguments
    ]
    if offer.of_palace:
        taken.append(Argument("palace", Argument.KEYWORD_ONLY, default=None, annotation=context.Palace))
    taken.append(Argument("as_json", Argument.KEYWORD_ONLY, default=False, annotation=context.AsJson))

    def register(show: Show[A, Q]) -> Show[A, Q]:
        def run(palace: str | None = None, *, as_json: bool, **given: Any) -> None:
            given = {name: () if value is None and _is_list(fields[name]) else value for name, value in given.items()}
            given |= fixed
            missing = not offer.of_palace  # what is not about a palace needs none
            with reached(palace, wing=given.get("wing"), room=given.get("room"), may_be_missing=missing) as found:
                answer = found.call(offer, **given)
            if as_json:
                print_json(as_value(answer))
            else:
                show(answer, offer.request(**given))

        run.__doc__ = show.__doc__ or offer.does
        run.__signature__ = Signature(taken)  # pyright: ignore[reportFunctionMemberAccess]
        run.__annotations__ = {one.name: one.annotation for one in taken}
        group.command(name)(run)
        return show

    return register


def _taken(one: Parameter, option: str | None, defaults: Mapping[str, Any], shown: str = "") -> Argument:
    kind = list[str] | None if _is_list(one) else one.type
    if one.choices:  # the operation refuses others, as at every door
        kind = str if one.required or one.default is not None else str | None
    several = " May be repeated." if _is_list(one) else ""
    said: dict[str, Any] = {"help": f"{one.description[:1].upper()}{one.description[1:]}.{several}"}
    if TIME in one.marks:
        said["metavar"] = "TIME"
    if option is None:
        said = {"metavar": shown.upper()} | said
        info = typer.Argument(**said)
    else:
        info = typer.Option(option, **said)
    default = Argument.empty if one.required else None if _is_list(one) else defaults.get(one.name, one.default)
    return Argument(one.name, Argument.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def _is_list(one: Parameter) -> bool:
    return get_args(one.type) == (str,)  # a sequence of texts
