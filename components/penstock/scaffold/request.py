"""The choices for a new repository, judged together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from penstock.catalog import machines, offerings, regions
from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding, Severity, Source
from penstock.core.wording import did_you_mean, listed, one_of, quoted
from penstock.providers import provider_named
from penstock.scaffold.cloud_scaffold import accelerators, clouds, scaffold_of
from penstock.scaffold.templates import ci_systems

INIT_CODE: Final = "INIT-001"
NO_CI: Final = "none"
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_LONGEST_LIST: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class InitRequest:
    """The choices for a new repository, which are valid.

    Attributes:
        project: The name of the Pulumi project.
        stack: The name of its first stack.
        region: None for an existing cluster.
        ci: The CI system whose pipeline is written; None for no pipeline.
    """

    project: str
    stack: str
    cloud: str
    accelerator: str
    region: str | None
    ci: str | None


def request_of(options: Mapping[str, str], *, project: str) -> InitRequest:
    """Return the choices that options make: `cloud`, `accelerator`, `region`, `ci`, `name` and `stack`.

    Args:
        options: what is given; the region is by default one that sells the accelerator.
        project: the name of the project where none is given.

    Raises:
        InvalidDescription: with everything that is wrong, at once.
    """
    problems = [*_problems(options)]
    if problems:
        raise InvalidDescription(problems)
    cloud, accelerator = options["cloud"], options["accelerator"]
    ci = options.get("ci", NO_CI)
    return InitRequest(
        project=options.get("name", project),
        stack=options.get("stack", "dev"),
        cloud=cloud,
        accelerator=accelerator,
        region=options.get("region") or _region(cloud, accelerator),
        ci=None if ci == NO_CI else ci,
    )


def problem(option: str, message: str, hint: str) -> Finding:
    """Return what is wrong with an option of `penstock init`."""
    return Finding(
        code=INIT_CODE,
        severity=Severity.ERROR,
        source=Source.SPEC,
        message=message,
        hint=hint,
        path=f"--{option}",
    )


def cloud_problem(cloud: str) -> Finding | None:
    """Return what is wrong with the name of a cloud."""
    if cloud in clouds():
        return None
    return problem("cloud", f"{quoted(cloud)} is not a cloud that Penstock builds on.", one_of(cloud, clouds()))


def accelerator_problem(accelerator: str, cloud: str) -> Finding | None:
    """Return what is wrong with the name of an accelerator on a cloud."""
    known = accelerators(cloud)
    if accelerator in known:
        return None
    title = _title(cloud)
    elsewhere = [_title(other) for other in clouds() if other != cloud and accelerator in accelerators(other)]
    hint = f"{listed(elsewhere)} offers it. " if len(elsewhere) == 1 else f"{listed(elsewhere)} offer it. "
    hint = hint if elsewhere else ""
    near = "" if elsewhere else f"{did_you_mean(accelerator, known)} "
    message = f"{quoted(accelerator)} is not an accelerator that {title} offers."
    return problem("accelerator", message, f"{hint}{near}{title}: {listed(known)}.".strip())


def ci_problem(ci: str) -> Finding | None:
    """Return what is wrong with the name of a CI system."""
    known = (*ci_systems(), NO_CI)
    return None if ci in known else problem("ci", f"{quoted(ci)} has no pipeline here.", one_of(ci, known))


def _problems(options: Mapping[str, str]) -> Iterator[Finding]:
    cloud, accelerator, region = (options.get(name) for name in ("cloud", "accelerator", "region"))
    wrong_cloud = cloud_problem(cloud) if cloud is not None else None
    if cloud is None:
        yield problem("cloud", "The cloud is missing.", f"Set one of {listed(clouds())}.")
    elif wrong_cloud is not None:
        yield wrong_cloud
    if accelerator is None:
        yield problem(
            "accelerator", "The accelerator is missing.", "Set the accelerator of the first pool, such as h100."
        )
    elif cloud is None or wrong_cloud is not None:
        yield from _unknown_anywhere(accelerator)
    elif (wrong := accelerator_problem(accelerator, cloud)) is not None:
        yield wrong
    if cloud is not None and wrong_cloud is None:
        yield from _region_problems(cloud, accelerator, region)
    if (wrong := ci_problem(options.get("ci", NO_CI))) is not None:
        yield wrong
    for option in ("name", "stack"):
        if option in options and not _NAME.fullmatch(options[option]):
            hint = "Use up to 100 letters, digits, dots, hyphens and underscores."
            yield problem(option, f"{quoted(options[option])} is not a name that Pulumi accepts.", hint)


def _unknown_anywhere(accelerator: str) -> Iterator[Finding]:
    known = sorted({each for cloud in clouds() for each in accelerators(cloud)})
    if accelerator not in known:
        yield problem(
            "accelerator", f"{quoted(accelerator)} is not a known accelerator.", one_of(accelerator, known, "Known")
        )


def _region_problems(cloud: str, accelerator: str | None, region: str | None) -> Iterator[Finding]:
    if scaffold_of(cloud).region is None:
        if region is not None:
            yield problem("region", "An existing cluster has no region.", "Leave it out.")
        return
    known = [each.name for each in regions.all_regions(cloud)]
    if region is not None and region not in known:
        near = did_you_mean(region, known)
        yield problem(
            "region", f"{quoted(region)} is not a region of {_title(cloud)}.", near or f"Regions: {listed(known)}."
        )
    elif accelerator in accelerators(cloud):
        selling = _selling(cloud, accelerator)
        if region is not None and selling and region not in selling:
            message = f"{_title(cloud)} does not offer {accelerator} in {region}."
            yield problem("region", message, f"Offered in {listed(selling, _LONGEST_LIST)}.")


def _region(cloud: str, accelerator: str) -> str | None:
    """Return a region that sells an accelerator: that of the cloud's scaffold if it does."""
    preferred = scaffold_of(cloud).region
    if preferred is None:
        return None
    selling = _selling(cloud, accelerator)
    return preferred if preferred in selling or not selling else selling[0]


def _selling(cloud: str, accelerator: str) -> tuple[str, ...]:
    """Return the regions that sell machines with an accelerator; empty where that is not known."""
    types = {each.machine_type for each in machines.machine_types(cloud) if each.accelerator == accelerator}
    names = (each.name for each in regions.all_regions(cloud))
    return tuple(name for name in names if types & (offerings.offered(name, cloud) or frozenset()))


def _title(cloud: str) -> str:
    provider = provider_named(cloud)
    return provider.title if provider is not None else cloud
