"""The provider that the Pulumi CLI starts: it serves the schema, and builds components for programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi.errors import InputPropertiesError, InputPropertyErrorDetails
from pulumi.provider import ConstructResult, Provider
from pulumi.provider import main as serve
from typing_extensions import override

from penstock import __version__
from penstock.component_provider.catalogue import Packaged, packaged
from penstock.component_provider.inputs import (
    ConstructorArguments,
    NotYetKnown,
    field_names,
    is_about,
    read,
    secret_paths,
)
from penstock.component_provider.outputs import outputs_of, unknown_outputs
from penstock.core.errors import InvalidDescription, PenstockError
from penstock.core.findings import Finding, in_one_line
from penstock.core.spelling import near_matches, suggestion
from penstock.description.codes import Code
from penstock.description.positions import Path
from penstock.description.type_mismatches import HIDDEN


class ComponentProvider(Provider):
    """Builds the packaged components."""

    @override
    def construct(
        self,
        name: str,
        resource_type: str,
        inputs: Mapping[str, Any],
        options: pulumi.ResourceOptions | None = None,
    ) -> ConstructResult:
        """Build a component.

        Raises:
            InputPropertiesError: inputs are wrong; has every problem, with the property and what is right.
        """
        component = _component(resource_type)
        try:
            given = read(component, name, inputs)
            made = _made(component, name, given, options)
        except NotYetKnown as unknown:
            return _stand_in(component, name, unknown, options)
        except InvalidDescription as invalid:
            raise _refusal(component, invalid.findings, secret_paths(component, inputs)) from None
        except (PenstockError, ValueError) as error:  # what a component refuses of its arguments
            raise InputPropertiesError(in_one_line(str(error)), []) from None
        return ConstructResult(made.urn, outputs_of(component, made))


def main() -> None:
    """Serve the provider until the engine ends it."""
    import json

    from penstock.component_provider.schema import package_schema

    serve(ComponentProvider(__version__, json.dumps(package_schema())), sys.argv[1:])


def _component(token: str) -> Packaged:
    known = packaged()
    if token not in known:
        hint = suggestion(near_matches(token, known))
        raise InputPropertiesError(f"Penstock has no component {token}. {hint}".strip(), [])
    return known[token]


def _made(
    component: Packaged, name: str, given: ConstructorArguments, options: pulumi.ResourceOptions | None
) -> pulumi.ComponentResource:
    constructor = component.constructor()
    if component.is_platform:
        return constructor(given.spec, opts=options)
    return constructor(name, given.spec, **given.arguments, opts=options)


def _stand_in(
    component: Packaged, name: str, unknown: NotYetKnown, options: pulumi.ResourceOptions | None
) -> ConstructResult:
    """The component without its resources, in a preview that cannot know which there will be."""
    made = pulumi.ComponentResource(component.token, name, {}, options)
    verb = "is" if len(unknown.paths) == 1 else "are"
    pulumi.warn(
        f"{', '.join(unknown.paths)} {verb} not known before other resources exist, so this preview does not show "
        "the resources of the component.",
        made,
    )
    return ConstructResult(made.urn, unknown_outputs(component))


def _refusal(component: Packaged, findings: tuple[Finding, ...], secret: list[Path]) -> InputPropertiesError:
    """The engine's errors of inputs. It prints the value of each, so those on secrets go into the message instead."""
    names = field_names(component)
    message = [f"{component.component.name} cannot be built"]
    details: list[InputPropertyErrorDetails] = []
    for found in findings:
        path = names.as_program(found.path or "")
        text = in_one_line(names.as_program(f"{found.message} {found.hint}".strip()))
        reason = f"{text} [{found.code}]"
        if _is_open(found, secret):
            details.append(InputPropertyErrorDetails(property_path=path, reason=reason))
        else:
            message.append(f"{path}: {reason}")
    return InputPropertiesError("\n".join(message), details)


def _is_open(found: Finding, secret: list[Path]) -> bool:
    """Return whether a finding is about a value that may be shown."""
    return (
        bool(found.path) and not is_about(found, secret) and found.code != Code.SECRET and HIDDEN not in found.message
    )


if __name__ == "__main__":
    main()
